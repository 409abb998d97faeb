//! States of any type, each with a number: what systems written in Rust are kept in.
//!
//! The store can be shared by workers. A state has the same number for all of them, and is never
//! moved, so it can be looked at while others are added.

use super::{MAX_STATES, StateId, StateStore, StoreError, table_growth};
use crate::id::{Id, IdVec};
use crate::word::hash;
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Values, each with a number.
#[derive(Debug)]
pub struct Values<T> {
    values: boxcar::Vec<T>,
    by_value: Mutex<HashTable<u32>>,
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { values: boxcar::Vec::new(), by_value: Mutex::new(HashTable::new()) }
    }
}

impl<T: Eq + Hash> Values<T> {
    /// The number of a value, which is numbered now if it is new.
    ///
    /// # Panics
    ///
    /// If there are as many values as there are numbers.
    pub fn intern(&self, value: T) -> u32 {
        let hash_of = hash(&value);
        let mut table = self.table();
        if let Some(&number) = table.find(hash_of, |&number| self.at(number) == &value) {
            return number;
        }
        let number = u32::try_from(self.values.push(value)).ok();
        let number = number.filter(|&number| (number as usize) < MAX_STATES);
        let number = number.expect("fewer than 2^32 - 1 states");
        table.insert_unique(hash_of, number, |&number| hash(self.at(number)));
        number
    }

    fn at(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// The value of a number.
    ///
    /// # Panics
    ///
    /// If no value has it.
    #[must_use]
    pub fn value(&self, number: u64) -> &T {
        &self.values[usize::try_from(number).expect("numbers have 32 bits")]
    }
}

impl<T> Values<T> {
    fn table(&self) -> MutexGuard<'_, HashTable<u32>> {
        self.by_value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much memory values need, whatever they are.
pub(crate) trait Footprint: Send + Sync + std::fmt::Debug {
    /// Bytes for each value, without what it points to.
    fn n_bytes_each(&self) -> usize;
    /// The number of values and of those for which there is room without growing.
    fn size(&self) -> (usize, usize);
}

impl<T: Send + Sync + std::fmt::Debug> Footprint for Values<T> {
    fn n_bytes_each(&self) -> usize {
        // A flag says whether a value has been written.
        size_of::<(T, bool)>()
    }

    fn size(&self) -> (usize, usize) {
        (self.values.count(), self.table().capacity())
    }
}

/// The store of a search whose states are numbers of [`Values`] already.
///
/// The first search over some values meets them in the order of their numbers, so the number of a
/// state is its id. A later one numbers what it meets anew.
#[derive(Debug)]
pub struct Numbers {
    values: Arc<dyn Footprint>,
    /// How many states the search has met. Values are numbered when they are found, which may be
    /// a few steps before the search asks for them.
    n_met: usize,
    anew: Option<Anew>,
}

/// Ids of states that differ from their numbers.
#[derive(Debug, Default)]
struct Anew {
    ids: HashMap<u64, StateId, FxBuildHasher>,
    numbers: IdVec<StateId, u64>,
}

impl Numbers {
    /// A store for a search that begins in `n_initial` states.
    pub(crate) fn new(values: Arc<dyn Footprint>, n_initial: usize) -> Self {
        let is_first = values.size().0 <= n_initial;
        Self { values, n_met: 0, anew: (!is_first).then(Anew::default) }
    }
}

fn id(state: &[u64]) -> StateId {
    StateId::new(usize::try_from(state[0]).expect("numbers have 32 bits"))
}

impl StateStore for Numbers {
    #[inline]
    fn intern(&mut self, state: &[u64]) -> Result<StateId, StoreError> {
        if let Some(Anew { ids, numbers }) = &mut self.anew {
            let id = *ids.entry(state[0]).or_insert_with(|| numbers.push(state[0]));
            self.n_met = numbers.len();
            return Ok(id);
        }
        let id = id(state);
        self.n_met = self.n_met.max(id.index() + 1);
        Ok(id)
    }

    fn find(&self, state: &[u64]) -> Option<StateId> {
        match &self.anew {
            Some(anew) => anew.ids.get(&state[0]).copied(),
            None => Some(id(state)).filter(|id| id.index() < self.n_met),
        }
    }

    #[inline]
    fn load(&self, id: StateId, state: &mut [u64]) {
        state[0] = match &self.anew {
            Some(anew) => anew.numbers[id],
            None => id.index() as u64,
        };
    }

    fn len(&self) -> usize {
        self.n_met
    }

    fn n_bytes(&self) -> usize {
        let (n_values, capacity) = self.values.size();
        n_values * self.values.n_bytes_each() + capacity * 5
    }

    fn growth(&self) -> usize {
        // Tables of less than a mebibyte are not worth asking about, and to ask takes a lock.
        if self.n_met < 1 << 17 || !self.n_met.is_multiple_of(64) {
            return 0;
        }
        let (n_values, capacity) = self.values.size();
        table_growth(n_values, capacity, 64)
    }
}
