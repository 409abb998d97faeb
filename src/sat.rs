//! Satisfiability by SAT solvers: engines beside the explicit search.
//!
//! They work on the same automaton as the search for components, but never
//! enumerate configurations: a configuration is a bit for each location.
//! [`bounded`] looks for lassos of growing length, [`selection`] for those of parts of
//! a formula, [`proof`] for an invariant that
//! shows that the formula has no model. The caller certifies a model, as every other one. That a
//! formula has no model is believed only after [`certificate`] has checked the invariant, with
//! another encoding and another solver.

pub mod bounded;
pub mod certificate;
pub mod clauses;
pub mod constant;
pub mod proof;
pub mod selection;
pub mod solver;
pub mod template;

use crate::word::{Lasso, Letter};

/// What an engine has found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The automaton accepts this word.
    Lasso(Lasso<Letter>),
    /// The automaton accepts nothing, and a certificate for that was checked.
    Nothing,
}
