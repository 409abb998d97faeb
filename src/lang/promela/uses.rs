//! Which variables statements read and write, which ones are ever assigned to, and which ones are
//! never read.

use super::ast::{
    Declaration, Expression, ExpressionId, Initial, Module, Statement, StatementId, Type,
};
use super::needs::Need;
use std::collections::BTreeSet;

/// References to variables, by what is done with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    pub(super) reads: Vec<ExpressionId>,
    pub(super) writes: Vec<ExpressionId>,
    /// Read only to be printed.
    pub(super) prints: Vec<ExpressionId>,
    /// Named among the fields of `q?[x]`, which reads nothing of them.
    probes: Vec<ExpressionId>,
}

impl Uses {
    /// What a statement does, without those inside of it.
    pub(super) fn of_statement(module: &Module, id: StatementId) -> Self {
        let mut uses = Self::default();
        match &module.statements[id].statement {
            Statement::Expression(value) | Statement::Assert(value) => uses.read(module, *value),
            Statement::Assign(target, value) => {
                uses.write(module, *target);
                uses.read(module, *value);
            }
            Statement::Increment(target, _) => uses.write(module, *target),
            Statement::Send { channel, arguments, .. } => {
                uses.read_all(module, [channel].into_iter().chain(arguments));
            }
            Statement::Receive { channel, arguments, .. } => {
                uses.read(module, *channel);
                for &argument in arguments {
                    match module.expressions[argument].0 {
                        Expression::Reference(_) => uses.write(module, argument),
                        _ => uses.read(module, argument),
                    }
                }
            }
            Statement::Print { arguments, .. } => uses.print(module, arguments),
            Statement::PrintSymbol(symbol) => uses.print(module, &[*symbol]),
            Statement::SetPriority(process, priority) => {
                uses.read_all(module, [process, priority]);
            }
            Statement::For { variable, low, high, .. }
            | Statement::Select { variable, low, high } => {
                uses.write(module, *variable);
                uses.read_all(module, [low, high]);
            }
            Statement::ForIn { variable, array, .. } => {
                uses.write(module, *variable);
                uses.read(module, *array);
            }
            Statement::Declare(declarations) => uses.declare(module, declarations),
            _ => (),
        }
        uses
    }

    fn read_all<'a>(&mut self, module: &Module, ids: impl IntoIterator<Item = &'a ExpressionId>) {
        ids.into_iter().for_each(|&id| self.read(module, id));
    }

    /// Adds what an expression reads.
    pub(super) fn read(&mut self, module: &Module, id: ExpressionId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expression = &module.expressions[id].0;
            match expression {
                Expression::Reference(_) => self.reads.push(id),
                Expression::Poll { arguments, .. } => {
                    for &argument in arguments {
                        match module.expressions[argument].0 {
                            Expression::Reference(_) => self.probes.push(argument),
                            _ => open.push(argument),
                        }
                    }
                }
                Expression::Run { arguments, .. } => open.extend(arguments),
                _ => (),
            }
            expression.operands(&mut open);
        }
    }

    /// Adds what the first values of variables read.
    fn declare(&mut self, module: &Module, declarations: &[Declaration]) {
        for declaration in declarations {
            if let Some(Initial::Value(value)) = declaration.initial {
                self.read(module, value);
            }
        }
    }

    fn write(&mut self, module: &Module, target: ExpressionId) {
        self.writes.push(target);
        let mut indices = Vec::new();
        module.expressions[target].0.operands(&mut indices);
        self.read_all(module, &indices);
    }

    fn print(&mut self, module: &Module, arguments: &[ExpressionId]) {
        let mut printed = Self::default();
        printed.read_all(module, arguments);
        self.prints.extend(printed.reads);
    }
}

/// The names of all variables to which some statement may give a value, and of
/// all parameters. Two variables of the same name count as one.
pub(super) fn assigned(module: &Module) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for target in module.statements.ids().flat_map(|id| Uses::of_statement(module, id).writes) {
        if let Expression::Reference(parts) = &module.expressions[target].0 {
            names.extend([&parts[0], &parts[parts.len() - 1]].map(|part| part.name.text.clone()));
        }
    }
    let parameters = module.processes.iter().flat_map(|process| &process.parameters);
    names.extend(parameters.map(|parameter| parameter.name.text.clone()));
    names
}

/// The global variables that are written but never read. As in Spin they are
/// no part of states: no process could tell the difference. To print a variable is not
/// to read it, but to receive into it counts, unless it is hidden, and so does to count with it
/// in a loop. Variables of the same name count as one.
pub(super) fn never_read(module: &Module) -> BTreeSet<String> {
    if !module.needs.allows_leaving_out() {
        return BTreeSet::new();
    }
    let mut uses = Uses::default();
    let is_hidden =
        |id| root(module, id).is_some_and(|name| module.hidden.iter().any(|hidden| hidden == name));
    for (id, labelled) in module.statements.entries() {
        let Uses { reads, writes, probes, .. } = Uses::of_statement(module, id);
        uses.reads.extend(reads.into_iter().chain(probes));
        match labelled.statement {
            Statement::Receive { .. } => {
                uses.reads.extend(writes.into_iter().filter(|&id| !is_hidden(id)));
            }
            Statement::For { .. } | Statement::ForIn { .. } | Statement::Select { .. } => {
                uses.reads.extend(writes);
            }
            _ => (),
        }
    }
    let processes = module.processes.iter().chain(&module.initial);
    for condition in processes.filter_map(|process| process.provided) {
        uses.read(module, condition);
    }
    uses.declare(module, &module.variables);
    let read: BTreeSet<&str> = uses.reads.iter().filter_map(|&id| root(module, id)).collect();
    let is_plain = |of_type: &Type| !matches!(of_type, Type::Chan | Type::Named(_));
    let unread = module.variables.iter().filter(|variable| {
        let name = &variable.name.text;
        is_plain(&variable.of_type)
            && !read.contains(name.as_str())
            && !module.needs.contains(&Need::Name(name.clone()))
    });
    unread.map(|variable| variable.name.text.clone()).collect()
}

/// The name that a reference begins with.
pub(super) fn root(module: &Module, id: ExpressionId) -> Option<&str> {
    match &module.expressions[id].0 {
        Expression::Reference(parts) => Some(&parts[0].name.text),
        _ => None,
    }
}
