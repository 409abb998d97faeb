//! Who waits for what where no process can move.
//!
//! Where the text of a model has places, a process waits at the statements of its place. Where it
//! has none, a process waits to do what its own variables allow and others prevent: conjuncts of a
//! guard that read only what changes in its own steps are true, and some other one is not.

use super::state::States;
use crate::id::Id;
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, Transition, Values, VariableId,
};
use crate::system::{Describe, ProcessId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// So many actions of a process are named.
const MAX_ACTIONS: usize = 3;
/// So many processes are named.
const MAX_PROCESSES: usize = 16;

/// The processes that take part in all steps that write a variable, or an element of an array.
type Writers = HashMap<(VariableId, Option<i64>), Vec<ProcessId>, FxBuildHasher>;

/// What each process waits for in a state in which none can move: `P waits at 12: q?x`.
#[must_use]
pub fn waiting(states: &States<'_>, state: &[u64]) -> Vec<String> {
    let told = states.waiting(state);
    let mut lines = if told.is_empty() { prevented(states, &states.values(state)) } else { told };
    if let Some(more @ 1..) = lines.len().checked_sub(MAX_PROCESSES) {
        lines.truncate(MAX_PROCESSES);
        lines.push(format!("{more} more processes wait"));
    }
    lines
}

fn prevented(states: &States<'_>, values: &Values) -> Vec<String> {
    let program = states.program();
    let writers = writers(program);
    let mut actions: Vec<Vec<&str>> = vec![Vec::new(); program.processes.len()];
    for transition in &program.transitions {
        for process in [Some(transition.process), transition.partner].into_iter().flatten() {
            let known = &mut actions[process.index()];
            let action = transition.action.as_str();
            if !known.contains(&action) && is_ready(states, &writers, values, transition, process) {
                known.push(action);
            }
        }
    }
    let named = program.processes.iter().zip(&actions);
    let lines = named.filter(|(process, actions)| {
        !process.name.is_empty() && actions.iter().any(|action| !action.is_empty())
    });
    lines
        .map(|(process, actions)| {
            let more = actions.len().saturating_sub(MAX_ACTIONS);
            let list = actions[..actions.len() - more].join(" or ");
            let more = if 0 < more { format!(" or {more} more") } else { String::new() };
            format!("{} waits to do {list}{more}", process.name)
        })
        .collect()
}

/// Who writes what.
fn writers(program: &Program) -> Writers {
    let mut writers = Writers::default();
    for transition in &program.transitions {
        for effect in &transition.effects {
            let Some((variable, index, _)) = effect.assignment() else { continue };
            let element = index.and_then(|index| program.as_constant(index));
            let both: Vec<ProcessId> =
                [Some(transition.process), transition.partner].into_iter().flatten().collect();
            let known = writers.entry((variable, element)).or_insert_with(|| both.clone());
            known.retain(|process| both.contains(process));
        }
    }
    writers
}

/// Whether a process waits for others only: what it alone decides about a guard is true.
fn is_ready(
    states: &States<'_>,
    writers: &Writers,
    values: &Values,
    transition: &Transition,
    process: ProcessId,
) -> bool {
    let program = states.program();
    let is_own = |id: ExpressionId| {
        let mut parts = program.parts_of([id]);
        parts.all(|(_, part)| match part {
            Expression::Choice(_) | Expression::Temporary(_) => false,
            Expression::Variable(variable) => is_of(writers, variable, None, process),
            Expression::Element(variable, index) => {
                is_of(writers, variable, program.as_constant(index), process)
            }
            _ => true,
        })
    };
    let conjuncts = conjuncts(program, transition.guard);
    let own: Vec<ExpressionId> = conjuncts.into_iter().filter(|&id| is_own(id)).collect();
    // A transition of which the process decides nothing says nothing about it.
    let has_place = own.iter().any(|&id| program.as_constant(id).is_none());
    has_place && own.iter().all(|&id| states.is_true(id, values))
}

/// Whether no step without a process writes a variable or an element.
fn is_of(
    writers: &Writers,
    variable: VariableId,
    element: Option<i64>,
    process: ProcessId,
) -> bool {
    let is_other = |(&(written, at), by): (&(VariableId, Option<i64>), &Vec<ProcessId>)| {
        let is_same = at.is_none() || element.is_none() || at == element;
        written == variable && is_same && !by.contains(&process)
    };
    // Most variables have an entry of their own, which is looked at first.
    match writers.get(&(variable, element)) {
        Some(by) if !by.contains(&process) => false,
        _ => !writers.iter().any(is_other),
    }
}

/// The parts of a conjunction.
fn conjuncts(program: &Program, whole: ExpressionId) -> Vec<ExpressionId> {
    let mut found = BTreeSet::new();
    let mut open = vec![whole];
    while let Some(id) = open.pop() {
        match program.view(id) {
            Expression::Binary(BinaryOperator::And, left, right) => open.extend([left, right]),
            _ => drop(found.insert(id)),
        }
    }
    found.into_iter().collect()
}
