//! A system that is written in Rust as an opened system: where words become states again.

use super::executor::{Atom, Executor, Lanes, Successors, Worker};
use super::{Pack, Proposition, System};
use crate::id::IdVec;
use crate::store::values::{Numbers, Values};
use crate::store::{StateId, StateStore, Store, StoreError, StoreKind};
use crate::system::{Assumption, Opened, PropositionId, Strength, TransitionId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

/// How states become words, and words states.
trait Code<S: System>: Send + Sync {
    fn n_words(&self) -> usize;
    fn write(&self, state: S::State, words: &mut Vec<u64>);
    fn read<'a>(&'a self, words: &[u64]) -> Cow<'a, S::State>;
    fn store(&self, kind: StoreKind, n_initial: usize) -> OwnStore;
}

/// States as they are: a word is the number of a state.
struct Numbered<S: System>(Arc<Values<S::State>>);

impl<S: System> Code<S> for Numbered<S> {
    fn n_words(&self) -> usize {
        1
    }

    fn write(&self, state: S::State, words: &mut Vec<u64>) {
        words.push(u64::from(self.0.intern(state)));
    }

    fn read<'a>(&'a self, words: &[u64]) -> Cow<'a, S::State> {
        Cow::Borrowed(self.0.value(words[0]))
    }

    fn store(&self, _: StoreKind, n_initial: usize) -> OwnStore {
        OwnStore::Numbers(Numbers::new(Arc::clone(&self.0) as Arc<_>, n_initial))
    }
}

/// States that the system packs itself.
struct Packed<S>(Arc<S>);

impl<S: Pack> Code<S> for Packed<S> {
    fn n_words(&self) -> usize {
        self.0.n_words().max(1)
    }

    fn write(&self, state: S::State, words: &mut Vec<u64>) {
        let start = words.len();
        words.resize(start + self.n_words(), 0);
        self.0.pack(&state, &mut words[start..]);
    }

    fn read<'a>(&'a self, words: &[u64]) -> Cow<'a, S::State> {
        Cow::Owned(self.0.unpack(words))
    }

    fn store(&self, kind: StoreKind, _: usize) -> OwnStore {
        OwnStore::Words(Store::new(kind, self.n_words()))
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
        let mut initial: Vec<Box<[u64]>> = Vec::new();
        for state in system.initial() {
            let mut words = Vec::new();
            code.write(state, &mut words);
            if !initial.iter().any(|known| **known == *words) {
                initial.push(words.into());
            }
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
        }
    }

    /// The names of all propositions.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.propositions.iter().map(|proposition| proposition.name.as_str())
    }

    /// The state of some words.
    #[must_use]
    pub fn state(&self, words: &[u64]) -> S::State {
        self.code.read(words).into_owned()
    }

    /// The action of a transition out of a state.
    #[must_use]
    pub fn action(&self, words: &[u64], transition: TransitionId) -> Option<S::Action> {
        let mut actions = Vec::new();
        self.system.actions(&self.code.read(words), &mut actions);
        let position = self.lanes.position(transition);
        (position < actions.len()).then(|| actions.swap_remove(position))
    }

    fn new_executor(&self, atoms: &[PropositionId]) -> Executor<'_> {
        let worker = TypedWorker { own: self, actions: Vec::new(), order: Vec::new() };
        let atoms = atoms.iter().map(|&id| self.atoms[id]).collect();
        let n_words = self.code.n_words();
        Executor::new(Box::new(worker), &self.initial, n_words, self.lanes, atoms)
    }
}

/// Expands states; the lists are used again and again.
struct TypedWorker<'a, S: System> {
    own: &'a Own<S>,
    actions: Vec<S::Action>,
    /// The lanes and positions of actions.
    order: Vec<(u32, usize)>,
}

impl<S: System> Debug for TypedWorker<'_, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypedWorker").finish_non_exhaustive()
    }
}

impl<S: System> Worker for TypedWorker<'_, S> {
    fn expand(&mut self, state: &[u64], successors: &mut Successors) {
        let Own { system, code, process_names, lanes, .. } = self.own;
        let state = code.read(state);
        self.actions.clear();
        system.actions(&state, &mut self.actions);
        self.order.clear();
        let has_processes = !process_names.is_empty();
        for (position, action) in self.actions.iter().enumerate() {
            let lane = if has_processes { system.process(action) } else { position };
            let lane = u32::try_from(lane).unwrap_or(u32::MAX).min(lanes.n_lanes - 1);
            self.order.push((lane, position));
        }
        if has_processes {
            self.order.sort_unstable();
        }
        for &(lane, position) in &self.order {
            if let Some(next) = system.next(&state, &self.actions[position]) {
                successors.transitions.push(lanes.transition(position, lane));
                code.write(next, &mut successors.words);
            }
        }
    }

    fn observe(&mut self, state: &[u64], numbers: &[Option<usize>], letter: &mut [u64]) {
        let Own { system, code, propositions, .. } = self.own;
        let state = code.read(state);
        for (at, number) in numbers.iter().enumerate() {
            if let Some(number) = *number {
                let holds = (propositions[number].holds)(system, &state);
                letter[at / 64] |= u64::from(holds) << (at % 64);
            }
        }
    }

    fn may_end(&mut self, state: &[u64]) -> bool {
        self.own.system.may_end(&self.own.code.read(state))
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
