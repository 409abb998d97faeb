//! Whether a statement concerns no process but its own.
//!
//! This is the judgement that Spin makes, with its blind spots: an index does not
//! count, nor do the arguments of `run`. Channels count as shared unless the process
//! promises with `xr` or `xs` to be the only one that receives or sends.

use super::super::ast::{
    Expression, ExpressionId, Initial, Module, Process, Question, Statement, StatementId, Type,
};
use super::{Builder, ScopeId};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// What is known about a model as a whole.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Facts {
    /// How many statements the text has.
    pub(super) n_statements: usize,
    /// Whether some channel has no buffer.
    pub(super) has_rendezvous: bool,
    /// Whether statements are merged at all.
    pub(super) merges: bool,
    /// Whether variables are reset that are not read any more.
    pub(super) resets: bool,
    /// The process that promises, the channel, and whether it is about sending.
    promises: BTreeSet<(String, String, bool)>,
    /// Process types that begin with values that may be shared.
    initialized: BTreeSet<String>,
    /// The variables of the whole model.
    variables: HashSet<String, FxBuildHasher>,
    /// Those of them that concern one process only.
    private: HashSet<String, FxBuildHasher>,
}

impl Facts {
    pub(in super::super) fn new(module: &Module) -> Self {
        let n_statements = module.statements.len();
        let variables = module.variables.iter().map(|one| one.name.text.clone()).collect();
        let private = module.private.iter().cloned().collect();
        let mut facts = Self { n_statements, variables, private, ..Self::default() };
        let mut has_conditions = false;
        for process in module.processes.iter().chain(&module.initial) {
            has_conditions |= process.provided.is_some();
            facts.look_through(module, process);
        }
        for variable in &module.variables {
            facts.has_rendezvous |= is_rendezvous(module, variable.initial.as_ref());
        }
        facts.resets = module.needs.allows_merging();
        facts.merges = facts.resets && !has_conditions;
        facts
    }

    fn look_through(&mut self, module: &Module, process: &Process) {
        let name = &process.name.text;
        let mut open: Vec<StatementId> = process.body.iter().rev().copied().collect();
        let mut is_shared = false;
        while let Some(id) = open.pop() {
            let statement = &module.statements[id].statement;
            match statement {
                Statement::Promise { sends, channels } => {
                    for &channel in channels {
                        if let Expression::Reference(parts) = &module.expressions[channel].0 {
                            let channel = parts[0].name.text.clone();
                            self.promises.insert((name.clone(), channel, *sends));
                        }
                    }
                }
                Statement::Declare(declarations) => {
                    for declaration in declarations {
                        let initial = declaration.initial.as_ref();
                        self.has_rendezvous |= is_rendezvous(module, initial);
                        // The last one decides.
                        is_shared = match initial {
                            None => is_shared,
                            Some(Initial::Value(value)) => !self.is_known(module, *value),
                            Some(_) => true,
                        };
                    }
                }
                _ => (),
            }
            open.extend(statement.inside().into_iter().rev());
        }
        if is_shared {
            self.initialized.insert(name.clone());
        }
    }

    /// Whether a first value is a number, or a symbol.
    fn is_known(&self, module: &Module, id: ExpressionId) -> bool {
        match &module.expressions[id].0 {
            Expression::Number(_) => true,
            Expression::Reference(parts) => !self.variables.contains(&parts[0].name.text),
            _ => false,
        }
    }

    fn is_promised(&self, process: Option<&str>, channel: &str, sends: bool) -> bool {
        self.promises.iter().any(|(promising, of, sending)| {
            process.is_none_or(|process| process == promising) && of == channel && *sending == sends
        })
    }
}

fn is_rendezvous(module: &Module, initial: Option<&Initial>) -> bool {
    let Some(Initial::Channel { capacity, .. }) = initial else { return false };
    module.expressions[*capacity].0 == Expression::Number(0)
}

impl Builder<'_> {
    /// The variable of the process that a name means in a block.
    pub(super) fn local(&self, scope: ScopeId, name: &str) -> Option<usize> {
        self.locals.find(&self.scopes, scope, name)
    }

    /// The variable of the process that an expression names, if it is a single number.
    pub(super) fn local_number(&self, scope: ScopeId, id: ExpressionId) -> Option<usize> {
        let Expression::Reference(parts) = &self.module.expressions[id].0 else { return None };
        let [part] = &**parts else { return None };
        let found = self.local(scope, &part.name.text).filter(|_| part.index.is_none())?;
        self.is_number(found).then_some(found)
    }

    /// Whether a variable of the process is a single number.
    pub(super) fn is_number(&self, local: usize) -> bool {
        let declaration = &self.locals[local].declaration;
        let is_number = !matches!(declaration.of_type, Type::Chan | Type::Named(_));
        is_number && declaration.len.is_none()
    }

    /// Whether a declaration among statements looks at something shared.
    pub(super) fn is_shared_declaration(&self, local: usize, scope: ScopeId) -> bool {
        match &self.locals[local].declaration.initial {
            Some(Initial::Value(value)) => self.is_shared(*value, scope),
            _ => false,
        }
    }

    /// Whether a statement looks at something that others may look at.
    pub(super) fn is_shared_statement(&self, id: StatementId, scope: ScopeId) -> bool {
        let is_shared = |id: ExpressionId| self.is_shared(id, scope);
        let any = |list: &[ExpressionId]| list.iter().any(|&one| is_shared(one));
        match &self.module.statements[id].statement {
            Statement::Expression(value)
            | Statement::Assert(value)
            | Statement::PrintSymbol(value)
            | Statement::Increment(value, _) => is_shared(*value),
            Statement::Assign(target, value) => is_shared(*target) || is_shared(*value),
            Statement::Print { arguments, .. } => any(arguments),
            Statement::Send { channel, arguments, .. } => {
                any(arguments) || !self.is_promised(*channel, scope, true)
            }
            Statement::Receive { channel, arguments, .. } => {
                any(arguments) || !self.is_promised(*channel, scope, false)
            }
            _ => true,
        }
    }

    /// Whether an expression looks at something that others may look at.
    pub(super) fn is_shared(&self, id: ExpressionId, scope: ScopeId) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let expression = &self.module.expressions[id].0;
            let is_shared = match expression {
                Expression::Reference(parts) => self.is_shared_name(&parts[0].name.text, scope),
                Expression::Unary(..)
                | Expression::Eval(_)
                | Expression::Binary(..)
                | Expression::Conditional(..) => {
                    expression.operands(&mut open);
                    false
                }
                Expression::Run { process, .. } => self.facts.initialized.contains(&process.text),
                Expression::Channel(question, channel) => match question {
                    Question::Len => !self.is_promised_both(*channel, scope),
                    Question::NotEmpty | Question::Full => {
                        !self.is_promised(*channel, scope, false)
                    }
                    Question::NotFull | Question::Empty => !self.is_promised(*channel, scope, true),
                },
                Expression::Poll { channel, arguments, .. } => {
                    open.extend(arguments);
                    !self.is_promised_both(*channel, scope)
                }
                Expression::Number(_) | Expression::LastIndex(_) => false,
                Expression::RemoteLabel { .. }
                | Expression::RemoteVariable { .. }
                | Expression::Process(..)
                | Expression::Timeout
                | Expression::NoProgress
                | Expression::Last => true,
            };
            if is_shared {
                return true;
            }
        }
        false
    }

    fn is_shared_name(&self, name: &str, scope: ScopeId) -> bool {
        if self.local(scope, name).is_some() || matches!(name, "_pid" | "_") {
            return false;
        }
        let is_variable = self.facts.variables.contains(name) || name == "_nr_pr";
        is_variable && !self.facts.private.contains(name)
    }

    fn is_promised_both(&self, channel: ExpressionId, scope: ScopeId) -> bool {
        [true, false].into_iter().all(|sends| self.is_promised(channel, scope, sends))
    }

    fn is_promised(&self, channel: ExpressionId, scope: ScopeId, sends: bool) -> bool {
        let Expression::Reference(parts) = &self.module.expressions[channel].0 else {
            return false;
        };
        let name = &parts[0].name.text;
        let is_local = self.local(scope, name).is_some();
        let process = is_local.then_some(self.process.as_str());
        parts.len() == 1 && self.facts.is_promised(process, name, sends)
    }
}
