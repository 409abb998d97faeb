//! Runs a program as compiled code: the fast form beside the interpreter.
//!
//! Code works on packed states in place: a successor is a copy of the state in
//! which effects patch a few bits. `instruction` says what the instructions
//! are, `emit`, `compare` and `effect` make them from expressions and effects,
//! `dispatch` arranges the transitions so that few are tried in vain, and
//! `machine` runs them.
//!
//! Nothing here says what goes wrong. When code fails, the interpreter does the
//! same transition again and gives the answer; it also does what is too large
//! for us. A cursor holds a place in the code instead of a position in a list.

mod compare;
mod dispatch;
mod effect;
mod emit;
mod instruction;
mod machine;

use super::analyze::Facts;
use super::execute::Interpreter;
use super::program::{ExpressionId, Program};
use crate::id::IdVec;
use crate::system::{Cursor, Fault, TransitionId, TransitionSystem};
use dispatch::Block;
use emit::{Emitter, FREE};
use instruction::Instruction;
use machine::{Code, Exit, Registers, Standing};

/// How many bits of a cursor's number of lanes are that number; the others are
/// flags.
const TURN_BITS: u32 = 24;

/// A program that is compiled.
#[derive(Debug)]
pub struct Compiled<'a> {
    interpreter: Interpreter<'a>,
    lane_of: IdVec<TransitionId, u32>,
    code: Code,
    blocks: Vec<Block>,
    /// Where the code for each 64 atoms begins.
    atoms: Vec<u32>,
    registers: Box<Registers>,
    /// A copy of the state whose atoms are evaluated.
    scratch: Box<[u64]>,
}

impl<'a> Compiled<'a> {
    /// The transition system of `program`, in which atom *i* is the expression
    /// `atoms[i]`.
    #[must_use]
    pub fn new(program: &'a Program, atoms: &[ExpressionId]) -> Self {
        let interpreter = Interpreter::new(program, atoms);
        let facts = Facts::new(program, &interpreter.layout);
        let (lane_of, n_lanes) = program.lanes();
        let mut lanes = vec![Vec::new(); n_lanes as usize];
        for (transition, &lane) in lane_of.entries() {
            lanes[lane as usize].push(transition);
        }
        let mut emitter = Emitter::new(program, &interpreter, &facts);
        let blocks = emitter.lanes(&lanes);
        let atoms = atoms.chunks(64).map(|atoms| observe(&mut emitter, atoms)).collect();
        let code = emitter.finish();
        let scratch = vec![0; interpreter.n_words()].into_boxed_slice();
        let registers = Box::new([0; 256]);
        Self { interpreter, lane_of, code, blocks, atoms, registers, scratch }
    }

    /// The transition in whose code something went wrong: what the interpreter
    /// says.
    #[cold]
    fn interpret(
        &self,
        standing: &mut Standing,
        state: &[u64],
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, Fault> {
        let before = self.blocks.partition_point(|block| block.start as usize <= standing.place);
        let block = self.blocks[before - 1];
        let choice = standing.choice;
        standing.place = block.resume as usize;
        standing.choice += u32::from(block.has_choices);
        let is_enabled = self.interpreter.try_one(block.transition, choice, state, target)?;
        Ok(is_enabled.then_some(block.transition))
    }
}

/// Emits code that sets a flag for each of these atoms that is true.
fn observe(emitter: &mut Emitter<'_>, atoms: &[ExpressionId]) -> u32 {
    let start = emitter.here();
    emitter.flags.clear();
    for (flag, &atom) in (0..).zip(atoms) {
        let no = emitter.label();
        emitter.begin();
        if emitter.go_on_if(atom, true, no, FREE).is_err() {
            emitter.code.instructions.truncate(start as usize);
            emitter.push(Instruction::Fail);
            return start;
        }
        emitter.push(Instruction::SetFlag { flag });
        emitter.bind(no);
    }
    emitter.push(Instruction::Halt);
    start
}

impl TransitionSystem for Compiled<'_> {
    fn n_words(&self) -> usize {
        self.scratch.len()
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        self.interpreter.initial_states()
    }

    fn n_lanes(&self) -> u32 {
        self.interpreter.n_lanes()
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.lane_of[transition]
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, Fault> {
        let mut standing = unpack(cursor, self.code.heads.len());
        loop {
            target.copy_from_slice(state);
            let exit = machine::run(&self.code, target, &mut self.registers, &mut standing);
            let answer = match exit {
                Exit::Fired(transition) => Ok(Some(crate::id::Id::new(transition as usize))),
                Exit::Exhausted | Exit::Halted => {
                    // Whoever asks again enters behind the last lane again.
                    standing.place = self.code.next_lane as usize - 1;
                    Ok(None)
                }
                Exit::Failed => match self.interpret(&mut standing, state, target) {
                    Ok(None) => continue,
                    answer => answer,
                },
            };
            pack(standing, cursor);
            return answer;
        }
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        letter.fill(0);
        self.scratch.copy_from_slice(state);
        for (word, &start) in letter.iter_mut().zip(&self.atoms) {
            let mut standing =
                Standing { place: start as usize, lane: 0, turn: 0, choice: 0, flags: 0 };
            let exit =
                machine::run(&self.code, &mut self.scratch, &mut self.registers, &mut standing);
            if exit != Exit::Halted {
                return self.interpreter.observe(state, letter);
            }
            *word = standing.flags;
        }
        Ok(())
    }
}

/// Where a cursor stands.
#[inline]
fn unpack(cursor: &Cursor, n_lanes: usize) -> Standing {
    let turn = (cursor.turn & ((1 << TURN_BITS) - 1)) as usize;
    let mut lane = cursor.first as usize + turn;
    if n_lanes <= lane {
        lane %= n_lanes;
    }
    let flags = u64::from(cursor.turn >> TURN_BITS);
    Standing { place: cursor.position as usize, lane, turn, choice: cursor.choice, flags }
}

/// The cursor that stands there; the first lane stays.
#[inline]
fn pack(standing: Standing, cursor: &mut Cursor) {
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let flags = u32::try_from(standing.flags).unwrap_or(0);
    cursor.turn = small(standing.turn) | flags << TURN_BITS;
    cursor.position = small(standing.place);
    cursor.choice = standing.choice;
}
