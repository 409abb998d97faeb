//! The product of a model and an automaton as a graph with numbered nodes, for
//! the search for components.
//!
//! Here automata may have any number of acceptance sets, on edges: the search
//! does not need them to be degeneralized.

use super::nba::Nba;
use super::product::{self, Product};
use super::visited::Visited;
use super::visited::nodes::Nodes;
use crate::id::Id;
use crate::product::Halt;
use crate::search::limits::Budget;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::store::{StateId, StateStore};
use crate::system::{TransitionId, TransitionSystem};

/// Where the enumeration of the edges of a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cursor {
    moves: product::Cursor,
    /// The state that the latest move leads to.
    target: StateId,
}

impl Cursor {
    /// The transition of the edge that was enumerated last; nothing if the
    /// system did not move.
    #[must_use]
    pub fn taken(&self) -> Option<TransitionId> {
        self.moves.taken()
    }
}

/// A product whose nodes are numbered.
#[derive(Debug)]
pub struct NodeGraph<'a, 's, S, T> {
    product: Product<'a, S>,
    nodes: Nodes<'s, T>,
    marks: MarkSets,
    /// The state that has been loaded last, and its words.
    loaded: Option<StateId>,
    state: Vec<u64>,
    target: Vec<u64>,
}

impl<'a, 's, S: TransitionSystem, T: StateStore> NodeGraph<'a, 's, S, T> {
    /// States are kept in `store`, which may hold some already.
    pub fn new(product: Product<'a, S>, store: &'s mut T) -> Self {
        let n_words = product.system().n_words();
        let automaton: &Nba = product.automaton();
        let marks = automaton.mark_sets().clone();
        let (state, target) = (vec![0; n_words], vec![0; n_words]);
        Self { product, nodes: Nodes::new(store), marks, loaded: None, state, target }
    }

    /// The state of a node.
    pub fn state(&mut self, node: NodeId) -> &[u64] {
        self.load(self.nodes.node(node).0);
        &self.state
    }

    /// The product whose nodes are numbered.
    #[must_use]
    pub fn product(&self) -> &Product<'a, S> {
        &self.product
    }

    /// The store of states.
    #[must_use]
    pub fn store(&self) -> &T {
        self.nodes.store()
    }

    fn load(&mut self, state: StateId) {
        if self.loaded != Some(state) {
            self.nodes.store().load(state, &mut self.state);
            self.loaded = Some(state);
        }
    }
}

impl<S: TransitionSystem, T: StateStore> Graph for NodeGraph<'_, '_, S, T> {
    type Cursor = Cursor;
    type Halt = Halt;

    fn initial(&mut self, budget: &mut Budget<'_>) -> Result<Vec<NodeId>, Halt> {
        let mut nodes = Vec::new();
        for state in self.product.system().initial_states() {
            for &of in self.product.automaton().initial() {
                budget.poll()?;
                let place = self.nodes.place(&state, budget)?;
                nodes.push(self.nodes.number(place, of, budget)?);
            }
        }
        Ok(nodes)
    }

    fn cursor(&self, node: NodeId, hint: u32) -> Cursor {
        let (state, of) = self.nodes.node(node);
        // The words matter to random orders only; the number does as well.
        let words = [state.index() as u64];
        Cursor { moves: self.product.cursor(&words, of, hint), target: state }
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Halt> {
        let (state, of) = self.nodes.node(source);
        self.load(state);
        let next =
            self.product.next((&self.state, of), &mut cursor.moves, &mut self.target, budget)?;
        let Some(next) = next else { return Ok(None) };
        if next.is_new {
            cursor.target = self.nodes.place(&self.target, budget)?;
        }
        let target = self.nodes.number(cursor.target, next.target, budget)?;
        let (missing, hint) = (next.missing, next.hint);
        Ok(Some(Edge { target, missing, label: Label::default(), hint }))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }

    fn n_states(&self, _: usize) -> usize {
        self.nodes.store().len()
    }
}
