//! What can be said about expressions without running anything: between which
//! bounds their values lie, and whether evaluating them can go wrong.
//!
//! One pass over the expressions in the order of their ids, on intervals. It
//! does not follow conditions: in `i < n && a[i]` the index may be out of
//! range. All answers are on the safe side.

mod failure;

pub(super) use failure::Passage;
pub use failure::{can_fail, conditions_that_can_fail};

use super::layout::Layout;
use super::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Program, UnaryOperator, VariableId,
};
use crate::id::IdVec;

/// What is known about an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The least value that it may have.
    pub low: i64,
    /// The greatest value that it may have.
    pub high: i64,
    /// Whether its evaluation may go wrong.
    pub can_fail: bool,
}

impl Fact {
    const ANYTHING: Self = Self { low: i64::MIN, high: i64::MAX, can_fail: false };

    fn between(low: i64, high: i64) -> Self {
        Self { low, high, can_fail: false }
    }

    /// What lies between bounds that may have left the 64 bits: if so, it may
    /// go wrong.
    fn wide(low: i128, high: i128) -> Self {
        let (least, greatest) = (i128::from(i64::MIN), i128::from(i64::MAX));
        let clamp = |bound: i128| i64::try_from(bound.clamp(least, greatest)).unwrap_or(0);
        let can_fail = low < least || greatest < high;
        Self { low: clamp(low), high: clamp(high), can_fail }
    }

    fn logical(is_true: bool, is_false: bool) -> Self {
        Self::between(i64::from(is_true), i64::from(!is_false))
    }

    fn hull(self, other: Self) -> Self {
        let can_fail = self.can_fail || other.can_fail;
        Self { low: self.low.min(other.low), high: self.high.max(other.high), can_fail }
    }

    fn or_fails_if(self, can_fail: bool) -> Self {
        Self { can_fail: self.can_fail || can_fail, ..self }
    }

    fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    fn is_true(self) -> bool {
        !self.contains(0)
    }

    fn is_false(self) -> bool {
        self.low == 0 && self.high == 0
    }

    /// The only value, if there is only one and it always comes about.
    #[must_use]
    pub fn constant(self) -> Option<i64> {
        (self.low == self.high && !self.can_fail).then_some(self.low)
    }
}

/// What is known about all expressions of a program.
#[derive(Clone, Debug)]
pub struct Facts {
    facts: IdVec<ExpressionId, Fact>,
}

impl Facts {
    /// Analyzes `program`, whose states are laid out as `layout` says.
    #[must_use]
    pub fn new(program: &Program, layout: &Layout) -> Self {
        let mut choices: Vec<Fact> = Vec::new();
        for transition in &program.transitions {
            for (number, &(low, high)) in transition.choices.iter().enumerate() {
                widen(&mut choices, number, Fact::between(low, high.max(low)));
            }
        }
        // Nothing is known about temporaries at first; what follows about their
        // values then holds, and holds again when it is used.
        let mut temporaries = Vec::new();
        let mut facts = IdVec::new();
        for _ in 0..3 {
            facts = IdVec::new();
            for id in program.expression_ids() {
                let context = FactSources {
                    program,
                    layout,
                    ranges: None,
                    choices: &choices,
                    temporaries: &temporaries,
                };
                let fact = context.fact(program.view(id), &facts);
                facts.push(fact);
            }
            temporaries.clear();
            for effect in program.transitions.iter().flat_map(|transition| &transition.effects) {
                if let Effect::Let(number, value) = *effect {
                    let fact = Fact { can_fail: false, ..facts[value] };
                    widen(&mut temporaries, number as usize, fact);
                }
            }
        }
        Self { facts }
    }

    /// What is known about an expression.
    #[must_use]
    pub fn fact(&self, id: ExpressionId) -> Fact {
        self.facts[id]
    }
}

/// Makes room in a table for one more possibility.
fn widen(table: &mut Vec<Fact>, number: usize, fact: Fact) {
    if table.len() <= number {
        // The numbers in between have no source, and are never read.
        table.resize(number, Fact::ANYTHING);
        table.push(fact);
    } else {
        table[number] = table[number].hull(fact);
    }
}

struct FactSources<'a> {
    program: &'a Program,
    layout: &'a Layout,
    /// Between which bounds variables are, if more is known than what is declared.
    ranges: Option<&'a IdVec<VariableId, (i64, i64)>>,
    choices: &'a [Fact],
    temporaries: &'a [Fact],
}

impl FactSources<'_> {
    fn fact(&self, expression: Expression, facts: &IdVec<ExpressionId, Fact>) -> Fact {
        let known = |table: &[Fact], number: u32| {
            table.get(number as usize).copied().unwrap_or(Fact::ANYTHING)
        };
        match expression {
            Expression::Constant(value) => Fact::between(value, value),
            Expression::Variable(id) => self.element(id, Fact::between(0, 0)),
            Expression::Element(id, index) => {
                let index = facts[index];
                let len = i64::try_from(self.program.variables[id].n_elements());
                let is_inside = 0 <= index.low && len.is_ok_and(|len| index.high < len);
                self.element(id, index).or_fails_if(index.can_fail || !is_inside)
            }
            Expression::Temporary(number) => known(self.temporaries, number),
            Expression::Choice(number) => known(self.choices, number),
            Expression::Unary(operator, operand) => unary(operator, facts[operand]),
            Expression::Binary(operator, left, right) => {
                binary(operator, facts[left], facts[right])
            }
            Expression::If(condition, yes, no) => {
                let (condition, yes, no) = (facts[condition], facts[yes], facts[no]);
                let value = match (condition.is_true(), condition.is_false()) {
                    (true, _) => yes,
                    (_, true) => no,
                    _ => yes.hull(no),
                };
                value.or_fails_if(condition.can_fail)
            }
        }
    }

    /// What an element can be whose index is known so far.
    fn element(&self, id: VariableId, index: Fact) -> Fact {
        let variable = &self.program.variables[id];
        if self.layout.place(id).is_some() {
            let (low, high) = match self.ranges {
                Some(ranges) => ranges[id],
                None => (variable.low, variable.high),
            };
            return Fact::between(low, high);
        }
        let values = match index.constant().and_then(|index| usize::try_from(index).ok()) {
            Some(index) => variable.initial.get(index..=index).unwrap_or_default(),
            None => &variable.initial,
        };
        let low = values.iter().copied().min().unwrap_or(variable.low);
        Fact::between(low, values.iter().copied().max().unwrap_or(variable.high))
    }
}

fn unary(operator: UnaryOperator, operand: Fact) -> Fact {
    match operator {
        UnaryOperator::Not => Fact::logical(operand.is_false(), operand.is_true()),
        UnaryOperator::Negate => Fact::wide(-i128::from(operand.high), -i128::from(operand.low)),
        UnaryOperator::Complement => Fact::between(!operand.high, !operand.low),
    }
    .or_fails_if(operand.can_fail)
}

fn binary(operator: BinaryOperator, left: Fact, right: Fact) -> Fact {
    use BinaryOperator as B;
    let can_fail = left.can_fail || right.can_fail;
    let wide = |value: i64| i128::from(value);
    match operator {
        B::Add => Fact::wide(wide(left.low) + wide(right.low), wide(left.high) + wide(right.high)),
        B::Subtract => {
            Fact::wide(wide(left.low) - wide(right.high), wide(left.high) - wide(right.low))
        }
        B::Multiply => corners(left, right, |left, right| left * right),
        B::Divide => {
            let reach = wide(left.low).abs().max(wide(left.high).abs());
            Fact::wide(if 0 <= left.low && 0 <= right.low { 0 } else { -reach }, reach)
                .or_fails_if(right.contains(0) || left.low == i64::MIN && right.contains(-1))
        }
        B::Remainder => {
            let reach = wide(right.low).abs().max(wide(right.high).abs()).max(1) - 1;
            let reach = reach.min(wide(left.low).abs().max(wide(left.high).abs()));
            Fact::wide(if 0 <= left.low { 0 } else { -reach }, reach)
                .or_fails_if(right.contains(0) || left.low == i64::MIN && right.contains(-1))
        }
        B::BitAnd | B::BitOr | B::BitXor => bits(operator, left, right),
        B::ShiftLeft if 0 <= right.low && right.high < 64 => {
            corners(left, right, |left, right| left << right)
        }
        B::ShiftRight if 0 <= right.low && right.high < 64 => {
            corners(left, right, |left, right| left >> right)
        }
        B::ShiftLeft | B::ShiftRight => Fact::ANYTHING.or_fails_if(true),
        B::Equal | B::NotEqual => {
            let same = left.low == left.high && left.low == right.low && left.low == right.high;
            let apart = left.high < right.low || right.high < left.low;
            let (same, apart) = if operator == B::Equal { (same, apart) } else { (apart, same) };
            Fact::logical(same, apart)
        }
        B::Less => Fact::logical(left.high < right.low, right.high <= left.low),
        B::LessEqual => Fact::logical(left.high <= right.low, right.high < left.low),
        B::And | B::Or => {
            // The right operand counts only if the left one leaves it open.
            let decided = if operator == B::And { left.is_false() } else { left.is_true() };
            let value = if operator == B::And {
                Fact::logical(left.is_true() && right.is_true(), decided || right.is_false())
            } else {
                Fact::logical(decided || right.is_true(), left.is_false() && right.is_false())
            };
            return value.or_fails_if(left.can_fail || !decided && right.can_fail);
        }
    }
    .or_fails_if(can_fail)
}

/// The values of an operation whose extremes are at the ends of its operands.
fn corners(left: Fact, right: Fact, apply: impl Fn(i128, i128) -> i128) -> Fact {
    let ends = [
        (left.low, right.low),
        (left.low, right.high),
        (left.high, right.low),
        (left.high, right.high),
    ]
    .map(|(left, right)| apply(i128::from(left), i128::from(right)));
    Fact::wide(ends.into_iter().min().unwrap_or(0), ends.into_iter().max().unwrap_or(0))
}

/// Whether the bits of a number that are set are the lowest ones.
fn is_low_bits(number: i64) -> bool {
    number.checked_add(1).is_some_and(|above| 0 < above && number & above == 0)
}

fn bits(operator: BinaryOperator, left: Fact, right: Fact) -> Fact {
    if operator == BinaryOperator::BitAnd {
        // What has no other bits than those that are left stays as it is.
        for (value, mask) in [(left, right), (right, left)] {
            let is_mask = mask.low == mask.high && is_low_bits(mask.low);
            if is_mask && 0 <= value.low && value.high <= mask.low {
                return Fact::between(value.low, value.high);
            }
        }
        // What is not negative has no highest bit, and leaves none.
        let highs = [left, right].into_iter().filter(|operand| 0 <= operand.low);
        let high = highs.map(|operand| operand.high).min();
        return high.map_or(Fact::ANYTHING, |high| Fact::between(0, high));
    }
    if left.low < 0 || right.low < 0 {
        return Fact::ANYTHING;
    }
    // All bits up to the highest one that either has.
    let highest = (left.high | right.high).leading_zeros();
    Fact::between(0, i64::MAX.checked_shr(highest.saturating_sub(1)).unwrap_or(0))
}
