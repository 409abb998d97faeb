//! Processes to transitions.
//!
//! Which processes there will be is not known before the model runs, but a
//! program has a fixed number of variables. So it is made for certain slots, and a
//! transition that would put a process into a slot that is not prepared for it
//! fails; whoever made the program then makes a larger one.

use super::super::SourceError;
use super::super::program::{
    Asserted, BinaryOperator, Control, Effect, Expression as Lowered, ExpressionId as LoweredId,
    Process, ProcessId, Program, Span, Transition, TransitionId,
};
use super::super::source::StatementId;
use super::channel::{self, Candidate, Pattern, int};
use super::effects::Effects;
use super::graph::{Action, Edge, Hold, Location, LocationId};
use super::names::{Instance, InstanceId, KindId, Map, Names};
use super::presentation;
use super::print;
use super::priority;

use super::step::{Half, Move, Moves, Stepper, begin};
use super::trace::{self, Event};
use super::turns::{Turns, is_else};
use super::value::{self, Speaker, is_at};
use crate::id::Id;

/// Half of a rendezvous, with where it stands.
struct Waiting {
    instance: InstanceId,
    edge: Edge,
    guard: LoweredId,
    half: Half,
}

struct Lowering {
    program: Program,
    names: Names,
    growing: Map<TransitionId, (usize, KindId)>,
    waiting: Vec<Waiting>,
    /// Who receives without a buffer; known in the second pass.
    receivers: Vec<Waiting>,
    is_first_pass: bool,
    /// Whether the process of each slot could move.
    enabled: Vec<LoweredId>,
    /// Transitions that begin inside of a `d_step`.
    inside: Vec<TransitionId>,
}

/// Lowers all processes.
pub(super) fn lower(program: Program, names: Names) -> Result<(Program, Names), SourceError> {
    let mut lowering = Lowering {
        program,
        names,
        growing: Map::default(),
        waiting: Vec::new(),
        receivers: Vec::new(),
        is_first_pass: true,
        enabled: Vec::new(),
        inside: Vec::new(),
    };
    let never = lowering.program.constant(0);
    lowering.enabled = vec![never; lowering.names.n_slots];
    for slot in 0..lowering.names.n_slots {
        let name = lowering.slot_name(slot);
        lowering.program.processes.push(Process { name });
    }
    // Whether somebody who sends can go on depends on who receives, so there is a
    // first pass for those.
    for is_first in [true, false] {
        lowering.is_first_pass = is_first;
        lowering.waiting.clear();
        for id in lowering.names.instances.ids() {
            let kind = lowering.names.instances[id].kind;
            let inside = lowering.names.kinds[kind].graph.inside_steps();
            for (location, &is_inside) in inside.entries() {
                lowering.location(id, location, is_inside)?;
            }
        }
        if is_first {
            lowering.receivers = std::mem::take(&mut lowering.waiting);
            lowering.receivers.retain(|one| matches!(one.half, Half::Receive(..)));
        }
    }
    lowering.rendezvous()?;
    let active = lowering.names.active.clone();
    lowering.initial(&active)?;
    let ends = lowering.valid_end();
    let Lowering { mut program, mut names, growing, enabled, inside, .. } = lowering;
    presentation::show(&mut program, &names)?;
    names.growing = growing;
    names.enabled = enabled;
    if names.module.priorities.is_some() {
        priority::restrict(&mut program, &names, &inside);
    }
    let (holder, timeout) = (names.holder, names.timeout);
    program.control = Some(Control { holder, timeout, ends });
    Ok((program, names))
}

impl Lowering {
    fn slot_name(&self, slot: usize) -> String {
        let ids = self.names.instances.entries().filter(|(_, one)| one.slot == slot);
        let mut names: Vec<String> = ids.map(|(id, _)| self.names.instance_name(id)).collect();
        if 1 < names.len() {
            names = vec![format!("process({slot})")];
        }
        names.pop().unwrap_or_default()
    }

    fn moves(
        &mut self,
        instance: InstanceId,
        edge: &Edge,
        before: &Effects,
    ) -> Result<Moves, SourceError> {
        Stepper { program: &mut self.program, names: &self.names, instance }.moves(edge, before)
    }

    fn here(&self, instance: InstanceId, location: LocationId) -> Location {
        let kind = self.names.instances[instance].kind;
        self.names.kinds[kind].graph.locations[location].clone()
    }

    /// The transitions from a location; `is_inside` says whether it is inside of a `d_step`.
    fn location(
        &mut self,
        id: InstanceId,
        at: LocationId,
        is_inside: bool,
    ) -> Result<(), SourceError> {
        let location = self.here(id, at);
        let is_here = is_at(&mut self.program, &self.names, id, at.index());
        let mut all = Vec::new();
        for edge in &location.edges {
            all.push(self.moves(id, edge, &Effects::default())?);
        }
        let is_deterministic = self.is_deterministic(id);
        let is_asked = 1 < location.edges.len()
            && (is_deterministic
                || location.edges.iter().any(|edge| {
                    is_else(&self.names.module, edge)
                        || edge.step_block.is_some()
                        || edge.rank != location.edges[0].rank
                }));
        let never = self.program.constant(0);
        let can: Vec<LoweredId> =
            all.iter().map(|moves| if is_asked { self.any(id, moves) } else { never }).collect();
        let mut parts = vec![is_here];
        parts.extend(self.provided(id)?);
        let everyone = self.program.conjunction(&parts);
        let no_choice = is_deterministic.then(|| self.no_choice(&location.edges, &can));
        let mut turns = Turns::new(everyone, &can);
        for (edge, moves) in location.edges.iter().zip(all) {
            let is_last = is_else(&self.names.module, edge);
            let guard = turns.next(&mut self.program, edge, is_last);
            let whole = if self.is_first_pass { Vec::new() } else { moves.whole };
            for Move { guard: own, mut effects, grows } in whole {
                let guard = self.program.binary(BinaryOperator::And, guard, own);
                self.note_enabled(id, is_inside, guard);
                if let Some(condition) = no_choice.flatten().filter(|_| !is_last) {
                    let rule = Asserted::Rule("a D_proctype has no choice".to_owned());
                    effects.list.insert(0, Effect::Assert(condition, rule));
                }
                self.whole(id, edge, guard, effects, grows)?;
            }
            for half in moves.halves {
                self.waiting.push(Waiting { instance: id, edge: edge.clone(), guard, half });
            }
        }
        Ok(())
    }

    fn is_deterministic(&self, id: InstanceId) -> bool {
        self.names.kinds[self.names.instances[id].kind].process.is_deterministic
    }

    /// That at most one of several edges can be taken, apart from `else`. All of them share
    /// this condition: one about the others would make each as large as all of them.
    fn no_choice(&mut self, edges: &[Edge], can: &[LoweredId]) -> Option<LoweredId> {
        let mut sum: Option<LoweredId> = None;
        let mut n_edges = 0;
        for (edge, &can) in edges.iter().zip(can) {
            if is_else(&self.names.module, edge) {
                continue;
            }
            n_edges += 1;
            let one = if self.program.is_logical(can) {
                can
            } else {
                let cannot = channel::not(&mut self.program, can);
                channel::not(&mut self.program, cannot)
            };
            let added = |sum| self.program.binary(BinaryOperator::Add, sum, one);
            sum = Some(sum.map_or(one, added));
        }
        let two = self.program.constant(2);
        let sum = sum.filter(|_| 1 < n_edges)?;
        Some(self.program.binary(BinaryOperator::Less, sum, two))
    }

    /// The next transition is one with this guard, from a location that may be inside of a
    /// `d_step`.
    fn note_enabled(&mut self, id: InstanceId, is_inside: bool, guard: LoweredId) {
        let slot = self.names.instances[id].slot;
        let before = self.enabled[slot];
        self.enabled[slot] = self.program.binary(BinaryOperator::Or, before, guard);
        if is_inside {
            self.inside.push(TransitionId::new(self.program.transitions.len()));
        }
    }

    /// Whether an edge can be taken. Who receives without a buffer waits for somebody
    /// who sends, and does not count.
    fn any(&mut self, id: InstanceId, moves: &Moves) -> LoweredId {
        let mut any = self.program.constant(0);
        for one in &moves.whole {
            any = self.program.binary(BinaryOperator::Or, any, one.guard);
        }
        let receivers = std::mem::take(&mut self.receivers);
        let slot = self.names.instances[id].slot;
        for half in &moves.halves {
            let Half::Send(from, message) = half else { continue };
            for receiver in &receivers {
                let Half::Receive(to, patterns) = &receiver.half else { continue };
                let is_other = self.names.instances[receiver.instance].slot != slot;
                if !is_other || to.class != from.class {
                    continue;
                }
                let mut parts = vec![receiver.guard];
                if self.agree(from, to, message, patterns, &mut parts) {
                    let both = self.program.conjunction(&parts);
                    any = self.program.binary(BinaryOperator::Or, any, both);
                }
            }
        }
        self.receivers = receivers;
        any
    }

    /// Adds what must be so for a message to be received; whether it can be.
    fn agree(
        &mut self,
        from: &Candidate,
        to: &Candidate,
        message: &[LoweredId],
        patterns: &[Pattern],
        parts: &mut Vec<LoweredId>,
    ) -> bool {
        use BinaryOperator::Equal;
        let fields = self.names.classes[from.class].fields.clone();
        let message = channel::arriving(&mut self.program, &fields, message);
        parts.extend(from.is_it);
        parts.push(self.program.binary(Equal, from.number, to.number));
        for (pattern, &field) in patterns.iter().zip(&message) {
            if let Pattern::Equal(wanted) = pattern {
                parts.push(self.program.binary(Equal, field, *wanted));
            }
        }
        !parts.iter().any(|&part| self.program.as_constant(part) == Some(0))
    }

    fn provided(&mut self, id: InstanceId) -> Result<Option<LoweredId>, SourceError> {
        let kind = &self.names.kinds[self.names.instances[id].kind];
        let Some(condition) = kind.process.provided else { return Ok(None) };
        let speaker = Speaker::process(&self.names, id, Id::new(0));
        value::value(&mut self.program, &self.names, speaker, condition).map(Some)
    }

    /// A step of one process, together with what must follow it.
    fn whole(
        &mut self,
        id: InstanceId,
        edge: &Edge,
        guard: LoweredId,
        mut effects: Effects,
        grows: Option<(usize, KindId)>,
    ) -> Result<(), SourceError> {
        let slot = self.names.instances[id].slot;
        if edge.action == Action::End {
            let zero = self.program.constant(0);
            effects.list.push(Effect::Assign(self.names.counters[slot], zero));
        } else if grows.is_none() {
            self.go_on(id, edge, &mut effects)?;
        } else {
            self.arrive(id, edge.target, edge.hold, &mut effects);
        }
        self.note_last(slot, &mut effects);
        let (process, partner) = (ProcessId::new(slot), None);
        let statement = self.names.statement(&mut self.program, id, edge);
        let transition = self.push(process, partner, guard, effects, statement);
        if let Some(grows) = grows {
            self.growing.insert(transition, grows);
        }
        Ok(())
    }

    /// Adds what follows an edge without a condition and without others in between, up to
    /// where the process is then.
    fn go_on(
        &mut self,
        id: InstanceId,
        edge: &Edge,
        effects: &mut Effects,
    ) -> Result<(), SourceError> {
        let (mut target, mut hold) = (edge.target, edge.hold);
        let mut n_steps = 0;
        // Behind each step somebody with a higher priority may go first.
        let max_fused = if self.names.module.priorities.is_some() { 0 } else { MAX_FUSED };
        while hold != Hold::None && n_steps < max_fused {
            let Some((next, after)) = self.unconditional(id, target, effects)? else { break };
            (target, hold, *effects) = (next.target, next.hold, after);
            n_steps += 1;
        }
        self.arrive(id, target, hold, effects);
        Ok(())
    }

    /// The only step from a location, if there is only one and nothing can stop it.
    fn unconditional(
        &mut self,
        id: InstanceId,
        at: LocationId,
        before: &Effects,
    ) -> Result<Option<(Edge, Effects)>, SourceError> {
        let kind = self.names.instances[id].kind;
        // Of a location with many edges we make no copy.
        let [edge] = &*self.names.kinds[kind].graph.locations[at].edges else { return Ok(None) };
        let edge = edge.clone();
        if edge.action == Action::End
            || self.provided(id)?.is_some()
            || is_else(&self.names.module, &edge)
        {
            return Ok(None);
        }
        let mut moves = self.moves(id, &edge, before)?;
        let is_certain = |one: &Move| {
            one.grows.is_none() && self.program.as_constant(one.guard).is_some_and(|it| it != 0)
        };
        if moves.whole.len() != 1 || !moves.halves.is_empty() || !is_certain(&moves.whole[0]) {
            return Ok(None);
        }
        Ok(moves.whole.pop().map(|only| (edge, only.effects)))
    }

    /// A process is where it went.
    fn arrive(&mut self, id: InstanceId, target: LocationId, hold: Hold, effects: &mut Effects) {
        let Instance { slot, base, .. } = self.names.instances[id];
        let target = self.program.constant(base + int(target.index()));
        effects.list.push(Effect::Assign(self.names.counters[slot], target));
        if hold != Hold::None {
            let holder = 2 * int(slot) + if hold == Hold::Step { 2 } else { 1 };
            let holder = self.program.constant(holder);
            effects.list.push(Effect::Assign(self.names.holder, holder));
        }
    }

    fn note_last(&mut self, slot: usize, effects: &mut Effects) {
        if let Some(last) = self.names.last {
            let slot = self.program.constant(int(slot));
            effects.list.push(Effect::Assign(last, slot));
        }
    }

    fn push(
        &mut self,
        process: ProcessId,
        partner: Option<ProcessId>,
        guard: LoweredId,
        effects: Effects,
        statement: StatementId,
    ) -> TransitionId {
        let statement = &self.program.source.statements[statement];
        self.program.transitions.push(Transition {
            process,
            partner,
            action: statement.title(),
            choices: Vec::new(),
            guard,
            effects: effects.list,
            steps: effects.steps,
            span: statement.span,
        })
    }

    /// Everybody who sends with everybody who receives.
    fn rendezvous(&mut self) -> Result<(), SourceError> {
        let waiting = std::mem::take(&mut self.waiting);
        for sender in &waiting {
            let Half::Send(from, message) = &sender.half else { continue };
            for receiver in &waiting {
                let Half::Receive(to, patterns) = &receiver.half else { continue };
                let slot_of = |one: &Waiting| self.names.instances[one.instance].slot;
                if from.class == to.class && slot_of(sender) != slot_of(receiver) {
                    self.meet(sender, receiver, (from, to), message, patterns)?;
                }
            }
        }
        Ok(())
    }

    fn meet(
        &mut self,
        sender: &Waiting,
        receiver: &Waiting,
        (from, to): (&Candidate, &Candidate),
        message: &[LoweredId],
        patterns: &[Pattern],
    ) -> Result<(), SourceError> {
        let mut parts = vec![sender.guard, receiver.guard];
        if !self.agree(from, to, message, patterns, &mut parts) {
            return Ok(());
        }
        let fields = self.names.classes[from.class].fields.clone();
        let message = channel::arriving(&mut self.program, &fields, message);
        let guard = self.program.conjunction(&parts);
        let mut effects = Effects::default();
        for half in [sender, receiver] {
            let edge = &half.edge;
            print::note(&mut self.program, &self.names, half.instance, edge, &mut effects)?;
        }
        let message: Vec<LoweredId> =
            message.into_iter().map(|field| effects.named(&mut self.program, field)).collect();
        for (pattern, &field) in patterns.iter().zip(&message) {
            if let Pattern::Into(leaf, index) = pattern {
                effects.assign(&mut self.program, leaf, *index, field);
            }
        }
        for (event, &channel) in [(Event::Send, from), (Event::Receive, to)] {
            trace::note(&mut self.program, &self.names, event, channel, &message, &mut effects)?;
        }
        self.arrive(sender.instance, sender.edge.target, Hold::None, &mut effects);
        let instance = receiver.instance;
        Stepper { program: &mut self.program, names: &self.names, instance }
            .reset(&receiver.edge, &mut effects);
        // Who receives goes on alone, if it may.
        self.go_on(instance, &receiver.edge, &mut effects)?;
        let slot_of = |one: &Waiting| self.names.instances[one.instance].slot;
        let (process, partner) = (slot_of(sender), slot_of(receiver));
        self.note_last(partner, &mut effects);
        let partner = Some(ProcessId::new(partner));
        let statement = self.names.statement(&mut self.program, sender.instance, &sender.edge);
        self.push(ProcessId::new(process), partner, guard, effects, statement);
        Ok(())
    }

    /// The processes that are there from the beginning.
    fn initial(&mut self, active: &[(usize, KindId)]) -> Result<(), SourceError> {
        let mut effects = Effects::default();
        for &(slot, kind) in active {
            let is_it = |one: &Instance| one.slot == slot && one.kind == kind;
            let id = self.names.instances.iter().position(is_it).map(InstanceId::new);
            if let Some(id) = id {
                let n_parameters = self.names.kinds[kind].process.parameters.len();
                let zero = self.program.constant(0);
                let arguments = vec![zero; n_parameters];
                begin(&mut self.program, &self.names, id, &arguments, &mut effects)?;
                let priority = self.names.kinds[kind].process.priority;
                let speaker = Speaker::global(&self.names);
                let priority = priority
                    .map(|one| value::value(&mut self.program, &self.names, speaker, one))
                    .transpose()?;
                priority::begin(&mut self.program, &self.names, id, priority, &mut effects);
            }
        }
        super::super::execute::run_once(&mut self.program, &effects.list).map_err(|kind| {
            SourceError::new(Span::default(), format!("a first value is wrong: {kind}"))
        })
    }

    /// Whether every process is where it may stop.
    fn valid_end(&mut self) -> LoweredId {
        let mut parts: Vec<LoweredId> =
            self.names.trace_may_end(&mut self.program).into_iter().collect();
        for slot in 0..self.names.n_slots {
            let counter = self.program.expression(Lowered::Variable(self.names.counters[slot]));
            let zero = self.program.constant(0);
            let mut fine = self.program.binary(BinaryOperator::Equal, counter, zero);
            let ids: Vec<InstanceId> = self.names.instances.ids().collect();
            for id in ids.into_iter().filter(|&id| self.names.instances[id].slot == slot) {
                let kind = self.names.instances[id].kind;
                let locations = self.names.kinds[kind].graph.locations.entries();
                let ends: Vec<usize> = locations
                    .filter(|(_, location)| location.is_valid_end())
                    .map(|(at, _)| at.index())
                    .collect();
                for end in ends {
                    let here = is_at(&mut self.program, &self.names, id, end);
                    fine = self.program.binary(BinaryOperator::Or, fine, here);
                }
            }
            parts.push(fine);
        }
        self.program.conjunction(&parts)
    }
}

impl Location {
    /// Whether a process may stop here.
    pub(super) fn is_valid_end(&self) -> bool {
        let has_label = self.labels.iter().any(|label| label.starts_with("end"));
        has_label || self.edges.iter().any(|edge| edge.action == Action::End)
    }
}

/// So many steps that follow each other without a condition become one transition.
const MAX_FUSED: usize = 64;
