//! What expressions are worth where the values of some elements are known.

use super::elements::{Element, Elements};
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, UnaryOperator, VariableId,
};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::ops::Range;

/// Values of some elements.
pub(super) type Values = HashMap<Element, i64, FxBuildHasher>;

/// A program in which some elements have known values.
#[derive(Clone, Debug)]
pub(super) struct Knowledge<'a> {
    pub(super) program: &'a Program,
    pub(super) elements: &'a Elements,
    /// By element: what it is always.
    pub(super) constants: &'a [Option<i64>],
    /// What is known here.
    pub(super) values: Values,
    /// What `Let` effects have named, as far as it is known.
    pub(super) named: HashMap<u32, i64, FxBuildHasher>,
    /// Bounds of indices, by their expressions, where these are known.
    pub(super) indices: HashMap<ExpressionId, (i64, i64), FxBuildHasher>,
    /// Whether nothing can go wrong. Only then it does not matter what an expression is made of
    /// whose value is known.
    pub(super) is_safe: bool,
    /// Bounds of elements that have not been written.
    pub(super) bounds: HashMap<Element, (i64, i64), FxBuildHasher>,
    /// The conjuncts of the guard that is true here, and what they say about single elements.
    pub(super) conjuncts: Vec<(Conjunct, Option<Literal>)>,
}

/// A condition on an element: whether it lies between bounds, or outside of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Literal {
    pub(super) element: Element,
    pub(super) low: i64,
    pub(super) high: i64,
    /// Whether the element is to lie outside.
    pub(super) is_outside: bool,
}

impl Literal {
    pub(super) fn is_true(self, value: i64) -> bool {
        (self.low <= value && value <= self.high) != self.is_outside
    }

    /// The only value with which it is true, if it says so.
    pub(super) fn value(self) -> Option<i64> {
        (self.low == self.high && !self.is_outside).then_some(self.low)
    }

    /// Whether another literal is true, if it follows from this one.
    pub(super) fn implies(self, other: Self) -> Option<bool> {
        if self.excludes(other) {
            return Some(false);
        }
        let is_same = self.element == other.element;
        (is_same && self.excludes(Self { is_outside: !other.is_outside, ..other })).then_some(true)
    }

    /// Whether no value makes both true. May be false where none does.
    fn excludes(self, other: Self) -> bool {
        if self.element != other.element {
            return false;
        }
        match (self.is_outside, other.is_outside) {
            (false, false) => self.high < other.low || other.high < self.low,
            (false, true) => other.low <= self.low && self.high <= other.high,
            (true, false) => other.excludes(self),
            (true, true) => false,
        }
    }
}

/// A conjunct of a guard: an expression, and whether it is to be true.
pub(super) type Conjunct = (ExpressionId, bool);

/// The conjuncts of a condition, which may itself be to be false.
pub(super) fn conjuncts(program: &Program, condition: Conjunct) -> Vec<Conjunct> {
    let mut found = Vec::new();
    let mut open = vec![condition];
    while let Some((id, is_positive)) = open.pop() {
        match (program.view(id), is_positive) {
            (Expression::Unary(UnaryOperator::Not, operand), _) => {
                open.push((operand, !is_positive));
            }
            (Expression::Binary(BinaryOperator::And, left, right), true)
            | (Expression::Binary(BinaryOperator::Or, left, right), false) => {
                open.extend([(right, is_positive), (left, is_positive)]);
            }
            _ => found.push((id, is_positive)),
        }
    }
    found.retain(|&(id, is_positive)| {
        program.as_constant(id).is_none_or(|value| (value != 0) != is_positive)
    });
    found
}

/// Whether two lists of literals cannot both be true.
pub(super) fn exclude(one: &[Literal], other: &[Literal]) -> bool {
    one.iter().any(|one| other.iter().any(|&other| one.excludes(other)))
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(
        program: &'a Program,
        elements: &'a Elements,
        constants: &'a [Option<i64>],
    ) -> Self {
        let (named, indices, bounds) = Default::default();
        let (values, conjuncts) = (Values::default(), Vec::new());
        let is_safe = false;
        Self { program, elements, constants, values, named, indices, is_safe, bounds, conjuncts }
    }

    /// The elements of an array that an index may mean.
    pub(super) fn range(&self, variable: VariableId, index: ExpressionId) -> Range<Element> {
        let all = self.elements.of(self.program, variable);
        let Some(&(low, high)) = self.indices.get(&index) else { return all };
        let offset = |index: i64| Element::try_from(index.max(0)).unwrap_or(Element::MAX);
        let end = |offset: Element| all.start.saturating_add(offset).min(all.end);
        end(offset(low))..end(offset(high.saturating_add(1)))
    }

    /// The value of an element, if it is known.
    pub(super) fn of(&self, element: Element) -> Option<i64> {
        self.values.get(&element).copied().or(self.constants[element as usize])
    }

    /// The value of an expression, if it is known: what it is if nothing goes wrong.
    pub(super) fn value(&self, id: ExpressionId) -> Option<i64> {
        match self.program.view(id) {
            Expression::Constant(value) => Some(value),
            Expression::Variable(_) => self.of(self.element(id)?),
            _ => self.values_of(id).get(&id).copied().flatten(),
        }
    }

    /// The values of all parts of an expression.
    pub(super) fn values_of(
        &self,
        whole: ExpressionId,
    ) -> HashMap<ExpressionId, Option<i64>, FxBuildHasher> {
        let mut parts: Vec<(ExpressionId, Expression)> = self.program.parts_of([whole]).collect();
        parts.sort_unstable_by_key(|&(id, _)| id);
        let mut known = HashMap::default();
        for (id, expression) in parts {
            let value = self.apply(expression, &known);
            known.insert(id, value);
        }
        known
    }

    fn apply(
        &self,
        expression: Expression,
        known: &HashMap<ExpressionId, Option<i64>, FxBuildHasher>,
    ) -> Option<i64> {
        use BinaryOperator::{And, Or};
        match expression {
            Expression::Constant(value) => Some(value),
            Expression::Variable(variable) => {
                self.of(self.elements.element(self.program, variable, 0)?)
            }
            Expression::Element(variable, index) => {
                self.of(self.elements.element(self.program, variable, known[&index]?)?)
            }
            Expression::Temporary(number) => self.named.get(&number).copied(),
            Expression::Choice(_) => None,
            Expression::Unary(operator, operand) => operator.apply(known[&operand]?),
            Expression::Binary(operator @ (And | Or), left, right) => {
                let deciding = i64::from(operator == Or);
                let truth = |id| known[&id].map(|value: i64| i64::from(value != 0));
                match (truth(left), truth(right)) {
                    (Some(value), _) | (_, Some(value)) if value == deciding => Some(value),
                    (Some(_), Some(value)) => Some(value),
                    _ => None,
                }
            }
            Expression::Binary(operator, left, right) => {
                operator.apply(known[&left]?, known[&right]?)
            }
            Expression::If(condition, yes, no) => match known[&condition]? {
                0 => known[&no],
                _ => known[&yes],
            },
        }
    }

    /// The element that an expression reads, if that is all it does and the index is known.
    pub(super) fn element(&self, id: ExpressionId) -> Option<Element> {
        match self.program.view(id) {
            Expression::Variable(variable) => self.elements.element(self.program, variable, 0),
            Expression::Element(variable, index) => {
                self.elements.element(self.program, variable, self.value(index)?)
            }
            _ => None,
        }
    }

    /// A conjunct as a condition on an element, if it is one.
    pub(super) fn literal(&self, (id, is_positive): Conjunct) -> Option<Literal> {
        use BinaryOperator as B;
        let literal = |element, low, high, is_inside: bool| {
            let literal = Literal { element, low, high, is_outside: is_inside != is_positive };
            Some(self.simplified(literal))
        };
        if let Some(element) = self.element(id) {
            return literal(element, 0, 0, false);
        }
        let Expression::Binary(operator, left, right) = self.program.view(id) else { return None };
        if !matches!(operator, B::Equal | B::NotEqual | B::Less | B::LessEqual) {
            return None;
        }
        let (element, value, is_left) = match (self.element(left), self.value(right)) {
            (Some(element), Some(value)) => (element, value, true),
            _ => (self.element(right)?, self.value(left)?, false),
        };
        match (operator, is_left) {
            (B::Equal, _) => literal(element, value, value, true),
            (B::NotEqual, _) => literal(element, value, value, false),
            (B::Less, true) => literal(element, value, i64::MAX, false),
            (B::LessEqual, true) => literal(element, i64::MIN, value, true),
            (B::Less, false) => literal(element, i64::MIN, value, false),
            _ => literal(element, value, i64::MAX, true),
        }
    }

    /// The same literal as one between bounds, where it can be said so.
    fn simplified(&self, literal: Literal) -> Literal {
        let Literal { element, low, high, is_outside } = literal;
        let variable = &self.program.variables[self.elements.place(element).0];
        let inside = |low, high| Literal { element, low, high, is_outside: false };
        match (high.checked_add(1), low.checked_sub(1)) {
            (Some(above), _) if is_outside && low <= variable.low => inside(above, i64::MAX),
            (_, Some(below)) if is_outside && variable.high <= high => inside(i64::MIN, below),
            _ => literal,
        }
    }

    /// What is said about elements by the guard that is true here.
    pub(super) fn literals(&self) -> Vec<Literal> {
        self.conjuncts.iter().filter_map(|&(_, literal)| literal).collect()
    }

    /// Notes the value that a literal says, if it says one.
    pub(super) fn assume(&mut self, literal: Literal) {
        if let Some(value) = literal.value() {
            self.values.insert(literal.element, value);
        }
    }
}
