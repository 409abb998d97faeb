//! Random programs, for comparing the ways to run them.
//!
//! They are small and full of what tends to go wrong: ranges below zero and
//! of 32 bits, arrays of more than a word, constants, conditions inside of
//! values, choices, temporaries, assertions. Most assignments stay in range, so
//! that there are states to explore; some do not, on purpose.

use lwaa::id::Id;
use lwaa::lang::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Process, ProcessId, Program, Span,
    Transition, UnaryOperator, Variable, VariableId,
};
use lwaa::testbench::Random;

/// A random program and some expressions over its variables, to be observed.
///
/// # Panics
///
/// Never: all ranges are small.
#[must_use]
pub(crate) fn random_program(random: &mut Random) -> (Program, Vec<ExpressionId>) {
    let mut generator = Generator {
        random,
        program: Program::default(),
        counters: Vec::new(),
        data: Vec::new(),
        n_choices: 0,
        temporaries: Vec::new(),
        shared: Vec::new(),
    };
    generator.variables();
    let quiet = generator.quiet();
    generator.shared = vec![quiet];
    for depth in [2, 2, 1] {
        let condition = generator.condition(depth);
        generator.shared.push(condition);
    }
    let n_transitions = 1 + generator.random.below(14);
    for _ in 0..n_transitions {
        generator.transition();
    }
    generator.n_choices = 0;
    generator.temporaries.clear();
    let n_atoms = generator.random.below(4) + if generator.random.chance(0.02) { 70 } else { 0 };
    let atoms = (0..n_atoms).map(|_| generator.condition(3)).collect();
    (generator.program, atoms)
}

/// Operators with two operands, the useful ones more than once.
const OPERATORS: &[BinaryOperator] = &[
    BinaryOperator::Add,
    BinaryOperator::Add,
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Remainder,
    BinaryOperator::Remainder,
    BinaryOperator::BitAnd,
    BinaryOperator::BitOr,
    BinaryOperator::BitXor,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
];

const COMPARISONS: &[BinaryOperator] = &[
    BinaryOperator::Equal,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessEqual,
];

/// Numbers that are worth a try anywhere.
const NUMBERS: &[i64] = &[0, 0, 1, 1, 2, 3, -1, 5, 31, 63, 64, 255, -128, 1 << 33, i64::MIN];

struct Generator<'a> {
    random: &'a mut Random,
    program: Program,
    /// The program counter of each process.
    counters: Vec<VariableId>,
    data: Vec<VariableId>,
    n_choices: u32,
    /// The temporaries that have a value.
    temporaries: Vec<u32>,
    /// Conditions that many guards use; in the first nothing can go wrong.
    shared: Vec<ExpressionId>,
}

impl Generator<'_> {
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.random.below(items.len())]
    }

    /// A number less than `bound`, as a value.
    fn below(&mut self, bound: usize) -> i64 {
        i64::try_from(self.random.below(bound)).expect("small numbers")
    }

    fn variables(&mut self) {
        let n_processes = 1 + self.random.below(4);
        for number in 0..n_processes {
            let name = format!("p{number}");
            self.program.processes.push(Process { name });
            let high = 1 + self.below(4);
            let counter = self.variable((0, high), None, false);
            self.counters.push(counter);
        }
        for _ in 0..=self.random.below(6) {
            let low = self.pick(&[0, 0, 0, 1, -1, -7, 100, -(1 << 40)]);
            let span = self.pick(&[0, 1, 1, 2, 3, 4, 7, 30, 31, 32, 255, 4095, 5000, u32::MAX]);
            let len = self.pick(&[None, None, None, Some(1), Some(3), Some(4), Some(9), Some(40)]);
            let may_be_any = span < 4 && len.unwrap_or(1) < 4;
            let any = may_be_any && self.random.chance(0.15);
            let variable = self.variable((low, low + i64::from(span)), len, any);
            self.data.push(variable);
        }
    }

    fn variable(&mut self, (low, high): (i64, i64), len: Option<usize>, any: bool) -> VariableId {
        let initial = (0..len.unwrap_or(1))
            .map(|_| if self.random.coin() { low } else { self.inside(low, high) })
            .collect();
        let name = format!("v{}", self.program.variables.len());
        let value_names = Vec::new();
        self.program.variables.push(Variable { name, low, high, len, initial, any, value_names })
    }

    fn inside(&mut self, low: i64, high: i64) -> i64 {
        let bound = usize::try_from(high - low + 1).expect("ranges are not empty");
        low + self.below(bound)
    }

    fn expression(&mut self, expression: Expression) -> ExpressionId {
        self.program.expression(expression)
    }

    /// An index for an array, usually inside.
    fn index(&mut self, len: usize, depth: u32) -> ExpressionId {
        match self.random.below(8) {
            0..=2 => {
                let index = self.below(len);
                self.program.constant(index)
            }
            3 => self.value(depth),
            4 => {
                let counter = self.pick(&self.counters.clone());
                self.expression(Expression::Variable(counter))
            }
            5 => {
                // One off on either side, sometimes.
                let leaf = self.leaf(0);
                let offset = self.below(3) - 1;
                let offset = self.program.constant(offset);
                self.program.binary(BinaryOperator::Add, leaf, offset)
            }
            _ => {
                let value = self.value(depth);
                let mask = self.program.constant(i64::MAX);
                let value = self.program.binary(BinaryOperator::BitAnd, value, mask);
                let len = self.program.constant(i64::try_from(len).expect("short"));
                self.program.binary(BinaryOperator::Remainder, value, len)
            }
        }
    }

    fn read(&mut self, variable: VariableId, depth: u32) -> ExpressionId {
        match self.program.variables[variable].len {
            None => self.expression(Expression::Variable(variable)),
            Some(len) => {
                let index = self.index(len, depth);
                self.expression(Expression::Element(variable, index))
            }
        }
    }

    /// A value without operators, except in indices.
    fn leaf(&mut self, depth: u32) -> ExpressionId {
        match self.random.below(10) {
            0 | 1 => {
                let number = self.pick(NUMBERS);
                self.program.constant(number)
            }
            2 if 0 < self.n_choices => {
                let number = self.random.below(self.n_choices as usize);
                self.expression(Expression::Choice(u32::try_from(number).expect("small")))
            }
            3 | 4 if !self.temporaries.is_empty() => {
                let number = self.pick(&self.temporaries.clone());
                self.expression(Expression::Temporary(number))
            }
            5 => {
                let counter = self.pick(&self.counters.clone());
                self.expression(Expression::Variable(counter))
            }
            _ => {
                let variable = self.pick(&self.data.clone());
                if depth == 0 && self.program.variables[variable].len.is_some() {
                    let zero = self.program.constant(0);
                    return self.expression(Expression::Element(variable, zero));
                }
                self.read(variable, depth.saturating_sub(1))
            }
        }
    }

    fn value(&mut self, depth: u32) -> ExpressionId {
        if depth == 0 || self.random.chance(0.4) {
            return self.leaf(depth);
        }
        let depth = depth - 1;
        match self.random.below(12) {
            0 => {
                let operator = self.pick(&[UnaryOperator::Negate, UnaryOperator::Complement]);
                let operand = self.value(depth);
                self.expression(Expression::Unary(operator, operand))
            }
            1 => self.condition(depth),
            2 | 3 => {
                let condition = self.condition(depth);
                let (yes, no) = (self.value(depth), self.value(depth));
                self.expression(Expression::If(condition, yes, no))
            }
            _ => {
                let operator = self.pick(OPERATORS);
                let (left, right) = (self.value(depth), self.value(depth));
                self.program.binary(operator, left, right)
            }
        }
    }

    fn condition(&mut self, depth: u32) -> ExpressionId {
        let inside = depth.saturating_sub(1);
        match self.random.below(if depth == 0 { 4 } else { 12 }) {
            // An element against a number that it may have.
            0..=2 => {
                let variable = self.pick(&self.data.clone());
                let (low, high) =
                    (self.program.variables[variable].low, self.program.variables[variable].high);
                let bound = self.inside(low, high.min(low + 5));
                let left = self.read(variable, inside);
                let right = self.program.constant(bound);
                let operator = self.pick(COMPARISONS);
                let (left, right) =
                    if self.random.chance(0.3) { (right, left) } else { (left, right) };
                self.program.binary(operator, left, right)
            }
            3 if !self.shared.is_empty() => self.pick(&self.shared.clone()),
            4 | 5 => {
                let operator = self.pick(COMPARISONS);
                let (left, right) = (self.value(inside), self.value(inside));
                self.program.binary(operator, left, right)
            }
            6 | 7 => {
                let operator = self.pick(&[BinaryOperator::And, BinaryOperator::Or]);
                let (left, right) = (self.condition(inside), self.condition(inside));
                self.program.binary(operator, left, right)
            }
            8 => {
                let operand = self.condition(inside);
                self.expression(Expression::Unary(UnaryOperator::Not, operand))
            }
            9 => {
                let condition = self.condition(inside);
                let (yes, no) = (self.condition(inside), self.condition(inside));
                self.expression(Expression::If(condition, yes, no))
            }
            _ => self.value(inside),
        }
    }

    /// That some counters are not at certain locations.
    fn quiet(&mut self) -> ExpressionId {
        let counters = self.counters.clone();
        let parts: Vec<ExpressionId> = (0..=counters.len())
            .map(|_| {
                let counter = self.pick(&counters);
                let location = self.location(counter);
                self.expression(Expression::Unary(UnaryOperator::Not, location))
            })
            .collect();
        self.program.conjunction(&parts)
    }

    /// `element == value`, as program counters are tested.
    fn location(&mut self, counter: VariableId) -> ExpressionId {
        let Variable { low, high, .. } = self.program.variables[counter];
        // Now and then a location that does not exist.
        let beyond = i64::from(self.random.chance(0.05));
        let value = self.inside(low, high + beyond);
        let (left, right) =
            (self.expression(Expression::Variable(counter)), self.program.constant(value));
        self.program.binary(BinaryOperator::Equal, left, right)
    }

    fn transition(&mut self) {
        let process = ProcessId::new(self.random.below(self.counters.len()));
        let counter = self.counters[process.index()];
        self.temporaries.clear();
        let mut choices = Vec::new();
        while choices.len() < 3 && self.random.chance(0.15) {
            let low = self.pick(&[0, 0, 1, -2]);
            choices.push((low, low + self.pick(&[-1, 0, 1, 2, 2, 3])));
        }
        self.n_choices = u32::try_from(choices.len()).expect("at most three");
        let mut parts = Vec::new();
        if self.random.chance(0.8) {
            parts.push(self.location(counter));
        }
        if self.random.chance(0.3) {
            let other = self.pick(&self.counters.clone());
            parts.push(self.location(other));
        }
        for _ in 0..self.random.below(3) {
            let depth = u32::try_from(self.random.below(4)).expect("small");
            parts.push(self.condition(depth));
        }
        if self.random.chance(0.4) {
            let first = self.shared[0];
            let shared = if self.random.coin() { first } else { self.pick(&self.shared.clone()) };
            parts.insert(self.random.below(parts.len() + 1), shared);
        }
        let guard = self.program.conjunction(&parts);
        let n_effects = self.random.below(4);
        let mut effects: Vec<Effect> = (0..n_effects).map(|_| self.effect()).collect();
        let Variable { low, high, .. } = self.program.variables[counter];
        let value = self.inside(low, high);
        let goes = Effect::Assign(counter, self.program.constant(value));
        effects.insert(self.random.below(effects.len() + 1), goes);
        let action = format!("a{}", self.random.below(3));
        let span = Span::default();
        let partner = None;
        let steps = Vec::new();
        let transition =
            Transition { process, partner, action, choices, guard, effects, span, steps };
        self.program.transitions.push(transition);
    }

    fn effect(&mut self) -> Effect {
        match self.random.below(10) {
            0 => {
                let number = self.pick(&[0, 1, 5]);
                let value = self.value(2);
                if !self.temporaries.contains(&number) {
                    self.temporaries.push(number);
                }
                Effect::Let(number, value)
            }
            1 => {
                let one = self.program.constant(1);
                let condition = self.condition(2);
                // Usually true, lest nothing is left to explore.
                let condition = if self.random.chance(0.8) {
                    self.program.binary(BinaryOperator::Or, condition, one)
                } else {
                    condition
                };
                Effect::Assert(
                    condition,
                    Asserted::Stated(format!("assertion {}", condition.index())),
                )
            }
            _ => {
                let variable = self.pick(&self.data.clone());
                let index = self.program.variables[variable].len.map(|len| self.index(len, 1));
                let value = self.assignable(variable);
                match index {
                    Some(index) => Effect::AssignElement(variable, index, value),
                    None => Effect::Assign(variable, value),
                }
            }
        }
    }

    /// A value for a variable, usually in its range.
    fn assignable(&mut self, variable: VariableId) -> ExpressionId {
        let Variable { low, high, .. } = self.program.variables[variable];
        match self.random.below(10) {
            0 => self.value(2),
            1..=3 => {
                let value = self.inside(low, high);
                self.program.constant(value)
            }
            4 => {
                let condition = self.shared[0];
                let (yes, no) = (self.inside(low, high), self.inside(low, high));
                let (yes, no) = (self.program.constant(yes), self.program.constant(no));
                self.expression(Expression::If(condition, yes, no))
            }
            // Up or down by a little.
            5 | 6 => {
                let value = self.read(variable, 1);
                let step = self.pick(&[1, 1, -1, 2]);
                let step = self.program.constant(step);
                self.program.binary(BinaryOperator::Add, value, step)
            }
            _ => {
                let value = self.value(2);
                let mask = self.program.constant(i64::MAX);
                let value = self.program.binary(BinaryOperator::BitAnd, value, mask);
                let n_values = self.program.constant(high - low + 1);
                let value = self.program.binary(BinaryOperator::Remainder, value, n_values);
                let low = self.program.constant(low);
                self.program.binary(BinaryOperator::Add, value, low)
            }
        }
    }
}
