//! Refuses jumps out of a `d_step`, as Spin does.
//!
//! A `goto` inside of a `d_step` leads to a label of the same `d_step`, and a `break` ends a loop
//! of it: the statements are run as a whole. A block inside of another one is a `d_step` of its
//! own. Jumps into a `d_step` from outside are refused where labels are resolved, in `graph`.

use super::ast::{Module, Process, Statement, StatementId};
use super::names::Map;
use super::{SourceError, error};
use crate::work::tick;

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Position {
    /// The innermost `d_step` around it.
    step: Option<StatementId>,
    /// The innermost `d_step` around the innermost loop around it.
    of_loop: Option<StatementId>,
}

/// Checks all jumps of a process.
pub(super) fn check(module: &Module, process: &Process) -> Result<(), SourceError> {
    let outside = Position { step: None, of_loop: None };
    let mut open: Vec<(StatementId, Position)> =
        process.body.iter().rev().map(|&id| (id, outside)).collect();
    let mut steps_of_labels: Map<&str, Option<StatementId>> = Map::default();
    let mut jumps = Vec::new();
    while let Some((id, position)) = open.pop() {
        tick();
        let labelled = &module.statements[id];
        for label in &labelled.labels {
            steps_of_labels.insert(&label.text, position.step);
        }
        let inside = match &labelled.statement {
            Statement::Goto(label) if position.step.is_some() => {
                jumps.push((label, position.step));
                continue;
            }
            Statement::Break if position.step != position.of_loop => {
                let message = "this ends a loop around the `d_step`, which has to be run as a \
                               whole: use `atomic`";
                return error(labelled.place, message);
            }
            Statement::Step(_) => Position { step: Some(id), ..position },
            Statement::Do(_) | Statement::For { .. } | Statement::ForIn { .. } => {
                Position { of_loop: position.step, ..position }
            }
            _ => position,
        };
        let body = labelled.statement.inside();
        open.extend(body.into_iter().rev().map(|id| (id, inside)));
    }
    for (label, step) in jumps {
        // A label that does not exist is refused in `graph`.
        let target = steps_of_labels.get(label.text.as_str());
        if target.is_some_and(|&target| target != step) {
            let message = format!(
                "this jumps out of a `d_step`, which has to be run as a whole: put the label `{}` \
                 inside of it, or use `atomic`",
                label.text
            );
            return error(label.place, message);
        }
    }
    Ok(())
}
