//! Hybrid storage: nodes with the same state of the model are one packet.
//!
//! After [GH93], section 4.2. The head of a packet is the state of the model,
//! its tail a row of bits: for every state of the automaton whether the first
//! and whether the second search has been there. So there are never more
//! packets than states of the model. What is on the path of a nested search is
//! not part of the tail; magic search does not ask for it.
//!
//! [GH93]: crate::references::gh93

use super::{Phase, Visited};
use crate::baseline::nba::StateId;
use crate::id::Id;
use crate::product::store_within;
use crate::search::limits::{Budget, Exhausted};
use crate::store::{self, StateStore};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// States of the model with what they have been visited with.
#[derive(Debug)]
pub struct Packets<'a, T> {
    heads: &'a mut T,
    /// States of the automaton.
    n_tails: usize,
    n_words: usize,
    /// The tails, one behind the other, in the order of the heads.
    tails: Vec<u64>,
    /// Nodes on the path of the first search.
    path: HashSet<(store::StateId, StateId), FxBuildHasher>,
    /// How many visits were the first of their kind.
    n_classical: usize,
}

/// What packets cost, and what classical storage would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// How many packets.
    pub packets: usize,
    /// Bytes of all packets: heads, and tails rounded to bytes.
    pub packet_bytes: usize,
    /// How many nodes, counted once for each search.
    pub states: usize,
    /// Bytes that they would take: words of the state, and the number of the
    /// state of the automaton with the magic bit, rounded to bytes.
    pub state_bytes: usize,
}

impl<'a, T: StateStore> Packets<'a, T> {
    /// No packets yet; heads are kept in `heads`, which may hold some already.
    /// `n_tails` is the number of states of the automaton.
    pub fn new(heads: &'a mut T, n_tails: usize) -> Self {
        let n_words = (2 * n_tails).div_ceil(64).max(1);
        let (tails, path) = (Vec::new(), HashSet::default());
        Self { heads, n_tails, n_words, tails, path, n_classical: 0 }
    }

    /// What they cost, if a head has `n_head_bytes`.
    ///
    /// ```
    /// use lwaa::baseline::visited::packets::Packets;
    /// use lwaa::store::{Store, StoreKind};
    /// let mut heads = Store::new(StoreKind::Hybrid, 1);
    /// let packets = Packets::new(&mut heads, 2);
    /// assert_eq!(packets.size(20).packets, 0);
    /// ```
    #[must_use]
    pub fn size(&self, n_head_bytes: usize) -> Size {
        let tails = self.tails.chunks(self.n_words);
        let packets = tails.filter(|tail| tail.iter().any(|&word| word != 0)).count();
        let n_bits = usize::BITS - self.n_tails.saturating_sub(1).leading_zeros() + 1;
        let n_state_bytes = n_head_bytes + (n_bits as usize).div_ceil(8);
        Size {
            packets,
            packet_bytes: packets * (n_head_bytes + (2 * self.n_tails).div_ceil(8)),
            states: self.n_classical,
            state_bytes: self.n_classical * n_state_bytes,
        }
    }

    /// Bytes in use, with heads and the room that they have for more.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.heads.n_bytes() + self.tails.capacity() * 8
    }
}

impl<T: StateStore> Visited for Packets<'_, T> {
    type Place = store::StateId;

    #[inline]
    fn place(&mut self, state: &[u64], budget: &Budget<'_>) -> Result<Self::Place, Exhausted> {
        store_within(self.heads, state, budget)
    }

    #[inline]
    fn visit(
        &mut self,
        place: Self::Place,
        of: StateId,
        phase: Phase,
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let end = (place.index() + 1) * self.n_words;
        if self.tails.len() < end {
            if self.tails.capacity() < end {
                budget.reserve(self.tails.capacity() * 16)?;
            }
            self.tails.resize(end, 0);
        }
        let bit = 2 * of.index() + phase.bit();
        let word = &mut self.tails[place.index() * self.n_words + bit / 64];
        let is_first = *word >> (bit % 64) & 1 == 0;
        *word |= 1 << (bit % 64);
        self.n_classical += usize::from(is_first);
        Ok(is_first)
    }

    fn set_on_path(&mut self, place: Self::Place, of: StateId, is_on_path: bool) {
        if is_on_path {
            self.path.insert((place, of));
        } else {
            self.path.remove(&(place, of));
        }
    }

    fn is_on_path(&self, place: Self::Place, of: StateId) -> bool {
        self.path.contains(&(place, of))
    }

    fn n_states(&self) -> usize {
        self.heads.len()
    }
}
