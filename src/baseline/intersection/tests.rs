//! Common words against membership.

use super::*;
use crate::baseline::word_graph::accepts;
use crate::search::limits::{Limits, Monitor};
use crate::testbench::lassos::all_lassos;
use crate::testbench::{campaign, random_nba};

#[test]
fn a_common_word_is_found_exactly_if_there_is_one() {
    let (mut random, seed) = campaign::random(51);
    let words: Vec<_> = all_lassos(1, 6).collect();
    let monitor = Monitor::default();
    let mut n_empty = 0;
    for round in 0..campaign::rounds(300) {
        let shape = random_nba::Options { n_states: 3, n_atoms: 1, ..Default::default() };
        let [one, other] = [(); 2].map(|()| random_nba::random_nba(&shape, &mut random));
        let mut budget = Budget::new(Limits::default(), &monitor);
        let found = common_word(&one, &other, &mut budget).unwrap();
        let mut both =
            |word| [&one, &other].iter().all(|nba| accepts(nba, word, &mut budget).unwrap());
        if let Some(word) = &found {
            assert!(both(word), "round {round}, seed {seed}");
        } else {
            n_empty += 1;
            assert!(!words.iter().any(both), "round {round}, seed {seed}");
        }
    }
    assert!((20..280).contains(&n_empty), "{n_empty}");
}
