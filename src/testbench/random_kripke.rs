//! Random Kripke structures.
//!
//! The algorithm is that of Tauriainen and Heljanko, *Testing LTL formula
//! translation into Büchi automata*, STTT 2002, figure 8: every state can be
//! reached from the first one and has a successor. Its *n*, *d* and *t* are
//! [`Options::n_states`], [`Options::density`] and [`Options::truth`].

use super::Random;
use super::kripke::Kripke;
use crate::id::Id;
use crate::lang::kripke::Structure;
use crate::word::{AtomId, Atoms, Letter};

/// What random structures look like.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The number of states. Zero counts as one.
    pub n_states: usize,
    /// How many atoms there are: `p0`, `p1` and so on.
    pub n_atoms: usize,
    /// The probability of an edge from one state to another, besides those that
    /// make all states reachable.
    pub density: f64,
    /// The probability that an atom is true in a state.
    pub truth: f64,
}

impl Default for Options {
    /// The structures that the authors used for their experiments, with three
    /// atoms.
    fn default() -> Self {
        Self { n_states: 50, n_atoms: 3, density: 0.1, truth: 0.5 }
    }
}

/// A random structure; its initial state is the first one.
///
/// ```
/// use lwaa::testbench::{Random, random_kripke::{Options, random_kripke}};
/// let structure = random_kripke(&Options::default(), &mut Random::new(1));
/// assert_eq!(structure.successors.len(), 50);
/// assert!(structure.successors.iter().all(|targets| !targets.is_empty()));
/// ```
pub fn random_kripke(options: &Options, random: &mut Random) -> Kripke {
    let n_states = options.n_states.max(1);
    let mut letters = vec![Letter::new(); n_states];
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); n_states];
    let mut open = vec![0];
    let mut unreachable = Unreachable::new(n_states);
    while !open.is_empty() {
        let state = open.swap_remove(random.below(open.len()));
        for atom in (0..options.n_atoms).map(AtomId::new) {
            if random.chance(options.truth) {
                letters[state].set(atom, true);
            }
        }
        if !unreachable.states.is_empty() {
            let target = unreachable.states[random.below(unreachable.states.len())];
            unreachable.remove(target);
            open.push(target);
            successors[state].push(target);
        }
        for target in 0..n_states {
            if !random.chance(options.density) {
                continue;
            }
            successors[state].push(target);
            if unreachable.remove(target) {
                open.push(target);
            }
        }
        if successors[state].is_empty() {
            successors[state].push(state);
        }
    }
    // The edge that makes a state reachable may have come a second time.
    for targets in &mut successors {
        targets.sort_unstable();
        targets.dedup();
    }
    Kripke { successors, letters, initial: vec![0] }
}

/// The states that have no edge to them so far.
struct Unreachable {
    states: Vec<usize>,
    /// Where each state stands in the list, if it does.
    places: Vec<Option<usize>>,
}

impl Unreachable {
    fn new(n_states: usize) -> Self {
        let places = (0..n_states).map(|state| state.checked_sub(1)).collect();
        Self { states: (1..n_states).collect(), places }
    }

    /// Whether a state was there to be taken out.
    fn remove(&mut self, state: usize) -> bool {
        let Some(place) = self.places[state].take() else { return false };
        self.states.swap_remove(place);
        if let Some(&moved) = self.states.get(place) {
            self.places[moved] = Some(place);
        }
        true
    }
}

/// The structure as a text is read: states are called by their numbers, atoms
/// `p0`, `p1` and so on.
#[must_use]
pub fn structure(kripke: &Kripke, n_atoms: usize) -> Structure {
    let mut atoms = Atoms::default();
    for atom in 0..n_atoms {
        atoms.intern(&format!("p{atom}"));
    }
    Structure {
        atoms,
        names: (0..kripke.letters.len()).map(|state| state.to_string()).collect(),
        letters: kripke.letters.clone(),
        successors: kripke.successors.clone(),
        initial: kripke.initial.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_can_be_reached_and_left() {
        for seed in 0..50 {
            let mut random = Random::new(seed);
            let options =
                Options { n_states: 1 + random.below(60), density: 0.02, ..Options::default() };
            let graph = random_kripke(&options, &mut random);
            let mut reached = vec![false; options.n_states];
            let mut open = graph.initial.clone();
            while let Some(state) = open.pop() {
                assert!(!graph.successors[state].is_empty());
                if !std::mem::replace(&mut reached[state], true) {
                    open.extend(&graph.successors[state]);
                }
            }
            assert!(reached.iter().all(|&reached| reached));
        }
    }

    #[test]
    fn densities_are_probabilities() {
        let options = Options { n_states: 300, n_atoms: 10, density: 0.1, truth: 0.25 };
        let graph = random_kripke(&options, &mut Random::new(3));
        let n_edges: usize = graph.successors.iter().map(Vec::len).sum();
        // One edge in ten, and about one more for each state.
        assert!((8_700..9_900).contains(&n_edges), "{n_edges}");
        let n_true: usize = graph.letters.iter().map(|letter| letter.iter().count()).sum();
        assert!((650..850).contains(&n_true), "{n_true}");
        let none = Options { density: 0.0, truth: 0.0, n_states: 4, n_atoms: 2 };
        let graph = random_kripke(&none, &mut Random::new(3));
        assert!(graph.successors.iter().all(|targets| targets.len() == 1));
    }

    #[test]
    fn a_seed_means_the_same_structure_for_ever() {
        let options = Options { n_states: 4, n_atoms: 2, ..Options::default() };
        let graph = random_kripke(&options, &mut Random::new(0));
        insta::assert_snapshot!(structure(&graph, 2), @r"
        atoms p0 p1
        initial 0
        state 0 p0 p1 -> 3
        state 1 p1 -> 1
        state 2 p1 -> 1
        state 3 p1 -> 2
        ");
    }
}
