//! The instructions of compiled programs.
//!
//! They work on a packed state in place, with 256 registers beside it. Most
//! are superinstructions: what a guard tests or an effect does is usually one
//! instruction, since the time goes into fetching them. Each has sixteen
//! bytes.
//!
//! Numbers inside are *distances* where they concern a field, which is how a
//! value is stored, and values where they concern a register.

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

/// One instruction. Where it says `otherwise`, it is a test: if it fails, what
/// comes next is there. Places in the code are labels while code is emitted.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    /// The distance is one of the bits of `set`; there are at most 32.
    In {
        field: Field,
        set: u32,
        otherwise: u32,
    },
    FieldEqual {
        field: Field,
        distance: u32,
        otherwise: u32,
    },
    FieldNotEqual {
        field: Field,
        distance: u32,
        otherwise: u32,
    },
    FieldLess {
        field: Field,
        distance: u32,
        otherwise: u32,
    },
    FieldAtLeast {
        field: Field,
        distance: u32,
        otherwise: u32,
    },
    /// `left + offset == right`; so all with an offset.
    FieldsEqual {
        offset: i16,
        left: Field,
        right: Field,
        otherwise: u32,
    },
    FieldsNotEqual {
        offset: i16,
        left: Field,
        right: Field,
        otherwise: u32,
    },
    FieldsLess {
        offset: i16,
        left: Field,
        right: Field,
        otherwise: u32,
    },
    FieldsLessEqual {
        offset: i16,
        left: Field,
        right: Field,
        otherwise: u32,
    },
    Equal {
        left: u8,
        right: u8,
        otherwise: u32,
    },
    NotEqual {
        left: u8,
        right: u8,
        otherwise: u32,
    },
    Less {
        left: u8,
        right: u8,
        otherwise: u32,
    },
    LessEqual {
        left: u8,
        right: u8,
        otherwise: u32,
    },
    EqualConstant {
        left: u8,
        right: i32,
        otherwise: u32,
    },
    NotEqualConstant {
        left: u8,
        right: i32,
        otherwise: u32,
    },
    LessConstant {
        left: u8,
        right: i32,
        otherwise: u32,
    },
    AtLeastConstant {
        left: u8,
        right: i32,
        otherwise: u32,
    },
    /// Some condition that was evaluated at the beginning.
    Flag {
        flag: u8,
        expected: bool,
        otherwise: u32,
    },

    Jump {
        to: u32,
    },
    /// Goes where the table says that the distance leads.
    Switch {
        field: Field,
        table: u32,
    },
    /// Enters the lane at hand.
    Enter,
    /// Goes on to the next lane and enters it.
    NextLane,
    /// Puts the choices at hand into registers; otherwise there are no more.
    Choose {
        choices: u32,
        otherwise: u32,
    },
    /// Tries the next choices.
    Retry {
        to: u32,
    },
    /// The successor is complete; the next one is looked for at `resume`.
    Fire {
        transition: u32,
        resume: u32,
    },
    /// As [`Instruction::Fire`], and there are more choices.
    FireChoice {
        transition: u32,
        resume: u32,
    },
    SetFlag {
        flag: u8,
    },
    /// What was to be computed is computed.
    Halt,

    /// Something goes wrong, or is too large for us: let the interpreter see.
    Fail,
    Constant {
        to: u8,
        value: i32,
    },
    WideConstant {
        to: u8,
        index: u32,
    },
    Move {
        to: u8,
        from: u8,
    },
    Load {
        to: u8,
        field: Field,
        low: i32,
    },
    /// The element whose index is `field + offset`.
    ElementAt {
        to: u8,
        array: u16,
        field: Field,
        offset: i32,
    },
    Element {
        to: u8,
        index: u8,
        array: u16,
    },
    /// The element of an array that never changes.
    Table {
        to: u8,
        index: u8,
        table: u32,
    },
    Add {
        to: u8,
        left: u8,
        right: u8,
    },
    Subtract {
        to: u8,
        left: u8,
        right: u8,
    },
    AddConstant {
        to: u8,
        left: u8,
        right: i32,
    },
    Binary {
        operator: BinaryOperator,
        to: u8,
        left: u8,
        right: u8,
    },
    Unary {
        operator: UnaryOperator,
        to: u8,
        from: u8,
    },

    SetField {
        field: Field,
        distance: u32,
    },
    /// `to = from + offset`, which is known to fit.
    CopyField {
        to: Field,
        from: Field,
        offset: i32,
    },
    /// `field += offset`, if that is at most `span`.
    AddToField {
        field: Field,
        offset: i32,
        span: u32,
    },
    Store {
        from: u8,
        field: Field,
        low: i32,
        span: u32,
    },
    StoreAt {
        from: u8,
        array: u16,
        field: Field,
        offset: i32,
    },
    StoreElement {
        from: u8,
        index: u8,
        array: u16,
    },
}

const _: () = assert!(size_of::<Instruction>() == 16, "instructions are compact");

impl Instruction {
    /// The place in the code that the instruction names, to be replaced.
    pub(super) fn place(&mut self) -> Option<&mut u32> {
        use Instruction as I;
        match self {
            I::In { otherwise, .. }
            | I::FieldEqual { otherwise, .. }
            | I::FieldNotEqual { otherwise, .. }
            | I::FieldLess { otherwise, .. }
            | I::FieldAtLeast { otherwise, .. }
            | I::FieldsEqual { otherwise, .. }
            | I::FieldsNotEqual { otherwise, .. }
            | I::FieldsLess { otherwise, .. }
            | I::FieldsLessEqual { otherwise, .. }
            | I::Equal { otherwise, .. }
            | I::NotEqual { otherwise, .. }
            | I::Less { otherwise, .. }
            | I::LessEqual { otherwise, .. }
            | I::EqualConstant { otherwise, .. }
            | I::NotEqualConstant { otherwise, .. }
            | I::LessConstant { otherwise, .. }
            | I::AtLeastConstant { otherwise, .. }
            | I::Flag { otherwise, .. }
            | I::Choose { otherwise, .. } => Some(otherwise),
            I::Jump { to } | I::Retry { to } => Some(to),
            I::Fire { resume, .. } | I::FireChoice { resume, .. } => Some(resume),
            _ => None,
        }
    }
}
