//! Channels: what may be asked of them, and what sending and receiving does.
//!
//! The messages of a channel are moved up when the first one is received, and
//! places that are free hold zeros, so that equal channels look equal. A
//! rendezvous needs two, so only its halves are described here.

use super::super::SourceError;
use super::super::program::{
    BinaryOperator, Effect, Expression as Lowered, ExpressionId as LoweredId, Program,
    UnaryOperator, VariableId,
};
use super::ast::{Expression, ExpressionId, Part, Question};
use super::effects::Effects;
use super::names::{ClassId, Leaf, Names, Width, local_key};
use super::value::{Referent, Speaker, cut, read, referent, value};

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

pub(super) fn int(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// The classes that an expression may name a channel of, among those with
/// `n_fields` fields.
pub(super) fn candidates(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    channel: ExpressionId,
    n_fields: Option<usize>,
) -> Result<Vec<Candidate>, SourceError> {
    use BinaryOperator::{And, Less, LessEqual, Subtract};
    let (expression, place) = &speaker.expressions[channel];
    let number = value(program, names, speaker, channel)?;
    let mut known = None;
    let mut number = number;
    if let Expression::Reference(parts) = expression
        && let Referent::Leaf(leaf, index) = referent(program, names, speaker, parts)?
        && let Some((class, first)) = leaf.fixed
    {
        known = Some(class);
        if let Some(index) = index.map_or(Some(0), |index| program.as_constant(index))
            && index < int(names.classes[class].n_channels)
        {
            number = program.constant(first + index);
        }
    }
    let mut found = Vec::new();
    for (class, shape) in names.classes.entries() {
        let fits = n_fields.is_none_or(|n_fields| n_fields <= shape.fields.len());
        if !fits || known.is_some_and(|known| known != class) {
            continue;
        }
        let first = program.constant(shape.first);
        let behind = program.constant(shape.first + int(shape.n_channels));
        let index = program.binary(Subtract, number, first);
        let is_it = known.is_none().then(|| {
            let above = program.binary(LessEqual, first, number);
            let below = program.binary(Less, number, behind);
            program.binary(And, above, below)
        });
        found.push(Candidate { class, is_it, index, number });
    }
    if found.is_empty() {
        let message = match n_fields {
            Some(n) => format!("no channel has messages of {n} fields"),
            None => "there is no channel".to_owned(),
        };
        return Err(SourceError::new(*place, message));
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
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    question: Question,
    channel: ExpressionId,
) -> Result<LoweredId, SourceError> {
    use BinaryOperator::{Equal, NotEqual};
    // What is no channel is as empty as one, and as full.
    let nothing = !matches!(question, Question::Len | Question::NotEmpty | Question::NotFull);
    let mut answer = program.constant(i64::from(nothing));
    if names.classes.is_empty() {
        value(program, names, speaker, channel)?;
        return Ok(answer);
    }
    let found = candidates(program, names, speaker, channel, None)?;
    for candidate in found {
        let class = &names.classes[candidate.class];
        let len = len(program, names, candidate);
        let [zero, capacity] = [0, int(class.capacity)].map(|value| program.constant(value));
        let here = match question {
            Question::Len => len,
            Question::Empty => program.binary(Equal, len, zero),
            Question::NotEmpty => program.binary(NotEqual, len, zero),
            Question::Full => program.binary(Equal, len, capacity),
            Question::NotFull => program.binary(NotEqual, len, capacity),
        };
        answer = match candidate.is_it {
            Some(is_it) => program.expression(Lowered::If(is_it, here, answer)),
            None => here,
        };
    }
    Ok(answer)
}

fn len(program: &mut Program, names: &Names, candidate: Candidate) -> LoweredId {
    program.expression(Lowered::Element(names.classes[candidate.class].len, candidate.index))
}

/// The place of message `position` of a channel.
fn place_of(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    position: LoweredId,
) -> LoweredId {
    let capacity = program.constant(int(names.classes[candidate.class].capacity));
    let row = program.binary(BinaryOperator::Multiply, candidate.index, capacity);
    program.binary(BinaryOperator::Add, row, position)
}

/// The fields of the first message of a channel.
pub(super) fn first_message(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
) -> Vec<LoweredId> {
    let position = program.constant(0);
    message_at(program, names, candidate, position)
}

/// The fields of the last message of a channel that is not empty.
pub(super) fn last_message(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
) -> Vec<LoweredId> {
    let len = len(program, names, candidate);
    let one = program.constant(1);
    let position = program.binary(BinaryOperator::Subtract, len, one);
    message_at(program, names, candidate, position)
}

fn message_at(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    position: LoweredId,
) -> Vec<LoweredId> {
    let at = place_of(program, names, candidate, position);
    let data = &names.classes[candidate.class].data;
    data.iter().map(|&data| program.expression(Lowered::Element(data, at))).collect()
}

/// Whether message `position` is what `patterns` ask for.
fn matches(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    patterns: &[Pattern],
    position: LoweredId,
) -> LoweredId {
    use BinaryOperator::{And, Equal, Less};
    let len = len(program, names, candidate);
    let mut all = program.binary(Less, position, len);
    let at = place_of(program, names, candidate, position);
    for (pattern, &data) in patterns.iter().zip(&names.classes[candidate.class].data) {
        if let Pattern::Equal(wanted) = pattern {
            let found = program.expression(Lowered::Element(data, at));
            let is_equal = program.binary(Equal, found, *wanted);
            all = program.binary(And, all, is_equal);
        }
    }
    all
}

/// `q?[a, b]` and `q??[a, b]`: whether there is such a message.
pub(super) fn poll(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    channel: ExpressionId,
    anywhere: bool,
    arguments: &[ExpressionId],
) -> Result<LoweredId, SourceError> {
    let patterns = patterns(program, names, speaker, arguments)?;
    let mut answer = program.constant(0);
    for candidate in candidates(program, names, speaker, channel, Some(patterns.len()))? {
        let here = can_receive(program, names, candidate, anywhere, &patterns);
        let here = in_class(program, candidate, here);
        answer = program.binary(BinaryOperator::Or, answer, here);
    }
    Ok(answer)
}

/// A condition about a channel, if it is the one.
pub(super) fn in_class(program: &mut Program, candidate: Candidate, then: LoweredId) -> LoweredId {
    match candidate.is_it {
        Some(is_it) => program.binary(BinaryOperator::And, is_it, then),
        None => then,
    }
}

/// Whether a message can be received from a channel that holds messages.
pub(super) fn can_receive(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    anywhere: bool,
    patterns: &[Pattern],
) -> LoweredId {
    let capacity = names.classes[candidate.class].capacity;
    let n_tried = if anywhere { capacity } else { capacity.min(1) };
    let mut any = program.constant(0);
    for position in 0..n_tried {
        let position = program.constant(int(position));
        let here = matches(program, names, candidate, patterns, position);
        any = program.binary(BinaryOperator::Or, any, here);
    }
    any
}

/// The leaves of a variable with fields, element by element, if the reference means
/// all of them.
fn leaves_below(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    parts: &[Part],
) -> Option<Vec<(Leaf, Option<LoweredId>)>> {
    let [Part { name, index }] = parts else { return None };
    let mut leaves = &names.globals;
    let mut root = name.text.clone();
    let mut declaration = names.module.variables.iter().find(|one| one.name.text == name.text);
    if let Some(id) = speaker.instance {
        let instance = &names.instances[id];
        let graph = &names.kinds[instance.kind].graph;
        if let Some(local) = graph.local(speaker.scope, &name.text) {
            leaves = &instance.leaves;
            root = local_key(local);
            declaration = Some(&graph.locals[local].declaration);
        }
    }
    let super::ast::Type::Named(of_type) = &declaration?.of_type else { return None };
    let index = match index {
        Some(index) => Some(value(program, names, speaker, *index).ok()?),
        None => None,
    };
    let mut found = Vec::new();
    let mut open = vec![(root, of_type.text.clone())];
    while let Some((path, of_type)) = open.pop() {
        if let Some(leaf) = leaves.get(&path) {
            let n_inner: usize = leaf.lens.iter().skip(1).flatten().product();
            for inner in 0..n_inner {
                let inner_id = program.constant(int(inner));
                let at = match index {
                    Some(index) => {
                        let n_inner = program.constant(int(n_inner));
                        let row = program.binary(BinaryOperator::Multiply, index, n_inner);
                        Some(program.binary(BinaryOperator::Add, row, inner_id))
                    }
                    None => leaf.lens.iter().any(Option::is_some).then_some(inner_id),
                };
                found.push((leaf.clone(), at));
            }
            continue;
        }
        let (_, fields) = names.module.types.iter().find(|(name, _)| name.text == of_type)?;
        for field in fields.iter().rev() {
            let inner = match &field.of_type {
                super::ast::Type::Named(name) => name.text.clone(),
                _ => String::new(),
            };
            open.push((format!("{path}.{}", field.name.text), inner));
        }
    }
    Some(found)
}

/// The fields of a message that is received.
pub(super) fn patterns(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    arguments: &[ExpressionId],
) -> Result<Vec<Pattern>, SourceError> {
    let mut patterns = Vec::new();
    for &argument in arguments {
        let Expression::Reference(parts) = &speaker.expressions[argument].0 else {
            patterns.push(Pattern::Equal(value(program, names, speaker, argument)?));
            continue;
        };
        if let [Part { name, index: None }] = &**parts
            && name.text == "_"
        {
            patterns.push(Pattern::Any);
            continue;
        }
        if let Some(leaves) = leaves_below(program, names, speaker, parts) {
            patterns.extend(leaves.into_iter().map(|(leaf, at)| Pattern::Into(leaf, at)));
            continue;
        }
        patterns.push(match referent(program, names, speaker, parts)? {
            Referent::Leaf(leaf, index) => Pattern::Into(leaf, index),
            Referent::Value(value) => Pattern::Equal(value),
        });
    }
    Ok(patterns)
}

/// The fields of a message that is sent.
pub(super) fn message(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    arguments: &[ExpressionId],
) -> Result<Vec<LoweredId>, SourceError> {
    let mut fields = Vec::new();
    for &argument in arguments {
        if let Expression::Reference(parts) = &speaker.expressions[argument].0
            && let Some(leaves) = leaves_below(program, names, speaker, parts)
        {
            for (leaf, at) in leaves {
                fields.push(read(program, &leaf, at));
            }
            continue;
        }
        fields.push(value(program, names, speaker, argument)?);
    }
    Ok(fields)
}

/// The message as it arrives: as many fields as the channel has, each cut off.
pub(super) fn arriving(
    program: &mut Program,
    fields: &[Width],
    message: &[LoweredId],
) -> Vec<LoweredId> {
    let zero = program.constant(0);
    let given = message.iter().copied().chain(std::iter::repeat(zero));
    fields.iter().zip(given).map(|(&width, value)| cut(program, width, value)).collect()
}

/// Sends a message to a channel that has room for it.
pub(super) fn send(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    sorted: bool,
    message: &[LoweredId],
    effects: &mut Effects,
) {
    use BinaryOperator::{Add, Less};
    let class = &names.classes[candidate.class];
    let index = effects.named(program, candidate.index);
    let candidate = Candidate { index, ..candidate };
    let message = arriving(program, &class.fields, message);
    let message: Vec<LoweredId> =
        message.into_iter().map(|field| effects.named(program, field)).collect();
    let len = len(program, names, candidate);
    let mut position = len;
    if sorted {
        position = sorted_position(program, names, candidate, &message);
        position = effects.named(program, position);
        for to in (1..class.capacity).rev() {
            let [from_position, to_position] = [to - 1, to].map(|at| program.constant(int(at)));
            let from = place_of(program, names, candidate, from_position);
            let to = place_of(program, names, candidate, to_position);
            let is_behind = program.binary(Less, position, to_position);
            for &data in &class.data {
                let [before, here] =
                    [from, to].map(|at| program.expression(Lowered::Element(data, at)));
                let moved = program.expression(Lowered::If(is_behind, before, here));
                effects.list.push(Effect::AssignElement(data, to, moved));
            }
        }
    }
    let at = place_of(program, names, candidate, position);
    for (&data, &field) in class.data.iter().zip(&message) {
        effects.list.push(Effect::AssignElement(data, at, field));
    }
    let one = program.constant(1);
    let more = program.binary(Add, len, one);
    effects.list.push(Effect::AssignElement(class.len, candidate.index, more));
}

/// Where a message is inserted: before the first one that is larger.
fn sorted_position(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    message: &[LoweredId],
) -> LoweredId {
    use BinaryOperator::{And, Equal, Less, LessEqual, Or};
    let class = &names.classes[candidate.class];
    let len = len(program, names, candidate);
    let mut found = program.constant(int(class.capacity) - 1);
    for position in (0..class.capacity).rev() {
        let position = program.constant(int(position));
        let at = place_of(program, names, candidate, position);
        let mut is_smaller = program.constant(0);
        for (&data, &field) in class.data.iter().zip(message).rev() {
            let other = program.expression(Lowered::Element(data, at));
            let is_less = program.binary(Less, field, other);
            let is_equal = program.binary(Equal, field, other);
            let goes_on = program.binary(And, is_equal, is_smaller);
            is_smaller = program.binary(Or, is_less, goes_on);
        }
        let is_end = program.binary(LessEqual, len, position);
        let is_here = program.binary(Or, is_end, is_smaller);
        found = program.expression(Lowered::If(is_here, position, found));
    }
    found
}

/// Receives the first message that matches.
pub(super) fn receive(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    (anywhere, keeps): (bool, bool),
    patterns: &[Pattern],
    effects: &mut Effects,
) {
    use BinaryOperator::{LessEqual, Subtract};
    let class = &names.classes[candidate.class];
    let index = effects.named(program, candidate.index);
    let candidate = Candidate { index, ..candidate };
    let mut position = program.constant(0);
    if anywhere {
        for at in (0..class.capacity).rev() {
            let at = program.constant(int(at));
            let is_here = matches(program, names, candidate, patterns, at);
            position = program.expression(Lowered::If(is_here, at, position));
        }
        position = effects.named(program, position);
    }
    let at = place_of(program, names, candidate, position);
    for (pattern, &data) in patterns.iter().zip(&class.data) {
        if let Pattern::Into(leaf, index) = pattern {
            let received = program.expression(Lowered::Element(data, at));
            effects.assign(program, leaf, *index, received);
        }
    }
    if keeps {
        return;
    }
    let zero = program.constant(0);
    for to in 0..class.capacity {
        let to_position = program.constant(int(to));
        let place = place_of(program, names, candidate, to_position);
        for &data in &class.data {
            let next = next_message(program, names, candidate, data, to);
            let mut moved = next.unwrap_or(zero);
            if anywhere {
                let is_behind = program.binary(LessEqual, position, to_position);
                let here = program.expression(Lowered::Element(data, place));
                moved = program.expression(Lowered::If(is_behind, moved, here));
            }
            effects.list.push(Effect::AssignElement(data, place, moved));
        }
    }
    let len = len(program, names, candidate);
    let one = program.constant(1);
    let less = program.binary(Subtract, len, one);
    effects.list.push(Effect::AssignElement(class.len, candidate.index, less));
}

/// A field of the message behind the one at `position`, if there is room for one.
fn next_message(
    program: &mut Program,
    names: &Names,
    candidate: Candidate,
    data: VariableId,
    position: usize,
) -> Option<LoweredId> {
    if names.classes[candidate.class].capacity <= position + 1 {
        return None;
    }
    let next = program.constant(int(position + 1));
    let at = place_of(program, names, candidate, next);
    Some(program.expression(Lowered::Element(data, at)))
}

/// Whether a channel has room.
pub(super) fn has_room(program: &mut Program, names: &Names, candidate: Candidate) -> LoweredId {
    let len = len(program, names, candidate);
    let capacity = program.constant(int(names.classes[candidate.class].capacity));
    program.binary(BinaryOperator::Less, len, capacity)
}

/// Not.
pub(super) fn not(program: &mut Program, condition: LoweredId) -> LoweredId {
    program.expression(Lowered::Unary(UnaryOperator::Not, condition))
}

/// Forgets what a channel holds.
pub(super) fn clear(
    program: &mut Program,
    names: &Names,
    (class, index): (ClassId, usize),
    effects: &mut Effects,
) {
    let zero = program.constant(0);
    let shape = &names.classes[class];
    let at = program.constant(int(index));
    effects.list.push(Effect::AssignElement(shape.len, at, zero));
    for place in index * shape.capacity..(index + 1) * shape.capacity {
        let place = program.constant(int(place));
        for &data in &shape.data {
            effects.list.push(Effect::AssignElement(data, place, zero));
        }
    }
}
