//! What the language means, case by case.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod errors;
mod formulas;
mod limits;
mod steps;

use super::read;
use crate::lang::execute::Interpreter;
use crate::lang::program::{Program, Values};
use crate::lang::{Definition, Model};
use crate::system::{Cursor, FaultKind, TransitionSystem};
use std::collections::BTreeSet;

/// A model that must be right.
#[track_caller]
fn model(text: &str) -> Model {
    read(text, &[]).unwrap_or_else(|error| {
        panic!("{error} at `{}` of {text}", &text[error.span.start..error.span.end])
    })
}

/// A model with one process `P` that has these variables and statements.
fn alone(variables: &str, statements: &str) -> String {
    format!(
        "MODEL M; TYPE bit = 0..1; color = {{red, green}};
         PROCESS P; VAR {variables} BEGIN {statements} END P; BEGIN P() END M."
    )
}

/// A model with two processes that share the channels `c` and `d[2]`.
fn pair(types: &str, one: &str, other: &str) -> String {
    format!(
        "MODEL M; TYPE {types} VAR c: t; d: ARRAY 2 OF t;
         PROCESS A; {one} END A; PROCESS B; {other} END B; BEGIN A(); B() END M."
    )
}

/// The values of all variables that are not locations, element by element.
fn flat(program: &Program, values: &Values) -> Vec<i64> {
    let variables = program.variables.entries().filter(|(_, variable)| variable.name.contains('.'));
    variables
        .flat_map(|(id, variable)| (0..variable.n_elements()).map(move |at| values.value(id, at)))
        .collect()
}

/// What is found when everything is explored.
#[derive(Debug, Default)]
struct Found {
    n_states: usize,
    /// The values of variables in states without successors.
    ends: BTreeSet<Vec<i64>>,
    faults: Vec<FaultKind>,
}

fn explore(program: &Program) -> Found {
    let mut system = Interpreter::new(program, &[]);
    let mut open = system.initial_states();
    let mut found = Found::default();
    let mut seen: BTreeSet<_> = open.iter().cloned().collect();
    while let Some(state) = open.pop() {
        let (mut cursor, mut target) = (Cursor::default(), vec![0; system.n_words()]);
        let mut is_end = true;
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                Ok(Some(_)) => {
                    is_end = false;
                    let target: Box<[u64]> = target.as_slice().into();
                    if seen.insert(target.clone()) {
                        open.push(target);
                    }
                }
                Err(fault) => {
                    is_end = false;
                    found.faults.push(fault.fault().unwrap().kind);
                }
            }
        }
        if is_end {
            found.ends.insert(flat(program, &system.values(&state)));
        }
    }
    found.n_states = seen.len();
    found
}

/// The values of variables where runs of the model end; nothing goes wrong.
#[track_caller]
fn ends(text: &str) -> Vec<Vec<i64>> {
    let found = explore(&model(text).program);
    assert_eq!(found.faults, []);
    found.ends.into_iter().collect()
}

fn definition(name: &str, value: i64) -> Definition {
    Definition { name: name.to_owned(), value }
}
