//! All reachable states of a model, breadth first.
//!
//! States are numbered in the order in which they are found, so the store
//! itself is the queue. For each state we remember from where it was found, in
//! four bytes, so that there is a shortest run to where a model goes wrong.

pub(super) mod lossy;

use super::lifted::lifted;
use super::reduction::{self, Reduce};
use super::room::{Openable, Stop, with_room};
use crate::id::{Id, IdVec};
use crate::lang::OpenError;
use crate::product::{Deadlock, Errors, Halt, Treatment, store_within};
use crate::run::{Ending, Moment, Run};
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::store::{StateId, StateStore, StoreKind};
use crate::system::{
    Cursor, Fault, Opened, PropositionId, Reduced, Room, StepError, TransitionId, TransitionSystem,
};
use crate::verdict::{Exploration, Incomplete, Reduction, Statistics, Unreduced};
use std::iter::repeat_n;
use std::sync::Arc;

/// Explores all states of a model, or those that a lossy store can tell apart. Returns the
/// system that was explored, too: what was found is about its states.
///
/// # Errors
///
/// If the model cannot be made as large as it has to be.
pub fn explore<M: Openable>(
    model: &M,
    store: StoreKind,
    treatment: impl Into<Treatment>,
    limits: Limits,
    monitor: &Monitor,
) -> Result<(Exploration, Arc<M::System>), OpenError> {
    explore_reduced(model, store, treatment.into(), Reduce::Off, limits, monitor)
}

/// [`explore`], but for steps that are not needed to find errors and deadlocks, if `reduce` says so:
/// then all deadlocks are found, and an error if there is one.
///
/// # Errors
///
/// If the model cannot be made as large as it has to be.
pub fn explore_reduced<M: Openable>(
    model: &M,
    store: StoreKind,
    treatment: Treatment,
    reduce: Reduce,
    limits: Limits,
    monitor: &Monitor,
) -> Result<(Exploration, Arc<M::System>), OpenError> {
    let mut budget = Budget::new(limits, monitor);
    let asserts = treatment.errors != Errors::Ignore;
    with_room(
        model,
        &[],
        asserts,
        |error| error,
        |system| {
            let reduced = match reduce {
                Reduce::Auto if reduction::is_small(&**system, &mut budget) == Ok(true) => {
                    Ok(Err(Unreduced::Small))
                }
                _ => reduction::reduced(&**system, reduce, &[], &mut budget),
            };
            let (executor, reduction) = match reduced {
                Ok(Ok(executor)) => (executor, Reduction::On(Reduced::default())),
                Ok(Err(Unreduced::Asked)) => {
                    (system.executor(&[]), Reduction::Off(Unreduced::Asked))
                }
                Ok(Err(reason)) => (system.sliced(&[], &[]), Reduction::Off(reason)),
                Err(exhausted) => {
                    let nothing = lossy::incomplete(Incomplete::Limit(exhausted));
                    return Ok((nothing, Arc::clone(system)));
                }
            };
            let explored =
                explore_within((&**system, executor), &[], store, treatment, &mut budget);
            let mut found = explored.map_err(Stop::Room)?;
            found.statistics.reduction.get_or_insert(reduction);
            if found.statistics.reduction != Some(Reduction::Off(Unreduced::Asked)) {
                found.statistics.unseen = system.n_unseen(&[]);
            }
            if let Some(Incomplete::ModelError(run)) = &mut found.incomplete
                && let Some(lifted) = lifted(&**system, &[], run)
            {
                *run = lifted;
            }
            Ok((found, Arc::clone(system)))
        },
    )
}

/// The same for a system that has been opened, within what is left of a budget. A state in which
/// one of `atoms` goes wrong is an error, and has no successors.
pub(super) fn explore_within<'a, O: Opened>(
    (system, executor): (&'a O, O::Executor<'a>),
    atoms: &[PropositionId],
    store: StoreKind,
    treatment: Treatment,
    budget: &mut Budget<'_>,
) -> Result<Exploration, Room> {
    if store == StoreKind::Bitstate {
        return lossy::explore(executor, atoms, treatment, budget);
    }
    let mut store = system.store(store);
    let mut explorer = Explorer::<O>::new(executor, atoms, &mut store, treatment);
    match explorer.run(budget) {
        Err(Halt::Room(room)) => Err(room),
        Err(Halt::Exhausted(exhausted)) => Ok(finish(explorer, Err(exhausted), budget)),
        Err(_) => Ok(finish(explorer, Ok(true), budget)),
        Ok(()) => Ok(finish(explorer, Ok(false), budget)),
    }
}

/// How many successors are looked up at a time, or a few more. To find a state among millions
/// takes some loads from memory, each of which depends on the one before; those of different
/// states do not, and a processor does them side by side.
const BATCH: usize = 64;

/// In tables with fewer states, which a processor keeps near, a guess costs more than it saves:
/// `explore peterson.3.dve` (170,156 states) took a fifth more instructions.
const MIN_GUESSED: usize = 1 << 17;

/// Successors that have not been looked up.
#[derive(Debug, Default)]
struct Batch {
    /// From which state each of them was found.
    sources: Vec<StateId>,
    /// Their words, one behind the other.
    words: Vec<u64>,
    /// Their ids, where they are known.
    known: Vec<Option<StateId>>,
}

/// An exploration on its way.
struct Explorer<'a, 'b, O: Opened + 'a> {
    executor: O::Executor<'a>,
    /// Atoms that have to be evaluated in every state.
    atoms: &'b [PropositionId],
    store: &'b mut O::Store,
    treatment: Treatment,
    /// From which state each state was found.
    found_from: IdVec<StateId, StateId>,
    batch: Batch,
    transitions: u64,
    deadlocks: usize,
    errors: u64,
    /// The first error, and in which state it was met.
    first_error: Option<(Ending, StateId)>,
}

impl<'a, 'b, O: Opened> Explorer<'a, 'b, O> {
    /// The store has to be empty.
    fn new(
        executor: O::Executor<'a>,
        atoms: &'b [PropositionId],
        store: &'b mut O::Store,
        treatment: Treatment,
    ) -> Self {
        Self {
            executor,
            atoms,
            store,
            treatment,
            found_from: IdVec::new(),
            batch: Batch::default(),
            transitions: 0,
            deadlocks: 0,
            errors: 0,
            first_error: None,
        }
    }

    /// Expands states until there are no more, or until an error ends it.
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        for state in self.executor.initial_states() {
            budget.poll()?;
            let id = store_within(self.store, &state, budget)?;
            note(&mut self.found_from, id, id);
        }
        let mut state = vec![0; self.executor.n_words()];
        let mut observed = vec![0; self.atoms.len().div_ceil(64)];
        let mut n_expanded = 0;
        loop {
            if n_expanded == self.store.len() {
                self.store_batch(budget)?;
            }
            if n_expanded == self.store.len() {
                return Ok(());
            }
            let id = StateId::new(n_expanded);
            n_expanded += 1;
            self.store.load(id, &mut state);
            if !self.atoms.is_empty()
                && let Err(fault) = self.executor.observe(&state, &mut observed)
            {
                self.meet_fault(fault, id, budget)?;
                continue;
            }
            let is_stuck = self.expand(&state, id, budget)?;
            if is_stuck && !self.executor.is_end(&state) {
                // What is counted when a limit is reached does not depend on batches.
                self.store_batch(budget)?;
                self.deadlocks += 1;
                if self.treatment.deadlock == Deadlock::Report {
                    self.meet(Ending::Deadlock, id)?;
                }
            }
        }
    }

    /// Finds all successors of a state. Says whether there is no way out of it.
    fn expand(
        &mut self,
        state: &[u64],
        id: StateId,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        if let Some(n_successors) = self.executor.expand(state, &mut self.batch.words) {
            self.batch.sources.extend(repeat_n(id, n_successors));
            if BATCH <= self.batch.sources.len() {
                self.store_batch(budget)?;
            }
            return Ok(n_successors == 0);
        }
        let mut cursor = Cursor::default();
        let mut is_stuck = true;
        loop {
            let Batch { sources, words, .. } = &mut self.batch;
            let start = sources.len() * state.len();
            words.resize(start + state.len(), 0);
            match self.executor.next(state, &mut cursor, &mut words[start..]) {
                Ok(None) => {
                    words.truncate(start);
                    return Ok(is_stuck);
                }
                Ok(Some(_)) => {
                    sources.push(id);
                    if BATCH <= sources.len() {
                        self.store_batch(budget)?;
                    }
                }
                Err(StepError::Room(room)) => return Err(Halt::Room(room)),
                Err(StepError::Fault(fault)) => {
                    words.truncate(start);
                    self.meet_fault(fault, id, budget)?;
                }
            }
            is_stuck = false;
        }
    }

    /// Stores the successors of the batch, in their order.
    fn store_batch(&mut self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        let Batch { sources, words, known } = &mut self.batch;
        self.executor.finish(words);
        let states = || words.chunks_exact(self.executor.n_words());
        known.clear();
        if self.store.guesses() && MIN_GUESSED <= self.store.len() {
            known.extend(states().map(|state| self.store.guess(state)));
            for (state, known) in states().zip(&mut *known) {
                *known = known.and_then(|guess| self.store.confirm(guess, state));
            }
        }
        known.resize(sources.len(), None);
        for ((state, known), &source) in states().zip(known).zip(&*sources) {
            budget.check(self.store.len(), self.transitions)?;
            if known.is_none() {
                let found = store_within(self.store, state, budget)?;
                note(&mut self.found_from, found, source);
            }
            self.transitions += 1;
        }
        sources.clear();
        words.clear();
        Ok(())
    }

    #[cold]
    fn meet_fault(
        &mut self,
        fault: Fault,
        state: StateId,
        budget: &mut Budget<'_>,
    ) -> Result<(), Halt> {
        self.store_batch(budget)?;
        budget.poll()?;
        self.errors += 1;
        self.meet(Ending::Fault(fault), state)
    }

    /// Notes an error. Fails if the exploration ends there.
    #[cold]
    fn meet(&mut self, error: Ending, state: StateId) -> Result<(), Halt> {
        self.first_error.get_or_insert((error, state));
        // Which error it was is known already.
        if self.treatment.errors == Errors::Stop { Err(Halt::Deadlock) } else { Ok(()) }
    }

    fn path(&mut self, last: StateId, ending: Ending) -> Run {
        let mut ids = vec![last];
        // An initial state was found from itself.
        while let Some(&id) = ids.last().filter(|&&id| self.found_from[id] != id) {
            ids.push(self.found_from[id]);
        }
        ids.reverse();
        let mut moments: Vec<Moment> = ids
            .iter()
            .map(|&id| {
                let mut state = vec![0; self.executor.n_words()];
                self.store.load(id, &mut state);
                Moment::new(state, None)
            })
            .collect();
        for index in 1..moments.len() {
            let (from, to) = (&moments[index - 1], &moments[index]);
            moments[index - 1].taken = step_between(&mut self.executor, from, to);
        }
        Run::into_error(moments, ending)
    }
}

/// Notes that a state has been found from `source`, if it is new.
#[inline]
fn note(found_from: &mut IdVec<StateId, StateId>, found: StateId, source: StateId) {
    if found_from.len() == found.index() {
        found_from.push(source);
    }
}

/// The first transition that leads from one state to another.
fn step_between(
    system: &mut impl TransitionSystem,
    from: &Moment,
    to: &Moment,
) -> Option<TransitionId> {
    let mut cursor = Cursor::default();
    let mut target = vec![0; system.n_words()];
    loop {
        // Other transitions may go wrong here.
        match system.next(&from.state, &mut cursor, &mut target) {
            Ok(None) => return None,
            Ok(Some(transition)) if *target == *to.state => return Some(transition),
            Ok(Some(_)) | Err(_) => (),
        }
    }
}

/// What an exploration has found.
fn finish<O: Opened>(
    mut explorer: Explorer<'_, '_, O>,
    outcome: Result<bool, Exhausted>,
    budget: &Budget<'_>,
) -> Exploration {
    let first = explorer.first_error.take();
    let error = first.map(|(ending, state)| Incomplete::ModelError(explorer.path(state, ending)));
    let is_complete = outcome == Ok(false);
    // What is known to be wrong stays wrong when a limit is reached.
    let incomplete = error.or(outcome.err().map(Incomplete::Limit));
    let states = explorer.store.len();
    let statistics = Statistics {
        states,
        nodes: states,
        transitions: explorer.transitions,
        state_bytes: explorer.store.n_bytes(),
        time: budget.elapsed(),
        resident_bytes: resident_bytes(),
        reduction: explorer.executor.reduced().map(Reduction::On),
        ..Statistics::default()
    };
    let Explorer { transitions, deadlocks, errors, .. } = explorer;
    Exploration { states, transitions, deadlocks, errors, incomplete, is_complete, statistics }
}
