//! What a search remembers of the nodes that it has visited: all of them, as
//! classical storage does, in [`packets`], or as [`bits`] that
//! nodes may share.
//!
//! A node is a state of the model and one of the automaton, and two searches
//! visit it. The place of a state of the model is found once; what it has been
//! visited with is noted under its place.

pub mod bits;
pub mod nodes;
pub mod packets;

use super::nba::StateId;
use crate::search::limits::{Budget, Exhausted};

/// Which of two searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The search for accepting nodes.
    First,
    /// The search for ways back to them.
    Second,
}

impl Phase {
    /// Zero and one: the magic bit of [GH93].
    ///
    /// [GH93]: crate::references::gh93
    #[must_use]
    pub fn bit(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }
}

/// What has been visited.
pub trait Visited {
    /// How a state of the model is known.
    type Place: Copy + PartialEq + std::fmt::Debug;

    /// How `state` is known from now on.
    ///
    /// # Errors
    ///
    /// If it cannot be stored within the limits.
    fn place(&mut self, state: &[u64], budget: &Budget<'_>) -> Result<Self::Place, Exhausted>;

    /// Notes a visit. Says whether it is the first one of this search.
    ///
    /// # Errors
    ///
    /// If it cannot be stored within the limits.
    fn visit(
        &mut self,
        place: Self::Place,
        of: StateId,
        phase: Phase,
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted>;

    /// Notes that a visited node is on the path of the first search, or that it
    /// is no longer.
    fn set_on_path(&mut self, place: Self::Place, of: StateId, is_on_path: bool);

    /// Whether a visited node is on the path of the first search.
    fn is_on_path(&self, place: Self::Place, of: StateId) -> bool;

    /// How many states have been stored.
    fn n_states(&self) -> usize;
}
