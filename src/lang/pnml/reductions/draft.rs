//! A net while it is made smaller.

use crate::id::{Id, IdVec};
use crate::lang::pnml::net::{Arcs, Net, PlaceId};
use crate::lang::program::TransitionId;
use std::collections::BTreeSet;

/// The number of a step.
pub(super) type StepId = usize;

/// A transition, or several in a row.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) inputs: Arcs,
    pub(super) outputs: Arcs,
    /// Transitions of the net as read, which fire one after the other.
    pub(super) fires: Vec<TransitionId>,
    /// Whether a formula asks whether it is enabled.
    pub(super) is_asked: bool,
}

/// A place.
#[derive(Clone, Debug)]
pub(super) struct DraftPlace {
    pub(super) initial: i64,
    /// Whether it is left.
    pub(super) is_kept: bool,
    /// Whether it always has its first tokens.
    pub(super) is_constant: bool,
    /// Whether a formula asks for its tokens.
    pub(super) is_shown: bool,
    /// The steps that put tokens on it, and those that take some.
    pub(super) givers: BTreeSet<StepId>,
    pub(super) takers: BTreeSet<StepId>,
}

/// A net while it is made smaller.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) places: IdVec<PlaceId, DraftPlace>,
    /// Steps keep their numbers; nothing is left of those that went.
    pub(super) steps: Vec<Option<Step>>,
    /// By transition that is asked about: a step that is enabled where it is; nothing if it never is.
    pub(super) stands_for: IdVec<TransitionId, Option<StepId>>,
    /// Transitions that may be waiting when a run ends.
    pub(super) delayed: Vec<Vec<TransitionId>>,
}

impl Draft {
    /// A net whose places and transitions are asked about like this.
    pub(super) fn new(
        net: &Net,
        is_shown: &IdVec<PlaceId, bool>,
        is_asked: &IdVec<TransitionId, bool>,
    ) -> Self {
        let place = |id: PlaceId| DraftPlace {
            initial: net.places[id].initial,
            is_kept: true,
            is_constant: false,
            is_shown: is_shown[id],
            givers: BTreeSet::new(),
            takers: BTreeSet::new(),
        };
        let mut draft = Self {
            places: net.places.ids().map(place).collect(),
            steps: Vec::with_capacity(net.transitions.len()),
            stands_for: net.transitions.ids().map(|id| Some(id.index())).collect(),
            delayed: Vec::new(),
        };
        for (id, transition) in net.transitions.entries() {
            draft.add(Step {
                inputs: transition.inputs.clone(),
                outputs: transition.outputs.clone(),
                fires: vec![id],
                is_asked: is_asked[id],
            });
        }
        draft
    }

    /// Adds a step.
    pub(super) fn add(&mut self, step: Step) -> StepId {
        let id = self.steps.len();
        for &(place, _) in &step.inputs {
            self.places[place].takers.insert(id);
        }
        for &(place, _) in &step.outputs {
            self.places[place].givers.insert(id);
        }
        self.steps.push(Some(step));
        id
    }

    /// A step that is left.
    pub(super) fn step(&self, id: StepId) -> &Step {
        self.steps[id].as_ref().expect("places know only steps that are left")
    }

    /// All steps that are left.
    pub(super) fn left(&self) -> impl Iterator<Item = (StepId, &Step)> {
        self.steps.iter().enumerate().filter_map(|(id, step)| Some((id, step.as_ref()?)))
    }

    /// Takes a step away. `other` is enabled where it was.
    pub(super) fn remove(&mut self, id: StepId, other: Option<StepId>) {
        let Some(step) = self.steps[id].take() else { return };
        for &(place, _) in &step.inputs {
            self.places[place].takers.remove(&id);
        }
        for &(place, _) in &step.outputs {
            self.places[place].givers.remove(&id);
        }
        if !step.is_asked {
            return;
        }
        for (_, stands) in self.stands_for.entries_mut().filter(|(_, stands)| **stands == Some(id))
        {
            *stands = other;
        }
        if let Some(other) = other.and_then(|other| self.steps[other].as_mut()) {
            other.is_asked = true;
        }
    }

    /// Takes a place away, with its arcs.
    pub(super) fn remove_place(&mut self, id: PlaceId) {
        let place = &mut self.places[id];
        place.is_kept = false;
        let (givers, takers) =
            (std::mem::take(&mut place.givers), std::mem::take(&mut place.takers));
        for step in givers.union(&takers) {
            if let Some(step) = &mut self.steps[*step] {
                step.inputs.retain(|&(place, _)| place != id);
                step.outputs.retain(|&(place, _)| place != id);
            }
        }
    }

    /// Whether a formula can tell how many tokens are on a place.
    pub(super) fn is_visible(&self, id: PlaceId) -> bool {
        let place = &self.places[id];
        place.is_shown || place.takers.iter().any(|&step| self.step(step).is_asked)
    }

    /// The places that are left.
    pub(super) fn kept(&self) -> Vec<PlaceId> {
        self.places.entries().filter(|(_, place)| place.is_kept).map(|(id, _)| id).collect()
    }
}

/// How many tokens an arc moves from or to a place.
pub(super) fn weight(arcs: &Arcs, place: PlaceId) -> i64 {
    let found = arcs.binary_search_by_key(&place, |&(place, _)| place);
    found.map_or(0, |found| arcs[found].1)
}

/// By how many tokens a step changes a place.
pub(super) fn change(step: &Step, place: PlaceId) -> i64 {
    weight(&step.outputs, place) - weight(&step.inputs, place)
}

/// All arcs of both, without those of one place; nothing if a weight would be too large.
pub(super) fn merged(one: &Arcs, other: &Arcs, without: PlaceId) -> Option<Arcs> {
    let mut all: Arcs = one.iter().chain(other).copied().filter(|arc| arc.0 != without).collect();
    all.sort_unstable();
    all.dedup_by(|arc, before| {
        let is_same = arc.0 == before.0;
        before.1 += if is_same { arc.1 } else { 0 };
        is_same
    });
    all.iter().all(|arc| arc.1 <= super::MOST).then_some(all)
}
