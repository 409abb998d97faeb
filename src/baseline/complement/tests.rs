//! Complements against membership, word by word.

use super::*;
use crate::baseline::word_graph::accepts;
use crate::search::limits::{Limits, Monitor};
use crate::testbench::lassos::all_lassos;
use crate::testbench::random_nba::{Options, random_nba};
use crate::testbench::{Random, campaign};

/// Whether every short word is accepted by exactly one of the two.
fn check(shape: &Options, max_positions: usize, random: &mut Random) -> Option<(usize, bool)> {
    let automaton = random_nba(shape, random);
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let rest = complement(&automaton, 20_000, &mut budget).ok()?;
    assert!(rest.is_state_based());
    let mut n_accepted = 0;
    let mut n_words = 0;
    for word in all_lassos(shape.n_atoms, max_positions) {
        let is_in = accepts(&automaton, &word, &mut budget).unwrap();
        let is_out = accepts(&rest, &word, &mut budget).unwrap();
        assert_ne!(is_in, is_out, "{automaton:?} on {word:?}");
        n_accepted += usize::from(is_in);
        n_words += 1;
    }
    Some((rest.n_states(), 0 < n_accepted && n_accepted < n_words))
}

#[test]
fn every_word_is_accepted_by_the_automaton_or_its_complement() {
    let (mut random, seed) = campaign::random(52);
    println!("seed {seed}");
    let (mut n_answers, mut n_mixed) = (0, 0);
    let n_rounds = campaign::rounds(600);
    for round in 0..n_rounds {
        let n_atoms = 1 + round % 2;
        let shape = Options {
            n_states: 1 + random.below(6),
            n_atoms,
            n_sets: random.below(3),
            n_edges: 2 + random.below(3),
            accepting: if random.coin() { 0.3 } else { 0.6 },
        };
        if let Some((_, is_mixed)) = check(&shape, [7, 4][n_atoms - 1], &mut random) {
            n_answers += 1;
            n_mixed += usize::from(is_mixed);
        }
    }
    assert!(9 * n_rounds < 10 * n_answers, "only {n_answers} of {n_rounds} are small enough");
    assert!(n_rounds < 3 * n_mixed, "only {n_mixed} of {n_rounds} tell words apart");
}

#[test]
fn what_is_too_large_is_given_up() {
    let shape = Options { n_states: 12, n_edges: 6, ..Options::default() };
    let automaton = random_nba(&shape, &mut Random::new(3));
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let outcome = complement(&automaton, 50, &mut budget);
    assert_eq!(outcome.unwrap_err(), Exhausted::States { limit: 50 });
}

#[test]
fn the_complement_of_nothing_is_everything() {
    let automaton = Builder::new(crate::word::Atoms::default(), 1).finish();
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let all = complement(&automaton, 10, &mut budget).unwrap();
    assert_eq!((all.n_states(), all.n_edges()), (1, 1));
    assert!(accepts(&all, &all_lassos(0, 1).next().unwrap(), &mut budget).unwrap());
}
