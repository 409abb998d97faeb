//! What the simplifier makes of formulas, one line each.

use super::super::{push_next, simplify};
use super::parse;

fn check(input: &str, expected: &str) {
    assert_eq!(simplify(&parse(input)).to_formula().to_string(), expected, "from {input}");
}

fn check_push(input: &str, expected: &str) {
    assert_eq!(push_next(&parse(input)).to_formula().to_string(), expected, "from {input}");
}

#[test]
fn constants_vanish() {
    check("a & true", "a");
    check("a | X true", "true");
    check("G (a | F true)", "true");
    check("F false | b", "b");
    check("false R (a & true)", "G a");
}

#[test]
fn lists_are_sets() {
    check("a & (b & a) & b", "a & b");
    check("a | (b | (a | c))", "a | b | c");
    check("a & (a | b)", "a");
    check("(a & b) | (b & a)", "a & b");
}

#[test]
fn negations_are_recognized() {
    check("(a U b) & !(a U b)", "false");
    check("(a U b) | !(a U b)", "true");
    check("F (a | b) & !F (a | b)", "false");
    check("F (a | b) & G !a & G !b", "false");
    check("(a U X b) & (!(a U X b) | c)", "a U X b & c");
    check("G a & F !a", "false");
    check("a & X (G !a | b) & G !a", "false");
}

/// The negations of `F`, `G` and lists of them do not look like their duals,
/// and are found in whatever order both sides are met.
#[test]
fn negations_of_split_formulas_are_recognized() {
    let formulas =
        ["F (a | b)", "F (a | b) | c", "F a | F b | c & d", "G a & G b & c", "G (a & b)"];
    for formula in formulas {
        check(&format!("({formula}) & e & !({formula})"), "false");
        check(&format!("!({formula}) & e & ({formula})"), "false");
        check(&format!("({formula}) | e | !({formula})"), "true");
        check(&format!("!({formula}) | e | ({formula})"), "true");
    }
}

#[test]
fn nested_fixpoints_collapse() {
    check("F F a", "F a");
    check("G G a", "G a");
    check("F (a U b)", "F b");
    check("G (a R b)", "G b");
    check("a U (a U b)", "a U b");
    check("a R (a R b)", "a R b");
    check("a U F b", "F b");
    check("a R G b", "G b");
    check("(a U b) U b", "a U b");
    check("a U (b | a)", "a | b");
    check("!a U a", "F a");
    check("!a R a", "G a");
    check("(a | b) U b", "a U b");
}

#[test]
fn limits_come_to_the_top() {
    check("F G F a", "G F a");
    check("G F G a", "F G a");
    check("X G F a", "G F a");
    check("X F G a", "F G a");
    check("G F a | G F b", "G F (a | b)");
    check("F G a & F G b", "F G (a & b)");
    check("F G (a & b & c)", "F G (a & b & c)");
    check("G F (a | F b)", "G F (a | b)");
    check("G F (a & F b)", "G F b & G F a");
    check("F G (a | F b)", "G F b | F G a");
    check("G F (a R b)", "G F (a & b) | F G b");
    check("F (a & G F b)", "G F b & F a");
    check("F G (a | (G F b & G F c))", "G F b & G F c | F G a");
    check("G (a -> G F b)", "G (!a | G F b)");
    check("G (a & X G F b)", "G F b & G a");
    check("(G F a -> G F b) -> c", "G F a & F G !b | c");
    check("(a & G F b) U c", "(G F b | c) & a U c");
}

#[test]
fn next_moves_outwards() {
    check("X a | X b", "X (a | b)");
    check("X a & X b", "X (a & b)");
    check("X a U X b", "X (a U b)");
    check("F X a", "X F a");
    check("G X X a", "X X G a");
    check("X (a & X (b & X c))", "X (a & X (b & X c))");
    check("a & X b & X X c", "a & X (b & X c)");
}

#[test]
fn finally_joins_and_globally_splits() {
    check("F a | F b", "F (a | b)");
    check("G (a & b)", "G a & G b");
    check("G a & G b", "G a & G b");
    check("X G (a & b)", "X (G a & G b)");
}

#[test]
fn fixpoints_join() {
    check("(a U b) & (c U b)", "(a & c) U b");
    check("(a U b) | (a U c)", "a U (b | c)");
    check("(a R b) & (a R c)", "a R (b & c)");
    check("(a R b) | (c R b)", "(a | c) R b");
    check("G a | (a U b)", "b R (a | b)");
    check("(a W b) & F b", "a U b");
    check("b | (a & X (a U b))", "a U b");
    check("a & X (G a & b)", "G a & X b");
}

#[test]
fn implied_operands_vanish() {
    check("G a & a", "G a");
    check("a | F a", "F a");
    check("G a & G (a | b)", "G a");
    check("G a & G (!a | b)", "G a & G b");
    check("(a U b) & F b", "a U b");
    check("((a & c) U b) | (a U b)", "a U b");
    check("a & (a R b)", "a & b");
    check("!a & (a U b)", "!a & b");
}

#[test]
fn fairness_stays_a_conjunction_of_clauses() {
    check("(G F p -> G F q) & (G F r -> G F s)", "(F G !p | G F q) & (F G !r | G F s)");
}

#[test]
fn next_is_pushed_to_boolean_formulas() {
    check_push("X (a U b)", "X a U X b");
    check_push("X (a & b)", "X (a & b)");
    check_push("X (a & F b)", "X a & F X b");
    check_push("X X (a R X b)", "X X a R X X X b");
    check_push("X G F a", "G F a");
    check_push("X (a & G F X b)", "X a & G F X b");
    check_push("X true", "true");
    check_push("F a & X F a & X X F a", "F X X a & (F a & F X a)");
}
