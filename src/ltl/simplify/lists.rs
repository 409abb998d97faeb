//! Rules of conjunctions and disjunctions that hold in any boolean algebra.
//!
//! Operand lists arrive sorted. Each rule treats all operands it fits in one
//! scan, so that a list of a million operands is not scanned a million times.

use super::arena::Arena;
use super::pattern::{Expression, Quantifier};
use crate::ltl::nnf::NodeId;
use std::ops::Not;

/// Operands that are lists of more operands than this are not looked into.
/// Many lists may share one such operand, and looking into it for each of them
/// would take quadratic time.
pub(super) const MAX_INNER: usize = 16;

/// Nested lists of more operands than this are not opened. This is about lists
/// that rules have just made; those of the source are opened before.
const MAX_NESTED: usize = 8;

/// Lists of more operands than this are not searched for pairs of which one
/// implies the other.
const MAX_PAIRWISE: usize = 12;

/// Whether the sorted `list` contains `id`.
pub(super) fn contains(list: &[NodeId], id: NodeId) -> bool {
    list.binary_search(&id).is_ok()
}

/// Whether the sorted `list` contains the negation of `id`, or all operands of
/// the negation if it is a list of the same operator.
pub(super) fn contains_negation(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
    id: NodeId,
) -> bool {
    arena.negation(id).is_some_and(|negation| {
        contains(list, negation)
            || arena.operands(quantifier, negation).is_some_and(|operands| {
                operands.len() <= MAX_INNER && operands.iter().all(|&x| contains(list, x))
            })
    })
}

/// `list` without the operands that `drop` fits, unless it fits none.
pub(super) fn without(
    quantifier: Quantifier,
    list: &[NodeId],
    drop: impl Fn(NodeId) -> bool,
) -> Option<Expression> {
    // Mostly none is dropped, and then nothing is allocated.
    let first = list.iter().position(|&operand| drop(operand))?;
    let (kept, rest) = list.split_at(first);
    let rest = rest.iter().filter(|&&operand| !drop(operand));
    Some(Expression::list(quantifier, kept.iter().chain(rest).copied()))
}

/// `list` with some operands changed, unless `change` fits none.
pub(super) fn with_changes(
    quantifier: Quantifier,
    list: &[NodeId],
    change: impl Fn(NodeId) -> Option<Expression>,
) -> Option<Expression> {
    let first = list.iter().position(|&operand| change(operand).is_some())?;
    let (unchanged, rest) = list.split_at(first);
    let rest = rest.iter().map(|&operand| change(operand).unwrap_or(operand.into()));
    Some(Expression::list(quantifier, unchanged.iter().map(|&operand| operand.into()).chain(rest)))
}

/// The operands of `id` under the other quantifier, if it is a short list.
pub(super) fn inner(arena: &Arena, quantifier: Quantifier, id: NodeId) -> Option<&[NodeId]> {
    arena.operands(quantifier.dual(), id).filter(|operands| operands.len() <= MAX_INNER)
}

pub(super) fn constants(_: &Arena, quantifier: Quantifier, list: &[NodeId]) -> Option<Expression> {
    if contains(list, quantifier.absorbing()) {
        return Some(quantifier.absorbing().into());
    }
    without(quantifier, list, |operand| operand == quantifier.neutral())
}

pub(super) fn flatten(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    let nested = |operand| {
        arena.operands(quantifier, operand).filter(|operands| operands.len() <= MAX_NESTED)
    };
    if !list.iter().any(|&operand| nested(operand).is_some()) {
        return None;
    }
    let mut flat = Vec::with_capacity(list.len() + 1);
    for &operand in list {
        match nested(operand) {
            Some(operands) => flat.extend_from_slice(operands),
            None => flat.push(operand),
        }
    }
    Some(Expression::list(quantifier, flat))
}

pub(super) fn idempotence(
    _: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    list.is_sorted_by(|a, b| a < b).not().then(|| {
        let mut distinct = list.to_vec();
        distinct.dedup();
        Expression::list(quantifier, distinct)
    })
}

pub(super) fn complement(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    list.iter()
        .any(|&operand| contains_negation(arena, quantifier, list, operand))
        .then(|| quantifier.absorbing().into())
}

pub(super) fn absorption(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    without(quantifier, list, |operand| {
        inner(arena, quantifier, operand)
            .is_some_and(|operands| operands.iter().any(|&x| contains(list, x)))
    })
}

/// Only from disjunctions of conjunctions: a conjunction at the top is what
/// the automaton wants.
pub(super) fn common_factor(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    if quantifier == Quantifier::All {
        return None;
    }
    let operands = |operand: NodeId| inner(arena, quantifier, operand);
    let mut common = operands(*list.first()?)?.to_vec();
    for &operand in list {
        let operands = operands(operand)?;
        common.retain(|&x| contains(operands, x));
        if common.is_empty() {
            return None;
        }
    }
    let rests = list.iter().filter_map(|&operand| operands(operand)).map(|operands| {
        let rest = operands.iter().copied().filter(|&x| !contains(&common, x));
        Expression::list(quantifier.dual(), rest)
    });
    let rest = Expression::list(quantifier, rests);
    let factors = common.iter().map(|&x| x.into());
    Some(Expression::list(quantifier.dual(), factors.chain([rest])))
}

pub(super) fn subsumption(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    if list.len() > MAX_PAIRWISE {
        return None;
    }
    let redundant = |candidate: NodeId, others: &[NodeId]| {
        others
            .iter()
            .any(|&other| other != candidate && arena.redundant(quantifier, candidate, other))
    };
    let first = list.iter().position(|&candidate| redundant(candidate, list))?;
    let mut kept = list.to_vec();
    kept.remove(first);
    let mut index = first;
    while index < kept.len() {
        if redundant(kept[index], &kept) {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    Some(Expression::list(quantifier, kept))
}

pub(super) fn opposition(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    if list.len() > MAX_PAIRWISE {
        return None;
    }
    let opposed = list.iter().enumerate().any(|(index, &a)| {
        list[..index].iter().any(|&b| {
            // The search is not symmetric, so both directions are tried.
            arena.opposed(quantifier, a, b) || arena.opposed(quantifier, b, a)
        })
    });
    opposed.then(|| quantifier.absorbing().into())
}
