//! Sets of locations that accept nothing, and what follows from them.
//!
//! A configuration accepts what all of its locations accept. So if a search has *proved* that
//! from a configuration no accepting cycle can be reached, nothing is accepted by any
//! configuration that contains it, and none of them has to be entered. (That a subset is on the search path
//! proves nothing: with that, `G X F G p` would have no model.)
//!
//! **Reasons.** Often a few locations are the reason. A solver has the clauses of a step, and for each refuted set that
//! not all of it is in the next configuration. If the locations of a configuration then contradict each other, those
//! that the solver needed are refuted, too: whatever step they take, the next
//! configuration contains a refuted set.
//!
//! All of this costs time where it finds nothing. So it goes on only as long as it spares
//! enough configurations; that is counted, not measured, and so the same in every run.

use super::ConfigId;
use super::step::Marked;
use crate::id::{Id, IdVec, define_id};
use crate::lwaa::{LocationId, Lwaa};
use crate::sat::solver::{Batsat, Literal, Solver};
use crate::sat::template::Template;
use crate::search::limits::{Budget, Exhausted, Watch};
use crate::sets::Sets;

define_id! {
    /// A set of locations that accept nothing together.
    struct RefutedId;
}

/// How many sets are looked up by way of the same location.
const MAX_WATCHED: usize = 16;
/// Refutations, and questions for reasons, that need no success.
const FREE: [u64; 2] = [4096, 512];
/// How many more there may be for each configuration that is spared.
const PER_SUCCESS: u64 = 16;
/// Conflicts of the solver for one question.
const N_CONFLICTS: u32 = 1000;
/// A reason of at most so many locations is made minimal.
const MAX_MINIMIZED: usize = 12;

/// Why a configuration is known to be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Emptiness {
    /// All its successors, except for itself, are known to be empty.
    Successors,
    /// Its component has no accepting cycle.
    Component,
}

/// What has been refuted so far.
#[derive(Debug, Default)]
pub(super) struct Refuted {
    sets: Sets<RefutedId, LocationId>,
    /// Sets by one of their locations.
    watched: IdVec<LocationId, Vec<RefutedId>>,
    /// The locations of the current configuration.
    marked: Marked<LocationId>,
    /// How many sets were known when a configuration was last compared with them.
    compared: IdVec<ConfigId, u32>,
    reasons: Option<Reasons>,
    n_refuted: u64,
    n_explained: u64,
    n_spared: u64,
    /// Whether it is not worth the time.
    is_over: bool,
}

impl Refuted {
    /// Marks a configuration as empty.
    pub(super) fn refute(
        &mut self,
        locations: &[LocationId],
        emptiness: Emptiness,
        lwaa: &Lwaa,
        budget: &mut Budget<'_>,
    ) -> Result<(), Exhausted> {
        if self.is_over {
            return Ok(());
        }
        self.n_refuted += 1;
        let [free_sets, free_reasons] = FREE;
        if free_sets + PER_SUCCESS * self.n_spared < self.n_refuted {
            *self = Self { is_over: true, n_spared: self.n_spared, ..Self::default() };
            return Ok(());
        }
        let mut reason = None;
        if emptiness == Emptiness::Successors
            && self.n_explained < free_reasons + PER_SUCCESS * self.n_spared
        {
            self.n_explained += 1;
            let sets = &self.sets;
            let reasons = self.reasons.get_or_insert_with(|| Reasons::new(lwaa, sets));
            reason = reasons.explain(locations, budget)?;
        }
        self.add(reason.as_deref().unwrap_or(locations));
        Ok(())
    }

    fn add(&mut self, set: &[LocationId]) {
        let n_known = self.sets.len();
        let id = self.sets.intern(set);
        if id.index() < n_known {
            return;
        }
        if let Some(reasons) = &mut self.reasons {
            reasons.add(set);
        }
        let Some(&greatest) = set.last() else { return };
        self.watched.grow_to(greatest, Vec::new());
        let rarest = set.iter().min_by_key(|&&location| self.watched[location].len());
        let list = &mut self.watched[*rarest.unwrap_or(&greatest)];
        if list.len() < MAX_WATCHED {
            list.push(id);
            return;
        }
        // Small sets are contained in more configurations.
        let len = |id: RefutedId| self.sets.elements(id).len();
        let largest = list.iter_mut().max_by_key(|other| len(**other));
        if let Some(largest) = largest.filter(|largest| set.len() < len(**largest)) {
            *largest = id;
        }
    }

    /// Whether a configuration contains a refuted set, as far as we know.
    pub(super) fn contains(&mut self, config: ConfigId, locations: &[LocationId]) -> bool {
        // The empty set is always known and accepts everything.
        let n_sets = self.sets.len();
        if n_sets == 1 {
            return false;
        }
        self.compared.grow_to(config, 1);
        let first = self.compared[config] as usize;
        self.compared[config] = u32::try_from(n_sets).unwrap_or(u32::MAX);
        if first == n_sets {
            return false;
        }
        let Some(&last) = locations.last() else { return false };
        self.marked.clear(last.index() + 1);
        for &location in locations {
            self.marked.insert(location);
        }
        let (sets, marked) = (&self.sets, &self.marked);
        let is_inside =
            |id: RefutedId| sets.elements(id).iter().all(|&location| marked.contains(location));
        let is_refuted = if n_sets - first <= MAX_WATCHED {
            (first..n_sets).rev().any(|number| is_inside(RefutedId::new(number)))
        } else {
            let lists = locations.iter().filter_map(|&location| self.watched.get(location));
            lists.flatten().any(|&id| is_inside(id))
        };
        if is_refuted {
            self.n_spared += 1;
            // It may be asked for again.
            self.compared[config] = u32::try_from(first).unwrap_or(u32::MAX);
        }
        is_refuted
    }

    /// How often a configuration was not entered, or not to the end.
    pub(super) fn n_spared(&self) -> u64 {
        self.n_spared
    }
}

/// Finds out which locations are to blame.
#[derive(Debug)]
struct Reasons {
    solver: Batsat<'static>,
    /// The variable of the first location of the next configuration.
    next: usize,
    /// Scratch space.
    literals: Vec<Literal>,
}

impl Reasons {
    fn new(lwaa: &Lwaa, sets: &Sets<RefutedId, LocationId>) -> Self {
        let template = Template::new(lwaa);
        let mut solver = Batsat::new(Watch::never());
        template.clauses().for_each(|clause| solver.add_clause(clause));
        let mut reasons = Self { solver, next: template.n_variables(), literals: Vec::new() };
        for number in 1..sets.len() {
            reasons.add(sets.elements(RefutedId::new(number)));
        }
        reasons
    }

    /// From now on not all of `set` is in the next configuration.
    fn add(&mut self, set: &[LocationId]) {
        self.literals.clear();
        let next = set.iter().map(|&id| Literal::negative(self.next + Template::location(id)));
        self.literals.extend(next);
        self.solver.add_clause(&self.literals);
    }

    /// Some of `locations` that contradict each other, if that is easy to see.
    fn explain(
        &mut self,
        locations: &[LocationId],
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<LocationId>>, Exhausted> {
        let mut reason = locations.to_vec();
        if !self.is_contradictory(&mut reason, budget)? {
            return Ok(None);
        }
        let mut position = reason.len();
        while reason.len() <= MAX_MINIMIZED && 1 < reason.len() && 0 < position {
            position = (position - 1).min(reason.len() - 1);
            let mut fewer = reason.clone();
            fewer.remove(position);
            if self.is_contradictory(&mut fewer, budget)? {
                reason = fewer;
            }
        }
        Ok(Some(reason))
    }

    /// Whether `locations` contradict each other; then those are left that were needed to see it.
    fn is_contradictory(
        &mut self,
        locations: &mut Vec<LocationId>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        budget.poll()?;
        let literal = |location: LocationId| Literal::positive(Template::location(location));
        self.literals.clear();
        self.literals.extend(locations.iter().map(|&location| literal(location)));
        let answer = self.solver.solve_within(Some(N_CONFLICTS), &self.literals)?;
        if answer.is_none() {
            budget.poll_now()?;
        }
        let is_contradictory = answer == Some(false);
        if is_contradictory {
            locations.retain(|&location| self.solver.is_used(literal(location)));
        }
        Ok(is_contradictory)
    }
}
