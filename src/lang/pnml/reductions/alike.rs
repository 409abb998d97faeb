//! Rules that keep the graph of markings as it is, but for its names: all of LTL, and deadlocks.
//!
//! - *Dead transitions* have no edge in the graph.
//! - *Constant places* have the same tokens in all markings: a step that takes more than that is
//!   dead, and for all others the place makes no difference.
//! - *Identical transitions*: a step with the same effect as another one that is enabled wherever it
//!   is has no edge of its own. (In particular a step without effect stays, unless there is another
//!   one: it is a run that stands still for ever, which is not the same as an end.)
//! - *Unread places* keep no step from firing, and nothing that is asked depends on them.
//! - *Parallel places*: their difference never changes. If it is so large that the one has enough
//!   tokens wherever the other one has, for all steps that take from it, it makes no difference.
//! - *Implied places* have enough tokens for a step in every reachable marking in which the other
//!   places have, for all steps that take from them; this is what the state equation proves. What is
//!   proved is about the net as read, so this comes before any rule that changes markings. The other
//!   places are those that are still left, so no two places are implied by one another.
//!
//! Without a place, markings that differ in nothing else would be one; but then the place is a
//! function of the others, or nothing ever depends on it, so they behave in the same way.

use super::draft::{Draft, Step, StepId, change, weight};
use crate::id::Id;
use crate::lang::pnml::knowledge::Knowledge;
use crate::lang::pnml::net::{Arcs, Net, PlaceId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// In groups of more steps with the same effect than this, only identical ones are found.
const MAX_GROUP: usize = 64;

/// Removes transitions that can never fire.
pub(super) fn dead_transitions(draft: &mut Draft, net: &Net, knowledge: &mut Knowledge) {
    for id in net.transitions.ids() {
        if knowledge.is_dead(net, id) {
            draft.remove(id.index(), None);
        }
    }
}

/// Removes places whose tokens never change. Says whether there were any.
pub(super) fn constant_places(draft: &mut Draft) -> bool {
    let mut has_changed = false;
    for id in draft.kept() {
        let place = &draft.places[id];
        let touching = place.givers.union(&place.takers);
        if touching.into_iter().any(|&step| change(draft.step(step), id) != 0) {
            continue;
        }
        let too_much = |&&step: &&StepId| place.initial < weight(&draft.step(step).inputs, id);
        let dead: Vec<StepId> = place.takers.iter().filter(too_much).copied().collect();
        for step in dead {
            draft.remove(step, None);
        }
        draft.places[id].is_constant = true;
        draft.remove_place(id);
        has_changed = true;
    }
    has_changed
}

/// Removes steps that do what others do. Says whether there were any.
pub(super) fn identical_transitions(draft: &mut Draft) -> bool {
    let mut groups: HashMap<Arcs, Vec<StepId>, FxBuildHasher> = HashMap::default();
    for (id, step) in draft.left() {
        groups.entry(effect(step)).or_default().push(id);
    }
    let mut groups: Vec<Vec<StepId>> =
        groups.into_values().filter(|group| 1 < group.len()).collect();
    groups.sort_unstable();
    let mut has_changed = false;
    for group in groups {
        let mut first: HashMap<Arcs, StepId, FxBuildHasher> = HashMap::default();
        let mut distinct = Vec::new();
        for id in group {
            let other = *first.entry(draft.step(id).inputs.clone()).or_insert(id);
            if other == id {
                distinct.push(id);
            } else {
                draft.remove(id, Some(other));
                has_changed = true;
            }
        }
        if MAX_GROUP < distinct.len() {
            continue;
        }
        for &id in &distinct {
            let step = draft.step(id);
            let needs_less = |&other: &StepId| {
                let inputs = draft.steps[other].as_ref().map(|other| &other.inputs);
                let inputs = inputs.filter(|_| other != id);
                inputs.is_some_and(|inputs| {
                    inputs.iter().all(|&(place, least)| least <= weight(&step.inputs, place))
                })
            };
            if !step.is_asked && distinct.iter().any(needs_less) {
                draft.remove(id, None);
                has_changed = true;
            }
        }
    }
    has_changed
}

/// How a step changes places.
fn effect(step: &Step) -> Arcs {
    let mut places: Vec<PlaceId> =
        step.inputs.iter().chain(&step.outputs).map(|&(place, _)| place).collect();
    places.sort_unstable();
    places.dedup();
    let changes = places.into_iter().map(|place| (place, change(step, place)));
    changes.filter(|&(_, change)| change != 0).collect()
}

/// Removes places that no step takes from. Says whether there were any.
pub(super) fn unread_places(draft: &mut Draft) -> bool {
    let is_unread = |id: &PlaceId| {
        let place = &draft.places[*id];
        place.takers.is_empty() && !place.is_shown
    };
    let unread: Vec<PlaceId> = draft.kept().into_iter().filter(is_unread).collect();
    for &id in &unread {
        draft.remove_place(id);
    }
    !unread.is_empty()
}

/// Removes places that differ by a constant from others that need no fewer tokens. Says whether
/// there were any.
pub(super) fn parallel_places(draft: &mut Draft) -> bool {
    let mut groups: HashMap<Vec<(StepId, i64)>, Vec<PlaceId>, FxBuildHasher> = HashMap::default();
    for id in draft.kept() {
        let place = &draft.places[id];
        let changes = place.givers.union(&place.takers);
        let changes = changes.map(|&step| (step, change(draft.step(step), id)));
        groups.entry(changes.filter(|&(_, change)| change != 0).collect()).or_default().push(id);
    }
    let mut groups: Vec<Vec<PlaceId>> =
        groups.into_values().filter(|group| 1 < group.len()).collect();
    groups.sort_unstable();
    let mut has_changed = false;
    for group in groups {
        for &id in &group {
            let is_covered = |&other: &PlaceId| {
                let (place, other_place) = (&draft.places[id], &draft.places[other]);
                let more = place.initial - other_place.initial;
                other != id
                    && other_place.is_kept
                    && place.takers.iter().all(|&step| {
                        let inputs = &draft.step(step).inputs;
                        weight(inputs, id) - more <= weight(inputs, other)
                    })
            };
            if !draft.places[id].is_shown && group.iter().any(is_covered) {
                draft.remove_place(id);
                has_changed = true;
            }
        }
    }
    has_changed
}

/// Removes places that never keep a step from firing that nothing else keeps. Every step is a
/// transition of the net as read here, perhaps with fewer inputs.
pub(super) fn implied_places(draft: &mut Draft, knowledge: &mut Knowledge) {
    for id in draft.kept() {
        let place = &draft.places[id];
        let mut is_implied = |&step: &StepId| {
            let inputs = &draft.step(step).inputs;
            let others: Arcs = inputs.iter().copied().filter(|arc| arc.0 != id).collect();
            knowledge.implies(&others, (id, weight(inputs, id)))
        };
        if !place.is_shown && !place.takers.is_empty() && place.takers.iter().all(&mut is_implied) {
            draft.remove_place(id);
        }
    }
}
