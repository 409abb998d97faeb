//! Graphs whose edges carry marks, and the question whether some cycle has
//! them all.
//!
//! The room knows nothing of automata or models: it sees nodes, edges, marks
//! and signs. An edge says which marks it is *missing*, since in our graphs that
//! is the short list, and which signs it *shows*. A cycle is accepting if no
//! mark is missing on all of its edges, and if the signs that its edges show
//! satisfy an [`Acceptance`](acceptance::Acceptance), which may ask for signs
//! again and again, or for signs never again.
//!
//! An edge may stand for several edges between the same nodes that show
//! different signs: a step of an automaton under any of many letters.

pub mod acceptance;
pub mod coverage;
pub mod lasso;
pub mod limits;
pub mod scc;
pub mod signs;
mod walk;

use crate::id::define_id;
use crate::sets::Sets;
use limits::{Budget, Exhausted};
use signs::Signs;

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

define_id! {
    /// A sign that edges show or do not show.
    pub struct SignId;
}

/// What an edge shows, in words that only its graph understands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label(pub u64);

/// All sets of marks that a graph has named so far.
pub type MarkSets = Sets<MarksId, MarkId>;

/// An edge, as seen from its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Where it leads.
    pub target: NodeId,
    /// The marks that it does not earn.
    pub missing: MarksId,
    /// What it shows.
    pub label: Label,
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

    /// Nodes that the next edges may lead to, if the graph has just found that
    /// out. A search may fetch from memory what it knows about all of them,
    /// which takes hardly longer than for one.
    fn upcoming(&self) -> &[NodeId] {
        &[]
    }

    /// Called with the nodes of a finished component from which no accepting cycle can be
    /// reached, so that the graph can prune other nodes of which this makes it known.
    ///
    /// # Errors
    ///
    /// If that cannot be found out within the limits.
    fn refute(&mut self, nodes: &[NodeId], budget: &mut Budget<'_>) -> Result<(), Self::Halt> {
        let _ = (nodes, budget);
        Ok(())
    }

    /// Whether the graph knows that no accepting cycle can be reached from
    /// `node`.
    fn is_refuted(&mut self, node: NodeId) -> bool {
        let _ = node;
        false
    }

    /// The sets of marks that edges refer to.
    fn marks(&mut self) -> &mut MarkSets;

    /// Adds to `signs` all that an edge with this label may show if it shows
    /// none of `without`. Says whether it can do that; if not, `signs` stays as
    /// it is. Asking for more in `without` never gives more signs.
    ///
    /// # Errors
    ///
    /// If it cannot be found out within the limits.
    fn show(
        &mut self,
        label: Label,
        without: &Signs,
        signs: &mut Signs,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Self::Halt> {
        let _ = (label, without, signs, budget);
        Ok(true)
    }

    /// Those of `wanted` that one passage over an edge with this label shows if
    /// it shows none of `without`, which is possible: at least one of them if
    /// one can be shown at all, and as many as can be shown together if that is
    /// easy to find. What is here is right where an edge always shows the same.
    ///
    /// # Errors
    ///
    /// If it cannot be found out within the limits.
    fn pass(
        &mut self,
        label: Label,
        without: &Signs,
        wanted: &Signs,
        budget: &mut Budget<'_>,
    ) -> Result<Signs, Self::Halt> {
        let mut signs = wanted.clone();
        signs.clear();
        self.show(label, without, &mut signs, budget)?;
        signs.intersect(wanted);
        Ok(signs)
    }

    /// How many states have been stored, when a search has entered `n_nodes`
    /// nodes.
    fn n_states(&self, n_nodes: usize) -> usize {
        n_nodes
    }
}
