//! Formulas in which a part has been replaced by what makes the whole stronger.
//!
//! If a requirement follows from a set even so, the part did not matter: the
//! requirement is vacuous there. A part that occurs with both signs has no
//! replacement that makes the whole stronger.

use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId, Terms};

/// The parts of `formula` that occur with one sign only, large ones first, and whether
/// each occurs positively. The whole and constants are left out.
pub(super) fn parts(formula: &Formula) -> Vec<(TermId, bool)> {
    let terms = formula.terms();
    let mut signs: IdVec<TermId, [bool; 2]> = IdVec::filled([false; 2], terms.len());
    signs[formula.root()] = [false, true];
    for id in terms.ids().rev() {
        let [negative, positive] = signs[id];
        let mut mark = |child: TermId, signs_of_child: [bool; 2]| {
            for (sign, occurs) in signs[child].iter_mut().zip(signs_of_child) {
                *sign |= occurs;
            }
        };
        let both = negative || positive;
        match terms.term(id) {
            Term::Not(a) => mark(a, [positive, negative]),
            Term::Implies(a, b) => {
                mark(a, [positive, negative]);
                mark(b, [negative, positive]);
            }
            Term::Xor(a, b) | Term::Iff(a, b) => {
                mark(a, [both; 2]);
                mark(b, [both; 2]);
            }
            other => other.children().for_each(|child| mark(child, [negative, positive])),
        }
    }
    let is_part =
        |id: &TermId| *id != formula.root() && !matches!(terms.term(*id), Term::True | Term::False);
    let signed = |id: TermId| match signs[id] {
        [false, true] => Some((id, true)),
        [true, false] => Some((id, false)),
        _ => None,
    };
    terms.ids().rev().filter(is_part).filter_map(signed).collect()
}

/// `formula` with `false` instead of a part that occurs positively, or `true` instead
/// of one that occurs negatively.
pub(super) fn without(formula: &Formula, part: TermId, is_positive: bool) -> Formula {
    let mut terms = Terms::default();
    let mut copies: IdVec<TermId, TermId> = IdVec::new();
    for id in formula.terms().ids() {
        let copy = match formula.terms().term(id) {
            _ if id == part => terms.constant(!is_positive),
            Term::Atom(atom) => terms.atom(formula.atoms().name(atom)),
            other => terms.intern(other.map(|child| copies[child])),
        };
        copies.push(copy);
    }
    Formula::new(terms, copies[formula.root()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let formula = Formula::parse(text).unwrap();
        let found: Vec<String> = parts(&formula)
            .into_iter()
            .map(|(part, is_positive)| without(&formula, part, is_positive).to_string())
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_follows_an_arrow_is_positive_and_what_stands_before_it_negative() {
        check(
            "G (a -> F b)",
            &["G false", "G (a -> false)", "G (a -> F false)", "G (true -> F b)"],
        );
    }

    #[test]
    fn parts_with_both_signs_stay() {
        check("a <-> b", &[]);
        check("(a | b) & !a", &["false & !a", "(a | b) & false", "(a | false) & !a"]);
    }
}
