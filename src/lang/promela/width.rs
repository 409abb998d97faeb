//! Which numbers a variable can hold, and what becomes of others.

use super::super::program::BinaryOperator::{Add, BitAnd, Subtract};
use super::super::program::{
    Expression as Lowered, ExpressionId as LoweredId, Program, VariableId,
};

/// Which numbers a variable can hold; others lose their upper bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Width {
    pub(super) bits: u32,
    pub(super) is_signed: bool,
}

impl Width {
    pub(super) const fn unsigned(bits: u32) -> Self {
        Self { bits, is_signed: false }
    }

    pub(super) const fn signed(bits: u32) -> Self {
        Self { bits, is_signed: true }
    }

    pub(super) fn low(self) -> i64 {
        if self.is_signed { -(1 << (self.bits - 1)) } else { 0 }
    }

    pub(super) fn high(self) -> i64 {
        self.low() + (1 << self.bits) - 1
    }

    pub(super) fn range(self) -> (i64, i64) {
        (self.low(), self.high())
    }

    /// `value` without the bits for which there is no room.
    pub(super) fn cut_off(self, value: i64) -> i64 {
        self.low() + ((value - self.low()) & ((1 << self.bits) - 1))
    }

    /// The same for an expression.
    pub(super) fn cut(self, program: &mut Program, value: LoweredId) -> LoweredId {
        let fits = |variable: VariableId| {
            let variable = &program.variables[variable];
            self.low() <= variable.low && variable.high <= self.high()
        };
        let fits = match program.view(value) {
            Lowered::Variable(variable) | Lowered::Element(variable, _) => fits(variable),
            Lowered::Constant(value) => (self.low()..=self.high()).contains(&value),
            _ => program.is_logical(value) && self.low() <= 0 && 1 <= self.high(),
        };
        if fits {
            return value;
        }
        let mask = program.constant((1 << self.bits) - 1);
        if !self.is_signed {
            return program.binary(BitAnd, value, mask);
        }
        let low = program.constant(self.low());
        let distance = program.binary(Subtract, value, low);
        let kept = program.binary(BitAnd, distance, mask);
        program.binary(Add, kept, low)
    }
}
