//! The other question: do all runs of a model satisfy a formula?
//!
//! Here model, automaton and search are put together: bind the atoms, take the
//! product, search it, project the lasso to states, certify it. What errors of
//! the model mean for the verdict is said in `errors`.

mod advice;
mod claim;
mod errors;
mod fairness;
mod method;
mod nba;
mod trace;

use super::room::{Openable, Stop, with_room};
use super::{Case, Engine, Options, cases, configurations};
use crate::bdd::{self, Diagrams};
use crate::lang::OpenError;
use crate::ltl::Formula;
use crate::ltl::nnf::Nnf;
use crate::product::{Halt, Observed, Product};
use crate::recurrence::Recurrence;
use crate::search::coverage::Coverage;
use crate::search::lasso;
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::search::scc::Search;
use crate::store::{StateStore, StoreKind};
use crate::system::{Assumption, Opened, PropositionId, Room};
use crate::verdict::{Finding, Moment, RunError, Statistics, Verdict};
use crate::word::{Atoms, Lasso};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;
use std::time::Instant;

pub use crate::lang::Question;
pub use crate::product::{Deadlock, Errors, Order};
pub use advice::{MAX_STATES as MAX_ADVICE_STATES, advice};
pub use fairness::{Fair, all_neglected};
pub use method::{SearchKind, Unsuitable};
pub use trace::{follows, follows_for_good, satisfies, violates_for_good};

/// How the runs of a model are searched.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Whether the question is if *some* run satisfies the formula.
    pub exists: bool,
    /// Which runs count: what is assumed about who moves.
    pub fair: Fair,
    /// What a state without successors means.
    pub deadlock: Deadlock,
    /// What an error of the model means.
    pub errors: Errors,
    /// In which order successors are tried.
    pub order: Order,
    /// How states are stored.
    pub store: StoreKind,
    /// How the product is searched; nothing if that is left to us.
    pub search: Option<SearchKind>,
    /// Whether the way to where the formula can be satisfied for ever is to be
    /// as short as possible. The whole product is searched then.
    pub shortest: bool,
    /// How the formula is treated, and what the search may use.
    pub options: Options,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The model cannot be opened for the questions.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Engine, search and store do not go together.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
    /// What was found does not pass certification: a bug.
    #[error("internal error: what was found for formula {formula} is refuted: {reason}")]
    Refuted {
        /// Which of the formulas it is.
        formula: usize,
        /// Why.
        reason: String,
    },
}

/// What is told while properties are checked.
#[derive(Debug)]
pub enum News<'a, O> {
    /// The model has been opened; perhaps again, with more room. States and transitions in what
    /// is told from now on are those of this system.
    Opened(&'a Arc<O>),
    /// The verdict on the property of this number.
    Found(usize, &'a Finding),
    /// The first error of the model that the search has met, and the run that leads there.
    /// The search goes on.
    Error(&'a RunError, &'a [Moment]),
}

/// Checks formulas one after the other on one store of states. `report` hears
/// each finding as soon as it is known. If time is limited, each formula has an equal share
/// of the time that is left when its turn comes.
///
/// # Errors
///
/// If an atom is unknown, or if something found does not pass certification.
pub fn check<M: Openable>(
    model: &M,
    formulas: &[Formula],
    options: &ModelOptions,
    monitor: &Monitor,
    report: &mut dyn FnMut(usize, &Finding),
) -> Result<Vec<Finding>, CheckError> {
    check_with::<M, bdd::Default>(model, formulas, options, monitor, report)
}

/// [`check`] for formulas and claims.
///
/// # Errors
///
/// If an atom is unknown, or if something found does not pass certification.
pub fn check_all<M: Openable>(
    model: &M,
    questions: &[Question<'_>],
    options: &ModelOptions,
    monitor: &Monitor,
    tell: &mut dyn FnMut(News<'_, M::System>),
) -> Result<Vec<Finding>, CheckError> {
    check_all_with::<M, bdd::Default>(model, questions, options, monitor, tell)
}

/// [`check`] with a chosen decision diagram package.
///
/// # Errors
///
/// If an atom is unknown, or if something found does not pass certification.
pub fn check_with<M: Openable, D: Diagrams>(
    model: &M,
    formulas: &[Formula],
    options: &ModelOptions,
    monitor: &Monitor,
    report: &mut dyn FnMut(usize, &Finding),
) -> Result<Vec<Finding>, CheckError> {
    let questions: Vec<Question<'_>> = formulas.iter().map(Question::Formula).collect();
    let mut tell = |news: News<'_, M::System>| {
        if let News::Found(number, finding) = news {
            report(number, finding);
        }
    };
    check_all_with::<M, D>(model, &questions, options, monitor, &mut tell)
}

fn check_all_with<M: Openable, D: Diagrams>(
    model: &M,
    questions: &[Question<'_>],
    options: &ModelOptions,
    monitor: &Monitor,
    tell: &mut dyn FnMut(News<'_, M::System>),
) -> Result<Vec<Finding>, CheckError> {
    let search = options.suitable_search()?;
    let started = Instant::now();
    let mut findings: Vec<Finding> = Vec::with_capacity(questions.len());
    let asserts = options.errors != Errors::Ignore;
    with_room(model, questions, asserts, CheckError::Open, |system| {
        tell(News::Opened(system));
        // What was found with less room stays true.
        let ask = Ask { questions, options, search, started, monitor };
        check_opened::<M::System, D>(&**system, &ask, &mut findings, tell)
    })?;
    Ok(findings)
}

/// What is asked of a system, and within which limits.
struct Ask<'a> {
    questions: &'a [Question<'a>],
    options: &'a ModelOptions,
    search: SearchKind,
    started: Instant,
    monitor: &'a Monitor,
}

/// Adds findings until there is one for each question.
fn check_opened<O: Opened, D: Diagrams>(
    system: &O,
    ask: &Ask<'_>,
    findings: &mut Vec<Finding>,
    tell: &mut dyn FnMut(News<'_, O>),
) -> Result<(), Stop> {
    let &Ask { questions, options, search, started, monitor } = ask;
    let assumptions = fairness::assumptions(system, options.fair);
    if questions.iter().any(|question| matches!(question, Question::Claim(_))) {
        ModelOptions::suit_claims(search, !assumptions.is_empty()).map_err(CheckError::from)?;
    }
    let bound = Bound::new(system, questions, &assumptions);
    let store = &mut system.store(options.store);
    let errors = errors::Known::new(system, options.deadlock);
    let (bound, assumptions) = (&bound, &*assumptions);
    let mut run = Run { system, bound, assumptions, options, search, store, errors, tell };
    while let Some(question) = questions.get(findings.len()) {
        let number = findings.len();
        let share = share(options.options.limits, started, questions.len() - number);
        let mut budget = Budget::new(share, monitor);
        run.errors.begin(*question, system, bound);
        let finding = match question {
            Question::Formula(formula) => run.check::<D>(formula, &mut budget),
            Question::Claim(claim) => run.check_claim(claim, &mut budget),
            Question::Errors => run.check_errors(&mut budget).map_err(Failure::Room),
        };
        let finding = finding.map_err(|failure| match failure {
            Failure::Room(room) => Stop::Room(room),
            Failure::Refuted(reason) => {
                Stop::Error(CheckError::Refuted { formula: number, reason })
            }
        })?;
        let finding = with_limit(finding, options.options.limits);
        (run.tell)(News::Found(number, &finding));
        findings.push(finding);
    }
    Ok(())
}

/// Why a question has no verdict.
#[derive(Debug)]
enum Failure {
    /// The system is too small.
    Room(Room),
    /// What was found does not pass certification.
    Refuted(String),
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::Refuted(reason)
    }
}

/// The same finding, in which a share of the time is called by the limit that was divided.
fn with_limit(mut finding: Finding, limits: Limits) -> Finding {
    if let (Verdict::Unknown(Exhausted::Time { limit: share }), Some(limit)) =
        (&mut finding.verdict, limits.time)
    {
        *share = limit;
    }
    finding
}

/// The limits for one of `n_left` questions: time is divided among them.
fn share(limits: Limits, started: Instant, n_left: usize) -> Limits {
    let n_left = u32::try_from(n_left).unwrap_or(u32::MAX).max(1);
    Limits {
        time: limits.time.map(|time| time.saturating_sub(started.elapsed()) / n_left),
        ..limits
    }
}

/// What atoms say, by their names: those of questions and of assumptions.
#[derive(Debug)]
struct Bound {
    propositions: HashMap<String, PropositionId, FxBuildHasher>,
}

impl Bound {
    fn new<O: Opened>(system: &O, questions: &[Question<'_>], assumed: &[Assumption]) -> Self {
        let asked = questions.iter().flat_map(|question| question.atoms());
        let known = asked.filter_map(|name| Some((name.to_owned(), system.proposition(name)?)));
        let mut propositions: HashMap<_, _, _> = known.collect();
        for (number, assumption) in assumed.iter().enumerate() {
            let [enabled, taken] = fairness::names(number, assumption);
            propositions.insert(enabled, assumption.enabled);
            propositions.insert(taken, assumption.taken);
        }
        Self { propositions }
    }

    /// What all `atoms` say, in their order.
    fn list(&self, atoms: &Atoms) -> Vec<PropositionId> {
        atoms.iter().map(|(_, name)| self.propositions[name]).collect()
    }
}

/// What the checks of all formulas have in common.
struct Run<'a, O: Opened> {
    system: &'a O,
    bound: &'a Bound,
    /// What is assumed about runs.
    assumptions: &'a [Assumption],
    options: &'a ModelOptions,
    /// How the product is searched.
    search: SearchKind,
    store: &'a mut O::Store,
    /// What is known about errors of the model.
    errors: errors::Known,
    tell: &'a mut dyn FnMut(News<'_, O>),
}

/// The verdict of a search that has found nothing.
fn nothing_found(exists: bool, coverage: Option<Coverage>) -> Verdict {
    match (exists, coverage) {
        (false, None) => Verdict::Holds,
        (true, None) => Verdict::ExistsNot,
        (false, Some(coverage)) => Verdict::NotViolated(coverage),
        (true, Some(coverage)) => Verdict::NotFound(coverage),
    }
}

/// What a search has found in a product.
enum Found {
    Nothing,
    Lasso(Lasso<Moment>),
    /// A run that ends in an error and is as asked for, whatever would follow.
    Prefix(RunError, Vec<Moment>),
    Halt(Halt, Vec<Moment>),
}

impl<'a, O: Opened> Run<'a, O> {
    fn check<D: Diagrams>(
        &mut self,
        formula: &Formula,
        budget: &mut Budget<'_>,
    ) -> Result<Finding, Failure> {
        let wanted = if self.options.exists { formula.clone() } else { formula.negated() };
        let before = budget.elapsed();
        let mut statistics = Statistics { terms: formula.n_terms(), ..Statistics::default() };
        let searched = match self.options.options.engine {
            Engine::Nba(_) => Vec::new(),
            Engine::Lwaa => {
                let recur = |formula: &Nnf, atoms: &mut Atoms| {
                    let mut recurrence = Recurrence::new(formula, atoms);
                    fairness::assume(self.assumptions, atoms, &mut recurrence);
                    recurrence
                };
                cases(&wanted, &self.options.options, recur)
            }
            Engine::Pure => {
                let wanted = fairness::with_assumptions(&wanted, self.assumptions);
                cases(&wanted, &self.options.options, Recurrence::new)
            }
        };
        let mut found = Found::Nothing;
        if let Engine::Nba(method) = self.options.options.engine {
            found = self
                .search_explicit(&wanted, method, budget, &mut statistics)
                .unwrap_or_else(|halt| Found::Halt(halt, Vec::new()));
        }
        for case in searched {
            found = self
                .search::<D>(formula, &case, budget, &mut statistics)
                .unwrap_or_else(|halt| Found::Halt(halt, Vec::new()));
            let Found::Nothing = found else { break };
        }
        if let Found::Lasso(lasso) = &found {
            trace::certify(self.system, self.bound, &wanted, lasso)?;
        }
        if let Found::Nothing = found {
            found = self.with_errors::<D>(Question::Formula(formula), budget, &mut statistics);
        }
        if let Found::Prefix(error, run) = &found {
            self.certify_prefix(formula, error, run)?;
        }
        statistics.time = budget.elapsed().saturating_sub(before);
        statistics.resident_bytes = resident_bytes();
        let mut finding = self.finding(found, statistics)?;
        finding.violation = self.violation(formula, &finding.verdict);
        Ok(finding)
    }

    /// What there is to say about what was found. A lasso is what was asked for, but
    /// whether it counts is not known yet.
    fn finding(&self, found: Found, statistics: Statistics) -> Result<Finding, Failure> {
        let verdict = match (found, self.options.exists) {
            (Found::Nothing, exists) => nothing_found(exists, statistics.coverage),
            (Found::Lasso(lasso), exists) => {
                self.certify_letters(lasso.iter())?;
                self.certify_fairness(&lasso)?;
                if exists { Verdict::Exists(lasso) } else { Verdict::Violated(lasso) }
            }
            (Found::Prefix(error, run), _) => {
                let n_read = trace::n_read(&error, &run);
                self.certify_letters(run[..n_read].iter())?;
                if self.certify_letters(run[n_read..].iter()).is_ok() && n_read < run.len() {
                    let reason = "all atoms have a value at the end of the run";
                    return Err(Failure::Refuted(reason.to_owned()));
                }
                Verdict::ViolatedBefore(error, run)
            }
            (Found::Halt(Halt::Room(room), _), _) => return Err(Failure::Room(room)),
            (Found::Halt(halt, run), _) => match errors::run_error(halt) {
                Ok(error) => error.verdict(run),
                Err(exhausted) => Verdict::Unknown(exhausted),
            },
        };
        Ok(Finding { verdict, violation: None, statistics })
    }

    /// Passes if all atoms of the question have a value at all of these moments.
    fn certify_letters<'b>(
        &self,
        mut moments: impl Iterator<Item = &'b Moment>,
    ) -> Result<(), String> {
        let atoms = &self.errors.atoms;
        let is_read = |moment| atoms.is_empty() || trace::is_readable(self.system, atoms, moment);
        if moments.all(is_read) {
            Ok(())
        } else {
            Err("an atom of the property goes wrong on the run".to_owned())
        }
    }

    /// Passes if `lasso` is a run that counts.
    fn certify_fairness(&self, lasso: &Lasso<Moment>) -> Result<(), String> {
        let neglected = fairness::neglected(self.system, self.assumptions, lasso)
            .map_err(|fault| format!("the model goes wrong: {fault}"))?;
        match neglected.first() {
            None => Ok(()),
            Some(&number) => Err(format!("it neglects {}", self.assumptions[number].name)),
        }
    }

    /// The system with the atoms of a case, and what they are for.
    fn observed(&self, case: &Case) -> (O::Executor<'a>, Observed) {
        let atoms = self.errors.with_fallible(self.bound.list(case.lwaa.atoms()));
        let is_action = atoms.iter().map(|&atom| self.system.is_about_steps(atom)).collect();
        let observed = Observed { n_read: case.n_read, is_action };
        (self.system.executor(&atoms), observed)
    }

    fn search<D: Diagrams>(
        &mut self,
        formula: &Formula,
        case: &Case,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let lwaa = &case.lwaa;
        statistics.locations += lwaa.n_locations();
        statistics.signs += case.recurrence.n_signs();
        let (system, observed) = self.observed(case);
        let graph = configurations::<D>(lwaa, &self.options.options);
        let looks_for_prefixes = !self.options.exists && case.recurrence.n_signs() == 0;
        let mut product = Product::new(system, self.store, graph, &observed, &case.recurrence)
            .with(self.options.deadlock, self.options.order)
            .watching(errors::watch(self.options.errors, looks_for_prefixes));
        let mut search = Search::new(case.recurrence.acceptance().clone());
        if self.options.shortest {
            search = search.exhaustive();
        }
        let names = trace::Names::new(lwaa, &case.limits);
        let about = errors::About { formula, system: self.system, bound: self.bound };
        let mut errors = errors::Meeting { about, known: &mut self.errors, tell: &mut *self.tell };
        let outcome = errors.search(&mut product, &mut search, &names, budget);
        super::count(statistics, &search, product.configurations().counters());
        statistics.states = product.store().len();
        statistics.state_bytes = product.store().n_bytes();
        if let Ok(Some((error, run))) = outcome {
            return Ok(Found::Prefix(error, run));
        }
        let outcome = outcome.map(|_| search.has_found());
        match outcome {
            Ok(false) => Ok(Found::Nothing),
            Ok(true) => {
                let steps = lasso::extract(&mut product, &search, budget)?;
                let lasso = steps.map(|step| names.moment(&mut product, step));
                let mut graph = configurations::<D>(lwaa, &self.options.options);
                let about = (self.system, self.bound);
                let recurrence = &case.recurrence;
                let lasso =
                    trace::shortened(lasso, about, (&mut graph, recurrence), &names, budget);
                Ok(Found::Lasso(lasso))
            }
            Err(halt @ (Halt::Exhausted(_) | Halt::Room(_))) => Err(halt),
            Err(halt) => {
                let run = names.path(&mut product, &search, &halt, budget)?;
                Ok(Found::Halt(halt, run))
            }
        }
    }
}
