//! Conjuncts of guards, and which steps can make each of them true.

use super::access::{Change, read_by};
use super::elements::{Elements, Region};
use super::flow::Flow;
use super::known::{Conjunct, Knowledge, Literal};
use super::steps::Steps;
use crate::id::{IdVec, define_id};
use crate::lang::layout::Layout;
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, TransitionId, UnaryOperator, VariableId,
};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Longer conjuncts are not evaluated: they count as if they might be true.
const MAX_CODE: usize = 1_000;

define_id! {
    /// A conjunct of one or several guards.
    pub(super) struct ConditionId;
}

/// Where an element lies in a packed state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    word: usize,
    shift: usize,
    mask: u64,
    low: i64,
}

impl Field {
    fn read(self, state: &[u64]) -> i64 {
        self.low.wrapping_add_unsigned(state[self.word] >> self.shift & self.mask)
    }
}

/// How a conjunct is evaluated.
#[derive(Clone, Debug)]
enum Test {
    Literal(Field, Literal),
    /// Operands come before operators.
    Code(Box<[Operation]>, bool),
    /// It depends on choices.
    Open,
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Number(i64),
    Load(Field),
    /// An element of an array, whose fields are at this place in the table.
    LoadElement {
        first: usize,
        len: usize,
    },
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    If,
}

/// A conjunct.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    test: Test,
    /// The steps that can make it true where it is false.
    pub(super) enablers: Box<[TransitionId]>,
}

/// The conjuncts of all guards.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    pub(super) conditions: IdVec<ConditionId, Condition>,
    pub(super) of: IdVec<TransitionId, Box<[ConditionId]>>,
    /// The elements of arrays: a field, or a number where it is constant.
    entries: Vec<Result<Field, i64>>,
}

impl Conditions {
    pub(super) fn new(
        program: &Program,
        layout: &Layout,
        elements: &Elements,
        flow: &Flow,
        steps: &Steps,
    ) -> Self {
        let mut found = Self::default();
        let mut literals: HashMap<Literal, ConditionId, FxBuildHasher> = HashMap::default();
        let mut arrays = HashMap::default();
        for (id, part) in steps.parts.entries() {
            let before = flow.before(program, elements, id).filter(|_| steps.is_live[id]);
            let Some(mut knowledge) = before else {
                found.of.push(Box::default());
                continue;
            };
            knowledge.indices.clone_from(&part.indices);
            knowledge.is_safe = true;
            let mut own = Vec::new();
            let (safe, rest) = part.conjuncts.split_at(part.n_safe);
            for &(conjunct, literal) in safe {
                let known = literal.and_then(|literal| literals.get(&literal).copied());
                own.push(known.unwrap_or_else(|| {
                    let (entries, arrays) = (&mut found.entries, &mut arrays);
                    let mut compiler = Compiler { knowledge: &knowledge, layout, entries, arrays };
                    let test = compiler.test(conjunct, literal);
                    let enablers = match literal {
                        Some(literal) => enablers_of_literal(steps, literal),
                        None => enablers(steps, &read_by(&knowledge, conjunct.0)),
                    };
                    let number = found.conditions.push(Condition { test, enablers });
                    literal.map(|literal| literals.insert(literal, number));
                    number
                }));
            }
            if !rest.is_empty() {
                // Where one of these goes wrong, it does not matter what the others are.
                let mut read = Region::default();
                knowledge.is_safe = false;
                for (conjunct, _) in rest {
                    read.add_all(&read_by(&knowledge, conjunct.0));
                }
                let enablers = enablers(steps, &read);
                own.push(found.conditions.push(Condition { test: Test::Open, enablers }));
            }
            found.of.push(own.into_boxed_slice());
        }
        found
    }

    /// Whether a condition is known to be false in a state.
    pub(super) fn is_false(
        &self,
        condition: &Condition,
        state: &[u64],
        stack: &mut Vec<Option<i64>>,
    ) -> bool {
        match &condition.test {
            Test::Open => false,
            Test::Literal(field, literal) => !literal.is_true(field.read(state)),
            Test::Code(code, is_positive) => {
                let value = self.run(code, state, stack);
                value.is_some_and(|value| (value != 0) != *is_positive)
            }
        }
    }

    /// The value of an expression; nothing if something goes wrong in it.
    fn run(&self, code: &[Operation], state: &[u64], stack: &mut Vec<Option<i64>>) -> Option<i64> {
        use BinaryOperator::{And, Or};
        stack.clear();
        for &operation in code {
            let value = match operation {
                Operation::Number(value) => Some(value),
                Operation::Load(field) => Some(field.read(state)),
                Operation::LoadElement { first, len } => stack.pop()?.and_then(|index| {
                    let index = usize::try_from(index).ok().filter(|&index| index < len)?;
                    Some(match self.entries[first + index] {
                        Ok(field) => field.read(state),
                        Err(value) => value,
                    })
                }),
                Operation::Unary(operator) => stack.pop()?.and_then(|value| operator.apply(value)),
                Operation::Binary(operator) => {
                    let (right, left) = (stack.pop()?, stack.pop()?);
                    match (operator, left) {
                        (And, Some(0)) => Some(0),
                        (Or, Some(value)) if value != 0 => Some(1),
                        _ => left.zip(right).and_then(|(left, right)| operator.apply(left, right)),
                    }
                }
                Operation::If => {
                    let (no, yes, condition) = (stack.pop()?, stack.pop()?, stack.pop()?);
                    condition.and_then(|condition| if condition == 0 { no } else { yes })
                }
            };
            stack.push(value);
        }
        stack.pop()?
    }
}

/// The steps that can make a conjunct true that reads these elements.
fn enablers(steps: &Steps, read: &Region) -> Box<[TransitionId]> {
    let can_enable = |&id: &TransitionId| steps.is_live[id] && steps.steps[id].written.meets(read);
    steps.steps.ids().filter(can_enable).collect()
}

/// The steps that can make a literal true.
fn enablers_of_literal(steps: &Steps, literal: Literal) -> Box<[TransitionId]> {
    let can_enable = |&id: &TransitionId| {
        let step = &steps.steps[id];
        if !steps.is_live[id] || !step.written.contains(literal.element) {
            return false;
        }
        let writes = step.parts.iter().flat_map(|&part| &steps.parts[part].access.writes);
        let mut writes = writes.filter(|write| write.range.contains(&literal.element));
        writes.any(|write| match write.change {
            Change::To(value) => literal.is_true(value),
            // What lies above the bounds does not come within them by growing.
            Change::By(amount) if !literal.is_outside => {
                !(literal.low == i64::MIN && 0 <= amount || literal.high == i64::MAX && amount <= 0)
            }
            Change::By(_) | Change::Unknown => true,
        })
    };
    steps.steps.ids().filter(can_enable).collect()
}

/// Makes tests of conjuncts, in which what is known where their transition is enabled is put in:
/// they are true there, too.
struct Compiler<'a, 'b> {
    knowledge: &'b Knowledge<'a>,
    layout: &'b Layout,
    entries: &'b mut Vec<Result<Field, i64>>,
    /// Where the elements of an array are in the table.
    arrays: &'b mut HashMap<VariableId, usize, FxBuildHasher>,
}

impl Compiler<'_, '_> {
    fn test(&mut self, (id, is_positive): Conjunct, literal: Option<Literal>) -> Test {
        if let Some(literal) = literal {
            let (variable, index) = self.knowledge.elements.place(literal.element);
            return match self.entry(variable, index) {
                Ok(field) => Test::Literal(field, literal),
                Err(value) => {
                    let value = i64::from(literal.is_true(value));
                    Test::Code(Box::new([Operation::Number(value)]), true)
                }
            };
        }
        let code = self.code(id);
        code.map_or(Test::Open, |code| Test::Code(code.into_boxed_slice(), is_positive))
    }

    /// An element: a field, or its value if it never changes.
    fn entry(&self, variable: VariableId, index: usize) -> Result<Field, i64> {
        let declared = &self.knowledge.program.variables[variable];
        match self.layout.place(variable) {
            None => Err(declared.initial[index]),
            Some(place) => {
                let (word, shift) = place.element(index);
                Ok(Field { word, shift, mask: place.mask(), low: declared.low })
            }
        }
    }

    /// Where the elements of an array are in the table.
    fn array(&mut self, variable: VariableId) -> (usize, usize) {
        let len = self.knowledge.program.variables[variable].n_elements();
        if let Some(&first) = self.arrays.get(&variable) {
            return (first, len);
        }
        let first = self.entries.len();
        for index in 0..len {
            let entry = self.entry(variable, index);
            self.entries.push(entry);
        }
        self.arrays.insert(variable, first);
        (first, len)
    }

    /// Code for an expression; nothing if it depends on choices, or is too long.
    fn code(&mut self, whole: ExpressionId) -> Option<Vec<Operation>> {
        let mut code = Vec::new();
        let mut open = vec![(whole, false)];
        while let Some((id, has_operands)) = open.pop() {
            if MAX_CODE < code.len() {
                return None;
            }
            if let Some(value) = self.knowledge.value(id).filter(|_| !has_operands) {
                code.push(Operation::Number(value));
                continue;
            }
            let expression = self.knowledge.program.view(id);
            let element = self.knowledge.element(id);
            if !has_operands && element.is_none() {
                open.push((id, true));
                let operands: Vec<ExpressionId> = expression.operands().collect();
                open.extend(operands.into_iter().rev().map(|operand| (operand, false)));
                continue;
            }
            code.push(match (element, expression) {
                (Some(element), _) => {
                    let (variable, index) = self.knowledge.elements.place(element);
                    let entry = self.entry(variable, index);
                    entry.map_or_else(Operation::Number, Operation::Load)
                }
                (None, Expression::Element(variable, _)) => {
                    let (first, len) = self.array(variable);
                    Operation::LoadElement { first, len }
                }
                (None, Expression::Unary(operator, _)) => Operation::Unary(operator),
                (None, Expression::Binary(operator, ..)) => Operation::Binary(operator),
                (None, Expression::If(..)) => Operation::If,
                _ => return None,
            });
        }
        Some(code)
    }
}
