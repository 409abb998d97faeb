//! States and steps in words: what people are told of a run, whatever the system is.

use super::TransitionId;

/// Part of a step: a statement that has run, or all of it where there are no statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Which process moves, and by which action.
    pub mover: String,
    /// What changes, an entry for each variable or element.
    pub changes: Vec<String>,
    /// What is printed.
    pub printed: Option<String>,
}

/// A system that can say what its states and steps are.
pub trait Describe {
    /// All of a state, an entry for each variable: `turn = 1`.
    fn full(&self, state: &[u64]) -> Vec<String>;

    /// What differs from one state to another, in the same form.
    fn changes(&self, before: &[u64], after: &[u64]) -> Vec<String>;

    /// What happens in a step; if there is no state behind it, up to what goes wrong. There is
    /// at least one part.
    fn told(&self, before: &[u64], taken: TransitionId, after: Option<&[u64]>) -> Vec<Told>;

    /// The processes that cannot move, and what they wait for.
    fn waiting(&self, state: &[u64]) -> Vec<String>;

    /// Whether the system may end in a state that has no successor.
    fn may_end(&self, state: &[u64]) -> bool;
}
