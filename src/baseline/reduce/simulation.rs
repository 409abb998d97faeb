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
use super::super::cube::Cube;
use super::super::draft::{Draft, Edge};
use super::super::nba::StateId;
use crate::id::{Id, IdVec, define_id};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

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
        let mut kept = Vec::with_capacity(edges.len());
        for edge in &*edges {
            budget.poll()?;
            // Being better is a strict order, since equal ones are one now.
            let is_better = |other: &Edge| {
                other != edge
                    && simulation.holds(other.target, edge.target)
                    && edge.sets.is_subset_of(&other.sets)
                    && edge.cube.implies(&other.cube)
            };
            if !edges.iter().any(is_better) {
                kept.push(edge.clone());
            }
        }
        *edges = kept;
    }
    Ok(())
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
        let mut as_good = IdVec::with_capacity(values.len());
        for (cube, sets) in &values {
            let mut better = Vec::new();
            for (label, (other, others)) in values.entries() {
                budget.poll()?;
                if sets.is_subset_of(others) && cube.implies(other) {
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
        // The states that have been found to be simulated by fewer in the last round: only
        // their predecessors need another look.
        let mut lost: IdVec<StateId, bool> = IdVec::filled(true, n_states);
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            let before = std::mem::replace(&mut lost, IdVec::filled(false, n_states));
            let mut known: HashMap<(LabelId, StateId), Bits, FxBuildHasher> = HashMap::default();
            for state in draft.edges.ids() {
                let edges = &labels.edges[state];
                if !edges.iter().any(|&(_, target)| before[target]) {
                    continue;
                }
                let mut by = simulation.by[state].clone();
                for &edge in edges.iter().filter(|&&(_, target)| before[target]) {
                    if !known.contains_key(&edge) {
                        known.insert(edge, simulation.counterparts(labels, edge, budget)?);
                    }
                    by.intersect(&known[&edge]);
                }
                if by != simulation.by[state] {
                    simulation.by[state] = by;
                    lost[state] = true;
                    has_changed = true;
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
