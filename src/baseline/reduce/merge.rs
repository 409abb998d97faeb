//! Merges states that have the same edges.

use super::super::bits::Bits;
use super::super::cube::Cube;
use super::super::draft::{Draft, Edge};
use super::super::nba::StateId;
use super::components::{Components, Kind};
use crate::id::{Id, IdVec, define_id};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A set of states that are to become one.
    pub(super) struct ClassId;
}

/// Merges states that are bisimilar: the coarsest classes such that all states
/// of a class have the same edges up to the classes of their targets.
pub(super) fn merge_bisimilar(draft: &mut Draft, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
    let mut classes: IdVec<StateId, ClassId> = IdVec::filled(ClassId::new(0), draft.n_states());
    let mut n_classes = 1;
    loop {
        // With its own class in it, a class is never joined with another again.
        let mut by_edges: HashMap<_, ClassId, FxBuildHasher> = HashMap::default();
        let mut refined = IdVec::with_capacity(draft.n_states());
        for (state, edges) in draft.edges.entries() {
            budget.poll()?;
            let likeness = (classes[state], likeness(edges, &classes));
            let next = ClassId::new(by_edges.len());
            refined.push(*by_edges.entry(likeness).or_insert(next));
        }
        classes = refined;
        if by_edges.len() <= n_classes {
            break;
        }
        n_classes = by_edges.len();
    }
    // One state of a class has all the edges that the class has.
    let mut first = IdVec::filled(None, n_classes);
    for state in draft.edges.ids() {
        first[classes[state]].get_or_insert(state);
    }
    redirect(draft, |state| first[classes[state]].unwrap_or(state));
    Ok(())
}

/// The edges up to the classes of their targets, in a fixed order.
fn likeness<'a>(
    edges: &'a [Edge],
    classes: &IdVec<StateId, ClassId>,
) -> Vec<(ClassId, &'a Cube, &'a Bits)> {
    let mut all: Vec<_> =
        edges.iter().map(|edge| (classes[edge.target], &edge.cube, &edge.sets)).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// Merges states on no cycle with states that have the same edges in whatever
/// sets. What a run passes once does not matter for acceptance.
///
/// States have to have the very same targets: similar ones would not do, since
/// then the merged state could be on new cycles.
pub(super) fn merge_transient(draft: &mut Draft, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
    let components = Components::of(draft);
    let plain = |state: StateId| {
        let edges = draft.edges[state].iter();
        let mut all: Vec<(StateId, &Cube)> = edges.map(|edge| (edge.target, &edge.cube)).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let is_transient = |state: StateId| components.kind(state) == Kind::Transient;
    // States on cycles first: they are the ones that stay.
    let mut states: Vec<StateId> = draft.edges.ids().collect();
    states.sort_by_key(|&state| is_transient(state));
    let mut by_edges: HashMap<_, StateId, FxBuildHasher> = HashMap::default();
    let mut same: IdVec<StateId, StateId> = draft.edges.ids().collect();
    for state in states {
        budget.poll()?;
        let like = *by_edges.entry(plain(state)).or_insert(state);
        if is_transient(state) {
            same[state] = like;
        }
    }
    drop(by_edges);
    redirect(draft, |state| same[state]);
    Ok(())
}

/// Merges states with the same edges, and nothing else, until there are none:
/// the removal of duplicates of [Wyk99].
///
/// [Wyk99]: crate::references::wyk99
pub(in crate::baseline) fn merge_duplicates(
    mut draft: Draft,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    loop {
        let mut by_edges: HashMap<Vec<Edge>, StateId, FxBuildHasher> = HashMap::default();
        let mut same: IdVec<StateId, StateId> = draft.edges.ids().collect();
        for (state, edges) in draft.edges.entries() {
            budget.poll()?;
            let mut edges = edges.clone();
            edges.sort_unstable();
            edges.dedup();
            same[state] = *by_edges.entry(edges).or_insert(state);
        }
        if by_edges.len() == draft.n_states() {
            return Ok(draft);
        }
        redirect(&mut draft, |state| same[state]);
        draft = super::components::reachable(draft);
    }
}

/// Lets all edges to a state lead to another one instead.
fn redirect(draft: &mut Draft, to: impl Fn(StateId) -> StateId) {
    for state in draft.edges.ids() {
        let edges = &mut draft.edges[state];
        for edge in edges.iter_mut() {
            edge.target = to(edge.target);
        }
        // Edges keep their order.
        let mut seen = hashbrown::HashSet::with_hasher(FxBuildHasher);
        edges.retain(|edge| seen.insert(edge.clone()));
    }
    draft.initial.iter_mut().for_each(|state| *state = to(*state));
    draft.initial.sort_unstable();
    draft.initial.dedup();
}
