//! The stored states and the numbered nodes of a product, and how a search stands in one of them.

use super::lookahead::{Lookahead, Next};
use super::moves::Standing;
use super::nodes::Nodes;
use super::treatment::Halt;
use crate::id::Id;
use crate::search::NodeId;
use crate::search::limits::{Budget, Exhausted};
use crate::store::{StateId, StateStore, StoreError};
use crate::system::{self, TransitionId, TransitionSystem};

/// The id of a state in `store`, if it may be stored.
///
/// # Errors
///
/// If the state is new and there may not be another one.
#[inline]
pub(crate) fn store_within(
    store: &mut impl StateStore,
    state: &[u64],
    budget: &Budget<'_>,
) -> Result<StateId, Exhausted> {
    budget.reserve(store.growth())?;
    match budget.limits().states {
        Some(limit) if limit <= store.len() => store.find(state).ok_or(Exhausted::States { limit }),
        _ => store.intern(state).map_err(|error| match error {
            StoreError::Full { limit } => Exhausted::Full { limit },
            StoreError::Io(kind) => Exhausted::Store(kind),
        }),
    }
}

/// The states and nodes that a worker has met.
#[derive(Debug)]
pub(super) struct States<'a, T, C> {
    pub(super) store: &'a mut T,
    pub(super) nodes: Nodes<C>,
    pub(super) lookahead: Lookahead,
    /// A node that is known ahead, and what it is: where the latest move leads
    /// if the state of the automaton stays as it is.
    expected: Option<((StateId, C), NodeId)>,
    /// The state that has been loaded last, and its words.
    loaded: Option<StateId>,
    words: Vec<u64>,
    /// The words of a successor.
    target: Vec<u64>,
}

impl<'a, T: StateStore, C: Id> States<'a, T, C> {
    /// No nodes yet. States of `n_words` words are kept in `store`, which may hold some already.
    pub(super) fn new(store: &'a mut T, n_words: usize) -> Self {
        Self {
            store,
            nodes: Nodes::default(),
            lookahead: Lookahead::new(n_words),
            expected: None,
            loaded: None,
            words: vec![0; n_words],
            target: vec![0; n_words],
        }
    }

    /// The words of a state.
    pub(super) fn load(&mut self, state: StateId) -> &[u64] {
        if self.loaded != Some(state) {
            self.store.load(state, &mut self.words);
            self.loaded = Some(state);
        }
        &self.words
    }

    /// The number of a node to which a move leads.
    #[inline]
    pub(super) fn number(&mut self, state: StateId, of: C) -> NodeId {
        match self.expected {
            Some((pair, node)) if pair == (state, of) => node,
            _ => self.nodes.intern(state, of),
        }
    }
}

/// A node in which a search stands.
#[derive(Debug)]
pub(super) struct StandingNode<'b, 'a, T, C> {
    pub(super) node: NodeId,
    pub(super) state: StateId,
    pub(super) of: C,
    pub(super) states: &'b mut States<'a, T, C>,
}

impl<T: StateStore, C: Id> Standing for StandingNode<'_, '_, T, C> {
    type Target = StateId;

    fn words(&mut self) -> &[u64] {
        self.states.load(self.state)
    }

    #[inline]
    fn successor(
        &mut self,
        system: &mut impl TransitionSystem,
        cursor: &mut system::Cursor,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(TransitionId, StateId)>, Halt> {
        let states = &mut *self.states;
        let mut next = states.lookahead.next(self.node, cursor);
        if let Next::Unknown = next {
            states.load(self.state);
            if Lookahead::pays(states.store) {
                let source = (self.node, self.of);
                let (store, nodes) = (&*states.store, &states.nodes);
                states.lookahead.look(source, &states.words, cursor, system, store, nodes);
                next = states.lookahead.next(self.node, cursor);
            }
        }
        match next {
            Next::End => return Ok(None),
            Next::Known(successor, node) => {
                *cursor = successor.cursor;
                states.expected = Some(((successor.target, self.of), node));
                return Ok(Some((successor.transition, successor.target)));
            }
            Next::Unknown => (),
        }
        let next = system.next(&states.words, cursor, &mut states.target)?;
        let Some(transition) = next else { return Ok(None) };
        Ok(Some((transition, store_within(states.store, &states.target, budget)?)))
    }

    fn stay(&mut self) -> StateId {
        self.state
    }
}
