//! Which names of a model are ever assigned to.

use super::ast::{Expression, ExpressionId, Module, Statement};
use std::collections::BTreeSet;

/// The names of all variables to which some statement may give a value, and of
/// all parameters. Two variables of the same name count as one.
pub(super) fn assigned(module: &Module) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut add = |id: ExpressionId| {
        if let Expression::Reference(parts) = &module.expressions[id].0
            && let Some(last) = parts.last()
        {
            names.extend([&last.name.text, &parts[0].name.text].map(String::clone));
        }
    };
    for labelled in &module.statements {
        match &labelled.statement {
            Statement::Assign(target, _)
            | Statement::Increment(target, _)
            | Statement::For { variable: target, .. }
            | Statement::ForIn { variable: target, .. }
            | Statement::Select { variable: target, .. } => add(*target),
            Statement::Receive { arguments, .. } => arguments.iter().for_each(|&id| add(id)),
            _ => (),
        }
    }
    for process in &module.processes {
        names.extend(process.parameters.iter().map(|parameter| parameter.name.text.clone()));
    }
    names
}
