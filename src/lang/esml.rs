//! ESML, the language of the LTL model checker of [wyk99].
//!
//! A model has types, channels and processes. Processes have variables of their
//! own and share nothing; they meet at channels, which pass messages and store
//! none. A main process activates them:
//!
//! ```
//! let text = "
//!     MODEL Greeting;
//!     TYPE mtype = {hello, bye};
//!     VAR c: mtype;
//!     PROCESS Speaker(OUT c: mtype);
//!     BEGIN c!hello; c!bye END Speaker;
//!     PROCESS Listener(IN c: mtype);
//!     VAR last: mtype;
//!     BEGIN DO TRUE -> c?last END END Listener;
//!     BEGIN Speaker(c); Listener(c) END Greeting;
//!     DEFINITIONS
//!     done : (Listener.last = bye)
//! ";
//! let model = lwaa::lang::esml::read(text, &[])?;
//! assert_eq!(model.program.processes.len(), 3);
//! let formula = model.bindings.formula("F G done & F taken(Speaker)")?;
//! assert!(model.bound(&formula).is_ok());
//! # Ok::<(), lwaa::lang::SourceError>(())
//! ```
//!
//! `models/esml/README.md` has the grammar and says what it means. Section 4.1
//! and figure 17 of the thesis show the language and leave much open. What we
//! read there and what we decided:
//!
//! - Variables of the model are channels (listing 4.1, line 7), and a state is
//!   the variables and locations of the processes (section 4.2): so there are
//!   no shared variables.
//! - The main process is a process, and an activation is a step of it. The
//!   thesis compares ESML with Promela, statement by statement (figure 17); so
//!   we count steps as Promela does. An assignment, an activation and a
//!   communication are a step each, and so is the choice of an alternative,
//!   together with the communication in its guard if it has one.
//! - `DO` "executes until all its guards are false": to find them false is a
//!   step. A communication as a guard is never false, it waits. Where `IF` has
//!   no true guard the process waits, as in Promela.
//! - `c?a0` waits for this message, `c?x` takes any one into a variable. That
//!   messages may carry values, `c!data(x)`, that a condition and a
//!   communication together can be a guard, `x = 0 & c?m`, and that there are
//!   constants, arrays and parameters that are values is ours; the spelling
//!   is Oberon's or that of `occam`.
//! - Variables begin with the least value of their type.
//! - A property in CTL behind `ASSERT` is refused. Formulas are kept elsewhere and
//!   speak of propositions behind `DEFINITIONS` (listing 4.2).
//!
//! [wyk99]: crate::references::wyk99

mod ast;
mod bindings;
mod communicate;
mod declare;
mod expression;
mod flow;
mod lex;
mod lower;
mod names;
mod parse;
mod statement;
#[cfg(test)]
mod tests;
mod value;

use super::expression::{Sort, value_of};
use super::program::Program;
use super::{Definition, Model, SourceError};
use std::sync::Arc;
use value::EsmlScope;

/// Reads a model, with constants that `definitions` override.
///
/// # Errors
///
/// If the text is no model, or if a definition names no constant.
pub fn read(text: &str, definitions: &[Definition]) -> Result<Model, SourceError> {
    let model = parse::model(text)?;
    let declared = declare::declare(text, &model, definitions)?;
    let (program, names) = lower::lower(text, declared)?;
    // Propositions are looked at beside the program, so that it has only the
    // expressions that it needs.
    let mut beside = Program::default();
    beside.variables = program.variables.clone();
    for (_, tree) in &model.definitions {
        value_of(&mut beside, &names, EsmlScope::Proposition, tree, Sort::Truth)?;
    }
    Ok(Model { program, properties: Vec::new(), bindings: Arc::new(names) })
}
