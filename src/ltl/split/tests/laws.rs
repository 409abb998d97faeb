//! Every law alone: both sides mean the same, and it takes its left side apart
//! as it says.

use super::{difference, has_recurrence, is_recurrence, parse, split, together, words, wrong_form};
use crate::ltl::Formula;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// How many instances of a law are tried, and how many of them at least must
/// be taken apart into a recurrence and rests without one.
const N_INSTANCES: usize = 300;
const N_APPLIED: usize = 100;

/// The laws, and how many parts there are if `a` and `b` are atoms and `s` is
/// `G F p`.
const LAWS: &[(&str, usize)] = &[
    ("X s = s", 1),
    ("F s = s", 1),
    ("G s = s", 1),
    ("a U s = s", 1),
    ("a R s = s", 1),
    ("X (s & a) = s & X a", 1),
    ("X (s | a) = s | X a", 2),
    ("F (s & a) = s & F a", 1),
    ("F (s | a) = s | F a", 2),
    ("G (s & a) = s & G a", 1),
    ("G (s | a) = s | G a", 2),
    ("a U (s & b) = s & (a U b)", 1),
    ("a U (s | b) = s | (a U b)", 2),
    ("a R (s & b) = s & (a R b)", 1),
    ("a R (s | b) = s | (a R b)", 2),
    ("s U b = b | (s & F b)", 2),
    ("s R b = (s & b) | G b", 2),
    ("(s & a) U b = b | (s & (a U b))", 2),
    ("(s | a) U b = (a U b) | (s & F b)", 2),
    ("(s & a) R b = G b | (s & (a R b))", 2),
    ("(s | a) R b = b & (s | (a R b))", 2),
    ("G F (s & a) = s & G F a", 1),
    ("G F (s | a) = s | G F a", 1),
    ("F G (s & a) = s & F G a", 1),
    ("F G (s | a) = s | F G a", 1),
];

/// `side` with formulas in the place of its letters.
fn instance(side: &str, [a, b, s]: [&str; 3]) -> String {
    let mut result = String::new();
    for character in side.chars() {
        match character {
            'a' => result.extend(["(", a, ")"]),
            'b' => result.extend(["(", b, ")"]),
            's' => result.extend(["(", s, ")"]),
            _ => result.push(character),
        }
    }
    result
}

/// Formulas without temporal operators over three atoms, written down.
fn propositional() -> impl Strategy<Value = String> {
    let leaf = proptest::sample::select(vec!["p", "q", "r", "!p", "!q", "!r", "true", "false"]);
    leaf.prop_map(str::to_owned).prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), proptest::sample::select(vec!["&", "|"]), inner)
            .prop_map(|(a, operator, b)| format!("({a}) {operator} ({b})"))
    })
}

/// Boolean combinations of limits, written down.
pub(super) fn recurrences() -> impl Strategy<Value = String> {
    let leaf = (proptest::sample::select(vec!["G F", "F G"]), propositional())
        .prop_map(|(limit, argument)| format!("{limit} ({argument})"));
    leaf.prop_recursive(2, 4, 2, |inner| {
        (inner.clone(), proptest::sample::select(vec!["&", "|"]), inner)
            .prop_map(|(a, operator, b)| format!("({a}) {operator} ({b})"))
    })
}

/// Any formulas, written down.
pub(super) fn formulas(depth: u32) -> impl Strategy<Value = String> {
    let literals = proptest::sample::select(vec!["p", "q", "r", "!p", "!q", "!r"]);
    literals.prop_map(str::to_owned).prop_recursive(depth, 16, 2, |inner| {
        let unary = proptest::sample::select(vec!["X", "F", "G", "G F", "F G"]);
        let binary = proptest::sample::select(vec!["&", "|", "U", "R"]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(operator, a)| format!("{operator} ({a})")),
            (inner.clone(), binary, inner)
                .prop_map(|(a, operator, b)| format!("({a}) {operator} ({b})")),
        ]
    })
}

fn formula(text: &str) -> Formula {
    Formula::parse(text).expect("a formula")
}

#[test]
fn every_law_holds_and_is_applied() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = (formulas(3), formulas(3), recurrences(), words(24));
    for (law, _) in LAWS {
        let (left, right) = law.split_once(" = ").expect("a law has two sides");
        let mut n_applied = 0;
        for _ in 0..N_INSTANCES {
            let (a, b, s, words) =
                strategy.new_tree(&mut runner).expect("nothing is rejected").current();
            let [left, right] = [left, right].map(|side| instance(side, [&a, &b, &s]));
            let wrong = difference(&formula(&left), &formula(&right), &words);
            assert_eq!(wrong, None, "{law} is wrong");
            let parts = split(&parse(&left));
            assert_eq!(parts.iter().find_map(wrong_form), None, "{left}");
            assert_eq!(difference(&formula(&left), &together(&parts), &words), None, "{law}");
            let applied = parts.iter().any(|part| is_recurrence(&part.recurrence))
                && !parts.iter().any(|part| has_recurrence(&part.rest));
            n_applied += usize::from(applied);
        }
        assert!(N_APPLIED <= n_applied, "{law} was applied {n_applied} times only");
    }
}

/// With atoms for the formulas, each part is one disjunct of the right side.
#[test]
fn laws_give_as_many_parts_as_they_say() {
    for &(law, n_parts) in LAWS {
        let (left, _) = law.split_once(" = ").expect("a law has two sides");
        let parts = split(&parse(&instance(left, ["a", "b", "G F p"])));
        assert_eq!(parts.len(), n_parts, "{law}");
        assert!(parts.iter().any(|part| has_recurrence(&part.recurrence)), "{law}");
        assert!(!parts.iter().any(|part| has_recurrence(&part.rest)), "{law}");
    }
}
