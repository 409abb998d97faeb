//! Rules of conjunctions and disjunctions of temporal formulas: several
//! operands become one.
//!
//! In the automaton, each until and each release is a location and each
//! disjunction a choice that must be guessed; one operand in the place of two
//! is a location less or a choice made later. `G a & G b` is left alone: a
//! configuration is a set of conjuncts anyhow, and small ones restrict faster.

use super::arena::Arena;
use super::lists::{contains, inner};
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
