//! Tests of the printer: hand-made texts, and reading back what was written.

use super::*;
use crate::ltl::Terms;
use crate::ltl::parse::{Syntax, parse};
use proptest::prelude::*;

/// A formula over odd atoms from a list of numbers: a little stack machine.
fn formula_from(codes: &[u8]) -> Formula {
    const ATOMS: [&str; 12] =
        ["a", "p1", "GFp", "X", "F0", "true", "xor", "i", "fork[1] == 0", "\\\"", "", "a.b"];
    let mut terms = Terms::default();
    let mut stack = vec![terms.atom("a")];
    for &code in codes {
        let right = stack.pop().unwrap();
        let unary = match code % 32 {
            0 => Some(Term::Not(right)),
            1 => Some(Term::Next(right)),
            2 => Some(Term::Finally(right)),
            3 => Some(Term::Globally(right)),
            _ => None,
        };
        if let Some(term) = unary {
            stack.push(terms.intern(term));
            continue;
        }
        let binary: Option<fn(TermId, TermId) -> Term> = match code % 32 {
            4 => Some(Term::And),
            5 => Some(Term::Or),
            6 => Some(Term::Xor),
            7 => Some(Term::Implies),
            8 => Some(Term::Iff),
            9 => Some(Term::Until),
            10 => Some(Term::Release),
            11 => Some(Term::WeakUntil),
            12 => Some(Term::StrongRelease),
            _ => None,
        };
        match (binary, stack.pop()) {
            (Some(operator), Some(left)) => stack.push(terms.intern(operator(left, right))),
            (_, left) => {
                stack.extend(left);
                stack.push(right);
                let leaf = match usize::from(code / 2) % (ATOMS.len() + 2) {
                    12 => terms.constant(true),
                    13 => terms.constant(false),
                    atom => terms.atom(ATOMS[atom]),
                };
                stack.push(leaf);
            }
        }
    }
    let root = stack.into_iter().reduce(|a, b| terms.intern(Term::And(a, b))).unwrap();
    Formula::new(terms, root)
}

/// The formula as [`Dialect::Spin`] rewrites it, and with its names.
fn rewritten_for_spin(formula: &Formula) -> Formula {
    let mut terms = Terms::default();
    let mut copies: Vec<TermId> = Vec::new();
    for index in 0..formula.n_terms() {
        let term = formula.terms().term(crate::id::Id::new(index));
        let term = term.map(|child| copies[crate::id::Id::index(child)]);
        let copy = match term {
            Term::Atom(atom) => {
                let mut name = String::new();
                write_spin_atom(&mut name, formula.atoms().name(atom)).unwrap();
                terms.atom(&name)
            }
            Term::Xor(a, b) => {
                let iff = terms.intern(Term::Iff(a, b));
                terms.intern(Term::Not(iff))
            }
            Term::WeakUntil(a, b) => {
                let either = terms.intern(Term::Or(a, b));
                terms.intern(Term::Release(b, either))
            }
            Term::StrongRelease(a, b) => {
                let both = terms.intern(Term::And(a, b));
                terms.intern(Term::Until(b, both))
            }
            other => terms.intern(other),
        };
        copies.push(copy);
    }
    Formula::new(terms, *copies.last().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn every_dialect_reads_back(codes in prop::collection::vec(any::<u8>(), 0..40)) {
        let formula = formula_from(&codes);
        for (dialect, syntax) in [
            (Dialect::Lwaa, Syntax::Lwaa),
            (Dialect::Spot, Syntax::Spot),
            (Dialect::Lbt, Syntax::Lbt),
        ] {
            let text = print(&formula, dialect);
            prop_assert_eq!(&parse(&text, syntax).unwrap(), &formula, "{}", text);
        }
        let text = print(&formula, Dialect::Spin);
        prop_assert_eq!(parse(&text, Syntax::Lwaa).unwrap(), rewritten_for_spin(&formula), "{}", text);
    }
}

#[track_caller]
fn check_in(dialect: Dialect, text: &str, expected: &str) {
    assert_eq!(print(&Formula::parse(text).unwrap(), dialect), expected);
}

#[track_caller]
fn check(text: &str) {
    assert_eq!(Formula::parse(text).unwrap().to_string(), text);
}

#[test]
fn parentheses_are_minimal() {
    check("G (request -> F grant)");
    check("!a R (!b | X !c)");
    check("G F p");
    check("!(a & b)");
    check("!X !a");
    check("a & b & c");
    check("a & (b & c)");
    check("a | b & c | d");
    check("a U b & c");
    check("a -> b -> c");
    check("(a -> b) -> c");
    check("a U b U c");
    check("(a U b) U c");
    check("true U false");
}

#[test]
fn different_operators_of_one_strength_are_kept_apart() {
    check("a U (b R c)");
    check("(a W b) M c");
    check("a -> (b <-> c)");
    check("(a & b) ^ c ^ d");
    check("(a ^ b) | c");
    check("a ^ b -> c");
}

#[test]
fn odd_atoms_are_quoted() {
    check("G \"fork[1] == 0\"");
    check("\"G\" U \"true\"");
    check("\"a\\\"b\\\\c\"");
    check("\"\"");
    check("\"é\"");
    check_in(Dialect::Lwaa, "Xu U \"p\"", "Xu U p");
    check_in(Dialect::Spot, "Xu U F0", "\"Xu\" U F0");
    check_in(Dialect::Spot, "\"a.b\"", "\"a.b\"");
}

#[test]
fn prefix_form() {
    check_in(Dialect::Lbt, "p0 U (true & !p12)", "U p0 & t ! p12");
    check_in(Dialect::Lbt, "a R p", "V \"a\" \"p\"");
    check_in(Dialect::Lbt, "(p1 -> p2) <-> p3 ^ p4", "e i p1 p2 ^ p3 p4");
}

#[test]
fn spin_is_rewritten() {
    check_in(Dialect::Spin, "GF p -> FG q", "[] <> p -> <> [] q");
    check_in(Dialect::Spin, "a & b & c | d", "(a && b && c) || d");
    check_in(Dialect::Spin, "a U b U c", "a U (b U c)");
    check_in(Dialect::Spin, "(a U b) U c", "(a U b) U c");
    check_in(Dialect::Spin, "X(a W b)", "X (b V (a || b))");
    check_in(Dialect::Spin, "a M b", "b U (a && b)");
    check_in(Dialect::Spin, "c & (a ^ b)", "c && !(a <-> b)");
    check_in(Dialect::Spin, "a R true", "a V true");
}

#[test]
fn spin_atoms_are_lower_case_words() {
    check_in(Dialect::Spin, "Req", "a_Req");
    check_in(Dialect::Spin, "a_Req", "a_a_5f_Req");
    check_in(Dialect::Spin, "\"fork[1]\"", "a_fork_5b_1_5d_");
    check_in(Dialect::Spin, "until", "a_until");
    check_in(Dialect::Spin, "\"not\"", "a_not");
}

/// `a`, then a million times `step` on top of it.
fn deep(step: impl Fn(TermId, TermId) -> Term) -> Formula {
    let mut terms = Terms::default();
    let atom = terms.atom("a");
    let mut root = terms.atom("b");
    for _ in 0..1_000_000 {
        root = terms.intern(step(root, atom));
    }
    Formula::new(terms, root)
}

#[test]
fn depth_does_not_matter() {
    let check = |dialect, syntax, step: &dyn Fn(TermId, TermId) -> Term| {
        let formula = deep(step);
        // The message of `assert_eq` would be long.
        assert!(parse(&print(&formula, dialect), syntax).unwrap() == formula);
    };
    check(Dialect::Lwaa, Syntax::Lwaa, &|root, _| Term::Not(root));
    check(Dialect::Spot, Syntax::Spot, &|root, atom| Term::And(root, atom));
    check(Dialect::Lwaa, Syntax::Lwaa, &|root, atom| Term::And(atom, root));
    check(Dialect::Lbt, Syntax::Lbt, &|root, atom| Term::Until(root, atom));
    check(Dialect::Spin, Syntax::Lwaa, &|root, atom| Term::Until(atom, root));
}

#[test]
fn display_of_a_shared_graph_is_cut() {
    let mut terms = Terms::default();
    let mut root = terms.atom("a");
    for _ in 0..200 {
        root = terms.intern(Term::And(root, root));
    }
    let formula = Formula::new(terms, root);
    assert_eq!(format!("{formula:.8}"), "a & a & …");
    assert_eq!(bounded(&formula, Dialect::Lwaa, 1000), None);
    let text = formula.to_string();
    assert!(text.ends_with('…') && text.len() <= DISPLAY_LIMIT + '…'.len_utf8());
}

#[test]
fn cutting_respects_characters() {
    let formula = Formula::parse("\"éé\"").unwrap();
    assert_eq!(format!("{formula:.4}"), "\"é…");
    assert_eq!(format!("{formula:.6}"), "\"éé\"");
}
