//! Turns comparisons into code: the tests that most guards consist of.

use super::emit::{Emitter, Fit, Label, Unfit};
use super::instruction::{Field, Instruction, Test};
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
    ) -> Fit {
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
        let test = Test { left, right, otherwise: otherwise.0 };
        self.push(match relation {
            Relation::Equal => Instruction::Equal(test),
            Relation::NotEqual => Instruction::NotEqual(test),
            Relation::Less => Instruction::Less(test),
            Relation::LessEqual => Instruction::LessEqual(test),
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
        if left_low != right_low {
            return false;
        }
        let test = Test { left, right, otherwise: otherwise.0 };
        self.push(match relation {
            Relation::Equal => Instruction::FieldsEqual(test),
            Relation::NotEqual => Instruction::FieldsNotEqual(test),
            Relation::Less => Instruction::FieldsLess(test),
            Relation::LessEqual => Instruction::FieldsLessEqual(test),
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
    ) -> Fit<bool> {
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
        let test = Test { left, right, otherwise: otherwise.0 };
        self.push(match relation {
            Relation::Equal => Instruction::EqualConstant(test),
            Relation::NotEqual => Instruction::NotEqualConstant(test),
            Relation::Less | Relation::LessEqual => Instruction::LessConstant(test),
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
        let test = |right| Test { left: field, right, otherwise };
        match (relation, u32::try_from(distance)) {
            (Relation::Equal, Ok(right)) => self.push(Instruction::FieldEqual(test(right))),
            (Relation::NotEqual, Ok(right)) => self.push(Instruction::FieldNotEqual(test(right))),
            (_, Ok(right)) => self.push(Instruction::FieldLess(test(right))),
            // No field holds such a distance: it is negative or above all.
            (Relation::NotEqual, Err(_)) => (),
            (Relation::Less | Relation::LessEqual, Err(_)) if 0 < distance => (),
            _ => self.push(Instruction::Jump(otherwise)),
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
    ) -> Fit<bool> {
        let otherwise = otherwise.0;
        if let Some((field, low)) = self.affine(left)
            && let Some(distance) = least.checked_sub(low)
        {
            match u32::try_from(distance) {
                Ok(right) => {
                    self.push(Instruction::FieldAtLeast(Test { left: field, right, otherwise }));
                }
                Err(_) if distance < 0 => (),
                Err(_) => self.push(Instruction::Jump(otherwise)),
            }
            return Ok(true);
        }
        let Ok(right) = i32::try_from(least) else { return Ok(false) };
        let left = self.any_register(left, free)?;
        self.push(Instruction::AtLeastConstant(Test { left, right, otherwise }));
        Ok(true)
    }
}
