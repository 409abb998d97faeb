//! Finite words after which an automaton accepts whatever follows.
//!
//! This is what the text of the automaton shows: a state is *universal* if it has an unconditional edge to itself in
//! all acceptance sets, or an unconditional edge to a universal state. The end of a never claim is such a state. The
//! state of a tableau that has nothing left to ask for has the edge to itself; states that only lead there still ask
//! for something, as `X true` asks for one more letter.

use super::bits::Bits;
use super::draft::Draft;
use super::nba::{Nba, StateId};
use crate::id::IdVec;

/// The states that have an unconditional edge to themselves in all acceptance sets.
#[must_use]
pub fn accepting_loops(automaton: &Nba) -> IdVec<StateId, bool> {
    let has_loop = |state: StateId| {
        automaton.edges(state).iter().any(|edge| {
            let is_in_all = automaton.sets(edge.sets).len() == automaton.n_sets();
            edge.target == state && is_in_all && automaton.cube(edge.cube).is_truth()
        })
    };
    automaton.states().map(has_loop).collect()
}

/// The universal states of an automaton.
#[must_use]
pub fn universal_states(automaton: &Nba) -> IdVec<StateId, bool> {
    let mut is_universal = accepting_loops(automaton);
    let mut sources: IdVec<StateId, Vec<StateId>> = IdVec::filled(Vec::new(), automaton.n_states());
    for state in automaton.states() {
        for edge in automaton.edges(state) {
            if automaton.cube(edge.cube).is_truth() {
                sources[edge.target].push(state);
            }
        }
    }
    let mut open: Vec<StateId> = automaton.states().filter(|&state| is_universal[state]).collect();
    while let Some(state) = open.pop() {
        for &source in &sources[state] {
            if !is_universal[source] {
                is_universal[source] = true;
                open.push(source);
            }
        }
    }
    is_universal
}

/// The automaton with one acceptance set that is empty, so that a search goes through all of it. It
/// begins in copies of its initial states, to which no edge leads and which are added to
/// `decided` as states that decide nothing: a word without letters does not.
#[must_use]
pub fn without_acceptance(automaton: &Nba, decided: &mut IdVec<StateId, bool>) -> Nba {
    let mut draft = Draft { n_sets: 1, ..Draft::of(automaton) };
    for (_, edges) in draft.edges.entries_mut() {
        for edge in edges {
            edge.sets = Bits::default();
        }
    }
    for state in &mut draft.initial {
        let edges = draft.edges[*state].clone();
        *state = draft.edges.push(edges);
        decided.push(false);
    }
    draft.into_nba()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Cube;
    use crate::baseline::nba::Builder;
    use crate::word::Atoms;

    #[test]
    fn unconditional_edges_lead_to_what_accepts_everything() {
        let mut atoms = Atoms::default();
        let p = atoms.intern("p");
        let mut builder = Builder::new(atoms, 1);
        let [wait, late, end] = [(); 3].map(|()| builder.add_state());
        builder.add_initial(wait);
        // An unconditional cycle that is not accepting shows nothing.
        builder.add_edge(wait, &Cube::truth(), [], wait);
        builder.add_edge(wait, &Cube::literal(p, true), [], late);
        builder.add_edge(late, &Cube::truth(), [], end);
        builder.add_edge(end, &Cube::truth(), builder.all_sets(), end);
        let automaton = builder.finish();
        assert_eq!(accepting_loops(&automaton).iter().filter(|&&has_loop| has_loop).count(), 1);
        let mut universal = universal_states(&automaton);
        assert_eq!([wait, late, end].map(|state| universal[state]), [false, true, true]);
        let all = without_acceptance(&automaton, &mut universal);
        assert_eq!((all.n_states(), all.n_edges()), (4, 6));
        assert_eq!(universal.iter().filter(|&&is_universal| is_universal).count(), 2);
        assert!(all.states().all(|state| !all.is_accepting(state)));
    }
}
