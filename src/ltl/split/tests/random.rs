//! Random formulas with many recurrences in them.

use super::super::{LIMITS, Limits, split_within};
use super::laws::{formulas, recurrences};
use super::{difference, has_recurrence, parse, split, together, words, wrong_form};
use crate::ltl::family::FAMILIES;
use crate::ltl::nnf;
use crate::ltl::simplify::simplify;
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

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

    #[test]
    fn limits_keep_the_meaning(text in rich(), words in words(24), n in 2usize..6) {
        let formula = parse(&text);
        let limits = Limits { n_disjuncts: n, n_parts: n, ..LIMITS };
        let parts = split_within(&formula, limits);
        prop_assert!(parts.len() <= n, "{} parts", parts.len());
        prop_assert_eq!(parts.iter().find_map(wrong_form), None);
        prop_assert_eq!(difference(&formula.to_formula(), &together(&parts), &words), None);
    }
}

/// The formulas of the other tests are worth testing.
#[test]
fn random_formulas_are_rich() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let (mut n_pulled, mut n_apart, mut n_limited) = (0, 0, 0);
    for _ in 0..1000 {
        let text = rich().new_tree(&mut runner).expect("nothing is rejected").current();
        let parts = split(&parse(&text));
        n_pulled += usize::from(parts.iter().any(|part| has_recurrence(&part.recurrence)));
        n_apart += usize::from(1 < parts.len());
        let limits = Limits { n_disjuncts: 3, n_parts: 3, ..LIMITS };
        let parts = split_within(&parse(&text), limits);
        n_limited += usize::from(parts.iter().any(|part| has_recurrence(&part.rest)));
    }
    assert!(
        500 <= n_pulled && 300 <= n_apart && 50 <= n_limited,
        "{n_pulled} {n_apart} {n_limited}"
    );
}

#[test]
fn families_mean_the_same() {
    let mut random = Random::new(7);
    for family in FAMILIES {
        for n in [2, 4] {
            let formula = nnf::from_formula(&family.formula(n).expect("in range"));
            for formula in [simplify(&formula), formula] {
                let parts = split(&formula);
                assert_eq!(parts.iter().find_map(wrong_form), None, "{} {n}", family.name);
                let words: Vec<_> = (0..200)
                    .map(|_| random_lasso(formula.atoms.len(), 3, 5, &mut random))
                    .collect();
                assert_eq!(difference(&formula.to_formula(), &together(&parts), &words), None);
            }
        }
    }
}
