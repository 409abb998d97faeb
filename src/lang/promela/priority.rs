//! Priorities, and what else may be asked about a process.
//!
//! If a model speaks of priorities at all, every process has one, in a variable
//! `_priority` of its own, and only those may move that have the highest one of all
//! that could. Spin has no such models with a rendezvous, nor do we.

use super::super::program::BinaryOperator::{Add, And, Equal, Less, LessEqual, Or, Subtract};
use super::super::program::{
    Asserted, Effect, ExpressionId as LoweredId, Program, Span, TransitionId,
};
use super::ast::{About, Declaration, Module, Name, Type};
use super::effects::Effects;
use super::lowering::Lowering;
use super::names::{Instance, InstanceId, Leaf, SlotNames, int, local_key};
use super::{SourceError, error};
use crate::id::Id;

/// The variable that holds the priority of a process.
pub(super) const PRIORITY: &str = "_priority";

/// The variable of a process for its priority.
pub(super) fn declaration(place: Span) -> Declaration {
    let name = Name { text: PRIORITY.to_owned(), place };
    Declaration { name, of_type: Type::Byte, len: None, initial: None }
}

/// Passes if no channel is without a buffer.
fn refuse_rendezvous(names: &SlotNames, place: Span, what: &str) -> Result<(), SourceError> {
    if names.classes.iter().all(|class| 0 < class.capacity) {
        return Ok(());
    }
    error(place, format!("{what} cannot be combined with channels without a buffer"))
}

impl SlotNames {
    /// Where the priority of a process is, if there are priorities.
    fn priority_of(&self, id: InstanceId) -> Option<&Leaf> {
        let Instance { kind, leaves, .. } = &self.instances[id];
        let local = self.kinds[*kind].graph.local(Id::new(0), PRIORITY)?;
        leaves.get(&local_key(local))
    }

    /// Passes if priorities, should there be any, are as they must be.
    pub(super) fn check_priorities(&self, module: &Module) -> Result<(), SourceError> {
        module.priorities.map_or(Ok(()), |place| refuse_rendezvous(self, place, "a priority"))
    }
}

impl Lowering<'_> {
    /// Gives a process that begins its priority.
    pub(super) fn begin_priority(
        &mut self,
        id: InstanceId,
        priority: Option<LoweredId>,
        effects: &mut Effects,
    ) {
        let Some(leaf) = self.names.priority_of(id) else { return };
        let priority = priority.unwrap_or_else(|| self.constant(1));
        self.assert_priority(priority, None, effects);
        effects.assign(self.program, leaf, None, priority);
    }

    /// Asserts that a priority is from 1 to 255, if `condition` is true.
    fn assert_priority(
        &mut self,
        priority: LoweredId,
        condition: Option<LoweredId>,
        effects: &mut Effects,
    ) {
        let [least, greatest] = [1, 255].map(|value| self.constant(value));
        let above = self.binary(LessEqual, least, priority);
        let below = self.binary(LessEqual, priority, greatest);
        let mut fits = self.binary(And, above, below);
        if let Some(condition) = condition {
            let does_not_matter = self.not(condition);
            fits = self.binary(Or, does_not_matter, fits);
        }
        if self.program.as_constant(fits) != Some(1) {
            let rule = Asserted::Rule("a priority is from 1 to 255".to_owned());
            effects.list.push(Effect::Assert(fits, rule));
        }
    }

    /// `set_priority(process, priority)`: nothing happens if there is no such process.
    pub(super) fn set_priority(
        &mut self,
        process: LoweredId,
        priority: LoweredId,
        effects: &mut Effects,
    ) {
        let process = effects.named(self.program, process);
        let priority = effects.named(self.program, priority);
        let range = [self.constant(0), self.variable(self.names.n_processes)];
        let exists = self.is_within(process, range);
        self.assert_priority(priority, Some(exists), effects);
        for (id, instance) in self.names.instances.entries() {
            let Some(leaf) = self.names.priority_of(id) else { continue };
            let slot = self.number(instance.slot);
            let is_meant = self.binary(Equal, process, slot);
            let is_of_kind = self.is_here(id);
            let is_it = self.binary(And, is_meant, is_of_kind);
            let old = self.variable(leaf.variable);
            let new = self.choose(is_it, priority, old);
            effects.assign(self.program, leaf, None, new);
        }
    }

    /// Whether it is this kind of process that is in its slot.
    fn is_here(&mut self, id: InstanceId) -> LoweredId {
        let Instance { kind, slot, base, .. } = self.names.instances[id];
        let n_locations = int(self.names.kinds[kind].graph.locations.len());
        let counter = self.variable(self.names.counters[slot]);
        let range = [base, base + n_locations].map(|value| self.constant(value));
        self.is_within(counter, range)
    }

    /// The priority of the process in a slot; 0 if the slot has no process.
    fn priority(&mut self, slot: usize) -> LoweredId {
        let mut sum = self.constant(0);
        for id in self.names.in_slot(slot) {
            if let Some(leaf) = self.names.priority_of(id) {
                let here = self.variable(leaf.variable);
                sum = match self.program.as_constant(sum) {
                    Some(0) => here,
                    _ => self.binary(Add, sum, here),
                };
            }
        }
        sum
    }

    /// Where a process is: the number of its location, counted from 1.
    fn location(&mut self, slot: usize) -> LoweredId {
        let counter = self.variable(self.names.counters[slot]);
        let mut location = self.constant(0);
        for id in self.names.in_slot(slot) {
            let is_here = self.is_here(id);
            let before = self.constant(self.names.instances[id].base - 1);
            let here = self.binary(Subtract, counter, before);
            location = self.choose(is_here, here, location);
        }
        location
    }

    /// `enabled(process)`, `pc_value(process)`, `get_priority(process)`.
    pub(super) fn about(
        &mut self,
        about: About,
        process: LoweredId,
        place: Span,
    ) -> Result<LoweredId, SourceError> {
        let names = self.names;
        let is_inside = self.speaker.instance.is_some();
        let refuse = |message: &str| error(place, message);
        match about {
            About::Enabled if is_inside || names.enabled.len() != names.n_slots => {
                return refuse("`enabled` is asked in claims and formulas, not by processes");
            }
            About::Enabled => refuse_rendezvous(names, place, "`enabled`")?,
            About::Priority if names.module.priorities.is_none() => {
                return refuse("this model has no priorities");
            }
            About::Priority | About::ProgramCounter => (),
        }
        let mut answer = self.constant(0);
        for slot in 0..names.n_slots {
            let here = match about {
                About::Enabled => names.enabled[slot],
                About::ProgramCounter => self.location(slot),
                About::Priority => self.priority(slot),
            };
            let slot = self.number(slot);
            let is_meant = self.binary(Equal, process, slot);
            answer = self.choose(is_meant, here, answer);
        }
        Ok(answer)
    }
}

/// Lets processes move only if no process with a higher priority could. Steps inside of a
/// `d_step` are not restricted.
pub(super) fn restrict(program: &mut Program, names: &SlotNames, inside: &[TransitionId]) {
    let mut lowering = Lowering::global(program, names);
    let priorities: Vec<LoweredId> =
        (0..names.n_slots).map(|slot| lowering.priority(slot)).collect();
    let transitions = lowering.program.transitions.ids();
    for id in transitions.filter(|id| inside.binary_search(id).is_err()) {
        let own = lowering.program.transitions[id].process.index();
        let mut parts = vec![lowering.program.transitions[id].guard];
        for slot in (0..names.n_slots).filter(|&slot| slot != own) {
            let is_higher = lowering.binary(Less, priorities[own], priorities[slot]);
            let goes_first = lowering.binary(And, is_higher, names.enabled[slot]);
            parts.push(lowering.not(goes_first));
        }
        lowering.program.transitions[id].guard = lowering.program.conjunction(&parts);
    }
}
