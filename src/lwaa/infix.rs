//! From shared formulas to expressions that can be printed.

use super::TransitionId;
use crate::hoa::{Expression, Item};

/// What a formula is at its top.
pub(super) enum Top<L> {
    /// A leaf.
    Leaf(L),
    /// The negation of a leaf.
    Negated(L),
    /// Two or more operands joined by [`Item::And`] or [`Item::Or`].
    Join(Item<L>, Vec<TransitionId>),
}

/// The tree of `root`, whose nodes `top` opens one by one. It decides what a
/// leaf is and in which order operands come, and its error ends the walk.
pub(super) fn expression<L: Clone, E>(
    root: TransitionId,
    mut top: impl FnMut(TransitionId) -> Result<Top<L>, E>,
) -> Result<Expression<L>, E> {
    enum Todo<L> {
        Open(TransitionId),
        Item(Item<L>),
    }
    let mut items = Vec::new();
    let mut todo = vec![Todo::Open(root)];
    while let Some(next) = todo.pop() {
        let id = match next {
            Todo::Open(id) => id,
            Todo::Item(item) => {
                items.push(item);
                continue;
            }
        };
        match top(id)? {
            Top::Leaf(leaf) => items.push(Item::Leaf(leaf)),
            Top::Negated(leaf) => items.extend([Item::Leaf(leaf), Item::Not]),
            Top::Join(operator, operands) => {
                // The operator follows each operand but the first, and the
                // stack is popped from its end.
                let (first, rest) = operands.split_first().expect("two or more operands");
                for &operand in rest.iter().rev() {
                    todo.extend([Todo::Item(operator.clone()), Todo::Open(operand)]);
                }
                todo.push(Todo::Open(*first));
            }
        }
    }
    Ok(Expression::from_items(items).expect("each operator follows its operands"))
}
