//! All reachable states of a model, breadth first.
//!
//! States are numbered in the order in which they are found, so the store
//! itself is the queue. For each state we remember from where it was found, in
//! four bytes, so that there is a shortest run to where a model goes wrong.

pub(super) mod lossy;

use crate::id::{Id, IdVec};
use crate::lang::compile::Compiled;
use crate::lang::execute::Interpreter;
use crate::lang::program::{Program, Proposition};
use crate::product::{Deadlock, Errors, Treatment, store_within};
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::store::{StateId, Store, StoreKind};
use crate::system::{Cursor, FaultKind, TransitionId, TransitionSystem};
use crate::verdict::{Exploration, Incomplete, Moment, RunError, Statistics};

/// The transition system of `program` in which atom *i* is `atoms[i]`.
pub(super) fn executor<'a>(
    program: &'a Program,
    atoms: &[Proposition],
) -> impl TransitionSystem + use<'a> {
    Compiled::new(program, atoms)
}

/// Explores all states of `program`, or those that a lossy store can tell apart.
#[must_use]
pub fn explore(
    program: &Program,
    store: StoreKind,
    treatment: impl Into<Treatment>,
    limits: Limits,
    monitor: &Monitor,
) -> Exploration {
    let treatment = treatment.into();
    let mut budget = Budget::new(limits, monitor);
    if treatment.errors == Errors::Ignore {
        let mut program = program.clone();
        program.ignore_assertions();
        return explore_within(&program, &[], store, treatment, &mut budget);
    }
    explore_within(program, &[], store, treatment, &mut budget)
}

/// The same within what is left of a budget; assertions count. A state in which one of `atoms`
/// goes wrong is an error, and has no successors.
pub(super) fn explore_within(
    program: &Program,
    atoms: &[Proposition],
    store: StoreKind,
    treatment: Treatment,
    budget: &mut Budget<'_>,
) -> Exploration {
    if store == StoreKind::Bitstate {
        return lossy::explore(program, atoms, treatment, budget);
    }
    let n_words = Interpreter::new(program, &[]).n_words();
    let mut store = Store::new(store, n_words);
    let mut explorer = Explorer::new(program, atoms, &mut store, treatment);
    let outcome = explorer.run(budget);
    finish(&explorer, outcome, budget)
}

/// An exploration on its way.
struct Explorer<'a, 'b> {
    program: &'a Program,
    /// Atoms that have to be evaluated in every state.
    atoms: &'a [Proposition],
    store: &'b mut Store,
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

impl<'a, 'b> Explorer<'a, 'b> {
    /// The store has to be empty.
    fn new(
        program: &'a Program,
        atoms: &'a [Proposition],
        store: &'b mut Store,
        treatment: Treatment,
    ) -> Self {
        Self {
            program,
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

    /// Expands states until there are no more. Says whether an error ended it.
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<bool, Exhausted> {
        let mut system = executor(self.program, self.atoms);
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
                if self.meet(RunError::Fault(fault), id) {
                    return Ok(true);
                }
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
                    Err(fault) => {
                        budget.poll()?;
                        if self.meet(RunError::Fault(fault), id) {
                            return Ok(true);
                        }
                    }
                }
                is_stuck = false;
            }
            if is_stuck && !system.is_end(&state) {
                self.deadlocks += 1;
                if self.treatment.deadlock == Deadlock::Report && self.meet(RunError::Deadlock, id)
                {
                    return Ok(true);
                }
            }
            self.n_expanded += 1;
        }
        Ok(false)
    }

    /// Notes an error. Says whether the exploration ends.
    #[cold]
    fn meet(&mut self, error: RunError, state: StateId) -> bool {
        if let RunError::Fault(fault) = &error {
            self.errors += 1;
            if fault.kind == FaultKind::Room {
                self.first_error = Some((error, state));
                return true;
            }
        }
        self.first_error.get_or_insert((error, state));
        self.treatment.errors == Errors::Stop
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
        let mut system = executor(self.program, &[]);
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
fn finish(
    explorer: &Explorer<'_, '_>,
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
