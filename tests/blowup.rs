//! Formulas that are easy, but not for a naive order, conjunction or
//! propagation: an answer must come from small decision diagrams, and from a solver as
//! well.
//!
//! No time is asserted. Each formula would need exponentially large diagrams
//! or hours if what it is about broke.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::check::Exploration;
use lwaa::configuration::Successors;
use lwaa::search::limits::{Exhausted, Limits};
use lwaa::{Formula, Options, Satisfiability, satisfiable};
use std::fmt::Write as _;

/// Enough for all of them, and for none of them done naively.
const MEMORY: usize = 1 << 29;

fn conjunction(parts: impl IntoIterator<Item = String>) -> Formula {
    let text = parts.into_iter().collect::<Vec<_>>().join(" & ");
    Formula::parse(&text).unwrap()
}

fn is_satisfiable(formula: &Formula) -> bool {
    let limits = Limits { memory: Some(MEMORY), ..Limits::default() };
    let [by_diagrams, by_solver] = [Successors::Bdd, Successors::Sat].map(|successors| {
        let exploration = Exploration { successors: Some(successors), ..Exploration::default() };
        let options = Options { method: exploration.into(), limits, ..Options::default() };
        match satisfiable(formula, &options).unwrap().satisfiability {
            Satisfiability::Satisfiable(_) => true,
            Satisfiability::Unsatisfiable => false,
            Satisfiability::Unknown(reason) => panic!("{reason}"),
        }
    });
    assert_eq!(by_diagrams, by_solver);
    by_solver
}

fn any_of(name: &str, n: usize) -> String {
    let mut text = format!("G ({name}0");
    for i in 1..n {
        write!(text, " | {name}{i}").unwrap();
    }
    text + ")"
}

#[test]
fn a_witness_needs_no_diagram_of_the_whole_conjunction() {
    let n = 40;
    let equal = (0..n).map(|i| format!("G (x{i} <-> y{i})"));
    assert!(is_satisfiable(&conjunction(equal.chain([any_of("x", n), any_of("y", n)]))));
}

#[test]
fn conjuncts_may_be_sorted_by_kind() {
    let n = 24;
    let often = (0..n).map(|i| format!("G F p{i}"));
    let moves = (0..n).map(|i| format!("G (p{i} -> X p{})", (i + 1) % n));
    let apart = (0..n).map(|i| format!("G (!p{i} | !p{})", (i + 1) % n));
    assert!(is_satisfiable(&conjunction(often.chain(moves).chain(apart))));
}

#[test]
fn chains_of_implications_are_long() {
    let n = 20_000;
    let chain =
        |operator: &str| conjunction((0..n).map(|i| format!("G (a{i} {operator} a{})", i + 1)));
    assert!(is_satisfiable(&chain("->")));
    assert!(is_satisfiable(&chain("<->")));
}

#[test]
fn many_units_leave_one_wide_disjunction_at_once() {
    let n = 5_000;
    let units = (0..n).map(|i| format!("G !b{i}"));
    assert!(is_satisfiable(&conjunction(units.chain([any_of("b", n + 1)]))));
    let units = (0..n).map(|i| format!("G !b{i}"));
    assert!(!is_satisfiable(&conjunction(units.chain([any_of("b", n)]))));
}

#[test]
fn a_limit_of_states_is_exact() {
    let formula = Formula::parse("X X X X X X X a & G (a -> X !a)").unwrap();
    let limited = |states| {
        let limits = Limits { states: Some(states), ..Limits::default() };
        satisfiable(&formula, &Options { limits, ..Options::default() }).unwrap().satisfiability
    };
    assert_eq!(limited(3), Satisfiability::Unknown(Exhausted::States { limit: 3 }));
    assert!(matches!(limited(1_000), Satisfiability::Satisfiable(_)));
}

#[test]
fn only_configurations_that_were_met_are_counted() {
    let count = |text: &str| {
        let formula = Formula::parse(text).unwrap();
        satisfiable(&formula, &Options::default()).unwrap().statistics.configurations
    };
    assert_eq!(count("false"), 0);
    assert_eq!(count("a & X !a & G a"), 0);
    assert_eq!(count("a"), 2);
    assert_eq!(count("G a"), 1);
}
