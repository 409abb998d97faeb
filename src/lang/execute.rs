//! Runs a program by walking its expressions: the oracle beside the compiled
//! form.
//!
//! Slow and obvious on purpose. It unpacks the state, evaluates every guard of
//! every transition, and packs the successor again. When compiled code finds
//! that something goes wrong, this one says what.

mod explain;
mod sequence;

pub use explain::Ran;

use super::layout::Layout;
use super::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Program, Proposition, Transition,
    Values, VariableId,
};
use crate::id::{Id, IdVec};
use crate::system::{Cursor, Fault, FaultKind, Room, StepError, TransitionId, TransitionSystem};
use crate::word::AtomId;
use sequence::WholeStep;
use std::borrow::Cow;

/// A program that is interpreted.
#[derive(Debug)]
pub struct Interpreter<'a> {
    pub(super) program: &'a Program,
    pub(super) layout: Layout,
    initial: Values,
    /// What the atoms say, by number.
    pub(super) atoms: Vec<Proposition>,
    pub(super) lane_of: IdVec<TransitionId, u32>,
    pub(super) lanes: Vec<Vec<TransitionId>>,
    /// The transitions of each process.
    of_process: Vec<Vec<TransitionId>>,
    /// The steps from a state, if processes may hold the model: the state, the lane that comes
    /// first, and the steps.
    whole_steps: (Box<[u64]>, u32, Vec<WholeStep>),
}

/// Why a transition does not come to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    /// The model is wrong.
    #[error(transparent)]
    Fault(FaultKind),
    /// The program is too small.
    #[error("there is too little room for this step")]
    Room,
}

impl From<FaultKind> for Failure {
    fn from(kind: FaultKind) -> Self {
        Self::Fault(kind)
    }
}

impl Failure {
    /// The same as a property of a step.
    fn of(self, transition: TransitionId) -> StepError {
        match self {
            Self::Fault(kind) => Fault { kind, transition: Some(transition) }.into(),
            Self::Room => StepError::Room(Room { transition }),
        }
    }
}

/// Does effects on the initial values of a program.
pub(super) fn run_once(program: &mut Program, effects: &[Effect]) -> Result<(), Failure> {
    let values = Values::initial(program);
    let mut run = Run { program, values: Cow::Owned(values), choices: &[], named: vec![] };
    for effect in effects {
        run.apply(effect)?;
    }
    let values = run.values.into_owned();
    for (id, variable) in program.variables.entries_mut() {
        for (element, initial) in variable.initial.iter_mut().enumerate() {
            *initial = values.value(id, element);
        }
    }
    Ok(())
}

impl<'a> Interpreter<'a> {
    /// The transition system of `program`, in which atom *i* says `atoms[i]`.
    #[must_use]
    pub fn new(program: &'a Program, atoms: &[Proposition]) -> Self {
        let (lane_of, n_lanes) = program.lanes();
        let mut lanes = vec![Vec::new(); n_lanes as usize];
        for (transition, &lane) in lane_of.entries() {
            lanes[lane as usize].push(transition);
        }
        let mut of_process = vec![Vec::new(); program.processes.len()];
        for (id, transition) in program.transitions.entries() {
            of_process[transition.process.index()].push(id);
        }
        let whole_steps = (Box::default(), 0, Vec::new());
        Self {
            program,
            layout: Layout::new(program),
            initial: Values::initial(program),
            atoms: atoms.to_vec(),
            lane_of,
            lanes,
            of_process,
            whole_steps,
        }
    }

    /// The values of the variables in a packed state.
    #[must_use]
    pub fn values(&self, state: &[u64]) -> Values {
        let mut values = self.initial.clone();
        self.layout.unpack(self.program, state, &mut values);
        values
    }

    fn packed(&self, values: &Values) -> Box<[u64]> {
        let mut words = vec![0; self.layout.n_words()];
        self.layout.pack(self.program, values, &mut words);
        words.into_boxed_slice()
    }

    /// The values that atoms see: with `timeout` set, if no transition is enabled without it. A
    /// transition that goes wrong or needs more room is enabled.
    fn observed(&self, state: &[u64]) -> Values {
        match self.program.control {
            Some(control) if control.timeout.is_some() => self.moves(control, state, 0).0,
            _ => self.values(state),
        }
    }

    /// The value of an expression without temporaries and choices.
    ///
    /// # Errors
    ///
    /// If it goes wrong.
    pub fn evaluate(&self, id: ExpressionId, values: &Values) -> Result<i64, FaultKind> {
        let values = Cow::Borrowed(values);
        Run { program: self.program, values, choices: &[], named: vec![] }.evaluate(id)
    }

    /// Tries one transition with choices number `choice`: whether it is
    /// enabled, in which case the successor is written to `target`.
    pub(super) fn try_one(
        &self,
        id: TransitionId,
        choice: u32,
        state: &[u64],
        target: &mut [u64],
    ) -> Result<bool, StepError> {
        let transition = &self.program.transitions[id];
        let Some(choices) = Self::choices(transition, choice) else { return Ok(false) };
        let fired = self.fire(transition, &self.values(state), &choices);
        let after = fired.map_err(|failure| failure.of(id))?;
        if let Some(after) = &after {
            self.layout.pack(self.program, after, target);
        }
        Ok(after.is_some())
    }

    /// The choices number `index` of a transition, if there are as many.
    fn choices(transition: &Transition, index: u32) -> Option<Vec<i64>> {
        let mut left = i64::from(index);
        let mut choices = Vec::new();
        for &(low, high) in transition.choices.iter().rev() {
            let n_values = high - low + 1;
            if n_values <= 0 {
                return None;
            }
            choices.push(low + left % n_values);
            left /= n_values;
        }
        choices.reverse();
        (left == 0).then_some(choices)
    }

    fn is_true(&self, atom: &Proposition, values: &Values) -> Result<bool, Fault> {
        match atom {
            Proposition::State(atom) => {
                let value = self.evaluate(*atom, values);
                Ok(value.map_err(|kind| Fault { kind, transition: None })? != 0)
            }
            Proposition::Taken(_) => Ok(false),
            Proposition::Enabled(transitions) => {
                Ok(transitions.iter().any(|&id| self.is_enabled(id, values)))
            }
        }
    }

    /// Whether the guard of a transition is true for some of its choices. A guard that goes
    /// wrong is not true: the transition itself is the error of the model then.
    fn is_enabled(&self, id: TransitionId, values: &Values) -> bool {
        let transition = &self.program.transitions[id];
        let mut all_choices = (0..).map_while(|number| Self::choices(transition, number));
        all_choices.any(|choices| {
            let values = Cow::Borrowed(values);
            let run = Run { program: self.program, values, choices: &choices, named: vec![] };
            run.evaluate(transition.guard).is_ok_and(|value| value != 0)
        })
    }

    /// The state after `transition`, if its guard is true.
    fn fire(
        &self,
        transition: &Transition,
        values: &Values,
        choices: &[i64],
    ) -> Result<Option<Values>, Failure> {
        let values = Cow::Borrowed(values);
        let mut run = Run { program: self.program, values, choices, named: vec![] };
        if run.evaluate(transition.guard)? == 0 {
            return Ok(None);
        }
        for effect in &transition.effects {
            run.apply(effect)?;
        }
        Ok(Some(run.values.into_owned()))
    }

    /// The next successor of a state by a single transition.
    fn step(
        &self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let values = self.values(state);
        while cursor.turn < self.n_lanes() {
            let lane = (cursor.first + cursor.turn) % self.n_lanes();
            let Some(&id) = self.lanes[lane as usize].get(cursor.position as usize) else {
                *cursor = Cursor { turn: cursor.turn + 1, position: 0, choice: 0, ..*cursor };
                continue;
            };
            let transition = &self.program.transitions[id];
            let Some(choices) = Self::choices(transition, cursor.choice) else {
                *cursor = Cursor { position: cursor.position + 1, choice: 0, ..*cursor };
                continue;
            };
            if transition.choices.is_empty() {
                cursor.position += 1;
            } else {
                cursor.choice += 1;
            }
            let fired = self.fire(transition, &values, &choices);
            if let Some(after) = fired.map_err(|failure| failure.of(id))? {
                self.layout.pack(self.program, &after, target);
                return Ok(Some(id));
            }
        }
        Ok(None)
    }
}

impl TransitionSystem for Interpreter<'_> {
    fn n_words(&self) -> usize {
        self.layout.n_words()
    }

    fn initial_states(&self) -> Vec<Box<[u64]>> {
        self.layout.initial_states(self.program)
    }

    fn n_lanes(&self) -> u32 {
        u32::try_from(self.lanes.len()).expect("fewer than 2^32 transitions")
    }

    fn lane(&self, transition: TransitionId) -> u32 {
        self.lane_of[transition]
    }

    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError> {
        let Some(control) = self.program.control else {
            return self.step(state, cursor, target);
        };
        let (of_state, of_lane, _) = &self.whole_steps;
        if **of_state != *state || *of_lane != cursor.first {
            let steps = self.whole_steps(control, state, cursor.first);
            self.whole_steps = (state.into(), cursor.first, steps);
        }
        let (_, _, steps) = &self.whole_steps;
        let Some((transition, outcome)) = steps.get(cursor.position as usize) else {
            return Ok(None);
        };
        cursor.position += 1;
        target.copy_from_slice(outcome.as_ref().map_err(Clone::clone)?);
        Ok(Some(*transition))
    }

    fn is_end(&mut self, state: &[u64]) -> bool {
        self.may_end(state)
    }

    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault> {
        let values = self.observed(state);
        letter.fill(0);
        for (number, atom) in self.atoms.iter().enumerate() {
            letter[number / 64] |= u64::from(self.is_true(atom, &values)?) << (number % 64);
        }
        Ok(())
    }

    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        for (number, atom) in self.atoms.iter().enumerate() {
            if let Proposition::Taken(transitions) = atom
                && transitions.binary_search(&transition).is_ok()
            {
                letter[number / 64] |= 1 << (number % 64);
            }
        }
    }

    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault> {
        self.is_true(&self.atoms[atom.index()], &self.observed(state))
    }
}

/// One transition on its way.
struct Run<'a> {
    program: &'a Program,
    /// Those of others until an effect changes them.
    values: Cow<'a, Values>,
    choices: &'a [i64],
    /// What `Let` effects have named.
    named: Vec<i64>,
}

/// What is left to do for an expression whose operands are on the stack, or
/// are to be put there.
enum Work {
    Evaluate(ExpressionId),
    Finish(Expression),
    /// Makes the last value 0 or 1.
    Truth,
}

impl Run<'_> {
    /// The value of an expression. Keeps its own stack: sums may be thousands
    /// of terms long.
    fn evaluate(&self, id: ExpressionId) -> Result<i64, FaultKind> {
        let mut work = vec![Work::Evaluate(id)];
        let mut stack: Vec<i64> = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Evaluate(id) => self.begin(self.program.view(id), &mut work, &mut stack),
                Work::Finish(expression) => self.finish(expression, &mut work, &mut stack)?,
                Work::Truth => {
                    let last = stack.last_mut().expect("an operand has a value");
                    *last = i64::from(*last != 0);
                }
            }
        }
        Ok(stack.pop().expect("an expression has a value"))
    }

    fn begin(&self, expression: Expression, work: &mut Vec<Work>, stack: &mut Vec<i64>) {
        match expression {
            Expression::Constant(value) => stack.push(value),
            Expression::Variable(id) => stack.push(self.values.value(id, 0)),
            Expression::Temporary(number) => stack.push(self.named[number as usize]),
            Expression::Choice(number) => stack.push(self.choices[number as usize]),
            Expression::Element(_, operand)
            | Expression::Unary(_, operand)
            | Expression::If(operand, ..) => {
                work.push(Work::Finish(expression));
                work.push(Work::Evaluate(operand));
            }
            Expression::Binary(operator, left, right) => {
                work.push(Work::Finish(expression));
                // Logical operators evaluate their right side when they need it.
                if !matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
                    work.push(Work::Evaluate(right));
                }
                work.push(Work::Evaluate(left));
            }
        }
    }

    fn finish(
        &self,
        expression: Expression,
        work: &mut Vec<Work>,
        stack: &mut Vec<i64>,
    ) -> Result<(), FaultKind> {
        let last = stack.pop().expect("an operand has a value");
        match expression {
            Expression::Element(id, _) => {
                let index = self.index(id, last)?;
                stack.push(self.values.value(id, index));
            }
            Expression::Unary(operator, _) => {
                stack.push(operator.apply(last).ok_or(FaultKind::Overflow)?);
            }
            Expression::If(_, yes, no) => {
                work.push(Work::Evaluate(if last == 0 { no } else { yes }));
            }
            Expression::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), _, right) => {
                let deciding = operator == BinaryOperator::Or;
                if (last != 0) == deciding {
                    stack.push(i64::from(deciding));
                } else {
                    work.extend([Work::Truth, Work::Evaluate(right)]);
                }
            }
            Expression::Binary(operator, ..) => {
                let left = stack.pop().expect("an operand has a value");
                let value = operator.apply(left, last).ok_or(match operator {
                    BinaryOperator::Divide | BinaryOperator::Remainder if last == 0 => {
                        FaultKind::DivisionByZero
                    }
                    _ => FaultKind::Overflow,
                })?;
                stack.push(value);
            }
            Expression::Constant(_)
            | Expression::Variable(_)
            | Expression::Temporary(_)
            | Expression::Choice(_) => unreachable!("these have no operands"),
        }
        Ok(())
    }

    fn index(&self, id: VariableId, index: i64) -> Result<usize, FaultKind> {
        let variable = &self.program.variables[id];
        let len = variable.n_elements();
        usize::try_from(index).ok().filter(|&index| index < len).ok_or_else(|| FaultKind::Index {
            // A dot in front says that it is not shown.
            variable: variable.name.trim_start_matches('.').to_owned(),
            index,
            len,
        })
    }

    fn apply(&mut self, effect: &Effect) -> Result<(), Failure> {
        match *effect {
            Effect::Assign(id, value) => Ok(self.assign(id, 0, value)?),
            Effect::AssignElement(id, index, value) => {
                let index = self.index(id, self.evaluate(index)?)?;
                Ok(self.assign(id, index, value)?)
            }
            Effect::Let(number, value) => {
                let value = self.evaluate(value)?;
                let number = number as usize;
                self.named.resize(self.named.len().max(number + 1), 0);
                self.named[number] = value;
                Ok(())
            }
            Effect::Assert(condition, ref asserted) => match self.evaluate(condition)? {
                0 => Err(match asserted {
                    Asserted::Stated(text) | Asserted::Rule(text) => {
                        Failure::Fault(FaultKind::Assertion(text.clone()))
                    }
                    Asserted::Room | Asserted::Capacity => Failure::Room,
                }),
                _ => Ok(()),
            },
        }
    }

    fn assign(
        &mut self,
        id: VariableId,
        element: usize,
        value: ExpressionId,
    ) -> Result<(), FaultKind> {
        let value = self.evaluate(value)?;
        let variable = &self.program.variables[id];
        if value < variable.low || variable.high < value {
            let (low, high) = (variable.low, variable.high);
            return Err(FaultKind::Range { variable: variable.name.clone(), value, low, high });
        }
        self.values.to_mut().set(id, element, value);
        Ok(())
    }
}
