//! Runs compiled code: the hot loop.
//!
//! A machine has no idea of programs. It runs [`Code`] on a packed state from
//! a given place on until a successor is complete, the lanes are exhausted,
//! what was to be computed is computed, or something goes wrong.
//!
//! A just-in-time compiler would plug in here: it would replace [`run`] by
//! machine code from the same instructions, with [`Standing`] as what goes in
//! and out.

use super::instruction::{Array, Field, Instruction};
use crate::lang::program::BinaryOperator;

/// How many flags there can be: they share a number with the lanes that are
/// done.
pub(super) const MAX_FLAGS: usize = 8;

/// The registers. An index of eight bits is always one of them.
pub(super) type Registers = [i64; 256];

/// Where a lane begins: at an entry of a table, by the distance in a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) field: Field,
    pub(super) table: u32,
}

/// Code and what it refers to.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    /// Where switches lead.
    pub(super) places: Vec<u32>,
    /// The lanes.
    pub(super) heads: Vec<Head>,
    /// The place that goes on to the next lane: where a lane leads that has
    /// nothing to offer.
    pub(super) next_lane: u32,
    pub(super) arrays: Vec<Array>,
    /// Arrays that never change.
    pub(super) tables: Vec<Box<[i64]>>,
    pub(super) wide: Vec<i64>,
    /// Ranges of the choices of transitions, and how many values each has.
    pub(super) choices: Vec<Vec<(i64, i64)>>,
}

/// Where a run stands: a cursor, unpacked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) place: u32,
    pub(super) lane: u32,
    /// How many lanes are done.
    pub(super) turn: u32,
    pub(super) choice: u32,
    pub(super) flags: u64,
}

/// Why a run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Fired(u32),
    Exhausted,
    Halted,
    Failed,
}

impl Standing {
    /// Enters the lane at hand, or the first one after it that may have
    /// something to offer; nothing if there is none.
    #[inline(always)]
    fn enter(&mut self, code: &Code, words: &[u64]) -> Option<u32> {
        while (self.turn as usize) < code.heads.len() {
            let head = code.heads[self.lane as usize];
            let place = code.places[head.table as usize + index(head.field.read(words))];
            if place != code.next_lane {
                return Some(place);
            }
            self.leave(code);
        }
        None
    }

    /// Leaves the lane at hand.
    #[inline(always)]
    fn leave(&mut self, code: &Code) {
        self.turn += 1;
        self.lane += 1;
        if self.lane as usize == code.heads.len() {
            self.lane = 0;
        }
    }
}

/// Runs `code` on the state `words` from where it stands.
#[inline(always)]
pub(super) fn run(
    code: &Code,
    words: &mut [u64],
    registers: &mut Registers,
    at: &mut Standing,
) -> Exit {
    use Instruction as I;
    let instructions = &code.instructions[..];
    let mut place = at.place;
    let exit = loop {
        let instruction = &instructions[place as usize];
        place += 1;
        match *instruction {
            I::Jump { to } => place = to,
            I::Switch { field, table } => {
                place = code.places[table as usize + index(field.read(words))];
            }
            I::Enter | I::NextLane => {
                if matches!(instruction, I::NextLane) {
                    at.leave(code);
                }
                match at.enter(code, words) {
                    Some(entry) => place = entry,
                    None => break Exit::Exhausted,
                }
            }
            I::Choose { choices, otherwise } => {
                if !choose(&code.choices[choices as usize], at.choice, registers) {
                    at.choice = 0;
                    place = otherwise;
                }
            }
            I::Retry { to } => {
                at.choice += 1;
                place = to;
            }
            I::Fire { transition, resume } => {
                place = resume;
                break Exit::Fired(transition);
            }
            I::FireChoice { transition, resume } => {
                at.choice += 1;
                place = resume;
                break Exit::Fired(transition);
            }
            I::SetFlag { flag } => at.flags |= 1 << flag,
            I::Halt => break Exit::Halted,
            _ => match test(instruction, words, registers, at.flags) {
                Some((true, _)) => (),
                Some((false, otherwise)) => place = otherwise,
                None => {
                    if compute(code, instruction, words, registers).is_none() {
                        place -= 1;
                        break Exit::Failed;
                    }
                }
            },
        }
    };
    at.place = place;
    exit
}

/// Whether a test holds, and where to go if not; nothing if the instruction is
/// no test.
#[inline(always)]
fn test(
    instruction: &Instruction,
    words: &[u64],
    registers: &Registers,
    flags: u64,
) -> Option<(bool, u32)> {
    use Instruction as I;
    let fields = |left: Field, offset: i16, right: Field| {
        let left = left.read(words).cast_signed() + i64::from(offset);
        (left, right.read(words).cast_signed())
    };
    let both = |left: u8, right: u8| (registers[usize::from(left)], registers[usize::from(right)]);
    let constant = |left: u8, right: i32| (registers[usize::from(left)], i64::from(right));
    Some(match *instruction {
        I::In { field, set, otherwise } => {
            (u64::from(set) >> field.read(words) & 1 == 1, otherwise)
        }
        I::FieldEqual { field, distance, otherwise } => {
            (field.read(words) == u64::from(distance), otherwise)
        }
        I::FieldNotEqual { field, distance, otherwise } => {
            (field.read(words) != u64::from(distance), otherwise)
        }
        I::FieldLess { field, distance, otherwise } => {
            (field.read(words) < u64::from(distance), otherwise)
        }
        I::FieldAtLeast { field, distance, otherwise } => {
            (u64::from(distance) <= field.read(words), otherwise)
        }
        I::FieldsEqual { offset, left, right, otherwise } => {
            (equal(fields(left, offset, right)), otherwise)
        }
        I::FieldsNotEqual { offset, left, right, otherwise } => {
            (!equal(fields(left, offset, right)), otherwise)
        }
        I::FieldsLess { offset, left, right, otherwise } => {
            (less(fields(left, offset, right)), otherwise)
        }
        I::FieldsLessEqual { offset, left, right, otherwise } => {
            (less_equal(fields(left, offset, right)), otherwise)
        }
        I::Equal { left, right, otherwise } => (equal(both(left, right)), otherwise),
        I::NotEqual { left, right, otherwise } => (!equal(both(left, right)), otherwise),
        I::Less { left, right, otherwise } => (less(both(left, right)), otherwise),
        I::LessEqual { left, right, otherwise } => (less_equal(both(left, right)), otherwise),
        I::EqualConstant { left, right, otherwise } => (equal(constant(left, right)), otherwise),
        I::NotEqualConstant { left, right, otherwise } => {
            (!equal(constant(left, right)), otherwise)
        }
        I::LessConstant { left, right, otherwise } => (less(constant(left, right)), otherwise),
        I::AtLeastConstant { left, right, otherwise } => (!less(constant(left, right)), otherwise),
        I::Flag { flag, expected, otherwise } => ((flags >> flag & 1 == 1) == expected, otherwise),
        _ => return None,
    })
}

fn equal((left, right): (i64, i64)) -> bool {
    left == right
}

fn less((left, right): (i64, i64)) -> bool {
    left < right
}

fn less_equal((left, right): (i64, i64)) -> bool {
    left <= right
}

/// Does what an instruction does that neither tests nor jumps; nothing if it
/// cannot.
#[inline(always)]
fn compute(
    code: &Code,
    instruction: &Instruction,
    words: &mut [u64],
    registers: &mut Registers,
) -> Option<()> {
    use Instruction as I;
    let read = |register: u8| registers[usize::from(register)];
    let array = |number: u16| &code.arrays[usize::from(number)];
    let at = |field: Field, offset: i32| field.read(words).cast_signed() + i64::from(offset);
    let (to, value) = match *instruction {
        I::Constant { to, value } => (to, i64::from(value)),
        I::WideConstant { to, index } => (to, code.wide[index as usize]),
        I::Move { to, from } => (to, read(from)),
        I::Load { to, field, low } => (to, at(field, low)),
        I::ElementAt { to, array: number, field, offset } => {
            (to, array(number).read(words, at(field, offset))?)
        }
        I::Element { to, index, array: number } => (to, array(number).read(words, read(index))?),
        I::Table { to, index, table } => {
            let index = usize::try_from(read(index)).ok()?;
            (to, *code.tables[table as usize].get(index)?)
        }
        I::Add { to, left, right } => (to, read(left).checked_add(read(right))?),
        I::Subtract { to, left, right } => (to, read(left).checked_sub(read(right))?),
        I::AddConstant { to, left, right } => (to, read(left).checked_add(i64::from(right))?),
        I::Binary { operator, to, left, right } => (to, binary(operator, read(left), read(right))?),
        I::Unary { operator, to, from } => (to, operator.apply(read(from))?),
        _ => return store(code, instruction, words, registers),
    };
    registers[usize::from(to)] = value;
    Some(())
}

/// Changes the state; nothing if a value or an index is out of range.
#[inline(always)]
fn store(
    code: &Code,
    instruction: &Instruction,
    words: &mut [u64],
    registers: &Registers,
) -> Option<()> {
    use Instruction as I;
    let read = |register: u8| registers[usize::from(register)];
    let array = |number: u16| &code.arrays[usize::from(number)];
    match *instruction {
        I::SetField { field, distance } => field.write(words, u64::from(distance)),
        I::CopyField { to, from, offset } => {
            let distance = from.read(words).wrapping_add_signed(i64::from(offset));
            to.write(words, distance);
        }
        I::AddToField { field, offset, span } => {
            let distance = field.read(words).wrapping_add_signed(i64::from(offset));
            field.write(words, (distance <= u64::from(span)).then_some(distance)?);
        }
        I::Store { from, field, low, span } => {
            let distance = read(from).wrapping_sub(i64::from(low)).cast_unsigned();
            field.write(words, (distance <= u64::from(span)).then_some(distance)?);
        }
        I::StoreAt { from, array: number, field, offset } => {
            let index = field.read(words).cast_signed() + i64::from(offset);
            array(number).write(words, index, read(from))?;
        }
        I::StoreElement { from, index, array: number } => {
            array(number).write(words, read(index), read(from))?;
        }
        // `Fail`, and what the callers have done already.
        _ => return None,
    }
    Some(())
}

/// [`BinaryOperator::apply`], except that small numbers are divided in 32 bits:
/// twice as fast on many processors.
fn binary(operator: BinaryOperator, left: i64, right: i64) -> Option<i64> {
    match (operator, u32::try_from(left), u32::try_from(right)) {
        (BinaryOperator::Divide, Ok(left), Ok(right)) => left.checked_div(right).map(i64::from),
        (BinaryOperator::Remainder, Ok(left), Ok(right)) => left.checked_rem(right).map(i64::from),
        _ => operator.apply(left, right),
    }
}

/// Puts choices number `index` into registers; false if there are not as many.
fn choose(ranges: &[(i64, i64)], index: u32, registers: &mut Registers) -> bool {
    let mut left = i64::from(index);
    for (number, &(low, n_values)) in ranges.iter().enumerate().rev() {
        if let Some(register) = registers.get_mut(number) {
            *register = low + left % n_values;
        }
        left /= n_values;
    }
    left == 0
}

fn index(distance: u64) -> usize {
    usize::try_from(distance).unwrap_or(usize::MAX)
}
