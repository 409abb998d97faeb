//! What the names of a model stand for: symbols, types, variables, channels.
//!
//! A variable of a type with fields is taken apart into *leaves*, one for each
//! path of field names; a leaf is an array over all the indices on its path.
//! Channels of the same shape are elements of the same arrays (a *class*), so
//! that a channel that is only known when the model runs is an index. What a
//! process and its channels hold lies in the *slot* with the number of the
//! process; where Spin would number channels in the order in which they were
//! made, we number them by slot, which is the same up to names.

use super::super::program::{
    ExpressionId as LoweredId, Program, Span, TransitionId, Variable, VariableId,
};
use super::ast::{Declaration, Expression, ExpressionId, Initial, Module, Name, Type};
use super::frame::Frame;
use super::needs::Need;
use super::value::constant;
use super::width::Width;
use super::{SourceError, error};
use crate::id::{Id, IdVec, define_id};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

define_id! {
    /// A kind of processes: a `proctype`, or `init`.
    pub(super) struct KindId;
}

define_id! {
    /// A kind of processes in a slot.
    pub(super) struct InstanceId;
}

define_id! {
    /// Channels of the same shape.
    pub(super) struct ClassId;
}

/// Kinds of processes in slots, sorted by slot.
pub(super) type Slots = Vec<(usize, KindId)>;

/// A count or an index as a number of the program.
pub(super) fn int(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A map whose order does not change from run to run.
pub(super) type Map<K, V> = HashMap<K, V, FxBuildHasher>;

/// A variable without fields, or an array of them.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) variable: VariableId,
    /// For each name on its path, how many elements there are if it is an array.
    pub(super) lens: Vec<Option<usize>>,
    pub(super) width: Width,
    /// The first values of its elements, as far as they are numbers.
    pub(super) first: Vec<i64>,
    /// The channels that it is declared with: the class, and the number of the first one.
    pub(super) channels: Option<(ClassId, i64)>,
    /// Whether it is never given other values than those that it is declared with.
    pub(super) is_fixed: bool,
    /// Whether it is no part of states, since no statement reads it.
    pub(super) is_left_out: bool,
}

impl Leaf {
    /// The channels that it always holds.
    pub(super) fn fixed(&self) -> Option<(ClassId, i64)> {
        self.channels.filter(|_| self.is_fixed)
    }

    pub(super) fn is_array(&self) -> bool {
        self.lens.iter().any(Option::is_some)
    }

    pub(super) fn n_elements(&self) -> usize {
        self.lens.iter().flatten().product()
    }
}

/// Leaves by their paths.
pub(super) type Leaves = BTreeMap<String, Leaf>;

/// The leaves of a variable with fields, in the order of the fields.
pub(super) fn below<'l>(leaves: &'l Leaves, path: &str) -> Vec<&'l Leaf> {
    let prefix = format!("{path}.");
    let from = leaves.range(prefix.clone()..).take_while(|(path, _)| path.starts_with(&prefix));
    let mut found: Vec<&Leaf> = from.map(|(_, leaf)| leaf).collect();
    found.sort_unstable_by_key(|leaf| leaf.variable);
    found
}

/// A leaf before it has a variable.
#[derive(Clone, Debug)]
struct PlannedLeaf {
    path: String,
    lens: Vec<Option<usize>>,
    width: Width,
    initial: Vec<i64>,
    /// Class, index of the first one in it, and the names of the values of each field.
    channels: Option<(ClassId, usize, Vec<Vec<String>>)>,
    is_fixed: bool,
    value_names: Vec<String>,
}

/// Channels with the same fields and capacity.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) fields: Vec<Width>,
    pub(super) capacity: usize,
    pub(super) n_channels: usize,
    /// The number of its first channel.
    pub(super) first: i64,
    /// How many messages each channel holds.
    pub(super) len: VariableId,
    /// The messages, field by field: those of channel *i* begin at element
    /// *i* · capacity.
    pub(super) data: Vec<VariableId>,
    /// Which channels belong to a slot.
    owners: Vec<Option<InstanceId>>,
}

/// A kind of processes in a slot.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub(super) kind: KindId,
    pub(super) slot: usize,
    /// What the slot's counter is at location 0.
    pub(super) base: i64,
    /// The leaves of its variables, by number of the variable and path.
    pub(super) leaves: Leaves,
}

/// A variable that is declared with channels.
#[derive(Clone, Debug)]
pub(super) struct ChannelVariable {
    /// The process that it belongs to; nothing if it is global.
    pub(super) owner: Option<InstanceId>,
    pub(super) leaf: Leaf,
    /// The names of the values of each field of its messages.
    pub(super) value_names: Vec<Vec<String>>,
}

/// All names of a model, for given slots.
#[derive(Debug)]
pub(super) struct SlotNames {
    pub(super) frame: Arc<Frame>,
    /// Where the trace assertion is, if there is one.
    pub(super) trace_at: Option<VariableId>,
    /// Whether the process of each slot could move; known when all can move.
    pub(super) enabled: Vec<LoweredId>,
    /// The slots that are prepared, and the transitions that would fill others.
    pub(super) slots: Slots,
    pub(super) growing: Map<TransitionId, (usize, KindId)>,
    pub(super) instances: IdVec<InstanceId, Instance>,
    /// How many slots there are.
    pub(super) n_slots: usize,
    /// Where the process of each slot is; 0 if the slot has no process.
    pub(super) counters: Vec<VariableId>,
    /// How many processes there are.
    pub(super) n_processes: VariableId,
    /// Which process has the model for itself: 0, or the slot times two plus one, or plus two
    /// inside of a `d_step`.
    pub(super) holder: VariableId,
    /// Whether `timeout` is true; nothing if no statement asks.
    pub(super) timeout: Option<VariableId>,
    /// The slot of the process that moved last; nothing if no question needs it.
    pub(super) last: Option<VariableId>,
    pub(super) globals: Leaves,
    pub(super) classes: IdVec<ClassId, Class>,
    pub(super) channel_variables: Vec<ChannelVariable>,
}

/// What does not depend on slots.
impl Deref for SlotNames {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.frame
    }
}

/// The key of a local variable.
pub(super) fn local_key(local: usize) -> String {
    format!("#{local}")
}

/// Declares everything that `slots` says there is: kinds of processes, sorted by
/// slot.
pub(super) fn declare(
    frame: &Arc<Frame>,
    slots: &[(usize, KindId)],
) -> Result<(Program, SlotNames), SourceError> {
    let mut program = Program::default();
    let n_slots = slots.iter().map(|&(slot, _)| slot + 1).max().unwrap_or(0);
    let none = Id::new(0);
    let mut names = SlotNames {
        frame: Arc::clone(frame),
        trace_at: None,
        enabled: Vec::new(),
        slots: slots.to_vec(),
        growing: Map::default(),
        instances: IdVec::new(),
        n_slots,
        counters: Vec::new(),
        n_processes: none,
        holder: none,
        timeout: None,
        last: None,
        globals: Leaves::new(),
        classes: IdVec::new(),
        channel_variables: Vec::new(),
    };
    names.control(&mut program, slots);
    let mut planned = Vec::new();
    for declaration in &frame.module.variables {
        let name = declaration.name.text.clone();
        names.plan(declaration, name, None, &mut planned)?;
    }
    let of_instances = names.plan_instances()?;
    names.number_channels(&mut program)?;
    names.globals = names.make(&mut program, planned, None);
    for (id, planned) in of_instances {
        names.instances[id].leaves = names.make(&mut program, planned, Some(id));
    }
    names.declare_trace(&mut program);
    Ok((program, names))
}

/// How many processes `active [n]` means.
pub(super) fn number(module: &Module, id: ExpressionId) -> Result<usize, SourceError> {
    let place = module.expressions[id].1;
    let number = if let Expression::Number(number) = module.expressions[id].0 {
        number
    } else {
        let frame = Arc::new(Frame::of_module(module.clone())?);
        constant(&declare(&frame, &[])?.1, id)?
    };
    let number = usize::try_from(number).ok().filter(|&number| number <= MAX_PROCESSES);
    let message = format!("there are 0 to {MAX_PROCESSES} processes");
    number.ok_or_else(|| SourceError::new(place, message))
}

/// A variable of the program whose values have no names.
pub(super) fn plain_variable(
    name: String,
    (low, high): (i64, i64),
    len: Option<usize>,
    initial: Vec<i64>,
) -> Variable {
    Variable { name, low, high, len, initial, any: false, value_names: Vec::new() }
}

/// Adds a variable that the text does not speak of.
fn hidden(program: &mut Program, name: String, high: i64) -> VariableId {
    program.variables.push(plain_variable(name, (0, high), None, vec![0]))
}

impl SlotNames {
    /// Variables for the places of processes.
    fn control(&mut self, program: &mut Program, slots: &[(usize, KindId)]) {
        let mut next = vec![1; self.n_slots];
        for &(slot, kind) in slots {
            let base = next[slot];
            next[slot] += int(self.kinds[kind].graph.locations.len());
            self.instances.push(Instance { kind, slot, base, leaves: Leaves::new() });
        }
        let counters = next.iter().enumerate();
        self.counters = counters
            .map(|(slot, &next)| hidden(program, format!(".at {slot}"), next - 1))
            .collect();
        let n_slots = int(self.n_slots);
        self.n_processes = hidden(program, ".processes".to_owned(), n_slots);
        self.holder = hidden(program, ".holder".to_owned(), 2 * n_slots);
        if self.module.has_timeout() {
            self.timeout = Some(hidden(program, ".timeout".to_owned(), 1));
        }
        if self.module.needs.contains(&Need::Last) {
            self.last = Some(hidden(program, "_last".to_owned(), n_slots.max(1) - 1));
        }
    }

    /// What a process is called: `P`, or `P(2)` if there are several.
    pub(super) fn instance_name(&self, id: InstanceId) -> String {
        let Instance { kind, slot, .. } = self.instances[id];
        let name = &self.kinds[kind].process.name.text;
        let n_same = self.instances.iter().filter(|other| other.kind == kind).count();
        if n_same == 1 { name.clone() } else { format!("{name}({slot})") }
    }

    /// The kinds of processes that may be in a slot.
    pub(super) fn in_slot(&self, slot: usize) -> impl Iterator<Item = InstanceId> {
        let all = self.instances.entries();
        all.filter(move |(_, instance)| instance.slot == slot).map(|(id, _)| id)
    }

    /// Whether a global variable is no part of states.
    pub(super) fn is_left_out(&self, name: &str) -> bool {
        self.unread.contains(name)
    }

    fn record(&self, name: &Name) -> Result<&[Declaration], SourceError> {
        let found = self.module.types.iter().find(|(known, _)| known.text == name.text);
        found.map(|(_, fields)| &**fields).ok_or_else(|| {
            SourceError::new(name.place, format!("there is no type `{}`", name.text))
        })
    }

    fn width(&self, of_type: &Type, is_array: bool) -> Result<Option<Width>, SourceError> {
        Ok(Some(match of_type {
            // Spin gives the elements of arrays whole bytes.
            Type::Bit | Type::Bool if !is_array => Width::unsigned(1),
            Type::Bit | Type::Bool | Type::Byte | Type::Pid | Type::Chan | Type::Mtype(_) => {
                Width::unsigned(8)
            }
            Type::Short => Width::signed(16),
            Type::Int => Width::signed(32),
            Type::Unsigned(bits) => {
                let place = self.module.expressions[*bits].1;
                let bits = constant(self, *bits)?;
                let bits = u32::try_from(bits).ok().filter(|bits| (1..32).contains(bits));
                let message = "a number of bits is from 1 to 31";
                Width::unsigned(bits.ok_or_else(|| SourceError::new(place, message))?)
            }
            Type::Named(_) => return Ok(None),
        }))
    }

    /// What the values of a type are called.
    fn value_names(&self, of_type: &Type) -> Vec<String> {
        match of_type {
            Type::Bool => vec!["false".to_owned(), "true".to_owned()],
            Type::Mtype(set) => self.symbols_of(set.as_ref()),
            _ => Vec::new(),
        }
    }

    /// The symbols of a set by their numbers, from 0 on, which stands for no symbol.
    pub(super) fn symbols_of(&self, set: Option<&Name>) -> Vec<String> {
        let set = set.map(|set| &set.text);
        let of_set = |(one, _): &&(Option<Name>, _)| one.as_ref().map(|one| &one.text) == set;
        let found = self.module.symbols.iter().filter(of_set);
        let symbols = found.flat_map(|(_, symbols)| symbols.iter().rev());
        std::iter::once("0").chain(symbols.map(|symbol| &*symbol.text)).map(String::from).collect()
    }

    fn len(&self, declaration: &Declaration) -> Result<Option<usize>, SourceError> {
        let Some(len) = declaration.len else { return Ok(None) };
        let value = constant(self, len)?;
        let len = usize::try_from(value).ok().filter(|len| (1..=MAX_ELEMENTS).contains(len));
        let message = || format!("an array has 1 to {MAX_ELEMENTS} elements, not {value}");
        len.map(Some).ok_or_else(|| SourceError::new(declaration.name.place, message()))
    }

    /// Takes the variables of all processes apart.
    fn plan_instances(&mut self) -> Result<Vec<(InstanceId, Vec<PlannedLeaf>)>, SourceError> {
        let frame = Arc::clone(&self.frame);
        let mut of_instances = Vec::new();
        for id in self.instances.ids() {
            let kind = self.instances[id].kind;
            let mut planned = Vec::new();
            for (number, local) in frame.kinds[kind].graph.locals.iter().enumerate() {
                self.plan(&local.declaration, local_key(number), Some(id), &mut planned)?;
            }
            of_instances.push((id, planned));
        }
        Ok(of_instances)
    }

    /// Takes a variable apart.
    fn plan(
        &mut self,
        declaration: &Declaration,
        key: String,
        owner: Option<InstanceId>,
        planned: &mut Vec<PlannedLeaf>,
    ) -> Result<(), SourceError> {
        let mut open = vec![(key, Vec::new(), declaration.clone())];
        while let Some((path, mut lens, declaration)) = open.pop() {
            let len = self.len(&declaration)?;
            lens.push(len);
            let n_elements: usize = lens.iter().flatten().product();
            if MAX_ELEMENTS < n_elements {
                return error(declaration.name.place, format!("more than {MAX_ELEMENTS} elements"));
            }
            if let Type::Named(name) = &declaration.of_type {
                for field in self.record(name)?.iter().rev() {
                    let path = format!("{path}.{}", field.name.text);
                    open.push((path, lens.clone(), field.clone()));
                }
                if planned.len() + open.len() < MAX_ELEMENTS {
                    continue;
                }
                return error(name.place, "this type contains itself");
            }
            let is_array = lens.iter().any(Option::is_some);
            let width = self.width(&declaration.of_type, is_array)?.unwrap_or(Width::signed(32));
            let mut initial = vec![0; n_elements];
            let mut channels = None;
            match &declaration.initial {
                Some(Initial::Value(value)) if owner.is_none() || lens.len() != 1 => {
                    initial.fill(width.cut_off(constant(self, *value)?));
                }
                Some(Initial::List(values)) => {
                    for (at, &value) in initial.iter_mut().zip(values) {
                        *at = width.cut_off(constant(self, value)?);
                    }
                }
                Some(Initial::Channel { capacity, types }) => {
                    let (class, value_names) = self.class(*capacity, types)?;
                    channels = Some((class, self.classes[class].n_channels, value_names));
                    self.classes[class].n_channels += n_elements;
                    self.classes[class].owners.extend(vec![owner; n_elements]);
                }
                _ => (),
            }
            let is_fixed = !self.assigned.contains(&declaration.name.text);
            let value_names = self.value_names(&declaration.of_type);
            let leaf = PlannedLeaf { path, lens, width, initial, channels, is_fixed, value_names };
            planned.push(leaf);
        }
        Ok(())
    }

    /// The class of channels of this shape, and the names of the values of each field.
    fn class(
        &mut self,
        capacity: ExpressionId,
        types: &[Type],
    ) -> Result<(ClassId, Vec<Vec<String>>), SourceError> {
        let place = self.module.expressions[capacity].1;
        let capacity = usize::try_from(constant(self, capacity)?).ok();
        let capacity = capacity
            .filter(|&capacity| capacity <= 255)
            .ok_or_else(|| SourceError::new(place, "a channel has room for 0 to 255 messages"))?;
        let (mut fields, mut value_names) = (Vec::new(), Vec::new());
        let mut open: Vec<(Type, usize)> = types.iter().rev().map(|one| (one.clone(), 1)).collect();
        while let Some((one, n_times)) = open.pop() {
            match (&one, self.width(&one, false)?) {
                (Type::Named(name), _) => {
                    let fields = self.record(name)?.to_vec();
                    for _ in 0..n_times {
                        for field in fields.iter().rev() {
                            let len = self.len(field)?.unwrap_or(1);
                            open.push((field.of_type.clone(), len));
                        }
                    }
                    if MAX_ELEMENTS < open.len() {
                        return error(name.place, "this type contains itself");
                    }
                }
                (_, width) => {
                    fields.extend(vec![width.unwrap_or(Width::signed(32)); n_times]);
                    value_names.extend(vec![self.value_names(&one); n_times]);
                }
            }
        }
        let same = |class: &Class| class.fields == fields && class.capacity == capacity;
        let known = self.classes.iter().position(same).map(Id::new);
        let class = known.unwrap_or_else(|| {
            let (len, data, owners) = (Id::new(0), Vec::new(), Vec::new());
            let new = Class { fields, capacity, n_channels: 0, first: 0, len, data, owners };
            self.classes.push(new)
        });
        Ok((class, value_names))
    }

    /// Numbers for all channels, and variables for what they hold.
    fn number_channels(&mut self, program: &mut Program) -> Result<(), SourceError> {
        let mut next = 1;
        for (id, class) in self.classes.entries_mut() {
            class.first = next;
            next += int(class.n_channels);
            if 255 < next - 1 {
                return error(Span::default(), "there are more than 255 channels");
            }
            let mut array = |name: String, range: (i64, i64), len: usize| {
                program.variables.push(plain_variable(name, range, Some(len), vec![0; len]))
            };
            let (n_channels, capacity) = (class.n_channels, class.capacity);
            let number = id.index();
            class.len = array(format!(".len {number}"), (0, int(capacity)), n_channels);
            if 0 < capacity {
                let fields = class.fields.iter().enumerate();
                let data = fields.map(|(field, width)| {
                    let name = format!(".field {number}.{field}");
                    array(name, width.range(), n_channels * capacity)
                });
                class.data = data.collect();
            }
        }
        Ok(())
    }

    /// Makes variables of what is planned.
    fn make(
        &mut self,
        program: &mut Program,
        planned: Vec<PlannedLeaf>,
        owner: Option<InstanceId>,
    ) -> Leaves {
        let mut leaves = Leaves::new();
        for one in planned {
            let PlannedLeaf { path, lens, width, mut initial, is_fixed, value_names, .. } = one;
            let channels = one
                .channels
                .as_ref()
                .map(|&(class, index, _)| (class, self.classes[class].first + int(index)));
            if let Some((_, first)) = channels {
                initial = (first..).take(initial.len()).collect();
            }
            let is_left_out = owner.is_none() && self.is_left_out(&path);
            let first = initial.clone();
            // A process that is not there yet has nothing.
            let is_late = owner.is_some() && channels.is_none_or(|_| !is_fixed);
            if is_left_out || is_late {
                initial.fill(0);
            }
            let name = match owner {
                // A name that begins with a dot is not shown.
                None if is_left_out => format!(".{path}"),
                None => path.clone(),
                Some(id) => self.local_name(id, &path),
            };
            let is_array = lens.iter().any(Option::is_some);
            let len = is_array.then_some(initial.len());
            let variable = plain_variable(name, width.range(), len, initial);
            let variable = program.variables.push(Variable { value_names, ..variable });
            let leaf = Leaf { variable, lens, width, first, channels, is_fixed, is_left_out };
            if let Some((_, _, value_names)) = one.channels {
                let leaf = leaf.clone();
                self.channel_variables.push(ChannelVariable { owner, leaf, value_names });
            }
            leaves.insert(path, leaf);
        }
        leaves
    }

    fn local_name(&self, id: InstanceId, path: &str) -> String {
        let (number, fields) = path[1..].split_once('.').unwrap_or((&path[1..], ""));
        let locals = &self.kinds[self.instances[id].kind].graph.locals;
        let local = number.parse().ok().and_then(|number: usize| locals.get(number));
        let name = local.map_or("", |local| &local.declaration.name.text);
        let n_before = local.map_or(0, |local| local.n_namesakes);
        // In other blocks there may be others of the same name.
        let nth = if n_before == 0 { String::new() } else { format!("#{}", n_before + 1) };
        let dot = if fields.is_empty() { "" } else { "." };
        // A name that is not of the text is not shown.
        let hidden = if name.starts_with(|c: char| c.is_ascii_digit()) { "." } else { "" };
        format!("{hidden}{}:{name}{nth}{dot}{fields}", self.instance_name(id))
    }

    /// The channels that belong to a process: class and index.
    pub(super) fn channels_of(&self, id: InstanceId) -> Vec<(ClassId, usize)> {
        let of_class = |(class, shape): (ClassId, &Class)| {
            let owners = shape.owners.iter().enumerate();
            let own = owners.filter(|(_, owner)| **owner == Some(id));
            own.map(|(index, _)| (class, index)).collect::<Vec<_>>()
        };
        self.classes.entries().flat_map(of_class).collect()
    }
}

/// There are at most so many processes.
pub(super) const MAX_PROCESSES: usize = 255;

/// An array has at most so many elements.
const MAX_ELEMENTS: usize = 1 << 16;
