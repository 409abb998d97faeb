//! States as trees of pairs: parts that states have in common are stored once.
//!
//! The 32-bit halves of the words of a state are the leaves of a binary tree.
//! An inner node is the pair of its children, interned to a 32-bit number; the
//! root is interned in a table of its own, so its number is the id of the
//! state. A state thus costs one pair for its root and whatever pairs are new,
//! usually hardly any. The idea is the recursive compression of [LPW11].
//!
//! Consecutive states are alike, so we keep the tree of the last one and look
//! up only the nodes below which something differs.
//!
//! [LPW11]: crate::references::lpw11

use super::{Pairs, StateId};
use crate::id::{Id, define_id};

define_id! {
    /// A pair somewhere inside a tree.
    struct PairId;
}

/// A forest with shared subtrees.
#[derive(Debug)]
pub struct Tree {
    n_words: usize,
    roots: Pairs<StateId>,
    inner: Pairs<PairId>,
    /// The tree of the last state: the children of node *i* are nodes 2*i* and
    /// 2*i* + 1, node 1 is the root, and the leaves come last. Empty before
    /// the first state.
    last: Vec<u32>,
    last_id: StateId,
    /// The nodes above leaves that differ, as a heap of bits.
    changed: Vec<bool>,
}

impl Tree {
    /// An empty forest for states of `n_words` words.
    #[must_use]
    pub fn new(n_words: usize) -> Self {
        Self {
            n_words,
            roots: Pairs::new(),
            inner: Pairs::new(),
            last: Vec::new(),
            last_id: StateId::new(0),
            changed: vec![false; 4 * n_words],
        }
    }

    fn n_leaves(&self) -> usize {
        2 * self.n_words
    }

    /// The id of a state, which is numbered now if it is new.
    pub fn intern(&mut self, state: &[u64]) -> StateId {
        let n_leaves = self.n_leaves();
        let is_first = self.last.is_empty();
        if is_first {
            self.last = vec![0; 2 * n_leaves];
        }
        let mut any = is_first;
        for (index, &word) in state.iter().enumerate() {
            for (half, leaf) in [low(word), high(word)].into_iter().enumerate() {
                let node = n_leaves + 2 * index + half;
                if is_first || self.last[node] != leaf {
                    self.last[node] = leaf;
                    self.changed[node / 2] = true;
                    any = true;
                }
            }
        }
        if !any {
            return self.last_id;
        }
        for node in (2..n_leaves).rev() {
            if std::mem::take(&mut self.changed[node]) {
                let id = self.inner.intern(pair(self.last[2 * node], self.last[2 * node + 1]));
                self.last[node] = number(id);
                self.changed[node / 2] = true;
            }
        }
        self.changed[1] = false;
        self.last_id = self.roots.intern(pair(self.last[2], self.last[3]));
        self.last_id
    }

    /// The id of a state, if it has been numbered.
    #[must_use]
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        let n_leaves = self.n_leaves();
        let mut nodes = vec![0; 2 * n_leaves];
        for (index, &word) in state.iter().enumerate() {
            (nodes[n_leaves + 2 * index], nodes[n_leaves + 2 * index + 1]) =
                (low(word), high(word));
        }
        for node in (2..n_leaves).rev() {
            nodes[node] = number(self.inner.find(pair(nodes[2 * node], nodes[2 * node + 1]))?);
        }
        self.roots.find(pair(nodes[2], nodes[3]))
    }

    /// Writes the state `id` to `state`.
    pub fn load(&self, id: StateId, state: &mut [u64]) {
        // A tree of at most 64 nodes, that is 16 words, fits into this.
        let mut small = [0_u32; 64];
        let mut large;
        let n_leaves = self.n_leaves();
        let nodes: &mut [u32] = if 2 * n_leaves <= small.len() {
            &mut small
        } else {
            large = vec![0; 2 * n_leaves];
            &mut large
        };
        let root = self.roots.pairs[id];
        (nodes[2], nodes[3]) = (low(root), high(root));
        for node in 2..n_leaves {
            let pair = self.inner.pairs[PairId::new(nodes[node] as usize)];
            (nodes[2 * node], nodes[2 * node + 1]) = (low(pair), high(pair));
        }
        for (index, word) in state.iter_mut().enumerate() {
            *word = pair(nodes[n_leaves + 2 * index], nodes[n_leaves + 2 * index + 1]);
        }
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.roots.pairs.len()
    }

    /// Whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.roots.n_bytes() + self.inner.n_bytes()
    }

    /// Bytes that the next new state may take at once.
    #[must_use]
    pub fn growth(&self) -> usize {
        self.roots.growth(1) + self.inner.growth(self.n_leaves())
    }
}

fn pair(low: u32, high: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

fn low(pair: u64) -> u32 {
    u32::try_from(pair & 0xffff_ffff).expect("32 bits are left")
}

fn high(pair: u64) -> u32 {
    u32::try_from(pair >> 32).expect("32 bits are left")
}

fn number(id: PairId) -> u32 {
    u32::try_from(id.index()).expect("ids have 32 bits")
}
