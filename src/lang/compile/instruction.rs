//! The instructions of compiled programs.
//!
//! They work on a packed state in place, with 256 registers beside it. Most
//! are superinstructions: what a guard tests or an effect does is usually one
//! instruction, since the time goes into fetching them. Each has sixteen
//! bytes.
//!
//! Numbers inside are *distances* where they concern a field, which is how a
//! value is stored, and values where they concern a register.

#![allow(clippy::inline_always, reason = "what one step of the loop does must be part of the loop")]

use crate::lang::program::{BinaryOperator, UnaryOperator};

/// Bits of a packed state that hold one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Field {
    word: u16,
    /// How many bits of the word are above the field.
    left: u8,
    /// How many bits a word has beside the field.
    right: u8,
}

impl Field {
    /// The `width` bits from `shift` on in a word; nothing if there are too
    /// many words.
    pub(super) fn new(word: usize, shift: usize, width: u32) -> Option<Self> {
        let right = u8::try_from(64 - width).ok()?;
        let shift = u8::try_from(shift).ok()?;
        Some(Self { word: u16::try_from(word).ok()?, left: right.checked_sub(shift)?, right })
    }

    /// The distance in this field.
    #[inline(always)]
    pub(super) fn read(self, words: &[u64]) -> u64 {
        let word = words[usize::from(self.word)];
        word.wrapping_shl(u32::from(self.left)).wrapping_shr(u32::from(self.right))
    }

    /// Replaces the distance, which must fit.
    #[inline(always)]
    pub(super) fn write(self, words: &mut [u64], distance: u64) {
        let shift = u32::from(self.right.wrapping_sub(self.left));
        let mask = u64::MAX.wrapping_shr(u32::from(self.right)).wrapping_shl(shift);
        let word = &mut words[usize::from(self.word)];
        *word = *word & !mask | distance.wrapping_shl(shift);
    }
}

/// Constants for some fields of one word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    word: u16,
    /// The bits of other fields.
    keep: u64,
    set: u64,
}

impl Patch {
    /// A patch that sets one field.
    pub(super) fn new(field: Field, distance: u32) -> Self {
        let mut words = [u64::MAX];
        Field { word: 0, ..field }.write(&mut words, 0);
        let [keep] = words;
        Field { word: 0, ..field }.write(&mut words, u64::from(distance));
        Self { word: field.word, keep, set: words[0] & !keep }
    }

    /// Takes in another patch of the same word; false if it is of another.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        if self.word == other.word {
            self.keep &= other.keep;
            self.set |= other.set;
        }
        self.word == other.word
    }

    #[inline(always)]
    pub(super) fn apply(&self, words: &mut [u64]) {
        let word = &mut words[usize::from(self.word)];
        *word = *word & self.keep | self.set;
    }
}

/// An array in the words of a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array {
    /// The number of elements; less than 2²⁶.
    pub(super) len: u64,
    /// The least value of an element.
    pub(super) low: i64,
    /// The greatest distance of an element.
    pub(super) span: u64,
    pub(super) word: u32,
    pub(super) shift: u32,
    pub(super) width: u32,
    pub(super) per_word: u32,
    /// 2³² / `per_word`, rounded up, so that an index is divided by a
    /// multiplication; 0 if all elements are in one word.
    pub(super) reciprocal: u64,
}

impl Array {
    /// Word and lowest bit of an element; nothing if there is no such element.
    #[inline(always)]
    fn locate(&self, index: i64) -> Option<(usize, u64)> {
        let index = index.cast_unsigned();
        if self.len <= index {
            return None;
        }
        // Exact for indices below 2³² / `per_word`, which is at least 2²⁶.
        let skipped = index.wrapping_mul(self.reciprocal) >> 32;
        let inside = index - skipped * u64::from(self.per_word);
        let bit = u64::from(self.shift) + inside * u64::from(self.width);
        Some((self.word as usize + usize::try_from(skipped).ok()?, bit))
    }

    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// The value of an element.
    #[inline(always)]
    pub(super) fn read(&self, words: &[u64], index: i64) -> Option<i64> {
        let (word, bit) = self.locate(index)?;
        let distance = words[word] >> bit & self.mask();
        Some(self.low.wrapping_add_unsigned(distance))
    }

    /// Gives an element a value; nothing if index or value are out of range.
    #[inline(always)]
    pub(super) fn write(&self, words: &mut [u64], index: i64, value: i64) -> Option<()> {
        let (word, bit) = self.locate(index)?;
        // A value below `low` wraps around and becomes too large.
        let distance = value.wrapping_sub(self.low).cast_unsigned();
        if self.span < distance {
            return None;
        }
        let word = &mut words[word];
        *word = *word & !(self.mask() << bit) | distance << bit;
        Some(())
    }
}

/// A register, by its number.
pub(super) type Register = u8;

/// Compares two operands: fields, registers and constants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test<L, R> {
    pub(super) left: L,
    pub(super) right: R,
    pub(super) otherwise: u32,
}

/// Compares a field with a distance, or with a set of distances as bits.
pub(super) type FieldTest = Test<Field, u32>;

/// Compares two fields.
pub(super) type FieldsTest = Test<Field, Field>;

/// Compares two registers.
pub(super) type RegistersTest = Test<Register, Register>;

/// Compares a register with a constant.
pub(super) type ConstantTest = Test<Register, i32>;

/// Looks at a condition that was evaluated at the beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlagTest {
    pub(super) flag: u8,
    pub(super) expected: bool,
    pub(super) otherwise: u32,
}

/// Goes where a table says that the distance in a field leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switch {
    pub(super) field: Field,
    pub(super) table: u32,
}

/// Puts choices into registers, or goes elsewhere if there are no more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choose {
    pub(super) choices: u32,
    pub(super) otherwise: u32,
}

/// The successor is complete; the next one is looked for at `resume`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fire {
    pub(super) transition: u32,
    pub(super) resume: u32,
}

/// As [`Fire`], after a last patch.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirePatched {
    pub(super) patch: u32,
    pub(super) transition: u32,
    pub(super) resume: u32,
}

/// An element of an array whose index is `field + offset`, and a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct ElementAt {
    pub(super) register: Register,
    pub(super) array: u16,
    pub(super) field: Field,
    pub(super) offset: i32,
}

/// An element of an array whose index is in a register, and a register.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) register: Register,
    pub(super) index: Register,
    pub(super) array: u16,
}

/// One instruction. Tests go on if they hold, and else where they say. What an
/// instruction writes comes first among its operands, as in assembly. Places in
/// the code are labels while code is emitted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// The distance is one of a set of at most 32.
    In(FieldTest),
    FieldEqual(FieldTest),
    FieldNotEqual(FieldTest),
    FieldLess(FieldTest),
    FieldAtLeast(FieldTest),
    FieldsEqual(FieldsTest),
    FieldsNotEqual(FieldsTest),
    FieldsLess(FieldsTest),
    FieldsLessEqual(FieldsTest),
    Equal(RegistersTest),
    NotEqual(RegistersTest),
    Less(RegistersTest),
    LessEqual(RegistersTest),
    EqualConstant(ConstantTest),
    NotEqualConstant(ConstantTest),
    LessConstant(ConstantTest),
    AtLeastConstant(ConstantTest),
    Flag(FlagTest),

    Jump(u32),
    /// Goes to a routine, and notes where to go on behind it.
    Call(u32),
    /// Goes on behind a call: with the second instruction if the routine says yes.
    Return(bool),
    Switch(Switch),
    /// Enters the present lane.
    Enter,
    /// Goes on to the next lane and enters it.
    NextLane,
    /// There are no more lanes.
    Exhausted,
    Choose(Choose),
    /// Tries the next choices.
    Retry(u32),
    Fire(Fire),
    FirePatched(FirePatched),
    /// As [`Instruction::Fire`], and there are more choices.
    FireChoice(Fire),
    SetFlag(u8),
    /// Sets flags, forgets choices and goes on elsewhere.
    Note(u64, u32),
    /// What was to be computed is computed.
    Halt,
    /// Something goes wrong, or is too large for us: let the interpreter see.
    Fail,

    Constant(Register, i32),
    WideConstant(Register, u32),
    Move(Register, Register),
    /// The value of a field whose least value is the last operand.
    Load(Register, Field, i32),
    LoadAt(ElementAt),
    LoadElement(Element),
    /// The element of an array that never changes: its index, and the number of the array.
    Table(Register, Register, u32),
    Add(Register, Register, Register),
    Subtract(Register, Register, Register),
    AddConstant(Register, Register, i32),
    Binary(BinaryOperator, Register, Register, Register),
    Unary(UnaryOperator, Register, Register),

    SetField(Field, u32),
    Patch(u32),
    /// The second field and an offset, whose sum is known to fit.
    CopyField(Field, Field, i32),
    /// Adds an offset to a field if the sum is at most the last operand.
    AddToField(Field, i32, u32),
    /// A register, if it lies between the least value of the field and a span above it.
    Store(Field, Register, i32, u32),
    StoreAt(ElementAt),
    StoreElement(Element),
}

const _: () = assert!(size_of::<Instruction>() == 16, "instructions are compact");

impl Instruction {
    /// The place in the code that the instruction names, to be replaced.
    pub(super) fn place(&mut self) -> Option<&mut u32> {
        use Instruction as I;
        match self {
            I::In(Test { otherwise, .. })
            | I::FieldEqual(Test { otherwise, .. })
            | I::FieldNotEqual(Test { otherwise, .. })
            | I::FieldLess(Test { otherwise, .. })
            | I::FieldAtLeast(Test { otherwise, .. })
            | I::FieldsEqual(Test { otherwise, .. })
            | I::FieldsNotEqual(Test { otherwise, .. })
            | I::FieldsLess(Test { otherwise, .. })
            | I::FieldsLessEqual(Test { otherwise, .. })
            | I::Equal(Test { otherwise, .. })
            | I::NotEqual(Test { otherwise, .. })
            | I::Less(Test { otherwise, .. })
            | I::LessEqual(Test { otherwise, .. })
            | I::EqualConstant(Test { otherwise, .. })
            | I::NotEqualConstant(Test { otherwise, .. })
            | I::LessConstant(Test { otherwise, .. })
            | I::AtLeastConstant(Test { otherwise, .. })
            | I::Flag(FlagTest { otherwise, .. })
            | I::Choose(Choose { otherwise, .. }) => Some(otherwise),
            I::Jump(to) | I::Call(to) | I::Retry(to) | I::Note(_, to) => Some(to),
            I::Fire(Fire { resume, .. })
            | I::FireChoice(Fire { resume, .. })
            | I::FirePatched(FirePatched { resume, .. }) => Some(resume),
            _ => None,
        }
    }
}
