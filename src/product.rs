//! A transition system and an automaton, side by side, as a graph to be searched.
//!
//! A node is a state and a configuration, or a state and a state of a Büchi automaton. Its edges
//! are the [moves] of both. States are stored, and nodes are numbered.
//!
//! The room knows neither languages nor verdicts: a fault of the model ends
//! the exploration, and the caller says what that means.

mod actions;
mod configurations;
mod edge_signs;
mod guide;
mod letters;
mod lookahead;
pub mod moves;
mod nodes;
mod states;
mod treatment;

use crate::configuration::{ConfigurationGraph, StepId};
use crate::id::Id;
use crate::search::limits::Budget;
use crate::search::signs::Signs;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::store::{StateId, StateStore};
use crate::system::TransitionSystem;
use moves::{AutomatonSide, MoveCursor, Moves};
use states::{StandingNode, States};

pub use moves::{MoveRules, Order};
pub(crate) use states::store_within;
pub use treatment::{Deadlock, Errors, Halt, Treatment, Watch};

/// The product of a transition system and the configurations of an automaton.
pub type ConfigurationProduct<'a, S, T, D> = Product<'a, S, T, ConfigurationGraph<'a, D>>;

/// Where the enumeration of the edges of a node of a [`ConfigurationProduct`] stands.
pub type ConfigurationCursor = MoveCursor<StepId, StateId>;

/// The product of a transition system and an automaton, with numbered nodes.
#[derive(Debug)]
pub struct Product<'a, S, T, A: AutomatonSide> {
    moves: Moves<S, A>,
    states: States<'a, T, A::State>,
}

impl<'a, S: TransitionSystem, T: StateStore, A: AutomatonSide> Product<'a, S, T, A> {
    /// The product whose edges are `moves`. States are kept in `store`, which may hold some
    /// already.
    pub fn new(moves: Moves<S, A>, store: &'a mut T) -> Self {
        let states = States::new(store, moves.system().n_words());
        Self { moves, states }
    }

    /// What has been seen of errors, and what the search is told of them.
    pub fn watch(&mut self) -> &mut Watch {
        self.moves.watch()
    }

    /// The words of the state of a node.
    pub fn state(&mut self, node: NodeId) -> &[u64] {
        self.states.load(self.states.nodes.pair(node).0)
    }

    /// The state of the automaton in a node: its configuration.
    #[must_use]
    pub fn automaton_state(&self, node: NodeId) -> A::State {
        self.states.nodes.pair(node).1
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &S {
        self.moves.system()
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &A {
        self.moves.automaton()
    }

    /// The number of nodes.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.states.nodes.len()
    }

    /// The store of states.
    #[must_use]
    pub fn store(&self) -> &T {
        self.states.store
    }
}

impl<S: TransitionSystem, T: StateStore, A: AutomatonSide> Graph for Product<'_, S, T, A> {
    type Cursor = MoveCursor<A::Step, StateId>;
    type Halt = Halt;

    fn initial(&mut self, budget: &mut Budget<'_>) -> Result<Vec<NodeId>, Halt> {
        let initial = self.moves.initial_states();
        let mut nodes = Vec::new();
        for state in self.moves.system().initial_states() {
            budget.poll()?;
            let state = store_within(self.states.store, &state, budget)?;
            nodes.extend(initial.iter().map(|&of| self.states.nodes.intern(state, of)));
        }
        Ok(nodes)
    }

    fn cursor(&self, node: NodeId, hint: u32) -> Self::Cursor {
        self.moves.cursor(node, hint, StateId::new(0))
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut Self::Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Halt> {
        let (state, of) = self.states.nodes.pair(source);
        let mut standing = StandingNode { node: source, state, of, states: &mut self.states };
        let next = self.moves.next(of, &mut standing, cursor, budget)?;
        let Some((of, missing)) = next else { return Ok(None) };
        let target = self.states.number(cursor.target(), of);
        let (label, hint) = (self.moves.label(cursor), self.moves.hint(cursor));
        Ok(Some(Edge { target, missing, label, hint }))
    }

    fn upcoming(&self) -> &[NodeId] {
        self.states.lookahead.nodes()
    }

    fn marks(&mut self) -> &mut MarkSets {
        self.moves.marks()
    }

    fn show(
        &mut self,
        label: Label,
        without: &Signs,
        signs: &mut Signs,
        _: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        Ok(self.moves.show(label, without, signs))
    }

    fn n_states(&self, _: usize) -> usize {
        self.states.store.len()
    }
}
