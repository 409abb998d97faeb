//! Sets of requirements: do they contradict each other, and which of them say
//! nothing that the others do not say?
//!
//! Every answer is a question about satisfiability, which [`oracle`] asks and
//! remembers. [`conflict`] makes conflicts minimal and finds several of them,
//! [`analysis`] puts together what there is to say about a set, and [`read`] reads
//! a file of requirements.

pub mod analysis;
pub mod conflict;
pub mod oracle;
pub mod read;
mod strengthen;

use crate::ltl::Formula;

/// A formula that is to hold, and what people call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// What messages call it.
    pub name: String,
    /// What it says.
    pub formula: Formula,
    /// The comment above it, which mostly says the same in words. Empty if there is none.
    pub comment: String,
}

impl Requirement {
    /// A requirement without a comment.
    #[must_use]
    pub fn new(name: impl Into<String>, formula: Formula) -> Self {
        Self { name: name.into(), formula, comment: String::new() }
    }
}

/// The conjuncts of a formula as requirements, numbered from 1.
///
/// ```
/// use lwaa::{Formula, requirements};
/// let formula = Formula::parse("G a & (F b & X a)")?;
/// let conjuncts = requirements::of_conjuncts(&formula);
/// let names: Vec<&str> = conjuncts.iter().map(|conjunct| &*conjunct.name).collect();
/// assert_eq!(names, ["1", "2", "3"]);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn of_conjuncts(formula: &Formula) -> Vec<Requirement> {
    let numbered = formula.conjuncts().into_iter().enumerate();
    numbered.map(|(index, formula)| Requirement::new((index + 1).to_string(), formula)).collect()
}
