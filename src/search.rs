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
}

/// A graph that is built while it is explored.
pub trait Graph {
    /// Where every path begins.
    fn initial(&mut self) -> NodeId;

    /// The edge number `index` out of `source`, or nothing if there are no
    /// more than `index`. The numbering never changes.
    ///
    /// # Errors
    ///
    /// If the edge cannot be computed within the limits.
    fn edge(
        &mut self,
        source: NodeId,
        index: usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Exhausted>;

    /// The sets of marks that edges refer to.
    fn marks(&mut self) -> &mut MarkSets;
}
