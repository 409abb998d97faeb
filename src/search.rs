//! Graphs whose edges carry marks, and the question whether some cycle has
//! them all.
//!
//! The room knows nothing of automata or models: it sees nodes, edges and
//! marks. An edge says which marks it is *missing*, since in our graphs that
//! is the short list. A cycle is accepting if no mark is missing on all of its
//! edges.

pub mod lasso;
pub mod limits;
pub mod scc;

use crate::id::define_id;
use crate::sets::Sets;
use limits::{Budget, Exhausted};

define_id! {
    /// A node of a [`Graph`].
    pub struct NodeId;
}

define_id! {
    /// A mark that every accepting cycle must earn.
    pub struct MarkId;
}

define_id! {
    /// A set of marks, as numbered by [`MarkSets`].
    pub struct MarksId;
}

/// All sets of marks that a graph has named so far.
pub type MarkSets = Sets<MarksId, MarkId>;

/// An edge, as seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub target: NodeId,
    /// The marks that it does not earn.
    pub missing: MarksId,
    /// What the graph wants to hear again when the search enters the target
    /// over this edge. Only the order of edges may depend on it.
    pub hint: u32,
}

/// A graph that is built while it is explored.
pub trait Graph {
    /// Where an enumeration of the edges out of a node stands. It is small,
    /// since a search keeps one for every node on its path.
    type Cursor: Clone + PartialEq + std::fmt::Debug;

    /// Why an exploration has to end.
    type Halt: From<Exhausted>;

    /// Where paths begin.
    ///
    /// # Errors
    ///
    /// If the nodes cannot be stored within the limits.
    fn initial(&mut self, budget: &mut Budget<'_>) -> Result<Vec<NodeId>, Self::Halt>;

    /// An enumeration of all edges out of `node`, which was entered over an
    /// edge with this `hint`; zero if it is initial.
    fn cursor(&self, node: NodeId, hint: u32) -> Self::Cursor;

    /// The next edge out of `source`. An enumeration that begins with the same
    /// cursor always takes the same course.
    ///
    /// # Errors
    ///
    /// If the edge cannot be computed, or not within the limits.
    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut Self::Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Self::Halt>;

    /// The sets of marks that edges refer to.
    fn marks(&mut self) -> &mut MarkSets;

    /// How many states have been stored, when a search has entered `n_nodes`
    /// nodes.
    fn n_states(&self, n_nodes: usize) -> usize {
        n_nodes
    }
}
