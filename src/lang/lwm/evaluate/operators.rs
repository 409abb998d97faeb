//! Operators of expressions.

use super::{Evaluator, Value};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::Operator::{self, Plain};
use crate::lang::expression::Sort;
use crate::lang::lwm::ast::{Binder, Node, Quantifier};
use crate::lang::program::{BinaryOperator, Expression, ExpressionId, Span, UnaryOperator};

impl Evaluator<'_> {
    fn is_constantly(&self, id: ExpressionId, truth: bool) -> bool {
        self.program.as_constant(id).is_some_and(|value| (value != 0) == truth)
    }

    /// Two constants whose operator has no value are a mistake, unless dead.
    fn checked(
        &mut self,
        span: Span,
        operator: Operator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId> {
        let id = operator.apply(self.program, left, right, false);
        let divides = matches!(operator, Plain(BinaryOperator::Divide | BinaryOperator::Remainder));
        let by_zero = divides && self.program.as_constant(right) == Some(0);
        let constants = [left, right].iter().all(|&id| self.program.as_constant(id).is_some());
        if by_zero && !self.is_dead() {
            return fail(span, "division by zero");
        }
        if constants && self.program.as_constant(id).is_none() && !self.is_dead() {
            return fail(span, "arithmetic overflow");
        }
        Ok(id)
    }

    pub(super) fn negate(&mut self, span: Span, operand: &Node) -> Result<Value> {
        let operand = self.number(operand)?;
        let id = self.program.expression(Expression::Unary(UnaryOperator::Negate, operand));
        let is_folded = self.program.as_constant(id).is_some();
        if self.program.as_constant(operand).is_some() && !is_folded && !self.is_dead() {
            return fail(span, "arithmetic overflow");
        }
        Ok(Value::number(id))
    }

    pub(super) fn not(&mut self, n_times: usize, operand: &Node) -> Result<Value> {
        let id = self.truth(operand)?;
        let is_even = n_times.is_multiple_of(2);
        Ok(Value::truth(if is_even { id } else { self.program.negation(id) }))
    }

    pub(super) fn arithmetic(&mut self, first: &Node, rest: &[(Operator, Node)]) -> Result<Value> {
        let mut id = self.number(first)?;
        for (operator, operand) in rest {
            let right = self.number(operand)?;
            let span = Span { start: first.span.start, end: operand.span.end };
            id = self.checked(span, *operator, id, right)?;
        }
        Ok(Value::number(id))
    }

    pub(super) fn compare(
        &mut self,
        operator: Operator,
        left: &Node,
        right: &Node,
    ) -> Result<Value> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        let Some(sort) = common_sort(first, second) else {
            let span = Span { start: left.span.start, end: right.span.end };
            return Err(self.symbols.enumerations.incomparable(span, first.sort, second.sort));
        };
        let (mut left_id, mut right_id) = (first.id, second.id);
        if sort != Sort::Number && !operator.is_equality() {
            let message = format!("{} has no order", self.symbols.enumerations.sort_text(sort));
            return Err(SourceError::new(left.span, message));
        }
        // Executors look for comparisons of a variable with a constant.
        if operator.is_equality() && self.program.as_constant(left_id).is_some() {
            std::mem::swap(&mut left_id, &mut right_id);
        }
        let id = operator.apply(self.program, left_id, right_id, false);
        Ok(Value::truth(id))
    }

    pub(super) fn conditional(&mut self, parts: &[Node; 3]) -> Result<Value> {
        let [condition, yes, no] = parts;
        let condition = self.truth(condition)?;
        let yes_dead = self.is_constantly(condition, false);
        let no_dead = self.is_constantly(condition, true);
        let first = self.perhaps_dead(yes_dead, |this| this.value(yes))?;
        let second = self.perhaps_dead(no_dead, |this| this.value(no))?;
        let Some(sort) = common_sort(first, second) else {
            return Err(self.symbols.enumerations.mismatch(no.span, first.sort, second.sort));
        };
        let id = self.program.expression(Expression::If(condition, first.id, second.id));
        let is_digit = first.is_digit && second.is_digit;
        Ok(Value { is_digit, ..Value::new(sort, id) })
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Node,
    ) -> Result<Value> {
        if let Some(operator) = quantifier.connective() {
            return self.all_instances(operator, binders, body).map(Value::truth);
        }
        let sort = if quantifier == Quantifier::Sum { Sort::Number } else { Sort::Truth };
        let mut sum = self.program.constant(0);
        self.for_each(binders, true, |this| {
            let id = this.of_sort(body, sort)?;
            sum = if this.is_constantly(sum, false) {
                id
            } else {
                this.checked(body.span, Plain(BinaryOperator::Add), sum, id)?
            };
            Ok(())
        })?;
        Ok(Value::number(sum))
    }
}

/// The sort that two values have, where a digit may stand for a truth value.
fn common_sort(first: Value, second: Value) -> Option<Sort> {
    if second.is_of(first.sort) {
        return Some(first.sort);
    }
    first.is_of(second.sort).then_some(second.sort)
}
