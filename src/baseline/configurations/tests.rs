//! What is written out accepts what the semantics says.

use super::*;
use crate::baseline::word_graph::accepts;
use crate::ltl::semantics::holds;
use crate::ltl::{Formula, nnf};
use crate::lwaa::build;
use crate::search::limits::{Limits, Monitor};
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::testbench::random_formula::{Options, random_formula};

fn explicit(lwaa: &Lwaa) -> Nba {
    let monitor = Monitor::default();
    generalized(lwaa, &mut Budget::new(Limits::default(), &monitor)).unwrap()
}

#[test]
fn random_formulas_accept_what_the_semantics_says() {
    let mut random = Random::new(2005);
    let mut verdicts = [0; 2];
    for round in 0..400 {
        let options = Options { size: 1 + round % 12, ..Options::default() };
        let formula = random_formula(&options, &mut random);
        let raw = build::raw_from_nnf(nnf::from_formula(&formula));
        let lwaa = Lwaa::from_formula(&formula);
        let monitor = Monitor::default();
        let buchi = buchi(&lwaa, &mut Budget::new(Limits::default(), &monitor)).unwrap();
        assert!(buchi.n_sets() == 1 && buchi.is_state_based());
        let automata = [explicit(&lwaa), explicit(&raw), buchi];
        for _ in 0..20 {
            let word = random_lasso(formula.atoms().len(), 3, 4, &mut random);
            let expected = holds(&formula, &word);
            verdicts[usize::from(expected)] += 1;
            for automaton in &automata {
                let monitor = Monitor::default();
                let mut budget = Budget::new(Limits::default(), &monitor);
                // Every form of a formula numbers its atoms alike.
                assert_eq!(accepts(automaton, &word, &mut budget), Ok(expected), "{formula}");
            }
        }
    }
    assert!(verdicts.iter().all(|&n| 1000 < n), "{verdicts:?}");
}

/// Fewest locations are not enough: loops count.
#[test]
fn ways_with_fewer_loops_stay() {
    let automaton = explicit(&Lwaa::from_formula(&Formula::parse("G X F G p").unwrap()));
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let example = crate::baseline::word_graph::example(&automaton, &mut budget).unwrap();
    assert!(example.is_some());
}

#[test]
fn there_are_limits() {
    let lwaa = Lwaa::from_formula(&Formula::parse("F a & F b & F c & F d").unwrap());
    let monitor = Monitor::default();
    let limits = Limits { states: Some(3), ..Limits::default() };
    let found = generalized(&lwaa, &mut Budget::new(limits, &monitor));
    assert_eq!(found.unwrap_err(), Exhausted::States { limit: 3 });
}
