//! Kripke structures, state by state.
//!
//! A text says which atoms there are, where runs begin and, for every state,
//! which atoms are true in it and where its edges lead:
//!
//! ```
//! let text = r#"
//!     ## a traffic light
//!     atoms red green "all red"
//!     initial stop
//!     state stop  red            -> stop clear
//!     state clear red "all red"  -> go
//!     state go    green          -> stop
//! "#;
//! let model = lwaa::lang::kripke::read(text, &[])?;
//! assert!(model.bindings.formula(r#"G (green -> X !"all red")"#).is_ok());
//! # Ok::<(), lwaa::lang::SourceError>(())
//! ```
//!
//! Names are words of letters, digits, `_` and `.`, or anything in quotation
//! marks; `atoms`, `initial` and `state` need them. Line breaks mean nothing, `#`
//! begins a comment. There may be several initial states. A state without
//! edges is a deadlock. Formulas speak of the declared atoms.
//!
//! The program has a single variable, `state`, and tables that say how many
//! edges a state has, where they lead and what is true in it. So the size of a
//! structure is a matter of memory only: reading, lowering and compiling are
//! linear in it, and a step takes as long as in a small one.

mod lower;
mod parse;
#[cfg(test)]
mod tests;

use super::{Definition, Model, SourceError};
use crate::ltl::print::{Dialect, atom_text};
use crate::word::{Atoms, Letter};
use std::borrow::Cow;
use std::fmt;

/// A graph whose states have names and letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Structure {
    /// The atoms.
    pub atoms: Atoms,
    /// What the states are called, each by a name of its own.
    pub names: Vec<String>,
    /// What is true in each state.
    pub letters: Vec<Letter>,
    /// Where the edges of each state lead.
    pub successors: Vec<Vec<usize>>,
    /// Where runs begin; not empty.
    pub initial: Vec<usize>,
}

/// Reads a structure as a model. It has no constants to be overridden.
///
/// # Errors
///
/// If `text` is no structure, or if there is a definition.
pub fn read(text: &str, definitions: &[Definition]) -> Result<Model, SourceError> {
    if let Some(definition) = definitions.first() {
        let message = format!("a Kripke structure has no constant `{}`", definition.name);
        return Err(SourceError::new(super::program::Span::default(), message));
    }
    Ok(lower::model(&structure(text)?))
}

/// Reads a structure.
///
/// # Errors
///
/// If `text` is not a structure.
pub fn structure(text: &str) -> Result<Structure, SourceError> {
    parse::structure(text)
}

/// The text that is read as the same structure.
impl fmt::Display for Structure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let atoms: Vec<&str> = self.atoms.iter().map(|(_, name)| name).collect();
        let names = |states: &[usize]| -> Vec<&str> {
            states.iter().map(|&state| self.names[state].as_str()).collect()
        };
        writeln!(f, "atoms{}", Words(&atoms))?;
        writeln!(f, "initial{}", Words(&names(&self.initial)))?;
        for (state, letter) in self.letters.iter().enumerate() {
            let mut words = names(&[state]);
            words.extend(letter.iter().map(|atom| self.atoms.name(atom)));
            let successors = names(&self.successors[state]);
            writeln!(f, "state{} ->{}", Words(&words), Words(&successors))?;
        }
        Ok(())
    }
}

/// Names, in quotation marks if need be, and a space in front of each.
struct Words<'a>(&'a [&'a str]);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|name| write!(f, " {}", word(name)))
    }
}

fn word(name: &str) -> Cow<'_, str> {
    if parse::is_word(name) {
        return name.into();
    }
    let text = atom_text(name, Dialect::Lbt);
    // What needs no quotation marks there needs none here.
    if text.starts_with('"') { text.into() } else { format!("\"{text}\"").into() }
}
