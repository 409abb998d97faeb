//! Complements against membership, word by word.

use super::*;
use crate::baseline::word_graph::accepts;
use crate::search::limits::{Limits, Monitor};
use crate::testbench::lassos::all_lassos;
use crate::testbench::random_nba::{Options, random_nba};
use crate::testbench::{Random, campaign};

/// Every short word is accepted by the automaton or by its complement, not by
/// both. Says whether there are words of both kinds; nothing if the complement
/// is too large.
fn every_short_word(automaton: &Nba, max_positions: usize) -> Option<bool> {
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let rest = complement(automaton, 20_000, &mut budget).ok()?;
    assert!(rest.is_state_based());
    let mut n_accepted = 0;
    let mut n_words = 0;
    for word in all_lassos(automaton.atoms().len(), max_positions) {
        let is_in = accepts(automaton, &word, &mut budget).unwrap();
        let is_out = accepts(&rest, &word, &mut budget).unwrap();
        assert_ne!(is_in, is_out, "{automaton:?} on {word:?}");
        n_accepted += usize::from(is_in);
        n_words += 1;
    }
    Some(0 < n_accepted && n_accepted < n_words)
}

#[test]
fn every_word_is_accepted_by_the_automaton_or_its_complement() {
    let (mut random, _) = campaign::random(52);
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
            backward: [0.0, 0.1, 1.0][random.below(3)],
        };
        let automaton = random_nba(&shape, &mut random);
        if let Some(is_mixed) = every_short_word(&automaton, [7, 4][n_atoms - 1]) {
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

/// A run may leave the first state for an accepting one and wait in one of two
/// places for `b`. On `a a a …` only one place can be chosen to have the rank 1;
/// those in the other one have the even rank 2, and for ever unless they leave it
/// all at once.
#[test]
fn those_who_are_waited_for_leave_their_rank() {
    let mut atoms = crate::word::Atoms::default();
    let b = atoms.intern("b");
    let [a, b] = [false, true].map(|positive| Cube::literal(b, positive));
    let mut builder = Builder::new(atoms, 1);
    let [stay, leave] = [(); 2].map(|()| builder.add_state());
    builder.add_initial(stay);
    builder.add_edge(stay, &a, [], stay);
    builder.add_edge(stay, &a, [], leave);
    for _ in 0..2 {
        let [wait, served] = [(); 2].map(|()| builder.add_state());
        builder.add_edge(leave, &Cube::truth(), builder.all_sets(), wait);
        builder.add_edge(wait, &a, [], wait);
        builder.add_edge(wait, &b, [], served);
        builder.add_edge(served, &Cube::truth(), builder.all_sets(), wait);
    }
    assert_eq!(every_short_word(&builder.finish(), 6), Some(true));
}
