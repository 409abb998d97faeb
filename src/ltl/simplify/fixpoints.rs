//! Rules of `U` and `R`, and with them of `F` and `G`.
//!
//! Each rule is given an until or a release, the half of the pair as a
//! [`Quantifier`]; comments state the until.

use super::arena::Arena;
use super::lists::{MAX_INNER, without};
use super::pattern::{Expression, Quantifier, View};
use crate::ltl::nnf::NodeId;

pub(super) fn constants(
    _: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    let right_is_constant = right == quantifier.neutral() || right == quantifier.absorbing();
    (right_is_constant || left == quantifier.neutral()).then(|| right.into())
}

pub(super) fn settled_right(
    arena: &Arena,
    quantifier: Quantifier,
    _: NodeId,
    right: NodeId,
) -> Option<Expression> {
    arena.settled(quantifier, right).then(|| right.into())
}

pub(super) fn redundant_left(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    arena.redundant(quantifier, left, right).then(|| right.into())
}

pub(super) fn opposed_left(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    (left != quantifier.absorbing() && arena.opposed(quantifier, left, right))
        .then(|| Expression::plain(quantifier, right))
}

pub(super) fn plain_of_fixpoint(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    match arena.view(right) {
        View::Fixpoint(found, _, inner)
            if found == quantifier && left == quantifier.absorbing() =>
        {
            Some(Expression::plain(quantifier, inner))
        }
        _ => None,
    }
}

pub(super) fn nested_right(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
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

pub(super) fn nested_left(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    match arena.view(left) {
        View::Fixpoint(found, _, last) if found == quantifier && last == right => Some(left.into()),
        _ => None,
    }
}

/// Before the right side comes it is false, so what only repeats this or is
/// impossible then can go from the left side.
pub(super) fn left_operands(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    let View::List(found, list) = arena.view(left) else { return None };
    if list.len() > MAX_INNER {
        return None;
    }
    let shorter = without(found, list, |x| {
        if found == quantifier {
            arena.redundant(quantifier, x, right)
        } else {
            arena.opposed(quantifier, x, right)
        }
    })?;
    Some(Expression::fixpoint(quantifier, shorter, right))
}

pub(super) fn next_out(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    let right = arena.next(right)?;
    let left = if left == quantifier.absorbing() { left } else { arena.next(left)? };
    Some(Expression::next(Expression::fixpoint(quantifier, left, right)))
}

/// Only `G`: one location for each operand, of which most never change.
pub(super) fn split(
    arena: &Arena,
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Option<Expression> {
    if quantifier == Quantifier::Any || left != quantifier.absorbing() {
        return None;
    }
    let operands = arena.operands(quantifier, right)?;
    let split = operands.iter().map(|&x| Expression::plain(quantifier, x));
    Some(Expression::list(quantifier, split))
}
