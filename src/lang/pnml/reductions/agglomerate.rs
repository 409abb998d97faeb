//! Rules that make one step of two: LTL without `X` is kept, with divergence and deadlocks.
//!
//! A place `p` has no tokens at first and is not visible. Each *giver* puts one token there, each
//! *taker* takes one; no step does both. Then every giver is put together with every taker, and the
//! place goes. Steps in a row stand for both in a row, so every run of the smaller net is one of the
//! larger one, in which the marking between the two shows what one of its neighbours shows. What has
//! to be said is that every maximal run of the larger net has a counterpart that shows the same up to
//! repetition, and is infinite if it is, and that no run ends in the smaller net only.
//!
//! **Post-agglomeration**: takers take from nowhere else and change nothing visible. So the taker of a
//! token can as well move right behind the giver: it is enabled there, and all that comes between finds
//! more tokens, not fewer. A token that is never taken is taken by any taker; nothing visible
//! changes. There are no more takings than givings, so what was infinite stays infinite. Where nothing
//! more can fire, no token is on `p`, and steps in a row are enabled where their givers are.
//!
//! **Pre-agglomeration**: givers put tokens on `p` only, take from at least one place, from invisible
//! ones only, and from these no other step takes. So a giver can as well wait until the token is
//! taken: what comes between does not miss the tokens, and does not need the place. A giver whose token is never taken
//! waits for ever; its tokens are no use to others. Givers alone cannot go on for ever, since only
//! other steps fill the places that they take from. Where nothing more can fire in the smaller net, givers that
//! wait may still fire in the larger one, until these places are empty; no taker can fire then, since it could in
//! a row with its giver, and what shows is the same.

use super::draft::{Draft, Step, StepId, merged, weight};
use crate::lang::pnml::net::PlaceId;

/// Puts together what can be, with takers that follow at once. Says whether there was any.
pub(super) fn post(draft: &mut Draft) -> bool {
    agglomerate(draft, |draft, _, takers| {
        takers.iter().all(|&taker| {
            let taker = draft.step(taker);
            taker.inputs.len() == 1 && !taker.outputs.iter().any(|arc| draft.is_visible(arc.0))
        })
    })
}

/// Puts together what can be, with givers that wait. Says whether there was any.
pub(super) fn pre(draft: &mut Draft) -> bool {
    let is_waiting = |draft: &Draft, givers: &[StepId]| {
        givers.iter().all(|&giver| {
            let step = draft.step(giver);
            step.outputs.len() == 1
                && !step.inputs.is_empty()
                && step.inputs.iter().all(|&(place, _)| {
                    draft.places[place].takers.len() == 1 && !draft.is_visible(place)
                })
        })
    };
    agglomerate(draft, |draft, givers, _| {
        let can_wait = is_waiting(draft, givers);
        if can_wait {
            let fires = givers.iter().map(|&giver| draft.step(giver).fires.clone());
            let fires: Vec<_> = fires.collect();
            draft.delayed.extend(fires);
        }
        can_wait
    })
}

/// Puts givers and takers of a place together where that makes no more steps, and where `is_allowed`.
fn agglomerate(
    draft: &mut Draft,
    mut is_allowed: impl FnMut(&mut Draft, &[StepId], &[StepId]) -> bool,
) -> bool {
    let mut has_changed = false;
    for id in draft.kept() {
        let Some((givers, takers)) = candidates(draft, id) else { continue };
        let Some(together) = together(draft, id, &givers, &takers) else { continue };
        if !is_allowed(draft, &givers, &takers) {
            continue;
        }
        let mut first_of = Vec::with_capacity(givers.len());
        for steps in together {
            let added: Vec<StepId> = steps.into_iter().map(|step| draft.add(step)).collect();
            first_of.push(added[0]);
        }
        // A step in a row is enabled where its giver is, if that was asked.
        for (&giver, first) in givers.iter().zip(first_of) {
            draft.remove(giver, Some(first));
        }
        for &taker in &takers {
            draft.remove(taker, None);
        }
        draft.remove_place(id);
        has_changed = true;
    }
    has_changed
}

/// The givers and takers of a place, if they look as both rules want them.
fn candidates(draft: &Draft, id: PlaceId) -> Option<(Vec<StepId>, Vec<StepId>)> {
    let place = &draft.places[id];
    let (n_givers, n_takers) = (place.givers.len(), place.takers.len());
    let is_candidate = place.initial == 0
        && 0 < n_givers
        && 0 < n_takers
        && n_givers.saturating_mul(n_takers) <= n_givers + n_takers
        && place.givers.is_disjoint(&place.takers)
        && place.givers.iter().all(|&giver| weight(&draft.step(giver).outputs, id) == 1)
        && place.takers.iter().all(|&taker| weight(&draft.step(taker).inputs, id) == 1)
        && !draft.is_visible(id);
    let list = || (place.givers.iter().copied().collect(), place.takers.iter().copied().collect());
    is_candidate.then(list)
}

/// By giver: the step in a row with each taker; nothing if weights would be too large.
fn together(
    draft: &Draft,
    place: PlaceId,
    givers: &[StepId],
    takers: &[StepId],
) -> Option<Vec<Vec<Step>>> {
    let row = |giver: &StepId, taker: &StepId| {
        let (giver, taker) = (draft.step(*giver), draft.step(*taker));
        Some(Step {
            inputs: merged(&giver.inputs, &taker.inputs, place)?,
            outputs: merged(&giver.outputs, &taker.outputs, place)?,
            fires: [&giver.fires[..], &taker.fires].concat(),
            is_asked: false,
        })
    };
    let rows = |giver: &StepId| takers.iter().map(|taker| row(giver, taker)).collect();
    givers.iter().map(rows).collect()
}
