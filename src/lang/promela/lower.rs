//! Processes to transitions.
//!
//! Which processes there will be is not known before the model runs, but a
//! program has a fixed number of variables. So it is made for certain slots, and a
//! transition that would put a process into a slot that is not prepared for it
//! fails; the caller then makes a larger program.

use super::super::SourceError;
use super::super::program::BinaryOperator::{Add, And, Equal, Less, Or};
use super::super::program::{
    Asserted, Control, Effect, ExpressionId as LoweredId, Process, ProcessId, Program, Span,
    Transition, TransitionId,
};
use super::super::source::StatementId;
use super::channel::{Candidate, Pattern};
use super::effects::Effects;
use super::graph::{Action, Edge, Graph, Hold, Location, LocationId, ScopeId};
use super::lowering::Lowering;
use super::names::{Instance, InstanceId, KindId, Map, SlotNames, int};
use super::presentation;
use super::priority;
use super::step::{Half, Move, Moves};
use super::trace::Event;
use super::turns::{Turns, is_else};
use crate::id::Id;

/// Half of a rendezvous, with where it stands.
struct WaitingHalf {
    instance: InstanceId,
    edge: Edge,
    guard: LoweredId,
    half: Half,
}

struct ModelLowering {
    program: Program,
    names: SlotNames,
    growing: Map<TransitionId, (usize, KindId)>,
    waiting: Vec<WaitingHalf>,
    /// Receives without a buffer; known in the second pass.
    receivers: Vec<WaitingHalf>,
    is_first_pass: bool,
    /// Whether the process of each slot could move.
    enabled: Vec<LoweredId>,
    /// Transitions that begin inside of a `d_step`.
    inside: Vec<TransitionId>,
}

/// Lowers all processes.
pub(super) fn lower(
    program: Program,
    names: SlotNames,
) -> Result<(Program, SlotNames), SourceError> {
    let mut lowering = ModelLowering {
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
        let name = slot_name(&lowering.names, slot);
        lowering.program.processes.push(Process { name });
    }
    // Whether a process that sends can go on depends on those that receive, so there is a
    // first pass for these.
    for is_first in [true, false] {
        lowering.is_first_pass = is_first;
        lowering.waiting.clear();
        for id in lowering.names.instances.ids() {
            let inside = lowering.graph(id).inside_steps();
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
    let ModelLowering { mut program, mut names, growing, enabled, inside, .. } = lowering;
    presentation::show(&mut program, &names);
    names.growing = growing;
    names.enabled = enabled;
    if names.module.priorities.is_some() {
        priority::restrict(&mut program, &names, &inside);
    }
    let (holder, timeout) = (names.holder, names.timeout);
    program.control = Some(Control { holder, timeout, ends });
    Ok((program, names))
}

impl ModelLowering {
    fn graph(&self, id: InstanceId) -> &Graph {
        &self.names.kinds[self.names.instances[id].kind].graph
    }

    fn slot(&self, id: InstanceId) -> usize {
        self.names.instances[id].slot
    }

    /// Lowers what only knows what is global.
    fn global(&mut self) -> Lowering<'_> {
        Lowering::global(&mut self.program, &self.names)
    }

    /// Lowers what stands in a block of a process.
    fn process(&mut self, id: InstanceId, scope: ScopeId) -> Lowering<'_> {
        Lowering::process(&mut self.program, &self.names, id, scope)
    }

    /// The transitions from a location; `is_inside` says whether it is inside of a `d_step`.
    fn location(
        &mut self,
        id: InstanceId,
        at: LocationId,
        is_inside: bool,
    ) -> Result<(), SourceError> {
        let location = self.graph(id).locations[at].clone();
        let is_here = self.global().is_at(id, at.index());
        let mut all = Vec::new();
        for edge in &location.edges {
            all.push(self.process(id, edge.scope).moves(edge, &Effects::default())?);
        }
        let kind = self.names.instances[id].kind;
        let is_deterministic = self.names.kinds[kind].process.is_deterministic;
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
                let guard = self.program.binary(And, guard, own);
                self.note_enabled(id, is_inside, guard);
                if let Some(condition) = no_choice.flatten().filter(|_| !is_last) {
                    let rule = Asserted::Rule("a D_proctype has no choice".to_owned());
                    effects.list.insert(0, Effect::Assert(condition, rule));
                }
                self.whole(id, edge, guard, effects, grows)?;
            }
            for half in moves.halves {
                self.waiting.push(WaitingHalf { instance: id, edge: edge.clone(), guard, half });
            }
        }
        Ok(())
    }

    /// That at most one of several edges can be taken, apart from `else`. All of them share
    /// this condition: one about the others would make each as large as all of them.
    fn no_choice(&mut self, edges: &[Edge], can: &[LoweredId]) -> Option<LoweredId> {
        let pairs = edges.iter().zip(can);
        let others = pairs.filter(|(edge, _)| !is_else(&self.names.module, edge));
        let others: Vec<LoweredId> = others.map(|(_, &can)| can).collect();
        let mut lowering = self.global();
        let mut sum: Option<LoweredId> = None;
        for &can in &others {
            let mut one = can;
            if !lowering.program.is_logical(can) {
                one = lowering.not(can);
                one = lowering.not(one);
            }
            sum = Some(sum.map_or(one, |sum| lowering.binary(Add, sum, one)));
        }
        let two = lowering.constant(2);
        let sum = sum.filter(|_| 1 < others.len())?;
        Some(lowering.binary(Less, sum, two))
    }

    /// The next transition is one with this guard, from a location that may be inside of a
    /// `d_step`.
    fn note_enabled(&mut self, id: InstanceId, is_inside: bool, guard: LoweredId) {
        let slot = self.slot(id);
        let before = self.enabled[slot];
        self.enabled[slot] = self.program.binary(Or, before, guard);
        if is_inside {
            self.inside.push(TransitionId::new(self.program.transitions.len()));
        }
    }

    /// Whether an edge can be taken. A process that receives without a buffer waits for one
    /// that sends, and does not count.
    fn any(&mut self, id: InstanceId, moves: &Moves) -> LoweredId {
        let mut any = self.program.constant(0);
        for one in &moves.whole {
            any = self.program.binary(Or, any, one.guard);
        }
        let receivers = std::mem::take(&mut self.receivers);
        for half in &moves.halves {
            let Half::Send(from, message) = half else { continue };
            for receiver in &receivers {
                let Half::Receive(to, patterns) = &receiver.half else { continue };
                let is_other = self.slot(receiver.instance) != self.slot(id);
                if !is_other || to.class != from.class {
                    continue;
                }
                let mut parts = vec![receiver.guard];
                if self.agree((from, to), message, patterns, &mut parts) {
                    let both = self.program.conjunction(&parts);
                    any = self.program.binary(Or, any, both);
                }
            }
        }
        self.receivers = receivers;
        any
    }

    /// Adds what must be so for a message to be received; whether it can be.
    fn agree(
        &mut self,
        (from, to): (&Candidate, &Candidate),
        message: &[LoweredId],
        patterns: &[Pattern],
        parts: &mut Vec<LoweredId>,
    ) -> bool {
        let message = self.global().arriving(from.class, message);
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
        self.process(id, Id::new(0)).value(condition).map(Some)
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
        let slot = self.slot(id);
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
        // Behind each step a process with a higher priority may go first.
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
        // Of a location with many edges we make no copy.
        let [edge] = &*self.graph(id).locations[at].edges else { return Ok(None) };
        let edge = edge.clone();
        if edge.action == Action::End
            || self.provided(id)?.is_some()
            || is_else(&self.names.module, &edge)
        {
            return Ok(None);
        }
        let mut moves = self.process(id, edge.scope).moves(&edge, before)?;
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

    /// Every send with every receive of another process.
    fn rendezvous(&mut self) -> Result<(), SourceError> {
        let waiting = std::mem::take(&mut self.waiting);
        for sender in &waiting {
            let Half::Send(from, message) = &sender.half else { continue };
            for receiver in &waiting {
                let Half::Receive(to, patterns) = &receiver.half else { continue };
                let is_other = self.slot(sender.instance) != self.slot(receiver.instance);
                if from.class == to.class && is_other {
                    self.meet(sender, receiver, (from, to), message, patterns)?;
                }
            }
        }
        Ok(())
    }

    fn meet(
        &mut self,
        sender: &WaitingHalf,
        receiver: &WaitingHalf,
        (from, to): (&Candidate, &Candidate),
        message: &[LoweredId],
        patterns: &[Pattern],
    ) -> Result<(), SourceError> {
        let mut parts = vec![sender.guard, receiver.guard];
        if !self.agree((from, to), message, patterns, &mut parts) {
            return Ok(());
        }
        let guard = self.program.conjunction(&parts);
        let mut effects = Effects::default();
        for WaitingHalf { instance, edge, .. } in [sender, receiver] {
            self.process(*instance, edge.scope).note_step(edge, &mut effects)?;
        }
        let message = self.global().arriving(from.class, message);
        let message = effects.all_named(&mut self.program, message);
        for (pattern, &field) in patterns.iter().zip(&message) {
            if let Pattern::Into(leaf, index) = pattern {
                effects.assign(&mut self.program, leaf, *index, field);
            }
        }
        for (event, &channel) in [(Event::Send, from), (Event::Receive, to)] {
            self.global().note_event(event, channel, &message, &mut effects)?;
        }
        self.arrive(sender.instance, sender.edge.target, Hold::None, &mut effects);
        let (instance, edge) = (receiver.instance, &receiver.edge);
        self.process(instance, edge.scope).reset(edge, &mut effects);
        // The receiver goes on alone, if it may.
        self.go_on(instance, edge, &mut effects)?;
        let (process, partner) = (self.slot(sender.instance), self.slot(instance));
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
                let process = self.names.kinds[kind].process.clone();
                let mut lowering = self.global();
                let arguments = vec![lowering.constant(0); process.parameters.len()];
                lowering.begin(id, &arguments, &mut effects)?;
                let priority = process.priority.map(|one| lowering.value(one)).transpose()?;
                lowering.begin_priority(id, priority, &mut effects);
            }
        }
        super::super::execute::run_once(&mut self.program, &effects.list).map_err(|kind| {
            SourceError::new(Span::default(), format!("a first value is wrong: {kind}"))
        })
    }

    /// Whether every process is where it may stop.
    fn valid_end(&mut self) -> LoweredId {
        let mut lowering = Lowering::global(&mut self.program, &self.names);
        let mut parts: Vec<LoweredId> = lowering.trace_may_end().into_iter().collect();
        for slot in 0..self.names.n_slots {
            let (counter, zero) =
                (lowering.variable(self.names.counters[slot]), lowering.constant(0));
            let mut fine = lowering.binary(Equal, counter, zero);
            for id in self.names.in_slot(slot) {
                let kind = self.names.instances[id].kind;
                let locations = self.names.kinds[kind].graph.locations.entries();
                for (end, _) in locations.filter(|(_, location)| location.is_valid_end()) {
                    let here = lowering.is_at(id, end.index());
                    fine = lowering.binary(Or, fine, here);
                }
            }
            parts.push(fine);
        }
        self.program.conjunction(&parts)
    }
}

/// What the process in a slot is called.
fn slot_name(names: &SlotNames, slot: usize) -> String {
    let ids: Vec<InstanceId> = names.in_slot(slot).collect();
    match *ids {
        [] => String::new(),
        [only] => names.instance_name(only),
        _ => format!("process({slot})"),
    }
}

impl Location {
    /// Whether a process may stop here.
    pub(super) fn is_valid_end(&self) -> bool {
        let has_label = self.labels.iter().any(|label| label.starts_with("end"));
        has_label || self.is_end()
    }

    /// Whether a process ends here.
    pub(super) fn is_end(&self) -> bool {
        self.edges.iter().any(|edge| edge.action == Action::End)
    }
}

/// So many steps that follow each other without a condition become one transition.
const MAX_FUSED: usize = 64;
