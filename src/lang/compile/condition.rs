//! Turns conditions into code that goes on or jumps.

use super::emit::{Emitter, Fit, Label, MAX_STEPS, Support, Unfit};
use super::instruction::{Field, FlagTest, Instruction, Test};
use crate::lang::program::{BinaryOperator, Expression, ExpressionId, UnaryOperator};
use crate::work::tick;

/// The values of one element for which a condition is true, as bits by
/// distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TrueSet {
    field: Field,
    set: u32,
    /// The bits of all values.
    all: u32,
}

/// An operand of a chain, or several in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Expression(ExpressionId),
    Set(TrueSet),
}

impl Emitter<'_> {
    /// The values of the only element that an expression depends on for which
    /// it is true, as bits by distance, if there are at most 32 of them and
    /// nothing can go wrong.
    fn true_set(&self, id: ExpressionId) -> Option<TrueSet> {
        let Support::One(leaf) = self.support[id] else { return None };
        // A temporary whose value is known is no support, but cannot be read.
        if self.is_open(id) {
            return None;
        }
        let variable = &self.program.variables[leaf.variable];
        if 32 <= variable.high.wrapping_sub(variable.low) || self.facts.fact(id).can_fail {
            return None;
        }
        let field = self.field(leaf).ok()?;
        // Values of others do not matter, so they stay as earlier questions left them: to
        // copy all of them for each question would take quadratic time.
        let mut values = self.trial.borrow_mut();
        let (mut set, mut all) = (0, 0);
        for (bit, value) in (variable.low..=variable.high).enumerate() {
            tick();
            values.set(leaf.variable, leaf.element, value);
            let is_true = self.interpreter.evaluate(id, &values).ok()? != 0;
            set |= u32::from(is_true) << bit;
            all |= 1 << bit;
        }
        Some(TrueSet { field, set, all })
    }

    /// Goes on if the expression is as true as `wanted`, else to `otherwise`.
    pub(super) fn go_on_if(
        &mut self,
        id: ExpressionId,
        wanted: bool,
        otherwise: Label,
        free: u8,
    ) -> Fit {
        self.enter(free)?;
        self.go_on_inside(id, wanted, otherwise, free)?;
        self.leave();
        Ok(())
    }

    fn go_on_inside(&mut self, id: ExpressionId, wanted: bool, otherwise: Label, free: u8) -> Fit {
        if let Some(value) = self.constant(id) {
            if (value != 0) != wanted {
                self.push(Instruction::Jump(otherwise.0));
            }
            return Ok(());
        }
        if let Some(&flag) = self.flags.get(&id) {
            self.push(Instruction::Flag(FlagTest {
                flag,
                expected: wanted,
                otherwise: otherwise.0,
            }));
            return Ok(());
        }
        if let Some(set) = self.true_set(id) {
            self.go_on_if_in(set, wanted, otherwise);
            return Ok(());
        }
        match self.program.view(id) {
            Expression::Unary(UnaryOperator::Not, operand) => {
                self.go_on_if(operand, !wanted, otherwise, free)
            }
            Expression::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), ..) => {
                self.chain(id, operator, wanted, otherwise, free)
            }
            Expression::Binary(operator, left, right) if operator.is_logical() => {
                self.compare(operator, left, right, wanted, otherwise, free)
            }
            Expression::If(condition, yes, no) => {
                let (other, end) = (self.label(), self.label());
                self.go_on_if(condition, true, other, free)?;
                self.go_on_if(yes, wanted, otherwise, free)?;
                self.push(Instruction::Jump(end.0));
                self.bind(other);
                self.go_on_if(no, wanted, otherwise, free)?;
                self.bind(end);
                Ok(())
            }
            _ => {
                let left = self.any_register(id, free)?;
                let (right, otherwise) = (0, otherwise.0);
                self.push(if wanted {
                    Instruction::NotEqualConstant(Test { left, right, otherwise })
                } else {
                    Instruction::EqualConstant(Test { left, right, otherwise })
                });
                Ok(())
            }
        }
    }

    /// `&&` or `||` of any number of operands.
    fn chain(
        &mut self,
        id: ExpressionId,
        operator: BinaryOperator,
        wanted: bool,
        otherwise: Label,
        free: u8,
    ) -> Fit {
        let parts = self.operands(id, operator)?;
        let parts = self.pieces(&parts, operator);
        let (&last, before) = parts.split_last().ok_or(Unfit)?;
        // What decides the chain before its end: false for `&&`.
        let deciding = operator == BinaryOperator::Or;
        if deciding == wanted {
            // A part that decides makes us go on; only the last may refuse.
            let end = self.label();
            for &part in before {
                self.go_on_if_piece(part, !deciding, end, free)?;
            }
            self.go_on_if_piece(last, wanted, otherwise, free)?;
            self.bind(end);
        } else {
            for part in parts {
                self.go_on_if_piece(part, wanted, otherwise, free)?;
            }
        }
        Ok(())
    }

    /// The operands of a chain, where those that depend on one element only
    /// become one: `x != 1 && x != 3` is one test.
    pub(super) fn pieces(&self, parts: &[ExpressionId], operator: BinaryOperator) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        // Nothing is moved across what can go wrong.
        let mut barrier = 0;
        for &part in parts {
            if let Some(new) = self.true_set(part) {
                let known = pieces[barrier..].iter_mut().find_map(|piece| match piece {
                    Piece::Set(known) if known.field == new.field => Some(known),
                    _ => None,
                });
                match known {
                    Some(known) if operator == BinaryOperator::And => known.set &= new.set,
                    Some(known) => known.set |= new.set,
                    None => pieces.push(Piece::Set(new)),
                }
                continue;
            }
            pieces.push(Piece::Expression(part));
            if self.facts.fact(part).can_fail {
                barrier = pieces.len();
            }
        }
        pieces
    }

    pub(super) fn go_on_if_piece(
        &mut self,
        piece: Piece,
        wanted: bool,
        otherwise: Label,
        free: u8,
    ) -> Fit {
        match piece {
            Piece::Expression(id) => self.go_on_if(id, wanted, otherwise, free),
            Piece::Set(set) => {
                self.go_on_if_in(set, wanted, otherwise);
                Ok(())
            }
        }
    }

    fn go_on_if_in(
        &mut self,
        TrueSet { field, set, all }: TrueSet,
        wanted: bool,
        otherwise: Label,
    ) {
        let set = if wanted { set } else { all & !set };
        if set == 0 {
            self.push(Instruction::Jump(otherwise.0));
        } else if set != all {
            self.push(Instruction::In(Test { left: field, right: set, otherwise: otherwise.0 }));
        }
    }

    /// The operands of a chain of one operator, from left to right.
    pub(super) fn operands(
        &mut self,
        id: ExpressionId,
        operator: BinaryOperator,
    ) -> Fit<Vec<ExpressionId>> {
        let mut parts = Vec::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            self.steps += 1;
            if MAX_STEPS <= self.steps {
                return Err(Unfit);
            }
            match self.program.view(next) {
                Expression::Binary(found, left, right)
                    if found == operator && (next == id || !self.units.contains(&next)) =>
                {
                    open.extend([right, left]);
                }
                _ => parts.push(next),
            }
        }
        Ok(parts)
    }
}
