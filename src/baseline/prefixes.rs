//! Finite words after which an automaton accepts whatever follows.
//!
//! This is what the text of the automaton shows: a state is *universal* if it has an unconditional edge to itself in
//! all acceptance sets, or an unconditional edge to a universal state. The end of a never claim is such a state, and so
//! is the state of a tableau that has nothing left to ask for.

use super::nba::{Builder, Nba, StateId};
use crate::id::IdVec;

/// The universal states of an automaton.
fn universal_states(automaton: &Nba) -> IdVec<StateId, bool> {
    let mut sources: IdVec<StateId, Vec<StateId>> = IdVec::filled(Vec::new(), automaton.n_states());
    let mut is_universal = IdVec::filled(false, automaton.n_states());
    let mut open = Vec::new();
    for state in automaton.states() {
        for edge in automaton.edges(state) {
            if !automaton.cube(edge.cube).is_truth() {
                continue;
            }
            sources[edge.target].push(state);
            let is_in_all = automaton.sets(edge.sets).len() == automaton.n_sets();
            if edge.target == state && is_in_all && !is_universal[state] {
                is_universal[state] = true;
                open.push(state);
            }
        }
    }
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

/// The automaton with one acceptance set that is empty, so that a search goes through all of it, and
/// its universal states. It begins in copies of its initial states, to which no edge leads and
/// which do not count as universal: a word without letters decides nothing.
#[must_use]
pub fn for_prefixes(automaton: &Nba) -> (Nba, IdVec<StateId, bool>) {
    let mut universal = universal_states(automaton);
    let mut builder = Builder::new(automaton.atoms().clone(), 1);
    for _ in automaton.states() {
        builder.add_state();
    }
    let add_edges = |builder: &mut Builder, from: StateId, like: StateId| {
        for edge in automaton.edges(like) {
            builder.add_edge(from, automaton.cube(edge.cube), [], edge.target);
        }
    };
    for state in automaton.states() {
        add_edges(&mut builder, state, state);
    }
    for &state in automaton.initial() {
        let first = builder.add_state();
        builder.add_initial(first);
        universal.push(false);
        add_edges(&mut builder, first, state);
    }
    (builder.finish(), universal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::Cube;
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
        let universal = universal_states(&automaton);
        assert_eq!([wait, late, end].map(|state| universal[state]), [false, true, true]);
        let (all, universal) = for_prefixes(&automaton);
        assert_eq!((all.n_states(), all.n_edges()), (4, 6));
        assert_eq!(universal.iter().filter(|&&is_universal| is_universal).count(), 2);
        assert!(all.states().all(|state| !all.is_accepting(state)));
    }
}
