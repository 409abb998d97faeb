//! `trace` and `notrace`: which messages may be sent and received in which order.
//!
//! The position inside of an assertion is a variable of the state. Sending to a channel is an
//! *event* if the assertion speaks of sending to it somewhere; the same goes for receiving. A
//! trace fails at an event that it does not expect. Of a `notrace`, the first event
//! that it does not expect is the last one that it looks at, and it fails at its end.
//!
//! As in `pan`, a process that sends shows the last message of the channel, and one that
//! receives the first one, wherever in the channel the message is that it sends or receives.

use super::super::program::BinaryOperator::{And, Equal, Or};
use super::super::program::{Asserted, Effect, ExpressionId as LoweredId, Program};
use super::ast::{Expression, ExpressionId, Module, Statement};
use super::channel::Candidate;
use super::effects::Effects;
use super::graph::{self, Action, Graph, LocationId};
use super::lowering::Lowering;
use super::names::{SlotNames, int, plain_variable};
use super::value::constant;
use super::{SourceError, error};
use crate::id::Id;

/// A trace assertion.
#[derive(Clone, Debug)]
pub(super) struct TraceAssertion {
    graph: Graph,
    /// Whether it is a `notrace`.
    is_negated: bool,
}

impl TraceAssertion {
    /// The position of a `notrace` that does not look any further: behind all locations.
    fn stopped(&self) -> i64 {
        int(self.graph.locations.len())
    }
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
pub(super) fn trace(module: &mut Module) -> Result<Option<TraceAssertion>, SourceError> {
    let Some((process, is_negated)) = module.trace.clone() else { return Ok(None) };
    let graph = graph::graph(module, &graph::Facts::default(), &process)?;
    if let Some(local) = graph.own_variables().next() {
        let message = "a trace assertion has no variables of its own";
        return error(local.declaration.name.place, message);
    }
    for edge in graph.locations.iter().flat_map(|location| &location.edges) {
        let Action::Statement(id) = edge.action else { continue };
        let statement = &module.statements[id].statement;
        if !matches!(statement, Statement::Send { .. } | Statement::Receive { .. }) {
            return error(edge.place, "a trace assertion consists of sending and receiving only");
        }
    }
    Ok(Some(TraceAssertion { graph, is_negated }))
}

impl SlotNames {
    /// Makes room for the position inside of the assertion.
    pub(super) fn declare_trace(&mut self, program: &mut Program) {
        let Some(trace) = &self.frame.trace else { return };
        let range = (0, trace.stopped() - i64::from(!trace.is_negated));
        let start = vec![int(trace.graph.start.index())];
        let variable = plain_variable(".trace".to_owned(), range, None, start);
        self.trace_at = Some(program.variables.push(variable));
    }
}

impl Lowering<'_> {
    /// Whether the assertion is where it may end, if there is one. When no process is
    /// left, `pan` does not ask.
    pub(super) fn trace_may_end(&mut self) -> Option<LoweredId> {
        let trace = self.names.trace.as_ref()?;
        let at = self.variable(self.names.trace_at?);
        let mut any = self.constant(0);
        let locations = trace.graph.locations.entries();
        let ends = locations.filter(|(_, location)| location.is_valid_end());
        for end in ends.map(|(id, _)| int(id.index())).chain([trace.stopped()]) {
            let end = self.constant(end);
            let here = self.binary(Equal, at, end);
            any = self.binary(Or, any, here);
        }
        let n_processes = self.variable(self.names.n_processes);
        let is_empty = self.not(n_processes);
        Some(self.binary(Or, any, is_empty))
    }

    /// What the assertion expects of an event of this sort.
    fn expected(
        &mut self,
        trace: &TraceAssertion,
        event: Event,
    ) -> Result<Vec<Expected>, SourceError> {
        let mut all = Vec::new();
        for (from, location) in trace.graph.locations.entries() {
            for edge in &location.edges {
                let Action::Statement(id) = edge.action else { continue };
                let (channel, arguments) = match &self.names.module.statements[id].statement {
                    Statement::Send { channel, arguments, .. } if event == Event::Send => {
                        (channel, arguments)
                    }
                    Statement::Receive { channel, arguments, .. } if event == Event::Receive => {
                        (channel, arguments)
                    }
                    _ => continue,
                };
                let found = self.candidates(*channel, Some(arguments.len()))?;
                let fields: Vec<Option<LoweredId>> =
                    arguments.iter().map(|&argument| self.field(argument)).collect();
                for channel in found {
                    let (to, fields) = (edge.target, fields.clone());
                    all.push(Expected { from, to, channel, fields });
                }
            }
        }
        Ok(all)
    }

    /// A field of a message in an assertion: only what never changes is compared.
    fn field(&mut self, argument: ExpressionId) -> Option<LoweredId> {
        let argument = match self.names.module.expressions[argument].0 {
            Expression::Eval(inner) => inner,
            _ => argument,
        };
        constant(self.names, argument).ok().map(|value| self.constant(value))
    }

    /// Adds what an event does to the assertion of the model. `message` is what is sent
    /// or received.
    pub(super) fn note_event(
        &mut self,
        event: Event,
        channel: Candidate,
        message: &[LoweredId],
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let (Some(trace), Some(at)) = (&self.names.trace, self.names.trace_at) else {
            return Ok(());
        };
        let position = self.variable(at);
        let [mut is_event, mut any, mut several, mut at_end] =
            [0; 4].map(|zero| self.constant(zero));
        let end = trace.graph.locations.entries().find(|(_, one)| one.is_end()).map(|(id, _)| id);
        let mut next = if trace.is_negated { self.constant(trace.stopped()) } else { position };
        let expected = Lowering::global(self.program, self.names).expected(trace, event)?;
        for one in expected.into_iter().filter(|one| one.channel.class == channel.class) {
            let is_same = self.binary(Equal, one.channel.number, channel.number);
            is_event = self.binary(Or, is_event, is_same);
            let [from, to] = [one.from, one.to].map(|id| self.number(id.index()));
            let is_here = self.binary(Equal, position, from);
            let mut fits = self.binary(And, is_same, is_here);
            for (field, &found) in one.fields.iter().zip(message) {
                if let Some(wanted) = *field {
                    let is_equal = self.binary(Equal, found, wanted);
                    fits = self.binary(And, fits, is_equal);
                }
            }
            let both = self.binary(And, any, fits);
            several = self.binary(Or, several, both);
            any = self.binary(Or, any, fits);
            if Some(one.to) == end {
                at_end = self.binary(Or, at_end, fits);
            }
            next = self.choose(fits, to, next);
        }
        if self.program.as_constant(is_event) == Some(0) {
            return Ok(());
        }
        let is_clear = self.not(several);
        let is_fine = if trace.is_negated { self.not(at_end) } else { any };
        let is_none = self.not(is_event);
        let is_fine = self.binary(Or, is_none, is_fine);
        let what = if trace.is_negated { "notrace" } else { "trace" };
        let alone = Asserted::Rule(format!("one event of the {what} at a time"));
        effects.list.push(Effect::Assert(is_clear, alone));
        effects.list.push(Effect::Assert(is_fine, Asserted::Rule(what.to_owned())));
        let next = self.choose(is_event, next, position);
        effects.list.push(Effect::Assign(at, next));
        Ok(())
    }
}
