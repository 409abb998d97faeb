//! Looks for a model of a formula by one strategy, or by several side by side.
//!
//! If the method names no strategy, the explicit search begins alone, and answers what it can
//! answer with little effort. Effort is counted in calls of the budget, so the answer and the
//! model that is shown are the same in every run. After that the other strategies begin, each on
//! a thread, and the first answer counts. Verdicts are certified and do not depend on which
//! strategy was first; the model that is shown may.
//!
//! The other strategies begin as well if the start takes long, because a single operation on
//! decision diagrams may take for ever. The search does not wait for a thread that is in such an
//! operation when the answer is known: the thread stops when it looks at its monitor.

use super::{Method, Options, automaton, translate};
use crate::address_space;
use crate::bdd::Diagrams;
use crate::ltl::Formula;
use crate::sat::solver::{Batsat, LargeSolver};
use crate::sat::{Outcome, bounded, proof};
use crate::search::limits::{Budget, Exhausted, Limits, Monitor};
use crate::threads;
use crate::verdict::{Statistics, Strategy};
use crate::word::{Lasso, Letter};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

type Found = Result<Option<Lasso<Letter>>, Exhausted>;

/// The effort of the explicit search before the other strategies begin.
const FIRST_EFFORT: u64 = 1 << 18;
/// How many literals the clauses of bounded search may have beside other strategies: about
/// half a gigabyte, so that these find memory.
const MAX_LITERALS: u64 = 1 << 24;
/// After this time the other strategies begin in any case.
const LONGEST_START: Duration = Duration::from_millis(500);
/// The time between two looks at the clock, the memory and the monitor.
const TICK: Duration = Duration::from_millis(5);
/// The stack of a strategy. Decision diagrams are built by recursion.
const STACK: usize = 1 << 28;

/// Looks for a model of `formula`.
pub(super) fn search<D: Diagrams>(
    formula: &Formula,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Found {
    let strategy = match options.method {
        Method::Auto => return Race::<D>::new(formula, options, budget).run(statistics),
        Method::Explicit(_) | Method::Automaton { .. } => Strategy::Explicit,
        Method::Bounded => Strategy::Bounded,
        Method::Proof => Strategy::Proof,
    };
    run::<D>(strategy, formula, options, Patience::WITHOUT_END, budget, statistics)
}

/// What a strategy may use up before it gives up, beside the limits of the question.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// The effort of the explicit search.
    max_effort: u64,
    /// The literals in the clauses of bounded search.
    max_literals: u64,
}

impl Patience {
    const WITHOUT_END: Self = Self { max_effort: u64::MAX, max_literals: u64::MAX };
}

/// Looks for a model of `formula` by one strategy.
fn run<D: Diagrams>(
    strategy: Strategy,
    formula: &Formula,
    options: &Options,
    patience: Patience,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Found {
    let Patience { max_effort, max_literals } = patience;
    let found = match strategy {
        Strategy::Explicit => super::search::<D>(formula, options, max_effort, budget, statistics),
        Strategy::Bounded => {
            let lwaa = automaton(formula, options);
            statistics.locations += lwaa.n_locations();
            bounded::search::<LargeSolver<'_>>(&lwaa, max_literals, budget).map(|outcome| {
                match outcome {
                    Outcome::Nothing => None,
                    Outcome::Lasso(word) => {
                        let renamed =
                            word.map(|letter| translate(letter, lwaa.atoms(), formula.atoms()));
                        Some(renamed.shortened())
                    }
                }
            })
        }
        Strategy::Proof => {
            let lwaa = automaton(formula, options);
            statistics.locations += lwaa.n_locations();
            proof::search::<Batsat<'_>>(&lwaa, budget).map(|()| None)
        }
    };
    if found.is_ok() {
        statistics.strategy = Some(strategy);
    }
    found
}

/// What happens to one of several strategies.
enum Event {
    /// The explicit search has spent its first effort.
    Impatient,
    /// A strategy has ended.
    Ended(Found, Box<Statistics>),
    /// A strategy has panicked.
    Panicked(Box<dyn std::any::Any + Send>),
}

/// Several strategies that look for the same model.
struct Race<'r, 'a, D> {
    formula: &'r Formula,
    options: &'r Options,
    budget: &'r mut Budget<'a>,
    /// The monitors of the strategies, that of the explicit search first.
    monitors: Vec<Arc<Monitor>>,
    sender: Sender<Event>,
    events: Receiver<Event>,
    diagrams: std::marker::PhantomData<D>,
}

impl<'r, 'a, D: Diagrams> Race<'r, 'a, D> {
    fn new(formula: &'r Formula, options: &'r Options, budget: &'r mut Budget<'a>) -> Self {
        let (sender, events) = channel();
        let (monitors, diagrams) = (Vec::new(), std::marker::PhantomData);
        Self { formula, options, budget, monitors, sender, events, diagrams }
    }

    fn run(mut self, statistics: &mut Statistics) -> Found {
        let found = self.until_answered(statistics);
        self.monitors.iter().for_each(|monitor| monitor.stop());
        // A strategy may have been stopped by what was left of the time.
        found.map_err(|reason| match (reason, self.options.limits.time) {
            (Exhausted::Time { .. }, Some(limit)) => Exhausted::Time { limit },
            _ => reason,
        })
    }

    fn until_answered(&mut self, statistics: &mut Statistics) -> Found {
        let started = Instant::now();
        let watch = self.budget.watch();
        self.start(Strategy::Explicit);
        loop {
            let all_run = 1 < self.monitors.len();
            if !all_run && LONGEST_START < started.elapsed() {
                self.start_others();
            }
            match self.events.recv_timeout(TICK) {
                Ok(Event::Impatient) if all_run => (),
                Ok(Event::Impatient) => self.start_others(),
                Ok(Event::Panicked(reason)) => resume_unwind(reason),
                // This ends one strategy only. It never ends proof, so one is left.
                Ok(Event::Ended(
                    Err(
                        Exhausted::Diagrams { .. }
                        | Exhausted::Refused { .. }
                        | Exhausted::Effort { .. },
                    ),
                    _,
                )) => {
                    if !all_run {
                        self.start_others();
                    }
                }
                Ok(Event::Ended(found, counted)) => {
                    *statistics = Statistics { terms: statistics.terms, ..*counted };
                    return found;
                }
                Err(RecvTimeoutError::Timeout) => self.budget.monitor().repeat(&self.monitors[0]),
                Err(RecvTimeoutError::Disconnected) => unreachable!("we have a sender ourselves"),
            }
            if let Some(reason) = watch.exhausted() {
                // What was last seen of the explicit search.
                let seen = &self.monitors[0];
                statistics.configurations = usize::try_from(seen.states()).unwrap_or(usize::MAX);
                statistics.transitions = seen.transitions();
                return Err(reason);
            }
        }
    }

    fn start_others(&mut self) {
        self.start(Strategy::Bounded);
        self.start(Strategy::Proof);
    }

    fn start(&mut self, strategy: Strategy) {
        let monitor = Arc::new(Monitor::default());
        self.monitors.push(Arc::clone(&monitor));
        let time = self.options.limits.time;
        let time = time.map(|limit| limit.saturating_sub(self.budget.elapsed()));
        let limits = Limits { time, ..self.options.limits };
        let (formula, options) = (self.formula.clone(), self.options.clone());
        let sender = self.sender.clone();
        let work = move || {
            let mut statistics = Statistics::default();
            let mut budget = Budget::new(limits, &monitor);
            let mut patience = Patience { max_effort: FIRST_EFFORT, max_literals: MAX_LITERALS };
            let worked = catch_unwind(AssertUnwindSafe(|| {
                loop {
                    let found = run::<D>(
                        strategy,
                        &formula,
                        &options,
                        patience,
                        &mut budget,
                        &mut statistics,
                    );
                    let is_over = !matches!(found, Err(Exhausted::Effort { .. }));
                    if is_over || strategy != Strategy::Explicit {
                        return found;
                    }
                    // The receiver is gone if the answer is known.
                    let _ = sender.send(Event::Impatient);
                    patience.max_effort = u64::MAX;
                }
            }));
            let _ = sender.send(match worked {
                Ok(found) => Event::Ended(found, Box::new(statistics)),
                Err(reason) => Event::Panicked(reason),
            });
        };
        let builder = thread::Builder::new()
            .name(strategy.name().to_owned())
            .stack_size(address_space::stack(STACK));
        if let Err(error) = threads::start(builder, work) {
            if strategy == Strategy::Explicit {
                let refused = Err(Exhausted::Threads);
                let _ = self.sender.send(Event::Ended(refused, Box::default()));
            }
            tracing::warn!("cannot start a thread for {}: {error}", strategy.name());
        }
    }
}
