//! States of any type, each with a number: what systems written in Rust are kept in.
//!
//! The store can be shared by workers. A state has the same number for all of them, and is never
//! moved, so it can be looked at while others are added. The table keeps a part of each hash, so
//! it looks at a state only where it is almost certainly the one that is looked for, and not at
//! all when it grows.

use super::{MAX_STATES, StateId, StateStore, StoreError, table_growth};
use crate::id::{Id, IdVec};
use crate::word::hash;
use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;
use std::hash::Hash;
use std::hint::black_box;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Values, each with a number.
#[derive(Debug)]
pub struct Values<T> {
    values: boxcar::Vec<T>,
    by_value: Mutex<HashTable<Entry>>,
}

/// A value in the table.
#[derive(Clone, Copy, Debug)]
struct Entry {
    tag: u32,
    number: u32,
}

/// The number that no value has.
const NONE: u32 = u32::MAX;

/// The upper and the lower half of a word.
#[expect(clippy::cast_possible_truncation, reason = "a half has 32 bits")]
fn halves(word: u64) -> (u32, u32) {
    ((word >> 32) as u32, word as u32)
}

/// The part of a hash that is kept.
fn tag(hash: u64) -> u32 {
    let (upper, lower) = halves(hash);
    upper ^ lower
}

impl Entry {
    /// The hash by which the table places it. Tables look at the lowest and the highest bits.
    fn place(tag: u32) -> u64 {
        u64::from(tag) << 32 | u64::from(tag)
    }
}

impl<T> Default for Values<T> {
    fn default() -> Self {
        Self { values: boxcar::Vec::new(), by_value: Mutex::new(HashTable::new()) }
    }
}

impl<T: Eq + Hash> Values<T> {
    /// Adds the numbers of values, which are numbered now if they are new, and takes the values.
    ///
    /// # Panics
    ///
    /// If there are as many values as there are numbers, or if one of `values` is `None`.
    pub fn intern_all(&self, values: &mut Vec<Option<T>>, numbers: &mut Vec<u64>) {
        let start = numbers.len();
        // All hashes are computed before the table is locked, and first stand where numbers will.
        // Then the processor loads what will be compared, for all values side by side.
        numbers.extend(values.iter().map(|value| hash(value.as_ref().expect("a value"))));
        let mut table = self.table();
        for number in &mut numbers[start..] {
            let tag = tag(*number);
            let guess = table.find(Entry::place(tag), |entry| entry.tag == tag);
            let guess = guess.map_or(NONE, |entry| entry.number);
            black_box(self.values.get(guess as usize).is_some());
            *number = u64::from(tag) << 32 | u64::from(guess);
        }
        // Only new values are moved.
        for (value, number) in values.iter_mut().zip(&mut numbers[start..]) {
            let (tag, guess) = halves(*number);
            let is_it = guess != NONE && value.as_ref() == Some(self.at(guess));
            *number = u64::from(if is_it { guess } else { self.intern(value, tag, &mut table) });
        }
        values.clear();
    }

    fn intern(&self, value: &mut Option<T>, tag: u32, table: &mut HashTable<Entry>) -> u32 {
        let is_it =
            |entry: &Entry| entry.tag == tag && value.as_ref() == Some(self.at(entry.number));
        if let Some(entry) = table.find(Entry::place(tag), is_it) {
            return entry.number;
        }
        let number = u32::try_from(self.values.push(value.take().expect("a value"))).ok();
        let number = number.filter(|&number| (number as usize) < MAX_STATES);
        let number = number.expect("fewer than 2^32 - 1 states");
        let place = |entry: &Entry| Entry::place(entry.tag);
        table.insert_unique(Entry::place(tag), Entry { tag, number }, place);
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
    fn table(&self) -> MutexGuard<'_, HashTable<Entry>> {
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
        n_values * self.values.n_bytes_each() + capacity * (size_of::<Entry>() + 1)
    }

    fn growth(&self) -> usize {
        // Tables of less than a mebibyte are not worth asking about, and to ask takes a lock.
        if self.n_met < 1 << 17 || !self.n_met.is_multiple_of(64) {
            return 0;
        }
        let (n_values, capacity) = self.values.size();
        // The table has twice the bytes of one of ids alone.
        2 * table_growth(n_values, capacity, 64)
    }
}
