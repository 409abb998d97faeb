//! Conditions on a letter, in a normal form.
//!
//! The normal form is syntactic: conjunctions in conjunctions and disjunctions
//! in disjunctions are opened, `a & !a` and `a | !a` are constants, and in
//! `a & (a | b)` and `a | (a & b)` the second operand is dropped. It depends
//! on nothing but the formula: what is written in it and read again has the
//! same normal form.

use super::{Budget, TooLarge};
use crate::dag::Shape;
use crate::hoa::{Item, Label, Proposition};
use crate::id::IdVec;
use crate::lwaa::infix::{Top, expression};
use crate::lwaa::{Leaf, TransitionId, Transitions};
use crate::sets::{distinct, is_subset};

/// An arena of conditions in normal form. Its formulas have no location.
#[derive(Debug, Default)]
pub(super) struct Guards {
    arena: Transitions,
}

/// Where each condition stands in an order that does not depend on the
/// numbers in the arena.
pub(super) type Order = IdVec<TransitionId, u32>;

/// The operators of conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    And,
    Or,
}

impl Guards {
    pub(super) fn leaf(&mut self, leaf: Leaf) -> TransitionId {
        self.arena.leaf(leaf)
    }

    /// The conjunction or disjunction of `operands`.
    pub(super) fn join(
        &mut self,
        operator: Operator,
        operands: Vec<TransitionId>,
        budget: &mut Budget,
    ) -> Result<TransitionId, TooLarge> {
        let mut list = Vec::with_capacity(operands.len());
        for operand in operands {
            list.extend_from_slice(self.parts(operator, &operand));
        }
        budget.spend(list.len())?;
        let list = distinct(list);
        let (dual, absorbing) = match operator {
            Operator::And => (Operator::Or, Transitions::FALSE),
            Operator::Or => (Operator::And, Transitions::TRUE),
        };
        if self.has_complements(&list) {
            return Ok(absorbing);
        }
        let mut kept = Vec::with_capacity(list.len());
        for &operand in &list {
            let parts = self.parts(dual, &operand);
            budget.spend(parts.len())?;
            let absorbed =
                1 < parts.len() && parts.iter().any(|part| list.binary_search(part).is_ok());
            if !absorbed {
                kept.push(operand);
            }
        }
        Ok(match operator {
            Operator::And => self.arena.and(&mut kept),
            Operator::Or => self.arena.or(&mut kept),
        })
    }

    /// The operands of `id` if it is a formula with this operator, otherwise
    /// the formula itself.
    fn parts<'a>(&'a self, operator: Operator, id: &'a TransitionId) -> &'a [TransitionId] {
        match (operator, self.arena.shape(*id)) {
            (Operator::And, Shape::And(list)) | (Operator::Or, Shape::Or(list)) => list,
            _ => std::slice::from_ref(id),
        }
    }

    /// Whether some atom is among `list` both as it is and negated.
    fn has_complements(&self, list: &[TransitionId]) -> bool {
        let mut literals: Vec<_> = list
            .iter()
            .filter_map(|&id| match self.arena.shape(id) {
                Shape::Leaf(Leaf::Literal { atom, .. }) => Some(atom),
                _ => None,
            })
            .collect();
        literals.sort_unstable();
        // The list has no repetitions, so two literals of an atom differ.
        literals.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether `strong` obviously implies `weak`: exact if both are literals,
    /// clauses or cubes, or if both are disjunctions of cubes of which none
    /// needs more than one other; false if it is not obvious.
    pub(super) fn implies(
        &self,
        strong: TransitionId,
        weak: TransitionId,
        budget: &mut Budget,
    ) -> Result<bool, TooLarge> {
        if strong == weak || strong == Transitions::FALSE || weak == Transitions::TRUE {
            return Ok(true);
        }
        let parts = |operator, id: &TransitionId| self.parts(operator, id).to_vec();
        let (cubes, weak_cubes) = (parts(Operator::Or, &strong), parts(Operator::Or, &weak));
        let (clauses, weak_clauses) = (parts(Operator::And, &strong), parts(Operator::And, &weak));
        budget.compare(cubes.len().saturating_mul(weak_cubes.len()))?;
        budget.compare(clauses.len().saturating_mul(weak_clauses.len()))?;
        let includes = |operator, few: &TransitionId, many: &TransitionId| {
            is_subset(self.parts(operator, few), self.parts(operator, many))
        };
        Ok(cubes.iter().all(|cube| {
            weak_cubes.iter().any(|weak_cube| includes(Operator::And, weak_cube, cube))
        }) || weak_clauses.iter().all(|weak_clause| {
            clauses.iter().any(|clause| includes(Operator::Or, clause, weak_clause))
        }))
    }

    /// Literals first, in the order of their atoms; then what is made of them,
    /// level by level, conjunctions before disjunctions and both in the order
    /// of their operands.
    pub(super) fn order(&self) -> Order {
        let mut height = IdVec::filled(0_usize, self.arena.len());
        let mut levels: Vec<Vec<TransitionId>> = Vec::new();
        for id in self.arena.ids() {
            let operands = self.arena.shape(id).operands();
            height[id] = operands.iter().map(|&operand| height[operand] + 1).max().unwrap_or(0);
            if levels.len() <= height[id] {
                levels.resize(height[id] + 1, Vec::new());
            }
            levels[height[id]].push(id);
        }
        let mut order = IdVec::filled(0, self.arena.len());
        let mut places = 0..;
        for level in levels {
            let mut keyed: Vec<_> =
                level.into_iter().map(|id| (self.key(id, &order), id)).collect();
            keyed.sort_unstable();
            for ((_, id), place) in keyed.into_iter().zip(&mut places) {
                order[id] = place;
            }
        }
        order
    }

    /// By what a condition is compared with others on its level.
    fn key(&self, id: TransitionId, order: &Order) -> (u8, Option<Leaf>, Vec<u32>) {
        let (kind, leaf, operands) = match self.arena.shape(id) {
            Shape::Leaf(leaf) => (0, Some(leaf), &[][..]),
            Shape::And(list) => (1, None, list),
            Shape::Or(list) => (2, None, list),
        };
        let mut places: Vec<u32> = operands.iter().map(|&operand| order[operand]).collect();
        places.sort_unstable();
        (kind, leaf, places)
    }

    /// The condition as a label, operands in `order`.
    pub(super) fn label(
        &self,
        guard: TransitionId,
        order: &Order,
        budget: &mut Budget,
    ) -> Result<Label, TooLarge> {
        let sorted = |list: &[TransitionId]| {
            let mut list = list.to_vec();
            list.sort_unstable_by_key(|&id| order[id]);
            list
        };
        expression(guard, |id| {
            budget.spend(1)?;
            Ok(match self.arena.shape(id) {
                Shape::Leaf(Leaf::Literal { atom, positive: true }) => {
                    Top::Leaf(Proposition::Atom(atom))
                }
                Shape::Leaf(Leaf::Literal { atom, positive: false }) => {
                    Top::Negated(Proposition::Atom(atom))
                }
                Shape::Leaf(leaf) => Top::Leaf(Proposition::Constant(leaf == Leaf::True)),
                Shape::And(list) => Top::Join(Item::And, sorted(list)),
                Shape::Or(list) => Top::Join(Item::Or, sorted(list)),
            })
        })
    }
}
