//! Stores of states: equal states have equal dense ids.
//!
//! A state is a fixed number of 64-bit words. [`exact`] keeps them as they are,
//! one after the other; [`tree`] keeps trees of pairs, so that parts that many
//! states have in common are stored once. Both find states through a table of
//! 32-bit ids. The room does not know what the words mean.

pub mod exact;
#[cfg(test)]
mod tests;
pub mod tree;

use crate::id::{Id, IdVec, define_id};
use crate::word::hash;
use exact::Exact;
use hashbrown::HashTable;
use tree::Tree;

define_id! {
    /// A state, as numbered by a [`Store`].
    pub struct StateId;
}

/// How states are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StoreKind {
    /// As they are, one after the other.
    #[default]
    Exact,
    /// As trees of pairs: parts that states have in common are stored once.
    Tree,
    /// As they are, each with a row of bits: what it has been visited with.
    Hybrid,
    /// Not at all: a state sets some bits, and others may have set them before.
    Bitstate,
}

/// States, each known by its id.
#[derive(Debug)]
pub enum Store {
    /// As they are.
    Exact(Exact),
    /// As trees of pairs.
    Tree(Tree),
}

impl Store {
    /// An empty store of states of `n_words` words. Whether the rows of a
    /// hybrid store and the bits of a lossy one are any use depends on who
    /// searches; the states that are to be kept are kept as they are.
    #[must_use]
    pub fn new(kind: StoreKind, n_words: usize) -> Self {
        match kind {
            StoreKind::Tree => Self::Tree(Tree::new(n_words)),
            StoreKind::Exact | StoreKind::Hybrid | StoreKind::Bitstate => {
                Self::Exact(Exact::new(n_words))
            }
        }
    }

    /// The id of a state, which is numbered now if it is new.
    #[inline]
    pub fn intern(&mut self, state: &[u64]) -> StateId {
        match self {
            Self::Exact(store) => store.intern(state),
            Self::Tree(store) => store.intern(state),
        }
    }

    /// The id of a state, if it has been numbered.
    #[must_use]
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        match self {
            Self::Exact(store) => store.find(state),
            Self::Tree(store) => store.find(state),
        }
    }

    /// Writes the state `id` to `state`.
    #[inline]
    pub fn load(&self, id: StateId, state: &mut [u64]) {
        match self {
            Self::Exact(store) => state.copy_from_slice(store.state(id)),
            Self::Tree(store) => store.load(id, state),
        }
    }

    /// The number of states.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Exact(store) => store.len(),
            Self::Tree(store) => store.len(),
        }
    }

    /// Whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        match self {
            Self::Exact(store) => store.n_bytes(),
            Self::Tree(store) => store.n_bytes(),
        }
    }

    /// Bytes that the next new state may take at once, because a table has to
    /// grow; usually zero.
    #[inline]
    #[must_use]
    pub fn growth(&self) -> usize {
        match self {
            Self::Exact(store) => store.growth(),
            Self::Tree(store) => store.growth(),
        }
    }
}

/// Bytes that a hash table of 32-bit ids takes at once when it is full and
/// something is inserted; zero while there is room for `margin` more.
#[inline]
pub(crate) fn table_growth(len: usize, capacity: usize, margin: usize) -> usize {
    // Twice as many buckets of four bytes, and a byte of control for each. Small
    // tables grow often, and are not worth asking about.
    let grown = (capacity + 1).next_power_of_two() * 2 * 5;
    if len + margin < capacity || grown < 1 << 20 { 0 } else { grown }
}

/// Pairs of 32-bit numbers, each known by an id.
#[derive(Debug)]
pub(crate) struct Pairs<I> {
    pairs: IdVec<I, u64>,
    by_value: HashTable<I>,
}

impl<I: Id> Pairs<I> {
    pub(crate) fn new() -> Self {
        Self { pairs: IdVec::new(), by_value: HashTable::new() }
    }

    pub(crate) fn find(&self, pair: u64) -> Option<I> {
        self.by_value.find(hash(&pair), |&id| self.pairs[id] == pair).copied()
    }

    pub(crate) fn intern(&mut self, pair: u64) -> I {
        let hash = hash(&pair);
        let pairs = &mut self.pairs;
        if let Some(&id) = self.by_value.find(hash, |&id| pairs[id] == pair) {
            return id;
        }
        let id = pairs.push(pair);
        self.by_value.insert_unique(hash, id, |&id| self::hash(&pairs[id]));
        id
    }

    /// The pair of an id.
    #[inline]
    pub(crate) fn pair(&self, id: I) -> u64 {
        self.pairs[id]
    }

    pub(crate) fn n_bytes(&self) -> usize {
        self.pairs.n_bytes() + self.by_value.capacity() * (size_of::<I>() + 1)
    }

    pub(crate) fn growth(&self, margin: usize) -> usize {
        table_growth(self.by_value.len(), self.by_value.capacity(), margin)
    }
}
