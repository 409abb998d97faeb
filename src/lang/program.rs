//! The form that every language lowers to: bounded variables and guarded
//! transitions.
//!
//! Arrays, program counters and channel buffers are variables too. A transition
//! has a guard and effects that run in order on a copy of the state; it may
//! begin with *choices*, numbers from a range that the system picks. All
//! arithmetic is in 64 bits and checked; `&&`, `||` and `if` evaluate only what
//! they need, from left to right, so a guard may protect an index.
//!
//! A program counter is a variable like any other. Executors look for guards
//! that begin with comparisons of a variable with a constant and use them to
//! find the enabled transitions quickly, so front ends put
//! `counter == location` first.
//!
//! This module says what programs are, not how they run.

use super::source::{Source, Step};
use crate::id::{Id, IdVec, define_id};
use crate::work::tick;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

pub use crate::scan::Span;
pub use crate::system::{ProcessId, Strength, TransitionId};

define_id! {
    /// A variable of a [`Program`].
    pub struct VariableId;
}

define_id! {
    /// An expression of a [`Program`].
    pub struct ExpressionId;
}

/// A variable, or an array of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its full name, as traces show it: `phase[2]`, `P_0.j`. What has no name, or one
    /// that begins with a dot, is not shown to people: it is nothing that the source
    /// text speaks of.
    pub name: String,
    /// The least value that each element can hold.
    pub low: i64,
    /// The greatest value that each element can hold. `high - low` is below
    /// 2³².
    pub high: i64,
    /// The number of elements of an array; nothing for a single variable.
    pub len: Option<usize>,
    /// The initial value of each element: as many as there are elements.
    pub initial: Vec<i64>,
    /// Whether every element may begin with any value of its range instead.
    pub any: bool,
    /// Names of values, from `low` on; empty if values are numbers.
    pub value_names: Vec<String>,
}

impl Variable {
    /// The number of elements; one for a single variable.
    #[must_use]
    pub fn n_elements(&self) -> usize {
        self.len.unwrap_or(1)
    }

    /// Whether people are to see it.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !self.name.is_empty() && !self.name.starts_with('.')
    }

    /// A value as traces show it.
    #[must_use]
    pub fn value_name(&self, value: i64) -> String {
        usize::try_from(value - self.low)
            .ok()
            .and_then(|index| self.value_names.get(index))
            .cloned()
            .unwrap_or_else(|| value.to_string())
    }
}

/// A process, which makes transitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its name, as traces show it: `philosopher(2)`, `P_0`.
    pub name: String,
}

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// 1 if the operand is 0, else 0.
    Not,
    /// Minus.
    Negate,
    /// All bits of the 64-bit number flipped.
    Complement,
}

/// An operator with two operands. Comparisons and logic give 0 or 1; whatever
/// is not 0 is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient, towards zero.
    Divide,
    /// Remainder, with the sign of the left operand.
    Remainder,
    /// Bits that both have.
    BitAnd,
    /// Bits that either has.
    BitOr,
    /// Bits that exactly one has.
    BitXor,
    /// Shift to the left; overflow if bits are lost or the right operand is
    /// not from 0 to 63.
    ShiftLeft,
    /// Shift to the right with the sign; overflow if the right operand is not
    /// from 0 to 63.
    ShiftRight,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `&&`: the right operand is evaluated only if the left one is true.
    And,
    /// `||`: the right operand is evaluated only if the left one is false.
    Or,
}

/// An expression; its operands have smaller ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expression {
    /// A number.
    Constant(i64),
    /// The value of a single variable.
    Variable(VariableId),
    /// The value of an element of an array.
    Element(VariableId, ExpressionId),
    /// What [`Effect::Let`] of this number said earlier in the same transition.
    Temporary(u32),
    /// The value picked for this choice of the transition.
    Choice(u32),
    /// One operand.
    Unary(UnaryOperator, ExpressionId),
    /// Two operands.
    Binary(BinaryOperator, ExpressionId, ExpressionId),
    /// The second if the first is true, else the third; only that one is
    /// evaluated.
    If(ExpressionId, ExpressionId, ExpressionId),
}

impl Expression {
    /// The operands, from left to right.
    pub fn operands(self) -> impl Iterator<Item = ExpressionId> {
        let operands = match self {
            Self::Constant(_) | Self::Variable(_) | Self::Temporary(_) | Self::Choice(_) => {
                [None, None, None]
            }
            Self::Element(_, operand) | Self::Unary(_, operand) => [Some(operand), None, None],
            Self::Binary(_, left, right) => [Some(left), Some(right), None],
            Self::If(condition, yes, no) => [Some(condition), Some(yes), Some(no)],
        };
        operands.into_iter().flatten()
    }

    /// The variable or array that it reads, besides those that its operands read.
    #[must_use]
    pub fn variable(self) -> Option<VariableId> {
        match self {
            Self::Variable(variable) | Self::Element(variable, _) => Some(variable),
            _ => None,
        }
    }
}

/// One thing that a transition does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Gives a single variable a value. The value must be in its range.
    Assign(VariableId, ExpressionId),
    /// Gives an element of an array a value: array, index, value. The index is
    /// evaluated first.
    AssignElement(VariableId, ExpressionId, ExpressionId),
    /// Names a value for later effects of the same transition. With it,
    /// simultaneous assignments are made of ordered ones.
    Let(u32, ExpressionId),
    /// Fails unless the expression is true.
    Assert(ExpressionId, Asserted),
}

impl Effect {
    /// Gives a single variable or, with an index, an element of an array a value.
    #[must_use]
    pub fn assign(variable: VariableId, index: Option<ExpressionId>, value: ExpressionId) -> Self {
        match index {
            None => Self::Assign(variable, value),
            Some(index) => Self::AssignElement(variable, index, value),
        }
    }

    /// What [`assign`](Self::assign) was given, if it made this effect.
    #[must_use]
    pub fn assignment(&self) -> Option<(VariableId, Option<ExpressionId>, ExpressionId)> {
        match *self {
            Self::Assign(variable, value) => Some((variable, None, value)),
            Self::AssignElement(variable, index, value) => Some((variable, Some(index), value)),
            Self::Let(..) | Self::Assert(..) => None,
        }
    }
}

/// What an [`Effect::Assert`] demands, and why it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asserted {
    /// An assertion that the text of the model states, in its own words.
    Stated(String),
    /// A rule of the language.
    Rule(String),
    /// That the program has room for another process. It fails where the program was
    /// made too small, which says nothing about the model.
    Room,
    /// That a variable has room for the value that it gets next. It fails where the program was
    /// made too small; a larger one has the same transitions.
    Capacity,
}

/// A guarded command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The process that moves.
    pub process: ProcessId,
    /// The process that moves with it, in a rendezvous.
    pub partner: Option<ProcessId>,
    /// What is done, as traces show it and `taken(…)` names it.
    pub action: String,
    /// Ranges of numbers to pick from, both ends included: the transition
    /// exists once for each combination. The last choice changes fastest. An
    /// empty range means that there is no combination.
    pub choices: Vec<(i64, i64)>,
    /// When it is enabled. May read choices.
    pub guard: ExpressionId,
    /// What it does, in order.
    pub effects: Vec<Effect>,
    /// Where it stands in the source text.
    pub span: Span,
    /// The statements of the source text that it runs, in order; empty if the language
    /// has none, or if there is nothing to say that `action` does not.
    pub steps: Vec<Step>,
}

/// A promise about which runs there are: some transitions, taken as one, are
/// not neglected for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// What is promised.
    pub strength: Strength,
    /// The process or action that it is about, as messages show it: `philosopher(2)`,
    /// `sender.send`.
    pub name: String,
    /// The transitions, in increasing order. They are enabled if one of them
    /// is, and taken if one of them is.
    pub transitions: Vec<TransitionId>,
    /// Where it stands in the source text.
    pub span: Span,
}

/// What an atom of a formula says at a moment of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// About the state: the expression is not 0.
    State(ExpressionId),
    /// One of these transitions, in increasing order, is enabled.
    Enabled(Vec<TransitionId>),
    /// One of these transitions, in increasing order, is taken next. Never true
    /// where a run stays in a deadlock.
    Taken(Vec<TransitionId>),
}

/// What makes several steps one: which process moves next, and what happens when no
/// transition is enabled.
///
/// While the holder is not 0, a process has the model for itself: 2 *p* + 1 if
/// process *p* goes on as long as it can, 2 *p* + 2 if it has to go on. Executors
/// yield only the last state of such a sequence. Transitions only set
/// the holder; executors set it back to 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The process that has the model for itself.
    pub holder: VariableId,
    /// Is 1 while the transitions of a state are tried for a second time, because
    /// none was enabled; else 0. No transition assigns it. Nothing if no transition
    /// asks for it.
    pub timeout: Option<VariableId>,
    /// Whether a state without successors is an end and no deadlock.
    pub ends: ExpressionId,
}

/// A model in the form that all languages share.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The variables; a state is a value for each.
    pub variables: IdVec<VariableId, Variable>,
    /// The processes; may be empty only if there is no transition.
    pub processes: IdVec<ProcessId, Process>,
    /// The transitions, in the order in which they are tried.
    pub transitions: IdVec<TransitionId, Transition>,
    /// What the model promises about its runs.
    pub fairness: Vec<Fairness>,
    /// What makes several steps one, if the language has such a thing. Then there
    /// are no choices.
    pub control: Option<Control>,
    /// A single variable that begins with any of these values instead.
    pub one_of: Option<(VariableId, Vec<i64>)>,
    /// What it keeps of its source text, for people.
    pub source: Source,
    expressions: IdVec<ExpressionId, Expression>,
    by_value: HashMap<Expression, ExpressionId, FxBuildHasher>,
}

impl Program {
    /// The id of an expression, whose operands are in this program. Equal
    /// expressions have equal ids; constants are folded where nothing can go
    /// wrong.
    pub fn expression(&mut self, expression: Expression) -> ExpressionId {
        let expression = self.folded(expression);
        if let Some(&id) = self.by_value.get(&expression) {
            return id;
        }
        let id = self.expressions.push(expression);
        self.by_value.insert(expression, id);
        id
    }

    /// Makes assertions that the model states true: they act as `skip`. The list of effects
    /// keeps its length, since statements refer to effects by their number.
    pub fn ignore_assertions(&mut self) {
        let truth = self.constant(1);
        for (_, transition) in self.transitions.entries_mut() {
            for effect in &mut transition.effects {
                if let Effect::Assert(condition, Asserted::Stated(_)) = effect {
                    *condition = truth;
                }
            }
        }
    }

    /// A number as an expression.
    pub fn constant(&mut self, value: i64) -> ExpressionId {
        self.expression(Expression::Constant(value))
    }

    /// Two operands as an expression.
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        self.expression(Expression::Binary(operator, left, right))
    }

    /// The conjunction of conditions, evaluated from left to right; true if
    /// there are none.
    pub fn conjunction(&mut self, parts: &[ExpressionId]) -> ExpressionId {
        let mut parts = parts.iter().copied();
        let Some(first) = parts.next() else { return self.constant(1) };
        parts.fold(first, |left, right| self.binary(BinaryOperator::And, left, right))
    }

    /// The expression `id`.
    #[must_use]
    pub fn view(&self, id: ExpressionId) -> Expression {
        self.expressions[id]
    }

    /// The ids of all expressions: operands come before what they are in.
    pub fn expression_ids(&self) -> impl Iterator<Item = ExpressionId> + use<> {
        self.expressions.ids()
    }

    /// The expressions that some are made of, themselves included, each once.
    pub fn parts_of(
        &self,
        whole: impl IntoIterator<Item = ExpressionId>,
    ) -> impl Iterator<Item = (ExpressionId, Expression)> {
        let mut seen: HashSet<ExpressionId, FxBuildHasher> = HashSet::default();
        let mut open: Vec<ExpressionId> = whole.into_iter().collect();
        std::iter::from_fn(move || {
            while let Some(id) = open.pop() {
                if seen.insert(id) {
                    tick();
                    let expression = self.view(id);
                    open.extend(expression.operands());
                    return Some((id, expression));
                }
            }
            None
        })
    }

    /// The transitions in which a process takes part.
    pub fn transitions_of(&self, process: ProcessId) -> impl Iterator<Item = TransitionId> {
        let transitions = self.transitions.entries().filter(move |(_, transition)| {
            transition.process == process || transition.partner == Some(process)
        });
        transitions.map(|(id, _)| id)
    }

    /// The opposite of a condition.
    pub fn negation(&mut self, condition: ExpressionId) -> ExpressionId {
        self.expression(Expression::Unary(UnaryOperator::Not, condition))
    }

    /// The lane of each transition, and the number of lanes: processes, or
    /// actions if only one process moves.
    ///
    /// # Panics
    ///
    /// If there are 2³² transitions.
    #[must_use]
    pub fn lanes(&self) -> (IdVec<TransitionId, u32>, u32) {
        let by_process = self.control.is_some()
            || self.transitions.iter().any(|transition| {
                transition.process != self.transitions[TransitionId::new(0)].process
            });
        let mut numbers: HashMap<(ProcessId, &str), u32, FxBuildHasher> = HashMap::default();
        let lanes: IdVec<TransitionId, u32> = self
            .transitions
            .iter()
            .map(|transition| {
                let action = if by_process { "" } else { transition.action.as_str() };
                let fresh = u32::try_from(numbers.len()).expect("fewer than 2^32 transitions");
                *numbers.entry((transition.process, action)).or_insert(fresh)
            })
            .collect();
        let n_lanes = u32::try_from(numbers.len()).expect("fewer than 2^32 transitions").max(1);
        (lanes, n_lanes)
    }

    /// The number that an expression is, if it is one.
    #[must_use]
    pub fn as_constant(&self, id: ExpressionId) -> Option<i64> {
        match self.view(id) {
            Expression::Constant(value) => Some(value),
            _ => None,
        }
    }

    fn folded(&self, expression: Expression) -> Expression {
        use BinaryOperator::{And, Or};
        match expression {
            Expression::Unary(operator, operand) => self
                .as_constant(operand)
                .and_then(|value| operator.apply(value))
                .map_or(expression, Expression::Constant),
            Expression::Binary(operator, left, right) => {
                match (operator, self.as_constant(left), self.as_constant(right)) {
                    (And, Some(0), _) => Expression::Constant(0),
                    (Or, Some(value), _) if value != 0 => Expression::Constant(1),
                    (_, Some(left), Some(right)) => {
                        operator.apply(left, right).map_or(expression, Expression::Constant)
                    }
                    // `true && x` is `x` only if `x` is 0 or 1.
                    (And, Some(_), None) | (Or, Some(0), None) if self.is_logical(right) => {
                        self.view(right)
                    }
                    _ => expression,
                }
            }
            Expression::If(condition, yes, no) => match self.as_constant(condition) {
                Some(0) => self.view(no),
                Some(_) => self.view(yes),
                None => expression,
            },
            _ => expression,
        }
    }

    /// Whether an expression gives nothing but 0 and 1.
    #[must_use]
    pub fn is_logical(&self, id: ExpressionId) -> bool {
        match self.view(id) {
            Expression::Constant(value) => value == 0 || value == 1,
            Expression::Unary(operator, _) => operator == UnaryOperator::Not,
            Expression::Binary(operator, ..) => operator.is_logical(),
            Expression::Variable(id) | Expression::Element(id, _) => {
                0 <= self.variables[id].low && self.variables[id].high <= 1
            }
            _ => false,
        }
    }
}

impl UnaryOperator {
    /// The value of the operator; nothing on overflow.
    #[must_use]
    pub fn apply(self, value: i64) -> Option<i64> {
        match self {
            Self::Not => Some(i64::from(value == 0)),
            Self::Negate => value.checked_neg(),
            Self::Complement => Some(!value),
        }
    }
}

impl BinaryOperator {
    /// Whether the operator gives nothing but 0 and 1.
    #[must_use]
    pub fn is_logical(self) -> bool {
        matches!(
            self,
            Self::Equal | Self::NotEqual | Self::Less | Self::LessEqual | Self::And | Self::Or
        )
    }

    /// The value of the operator on evaluated operands; nothing if something
    /// goes wrong.
    #[must_use]
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        let amount = || u32::try_from(right).ok().filter(|&amount| amount < 64);
        Some(match self {
            Self::Add => left.checked_add(right)?,
            Self::Subtract => left.checked_sub(right)?,
            Self::Multiply => left.checked_mul(right)?,
            Self::Divide => left.checked_div(right)?,
            Self::Remainder => left.checked_rem(right)?,
            Self::BitAnd => left & right,
            Self::BitOr => left | right,
            Self::BitXor => left ^ right,
            Self::ShiftLeft => {
                let shifted = left << amount()?;
                (shifted >> amount()? == left).then_some(shifted)?
            }
            Self::ShiftRight => left >> amount()?,
            Self::Equal => i64::from(left == right),
            Self::NotEqual => i64::from(left != right),
            Self::Less => i64::from(left < right),
            Self::LessEqual => i64::from(left <= right),
            Self::And => i64::from(left != 0 && right != 0),
            Self::Or => i64::from(left != 0 || right != 0),
        })
    }
}

/// All values of the variables of a program, element by element: how a state
/// looks when it is not packed. Clones share the elements of a variable until
/// one of them is changed, so tables that never change cost nothing.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Values {
    elements: IdVec<VariableId, Arc<[i64]>>,
}

impl Values {
    /// The initial values.
    #[must_use]
    pub fn initial(program: &Program) -> Self {
        Self {
            elements: program
                .variables
                .iter()
                .map(|variable| variable.initial.as_slice().into())
                .collect(),
        }
    }

    /// The value of an element; a single variable is element 0.
    #[must_use]
    pub fn value(&self, variable: VariableId, element: usize) -> i64 {
        self.elements[variable][element]
    }

    /// Changes the value of an element.
    pub fn set(&mut self, variable: VariableId, element: usize, value: i64) {
        Arc::make_mut(&mut self.elements[variable])[element] = value;
    }

    /// The number of variables.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        self.elements.len()
    }
}
