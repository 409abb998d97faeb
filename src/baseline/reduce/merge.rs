//! Merges states that have the same edges.

use super::super::bits::Bits;
use super::super::cube::Cube;
use super::super::draft::{Draft, Edge};
use super::super::nba::StateId;
use super::components::{ComponentKind, Components};
use crate::id::{Id, IdVec, define_id};
use crate::search::limits::{Budget, Exhausted};
use crate::sets::distinct;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A set of states that are to become one.
    pub(super) struct ClassId;
}

/// Merges states that are bisimilar: the coarsest classes such that all states
/// of a class have the same edges up to the classes of their targets.
pub(super) fn merge_bisimilar(draft: &mut Draft, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
    let classes = Partition::of(draft, budget)?;
    // One state of a class has all the edges that the class has.
    let mut first = IdVec::filled(None, classes.members.len());
    for state in draft.edges.ids() {
        first[classes.of[state]].get_or_insert(state);
    }
    redirect(draft, |state| first[classes.of[state]].unwrap_or(state));
    Ok(())
}

/// States in classes, which are split until all states of a class are alike.
struct Partition {
    of: IdVec<StateId, ClassId>,
    members: IdVec<ClassId, Vec<StateId>>,
    /// Where each state is among the members of its class.
    place: IdVec<StateId, usize>,
}

impl Partition {
    fn of(draft: &Draft, budget: &mut Budget<'_>) -> Result<Self, Exhausted> {
        let n_states = draft.n_states();
        let mut sources: IdVec<StateId, Vec<StateId>> = IdVec::filled(Vec::new(), n_states);
        for (state, edges) in draft.edges.entries() {
            for edge in edges {
                sources[edge.target].push(state);
            }
        }
        let mut partition = Self {
            of: IdVec::filled(ClassId::new(0), n_states),
            members: std::iter::once(draft.edges.ids().collect()).collect(),
            place: (0..n_states).collect(),
        };
        let mut open: Vec<(ClassId, StateId)> =
            draft.edges.ids().map(|state| (ClassId::new(0), state)).collect();
        // PERF: `X` 4,000 times, raw: 2.8 s by rounds over all states, 0.03 s by this.
        while !open.is_empty() {
            open.sort_unstable();
            open.dedup();
            let mut moved = Vec::new();
            for together in open.chunk_by(|a, b| a.0 == b.0) {
                moved.extend(partition.split(draft, together, budget)?);
            }
            for &(class, state) in &moved {
                partition.of[state] = class;
            }
            let before = moved.iter().flat_map(|&(_, state)| &sources[state]);
            open = before.map(|&source| (partition.of[source], source)).collect();
        }
        Ok(partition)
    }

    /// Splits the class of `open`, the states of it that have an edge to a
    /// state that is in another class now. All others are alike. Returns the states that
    /// have to leave, and where they go to; the largest part stays.
    fn split(
        &mut self,
        draft: &Draft,
        open: &[(ClassId, StateId)],
        budget: &mut Budget<'_>,
    ) -> Result<Vec<(ClassId, StateId)>, Exhausted> {
        let class = open[0].0;
        for &(_, state) in open {
            self.take_out(state);
        }
        // The part of those that are not open comes first, without its states.
        let mut parts: Vec<Vec<StateId>> = Vec::new();
        let mut by_edges: HashMap<_, usize, FxBuildHasher> = HashMap::default();
        let rest = self.members[class].len();
        if let Some(&any) = self.members[class].first() {
            by_edges.insert(likeness(&draft.edges[any], &self.of), 0);
            parts.push(Vec::new());
        }
        for &(_, state) in open {
            budget.poll()?;
            let likeness = likeness(&draft.edges[state], &self.of);
            let part = *by_edges.entry(likeness).or_insert(parts.len());
            if part == parts.len() {
                parts.push(Vec::new());
            }
            parts[part].push(state);
        }
        let size = |part: usize| parts[part].len() + if part == 0 { rest } else { 0 };
        let largest = (0..parts.len()).max_by_key(|&part| size(part)).unwrap_or(0);
        if largest != 0 && 0 < rest {
            // Few leave, so this is not done often.
            let rest = std::mem::take(&mut self.members[class]);
            parts[0].extend(rest);
        }
        let mut moved = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            let class = if number == largest { class } else { self.members.push(Vec::new()) };
            for &state in &part {
                self.place[state] = self.members[class].len();
                self.members[class].push(state);
            }
            if number != largest {
                moved.extend(part.into_iter().map(|state| (class, state)));
            }
        }
        Ok(moved)
    }

    fn take_out(&mut self, state: StateId) {
        let members = &mut self.members[self.of[state]];
        let place = self.place[state];
        members.swap_remove(place);
        if let Some(&other) = members.get(place) {
            self.place[other] = place;
        }
    }
}

/// The edges up to the classes of their targets, in a fixed order.
fn likeness<'a>(
    edges: &'a [Edge],
    classes: &IdVec<StateId, ClassId>,
) -> Vec<(ClassId, &'a Cube, &'a Bits)> {
    distinct(edges.iter().map(|edge| (classes[edge.target], &edge.cube, &edge.sets)))
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
        distinct(edges.map(|edge| (edge.target, &edge.cube)))
    };
    let is_transient = |state: StateId| components.kind(state) == ComponentKind::Transient;
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
