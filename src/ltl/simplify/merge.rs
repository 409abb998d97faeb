//! Rules of conjunctions and disjunctions of temporal formulas: several
//! operands become one.
//!
//! In the automaton, each until and each release is a location and each
//! disjunction a choice that must be guessed; one operand in the place of two
//! is a location less or a choice made later. `G a & G b` is left alone: a
//! configuration is a set of conjuncts anyhow, and small ones restrict faster.

use super::arena::ListNode;
use super::lists::contains;
use super::pattern::Expression;
use crate::ltl::dual::{Quantifier, View};
use crate::ltl::nnf::{NodeId, Nodes};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Joins operands of `list` that have the same key. `part` names the key of
/// an operand and what it contributes; `join` makes one operand of a key and
/// its contributions.
fn join_by_key(
    list: ListNode<'_>,
    part: impl Fn(NodeId) -> Option<(NodeId, Expression)>,
    join: impl Fn(NodeId, Expression) -> Expression,
) -> Option<Expression> {
    let ListNode { quantifier, operands, .. } = list;
    if operands.iter().filter(|&&operand| part(operand).is_some()).take(2).count() < 2 {
        return None;
    }
    let mut first_with: HashMap<NodeId, usize, FxBuildHasher> = HashMap::default();
    let mut groups: Vec<(NodeId, Vec<Expression>)> = Vec::new();
    let mut rest = Vec::new();
    for &operand in operands {
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
    if groups.len() + rest.len() == operands.len() {
        return None;
    }
    let joined = groups
        .into_iter()
        .map(|(key, contributions)| join(key, Expression::list(quantifier, contributions)));
    Some(Expression::list(quantifier, rest.into_iter().map(Into::into).chain(joined)))
}

pub(super) fn nexts(list: ListNode<'_>) -> Option<Expression> {
    let part = |operand| Some((Nodes::TRUE, without_next(list, operand)?));
    join_by_key(list, part, |_, arguments| Expression::next(arguments))
}

/// `operand` without its `X`, or those of its operands if the others are
/// invariant.
fn without_next(list: ListNode<'_>, operand: NodeId) -> Option<Expression> {
    let arena = list.arena;
    if let Some(argument) = arena.next(operand) {
        return Some(argument.into());
    }
    let operands = list.inner(operand)?;
    let fits = |&x: &NodeId| arena.next(x).is_some() || arena.invariant(x);
    if arena.invariant(operand) || !operands.iter().all(fits) {
        return None;
    }
    let arguments = operands.iter().map(|&x| arena.next(x).unwrap_or(x));
    Some(Expression::list(list.quantifier.dual(), arguments))
}

pub(super) fn same_right(list: ListNode<'_>) -> Option<Expression> {
    let dual = list.quantifier.dual();
    let part = |operand| match list.arena.view(operand) {
        View::Fixpoint(found, left, right) if found == dual => Some((right, left.into())),
        _ => None,
    };
    join_by_key(list, part, |right, lefts| Expression::fixpoint(dual, lefts, right))
}

pub(super) fn same_left(list: ListNode<'_>) -> Option<Expression> {
    let ListNode { arena, quantifier, .. } = list;
    let part = |operand| match arena.view(operand) {
        // `G` splits.
        View::Fixpoint(Quantifier::All, Nodes::FALSE, _) => None,
        // An invariant operand is best by itself.
        View::Fixpoint(found, left, right) if found == quantifier && !arena.invariant(operand) => {
            Some((left, right.into()))
        }
        _ => None,
    };
    join_by_key(list, part, |left, rights| Expression::fixpoint(quantifier, left, rights))
}

pub(super) fn limits(list: ListNode<'_>) -> Option<Expression> {
    let dual = list.quantifier.dual();
    let part = |operand| {
        let inside = list.arena.plain(dual, operand)?;
        Some((Nodes::TRUE, list.arena.plain(list.quantifier, inside)?.into()))
    };
    join_by_key(list, part, |_, arguments| Expression::limit(dual, arguments))
}

/// `G a | (a U b)` is the weak until of `a` and `b`, and `F a & (a R b)` the
/// strong release.
pub(super) fn weak_until(list: ListNode<'_>) -> Option<Expression> {
    let ListNode { arena, quantifier, operands } = list;
    let dual = quantifier.dual();
    let endless = list.plain_arguments(dual);
    if endless.is_empty() {
        return None;
    }
    let partner = |operand| match arena.view(operand) {
        View::Fixpoint(found, left, right) if found == quantifier && contains(&endless, left) => {
            Some((left, right))
        }
        _ => None,
    };
    let lefts = operands.iter().filter_map(|&operand| Some(partner(operand)?.0));
    let mut used: Vec<NodeId> = lefts.collect();
    used.sort_unstable();
    if used.is_empty() {
        return None;
    }
    let is_used = |operand| arena.plain(dual, operand).is_some_and(|body| contains(&used, body));
    let changed = operands.iter().filter(|&&operand| !is_used(operand)).map(|&operand| {
        partner(operand).map_or(operand.into(), |(left, right)| {
            Expression::fixpoint(dual, right, Expression::pair(quantifier, left, right))
        })
    });
    Some(Expression::list(quantifier, changed))
}
