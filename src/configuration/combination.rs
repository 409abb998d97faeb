//! Combinations of models: one of each group, and in which order they come.
//!
//! Combinations in which few groups deviate from their first model come before
//! those in which many do. So every model of every group is tried early, and
//! with it what it allows letters to show; counting like an odometer would come
//! to another model of the first group only after all combinations of the
//! others.

use super::group::{GroupId, Groups};
use super::step::Stepper;
use crate::bdd::Diagrams;
use crate::search::limits::{Budget, Exhausted};

/// An enumeration of combinations.
#[derive(Debug)]
pub(super) struct Combination {
    groups: Vec<GroupId>,
    /// The model of each group.
    indices: Vec<usize>,
    /// The groups that have more than one model, once that has been asked.
    movable: Option<Vec<usize>>,
    /// Those of `movable`, by position and in increasing order, whose model is
    /// not their first one.
    deviating: Vec<usize>,
    has_started: bool,
}

impl Combination {
    /// All combinations of models of `groups`.
    pub(super) fn new(groups: Vec<GroupId>) -> Self {
        let indices = vec![0; groups.len()];
        Self { groups, indices, movable: None, deviating: Vec::new(), has_started: false }
    }

    /// Whether there is but one combination, because there is no group.
    pub(super) fn is_only_one(&self) -> bool {
        self.groups.is_empty()
    }

    /// The current combination: groups and the numbers of their models.
    pub(super) fn iter(&self) -> impl Iterator<Item = (GroupId, usize)> + '_ {
        self.groups.iter().copied().zip(self.indices.iter().copied())
    }

    /// Moves on to the next combination, at first to the first one, in which a
    /// group may turn out to have no model. Says whether there is one.
    pub(super) fn advance<D: Diagrams>(
        &mut self,
        groups: &mut Groups<D>,
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        if !std::mem::replace(&mut self.has_started, true) {
            return Ok(true);
        }
        let movable = match self.movable.take() {
            Some(movable) => movable,
            None => self.find_movable(groups, stepper, budget)?,
        };
        let has_more = self.turn(&movable, groups, stepper, budget);
        self.movable = Some(movable);
        has_more
    }

    fn find_movable<D: Diagrams>(
        &self,
        groups: &mut Groups<D>,
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<usize>, Exhausted> {
        let mut movable = Vec::new();
        for (number, &group) in self.groups.iter().enumerate() {
            if groups.model(group, 1, stepper, budget)?.is_some() {
                movable.push(number);
            }
        }
        Ok(movable)
    }

    fn turn<D: Diagrams>(
        &mut self,
        movable: &[usize],
        groups: &mut Groups<D>,
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        // Other models of the groups that deviate.
        for &position in self.deviating.iter().rev() {
            let number = movable[position];
            self.indices[number] += 1;
            let (group, index) = (self.groups[number], self.indices[number]);
            if groups.model(group, index, stepper, budget)?.is_some() {
                return Ok(true);
            }
            self.indices[number] = 1;
        }
        // As many other groups, or one more.
        self.deviating.iter().for_each(|&position| self.indices[movable[position]] = 0);
        let has_more = next_set(&mut self.deviating, movable.len());
        if has_more {
            self.deviating.iter().for_each(|&position| self.indices[movable[position]] = 1);
        }
        Ok(has_more)
    }
}

/// The next set out of `n` numbers, smaller sets first; says whether there is
/// one.
fn next_set(set: &mut Vec<usize>, n: usize) -> bool {
    let len = set.len();
    for position in (0..len).rev() {
        let next = set[position] + 1;
        if next + (len - position) <= n {
            (position..len).for_each(|behind| set[behind] = next + behind - position);
            return true;
        }
    }
    *set = (0..=len).collect();
    len < n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_sets_come_first() {
        let mut set = Vec::new();
        let mut seen = vec![set.clone()];
        while next_set(&mut set, 4) {
            seen.push(set.clone());
        }
        assert_eq!(seen.len(), 16);
        assert!(seen.is_sorted_by_key(|set| (set.len(), set.clone())));
        assert!(!next_set(&mut Vec::new(), 0));
    }
}
