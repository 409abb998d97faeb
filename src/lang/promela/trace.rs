//! `trace` and `notrace`: which messages may be sent and received in which order.
//!
//! Where an assertion is, is part of the state. Sending to a channel is an *event*
//! if the assertion speaks of sending to it somewhere; the same goes for receiving. A
//! trace fails at an event that it does not expect. Of a `notrace`, the first event
//! that it does not expect is the last one that it looks at, and it fails at its end.
//!
//! As in `pan`, who sends shows the last message of the channel, and who receives
//! the first one, wherever in the channel the message at hand is.

use super::super::SourceError;
use super::super::program::{
    Asserted, BinaryOperator, Effect, Expression as Lowered, ExpressionId as LoweredId, Program,
    UnaryOperator, Variable,
};
use super::ast::{Expression, ExpressionId, Module, Statement};
use super::channel::{self, Candidate};
use super::effects::Effects;
use super::graph::{self, Action, Graph, LocationId};
use super::names::Names;
use super::value::{Speaker, constant};
use crate::id::Id;

/// A trace assertion.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    graph: Graph,
    /// Whether it is a `notrace`.
    is_negated: bool,
}

/// What happens to a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    Send,
    Receive,
}

/// An event that an assertion expects.
struct Expected {
    from: LocationId,
    to: LocationId,
    channel: Candidate,
    /// Fields of the message; nothing where any value will do.
    fields: Vec<Option<LoweredId>>,
}

/// Reads the assertion of a model.
pub(super) fn trace(module: &mut Module) -> Result<Option<Trace>, SourceError> {
    let Some((process, is_negated)) = module.trace.clone() else { return Ok(None) };
    let graph = graph::graph(module, &graph::Facts::default(), &process)?;
    if let Some(local) = graph.own_variables().next() {
        let message = "a trace assertion has no variables of its own";
        return Err(SourceError::new(local.declaration.name.place, message));
    }
    for edge in graph.locations.iter().flat_map(|location| &location.edges) {
        let is_event = match edge.action {
            Action::Statement(id) => matches!(
                module.statements[id].statement,
                Statement::Send { .. } | Statement::Receive { .. }
            ),
            _ => true,
        };
        if !is_event {
            let message = "a trace assertion consists of sending and receiving only";
            return Err(SourceError::new(edge.place, message));
        }
    }
    Ok(Some(Trace { graph, is_negated }))
}

impl Names {
    /// Makes room for where the assertion is.
    pub(super) fn declare_trace(&mut self, program: &mut Program) {
        let Some(trace) = &self.frame.trace else { return };
        let int = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        self.trace_at = Some(program.variables.push(Variable {
            name: ".trace".to_owned(),
            low: 0,
            // A `notrace` that has stopped looking is behind all locations.
            high: int(trace.graph.locations.len()) - i64::from(!trace.is_negated),
            len: None,
            initial: vec![int(trace.graph.start.index())],
            any: false,
            value_names: Vec::new(),
        }));
    }

    /// Whether the assertion is where it may end, if there is one. When no process is
    /// left, `pan` does not ask.
    pub(super) fn trace_may_end(&self, program: &mut Program) -> Option<LoweredId> {
        let trace = self.trace.as_ref()?;
        let at = program.expression(Lowered::Variable(self.trace_at?));
        let mut any = program.constant(0);
        for (id, location) in trace.graph.locations.entries() {
            if location.is_valid_end() {
                let number = program.constant(i64::try_from(id.index()).unwrap_or(i64::MAX));
                let here = program.binary(BinaryOperator::Equal, at, number);
                any = program.binary(BinaryOperator::Or, any, here);
            }
        }
        let stopped = program.constant(stopped(trace));
        let has_stopped = program.binary(BinaryOperator::Equal, at, stopped);
        any = program.binary(BinaryOperator::Or, any, has_stopped);
        let n_processes = program.expression(Lowered::Variable(self.n_processes));
        let nobody = program.expression(Lowered::Unary(UnaryOperator::Not, n_processes));
        Some(program.binary(BinaryOperator::Or, any, nobody))
    }

    /// What the assertion expects of an event of this sort.
    fn expected(
        &self,
        program: &mut Program,
        trace: &Trace,
        event: Event,
    ) -> Result<Vec<Expected>, SourceError> {
        let mut all = Vec::new();
        for (from, location) in trace.graph.locations.entries() {
            for edge in &location.edges {
                let Action::Statement(id) = edge.action else { continue };
                let (channel, arguments) = match &self.module.statements[id].statement {
                    Statement::Send { channel, arguments, .. } if event == Event::Send => {
                        (channel, arguments)
                    }
                    Statement::Receive { channel, arguments, .. } if event == Event::Receive => {
                        (channel, arguments)
                    }
                    _ => continue,
                };
                let n_fields = Some(arguments.len());
                let found =
                    channel::candidates(program, self, Speaker::global(self), *channel, n_fields)?;
                let fields: Vec<Option<LoweredId>> =
                    arguments.iter().map(|&argument| self.field(program, argument)).collect();
                for channel in found {
                    let (to, fields) = (edge.target, fields.clone());
                    all.push(Expected { from, to, channel, fields });
                }
            }
        }
        Ok(all)
    }

    /// A field of a message in an assertion: only what never changes is compared.
    fn field(&self, program: &mut Program, argument: ExpressionId) -> Option<LoweredId> {
        let argument = match self.module.expressions[argument].0 {
            Expression::Eval(inner) => inner,
            _ => argument,
        };
        constant(self, argument).ok().map(|value| program.constant(value))
    }
}

/// Adds what an event does to the assertion of the model. `message` is what is sent
/// or received.
pub(super) fn note(
    program: &mut Program,
    names: &Names,
    event: Event,
    channel: Candidate,
    message: &[LoweredId],
    effects: &mut Effects,
) -> Result<(), SourceError> {
    use BinaryOperator::{And, Equal, Or};
    let Some(trace) = &names.trace else { return Ok(()) };
    let Some(at) = names.trace_at else { return Ok(()) };
    let position = program.expression(Lowered::Variable(at));
    let [mut is_event, mut any, mut several, mut at_end] =
        [0; 4].map(|zero| program.constant(zero));
    let end = trace.graph.locations.entries().find(|(_, one)| is_end(one)).map(|(id, _)| id);
    let number = |id: LocationId| i64::try_from(id.index()).unwrap_or(i64::MAX);
    let mut next = if trace.is_negated { program.constant(stopped(trace)) } else { position };
    for one in names.expected(program, trace, event)? {
        if one.channel.class != channel.class {
            continue;
        }
        let is_same = program.binary(Equal, one.channel.number, channel.number);
        is_event = program.binary(Or, is_event, is_same);
        let [from, to] = [one.from, one.to].map(|id| program.constant(number(id)));
        let is_here = program.binary(Equal, position, from);
        let mut fits = program.binary(And, is_same, is_here);
        for (field, &found) in one.fields.iter().zip(message) {
            if let Some(wanted) = *field {
                let is_equal = program.binary(Equal, found, wanted);
                fits = program.binary(And, fits, is_equal);
            }
        }
        let both = program.binary(And, any, fits);
        several = program.binary(Or, several, both);
        any = program.binary(Or, any, fits);
        if Some(one.to) == end {
            at_end = program.binary(Or, at_end, fits);
        }
        next = program.expression(Lowered::If(fits, to, next));
    }
    if program.as_constant(is_event) == Some(0) {
        return Ok(());
    }
    let not =
        |program: &mut Program, id| program.expression(Lowered::Unary(UnaryOperator::Not, id));
    let is_clear = not(program, several);
    let is_fine = if trace.is_negated { not(program, at_end) } else { any };
    let is_none = not(program, is_event);
    let is_fine = program.binary(Or, is_none, is_fine);
    let what = if trace.is_negated { "notrace" } else { "trace" };
    effects.list.push(Effect::Assert(
        is_clear,
        Asserted::Rule(format!("one event of the {what} at a time")),
    ));
    effects.list.push(Effect::Assert(is_fine, Asserted::Rule(what.to_owned())));
    let next = program.expression(Lowered::If(is_event, next, position));
    effects.list.push(Effect::Assign(at, next));
    Ok(())
}

/// Where a `notrace` is that does not look any further.
fn stopped(trace: &Trace) -> i64 {
    i64::try_from(trace.graph.locations.len()).unwrap_or(i64::MAX)
}

fn is_end(location: &graph::Location) -> bool {
    location.edges.iter().any(|edge| edge.action == Action::End)
}
