//! States as they are: one flat array of words, and a table of ids beside it.

use super::{StateId, are_equal, hash_of, table_growth};
use crate::id::Id;
use hashbrown::HashTable;

/// An arena of states.
#[derive(Debug)]
pub struct Exact {
    n_words: usize,
    words: Vec<u64>,
    by_value: HashTable<StateId>,
}

impl Exact {
    /// An empty arena of states of `n_words` words.
    #[must_use]
    pub fn new(n_words: usize) -> Self {
        Self { n_words, words: Vec::new(), by_value: HashTable::new() }
    }

    /// The id of a state, which is numbered now if it is new.
    #[inline]
    pub fn intern(&mut self, state: &[u64]) -> StateId {
        let hash = hash_of(state);
        let (words, n_words) = (&mut self.words, self.n_words);
        let place = |id: StateId| id.index() * n_words..(id.index() + 1) * n_words;
        if let Some(&id) = self.by_value.find(hash, |&id| are_equal(&words[place(id)], state)) {
            return id;
        }
        let id = StateId::new(self.by_value.len());
        words.extend_from_slice(state);
        self.by_value.insert_unique(hash, id, |&id| hash_of(&words[place(id)]));
        id
    }

    /// The id of a state, if it has been numbered.
    #[inline]
    #[must_use]
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        self.by_value.find(hash_of(state), |&id| are_equal(self.state(id), state)).copied()
    }

    /// What the id of a state may be, without a look at any state; nothing if
    /// the state has not been numbered. Looking up many states takes less time
    /// if all are guessed before the first is confirmed.
    #[inline]
    #[must_use]
    pub fn guess(&self, state: &[u64]) -> Option<StateId> {
        self.by_value.find(hash_of(state), |_| true).copied()
    }

    /// The id of a state for which `guess` has been guessed.
    #[inline]
    #[must_use]
    pub fn confirm(&self, guess: StateId, state: &[u64]) -> Option<StateId> {
        if are_equal(self.state(guess), state) { Some(guess) } else { self.find(state) }
    }

    /// The words of a state.
    #[inline]
    #[must_use]
    pub fn state(&self, id: StateId) -> &[u64] {
        &self.words[id.index() * self.n_words..][..self.n_words]
    }

    /// The number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_value.len()
    }

    /// Whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes in use.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.words.len() * 8 + self.by_value.capacity() * (size_of::<StateId>() + 1)
    }

    /// Bytes that the next new state may take at once.
    #[inline]
    #[must_use]
    pub fn growth(&self) -> usize {
        table_growth(self.by_value.len(), self.by_value.capacity(), 1)
    }
}
