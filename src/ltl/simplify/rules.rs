//! The table of rewrite rules: a name, the laws it applies, the function.
//!
//! The laws are not only documentation. The tests read them: each side of a
//! law is compared with the other on random words, and the rule alone is
//! applied to random instances of the left sides. In a law, `a`, `b`, `c` and
//! `d` stand for any formula, `e` for an eventual, `u` for a universal and `s`
//! for an invariant one (see `arena.rs`); a condition follows after `if`.

use super::arena::{Arena, FixpointNode, ListNode};
use super::pattern::Expression;
use super::{context, fixpoints, fold, invariants, lists, merge, units};
use crate::ltl::nnf::NodeId;
use Rewrite::{Fixpoint, List, Next};

/// A law of the logic, applied from left to right wherever it fits.
pub struct Rule {
    /// What the rule is called.
    pub name: &'static str,
    /// The laws, each as `left = right`, or `left = right if condition`.
    pub laws: &'static [&'static str],
    /// Whether the result may have more nodes than what it replaces.
    pub(super) grows: bool,
    pub(super) rewrite: Rewrite,
}

/// The function of a rule, by the operator on top of what it replaces. It
/// answers with the replacement, or that it does not fit.
#[derive(Clone, Copy)]
pub(super) enum Rewrite {
    List(fn(ListNode<'_>) -> Option<Expression>),
    Next(fn(&Arena, NodeId) -> Option<Expression>),
    Fixpoint(fn(FixpointNode<'_>) -> Option<Expression>),
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.laws.join("; "))
    }
}

const fn shrinking(name: &'static str, laws: &'static [&'static str], rewrite: Rewrite) -> Rule {
    Rule { name, laws, grows: false, rewrite }
}

const fn growing(name: &'static str, laws: &'static [&'static str], rewrite: Rewrite) -> Rule {
    Rule { name, laws, grows: true, rewrite }
}

/// All rules. Of those that fit a node, the first is applied, so cheap ones
/// and those that remove most come first.
///
/// ```
/// use lwaa::ltl::simplify::RULES;
/// let rule = RULES.iter().find(|rule| rule.name == "absorption").expect("it is a rule");
/// assert_eq!(rule.laws[0], "a & (a | b) = a");
/// ```
#[rustfmt::skip] // One law a line.
pub const RULES: &[Rule] = &[
    // Conjunctions and disjunctions, as in any boolean algebra.
    shrinking("constant operands", &[
        "a & true = a",
        "a & false = false",
        "a | false = a",
        "a | true = true",
    ], List(lists::constants)),
    shrinking("flattening", &[
        "(a & b) & X (a & b) = a & b & X (a & b)",
        "(a | b) | X (a | b) = a | b | X (a | b)",
    ], List(lists::flatten)),
    shrinking("idempotence", &[
        "a & a = a",
        "a | a = a",
    ], List(lists::idempotence)),
    shrinking("complement", &[
        "a & !a = false",
        "a | !a = true",
    ], List(lists::complement)),
    shrinking("absorption", &[
        "a & (a | b) = a",
        "a | (a & b) = a",
    ], List(lists::absorption)),
    shrinking("common factor", &[
        "(a & b) | (a & c) = a & (b | c)",
    ], List(lists::common_factor)),

    // Conjunctions and disjunctions of temporal formulas.
    shrinking("global absorption", &[
        "G a & a = G a",
        "G a & (a | b) = G a",
        "G a & G (a | b) = G a",
        "F a | a = F a",
        "F a | (a & b) = F a",
        "F a | F (a & b) = F a",
    ], List(context::global_absorption)),
    shrinking("unit propagation", &[
        "a & (!a | b) = a & b",
        "a & (!a | b) & (!b | c) = a & b & c",
        "G a & (!a | b) = G a & b",
        "G a & G (!a | b) = G a & G b",
        "a & (!a | b) & G (!b | c) = a & b & G (!b | c)",
        "a & (!a | b) & G (b | c) = a & b & G (b | c)",
        "a | (!a & b) = a | b",
        "a | (!a & b) | (!b & c) = a | b | c",
        "F a | (!a & b) = F a | b",
        "F a | F (!a & b) = F a | F b",
        "a | (!a & b) | F (!b & c) = a | b | F (!b & c)",
        "a | (!a & b) | F (b & c) = a | b | F (b & c)",
    ], List(units::propagate)),
    shrinking("global knowledge", &[
        "G a & F (a & b) = G a & F b",
        "G a & (a U b) = G a & F b",
        "G a & X (b & a) = G a & X b",
        "G a & !a = false",
        "F a | G (a | b) = F a | G b",
        "F a | (a R b) = F a | G b",
        "F a | X (b | a) = F a | X b",
        "F a | !a = true",
    ], List(context::global_knowledge)),
    shrinking("decided left side", &[
        "a & (a R b) = a & b",
        "!a & (a U b) = !a & b",
        "a | (a U b) = a | b",
        "!a | (a R b) = !a | b",
    ], List(context::decided_left)),
    shrinking("fold F and G", &[
        "a & X G a = G a",
        "a & X (G a & b) = G a & X b",
        "a | X F a = F a",
        "a | X (F a | b) = F a | X b",
    ], List(fold::plain)),
    shrinking("fold U and R", &[
        "b | (a & X (a U b)) = b | (a U b)",
        "b & (a | X (a R b)) = b & (a R b)",
    ], List(fold::fixpoint)),
    shrinking("same right side", &[
        "(a U b) & (c U b) = (a & c) U b",
        "F b & (c U b) = c U b",
        "(a R b) | (c R b) = (a | c) R b",
        "G b | (c R b) = c R b",
    ], List(merge::same_right)),
    shrinking("same left side", &[
        "(a U b) | (a U c) = a U (b | c)",
        "F b | F c = F (b | c)",
        "(a R b) & (a R c) = a R (b & c)",
    ], List(merge::same_left)),
    shrinking("limits", &[
        "G F a | G F b = G F (a | b)",
        "F G a & F G b = F G (a & b)",
    ], List(merge::limits)),
    shrinking("weak until, strong release", &[
        "G a | (a U b) = b R (a | b)",
        "F a & (a R b) = b U (a & b)",
    ], List(merge::weak_until)),
    shrinking("subsumption", &[
        "a & b = a if a implies b",
        "a | b = b if a implies b",
    ], List(lists::subsumption)),
    shrinking("opposition", &[
        "a & b = false if a implies !b",
        "a | b = true if !a implies b",
    ], List(lists::opposition)),
    growing("X of lists", &[
        "X a & X b = X (a & b)",
        "X a | X b = X (a | b)",
        "X a & (X b | s) = X (a & (b | s))",
        "X a | (X b & s) = X (a | (b & s))",
    ], List(merge::nexts)),

    // X.
    shrinking("X of invariants", &[
        "X true = true",
        "X false = false",
        "X s = s",
    ], Next(invariants::next)),
    growing("X beside invariants", &[
        "X (a & s) = X a & s",
    ], Next(invariants::next_of_list)),

    // U and R.
    shrinking("constant sides", &[
        "a U true = true",
        "a U false = false",
        "false U a = a",
        "a R true = true",
        "a R false = false",
        "true R a = a",
    ], Fixpoint(fixpoints::constants)),
    shrinking("settled right side", &[
        "F e = e",
        "a U e = e",
        "G u = u",
        "a R u = u",
    ], Fixpoint(fixpoints::settled_right)),
    shrinking("F of U, G of R", &[
        "F (a U b) = F b",
        "G (a R b) = G b",
    ], Fixpoint(fixpoints::plain_of_fixpoint)),
    shrinking("redundant left side", &[
        "a U b = b if a implies b",
        "b R a = a if a implies b",
    ], Fixpoint(fixpoints::redundant_left)),
    shrinking("opposed left side", &[
        "a U b = F b if !a implies b",
        "a R b = G b if a implies !b",
    ], Fixpoint(fixpoints::opposed_left)),
    shrinking("nested on the right", &[
        "a U (b U c) = b U c if a implies b",
        "b U (a U c) = b U c if a implies b",
        "b R (a R c) = a R c if a implies b",
        "a R (b R c) = a R c if a implies b",
    ], Fixpoint(fixpoints::nested_right)),
    shrinking("nested on the left", &[
        "(a U b) U b = a U b",
        "(a R b) R b = a R b",
    ], Fixpoint(fixpoints::nested_left)),
    shrinking("operands on the left", &[
        "(a | b) U b = a U b",
        "(a & !b) U b = a U b",
        "(a & b) R b = a R b",
        "(a | !b) R b = a R b",
    ], Fixpoint(fixpoints::left_operands)),
    growing("U and R beside settled operands", &[
        "a U (b & s) = (a U b) & s",
        "a U (b | e) = (a U b) | e",
        "F (b & s) = F b & s",
        "F (b | e) = F b | e",
        "a R (b & u) = (a R b) & u",
        "G (b & u) = G b & u",
    ], Fixpoint(invariants::right_operands)),
    growing("F and G beside limits", &[
        "F (a | u) = F a | F u",
        "G (a & e) = G a & G e",
    ], Fixpoint(invariants::future_limits)),
    growing("settled left side", &[
        "u U b = (u | b) & F b",
        "(a & u) U b = (u | b) & (a U b)",
        "e R b = b & (e | G b)",
        "(a | e) R b = b & (e | (a R b))",
    ], Fixpoint(invariants::settled_left)),
    growing("invariant on the left", &[
        "(a & s) R b = (a R b) & (s | G b)",
    ], Fixpoint(invariants::invariant_left)),
    growing("limit of lists", &[
        "G F (a & e) = G F a & G e",
        "G F (a | e) = G F a | G e",
        "G F (a & u) = G F a & F u",
        "G F (a | u) = G F a | F u",
        "F G (a & e) = F G a & G e",
        "F G (a | e) = F G a | G e",
        "F G (a & u) = F G a & F u",
        "F G (a | u) = F G a | F u",
    ], Fixpoint(invariants::limit_of_list)),
    growing("limit of settled lists", &[
        "G (F a | e) = G F a | G e",
        "F (G a & u) = F G a & F u",
    ], Fixpoint(invariants::limit_of_settled_list)),
    growing("limit of U and R", &[
        "G F (a R b) = G F (a & b) | F G b",
        "F G (a U b) = F G (a | b) & G F b",
    ], Fixpoint(invariants::limit_of_fixpoint)),
    growing("X outwards", &[
        "(X a) U (X b) = X (a U b)",
        "F X a = X F a",
        "(X a) R (X b) = X (a R b)",
        "G X a = X G a",
    ], Fixpoint(fixpoints::next_out)),
    growing("G of conjunctions", &[
        "G (a & b) = G a & G b",
    ], Fixpoint(fixpoints::split)),
];
