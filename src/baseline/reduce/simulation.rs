//! Direct simulation: which states can do all that others can, step by step.
//!
//! A state simulates another one if each edge of that one has a counterpart
//! that reads at least the same letters, is in at least the same sets, and leads to a
//! state that simulates its target. The counterpart is a single edge, so this
//! is less than what could be had by looking at letters; it needs no
//! enumeration of letters.
//!
//! We begin with all pairs and strike out until all that are left are right. For an
//! edge, as a label and a target, we collect the states that have a
//! counterpart; what simulates a state is what all its edges have in common.
//! Large automata are left alone.

use super::super::bits::Bits;
use super::super::cube::{Cube, may_imply};
use super::super::draft::{Draft, Edge};
use super::super::nba::StateId;
use super::components::Components;
use crate::id::{Id, IdVec, define_id};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::Reverse;
use std::collections::VecDeque;

/// Automata with more are not looked at: tables have this size squared.
const MAX_STATES: usize = 5000;
const MAX_LABELS: usize = 5000;
const MAX_EDGES: usize = 100_000;

define_id! {
    /// A cube and acceptance sets.
    struct LabelId;
}

/// Merges states that simulate each other, and drops edges to states that the
/// target of a better edge simulates.
pub(super) fn reduce(draft: &mut Draft, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
    if MAX_EDGES < draft.n_edges() || MAX_STATES < draft.n_states() {
        return Ok(());
    }
    let Some(labels) = Labels::of(draft, budget)? else {
        return Ok(());
    };
    let simulation = Simulation::of(draft, &labels, budget)?;
    let first_like = |state: StateId| {
        let mut others = simulation.by[state].iter().map(StateId::new);
        others.find(|&other| simulation.holds(state, other)).unwrap_or(state)
    };
    let same: IdVec<StateId, StateId> = draft.edges.ids().map(first_like).collect();
    draft.initial.iter_mut().for_each(|state| *state = same[*state]);
    draft.initial.sort_unstable();
    draft.initial.dedup();
    // A state has edges for all edges of those that it simulates, so nothing
    // has to be moved from the states that become unreachable.
    for state in draft.edges.ids() {
        let edges = &mut draft.edges[state];
        for edge in edges.iter_mut() {
            edge.target = same[edge.target];
        }
        edges.sort_unstable();
        edges.dedup();
        *edges = best(edges, &simulation, budget)?;
    }
    Ok(())
}

/// The edges than which no other one is better.
fn best(
    edges: &[Edge],
    simulation: &Simulation,
    budget: &mut Budget<'_>,
) -> Result<Vec<Edge>, Exhausted> {
    let summaries: Vec<[u64; 2]> = edges.iter().map(|edge| edge.cube.summary()).collect();
    let mut kept = Vec::with_capacity(edges.len());
    for (edge, &many) in edges.iter().zip(&summaries) {
        budget.poll()?;
        // Being better is a strict order, since equal ones are one now.
        let is_better = |(other, &few): (&Edge, &[u64; 2])| {
            may_imply(many, few)
                && other != edge
                && simulation.holds(other.target, edge.target)
                && edge.sets.is_subset_of(&other.sets)
                && edge.cube.implies(&other.cube)
        };
        if !edges.iter().zip(&summaries).any(is_better) {
            kept.push(edge.clone());
        }
    }
    Ok(kept)
}

/// The labels of all edges, and how they compare.
struct Labels {
    /// The label and the target of each edge of each state.
    edges: IdVec<StateId, Vec<(LabelId, StateId)>>,
    /// The source and the target of each edge with each label.
    by_label: IdVec<LabelId, Vec<(StateId, StateId)>>,
    /// The labels that read at least as much and are in at least as many sets.
    as_good: IdVec<LabelId, Vec<LabelId>>,
}

impl Labels {
    /// Nothing if there are too many.
    fn of(draft: &Draft, budget: &mut Budget<'_>) -> Result<Option<Self>, Exhausted> {
        let mut numbers: HashMap<(&Cube, &Bits), LabelId, FxBuildHasher> = HashMap::default();
        let mut values: IdVec<LabelId, (&Cube, &Bits)> = IdVec::new();
        let mut by_label: IdVec<LabelId, Vec<(StateId, StateId)>> = IdVec::new();
        let mut edges = IdVec::with_capacity(draft.n_states());
        for (state, leaving) in draft.edges.entries() {
            let mut row = Vec::with_capacity(leaving.len());
            for edge in leaving {
                let label = *numbers.entry((&edge.cube, &edge.sets)).or_insert_with_key(|&value| {
                    by_label.push(Vec::new());
                    values.push(value)
                });
                by_label[label].push((state, edge.target));
                row.push((label, edge.target));
            }
            edges.push(row);
        }
        if MAX_LABELS < values.len() {
            return Ok(None);
        }
        let summaries: IdVec<LabelId, [u64; 2]> =
            values.iter().map(|(cube, _)| cube.summary()).collect();
        let mut as_good = IdVec::with_capacity(values.len());
        for (one, (cube, sets)) in values.entries() {
            let mut better = Vec::new();
            for (label, (other, others)) in values.entries() {
                budget.poll()?;
                if may_imply(summaries[one], summaries[label])
                    && sets.is_subset_of(others)
                    && cube.implies(other)
                {
                    better.push(label);
                }
            }
            as_good.push(better);
        }
        Ok(Some(Self { edges, by_label, as_good }))
    }
}

/// Which states simulate which.
struct Simulation {
    /// The states that simulate each state.
    by: IdVec<StateId, Bits>,
}

impl Simulation {
    fn holds(&self, stronger: StateId, weaker: StateId) -> bool {
        self.by[weaker].contains(stronger.index())
    }

    fn of(draft: &Draft, labels: &Labels, budget: &mut Budget<'_>) -> Result<Self, Exhausted> {
        let n_states = draft.n_states();
        let mut simulation = Self { by: IdVec::filled((0..n_states).collect(), n_states) };
        let mut sources: IdVec<StateId, Vec<StateId>> = IdVec::filled(Vec::new(), n_states);
        for (state, edges) in labels.edges.entries() {
            for &(_, target) in edges {
                sources[target].push(state);
            }
        }
        // What simulates a state depends on what simulates its targets only. So we go
        // from component to component, those with the targets first, and are done with
        // one before we come to the next.
        let components = Components::of(draft);
        let mut order: Vec<StateId> = draft.edges.ids().collect();
        let is_unreachable = |state: StateId| components.component(state).is_none();
        order.sort_by_key(|&state| {
            (is_unreachable(state), components.component(state), Reverse(state))
        });
        let mut is_open: IdVec<StateId, bool> = IdVec::filled(true, n_states);
        // The counterparts of edges to a state, by their labels, as long as nothing
        // about the state changes.
        let mut known: IdVec<StateId, HashMap<LabelId, Bits, FxBuildHasher>> =
            IdVec::filled(HashMap::default(), n_states);
        for component in order.chunk_by(|&a, &b| components.together(a, b)) {
            let mut queue: VecDeque<StateId> = component.iter().copied().collect();
            while let Some(state) = queue.pop_front() {
                is_open[state] = false;
                let mut by = simulation.by[state].clone();
                for &(label, target) in &labels.edges[state] {
                    if !known[target].contains_key(&label) {
                        let found = simulation.counterparts(labels, (label, target), budget)?;
                        known[target].insert(label, found);
                    }
                    by.intersect(&known[target][&label]);
                }
                if by != simulation.by[state] {
                    simulation.by[state] = by;
                    known[state].clear();
                    let inside = |source: &&StateId| components.together(**source, state);
                    for &source in sources[state].iter().filter(inside) {
                        if !std::mem::replace(&mut is_open[source], true) {
                            queue.push_back(source);
                        }
                    }
                }
            }
        }
        Ok(simulation)
    }

    /// The states that have an edge as good as one with this label to `target`,
    /// as far as is known.
    fn counterparts(
        &self,
        labels: &Labels,
        (label, target): (LabelId, StateId),
        budget: &mut Budget<'_>,
    ) -> Result<Bits, Exhausted> {
        let mut found = Bits::default();
        for &label in &labels.as_good[label] {
            budget.poll()?;
            for &(source, other) in &labels.by_label[label] {
                if self.holds(other, target) {
                    found.insert(source.index());
                }
            }
        }
        Ok(found)
    }
}
