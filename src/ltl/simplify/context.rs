//! Rules of conjunctions and disjunctions in which one operand tells something
//! about the others.
//!
//! In a conjunction, each operand may be simplified as if the others were true.
//! Boolean operands are the subject of `units.rs`; these rules are about what
//! holds at later positions too.

use super::arena::Arena;
use super::lists::{MAX_INNER, contains, contains_negation, inner, with_changes, without};
use super::pattern::{Expression, Quantifier, View};
use crate::ltl::nnf::{NodeId, Nodes};

/// The first step of a fixpoint whose left side is decided by another operand.
pub(super) fn decided_left(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    with_changes(quantifier, list, |operand| {
        let View::Fixpoint(found, left, right) = arena.view(operand) else { return None };
        let decided = if found == quantifier {
            contains(list, left)
        } else {
            contains_negation(arena, quantifier, list, left)
        };
        decided.then(|| right.into())
    })
}

/// The arguments of the operands `F a`, respectively `G a`, sorted.
pub(super) fn plain_arguments(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Vec<NodeId> {
    let mut bodies: Vec<NodeId> =
        list.iter().filter_map(|&operand| arena.plain(quantifier, operand)).collect();
    bodies.sort_unstable();
    bodies
}

/// The short list under the other quantifier that `operand` is, or is `F` or
/// `G` of.
fn inner_below_plain(arena: &Arena, quantifier: Quantifier, operand: NodeId) -> Option<&[NodeId]> {
    inner(arena, quantifier, arena.plain(quantifier, operand).unwrap_or(operand))
}

pub(super) fn global_absorption(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    let bodies = plain_arguments(arena, quantifier, list);
    if bodies.is_empty() {
        return None;
    }
    without(quantifier, list, |operand| {
        contains(&bodies, operand)
            || inner_below_plain(arena, quantifier, operand)
                .is_some_and(|operands| operands.iter().any(|&x| contains(&bodies, x)))
    })
}

/// `G a` says that `a` is true at all positions, wherever it occurs. We look
/// for it on top of the operands and one list below their operators.
pub(super) fn global_knowledge(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    let bodies = plain_arguments(arena, quantifier, list);
    if bodies.is_empty() {
        return None;
    }
    let known = Known { arena, quantifier, bodies: &bodies };
    with_changes(quantifier, list, |operand| {
        if let Some(argument) = arena.plain(quantifier, operand) {
            // The argument itself is known because of this very operand.
            return Some(Expression::plain(quantifier, known.in_list(argument)?));
        }
        if let Some(constant) = known.constant(operand) {
            return Some(constant.into());
        }
        match arena.view(operand) {
            View::Fixpoint(found, left, right) => {
                let (new_left, new_right) = (known.in_side(left), known.in_side(right));
                (new_left.is_some() || new_right.is_some()).then(|| {
                    let new_left = new_left.unwrap_or(left.into());
                    Expression::fixpoint(found, new_left, new_right.unwrap_or(right.into()))
                })
            }
            View::Next(argument) => known.in_side(argument).map(Expression::next),
            View::List(..) | View::Leaf => known.in_list(operand),
        }
    })
}

/// The arguments of all `G` of a conjunction, or of all `F` of a disjunction.
#[derive(Clone, Copy)]
struct Known<'a> {
    arena: &'a Arena,
    quantifier: Quantifier,
    bodies: &'a [NodeId],
}

impl Known<'_> {
    /// The constant that `id` is known to be.
    fn constant(self, id: NodeId) -> Option<NodeId> {
        if id == Nodes::TRUE || id == Nodes::FALSE {
            None
        } else if contains(self.bodies, id) {
            Some(self.quantifier.neutral())
        } else if contains_negation(self.arena, self.quantifier, self.bodies, id) {
            Some(self.quantifier.absorbing())
        } else {
            None
        }
    }

    /// `id` with constants in the place of known operands, if it has any.
    fn in_list(self, id: NodeId) -> Option<Expression> {
        match self.arena.view(id) {
            View::List(found, list) if list.len() <= MAX_INNER => {
                with_changes(found, list, |x| self.constant(x).map(Into::into))
            }
            _ => None,
        }
    }

    fn in_side(self, id: NodeId) -> Option<Expression> {
        self.constant(id).map(Into::into).or_else(|| self.in_list(id))
    }
}
