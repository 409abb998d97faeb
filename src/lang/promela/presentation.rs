//! What people see of a model while it runs: what channels hold, and where processes
//! wait.

use super::super::program::{ProcessId, Program};
use super::super::source::{Channel, Field, Place, Presence, StatementId};
use super::graph::{Edge, Said};
use super::names::{ChannelVariable, Class, Instance, InstanceId, SlotNames, int};
use crate::id::Id;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Adds to a program what people see of it.
pub(super) fn show(program: &mut Program, names: &SlotNames) {
    places(program, names);
    program.source.purpose = names.purpose();
    for (id, instance) in names.instances.entries() {
        let presence = names.presence(id);
        let variables = instance.leaves.values().map(|leaf| (leaf.variable, presence));
        program.source.presences.extend(variables);
    }
    for one in &names.channel_variables {
        channels(program, names, one);
    }
}

impl SlotNames {
    /// What runs show of an edge.
    pub(super) fn statement(
        &self,
        program: &mut Program,
        instance: InstanceId,
        edge: &Edge,
    ) -> StatementId {
        let kind = self.instances[instance].kind;
        match edge.said {
            Said::Statement(id, number) => {
                let known = self.module.statements[id].shown.get(number);
                let make = || known.map(|shown| (**shown).clone()).unwrap_or_default();
                program.source.statement((1 + id.index(), number), make)
            }
            Said::End => {
                let make = || (*self.kinds[kind].process.end).clone();
                program.source.statement((0, kind.index()), make)
            }
        }
    }

    /// When what belongs to a process exists.
    fn presence(&self, id: InstanceId) -> Presence {
        let Instance { kind, slot, base, .. } = self.instances[id];
        let last = base + int(self.kinds[kind].graph.locations.len()) - 1;
        Presence { counter: self.counters[slot], first: base, last }
    }
}

/// Where processes may be, and which statements begin there.
fn places(program: &mut Program, names: &SlotNames) {
    for (id, instance) in names.instances.entries() {
        let actor = program.source.actor(&names.instance_name(id));
        for (at, location) in names.kinds[instance.kind].graph.locations.entries() {
            let mut statements = Vec::new();
            let mut seen: HashSet<StatementId, FxBuildHasher> = HashSet::default();
            for edge in &location.edges {
                let statement = names.statement(program, id, edge);
                if seen.insert(statement) {
                    statements.push(statement);
                }
            }
            program.source.places.push(Place {
                process: ProcessId::new(instance.slot),
                actor,
                counter: names.counters[instance.slot],
                value: instance.base + int(at.index()),
                statements,
                is_end: location.is_valid_end(),
            });
        }
    }
}

/// The channels that a variable has from the beginning.
fn channels(program: &mut Program, names: &SlotNames, declared: &ChannelVariable) {
    let ChannelVariable { owner, leaf, value_names } = declared;
    let Some((class, first)) = leaf.channels else { return };
    let Class { capacity, first: first_of_class, len, ref data, .. } = names.classes[class];
    if leaf.is_fixed {
        program.source.unshown.push(leaf.variable);
    }
    if capacity == 0 {
        return;
    }
    let presence = owner.map(|id| names.presence(id));
    let variable = &program.variables[leaf.variable];
    for element in 0..variable.n_elements() {
        let index = usize::try_from(first - first_of_class).unwrap_or(0) + element;
        let name = match variable.len {
            None => variable.name.clone(),
            Some(_) => format!("{}[{element}]", variable.name),
        };
        let fields = data.iter().zip(value_names).map(|(&variable, value_names)| Field {
            variable,
            first: index * capacity,
            value_names: value_names.clone(),
        });
        let fields = fields.collect();
        program.source.channels.push(Channel { name, len: (len, index), fields, presence });
    }
}
