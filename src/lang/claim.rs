//! Claims: automata beside formulas, which say how a run of a model must not be.
//!
//! A claim reads a run letter by letter, as a Büchi automaton does: in each state of
//! the run it takes one of its edges whose conditions are all true there. A run that
//! lets it pass through accepting states for ever is one that must not be.

use super::program::Span;

/// An automaton whose runs must not be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// Where it stands in the source text.
    pub span: Span,
    /// The names of its conditions, which are atoms to the
    /// [`Bindings`](super::Bindings) of the model.
    pub atoms: Vec<String>,
    /// What its conditions are called for people, in the same order; those that are missing are
    /// called by their names.
    pub titles: Vec<String>,
    /// Its states; the first one is where it begins. There is at least one.
    pub states: Vec<ClaimState>,
    /// A condition, as an index of `atoms`: wherever it is true, all states are
    /// accepting.
    pub accepting: Option<usize>,
}

/// A state of a [`Claim`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimState {
    /// Whether a run must not come here again and again.
    pub is_accepting: bool,
    /// How it goes on.
    pub edges: Vec<ClaimEdge>,
}

/// An edge of a [`Claim`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimEdge {
    /// Conditions, as indices of the claim's `atoms`, and what they have to be.
    pub conditions: Vec<(usize, bool)>,
    /// The number of the state that it leads to.
    pub target: usize,
}
