//! The simplifier as a whole on random formulas.

use super::super::rebuild::rebuild;
use super::super::{RULES, push_next, shrink, simplify};
use super::{difference, formulas, parse, size, words};
use crate::ltl::nnf::{self, Nnf, Node};
use crate::ltl::{Term, semantics};
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::testbench::random_formula::{Options, random_formula};
use proptest::prelude::*;

/// Whether every `X` is over boolean formulas and other `X` only.
fn is_pushed(formula: &Nnf) -> bool {
    formula.nodes.ids().all(|id| {
        let Node::Next(mut argument) = formula.nodes.node(id) else { return true };
        while let Node::Next(inner) = formula.nodes.node(argument) {
            argument = inner;
        }
        let mut open = vec![argument];
        while let Some(id) = open.pop() {
            if matches!(formula.nodes.node(id), Node::Next(_) | Node::Until(..) | Node::Release(..))
            {
                return false;
            }
            open.extend(formula.nodes.children(id));
        }
        true
    })
}

/// Random trees rarely repeat a subformula; conjunctions of many small
/// formulas over few atoms do all the time.
#[test]
fn simplified_large_formulas_mean_the_same() {
    let mut random = Random::new(7);
    for round in 0..600 {
        let options = Options { size: 4 + round % 9, n_atoms: 3, ..Options::default() };
        let operators = [Term::And, Term::Or, Term::And, Term::Until];
        let mut formula = random_formula(&options, &mut random);
        for _ in 0..random.below(30) {
            let operator = operators[random.below(operators.len())];
            formula = formula.combined(operator, &random_formula(&options, &mut random));
        }
        let formula = nnf::from_formula(&formula);
        let simple = simplify(&formula);
        let both = formula.to_formula().combined(Term::Iff, &simple.to_formula());
        for _ in 0..40 {
            let word = random_lasso(3, 3, 4, &mut random);
            assert!(semantics::holds(&both, &word), "{both} on {word:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn simplified_formulas_mean_the_same(text in formulas(6), words in words(24)) {
        let formula = parse(&text);
        let simple = simplify(&formula);
        prop_assert_eq!(difference(&formula, &simple, &words), None);
    }

    #[test]
    fn rules_that_do_not_grow_keep_the_meaning_too(text in formulas(6), words in words(8)) {
        let formula = parse(&text);
        let simple = shrink(&formula);
        prop_assert_eq!(difference(&formula, &simple, &words), None);
        prop_assert!(size(&simple) <= 2 * size(&formula) + 2, "{:?} to {:?}", formula, simple);
    }

    #[test]
    fn simplified_formulas_stay_as_they_are(text in formulas(6)) {
        let simple = simplify(&parse(&text));
        let again = simplify(&simple);
        prop_assert!(size(&again) <= size(&simple), "{:?} to {:?}", simple, again);
    }

    #[test]
    fn simplified_formulas_are_not_much_larger(text in formulas(6)) {
        let formula = parse(&text);
        let simple = simplify(&formula);
        prop_assert!(size(&simple) <= 3 * size(&formula) + 2, "{:?} to {:?}", formula, simple);
    }

    #[test]
    fn rules_do_not_run_in_circles(text in formulas(6)) {
        let rules: Vec<_> = RULES.iter().collect();
        prop_assert!(!rebuild(&parse(&text), &rules).exhausted);
    }

    #[test]
    fn pushing_next_keeps_the_meaning(text in formulas(6), words in words(24)) {
        let formula = parse(&text);
        let pushed = push_next(&formula);
        prop_assert!(is_pushed(&pushed), "{:?}", pushed);
        prop_assert_eq!(difference(&formula, &pushed, &words), None);
        let pushed = push_next(&simplify(&formula));
        prop_assert!(is_pushed(&pushed), "{:?}", pushed);
        prop_assert_eq!(difference(&formula, &pushed, &words), None);
    }
}
