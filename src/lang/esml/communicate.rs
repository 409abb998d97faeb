//! Messages, and how senders and receivers meet.
//!
//! A message is a row of values: what is sent on a channel, or which message it
//! is and the values that it carries. A receiver says for each of them which
//! value it must have or where it goes. All values are those of the state
//! before, and they arrive at the same time.

use super::super::SourceError;
use super::super::program::{Asserted, BinaryOperator, Effect, Expression, ExpressionId};
use super::ast::{Communication, Direction, Kind, Place, Tree};
use super::lower::{Half, Lowering, Target};
use super::names::{Port, Scalar, Shape, Sort, Symbol};
use super::value::{Scope, check_index, check_range, constant, value_of};

/// The communication of a half: the channel and what goes through it.
#[derive(Debug)]
pub(super) struct Exchange {
    /// Its number in the model.
    channel: usize,
    /// Which element of an array of channels.
    index: Option<ExpressionId>,
    values: Values,
}

#[derive(Debug)]
enum Values {
    /// And their types.
    Sent(Vec<(ExpressionId, Scalar)>),
    Received(Vec<Pattern>),
}

/// What a receiver does with a value.
#[derive(Clone, Copy, Debug)]
enum Pattern {
    /// The value must be this one.
    Is(i64),
    Into(Target),
}

impl Lowering<'_> {
    /// The communication of an instance.
    pub(super) fn exchange(
        &mut self,
        instance: usize,
        communication: &Communication,
    ) -> Result<Exchange, SourceError> {
        let name = &communication.channel.name;
        let port = self.names.port(Some(instance), name)?;
        let problem = match (port.direction, communication.is_send) {
            (Some(Direction::In), true) => Some("an `IN` channel, on which nothing is sent"),
            (Some(Direction::Out), false) => Some("an `OUT` channel, on which nothing is received"),
            _ => None,
        };
        if let Some(problem) = problem {
            let message = format!("`{}` is {problem}", name.text);
            return Err(SourceError::new(communication.span, message));
        }
        let index = self.channel_index(instance, port, &communication.channel)?;
        let row = self.row(instance, port.channel, communication)?;
        let values = if communication.is_send {
            let mut sent = Vec::with_capacity(row.len());
            for item in row {
                sent.push((self.sent(instance, item)?, item.scalar()));
            }
            Values::Sent(sent)
        } else {
            let received = row.into_iter().map(|item| self.received(instance, item));
            Values::Received(received.collect::<Result<_, _>>()?)
        };
        Ok(Exchange { channel: port.channel, index, values })
    }

    /// Which element of an array of channels is meant, if it is one.
    fn channel_index(
        &mut self,
        instance: usize,
        port: Port,
        place: &Place,
    ) -> Result<Option<ExpressionId>, SourceError> {
        let name = &place.name;
        let len = self.names.channels[port.channel].shape.len;
        match (port.element, len, &place.index) {
            (Some(element), _, None) => {
                let element = i64::try_from(element).unwrap_or(i64::MAX);
                Ok(Some(self.program.constant(element)))
            }
            (None, None, None) => Ok(None),
            (None, Some(len), Some(tree)) => {
                let scope = Scope::Instance(instance);
                let id = value_of(&mut self.program, &self.names, scope, tree, Sort::Number)?;
                check_index(name, len, self.program.as_constant(id), tree.span)?;
                Ok(Some(id))
            }
            (None, Some(_), None) => {
                let message = format!("`{}` is an array of channels and needs an index", name.text);
                Err(SourceError::new(name.span, message))
            }
            (_, _, Some(_)) => {
                let message = format!("`{}` is not an array of channels", name.text);
                Err(SourceError::new(name.span, message))
            }
        }
    }

    /// The parts of a message and their types.
    fn row<'c>(
        &self,
        instance: usize,
        channel: usize,
        communication: &'c Communication,
    ) -> Result<Vec<Item<'c>>, SourceError> {
        let scalar = self.names.channels[channel].shape.element;
        let head = &communication.head;
        let given = communication.values.as_deref();
        let literal = self.literal(instance, scalar, head);
        let Some((value, fields)) = literal else {
            if given.is_some() {
                let name = &self.names.channels[channel].name;
                let message = format!("this is not a message of `{name}` that carries values");
                return Err(SourceError::new(head.span, message));
            }
            return Ok(vec![Item::Value(head, scalar)]);
        };
        let given = given.unwrap_or_default();
        if fields.len() != given.len() {
            let message = format!(
                "`{}` carries {} values, not {}",
                self.names.value_text(scalar.sort, value),
                fields.len(),
                given.len()
            );
            return Err(SourceError::new(communication.span, message));
        }
        let values = given.iter().zip(fields).map(|(tree, &of)| Item::Value(tree, of));
        Ok(std::iter::once(Item::Literal(value, scalar)).chain(values).collect())
    }

    /// Which message of an enumeration an expression is, and what it carries.
    fn literal(&self, instance: usize, scalar: Scalar, head: &Tree) -> Option<(i64, &[Scalar])> {
        let [node] = &head.nodes[..] else { return None };
        let Kind::Name(name) = &node.kind else { return None };
        match self.names.symbol(Some(instance), name)? {
            Symbol::Constant(sort @ Sort::Enumeration(number), value) if sort == scalar.sort => {
                let literals = &self.names.enumerations[number].literals;
                let literal = literals.get(usize::try_from(value).ok()?)?;
                Some((value, &literal.fields))
            }
            _ => None,
        }
    }

    fn sent(&mut self, instance: usize, item: Item<'_>) -> Result<ExpressionId, SourceError> {
        match item {
            Item::Literal(value, _) => Ok(self.program.constant(value)),
            Item::Value(tree, scalar) => {
                self.value(instance, tree, Shape { element: scalar, len: None })
            }
        }
    }

    /// A variable, or a constant that the value must be.
    fn received(&mut self, instance: usize, item: Item<'_>) -> Result<Pattern, SourceError> {
        let (tree, scalar) = match item {
            Item::Literal(value, _) => return Ok(Pattern::Is(value)),
            Item::Value(tree, scalar) => (tree, scalar),
        };
        if let Some(place) = self.place(instance, tree) {
            let (target, shape) = self.target(instance, &place)?;
            if shape.element.sort != scalar.sort {
                let [expected, found] =
                    [scalar.sort, shape.element.sort].map(|sort| self.names.sort_text(sort));
                let message = format!("{expected} is received, but this is for {found}");
                return Err(SourceError::new(tree.span, message));
            }
            return Ok(Pattern::Into(target));
        }
        let scope = Scope::Instance(instance);
        value_of(&mut self.program, &self.names, scope, tree, scalar.sort)?;
        let not_constant = |_| {
            let message = "a message is received into a variable, or compared with a constant";
            SourceError::new(tree.span, message)
        };
        let value = constant(&mut self.program, &self.names, scope, tree).map_err(not_constant)?.1;
        check_range(&self.names, scalar, Some(value), tree.span)?;
        Ok(Pattern::Is(value))
    }

    /// The variable that an expression is, if it is nothing but one.
    fn place(&self, instance: usize, tree: &Tree) -> Option<Place> {
        let (last, before) = tree.nodes.split_last()?;
        let (name, index) = match &last.kind {
            Kind::Name(name) => (name, None),
            Kind::Element(name, index) => {
                let span = before[*index].span;
                (name, Some(Tree { nodes: before.to_vec(), span }))
            }
            _ => return None,
        };
        match self.names.symbol(Some(instance), name)? {
            Symbol::Variable(..) => Some(Place { name: name.clone(), index }),
            _ => None,
        }
    }

    /// Adds the transitions: steps of one process, and meetings of two.
    pub(super) fn pair(&mut self, halves: &[Half]) -> Result<(), SourceError> {
        let mut receivers: Vec<Vec<&Half>> = Vec::new();
        receivers.resize_with(self.names.channels.len(), Vec::new);
        for half in halves {
            if let Some(Exchange { channel, values: Values::Received(_), .. }) = half.exchange {
                receivers[channel].push(half);
            }
        }
        for half in halves {
            let Some(exchange) = &half.exchange else {
                let mut guards = vec![half.is_here];
                guards.extend(&half.guards);
                self.emit((half, None), &guards, half.effects.clone())?;
                continue;
            };
            let Values::Sent(values) = &exchange.values else { continue };
            for receiver in &receivers[exchange.channel] {
                if half.instance != receiver.instance {
                    self.rendezvous((half, exchange, values), receiver)?;
                }
            }
        }
        Ok(())
    }

    fn rendezvous(
        &mut self,
        (sender, sending, values): (&Half, &Exchange, &[(ExpressionId, Scalar)]),
        receiver: &Half,
    ) -> Result<(), SourceError> {
        let Some(Exchange { channel, index, values: Values::Received(patterns) }) =
            &receiver.exchange
        else {
            return Ok(());
        };
        let mut guards = vec![sender.is_here, receiver.is_here];
        guards.extend(&sender.guards);
        guards.extend(&receiver.guards);
        guards.extend(self.same_channel(*channel, sending.index, *index));
        for (&(value, _), &pattern) in values.iter().zip(patterns) {
            if let Pattern::Is(wanted) = pattern {
                let wanted = self.program.constant(wanted);
                guards.push(self.program.binary(BinaryOperator::Equal, value, wanted));
            }
        }
        let mut effects = Vec::new();
        self.deliver(*channel, values, patterns, &mut effects);
        effects.extend(receiver.effects.iter().cloned());
        effects.extend(sender.effects.iter().cloned());
        self.emit((sender, Some(receiver)), &guards, effects)
    }

    /// That two elements of an array of channels are one.
    fn same_channel(
        &mut self,
        channel: usize,
        one: Option<ExpressionId>,
        other: Option<ExpressionId>,
    ) -> Option<ExpressionId> {
        let numbers = self.names.channels[channel].numbers?;
        let [one, other] = [one?, other?].map(|index| match self.program.as_constant(index) {
            Some(_) => index,
            None => self.program.expression(Expression::Element(numbers, index)),
        });
        Some(self.program.binary(BinaryOperator::Equal, one, other))
    }

    /// Puts values where they are received, all at the same time. They are
    /// the sender's, so they do not change; the receiver's indices might.
    fn deliver(
        &mut self,
        channel: usize,
        values: &[(ExpressionId, Scalar)],
        patterns: &[Pattern],
        effects: &mut Vec<Effect>,
    ) {
        let is_single = patterns.len() == 1;
        let mut assignments = Vec::new();
        for ((fresh, &(value, scalar)), pattern) in (0..).zip(values).zip(patterns) {
            let Pattern::Into(mut target) = *pattern else { continue };
            self.check_fit(channel, scalar, value, target, effects);
            if let Some(index) = target.index
                && self.program.as_constant(index).is_none()
                && !is_single
            {
                effects.push(Effect::Let(fresh, index));
                target.index = Some(self.program.expression(Expression::Temporary(fresh)));
            }
            assignments.push(target.assign(value));
        }
        effects.extend(assignments);
    }

    /// Asserts that a value fits through the channel, where the receiving
    /// variable would not notice.
    fn check_fit(
        &mut self,
        channel: usize,
        scalar: Scalar,
        value: ExpressionId,
        target: Target,
        effects: &mut Vec<Effect>,
    ) {
        let into = &self.program.variables[target.variable];
        let notices = scalar.contains(into.low) && scalar.contains(into.high);
        let fits = match self.program.view(value) {
            // Constants have been looked at.
            Expression::Constant(_) => true,
            Expression::Variable(from) | Expression::Element(from, _) => {
                let from = &self.program.variables[from];
                scalar.contains(from.low) && scalar.contains(from.high)
            }
            _ => scalar.sort != Sort::Number,
        };
        if notices || fits {
            return;
        }
        let low = self.program.constant(scalar.low);
        let high = self.program.constant(scalar.high);
        let above = self.program.binary(BinaryOperator::LessEqual, low, value);
        let below = self.program.binary(BinaryOperator::LessEqual, value, high);
        let fits = self.program.conjunction(&[above, below]);
        let (name, text) = (&self.names.channels[channel].name, self.names.scalar_text(scalar));
        let text = format!("a value that is sent on {name} is in {text}");
        effects.push(Effect::Assert(fits, Asserted::Rule(text)));
    }
}

/// A part of a message.
#[derive(Clone, Copy)]
enum Item<'c> {
    /// Which message of an enumeration it is.
    Literal(i64, Scalar),
    Value(&'c Tree, Scalar),
}

impl Item<'_> {
    fn scalar(self) -> Scalar {
        match self {
            Self::Literal(_, scalar) | Self::Value(_, scalar) => scalar,
        }
    }
}
