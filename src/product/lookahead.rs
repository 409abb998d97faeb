//! Successors that have been looked up before the search asks for them.
//!
//! To find a successor among millions of states takes some loads from memory,
//! each of which depends on the one before. Lookups of different successors do
//! not depend on each other, though, and a processor does them side by side if
//! they follow each other closely. So when the search asks for a successor of
//! a node, we compute the next ones, too, then look up all of these states,
//! then their nodes.
//!
//! Nothing is stored that the search did not ask for, so no result depends on
//! what is known ahead. There is one list, that of the node which was asked for
//! last, and it ends before the first successor that is new: the search will
//! enter that one and ask for others. A node to which it returns has its list
//! made again from its cursor. (Lists for more nodes save up to 7 % of the
//! lookups, and no time.)

use super::nodes::Nodes;
use crate::id::Id;
use crate::search::NodeId;
use crate::store::{StateId, StateStore};
use crate::system::{Cursor, TransitionId, TransitionSystem};

/// How many successors are looked up at a time.
// PERF: philosophers_fair_inverted(9), (11) and (12) under strong fairness: 0.97,
// 1.8 and 2.4 times less user time than one by one, on a busy machine. With
// nine all is in the cache.
const MAX_AHEAD: usize = 16;

/// With fewer states all tables are in the cache, and there is nothing to gain.
// PERF: check jobs.lwm -D FAIR=64, 256 states: 0.84 times as fast with lists.
const MIN_STATES: usize = 1 << 16;

/// The next successors of one node.
#[derive(Debug)]
pub(super) struct Lookahead {
    source: Option<NodeId>,
    /// Where the enumeration stands.
    cursor: Cursor,
    /// Whether there are no more successors behind these.
    is_complete: bool,
    /// How many of `successors` have been asked for.
    n_taken: usize,
    successors: Vec<Successor>,
    /// Their nodes.
    nodes: Vec<NodeId>,
    /// The words of successors, one behind the other.
    words: Vec<u64>,
}

/// A successor that has been stored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Successor {
    pub(super) transition: TransitionId,
    pub(super) target: StateId,
    /// Where the enumeration stands behind it.
    pub(super) cursor: Cursor,
}

/// What is known about the next successor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Next {
    /// It is this one; and this is its node with the automaton's state of the
    /// source.
    Known(Successor, NodeId),
    /// There is no further successor.
    End,
    /// It is new, or something is wrong with it, or nothing is known at all.
    Unknown,
}

impl Lookahead {
    /// Nothing is known yet about successors, which are states of `n_words`
    /// words.
    pub(super) fn new(n_words: usize) -> Self {
        Self {
            source: None,
            cursor: Cursor::default(),
            is_complete: false,
            n_taken: 0,
            successors: Vec::with_capacity(MAX_AHEAD),
            nodes: Vec::with_capacity(MAX_AHEAD),
            words: vec![0; MAX_AHEAD * n_words],
        }
    }

    /// What has been looked up about the next successor of `source`.
    #[inline]
    pub(super) fn next(&mut self, source: NodeId, cursor: &Cursor) -> Next {
        if self.source != Some(source) || self.cursor != *cursor {
            return Next::Unknown;
        }
        let number = self.n_taken;
        let (Some(&successor), Some(&node)) = (self.successors.get(number), self.nodes.get(number))
        else {
            return if self.is_complete { Next::End } else { Next::Unknown };
        };
        self.n_taken += 1;
        self.cursor = successor.cursor;
        Next::Known(successor, node)
    }

    /// The nodes of successors, right after these have been looked up.
    #[inline]
    pub(super) fn nodes(&self) -> &[NodeId] {
        if self.n_taken == 1 { &self.nodes } else { &[] }
    }

    /// Whether it is worth while to look ahead.
    #[inline]
    pub(super) fn pays(store: &impl StateStore) -> bool {
        store.guesses() && MIN_STATES <= store.len()
    }

    /// Looks up what comes behind `cursor`.
    pub(super) fn look<C: Id>(
        &mut self,
        (source, of): (NodeId, C),
        state: &[u64],
        cursor: &Cursor,
        system: &mut impl TransitionSystem,
        store: &impl StateStore,
        nodes: &Nodes<C>,
    ) {
        (self.source, self.cursor, self.n_taken) = (Some(source), *cursor, 0);
        self.successors.clear();
        self.nodes.clear();
        let mut cursor = *cursor;
        let mut last = Ok(None);
        let n_words = state.len().max(1);
        for words in self.words.chunks_exact_mut(n_words) {
            last = system.next(state, &mut cursor, words);
            let Ok(Some(transition)) = last else { break };
            self.successors.push(Successor { transition, target: StateId::new(0), cursor });
        }
        let words = || self.words.chunks_exact(n_words);
        let guesses = self.successors.iter_mut().zip(words());
        let n_guessed = guesses.map_while(|(successor, words)| {
            successor.target = store.guess(words)?;
            Some(())
        });
        let n_guessed = n_guessed.count();
        let guesses = self.successors.iter_mut().zip(words()).take(n_guessed);
        let n_stored = guesses.map_while(|(successor, words)| {
            successor.target = store.confirm(successor.target, words)?;
            Some(())
        });
        let n_stored = n_stored.count();
        let stored = self.successors.iter().take(n_stored);
        self.nodes.extend(stored.map_while(|successor| nodes.find(successor.target, of)));
        self.is_complete = last == Ok(None) && self.nodes.len() == self.successors.len();
    }
}
