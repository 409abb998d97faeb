//! Steps of a system that is written in Rust, without its types.
//!
//! A state is expanded once: all its successors are found together and kept for a while, since a
//! depth-first search asks for them one by one, and comes back to a state after it has been
//! elsewhere. How a state is expanded is behind a trait object, so all searches are compiled
//! once, and not for every type.

use crate::id::Id;
use crate::store::are_equal;
use crate::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};
use crate::word::{AtomId, hash};

/// The successors of a state.
#[derive(Clone, Debug, Default)]
struct Successors {
    /// The state.
    of: Box<[u64]>,
    /// How they are reached, those of lower lanes first.
    transitions: Vec<TransitionId>,
    /// Their words, one behind the other.
    words: Vec<u64>,
}

/// A worker that knows the types of a system.
pub(crate) trait Worker: std::fmt::Debug {
    /// Adds the transitions out of `state`, those of lower lanes first, and the words of the
    /// successors to which they lead. Words may be missing until [`finish`](Self::finish).
    fn expand(&mut self, state: &[u64], transitions: &mut Vec<TransitionId>, words: &mut Vec<u64>);

    /// Adds the words of successors that are missing since the last call.
    fn finish(&mut self, words: &mut Vec<u64>);

    /// Writes whether propositions are true in `state`, as bits by their position in `numbers`.
    fn observe(&mut self, state: &[u64], numbers: &[Option<usize>], letter: &mut [u64]);

    /// Whether the system may end in `state`.
    fn may_end(&mut self, state: &[u64]) -> bool;
}

/// What an atom says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// This proposition about states is true.
    State(usize),
    /// The process of this number can move.
    Enabled(u32),
    /// The process of this number moves.
    Taken(u32),
}

/// How transitions are numbered: the position of an action among those of its state, and its
/// lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lanes {
    /// The number of lanes.
    pub(super) n_lanes: u32,
}

impl Lanes {
    pub(super) fn transition(self, position: usize, lane: u32) -> TransitionId {
        TransitionId::new(position * self.n_lanes as usize + lane as usize)
    }

    pub(super) fn lane(self, transition: TransitionId) -> u32 {
        let lane = transition.index() % self.n_lanes as usize;
        u32::try_from(lane).expect("less than the number of lanes")
    }

    pub(super) fn position(self, transition: TransitionId) -> usize {
        transition.index() / self.n_lanes as usize
    }
}

/// How many states keep their successors. A power of two.
const N_KEPT: usize = 1 << 10;

/// The system as a search sees it.
#[derive(Debug)]
pub struct Executor<'a> {
    worker: Box<dyn Worker + 'a>,
    initial: &'a [Box<[u64]>],
    n_words: usize,
    lanes: Lanes,
    atoms: Vec<Atom>,
    /// The propositions of the atoms about states.
    numbers: Vec<Option<usize>>,
    /// Whether an atom is about what is enabled.
    looks_at_enabled: bool,
    /// The transitions of states whose successors are not kept.
    transitions: Vec<TransitionId>,
    kept: Vec<Successors>,
    /// Which of them were asked for last.
    latest: usize,
}

impl<'a> Executor<'a> {
    pub(super) fn new(
        worker: Box<dyn Worker + 'a>,
        initial: &'a [Box<[u64]>],
        n_words: usize,
        lanes: Lanes,
        atoms: Vec<Atom>,
    ) -> Self {
        let number = |atom: &Atom| match *atom {
            Atom::State(number) => Some(number),
            Atom::Enabled(_) | Atom::Taken(_) => None,
        };
        Self {
            worker,
            initial,
            n_words,
            lanes,
            numbers: atoms.iter().map(number).collect(),
            looks_at_enabled: atoms.iter().any(|atom| matches!(atom, Atom::Enabled(_))),
            atoms,
            transitions: Vec::new(),
            kept: vec![Successors::default(); N_KEPT],
            latest: 0,
        }
    }

    /// The successors of a state.
    fn successors(&mut self, state: &[u64]) -> &Successors {
        if !are_equal(&self.kept[self.latest].of, state) {
            self.latest = usize::try_from(hash(state) >> 32).unwrap_or(0) & (N_KEPT - 1);
        }
        let kept = &mut self.kept[self.latest];
        if !are_equal(&kept.of, state) {
            if kept.of.len() == state.len() {
                kept.of.copy_from_slice(state);
            } else {
                kept.of = state.into();
            }
            kept.transitions.clear();
            kept.words.clear();
            self.worker.expand(state, &mut kept.transitions, &mut kept.words);
            self.worker.finish(&mut kept.words);
        }
        kept
    }

    fn is_enabled(&mut self, state: &[u64], process: u32) -> bool {
        let lanes = self.lanes;
        let transitions = &self.successors(state).transitions;
        let first = transitions.partition_point(|&id| lanes.lane(id) < process);
        transitions.get(first).is_some_and(|&id| lanes.lane(id) == process)
    }
}

impl TransitionSystem for Executor<'_> {
    fn n_words(&self) -> usize {
        self.n_words
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        self.initial.to_vec()
    }

    fn n_lanes(&self) -> u32 {
        self.lanes.n_lanes
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.lanes.lane(transition)
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let (lanes, n_words) = (self.lanes, self.n_words);
        let successors = self.successors(state);
        let n_successors = successors.transitions.len();
        let n_given = cursor.position as usize;
        if n_successors <= n_given {
            return Ok(None);
        }
        let mut number = n_given;
        if cursor.first != 0 {
            let transitions = &successors.transitions;
            number += transitions.partition_point(|&id| lanes.lane(id) < cursor.first);
            number %= n_successors;
        }
        target.copy_from_slice(&successors.words[number * n_words..(number + 1) * n_words]);
        cursor.position += 1;
        Ok(Some(successors.transitions[number]))
    }

    fn expand(&mut self, state: &[u64], words: &mut Vec<u64>) -> Option<usize> {
        self.transitions.clear();
        self.worker.expand(state, &mut self.transitions, words);
        Some(self.transitions.len())
    }

    fn finish(&mut self, words: &mut Vec<u64>) {
        self.worker.finish(words);
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        letter.fill(0);
        self.worker.observe(state, &self.numbers, letter);
        if self.looks_at_enabled {
            for number in 0..self.atoms.len() {
                if let Atom::Enabled(process) = self.atoms[number] {
                    letter[number / 64] |=
                        u64::from(self.is_enabled(state, process)) << (number % 64);
                }
            }
        }
        Ok(())
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        let lane = self.lanes.lane(transition);
        for (number, atom) in self.atoms.iter().enumerate() {
            if *atom == Atom::Taken(lane) {
                letter[number / 64] |= 1 << (number % 64);
            }
        }
    }

    fn is_end(&mut self, state: &[u64]) -> bool {
        self.worker.may_end(state)
    }

    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault> {
        match self.atoms[atom.index()] {
            Atom::State(number) => {
                let mut letter = [0];
                self.worker.observe(state, &[Some(number)], &mut letter);
                Ok(letter[0] == 1)
            }
            Atom::Enabled(process) => Ok(self.is_enabled(state, process)),
            Atom::Taken(_) => Ok(false),
        }
    }
}
