//! States as they are: one flat array of words, and a table of ids beside it.

use super::{StateId, table_growth};
use crate::id::Id;
use crate::word::hash;
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
        let hash = hash(state);
        let (words, n_words) = (&mut self.words, self.n_words);
        let place = |id: StateId| id.index() * n_words..(id.index() + 1) * n_words;
        if let Some(&id) = self.by_value.find(hash, |&id| words[place(id)] == *state) {
            return id;
        }
        let id = StateId::new(self.by_value.len());
        words.extend_from_slice(state);
        self.by_value.insert_unique(hash, id, |&id| self::hash(&words[place(id)]));
        id
    }

    /// The id of a state, if it has been numbered.
    #[must_use]
    pub fn find(&self, state: &[u64]) -> Option<StateId> {
        self.by_value.find(hash(state), |&id| self.state(id) == state).copied()
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
