//! What formulas are taken apart into, one line a part.

use super::{parse, split};
use crate::ltl::simplify::simplify;

/// Each part is `rest; recurrence`.
fn check(input: &str, expected: &[&str]) {
    let found: Vec<String> = split(&simplify(&parse(input)))
        .iter()
        .map(|part| format!("{}; {}", part.rest.to_formula(), part.recurrence.to_formula()))
        .collect();
    assert_eq!(found, expected, "from {input}");
}

#[test]
fn without_a_recurrence_there_is_one_part() {
    check("a U (b & X c)", &["a U (b & X c); true"]);
    check("G (a -> F b) | F (c & X d)", &["G (!a | F b) | F (c & X d); true"]);
    check("G F (a & X b)", &["G F (a & X b); true"]);
    check("true", &["true; true"]);
    check("false", &[]);
}

#[test]
fn fairness_implies_a_property() {
    check("(G F a -> G F b) -> G c", &[]);
}
#[test]
fn tmp() {
    for input in [
        "(G F a -> G F b) & (G F c -> G F d) -> G (p -> F q)",
        "!((G F a -> G F b) & (G F c -> G F d) -> G (p -> F q))",
        "(F G a -> G F b) & G (p -> F q)",
        "G (a -> F G b)",
        "F (a & G F b)",
        "G F a & G F b <-> G F c",
        "(G F a & x) | (G F b & y)",
        "(G F a & x) | (G F b & x)",
        "(G F a & x) | (G F a & y)",
        "a U (b & G F c)",
        "a U (b U (c | G F d))",
        "(a & G F b) U c",
        "(a | G F b) U c",
        "(a & G F b) R c",
        "(a | G F b) R c",
        "((a & G F b) U c) R (d | F G e)",
        "G F a U b",
        "G (G F a U b)",
        "G (b | (c U F G d))",
        "G ((a | G F b) & (c | F G d))",
        "x R ((a | G F b) & (c | F G d))",
        "G F (a & (b U G F c))",
        "F G (X a | G F c)",
        "G F G (a | G F b)",
        "(a | G F b) & (a | F G c)",
        "X (a | F G b) & X X (c & G F d)",
        "G (a -> (b U G F c)) & F (d & F G e)",
        "G F a & F G !b & x U y",
        "G F a",
        "G F true & x",
        "G F false | x",
    ] {
        for f in [parse(input), simplify(&parse(input))] {
            let found: Vec<String> = split(&f)
                .iter()
                .map(|part| format!("{}; {}", part.rest.to_formula(), part.recurrence.to_formula()))
                .collect();
            eprintln!("{input} || {} || {found:?}", f.to_formula());
        }
    }
}
