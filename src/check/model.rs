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

use super::explore;
use super::{Case, Engine, Options, cases, configurations};
use crate::bdd::{self, Diagrams};
use crate::lang::claim::Claim;
use crate::lang::execute::Interpreter;
use crate::lang::program::{Expression, ExpressionId, Fairness, Program, Proposition, Span};
use crate::lang::{Model, SourceError};
use crate::ltl::Formula;
use crate::ltl::nnf::Nnf;
use crate::ltl::semantics::truncated;
use crate::product::{Halt, Observed, Product};
use crate::recurrence::Recurrence;
use crate::search::coverage::Coverage;
use crate::search::lasso;
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::search::scc::Search;
use crate::store::{Store, StoreKind};
use crate::system::{FaultKind, TransitionSystem};
use crate::verdict::{Finding, Moment, RunError, Statistics, Verdict};
use crate::word::{Atoms, Lasso};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::time::Instant;

pub use crate::product::{Deadlock, Errors, Order};
pub use advice::{MAX_STATES as MAX_ADVICE_STATES, advice};
pub use fairness::{Fair, all_neglected};
pub use method::{SearchKind, Unsuitable};

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
    /// The model does not know an atom of a formula.
    #[error("{error}")]
    Unbound {
        /// Which of the formulas it is.
        formula: usize,
        /// The atom.
        atom: String,
        /// What is wrong, and where in the atom.
        error: SourceError,
    },
    /// The model hides what a formula looks at.
    #[error("the model has to be made for formula {formula}: see `Model::suited`")]
    NotMade {
        /// Which of the formulas it is.
        formula: usize,
    },
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

/// What is asked about a model.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// Whether all runs satisfy a formula.
    Formula(&'a Formula),
    /// Whether no run is as a claim says.
    Claim(&'a Claim),
    /// Whether no run goes into an error.
    Errors,
}

impl Question<'_> {
    /// The names of its atoms.
    fn atoms(&self) -> Vec<&str> {
        match self {
            Self::Formula(formula) => formula.atoms().iter().map(|(_, name)| name).collect(),
            Self::Claim(claim) => claim.atoms.iter().map(String::as_str).collect(),
            Self::Errors => Vec::new(),
        }
    }
}

/// What is told while properties are checked.
#[derive(Clone, Copy, Debug)]
pub enum News<'a> {
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
/// If an atom is unknown, if the model was not made for a formula (see
/// [`Model::suited`]), or if something found does not pass certification.
pub fn check(
    model: &Model,
    formulas: &[Formula],
    options: &ModelOptions,
    monitor: &Monitor,
    report: &mut dyn FnMut(usize, &Finding),
) -> Result<Vec<Finding>, CheckError> {
    check_with::<bdd::Default>(model, formulas, options, monitor, report)
}

/// [`check`] for formulas and claims.
///
/// # Errors
///
/// If an atom is unknown, or if something found does not pass certification.
pub fn check_all(
    model: &Model,
    questions: &[Question<'_>],
    options: &ModelOptions,
    monitor: &Monitor,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<Vec<Finding>, CheckError> {
    check_all_with::<bdd::Default>(model, questions, options, monitor, tell)
}

/// [`check`] with a chosen decision diagram package.
///
/// # Errors
///
/// If an atom is unknown, or if something found does not pass certification.
pub fn check_with<D: Diagrams>(
    model: &Model,
    formulas: &[Formula],
    options: &ModelOptions,
    monitor: &Monitor,
    report: &mut dyn FnMut(usize, &Finding),
) -> Result<Vec<Finding>, CheckError> {
    let questions: Vec<Question<'_>> = formulas.iter().map(Question::Formula).collect();
    let mut tell = |news: News<'_>| {
        if let News::Found(number, finding) = news {
            report(number, finding);
        }
    };
    check_all_with::<D>(model, &questions, options, monitor, &mut tell)
}

fn check_all_with<D: Diagrams>(
    model: &Model,
    questions: &[Question<'_>],
    options: &ModelOptions,
    monitor: &Monitor,
    tell: &mut dyn FnMut(News<'_>),
) -> Result<Vec<Finding>, CheckError> {
    let search = options.suitable_search()?;
    let mut program = model.program.clone();
    if options.errors == Errors::Ignore {
        program.ignore_assertions();
    }
    let mut bound = bind(model, &mut program, questions)?;
    let assumptions = fairness::assumptions(&program, options.fair);
    if questions.iter().any(|question| matches!(question, Question::Claim(_))) {
        ModelOptions::suit_claims(search, !assumptions.is_empty())?;
    }
    fairness::bind(&assumptions, &mut bound);
    let started = Instant::now();
    let n_words = Interpreter::new(&program, &[]).n_words();
    let mut store = Store::new(options.store, n_words);
    let (program, bound, assumptions) = (&program, &bound, &*assumptions);
    let errors = errors::Known::new(program, bound, options.deadlock);
    let store = &mut store;
    let mut run = Run { program, bound, assumptions, options, search, store, errors, tell };
    let mut findings = Vec::with_capacity(questions.len());
    for (number, question) in questions.iter().enumerate() {
        let share = share(options.options.limits, started, questions.len() - number);
        let mut budget = Budget::new(share, monitor);
        run.errors.begin(*question, bound);
        let finding = match question {
            Question::Formula(formula) => run.check::<D>(formula, &mut budget),
            Question::Claim(claim) => run.check_claim(claim, &mut budget),
            Question::Errors => Ok(run.check_errors(&mut budget)),
        }
        .map_err(|reason| CheckError::Refuted { formula: number, reason })?;
        let finding = with_limit(finding, options.options.limits);
        (run.tell)(News::Found(number, &finding));
        findings.push(finding);
    }
    Ok(findings)
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

/// Whether a lasso of states satisfies a formula, evaluated by definition on
/// what the interpreter observes. An atom that goes wrong in a state counts as
/// false there.
///
/// # Errors
///
/// If an atom is unknown.
pub fn satisfies(
    model: &Model,
    formula: &Formula,
    lasso: &Lasso<Moment>,
) -> Result<bool, CheckError> {
    let mut program = model.program.clone();
    let bound = bind(model, &mut program, &[Question::Formula(formula)])?;
    Ok(trace::satisfies(&program, &bound, formula, lasso))
}

/// Whether a lasso of states is as a claim says, by definition on what the
/// interpreter observes, as in [`satisfies`].
///
/// # Errors
///
/// If the model does not know a condition of the claim.
pub fn follows(model: &Model, claim: &Claim, lasso: &Lasso<Moment>) -> Result<bool, CheckError> {
    let mut program = model.program.clone();
    let bound = bind(model, &mut program, &[Question::Claim(claim)])?;
    Ok(trace::follows(&program, &bound, claim, lasso))
}

/// Whether a finite run violates a formula, whatever follows: its states are a bad prefix, see
/// [`truncated`].
///
/// # Errors
///
/// If an atom is unknown.
pub fn violates_for_good(
    model: &Model,
    formula: &Formula,
    run: &[Moment],
) -> Result<bool, CheckError> {
    let mut program = model.program.clone();
    let bound = bind(model, &mut program, &[Question::Formula(formula)])?;
    let letters = trace::letters(&program, &bound, formula.atoms(), run.iter());
    Ok(truncated::failure(formula, &letters).is_some())
}

/// Whether a finite run is as a claim says, whatever follows: the claim has come to where it
/// accepts everything.
///
/// # Errors
///
/// If the model does not know a condition of the claim.
pub fn follows_for_good(model: &Model, claim: &Claim, run: &[Moment]) -> Result<bool, CheckError> {
    let mut program = model.program.clone();
    let bound = bind(model, &mut program, &[Question::Claim(claim)])?;
    Ok(trace::follows_for_good(&program, &bound, claim, run))
}

type Bound = HashMap<String, Proposition, FxBuildHasher>;

/// What all atoms say; their expressions are added to `program`.
fn bind(
    model: &Model,
    program: &mut Program,
    questions: &[Question<'_>],
) -> Result<Bound, CheckError> {
    let mut bound = Bound::default();
    for (formula, name) in questions
        .iter()
        .enumerate()
        .flat_map(|(number, asked)| asked.atoms().into_iter().map(move |atom| (number, atom)))
    {
        if !bound.contains_key(name) {
            let proposition = model
                .bindings
                .atom(program, name)
                .and_then(|proposition| check_indices(program, proposition, name))
                .map_err(|error| CheckError::Unbound { formula, atom: name.to_owned(), error })?;
            bound.insert(name.to_owned(), proposition);
        }
    }
    for (formula, asked) in questions.iter().enumerate() {
        if let Question::Formula(asked) = asked
            && !model.bindings.is_suited(std::slice::from_ref(*asked))
        {
            return Err(CheckError::NotMade { formula });
        }
    }
    Ok(bound)
}

/// Passes an atom on unless it asks for an element that an array never has.
fn check_indices(
    program: &Program,
    atom: Proposition,
    name: &str,
) -> Result<Proposition, SourceError> {
    let mut seen: HashSet<ExpressionId, FxBuildHasher> = HashSet::default();
    let mut open: Vec<ExpressionId> = expression_of(&atom).into_iter().collect();
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        let expression = program.view(id);
        if let Expression::Element(array, index) = expression
            && let Some(index) = program.as_constant(index)
        {
            let variable = &program.variables[array];
            let len = variable.n_elements();
            if usize::try_from(index).ok().is_none_or(|index| len <= index) {
                let kind = FaultKind::Index { variable: variable.name.clone(), index, len };
                let span = Span { start: 0, end: name.len() };
                return Err(SourceError::new(span, kind.to_string()));
            }
        }
        open.extend(expression.operands());
    }
    Ok(atom)
}

fn expression_of(proposition: &Proposition) -> Option<ExpressionId> {
    match proposition {
        Proposition::State(expression) => Some(*expression),
        _ => None,
    }
}

/// What the checks of all formulas have in common.
struct Run<'a> {
    program: &'a Program,
    bound: &'a Bound,
    /// What is assumed about who moves.
    assumptions: &'a [Fairness],
    options: &'a ModelOptions,
    /// How the product is searched.
    search: SearchKind,
    store: &'a mut Store,
    /// What is known about errors of the model.
    errors: errors::Known,
    tell: &'a mut dyn FnMut(News<'_>),
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

impl<'a> Run<'a> {
    fn check<D: Diagrams>(
        &mut self,
        formula: &Formula,
        budget: &mut Budget<'_>,
    ) -> Result<Finding, String> {
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
            trace::certify(self.program, self.bound, &wanted, lasso)?;
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
    fn finding(&self, found: Found, statistics: Statistics) -> Result<Finding, String> {
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
                    return Err("all atoms have a value at the end of the run".to_owned());
                }
                Verdict::ViolatedBefore(error, run)
            }
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
        let is_read = |moment| atoms.is_empty() || trace::is_readable(self.program, atoms, moment);
        if moments.all(is_read) {
            Ok(())
        } else {
            Err("an atom of the property goes wrong on the run".to_owned())
        }
    }

    /// Passes if `lasso` is a run that counts.
    fn certify_fairness(&self, lasso: &Lasso<Moment>) -> Result<(), String> {
        let neglected = fairness::neglected(self.program, self.assumptions, lasso)
            .map_err(|fault| format!("the model goes wrong: {fault}"))?;
        match neglected.first() {
            None => Ok(()),
            Some(&number) => Err(format!("it neglects {}", self.assumptions[number].name)),
        }
    }

    /// The system with the atoms of a case, and what they are for.
    fn observed(&self, case: &Case) -> (impl TransitionSystem + use<'a>, Observed) {
        let atoms: Vec<Proposition> =
            case.lwaa.atoms().iter().map(|(_, name)| self.bound[name].clone()).collect();
        let atoms = self.errors.with_fallible(atoms);
        let is_action = |atom: &Proposition| matches!(atom, Proposition::Taken(_));
        let is_action = atoms.iter().map(is_action).collect();
        let observed = Observed { n_read: case.n_read, is_action };
        (explore::executor(self.program, &atoms), observed)
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
            .watching(self.errors.watch(self.options.errors, looks_for_prefixes));
        let mut search = Search::new(case.recurrence.acceptance().clone());
        if self.options.shortest {
            search = search.exhaustive();
        }
        let names = trace::Names::new(lwaa, &case.limits);
        let about = errors::About { formula, program: self.program, bound: self.bound };
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
                let about = (self.program, self.bound);
                let recurrence = &case.recurrence;
                let lasso =
                    trace::shortened(lasso, about, (&mut graph, recurrence), &names, budget);
                Ok(Found::Lasso(lasso))
            }
            Err(Halt::Exhausted(exhausted)) => Err(exhausted.into()),
            Err(halt) => {
                let run = names.path(&mut product, &search, &halt, budget)?;
                Ok(Found::Halt(halt, run))
            }
        }
    }
}
