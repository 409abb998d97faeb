//! Replays a lasso against the formula that it is said to satisfy.
//!
//! Shares no code with what found the lasso: neither simplifier nor automaton
//! nor search. A lasso that fails is an internal error, never a verdict. That a
//! lasso is also a run of a model is checked by [`run`], and that such a run is
//! fair by [`fairness`]; that an automaton accepts it, by [`claim`].

pub mod claim;
pub mod fairness;
pub mod run;

use crate::ltl::{Formula, semantics};
use crate::word::{Lasso, Letter};

/// A lasso does not satisfy the formula for which it was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error: the lasso that was found does not satisfy the formula")]
pub struct Refuted {
    /// The lasso.
    pub lasso: Lasso<Letter>,
}

/// Passes `lasso` on if `formula` holds on it, by definition.
///
/// # Errors
///
/// If it does not.
pub fn certify(formula: &Formula, lasso: Lasso<Letter>) -> Result<Lasso<Letter>, Refuted> {
    if semantics::holds(formula, &lasso) { Ok(lasso) } else { Err(Refuted { lasso }) }
}

/// A finite word does not satisfy the formula for which it was found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("internal error: the finite word that was found does not satisfy the formula")]
pub struct RefutedWord {
    /// The word.
    pub word: Vec<Letter>,
}

/// Passes `word` on if `formula` holds on it, by definition.
///
/// # Errors
///
/// If it does not.
pub fn certify_finite(formula: &Formula, word: Vec<Letter>) -> Result<Vec<Letter>, RefutedWord> {
    if semantics::finite::holds(formula, &word) { Ok(word) } else { Err(RefutedWord { word }) }
}
