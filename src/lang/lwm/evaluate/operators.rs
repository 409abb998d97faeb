//! Operators of expressions.

use super::{Evaluator, Value};
use crate::lang::SourceError;
use crate::lang::lwm::ast::{Binder, Comparison, Node, Quantifier};
use crate::lang::lwm::names::Sort;
use crate::lang::program::{BinaryOperator, Expression, ExpressionId, Span, UnaryOperator};
use crate::ltl::parse::grammar::Binary;
use std::collections::VecDeque;

impl Evaluator<'_> {
    fn is_constantly(&self, id: ExpressionId, truth: bool) -> bool {
        self.program.as_constant(id).is_some_and(|value| (value != 0) == truth)
    }

    /// Two constants whose operator has no value are a mistake, unless dead.
    fn checked(
        &mut self,
        span: Span,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<ExpressionId, SourceError> {
        let id = self.program.binary(operator, left, right);
        let divides = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
        let by_zero = divides && self.program.as_constant(right) == Some(0);
        let constants = [left, right].iter().all(|&id| self.program.as_constant(id).is_some());
        if by_zero && !self.is_dead() {
            return Err(SourceError::new(span, "division by zero"));
        }
        if constants && self.program.as_constant(id).is_none() && !self.is_dead() {
            return Err(SourceError::new(span, "arithmetic overflow"));
        }
        Ok(id)
    }

    pub(super) fn negate(&mut self, span: Span, operand: &Node) -> Result<Value, SourceError> {
        let operand = self.number(operand)?;
        let id = self.program.expression(Expression::Unary(UnaryOperator::Negate, operand));
        let is_folded = self.program.as_constant(id).is_some();
        if self.program.as_constant(operand).is_some() && !is_folded && !self.is_dead() {
            return Err(SourceError::new(span, "arithmetic overflow"));
        }
        Ok(Value::new(Sort::Number, id))
    }

    pub(super) fn not(&mut self, n_times: usize, operand: &Node) -> Result<Value, SourceError> {
        let id = self.truth(operand)?;
        Ok(Value::new(Sort::Truth, if n_times.is_multiple_of(2) { id } else { self.negation(id) }))
    }

    fn negation(&mut self, id: ExpressionId) -> ExpressionId {
        self.program.expression(Expression::Unary(UnaryOperator::Not, id))
    }

    pub(super) fn arithmetic(
        &mut self,
        first: &Node,
        rest: &[(BinaryOperator, Node)],
    ) -> Result<Value, SourceError> {
        let mut id = self.number(first)?;
        for (operator, operand) in rest {
            let right = self.number(operand)?;
            let span = Span { start: first.span.start, end: operand.span.end };
            id = self.checked(span, *operator, id, right)?;
        }
        Ok(Value::new(Sort::Number, id))
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        left: &Node,
        right: &Node,
    ) -> Result<Value, SourceError> {
        let (first, second) = (self.value(left)?, self.value(right)?);
        let sort = match (first.sort, second.sort) {
            (Sort::Truth, _) if second.is_digit => Sort::Truth,
            (_, Sort::Truth) if first.is_digit => Sort::Truth,
            (one, other) if one == other => one,
            (one, other) => {
                let (one, other) = (self.symbols.sort_text(one), self.symbols.sort_text(other));
                let span = Span { start: left.span.start, end: right.span.end };
                let message = format!("{one} cannot be compared with {other}");
                return Err(SourceError::new(span, message));
            }
        };
        let (mut left_id, mut right_id) = (first.id, second.id);
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        if sort != Sort::Number && !is_equality {
            let message = format!("{} has no order", self.symbols.sort_text(sort));
            return Err(SourceError::new(left.span, message));
        }
        // Executors look for comparisons of a variable with a constant.
        if is_equality && self.program.as_constant(left_id).is_some() {
            std::mem::swap(&mut left_id, &mut right_id);
        }
        let id = match comparison {
            Comparison::Equal => self.program.binary(BinaryOperator::Equal, left_id, right_id),
            Comparison::NotEqual => {
                self.program.binary(BinaryOperator::NotEqual, left_id, right_id)
            }
            Comparison::Less => self.program.binary(BinaryOperator::Less, left_id, right_id),
            Comparison::LessEqual => {
                self.program.binary(BinaryOperator::LessEqual, left_id, right_id)
            }
            Comparison::Greater => self.program.binary(BinaryOperator::Less, right_id, left_id),
            Comparison::GreaterEqual => {
                self.program.binary(BinaryOperator::LessEqual, right_id, left_id)
            }
        };
        Ok(Value::new(Sort::Truth, id))
    }

    pub(super) fn chain(
        &mut self,
        connective: Binary,
        operands: &[Node],
    ) -> Result<Value, SourceError> {
        if connective == Binary::Xor {
            let mut parts = Vec::with_capacity(operands.len());
            for operand in operands {
                parts.push(self.truth(operand)?);
            }
            let combine = |this: &mut Self, left, right| {
                this.program.binary(BinaryOperator::NotEqual, left, right)
            };
            let first = self.program.constant(0);
            let id = parts.into_iter().reduce(|left, right| combine(self, left, right));
            return Ok(Value::new(Sort::Truth, id.unwrap_or(first)));
        }
        let is_and = connective == Binary::And;
        let mut parts = Parts { is_and, ids: Vec::new(), is_decided: false };
        for operand in operands {
            let id = self.perhaps_dead(parts.is_decided, |this| this.truth(operand))?;
            self.join(&mut parts, id);
        }
        Ok(self.joined(&parts))
    }

    /// Adds an operand to a conjunction or disjunction.
    fn join(&self, parts: &mut Parts, id: ExpressionId) {
        if self.is_constantly(id, !parts.is_and) {
            parts.is_decided = true;
        } else if !self.is_constantly(id, parts.is_and) {
            parts.ids.push(id);
        }
    }

    /// The conjunction or disjunction of its parts.
    fn joined(&mut self, parts: &Parts) -> Value {
        let operator = if parts.is_and { BinaryOperator::And } else { BinaryOperator::Or };
        let id = if parts.is_decided {
            self.program.constant(i64::from(!parts.is_and))
        } else {
            let empty = self.program.constant(i64::from(parts.is_and));
            let ids = parts.ids.iter().copied();
            ids.reduce(|left, right| self.program.binary(operator, left, right)).unwrap_or(empty)
        };
        Value::new(Sort::Truth, id)
    }

    /// `->` and `<->`, which group to the right.
    pub(super) fn implications(
        &mut self,
        operators: &VecDeque<Binary>,
        operands: &VecDeque<Node>,
    ) -> Result<Value, SourceError> {
        let mut is_decided = false;
        let mut ids = Vec::with_capacity(operands.len());
        for (number, operand) in operands.iter().enumerate() {
            let id = self.perhaps_dead(is_decided, |this| this.truth(operand))?;
            is_decided |=
                operators.get(number) == Some(&Binary::Implies) && self.is_constantly(id, false);
            ids.push(id);
        }
        let mut ids = ids.into_iter().rev();
        let last = ids.next().expect("there is one more operand than operators");
        let id = ids.zip(operators.iter().rev()).fold(last, |right, (left, operator)| {
            if *operator == Binary::Iff {
                return self.program.binary(BinaryOperator::Equal, left, right);
            }
            let negated = self.negation(left);
            if self.is_constantly(right, true) {
                return right;
            }
            self.program.binary(BinaryOperator::Or, negated, right)
        });
        Ok(Value::new(Sort::Truth, id))
    }

    pub(super) fn conditional(&mut self, parts: &[Node; 3]) -> Result<Value, SourceError> {
        let [condition, yes, no] = parts;
        let condition = self.truth(condition)?;
        let yes_dead = self.is_constantly(condition, false);
        let no_dead = self.is_constantly(condition, true);
        let first = self.perhaps_dead(yes_dead, |this| this.value(yes))?;
        let sort = first.sort;
        let second = if first.is_digit {
            self.perhaps_dead(no_dead, |this| this.value(no))?
        } else {
            Value::new(sort, self.perhaps_dead(no_dead, |this| this.of_sort(no, sort))?)
        };
        if second.sort != sort && !(first.is_digit && second.sort == Sort::Truth) {
            let (one, other) = (self.symbols.sort_text(sort), self.symbols.sort_text(second.sort));
            let message = format!("expected {one}, but this is {other}");
            return Err(SourceError::new(no.span, message));
        }
        let id = self.program.expression(Expression::If(condition, first.id, second.id));
        let is_digit = first.is_digit && second.is_digit;
        Ok(Value { is_digit, ..Value::new(second.sort, id) })
    }

    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Node,
    ) -> Result<Value, SourceError> {
        match quantifier {
            Quantifier::Forall | Quantifier::Exists => {
                let is_and = quantifier == Quantifier::Forall;
                let mut parts = Parts { is_and, ids: Vec::new(), is_decided: false };
                self.for_each(binders, true, |this| {
                    let id = this.perhaps_dead(parts.is_decided, |this| this.truth(body))?;
                    this.join(&mut parts, id);
                    Ok(())
                })?;
                Ok(self.joined(&parts))
            }
            Quantifier::Sum | Quantifier::Count => {
                let sort = if quantifier == Quantifier::Sum { Sort::Number } else { Sort::Truth };
                let mut sum = self.program.constant(0);
                self.for_each(binders, true, |this| {
                    let id = this.of_sort(body, sort)?;
                    sum = if this.is_constantly(sum, false) {
                        id
                    } else {
                        this.checked(body.span, BinaryOperator::Add, sum, id)?
                    };
                    Ok(())
                })?;
                Ok(Value::new(Sort::Number, sum))
            }
        }
    }
}

/// The operands of a conjunction or disjunction so far.
struct Parts {
    is_and: bool,
    /// Those that are no constants.
    ids: Vec<ExpressionId>,
    /// Whether a constant operand has decided it.
    is_decided: bool,
}
