//! Transitions of processes to transitions of the program.
//!
//! Every transition of a process first becomes a [`Half`]. How an asynchronous
//! and a synchronous system are made of halves is the business of
//! `asynchronous` and `synchronous`.

use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::expression::value;
use super::super::program::{Asserted, BinaryOperator, Effect, ExpressionId, Program, VariableId};
use super::super::rendezvous::{self, Role, Target, add_transition};
use super::ast::{self, Message, Place, System};
use super::names::{DveNames, DveSymbol};
use super::value::{DveScope, constant, wrong_shape};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// What only DVE knows about a half.
#[derive(Debug)]
pub(super) struct Detail {
    /// Whether the state that it leaves is committed.
    pub(super) is_committed: bool,
    pub(super) exchange: Option<Exchange>,
}

/// A transition of a process, apart from what its partner does.
pub(super) type Half = rendezvous::Half<Detail>;

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
    pub(super) names: DveNames,
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
    names: DveNames,
) -> Result<(Program, DveNames)> {
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
    fn expression(&mut self, process: usize, tree: &ast::Tree) -> Result<ExpressionId> {
        let value = value(&mut self.program, &self.names, DveScope::Process(process), tree)?;
        Ok(value.id)
    }

    fn half(&mut self, process: usize, transition: &ast::Transition) -> Result<Half> {
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
        let role = match &exchange {
            Some(Exchange { channel, values })
                if self.names.channels[*channel].buffer.is_none() =>
            {
                match values {
                    Values::Sent(_) => Role::Sender(*channel),
                    Values::Received(_) => Role::Receiver(*channel),
                }
            }
            _ => Role::Alone,
        };
        let (detail, span) = (Detail { is_committed, exchange }, transition.span);
        Ok(Half { process, is_here, guards, effects, role, detail, action, span })
    }

    /// A comparison of a variable with a number.
    pub(super) fn compare(
        &mut self,
        variable: VariableId,
        operator: BinaryOperator,
        value: i64,
    ) -> ExpressionId {
        rendezvous::compare(&mut self.program, variable, operator, value)
    }

    /// What a place stands for in a process.
    fn target(&mut self, process: usize, place: &Place) -> Result<Target> {
        let name = &place.name;
        let symbol = self.names.value(Some(process), name)?;
        let index = match &place.index {
            Some(tree) => Some(self.expression(process, tree)?),
            None => None,
        };
        match symbol {
            DveSymbol::Constant(_) | DveSymbol::Variable { is_constant: true, .. } => {
                Err(name.error("is a constant and never changes"))
            }
            DveSymbol::Variable { id: variable, is_array, .. } if is_array == index.is_some() => {
                Ok(Target { variable, index })
            }
            _ => Err(wrong_shape(&self.program, name, symbol)),
        }
    }

    fn exchange(&mut self, process: usize, sync: &ast::Sync) -> Result<Exchange> {
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
    fn assertions(&mut self, number: usize, process: &ast::Process) -> Result<()> {
        for (state, tree) in &process.assertions {
            let names = &self.names.processes[number];
            let value = names.state(state)?;
            let location = names.location;
            if self.program.variables[location].initial == [value] {
                let scope = DveScope::Initial(Some(number));
                if constant(&mut self.program, &self.names, scope, tree)? == 0 {
                    return fail(tree.span, "this assertion is false in the initial state");
                }
            }
            let expression = self.expression(number, tree)?;
            let is_elsewhere = self.compare(location, BinaryOperator::NotEqual, value);
            let condition = self.program.binary(BinaryOperator::Or, is_elsewhere, expression);
            let parts = self.program.parts_of([condition]);
            for variable in parts.filter_map(|(_, part)| part.variable()) {
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
    ) -> Result<()> {
        let mut touched: BTreeSet<usize> = BTreeSet::new();
        for (variable, ..) in effects.iter().filter_map(Effect::assignment) {
            touched.extend(self.readers.get(&variable).into_iter().flatten());
        }
        for number in touched {
            let Assertion { condition, text } = &self.assertions[number];
            effects.push(Effect::Assert(*condition, Asserted::Stated(text.clone())));
        }
        let n_effects = &mut self.n_effects;
        add_transition(&mut self.program, n_effects, halves, guards, effects, Vec::new())
    }
}
