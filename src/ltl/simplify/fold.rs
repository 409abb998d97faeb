//! Rules that undo the unfolding of temporal operators.
//!
//! `a U b` is `b | (a & X (a U b))`. Formulas made by programs often contain
//! the right side of this law, which costs a location more than the left.

use super::arena::ListNode;
use super::lists::contains;
use super::pattern::Expression;
use crate::ltl::dual::View;
use crate::ltl::nnf::NodeId;

/// Undoes the unfolding of `F` and `G`, also below a common `X`.
pub(super) fn plain(list: ListNode<'_>) -> Option<Expression> {
    let ListNode { arena, quantifier, operands } = list;
    if !operands.iter().any(|&operand| arena.next(operand).is_some()) {
        return None;
    }
    // The argument of an `F` below `X` that the list has on its first position.
    let unfolded = |id| arena.plain(quantifier, id).filter(|&body| has_operands(list, body));
    let mut folded = Vec::new();
    let mut bodies = Vec::new();
    let mut rest = Vec::new();
    for &operand in operands {
        let Some(argument) = arena.next(operand) else {
            rest.push(operand.into());
            continue;
        };
        let own = [argument];
        let arguments = arena.operands(quantifier, argument).unwrap_or(&own);
        let n_before = folded.len();
        let mut kept = Vec::new();
        for &x in arguments {
            match unfolded(x) {
                Some(body) => {
                    folded.push(x);
                    bodies.extend_from_slice(arena.operands(quantifier, body).unwrap_or(&[body]));
                }
                None => kept.push(x),
            }
        }
        if folded.len() == n_before {
            rest.push(operand.into());
        } else {
            rest.push(Expression::next(Expression::list(quantifier, kept)));
        }
    }
    if folded.is_empty() {
        return None;
    }
    bodies.sort_unstable();
    rest.retain(|operand| !matches!(operand, Expression::Node(id) if contains(&bodies, *id)));
    rest.extend(folded.into_iter().map(Expression::Node));
    Some(Expression::List(quantifier, rest))
}

/// Undoes the unfolding of `U` and `R`.
pub(super) fn fixpoint(list: ListNode<'_>) -> Option<Expression> {
    let ListNode { arena, quantifier, .. } = list;
    list.with_changes(|operand| {
        let operands = list.inner(operand)?;
        operands.iter().find_map(|&x| {
            let fixpoint = arena.next(x)?;
            let View::Fixpoint(found, left, right) = arena.view(fixpoint) else { return None };
            let own = [left];
            let lefts = arena.operands(quantifier.dual(), left).unwrap_or(&own);
            let rest = operands.iter().filter(|&&y| y != x);
            (found == quantifier && rest.eq(lefts) && has_operands(list, right))
                .then(|| fixpoint.into())
        })
    })
}

/// Whether `id`, or each of its operands, is in `list`.
fn has_operands(list: ListNode<'_>, id: NodeId) -> bool {
    let operands = list.arena.operands(list.quantifier, id);
    list.contains(id) || operands.is_some_and(|operands| operands.iter().all(|&x| list.contains(x)))
}
