//! Runs transitions on values that are not known, to see whether two of them commute.
//!
//! A value is a number, what an element was at first, or an expression of such. Sums with
//! numbers have a normal form, so that the order of increments does not show. Where an index or
//! a condition is not a number, it has to become one: the caller tries all values of an element.

use super::elements::{Element, Elements};
use super::known::{Conjunct, Knowledge};
use crate::id::{Id, define_id};
use crate::lang::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Transition, UnaryOperator, VariableId,
};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A symbolic value.
    pub(super) struct ValueId;
}

/// What a symbolic value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Value {
    Number(i64),
    /// What an element was at first.
    First(Element),
    /// A value that is no sum, and a number that is not 0.
    Sum(ValueId, i64),
    Unary(UnaryOperator, ValueId),
    Binary(BinaryOperator, ValueId, ValueId),
    If(ValueId, ValueId, ValueId),
    /// An element of an array that never changes.
    Entry(VariableId, ValueId),
}

/// Why a run does not come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// It depends on the value of this element.
    On(Element),
    /// It is beyond us.
    Unclear,
    /// The guard is false.
    Disabled,
}

type Answer<T> = Result<T, Stuck>;

/// All values that have come up.
#[derive(Debug, Default)]
pub(super) struct Values {
    values: Vec<Value>,
    numbers: HashMap<Value, ValueId, FxBuildHasher>,
}

/// What has been written so far, over the values at first.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    written: Vec<(Element, ValueId)>,
    named: Vec<(u32, ValueId)>,
}

impl State {
    /// The elements that have been written.
    pub(super) fn written(&self) -> impl Iterator<Item = Element> {
        self.written.iter().map(|&(element, _)| element)
    }

    fn set(&mut self, element: Element, value: ValueId) {
        match self.written.iter_mut().find(|(known, _)| *known == element) {
            Some(entry) => entry.1 = value,
            None => self.written.push((element, value)),
        }
    }
}

impl Values {
    fn intern(&mut self, value: Value) -> ValueId {
        let next = ValueId::new(self.values.len());
        let id = *self.numbers.entry(value).or_insert(next);
        if id == next {
            self.values.push(value);
        }
        id
    }

    fn number(&self, id: ValueId) -> Option<i64> {
        match self.values[id.index()] {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
    }

    /// An element on which a value depends.
    fn source(&self, id: ValueId) -> Stuck {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.values[id.index()] {
                Value::Number(_) => (),
                Value::First(element) => return Stuck::On(element),
                Value::Sum(value, _) | Value::Unary(_, value) | Value::Entry(_, value) => {
                    open.push(value);
                }
                Value::Binary(_, left, right) => open.extend([right, left]),
                Value::If(condition, yes, no) => open.extend([no, yes, condition]),
            }
        }
        Stuck::Unclear
    }

    fn sum(&mut self, value: ValueId, amount: i64) -> Answer<ValueId> {
        let (base, amount) = match self.values[value.index()] {
            Value::Number(number) => {
                let sum = number.checked_add(amount).ok_or(Stuck::Unclear)?;
                return Ok(self.intern(Value::Number(sum)));
            }
            Value::Sum(base, before) => (base, before.checked_add(amount).ok_or(Stuck::Unclear)?),
            _ => (value, amount),
        };
        Ok(if amount == 0 { base } else { self.intern(Value::Sum(base, amount)) })
    }

    fn unary(&mut self, operator: UnaryOperator, operand: ValueId) -> Answer<ValueId> {
        let value = match self.number(operand) {
            None => Value::Unary(operator, operand),
            Some(number) => Value::Number(operator.apply(number).ok_or(Stuck::Unclear)?),
        };
        Ok(self.intern(value))
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ValueId,
        right: ValueId,
    ) -> Answer<ValueId> {
        use BinaryOperator as B;
        match (operator, self.number(left), self.number(right)) {
            (_, Some(one), Some(other)) => {
                let value = operator.apply(one, other).ok_or(Stuck::Unclear)?;
                Ok(self.intern(Value::Number(value)))
            }
            (B::Add, _, Some(amount)) => self.sum(left, amount),
            (B::Add, Some(amount), _) => self.sum(right, amount),
            (B::Subtract, _, Some(amount)) => {
                self.sum(left, amount.checked_neg().ok_or(Stuck::Unclear)?)
            }
            // What is cut to the lowest bits may be cut before as well.
            (B::BitAnd, _, Some(mask)) if 0 < mask && mask & mask.wrapping_add(1) == 0 => {
                let (base, amount) = match self.values[left.index()] {
                    Value::Sum(base, amount) => (base, amount),
                    _ => (left, 0),
                };
                let left = match self.values[base.index()] {
                    Value::Binary(B::BitAnd, inner, same) if same == right => {
                        self.sum(inner, amount)?
                    }
                    _ => left,
                };
                Ok(self.intern(Value::Binary(operator, left, right)))
            }
            (B::And | B::Or, _, _) => Ok(self.logical(operator, left, right)),
            _ => Ok(self.intern(Value::Binary(operator, left, right))),
        }
    }

    fn logical(&mut self, operator: BinaryOperator, left: ValueId, right: ValueId) -> ValueId {
        let deciding = operator == BinaryOperator::Or;
        let decides = |number: Option<i64>| number.is_some_and(|it| (it != 0) == deciding);
        if decides(self.number(left)) || decides(self.number(right)) {
            return self.intern(Value::Number(i64::from(deciding)));
        }
        self.intern(Value::Binary(operator, left, right))
    }
}

/// A run of transitions from a state of which little is known.
pub(super) struct Machine<'a, 'k> {
    pub(super) knowledge: &'k Knowledge<'a>,
    pub(super) values: &'k mut Values,
    /// Elements whose value is tried.
    pub(super) tried: &'k [(Element, i64)],
    /// Variables that do not count.
    pub(super) ignored: &'k [VariableId],
    /// Conditions that are true by assumption.
    pub(super) assumed: Vec<ValueId>,
}

impl Machine<'_, '_> {
    fn elements(&self) -> &Elements {
        self.knowledge.elements
    }

    pub(super) fn read(&mut self, state: &State, element: Element) -> ValueId {
        if let Some(&(_, value)) = state.written.iter().find(|(known, _)| *known == element) {
            return value;
        }
        let tried = self.tried.iter().find(|(known, _)| *known == element);
        let number = tried.map(|&(_, value)| value).or_else(|| self.knowledge.of(element));
        self.values.intern(number.map_or(Value::First(element), Value::Number))
    }

    /// The value of an expression.
    fn evaluate(&mut self, state: &State, whole: ExpressionId) -> Answer<ValueId> {
        let program = self.knowledge.program;
        let mut parts: Vec<(ExpressionId, Expression)> = program.parts_of([whole]).collect();
        parts.sort_unstable_by_key(|&(id, _)| id);
        let mut known: HashMap<ExpressionId, Answer<ValueId>, FxBuildHasher> = HashMap::default();
        for (id, expression) in parts {
            let value = self.apply(state, expression, &known);
            known.insert(id, value);
        }
        known[&whole]
    }

    fn apply(
        &mut self,
        state: &State,
        expression: Expression,
        known: &HashMap<ExpressionId, Answer<ValueId>, FxBuildHasher>,
    ) -> Answer<ValueId> {
        let program = self.knowledge.program;
        match expression {
            Expression::Constant(value) => Ok(self.values.intern(Value::Number(value))),
            Expression::Variable(variable) => {
                let element = self.elements().element(program, variable, 0);
                Ok(self.read(state, element.ok_or(Stuck::Unclear)?))
            }
            Expression::Element(variable, index) => {
                let index = known[&index]?;
                let Some(number) = self.values.number(index) else {
                    let mut range = self.elements().of(program, variable);
                    let is_fixed = |element| self.knowledge.constants[element as usize].is_some();
                    if range.all(is_fixed) {
                        return Ok(self.values.intern(Value::Entry(variable, index)));
                    }
                    return Err(self.values.source(index));
                };
                let element = self.elements().element(program, variable, number);
                Ok(self.read(state, element.ok_or(Stuck::Unclear)?))
            }
            Expression::Temporary(number) => {
                let named = state.named.iter().rev().find(|(known, _)| *known == number);
                named.map(|&(_, value)| value).ok_or(Stuck::Unclear)
            }
            Expression::Choice(_) => Err(Stuck::Unclear),
            Expression::Unary(operator, operand) => self.values.unary(operator, known[&operand]?),
            Expression::Binary(operator, left, right) => {
                let left = known[&left]?;
                match (operator, self.values.number(left)) {
                    (BinaryOperator::And, Some(0)) => Ok(self.values.intern(Value::Number(0))),
                    (BinaryOperator::Or, Some(value)) if value != 0 => {
                        Ok(self.values.intern(Value::Number(1)))
                    }
                    _ => self.values.binary(operator, left, known[&right]?),
                }
            }
            Expression::If(condition, yes, no) => {
                let condition = known[&condition]?;
                match self.values.number(condition) {
                    Some(0) => known[&no],
                    Some(_) => known[&yes],
                    None => {
                        let (yes, no) = (known[&yes]?, known[&no]?);
                        Ok(self.values.intern(Value::If(condition, yes, no)))
                    }
                }
            }
        }
    }

    /// Takes a transition with this guard. What its guard says is assumed if `is_assumed`;
    /// otherwise it has to follow from what was assumed before.
    pub(super) fn take(
        &mut self,
        state: &mut State,
        guard: &[Conjunct],
        transition: &Transition,
        is_assumed: bool,
    ) -> Answer<()> {
        self.enable(state, guard, is_assumed)?;
        state.named.clear();
        for effect in &transition.effects {
            match effect {
                Effect::Let(number, value) => {
                    let value = self.evaluate(state, *value)?;
                    state.named.push((*number, value));
                }
                // The caller has made sure that nothing goes wrong.
                Effect::Assert(..) => (),
                _ => {
                    let Some((variable, index, value)) = effect.assignment() else { continue };
                    if self.ignored.contains(&variable) {
                        continue;
                    }
                    let index = match index {
                        None => 0,
                        Some(index) => {
                            let index = self.evaluate(state, index)?;
                            match self.values.number(index) {
                                Some(number) => number,
                                None => return Err(self.values.source(index)),
                            }
                        }
                    };
                    let program = self.knowledge.program;
                    let element = self.elements().element(program, variable, index);
                    let value = self.evaluate(state, value)?;
                    state.set(element.ok_or(Stuck::Unclear)?, value);
                }
            }
        }
        state.named.clear();
        Ok(())
    }

    /// Passes if a guard is true.
    pub(super) fn enable(
        &mut self,
        state: &State,
        guard: &[Conjunct],
        is_assumed: bool,
    ) -> Answer<()> {
        for &(id, is_positive) in guard {
            let mut value = self.evaluate(state, id)?;
            if let Some(number) = self.values.number(value) {
                if (number != 0) != is_positive {
                    return Err(Stuck::Disabled);
                }
                continue;
            }
            if !is_positive {
                value = self.values.intern(Value::Unary(UnaryOperator::Not, value));
            }
            if is_assumed {
                self.assumed.push(value);
            } else if !self.assumed.contains(&value) {
                return Err(self.values.source(value));
            }
        }
        Ok(())
    }
}
