//! Smaller nets about which the same is asked.
//!
//! Rules are tried again and again until none changes anything: first those that keep all of LTL
//! (`alike`), then those that make one step of two (`agglomerate`), which keep LTL without `X`. All keep
//! divergence (a run that goes on for ever without showing anything new) and deadlocks: the two nets
//! have the same maximal runs, up to the repetition of what shows. Each rule is named in
//! [`Rule`], and says in its file what it keeps and why.
//!
//! What shows is what the atoms of a formula are about: the tokens of the places that are compared, and
//! whether the transitions are enabled that are asked about. `draft` is the net while it is made
//! smaller, `origin` knows what became of places and transitions, and makes runs of the net as read of runs of
//! the smaller one.

mod agglomerate;
mod alike;
mod draft;
mod origin;

use super::atom::{self, Atom, Sum};
use super::knowledge::Knowledge;
use super::net::{Net, NetTransition, Node, Place, PlaceId};
use super::read::MOST;
use crate::id::IdVec;
use crate::lang::program::TransitionId;
use crate::lang::smaller::{Rule, Rules};
use crate::ltl::Formula;
use crate::ltl::stuttering::has_next;
use crate::system::NetSize;
use draft::Draft;
use std::sync::Arc;

pub(super) use origin::{Kept, Origin};

/// Nets with more transitions than this are not made smaller.
const MAX_TRANSITIONS: usize = 200_000;

/// A smaller net, and what became of the places and transitions of the net as read.
#[derive(Debug)]
pub(super) struct SmallerNet {
    pub(super) net: Net,
    pub(super) origin: Origin,
    pub(super) size: NetSize,
}

/// The net made smaller for a formula by these rules; nothing if that changes nothing, or if the
/// net does not know an atom.
pub(super) fn smaller(
    net: &Arc<Net>,
    knowledge: &mut Knowledge,
    formula: &Formula,
    rules: Rules,
) -> Option<SmallerNet> {
    if MAX_TRANSITIONS < net.transitions.len() {
        return None;
    }
    let rules = if has_next(formula) { rules.step_by_step() } else { rules };
    let mut is_shown = IdVec::filled(false, net.places.len());
    let mut is_asked = IdVec::filled(false, net.transitions.len());
    for (_, name) in formula.atoms().iter() {
        note(net, &atom::parse(name).ok()?, &mut is_shown, &mut is_asked)?;
    }
    let mut draft = Draft::new(net, &is_shown, &is_asked);
    reduce(&mut draft, net, knowledge, rules);
    let size = NetSize {
        places: draft.kept().len(),
        places_before: net.places.len(),
        transitions: draft.left().count(),
        transitions_before: net.transitions.len(),
    };
    let is_same = size.places == size.places_before && size.transitions == size.transitions_before;
    (!is_same).then(|| result(net, draft, size))
}

/// Notes what an atom is about.
fn note(
    net: &Net,
    atom: &Atom,
    is_shown: &mut IdVec<PlaceId, bool>,
    is_asked: &mut IdVec<TransitionId, bool>,
) -> Option<()> {
    let mut show = |sum: &Sum| {
        for (_, name) in &sum.counts {
            is_shown[net.place(&name.text)?] = true;
        }
        Some(())
    };
    match atom {
        Atom::Fireable(names) => {
            for name in names {
                is_asked[net.transition(&name.text)?] = true;
            }
        }
        Atom::Compare(left, _, right) => {
            show(left)?;
            show(right)?;
        }
        Atom::Marked(name) => is_shown[net.place(&name.text)?] = true,
    }
    Some(())
}

/// Tries rules until none changes anything.
fn reduce(draft: &mut Draft, net: &Net, knowledge: &mut Knowledge, rules: Rules) {
    if rules.has(Rule::DeadTransitions) {
        alike::dead_transitions(draft, net, knowledge);
    }
    while alike_once(draft, rules) {}
    // What is proved about the net as read holds until markings are skipped.
    if rules.has(Rule::ImpliedPlaces) {
        alike::implied_places(draft, knowledge);
    }
    loop {
        let mut has_changed = alike_once(draft, rules);
        has_changed |= rules.has(Rule::PreAgglomeration) && agglomerate::pre(draft);
        has_changed |= rules.has(Rule::PostAgglomeration) && agglomerate::post(draft);
        if !has_changed {
            return;
        }
    }
}

/// Tries those rules that look at the net as it is now. Says whether any has changed it.
fn alike_once(draft: &mut Draft, rules: Rules) -> bool {
    type Apply = fn(&mut Draft) -> bool;
    let all: [(Rule, Apply); 4] = [
        (Rule::ConstantPlaces, alike::constant_places),
        (Rule::IdenticalTransitions, alike::identical_transitions),
        (Rule::UnreadPlaces, alike::unread_places),
        (Rule::ParallelPlaces, alike::parallel_places),
    ];
    let mut has_changed = false;
    for (rule, apply) in all {
        has_changed |= rules.has(rule) && apply(draft);
    }
    has_changed
}

/// The net that is left.
fn result(net: &Arc<Net>, draft: Draft, size: NetSize) -> SmallerNet {
    let mut smaller = Net::default();
    let mut places = IdVec::with_capacity(net.places.len());
    for (id, place) in draft.places.entries() {
        places.push(if place.is_kept {
            let (name, initial) = (net.places[id].name.clone(), place.initial);
            let new = smaller.places.push(Place { name: name.clone(), initial });
            smaller.nodes.insert(name, Node::Place(new));
            Kept::Place(new)
        } else if place.is_constant {
            Kept::Constant(place.initial)
        } else {
            Kept::Nothing
        });
    }
    smaller.claimed_safe = net.claimed_safe.iter().filter_map(|&id| places[id].place()).collect();
    let renamed = |arcs: &super::net::Arcs| {
        let arcs = arcs.iter().filter_map(|&(id, weight)| Some((places[id].place()?, weight)));
        arcs.collect()
    };
    let mut fires = IdVec::new();
    let mut new_ids = vec![None; draft.steps.len()];
    for (id, step) in draft.left() {
        let names: Vec<&str> =
            step.fires.iter().map(|&fired| net.transitions[fired].name.as_str()).collect();
        let span = net.transitions[step.fires[0]].span;
        let (inputs, outputs) = (renamed(&step.inputs), renamed(&step.outputs));
        let name = names.join(" ");
        let new = smaller.transitions.push(NetTransition { name, span, inputs, outputs });
        new_ids[id] = Some(new);
        let _: TransitionId = fires.push(step.fires.clone());
    }
    let stands_for = draft.stands_for.iter().map(|stands| stands.and_then(|id| new_ids[id]));
    let transitions = stands_for.collect();
    let origin =
        Origin { net: Arc::clone(net), places, transitions, fires, delayed: draft.delayed };
    SmallerNet { net: smaller, origin, size }
}
