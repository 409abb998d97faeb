//! Messages, and how senders and receivers meet.
//!
//! A message is a row of values: what is sent on a channel, or which message it
//! is and the values that it carries. A receiver says for each of them which
//! value it must have or where it goes. All values are those of the state
//! before, and they arrive at the same time.

use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::expression::{Domain, Sort};
use super::super::program::{BinaryOperator, Effect, Expression, ExpressionId};
use super::super::rendezvous::{Role, Target, assert_range, each_step};
use super::ast::{Communication, Direction, Place, Reference, Tree};
use super::lower::{Half, Lowering};
use super::names::{EsmlSymbol, Port, Shape};
use super::value::{EsmlScope, check_index, check_range, constant};

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
    Sent(Vec<(ExpressionId, Domain)>),
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
    /// Adds a communication to a half.
    pub(super) fn communicate(
        &mut self,
        half: &mut Half,
        communication: &Communication,
    ) -> Result<()> {
        let instance = half.process;
        let name = &communication.channel.name;
        let port = self.names.port(Some(instance), name)?;
        let problem = match (port.direction, communication.is_send) {
            (Some(Direction::In), true) => Some("an `IN` channel, on which nothing is sent"),
            (Some(Direction::Out), false) => Some("an `OUT` channel, on which nothing is received"),
            _ => None,
        };
        if let Some(problem) = problem {
            return fail(communication.span, format!("`{}` is {problem}", name.text));
        }
        let index = self.channel_index(instance, port, &communication.channel)?;
        let row = self.row(instance, port.channel, communication)?;
        let values = if communication.is_send {
            let mut sent = Vec::with_capacity(row.len());
            for item in row {
                sent.push((self.sent(instance, item)?, item.domain()));
            }
            Values::Sent(sent)
        } else {
            let received = row.into_iter().map(|item| self.received(instance, item));
            Values::Received(received.collect::<Result<_, _>>()?)
        };
        half.role = match values {
            Values::Sent(_) => Role::Sender(port.channel),
            Values::Received(_) => Role::Receiver(port.channel),
        };
        half.detail = Some(Exchange { channel: port.channel, index, values });
        Ok(())
    }

    /// Which element of an array of channels is meant, if it is one.
    fn channel_index(
        &mut self,
        instance: usize,
        port: Port,
        place: &Place,
    ) -> Result<Option<ExpressionId>> {
        let name = &place.name;
        let len = self.names.channels[port.channel].shape.len;
        match (port.element, len, &place.index) {
            (Some(element), _, None) => {
                let element = i64::try_from(element).unwrap_or(i64::MAX);
                Ok(Some(self.program.constant(element)))
            }
            (None, None, None) => Ok(None),
            (None, Some(len), Some(tree)) => {
                let id = self.expression(instance, tree, Sort::Number)?;
                check_index(name, len, self.program.as_constant(id), tree.span)?;
                Ok(Some(id))
            }
            (None, Some(_), None) => Err(name.error("is an array of channels and needs an index")),
            (_, _, Some(_)) => Err(name.error("is not an array of channels")),
        }
    }

    /// The parts of a message and their types.
    fn row<'c>(
        &self,
        instance: usize,
        channel: usize,
        communication: &'c Communication,
    ) -> Result<Vec<Item<'c>>> {
        let domain = self.names.channels[channel].shape.element;
        let head = &communication.head;
        let given = communication.values.as_deref();
        let literal = self.literal(instance, domain, head);
        let Some((value, fields)) = literal else {
            if given.is_some() {
                let name = &self.names.channels[channel].name;
                let message = format!("this is not a message of `{name}` that carries values");
                return Err(SourceError::new(head.span, message));
            }
            return Ok(vec![Item::Value(head, domain)]);
        };
        let given = given.unwrap_or_default();
        if fields.len() != given.len() {
            let message = format!(
                "`{}` carries {} values, not {}",
                self.names.enumerations.value_text(domain.sort, value),
                fields.len(),
                given.len()
            );
            return Err(SourceError::new(communication.span, message));
        }
        let values = given.iter().zip(fields).map(|(tree, &of)| Item::Value(tree, of));
        Ok(std::iter::once(Item::Literal(value, domain)).chain(values).collect())
    }

    /// Which message of an enumeration an expression is, and what it carries.
    fn literal(&self, instance: usize, domain: Domain, head: &Tree) -> Option<(i64, &[Domain])> {
        let (Reference::Name(name), None) = head.as_reference()? else { return None };
        match self.names.symbol(Some(instance), name)? {
            EsmlSymbol::Constant(sort @ Sort::Enumeration(_), value) if sort == domain.sort => {
                Some((value, self.names.fields(sort, value)))
            }
            _ => None,
        }
    }

    fn sent(&mut self, instance: usize, item: Item<'_>) -> Result<ExpressionId> {
        match item {
            Item::Literal(value, _) => Ok(self.program.constant(value)),
            Item::Value(tree, domain) => {
                self.value(instance, tree, Shape { element: domain, len: None })
            }
        }
    }

    /// A variable, or a constant that the value must be.
    fn received(&mut self, instance: usize, item: Item<'_>) -> Result<Pattern> {
        let (tree, domain) = match item {
            Item::Literal(value, _) => return Ok(Pattern::Is(value)),
            Item::Value(tree, domain) => (tree, domain),
        };
        if let Some(place) = self.place(instance, tree) {
            let (target, shape) = self.target(instance, &place)?;
            if shape.element.sort != domain.sort {
                let [expected, found] = [domain.sort, shape.element.sort]
                    .map(|sort| self.names.enumerations.sort_text(sort));
                return fail(tree.span, format!("{expected} is received, but this is for {found}"));
            }
            return Ok(Pattern::Into(target));
        }
        let scope = EsmlScope::Instance(instance);
        self.expression(instance, tree, domain.sort)?;
        let not_constant = |_| {
            let message = "a message is received into a variable, or compared with a constant";
            SourceError::new(tree.span, message)
        };
        let value = constant(&mut self.program, &self.names, scope, tree).map_err(not_constant)?.1;
        check_range(&self.names, domain, Some(value), tree.span)?;
        Ok(Pattern::Is(value))
    }

    /// The variable that an expression is, if it is nothing but one.
    fn place(&self, instance: usize, tree: &Tree) -> Option<Place> {
        let (Reference::Name(name), index) = tree.as_reference()? else { return None };
        match self.names.symbol(Some(instance), name)? {
            EsmlSymbol::Variable(..) => {
                Some(Place { name: name.clone(), index: index.map(|span| tree.index_tree(span)) })
            }
            _ => None,
        }
    }

    /// Adds the transitions: steps of one process, and meetings of two.
    pub(super) fn pair(&mut self, halves: &[Half]) -> Result<()> {
        each_step(halves, self.names.channels.len(), |half, partner| {
            if let (Some(receiver), Some(sending)) = (partner, &half.detail)
                && let Values::Sent(values) = &sending.values
            {
                return self.rendezvous((half, sending, values), receiver);
            }
            let mut guards = vec![half.is_here];
            guards.extend(&half.guards);
            self.emit((half, None), &guards, half.effects.clone())
        })
    }

    fn rendezvous(
        &mut self,
        (sender, sending, values): (&Half, &Exchange, &[(ExpressionId, Domain)]),
        receiver: &Half,
    ) -> Result<()> {
        let Some(Exchange { channel, index, values: Values::Received(patterns) }) =
            &receiver.detail
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
        values: &[(ExpressionId, Domain)],
        patterns: &[Pattern],
        effects: &mut Vec<Effect>,
    ) {
        let is_single = patterns.len() == 1;
        let mut assignments = Vec::new();
        for ((fresh, &(value, domain)), pattern) in (0..).zip(values).zip(patterns) {
            let Pattern::Into(mut target) = *pattern else { continue };
            self.check_fit(channel, domain, value, target, effects);
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
        domain: Domain,
        value: ExpressionId,
        target: Target,
        effects: &mut Vec<Effect>,
    ) {
        let into = &self.program.variables[target.variable];
        let notices = domain.contains(into.low) && domain.contains(into.high);
        let fits = match self.program.view(value) {
            // Constants have been looked at.
            Expression::Constant(_) => true,
            Expression::Variable(from) | Expression::Element(from, _) => {
                let from = &self.program.variables[from];
                domain.contains(from.low) && domain.contains(from.high)
            }
            _ => domain.sort != Sort::Number,
        };
        if notices || fits {
            return;
        }
        let (name, text) = (&self.names.channels[channel].name, self.names.domain_text(domain));
        let text = format!("a value that is sent on {name} is in {text}");
        let range = (domain.low, domain.high);
        effects.push(assert_range(&mut self.program, value, range, text));
    }
}

/// A part of a message.
#[derive(Clone, Copy)]
enum Item<'c> {
    /// Which message of an enumeration it is.
    Literal(i64, Domain),
    Value(&'c Tree, Domain),
}

impl Item<'_> {
    fn domain(self) -> Domain {
        match self {
            Self::Literal(_, domain) | Self::Value(_, domain) => domain,
        }
    }
}
