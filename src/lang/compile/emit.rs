//! Turns expressions into code.
//!
//! An expression is compiled in one of two ways: as a value that ends up in a
//! register, or as a condition that goes on or jumps. Registers are handed out
//! like a stack. Where an expression is too deep or too large for that we give
//! up ([`Unfit`]) and leave it to the interpreter; so the recursion here is
//! bounded. Chains of one operator are taken apart in loops and may be long.

use super::instruction::{Array, Element, ElementAt, Field, Instruction};
use super::machine::{Code, RETURN};
use super::routine::Routine;
use super::spine::Spine;
use crate::id::IdVec;
use crate::lang::analyze::Facts;
use crate::lang::execute::Interpreter;
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, UnaryOperator, Values, VariableId,
};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::cell::RefCell;

/// Choices are in registers from 0 on.
pub(super) const MAX_CHOICES: u8 = 32;
/// Temporaries are in the registers behind them.
const MAX_TEMPORARIES: u8 = 64;
/// The first register of which expressions make free use.
pub(super) const FREE: u8 = MAX_CHOICES + MAX_TEMPORARIES;
/// The last one.
const LAST: u8 = RETURN - 1;

/// How many steps we spend on one transition: expressions may share operands,
/// and would be exponentially large without.
pub(super) const MAX_STEPS: u32 = 50_000;

/// Not for us: too large, too deep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unfit;

/// What has been emitted, if it fits.
pub(super) type Fit<T = ()> = Result<T, Unfit>;

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(pub(super) u32);

/// One element of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Leaf {
    pub(super) variable: VariableId,
    pub(super) element: usize,
}

/// What an expression depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Support {
    Nothing,
    One(Leaf),
    Many,
}

/// Code in the making.
#[derive(Debug)]
pub(super) struct Emitter<'a> {
    pub(super) program: &'a Program,
    pub(super) interpreter: &'a Interpreter<'a>,
    pub(super) facts: &'a Facts,
    pub(super) code: Code,
    /// Where labels are.
    places: Vec<u32>,
    pub(super) support: IdVec<ExpressionId, Support>,
    /// Which expressions depend on choices or temporaries.
    open: IdVec<ExpressionId, bool>,
    /// Expressions as conjunctions.
    pub(super) spines: IdVec<ExpressionId, Spine>,
    /// Conditions whose code is called.
    pub(super) routines: HashMap<ExpressionId, Routine, FxBuildHasher>,
    arrays: HashMap<VariableId, u16, FxBuildHasher>,
    tables: HashMap<VariableId, u32, FxBuildHasher>,
    /// Conditions that are evaluated at the beginning. Guards see them,
    /// effects do not.
    pub(super) flags: HashMap<ExpressionId, u8, FxBuildHasher>,
    /// Conjunctions that are not taken apart, because several guards share
    /// them.
    pub(super) units: HashSet<ExpressionId, FxBuildHasher>,
    pub(super) trial: RefCell<Values>,
    pub(super) steps: u32,
    depth: u32,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(
        program: &'a Program,
        interpreter: &'a Interpreter<'a>,
        facts: &'a Facts,
    ) -> Self {
        let mut emitter = Self {
            program,
            interpreter,
            facts,
            code: Code::default(),
            places: Vec::new(),
            support: IdVec::new(),
            open: IdVec::new(),
            spines: IdVec::new(),
            routines: HashMap::default(),
            arrays: HashMap::default(),
            tables: HashMap::default(),
            flags: HashMap::default(),
            units: HashSet::default(),
            trial: RefCell::new(Values::initial(program)),
            steps: 0,
            depth: 0,
        };
        for id in program.expression_ids() {
            let support = emitter.find_support(id);
            emitter.support.push(support);
            let open = emitter.find_open(id);
            emitter.open.push(open);
            let spine = emitter.find_spine(id);
            emitter.spines.push(spine);
        }
        emitter
    }

    /// What an expression depends on, given that of its operands.
    fn find_support(&self, id: ExpressionId) -> Support {
        if self.constant(id).is_some() {
            return Support::Nothing;
        }
        if let Some(leaf) = self.leaf(id) {
            return Support::One(leaf);
        }
        let join = |left: Support, right: Support| match (left, right) {
            (Support::Nothing, other) | (other, Support::Nothing) => other,
            (left, right) if left == right => left,
            _ => Support::Many,
        };
        match self.program.view(id) {
            Expression::Temporary(_) | Expression::Choice(_) | Expression::Variable(_) => {
                Support::Many
            }
            // An array that changes depends on more than on its index.
            Expression::Element(variable, _)
                if self.interpreter.layout.place(variable).is_some() =>
            {
                Support::Many
            }
            expression => {
                let operands = expression.operands().map(|operand| self.support[operand]);
                operands.fold(Support::Nothing, join)
            }
        }
    }

    fn find_open(&self, id: ExpressionId) -> bool {
        let expression = self.program.view(id);
        matches!(expression, Expression::Temporary(_) | Expression::Choice(_))
            || expression.operands().any(|operand| self.open[operand])
    }

    /// Starts something new to which the limits apply.
    pub(super) fn begin(&mut self) {
        self.steps = 0;
        self.depth = 0;
    }

    pub(super) fn label(&mut self) -> Label {
        let label = Label(u32::try_from(self.places.len()).expect("fewer than 2^32 labels"));
        self.places.push(u32::MAX);
        label
    }

    /// Where the next instruction will be.
    pub(super) fn here(&self) -> u32 {
        u32::try_from(self.code.instructions.len()).expect("fewer than 2^32 instructions")
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.places[label.0 as usize] = self.here();
    }

    pub(super) fn push(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    /// The place of a label that is bound.
    pub(super) fn place(&self, label: Label) -> u32 {
        self.places[label.0 as usize]
    }

    /// The code, with places instead of labels.
    pub(super) fn finish(mut self) -> Code {
        let places = &self.places;
        for place in self.code.instructions.iter_mut().filter_map(Instruction::place) {
            *place = places[*place as usize];
        }
        for place in &mut self.code.data.places {
            *place = places[*place as usize];
        }
        self.code
    }

    pub(super) fn constant(&self, id: ExpressionId) -> Option<i64> {
        self.facts.fact(id).constant()
    }

    /// Whether an expression depends on choices or temporaries.
    pub(super) fn is_open(&self, id: ExpressionId) -> bool {
        self.open[id]
    }

    /// Whether evaluating a condition takes more than an instruction or two.
    pub(super) fn is_costly(&self, id: ExpressionId) -> bool {
        self.support[id] == Support::Many
            && match self.program.view(id) {
                Expression::Binary(operator, left, right) => {
                    matches!(operator, BinaryOperator::And | BinaryOperator::Or)
                        || self.affine(left).is_none() && self.constant(left).is_none()
                        || self.affine(right).is_none() && self.constant(right).is_none()
                }
                _ => true,
            }
    }

    /// The element that an expression reads, if it is one and always the same.
    pub(super) fn leaf(&self, id: ExpressionId) -> Option<Leaf> {
        let leaf = match self.program.view(id) {
            Expression::Variable(variable) => Leaf { variable, element: 0 },
            Expression::Element(variable, index) => {
                let element = usize::try_from(self.constant(index)?).ok()?;
                let is_inside = element < self.program.variables[variable].n_elements();
                is_inside.then_some(Leaf { variable, element })?
            }
            _ => return None,
        };
        self.interpreter.layout.place(leaf.variable).is_some().then_some(leaf)
    }

    /// Where an element lies, if it is one that changes.
    pub(super) fn field(&self, leaf: Leaf) -> Fit<Field> {
        let place = self.interpreter.layout.place(leaf.variable).ok_or(Unfit)?;
        let (word, shift) = place.element(leaf.element);
        Field::new(word, shift, place.width).ok_or(Unfit)
    }

    /// A field and what must be added to its distance to have the value.
    pub(super) fn affine(&self, id: ExpressionId) -> Option<(Field, i64)> {
        if let Some(leaf) = self.leaf(id) {
            let low = self.program.variables[leaf.variable].low;
            return Some((self.field(leaf).ok()?, low));
        }
        if self.facts.fact(id).can_fail {
            return None;
        }
        let Expression::Binary(operator, left, right) = self.program.view(id) else { return None };
        let (operand, offset) = match (operator, self.constant(left), self.constant(right)) {
            (BinaryOperator::Add, None, Some(offset)) => (left, offset),
            (BinaryOperator::Add, Some(offset), None) => (right, offset),
            (BinaryOperator::Subtract, None, Some(offset)) => (left, offset.checked_neg()?),
            _ => return None,
        };
        let leaf = self.leaf(operand)?;
        let low = self.program.variables[leaf.variable].low.checked_add(offset)?;
        Some((self.field(leaf).ok()?, low))
    }

    /// The number of an array that changes.
    pub(super) fn array(&mut self, id: VariableId) -> Fit<u16> {
        if let Some(&number) = self.arrays.get(&id) {
            return Ok(number);
        }
        let variable = &self.program.variables[id];
        let place = self.interpreter.layout.place(id).ok_or(Unfit)?;
        let len = u64::try_from(variable.n_elements()).map_err(|_| Unfit)?;
        if 1 << 26 <= len {
            return Err(Unfit);
        }
        let is_single = len <= u64::from(place.per_word)
            && u64::from(place.shift) + len * u64::from(place.width) <= 64;
        let reciprocal =
            if is_single { 0 } else { (1_u64 << 32).div_ceil(u64::from(place.per_word)) };
        let number = u16::try_from(self.code.data.arrays.len()).map_err(|_| Unfit)?;
        self.code.data.arrays.push(Array {
            len,
            low: variable.low,
            span: variable.high.wrapping_sub(variable.low).cast_unsigned(),
            word: place.word,
            shift: place.shift,
            width: place.width,
            per_word: place.per_word,
            reciprocal,
        });
        self.arrays.insert(id, number);
        Ok(number)
    }

    /// The number of an array that never changes.
    pub(super) fn table(&mut self, id: VariableId) -> u32 {
        if let Some(&number) = self.tables.get(&id) {
            return number;
        }
        let number = u32::try_from(self.code.data.tables.len()).expect("fewer than 2^32 variables");
        self.code.data.tables.push(self.program.variables[id].initial.clone().into_boxed_slice());
        self.tables.insert(id, number);
        number
    }

    /// Counts a step and a level; [`Emitter::leave`] ends the level.
    pub(super) fn enter(&mut self, free: u8) -> Fit {
        self.steps += 1;
        self.depth += 1;
        let is_fit = self.steps < MAX_STEPS && self.depth < 128 && free < LAST - 2;
        is_fit.then_some(()).ok_or(Unfit)
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The register of a temporary or a choice.
    pub(super) fn register(&self, id: ExpressionId) -> Fit<Option<u8>> {
        let (number, first, max) = match self.program.view(id) {
            Expression::Choice(number) => (number, 0, MAX_CHOICES),
            Expression::Temporary(number) => (number, MAX_CHOICES, MAX_TEMPORARIES),
            _ => return Ok(None),
        };
        let number = u8::try_from(number).ok().filter(|&number| number < max).ok_or(Unfit)?;
        Ok(Some(first + number))
    }

    /// The register of temporary `number`.
    pub(super) fn temporary(number: u32) -> Fit<u8> {
        let number = u8::try_from(number).ok().filter(|&number| number < MAX_TEMPORARIES);
        Ok(MAX_CHOICES + number.ok_or(Unfit)?)
    }

    pub(super) fn load_constant(&mut self, to: u8, value: i64) {
        if let Ok(value) = i32::try_from(value) {
            self.push(Instruction::Constant(to, value));
        } else {
            let index =
                u32::try_from(self.code.data.wide.len()).expect("fewer than 2^32 constants");
            self.code.data.wide.push(value);
            self.push(Instruction::WideConstant(to, index));
        }
    }

    /// Puts the value of an expression into some register: its own, or `free`.
    pub(super) fn any_register(&mut self, id: ExpressionId, free: u8) -> Fit<u8> {
        if let Some(register) = self.register(id)? {
            return Ok(register);
        }
        self.value(id, free)?;
        Ok(free)
    }

    /// Puts the value of an expression into register `to`, using it and those
    /// behind it.
    pub(super) fn value(&mut self, id: ExpressionId, to: u8) -> Fit {
        self.enter(to)?;
        self.value_inside(id, to)?;
        self.leave();
        Ok(())
    }

    fn value_inside(&mut self, id: ExpressionId, to: u8) -> Fit {
        if let Some(value) = self.constant(id) {
            self.load_constant(to, value);
            return Ok(());
        }
        if let Some((field, low)) = self.affine(id)
            && let Ok(low) = i32::try_from(low)
        {
            self.push(Instruction::Load(to, field, low));
            return Ok(());
        }
        match self.program.view(id) {
            Expression::Constant(value) => self.load_constant(to, value),
            Expression::Variable(variable) => self.element(variable, None, to)?,
            Expression::Element(variable, index) => self.element(variable, Some(index), to)?,
            Expression::Temporary(_) | Expression::Choice(_) => {
                let from = self.register(id)?.ok_or(Unfit)?;
                self.push(Instruction::Move(to, from));
            }
            Expression::Unary(UnaryOperator::Not, _) => self.truth(id, to)?,
            Expression::Unary(operator, operand) => {
                let from = self.any_register(operand, to)?;
                self.push(Instruction::Unary(operator, to, from));
            }
            Expression::Binary(operator, ..) if operator.is_logical() => self.truth(id, to)?,
            Expression::Binary(..) => self.arithmetic(id, to)?,
            Expression::If(..) => self.conditional(id, to)?,
        }
        Ok(())
    }

    fn element(&mut self, variable: VariableId, index: Option<ExpressionId>, to: u8) -> Fit {
        let is_fixed = self.interpreter.layout.place(variable).is_none();
        if let Some((field, offset)) = index.and_then(|index| self.affine(index))
            && let Ok(offset) = i32::try_from(offset)
            && !is_fixed
        {
            let array = self.array(variable)?;
            self.push(Instruction::LoadAt(ElementAt { register: to, array, field, offset }));
            return Ok(());
        }
        let index = if let Some(index) = index {
            self.any_register(index, to)?
        } else {
            self.load_constant(to, 0);
            to
        };
        if is_fixed {
            let table = self.table(variable);
            self.push(Instruction::Table(to, index, table));
        } else {
            let array = self.array(variable)?;
            self.push(Instruction::LoadElement(Element { register: to, index, array }));
        }
        Ok(())
    }

    /// 0 or 1.
    fn truth(&mut self, id: ExpressionId, to: u8) -> Fit {
        let (no, end) = (self.label(), self.label());
        self.go_on_if(id, true, no, to)?;
        self.push(Instruction::Constant(to, 1));
        self.push(Instruction::Jump(end.0));
        self.bind(no);
        self.push(Instruction::Constant(to, 0));
        self.bind(end);
        Ok(())
    }

    /// A chain of operators that leans to the left, from its left end on.
    fn arithmetic(&mut self, id: ExpressionId, to: u8) -> Fit {
        let mut chain = Vec::new();
        let mut first = id;
        while let Expression::Binary(operator, left, right) = self.program.view(first)
            && !operator.is_logical()
            && self.constant(first).is_none()
            && (first == id || self.affine(first).is_none())
        {
            chain.push((operator, right));
            first = left;
        }
        let mut left =
            if chain.is_empty() { return Err(Unfit) } else { self.any_register(first, to)? };
        for (operator, right) in chain.into_iter().rev() {
            self.steps += 1;
            self.operation(operator, to, left, right)?;
            left = to;
        }
        Ok(())
    }

    fn operation(
        &mut self,
        operator: BinaryOperator,
        to: u8,
        left: u8,
        right: ExpressionId,
    ) -> Fit {
        let constant = self.constant(right).and_then(|value| i32::try_from(value).ok());
        let summand = match operator {
            BinaryOperator::Add => constant,
            BinaryOperator::Subtract => constant.and_then(i32::checked_neg),
            _ => None,
        };
        if let Some(right) = summand {
            self.push(Instruction::AddConstant(to, left, right));
            return Ok(());
        }
        let right = self.any_register(right, to + 1)?;
        self.push(match operator {
            BinaryOperator::Add => Instruction::Add(to, left, right),
            BinaryOperator::Subtract => Instruction::Subtract(to, left, right),
            _ => Instruction::Binary(operator, to, left, right),
        });
        Ok(())
    }

    /// A chain of conditionals.
    fn conditional(&mut self, id: ExpressionId, to: u8) -> Fit {
        let end = self.label();
        let mut rest = id;
        while let Expression::If(condition, yes, no) = self.program.view(rest)
            && self.constant(rest).is_none()
        {
            self.steps += 1;
            let otherwise = self.label();
            self.go_on_if(condition, true, otherwise, to)?;
            self.value(yes, to)?;
            self.push(Instruction::Jump(end.0));
            self.bind(otherwise);
            rest = no;
        }
        self.value(rest, to)?;
        self.bind(end);
        Ok(())
    }
}
