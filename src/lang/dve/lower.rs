//! Transitions of processes to transitions of the program.
//!
//! Every transition of a process first becomes a [`Half`]: what it demands and
//! what it does, apart from communication. A half without a rendezvous is a
//! transition of the program by itself; otherwise each pair of a sender and a
//! receiver of different processes is one. How a synchronous system is made of
//! halves is the business of `synchronous`.

use super::super::SourceError;
use super::super::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Program, Span, Transition,
    VariableId,
};
use super::ast::{self, Message, Place, System};
use super::names::{Names, Symbol};
use super::value::{Scope, constant, expression, wrong_shape};
use crate::id::Id;
use crate::system::ProcessId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// How many transitions a program may have, and how many effects all of them
/// together.
const MAX_TRANSITIONS: usize = 500_000;
const MAX_EFFECTS: usize = 4_000_000;

/// A transition of a process, apart from what its partner does.
#[derive(Debug)]
pub(super) struct Half {
    pub(super) process: usize,
    /// Whether the state that it leaves is committed.
    pub(super) is_committed: bool,
    /// The process is in the state that the transition leaves.
    pub(super) is_here: ExpressionId,
    pub(super) guards: Vec<ExpressionId>,
    /// The change of the state first, as in `DiVinE`: the effects see it.
    pub(super) effects: Vec<Effect>,
    pub(super) exchange: Option<Exchange>,
    pub(super) action: String,
    pub(super) span: Span,
}

/// The communication of a half: the channel and what goes through it.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) channel: usize,
    pub(super) values: Values,
}

#[derive(Debug)]
pub(super) enum Values {
    Sent(Vec<ExpressionId>),
    Received(Vec<Target>),
}

/// Where a received value goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) variable: VariableId,
    pub(super) index: Option<ExpressionId>,
}

impl Target {
    /// The effect that puts a value there.
    pub(super) fn assign(self, value: ExpressionId) -> Effect {
        match self.index {
            None => Effect::Assign(self.variable, value),
            Some(index) => Effect::AssignElement(self.variable, index, value),
        }
    }
}

/// What must be true in all states that have something to do with it.
#[derive(Debug)]
struct Assertion {
    condition: ExpressionId,
    text: String,
}

/// A program in the making.
pub(super) struct Lowering<'a> {
    pub(super) text: &'a str,
    pub(super) program: Program,
    pub(super) names: Names,
    assertions: Vec<Assertion>,
    /// The assertions that read a variable, by their numbers.
    readers: HashMap<VariableId, Vec<usize>, FxBuildHasher>,
    n_effects: usize,
}

/// Adds the transitions of `system` to a program that has its variables.
pub(super) fn lower(
    text: &str,
    system: &System,
    program: Program,
    names: Names,
) -> Result<(Program, Names), SourceError> {
    let mut lowering = Lowering {
        text,
        program,
        names,
        assertions: Vec::new(),
        readers: HashMap::default(),
        n_effects: 0,
    };
    let mut halves = Vec::new();
    for (number, process) in system.processes.iter().enumerate() {
        lowering.assertions(number, process)?;
        for transition in &process.transitions {
            halves.push(lowering.half(number, transition)?);
        }
    }
    lowering.names.is_synchronous = system.is_synchronous;
    if system.is_synchronous {
        lowering.synchronous(&halves)?;
    } else {
        lowering.asynchronous(&halves)?;
    }
    Ok((lowering.program, lowering.names))
}

impl Lowering<'_> {
    fn expression(
        &mut self,
        process: usize,
        tree: &ast::Tree,
    ) -> Result<ExpressionId, SourceError> {
        expression(&mut self.program, &self.names, Scope::Process(process), tree)
    }

    fn half(&mut self, process: usize, transition: &ast::Transition) -> Result<Half, SourceError> {
        let names = &self.names.processes[process];
        let source = names.state(&transition.source)?;
        let target = names.state(&transition.target)?;
        let is_committed = usize::try_from(source).is_ok_and(|source| names.is_committed[source]);
        let location = names.location;
        let is_here = self.compare(location, BinaryOperator::Equal, source);
        let mut guards = Vec::new();
        for tree in &transition.guards {
            guards.push(self.expression(process, tree)?);
        }
        let target = self.program.constant(target);
        let mut effects = Vec::new();
        if transition.source.text != transition.target.text {
            effects.push(Effect::Assign(location, target));
        }
        for (place, tree) in &transition.effects {
            let target = self.target(process, place)?;
            let value = self.expression(process, tree)?;
            effects.push(target.assign(value));
        }
        let mut action = format!("{} -> {}", transition.source.text, transition.target.text);
        let exchange = match &transition.sync {
            None => None,
            Some(sync) => {
                let kind = if let Message::Send(_) = sync.message { '!' } else { '?' };
                action = format!("{action} {}{kind}", sync.channel.text);
                Some(self.exchange(process, sync)?)
            }
        };
        let span = transition.span;
        Ok(Half { process, is_committed, is_here, guards, effects, exchange, action, span })
    }

    /// A comparison of a variable with a number.
    pub(super) fn compare(
        &mut self,
        variable: VariableId,
        operator: BinaryOperator,
        value: i64,
    ) -> ExpressionId {
        let variable = self.program.expression(Expression::Variable(variable));
        let value = self.program.constant(value);
        self.program.binary(operator, variable, value)
    }

    /// What a place stands for in a process.
    fn target(&mut self, process: usize, place: &Place) -> Result<Target, SourceError> {
        let name = &place.name;
        let symbol = self.names.value(Some(process), name)?;
        let index = match &place.index {
            Some(tree) => Some(self.expression(process, tree)?),
            None => None,
        };
        match symbol {
            Symbol::Constant(_) | Symbol::Variable { is_constant: true, .. } => {
                let message = format!("`{}` is a constant and never changes", name.text);
                Err(SourceError::new(name.span, message))
            }
            Symbol::Variable { id: variable, is_array, .. } if is_array == index.is_some() => {
                Ok(Target { variable, index })
            }
            _ => Err(wrong_shape(&self.program, name, symbol)),
        }
    }

    fn exchange(&mut self, process: usize, sync: &ast::Sync) -> Result<Exchange, SourceError> {
        let channel = self.names.channel(&sync.channel)?;
        let known = &mut self.names.channels[channel];
        let n_values = sync.message.len();
        let &mut (expected, _) = known.arity.get_or_insert((n_values, sync.span));
        if expected != n_values {
            let name = &sync.channel.text;
            let message = match &known.fields {
                Some(_) => format!("a message of `{name}` has {expected} values, not {n_values}"),
                None => format!(
                    "a message of `{name}` has {n_values} values here, but {expected} elsewhere"
                ),
            };
            return Err(SourceError::new(sync.span, message));
        }
        let values = match &sync.message {
            Message::Send(trees) => {
                let values = trees.iter().map(|tree| self.expression(process, tree));
                Values::Sent(values.collect::<Result<_, _>>()?)
            }
            Message::Receive(places) => {
                let targets = places.iter().map(|place| self.target(process, place));
                Values::Received(targets.collect::<Result<_, _>>()?)
            }
        };
        Ok(Exchange { channel, values })
    }

    /// Takes note of the assertions of a process, and checks them in the
    /// initial state: no transition leads there.
    fn assertions(&mut self, number: usize, process: &ast::Process) -> Result<(), SourceError> {
        for (state, tree) in &process.assertions {
            let names = &self.names.processes[number];
            let value = names.state(state)?;
            let location = names.location;
            if self.program.variables[location].initial == [value] {
                let scope = Scope::Initial(Some(number));
                if constant(&mut self.program, &self.names, scope, tree)? == 0 {
                    let message = "this assertion is false in the initial state";
                    return Err(SourceError::new(tree.span, message));
                }
            }
            let expression = self.expression(number, tree)?;
            let is_elsewhere = self.compare(location, BinaryOperator::NotEqual, value);
            let condition = self.program.binary(BinaryOperator::Or, is_elsewhere, expression);
            for variable in variables(&self.program, condition) {
                self.readers.entry(variable).or_default().push(self.assertions.len());
            }
            let asserted = &self.text[tree.span.start..tree.span.end];
            let text = format!("{}.{}: {asserted}", process.name.text, state.text);
            self.assertions.push(Assertion { condition, text });
        }
        Ok(())
    }

    /// Adds a transition of the program, and behind its effects the assertions
    /// that they may have made false.
    pub(super) fn emit(
        &mut self,
        halves: (&Half, Option<&Half>),
        guards: &[ExpressionId],
        mut effects: Vec<Effect>,
    ) -> Result<(), SourceError> {
        let (first, second) = halves;
        let mut touched = BTreeSet::new();
        for effect in &effects {
            if let Effect::Assign(variable, _) | Effect::AssignElement(variable, ..) = effect {
                touched.extend(self.readers.get(variable).into_iter().flatten().copied());
            }
        }
        for number in touched {
            let Assertion { condition, text } = &self.assertions[number];
            effects.push(Effect::Assert(*condition, Asserted::Stated(text.clone())));
        }
        self.n_effects += effects.len();
        let too_many = if MAX_TRANSITIONS <= self.program.transitions.len() {
            Some(("transitions", MAX_TRANSITIONS))
        } else if MAX_EFFECTS < self.n_effects {
            Some(("effects", MAX_EFFECTS))
        } else {
            None
        };
        if let Some((what, limit)) = too_many {
            let message = format!("the model has more than {limit} {what}, with this one");
            return Err(SourceError::new(first.span, message));
        }
        let action = match second {
            None => first.action.clone(),
            Some(second) => format!("{}, {}", first.action, second.action),
        };
        let guard = self.program.conjunction(guards);
        self.program.transitions.push(Transition {
            process: ProcessId::new(first.process),
            partner: second.map(|second| ProcessId::new(second.process)),
            action,
            choices: Vec::new(),
            guard,
            effects,
            span: first.span,
            steps: Vec::new(),
        });
        Ok(())
    }
}

/// The variables that an expression reads.
fn variables(program: &Program, root: ExpressionId) -> Vec<VariableId> {
    let mut found = Vec::new();
    let mut seen = vec![false; root.index() + 1];
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut seen[id.index()], true) {
            continue;
        }
        match program.view(id) {
            Expression::Variable(variable) => found.push(variable),
            Expression::Element(variable, index) => {
                found.push(variable);
                open.push(index);
            }
            Expression::Unary(_, operand) => open.push(operand),
            Expression::Binary(_, left, right) => open.extend([left, right]),
            Expression::If(condition, yes, no) => open.extend([condition, yes, no]),
            Expression::Constant(_) | Expression::Temporary(_) | Expression::Choice(_) => (),
        }
    }
    found
}
