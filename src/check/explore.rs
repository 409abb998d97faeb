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
use crate::product::{Deadlock, Halt, store_within};
use crate::search::limits::{Budget, Limits, Monitor, resident_bytes};
use crate::store::{StateId, Store, StoreKind};
use crate::system::{Cursor, TransitionId, TransitionSystem};
use crate::verdict::{Exploration, Incomplete, Moment, Statistics};

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
    deadlock: Deadlock,
    limits: Limits,
    monitor: &Monitor,
) -> Exploration {
    let mut budget = Budget::new(limits, monitor);
    if store == StoreKind::Bitstate {
        return lossy::explore(program, deadlock, &mut budget);
    }
    let n_words = Interpreter::new(program, &[]).n_words();
    let mut store = Store::new(store, n_words);
    let mut explorer = Explorer::new(program, &mut store, deadlock);
    let outcome = explorer.run(&mut budget);
    finish(&explorer, outcome, &budget)
}

/// An exploration on its way.
pub(super) struct Explorer<'a, 'b> {
    program: &'a Program,
    store: &'b mut Store,
    deadlock: Deadlock,
    /// From which state each state was found.
    found_from: IdVec<StateId, StateId>,
    /// How many states have been expanded.
    n_expanded: usize,
    transitions: u64,
    deadlocks: usize,
}

impl<'a, 'b> Explorer<'a, 'b> {
    pub(super) fn new(program: &'a Program, store: &'b mut Store, deadlock: Deadlock) -> Self {
        Self {
            program,
            store,
            deadlock,
            found_from: IdVec::new(),
            n_expanded: 0,
            transitions: 0,
            deadlocks: 0,
        }
    }

    /// Expands states until there are no more.
    pub(super) fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Halt> {
        let mut system = executor(self.program, &[]);
        for state in system.initial_states() {
            budget.poll()?;
            let id = store_within(self.store, &state, budget)?;
            self.note(id, id);
        }
        let n_words = system.n_words();
        let (mut state, mut target) = (vec![0; n_words], vec![0; n_words]);
        while self.n_expanded < self.store.len() {
            let id = StateId::new(self.n_expanded);
            self.store.load(id, &mut state);
            let mut cursor = Cursor::default();
            let before = self.transitions;
            while system.next(&state, &mut cursor, &mut target)?.is_some() {
                budget.check(self.store.len(), self.transitions)?;
                let found = store_within(self.store, &target, budget)?;
                self.note(found, id);
                self.transitions += 1;
            }
            if self.transitions == before && !system.is_end(&state) {
                self.deadlocks += 1;
                if self.deadlock == Deadlock::Report {
                    return Err(Halt::Deadlock);
                }
            }
            self.n_expanded += 1;
        }
        Ok(())
    }

    /// Notes that a state has been found from `source`, if it is new.
    #[inline]
    fn note(&mut self, found: StateId, source: StateId) {
        if self.found_from.len() == found.index() {
            self.found_from.push(source);
        }
    }

    /// A shortest run to the state that was being expanded last.
    fn run_to_last(&self, taken: Option<TransitionId>) -> Vec<Moment> {
        self.path(StateId::new(self.n_expanded), taken)
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
    while let Ok(Some(transition)) = system.next(&from.state, &mut cursor, &mut target) {
        if *target == *to.state {
            return Some(transition);
        }
    }
    None
}

/// What an exploration has found.
pub(super) fn finish(
    explorer: &Explorer<'_, '_>,
    outcome: Result<(), Halt>,
    budget: &Budget<'_>,
) -> Exploration {
    let incomplete = outcome.err().map(|halt| match halt {
        Halt::Exhausted(exhausted) => Incomplete::Limit(exhausted),
        Halt::Fault(fault) => {
            let run = explorer.run_to_last(fault.transition);
            Incomplete::ModelError(fault, run)
        }
        Halt::Deadlock => Incomplete::Deadlock(explorer.run_to_last(None)),
    });
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
    let (transitions, deadlocks) = (explorer.transitions, explorer.deadlocks);
    Exploration { states, transitions, deadlocks, incomplete, statistics }
}
