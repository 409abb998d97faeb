//! What became of the places and transitions of a net that was made smaller, and runs of it.

use crate::id::IdVec;
use crate::lang::pnml::net::{Net, PlaceId};
use crate::lang::program::TransitionId;
use crate::lang::smaller::Lifting;
use std::sync::Arc;

/// A run is given up that gets longer than this.
const MAX_STEPS: usize = 1 << 20;

/// What became of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lang::pnml) enum Kept {
    /// It is this place of the smaller net.
    Place(PlaceId),
    /// It always has so many tokens.
    Constant(i64),
    /// No formula asks for it.
    Nothing,
}

impl Kept {
    /// The place of the smaller net that it is, if it is one.
    pub(in crate::lang::pnml) fn place(self) -> Option<PlaceId> {
        match self {
            Self::Place(place) => Some(place),
            Self::Constant(_) | Self::Nothing => None,
        }
    }
}

/// What the places and transitions of a smaller net stand for.
#[derive(Debug)]
pub(in crate::lang::pnml) struct Origin {
    /// The net as read.
    pub(in crate::lang::pnml) net: Arc<Net>,
    /// What became of its places.
    pub(in crate::lang::pnml) places: IdVec<PlaceId, Kept>,
    /// By transition that is asked about: one of the smaller net that is enabled where it is;
    /// nothing if it never is.
    pub(in crate::lang::pnml) transitions: IdVec<TransitionId, Option<TransitionId>>,
    /// By transition of the smaller net: what fires.
    pub(super) fires: IdVec<TransitionId, Vec<TransitionId>>,
    /// What may still fire where the smaller net has come to an end.
    pub(super) delayed: Vec<Vec<TransitionId>>,
}

/// A marking of the net as read.
struct Marking<'a> {
    net: &'a Net,
    tokens: IdVec<PlaceId, i64>,
}

impl Marking<'_> {
    /// Fires a transition, if it is enabled.
    fn fire(&mut self, id: TransitionId) -> bool {
        let transition = &self.net.transitions[id];
        let is_enabled =
            transition.inputs.iter().all(|&(place, weight)| weight <= self.tokens[place]);
        if is_enabled {
            for (place, change) in transition.changes() {
                self.tokens[place] += change;
            }
        }
        is_enabled
    }

    /// Fires all of these or none.
    fn fire_all(&mut self, ids: &[TransitionId]) -> bool {
        let before = self.tokens.clone();
        let is_done = ids.iter().all(|&id| self.fire(id));
        if !is_done {
            self.tokens = before;
        }
        is_done
    }
}

impl Lifting for Origin {
    fn lifted(&self, steps: &[Option<TransitionId>]) -> Option<Vec<(usize, Option<TransitionId>)>> {
        let tokens = self.net.places.iter().map(|place| place.initial).collect();
        let mut marking = Marking { net: &self.net, tokens };
        let mut lifted = Vec::with_capacity(steps.len());
        for (number, step) in steps.iter().enumerate() {
            if let Some(step) = step {
                for &fired in &self.fires[*step] {
                    if !marking.fire(fired) {
                        return None;
                    }
                    lifted.push((number, Some(fired)));
                }
                continue;
            }
            while lifted.len() < MAX_STEPS {
                let Some(fired) = self.delayed.iter().find(|fired| marking.fire_all(fired)) else {
                    break;
                };
                lifted.extend(fired.iter().map(|&fired| (number, Some(fired))));
            }
            lifted.push((number, None));
        }
        Some(lifted)
    }
}
