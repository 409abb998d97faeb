//! Priorities, and what else may be asked about a process.
//!
//! If a model speaks of priorities at all, every process has one, in a variable
//! `_priority` of its own, and only those may move that have the highest one of all
//! who could. Spin has no such models with a rendezvous, nor do we.

use super::super::SourceError;
use super::super::program::{
    Asserted, BinaryOperator, Effect, Expression as Lowered, ExpressionId as LoweredId, Program,
    Span, TransitionId, UnaryOperator,
};
use super::ast::{About, Declaration, Module, Name, Type};
use super::channel::int;
use super::effects::Effects;
use super::names::{Instance, InstanceId, Leaf, Names, local_key};
use crate::id::Id;

/// The variable that holds the priority of a process.
pub(super) const PRIORITY: &str = "_priority";

/// The variable of a process for its priority.
pub(super) fn declaration(place: Span) -> Declaration {
    let name = Name { text: PRIORITY.to_owned(), place };
    Declaration { name, of_type: Type::Byte, len: None, initial: None }
}

/// Passes if no channel is without a buffer.
fn refuse_rendezvous(names: &Names, place: Span, what: &str) -> Result<(), SourceError> {
    if names.classes.iter().all(|class| 0 < class.capacity) {
        return Ok(());
    }
    let message = format!("{what} cannot be combined with channels without a buffer");
    Err(SourceError::new(place, message))
}

impl Names {
    /// Where the priority of a process is, if there are priorities.
    fn priority_of(&self, id: InstanceId) -> Option<&Leaf> {
        let Instance { kind, leaves, .. } = &self.instances[id];
        let local = self.kinds[*kind].graph.local(Id::new(0), PRIORITY)?;
        leaves.get(&local_key(local))
    }

    fn in_slot(&self, slot: usize) -> impl Iterator<Item = InstanceId> {
        let all = self.instances.entries();
        all.filter(move |(_, instance)| instance.slot == slot).map(|(id, _)| id)
    }

    /// Passes if priorities, should there be any, are as they must be.
    pub(super) fn check_priorities(&self, module: &Module) -> Result<(), SourceError> {
        match module.priorities {
            Some(place) => refuse_rendezvous(self, place, "a priority"),
            None => Ok(()),
        }
    }
}

/// A process begins with this priority.
pub(super) fn begin(
    program: &mut Program,
    names: &Names,
    id: InstanceId,
    priority: Option<LoweredId>,
    effects: &mut Effects,
) {
    let Some(leaf) = names.priority_of(id) else { return };
    let priority = priority.unwrap_or_else(|| program.constant(1));
    assert_range(program, priority, None, effects);
    effects.assign(program, leaf, None, priority);
}

/// A priority is from 1 to 255, if `condition` is true.
fn assert_range(
    program: &mut Program,
    priority: LoweredId,
    condition: Option<LoweredId>,
    effects: &mut Effects,
) {
    use BinaryOperator::{And, LessEqual, Or};
    let [least, greatest] = [1, 255].map(|value| program.constant(value));
    let above = program.binary(LessEqual, least, priority);
    let below = program.binary(LessEqual, priority, greatest);
    let mut fits = program.binary(And, above, below);
    if let Some(condition) = condition {
        let does_not_matter = program.expression(Lowered::Unary(UnaryOperator::Not, condition));
        fits = program.binary(Or, does_not_matter, fits);
    }
    if program.as_constant(fits) != Some(1) {
        effects
            .list
            .push(Effect::Assert(fits, Asserted::Rule("a priority is from 1 to 255".to_owned())));
    }
}

/// `set_priority(process, priority)`: nothing happens if there is no such process.
pub(super) fn set(
    program: &mut Program,
    names: &Names,
    process: LoweredId,
    priority: LoweredId,
    effects: &mut Effects,
) {
    use BinaryOperator::{And, Equal, Less, LessEqual};
    let process = effects.named(program, process);
    let priority = effects.named(program, priority);
    let zero = program.constant(0);
    let n_processes = program.expression(Lowered::Variable(names.n_processes));
    let above = program.binary(LessEqual, zero, process);
    let below = program.binary(Less, process, n_processes);
    let exists = program.binary(And, above, below);
    assert_range(program, priority, Some(exists), effects);
    for (id, instance) in names.instances.entries() {
        let Some(leaf) = names.priority_of(id) else { continue };
        let slot = program.constant(int(instance.slot));
        let is_meant = program.binary(Equal, process, slot);
        let is_of_kind = is_here(program, names, id);
        let is_it = program.binary(And, is_meant, is_of_kind);
        let old = program.expression(Lowered::Variable(leaf.variable));
        let new = program.expression(Lowered::If(is_it, priority, old));
        effects.assign(program, leaf, None, new);
    }
}

/// Whether it is this kind of process that is in its slot.
fn is_here(program: &mut Program, names: &Names, id: InstanceId) -> LoweredId {
    use BinaryOperator::{And, Less, LessEqual};
    let Instance { kind, slot, base, .. } = names.instances[id];
    let n_locations = int(names.kinds[kind].graph.locations.len());
    let counter = program.expression(Lowered::Variable(names.counters[slot]));
    let [first, behind] = [base, base + n_locations].map(|value| program.constant(value));
    let above = program.binary(LessEqual, first, counter);
    let below = program.binary(Less, counter, behind);
    program.binary(And, above, below)
}

/// The priority of whoever is in a slot: who is not there has none.
fn priority(program: &mut Program, names: &Names, slot: usize) -> LoweredId {
    let mut sum = program.constant(0);
    for id in names.in_slot(slot) {
        if let Some(leaf) = names.priority_of(id) {
            let here = program.expression(Lowered::Variable(leaf.variable));
            sum = match program.as_constant(sum) {
                Some(0) => here,
                _ => program.binary(BinaryOperator::Add, sum, here),
            };
        }
    }
    sum
}

/// Where a process is: the number of its location, counted from 1.
fn location(program: &mut Program, names: &Names, slot: usize) -> LoweredId {
    let counter = program.expression(Lowered::Variable(names.counters[slot]));
    let mut location = program.constant(0);
    for id in names.in_slot(slot) {
        let is_here = is_here(program, names, id);
        let before = program.constant(names.instances[id].base - 1);
        let here = program.binary(BinaryOperator::Subtract, counter, before);
        location = program.expression(Lowered::If(is_here, here, location));
    }
    location
}

/// `enabled(process)`, `pc_value(process)`, `get_priority(process)`.
pub(super) fn about(
    program: &mut Program,
    names: &Names,
    about: About,
    process: LoweredId,
    is_inside: bool,
    place: Span,
) -> Result<LoweredId, SourceError> {
    let refuse = |message: &str| Err(SourceError::new(place, message));
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
    let mut answer = program.constant(0);
    for slot in 0..names.n_slots {
        let here = match about {
            About::Enabled => names.enabled[slot],
            About::ProgramCounter => location(program, names, slot),
            About::Priority => priority(program, names, slot),
        };
        let slot = program.constant(int(slot));
        let is_meant = program.binary(BinaryOperator::Equal, process, slot);
        answer = program.expression(Lowered::If(is_meant, here, answer));
    }
    Ok(answer)
}

/// Lets processes move only if nobody with a higher priority could. Steps inside of a
/// `d_step` are not asked.
pub(super) fn restrict(program: &mut Program, names: &Names, inside: &[TransitionId]) {
    use BinaryOperator::{And, Less};
    let priorities: Vec<LoweredId> =
        (0..names.n_slots).map(|slot| priority(program, names, slot)).collect();
    for id in program.transitions.ids().filter(|id| inside.binary_search(id).is_err()) {
        let own = program.transitions[id].process.index();
        let mut parts = vec![program.transitions[id].guard];
        for slot in (0..names.n_slots).filter(|&slot| slot != own) {
            let is_higher = program.binary(Less, priorities[own], priorities[slot]);
            let goes_first = program.binary(And, is_higher, names.enabled[slot]);
            parts.push(program.expression(Lowered::Unary(UnaryOperator::Not, goes_first)));
        }
        program.transitions[id].guard = program.conjunction(&parts);
    }
}
