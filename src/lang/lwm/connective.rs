//! Connectives and quantifiers, which mean the same between expressions as between formulas.
//!
//! What a constant decides is left out, as in `false || x`; operands behind one that decides
//! (`false && …`) are dead.

use super::ast::{Binder, Node};
use super::evaluate::Evaluator;
use crate::lang::cursor::Result;
use crate::lang::program::{BinaryOperator, ExpressionId};
use crate::ltl::parse::grammar::Binary;
use std::collections::VecDeque;

/// What connectives combine: an expression of the program, or a subformula.
pub(super) trait Truth: Copy {
    fn of(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Self>;

    fn constant(evaluator: &mut Evaluator<'_>, truth: bool) -> Self;

    /// The value that constants of the model decide, if they do.
    fn known(self, evaluator: &Evaluator<'_>) -> Option<bool>;

    /// Two operands, of which no constant decides the value.
    fn combined(evaluator: &mut Evaluator<'_>, operator: Binary, left: Self, right: Self) -> Self;
}

impl Truth for ExpressionId {
    fn of(evaluator: &mut Evaluator<'_>, node: &Node) -> Result<Self> {
        evaluator.truth(node)
    }

    fn constant(evaluator: &mut Evaluator<'_>, truth: bool) -> Self {
        evaluator.program.constant(i64::from(truth))
    }

    fn known(self, evaluator: &Evaluator<'_>) -> Option<bool> {
        evaluator.program.as_constant(self).map(|value| value != 0)
    }

    fn combined(evaluator: &mut Evaluator<'_>, operator: Binary, left: Self, right: Self) -> Self {
        let (operator, left) = match operator {
            Binary::And => (BinaryOperator::And, left),
            Binary::Or => (BinaryOperator::Or, left),
            Binary::Xor => (BinaryOperator::NotEqual, left),
            Binary::Iff => (BinaryOperator::Equal, left),
            // `->`: temporal operators stand outside of expressions.
            _ => (BinaryOperator::Or, evaluator.program.negation(left)),
        };
        evaluator.program.binary(operator, left, right)
    }
}

/// Whether `left` alone decides an operation.
fn decides(operator: Binary, left: Option<bool>) -> bool {
    match operator {
        Binary::And | Binary::Implies => left == Some(false),
        Binary::Or => left == Some(true),
        _ => false,
    }
}

impl Evaluator<'_> {
    /// Two operands, unless constants decide what that is.
    pub(super) fn connected<T: Truth>(&mut self, operator: Binary, left: T, right: T) -> T {
        let truth = match (operator, left.known(self), right.known(self)) {
            (Binary::And | Binary::Or, Some(truth), _) => {
                return if truth == (operator == Binary::And) { right } else { left };
            }
            (Binary::And | Binary::Or, _, Some(truth)) => {
                return if truth == (operator == Binary::And) { left } else { right };
            }
            (Binary::Implies, Some(true), _) => return right,
            (Binary::Implies, Some(false), _) | (Binary::Implies, _, Some(true)) => true,
            (Binary::Xor, Some(left), Some(right)) => left != right,
            (Binary::Iff, Some(left), Some(right)) => left == right,
            _ => return T::combined(self, operator, left, right),
        };
        T::constant(self, truth)
    }

    /// Two or more operands, grouped to the left.
    pub(super) fn chain<T: Truth>(&mut self, operator: Binary, operands: &[Node]) -> Result<T> {
        let (first, others) = operands.split_first().expect("an operator has operands");
        let mut chain = T::of(self, first)?;
        for operand in others {
            let is_dead = decides(operator, chain.known(self));
            let operand = self.perhaps_dead(is_dead, |this| T::of(this, operand))?;
            chain = self.connected(operator, chain, operand);
        }
        Ok(chain)
    }

    /// Operators that group to the right.
    pub(super) fn right_chain<T: Truth>(
        &mut self,
        operators: &VecDeque<Binary>,
        operands: &VecDeque<Node>,
    ) -> Result<T> {
        let mut parts = Vec::with_capacity(operands.len());
        let mut is_dead = false;
        for (number, operand) in operands.iter().enumerate() {
            let part = self.perhaps_dead(is_dead, |this| T::of(this, operand))?;
            let operator = operators.get(number);
            is_dead |= operator.is_some_and(|operator| decides(*operator, part.known(self)));
            parts.push(part);
        }
        let last = parts.pop().expect("there is one more operand than operators");
        let before = parts.into_iter().zip(operators).rev();
        Ok(before.fold(last, |right, (left, operator)| self.connected(*operator, left, right)))
    }

    /// The conjunction or disjunction of all instances of an expression.
    pub(super) fn all_instances<T: Truth>(
        &mut self,
        operator: Binary,
        binders: &[Binder],
        body: &Node,
    ) -> Result<T> {
        let mut chain = T::constant(self, operator == Binary::And);
        self.for_each(binders, true, |this| {
            let is_dead = decides(operator, chain.known(this));
            let instance = this.perhaps_dead(is_dead, |this| T::of(this, body))?;
            chain = this.connected(operator, chain, instance);
            Ok(())
        })?;
        Ok(chain)
    }
}
