//! Two workers on one question: what is fixed is shared, what changes belongs to a worker, and a
//! limit is about both together.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::check::explore::explore;
use lwaa::lang::reduction::Executor;
use lwaa::lang::{self, Definition, Model, OpenedProgram};
use lwaa::search::limits::{Budget, Exhausted, Limits, Monitor};
use lwaa::search::scc::Search;
use lwaa::store::{StateStore, Store, StoreKind};
use lwaa::system::{Cursor, Opened, TransitionSystem};
use lwaa::{Formula, Lwaa};
use std::path::Path;

fn is_shared<T: Sync>() {}
fn is_of_a_worker<T: Send>() {}

#[test]
fn fixed_parts_are_shared_and_scratch_belongs_to_a_worker() {
    is_shared::<OpenedProgram>();
    is_shared::<Formula>();
    is_shared::<Lwaa>();
    is_shared::<Monitor>();
    // Graphs of configurations are made on the thread of their worker, since managers of decision
    // diagrams never leave a thread.
    is_of_a_worker::<Executor<'_>>();
    is_of_a_worker::<Search<Cursor>>();
    is_of_a_worker::<Store>();
    is_of_a_worker::<Budget<'_>>();
}

/// Explores the states that hash to its number.
struct Worker<'a> {
    system: Executor<'a>,
    store: Store,
    budget: Budget<'a>,
    transitions: u64,
}

const N_WORKERS: usize = 2;

/// The worker that a state belongs to.
fn owner(state: &[u64]) -> usize {
    let sum =
        state.iter().fold(0_u64, |sum, word| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    usize::from(sum >> 63 == 1)
}

impl Worker<'_> {
    /// Stores the states that are new and expands them. Returns what there is for each worker.
    fn expand(
        &mut self,
        states: Vec<Box<[u64]>>,
    ) -> Result<[Vec<Box<[u64]>>; N_WORKERS], Exhausted> {
        let mut out = [Vec::new(), Vec::new()];
        for state in states {
            let n_known = self.store.len();
            self.store.intern(&state).unwrap();
            self.budget.check(self.store.len(), self.transitions)?;
            if self.store.len() == n_known {
                continue;
            }
            let mut cursor = Cursor::default();
            let mut target = vec![0; state.len()].into_boxed_slice();
            while self.system.next(&state, &mut cursor, &mut target).unwrap().is_some() {
                self.transitions += 1;
                out[owner(&target)].push(target.clone());
            }
        }
        Ok(out)
    }
}

/// Explores with two workers in rounds. Returns the sums of states and transitions, and why the
/// exploration ended early.
fn explored(system: &OpenedProgram, limits: Limits) -> (usize, u64, Option<Exhausted>) {
    let monitor = Monitor::default();
    let budget = Budget::new(limits, &monitor);
    let mut workers = [0; N_WORKERS].map(|_| Worker {
        system: system.executor(&[]),
        store: system.store(StoreKind::Exact),
        budget: budget.for_worker(),
        transitions: 0,
    });
    let mut frontier = [Vec::new(), Vec::new()];
    for state in workers[0].system.initial_states() {
        frontier[owner(&state)].push(state);
    }
    let mut ended = None;
    while ended.is_none() && frontier.iter().any(|states| !states.is_empty()) {
        let round = std::thread::scope(|scope| {
            let tasks = workers.iter_mut().zip(std::mem::take(&mut frontier));
            let handles = tasks.map(|(worker, states)| scope.spawn(|| worker.expand(states)));
            let handles: Vec<_> = handles.collect();
            handles.into_iter().map(|handle| handle.join().unwrap()).collect::<Vec<_>>()
        });
        for found in round {
            match found {
                Ok(found) => found.into_iter().zip(&mut frontier).for_each(|(mut new, all)| {
                    all.append(&mut new);
                }),
                Err(reason) => ended = Some(reason),
            }
        }
    }
    let states = workers.iter().map(|worker| worker.store.len()).sum();
    (states, workers.iter().map(|worker| worker.transitions).sum(), ended)
}

fn philosophers() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/lwm/philosophers.lwm");
    let definition = Definition { name: "N".to_owned(), value: 7 };
    lang::read("lwm", &std::fs::read_to_string(path).unwrap(), &[definition]).unwrap()
}

#[test]
fn two_workers_explore_what_one_does() {
    let model = philosophers();
    let limits = Limits::default();
    let (alone, system) = explore(
        &model,
        StoreKind::Exact,
        lwaa::check::model::Deadlock::Stutter,
        limits,
        &Monitor::default(),
    )
    .unwrap();
    assert!(1000 < alone.states, "{}", alone.states);
    assert_eq!(explored(&system, limits), (alone.states, alone.transitions, None));
}

#[test]
fn a_limit_of_states_is_about_all_workers_together() {
    let system = philosophers().open(&[], true).unwrap();
    let limit = 1000;
    let limits = Limits { states: Some(limit), ..Limits::default() };
    let (states, _, ended) = explored(&system, limits);
    assert_eq!(ended, Some(Exhausted::States { limit }));
    // Each looks at what the other one has stored once in 64 calls.
    assert!(states <= limit + N_WORKERS * 64, "{states}");
}
