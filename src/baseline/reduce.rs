//! Makes automata smaller without changing what they accept.
//!
//! The first four are those of [GO01] and its tool, the last one is [EH00]'s and
//! [SB00]'s:
//!
//! - states that cannot be reached or from which nothing is accepted are
//!   removed, and acceptance is forgotten where no cycle or no accepting cycle
//!   sees it (`components.rs`);
//! - an edge is dropped if another one leads from the same state to the same
//!   state, reads more and is in more sets; two that differ in the sign of one literal are
//!   joined;
//! - states with the same edges are merged, up to bisimilarity (`merge.rs`);
//! - a state on no cycle is merged with any state that has the same edges, in
//!   whatever sets those are;
//! - states that simulate each other are merged, and an edge is dropped if there is one to
//!   a state that simulates its target (`simulation.rs`), in automata that are
//!   small enough for that.
//!
//! This is repeated until nothing changes.
//!
//! [GO01]: crate::references::go01
//! [EH00]: crate::references::eh00
//! [SB00]: crate::references::sb00

mod components;
mod merge;
mod simulation;

use super::cube::may_imply;
use super::draft::{Draft, Edge};
use crate::search::limits::{Budget, Exhausted};

pub(super) use components::{ComponentId, ComponentKind, Components};
pub(super) use merge::merge_duplicates;

/// What must not be lost besides the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acceptance {
    /// Nothing: acceptance is about edges.
    OnEdges,
    /// All edges of a state are in the same sets.
    OnStates,
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// What is done by the tool of [GO01], no simulation.
    ///
    /// [GO01]: crate::references::go01
    Published,
    /// Everything.
    All,
}

/// An automaton that accepts the same words as `draft` and is not larger.
pub(super) fn reduce(
    mut draft: Draft,
    acceptance: Acceptance,
    extent: Extent,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    loop {
        let before = (draft.n_states(), draft.n_edges());
        draft = components::clean(draft, acceptance);
        for state in draft.edges.ids() {
            thin_out(&mut draft.edges[state], budget)?;
        }
        merge::merge_bisimilar(&mut draft, budget)?;
        merge::merge_transient(&mut draft, budget)?;
        draft = components::clean(draft, acceptance);
        if extent == Extent::All {
            simulation::reduce(&mut draft, budget)?;
            draft = components::clean(draft, acceptance);
        }
        if before == (draft.n_states(), draft.n_edges()) {
            return Ok(draft);
        }
    }
}

/// Drops edges that another edge to the same state makes superfluous, and joins
/// those that differ in the sign of one literal.
fn thin_out(edges: &mut Vec<Edge>, budget: &mut Budget<'_>) -> Result<(), Exhausted> {
    loop {
        // What reads more comes first, and only edges to one state are compared.
        edges.sort_by_cached_key(|edge| (edge.target, edge.cube.n_literals(), edge.clone()));
        edges.dedup();
        let mut kept: Vec<([u64; 2], Edge)> = Vec::with_capacity(edges.len());
        let mut has_joined = false;
        let mut first = 0;
        for edge in edges.drain(..) {
            budget.poll()?;
            if kept.get(first).is_some_and(|(_, other)| other.target != edge.target) {
                first = kept.len();
            }
            // PERF: to translate a disjunction of 4,000 atoms takes 2.0 s without
            // summaries here and in `simulation.rs`, 0.3 s with.
            let summary = edge.cube.summary();
            let rivals = &mut kept[first..];
            let is_superfluous = |(few, other): &([u64; 2], Edge)| {
                may_imply(summary, *few) && is_as_good_as(other, &edge)
            };
            if rivals.iter().any(is_superfluous) {
                continue;
            }
            let joined = rivals.iter_mut().find_map(|(others, other)| {
                // The same literals but for signs.
                if others[0] | others[1] != summary[0] | summary[1] {
                    return None;
                }
                let cube = other.cube.join(&edge.cube).filter(|_| other.sets == edge.sets)?;
                Some((others, other, cube))
            });
            if let Some((others, other, cube)) = joined {
                *others = cube.summary();
                other.cube = cube;
                has_joined = true;
            } else {
                kept.push((summary, edge));
            }
        }
        edges.extend(kept.into_iter().map(|(_, edge)| edge));
        if !has_joined {
            return Ok(());
        }
    }
}

/// Whether `edge`, which has the same source and target, is superfluous.
fn is_as_good_as(other: &Edge, edge: &Edge) -> bool {
    edge.sets.is_subset_of(&other.sets) && edge.cube.implies(&other.cube)
}

#[cfg(test)]
mod tests {
    use crate::baseline::translation::{Translation, buchi};
    use crate::ltl::{Formula, nnf};
    use crate::search::limits::{Budget, Limits, Monitor};

    /// The states of the automaton, if it can be had with so much effort.
    #[track_caller]
    fn check(text: &str, max_effort: u64, n_states: usize) {
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        budget.allow_effort(max_effort);
        let formula = nnf::from_formula(&Formula::parse(text).unwrap());
        let automaton = buchi(&formula, Translation::GastinOddoux, false, &mut budget).unwrap();
        assert_eq!(automaton.n_states(), n_states);
    }

    #[test]
    fn chains_take_little_effort() {
        check(&format!("{}p", "X ".repeat(500)), 50_000, 502);
    }

    #[test]
    fn long_conjunctions_and_disjunctions_take_little_time() {
        let atoms = |n: usize| (0..n).map(|i| format!("p{i}"));
        check(&atoms(5000).collect::<Vec<_>>().join(" & "), 1_000_000, 2);
        check(&atoms(1500).collect::<Vec<_>>().join(" | "), 20_000_000, 2);
    }
}
