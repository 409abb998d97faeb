//! Which names of a model are ever assigned to.

use super::ast::{Expression, ExpressionId, Module, Statement};

/// The names of all variables to which some statement may give a value, sorted,
/// and of all parameters. Two variables of the same name count as one.
pub(super) fn assigned(module: &Module) -> Vec<String> {
    let mut names = Vec::new();
    let mut add = |id: ExpressionId| {
        if let Expression::Reference(parts) = &module.expressions[id].0
            && let Some(last) = parts.last()
        {
            names.push(last.name.text.clone());
            names.push(parts[0].name.text.clone());
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
    names.sort_unstable();
    names.dedup();
    names
}

/// The hidden variables of a model that are only ever assigned to. `n_occurrences` says
/// how often a name occurs in the text.
pub(super) fn forgotten(module: &Module, n_occurrences: impl Fn(&str) -> usize) -> Vec<String> {
    let hidden = module.variables.iter().filter(|variable| variable.is_hidden);
    let is_only_stored_to = |name: &String| {
        let is_it = |id: ExpressionId| match &module.expressions[id].0 {
            Expression::Reference(parts) => matches!(&**parts, [one] if one.name.text == *name),
            _ => false,
        };
        let stores = module.statements.iter().map(|labelled| match &labelled.statement {
            Statement::Assign(target, _) => usize::from(is_it(*target)),
            Statement::Receive { arguments, .. } => {
                arguments.iter().filter(|&&argument| is_it(argument)).count()
            }
            _ => 0,
        });
        // Once it is declared.
        1 + stores.sum::<usize>() == n_occurrences(name)
    };
    let names = hidden.map(|variable| variable.name.text.clone());
    names.filter(is_only_stored_to).collect()
}
