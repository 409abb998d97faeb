//! A compiled program of which only some transitions are taken in each state, those that suffice,
//! and of whose states only what is seen is kept.
//!
//! Which ones these are is a function of the state alone. So the reduced system is an ordinary
//! system: every search, store and order can use it, and each of its runs is a run of the model.

use super::mask::Mask;
use super::stubborn::{Relations, Stubborn};
use crate::lang::compile::Compiled;
use crate::lang::program::TransitionId;
use crate::system::{Cursor, Fault, Reduced, StepError, TransitionSystem};
use crate::word::{AtomId, Distance};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;
use std::sync::Arc;

/// How many states a worker remembers the steps of. A search asks for the successors of a state
/// one after the other, and looks at others in between.
const MEMORY: usize = 1 << 9;

/// A compiled program, perhaps reduced.
#[derive(Debug)]
pub struct Executor<'a> {
    system: Compiled<'a>,
    /// What is put back behind each step, if anything.
    mask: Option<Arc<Mask>>,
    reduction: Option<Box<Reduction>>,
}

/// What reduces a program: the relations, and the scratch of a worker.
#[derive(Debug)]
struct Reduction {
    relations: Arc<Relations>,
    stubborn: Stubborn,
    /// By hash of a state.
    memory: Vec<Steps>,
    enabled: Vec<TransitionId>,
    target: Vec<u64>,
    counts: Reduced,
}

/// The steps from a state that suffice.
#[derive(Clone, Debug, Default)]
struct Steps {
    /// Empty if there is none.
    state: Vec<u64>,
    /// The lane that comes first.
    first: u32,
    /// The transitions, and what goes wrong.
    steps: Vec<Result<TransitionId, StepError>>,
    /// The successors, one behind the other; anything where something goes wrong.
    words: Vec<u64>,
}

impl<'a> Executor<'a> {
    pub(in crate::lang) fn new(
        system: Compiled<'a>,
        mask: Option<Arc<Mask>>,
        relations: Option<Arc<Relations>>,
    ) -> Self {
        let n_words = system.n_words();
        let reduction = relations.map(|relations| {
            Box::new(Reduction {
                stubborn: Stubborn::new(&relations),
                relations,
                memory: vec![Steps::default(); MEMORY],
                enabled: Vec::new(),
                target: vec![0; n_words],
                counts: Reduced::default(),
            })
        });
        Self { system, mask, reduction }
    }
}

impl Reduction {
    /// The next successor by a transition that is needed. The cursor only counts.
    fn next(
        &mut self,
        (system, mask): (&mut Compiled<'_>, Option<&Mask>),
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let hash = FxBuildHasher.hash_one(state);
        let slot = usize::try_from(hash >> 40).unwrap_or(0) % MEMORY;
        let known = &self.memory[slot];
        if known.state != state || known.first != cursor.first {
            let mut steps = std::mem::take(&mut self.memory[slot]);
            self.find((system, mask), state, cursor.first, &mut steps);
            self.memory[slot] = steps;
        }
        let Steps { steps, words, .. } = &self.memory[slot];
        let position = cursor.position as usize;
        let Some(step) = steps.get(position) else { return Ok(None) };
        cursor.position += 1;
        let transition = step.as_ref().map_err(Clone::clone)?;
        let start = position * state.len();
        target.copy_from_slice(&words[start..start + state.len()]);
        Ok(Some(*transition))
    }

    /// Finds the steps from a state that suffice.
    fn find(
        &mut self,
        (system, mask): (&mut Compiled<'_>, Option<&Mask>),
        state: &[u64],
        first: u32,
        found: &mut Steps,
    ) {
        found.state.clear();
        found.state.extend_from_slice(state);
        found.first = first;
        found.steps.clear();
        found.words.clear();
        self.enabled.clear();
        let mut cursor = Cursor::starting_with(first);
        let (mut is_clear, mut is_one_lane) = (true, true);
        let mut lane = None;
        loop {
            let step = match system.next(state, &mut cursor, &mut self.target) {
                Ok(None) => break,
                Ok(Some(transition)) => {
                    if let Some(mask) = mask {
                        mask.apply(&mut self.target);
                    }
                    let own = system.lane(transition);
                    is_one_lane &= *lane.get_or_insert(own) == own;
                    self.enabled.push(transition);
                    Ok(transition)
                }
                // Something goes wrong here, or needs more room.
                Err(error) => {
                    is_clear = false;
                    Err(error)
                }
            };
            found.steps.push(step);
            found.words.extend_from_slice(&self.target);
        }
        // Sets do not depend on who comes first.
        self.enabled.sort_unstable();
        self.enabled.dedup();
        self.counts.states += 1;
        self.counts.enabled += self.enabled.len() as u64;
        // Where only time passes, everything may be waiting for that; and the relations need not
        // be true where only one lane can move.
        if !is_clear || is_one_lane || cursor.is_timeout {
            return;
        }
        let sufficient = self.stubborn.sufficient(&self.relations, state, &self.enabled);
        let Some(sufficient) = sufficient else { return };
        self.counts.reduced += 1;
        self.counts.left_out += (self.enabled.len() - sufficient.len()) as u64;
        found.keep(sufficient);
    }
}

impl Steps {
    /// Forgets all but these transitions.
    fn keep(&mut self, transitions: &[TransitionId]) {
        let n_words = self.state.len();
        let mut n_kept = 0;
        for position in 0..self.steps.len() {
            let is_needed =
                self.steps[position].as_ref().is_ok_and(|step| transitions.contains(step));
            if is_needed {
                self.steps.swap(n_kept, position);
                let words = position * n_words..(position + 1) * n_words;
                self.words.copy_within(words, n_kept * n_words);
                n_kept += 1;
            }
        }
        self.steps.truncate(n_kept);
        self.words.truncate(n_kept * n_words);
    }
}

impl TransitionSystem for Executor<'_> {
    fn n_words(&self) -> usize {
        self.system.n_words()
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        let mut states = self.system.initial_states();
        if let Some(mask) = &self.mask {
            let mut seen: HashSet<Box<[u64]>, FxBuildHasher> = HashSet::default();
            for state in &mut states {
                mask.apply(state);
            }
            states.retain(|state| seen.insert(state.clone()));
        }
        states
    }

    fn n_lanes(&self) -> u32 {
        self.system.n_lanes()
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.system.lane(transition)
    }

    #[inline]
    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        if let Some(reduction) = &mut self.reduction {
            return reduction.next((&mut self.system, self.mask.as_deref()), state, cursor, target);
        }
        let taken = self.system.next(state, cursor, target)?;
        if let Some(mask) = &self.mask {
            mask.apply(target);
        }
        Ok(taken)
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        self.system.observe(state, letter)
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        self.system.takes(transition, letter);
    }

    fn is_end(&mut self, state: &[u64]) -> bool {
        self.system.is_end(state)
    }

    fn distances(&mut self, state: &[u64], distances: &mut [Distance]) {
        self.system.distances(state, distances);
    }

    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault> {
        self.system.observe_atom(state, atom)
    }

    fn reduced(&self) -> Option<Reduced> {
        self.reduction.as_ref().map(|reduction| reduction.counts)
    }
}
