//! What an answer consists of: a verdict and how it was found.

use crate::search::limits::Exhausted;
use crate::word::{Lasso, Letter};
use std::time::Duration;

/// Whether a formula has a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiability {
    /// It has: here is one, certified.
    Satisfiable(Lasso<Letter>),
    /// It has none.
    Unsatisfiable,
    /// A limit was reached first.
    Unknown(Exhausted),
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct subformulas of the formula as it was written.
    pub terms: usize,
    /// Locations of the automaton.
    pub locations: usize,
    /// Configurations met.
    pub configurations: usize,
    /// Nodes visited by the search.
    pub nodes: usize,
    /// Edges followed by the search.
    pub transitions: u64,
    /// Components finished without an accepting cycle.
    pub components: usize,
    /// The longest search path.
    pub depth: usize,
    /// Questions to the configuration graph answered from memory.
    pub cache_hits: u64,
    /// Questions to the configuration graph that had to be computed.
    pub cache_misses: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory of the process at the end.
    pub resident_bytes: usize,
}

/// A verdict and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is true.
    pub satisfiability: Satisfiability,
    /// How it was found.
    pub statistics: Statistics,
}
