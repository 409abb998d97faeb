//! The successors of a state one after the other in the same words.
//!
//! A successor is a copy of its state with a few changes. Where only one of many successors
//! is kept, copying is most of the work: with a thousand processes, each of a thousand
//! successors would be a copy of a thousand variables. Here what the successor before changed is
//! put back instead.

use super::machine::{self, Exit};
use super::{Compiled, copy, pack, unpack};
use crate::id::{Id, IdVec};
use crate::lang::execute::Interpreter;
use crate::lang::program::{Effect, Program};
use crate::system::{Cursor, StepError, TransitionId, TransitionSystem};
use crate::work::ticks;
use std::ops::Range;

/// The words that each transition may write.
#[derive(Debug)]
pub(super) struct Written {
    of_transitions: IdVec<TransitionId, Box<[Range<usize>]>>,
}

impl Written {
    fn new(program: &Program, interpreter: &Interpreter<'_>) -> Self {
        let words = |effect: &Effect| {
            let (variable, index, _) = effect.assignment()?;
            let constant =
                |index| program.as_constant(index).and_then(|index| usize::try_from(index).ok());
            let index = index.map_or(Some(0), constant);
            let place = interpreter.layout.place(variable)?;
            let n_elements = program.variables[variable].n_elements();
            let (first, last) = match index.filter(|&index| index < n_elements) {
                Some(index) => (index, index),
                None => (0, n_elements.saturating_sub(1)),
            };
            Some(place.element(first).0..place.element(last).0 + 1)
        };
        let transitions = program.transitions.iter();
        let of_transitions = transitions
            .map(|transition| {
                let mut ranges: Vec<Range<usize>> =
                    transition.effects.iter().filter_map(words).collect();
                ranges.sort_unstable_by_key(|range| (range.start, range.end));
                ranges.dedup();
                ranges.into_boxed_slice()
            })
            .collect();
        Self { of_transitions }
    }
}

/// In what the words differ from the state.
#[derive(Clone, Copy, Debug)]
enum Changed {
    Nothing,
    /// In what this transition writes.
    By(TransitionId),
    Everything,
}

/// The successors of a state; see the module's description.
#[derive(Debug)]
pub struct Successors<'s, 'a> {
    system: &'s mut Compiled<'a>,
    state: &'s [u64],
    words: Box<[u64]>,
    changed: Changed,
    cursor: Cursor,
}

impl<'a> Compiled<'a> {
    /// The successors of `state` in their order.
    pub fn successors<'s>(&'s mut self, state: &'s [u64]) -> Successors<'s, 'a> {
        let words = state.into();
        let (changed, cursor) = (Changed::Nothing, Cursor::default());
        Successors { system: self, state, words, changed, cursor }
    }

    fn written(&mut self, transition: TransitionId) -> &[Range<usize>] {
        let interpreter = &self.interpreter;
        let make = || Written::new(interpreter.program, interpreter);
        &self.written.get_or_insert_with(make).of_transitions[transition]
    }
}

impl Successors<'_, '_> {
    /// The words of the successor that came last.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Goes on to the next successor, as [`TransitionSystem::next`] does.
    ///
    /// # Errors
    ///
    /// If a transition goes wrong; the one after it is next.
    pub fn advance(&mut self) -> Result<Option<TransitionId>, StepError> {
        if self.system.passing.is_needed() || self.system.additive.is_some() {
            return self.system.next(self.state, &mut self.cursor, &mut self.words);
        }
        let mut standing = unpack(&self.cursor, self.system.n_lanes);
        loop {
            self.put_back();
            let Compiled { code, registers, .. } = &mut *self.system;
            let exit = machine::run(code, &mut self.words, registers, &mut standing);
            let answer = match exit {
                Some(Exit::Fired(transition)) => {
                    let transition = TransitionId::new(transition as usize);
                    self.changed = Changed::By(transition);
                    Ok(Some(transition))
                }
                Some(Exit::Exhausted | Exit::Halted) => Ok(None),
                None => {
                    self.changed = Changed::Everything;
                    match self.system.interpret(&mut standing, self.state, &mut self.words) {
                        Ok(None) => continue,
                        answer => answer,
                    }
                }
            };
            pack(standing, &mut self.cursor);
            return answer;
        }
    }

    /// Makes the words those of the state again.
    fn put_back(&mut self) {
        match std::mem::replace(&mut self.changed, Changed::Nothing) {
            Changed::Nothing => (),
            Changed::Everything => copy(self.state, &mut self.words),
            Changed::By(transition) => {
                for range in self.system.written(transition) {
                    ticks(range.len());
                    self.words[range.clone()].copy_from_slice(&self.state[range.clone()]);
                }
            }
        }
    }
}
