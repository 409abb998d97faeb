//! Random automata, for tests of what is done with automata.

use crate::baseline::cube::Cube;
use crate::baseline::nba::{Builder, Nba};
use crate::id::Id;
use crate::search::MarkId;
use crate::testbench::Random;
use crate::word::{AtomId, Atoms};

/// What random automata look like.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Options {
    /// At least one.
    pub(crate) n_states: usize,
    /// Over `p0`, `p1` and so on.
    pub(crate) n_atoms: usize,
    /// Acceptance sets.
    pub(crate) n_sets: usize,
    /// How many edges leave a state on the average.
    pub(crate) n_edges: usize,
    /// The probability that an edge is in an acceptance set.
    pub(crate) accepting: f64,
    /// The probability that an edge may lead anywhere, and not only to its source
    /// and what comes behind it: the less, the more components there are.
    pub(crate) backward: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self { n_states: 4, n_atoms: 2, n_sets: 1, n_edges: 3, accepting: 0.3, backward: 1.0 }
    }
}

/// A random automaton whose first state is initial.
///
/// # Panics
///
/// If there are to be no states.
pub(crate) fn random_nba(options: &Options, random: &mut Random) -> Nba {
    let mut atoms = Atoms::default();
    for number in 0..options.n_atoms {
        atoms.intern(&format!("p{number}"));
    }
    let mut builder = Builder::new(atoms, options.n_sets);
    let states: Vec<_> = (0..options.n_states).map(|_| builder.add_state()).collect();
    builder.add_initial(states[0]);
    for _ in 0..options.n_states * options.n_edges {
        let source = random.below(states.len());
        let first = if random.chance(options.backward) { 0 } else { source };
        let target = states[first + random.below(states.len() - first)];
        let mut cube = Cube::truth();
        for atom in (0..options.n_atoms).map(AtomId::new) {
            if random.coin() {
                let literal = Cube::literal(atom, random.coin());
                cube = cube.and(&literal).expect("about another atom");
            }
        }
        let sets = (0..options.n_sets).map(MarkId::new);
        let sets: Vec<MarkId> = sets.filter(|_| random.chance(options.accepting)).collect();
        builder.add_edge(states[source], &cube, sets, target);
    }
    builder.finish()
}
