//! A system that is written in Rust as an opened system: where words become states again.

use super::executor::{Atom, Executor, Lanes, Worker};
use super::promises::{Broken, is_sample};
use super::{Pack, Proposition, System};
use crate::id::IdVec;
use crate::store::values::{Numbers, Values};
use crate::store::{StateId, StateStore, Store, StoreError, StoreKind, are_equal};
use crate::system::{Assumption, Opened, PropositionId, Strength, TransitionId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::fmt::Debug;
use std::mem::needs_drop;
use std::sync::Arc;

/// How states become words, and words states.
trait Code<S: System>: Send + Sync {
    fn n_words(&self) -> usize;
    /// Adds the words of a state, unless it is one of those that wait to be written together.
    fn write(&self, state: S::State, waiting: &mut Vec<Option<S::State>>, words: &mut Vec<u64>);
    /// Adds the words of the states that wait.
    fn finish(&self, waiting: &mut Vec<Option<S::State>>, words: &mut Vec<u64>);
    fn read<'a>(&'a self, words: &[u64], unpacked: &'a mut Unpacked<S::State>) -> &'a S::State;
    fn store(&self, kind: StoreKind, n_initial: usize) -> OwnStore;
    /// Whether words become the same state again.
    fn keeps(&self, state: &S::State) -> bool;
    /// A worker that has been compiled for this code.
    fn worker<'a>(&'a self, own: &'a Own<S>) -> Box<dyn Worker + 'a>;
}

/// The words of the state that was unpacked last, and the state.
type Unpacked<T> = (Vec<u64>, Option<T>);

/// States as they are: a word is the number of a state.
struct Numbered<S: System>(Arc<Values<S::State>>);

impl<S: System> Code<S> for Numbered<S> {
    fn n_words(&self) -> usize {
        1
    }

    fn write(&self, state: S::State, waiting: &mut Vec<Option<S::State>>, _: &mut Vec<u64>) {
        waiting.push(Some(state));
    }

    fn finish(&self, waiting: &mut Vec<Option<S::State>>, words: &mut Vec<u64>) {
        self.0.intern_all(waiting, words);
    }

    fn read<'a>(&'a self, words: &[u64], _: &'a mut Unpacked<S::State>) -> &'a S::State {
        self.0.value(words[0])
    }

    fn store(&self, _: StoreKind, n_initial: usize) -> OwnStore {
        OwnStore::Numbers(Numbers::new(Arc::clone(&self.0) as Arc<_>, n_initial))
    }

    fn keeps(&self, _: &S::State) -> bool {
        true
    }

    fn worker<'a>(&'a self, own: &'a Own<S>) -> Box<dyn Worker + 'a> {
        Box::new(TypedWorker::new(own, self))
    }
}

/// States that the system packs itself.
struct Packed<S>(Arc<S>);

impl<S: Pack> Code<S> for Packed<S> {
    fn n_words(&self) -> usize {
        self.0.n_words().max(1)
    }

    fn write(&self, state: S::State, _: &mut Vec<Option<S::State>>, words: &mut Vec<u64>) {
        let start = words.len();
        words.resize(start + self.n_words(), 0);
        self.0.pack(&state, &mut words[start..]);
    }

    fn finish(&self, _: &mut Vec<Option<S::State>>, _: &mut Vec<u64>) {}

    fn read<'a>(&'a self, words: &[u64], unpacked: &'a mut Unpacked<S::State>) -> &'a S::State {
        let (of, state) = unpacked;
        if !are_equal(of, words) {
            *state = None;
            of.clear();
            of.extend_from_slice(words);
        }
        state.get_or_insert_with(|| self.0.unpack(words))
    }

    fn store(&self, kind: StoreKind, _: usize) -> OwnStore {
        OwnStore::Words(Store::new(kind, self.n_words()))
    }

    fn keeps(&self, state: &S::State) -> bool {
        let mut words = vec![0; self.n_words()];
        self.0.pack(state, &mut words);
        self.0.unpack(&words) == *state
    }

    fn worker<'a>(&'a self, own: &'a Own<S>) -> Box<dyn Worker + 'a> {
        Box::new(TypedWorker::new(own, self))
    }
}

/// The store of an own system.
#[derive(Debug)]
pub enum OwnStore {
    /// States have numbers already.
    Numbers(Numbers),
    /// States are words.
    Words(Store),
}

/// Does the same with whichever store it is.
macro_rules! either {
    ($self:expr, $store:ident => $answer:expr) => {
        match $self {
            OwnStore::Numbers($store) => $answer,
            OwnStore::Words($store) => $answer,
        }
    };
}

impl StateStore for OwnStore {
    #[inline]
    fn intern(&mut self, state: &[u64]) -> Result<StateId, StoreError> {
        either!(self, store => store.intern(state))
    }

    fn find(&self, state: &[u64]) -> Option<StateId> {
        either!(self, store => store.find(state))
    }

    #[inline]
    fn load(&self, id: StateId, state: &mut [u64]) {
        either!(self, store => store.load(id, state));
    }

    fn len(&self) -> usize {
        either!(self, store => store.len())
    }

    fn n_bytes(&self) -> usize {
        either!(self, store => store.n_bytes())
    }

    fn growth(&self) -> usize {
        either!(self, store => store.growth())
    }

    fn guesses(&self) -> bool {
        either!(self, store => store.guesses())
    }

    fn guess(&self, state: &[u64]) -> Option<StateId> {
        either!(self, store => store.guess(state))
    }

    fn confirm(&self, guess: StateId, state: &[u64]) -> Option<StateId> {
        either!(self, store => store.confirm(guess, state))
    }
}

/// A system that is written in Rust, opened for all its propositions.
pub struct Own<S: System> {
    pub(super) system: Arc<S>,
    code: Box<dyn Code<S>>,
    propositions: Vec<Proposition<S>>,
    pub(super) process_names: Vec<String>,
    pub(super) lanes: Lanes,
    initial: Vec<Box<[u64]>>,
    atoms: IdVec<PropositionId, Atom>,
    by_name: HashMap<String, PropositionId, FxBuildHasher>,
    processes: Vec<Assumption>,
    broken: Broken,
}

impl<S: System> Debug for Own<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Own").field("propositions", &self.propositions).finish_non_exhaustive()
    }
}

/// How many lanes there are without processes: actions are dealt out by their position.
const N_LANES: u32 = 64;

impl<S: System> Own<S> {
    /// A system whose states are kept as they are.
    #[must_use]
    pub fn new(system: Arc<S>) -> Self {
        Self::with(system, Box::new(Numbered(Arc::default())))
    }

    /// A system whose states are kept as words.
    #[must_use]
    pub fn packed(system: Arc<S>) -> Self
    where
        S: Pack,
    {
        let code = Packed(Arc::clone(&system));
        Self::with(system, Box::new(code))
    }

    fn with(system: Arc<S>, code: Box<dyn Code<S>>) -> Self {
        let propositions = system.propositions();
        let process_names = system.processes();
        let n_processes = u32::try_from(process_names.len()).expect("fewer than 2^32 processes");
        let n_lanes = if n_processes == 0 { N_LANES } else { n_processes };
        let mut atoms = IdVec::new();
        let mut by_name = HashMap::default();
        for (number, proposition) in propositions.iter().enumerate() {
            by_name.insert(proposition.name.clone(), atoms.push(Atom::State(number)));
        }
        let mut processes = Vec::new();
        for (number, name) in (0..n_processes).zip(&process_names) {
            let enabled = atoms.push(Atom::Enabled(number));
            let taken = atoms.push(Atom::Taken(number));
            by_name.insert(format!("enabled({name})"), enabled);
            by_name.insert(format!("taken({name})"), taken);
            let (strength, name) = (Strength::Weak, name.clone());
            processes.push(Assumption { strength, name, enabled, taken });
        }
        let broken = Broken::default();
        broken.look_at_names("propositions", propositions.iter().map(|each| each.name.as_str()));
        broken.look_at_names("processes", process_names.iter().map(String::as_str));
        let mut initial: Vec<Box<[u64]>> = Vec::new();
        for state in system.initial() {
            let (mut waiting, mut words) = (Vec::new(), Vec::new());
            code.write(state, &mut waiting, &mut words);
            code.finish(&mut waiting, &mut words);
            if !initial.iter().any(|known| **known == *words) {
                initial.push(words.into());
            }
        }
        if initial.is_empty() {
            broken.note(|| "it has no initial state, so every formula would hold".to_owned());
        }
        let lanes = Lanes { n_lanes };
        Self {
            system,
            code,
            propositions,
            process_names,
            lanes,
            initial,
            atoms,
            by_name,
            processes,
            broken,
        }
    }

    /// What the system was seen to do against the rules of its traits.
    #[must_use]
    pub fn broken_promise(&self) -> Option<&str> {
        self.broken.message()
    }

    /// The names of all propositions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.propositions.iter().map(|proposition| proposition.name.as_str())
    }

    /// The names of all processes.
    pub fn process_names(&self) -> impl Iterator<Item = &str> {
        self.process_names.iter().map(String::as_str)
    }

    /// The state of some words.
    #[must_use]
    pub fn state(&self, words: &[u64]) -> S::State {
        self.code.read(words, &mut Unpacked::default()).clone()
    }

    /// The action of a transition out of a state.
    #[must_use]
    pub fn action(&self, words: &[u64], transition: TransitionId) -> Option<S::Action> {
        let mut actions = Vec::new();
        self.system.actions(self.code.read(words, &mut Unpacked::default()), &mut actions);
        let position = self.lanes.position(transition);
        (position < actions.len()).then(|| actions.swap_remove(position))
    }

    fn new_executor(&self, atoms: &[PropositionId]) -> Executor<'_> {
        let atoms = atoms.iter().map(|&id| self.atoms[id]).collect();
        let n_words = self.code.n_words();
        Executor::new(self.code.worker(self), &self.initial, n_words, self.lanes, atoms)
    }
}

/// Expands states; the lists are used again and again.
struct TypedWorker<'a, S: System, C> {
    own: &'a Own<S>,
    code: &'a C,
    unpacked: Unpacked<S::State>,
    actions: Vec<S::Action>,
    /// The lanes and positions of actions.
    order: Vec<(u32, usize)>,
    /// Successors that have no words yet.
    waiting: Vec<Option<S::State>>,
    /// How many states have been expanded.
    n_expanded: u64,
}

impl<'a, S: System, C: Code<S>> TypedWorker<'a, S, C> {
    fn new(own: &'a Own<S>, code: &'a C) -> Self {
        let (actions, order, waiting) = (Vec::new(), Vec::new(), Vec::new());
        let unpacked = Unpacked::default();
        Self { own, code, unpacked, actions, order, waiting, n_expanded: 0 }
    }

    /// The lane of an action.
    fn lane(own: &Own<S>, action: &S::Action, position: usize) -> u32 {
        let Own { system, process_names, lanes, broken, .. } = own;
        let is_process = !process_names.is_empty();
        let lane = if is_process { system.process(action) } else { position };
        if is_process && process_names.len() <= lane {
            let n_processes = process_names.len();
            broken.note(|| {
                format!(
                    "`process` gives {lane} for the action `{action:?}`, and there are \
                     {n_processes} processes"
                )
            });
        }
        u32::try_from(lane).unwrap_or(u32::MAX).min(lanes.n_lanes - 1)
    }

    /// Looks closely at a step.
    fn look_at(own: &Own<S>, state: &S::State, action: &S::Action, next: Option<&S::State>) {
        let Own { system, code, broken, .. } = own;
        broken.look_at_step(&**system, state, action, next);
        if let Some(next) = next.filter(|next| !code.keeps(next)) {
            broken.note(|| format!("`unpack` does not give back what `pack` was given: {next:?}"));
        }
    }
}

impl<S: System, C> Debug for TypedWorker<'_, S, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypedWorker").finish_non_exhaustive()
    }
}

impl<S: System, C: Code<S>> Worker for TypedWorker<'_, S, C> {
    fn expand(&mut self, state: &[u64], transitions: &mut Vec<TransitionId>, words: &mut Vec<u64>) {
        let Self { own, code, unpacked, actions, order, waiting, n_expanded } = self;
        let Own { system, process_names, lanes, broken, .. } = own;
        let is_sample = is_sample(*n_expanded);
        *n_expanded += 1;
        let state = code.read(state, unpacked);
        actions.clear();
        system.actions(state, actions);
        if is_sample {
            broken.look_at_actions(&**system, state, actions.len());
        }
        order.clear();
        for (position, action) in actions.iter().enumerate() {
            order.push((Self::lane(own, action, position), position));
        }
        if !process_names.is_empty() {
            order.sort_unstable();
        }
        for &(lane, position) in &*order {
            let next = system.next(state, &actions[position]);
            if is_sample {
                Self::look_at(own, state, &actions[position], next.as_ref());
            }
            if let Some(next) = next {
                transitions.push(lanes.transition(position, lane));
                code.write(next, waiting, words);
            }
        }
        // States that own memory do not wait for those of other states: what the known ones give
        // back is taken for the next ones.
        if needs_drop::<S::State>() {
            code.finish(waiting, words);
        }
    }

    fn finish(&mut self, words: &mut Vec<u64>) {
        self.code.finish(&mut self.waiting, words);
    }

    fn observe(&mut self, state: &[u64], numbers: &[Option<usize>], letter: &mut [u64]) {
        let Own { system, propositions, .. } = self.own;
        let state = self.code.read(state, &mut self.unpacked);
        for (at, number) in numbers.iter().enumerate() {
            if let Some(number) = *number {
                let holds = (propositions[number].holds)(system, state);
                letter[at / 64] |= u64::from(holds) << (at % 64);
            }
        }
    }

    fn may_end(&mut self, state: &[u64]) -> bool {
        self.own.system.may_end(self.code.read(state, &mut self.unpacked))
    }
}

impl<S: System> Opened for Own<S> {
    type Executor<'a> = Executor<'a>;
    // There is only one code that knows the steps. What certifies asks it again, step by step,
    // which finds systems that do not always answer alike.
    type Judge<'a> = Executor<'a>;
    type Store = OwnStore;

    fn executor(&self, atoms: &[PropositionId]) -> Executor<'_> {
        self.new_executor(atoms)
    }

    fn judge(&self, atoms: &[PropositionId]) -> Executor<'_> {
        self.new_executor(atoms)
    }

    fn store(&self, kind: StoreKind) -> OwnStore {
        self.code.store(kind, self.initial.len())
    }

    fn proposition(&self, name: &str) -> Option<PropositionId> {
        self.by_name.get(name).copied()
    }

    fn is_about_steps(&self, proposition: PropositionId) -> bool {
        matches!(self.atoms[proposition], Atom::Taken(_))
    }

    fn declared(&self) -> &[Assumption] {
        &[]
    }

    fn processes(&self) -> &[Assumption] {
        &self.processes
    }

    fn can_fail(&self) -> bool {
        false
    }

    fn is_fallible(&self, _: PropositionId) -> bool {
        false
    }
}
