//! All strategies on the same formulas: nobody contradicts the explicit search, and
//! every model is certified.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::check::{Options, satisfiable};
use lwaa::ltl::Formula;
use lwaa::search::limits::Limits;
use lwaa::testbench::random::Random;
use lwaa::testbench::random_formula::{self, random_formula};
use lwaa::verdict::{Satisfiability, Strategy};
use std::time::Duration;

/// Whether `formula` has a model; `None` if a limit was reached. A model that is
/// none is an error already.
fn answer(formula: &Formula, strategy: Option<Strategy>, time: Duration) -> Option<bool> {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let options = Options { strategy, limits, ..Options::default() };
    let answer = satisfiable(formula, &options).unwrap();
    if answer.statistics.strategy.is_none() {
        assert!(matches!(answer.satisfiability, Satisfiability::Unknown(_)));
    }
    match answer.satisfiability {
        Satisfiability::Satisfiable(_) => Some(true),
        Satisfiability::Unsatisfiable => Some(false),
        Satisfiability::Unknown(_) => None,
    }
}

/// The strategies besides the explicit one.
const OTHERS: [Option<Strategy>; 2] = [Some(Strategy::Bounded), None];

#[test]
fn nobody_contradicts_the_explicit_search() {
    let mut random = Random::new(17);
    let mut n_answers = [0; OTHERS.len()];
    for round in 0..1200 {
        let size = 4 + round % 25;
        let shape = random_formula::Options { size, n_atoms: 3, ..Default::default() };
        let formula = random_formula(&shape, &mut random);
        let expected = answer(&formula, Some(Strategy::Explicit), Duration::from_secs(60)).unwrap();
        for (strategy, count) in OTHERS.into_iter().zip(&mut n_answers) {
            let found = answer(&formula, strategy, Duration::from_millis(100));
            assert!(found.is_none_or(|found| found == expected), "{strategy:?}: {formula}");
            assert!(found.is_some() || !expected, "{strategy:?} finds no model of {formula}");
            *count += usize::from(found.is_some());
        }
    }
    assert!(n_answers.iter().all(|&count| 1000 < count), "{n_answers:?}");
}
