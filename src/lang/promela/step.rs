//! What the statements of a process do: guards and effects.
//!
//! A statement may have several *moves*, for instance one for each slot that a
//! new process may come into. Sending and receiving without a buffer are
//! *halves*, of which two make a step.

use super::super::program::BinaryOperator::{Add, Equal};
use super::super::program::{Asserted, Effect, ExpressionId as LoweredId};
use super::ast::{Expression, ExpressionId, Initial, Name, Statement, StatementId};
use super::channel::{Candidate, Pattern};
use super::effects::Effects;
use super::graph::{Action, Edge, Local};
use super::lowering::Lowering;
use super::names::{Instance, InstanceId, KindId, Leaf, SlotNames, below, int, local_key};
use super::trace::Event;
use super::value::Referent;
use super::{SourceError, error};
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

impl Moves {
    fn add(&mut self, guard: LoweredId, effects: Effects) {
        self.whole.push(Move { guard, effects, grows: None });
    }
}

/// A process that is to begin.
struct NewProcess<'a> {
    kind: KindId,
    arguments: &'a [ExpressionId],
    priority: Option<ExpressionId>,
}

impl Lowering<'_> {
    /// What an edge does, behind `before`.
    pub(super) fn moves(&mut self, edge: &Edge, before: &Effects) -> Result<Moves, SourceError> {
        let mut noted = before.clone();
        self.note_step(edge, &mut noted)?;
        let mut moves = match edge.action {
            Action::Statement(id) => self.statement(id, noted)?,
            Action::Jump => self.always(noted),
            Action::End => self.end(noted),
            Action::Declare(local) => self.declare(local, noted)?,
        };
        for one in &mut moves.whole {
            self.reset(edge, &mut one.effects);
        }
        Ok(moves)
    }

    /// The process whose statements are lowered.
    fn process_id(&self) -> InstanceId {
        self.speaker.instance.expect("a process has the statement")
    }

    /// Sets variables to zero that are not read any more.
    pub(super) fn reset(&mut self, edge: &Edge, effects: &mut Effects) {
        let zero = self.constant(0);
        for &local in &edge.dead {
            let leaves = &self.names.instances[self.process_id()].leaves;
            if let Some(leaf) = leaves.get(&local_key(local)) {
                effects.assign(self.program, leaf, None, zero);
                self.program.source.resets = true;
            }
        }
    }

    fn always(&mut self, effects: Effects) -> Moves {
        let mut moves = Moves::default();
        moves.add(self.constant(1), effects);
        moves
    }

    fn statement(&mut self, id: StatementId, mut effects: Effects) -> Result<Moves, SourceError> {
        let names = self.names;
        match &names.module.statements[id].statement {
            Statement::Expression(condition) => {
                if let Some(run) = new_process(names, *condition)? {
                    return self.run(&run, None, effects);
                }
                let mut moves = Moves::default();
                moves.add(self.value(*condition)?, effects);
                return Ok(moves);
            }
            Statement::Assign(target, source) => {
                if let Some(run) = new_process(names, *source)? {
                    return self.run(&run, Some(*target), effects);
                }
                let source = self.value(*source)?;
                self.assign(*target, source, &mut effects)?;
            }
            Statement::Increment(target, amount) => {
                let (old, amount) = (self.value(*target)?, self.constant(*amount));
                let new = self.binary(Add, old, amount);
                self.assign(*target, new, &mut effects)?;
            }
            Statement::Send { channel, sorted, arguments } => {
                return self.send_moves(*channel, *sorted, arguments, &effects);
            }
            Statement::Receive { channel, anywhere, keeps, arguments } => {
                return self.receive_moves(*channel, (*anywhere, *keeps), arguments, &effects);
            }
            Statement::Assert(condition) => {
                let condition = self.value(*condition)?;
                let text = names.module.statements[id].shown.first();
                let text = text.map_or("", |shown| asserted(&shown.text)).to_owned();
                effects.list.push(Effect::Assert(condition, Asserted::Stated(text)));
            }
            Statement::SetPriority(process, priority) => {
                let (process, priority) = (self.value(*process)?, self.value(*priority)?);
                self.set_priority(process, priority, &mut effects);
            }
            _ => (),
        }
        Ok(self.always(effects))
    }

    /// Stores a value where an expression says.
    fn assign(
        &mut self,
        target: ExpressionId,
        value: LoweredId,
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let (expression, place) = &self.names.module.expressions[target];
        if let Expression::Reference(parts) = expression
            && let Referent::Leaf(leaf, index) = self.referent(parts)?
        {
            effects.assign(self.program, &leaf, index, value);
            return Ok(());
        }
        error(*place, "expected a variable to assign to")
    }

    /// The first value of a variable that is declared among statements.
    fn declare(&mut self, local: usize, mut effects: Effects) -> Result<Moves, SourceError> {
        let instance = &self.names.instances[self.process_id()];
        let declaration = &self.names.kinds[instance.kind].graph.locals[local].declaration;
        let first = match declaration.initial {
            Some(Initial::Value(initial)) => self.value(initial)?,
            Some(Initial::List(_)) | None => self.constant(0),
            Some(Initial::Channel { .. }) => {
                let message = "a channel is declared before the first statement of a process";
                return error(declaration.name.place, message);
            }
        };
        if let Some(leaf) = instance.leaves.get(&local_key(local)) {
            let index = leaf.lens[0].map(|_| self.constant(0));
            effects.assign(self.program, leaf, index, first);
        }
        Ok(self.always(effects))
    }

    fn send_moves(
        &mut self,
        channel: ExpressionId,
        sorted: bool,
        arguments: &[ExpressionId],
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        let message = self.message(arguments)?;
        let mut moves = Moves::default();
        for candidate in self.candidates(channel, Some(message.len()))? {
            if self.names.classes[candidate.class].capacity == 0 {
                moves.halves.push(Half::Send(candidate, message.clone()));
                continue;
            }
            let guard = self.can_send(candidate);
            let mut effects = before.clone();
            self.send(candidate, sorted, &message, &mut effects);
            if self.names.trace.is_some() {
                let last = self.last_message(candidate);
                self.note_event(Event::Send, candidate, &last, &mut effects)?;
            }
            moves.add(guard, effects);
        }
        Ok(moves)
    }

    fn receive_moves(
        &mut self,
        channel: ExpressionId,
        (anywhere, keeps): (bool, bool),
        arguments: &[ExpressionId],
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        let patterns = self.patterns(arguments)?;
        let mut moves = Moves::default();
        for candidate in self.candidates(channel, Some(patterns.len()))? {
            if self.names.classes[candidate.class].capacity == 0 {
                moves.halves.push(Half::Receive(candidate, patterns.clone()));
                continue;
            }
            let guard = self.can_receive(candidate, anywhere, &patterns);
            let mut effects = before.clone();
            if self.names.trace.is_some() && !keeps {
                let first = self.first_message(candidate);
                self.note_event(Event::Receive, candidate, &first, &mut effects)?;
            }
            self.receive(candidate, (anywhere, keeps), &patterns, &mut effects);
            moves.add(guard, effects);
        }
        Ok(moves)
    }

    /// A new process, in the slot behind the last one.
    fn run(
        &mut self,
        &NewProcess { kind, arguments, priority }: &NewProcess<'_>,
        result: Option<ExpressionId>,
        mut before: Effects,
    ) -> Result<Moves, SourceError> {
        let names = self.names;
        let n_processes = self.variable(names.n_processes);
        let arguments = self.values(arguments)?;
        let arguments = before.all_named(self.program, arguments);
        let priority = priority.map(|one| self.value(one)).transpose()?;
        let priority = priority.map(|priority| before.named(self.program, priority));
        let mut moves = Moves::default();
        let mut prepared = vec![false; names.n_slots + 1];
        for (id, instance) in names.instances.entries().filter(|(_, one)| one.kind == kind) {
            prepared[instance.slot] = true;
            let slot = self.number(instance.slot);
            let guard = self.binary(Equal, n_processes, slot);
            let mut effects = before.clone();
            self.begin(id, &arguments, &mut effects)?;
            self.begin_priority(id, priority, &mut effects);
            if let Some(target) = result {
                self.assign(target, slot, &mut effects)?;
            }
            moves.add(guard, effects);
        }
        // The process that runs this statement has a slot already.
        for slot in (1..=names.n_slots).filter(|&slot| !prepared[slot]) {
            let number = self.number(slot);
            let guard = self.binary(Equal, n_processes, number);
            let mut effects = before.clone();
            effects.list.push(Effect::Assert(self.constant(0), Asserted::Room));
            moves.whole.push(Move { guard, effects, grows: Some((slot, kind)) });
        }
        Ok(moves)
    }

    /// The last process ends: nothing of it is left.
    fn end(&mut self, mut effects: Effects) -> Moves {
        let (names, id) = (self.names, self.process_id());
        let Instance { slot, leaves, .. } = &names.instances[id];
        let [slot, next] = [*slot, slot + 1].map(|number| self.number(number));
        let n_processes = self.variable(names.n_processes);
        let guard = self.binary(Equal, n_processes, next);
        effects.list.push(Effect::Assign(names.n_processes, slot));
        let zero = self.constant(0);
        for leaf in leaves.values().filter(|leaf| leaf.fixed().is_none()) {
            for index in self.elements(leaf) {
                effects.assign(self.program, leaf, index, zero);
            }
        }
        for channel in names.channels_of(id) {
            self.clear(channel, &mut effects);
        }
        let mut moves = Moves::default();
        moves.add(guard, effects);
        moves
    }

    /// The indices of the elements of a leaf; nothing as the only one if it is no array.
    fn elements(&mut self, leaf: &Leaf) -> Vec<Option<LoweredId>> {
        if !leaf.is_array() {
            return vec![None];
        }
        (0..leaf.n_elements()).map(|number| Some(self.number(number))).collect()
    }

    /// A process begins: its variables get their first values.
    pub(super) fn begin(
        &mut self,
        id: InstanceId,
        arguments: &[LoweredId],
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let names = self.names;
        let Instance { kind, slot, base, leaves } = &names.instances[id];
        let graph = &names.kinds[*kind].graph;
        let more = self.number(*slot + 1);
        effects.list.push(Effect::Assign(names.n_processes, more));
        let start = self.constant(base + int(graph.start.index()));
        effects.list.push(Effect::Assign(names.counters[*slot], start));
        for (number, Local { declaration, scope, is_early, .. }) in graph.locals.iter().enumerate()
        {
            let path = local_key(number);
            for field in below(leaves, &path).into_iter().filter(|field| field.fixed().is_none()) {
                for (index, &value) in self.elements(field).into_iter().zip(&field.first) {
                    let value = self.constant(value);
                    effects.assign(self.program, field, index, value);
                }
            }
            let Some(leaf) = leaves.get(&path) else { continue };
            if let Some(&argument) = arguments.get(number) {
                effects.assign(self.program, leaf, None, argument);
                continue;
            }
            let mut own = Lowering::process(self.program, names, id, *scope);
            let first = match &declaration.initial {
                Some(Initial::Value(initial)) if *is_early => {
                    vec![own.value(*initial)?; leaf.n_elements()]
                }
                Some(Initial::List(list)) => own.values(list)?,
                Some(Initial::Channel { .. }) if !leaf.is_fixed => {
                    leaf.first.iter().map(|&channel| own.constant(channel)).collect()
                }
                _ => continue,
            };
            for (index, value) in self.elements(leaf).into_iter().zip(first) {
                effects.assign(self.program, leaf, index, value);
            }
        }
        Ok(())
    }
}

/// What `run P(…)` runs.
fn new_process(names: &SlotNames, id: ExpressionId) -> Result<Option<NewProcess<'_>>, SourceError> {
    let (expression, place) = &names.module.expressions[id];
    let Expression::Run { process, arguments, priority } = expression else { return Ok(None) };
    let kind = names.kind(process)?;
    let (wanted, found) = (names.kinds[kind].process.parameters.len(), arguments.len());
    if wanted != found {
        let message = format!("`{}` takes {wanted} arguments, found {found}", process.text);
        return error(*place, message);
    }
    Ok(Some(NewProcess { kind, arguments, priority: *priority }))
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

impl SlotNames {
    /// The kind of processes of a name.
    pub(super) fn kind(&self, name: &Name) -> Result<KindId, SourceError> {
        let found = self.kinds.entries().find(|(_, kind)| kind.process.name.text == name.text);
        found.map(|(id, _)| id).ok_or_else(|| {
            SourceError::new(name.place, format!("there is no process type `{}`", name.text))
        })
    }
}
