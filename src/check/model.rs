//! The other question: do all runs of a model satisfy a formula?
//!
//! Here model, automaton and search are put together: bind the atoms, take the
//! product, search it, project the lasso to states, certify it. What errors of
//! the model mean for the verdict is said in `errors`.

mod advice;
mod claim;
mod claim_path;
mod errors;
mod fairness;
mod fewer;
mod nba;
mod prepared;
mod trace;
mod turns;

use super::reduction::Reduce;
use super::room::{Openable, Stop, with_room};
use super::{Case, Method, Options, cases};
use crate::bdd::{self, Diagrams};
use crate::certify::run::is_run;
use crate::configuration::ConfigurationGraph;
use crate::lang::{Bindings, OpenError};
use crate::ltl::Formula;
use crate::ltl::nnf::Nnf;
use crate::product::moves::Moves;
use crate::product::{Halt, MoveRules};
use crate::recurrence::Recurrence;
use crate::run::Run;
use crate::search::coverage::Coverage;
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::store::StoreKind;
use crate::system::{Assumption, Opened, PropositionId, Room};
use crate::verdict::{Finding, Statistics, Unreduced, Verdict};
use crate::word::Atoms;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;
use std::time::Instant;

pub use super::method::{Conflict, SearchKind};
pub use crate::lang::Question;
pub use crate::product::{Deadlock, Errors, Order};
pub use advice::{MAX_STATES as MAX_ADVICE_STATES, advice};
pub use claim_path::{ClaimPath, ClaimPlace, claim_path};
pub use fairness::{Chances, Fair, all_neglected, chances};
pub use prepared::{Preparation, decided};
pub use trace::{observed, truth};

/// How the runs of a model are searched.
#[derive(Clone, Debug, Default)]
pub struct ModelOptions {
    /// Whether the question is if *some* run satisfies the formula.
    pub exists: bool,
    /// Which runs count: what is assumed about fairness.
    pub fair: Fair,
    /// What a state without successors means.
    pub deadlock: Deadlock,
    /// What an error of the model means.
    pub errors: Errors,
    /// In which order successors are tried. If nothing is said, [`Order::Rotate`], and a search
    /// with [`Order::Guided`] takes turns with it where both can be used.
    pub order: Option<Order>,
    /// How states are stored.
    pub store: StoreKind,
    /// Whether the way to where the formula can be satisfied for ever is to be
    /// as short as possible. The whole product is searched then.
    pub shortest: bool,
    /// Whether steps are left out that the question does not need.
    pub reduce: Reduce,
    /// What is done about a question before it is searched.
    pub preparation: Preparation,
    /// How the formula is treated, and what the search may use.
    pub options: Options,
}

/// Why there is no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckError {
    /// The model cannot be opened for the questions.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The options do not go together.
    #[error(transparent)]
    Conflict(#[from] Conflict),
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
    Error(&'a Run),
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
    let mut stutter_invariant = vec![None; questions.len()];
    let asserts = options.errors != Errors::Ignore;
    with_room(model, questions, asserts, CheckError::Open, |system| {
        tell(News::Opened(system));
        // What was found with less room stays true.
        let language = model.language();
        let ask = Ask { language, questions, options, search, started, monitor };
        let known = &mut stutter_invariant;
        check_opened::<M::System, D>(&**system, &ask, known, &mut findings, tell)
    })?;
    Ok(findings)
}

/// What is asked of a system, and within which limits.
struct Ask<'a> {
    language: Option<&'a dyn Bindings>,
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
    stutter_invariant: &mut [Option<bool>],
    findings: &mut Vec<Finding>,
    tell: &mut dyn FnMut(News<'_, O>),
) -> Result<(), Stop> {
    let &Ask { language, questions, options, search, started, monitor } = ask;
    let assumptions = fairness::assumptions(system, options.fair);
    if questions.iter().any(|question| matches!(question, Question::Claim(_))) {
        search.suit_claims(!assumptions.is_empty(), options.order).map_err(CheckError::from)?;
    }
    let bound = Bound::new(system, questions, &assumptions);
    let store = &mut system.store(options.store);
    let errors = errors::Known::new(system, options.deadlock);
    let (bound, assumptions) = (&bound, &*assumptions);
    let (reduction, sliced) = (Err(Unreduced::Asked), None);
    let mut check = ModelCheck {
        system,
        language,
        bound,
        assumptions,
        options,
        search,
        store,
        errors,
        reduction,
        sliced,
        order: options.order.unwrap_or_default(),
        first_turn: None,
        number: findings.len(),
        stutter_invariant,
        tell,
    };
    while let Some(question) = questions.get(findings.len()) {
        let number = findings.len();
        check.number = number;
        let share = share(options.options.limits, started, questions.len() - number);
        let mut budget = Budget::new(share, monitor);
        check.errors.begin(*question, system, bound);
        let finding = check.answer::<D>(*question, &mut budget);
        let finding = finding.map_err(|failure| match failure {
            Failure::Room(room) => Stop::Room(room),
            Failure::Refuted(reason) => {
                Stop::Error(CheckError::Refuted { formula: number, reason })
            }
        })?;
        if let Verdict::Unknown(Exhausted::Memory { .. } | Exhausted::Time { .. }) = finding.verdict
        {
            // Those behind are not to begin in a store that is full.
            *check.store = system.store(options.store);
        }
        let finding = with_limit(finding, options.options.limits);
        (check.tell)(News::Found(number, &finding));
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
struct ModelCheck<'a, O: Opened> {
    system: &'a O,
    /// What the language of the model knows about it.
    language: Option<&'a dyn Bindings>,
    bound: &'a Bound,
    /// What is assumed about runs.
    assumptions: &'a [Assumption],
    options: &'a ModelOptions,
    /// How the product is searched.
    search: SearchKind,
    store: &'a mut O::Store,
    /// What is known about errors of the model.
    errors: errors::Known,
    /// Whether steps are left out, and if so, for the sake of which atoms others are not.
    reduction: Result<Vec<PropositionId>, Unreduced>,
    /// The atoms of the question, if there is something that they do not see.
    sliced: Option<Vec<PropositionId>>,
    /// In which order the search of the moment tries successors.
    order: Order,
    /// After how many edges it lets a guided search have the first turn, if it does.
    first_turn: Option<u64>,
    /// The number of the question.
    number: usize,
    /// Whether the formula of each question that has an `X` is stutter-invariant, if that has been
    /// found out. It does not depend on how much room the system has.
    stutter_invariant: &'a mut [Option<bool>],
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
    /// A run that is as asked for: an infinite one, or one that ends in an error and is as asked
    /// for, whatever would follow.
    Run(Run),
    /// A run into an error of the model.
    Error(Run),
}

impl<'a, O: Opened> ModelCheck<'a, O> {
    /// Searches for an answer, and certifies it.
    fn answer<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<Finding, Failure> {
        let before = budget.elapsed();
        self.first_turn = None;
        let known = self.known(question);
        let (found, mut statistics) =
            self.found::<D>(known.as_ref().map_or(question, Question::Formula), budget)?;
        statistics.knowledge = known.as_ref().map(|left| prepared::knowledge(question, left));
        statistics.time = budget.elapsed().saturating_sub(before);
        statistics.resident_bytes = resident_bytes();
        let verdict = self.verdict(question, found, statistics.coverage)?;
        let violation = match question {
            Question::Formula(formula) => self.violation(formula, &verdict),
            Question::Claim(_) | Question::Errors => None,
        };
        Ok(Finding { verdict, violation, statistics })
    }

    /// What is found, with as few steps and states as are needed.
    fn found<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
    ) -> Result<prepared::Searched, Failure> {
        let (found, statistics) = match self.scouted::<D>(question, budget) {
            Some(found) => found,
            None => match self.found_smaller::<D>(question, budget)? {
                Some(found) => return Ok(found),
                None => self.searched::<D>(question, budget),
            },
        };
        Ok(match self.lifted(found) {
            Some(found) => (found, statistics),
            None => self.searched_again::<D>(question, budget),
        })
    }

    fn find<D: Diagrams>(
        &mut self,
        question: Question<'_>,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let found = match question {
            Question::Formula(formula) => self.search_formula::<D>(formula, budget, statistics)?,
            Question::Claim(claim) => self.search_claim(claim, budget, statistics)?,
            Question::Errors => {
                let first = self.first_error(budget, statistics)?;
                return Ok(first.map_or(Found::Nothing, Found::Error));
            }
        };
        match found {
            Found::Nothing => self.with_errors::<D>(question, budget, statistics),
            found => Ok(found),
        }
    }

    fn search_formula<D: Diagrams>(
        &mut self,
        formula: &Formula,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let wanted = if self.options.exists { formula.clone() } else { formula.negated() };
        statistics.terms = formula.n_terms();
        let options = &self.options.options;
        if let Method::Automaton { translation, .. } = options.method {
            return self.search_explicit(&wanted, translation, budget, statistics);
        }
        let cases = if options.method.exploration().pure {
            let wanted = fairness::with_assumptions(&wanted, self.assumptions);
            cases(&wanted, options, Recurrence::new)
        } else {
            let recur = |formula: &Nnf, atoms: &mut Atoms| {
                let mut recurrence = Recurrence::new(formula, atoms);
                fairness::assume(self.assumptions, atoms, &mut recurrence);
                recurrence
            };
            cases(&wanted, options, recur)
        };
        for case in cases {
            statistics.locations += case.lwaa.n_locations();
            statistics.signs += case.recurrence.n_signs();
            match self.search::<D>(formula, &case, budget, statistics)? {
                Found::Nothing => (),
                found => return Ok(found),
            }
        }
        Ok(Found::Nothing)
    }

    /// The verdict on what was found, once that is certified.
    fn verdict(
        &self,
        question: Question<'_>,
        found: Result<Found, Halt>,
        coverage: Option<Coverage>,
    ) -> Result<Verdict, Failure> {
        let exists = self.options.exists && !matches!(question, Question::Errors);
        match found {
            Ok(Found::Nothing) => Ok(nothing_found(exists, coverage)),
            Ok(Found::Run(run)) => {
                self.certify(question, &run)?;
                Ok(if exists { Verdict::Exists(run) } else { Verdict::Violated(run) })
            }
            Ok(Found::Error(run)) => {
                is_run(&mut self.system.judge(&[]), &run).map_err(|error| error.to_string())?;
                Ok(Verdict::ModelError(run))
            }
            Err(Halt::Room(room)) => Err(Failure::Room(room)),
            Err(halt) => match errors::ending(halt) {
                Ok(ending) => Ok(Verdict::ModelError(Run { moments: Vec::new(), ending })),
                Err(exhausted) => Ok(Verdict::Unknown(exhausted)),
            },
        }
    }

    /// Passes if `run` is a run of the system, replayed by the interpreter, answers the question
    /// by definition, and counts.
    fn certify(&self, question: Question<'_>, run: &Run) -> Result<(), String> {
        is_run(&mut self.system.judge(&[]), run).map_err(|error| error.to_string())?;
        let wanted = match question {
            Question::Formula(_) => self.options.exists,
            Question::Claim(_) | Question::Errors => true,
        };
        if trace::bound_truth(self.system, self.bound, question, run) != Some(wanted) {
            return Err("the run does not answer the question".to_owned());
        }
        let readable = run.readable();
        let atoms = &self.errors.atoms;
        let is_read = |moment| atoms.is_empty() || trace::is_readable(self.system, atoms, moment);
        if !readable.iter().all(is_read) {
            return Err("an atom of the property goes wrong on the run".to_owned());
        }
        if readable.len() < run.moments.len() && run.moments.iter().all(is_read) {
            return Err("all atoms have a value at the end of the run".to_owned());
        }
        if run.is_infinite() { self.certify_fairness(run) } else { Ok(()) }
    }

    /// Passes if an infinite run counts.
    fn certify_fairness(&self, run: &Run) -> Result<(), String> {
        let neglected = fairness::neglected(self.system, self.assumptions, run)
            .map_err(|fault| format!("the model goes wrong: {fault}"))?;
        match neglected.first() {
            None => Ok(()),
            Some(&number) => Err(format!("it neglects {}", self.assumptions[number].name)),
        }
    }

    /// The system with these atoms, of which an automaton reads the first `n_read`, and the
    /// rules by which it moves.
    fn executor(&self, atoms: &Atoms, n_read: usize) -> (O::Executor<'a>, MoveRules) {
        let atoms = self.errors.with_fallible(self.bound.list(atoms));
        let is_action = atoms.iter().map(|&atom| self.system.is_about_steps(atom)).collect();
        let (deadlock, order) = (self.options.deadlock, self.order);
        (self.worker(&atoms), MoveRules { n_read, is_action, deadlock, order })
    }

    /// The moves of the system and the configurations of a case.
    fn moves<'b, D: Diagrams>(
        &self,
        case: &Case,
        graph: ConfigurationGraph<'b, D>,
    ) -> Moves<O::Executor<'a>, ConfigurationGraph<'b, D>> {
        let (system, rules) = self.executor(case.lwaa.atoms(), case.n_read);
        Moves::new(system, graph, &rules).showing(&case.recurrence, &rules)
    }
}
