//! Who looks for a model of a formula: one engine, or several side by side.
//!
//! If nobody is named, the explicit search has a start of its own: what it can
//! answer with little effort, it answers. Effort is counted in calls of the budget, so
//! the answer and the model that is shown are the same in every run. After that the
//! others begin, each on a thread, and the first answer counts. Verdicts are certified
//! and do not depend on who was first; which model is shown may.
//!
//! The others begin as well if the start takes long, because a single operation on
//! decision diagrams may take for ever. Whoever is in such an operation when the answer is
//! there is left alone: it stops when it looks at its monitor.

use super::{Options, automaton, translate};
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

/// The effort that the explicit search has for itself.
const START: u64 = 1 << 18;
/// How many literals the clauses of bounded search may have beside others: about
/// half a gigabyte, which is not to be missing when another engine needs memory.
const MAX_LITERALS: u64 = 1 << 24;
/// After this the others begin in any case.
const LONGEST_START: Duration = Duration::from_millis(500);
/// Between two looks at clock, memory and whoever wants us to stop.
const TICK: Duration = Duration::from_millis(5);
/// The stack of an engine. Decision diagrams are built by recursion.
const STACK: usize = 1 << 28;

/// Looks for a model of `formula`.
pub(super) fn search<D: Diagrams>(
    formula: &Formula,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Found {
    match options.strategy {
        Some(strategy) => run::<D>(strategy, formula, options, u64::MAX, budget, statistics),
        None => Race::<D>::new(formula, options, budget).run(statistics),
    }
}

/// Looks for a model of `formula` in one way. Patience is effort for the explicit
/// search, literals of clauses for bounded search, and nothing else.
fn run<D: Diagrams>(
    strategy: Strategy,
    formula: &Formula,
    options: &Options,
    patience: u64,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Found {
    let found = match strategy {
        Strategy::Explicit => super::search::<D>(formula, options, patience, budget, statistics),
        Strategy::Bounded => {
            let lwaa = automaton(formula, options);
            statistics.locations += lwaa.n_locations();
            bounded::search::<LargeSolver<'_>>(&lwaa, patience, budget).map(|outcome| match outcome
            {
                Outcome::Nothing => None,
                Outcome::Lasso(word) => {
                    let renamed =
                        word.map(|letter| translate(letter, lwaa.atoms(), formula.atoms()));
                    Some(renamed.shortened())
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

/// What happens to one of several engines.
enum Event {
    /// The explicit search has spent the effort that it has for itself.
    Impatient,
    /// An engine has ended.
    Ended(Found, Box<Statistics>),
    /// An engine has panicked.
    Panicked(Box<dyn std::any::Any + Send>),
}

/// Several engines that look for the same model.
struct Race<'r, 'a, D> {
    formula: &'r Formula,
    options: &'r Options,
    budget: &'r mut Budget<'a>,
    /// Those of the engines, the explicit one first.
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
        // Who was stopped because of a limit need not know which.
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
                // This is about one of the engines only. Proof is never among them, so
                // somebody is left.
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
            let mut patience = match strategy {
                Strategy::Explicit => START,
                Strategy::Bounded => MAX_LITERALS,
                Strategy::Proof => u64::MAX,
            };
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
                    // Nobody listens if the answer is known.
                    let _ = sender.send(Event::Impatient);
                    patience = u64::MAX;
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
