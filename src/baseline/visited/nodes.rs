//! Classical storage: every node has a number and flags of its own.

use super::{Phase, Visited};
use crate::baseline::nba::StateId;
use crate::id::{Id, IdVec};
use crate::product::store_within;
use crate::search::NodeId;
use crate::search::limits::{Budget, Exhausted};
use crate::store::{self, Pairs, StateStore};

/// Bits of a node beside those of the two phases.
const ON_PATH: u8 = 4;

/// Nodes, each known by its number.
#[derive(Debug)]
pub struct Nodes<'a, T> {
    store: &'a mut T,
    pairs: Pairs<NodeId>,
    flags: IdVec<NodeId, u8>,
}

impl<'a, T: StateStore> Nodes<'a, T> {
    /// No nodes yet. States are kept in `store`, which may hold some already.
    pub fn new(store: &'a mut T) -> Self {
        Self { store, pairs: Pairs::new(), flags: IdVec::new() }
    }

    /// The states.
    #[must_use]
    pub fn store(&self) -> &T {
        self.store
    }

    /// The number of a node, which is numbered now if it is new.
    ///
    /// # Errors
    ///
    /// If it cannot be stored within the limits.
    #[inline]
    pub fn number(
        &mut self,
        place: store::StateId,
        of: StateId,
        budget: &Budget<'_>,
    ) -> Result<NodeId, Exhausted> {
        budget.reserve(self.pairs.growth(1))?;
        Ok(self.pairs.intern(pair(place, of)))
    }

    fn find(&self, place: store::StateId, of: StateId) -> Option<NodeId> {
        self.pairs.find(pair(place, of))
    }
}

fn pair(place: store::StateId, of: StateId) -> u64 {
    (place.index() as u64) << 32 | of.index() as u64
}

impl<T: StateStore> Visited for Nodes<'_, T> {
    type Place = store::StateId;

    #[inline]
    fn place(&mut self, state: &[u64], budget: &Budget<'_>) -> Result<Self::Place, Exhausted> {
        store_within(self.store, state, budget)
    }

    #[inline]
    fn visit(
        &mut self,
        place: Self::Place,
        of: StateId,
        phase: Phase,
        budget: &Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let node = self.number(place, of, budget)?;
        self.flags.grow_to(node, 0);
        let flag = 1 << phase.bit();
        let is_first = self.flags[node] & flag == 0;
        self.flags[node] |= flag;
        Ok(is_first)
    }

    fn set_on_path(&mut self, place: Self::Place, of: StateId, is_on_path: bool) {
        if let Some(node) = self.find(place, of) {
            let flags = &mut self.flags[node];
            *flags = if is_on_path { *flags | ON_PATH } else { *flags & !ON_PATH };
        }
    }

    fn is_on_path(&self, place: Self::Place, of: StateId) -> bool {
        self.find(place, of).is_some_and(|node| self.flags[node] & ON_PATH != 0)
    }

    fn n_states(&self) -> usize {
        self.store.len()
    }
}
