//! Rules of conjunctions and disjunctions that hold in any boolean algebra.
//!
//! Operand lists arrive sorted. Each rule treats all operands it fits in one
//! scan, so that a list of a million operands is not scanned a million times.

use super::arena::ListNode;
use super::pattern::Expression;
use crate::ltl::dual::Quantifier;
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

impl<'a> ListNode<'a> {
    /// Whether `id` is an operand.
    pub(super) fn contains(self, id: NodeId) -> bool {
        contains(self.operands, id)
    }

    /// Whether the negation of `id` is an operand, or all operands of the negation are if it is
    /// a list of the same operator.
    pub(super) fn contains_negation(self, id: NodeId) -> bool {
        self.arena.negation(id).is_some_and(|negation| {
            self.contains(negation)
                || self.arena.operands(self.quantifier, negation).is_some_and(|operands| {
                    operands.len() <= MAX_INNER && operands.iter().all(|&x| self.contains(x))
                })
        })
    }

    /// The list without the operands that `drop` fits, unless it fits none.
    pub(super) fn without(self, drop: impl Fn(NodeId) -> bool) -> Option<Expression> {
        // Mostly none is dropped, and then nothing is allocated.
        let first = self.operands.iter().position(|&operand| drop(operand))?;
        let (kept, rest) = self.operands.split_at(first);
        let rest = rest.iter().filter(|&&operand| !drop(operand));
        Some(Expression::list(self.quantifier, kept.iter().chain(rest).copied()))
    }

    /// The list with some operands changed, unless `change` fits none.
    pub(super) fn with_changes(
        self,
        change: impl Fn(NodeId) -> Option<Expression>,
    ) -> Option<Expression> {
        let first = self.operands.iter().position(|&operand| change(operand).is_some())?;
        let (unchanged, rest) = self.operands.split_at(first);
        let rest = rest.iter().map(|&operand| change(operand).unwrap_or(operand.into()));
        let unchanged = unchanged.iter().map(|&operand| operand.into());
        Some(Expression::list(self.quantifier, unchanged.chain(rest)))
    }

    /// The operands of `id` under the other quantifier, if it is a short list.
    pub(super) fn inner(self, id: NodeId) -> Option<&'a [NodeId]> {
        let operands = self.arena.operands(self.quantifier.dual(), id);
        operands.filter(|operands| operands.len() <= MAX_INNER)
    }

    /// The arguments of the operands that are `F`, respectively `G`, sorted.
    pub(super) fn plain_arguments(self, quantifier: Quantifier) -> Vec<NodeId> {
        let plain = |&operand: &NodeId| self.arena.plain(quantifier, operand);
        let mut arguments: Vec<NodeId> = self.operands.iter().filter_map(plain).collect();
        arguments.sort_unstable();
        arguments
    }
}

pub(super) fn constants(list: ListNode<'_>) -> Option<Expression> {
    if list.contains(list.quantifier.absorbing()) {
        return Some(list.quantifier.absorbing().into());
    }
    list.without(|operand| operand == list.quantifier.neutral())
}

pub(super) fn flatten(list: ListNode<'_>) -> Option<Expression> {
    let nested = |operand| {
        let operands = list.arena.operands(list.quantifier, operand);
        operands.filter(|operands| operands.len() <= MAX_NESTED)
    };
    if !list.operands.iter().any(|&operand| nested(operand).is_some()) {
        return None;
    }
    let mut flat = Vec::with_capacity(list.operands.len() + 1);
    for operand in list.operands {
        flat.extend_from_slice(nested(*operand).unwrap_or(std::slice::from_ref(operand)));
    }
    Some(Expression::list(list.quantifier, flat))
}

pub(super) fn idempotence(list: ListNode<'_>) -> Option<Expression> {
    list.operands.is_sorted_by(|a, b| a < b).not().then(|| {
        let mut distinct = list.operands.to_vec();
        distinct.dedup();
        Expression::list(list.quantifier, distinct)
    })
}

pub(super) fn complement(list: ListNode<'_>) -> Option<Expression> {
    let has_complement = list.operands.iter().any(|&operand| list.contains_negation(operand));
    has_complement.then(|| list.quantifier.absorbing().into())
}

pub(super) fn absorption(list: ListNode<'_>) -> Option<Expression> {
    list.without(|operand| {
        list.inner(operand).is_some_and(|operands| operands.iter().any(|&x| list.contains(x)))
    })
}

/// Only from disjunctions of conjunctions: a conjunction at the top is what
/// the automaton wants.
pub(super) fn common_factor(list: ListNode<'_>) -> Option<Expression> {
    if list.quantifier == Quantifier::All {
        return None;
    }
    let mut common = list.inner(*list.operands.first()?)?.to_vec();
    for &operand in list.operands {
        let operands = list.inner(operand)?;
        common.retain(|&x| contains(operands, x));
        if common.is_empty() {
            return None;
        }
    }
    let inner = list.operands.iter().filter_map(|&operand| list.inner(operand));
    let rests = inner.map(|operands| {
        let rest = operands.iter().copied().filter(|&x| !contains(&common, x));
        Expression::list(Quantifier::All, rest)
    });
    let rest = Expression::list(Quantifier::Any, rests);
    let factors = common.iter().map(|&x| x.into());
    Some(Expression::list(Quantifier::All, factors.chain([rest])))
}

pub(super) fn subsumption(list: ListNode<'_>) -> Option<Expression> {
    if list.operands.len() > MAX_PAIRWISE {
        return None;
    }
    let redundant = |candidate: NodeId, others: &[NodeId]| {
        others.iter().any(|&other| {
            other != candidate && list.arena.redundant(list.quantifier, candidate, other)
        })
    };
    let first = list.operands.iter().position(|&x| redundant(x, list.operands))?;
    let mut kept = list.operands.to_vec();
    kept.remove(first);
    let mut index = first;
    while index < kept.len() {
        if redundant(kept[index], &kept) {
            kept.remove(index);
        } else {
            index += 1;
        }
    }
    Some(Expression::list(list.quantifier, kept))
}

pub(super) fn opposition(list: ListNode<'_>) -> Option<Expression> {
    if list.operands.len() > MAX_PAIRWISE {
        return None;
    }
    let opposed = |a, b| list.arena.opposed(list.quantifier, a, b);
    let is_decided = list.operands.iter().enumerate().any(|(index, &a)| {
        // The search is not symmetric, so both directions are tried.
        list.operands[..index].iter().any(|&b| opposed(a, b) || opposed(b, a))
    });
    is_decided.then(|| list.quantifier.absorbing().into())
}
