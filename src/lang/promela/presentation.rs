//! What people see of a model while it runs: what channels hold, and where processes
//! wait.

use super::super::SourceError;
use super::super::program::{ProcessId, Program};
use super::super::source::{Channel, Field, Place, Presence, StatementId};
use super::ast::{Declaration, Initial, Type};
use super::graph::{Edge, Said};
use super::names::{Class, Instance, InstanceId, Leaf, Names, local_key};
use crate::id::Id;
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// Adds to a program what people see of it.
pub(super) fn show(program: &mut Program, names: &Names) -> Result<(), SourceError> {
    places(program, names);
    program.source.purpose = names.purpose();
    for declaration in &names.module.variables {
        let key = declaration.name.text.clone();
        channels(program, names, declaration, key, None)?;
    }
    for (id, instance) in names.instances.entries() {
        let presence = names.presence(id);
        let variables = instance.leaves.values().map(|leaf| (leaf.variable, presence));
        program.source.presences.extend(variables);
        let locals = &names.kinds[instance.kind].graph.locals;
        for (number, local) in locals.iter().enumerate() {
            channels(program, names, &local.declaration, local_key(number), Some((id, number)))?;
        }
    }
    Ok(())
}

impl Names {
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
        let n_places = self.kinds[kind].graph.locations.len();
        let last = base + i64::try_from(n_places).unwrap_or(i64::MAX) - 1;
        Presence { counter: self.counters[slot], first: base, last }
    }
}

/// Where processes may be, and which statements begin there.
fn places(program: &mut Program, names: &Names) {
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
            let at = i64::try_from(at.index()).unwrap_or(i64::MAX);
            program.source.places.push(Place {
                process: ProcessId::new(instance.slot),
                actor,
                counter: names.counters[instance.slot],
                value: instance.base + at,
                statements,
                is_end: location.is_valid_end(),
            });
        }
    }
}

/// The channels that a variable has from the beginning.
fn channels(
    program: &mut Program,
    names: &Names,
    declaration: &Declaration,
    key: String,
    owner: Option<(InstanceId, usize)>,
) -> Result<(), SourceError> {
    let leaves = match owner {
        None => &names.globals,
        Some((id, _)) => &names.instances[id].leaves,
    };
    let mut open = vec![(key, declaration)];
    while let Some((path, declaration)) = open.pop() {
        if let Type::Named(name) = &declaration.of_type {
            let fields = names.record(name)?.iter().rev();
            open.extend(fields.map(|field| (format!("{path}.{}", field.name.text), field)));
            continue;
        }
        let (Some(Initial::Channel { types, .. }), Some(leaf)) =
            (&declaration.initial, leaves.get(&path))
        else {
            continue;
        };
        let variable = &program.variables[leaf.variable];
        let first = match (leaf.fixed, owner) {
            (Some((_, first)), _) => first,
            (None, None) => variable.initial[0],
            (None, Some((id, number))) => names.first_channel(id, number).unwrap_or(0),
        };
        if leaf.fixed.is_some() {
            program.source.unshown.push(leaf.variable);
        }
        let presence = owner.map(|(id, _)| names.presence(id));
        add(program, names, leaf, (first, presence), &value_names(names, types)?);
    }
    Ok(())
}

/// Adds the channels from number `first` on that a leaf has.
fn add(
    program: &mut Program,
    names: &Names,
    leaf: &Leaf,
    (first, presence): (i64, Option<Presence>),
    of_fields: &[Vec<String>],
) {
    let variable = &program.variables[leaf.variable];
    let mut found = Vec::new();
    for element in 0..variable.n_elements() {
        let number = first + i64::try_from(element).unwrap_or(i64::MAX);
        let index_in = |class: &Class| {
            let index = usize::try_from(number - class.first).ok()?;
            (index < class.n_channels).then_some(index)
        };
        let Some((class, index)) =
            names.classes.iter().find_map(|class| Some((class, index_in(class)?)))
        else {
            continue;
        };
        if class.capacity == 0 {
            continue;
        }
        let name = match variable.len {
            None => variable.name.clone(),
            Some(_) => format!("{}[{element}]", variable.name),
        };
        let fields = class.data.iter().zip(of_fields).map(|(&variable, value_names)| Field {
            variable,
            first: index * class.capacity,
            value_names: value_names.clone(),
        });
        let fields = fields.collect();
        found.push(Channel { name, len: (class.len, index), fields, presence });
    }
    program.source.channels.extend(found);
}

/// The names of the values of each field of messages of these types, taken apart as
/// the fields of channels are.
fn value_names(names: &Names, types: &[Type]) -> Result<Vec<Vec<String>>, SourceError> {
    let mut found = Vec::new();
    let mut open: Vec<(Type, usize)> = types.iter().rev().map(|one| (one.clone(), 1)).collect();
    while let Some((one, n_times)) = open.pop() {
        if let Type::Named(name) = &one {
            for _ in 0..n_times {
                for field in names.record(name)?.iter().rev() {
                    open.push((field.of_type.clone(), names.len(field)?.unwrap_or(1)));
                }
            }
        } else {
            found.extend(vec![names.value_names(&one); n_times]);
        }
    }
    Ok(found)
}
