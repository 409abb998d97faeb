//! The checker that library users see: systems and models in, verdicts and runs out.

mod run;
mod subject;

pub use run::{Run, RunStep};
pub use subject::{Source, Subject};

use crate::check::explore::explore;
use crate::check::model::{self, CheckError, Deadlock, Fair, ModelOptions, News, Question};
use crate::lang::OpenError;
use crate::ltl::Formula;
use crate::own::{Pack, System};
use crate::report::model::{reason, unfair_note};
use crate::search::limits::{Limits, Monitor};
use crate::store::StoreKind;
use crate::system::Strength;
use crate::threads::watched;
use crate::verdict::{self, Finding, Statistics};
use std::sync::Arc;
use std::time::Duration;

/// Checks formulas about a system that is written in Rust, or about a model in one of the
/// languages.
///
/// ```
/// use lwaa::{Checker, Model};
///
/// let model = Model::parse("promela", "byte n; active proctype P() { do :: n = 1 - n od }")?;
/// let checker = Checker::of(model);
/// checker.assert_holds("[] <> (n == 1)");
/// assert!(checker.check("<> [] (n == 1)")?.is_violated());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Checker<S> {
    subject: S,
    options: ModelOptions,
    progress: Option<Listener>,
}

/// What is called while a search runs, and how often.
struct Listener {
    every: Duration,
    hear: Box<dyn Fn(Progress) + Send + Sync>,
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listener").field("every", &self.every).finish_non_exhaustive()
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// States that are stored.
    pub states: u64,
    /// Transitions that have been followed.
    pub transitions: u64,
}

/// What is true of all runs of a system.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Verdict<S, A> {
    /// All of them satisfy the formula.
    Holds,
    /// This one does not.
    Violated(Run<S, A>),
    /// The model itself is wrong: a deadlock that is to be reported, a failed assertion, an index
    /// out of range. The run leads there.
    ModelError {
        /// What is wrong.
        reason: String,
        /// The run that leads there.
        run: Run<S, A>,
    },
    /// A limit was reached first: this one.
    Unknown(String),
}

impl<S, A> Verdict<S, A> {
    /// Whether the formula holds.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds)
    }

    /// Whether a run violates the formula.
    #[must_use]
    pub fn is_violated(&self) -> bool {
        matches!(self, Self::Violated(_))
    }

    /// The run that the verdict shows, if it shows one.
    #[must_use]
    pub fn run(&self) -> Option<&Run<S, A>> {
        match self {
            Self::Violated(run) | Self::ModelError { run, .. } => Some(run),
            Self::Holds | Self::Unknown(_) => None,
        }
    }
}

impl<S, A> std::fmt::Display for Verdict<S, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Holds => f.write_str("holds"),
            Self::Violated(run) => write!(f, "violated\n{run}"),
            Self::ModelError { reason, run } => write!(f, "model error: {reason}\n{run}"),
            Self::Unknown(reason) => write!(f, "unknown: {reason}"),
        }
    }
}

/// Why a question has no verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CheckerError {
    /// The text is not a formula, or speaks of what the system does not have.
    #[error("{message}")]
    Formula {
        /// What is wrong.
        message: String,
    },
    /// The system does not do what its traits ask for: different states are packed to the same
    /// words, `next` does not always give the same state, an action has a process that does not
    /// exist, a name is given twice, or there is no initial state.
    #[error("the system is wrong: {0}")]
    System(String),
    /// A run does not stand a second look: `next`, `actions` or a proposition of the system do
    /// not always give the same answer, or there is a bug in this crate.
    #[error("the run that was found cannot be repeated: {0}")]
    NotRepeated(String),
}

impl From<CheckError> for CheckerError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Open(OpenError::Unbound { atom, error, .. }) => {
                Self::Formula { message: format!("in the atom `{atom}`: {error}") }
            }
            CheckError::Refuted { reason, .. } => Self::NotRepeated(reason),
            CheckError::Open(_) | CheckError::Conflict(_) => {
                Self::Formula { message: error.to_string() }
            }
        }
    }
}

impl<S: System> Checker<Source<S>> {
    /// A checker of a system that is written in Rust. Its states are kept as they are.
    #[must_use]
    pub fn new(system: S) -> Self {
        Self::of(Source::new(system))
    }

    /// The same for states that are kept packed, which needs less memory.
    #[must_use]
    pub fn packed(system: S) -> Self
    where
        S: Pack,
    {
        Self::of(Source::packed(system))
    }
}

impl<S: Subject> Checker<S> {
    /// A checker of a system or a [model](crate::Model).
    #[must_use]
    pub fn of(subject: S) -> Self {
        Self { subject, options: ModelOptions::default(), progress: None }
    }

    /// Only runs count in which no process that can always move from some moment on never does.
    #[must_use]
    pub fn weakly_fair(self) -> Self {
        self.fair(Fair::Processes(Strength::Weak))
    }

    /// Only runs count in which no process that can move again and again never does from some
    /// moment on.
    #[must_use]
    pub fn strongly_fair(self) -> Self {
        self.fair(Fair::Processes(Strength::Strong))
    }

    fn fair(mut self, fair: Fair) -> Self {
        self.options.fair = fair;
        self
    }

    /// What a state without successor means. By default, the run stays there for ever.
    #[must_use]
    pub fn deadlock(mut self, deadlock: Deadlock) -> Self {
        self.options.deadlock = deadlock;
        self
    }

    /// Shows a run with a prefix that is as short as possible, for which the whole system is
    /// searched. By default the first run that is found is shown.
    #[must_use]
    pub fn shortest(mut self) -> Self {
        self.options.shortest = true;
        self
    }

    /// How packed states and those of models are stored.
    #[must_use]
    pub fn store(mut self, store: StoreKind) -> Self {
        self.options.store = store;
        self
    }

    /// What a search may use. Reaching a limit gives [`Verdict::Unknown`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.options.options.limits = limits;
        self
    }

    /// Calls `hear` again and again while a search runs, from another thread.
    #[must_use]
    pub fn on_progress(
        mut self,
        every: Duration,
        hear: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Self {
        self.progress = Some(Listener { every, hear: Box::new(hear) });
        self
    }

    /// Whether all runs satisfy a formula.
    ///
    /// # Errors
    ///
    /// If `formula` is not a formula about the system.
    pub fn check(&self, formula: &str) -> Result<Verdict<S::State, S::Action>, CheckerError> {
        let formula = self.subject.formula(formula)?;
        self.check_formula(&formula)
    }

    /// The same for a formula that has been read.
    ///
    /// # Errors
    ///
    /// If the formula speaks of what the system does not have.
    pub fn check_formula(
        &self,
        formula: &Formula,
    ) -> Result<Verdict<S::State, S::Action>, CheckerError> {
        self.answer(formula, false).map(|(verdict, _)| verdict)
    }

    /// The verdict and, if `advises`, a note if a property fails only because processes are
    /// neglected.
    #[expect(clippy::type_complexity, reason = "a verdict has the types of the system")]
    fn answer(
        &self,
        formula: &Formula,
        advises: bool,
    ) -> Result<(Verdict<S::State, S::Action>, String), CheckerError> {
        let monitor = Monitor::default();
        self.watching(&monitor, || {
            let mut system = None;
            let mut hear = |news: News<'_, S::System>| {
                if let News::Opened(opened) = news {
                    system = Some(Arc::clone(opened));
                }
            };
            let question = &[Question::Formula(formula)];
            let found =
                model::check_all(&self.subject, question, &self.options, &monitor, &mut hear);
            // The cause comes before its consequence, a run that cannot be repeated.
            system.as_deref().map_or(Ok(()), |system| self.trust(system))?;
            match found?.first().zip(system.as_ref()) {
                Some((finding, system)) => {
                    let note = advises.then(|| self.advice(finding, system, formula, &monitor));
                    Ok((self.verdict(finding, system), note.flatten().unwrap_or_default()))
                }
                None => unreachable!("one question has one answer, about an opened system"),
            }
        })
    }

    /// The number of reachable states, transitions and deadlocks.
    ///
    /// # Errors
    ///
    /// If the model cannot be made as large as it has to be.
    pub fn explore(&self) -> Result<Size, CheckerError> {
        let monitor = Monitor::default();
        self.watching(&monitor, || {
            let ModelOptions { store, deadlock, options, .. } = &self.options;
            let found = explore(&self.subject, *store, *deadlock, options.limits, &monitor);
            let (found, system) = found.map_err(CheckError::Open)?;
            self.trust(&system)?;
            Ok(Size {
                states: found.states,
                transitions: found.transitions,
                deadlocks: found.deadlocks,
                is_complete: found.is_complete,
                statistics: found.statistics,
            })
        })
    }

    /// Passes if all runs satisfy a formula, for use in tests.
    ///
    /// # Panics
    ///
    /// If they do not, with a run that does not, and a note if all such runs neglect processes; or
    /// if that is not known.
    #[track_caller]
    pub fn assert_holds(&self, formula: &str) {
        let read = self.subject.formula(formula);
        match read.and_then(|formula| self.answer(&formula, true)) {
            Ok((Verdict::Holds, _)) => (),
            Ok((verdict, note)) => panic!("`{formula}`: {verdict}{note}"),
            Err(error) => panic!("`{formula}`: {error}"),
        }
    }

    /// What to say if the formula fails only by runs that neglect processes.
    fn advice(
        &self,
        finding: &Finding,
        system: &Arc<S::System>,
        formula: &Formula,
        monitor: &Monitor,
    ) -> Option<String> {
        let verdict::Verdict::Violated(run) = &finding.verdict else { return None };
        let mut n_states = model::MAX_ADVICE_STATES;
        let unfair = model::advice(&**system, formula, run, &self.options, &mut n_states, monitor)?;
        let method = match unfair.strength {
            Strength::Weak => "`weakly_fair()`",
            Strength::Strong => "`strongly_fair()`",
        };
        Some(format!("\n{}", unfair_note("the property", &unfair, method).trim_end()))
    }

    /// Passes if the system was not seen to break a promise of its traits.
    fn trust(&self, system: &S::System) -> Result<(), CheckerError> {
        let broken = self.subject.broken_promise(system);
        broken.map_or(Ok(()), |message| Err(CheckerError::System(message.to_owned())))
    }

    /// Works while another thread tells how far the work has come.
    fn watching<R>(&self, monitor: &Monitor, work: impl FnOnce() -> R) -> R {
        let Some(Listener { every, hear }) = &self.progress else { return work() };
        watched(*every, work, || {
            let (states, transitions) = (monitor.states(), monitor.transitions());
            hear(Progress { states, transitions });
        })
    }

    fn verdict(&self, finding: &Finding, system: &Arc<S::System>) -> Verdict<S::State, S::Action> {
        let run = |run| Run::new(&self.subject, system, run, finding.violation.as_ref());
        let reason = || reason(&finding.verdict).unwrap_or_default();
        match &finding.verdict {
            verdict::Verdict::Holds | verdict::Verdict::ExistsNot => Verdict::Holds,
            verdict::Verdict::Violated(found) | verdict::Verdict::Exists(found) => {
                Verdict::Violated(run(found))
            }
            verdict::Verdict::ModelError(found) => {
                Verdict::ModelError { reason: reason(), run: run(found) }
            }
            verdict::Verdict::NotViolated(_)
            | verdict::Verdict::NotFound(_)
            | verdict::Verdict::Unknown(_) => Verdict::Unknown(reason()),
        }
    }
}

/// The size of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Size {
    /// Reachable states.
    pub states: usize,
    /// Pairs of a state and a way to leave it.
    pub transitions: u64,
    /// States without a successor in which the system may not end.
    pub deadlocks: usize,
    /// Whether no limit was reached.
    pub is_complete: bool,
    /// How they were found.
    pub statistics: Statistics,
}
