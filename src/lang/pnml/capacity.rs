//! How many tokens each place has room for.
//!
//! A place begins with as much room as it needs in some markings that are met by chance, and gets more
//! when a transition needs it. Each time all places
//! grow that the transition may have overflowed, by two bits; after some times, all places that
//! may still grow get as much, so that a net with many unbounded places is not opened too often.

use super::knowledge::markings;
use super::net::{Net, PlaceId};
use super::read::MOST;
use crate::id::IdVec;
use crate::lang::program::TransitionId;
use std::sync::Arc;

/// How often places grow one by one.
const PATIENCE: usize = 8;

/// Room for tokens.
#[derive(Clone, Debug)]
pub(super) struct Capacities {
    /// The most tokens that each place can hold.
    pub(super) of_places: IdVec<PlaceId, i64>,
    /// What they began with.
    first: Arc<IdVec<PlaceId, i64>>,
    /// Places about which something is claimed; it may be wrong.
    is_claimed: IdVec<PlaceId, bool>,
    n_growths: usize,
}

impl Capacities {
    /// What a net begins with.
    pub(super) fn new(net: &Net) -> Self {
        let mut of_places: IdVec<PlaceId, i64> =
            net.places.iter().map(|place| filled(place.initial.max(1))).collect();
        for marking in markings(net) {
            for (place, &tokens) in marking.entries().filter(|&(_, &tokens)| tokens <= MOST) {
                let capacity = &mut of_places[place];
                *capacity = filled(tokens.max(1)).max(*capacity);
            }
        }
        let mut is_claimed = IdVec::filled(false, net.places.len());
        for &place in &net.claimed_safe {
            is_claimed[place] = true;
        }
        let first = Arc::new(of_places.clone());
        Self { of_places, first, is_claimed, n_growths: 0 }
    }

    /// Makes more room for what a transition puts on places; nothing if there is no more.
    pub(super) fn grown(&self, net: &Net, transition: TransitionId) -> Option<Self> {
        let mut grown = self.clone();
        grown.n_growths += 1;
        let can_grow = |place: PlaceId| self.of_places[place] < MOST;
        let put: Vec<PlaceId> = net.transitions[transition]
            .changes()
            .filter(|&(place, change)| 0 < change && can_grow(place))
            .map(|(place, _)| place)
            .collect();
        let (claimed, others): (Vec<PlaceId>, Vec<PlaceId>) =
            put.iter().partition(|&&place| self.is_claimed[place]);
        let mut most = 0;
        for &place in if others.is_empty() { &claimed } else { &others } {
            let capacity = &mut grown.of_places[place];
            *capacity = capacity.saturating_mul(4).saturating_add(3).min(MOST);
            most = most.max(*capacity);
        }
        if PATIENCE <= grown.n_growths {
            for (place, capacity) in grown.of_places.entries_mut() {
                if !self.is_claimed[place] {
                    *capacity = most.max(*capacity);
                }
            }
        }
        (!put.is_empty()).then_some(grown)
    }

    /// The room of all places that have grown, in words that [`Self::of_purpose`] understands.
    pub(super) fn purpose(&self, net: &Net) -> Vec<String> {
        let places = self.of_places.entries().filter(|&(place, &room)| room != self.first[place]);
        places.map(|(place, room)| format!("{room} {}", net.places[place].name)).collect()
    }

    /// The room that these words say.
    pub(super) fn of_purpose(net: &Net, purpose: &[String]) -> Self {
        let mut capacities = Self::new(net);
        for words in purpose {
            let Some((room, name)) = words.split_once(' ') else { continue };
            let (Ok(room), Some(place)) = (room.parse::<i64>(), net.place(name)) else { continue };
            let capacity = &mut capacities.of_places[place];
            *capacity = filled(room.clamp(1, MOST)).max(*capacity);
        }
        capacities
    }
}

/// The greatest number of as many bits.
fn filled(number: i64) -> i64 {
    (1_i64 << (i64::BITS - number.leading_zeros())) - 1
}
