//! Random formulas through every way we have to judge them: the automaton
//! search, both label criteria, the definition of the logic on lassos, and
//! brute force over all short lassos. Seeds are fixed; a failure prints the
//! formula.
//!
//! `LWAA_ROUNDS` and `LWAA_SEED` make longer and other campaigns of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the seed"
)]

use lwaa::bdd::Diagrams;
use lwaa::check::{accepts, satisfiable_with};
use lwaa::configuration::Labels;
use lwaa::ltl::{Formula, semantics};
use lwaa::lwaa::membership;
use lwaa::search::limits::Monitor;
use lwaa::testbench::lassos::{all_lassos, random_lasso};
use lwaa::testbench::random_formula::{Options as Shape, random_formula};
use lwaa::testbench::{Random, campaign};
use lwaa::word::{Lasso, Letter};
use lwaa::{Options, Satisfiability};

/// A generator whose seed is printed, and seen when a test fails.
fn random(seed: u64) -> Random {
    let (random, seed) = campaign::random(seed);
    println!("seed {seed}");
    random
}

/// All ways to ask the search.
fn all_options() -> impl Iterator<Item = Options> {
    [(Labels::Exact, true), (Labels::Simple, true), (Labels::Exact, false), (Labels::Simple, false)]
        .into_iter()
        .map(|(labels, simplify)| Options { labels, simplify, ..Options::default() })
}

/// A formula of random size over one to three atoms.
fn formula(random: &mut Random) -> Formula {
    let size = 1 + random.below(16);
    let n_atoms = 1 + random.below(3);
    random_formula(&Shape { size, n_atoms, ..Shape::default() }, random)
}

fn check_membership<D: Diagrams>(formula: &Formula, word: &Lasso<Letter>) {
    let expected = semantics::holds(formula, word);
    for options in all_options() {
        let answer = accepts::<D>(formula, word, &options).unwrap();
        assert_eq!(answer, expected, "{formula} on {word:?} with {options:?}");
    }
    let automaton = lwaa::Lwaa::from_formula(formula);
    if automaton.atoms() == formula.atoms() {
        assert_eq!(membership::accepts(&automaton, word), expected, "{formula} on {word:?}");
    }
}

/// 20,000 pairs and more of a formula and a word: does the automaton accept
/// exactly the words on which the formula holds?
fn membership_rounds<D: Diagrams>() {
    let mut random = random(2_026);
    let mut n_pairs = 0;
    for _ in 0..campaign::rounds(2_100) {
        let formula = formula(&mut random);
        for _ in 0..10 {
            check_membership::<D>(
                &formula,
                &random_lasso(formula.atoms().len(), 3, 4, &mut random),
            );
            n_pairs += 1;
        }
    }
    assert!(20_000 <= n_pairs);
}

fn is_satisfiable<D: Diagrams>(formula: &Formula, options: &Options) -> bool {
    // Every witness has passed certification, or this is an error.
    let answer = satisfiable_with::<D>(formula, options, &Monitor::default()).unwrap();
    match answer.satisfiability {
        Satisfiability::Satisfiable(_) => true,
        Satisfiability::Unsatisfiable => false,
        Satisfiability::Unknown(reason) => panic!("{formula}: {reason}"),
    }
}

/// More than 2,000 formulas: satisfiability against all short lassos, and
/// against the answer for the negation.
fn satisfiability_rounds<D: Diagrams>() {
    let mut random = random(2_027);
    let short: Vec<Vec<Lasso<Letter>>> =
        vec![all_lassos(0, 1).collect(), all_lassos(1, 5).collect(), all_lassos(2, 4).collect()];
    let mut n_unsatisfiable = 0;
    for _ in 0..campaign::rounds(2_100) {
        let size = 1 + random.below(14);
        let n_atoms = 1 + random.below(2);
        let formula = random_formula(&Shape { size, n_atoms, ..Shape::default() }, &mut random);
        let negation = formula.negated();
        let words = &short[formula.atoms().len()];
        let found = words.iter().any(|word| semantics::holds(&formula, word));
        let refuted = words.iter().any(|word| semantics::holds(&negation, word));
        for options in all_options() {
            let answer = is_satisfiable::<D>(&formula, &options);
            assert!(answer || !found, "{formula} has a short model; {options:?}");
            let dual = is_satisfiable::<D>(&negation, &options);
            assert!(dual || !refuted, "{negation} has a short model; {options:?}");
            assert!(answer || dual, "{formula} and its negation; {options:?}");
            n_unsatisfiable += usize::from(!answer) + usize::from(!dual);
        }
    }
    assert!(500 < n_unsatisfiable, "only {n_unsatisfiable} unsatisfiable formulas");
}

#[test]
fn automata_accept_the_words_on_which_formulas_hold() {
    membership_rounds::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[test]
fn satisfiability_agrees_with_brute_force_and_with_the_negation() {
    satisfiability_rounds::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn automata_accept_the_words_on_which_formulas_hold_by_cudd() {
    membership_rounds::<lwaa::bdd::cudd::CuddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn satisfiability_agrees_with_brute_force_and_with_the_negation_by_cudd() {
    satisfiability_rounds::<lwaa::bdd::cudd::CuddDiagrams>();
}
