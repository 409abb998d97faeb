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
pub mod values;

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
#[non_exhaustive]
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

impl StoreKind {
    /// What users call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Tree => "tree",
            Self::Hybrid => "hybrid",
            Self::Bitstate => "bitstate",
        }
    }
}

/// Why a store does not take a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// There are no more ids.
    #[error("the store has no room for more than {limit} states")]
    Full {
        /// The number of ids.
        limit: usize,
    },
    /// A file or a connection does not take it.
    #[error("the store fails: {0}")]
    Io(std::io::ErrorKind),
}

/// The number of ids. The last 32-bit number is left out, since tables use it for *none*.
pub const MAX_STATES: usize = u32::MAX as usize;

/// States, each known by its id: what a search needs of a store.
///
/// Searches know stores as this trait only. To keep a state may fail, since memory, a disk or
/// another machine can refuse.
pub trait StateStore: std::fmt::Debug {
    /// The id of a state, which is numbered now if it is new.
    ///
    /// # Errors
    ///
    /// If the state is new and cannot be kept.
    fn intern(&mut self, state: &[u64]) -> Result<StateId, StoreError>;

    /// The id of a state, if it has been numbered.
    fn find(&self, state: &[u64]) -> Option<StateId>;

    /// Writes the state `id` to `state`.
    fn load(&self, id: StateId, state: &mut [u64]);

    /// The number of states.
    fn len(&self) -> usize;

    /// Whether there is no state.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    fn n_bytes(&self) -> usize;

    /// Bytes that the next new state may take at once, because a table has to
    /// grow; usually zero.
    fn growth(&self) -> usize;

    /// Whether it pays to look up several states side by side, by [`guess`](Self::guess) and
    /// [`confirm`](Self::confirm).
    fn guesses(&self) -> bool {
        false
    }

    /// What the id of a state may be, without a look at any state; nothing if
    /// the state has not been numbered. Looking up many states takes less time
    /// if all are guessed before the first is confirmed.
    fn guess(&self, state: &[u64]) -> Option<StateId> {
        self.find(state)
    }

    /// The id of a state for which `guess` has been guessed.
    fn confirm(&self, guess: StateId, state: &[u64]) -> Option<StateId> {
        let _ = guess;
        self.find(state)
    }
}

/// The stores of packed states that keep them in memory.
#[derive(Debug)]
pub enum Store {
    /// As they are.
    Exact(Exact),
    /// As trees of pairs.
    Tree(Tree),
}

impl Store {
    /// An empty store of states of `n_words` words. Whether the rows of a
    /// hybrid store and the bits of a lossy one are of any use depends on the
    /// search; the states that are to be kept are kept as they are.
    #[must_use]
    pub fn new(kind: StoreKind, n_words: usize) -> Self {
        match kind {
            StoreKind::Tree => Self::Tree(Tree::new(n_words)),
            StoreKind::Exact | StoreKind::Hybrid | StoreKind::Bitstate => {
                Self::Exact(Exact::new(n_words))
            }
        }
    }
}

/// Does the same with whichever store it is.
macro_rules! either {
    ($self:expr, $store:ident => $answer:expr) => {
        match $self {
            Store::Exact($store) => $answer,
            Store::Tree($store) => $answer,
        }
    };
}

impl StateStore for Store {
    #[inline]
    fn intern(&mut self, state: &[u64]) -> Result<StateId, StoreError> {
        if MAX_STATES <= self.len() {
            return self.find(state).ok_or(StoreError::Full { limit: MAX_STATES });
        }
        Ok(either!(self, store => store.intern(state)))
    }

    fn find(&self, state: &[u64]) -> Option<StateId> {
        either!(self, store => store.find(state))
    }

    #[inline]
    fn load(&self, id: StateId, state: &mut [u64]) {
        match self {
            Self::Exact(store) => state.copy_from_slice(store.state(id)),
            Self::Tree(store) => store.load(id, state),
        }
    }

    #[inline]
    fn len(&self) -> usize {
        either!(self, store => store.len())
    }

    fn n_bytes(&self) -> usize {
        either!(self, store => store.n_bytes())
    }

    #[inline]
    fn growth(&self) -> usize {
        either!(self, store => store.growth())
    }

    // Consecutive states have most of their trees in common, and there a look-up by itself
    // costs more than it saves.
    #[inline]
    fn guesses(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    #[inline]
    fn guess(&self, state: &[u64]) -> Option<StateId> {
        match self {
            Self::Exact(store) => store.guess(state),
            Self::Tree(store) => store.find(state),
        }
    }

    #[inline]
    fn confirm(&self, guess: StateId, state: &[u64]) -> Option<StateId> {
        match self {
            Self::Exact(store) => store.confirm(guess, state),
            Self::Tree(_) => Some(guess),
        }
    }
}

/// The hash of a state. Most have few words: the hash for any number of them takes longer than
/// the look into the table.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "both halves of the product are used")]
fn hash_of(state: &[u64]) -> u64 {
    // Digits of pi.
    const KEYS: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7345];
    let (first, second) = match *state {
        [only] => (only, 0),
        [first, second] => (first, second),
        _ => return hash(state),
    };
    let product = u128::from(first ^ KEYS[0]) * u128::from(second ^ KEYS[1]);
    (product >> 64) as u64 ^ product as u64
}

/// Whether two states are equal. Most have few
/// words: a call for one word takes longer than the comparison.
#[inline]
pub(crate) fn are_equal(left: &[u64], right: &[u64]) -> bool {
    match (left, right) {
        ([left], [right]) => left == right,
        ([left, more], [right, others]) => left == right && more == others,
        _ => left == right,
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

    pub(crate) fn n_bytes(&self) -> usize {
        self.pairs.n_bytes() + self.by_value.capacity() * (size_of::<I>() + 1)
    }

    pub(crate) fn growth(&self, margin: usize) -> usize {
        table_growth(self.by_value.len(), self.by_value.capacity(), margin)
    }
}
