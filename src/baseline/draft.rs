//! Automata that are still changed: what translations build and reductions
//! work on, until it becomes an [`Nba`].

use super::bits::Bits;
use super::cube::Cube;
use super::nba::{self, Builder, Nba, StateId};
use crate::id::{Id, IdVec};
use crate::search::MarkId;
use crate::word::Atoms;

/// An edge of a [`Draft`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Edge {
    pub(super) target: StateId,
    pub(super) cube: Cube,
    /// The acceptance sets that it is in.
    pub(super) sets: Bits,
}

/// An automaton with the same meaning as an [`Nba`] of the same contents.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    pub(super) atoms: Atoms,
    pub(super) n_sets: usize,
    pub(super) initial: Vec<StateId>,
    pub(super) edges: IdVec<StateId, Vec<Edge>>,
}

impl Draft {
    /// The contents of `automaton`.
    pub(super) fn of(automaton: &Nba) -> Self {
        let edge = |edge: &nba::Edge| Edge {
            target: edge.target,
            cube: automaton.cube(edge.cube).clone(),
            sets: automaton.sets(edge.sets).iter().map(|set| set.index()).collect(),
        };
        let edges =
            automaton.states().map(|state| automaton.edges(state).iter().map(edge).collect());
        Self {
            atoms: automaton.atoms().clone(),
            n_sets: automaton.n_sets(),
            initial: automaton.initial().to_vec(),
            edges: edges.collect(),
        }
    }

    pub(super) fn n_states(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn n_edges(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    pub(super) fn into_nba(self) -> Nba {
        let mut builder = Builder::new(self.atoms, self.n_sets);
        for _ in self.edges.ids() {
            builder.add_state();
        }
        self.initial.into_iter().for_each(|state| builder.add_initial(state));
        for (state, edges) in self.edges.entries() {
            for Edge { target, cube, sets } in edges {
                builder.add_edge(state, cube, sets.iter().map(MarkId::new), *target);
            }
        }
        builder.finish()
    }
}
