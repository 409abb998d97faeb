//! How a question is answered with fewer steps and smaller states, where it does not need them.
//!
//! A short search with everything comes first: most questions are answered before it is found out
//! what they do not need.

use super::{Found, ModelCheck, Question, turns};
use crate::bdd::Diagrams;
use crate::check::lifted::lifted;
use crate::check::reduction::{self, Reduce};
use crate::product::{Halt, Order};
use crate::search::limits::{Budget, Exhausted};
use crate::system::{Opened, PropositionId, Reduced};
use crate::verdict::{Reduction, Statistics, Unreduced};

impl<'a, O: Opened> ModelCheck<'a, O> {
    /// What a short search finds that takes all steps, or a guided one, if that decides a question
    /// for which some might be left out: then it is not worth finding out which.
    pub(super) fn scouted<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Option<(Result<Found, Halt>, Statistics)> {
        if self.options.reduce != Reduce::Auto {
            return None;
        }
        let reason = match self.is_reducible(question) {
            Ok(_) => Unreduced::Small,
            Err(reason) if self.may_be_smaller(question) => reason,
            Err(_) => return None,
        };
        (self.reduction, self.sliced) = (Err(reason), None);
        let mut statistics = Statistics::with_reduction(Reduction::Off(reason));
        let own = self.order;
        let is_formula = matches!(question, Question::Formula(_));
        let guided = (self.takes_turns() && is_formula).then_some(Order::Guided);
        for order in std::iter::once(own).chain(guided) {
            self.order = order;
            budget.allow_effort(reduction::SCOUTED);
            let found = self.find::<D>(question, budget, &mut statistics);
            budget.allow_effort(u64::MAX);
            self.order = own;
            if !matches!(found, Err(Halt::Exhausted(Exhausted::Effort { .. }))) {
                statistics.guided = order != own;
                return Some((found, statistics));
            }
            *self.store = self.system.store(self.options.store);
            self.errors.begin(question, self.system, self.bound);
        }
        self.first_turn = guided.map(|_| turns::FIRST_TURN * turns::NEXT_TURN);
        None
    }

    /// What a search finds that leaves out steps if that is sound and wanted.
    pub(super) fn searched<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> (Result<Found, Halt>, Statistics) {
        if self.takes_turns() {
            self.first_turn.get_or_insert(turns::FIRST_TURN);
        }
        let decided = self.reduction(question, budget);
        self.reduction = decided.clone().unwrap_or(Err(Unreduced::Asked));
        let mut statistics = Statistics::with_reduction(match &self.reduction {
            Ok(_) => Reduction::On(Reduced::default()),
            Err(reason) => Reduction::Off(*reason),
        });
        self.sliced = self.slice(question);
        statistics.unseen = self.sliced.as_ref().map_or(0, |shown| self.system.n_unseen(shown));
        let found = match decided {
            Ok(_) => self.find::<D>(question, budget, &mut statistics),
            Err(exhausted) => Err(exhausted.into()),
        };
        (found, statistics)
    }

    /// What a search finds that takes all steps and sees everything.
    pub(super) fn searched_again<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> (Result<Found, Halt>, Statistics) {
        (self.reduction, self.sliced) = (Err(Unreduced::LongRun), None);
        *self.store = self.system.store(self.options.store);
        self.errors.begin(question, self.system, self.bound);
        let mut statistics = Statistics::with_reduction(Reduction::Off(Unreduced::LongRun));
        let found = self.find::<D>(question, budget, &mut statistics);
        (found, statistics)
    }

    /// The same with a run of the whole system; nothing if that would be too long.
    pub(super) fn lifted(&self, found: Result<Found, Halt>) -> Option<Result<Found, Halt>> {
        let Some(shown) = &self.sliced else { return Some(found) };
        Some(match found {
            Ok(Found::Run(run)) => Ok(Found::Run(lifted(self.system, shown, &run)?)),
            Ok(Found::Error(run)) => Ok(Found::Error(lifted(self.system, shown, &run)?)),
            other => other,
        })
    }

    /// The atoms of a question, if it may be answered with fewer steps, as far as its form tells.
    fn is_reducible(&self, question: Question<'_>) -> Result<Vec<PropositionId>, Unreduced> {
        if self.options.reduce == Reduce::Off {
            return Err(Unreduced::Asked);
        }
        let asked = question.atoms().into_iter().map(|name| self.bound.propositions[name]);
        let shown: Vec<PropositionId> = asked.collect();
        let has_fairness = !self.assumptions.is_empty();
        let (is_shortest, has_errors) = (self.options.shortest, self.errors.can_be());
        reduction::is_sound(question, &shown, self.system, has_fairness, is_shortest, has_errors)?;
        Ok(shown)
    }

    /// Whether the formula of a question does not depend on repetitions.
    fn is_stutter_invariant(&mut self, question: Question<'_>) -> bool {
        let Question::Formula(formula) = question else { return true };
        let known = &mut self.stutter_invariant[self.number];
        *known.get_or_insert_with(|| reduction::is_stutter_invariant(formula))
    }

    /// Whether a question is answered with fewer steps, and for which atoms.
    fn reduction(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Result<Vec<PropositionId>, Unreduced>, Exhausted> {
        let shown = match self.is_reducible(question) {
            Ok(shown) => shown,
            Err(reason) => return Ok(Err(reason)),
        };
        if !self.is_stutter_invariant(question) {
            return Ok(Err(Unreduced::Next));
        }
        let reduced = reduction::reduced(self.system, self.options.reduce, &shown, budget)?;
        Ok(reduced.map(|_| shown))
    }

    /// The atoms of a question, if there is something that they do not see. A shortest run would
    /// not be one any more with all that is not seen.
    fn slice(&self, question: Question<'_>) -> Option<Vec<PropositionId>> {
        if self.options.reduce == Reduce::Off || self.options.shortest {
            return None;
        }
        let asked = question.atoms().into_iter().map(|name| self.bound.propositions[name]);
        let shown: Vec<PropositionId> = asked.collect();
        (0 < self.system.n_unseen(&shown)).then_some(shown)
    }

    /// The system with these atoms, reduced if the question allows it.
    pub(super) fn worker(&self, atoms: &[PropositionId]) -> O::Executor<'a> {
        let shown = self.reduction.as_ref().ok();
        if let Some(reduced) = shown.and_then(|shown| self.system.reduced(shown, atoms)) {
            return reduced;
        }
        match &self.sliced {
            Some(shown) => self.system.sliced(shown, atoms),
            None => self.system.executor(atoms),
        }
    }
}
