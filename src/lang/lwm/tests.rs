//! What the language means, case by case.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod errors;
mod formulas;
mod limits;
mod lowering;
mod moves;

use super::read;
use crate::lang::execute::Interpreter;
use crate::lang::program::Program;
use crate::lang::{Definition, Model, SourceError};
use crate::system::{Cursor, StepError, TransitionSystem};

/// A model that must be right.
#[track_caller]
fn model(text: &str) -> Model {
    read(text, &[]).unwrap_or_else(|error| panic!("{error} at {:?} of {text}", error.span))
}

fn definition(name: &str, value: i64) -> Definition {
    Definition { name: name.to_owned(), value }
}

/// The place and the message of an error.
#[track_caller]
fn described(text: &str, result: Result<impl std::fmt::Debug, SourceError>) -> String {
    let error = result.expect_err(text);
    format!("[{}] {error}", &text[error.span.start..error.span.end])
}

/// A state as text: `x=1 a=[0, 1]`.
fn state_text(program: &Program, system: &Interpreter<'_>, state: &[u64]) -> String {
    let values = system.values(state);
    let variables = program.variables.entries().map(|(id, variable)| {
        let elements: Vec<String> = (0..variable.n_elements())
            .map(|element| variable.value_name(values.value(id, element)))
            .collect();
        match variable.len {
            None => format!("{}={}", variable.name, elements[0]),
            Some(_) => format!("{}=[{}]", variable.name, elements.join(", ")),
        }
    });
    variables.collect::<Vec<String>>().join(" ")
}

/// The initial states and their successors, a line each.
fn steps(text: &str) -> Result<String, StepError> {
    let model = model(text);
    let mut system = Interpreter::new(&model.program, &[]);
    let mut lines = Vec::new();
    for state in system.initial_states() {
        lines.push(state_text(&model.program, &system, &state));
        let mut target = vec![0; system.n_words()];
        let mut cursor = Cursor::default();
        while let Some(transition) = system.next(&state, &mut cursor, &mut target)? {
            let transition = &model.program.transitions[transition];
            let process = &model.program.processes[transition.process].name;
            let after = state_text(&model.program, &system, &target);
            lines.push(format!("  {process}.{}: {after}", transition.action));
        }
    }
    Ok(lines.join("\n"))
}
