//! What an atom says, as linear constraints on markings.
//!
//! A condition is a disjunction of conjunctions of constraints, and so is its negation. Where
//! one of the two would be too large, nothing is known about it.

use crate::id::IdVec;
use crate::lang::pnml::atom::{Atom, Sum};
use crate::lang::pnml::net::{Net, PlaceId};
use crate::lang::program::{BinaryOperator, TransitionId};
use std::collections::BTreeMap;

/// Conditions with more conjunctions than this are not written out.
const MAX_CONJUNCTIONS: usize = 128;

/// Conjunctions of more constraints than this are not written out.
const MAX_CONSTRAINTS: usize = 32;

/// That so many tokens are there at least, each place counted with its factor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Constraint {
    /// Factors that are not zero, sorted by place.
    pub(super) factors: Vec<(PlaceId, i64)>,
    pub(super) least: i64,
}

/// All of them are true.
pub(super) type Conjunction = Vec<Constraint>;

impl Constraint {
    /// That a place has so many tokens at least.
    pub(super) fn tokens((place, least): (PlaceId, i64)) -> Self {
        Self { factors: vec![(place, 1)], least }
    }

    /// That it is false: numbers of tokens are whole.
    pub(super) fn negated(&self) -> Option<Self> {
        let negated =
            self.factors.iter().map(|&(place, factor)| Some((place, factor.checked_neg()?)));
        let factors = negated.collect::<Option<_>>()?;
        Some(Self { factors, least: 1_i64.checked_sub(self.least)? })
    }

    /// The number of tokens that is compared; nothing if it is too large.
    pub(super) fn sum(&self, tokens: impl Fn(PlaceId) -> i64) -> Option<i128> {
        let mut sum = 0_i128;
        for &(place, factor) in &self.factors {
            let product = i128::from(factor).checked_mul(i128::from(tokens(place)))?;
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// Whether it is true in a marking.
    pub(super) fn is_true(&self, marking: &IdVec<PlaceId, i64>) -> Option<bool> {
        Some(i128::from(self.least) <= self.sum(|place| marking[place])?)
    }
}

/// A condition and its negation, each as a disjunction of conjunctions.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) holds: Option<Vec<Conjunction>>,
    pub(super) fails: Option<Vec<Conjunction>>,
}

impl Condition {
    pub(super) fn constant(value: bool) -> Self {
        let (yes, no) = (Some(vec![Vec::new()]), Some(Vec::new()));
        if value { Self { holds: yes, fails: no } } else { Self { holds: no, fails: yes } }
    }

    pub(super) fn constraint(constraint: Constraint) -> Self {
        let fails = constraint.negated().map(|negated| vec![vec![negated]]);
        Self { holds: Some(vec![vec![constraint]]), fails }
    }

    #[must_use]
    pub(super) fn not(&self) -> Self {
        Self { holds: self.fails.clone(), fails: self.holds.clone() }
    }

    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Self {
        Self { holds: both(&self.holds, &other.holds), fails: either(&self.fails, &other.fails) }
    }

    #[must_use]
    pub(super) fn or(&self, other: &Self) -> Self {
        self.not().and(&other.not()).not()
    }
}

type Disjunction = Option<Vec<Conjunction>>;

fn either(left: &Disjunction, right: &Disjunction) -> Disjunction {
    let all = [left.as_deref()?, right.as_deref()?].concat();
    (all.len() <= MAX_CONJUNCTIONS).then_some(all)
}

fn both(left: &Disjunction, right: &Disjunction) -> Disjunction {
    // Nothing is false whatever the other side is.
    if [left, right].iter().any(|side| side.as_ref().is_some_and(Vec::is_empty)) {
        return Some(Vec::new());
    }
    let (left, right) = (left.as_deref()?, right.as_deref()?);
    if MAX_CONJUNCTIONS < left.len().saturating_mul(right.len()) {
        return None;
    }
    let mut all = Vec::with_capacity(left.len() * right.len());
    for one in left {
        for other in right {
            let mut conjunction = [&one[..], other].concat();
            conjunction.sort_unstable();
            conjunction.dedup();
            if MAX_CONSTRAINTS < conjunction.len() {
                return None;
            }
            all.push(conjunction);
        }
    }
    Some(all)
}

/// What an atom says about markings.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// One of these transitions can fire; without those that never can.
    Fireable(Vec<TransitionId>),
    /// A comparison, by the conditions that have to hold together.
    Compare(Condition),
}

impl Meaning {
    /// What an atom says; nothing if the net does not know it, or if its numbers are too large.
    pub(super) fn of(net: &Net, is_dead: &IdVec<TransitionId, bool>, atom: &Atom) -> Option<Self> {
        match atom {
            Atom::Fireable(names) => {
                let mut found = Vec::with_capacity(names.len());
                for name in names {
                    let transition = net.transition(&name.text)?;
                    if !is_dead[transition] {
                        found.push(transition);
                    }
                }
                found.sort_unstable();
                found.dedup();
                Some(Self::Fireable(found))
            }
            Atom::Compare(left, operator, right) => {
                compared(net, left, *operator, right).map(Self::Compare)
            }
            Atom::Marked(name) => {
                let constraint = Constraint::tokens((net.place(&name.text)?, 1));
                Some(Self::Compare(Condition::constraint(constraint)))
            }
        }
    }

    /// The atom as constraints.
    pub(super) fn condition(&self, net: &Net) -> Condition {
        let transitions = match self {
            Self::Compare(condition) => return condition.clone(),
            Self::Fireable(transitions) => transitions,
        };
        let mut whole = Condition::constant(false);
        for &transition in transitions {
            let mut fireable = Condition::constant(true);
            for &input in &net.transitions[transition].inputs {
                fireable = fireable.and(&Condition::constraint(Constraint::tokens(input)));
            }
            whole = whole.or(&fireable);
        }
        whole
    }

    /// Whether the atom is true in a marking; nothing if numbers are too large.
    pub(super) fn is_true(&self, net: &Net, marking: &IdVec<PlaceId, i64>) -> Option<bool> {
        match self {
            Self::Fireable(transitions) => {
                let can_fire = |&id: &TransitionId| {
                    let inputs = &net.transitions[id].inputs;
                    inputs.iter().all(|&(place, weight)| weight <= marking[place])
                };
                Some(transitions.iter().any(can_fire))
            }
            Self::Compare(condition) => {
                for conjunction in condition.holds.as_ref()? {
                    let mut is_true = true;
                    for constraint in conjunction {
                        is_true &= constraint.is_true(marking)?;
                    }
                    if is_true {
                        return Some(true);
                    }
                }
                Some(false)
            }
        }
    }
}

/// A comparison of two sums.
fn compared(net: &Net, left: &Sum, operator: BinaryOperator, right: &Sum) -> Option<Condition> {
    let at_least = |high: &Sum, low: &Sum, more: i64| -> Option<Condition> {
        let mut factors: BTreeMap<PlaceId, i64> = BTreeMap::new();
        for (sum, sign) in [(high, 1_i64), (low, -1)] {
            for (factor, name) in &sum.counts {
                let entry = factors.entry(net.place(&name.text)?).or_default();
                *entry = entry.checked_add(factor.checked_mul(sign)?)?;
            }
        }
        let factors: Vec<(PlaceId, i64)> =
            factors.into_iter().filter(|&(_, factor)| factor != 0).collect();
        let least = low.constant.checked_sub(high.constant)?.checked_add(more)?;
        if factors.is_empty() {
            return Some(Condition::constant(least <= 0));
        }
        Some(Condition::constraint(Constraint { factors, least }))
    };
    match operator {
        BinaryOperator::LessEqual => at_least(right, left, 0),
        BinaryOperator::Less => at_least(right, left, 1),
        BinaryOperator::Equal => Some(at_least(left, right, 0)?.and(&at_least(right, left, 0)?)),
        BinaryOperator::NotEqual => Some(at_least(left, right, 1)?.or(&at_least(right, left, 1)?)),
        _ => None,
    }
}
