//! Channels: what may be asked of them, and what sending and receiving does.
//!
//! The messages of a channel are moved up when the first one is received, and
//! places that are free hold zeros, so that equal channels look equal. A
//! rendezvous needs two processes, so only its halves are described here.

use super::super::program::BinaryOperator::{
    Add, And, Equal, Less, LessEqual, Multiply, NotEqual, Or, Subtract,
};
use super::super::program::{Effect, ExpressionId as LoweredId};
use super::ast::{Expression, ExpressionId, Part, Question, Type};
use super::effects::Effects;
use super::lowering::Lowering;
use super::names::{Class, ClassId, Leaf, below, int};
use super::value::Referent;
use super::{SourceError, error};

/// A channel, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) class: ClassId,
    /// Whether the channel is in the class; nothing if that is known.
    pub(super) is_it: Option<LoweredId>,
    /// Its index in the class.
    pub(super) index: LoweredId,
    /// The number of the channel.
    pub(super) number: LoweredId,
}

/// A field of a message that is received.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Any,
    Equal(LoweredId),
    Into(Leaf, Option<LoweredId>),
}

impl<'a> Lowering<'a> {
    fn class(&self, candidate: Candidate) -> &'a Class {
        &self.names.classes[candidate.class]
    }

    /// The classes that an expression may name a channel of, among those with
    /// `n_fields` fields.
    pub(super) fn candidates(
        &mut self,
        channel: ExpressionId,
        n_fields: Option<usize>,
    ) -> Result<Vec<Candidate>, SourceError> {
        let names = self.names;
        let (expression, place) = &self.speaker.expressions[channel];
        let mut known = None;
        let mut number = self.value(channel)?;
        if let Expression::Reference(parts) = expression
            && let Referent::Leaf(leaf, index) = self.referent(parts)?
            && let Some((class, first)) = leaf.fixed()
        {
            known = Some(class);
            if let Some(index) = index.map_or(Some(0), |index| self.program.as_constant(index))
                && index < int(names.classes[class].n_channels)
            {
                number = self.constant(first + index);
            }
        }
        let mut found = Vec::new();
        for (class, shape) in names.classes.entries() {
            let fits = n_fields.is_none_or(|n_fields| n_fields <= shape.fields.len());
            if !fits || known.is_some_and(|known| known != class) {
                continue;
            }
            let ends = [shape.first, shape.first + int(shape.n_channels)];
            let ends = ends.map(|end| self.constant(end));
            let index = self.binary(Subtract, number, ends[0]);
            let is_it = known.is_none().then(|| self.is_within(number, ends));
            found.push(Candidate { class, is_it, index, number });
        }
        if found.is_empty() {
            let message = match n_fields {
                Some(n) => format!("no channel has messages of {n} fields"),
                None => "there is no channel".to_owned(),
            };
            return error(*place, message);
        }
        // A longer message than needed is meant only if there is no other.
        if let Some(n_fields) = n_fields {
            let exact = |one: &Candidate| names.classes[one.class].fields.len() == n_fields;
            if found.iter().any(exact) {
                found.retain(exact);
            }
        }
        Ok(found)
    }

    /// `len(q)`, `empty(q)` and so on.
    pub(super) fn question(
        &mut self,
        question: Question,
        channel: ExpressionId,
    ) -> Result<LoweredId, SourceError> {
        // What is no channel is as empty as one, and as full.
        let nothing = matches!(question, Question::Empty | Question::Full);
        let mut answer = self.constant(i64::from(nothing));
        if self.names.classes.is_empty() {
            self.value(channel)?;
            return Ok(answer);
        }
        for candidate in self.candidates(channel, None)? {
            let len = self.len(candidate);
            let (zero, capacity) = (self.constant(0), self.capacity(candidate));
            let here = match question {
                Question::Len => len,
                Question::Empty => self.binary(Equal, len, zero),
                Question::NotEmpty => self.binary(NotEqual, len, zero),
                Question::Full => self.binary(Equal, len, capacity),
                Question::NotFull => self.binary(NotEqual, len, capacity),
            };
            answer = match candidate.is_it {
                Some(is_it) => self.choose(is_it, here, answer),
                None => here,
            };
        }
        Ok(answer)
    }

    fn len(&mut self, candidate: Candidate) -> LoweredId {
        self.element(self.class(candidate).len, candidate.index)
    }

    fn capacity(&mut self, candidate: Candidate) -> LoweredId {
        self.number(self.class(candidate).capacity)
    }

    /// The place of message `position` of a channel.
    fn place_of(&mut self, candidate: Candidate, position: LoweredId) -> LoweredId {
        let capacity = self.capacity(candidate);
        let row = self.binary(Multiply, candidate.index, capacity);
        self.binary(Add, row, position)
    }

    /// The fields of the first message of a channel.
    pub(super) fn first_message(&mut self, candidate: Candidate) -> Vec<LoweredId> {
        let position = self.constant(0);
        self.message_at(candidate, position)
    }

    /// The fields of the last message of a channel that is not empty.
    pub(super) fn last_message(&mut self, candidate: Candidate) -> Vec<LoweredId> {
        let (len, one) = (self.len(candidate), self.constant(1));
        let position = self.binary(Subtract, len, one);
        self.message_at(candidate, position)
    }

    fn message_at(&mut self, candidate: Candidate, position: LoweredId) -> Vec<LoweredId> {
        let at = self.place_of(candidate, position);
        let data = &self.class(candidate).data;
        data.iter().map(|&data| self.element(data, at)).collect()
    }

    /// Whether message `position` is what `patterns` ask for.
    fn matches(
        &mut self,
        candidate: Candidate,
        patterns: &[Pattern],
        position: LoweredId,
    ) -> LoweredId {
        let len = self.len(candidate);
        let mut all = self.binary(Less, position, len);
        let at = self.place_of(candidate, position);
        for (pattern, &data) in patterns.iter().zip(&self.class(candidate).data) {
            if let Pattern::Equal(wanted) = *pattern {
                let found = self.element(data, at);
                let is_equal = self.binary(Equal, found, wanted);
                all = self.binary(And, all, is_equal);
            }
        }
        all
    }

    /// `q?[a, b]` and `q??[a, b]`: whether there is such a message.
    pub(super) fn poll(
        &mut self,
        channel: ExpressionId,
        anywhere: bool,
        arguments: &[ExpressionId],
    ) -> Result<LoweredId, SourceError> {
        let patterns = self.patterns(arguments)?;
        let mut answer = self.constant(0);
        for candidate in self.candidates(channel, Some(patterns.len()))? {
            let here = self.can_receive(candidate, anywhere, &patterns);
            answer = self.binary(Or, answer, here);
        }
        Ok(answer)
    }

    /// A condition about a channel, if it is the one.
    fn in_class(&mut self, candidate: Candidate, then: LoweredId) -> LoweredId {
        match candidate.is_it {
            Some(is_it) => self.binary(And, is_it, then),
            None => then,
        }
    }

    /// Whether a message can be received from a channel that holds messages, if it is the one.
    pub(super) fn can_receive(
        &mut self,
        candidate: Candidate,
        anywhere: bool,
        patterns: &[Pattern],
    ) -> LoweredId {
        let capacity = self.class(candidate).capacity;
        let n_tried = if anywhere { capacity } else { capacity.min(1) };
        let mut any = self.constant(0);
        for position in 0..n_tried {
            let position = self.number(position);
            let here = self.matches(candidate, patterns, position);
            any = self.binary(Or, any, here);
        }
        self.in_class(candidate, any)
    }

    /// Whether a channel has room, if it is the one.
    pub(super) fn can_send(&mut self, candidate: Candidate) -> LoweredId {
        let (len, capacity) = (self.len(candidate), self.capacity(candidate));
        let has_room = self.binary(Less, len, capacity);
        self.in_class(candidate, has_room)
    }

    /// The leaves of a variable with fields, element by element, if the reference means
    /// all of them.
    fn leaves_below(&mut self, parts: &[Part]) -> Option<Vec<(Leaf, Option<LoweredId>)>> {
        let [Part { name, index }] = parts else { return None };
        let declaration = match self.local(&name.text) {
            Some((instance, local)) => {
                &self.names.kinds[instance.kind].graph.locals[local].declaration
            }
            None => self.names.module.variables.iter().find(|one| one.name.text == name.text)?,
        };
        let Type::Named(_) = declaration.of_type else { return None };
        let index = match index {
            Some(index) => Some(self.value(*index).ok()?),
            None => None,
        };
        let (leaves, path) = self.root(&name.text);
        let mut found = Vec::new();
        for leaf in below(leaves, &path) {
            let n_inner: usize = leaf.lens.iter().skip(1).flatten().product();
            for inner in 0..n_inner {
                let inner = self.number(inner);
                let at = match index {
                    Some(index) => {
                        let n_inner = self.number(n_inner);
                        let row = self.binary(Multiply, index, n_inner);
                        Some(self.binary(Add, row, inner))
                    }
                    None => leaf.is_array().then_some(inner),
                };
                found.push((leaf.clone(), at));
            }
        }
        Some(found)
    }

    /// The fields of a message that is received.
    pub(super) fn patterns(
        &mut self,
        arguments: &[ExpressionId],
    ) -> Result<Vec<Pattern>, SourceError> {
        let mut patterns = Vec::new();
        for &argument in arguments {
            let Expression::Reference(parts) = &self.speaker.expressions[argument].0 else {
                patterns.push(Pattern::Equal(self.value(argument)?));
                continue;
            };
            if let [Part { name, index: None }] = &**parts
                && name.text == "_"
            {
                patterns.push(Pattern::Any);
            } else if let Some(leaves) = self.leaves_below(parts) {
                patterns.extend(leaves.into_iter().map(|(leaf, at)| Pattern::Into(leaf, at)));
            } else {
                patterns.push(match self.referent(parts)? {
                    Referent::Leaf(leaf, index) => Pattern::Into(leaf, index),
                    Referent::Value(value) => Pattern::Equal(value),
                });
            }
        }
        Ok(patterns)
    }

    /// The fields of a message that is sent.
    pub(super) fn message(
        &mut self,
        arguments: &[ExpressionId],
    ) -> Result<Vec<LoweredId>, SourceError> {
        let mut fields = Vec::new();
        for &argument in arguments {
            if let Expression::Reference(parts) = &self.speaker.expressions[argument].0
                && let Some(leaves) = self.leaves_below(parts)
            {
                fields.extend(leaves.iter().map(|(leaf, at)| self.read(leaf, *at)));
            } else {
                fields.push(self.value(argument)?);
            }
        }
        Ok(fields)
    }

    /// The message as it arrives: as many fields as the channel has, each cut off.
    pub(super) fn arriving(&mut self, class: ClassId, message: &[LoweredId]) -> Vec<LoweredId> {
        let zero = self.constant(0);
        let given = message.iter().copied().chain(std::iter::repeat(zero));
        let fields = self.names.classes[class].fields.iter().zip(given);
        fields.map(|(&width, value)| width.cut(self.program, value)).collect()
    }

    /// Sends a message to a channel that has room for it.
    pub(super) fn send(
        &mut self,
        candidate: Candidate,
        sorted: bool,
        message: &[LoweredId],
        effects: &mut Effects,
    ) {
        let class = self.class(candidate);
        let index = effects.named(self.program, candidate.index);
        let candidate = Candidate { index, ..candidate };
        let message = self.arriving(candidate.class, message);
        let message = effects.all_named(self.program, message);
        let len = self.len(candidate);
        let mut position = len;
        if sorted {
            position = self.sorted_position(candidate, &message);
            position = effects.named(self.program, position);
            for to in (1..class.capacity).rev() {
                let [from_position, to_position] = [to - 1, to].map(|at| self.number(at));
                let is_behind = self.binary(Less, position, to_position);
                let to = self.place_of(candidate, to_position);
                let before = self.message_at(candidate, from_position);
                let here = self.message_at(candidate, to_position);
                for ((&data, before), here) in class.data.iter().zip(before).zip(here) {
                    let moved = self.choose(is_behind, before, here);
                    effects.list.push(Effect::AssignElement(data, to, moved));
                }
            }
        }
        let at = self.place_of(candidate, position);
        for (&data, &field) in class.data.iter().zip(&message) {
            effects.list.push(Effect::AssignElement(data, at, field));
        }
        let one = self.constant(1);
        let more = self.binary(Add, len, one);
        effects.list.push(Effect::AssignElement(class.len, candidate.index, more));
    }

    /// Where a message is inserted: before the first one that is larger.
    fn sorted_position(&mut self, candidate: Candidate, message: &[LoweredId]) -> LoweredId {
        let capacity = self.class(candidate).capacity;
        let len = self.len(candidate);
        let mut found = self.constant(int(capacity) - 1);
        for position in (0..capacity).rev() {
            let position = self.number(position);
            let mut is_smaller = self.constant(0);
            let others = self.message_at(candidate, position);
            for (other, &field) in others.into_iter().zip(message).rev() {
                let is_less = self.binary(Less, field, other);
                let is_equal = self.binary(Equal, field, other);
                let goes_on = self.binary(And, is_equal, is_smaller);
                is_smaller = self.binary(Or, is_less, goes_on);
            }
            let is_end = self.binary(LessEqual, len, position);
            let is_here = self.binary(Or, is_end, is_smaller);
            found = self.choose(is_here, position, found);
        }
        found
    }

    /// Receives the first message that matches.
    pub(super) fn receive(
        &mut self,
        candidate: Candidate,
        (anywhere, keeps): (bool, bool),
        patterns: &[Pattern],
        effects: &mut Effects,
    ) {
        let class = self.class(candidate);
        let index = effects.named(self.program, candidate.index);
        let candidate = Candidate { index, ..candidate };
        let mut position = self.constant(0);
        if anywhere {
            for at in (0..class.capacity).rev() {
                let at = self.number(at);
                let is_here = self.matches(candidate, patterns, at);
                position = self.choose(is_here, at, position);
            }
            position = effects.named(self.program, position);
        }
        let at = self.place_of(candidate, position);
        for (pattern, &data) in patterns.iter().zip(&class.data) {
            if let Pattern::Into(leaf, index) = pattern {
                let received = self.element(data, at);
                effects.assign(self.program, leaf, *index, received);
            }
        }
        if keeps {
            return;
        }
        let zero = self.constant(0);
        for to in 0..class.capacity {
            let [to_position, behind] = [to, to + 1].map(|at| self.number(at));
            let place = self.place_of(candidate, to_position);
            let mut next = vec![zero; class.data.len()];
            if to + 1 < class.capacity {
                next = self.message_at(candidate, behind);
            }
            for (&data, mut moved) in class.data.iter().zip(next) {
                if anywhere {
                    let is_behind = self.binary(LessEqual, position, to_position);
                    let here = self.element(data, place);
                    moved = self.choose(is_behind, moved, here);
                }
                effects.list.push(Effect::AssignElement(data, place, moved));
            }
        }
        let (len, one) = (self.len(candidate), self.constant(1));
        let less = self.binary(Subtract, len, one);
        effects.list.push(Effect::AssignElement(class.len, candidate.index, less));
    }

    /// Forgets what a channel holds.
    pub(super) fn clear(&mut self, (class, index): (ClassId, usize), effects: &mut Effects) {
        let class = &self.names.classes[class];
        let (at, zero) = (self.number(index), self.constant(0));
        effects.list.push(Effect::AssignElement(class.len, at, zero));
        for place in index * class.capacity..(index + 1) * class.capacity {
            let place = self.number(place);
            let clear = |&data| Effect::AssignElement(data, place, zero);
            effects.list.extend(class.data.iter().map(clear));
        }
    }
}
