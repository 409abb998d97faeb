//! Rules of conjunctions and disjunctions in which one operand tells something
//! about the others.
//!
//! In a conjunction, each operand may be simplified as if the others were true.
//! Boolean operands are the subject of `units.rs`; these rules are about what
//! holds at later positions too.

use super::arena::ListNode;
use super::lists::{MAX_INNER, contains};
use super::pattern::Expression;
use crate::ltl::dual::View;
use crate::ltl::nnf::{NodeId, Nodes};

/// The first step of a fixpoint whose left side is decided by another operand.
pub(super) fn decided_left(list: ListNode<'_>) -> Option<Expression> {
    list.with_changes(|operand| {
        let View::Fixpoint(found, left, right) = list.arena.view(operand) else { return None };
        let is_decided = if found == list.quantifier {
            list.contains(left)
        } else {
            list.contains_negation(left)
        };
        is_decided.then(|| right.into())
    })
}

pub(super) fn global_absorption(list: ListNode<'_>) -> Option<Expression> {
    let bodies = list.plain_arguments(list.quantifier);
    if bodies.is_empty() {
        return None;
    }
    list.without(|operand| {
        // An alternative, or `F` or `G` of one.
        let body = list.arena.plain(list.quantifier, operand).unwrap_or(operand);
        contains(&bodies, operand)
            || list.inner(body).is_some_and(|inner| inner.iter().any(|&x| contains(&bodies, x)))
    })
}

/// `G a` says that `a` is true at all positions, wherever it occurs. We look
/// for it on top of the operands and one list below their operators.
pub(super) fn global_knowledge(list: ListNode<'_>) -> Option<Expression> {
    let bodies = list.plain_arguments(list.quantifier);
    if bodies.is_empty() {
        return None;
    }
    let facts = ListNode { operands: &bodies, ..list };
    list.with_changes(|operand| {
        if let Some(argument) = list.arena.plain(list.quantifier, operand) {
            // The argument itself is known because of this very operand.
            return Some(Expression::plain(list.quantifier, known_in_list(facts, argument)?));
        }
        if let Some(constant) = known_constant(facts, operand) {
            return Some(constant.into());
        }
        match list.arena.view(operand) {
            View::Fixpoint(found, left, right) => {
                let (new_left, new_right) =
                    (known_in_side(facts, left), known_in_side(facts, right));
                (new_left.is_some() || new_right.is_some()).then(|| {
                    let new_left = new_left.unwrap_or(left.into());
                    Expression::fixpoint(found, new_left, new_right.unwrap_or(right.into()))
                })
            }
            View::Next(argument) => known_in_side(facts, argument).map(Expression::next),
            View::List(..) | View::Leaf => known_in_list(facts, operand),
        }
    })
}

/// The constant that `id` is known to be, where `facts` are the arguments of all `G` of a
/// conjunction, or of all `F` of a disjunction.
fn known_constant(facts: ListNode<'_>, id: NodeId) -> Option<NodeId> {
    if id == Nodes::TRUE || id == Nodes::FALSE {
        None
    } else if facts.contains(id) {
        Some(facts.quantifier.neutral())
    } else if facts.contains_negation(id) {
        Some(facts.quantifier.absorbing())
    } else {
        None
    }
}

/// `id` with constants in the place of known operands, if it has any.
fn known_in_list(facts: ListNode<'_>, id: NodeId) -> Option<Expression> {
    let list = facts.arena.list(id).filter(|list| list.operands.len() <= MAX_INNER)?;
    list.with_changes(|x| known_constant(facts, x).map(Into::into))
}

fn known_in_side(facts: ListNode<'_>, id: NodeId) -> Option<Expression> {
    known_constant(facts, id).map(Into::into).or_else(|| known_in_list(facts, id))
}
