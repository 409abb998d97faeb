//! Rules of `U` and `R`, and with them of `F` and `G`.
//!
//! Each rule is given an until or a release, the half of the pair as a
//! [`Quantifier`]; comments state the until.

use super::arena::FixpointNode;
use super::lists::MAX_INNER;
use super::pattern::Expression;
use crate::ltl::dual::{Quantifier, View};

pub(super) fn constants(node: FixpointNode<'_>) -> Option<Expression> {
    let (neutral, absorbing) = (node.quantifier.neutral(), node.quantifier.absorbing());
    (node.right == neutral || node.right == absorbing || node.left == neutral)
        .then(|| node.right.into())
}

pub(super) fn settled_right(node: FixpointNode<'_>) -> Option<Expression> {
    node.arena.settled(node.quantifier, node.right).then(|| node.right.into())
}

pub(super) fn redundant_left(node: FixpointNode<'_>) -> Option<Expression> {
    node.arena.redundant(node.quantifier, node.left, node.right).then(|| node.right.into())
}

pub(super) fn opposed_left(node: FixpointNode<'_>) -> Option<Expression> {
    (!node.is_plain() && node.arena.opposed(node.quantifier, node.left, node.right))
        .then(|| Expression::plain(node.quantifier, node.right))
}

pub(super) fn plain_of_fixpoint(node: FixpointNode<'_>) -> Option<Expression> {
    match node.arena.view(node.right) {
        View::Fixpoint(found, _, inner) if found == node.quantifier && node.is_plain() => {
            Some(Expression::plain(found, inner))
        }
        _ => None,
    }
}

pub(super) fn nested_right(node: FixpointNode<'_>) -> Option<Expression> {
    let FixpointNode { arena, quantifier, left, right } = node;
    match arena.view(right) {
        View::Fixpoint(found, inner, last) if found == quantifier => {
            if arena.redundant(quantifier, left, inner) {
                Some(right.into())
            } else if arena.redundant(quantifier, inner, left) {
                Some(Expression::fixpoint(quantifier, left, last))
            } else {
                None
            }
        }
        _ => None,
    }
}

pub(super) fn nested_left(node: FixpointNode<'_>) -> Option<Expression> {
    match node.arena.view(node.left) {
        View::Fixpoint(found, _, last) if found == node.quantifier && last == node.right => {
            Some(node.left.into())
        }
        _ => None,
    }
}

/// Before the right side comes it is false, so what only repeats this or is
/// impossible then can go from the left side.
pub(super) fn left_operands(node: FixpointNode<'_>) -> Option<Expression> {
    let FixpointNode { arena, quantifier, left, right } = node;
    let list = arena.list(left).filter(|list| list.operands.len() <= MAX_INNER)?;
    let shorter = list.without(|x| {
        if list.quantifier == quantifier {
            arena.redundant(quantifier, x, right)
        } else {
            arena.opposed(quantifier, x, right)
        }
    })?;
    Some(Expression::fixpoint(quantifier, shorter, right))
}

pub(super) fn next_out(node: FixpointNode<'_>) -> Option<Expression> {
    let right = node.arena.next(node.right)?;
    let left = if node.is_plain() { node.left } else { node.arena.next(node.left)? };
    Some(Expression::next(Expression::fixpoint(node.quantifier, left, right)))
}

/// Only `G`: one location for each operand, of which most never change.
pub(super) fn split(node: FixpointNode<'_>) -> Option<Expression> {
    if node.quantifier == Quantifier::Any || !node.is_plain() {
        return None;
    }
    let operands = node.arena.operands(Quantifier::All, node.right)?;
    let split = operands.iter().map(|&x| Expression::plain(Quantifier::All, x));
    Some(Expression::list(Quantifier::All, split))
}
