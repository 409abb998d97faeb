//! What formulas are taken apart into, one line a part.

use super::{parse, split};
use crate::ltl::nnf::Nnf;
use crate::ltl::simplify::simplify;

/// Each part as `rest; recurrence`.
fn parts(formula: &Nnf) -> Vec<String> {
    split(formula)
        .iter()
        .map(|part| format!("{}; {}", part.rest.to_formula(), part.recurrence.to_formula()))
        .collect()
}

/// Checks what the formula as it is written is taken apart into.
fn check(input: &str, expected: &[&str]) {
    assert_eq!(parts(&parse(input)), expected, "from {input}");
}

/// Checks what the simplified formula is taken apart into.
fn check_simplified(input: &str, expected: &[&str]) {
    assert_eq!(parts(&simplify(&parse(input))), expected, "from {input}, simplified");
}

/// Checks a formula for which simplification makes no difference.
fn check_both(input: &str, expected: &[&str]) {
    check(input, expected);
    check_simplified(input, expected);
}

#[test]
fn without_a_recurrence_there_is_one_part() {
    check_both("a U (b & X c)", &["a U (b & X c); true"]);
    check_both("G (!a | F b) | F (c & X d)", &["G (!a | F b) | F (c & X d); true"]);
    check_both("G F (a & X b)", &["G F (a & X b); true"]);
    check("a & true | F F (b & b)", &["a & true | F F (b & b); true"]);
    check_both("true", &["true; true"]);
}

#[test]
fn what_is_false_has_no_part() {
    check_both("false", &[]);
    check_both("G F a & false", &[]);
    check_both("a U F G false", &[]);
    check_both("G F a & G F false | F G false", &[]);
}

#[test]
fn constants_vanish() {
    check_both("G F true & x", &["x; true"]);
    check_both("G F false | x", &["x; true"]);
    check_both("G F true | x", &["true; true"]);
    check_both("G (G F a | true)", &["true; true"]);
}

#[test]
fn a_recurrence_is_one_part() {
    check_both("G F a", &["true; G F a"]);
    check_both("G F a -> G F b", &["true; F G !a | G F b"]);
    check("G F a & G F b <-> G F c", &["true; (F G !a | F G !b) & F G !c | G F a & G F b & G F c"]);
    check_both("G G F a", &["true; G F a"]);
    check_both("X (b U G F a)", &["true; G F a"]);
    check_both("F G G F (a & !b)", &["true; G F (a & !b)"]);
    check_both("G F G (a | G F b)", &["true; G F b | F G a"]);
}

#[test]
fn fairness_implies_a_property() {
    check_both(
        "(G F a -> G F b) & (G F c -> G F d) -> G (p -> F q)",
        &["true; G F a & F G !b | G F c & F G !d", "G (!p | F q); true"],
    );
    check_both(
        "!((G F a -> G F b) & (G F c -> G F d) -> G (p -> F q))",
        &["F (p & G !q); (F G !a | G F b) & (F G !c | G F d)"],
    );
    check("(F G a -> G F b) & G (p -> F q)", &["G (!p | F q); G F !a | G F b"]);
    check_simplified("(F G a -> G F b) & G (p -> F q)", &["G (!p | F q); G F (!a | b)"]);
    check_both("G F a & F G !b & x U y", &["x U y; G F a & F G !b"]);
}

#[test]
fn mixed_disjunctions_are_taken_apart() {
    check_both("G F a & x | G F b & y", &["x; G F a", "y; G F b"]);
    check("G F a & x | G F b & x", &["x; G F a | G F b"]);
    check("G F a & x | G F a & y", &["x | y; G F a"]);
    check_both("(a | G F b) & (a | F G c)", &["true; G F b & F G c", "a; true"]);
    check("x | G F a & x", &["x; true"]);
}

#[test]
fn operators_let_recurrences_out() {
    check_both("F (a & G F b)", &["F a; G F b"]);
    check_both("G (a -> F G b)", &["true; F G b", "G !a; true"]);
    check_both("G (b | (c U F G d))", &["true; F G d", "G b; true"]);
    check_both("a U (b & G F c)", &["a U b; G F c"]);
    check_both("a U (b U (c | G F d))", &["true; G F d", "a U b U c; true"]);
    check_both("(a & G F b) U c", &["a U c; G F b", "c; true"]);
    check_both("(a | G F b) U c", &["F c; G F b", "a U c; true"]);
    check_both("(a & G F b) R c", &["a R c; G F b", "G c; true"]);
    check_both("(a | G F b) R c", &["c; G F b", "a R c; true"]);
    check_both("G F (a & (b U G F c))", &["true; G F c & G F a"]);
}

#[test]
fn both_sides_of_an_operator_are_taken_apart() {
    check_both(
        "((a & G F b) U c) R (d | F G e)",
        &["true; F G e", "(a U c) R d; G F b", "c R d; true"],
    );
    check("(a | b & G F c) R d", &["b R d; G F c", "a R d; true"]);
    check("(a & F G b | c & G F d) R e", &["a R e; F G b", "c R e; G F d", "G e; true"]);
    check("(a | b & G F c) U d", &["(a | b) U d; G F c", "a U d; true"]);
    check_both(
        "x R ((a | G F b) & (c | F G d))",
        &["true; G F b & F G d", "x R c; G F b", "x R a; F G d", "x R (a & c); true"],
    );
    check(
        "G ((a | G F b) & (c | F G d))",
        &["true; G F b & F G d", "G c; G F b", "G a; F G d", "G (a & c); true"],
    );
    check("G (a -> (b U G F c)) & F (d & F G e)", &["F d; G F c & F G e", "G !a & F d; F G e"]);
}

/// Of what is brought together, the weaker or stronger one is enough.
#[test]
fn nothing_redundant_is_built() {
    check("F (G F a & F b)", &["F b; G F a"]);
    check("G (F G a & (b R c))", &["G c; F G a"]);
    check("G (G F a U b)", &["true; G F a & G F b", "G b; true"]);
    check("a U (G F b & a)", &["a; G F b"]);
    check("a R (G F b & a)", &["a; G F b"]);
    check("a U (G F c & (a U b))", &["a U b; G F c"]);
    check("a R (G F c & (a R b))", &["a R b; G F c"]);
    check("G F c & (a R b) & G b", &["G b; G F c"]);
    check("G F c & ((a U b) | F b)", &["a U b | F b; G F c"]);
    check("X (a & G F b) & F (X a & G F b)", &["X a; G F b"]);
}
