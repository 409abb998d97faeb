//! How recurrences leave each operator.
//!
//! An operand is a disjunction ⋁ ξᵢ & φᵢ of recurrences ξᵢ and rests φᵢ, and so
//! is the result. The truth of ξᵢ does not depend on the position. So an
//! operator over the disjunction is the same operator over the disjunction of
//! those φᵢ whose ξᵢ is true, and all we have to do is to guess which ones are:
//!
//! - for a set S of them, ⋀ ξᵢ over S is a recurrence, and ⋁ φᵢ over S is what
//!   the operator then is over. All operators are monotone, so it does no harm
//!   if S is too small, and the guess may be wrong in this direction;
//! - `X`, the right side of `U`, and with it `F`, and the left side of `R`
//!   distribute over disjunctions, so sets of one element are enough. On the left
//!   of `R` the empty set says something as well: `false R ψ` is `G ψ`.
//!
//! For ξ beside φ or ψ this gives the laws
//!
//! ```text
//! X ξ = ξ
//! F (ξ & φ) = ξ & F φ              F (ξ | φ) = ξ | F φ
//! G (ξ & φ) = ξ & G φ              G (ξ | φ) = ξ | G φ
//! φ U (ξ & ψ) = ξ & φ U ψ          φ U (ξ | ψ) = ξ | φ U ψ
//! φ R (ξ & ψ) = ξ & φ R ψ          φ R (ξ | ψ) = ξ | φ R ψ
//! (ξ & φ) U ψ = ψ | (ξ & φ U ψ)    (ξ | φ) U ψ = (φ U ψ) | (ξ & F ψ)
//! (ξ & φ) R ψ = G ψ | (ξ & φ R ψ)  (ξ | φ) R ψ = ψ & (ξ | φ R ψ)
//! ```
//!
//! A law answers with nothing if no operand is taken apart, or if the result
//! would have too many disjuncts: the node then stays as it is.

use super::Recurring;
use super::arena::Arena;
use super::sum::{Disjunct, Sum};
use crate::ltl::dual::Quantifier;
use crate::ltl::nnf::{NodeId, Nodes};

/// A node below an operator.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand<'a> {
    pub(super) node: NodeId,
    /// What the node is the disjunction of, if it is taken apart.
    pub(super) disjuncts: Option<&'a [Disjunct]>,
}

impl Operand<'_> {
    pub(super) fn to_vec(self) -> Vec<Disjunct> {
        let whole = Disjunct { recurrence: Nodes::TRUE, rest: self.node };
        self.disjuncts.map_or_else(|| vec![whole], <[Disjunct]>::to_vec)
    }

    /// The same node, not taken apart.
    fn as_it_is(self) -> Self {
        Self { disjuncts: None, ..self }
    }
}

impl<'a> Operand<'a> {
    fn guessed(self, guess: Guess) -> Side<'a> {
        Side { operand: self, guess }
    }
}

/// `G F p` or `F G p`, where p is propositional.
pub(super) fn limit(arena: &Arena, id: NodeId) -> Vec<Disjunct> {
    let constant = Recurring::new(arena.nodes(), id)
        .map(Recurring::argument)
        .filter(|&argument| matches!(argument, Nodes::TRUE | Nodes::FALSE));
    match constant {
        Some(Nodes::FALSE) => Vec::new(),
        found => vec![Disjunct { recurrence: found.unwrap_or(id), rest: Nodes::TRUE }],
    }
}

/// Multiplies conjuncts as long as there are at most `limit` products. Others
/// stay as they are.
pub(super) fn conjunction(
    arena: &mut Arena,
    operands: &[Operand<'_>],
    limit: usize,
) -> Option<Vec<Disjunct>> {
    let (mut recurrences, mut rests, mut choices) = (Vec::new(), Vec::new(), Vec::new());
    for operand in operands {
        match operand.disjuncts {
            None => rests.push(operand.node),
            Some(&[Disjunct { recurrence, rest }]) => {
                recurrences.push(recurrence);
                rests.push(rest);
            }
            Some(disjuncts) => choices.push((disjuncts, operand.node)),
        }
    }
    choices.sort_by_key(|(disjuncts, _)| disjuncts.len());
    let mut products = vec![Disjunct { recurrence: Nodes::TRUE, rest: Nodes::TRUE }];
    let mut n_pulled = recurrences.len();
    for (disjuncts, node) in choices {
        if limit < products.len() * disjuncts.len() {
            rests.push(node);
            continue;
        }
        n_pulled += 1;
        products = multiply(arena, &products, disjuncts);
    }
    if n_pulled == 0 {
        return None;
    }
    // What all products have in common is one node that they share.
    let common = Disjunct { recurrence: arena.and(recurrences), rest: arena.and(rests) };
    Some(multiply(arena, &[common], &products))
}

/// The conjunctions of each of `left` with each of `right`.
fn multiply(arena: &mut Arena, left: &[Disjunct], right: &[Disjunct]) -> Vec<Disjunct> {
    let mut sum = Sum::default();
    for one in left {
        for two in right {
            sum.add(Disjunct {
                recurrence: arena.and(vec![one.recurrence, two.recurrence]),
                rest: arena.and(vec![one.rest, two.rest]),
            });
        }
    }
    sum.finish(arena)
}

/// Takes as many disjuncts apart as there is room for. Others stay as they
/// are.
pub(super) fn disjunction(
    arena: &mut Arena,
    operands: &[Operand<'_>],
    limit: usize,
) -> Option<Vec<Disjunct>> {
    let mut sum = Sum::default();
    let mut any_pulled = false;
    // Recurrences first: all of them together are one disjunct.
    let mut operands = operands.to_vec();
    operands.sort_by_key(|operand| operand.disjuncts.map_or(0, n_mixed));
    for operand in operands {
        let pulled = operand.disjuncts.is_some_and(|disjuncts| sum.has_room(disjuncts, limit));
        any_pulled |= pulled;
        let operand = if pulled { operand } else { operand.as_it_is() };
        operand.to_vec().into_iter().for_each(|disjunct| sum.add(disjunct));
    }
    any_pulled.then(|| sum.finish(arena))
}

/// `X` of each disjunct.
pub(super) fn next(arena: &mut Arena, operand: Operand<'_>) -> Option<Vec<Disjunct>> {
    let mut sum = Sum::default();
    for &Disjunct { recurrence, rest } in operand.disjuncts? {
        sum.add(Disjunct { recurrence, rest: arena.next(rest) });
    }
    Some(sum.finish(arena))
}

fn n_mixed(disjuncts: &[Disjunct]) -> usize {
    disjuncts.iter().filter(|disjunct| disjunct.is_mixed()).count()
}

/// What has to be guessed about the disjuncts of an operand.
#[derive(Clone, Copy, Debug)]
enum Guess {
    /// One whose recurrence is true.
    One,
    /// One whose recurrence is true, or none.
    AtMostOne,
    /// A set of those whose recurrence is true.
    Set,
}

/// One side of a binary operator.
#[derive(Clone, Copy, Debug)]
struct Side<'a> {
    operand: Operand<'a>,
    guess: Guess,
}

impl Side<'_> {
    /// The same side, not taken apart.
    fn closed(self) -> Self {
        Self { operand: self.operand.as_it_is(), ..self }
    }
}

/// `left U right` or `left R right` over all combinations of guesses: for `U` any set on the left
/// and one disjunct on the right, for `R` one disjunct or none on the left and any set on the
/// right. A side with which there would be too many stays as it is.
pub(super) fn fixpoint(
    arena: &mut Arena,
    quantifier: Quantifier,
    [left, right]: [Operand<'_>; 2],
    limit: usize,
) -> Option<Vec<Disjunct>> {
    let [left, right] = match quantifier {
        Quantifier::Any => [left.guessed(Guess::Set), right.guessed(Guess::One)],
        Quantifier::All => [left.guessed(Guess::AtMostOne), right.guessed(Guess::Set)],
    };
    let fits = |&[left, right]: &[Side<'_>; 2]| {
        let n_cases = n_cases(left).and_then(|n| n.checked_mul(n_cases(right)?));
        n_cases.is_some_and(|n_cases| n_cases <= limit)
    };
    let [left, right] =
        [[left, right], [left.closed(), right], [left, right.closed()]].into_iter().find(fits)?;
    if left.operand.disjuncts.is_none() && right.operand.disjuncts.is_none() {
        return None;
    }
    let [left, right] = [cases(arena, left), cases(arena, right)];
    let mut sum = Sum::default();
    for one in &left {
        for two in &right {
            let mut recurrences = vec![one.recurrence, two.recurrence];
            let mut rest = arena.fixpoint(quantifier, one.rest, two.rest);
            if arena.is_recurrent(rest) {
                recurrences.push(rest);
                rest = Nodes::TRUE;
            }
            sum.add(Disjunct { recurrence: arena.and(recurrences), rest });
        }
    }
    Some(sum.finish(arena))
}

/// The number of [`cases`], if it is a number.
fn n_cases(side: Side<'_>) -> Option<usize> {
    let Some(disjuncts) = side.operand.disjuncts else { return Some(1) };
    match side.guess {
        Guess::One => Some(disjuncts.len()),
        Guess::AtMostOne => Some(disjuncts.len() + 1),
        Guess::Set => {
            let n_mixed = u32::try_from(n_mixed(disjuncts)).ok()?;
            let has_whole = disjuncts.iter().any(|disjunct| disjunct.rest == Nodes::TRUE);
            1usize.checked_shl(n_mixed)?.checked_add(usize::from(has_whole))
        }
    }
}

/// All guesses about an operand, with what it then is.
fn cases(arena: &mut Arena, side: Side<'_>) -> Vec<Disjunct> {
    let Some(disjuncts) = side.operand.disjuncts else { return side.operand.to_vec() };
    match side.guess {
        Guess::One => disjuncts.to_vec(),
        Guess::AtMostOne => {
            let mut cases = disjuncts.to_vec();
            if disjuncts.iter().all(|disjunct| disjunct.recurrence != Nodes::TRUE) {
                cases.push(Disjunct { recurrence: Nodes::TRUE, rest: Nodes::FALSE });
            }
            cases
        }
        Guess::Set => sets(arena, disjuncts),
    }
}

/// The sets of disjuncts that may be true, without those that are implied by
/// others.
fn sets(arena: &mut Arena, disjuncts: &[Disjunct]) -> Vec<Disjunct> {
    // With a rest `true` in the set, others add nothing. A recurrence `true`
    // is true in any case.
    let (whole, others): (Vec<Disjunct>, Vec<_>) =
        disjuncts.iter().partition(|disjunct| disjunct.rest == Nodes::TRUE);
    let (mixed, fixed): (Vec<Disjunct>, Vec<_>) =
        others.into_iter().partition(|disjunct| disjunct.is_mixed());
    let mut sets = Vec::new();
    for set in 0..1usize << mixed.len() {
        let chosen = mixed.iter().enumerate().filter(|(index, _)| set >> index & 1 == 1);
        let all: Vec<&Disjunct> =
            fixed.iter().chain(chosen.map(|(_, disjunct)| disjunct)).collect();
        sets.push(Disjunct {
            recurrence: arena.and(all.iter().map(|disjunct| disjunct.recurrence).collect()),
            rest: arena.or(all.iter().map(|disjunct| disjunct.rest).collect()),
        });
    }
    sets.extend(whole);
    sets
}
