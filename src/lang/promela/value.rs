//! Expressions of the language to expressions of the program.
//!
//! Operands have smaller numbers than what they are in, so an expression is
//! lowered in the order of numbers.

use super::super::SourceError;
use super::super::program::{
    BinaryOperator, Expression as Lowered, ExpressionId as LoweredId, Program, Span, UnaryOperator,
    VariableId,
};
use super::super::suggest::suggestion;
use super::ast::{Expression, ExpressionId, Expressions, Name, Part};
use super::channel::{self, int};
use super::graph::ScopeId;
use super::lex::KEYWORDS;
use super::names::{Instance, InstanceId, Leaf, Map, Names, Width, local_key};
use super::priority;
use crate::id::Id;
use std::collections::BTreeSet;

/// Who speaks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Speaker<'a> {
    /// Nothing in declarations and formulas.
    pub(super) instance: Option<InstanceId>,
    pub(super) scope: ScopeId,
    /// What the numbers of expressions mean: those of the model, or those of an atom.
    pub(super) expressions: &'a Expressions,
    /// Whether no process can move where the expression is asked: there `np_` is false.
    pub(super) is_at_rest: bool,
}

impl<'a> Speaker<'a> {
    /// A part of the model that only knows what is global.
    pub(super) fn global(names: &'a Names) -> Self {
        let expressions = &names.module.expressions;
        Self { instance: None, scope: ScopeId::new(0), expressions, is_at_rest: false }
    }

    /// A process, inside of a block of it.
    pub(super) fn process(names: &'a Names, instance: InstanceId, scope: ScopeId) -> Self {
        Self { instance: Some(instance), scope, ..Self::global(names) }
    }
}

/// What a reference refers to.
pub(super) enum Referent {
    Leaf(Leaf, Option<LoweredId>),
    Value(LoweredId),
}

/// `value` without the bits for which there is no room.
pub(super) fn cut_off(width: Width, value: i64) -> i64 {
    width.low() + ((value - width.low()) & ((1 << width.bits) - 1))
}

/// The number that an expression is.
pub(super) fn constant(names: &Names, id: ExpressionId) -> Result<i64, SourceError> {
    let mut program = Program::default();
    let place = names.module.expressions[id].1;
    let no_constant = || SourceError::new(place, "expected a number that does not change");
    let value = match value(&mut program, names, Speaker::global(names), id) {
        Ok(value) => value,
        Err(error) if program.variables.is_empty() && names.globals.is_empty() => {
            // Variables are not declared yet.
            return Err(if names.is_variable(id) { no_constant() } else { error });
        }
        Err(error) => return Err(error),
    };
    program.as_constant(value).ok_or_else(no_constant)
}

/// Lowers an expression.
pub(super) fn value(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    id: ExpressionId,
) -> Result<LoweredId, SourceError> {
    let mut needed = vec![id];
    let mut at = 0;
    while at < needed.len() {
        speaker.expressions[needed[at]].0.operands(&mut needed);
        at += 1;
    }
    needed.sort_unstable();
    needed.dedup();
    let mut lowered: Map<ExpressionId, LoweredId> = Map::default();
    for one in needed {
        let (expression, place) = &speaker.expressions[one];
        let value = Lowering { program, names, speaker, lowered: &lowered, place: *place }
            .lower(expression)?;
        lowered.insert(one, value);
    }
    Ok(lowered[&id])
}

struct Lowering<'a> {
    program: &'a mut Program,
    names: &'a Names,
    speaker: Speaker<'a>,
    lowered: &'a Map<ExpressionId, LoweredId>,
    place: Span,
}

impl Lowering<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, SourceError> {
        Err(SourceError::new(self.place, message))
    }

    fn lower(&mut self, expression: &Expression) -> Result<LoweredId, SourceError> {
        let Self { names, speaker, .. } = *self;
        Ok(match expression {
            Expression::Number(value) => self.program.constant(*value),
            Expression::Reference(parts) => match referent(self.program, names, speaker, parts)? {
                Referent::Value(value) => value,
                Referent::Leaf(leaf, index) => read(self.program, &leaf, index),
            },
            Expression::RemoteLabel { process, label } => self.remote_label(process, label)?,
            Expression::RemoteVariable { process, variable } => {
                self.remote_variable(process, variable)?
            }
            Expression::Unary(operator, operand) => {
                let operand = self.lowered[operand];
                match *operator {
                    "!" => self.unary(UnaryOperator::Not, operand),
                    "~" => self.unary(UnaryOperator::Complement, operand),
                    "-" => self.unary(UnaryOperator::Negate, operand),
                    _ => operand,
                }
            }
            Expression::Binary(operator, left, right) => {
                self.binary(operator, self.lowered[left], self.lowered[right])
            }
            Expression::Conditional(condition, yes, no) => {
                let [condition, yes, no] = [condition, yes, no].map(|id| self.lowered[id]);
                self.program.expression(Lowered::If(condition, yes, no))
            }
            Expression::Eval(operand) => self.lowered[operand],
            Expression::Channel(question, channel) => {
                channel::question(self.program, names, speaker, *question, *channel)?
            }
            Expression::Poll { channel, anywhere, arguments } => {
                channel::poll(self.program, names, speaker, *channel, *anywhere, arguments)?
            }
            Expression::Timeout => match names.timeout {
                Some(timeout) => self.program.expression(Lowered::Variable(timeout)),
                None => self.program.constant(0),
            },
            Expression::LastIndex(array) => self.last_index(*array)?,
            Expression::NoProgress if speaker.is_at_rest => self.program.constant(0),
            Expression::NoProgress => no_progress(self.program, names),
            Expression::Last => match names.last {
                Some(last) => self.program.expression(Lowered::Variable(last)),
                None => return self.error("`_last` is not known here"),
            },
            Expression::Run { .. } => {
                return self.error("`run` stands by itself or is what is assigned");
            }
            Expression::Process(about, process) => {
                let is_inside = speaker.instance.is_some();
                let process = self.lowered[process];
                priority::about(self.program, names, *about, process, is_inside, self.place)?
            }
        })
    }

    fn unary(&mut self, operator: UnaryOperator, operand: LoweredId) -> LoweredId {
        self.program.expression(Lowered::Unary(operator, operand))
    }

    fn binary(&mut self, operator: &str, left: LoweredId, right: LoweredId) -> LoweredId {
        use BinaryOperator as B;
        let (operator, left, right) = match operator {
            "||" => (B::Or, left, right),
            "&&" => (B::And, left, right),
            "|" => (B::BitOr, left, right),
            "^" => (B::BitXor, left, right),
            "&" => (B::BitAnd, left, right),
            "==" => (B::Equal, left, right),
            "!=" => (B::NotEqual, left, right),
            "<" => (B::Less, left, right),
            ">" => (B::Less, right, left),
            "<=" => (B::LessEqual, left, right),
            ">=" => (B::LessEqual, right, left),
            "<<" => (B::ShiftLeft, left, right),
            ">>" => (B::ShiftRight, left, right),
            "+" => (B::Add, left, right),
            "-" => (B::Subtract, left, right),
            "*" => (B::Multiply, left, right),
            "/" => (B::Divide, left, right),
            _ => (B::Remainder, left, right),
        };
        self.program.binary(operator, left, right)
    }

    /// The processes that `P` or `P[e]` may mean.
    fn processes(&self, process: &Part) -> Result<Vec<InstanceId>, SourceError> {
        let of_kind = |instance: &Instance| {
            self.names.kinds[instance.kind].process.name.text == process.name.text
        };
        if !self.names.kinds.iter().any(|kind| kind.process.name.text == process.name.text) {
            let message = format!("there is no process type `{}`", process.name.text);
            return Err(SourceError::new(process.name.place, message));
        }
        let all = self.names.instances.entries();
        Ok(all.filter(|(_, instance)| of_kind(instance)).map(|(id, _)| id).collect())
    }

    /// Whether the index of a remote reference means this process.
    fn is_meant(&mut self, process: &Part, id: InstanceId) -> LoweredId {
        let Some(index) = process.index else { return self.program.constant(1) };
        let slot = self.program.constant(int(self.names.instances[id].slot));
        self.program.binary(BinaryOperator::Equal, self.lowered[&index], slot)
    }

    fn remote_label(&mut self, process: &Part, label: &Name) -> Result<LoweredId, SourceError> {
        let mut any = self.program.constant(0);
        let is_known = self.names.kinds.iter().any(|kind| {
            kind.process.name.text == process.name.text
                && kind.graph.labels.contains_key(&label.text)
        });
        for id in self.processes(process)? {
            let instance = &self.names.instances[id];
            let graph = &self.names.kinds[instance.kind].graph;
            let Some(location) = graph.labels.get(&label.text) else { continue };
            let is_there = is_at(self.program, self.names, id, location.index());
            let is_meant = self.is_meant(process, id);
            let both = self.program.binary(BinaryOperator::And, is_meant, is_there);
            any = self.program.binary(BinaryOperator::Or, any, both);
        }
        if !is_known {
            let message = format!("there is no label `{}` in `{}`", label.text, process.name.text);
            return Err(SourceError::new(label.place, message));
        }
        Ok(any)
    }

    fn remote_variable(
        &mut self,
        process: &Part,
        variable: &[Part],
    ) -> Result<LoweredId, SourceError> {
        let mut value = self.program.constant(0);
        for id in self.processes(process)? {
            let (instance, scope) = (Some(id), ScopeId::new(0));
            let speaker = Speaker { instance, scope, ..self.speaker };
            let here = match referent(self.program, self.names, speaker, variable)? {
                Referent::Value(value) => value,
                Referent::Leaf(leaf, index) => read(self.program, &leaf, index),
            };
            let is_meant = self.is_meant(process, id);
            value = self.program.expression(Lowered::If(is_meant, here, value));
        }
        Ok(value)
    }

    fn last_index(&mut self, array: ExpressionId) -> Result<LoweredId, SourceError> {
        let (expression, place) = &self.speaker.expressions[array];
        if let Expression::Reference(parts) = expression
            && let [part] = &**parts
            && let Some(leaf) = root(self.names, self.speaker, &part.name.text)
            && let [Some(len)] = *leaf.lens
        {
            return Ok(self.program.constant(int(len) - 1));
        }
        Err(SourceError::new(*place, "expected an array"))
    }
}

/// The variable of a name that has no fields.
fn root(names: &Names, speaker: Speaker, name: &str) -> Option<Leaf> {
    if let Some(id) = speaker.instance {
        let instance = &names.instances[id];
        if let Some(local) = names.kinds[instance.kind].graph.local(speaker.scope, name) {
            return instance.leaves.get(&local_key(local)).cloned();
        }
    }
    names.globals.get(name).cloned()
}

/// Whether a process is at a location.
pub(super) fn is_at(
    program: &mut Program,
    names: &Names,
    id: InstanceId,
    location: usize,
) -> LoweredId {
    let Instance { slot, base, .. } = names.instances[id];
    let counter = program.expression(Lowered::Variable(names.counters[slot]));
    let place = program.constant(base + int(location));
    program.binary(BinaryOperator::Equal, counter, place)
}

/// Whether no process is at a label that begins with `progress`.
pub(super) fn no_progress(program: &mut Program, names: &Names) -> LoweredId {
    let any = is_anybody_at(program, names, "progress");
    program.expression(Lowered::Unary(UnaryOperator::Not, any))
}

/// Whether some process is at a label that begins with `prefix`.
pub(super) fn is_anybody_at(program: &mut Program, names: &Names, prefix: &str) -> LoweredId {
    let mut any = program.constant(0);
    for (id, instance) in names.instances.entries() {
        for (location, place) in names.kinds[instance.kind].graph.locations.entries() {
            if place.labels.iter().any(|label| label.starts_with(prefix)) {
                let here = is_at(program, names, id, location.index());
                any = program.binary(BinaryOperator::Or, any, here);
            }
        }
    }
    any
}

/// The value of an element of a leaf.
pub(super) fn read(program: &mut Program, leaf: &Leaf, index: Option<LoweredId>) -> LoweredId {
    program.expression(match index {
        Some(index) => Lowered::Element(leaf.variable, index),
        None => Lowered::Variable(leaf.variable),
    })
}

/// What `a[i].b` refers to.
pub(super) fn referent(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    parts: &[Part],
) -> Result<Referent, SourceError> {
    let first = &parts[0].name;
    let mut path = None;
    let mut leaves = &names.globals;
    if let Some(id) = speaker.instance {
        let instance = &names.instances[id];
        if let Some(local) = names.kinds[instance.kind].graph.local(speaker.scope, &first.text) {
            leaves = &instance.leaves;
            path = Some(local_key(local));
        }
    }
    if path.is_none()
        && let Some(value) = special(program, names, speaker, parts)
    {
        return Ok(Referent::Value(value));
    }
    let mut path = path.unwrap_or_else(|| first.text.clone());
    for part in &parts[1..] {
        path.push('.');
        path.push_str(&part.name.text);
    }
    let Some(leaf) = leaves.get(&path) else {
        return Err(unknown(&path, leaves, parts));
    };
    let index = index(program, names, speaker, leaf, parts)?;
    Ok(Referent::Leaf(leaf.clone(), index))
}

/// Names that are no variables.
fn special(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    parts: &[Part],
) -> Option<LoweredId> {
    let [Part { name, index: None }] = parts else { return None };
    if names.globals.contains_key(&name.text) {
        return None;
    }
    match (name.text.as_str(), speaker.instance) {
        ("_pid", Some(id)) => Some(program.constant(int(names.instances[id].slot))),
        ("_nr_pr", _) => Some(program.expression(Lowered::Variable(names.n_processes))),
        (symbol, _) => names.symbols.get(symbol).map(|&value| program.constant(value)),
    }
}

/// The index of an element of a leaf, over all its dimensions.
fn index(
    program: &mut Program,
    names: &Names,
    speaker: Speaker,
    leaf: &Leaf,
    parts: &[Part],
) -> Result<Option<LoweredId>, SourceError> {
    let n_dimensions = leaf.lens.iter().flatten().count();
    let mut whole: Option<LoweredId> = None;
    for (part, &len) in parts.iter().zip(&leaf.lens) {
        let index = match (part.index, len) {
            (None, None) => continue,
            // As in Spin, an array without an index is its first element.
            (None, Some(_)) => program.constant(0),
            (Some(index), None) => {
                let zero = value(program, names, speaker, index)?;
                if program.as_constant(zero) == Some(0) {
                    continue;
                }
                let message = format!("`{}` is not an array", part.name.text);
                return Err(SourceError::new(part.name.place, message));
            }
            (Some(index), Some(_)) => value(program, names, speaker, index)?,
        };
        let len = int(len.unwrap_or(1));
        let index = if 1 < n_dimensions { checked(program, index, len) } else { index };
        whole = Some(match whole {
            None => index,
            Some(before) => {
                let len = program.constant(len);
                let row = program.binary(BinaryOperator::Multiply, before, len);
                program.binary(BinaryOperator::Add, row, index)
            }
        });
    }
    Ok(whole)
}

/// An index that is far out of range if it is out of its own range.
fn checked(program: &mut Program, index: LoweredId, len: i64) -> LoweredId {
    use BinaryOperator::{And, Less, LessEqual};
    let [zero, len, far] = [0, len, -1_000_000_000].map(|value| program.constant(value));
    let above = program.binary(LessEqual, zero, index);
    let below = program.binary(Less, index, len);
    let fits = program.binary(And, above, below);
    program.expression(Lowered::If(fits, index, far))
}

/// A value without the bits for which there is no room.
pub(super) fn cut(program: &mut Program, width: Width, value: LoweredId) -> LoweredId {
    let fits = |variable: VariableId| {
        let variable = &program.variables[variable];
        width.low() <= variable.low && variable.high <= width.high()
    };
    let fits = match program.view(value) {
        Lowered::Variable(variable) | Lowered::Element(variable, _) => fits(variable),
        Lowered::Constant(value) => (width.low()..=width.high()).contains(&value),
        _ => program.is_logical(value) && width.low() <= 0 && 1 <= width.high(),
    };
    if fits {
        return value;
    }
    let mask = program.constant((1 << width.bits) - 1);
    if !width.is_signed {
        return program.binary(BinaryOperator::BitAnd, value, mask);
    }
    let low = program.constant(width.low());
    let distance = program.binary(BinaryOperator::Subtract, value, low);
    let kept = program.binary(BinaryOperator::BitAnd, distance, mask);
    program.binary(BinaryOperator::Add, kept, low)
}

impl Names {
    fn is_variable(&self, id: ExpressionId) -> bool {
        let Expression::Reference(parts) = &self.module.expressions[id].0 else { return true };
        let mut declared = self.module.variables.iter();
        declared.any(|variable| variable.name.text == parts[0].name.text)
    }
}

/// The message about a name that means nothing.
fn unknown(path: &str, leaves: &Map<String, Leaf>, parts: &[Part]) -> SourceError {
    let (first, last) = (&parts[0].name, &parts[parts.len() - 1].name);
    let root = path.split('.').next().unwrap_or(path);
    let inside = format!("{root}.");
    let has_fields = leaves.keys().any(|key| key.starts_with(&inside));
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
