//! Whether one formula implies another, by syntax alone and within a budget.
//!
//! The answer "no" means "not seen". Either side may be negated without its
//! negation being in the arena: a negated node is read through its dual.
//!
//! This is the only recursion of the simplifier: it ends after [`MAX_DEPTH`]
//! calls on top of each other.

use super::arena::Arena;
use crate::ltl::dual::{Quantifier, View};
use crate::ltl::nnf::{Node, NodeId, Nodes};
use std::cell::Cell;

/// How deep a question about two nodes looks below them.
const MAX_DEPTH: u32 = 5;

/// How many pairs of nodes one question looks at.
const MAX_PAIRS: u32 = 32;

/// How many operands of a list are tried where one will do.
const MAX_OPERANDS: usize = 16;

/// How many pairs all questions together may look at.
///
/// One question is cheap, but a formula of a million nodes asks millions.
#[derive(Debug)]
pub(super) struct Budget(Cell<u64>);

impl Budget {
    pub(super) const fn new(n_pairs: u64) -> Self {
        Self(Cell::new(n_pairs))
    }
}

/// A node or its negation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Signed {
    node: NodeId,
    negated: bool,
}

impl Signed {
    fn is_constant(self, value: bool) -> bool {
        let node = if value == self.negated { Nodes::FALSE } else { Nodes::TRUE };
        self.node == node
    }

    fn at(self, node: NodeId) -> Self {
        Self { node, negated: self.negated }
    }
}

impl Arena {
    /// Whether `a` is seen to imply `b`.
    pub(super) fn implies(&self, a: NodeId, b: NodeId) -> bool {
        self.asks(Signed { node: a, negated: false }, Signed { node: b, negated: false })
    }

    /// Whether `a` is seen to add nothing to `b`: `a | b = b`, respectively
    /// `a & b = b`.
    pub(super) fn redundant(&self, quantifier: Quantifier, a: NodeId, b: NodeId) -> bool {
        match quantifier {
            Quantifier::Any => self.implies(a, b),
            Quantifier::All => self.implies(b, a),
        }
    }

    /// Whether `a` and `b` are seen to decide a list: `a | b = true`,
    /// respectively `a & b = false`.
    pub(super) fn opposed(&self, quantifier: Quantifier, a: NodeId, b: NodeId) -> bool {
        let negated = quantifier == Quantifier::Any;
        self.asks(Signed { node: a, negated }, Signed { node: b, negated: !negated })
    }

    fn asks(&self, a: Signed, b: Signed) -> bool {
        let left = self.budget.0.get();
        let mut pairs = MAX_PAIRS.min(u32::try_from(left).unwrap_or(u32::MAX));
        let before = pairs;
        let answer = Question { arena: self, pairs: &mut pairs }.implies(a, b, MAX_DEPTH);
        self.budget.0.set(left - u64::from(before - pairs));
        answer
    }

    fn signed_view(&self, signed: Signed) -> View<'_> {
        match self.view(signed.node) {
            View::List(quantifier, list) if signed.negated => View::List(quantifier.dual(), list),
            View::Fixpoint(quantifier, left, right) if signed.negated => {
                View::Fixpoint(quantifier.dual(), left, right)
            }
            view => view,
        }
    }

    fn signed_settled(&self, quantifier: Quantifier, signed: Signed) -> bool {
        let quantifier = if signed.negated { quantifier.dual() } else { quantifier };
        self.settled(quantifier, signed.node)
    }
}

struct Question<'a> {
    arena: &'a Arena,
    /// How many pairs may still be looked at.
    pairs: &'a mut u32,
}

impl Question<'_> {
    fn implies(&mut self, a: Signed, b: Signed, depth: u32) -> bool {
        if a == b || a.is_constant(false) || b.is_constant(true) {
            return true;
        }
        if depth == 0 || *self.pairs == 0 || !self.arena.may_share_atom(a.node, b.node) {
            return false;
        }
        *self.pairs -= 1;
        let arena = self.arena;
        let depth = depth - 1;
        match (arena.signed_view(a), arena.signed_view(b)) {
            (View::Leaf, View::Leaf) => self.same_literal(a, b),
            (View::List(Quantifier::Any, list), _) => {
                list.iter().all(|&x| self.implies(a.at(x), b, depth))
            }
            (_, View::List(Quantifier::All, list)) => {
                list.iter().all(|&y| self.implies(a, b.at(y), depth))
            }
            (from @ View::List(..), to) | (from, to @ View::List(..)) => {
                let some = |view| match view {
                    View::List(_, list) => &list[..list.len().min(MAX_OPERANDS)],
                    _ => &[],
                };
                some(from).iter().any(|&x| self.implies(a.at(x), b, depth))
                    || some(to).iter().any(|&y| self.implies(a, b.at(y), depth))
            }
            (View::Next(x), View::Next(y)) => self.implies(a.at(x), b.at(y), depth),
            (from, to) => self.implies_temporally(a, from, b, to, depth),
        }
    }

    fn same_literal(&self, a: Signed, b: Signed) -> bool {
        let read = |signed: Signed| match self.arena.nodes().node(signed.node) {
            Node::Literal { atom, positive } => Some((atom, positive != signed.negated)),
            _ => None,
        };
        read(a).is_some() && read(a) == read(b)
    }

    /// The laws of until and release, for two nodes of which neither is a
    /// list.
    fn implies_temporally(
        &mut self,
        a: Signed,
        from: View<'_>,
        b: Signed,
        to: View<'_>,
        depth: u32,
    ) -> bool {
        let eventual = self.arena.signed_settled(Quantifier::Any, b);
        let universal = self.arena.signed_settled(Quantifier::All, a);
        if let (View::Fixpoint(q, c, d), View::Fixpoint(p, e, f)) = (from, to)
            && q == p
            && self.implies(a.at(d), b.at(f), depth)
            && self.implies(a.at(c), b.at(e), depth)
        {
            return true;
        }
        let from_side = match from {
            View::Next(x) => eventual && self.implies(a.at(x), b, depth),
            // c U d implies c | d, and whatever d implies if that is eventual.
            View::Fixpoint(Quantifier::Any, c, d) => {
                self.implies(a.at(d), b, depth) && (eventual || self.implies(a.at(c), b, depth))
            }
            // c R d implies d.
            View::Fixpoint(Quantifier::All, _, d) => self.implies(a.at(d), b, depth),
            View::Leaf | View::List(..) => false,
        };
        from_side
            || match to {
                View::Next(y) => universal && self.implies(a, b.at(y), depth),
                View::Fixpoint(Quantifier::All, e, f) => {
                    self.implies(a, b.at(f), depth)
                        && (universal || self.implies(a, b.at(e), depth))
                }
                View::Fixpoint(Quantifier::Any, _, f) => self.implies(a, b.at(f), depth),
                View::Leaf | View::List(..) => false,
            }
    }
}
