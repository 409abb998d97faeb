//! Random Kripke structures.
//!
//! Graphs are made as in [TH02], figure 8: from a first state on, every state
//! gets a successor that was not reachable before, as long as there is one, and
//! after that an edge to each state by chance; one that still has no successor
//! repeats itself. So all states are reachable from the first, and there are no
//! dead ends.
//!
//! [TH02]: crate::references::th02

use super::Random;
use super::tableau::Kripke;
use crate::id::Id;
use crate::word::{AtomId, Letter};

/// What random structures look like.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The number of states. Zero counts as one.
    pub n_states: usize,
    /// How many atoms the letters are about.
    pub n_atoms: usize,
    /// The probability of an edge between two states: *d* in the paper.
    pub density: f64,
    /// The probability that an atom is true in a state: *t* in the paper.
    pub truth: f64,
}

impl Default for Options {
    /// A small graph; the paper has 50 states.
    fn default() -> Self {
        Self { n_states: 12, n_atoms: 3, density: 0.1, truth: 0.5 }
    }
}

/// A random graph all of whose states are reachable from the first one, which
/// is initial.
///
/// ```
/// use lwaa::testbench::{Random, random_kripke::{Options, random_kripke}};
/// let graph = random_kripke(&Options::default(), &mut Random::new(1));
/// assert_eq!(graph.letters.len(), 12);
/// assert!(graph.successors.iter().all(|successors| !successors.is_empty()));
/// ```
pub fn random_kripke(options: &Options, random: &mut Random) -> Kripke {
    let n_states = options.n_states.max(1);
    let mut graph = Kripke {
        successors: vec![Vec::new(); n_states],
        letters: vec![Letter::new(); n_states],
        initial: vec![0],
    };
    let mut open = vec![0];
    let mut unreachable: Vec<usize> = (1..n_states).collect();
    while !open.is_empty() {
        let state = open.swap_remove(random.below(open.len()));
        graph.letters[state] = letter(options, random);
        let mut is_successor = vec![false; n_states];
        if !unreachable.is_empty() {
            let fresh = unreachable.swap_remove(random.below(unreachable.len()));
            open.push(fresh);
            is_successor[fresh] = true;
        }
        for (target, is_successor) in is_successor.iter_mut().enumerate() {
            if random.chance(options.density) {
                *is_successor = true;
                if let Some(place) = unreachable.iter().position(|&other| other == target) {
                    unreachable.swap_remove(place);
                    open.push(target);
                }
            }
        }
        if !is_successor.contains(&true) {
            is_successor[state] = true;
        }
        graph.successors[state] = (0..n_states).filter(|&target| is_successor[target]).collect();
    }
    graph
}

fn letter(options: &Options, random: &mut Random) -> Letter {
    let atoms = (0..options.n_atoms).map(AtomId::new);
    atoms.filter(|_| random.chance(options.truth)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_reachable_and_none_is_a_dead_end() {
        let mut random = Random::new(1);
        for round in 0..200 {
            let options = Options {
                n_states: 1 + round % 20,
                density: [0.0, 0.1, 1.0][round % 3],
                ..Options::default()
            };
            let graph = random_kripke(&options, &mut random);
            let mut reached = vec![false; options.n_states];
            let mut open = vec![0];
            while let Some(state) = open.pop() {
                if !std::mem::replace(&mut reached[state], true) {
                    open.extend(&graph.successors[state]);
                }
            }
            assert!(reached.iter().all(|&reached| reached));
            assert!(graph.successors.iter().all(|successors| !successors.is_empty()));
        }
    }

    #[test]
    fn density_and_truth_are_probabilities() {
        let options = Options { n_states: 100, n_atoms: 2, density: 0.2, truth: 0.7 };
        let graph = random_kripke(&options, &mut Random::new(2));
        let n_edges: usize = graph.successors.iter().map(Vec::len).sum();
        let n_true: usize = graph.letters.iter().map(|letter| letter.iter().count()).sum();
        assert!((1_900..2_300).contains(&n_edges), "{n_edges}");
        assert!((120..160).contains(&n_true), "{n_true}");
    }
}
