//! Expressions of the language to expressions of the program.
//!
//! Operands have smaller numbers than what they are in, so an expression is
//! lowered in the order of numbers.

use super::super::program::BinaryOperator::{Add, And, Equal, Multiply, Or};
use super::super::program::{
    Expression as Lowered, ExpressionId as LoweredId, Program, UnaryOperator,
};
use super::super::suggest::suggestion;
use super::ast::{Expression, ExpressionId, Name, Part};
use super::frame::ProcessKind;
use super::graph::{Graph, ScopeId};
use super::lex::KEYWORDS;
use super::lowering::{Lowering, Speaker};
use super::names::{Instance, InstanceId, Leaf, Leaves, Map, SlotNames, below, int, local_key};
use super::operator;
use super::{SourceError, error};
use crate::id::Id;
use std::collections::BTreeSet;

/// What a reference refers to.
pub(super) enum Referent {
    Leaf(Leaf, Option<LoweredId>),
    Value(LoweredId),
}

/// The number that an expression is.
pub(super) fn constant(names: &SlotNames, id: ExpressionId) -> Result<i64, SourceError> {
    let mut program = Program::default();
    let place = names.module.expressions[id].1;
    let no_constant = || SourceError::new(place, "expected a number that does not change");
    let value = Lowering::global(&mut program, names).value(id).map_err(|error| {
        // Variables are not declared yet.
        let is_early = program.variables.is_empty() && names.globals.is_empty();
        if is_early && names.is_variable(id) { no_constant() } else { error }
    })?;
    program.as_constant(value).ok_or_else(no_constant)
}

impl<'a> Lowering<'a> {
    /// Lowers an expression.
    pub(super) fn value(&mut self, id: ExpressionId) -> Result<LoweredId, SourceError> {
        let mut needed = vec![id];
        let mut at = 0;
        while at < needed.len() {
            self.speaker.expressions[needed[at]].0.operands(&mut needed);
            at += 1;
        }
        needed.sort_unstable();
        needed.dedup();
        let mut lowered: Map<ExpressionId, LoweredId> = Map::default();
        for one in needed {
            let value = self.lower(one, &lowered)?;
            lowered.insert(one, value);
        }
        Ok(lowered[&id])
    }

    /// Lowers several expressions.
    pub(super) fn values(&mut self, ids: &[ExpressionId]) -> Result<Vec<LoweredId>, SourceError> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    /// Lowers an expression whose operands have been lowered.
    fn lower(
        &mut self,
        id: ExpressionId,
        lowered: &Map<ExpressionId, LoweredId>,
    ) -> Result<LoweredId, SourceError> {
        let (expression, place) = &self.speaker.expressions[id];
        let error = |message| error(*place, message);
        let index = |process: &Part| process.index.map(|index| lowered[&index]);
        Ok(match expression {
            Expression::Number(value) => self.constant(*value),
            Expression::Reference(parts) => self.reference(parts)?,
            Expression::RemoteLabel { process, label } => {
                self.remote_label(process, index(process), label)?
            }
            Expression::RemoteVariable { process, variable } => {
                self.remote_variable(process, index(process), variable)?
            }
            Expression::Unary(operator, operand) => {
                let operand = lowered[operand];
                let operator = match *operator {
                    "!" => UnaryOperator::Not,
                    "~" => UnaryOperator::Complement,
                    "-" => UnaryOperator::Negate,
                    _ => return Ok(operand),
                };
                self.program.expression(Lowered::Unary(operator, operand))
            }
            Expression::Binary(operator, left, right) => {
                operator::lower(self.program, operator, lowered[left], lowered[right])
            }
            Expression::Conditional(condition, yes, no) => {
                self.choose(lowered[condition], lowered[yes], lowered[no])
            }
            Expression::Eval(operand) => lowered[operand],
            Expression::Channel(question, channel) => self.question(*question, *channel)?,
            Expression::Poll { channel, anywhere, arguments } => {
                self.poll(*channel, *anywhere, arguments)?
            }
            Expression::Timeout => match self.names.timeout {
                Some(timeout) => self.variable(timeout),
                None => self.constant(0),
            },
            Expression::LastIndex(array) => self.last_index(*array)?,
            Expression::NoProgress if self.speaker.is_at_rest => self.constant(0),
            Expression::NoProgress => {
                let any = self.is_any_at("progress");
                self.not(any)
            }
            Expression::Last => match self.names.last {
                Some(last) => self.variable(last),
                None => return error("`_last` is not known here"),
            },
            Expression::Run { .. } => {
                return error("`run` stands by itself or is what is assigned");
            }
            Expression::Process(about, process) => self.about(*about, lowered[process], *place)?,
        })
    }

    /// The processes of a type, each with its control flow.
    fn processes(
        &self,
        name: &'a Name,
    ) -> Result<impl Iterator<Item = (InstanceId, &'a Graph)> + use<'a>, SourceError> {
        let names = self.names;
        names.kind(name)?;
        let all = names.instances.entries().map(|(id, one)| (id, &names.kinds[one.kind]));
        let of_type = all.filter(|(_, kind)| kind.process.name.text == name.text);
        Ok(of_type.map(|(id, kind)| (id, &kind.graph)))
    }

    /// Whether the index of a remote reference means this process.
    fn is_meant(&mut self, index: Option<LoweredId>, id: InstanceId) -> LoweredId {
        let Some(index) = index else { return self.constant(1) };
        let slot = self.number(self.names.instances[id].slot);
        self.binary(Equal, index, slot)
    }

    /// `P[index]@label`
    fn remote_label(
        &mut self,
        process: &'a Part,
        index: Option<LoweredId>,
        label: &Name,
    ) -> Result<LoweredId, SourceError> {
        let mut any = self.constant(0);
        for (id, graph) in self.processes(&process.name)? {
            let Some(location) = graph.labels.get(&label.text) else { continue };
            let is_there = self.is_at(id, location.index());
            let is_meant = self.is_meant(index, id);
            let both = self.binary(And, is_meant, is_there);
            any = self.binary(Or, any, both);
        }
        let has_label = |kind: &ProcessKind| kind.graph.labels.contains_key(&label.text);
        let of_type = |kind: &&ProcessKind| kind.process.name.text == process.name.text;
        if !self.names.kinds.iter().filter(of_type).any(has_label) {
            let message = format!("there is no label `{}` in `{}`", label.text, process.name.text);
            return error(label.place, message);
        }
        Ok(any)
    }

    /// `P[index]:variable`
    fn remote_variable(
        &mut self,
        process: &'a Part,
        index: Option<LoweredId>,
        variable: &[Part],
    ) -> Result<LoweredId, SourceError> {
        let mut value = self.constant(0);
        for (id, _) in self.processes(&process.name)? {
            let (instance, scope) = (Some(id), ScopeId::new(0));
            let speaker = Speaker { instance, scope, ..self.speaker };
            let mut remote = Lowering { program: self.program, names: self.names, speaker };
            let here = remote.reference(variable)?;
            let is_meant = self.is_meant(index, id);
            value = self.choose(is_meant, here, value);
        }
        Ok(value)
    }

    fn last_index(&mut self, array: ExpressionId) -> Result<LoweredId, SourceError> {
        let (expression, place) = &self.speaker.expressions[array];
        if let Expression::Reference(parts) = expression
            && let [part] = &**parts
            && let (leaves, path) = self.root(&part.name.text)
            && let Some(&[Some(len)]) = leaves.get(&path).map(|leaf| &*leaf.lens)
        {
            return Ok(self.constant(int(len) - 1));
        }
        error(*place, "expected an array")
    }

    /// Whether some process is at a label that begins with `prefix`.
    pub(super) fn is_any_at(&mut self, prefix: &str) -> LoweredId {
        let names = self.names;
        let mut any = self.constant(0);
        for (id, instance) in names.instances.entries() {
            for (location, place) in names.kinds[instance.kind].graph.locations.entries() {
                if place.labels.iter().any(|label| label.starts_with(prefix)) {
                    let here = self.is_at(id, location.index());
                    any = self.binary(Or, any, here);
                }
            }
        }
        any
    }

    /// The variable of the process that a name means, if it means one.
    pub(super) fn local(&self, name: &str) -> Option<(&'a Instance, usize)> {
        let instance = &self.names.instances[self.speaker.instance?];
        let graph = &self.names.kinds[instance.kind].graph;
        Some((instance, graph.local(self.speaker.scope, name)?))
    }

    /// The leaves among which those of a variable are, and its path there.
    pub(super) fn root(&self, name: &str) -> (&'a Leaves, String) {
        match self.local(name) {
            Some((instance, local)) => (&instance.leaves, local_key(local)),
            None => (&self.names.globals, name.to_owned()),
        }
    }

    /// The value of an element of a leaf.
    pub(super) fn read(&mut self, leaf: &Leaf, index: Option<LoweredId>) -> LoweredId {
        match index {
            Some(index) => self.element(leaf.variable, index),
            None => self.variable(leaf.variable),
        }
    }

    fn reference(&mut self, parts: &[Part]) -> Result<LoweredId, SourceError> {
        Ok(match self.referent(parts)? {
            Referent::Value(value) => value,
            Referent::Leaf(leaf, index) => self.read(&leaf, index),
        })
    }

    /// What `a[i].b` refers to.
    pub(super) fn referent(&mut self, parts: &[Part]) -> Result<Referent, SourceError> {
        let first = &parts[0].name.text;
        if let Some(value) = self.special(parts) {
            return Ok(Referent::Value(value));
        }
        let (leaves, mut path) = self.root(first);
        for part in &parts[1..] {
            path.push('.');
            path.push_str(&part.name.text);
        }
        let Some(leaf) = leaves.get(&path) else {
            return Err(unknown(&path, leaves, parts));
        };
        let index = self.index(leaf, parts)?;
        Ok(Referent::Leaf(leaf.clone(), index))
    }

    /// What a name stands for that is no variable.
    fn special(&mut self, parts: &[Part]) -> Option<LoweredId> {
        let [Part { name: Name { text: name, .. }, index: None }] = parts else { return None };
        if self.local(name).is_some() || self.names.globals.contains_key(name) {
            return None;
        }
        match (name.as_str(), self.speaker.instance) {
            ("_pid", Some(id)) => Some(self.number(self.names.instances[id].slot)),
            ("_nr_pr", _) => Some(self.variable(self.names.n_processes)),
            (symbol, _) => self.names.symbols.get(symbol).map(|&value| self.constant(value)),
        }
    }

    /// The index of an element of a leaf, over all its dimensions.
    fn index(&mut self, leaf: &Leaf, parts: &[Part]) -> Result<Option<LoweredId>, SourceError> {
        let n_dimensions = leaf.lens.iter().flatten().count();
        let mut whole: Option<LoweredId> = None;
        for (part, &len) in parts.iter().zip(&leaf.lens) {
            let index = match part.index {
                Some(index) => self.value(index)?,
                None if len.is_none() => continue,
                // As in Spin, an array without an index is its first element.
                None => self.constant(0),
            };
            let Some(len) = len else {
                if self.program.as_constant(index) == Some(0) {
                    continue;
                }
                return error(part.name.place, format!("`{}` is not an array", part.name.text));
            };
            let index = if 1 < n_dimensions { self.checked(index, len) } else { index };
            whole = Some(match whole {
                None => index,
                Some(before) => {
                    let len = self.number(len);
                    let row = self.binary(Multiply, before, len);
                    self.binary(Add, row, index)
                }
            });
        }
        Ok(whole)
    }

    /// An index that is far out of range if it is out of its own range.
    fn checked(&mut self, index: LoweredId, len: usize) -> LoweredId {
        let [zero, len, far] = [0, int(len), -1_000_000_000].map(|value| self.constant(value));
        let fits = self.is_within(index, [zero, len]);
        self.choose(fits, index, far)
    }
}

impl SlotNames {
    fn is_variable(&self, id: ExpressionId) -> bool {
        let Expression::Reference(parts) = &self.module.expressions[id].0 else { return true };
        let mut declared = self.module.variables.iter();
        declared.any(|variable| variable.name.text == parts[0].name.text)
    }
}

/// The message about a name that means nothing.
fn unknown(path: &str, leaves: &Leaves, parts: &[Part]) -> SourceError {
    let (first, last) = (&parts[0].name, &parts[parts.len() - 1].name);
    let root = path.split('.').next().unwrap_or(path);
    let has_fields = !below(leaves, root).is_empty();
    if has_fields && parts.len() == 1 {
        return SourceError::new(first.place, format!("`{}` has fields: say which", first.text));
    }
    if has_fields {
        return SourceError::new(last.place, format!("there is no field `{}`", last.text));
    }
    // `skp` is a variable to the parser.
    let names = leaves.keys().filter(|key| !key.contains('.')).map(String::as_str);
    let known: BTreeSet<&str> = names.chain(KEYWORDS.iter().copied()).collect();
    let suggestion = suggestion(&first.text, known.into_iter());
    SourceError::new(first.place, format!("there is no variable `{}`{suggestion}", first.text))
}
