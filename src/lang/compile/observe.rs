//! What formulas see of a state or a step: code that sets a flag for each atom
//! that is true, and which atoms are true because a transition is taken.
//!
//! Atoms about states are conditions, one after the other. For atoms about
//! what is enabled, one pass over the guards finds the transitions that are,
//! and each sets the flags of all its atoms.

use super::dispatch::TransitionFlags;
use super::emit::{Emitter, FREE};
use super::instruction::Instruction;
use super::machine::MAX_FLAGS;
use crate::id::IdVec;
use crate::lang::program::{Program, Proposition, TransitionId};

/// How many atoms one piece of code looks at. The first flags are those of
/// conditions that guards share.
const ATOMS_PER_PIECE: usize = 64 - MAX_FLAGS as usize;

/// Code for some atoms in a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where it begins.
    pub(super) start: u32,
    /// The place of its first atom in a letter: word and bit.
    word: usize,
    bit: u32,
}

impl Piece {
    /// Adds to a letter what the code has found.
    pub(super) fn add(self, flags: u64, letter: &mut [u64]) {
        let found = flags >> MAX_FLAGS;
        letter[self.word] |= found << self.bit;
        // What does not fit into the word belongs to the next one.
        let rest = found.checked_shr(64 - self.bit).unwrap_or(0);
        if rest != 0 {
            letter[self.word + 1] |= rest;
        }
    }
}

/// Emits code for atoms. If `knows_enabled`, it is known otherwise which transitions are enabled.
pub(super) fn pieces(
    emitter: &mut Emitter<'_>,
    atoms: &[Proposition],
    knows_enabled: bool,
) -> Vec<Piece> {
    let chunks = atoms.chunks(ATOMS_PER_PIECE).enumerate();
    let piece = |(number, atoms): (usize, &[Proposition])| {
        let first = number * ATOMS_PER_PIECE;
        let bit = u32::try_from(first % 64).expect("less than 64");
        Piece { start: observe(emitter, atoms, knows_enabled), word: first / 64, bit }
    };
    chunks.map(piece).collect()
}

/// Emits code that sets a flag for each of these atoms that is true, and says
/// where it begins.
fn observe(emitter: &mut Emitter<'_>, atoms: &[Proposition], knows_enabled: bool) -> u32 {
    let start = emitter.here();
    emitter.flags.clear();
    let mut enabled = TransitionFlags::default();
    for (flag, atom) in (MAX_FLAGS..).zip(atoms) {
        match atom {
            Proposition::State(condition) => {
                let no = emitter.label();
                emitter.begin();
                if emitter.go_on_if(*condition, true, no, FREE).is_err() {
                    emitter.code.instructions.truncate(start as usize);
                    emitter.push(Instruction::Fail);
                    return start;
                }
                emitter.push(Instruction::SetFlag(flag));
                emitter.bind(no);
            }
            Proposition::Taken(_) => (),
            Proposition::Enabled(_) if knows_enabled => (),
            Proposition::Enabled(transitions) => {
                for &transition in transitions {
                    *enabled.entry(transition).or_default() |= 1 << flag;
                }
            }
        }
    }
    // PERF: benches/enabled, philosophers(10) and jobs(256): 151 and 74 ns for
    // each state; 207 and 1,602 with a condition for every guard.
    emitter.note_enabled(&enabled);
    emitter.push(Instruction::Halt);
    start
}

/// Which atoms are true because a transition is taken.
#[derive(Debug)]
pub(super) struct Taken {
    /// For each transition, words of a letter and bits to be set there. There is an
    /// entry for each word in which it has bits.
    rows: IdVec<TransitionId, Vec<(usize, u64)>>,
}

impl Taken {
    pub(super) fn new(program: &Program, atoms: &[Proposition]) -> Self {
        let mut rows: IdVec<TransitionId, Vec<(usize, u64)>> =
            program.transitions.iter().map(|_| Vec::new()).collect();
        for (number, atom) in atoms.iter().enumerate() {
            let Proposition::Taken(transitions) = atom else { continue };
            let (word, bit) = (number / 64, 1 << (number % 64));
            for &transition in transitions {
                match rows[transition].last_mut() {
                    Some((last, bits)) if *last == word => *bits |= bit,
                    _ => rows[transition].push((word, bit)),
                }
            }
        }
        Self { rows }
    }

    /// Adds to a letter what is true because `transition` is taken.
    pub(super) fn add(&self, transition: TransitionId, letter: &mut [u64]) {
        for &(word, bits) in &self.rows[transition] {
            letter[word] |= bits;
        }
    }
}
