//! What is done about a question before it is searched.
//!
//! What the language of a model knows about all its runs may decide a formula, or leave less of it
//! to be searched for. Then a smaller model may be searched instead. The formula as asked and the
//! model as read are what certificates are about.

use super::super::lifted::followed;
use super::super::room::Openable;
use super::{
    CheckError, Deadlock, Failure, Found, ModelCheck, ModelOptions, Question, check_all_with,
};
use crate::bdd::Diagrams;
use crate::lang::smaller::{Lifting, Rules};
use crate::lang::{Bindings, Model};
use crate::ltl::{Formula, Term};
use crate::product::Halt;
use crate::run::{Ending, Moment, Run};
use crate::search::limits::{Budget, Limits};
use crate::system::Opened;
use crate::verdict::{Finding, Knowledge, Statistics, Verdict};

/// What is done about a question before it is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preparation {
    /// Whether formulas are simplified by what is known about the model without a search.
    pub knowledge: bool,
    /// The rules by which a smaller net is made.
    pub rules: Rules,
}

impl Preparation {
    /// Questions are searched as they are.
    pub const NOTHING: Self = Self { knowledge: false, rules: Rules::NONE };
}

impl Default for Preparation {
    fn default() -> Self {
        Self { knowledge: true, rules: Rules::ALL }
    }
}

/// What a search has found, and how.
pub(super) type Searched = (Result<Found, Halt>, Statistics);

impl<O: Opened> ModelCheck<'_, O> {
    /// What is left of the formula of a question under what is known about the model. How errors
    /// end runs is a matter of the formula as written.
    pub(super) fn known(&self, question: Question<'_>) -> Option<Formula> {
        let Question::Formula(formula) = question else { return None };
        if !self.options.preparation.knowledge || self.errors.can_be() {
            return None;
        }
        self.language?.simplified(formula)
    }

    /// Whether a question may be asked of a smaller model, if there is one. Which runs are fair,
    /// which one is shortest, and what ends a run are matters of the whole model.
    pub(super) fn may_be_smaller(&self, question: Question<'_>) -> bool {
        let ModelOptions { deadlock, shortest, preparation, .. } = *self.options;
        matches!(question, Question::Formula(formula) if constant(formula).is_none())
            && self.language.is_some_and(Bindings::can_be_smaller)
            && preparation.rules != Rules::NONE
            && deadlock == Deadlock::Stutter
            && !shortest
            && self.assumptions.is_empty()
            && !self.errors.can_be()
    }

    /// What is found about a question in a smaller model. `None` if the model cannot be made
    /// smaller, or if a run of the smaller model cannot be shown as a run of this one.
    pub(super) fn found_smaller<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Searched>, Failure> {
        let (Question::Formula(formula), Some(language)) = (question, self.language) else {
            return Ok(None);
        };
        if !self.may_be_smaller(question) {
            return Ok(None);
        }
        let rules = self.options.preparation.rules;
        let Some(smaller) = language.smaller(formula, rules) else { return Ok(None) };
        tracing::info!("searching a smaller net: {}", smaller.size);
        // States of the whole model take up memory, and are of no use now.
        *self.store = self.system.store(self.options.store);
        let mut options =
            ModelOptions { preparation: Preparation::NOTHING, ..self.options.clone() };
        let limits = *budget.limits();
        let time = limits.time.map(|time| time.saturating_sub(budget.elapsed()));
        options.options.limits = Limits { time, ..limits };
        let Some(finding) = ask::<D>(&smaller.model, formula, &options, budget)? else {
            return Ok(None);
        };
        let mut statistics = finding.statistics;
        statistics.net = Some(smaller.size);
        let found = match finding.verdict {
            Verdict::Unknown(exhausted) => Err(exhausted.into()),
            Verdict::Violated(run) | Verdict::Exists(run) => {
                match whole(self.system, &*smaller.lifting, &run) {
                    Some(run) => Ok(Found::Run(run)),
                    None => return Ok(None),
                }
            }
            Verdict::ModelError(_) => return Ok(None),
            _ => Ok(Found::Nothing),
        };
        Ok(Some((found, statistics)))
    }
}

/// What is found about one formula; nothing if the model cannot have as much room as it needs.
fn ask<D: Diagrams>(
    model: &Model,
    formula: &Formula,
    options: &ModelOptions,
    budget: &Budget<'_>,
) -> Result<Option<Finding>, Failure> {
    let questions = [Question::Formula(formula)];
    let monitor = budget.monitor();
    let findings = check_all_with::<Model, D>(model, &questions, options, monitor, &mut |_| ());
    match findings {
        Ok(findings) => Ok(findings.into_iter().next()),
        Err(CheckError::Refuted { reason, .. }) => Err(Failure::Refuted(reason)),
        // The whole model says it in its own words.
        Err(CheckError::Open(_) | CheckError::Conflict(_)) => Ok(None),
    }
}

/// The run of a system that looks like a run of a smaller one. `None` if the system has no such
/// run, or if the run would be too long.
fn whole<O: Opened>(system: &O, lifting: &dyn Lifting, run: &Run) -> Option<Run> {
    let taken: Vec<_> = run.moments.iter().map(|moment| moment.taken).collect();
    let steps = lifting.lifted(&taken)?;
    let moment = |&(number, taken): &(usize, _)| Moment {
        taken,
        state: [].into(),
        pending: run.moments[number].pending.clone(),
    };
    let start = steps.iter().position(|&(number, _)| number == run.cycle_start())?;
    // Where nothing is taken the run stands still, not before.
    let start = match steps.last() {
        Some((_, None)) => steps.len() - 1,
        _ => start,
    };
    let moments = steps.iter().map(moment).collect();
    let run = Run { moments, ending: Ending::Cycle { start } };
    // Nothing is known of its states, but which transitions lead there.
    followed(&mut system.judge(&[]), &[], &run)
}

/// The value that a formula has on all runs of a model, if that is known without a search. A state
/// without successors is repeated for ever.
pub fn decided<M: Openable>(model: &M, formula: &Formula) -> Option<bool> {
    constant(&model.language()?.simplified(formula)?)
}

fn constant(formula: &Formula) -> Option<bool> {
    match formula.terms().term(formula.root()) {
        Term::True => Some(true),
        Term::False => Some(false),
        _ => None,
    }
}

/// How much of the formula of a question is left.
pub(super) fn knowledge(question: Question<'_>, left: &Formula) -> Knowledge {
    let terms = match question {
        Question::Formula(formula) => formula.n_terms(),
        Question::Claim(_) | Question::Errors => 0,
    };
    Knowledge { terms, left: left.n_terms(), decided: constant(left) }
}
