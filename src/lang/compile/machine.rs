//! Runs compiled code: the hot loop.
//!
//! A machine has no idea of programs. It runs [`Code`] on a packed state from
//! a given place on until a successor is complete, the lanes are exhausted,
//! what was to be computed is computed, or something goes wrong.
//!
//! A just-in-time compiler would plug in here: it would replace [`run`] by
//! machine code from the same instructions, with [`Standing`] as what goes in
//! and out.

#![allow(clippy::inline_always, reason = "what one step of the loop does must be part of the loop")]

use super::instruction::{
    Array, Choose, ConstantTest, ElementAt, Field, FieldTest, Fire, FirePatched, FlagTest,
    Instruction, Patch, Register, Switch, Test,
};
use crate::lang::program::BinaryOperator;

/// How many flags there can be: a cursor keeps them in eight bits.
pub(super) const MAX_FLAGS: u8 = 8;

/// The registers. An index of eight bits is always one of them.
pub(super) type Registers = [i64; 256];

/// The register in which a routine finds where it was called.
pub(super) const RETURN: u8 = u8::MAX;

/// Code and what it refers to.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) instructions: Vec<Instruction>,
    /// Everything else. Behind a pointer of its own, because otherwise each
    /// run begins with loading all of it into registers and onto the stack.
    pub(super) data: Box<Data>,
}

/// What code refers to.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// Where switches lead.
    pub(super) places: Vec<u32>,
    /// How lanes begin.
    pub(super) heads: Vec<Switch>,
    /// The place that goes on to the next lane: where a lane leads that has
    /// nothing to offer.
    pub(super) next_lane: u32,
    /// The place that says that there are no more lanes.
    pub(super) exhausted: u32,
    /// The place behind the last lane, where routines begin.
    pub(super) routines: u32,
    pub(super) arrays: Vec<Array>,
    pub(super) patches: Vec<Patch>,
    /// Arrays that never change.
    pub(super) tables: Vec<Box<[i64]>>,
    pub(super) wide: Vec<i64>,
    /// Ranges of the choices of transitions: the least value, and how many.
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
}

impl Standing {
    /// Where the present lane begins, or the first one after it that may have
    /// something to offer.
    #[inline(always)]
    fn enter(&mut self, data: &Data, words: &[u64]) -> u32 {
        while (self.turn as usize) < data.heads.len() {
            let place = data.heads[self.lane as usize].place(data, words);
            if place != data.next_lane {
                return place;
            }
            self.leave(data);
        }
        data.exhausted
    }

    /// Leaves the present lane.
    #[inline(always)]
    fn leave(&mut self, data: &Data) {
        self.turn += 1;
        self.lane += 1;
        if self.lane as usize == data.heads.len() {
            self.lane = 0;
        }
    }

    #[inline(always)]
    fn next_lane(&mut self, data: &Data, words: &[u64]) -> u32 {
        self.leave(data);
        self.enter(data, words)
    }

    #[inline(never)]
    fn choose(&mut self, choose: Choose, data: &Data, registers: &mut Registers) -> Option<u32> {
        let mut left = i64::from(self.choice);
        let ranges = &data.choices[choose.choices as usize];
        for (number, &(low, n_values)) in ranges.iter().enumerate().rev() {
            if let Some(register) = registers.get_mut(number) {
                *register = low + left % n_values;
            }
            left /= n_values;
        }
        if left != 0 {
            self.choice = 0;
            return Some(choose.otherwise);
        }
        None
    }

    fn retry(&mut self, to: u32) -> u32 {
        self.choice += 1;
        to
    }

    #[inline(always)]
    fn note(&mut self, flags: u64, to: u32) -> u32 {
        self.flags |= flags;
        self.choice = 0;
        to
    }

    #[inline(always)]
    fn fire(&mut self, fire: Fire) -> Exit {
        self.place = fire.resume;
        Exit::Fired(fire.transition)
    }

    #[inline(always)]
    fn fire_patched(&mut self, fire: FirePatched, data: &Data, words: &mut [u64]) -> Exit {
        data.patches[fire.patch as usize].apply(words);
        self.place = fire.resume;
        Exit::Fired(fire.transition)
    }

    fn fire_choice(&mut self, fire: Fire) -> Exit {
        self.choice += 1;
        self.fire(fire)
    }
}

/// Runs `code` on the state `words` from where it stands. Gives nothing if
/// something goes wrong; it then stands at the instruction that fails.
///
/// One `match` and one arm for each instruction, so that the compiler makes one
/// table of jumps.
#[inline(always)]
pub(super) fn run(
    code: &Code,
    words: &mut [u64],
    registers: &mut Registers,
    at: &mut Standing,
) -> Option<Exit> {
    use Instruction as I;
    let data = &*code.data;
    let mut next = at.place;
    loop {
        at.place = next;
        let instruction = &code.instructions[next as usize];
        next += 1;
        let field = |field: Field| field.read(words);
        let value = |register: Register| registers[usize::from(register)];
        match *instruction {
            I::In(test) => next = test.go(next, test.right() >> field(test.left) & 1 == 1),
            I::FieldEqual(test) => next = test.go(next, field(test.left) == test.right()),
            I::FieldNotEqual(test) => next = test.go(next, field(test.left) != test.right()),
            I::FieldLess(test) => next = test.go(next, field(test.left) < test.right()),
            I::FieldAtLeast(test) => next = test.go(next, test.right() <= field(test.left)),
            I::FieldsEqual(test) => next = test.go(next, field(test.left) == field(test.right)),
            I::FieldsNotEqual(test) => next = test.go(next, field(test.left) != field(test.right)),
            I::FieldsLess(test) => next = test.go(next, field(test.left) < field(test.right)),
            I::FieldsLessEqual(test) => next = test.go(next, field(test.left) <= field(test.right)),
            I::Equal(test) => next = test.go(next, value(test.left) == value(test.right)),
            I::NotEqual(test) => next = test.go(next, value(test.left) != value(test.right)),
            I::Less(test) => next = test.go(next, value(test.left) < value(test.right)),
            I::LessEqual(test) => next = test.go(next, value(test.left) <= value(test.right)),
            I::EqualConstant(test) => next = test.go(next, value(test.left) == test.right()),
            I::NotEqualConstant(test) => next = test.go(next, value(test.left) != test.right()),
            I::LessConstant(test) => next = test.go(next, value(test.left) < test.right()),
            I::AtLeastConstant(test) => next = test.go(next, test.right() <= value(test.left)),
            I::Flag(test) => next = test.go(next, at.flags),
            I::Jump(to) => next = to,
            I::Call(to) => next = call(registers, next, to),
            I::Return(is_true) => next = returned(registers) + u32::from(is_true),
            I::Switch(switch) => next = switch.place(data, words),
            I::Enter => next = at.enter(data, words),
            I::NextLane => next = at.next_lane(data, words),
            I::Exhausted => return Some(Exit::Exhausted),
            I::Choose(choose) => next = at.choose(choose, data, registers).unwrap_or(next),
            I::Retry(to) => next = at.retry(to),
            I::Fire(fire) => return Some(at.fire(fire)),
            I::FirePatched(fire) => return Some(at.fire_patched(fire, data, words)),
            I::FireChoice(fire) => return Some(at.fire_choice(fire)),
            I::SetFlag(flag) => at.flags |= 1 << flag,
            I::Note(flags, to) => next = at.note(flags, to),
            I::Halt => return Some(Exit::Halted),
            I::Fail => return None,
            I::Patch(patch) => data.patches[patch as usize].apply(words),
            I::LoadAt(from) => put(registers, from.register, from.read(data, words)?),
            I::StoreAt(to) => to.write(data, words, registers)?,
            _ => compute(data, instruction, words, registers)?,
        }
    }
}

/// Notes where a call goes on, and gives where it leads.
fn call(registers: &mut Registers, next: u32, to: u32) -> u32 {
    put(registers, RETURN, i64::from(next));
    to
}

/// The place behind the call that came last.
pub(super) fn returned(registers: &Registers) -> u32 {
    u32::try_from(registers[usize::from(RETURN)]).unwrap_or(0)
}

fn put(registers: &mut Registers, to: u8, value: i64) {
    registers[usize::from(to)] = value;
}

impl<L, R> Test<L, R> {
    /// Where a test leads that comes before `next`.
    #[inline(always)]
    fn go(self, next: u32, holds: bool) -> u32 {
        if holds { next } else { self.otherwise }
    }
}

impl FieldTest {
    #[inline(always)]
    fn right(self) -> u64 {
        u64::from(self.right)
    }
}

impl ConstantTest {
    #[inline(always)]
    fn right(self) -> i64 {
        i64::from(self.right)
    }
}

impl FlagTest {
    #[inline(always)]
    fn go(self, next: u32, flags: u64) -> u32 {
        if (flags >> self.flag & 1 == 1) == self.expected { next } else { self.otherwise }
    }
}

impl Switch {
    #[inline(always)]
    fn place(self, data: &Data, words: &[u64]) -> u32 {
        data.places[self.table as usize + index(self.field.read(words))]
    }
}

impl ElementAt {
    #[inline(always)]
    fn index(self, words: &[u64]) -> i64 {
        self.field.read(words).cast_signed() + i64::from(self.offset)
    }

    #[inline(always)]
    fn read(self, data: &Data, words: &[u64]) -> Option<i64> {
        data.arrays[usize::from(self.array)].read(words, self.index(words))
    }

    #[inline(always)]
    fn write(self, data: &Data, words: &mut [u64], registers: &Registers) -> Option<()> {
        let value = registers[usize::from(self.register)];
        data.arrays[usize::from(self.array)].write(words, self.index(words), value)
    }
}

/// Does what an instruction does that neither tests nor jumps; nothing if it
/// cannot.
#[inline(always)]
fn compute(
    data: &Data,
    instruction: &Instruction,
    words: &mut [u64],
    registers: &mut Registers,
) -> Option<()> {
    use Instruction as I;
    let read = |register: u8| registers[usize::from(register)];
    let distance =
        |field: Field, offset: i32| field.read(words).wrapping_add_signed(i64::from(offset));
    match *instruction {
        I::Constant(to, value) => put(registers, to, i64::from(value)),
        I::Move(to, from) => put(registers, to, read(from)),
        I::Load(to, field, low) => put(registers, to, distance(field, low).cast_signed()),
        I::Add(to, left, right) => put(registers, to, read(left).checked_add(read(right))?),
        I::Subtract(to, left, right) => {
            put(registers, to, read(left).checked_sub(read(right))?);
        }
        I::AddConstant(to, left, right) => {
            put(registers, to, read(left).checked_add(i64::from(right))?);
        }
        I::SetField(field, distance) => field.write(words, u64::from(distance)),
        I::CopyField(to, from, offset) => to.write(words, distance(from, offset)),
        I::AddToField(field, offset, span) => {
            let distance = distance(field, offset);
            field.write(words, (distance <= u64::from(span)).then_some(distance)?);
        }
        I::Store(field, from, low, span) => {
            let distance = read(from).wrapping_sub(i64::from(low)).cast_unsigned();
            field.write(words, (distance <= u64::from(span)).then_some(distance)?);
        }
        I::StoreElement(to) => {
            let array = &data.arrays[usize::from(to.array)];
            array.write(words, read(to.index), read(to.register))?;
        }
        _ => compute_rarely(data, instruction, words, registers)?,
    }
    Some(())
}

/// What comes less often. Out of line, to keep the loop small.
#[inline(never)]
fn compute_rarely(
    data: &Data,
    instruction: &Instruction,
    words: &[u64],
    registers: &mut Registers,
) -> Option<()> {
    use Instruction as I;
    let read = |register: u8| registers[usize::from(register)];
    let (to, value) = match *instruction {
        I::WideConstant(to, index) => (to, data.wide[index as usize]),
        I::LoadElement(from) => {
            let array = &data.arrays[usize::from(from.array)];
            (from.register, array.read(words, read(from.index))?)
        }
        I::Table(to, index, table) => {
            let index = usize::try_from(read(index)).ok()?;
            (to, *data.tables[table as usize].get(index)?)
        }
        I::Binary(operator, to, left, right) => (to, binary(operator, read(left), read(right))?),
        I::Unary(operator, to, from) => (to, operator.apply(read(from))?),
        // What the callers have done already.
        _ => return None,
    };
    put(registers, to, value);
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

fn index(distance: u64) -> usize {
    usize::try_from(distance).unwrap_or(usize::MAX)
}
