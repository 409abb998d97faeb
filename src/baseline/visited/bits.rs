//! Bit-state hashing: a node is some bits in a large table, and nodes may share
//! them.
//!
//! After [Hol88]. Each node sets a few bits, which depend on nothing but the
//! node. If all of them are set already, the node counts as visited, rightly or
//! wrongly; so a search may miss nodes, and what it has not found may exist. The
//! second search sets bits of its own.
//!
//! [Hol88]: crate::references::hol88

use super::{Phase, Visited};
use crate::baseline::nba::StateId;
use crate::id::Id;
use crate::search::coverage::Coverage;
use crate::search::limits::{Budget, Exhausted, Limits};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Bits that a node sets.
const BITS_PER_NODE: u32 = 3;

/// The size of the table, in words, if memory is not limited: 64 MiB.
const DEFAULT_WORDS: usize = 1 << 23;

/// The smallest table, in words.
const LEAST_WORDS: usize = 1 << 10;

/// A state of the model: two numbers that depend on all of its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place([u64; 2]);

/// A table of bits.
#[derive(Debug)]
pub struct BitTable {
    words: Vec<u64>,
    n_set: u64,
    /// How many nodes have set a bit, and how many of them in the first search.
    n_nodes: [usize; 2],
    /// Nodes on the path of the first search.
    path: HashSet<(Place, StateId), FxBuildHasher>,
    max_states: Option<usize>,
}

impl BitTable {
    /// An empty table: the largest power of two that leaves half of the memory
    /// for other things, or 64 MiB if memory is not limited.
    ///
    /// # Errors
    ///
    /// If the system has no memory for it.
    pub fn new(limits: &Limits) -> Result<Self, Exhausted> {
        let n_words = limits.memory.map_or(DEFAULT_WORDS, |bytes| {
            let half = (bytes / 16).max(LEAST_WORDS);
            1 << (usize::BITS - 1 - half.leading_zeros())
        });
        Self::with_words(n_words, limits)
    }

    /// An empty table of so many words, a power of two.
    ///
    /// # Errors
    ///
    /// If the system has no memory for it.
    pub fn with_words(n_words: usize, limits: &Limits) -> Result<Self, Exhausted> {
        // We ask first, since `vec!` may not fail; but it takes pages of zeros
        // from the system, which cost nothing as long as nothing is written there.
        let limit = limits.memory.unwrap_or(usize::MAX);
        let asked = Vec::<u64>::new().try_reserve_exact(n_words);
        asked.map_err(|_| Exhausted::Memory { limit })?;
        let words = vec![0; n_words];
        let path = HashSet::default();
        Ok(Self { words, n_set: 0, n_nodes: [0; 2], path, max_states: limits.states })
    }

    /// How full the table is, and what that means.
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        Coverage {
            bits: self.words.len() as u64 * 64,
            bits_set: self.n_set,
            bits_per_node: BITS_PER_NODE,
            nodes: self.n_nodes.iter().sum::<usize>() as u64,
        }
    }

    /// Bytes in use.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Sets the bits of a node. Says whether one of them was not set.
    fn set(&mut self, Place([one, two]): Place, number: u64) -> bool {
        let mask = self.words.len() as u64 * 64 - 1;
        let mut position = mixed(one ^ mixed(number));
        // An odd step comes to all positions.
        let step = mixed(two.wrapping_add(number)) | 1;
        let mut is_new = false;
        for _ in 0..BITS_PER_NODE {
            let bit = position & mask;
            let word = &mut self.words[usize::try_from(bit / 64).expect("an index")];
            let is_set = *word >> (bit % 64) & 1 == 1;
            *word |= 1 << (bit % 64);
            self.n_set += u64::from(!is_set);
            is_new |= !is_set;
            position = position.wrapping_add(step);
        }
        is_new
    }
}

/// A number each of whose bits depends on all bits of `number`: the finalizer
/// of splitmix64.
fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

impl Visited for BitTable {
    type Place = Place;

    fn place(&mut self, state: &[u64], _: &Budget<'_>) -> Result<Place, Exhausted> {
        let seeds = [0x9e37_79b9_7f4a_7c15, 0xd1b5_4a32_d192_ed03];
        Ok(Place(seeds.map(|seed: u64| {
            state.iter().fold(seed, |sum, &word| mixed(sum.wrapping_add(seed) ^ word))
        })))
    }

    fn visit(
        &mut self,
        place: Place,
        of: StateId,
        phase: Phase,
        _: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let is_first = self.set(place, 2 * of.index() as u64 + phase.bit() as u64);
        self.n_nodes[phase.bit()] += usize::from(is_first);
        match self.max_states {
            Some(limit) if limit < self.n_nodes[0] => Err(Exhausted::States { limit }),
            _ => Ok(is_first),
        }
    }

    fn set_on_path(&mut self, place: Place, of: StateId, is_on_path: bool) {
        if is_on_path {
            self.path.insert((place, of));
        } else {
            self.path.remove(&(place, of));
        }
    }

    fn is_on_path(&self, place: Place, of: StateId) -> bool {
        self.path.contains(&(place, of))
    }

    fn n_states(&self) -> usize {
        self.n_nodes[0]
    }
}
