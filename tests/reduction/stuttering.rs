//! Formulas with an `X` that cannot tell how often a letter is repeated.

use lwaa::check::model::{ModelOptions, check};
use lwaa::check::reduction::Reduce;
use lwaa::lang::Language;
use lwaa::ltl::stuttering::{closure, has_next};
use lwaa::search::limits::Monitor;
use lwaa::testbench::Random;
use lwaa::testbench::random_formula::{self, random_formula};
use lwaa::verdict::{Reduction, Satisfiability, Unreduced};
use lwaa::{Formula, Options, satisfiable};

/// Two processes that only meet in what nobody asks about.
const MODEL: &str = "
    var p: bool = false;
    process one { var pc: 0..3 = 0;
        action go when pc < 3 do pc' = pc + 1;
        action show when pc == 3 && !p do p' = true; }
    process two { var pc: 0..3 = 0; action go when pc < 3 do pc' = pc + 1; }";

fn is_equivalent(one: &Formula, other: &Formula) -> bool {
    let differ = one.combined(lwaa::ltl::Term::Xor, other);
    let answer = satisfiable(&differ, &Options::default()).unwrap();
    answer.satisfiability == Satisfiability::Unsatisfiable
}

#[test]
fn closures_tell_which_formulas_count_letters() {
    for (text, expected) in [
        ("p U q", true),
        ("F (p & X !p)", true),
        ("G (p -> X p) | F !p", true),
        ("G (p & q | X (p | q))", false),
        ("X p", false),
        ("G (p -> X q)", false),
        ("X X p -> X X p", true),
        ("F (!p & X (p & q))", true),
        ("G F (p & X p)", false),
    ] {
        let formula = Formula::parse(text).unwrap();
        assert_eq!(is_equivalent(&formula, &closure(&formula).unwrap()), expected, "{text}");
    }
}

/// A closure has no `X`, so it is its own closure.
#[test]
fn closures_are_their_own_closures() {
    let mut random = Random::new(7);
    let options = random_formula::Options { size: 8, n_atoms: 2, ..Default::default() };
    for _ in 0..50 {
        let formula = random_formula(&options, &mut random);
        let closed = closure(&formula).unwrap();
        assert!(!has_next(&closed), "{formula}");
        if !has_next(&formula) {
            assert!(is_equivalent(&closed, &formula), "{formula}");
        }
    }
}

#[test]
fn formulas_that_do_not_count_letters_are_reduced() {
    let model = Language::find("lwm").unwrap().read(MODEL, &[], &mut |_| Err(String::new()));
    let model = model.unwrap();
    for (text, expected) in [("F (!p & X p)", true), ("X X p", false), ("F p", true)] {
        let formula = model.bindings.formula(text).unwrap();
        let options = ModelOptions { reduce: Reduce::On, ..ModelOptions::default() };
        let findings =
            check(&model, &[formula], &options, &Monitor::default(), &mut |_, _| ()).unwrap();
        match findings[0].statistics.reduction {
            Some(Reduction::On(counts)) => assert!(expected && 0 < counts.left_out, "{text}"),
            Some(Reduction::Off(Unreduced::Next)) => assert!(!expected, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}
