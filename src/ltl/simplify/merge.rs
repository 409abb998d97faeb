//! Rules of conjunctions and disjunctions of temporal formulas: several
//! operands become one.
//!
//! In the automaton, each until and each release is a location and each
//! disjunction a choice that must be guessed; one operand in the place of two
//! is a location less or a choice made later. `G a & G b` is left alone: a
//! configuration is a set of conjuncts anyhow, and small ones restrict faster.

use super::arena::Arena;
use super::lists::{MAX_INNER, contains, contains_negation, inner, with_changes, without};
use super::pattern::{Expression, Quantifier, View};
use crate::ltl::nnf::{NodeId, Nodes};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Joins operands of `list` that have the same key. `part` names the key of
/// an operand and what it contributes; `join` makes one operand of a key and
/// its contributions.
fn join_by_key(
    quantifier: Quantifier,
    list: &[NodeId],
    part: impl Fn(NodeId) -> Option<(NodeId, Expression)>,
    join: impl Fn(NodeId, Expression) -> Expression,
) -> Option<Expression> {
    if list.iter().filter(|&&operand| part(operand).is_some()).take(2).count() < 2 {
        return None;
    }
    let mut first_with: HashMap<NodeId, usize, FxBuildHasher> = HashMap::default();
    let mut groups: Vec<(NodeId, Vec<Expression>)> = Vec::new();
    let mut rest = Vec::new();
    for &operand in list {
        let Some((key, contribution)) = part(operand) else {
            rest.push(operand);
            continue;
        };
        let group = *first_with.entry(key).or_insert(groups.len());
        if group == groups.len() {
            groups.push((key, Vec::new()));
        }
        groups[group].1.push(contribution);
    }
    if groups.len() + rest.len() == list.len() {
        return None;
    }
    let joined = groups
        .into_iter()
        .map(|(key, contributions)| join(key, Expression::list(quantifier, contributions)));
    Some(Expression::list(quantifier, rest.into_iter().map(Into::into).chain(joined)))
}

pub(super) fn nexts(arena: &Arena, quantifier: Quantifier, list: &[NodeId]) -> Option<Expression> {
    let part = |operand| Some((Nodes::TRUE, without_next(arena, quantifier, operand)?));
    join_by_key(quantifier, list, part, |_, arguments| Expression::next(arguments))
}

/// `operand` without its `X`, or those of its operands if the others are
/// invariant.
fn without_next(arena: &Arena, quantifier: Quantifier, operand: NodeId) -> Option<Expression> {
    if let Some(argument) = arena.next(operand) {
        return Some(argument.into());
    }
    let operands = inner(arena, quantifier, operand)?;
    let fits = |&x: &NodeId| arena.next(x).is_some() || arena.invariant(x);
    if arena.invariant(operand) || !operands.iter().all(fits) {
        return None;
    }
    let arguments = operands.iter().map(|&x| arena.next(x).unwrap_or(x));
    Some(Expression::list(quantifier.dual(), arguments))
}

pub(super) fn same_right(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    let part = |operand| match arena.view(operand) {
        View::Fixpoint(found, left, right) if found != quantifier => Some((right, left.into())),
        _ => None,
    };
    join_by_key(quantifier, list, part, |right, lefts| {
        Expression::fixpoint(quantifier.dual(), lefts, right)
    })
}

pub(super) fn same_left(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    let part = |operand| match arena.view(operand) {
        View::Fixpoint(Quantifier::All, Nodes::FALSE, _) => None,
        // An invariant operand is best by itself.
        View::Fixpoint(found, left, right) if found == quantifier && !arena.invariant(operand) => {
            Some((left, right.into()))
        }
        _ => None,
    };
    join_by_key(quantifier, list, part, |left, rights| {
        Expression::fixpoint(quantifier, left, rights)
    })
}

pub(super) fn limits(arena: &Arena, quantifier: Quantifier, list: &[NodeId]) -> Option<Expression> {
    let part = |operand| {
        let inside = arena.plain(quantifier.dual(), operand)?;
        Some((Nodes::TRUE, arena.plain(quantifier, inside)?.into()))
    };
    join_by_key(quantifier, list, part, |_, arguments| {
        Expression::limit(quantifier.dual(), arguments)
    })
}

/// `G a | (a U b)` is the weak until of `a` and `b`, and `F a & (a R b)` the
/// strong release.
pub(super) fn weak_until(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    let dual = quantifier.dual();
    let mut endless: Vec<NodeId> =
        list.iter().filter_map(|&operand| arena.plain(dual, operand)).collect();
    if endless.is_empty() {
        return None;
    }
    endless.sort_unstable();
    let partner = |operand| match arena.view(operand) {
        View::Fixpoint(found, left, right) if found == quantifier && contains(&endless, left) => {
            Some((left, right))
        }
        _ => None,
    };
    let mut used: Vec<NodeId> =
        list.iter().filter_map(|&operand| partner(operand)).map(|(left, _)| left).collect();
    used.sort_unstable();
    if used.is_empty() {
        return None;
    }
    let is_used = |operand| arena.plain(dual, operand).is_some_and(|body| contains(&used, body));
    let changed = list.iter().filter(|&&operand| !is_used(operand)).map(|&operand| {
        partner(operand).map_or(operand.into(), |(left, right)| {
            Expression::fixpoint(dual, right, Expression::pair(quantifier, left, right))
        })
    });
    Some(Expression::list(quantifier, changed))
}

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

/// Undoes the unfolding of `F` and `G`, also below a common `X`.
pub(super) fn fold_plain(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    if !list.iter().any(|&operand| arena.next(operand).is_some()) {
        return None;
    }
    // The argument of an `F` below `X` that the list has on its first position.
    let unfolded = |id: NodeId| {
        let body = arena.plain(quantifier, id)?;
        has_operands(arena, quantifier, list, body).then_some(body)
    };
    let mut folded = Vec::new();
    let mut bodies = Vec::new();
    let mut rest = Vec::new();
    for &operand in list {
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
pub(super) fn fold_fixpoint(
    arena: &Arena,
    quantifier: Quantifier,
    list: &[NodeId],
) -> Option<Expression> {
    with_changes(quantifier, list, |operand| {
        let operands = inner(arena, quantifier, operand)?;
        operands.iter().find_map(|&x| {
            let fixpoint = arena.next(x)?;
            let View::Fixpoint(found, left, right) = arena.view(fixpoint) else { return None };
            let own = [left];
            let lefts = arena.operands(quantifier.dual(), left).unwrap_or(&own);
            let rest = operands.iter().filter(|&&y| y != x);
            (found == quantifier && rest.eq(lefts) && has_operands(arena, quantifier, list, right))
                .then(|| fixpoint.into())
        })
    })
}

/// Whether `id`, or each of its operands, is in `list`.
fn has_operands(arena: &Arena, quantifier: Quantifier, list: &[NodeId], id: NodeId) -> bool {
    contains(list, id)
        || arena
            .operands(quantifier, id)
            .is_some_and(|operands| operands.iter().all(|&x| contains(list, x)))
}
