//! Random formulas with many recurrences in them.

use super::laws::{formulas, recurrences};
use super::{difference, parse, split, together, words, wrong_form};
use crate::ltl::simplify::simplify;
use proptest::prelude::*;

/// Formulas over atoms and recurrences, written down.
fn rich() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![3 => formulas(1), 2 => recurrences()];
    leaf.prop_recursive(6, 24, 2, |inner| {
        let unary = proptest::sample::select(vec!["X", "F", "G"]);
        let binary = proptest::sample::select(vec!["&", "|", "U", "R", "&", "|", "U", "R", "->"]);
        prop_oneof![
            1 => (unary, inner.clone()).prop_map(|(operator, a)| format!("{operator} ({a})")),
            2 => (inner.clone(), binary, inner)
                .prop_map(|(a, operator, b)| format!("({a}) {operator} ({b})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn parts_mean_the_same_together(text in rich(), words in words(32)) {
        let formula = parse(&text);
        for formula in [simplify(&formula), formula] {
            let parts = split(&formula);
            prop_assert_eq!(parts.iter().find_map(wrong_form), None);
            prop_assert_eq!(difference(&formula.to_formula(), &together(&parts), &words), None);
        }
    }
}
