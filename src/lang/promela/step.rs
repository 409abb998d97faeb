//! What the statements of a process do: guards and effects.
//!
//! A statement may have several *moves*, for instance one for each slot that a
//! new process may come into. Sending and receiving without a buffer are
//! *halves*, of which two make a step.

use super::super::SourceError;
use super::super::program::{
    Asserted, BinaryOperator, Effect, Expression as Lowered, ExpressionId as LoweredId, Program,
};
use super::ast::{Expression, ExpressionId, Initial, Name, Statement, StatementId};
use super::channel::{self, Candidate, Pattern, int};
use super::effects::Effects;
use super::graph::{Action, Edge, Local, ScopeId};
use super::names::{Instance, InstanceId, KindId, Leaf, Names, local_key};
use super::print;
use super::priority;
use super::trace::{self, Event};
use super::value::{Referent, Speaker, referent, value};
use crate::id::Id;

/// One way to take an edge.
#[derive(Clone, Debug)]
pub(super) struct Move {
    pub(super) guard: LoweredId,
    pub(super) effects: Effects,
    /// A process of this kind would begin in this slot, which is not prepared for it.
    pub(super) grows: Option<(usize, KindId)>,
}

/// Half of a rendezvous.
#[derive(Clone, Debug)]
pub(super) enum Half {
    Send(Candidate, Vec<LoweredId>),
    Receive(Candidate, Vec<Pattern>),
}

/// All that an edge may do.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    pub(super) whole: Vec<Move>,
    pub(super) halves: Vec<Half>,
}

/// A process that is to begin.
struct Begun<'a> {
    kind: KindId,
    arguments: &'a [ExpressionId],
    priority: Option<ExpressionId>,
}

/// Lowers statements of one process.
pub(super) struct Stepper<'a> {
    pub(super) program: &'a mut Program,
    pub(super) names: &'a Names,
    pub(super) instance: InstanceId,
}

impl<'a> Stepper<'a> {
    fn speaker(&self, scope: ScopeId) -> Speaker<'a> {
        Speaker::process(self.names, self.instance, scope)
    }

    /// What an edge does, behind `before`.
    pub(super) fn moves(&mut self, edge: &Edge, before: &Effects) -> Result<Moves, SourceError> {
        let mut moves = self.moves_alone(edge, before)?;
        for one in &mut moves.whole {
            self.reset(edge, &mut one.effects);
        }
        Ok(moves)
    }

    /// Sets variables to zero that nobody reads any more.
    pub(super) fn reset(&mut self, edge: &Edge, effects: &mut Effects) {
        let zero = self.program.constant(0);
        for &local in &edge.dead {
            if let Some(leaf) = self.names.instances[self.instance].leaves.get(&local_key(local)) {
                effects.assign(self.program, leaf, None, zero);
            }
        }
    }

    fn moves_alone(&mut self, edge: &Edge, before: &Effects) -> Result<Moves, SourceError> {
        let always = self.program.constant(1);
        let mut noted = before.clone();
        print::note(self.program, self.names, self.instance, edge, &mut noted)?;
        let before = &noted;
        match edge.action {
            Action::Jump => Ok(self.one(always, before.clone())),
            Action::End => Ok(self.end(before.clone())),
            Action::Declare(local) => {
                let mut effects = before.clone();
                self.declare(local, edge.scope, &mut effects)?;
                Ok(self.one(always, effects))
            }
            Action::Statement(id) => self.statement(id, edge, before),
        }
    }

    #[allow(clippy::unused_self, reason = "reads like the others")]
    fn one(&self, guard: LoweredId, effects: Effects) -> Moves {
        Moves { whole: vec![Move { guard, effects, grows: None }], halves: Vec::new() }
    }

    fn statement(
        &mut self,
        id: StatementId,
        edge: &Edge,
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        let names = self.names;
        let speaker = self.speaker(edge.scope);
        let always = self.program.constant(1);
        let mut effects = before.clone();
        match &names.module.statements[id].statement {
            Statement::Expression(condition) => {
                if let Some(run) = Self::is_run(names, *condition)? {
                    return self.run(run, speaker, None, before);
                }
                let guard = value(self.program, names, speaker, *condition)?;
                Ok(self.one(guard, effects))
            }
            Statement::Assign(target, source) => {
                if let Some(run) = Self::is_run(names, *source)? {
                    return self.run(run, speaker, Some(*target), before);
                }
                let source = value(self.program, names, speaker, *source)?;
                self.assign(*target, speaker, source, &mut effects)?;
                Ok(self.one(always, effects))
            }
            Statement::Increment(target, amount) => {
                let old = value(self.program, names, speaker, *target)?;
                let amount = self.program.constant(*amount);
                let new = self.program.binary(BinaryOperator::Add, old, amount);
                self.assign(*target, speaker, new, &mut effects)?;
                Ok(self.one(always, effects))
            }
            Statement::Send { channel, sorted, arguments } => {
                self.send(*channel, *sorted, arguments, speaker, before)
            }
            Statement::Receive { channel, anywhere, keeps, arguments } => {
                self.receive(*channel, (*anywhere, *keeps), arguments, speaker, before)
            }
            Statement::Assert(condition) => {
                let condition = value(self.program, names, speaker, *condition)?;
                let text = names.module.statements[id].shown.first();
                let text = text.map_or("", |shown| asserted(&shown.text)).to_owned();
                effects.list.push(Effect::Assert(condition, Asserted::Stated(text)));
                Ok(self.one(always, effects))
            }
            Statement::SetPriority(process, priority) => {
                let [process, priority] =
                    [process, priority].map(|&one| value(self.program, names, speaker, one));
                priority::set(self.program, names, process?, priority?, &mut effects);
                Ok(self.one(always, effects))
            }
            _ => Ok(self.one(always, effects)),
        }
    }

    /// Where a value is stored.
    fn target(
        &mut self,
        id: ExpressionId,
        speaker: Speaker,
    ) -> Result<(Leaf, Option<LoweredId>), SourceError> {
        let (expression, place) = &self.names.module.expressions[id];
        if let Expression::Reference(parts) = expression
            && let Referent::Leaf(leaf, index) = referent(self.program, self.names, speaker, parts)?
        {
            return Ok((leaf, index));
        }
        Err(SourceError::new(*place, "expected a variable to assign to"))
    }

    fn assign(
        &mut self,
        target: ExpressionId,
        speaker: Speaker,
        value: LoweredId,
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let (leaf, index) = self.target(target, speaker)?;
        effects.assign(self.program, &leaf, index, value);
        Ok(())
    }

    /// The first value of a variable that is declared among statements.
    fn declare(
        &mut self,
        local: usize,
        scope: ScopeId,
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let names = self.names;
        let instance = &names.instances[self.instance];
        let declaration = &names.kinds[instance.kind].graph.locals[local].declaration;
        let first = match &declaration.initial {
            Some(Initial::Value(initial)) => {
                value(self.program, names, self.speaker(scope), *initial)?
            }
            Some(Initial::List(_)) | None => self.program.constant(0),
            Some(Initial::Channel { .. }) => {
                let message = "a channel is declared before the first statement of a process";
                return Err(SourceError::new(declaration.name.place, message));
            }
        };
        if let Some(leaf) = instance.leaves.get(&local_key(local)) {
            let index = leaf.lens[0].map(|_| self.program.constant(0));
            effects.assign(self.program, leaf, index, first);
        }
        Ok(())
    }

    fn send(
        &mut self,
        channel: ExpressionId,
        sorted: bool,
        arguments: &[ExpressionId],
        speaker: Speaker,
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        let message = channel::message(self.program, self.names, speaker, arguments)?;
        let n_fields = Some(message.len());
        let mut moves = Moves::default();
        let found = channel::candidates(self.program, self.names, speaker, channel, n_fields)?;
        for candidate in found {
            if self.names.classes[candidate.class].capacity == 0 {
                moves.halves.push(Half::Send(candidate, message.clone()));
                continue;
            }
            let has_room = channel::has_room(self.program, self.names, candidate);
            let guard = channel::in_class(self.program, candidate, has_room);
            let mut effects = before.clone();
            channel::send(self.program, self.names, candidate, sorted, &message, &mut effects);
            if self.names.trace.is_some() {
                let last = channel::last_message(self.program, self.names, candidate);
                let (program, names) = (&mut *self.program, self.names);
                trace::note(program, names, Event::Send, candidate, &last, &mut effects)?;
            }
            moves.whole.push(Move { guard, effects, grows: None });
        }
        Ok(moves)
    }

    fn receive(
        &mut self,
        channel: ExpressionId,
        (anywhere, keeps): (bool, bool),
        arguments: &[ExpressionId],
        speaker: Speaker,
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        let patterns = channel::patterns(self.program, self.names, speaker, arguments)?;
        let n_fields = Some(patterns.len());
        let mut moves = Moves::default();
        let found = channel::candidates(self.program, self.names, speaker, channel, n_fields)?;
        for candidate in found {
            if self.names.classes[candidate.class].capacity == 0 {
                moves.halves.push(Half::Receive(candidate, patterns.clone()));
                continue;
            }
            let (program, names) = (&mut *self.program, self.names);
            let can = channel::can_receive(program, names, candidate, anywhere, &patterns);
            let guard = channel::in_class(program, candidate, can);
            let mut effects = before.clone();
            if self.names.trace.is_some() && !keeps {
                let first = channel::first_message(program, names, candidate);
                trace::note(program, names, Event::Receive, candidate, &first, &mut effects)?;
            }
            let how = (anywhere, keeps);
            channel::receive(program, names, candidate, how, &patterns, &mut effects);
            moves.whole.push(Move { guard, effects, grows: None });
        }
        Ok(moves)
    }

    /// What `run P(…)` runs.
    fn is_run(names: &Names, id: ExpressionId) -> Result<Option<Begun<'_>>, SourceError> {
        let (expression, place) = &names.module.expressions[id];
        let Expression::Run { process, arguments, priority } = expression else {
            return Ok(None);
        };
        let kind = names.kind(process)?;
        let parameters = &names.kinds[kind].process.parameters;
        if parameters.len() != arguments.len() {
            let message = format!(
                "`{}` takes {} arguments, found {}",
                process.text,
                parameters.len(),
                arguments.len()
            );
            return Err(SourceError::new(*place, message));
        }
        Ok(Some(Begun { kind, arguments, priority: *priority }))
    }

    /// A new process, in the slot behind the last one.
    fn run(
        &mut self,
        Begun { kind, arguments, priority }: Begun<'_>,
        speaker: Speaker,
        result: Option<ExpressionId>,
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        let names = self.names;
        let n_processes = self.program.expression(Lowered::Variable(names.n_processes));
        let mut arguments: Vec<LoweredId> = arguments
            .iter()
            .map(|&argument| value(self.program, names, speaker, argument))
            .collect::<Result<_, _>>()?;
        let mut base = before.clone();
        for argument in &mut arguments {
            *argument = base.named(self.program, *argument);
        }
        let priority = priority.map(|one| value(self.program, names, speaker, one)).transpose()?;
        let priority = priority.map(|priority| base.named(self.program, priority));
        let mut moves = Moves::default();
        let mut prepared = vec![false; names.n_slots + 1];
        for (id, instance) in names.instances.entries().filter(|(_, one)| one.kind == kind) {
            prepared[instance.slot] = true;
            let slot = self.program.constant(int(instance.slot));
            let guard = self.program.binary(BinaryOperator::Equal, n_processes, slot);
            let mut effects = base.clone();
            begin(self.program, names, id, &arguments, &mut effects)?;
            priority::begin(self.program, names, id, priority, &mut effects);
            if let Some(target) = result {
                self.assign(target, speaker, slot, &mut effects)?;
            }
            moves.whole.push(Move { guard, effects, grows: None });
        }
        // Somebody runs, so there is a process already.
        for slot in (1..=names.n_slots).filter(|&slot| !prepared[slot]) {
            let number = self.program.constant(int(slot));
            let guard = self.program.binary(BinaryOperator::Equal, n_processes, number);
            let mut effects = base.clone();
            let never = self.program.constant(0);
            effects.list.push(Effect::Assert(never, Asserted::Room));
            moves.whole.push(Move { guard, effects, grows: Some((slot, kind)) });
        }
        Ok(moves)
    }

    /// The last process ends: nothing of it is left.
    fn end(&mut self, mut effects: Effects) -> Moves {
        let names = self.names;
        let Instance { slot, leaves, .. } = &names.instances[self.instance];
        let (next, slot_value) = (int(*slot) + 1, self.program.constant(int(*slot)));
        let next = self.program.constant(next);
        let n_processes = self.program.expression(Lowered::Variable(names.n_processes));
        let guard = self.program.binary(BinaryOperator::Equal, n_processes, next);
        effects.list.push(Effect::Assign(names.n_processes, slot_value));
        let zero = self.program.constant(0);
        let mut keys: Vec<&String> = leaves.keys().collect();
        keys.sort_unstable();
        for leaf in keys.into_iter().map(|key| &leaves[key]).filter(|leaf| leaf.fixed.is_none()) {
            each_element(
                self.program,
                leaf,
                |_, index, program, effects: &mut Effects| {
                    effects.assign(program, leaf, index, zero);
                },
                &mut effects,
            );
        }
        for channel in names.channels_of(self.instance) {
            channel::clear(self.program, names, channel, &mut effects);
        }
        self.one(guard, effects)
    }
}

/// The condition in the text of an assertion, without the parentheses around all of it.
fn asserted(text: &str) -> &str {
    let condition = text.strip_prefix("assert").unwrap_or(text).trim();
    let Some(inside) = condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return condition;
    };
    let mut depth = 0_i64;
    for byte in inside.bytes() {
        depth += i64::from(byte == b'(') - i64::from(byte == b')');
        if depth < 0 {
            return condition;
        }
    }
    inside.trim()
}

/// Does something for each element of a leaf.
fn each_element(
    program: &mut Program,
    leaf: &Leaf,
    mut with: impl FnMut(usize, Option<LoweredId>, &mut Program, &mut Effects),
    effects: &mut Effects,
) {
    if leaf.lens.iter().all(Option::is_none) {
        return with(0, None, program, effects);
    }
    for number in 0..leaf.lens.iter().flatten().product() {
        let index = program.constant(int(number));
        with(number, Some(index), program, effects);
    }
}

/// A process begins: its variables get their first values.
pub(super) fn begin(
    program: &mut Program,
    names: &Names,
    id: InstanceId,
    arguments: &[LoweredId],
    effects: &mut Effects,
) -> Result<(), SourceError> {
    let Instance { kind, slot, base, leaves } = &names.instances[id];
    let graph = &names.kinds[*kind].graph;
    let more = program.constant(int(*slot) + 1);
    effects.list.push(Effect::Assign(names.n_processes, more));
    let start = program.constant(base + int(graph.start.index()));
    effects.list.push(Effect::Assign(names.counters[*slot], start));
    for (number, Local { declaration, scope, is_early, .. }) in graph.locals.iter().enumerate() {
        if let Some(&argument) = arguments.get(number) {
            if let Some(leaf) = leaves.get(&local_key(number)) {
                effects.assign(program, leaf, None, argument);
            }
            continue;
        }
        let speaker = Speaker::process(names, id, *scope);
        let Some(leaf) = leaves.get(&local_key(number)) else { continue };
        match &declaration.initial {
            Some(Initial::Value(initial)) if *is_early => {
                let initial = value(program, names, speaker, *initial)?;
                each_element(
                    program,
                    leaf,
                    |_, index, program, effects| {
                        effects.assign(program, leaf, index, initial);
                    },
                    effects,
                );
            }
            Some(Initial::List(list)) => {
                let mut values = Vec::new();
                for &one in list {
                    values.push(value(program, names, speaker, one)?);
                }
                each_element(
                    program,
                    leaf,
                    |number, index, program, effects| {
                        if let Some(&one) = values.get(number) {
                            effects.assign(program, leaf, index, one);
                        }
                    },
                    effects,
                );
            }
            Some(Initial::Channel { .. }) if leaf.fixed.is_none() => {
                channels(program, names, id, number, leaf, effects);
            }
            _ => (),
        }
    }
    Ok(())
}

/// A variable of a process that begins gets its own channels.
fn channels(
    program: &mut Program,
    names: &Names,
    id: InstanceId,
    local: usize,
    leaf: &Leaf,
    effects: &mut Effects,
) {
    let Some(first) = names.first_channel(id, local) else { return };
    each_element(
        program,
        leaf,
        |number, index, program, effects| {
            let channel = program.constant(first + int(number));
            effects.assign(program, leaf, index, channel);
        },
        effects,
    );
}

impl Names {
    /// The kind of processes of a name.
    pub(super) fn kind(&self, name: &Name) -> Result<KindId, SourceError> {
        let found = self.kinds.entries().find(|(_, kind)| kind.process.name.text == name.text);
        found.map(|(id, _)| id).ok_or_else(|| {
            SourceError::new(name.place, format!("there is no process type `{}`", name.text))
        })
    }
}
