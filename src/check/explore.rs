//! All reachable states of a model, breadth first.
//!
//! States are numbered in the order in which they are found, so the store
//! itself is the queue. For each state we remember from where it was found, in
//! four bytes, so that there is a shortest run to where a model goes wrong.

pub(super) mod lossy;

use super::room::{Openable, Stop, with_room};
use crate::id::{Id, IdVec};
use crate::lang::OpenError;
use crate::product::{Deadlock, Errors, Halt, Treatment, store_within};
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::store::{StateId, StateStore, StoreKind};
use crate::system::{
    Cursor, Opened, PropositionId, Room, StepError, TransitionId, TransitionSystem,
};
use crate::verdict::{Exploration, Incomplete, Moment, RunError, Statistics};
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
    let treatment = treatment.into();
    let mut budget = Budget::new(limits, monitor);
    let asserts = treatment.errors != Errors::Ignore;
    with_room(
        model,
        &[],
        asserts,
        |error| error,
        |system| {
            let explored = explore_within(&**system, &[], store, treatment, &mut budget);
            explored.map(|found| (found, Arc::clone(system))).map_err(Stop::Room)
        },
    )
}

/// The same for a system that has been opened, within what is left of a budget. A state in which
/// one of `atoms` goes wrong is an error, and has no successors.
pub(super) fn explore_within<O: Opened>(
    system: &O,
    atoms: &[PropositionId],
    store: StoreKind,
    treatment: Treatment,
    budget: &mut Budget<'_>,
) -> Result<Exploration, Room> {
    if store == StoreKind::Bitstate {
        return lossy::explore(system, atoms, treatment, budget);
    }
    let mut store = system.store(store);
    let mut explorer = Explorer::new(system, atoms, &mut store, treatment);
    match explorer.run(budget) {
        Err(Halt::Room(room)) => Err(room),
        Err(Halt::Exhausted(exhausted)) => Ok(finish(&explorer, Err(exhausted), budget)),
        Err(_) => Ok(finish(&explorer, Ok(true), budget)),
        Ok(()) => Ok(finish(&explorer, Ok(false), budget)),
    }
}

/// An exploration on its way.
struct Explorer<'a, 'b, O: Opened> {
    system: &'a O,
    /// Atoms that have to be evaluated in every state.
    atoms: &'a [PropositionId],
    store: &'b mut O::Store,
    treatment: Treatment,
    /// From which state each state was found.
    found_from: IdVec<StateId, StateId>,
    /// How many states have been expanded.
    n_expanded: usize,
    transitions: u64,
    deadlocks: usize,
    errors: u64,
    /// The first error, and in which state it was met.
    first_error: Option<(RunError, StateId)>,
}

impl<'a, 'b, O: Opened> Explorer<'a, 'b, O> {
    /// The store has to be empty.
    fn new(
        system: &'a O,
        atoms: &'a [PropositionId],
        store: &'b mut O::Store,
        treatment: Treatment,
    ) -> Self {
        Self {
            system,
            atoms,
            store,
            treatment,
            found_from: IdVec::new(),
            n_expanded: 0,
            transitions: 0,
            deadlocks: 0,
            errors: 0,
            first_error: None,
        }
    }

    /// Expands states until there are no more, or until an error ends it.
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        let mut system = self.system.executor(self.atoms);
        for state in system.initial_states() {
            budget.poll()?;
            let id = store_within(self.store, &state, budget)?;
            self.note(id, id);
        }
        let n_words = system.n_words();
        let (mut state, mut target) = (vec![0; n_words], vec![0; n_words]);
        let mut observed = vec![0; self.atoms.len().div_ceil(64)];
        while self.n_expanded < self.store.len() {
            let id = StateId::new(self.n_expanded);
            self.store.load(id, &mut state);
            if !self.atoms.is_empty()
                && let Err(fault) = system.observe(&state, &mut observed)
            {
                budget.poll()?;
                self.errors += 1;
                self.meet(RunError::Fault(fault), id)?;
                self.n_expanded += 1;
                continue;
            }
            let mut cursor = Cursor::default();
            let mut is_stuck = true;
            loop {
                match system.next(&state, &mut cursor, &mut target) {
                    Ok(None) => break,
                    Ok(Some(_)) => {
                        budget.check(self.store.len(), self.transitions)?;
                        let found = store_within(self.store, &target, budget)?;
                        self.note(found, id);
                        self.transitions += 1;
                    }
                    Err(StepError::Room(room)) => return Err(Halt::Room(room)),
                    Err(StepError::Fault(fault)) => {
                        budget.poll()?;
                        self.errors += 1;
                        self.meet(RunError::Fault(fault), id)?;
                    }
                }
                is_stuck = false;
            }
            if is_stuck && !system.is_end(&state) {
                self.deadlocks += 1;
                if self.treatment.deadlock == Deadlock::Report {
                    self.meet(RunError::Deadlock, id)?;
                }
            }
            self.n_expanded += 1;
        }
        Ok(())
    }

    /// Notes an error. Fails if the exploration ends there.
    #[cold]
    fn meet(&mut self, error: RunError, state: StateId) -> Result<(), Halt> {
        self.first_error.get_or_insert((error, state));
        // Which error it was is known already.
        if self.treatment.errors == Errors::Stop { Err(Halt::Deadlock) } else { Ok(()) }
    }

    /// Notes that a state has been found from `source`, if it is new.
    #[inline]
    fn note(&mut self, found: StateId, source: StateId) {
        if self.found_from.len() == found.index() {
            self.found_from.push(source);
        }
    }

    fn path(&self, last: StateId, taken: Option<TransitionId>) -> Vec<Moment> {
        let mut ids = vec![last];
        let mut system = self.system.executor(&[]);
        // An initial state was found from itself.
        while let Some(&id) = ids.last().filter(|&&id| self.found_from[id] != id) {
            ids.push(self.found_from[id]);
        }
        ids.reverse();
        let mut run: Vec<Moment> = ids
            .iter()
            .map(|&id| {
                let mut state = vec![0; system.n_words()];
                self.store.load(id, &mut state);
                Moment { state: state.into(), taken: None, pending: [].into() }
            })
            .collect();
        for index in 1..run.len() {
            run[index - 1].taken = step_between(&mut system, &run[index - 1], &run[index]);
        }
        if let Some(last) = run.last_mut() {
            last.taken = taken;
        }
        run
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
    explorer: &Explorer<'_, '_, O>,
    outcome: Result<bool, Exhausted>,
    budget: &Budget<'_>,
) -> Exploration {
    let error = explorer.first_error.as_ref().map(|(error, state)| match error {
        RunError::Fault(fault) => {
            Incomplete::ModelError(fault.clone(), explorer.path(*state, fault.transition))
        }
        RunError::Deadlock => Incomplete::Deadlock(explorer.path(*state, None)),
    });
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
        ..Statistics::default()
    };
    let Explorer { transitions, deadlocks, errors, .. } = *explorer;
    Exploration { states, transitions, deadlocks, errors, incomplete, is_complete, statistics }
}
