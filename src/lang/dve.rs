//! DVE, the language of the model checker `DiVinE` and of the benchmark set BEEM.
//!
//! A model has global variables, channels and processes; a process has states,
//! local variables and transitions with a guard, a communication and effects.
//! `models/dve/README.md` says what is read and what it means. Where versions
//! of `DiVinE` differ, we follow the one whose state counts are published.

mod ast;
mod asynchronous;
mod bindings;
mod declare;
mod expression;
mod lex;
mod lower;
mod names;
mod parse;
mod synchronous;
#[cfg(test)]
mod tests;
mod value;

use super::cursor::fail;
use super::program::Span;
use super::{Definition, Model, SourceError};
use std::sync::Arc;

/// Reads a model. Definitions give its constants other values; those of a
/// process are called `P.name`.
///
/// # Errors
///
/// If the text is no model, or if a definition names no constant.
pub fn read(text: &str, definitions: &[Definition]) -> Result<Model, SourceError> {
    let system = parse::system(text)?;
    if let Some(property) = &system.property {
        let message = format!(
            "property processes are not supported: leave out the process `{}` and `property`, \
             and state the property as a formula",
            property.text
        );
        return Err(SourceError::new(property.span, message));
    }
    let (program, names) = declare::declare(&system, definitions)?;
    if system.processes.is_empty() {
        let end = Span { start: text.len(), end: text.len() };
        return fail(end, "a model has at least one process");
    }
    let (program, names) = lower::lower(text, &system, program, names)?;
    Ok(Model { program, properties: Vec::new(), bindings: Arc::new(names) })
}
