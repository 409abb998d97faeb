//! Tests of the simplifier: laws, examples, whole formulas, scale.

mod examples;
mod laws;
mod scale;
mod whole;

use crate::id::Id;
use crate::ltl::nnf::{self, Nnf};
use crate::ltl::{Formula, Term, semantics};
use crate::word::{AtomId, Lasso, Letter};
use proptest::prelude::*;

fn parse(text: &str) -> Nnf {
    nnf::from_formula(&Formula::parse(text).expect("a formula"))
}

/// The number of nodes of `formula`, constants apart.
fn size(formula: &Nnf) -> usize {
    formula.reachable().iter().skip(2).filter(|&&reachable| reachable).count()
}

/// Formulas over three atoms, written down.
fn formulas(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        8 => proptest::sample::select(vec!["p", "q", "r", "!p", "!q", "!r"]),
        1 => proptest::sample::select(vec!["true", "false"]),
    ];
    leaf.prop_map(str::to_owned).prop_recursive(depth, 24, 2, |inner| {
        let unary = proptest::sample::select(vec!["X", "F", "G", "!", "G F", "F G"]);
        let binary =
            proptest::sample::select(vec!["&", "|", "U", "R", "&", "|", "U", "R", "W", "M"]);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(operator, a)| format!("{operator} ({a})")),
            (inner.clone(), binary, inner)
                .prop_map(|(a, operator, b)| format!("({a}) {operator} ({b})")),
        ]
    })
}

/// Words whose letters are the bits of small numbers.
fn words(n: usize) -> impl Strategy<Value = Vec<(Vec<u8>, Vec<u8>)>> {
    let letters = |least: usize, most| proptest::collection::vec(0u8..8, least..=most);
    proptest::collection::vec((letters(0, 3), letters(1, 4)), n)
}

/// A word on which `left` and `right` differ.
fn difference(left: &Nnf, right: &Nnf, words: &[(Vec<u8>, Vec<u8>)]) -> Option<String> {
    let both = left.to_formula().combined(Term::Iff, &right.to_formula());
    words.iter().find_map(|(prefix, cycle)| {
        let letters = |numbers: &[u8]| -> Vec<Letter> {
            numbers
                .iter()
                .map(|number| {
                    (0..3).filter(|bit| number >> bit & 1 == 1).map(AtomId::new).collect()
                })
                .collect()
        };
        let word = Lasso::new(letters(prefix), letters(cycle)).expect("the cycle is not empty");
        (!semantics::holds(&both, &word)).then(|| format!("{both} is false on {word:?}"))
    })
}
