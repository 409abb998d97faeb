//! Runs an `atomic` or `d_step` sequence to its end and yields only its last state.
//!
//! Where a program has a [`Control`](crate::lang::program::Control), a process may hold
//! the model for a while. Its steps until it gives the model back, or
//! cannot go on, are one step, of which there may be several, since the process may
//! have a choice. They are found again for each successor unless it is asked for
//! right after the one before; so a cursor only says how many there have been.
//!
//! If no transition is enabled, all are tried again with the variable `timeout` set.

use super::Compiled;
use crate::id::Id;
use crate::lang::execute::Interpreter;
use crate::lang::layout::Place;
use crate::system::{Cursor, Fault, FaultKind, StepError, TransitionId, TransitionSystem};
use crate::work::tick;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

/// What is needed to pass over states.
#[derive(Debug, Default)]
pub(super) struct Passing {
    holder: Option<Place>,
    timeout: Option<Place>,
    /// The lane of each process; nothing if it never moves.
    lanes: Vec<Option<u32>>,
    n_lanes: u32,
    /// The state whose transitions are tried, without the holder, maybe with the timeout.
    state: Vec<u64>,
    /// A successor on the way.
    target: Vec<u64>,
    /// States that are passed; each is expanded once.
    passed: States,
    /// Where steps end.
    ends: States,
    /// What goes wrong first on one of the ways to these.
    error: Option<StepError>,
    /// The state and the cursor to which `ends` belong.
    of_state: Vec<u64>,
    of_cursor: Option<Cursor>,
    of_transition: Option<TransitionId>,
    /// The cursor behind them.
    after: Cursor,
}

/// A few states, or many: each once, in the order in which they come.
#[derive(Debug, Default)]
struct States {
    /// One behind the other.
    words: Vec<u64>,
    n_words: usize,
    /// The numbers of all states, once there are more than [`FEW`].
    numbers: HashTable<usize>,
}

/// Up to so many states are compared one by one, which is faster than hashing them.
const FEW: usize = 8;

/// A table that has become larger than this is not kept, since to clear it takes time in
/// proportion to its size.
const MAX_KEPT: usize = 1 << 10;

impl States {
    /// Forgets all states; those to come have this size.
    fn clear(&mut self, n_words: usize) {
        self.words.clear();
        self.n_words = n_words;
        if MAX_KEPT < self.numbers.capacity() {
            self.numbers = HashTable::new();
        } else {
            self.numbers.clear();
        }
    }

    fn len(&self) -> usize {
        self.words.len().checked_div(self.n_words).unwrap_or(0)
    }

    fn state(&self, number: usize) -> &[u64] {
        &self.words[number * self.n_words..(number + 1) * self.n_words]
    }

    /// Adds a state unless it is there.
    fn insert(&mut self, state: &[u64]) {
        if !self.contains(state) {
            let number = self.len();
            self.words.extend_from_slice(state);
            if FEW < number {
                self.note(number);
            } else if number == FEW {
                (0..=number).for_each(|number| self.note(number));
            }
        }
    }

    fn contains(&self, state: &[u64]) -> bool {
        let Self { words, n_words, numbers } = self;
        let is_it = |known: &[u64]| {
            tick();
            known == state
        };
        if numbers.is_empty() {
            words.chunks_exact((*n_words).max(1)).any(is_it)
        } else {
            let at = |number: usize| &words[number * *n_words..(number + 1) * *n_words];
            numbers.find(hash(state), |&number| is_it(at(number))).is_some()
        }
    }

    /// Adds the number of a state to the table.
    fn note(&mut self, number: usize) {
        let Self { words, n_words, numbers } = self;
        let at = |number: usize| &words[number * *n_words..(number + 1) * *n_words];
        numbers.insert_unique(hash(at(number)), number, |&known| hash(at(known)));
    }
}

fn hash(state: &[u64]) -> u64 {
    FxBuildHasher.hash_one(state)
}

fn get(words: &[u64], place: Place) -> u64 {
    words[place.word as usize] >> place.shift & place.mask()
}

fn clear(words: &mut [u64], place: Place) {
    words[place.word as usize] &= !(place.mask() << place.shift);
}

impl Passing {
    pub(super) fn new(interpreter: &Interpreter<'_>) -> Self {
        let Interpreter { program, layout, lane_of, .. } = interpreter;
        let Some(control) = program.control else { return Self::default() };
        let mut lanes = vec![None; program.processes.len()];
        for (id, transition) in program.transitions.entries() {
            lanes[transition.process.index()] = Some(lane_of[id]);
        }
        let n_words = layout.n_words();
        Self {
            holder: layout.place(control.holder),
            timeout: control.timeout.and_then(|timeout| layout.place(timeout)),
            lanes,
            n_lanes: interpreter.n_lanes(),
            state: vec![0; n_words],
            target: vec![0; n_words],
            of_state: vec![0; n_words],
            ..Self::default()
        }
    }

    /// Whether there is anything to pass over.
    #[inline]
    pub(super) fn is_needed(&self) -> bool {
        self.holder.is_some()
    }

    /// The next successor of a state.
    pub(super) fn next(
        &mut self,
        compiled: &mut Compiled<'_>,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let Some(holder) = self.holder else { return compiled.step(state, cursor, target) };
        loop {
            let n_given = cursor.choice as usize;
            let begin = Cursor { choice: 0, ..*cursor };
            let key = Cursor { has_moved: false, ..begin };
            let is_known = 0 < n_given && self.of_cursor == Some(key) && self.of_state == state;
            if !is_known {
                self.state.copy_from_slice(state);
                if let Some(timeout) = self.timeout.filter(|_| cursor.is_timeout) {
                    self.state[timeout.word as usize] |= 1 << timeout.shift;
                }
                let mut after = begin;
                // The enumeration can go on behind a step that goes wrong.
                let behind = |after| Cursor { choice: 0, has_moved: true, ..after };
                let step = compiled.step(&self.state, &mut after, target);
                let Some(transition) = step.inspect_err(|_| *cursor = behind(after))? else {
                    if cursor.has_moved || cursor.is_timeout || self.timeout.is_none() {
                        *cursor = Cursor { choice: 0, ..after };
                        return Ok(None);
                    }
                    // No transition is enabled, so `timeout` becomes true: all are tried once
                    // more with it.
                    *cursor = Cursor { is_timeout: true, ..Cursor::starting_with(cursor.first) };
                    continue;
                };
                if let Some(timeout) = self.timeout {
                    clear(target, timeout);
                }
                if get(target, holder) == 0 {
                    *cursor = behind(after);
                    return Ok(Some(transition));
                }
                self.follow(compiled, target, transition);
                self.of_state.copy_from_slice(state);
                (self.of_cursor, self.after) = (Some(key), after);
                self.of_transition = Some(transition);
            }
            // What goes wrong on one of several ways comes behind all ends.
            if let Some(error) = self.error.as_ref().filter(|_| self.ends.len() <= n_given) {
                *cursor = Cursor { choice: 0, has_moved: true, ..self.after };
                return Err(error.clone());
            }
            target.copy_from_slice(self.ends.state(n_given));
            let is_last = self.ends.len() <= n_given + 1 && self.error.is_none();
            let n_given = u32::try_from(n_given + 1).unwrap_or(0);
            *cursor = if is_last {
                Cursor { choice: 0, has_moved: true, ..self.after }
            } else {
                Cursor { choice: n_given, has_moved: true, ..*cursor }
            };
            return Ok(self.of_transition);
        }
    }

    /// Finds all ends of steps that begin with the state `first`, in which a process has the
    /// model for itself, and what goes wrong on the way to some of them.
    fn follow(&mut self, compiled: &mut Compiled<'_>, first: &[u64], transition: TransitionId) {
        let Some(holder) = self.holder else { return };
        self.of_cursor = None;
        self.error = None;
        self.ends.clear(first.len());
        self.passed.clear(first.len());
        self.passed.insert(first);
        let mut n_expanded = 0;
        while n_expanded < self.passed.len() {
            self.state.copy_from_slice(self.passed.state(n_expanded));
            n_expanded += 1;
            let owner = get(&self.state, holder) - 1;
            clear(&mut self.state, holder);
            let lane = self.lanes[usize::try_from(owner / 2).unwrap_or(usize::MAX)];
            // The last of all turns, so no other process is asked.
            let mut cursor = Cursor {
                first: lane.map_or(0, |lane| (lane + 1) % self.n_lanes),
                turn: self.n_lanes - 1,
                ..Cursor::default()
            };
            let mut can_move = false;
            while lane.is_some() {
                match compiled.step(&self.state, &mut cursor, &mut self.target) {
                    Ok(None) => break,
                    Ok(Some(_)) => can_move = true,
                    Err(error) => {
                        can_move = true;
                        self.error.get_or_insert(error);
                        continue;
                    }
                }
                let is_end = get(&self.target, holder) == 0;
                let list = if is_end { &mut self.ends } else { &mut self.passed };
                list.insert(&self.target);
            }
            if !can_move && owner % 2 == 1 {
                let kind = FaultKind::Rule("a d_step blocks");
                self.error.get_or_insert(Fault { kind, transition: Some(transition) }.into());
            } else if !can_move {
                self.ends.insert(&self.state);
            }
        }
        if self.ends.len() == 0 {
            let kind = FaultKind::Rule("an atomic sequence never ends");
            self.error.get_or_insert(Fault { kind, transition: Some(transition) }.into());
        }
    }

    /// The state whose atoms are to be evaluated: with the timeout set, if no transition is
    /// enabled without it. A transition that goes wrong or needs more room is enabled.
    pub(super) fn observed<'a>(
        &'a mut self,
        compiled: &mut Compiled<'_>,
        state: &'a [u64],
    ) -> &'a [u64] {
        let Some(timeout) = self.timeout else { return state };
        if compiled.step(state, &mut Cursor::default(), &mut self.target) != Ok(None) {
            return state;
        }
        self.state.copy_from_slice(state);
        self.state[timeout.word as usize] |= 1 << timeout.shift;
        &self.state
    }
}
