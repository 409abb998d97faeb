//! Halves to transitions, when one process moves at a time, or two that meet at
//! a channel.
//!
//! As in `DiVinE`, guards and values of messages are those of the state before;
//! the values reach the receiver first, then come the effects of the receiver
//! and then those of the sender. As long as some process is in a committed
//! state, only transitions from committed states are possible, in a rendezvous
//! both.
//!
//! A buffer keeps its messages from element 0 on and zeros behind them, so that
//! equal contents are equal states.

use super::super::cursor::Result;
use super::super::program::{BinaryOperator, Effect, Expression, ExpressionId};
use super::super::rendezvous::{Target, assert_range, each_step};
use super::lower::{Exchange, Half, Lowering, Values};
use super::names::Buffer;

impl Lowering<'_> {
    /// Adds the transitions of an asynchronous system.
    pub(super) fn asynchronous(&mut self, halves: &[Half]) -> Result<()> {
        let none_is_committed = self.none_is_committed();
        each_step(halves, self.names.channels.len(), |half, partner| {
            let Some(exchange) = &half.detail.exchange else {
                let mut guards = vec![half.is_here];
                guards.extend(none_is_committed.filter(|_| !half.detail.is_committed));
                guards.extend(&half.guards);
                return self.emit((half, None), &guards, half.effects.clone());
            };
            if let Some(buffer) = self.names.channels[exchange.channel].buffer.clone() {
                return self.buffered(half, exchange, &buffer, none_is_committed);
            }
            match (partner, &exchange.values) {
                (Some(receiver), Values::Sent(values))
                    if half.detail.is_committed == receiver.detail.is_committed =>
                {
                    self.rendezvous(half, values, receiver, none_is_committed)
                }
                _ => Ok(()),
            }
        })
    }

    /// That no process is in a committed state; nothing if no state is committed.
    fn none_is_committed(&mut self) -> Option<ExpressionId> {
        let committed: Vec<_> = self
            .names
            .processes
            .iter()
            .flat_map(|process| {
                let values = process.is_committed.iter().zip(0..);
                values
                    .filter(|(committed, _)| **committed)
                    .map(|(_, value)| (process.location, value))
            })
            .collect();
        let parts: Vec<ExpressionId> = committed
            .into_iter()
            .map(|(location, value)| self.compare(location, BinaryOperator::NotEqual, value))
            .collect();
        (!parts.is_empty()).then(|| self.program.conjunction(&parts))
    }

    fn rendezvous(
        &mut self,
        sender: &Half,
        values: &[ExpressionId],
        receiver: &Half,
        none_is_committed: Option<ExpressionId>,
    ) -> Result<()> {
        let mut guards = vec![sender.is_here, receiver.is_here];
        guards.extend(none_is_committed.filter(|_| !sender.detail.is_committed));
        guards.extend(&sender.guards);
        guards.extend(&receiver.guards);
        let mut effects = Vec::new();
        if let Some(Exchange { channel, values: Values::Received(targets) }) =
            &receiver.detail.exchange
        {
            self.check_fields(*channel, values, targets, &mut effects);
            self.deliver(values, targets, &mut effects);
        }
        effects.extend(receiver.effects.iter().cloned());
        effects.extend(sender.effects.iter().cloned());
        self.emit((sender, Some(receiver)), &guards, effects)
    }

    /// Asserts that values fit into the fields of a typed rendezvous, where the
    /// receiving variable would not notice.
    fn check_fields(
        &mut self,
        channel: usize,
        values: &[ExpressionId],
        targets: &[Target],
        effects: &mut Vec<Effect>,
    ) {
        let Some(fields) = self.names.channels[channel].fields.clone() else { return };
        for ((field, &value), target) in fields.into_iter().zip(values).zip(targets) {
            let (low, high) = field.range();
            let variable = &self.program.variables[target.variable];
            if variable.low < low || high < variable.high {
                let text = format!("a value that is sent fits into {}", field.keyword());
                effects.push(assert_range(&mut self.program, value, (low, high), text));
            }
        }
    }

    /// Puts values where they are received, all at the same time: neither a
    /// value nor an index sees what another value has changed.
    fn deliver(&mut self, values: &[ExpressionId], targets: &[Target], effects: &mut Vec<Effect>) {
        if let ([value], [target]) = (values, targets) {
            effects.push(target.assign(*value));
            return;
        }
        let mut fresh = 0..;
        let mut assignments = Vec::new();
        for (&value, &target) in values.iter().zip(targets) {
            let value = self.remember(&mut fresh, value, effects);
            let index = target.index.map(|index| self.remember(&mut fresh, index, effects));
            assignments.push(Target { index, ..target }.assign(value));
        }
        effects.extend(assignments);
    }

    /// The value that an expression has now, also after later effects.
    pub(super) fn remember(
        &mut self,
        fresh: &mut impl Iterator<Item = u32>,
        value: ExpressionId,
        effects: &mut Vec<Effect>,
    ) -> ExpressionId {
        if self.program.as_constant(value).is_some() {
            return value;
        }
        let Some(number) = fresh.next() else { return value };
        effects.push(Effect::Let(number, value));
        self.program.expression(Expression::Temporary(number))
    }

    /// Sending to a buffer that is not full, or receiving from one that is not
    /// empty.
    fn buffered(
        &mut self,
        half: &Half,
        exchange: &Exchange,
        buffer: &Buffer,
        none_is_committed: Option<ExpressionId>,
    ) -> Result<()> {
        let capacity = i64::try_from(buffer.capacity).unwrap_or(i64::MAX);
        let length = self.program.expression(Expression::Variable(buffer.length));
        let one = self.program.constant(1);
        let mut effects = Vec::new();
        let (is_possible, operator) = match &exchange.values {
            Values::Sent(values) => {
                for (&field, &value) in buffer.fields.iter().zip(values) {
                    effects.push(Effect::AssignElement(field, length, value));
                }
                let is_possible = self.compare(buffer.length, BinaryOperator::Less, capacity);
                (is_possible, BinaryOperator::Add)
            }
            Values::Received(targets) => {
                let zero = self.program.constant(0);
                let first: Vec<ExpressionId> = buffer
                    .fields
                    .iter()
                    .map(|&field| self.program.expression(Expression::Element(field, zero)))
                    .collect();
                self.deliver(&first, targets, &mut effects);
                self.shift(buffer, &mut effects);
                let is_possible = self.compare(buffer.length, BinaryOperator::NotEqual, 0);
                (is_possible, BinaryOperator::Subtract)
            }
        };
        let changed = self.program.binary(operator, length, one);
        effects.push(Effect::Assign(buffer.length, changed));
        effects.extend(half.effects.iter().cloned());
        let mut guards = vec![half.is_here];
        guards.extend(none_is_committed.filter(|_| !half.detail.is_committed));
        guards.push(is_possible);
        guards.extend(&half.guards);
        self.emit((half, None), &guards, effects)
    }

    /// Moves all messages of a buffer forward by one.
    fn shift(&mut self, buffer: &Buffer, effects: &mut Vec<Effect>) {
        let capacity = i64::try_from(buffer.capacity).unwrap_or(i64::MAX);
        for &field in &buffer.fields {
            for position in 1..capacity {
                let from = self.program.constant(position);
                let to = self.program.constant(position - 1);
                let value = self.program.expression(Expression::Element(field, from));
                effects.push(Effect::AssignElement(field, to, value));
            }
            let last = self.program.constant(capacity - 1);
            let zero = self.program.constant(0);
            effects.push(Effect::AssignElement(field, last, zero));
        }
    }
}
