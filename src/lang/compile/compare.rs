//! Turns comparisons into code: the tests that most guards consist of.

use super::emit::{Emitter, Label, Unfit};
use super::instruction::{Field, Instruction};
use crate::lang::program::{BinaryOperator, ExpressionId};

/// A comparison that is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
}

impl Emitter<'_> {
    /// Goes on if the comparison is as true as `wanted`, else to `otherwise`.
    pub(super) fn compare(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        wanted: bool,
        otherwise: Label,
        free: u8,
    ) -> Result<(), Unfit> {
        let (relation, left, right) = match (operator, wanted) {
            (BinaryOperator::Equal, true) | (BinaryOperator::NotEqual, false) => {
                (Relation::Equal, left, right)
            }
            (BinaryOperator::Equal, false) | (BinaryOperator::NotEqual, true) => {
                (Relation::NotEqual, left, right)
            }
            (BinaryOperator::Less, true) => (Relation::Less, left, right),
            (BinaryOperator::LessEqual, true) => (Relation::LessEqual, left, right),
            (BinaryOperator::Less, false) => (Relation::LessEqual, right, left),
            (BinaryOperator::LessEqual, false) => (Relation::Less, right, left),
            _ => return Err(Unfit),
        };
        let is_done = match (self.constant(left), self.constant(right)) {
            (None, Some(constant)) => {
                self.with_constant(relation, left, constant, otherwise, free)?
            }
            (Some(constant), None) => match relation {
                Relation::Equal | Relation::NotEqual => {
                    self.with_constant(relation, right, constant, otherwise, free)?
                }
                // `c < x` is `x >= c + 1`.
                Relation::Less => match constant.checked_add(1) {
                    Some(least) => self.at_least(right, least, otherwise, free)?,
                    None => false,
                },
                Relation::LessEqual => self.at_least(right, constant, otherwise, free)?,
            },
            _ => self.two_fields(relation, left, right, otherwise),
        };
        if is_done {
            return Ok(());
        }
        let left = self.any_register(left, free)?;
        let right = self.any_register(right, free + 1)?;
        let otherwise = otherwise.0;
        self.push(match relation {
            Relation::Equal => Instruction::Equal { left, right, otherwise },
            Relation::NotEqual => Instruction::NotEqual { left, right, otherwise },
            Relation::Less => Instruction::Less { left, right, otherwise },
            Relation::LessEqual => Instruction::LessEqual { left, right, otherwise },
        });
        Ok(())
    }

    /// Compares two fields, if that is what the operands are.
    fn two_fields(
        &mut self,
        relation: Relation,
        left: ExpressionId,
        right: ExpressionId,
        otherwise: Label,
    ) -> bool {
        let (Some((left, left_low)), Some((right, right_low))) =
            (self.affine(left), self.affine(right))
        else {
            return false;
        };
        let Some(offset) =
            left_low.checked_sub(right_low).and_then(|offset| i16::try_from(offset).ok())
        else {
            return false;
        };
        let otherwise = otherwise.0;
        self.push(match relation {
            Relation::Equal => Instruction::FieldsEqual { offset, left, right, otherwise },
            Relation::NotEqual => Instruction::FieldsNotEqual { offset, left, right, otherwise },
            Relation::Less => Instruction::FieldsLess { offset, left, right, otherwise },
            Relation::LessEqual => Instruction::FieldsLessEqual { offset, left, right, otherwise },
        });
        true
    }

    /// Compares something on the left with a constant on the right; false if
    /// the constant is too large for that.
    fn with_constant(
        &mut self,
        relation: Relation,
        left: ExpressionId,
        constant: i64,
        otherwise: Label,
        free: u8,
    ) -> Result<bool, Unfit> {
        // `x <= c` is `x < c + 1`.
        let (relation, constant) = match (relation, constant.checked_add(1)) {
            (Relation::LessEqual, Some(above)) => (Relation::Less, above),
            (Relation::LessEqual, None) => return Ok(false),
            _ => (relation, constant),
        };
        if let Some((field, low)) = self.affine(left)
            && let Some(distance) = constant.checked_sub(low)
        {
            self.field_with_constant(relation, field, distance, otherwise);
            return Ok(true);
        }
        let Ok(right) = i32::try_from(constant) else { return Ok(false) };
        let left = self.any_register(left, free)?;
        let otherwise = otherwise.0;
        self.push(match relation {
            Relation::Equal => Instruction::EqualConstant { left, right, otherwise },
            Relation::NotEqual => Instruction::NotEqualConstant { left, right, otherwise },
            Relation::Less | Relation::LessEqual => {
                Instruction::LessConstant { left, right, otherwise }
            }
        });
        Ok(true)
    }

    fn field_with_constant(
        &mut self,
        relation: Relation,
        field: Field,
        distance: i64,
        otherwise: Label,
    ) {
        let otherwise = otherwise.0;
        match (relation, u32::try_from(distance)) {
            (Relation::Equal, Ok(distance)) => {
                self.push(Instruction::FieldEqual { field, distance, otherwise });
            }
            (Relation::NotEqual, Ok(distance)) => {
                self.push(Instruction::FieldNotEqual { field, distance, otherwise });
            }
            (Relation::Less | Relation::LessEqual, Ok(distance)) => {
                self.push(Instruction::FieldLess { field, distance, otherwise });
            }
            // No field holds such a distance: it is negative or above all.
            (Relation::NotEqual, Err(_)) => (),
            (Relation::Less | Relation::LessEqual, Err(_)) if 0 < distance => (),
            _ => self.push(Instruction::Jump { to: otherwise }),
        }
    }

    /// Goes on if an expression is at least a constant; false if the constant
    /// is too large for that.
    fn at_least(
        &mut self,
        left: ExpressionId,
        least: i64,
        otherwise: Label,
        free: u8,
    ) -> Result<bool, Unfit> {
        let otherwise = otherwise.0;
        if let Some((field, low)) = self.affine(left)
            && let Some(distance) = least.checked_sub(low)
        {
            match u32::try_from(distance) {
                Ok(distance) => self.push(Instruction::FieldAtLeast { field, distance, otherwise }),
                Err(_) if distance < 0 => (),
                Err(_) => self.push(Instruction::Jump { to: otherwise }),
            }
            return Ok(true);
        }
        let Ok(right) = i32::try_from(least) else { return Ok(false) };
        let left = self.any_register(left, free)?;
        self.push(Instruction::AtLeastConstant { left, right, otherwise });
        Ok(true)
    }
}
