//! Translations to explicit automata against the meaning of formulas: on
//! random lassos, on all short ones, and on whether there is a word at all.
//! Published sizes.
//!
//! `LWAA_ROUNDS` and `LWAA_SEED` make longer and other campaigns of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the seed"
)]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::Options;
use lwaa::Satisfiability::Satisfiable;
use lwaa::baseline::Nba;
use lwaa::baseline::translation::{Translation, buchi, generalized};
use lwaa::baseline::word_graph::{accepts, example};
use lwaa::ltl::nnf::{self, Nnf};
use lwaa::ltl::simplify::simplify;
use lwaa::ltl::{Formula, semantics};
use lwaa::search::limits::{Budget, Exhausted, Limits, Monitor};
use lwaa::testbench::Random;
use lwaa::testbench::lassos::{all_lassos, random_lasso};
use lwaa::testbench::random_formula::{Options as Shape, random_formula};
use std::time::{Duration, Instant};

fn random(seed: u64) -> Random {
    let (random, seed) = campaign::random(seed);
    println!("seed {seed}");
    random
}

/// Calls `ask` with a budget without limits.
fn freely<T>(ask: impl FnOnce(&mut Budget<'_>) -> Result<T, Exhausted>) -> T {
    let monitor = Monitor::default();
    ask(&mut Budget::new(Limits::default(), &monitor)).unwrap()
}

/// Every automaton that we make of `formula`, with how it was made.
fn automata(formula: &Formula) -> Vec<(String, Nba)> {
    let written = nnf::from_formula(formula);
    let simple = simplify(&written);
    let mut all = Vec::new();
    for method in Translation::ALL {
        for (nnf, simplified) in [(&written, false), (&simple, true)] {
            for raw in [false, true] {
                let name = format!("{}, raw {raw}, formula simplified {simplified}", method.name());
                let several = freely(|budget| generalized(nnf, method, raw, budget));
                let one = freely(|budget| buchi(nnf, method, raw, budget));
                assert!(one.n_sets() == 1 && one.is_state_based(), "{formula}: {name}");
                all.push((format!("{name}, generalized"), several));
                all.push((name, one));
            }
        }
    }
    all
}

fn formula(random: &mut Random) -> Formula {
    let size = 1 + random.below(12);
    let n_atoms = 1 + random.below(3);
    random_formula(&Shape { size, n_atoms, ..Shape::default() }, random)
}

#[test]
fn automata_accept_what_satisfies_the_formula() {
    let mut random = random(50);
    let mut n_true = 0;
    let rounds = campaign::rounds(1000);
    for _ in 0..rounds {
        let formula = formula(&mut random);
        let automata = automata(&formula);
        for _ in 0..6 {
            let word = random_lasso(formula.atoms().len(), 3, 4, &mut random);
            let expected = semantics::holds(&formula, &word);
            n_true += usize::from(expected);
            for (name, automaton) in &automata {
                let accepted = freely(|budget| accepts(automaton, &word, budget));
                assert_eq!(accepted, expected, "{formula}: {name}: {word:?}");
            }
        }
    }
    println!("{n_true} of {} words are models", 6 * rounds);
}

#[test]
fn automata_accept_all_short_models_and_no_others() {
    let mut random = random(51);
    for _ in 0..campaign::rounds(60) {
        let size = 1 + random.below(16);
        let formula = random_formula(&Shape { size, n_atoms: 2, ..Shape::default() }, &mut random);
        let automata = automata(&formula);
        for word in all_lassos(formula.atoms().len(), 3) {
            let expected = semantics::holds(&formula, &word);
            for (name, automaton) in &automata {
                let accepted = freely(|budget| accepts(automaton, &word, budget));
                assert_eq!(accepted, expected, "{formula}: {name}: {word:?}");
            }
        }
    }
}

#[test]
fn fairness_and_nested_untils() {
    let formulas = [
        "G F p0 & G F p1 & G F p2",
        "(F G p0 | G F p1) & (F G p1 | G F p2)",
        "p0 U (p1 U (p2 U p0))",
        "G (p0 -> F p1) & G (p1 -> F p2) & G F p0",
        "G F (p0 & X p1) | F G (p1 U p2)",
        "(p0 U p1) U (p1 U p2)",
        "G (p0 U p1 | p1 U p2)",
        "F (p0 & X F (p1 & X F p2))",
        "G F p0 & F G !p0",
        "true U true",
        "G true & (p0 U false | p1)",
    ];
    let mut random = random(52);
    for text in formulas {
        let formula = Formula::parse(text).unwrap();
        let automata = automata(&formula);
        for _ in 0..campaign::rounds(200) {
            let word = random_lasso(formula.atoms().len(), 3, 5, &mut random);
            let expected = semantics::holds(&formula, &word);
            for (name, automaton) in &automata {
                let accepted = freely(|budget| accepts(automaton, &word, budget));
                assert_eq!(accepted, expected, "{formula}: {name}: {word:?}");
            }
        }
    }
}

#[test]
fn automata_are_empty_where_formulas_are_unsatisfiable() {
    let mut random = random(53);
    let mut n_empty = 0;
    for _ in 0..campaign::rounds(400) {
        let [one, other] = [formula(&mut random), formula(&mut random)];
        // Two at once are often contradictory.
        let formula = Formula::parse(&format!("({one}) & ({other})")).unwrap();
        let answer = lwaa::satisfiable(&formula, &Options::default()).unwrap();
        let expected = matches!(answer.satisfiability, Satisfiable(_));
        n_empty += usize::from(!expected);
        for (name, automaton) in automata(&formula) {
            let word = freely(|budget| example(&automaton, budget));
            assert_eq!(word.is_some(), expected, "{formula}: {name}");
            if let Some(word) = word {
                assert!(semantics::holds(&formula, &word), "{formula}: {name}: {word:?}");
            }
        }
    }
    println!("{n_empty} are unsatisfiable");
    assert_ne!(n_empty, 0);
}

/// The formulas of van Wyk's table 5.
const TABLE_5: [&str; 4] =
    ["p U q", "G F p -> G F q", "F p U G q", "!((F F p -> F p) & (F p -> F F p))"];

fn written(text: &str) -> Nnf {
    nnf::from_formula(&Formula::parse(text).unwrap())
}

#[test]
fn tableaux_have_as_many_nodes_as_published() {
    // The table has 22 for the last one, which no reading of the algorithm gives.
    for (text, expected) in TABLE_5.into_iter().zip([3, 9, 8, 7]) {
        let nnf = written(text);
        let automaton = freely(|budget| generalized(&nnf, Translation::Gpvw, true, budget));
        assert_eq!(automaton.n_states(), expected + 1, "{text}: with the initial state");
    }
}

#[test]
fn optimizing_translations_have_at_most_as_many_states_as_published() {
    for (text, bound) in TABLE_5.into_iter().zip([2, 6, 5, 3]) {
        let nnf = written(text);
        for (method, raw) in [
            (Translation::Gpvw, false),
            (Translation::GastinOddoux, false),
            (Translation::GastinOddoux, true),
        ] {
            let automaton = freely(|budget| buchi(&nnf, method, raw, budget));
            assert!(automaton.n_states() <= bound, "{text}: {}, raw {raw}", method.name());
        }
    }
}

/// `n` strong fairness conditions and a goal that is missed.
fn strong_fairness(n: usize) -> Nnf {
    let pairs: Vec<String> = (1..=n).map(|i| format!("(GF p{i} -> GF q{i})")).collect();
    written(&format!("!(({}) -> GF r)", pairs.join(" & ")))
}

#[test]
fn gastin_oddoux_is_as_small_as_the_original_tool() {
    // Published for ltl2ba 1.1.
    for (n, published) in [(2, 23), (3, 67), (4, 195)] {
        let formula = strong_fairness(n);
        let size = |raw| {
            freely(|budget| buchi(&formula, Translation::GastinOddoux, raw, budget)).n_states()
        };
        assert!(size(true) <= published, "{n}: {}", size(true));
        assert!(2 * size(false) < published + 4, "{n}, with simulation: {}", size(false));
    }
    // One state waits for the request, and then one for each level.
    for n in 1..5 {
        let recurring: Vec<String> = (1..=n).map(|i| format!("GF p{i}")).collect();
        let formula = written(&format!("!(({}) -> G (q -> F r))", recurring.join(" & ")));
        let automaton = freely(|budget| buchi(&formula, Translation::GastinOddoux, true, budget));
        assert_eq!(automaton.n_states(), n + 2);
    }
}

#[test]
fn limits_are_kept() {
    let monitor = Monitor::default();
    for method in Translation::ALL {
        for (limits, formula) in [
            (Limits { states: Some(1000), ..Limits::default() }, strong_fairness(9)),
            (
                Limits { time: Some(Duration::from_millis(200)), ..Limits::default() },
                strong_fairness(12),
            ),
        ] {
            let start = Instant::now();
            let answer = buchi(&formula, method, false, &mut Budget::new(limits, &monitor));
            assert!(answer.is_err(), "{}", method.name());
            assert!(start.elapsed() < Duration::from_secs(5), "{}", method.name());
        }
    }
}
