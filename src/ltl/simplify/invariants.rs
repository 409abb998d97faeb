//! Rules that bring formulas which hold everywhere or nowhere to the top,
//! where the search reads them as acceptance instead of as locations.
//!
//! An *invariant* formula is not changed by `X`, so no temporal operator needs
//! to stand above it. Some of these laws need less, see
//! [`Arena::settled`](super::arena::Arena::settled).
//!
//! One kind of law is missing on purpose. `G (a | s)` is `G a | s`, but the
//! former needs `s` only after a letter without `a`, while the latter guesses
//! at the beginning, and a conjunction of a hundred such formulas has a hundred
//! guesses. So invariant disjuncts stay below `G`, `R` and `X`, and on the left
//! of `U`.

use super::arena::{Arena, FixpointNode, ListNode};
use super::lists::MAX_INNER;
use super::pattern::Expression;
use crate::ltl::dual::{Quantifier, View};
use crate::ltl::nnf::NodeId;

/// The operands of `list` that `fits` and the others, unless there are none.
fn partition(list: &[NodeId], fits: impl Fn(NodeId) -> bool) -> Option<(Vec<NodeId>, Vec<NodeId>)> {
    // Most lists have no such operand, and need no allocation.
    list.iter().any(|&x| fits(x)).then(|| list.iter().partition(|&&x| fits(x)))
}

pub(super) fn next(arena: &Arena, argument: NodeId) -> Option<Expression> {
    arena.invariant(argument).then(|| argument.into())
}

pub(super) fn next_of_list(arena: &Arena, argument: NodeId) -> Option<Expression> {
    let list = arena.operands(Quantifier::All, argument)?;
    let (invariant, rest) = partition(list, |x| arena.invariant(x))?;
    let rest = Expression::next(Expression::list(Quantifier::All, rest));
    Some(Expression::list(Quantifier::All, invariant.into_iter().map(Into::into).chain([rest])))
}

pub(super) fn right_operands(node: FixpointNode<'_>) -> Option<Expression> {
    let FixpointNode { arena, quantifier, left, right } = node;
    let ListNode { quantifier: found, operands, .. } = arena.list(right)?;
    if !node.is_plain() && operands.len() > MAX_INNER {
        return None;
    }
    let free = |x| {
        found == quantifier && arena.settled(quantifier, x)
            || found == Quantifier::All && arena.invariant(x)
    };
    let (free, rest) = partition(operands, free)?;
    let rest = Expression::fixpoint(quantifier, left, Expression::list(found, rest));
    Some(Expression::list(found, free.into_iter().map(Into::into).chain([rest])))
}

/// `F u` is invariant where `u` is universal, so it leaves `F (a | u)`.
pub(super) fn future_limits(node: FixpointNode<'_>) -> Option<Expression> {
    let FixpointNode { arena, quantifier, right, .. } = node;
    if !node.is_plain() {
        return None;
    }
    let list = arena.operands(quantifier, right)?;
    let (universal, rest) = partition(list, |x| arena.settled(quantifier.dual(), x))?;
    let limits = universal.into_iter().map(|x| Expression::plain(quantifier, x));
    let rest = Expression::plain(quantifier, Expression::list(quantifier, rest));
    Some(Expression::list(quantifier, limits.chain([rest])))
}

/// `(a & u) U b = (a U b) & (u | b)`, where `u` is universal, and
/// `(a | e) R b = b & (e | (a R b))`, where `e` is eventual. These are not
/// written as duals: both are conjunctions.
pub(super) fn settled_left(node: FixpointNode<'_>) -> Option<Expression> {
    let FixpointNode { arena, quantifier, left, right } = node;
    let dual = quantifier.dual();
    if node.is_plain() {
        return None;
    }
    let own = [left];
    let list = arena.operands(dual, left).unwrap_or(&own);
    if list.len() > MAX_INNER {
        return None;
    }
    let (settled, rest) = partition(list, |x| arena.settled(dual, x))?;
    let settled = Expression::list(dual, settled);
    let rest = Expression::fixpoint(quantifier, Expression::list(dual, rest), right);
    let pair = |other: Expression| Expression::pair(Quantifier::Any, settled, other);
    Some(match quantifier {
        Quantifier::Any => Expression::pair(Quantifier::All, pair(right.into()), rest),
        Quantifier::All => Expression::pair(Quantifier::All, right, pair(rest)),
    })
}

/// `(a & s) R b = (a R b) & (s | G b)`, where `s` is invariant.
pub(super) fn invariant_left(node: FixpointNode<'_>) -> Option<Expression> {
    let FixpointNode { arena, quantifier, left, right } = node;
    if quantifier == Quantifier::Any {
        return None;
    }
    let list = arena.operands(quantifier, left).filter(|list| list.len() <= MAX_INNER)?;
    let (invariant, rest) = partition(list, |x| arena.invariant(x))?;
    let released = Expression::fixpoint(quantifier, Expression::list(quantifier, rest), right);
    let allowed = Expression::pair(
        Quantifier::Any,
        Expression::list(quantifier, invariant),
        Expression::plain(quantifier, right),
    );
    Some(Expression::pair(quantifier, released, allowed))
}

/// The argument of `G F`, respectively `F G`.
fn limit_argument(node: FixpointNode<'_>) -> Option<NodeId> {
    if node.is_plain() { node.arena.plain(node.quantifier.dual(), node.right) } else { None }
}

/// In the limit, an eventual formula holds always or never, and so does a
/// universal one.
pub(super) fn limit_of_list(node: FixpointNode<'_>) -> Option<Expression> {
    let arena = node.arena;
    let ListNode { quantifier: found, operands, .. } = arena.list(limit_argument(node)?)?;
    let settled =
        |x| [Quantifier::Any, Quantifier::All].into_iter().find(|&half| arena.settled(half, x));
    let (free, rest) = partition(operands, |x| settled(x).is_some())?;
    let free = free
        .into_iter()
        .map(|x| settled(x).map_or(x.into(), |half| Expression::plain(half.dual(), x)));
    let rest = Expression::limit(node.quantifier, Expression::list(found, rest));
    Some(Expression::list(found, free.chain([rest])))
}

/// If eventual formulas hold again and again between them, one of them does
/// so by itself. Together with the rule of limits in `merge.rs` this also puts
/// the parts of `F (G a & G b)` together again.
pub(super) fn limit_of_settled_list(node: FixpointNode<'_>) -> Option<Expression> {
    let dual = node.quantifier.dual();
    let list = node.arena.operands(dual, node.right)?;
    if !node.is_plain() || !list.iter().all(|&x| node.arena.settled(dual, x)) {
        return None;
    }
    Some(Expression::list(dual, list.iter().map(|&x| Expression::plain(node.quantifier, x))))
}

/// `G F (a R b)` is `G F (a & b) | F G b`: either the release happens again
/// and again, or at some point never more.
pub(super) fn limit_of_fixpoint(node: FixpointNode<'_>) -> Option<Expression> {
    let quantifier = node.quantifier;
    match node.arena.view(limit_argument(node)?) {
        View::Fixpoint(found, inner, last) if found == quantifier => Some(Expression::pair(
            quantifier.dual(),
            Expression::limit(quantifier, Expression::pair(quantifier, inner, last)),
            Expression::limit(quantifier.dual(), last),
        )),
        _ => None,
    }
}
