//! Runs a program as compiled code: the fast form beside the interpreter.
//!
//! Code works on packed states in place: a successor is a copy of the state in
//! which effects patch a few bits. `instruction` says what the instructions
//! are, `emit`, `condition`, `compare` and `effect` make them from expressions and effects,
//! `dispatch` arranges the transitions so that few are tried in vain, `spine` tests once what
//! long guards have in common, `routine` keeps large conditions in one place, `observe`
//! does the same as `dispatch` for what formulas ask, and `machine` runs all of it. `walk` is for
//! searches that look at many successors and keep one. Nets need no code for transitions
//! (`additive`).
//!
//! Nothing here says what goes wrong. When code fails, the interpreter does the
//! same transition again and gives the answer; it also does what is too large
//! for us. A cursor holds a place in the code instead of a position in a list.

#![allow(clippy::inline_always, reason = "what one step of the loop does must be part of the loop")]

mod additive;
mod compare;
mod condition;
mod dispatch;
mod effect;
mod emit;
mod instruction;
mod machine;
mod observe;
mod routine;
mod sequence;
mod spine;
mod walk;

pub use walk::Successors;

use super::analyze::Facts;
use super::distance::Distances;
use super::execute::Interpreter;
use super::program::{Program, Proposition};
use crate::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};
use crate::word::{AtomId, Distance};
use crate::work::ticks;
use additive::Additive;
use dispatch::Block;
use emit::Emitter;
use machine::{Code, Exit, Registers, Standing};
use observe::{Piece, Taken};
use sequence::Passing;

/// A program that is compiled.
#[derive(Debug)]
pub struct Compiled<'a> {
    interpreter: Interpreter<'a>,
    n_lanes: u32,
    code: Code,
    blocks: Vec<Block>,
    atoms: Vec<Piece>,
    taken: Taken,
    registers: Box<Registers>,
    /// A copy of the state whose atoms are evaluated.
    scratch: Box<[u64]>,
    passing: Passing,
    /// What transitions write, if it was asked for.
    written: Option<walk::Written>,
    /// Takes the place of the code for transitions, where the program is a net.
    additive: Option<Box<Additive>>,
    /// How far atoms are, once that has been asked for.
    distances: Option<Box<Distances>>,
}

impl<'a> Compiled<'a> {
    /// The transition system of `program`, in which atom *i* says `atoms[i]`.
    #[must_use]
    pub fn new(program: &'a Program, atoms: &[Proposition]) -> Self {
        let interpreter = Interpreter::new(program, atoms);
        let facts = Facts::new(program, &interpreter.layout);
        let n_lanes = interpreter.n_lanes();
        let additive = Additive::new(&interpreter, atoms).map(Box::new);
        let mut emitter = Emitter::new(program, &interpreter, &facts);
        let lanes = if additive.is_some() { &[][..] } else { &interpreter.lanes };
        let blocks = emitter.lanes(lanes);
        let taken = Taken::new(program, atoms);
        let atoms = observe::pieces(&mut emitter, atoms, additive.is_some());
        let code = emitter.finish();
        let scratch = vec![0; interpreter.n_words()].into_boxed_slice();
        let registers = Box::new([0; 256]);
        let passing = Passing::new(&interpreter);
        Self {
            interpreter,
            n_lanes,
            code,
            blocks,
            atoms,
            taken,
            registers,
            scratch,
            passing,
            written: None,
            additive,
            distances: None,
        }
    }

    /// The transition in whose code something went wrong: what the interpreter
    /// says.
    #[cold]
    fn interpret(
        &self,
        standing: &mut Standing,
        state: &[u64],
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        if self.code.data.routines <= standing.place {
            standing.place = machine::returned(&self.registers) - 1;
        }
        let before = self.blocks.partition_point(|block| block.start <= standing.place);
        let block = self.blocks[before - 1];
        let choice = standing.choice;
        standing.place = block.resume;
        standing.choice += u32::from(block.has_choices);
        let is_enabled = self.interpreter.try_one(block.transition, choice, state, target)?;
        Ok(is_enabled.then_some(block.transition))
    }

    /// The next successor of a state by a single transition.
    #[inline(always)]
    fn step(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let mut standing = unpack(cursor, self.n_lanes);
        loop {
            copy(state, target);
            let exit = machine::run(&self.code, target, &mut self.registers, &mut standing);
            let answer = match exit {
                Some(Exit::Fired(transition)) => Ok(Some(crate::id::Id::new(transition as usize))),
                Some(Exit::Exhausted | Exit::Halted) => Ok(None),
                None => match self.interpret(&mut standing, state, target) {
                    Ok(None) => continue,
                    answer => answer,
                },
            };
            pack(standing, cursor);
            return answer;
        }
    }
}

impl TransitionSystem for Compiled<'_> {
    fn n_words(&self) -> usize {
        self.scratch.len()
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        self.interpreter.initial_states()
    }

    fn n_lanes(&self) -> u32 {
        self.n_lanes
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.interpreter.lane_of[transition]
    }

    #[inline(always)]
    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        if let Some(additive) = &mut self.additive {
            return additive.next(state, cursor, target);
        }
        if !self.passing.is_needed() {
            return self.step(state, cursor, target);
        }
        let mut passing = std::mem::take(&mut self.passing);
        let answer = passing.next(self, state, cursor, target);
        self.passing = passing;
        answer
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        letter.fill(0);
        if self.passing.is_needed() {
            let mut passing = std::mem::take(&mut self.passing);
            let observed = passing.observed(self, state);
            self.scratch.copy_from_slice(observed);
            self.passing = passing;
        } else {
            self.scratch.copy_from_slice(state);
        }
        for piece in &self.atoms {
            let place = piece.start;
            let mut standing = Standing { place, lane: 0, turn: 0, choice: 0, flags: 0 };
            let exit =
                machine::run(&self.code, &mut self.scratch, &mut self.registers, &mut standing);
            if exit != Some(Exit::Halted) {
                return self.interpreter.observe(state, letter);
            }
            piece.add(standing.flags, letter);
        }
        if let Some(additive) = &mut self.additive {
            additive.observe(state, letter);
        }
        Ok(())
    }

    fn is_end(&mut self, state: &[u64]) -> bool {
        self.interpreter.is_end(state)
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        self.taken.add(transition, letter);
    }

    fn distances(&mut self, state: &[u64], distances: &mut [Distance]) {
        let Interpreter { program, layout, atoms, .. } = &self.interpreter;
        let known = &mut self.distances;
        let known = known.get_or_insert_with(|| Box::new(Distances::new(program, layout, atoms)));
        known.evaluate(state, distances);
    }

    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault> {
        self.interpreter.observe_atom(state, atom)
    }
}

/// Copies a state. The usual sizes are known here: a call for three words takes
/// longer than the copy.
#[inline(always)]
fn copy(state: &[u64], target: &mut [u64]) {
    fn fixed<const N: usize>(state: &[u64], target: &mut [u64]) {
        if let (Some(state), Some(target)) = (state.first_chunk::<N>(), target.first_chunk_mut()) {
            *target = *state;
        }
    }
    ticks(state.len());
    match state.len() {
        1 => fixed::<1>(state, target),
        2 => fixed::<2>(state, target),
        3 => fixed::<3>(state, target),
        4 => fixed::<4>(state, target),
        _ => target.copy_from_slice(state),
    }
}

/// Where a cursor stands.
#[inline(always)]
fn unpack(cursor: &Cursor, n_lanes: u32) -> Standing {
    let mut lane = cursor.first + cursor.turn;
    if n_lanes <= lane {
        lane %= n_lanes;
    }
    let &Cursor { position: place, turn, choice, conditions, .. } = cursor;
    Standing { place, lane, turn, choice, flags: u64::from(conditions) }
}

/// The cursor that stands there; the first lane stays.
#[inline(always)]
fn pack(standing: Standing, cursor: &mut Cursor) {
    [cursor.conditions, ..] = standing.flags.to_le_bytes();
    cursor.turn = standing.turn;
    cursor.position = standing.place;
    cursor.choice = standing.choice;
}
