//! Which variables statements read and write, and which ones are never read.

use super::ast::{Expression, ExpressionId, Initial, Module, Statement, StatementId, Type};
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
                uses.read(module, *channel);
                for &argument in arguments {
                    uses.read(module, argument);
                }
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
            Statement::Print { arguments, .. } => {
                for &argument in arguments {
                    uses.print(module, argument);
                }
            }
            Statement::PrintSymbol(symbol) => uses.print(module, *symbol),
            Statement::SetPriority(process, priority) => {
                uses.read(module, *process);
                uses.read(module, *priority);
            }
            _ => (),
        }
        uses
    }

    /// Adds what an expression reads.
    pub(super) fn read(&mut self, module: &Module, id: ExpressionId) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expression = &module.expressions[id].0;
            if let Expression::Reference(_) = expression {
                self.reads.push(id);
            }
            if let Expression::Poll { arguments, .. } = expression {
                let is_variable = |one: &ExpressionId| {
                    matches!(module.expressions[*one].0, Expression::Reference(_))
                };
                let (variables, others): (Vec<ExpressionId>, Vec<ExpressionId>) =
                    arguments.iter().copied().partition(is_variable);
                self.probes.extend(variables);
                open.extend(others);
            }
            if let Expression::Run { arguments, .. } = expression {
                open.extend(arguments);
            }
            expression.operands(&mut open);
        }
    }

    fn write(&mut self, module: &Module, target: ExpressionId) {
        self.writes.push(target);
        let mut indices = Vec::new();
        module.expressions[target].0.operands(&mut indices);
        for index in indices {
            self.read(module, index);
        }
    }

    fn print(&mut self, module: &Module, argument: ExpressionId) {
        let mut printed = Self::default();
        printed.read(module, argument);
        self.prints.extend(printed.reads);
    }
}

/// The global variables that are written but never read. As in Spin they are
/// no part of states: nobody could tell the difference. To print a variable is not
/// to read it, but to receive into it counts, unless it is hidden. Variables of the same
/// name count as one.
pub(super) fn never_read(module: &Module) -> BTreeSet<String> {
    if !module.needs.allows_leaving_out() {
        return BTreeSet::new();
    }
    let mut uses = Uses::default();
    for (id, labelled) in module.statements.entries() {
        let mut of_statement = Uses::of_statement(module, id);
        match &labelled.statement {
            Statement::Receive { .. } => {
                let is_hidden = |&id: &ExpressionId| {
                    let name = root(module, id);
                    name.is_some_and(|name| module.hidden.iter().any(|hidden| hidden == name))
                };
                let received = of_statement.writes.into_iter();
                uses.reads.extend(received.filter(|id| !is_hidden(id)));
            }
            Statement::For { variable, low, high, .. }
            | Statement::Select { variable, low, high } => {
                for &one in [variable, low, high] {
                    uses.read(module, one);
                }
            }
            Statement::ForIn { variable, array, .. } => {
                for &one in [variable, array] {
                    uses.read(module, one);
                }
            }
            Statement::Declare(declarations) => {
                for declaration in declarations {
                    initial(module, declaration.initial.as_ref(), &mut uses);
                }
            }
            _ => (),
        }
        uses.reads.append(&mut of_statement.reads);
        uses.reads.append(&mut of_statement.probes);
    }
    let processes = module.processes.iter().chain(&module.initial);
    for condition in processes.filter_map(|process| process.provided) {
        uses.read(module, condition);
    }
    for variable in &module.variables {
        initial(module, variable.initial.as_ref(), &mut uses);
    }
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

fn initial(module: &Module, initial: Option<&Initial>, uses: &mut Uses) {
    if let Some(Initial::Value(value)) = initial {
        uses.read(module, *value);
    }
}

/// The name that a reference begins with.
pub(super) fn root(module: &Module, id: ExpressionId) -> Option<&str> {
    match &module.expressions[id].0 {
        Expression::Reference(parts) => Some(&parts[0].name.text),
        _ => None,
    }
}
