//! What a transition reads and writes, element by element where an index is known.

use super::elements::{Element, Region};
use super::known::Knowledge;
use crate::lang::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Transition, VariableId,
};
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;
use std::ops::Range;

/// What becomes of an element that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    To(i64),
    By(i64),
    Unknown,
}

/// Something that is written: one element, or any one of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Write {
    pub(super) range: Range<Element>,
    pub(super) change: Change,
}

impl Write {
    /// The element, if it is known which one.
    pub(super) fn element(&self) -> Option<Element> {
        (self.range.len() == 1).then_some(self.range.start)
    }
}

/// What a transition reads and writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Access {
    /// What its guard and its effects read.
    pub(super) read: Region,
    /// What it writes: all that happens to an element is one entry.
    pub(super) writes: Vec<Write>,
    /// Everything that it may write.
    pub(super) written: Region,
}

/// What an expression reads.
pub(super) fn read_by(knowledge: &Knowledge<'_>, whole: ExpressionId) -> Region {
    let mut region = Region::default();
    add_read(knowledge, whole, &mut region);
    region
}

fn add_read(knowledge: &Knowledge<'_>, whole: ExpressionId, region: &mut Region) {
    let values = if knowledge.is_safe { knowledge.values_of(whole) } else { HashMap::default() };
    let known = |id: ExpressionId| values.get(&id).copied().flatten();
    let mut seen: HashSet<ExpressionId, FxBuildHasher> = HashSet::default();
    let mut open = vec![whole];
    while let Some(id) = open.pop() {
        // What has a known value depends on nothing, whatever it is made of.
        if known(id).is_some() || !seen.insert(id) {
            continue;
        }
        let expression = knowledge.program.view(id);
        match expression {
            Expression::If(condition, yes, no) if known(condition).is_some() => {
                open.push(if known(condition) == Some(0) { no } else { yes });
            }
            _ => open.extend(expression.operands()),
        }
        let Some(variable) = expression.variable() else { continue };
        let range = match (knowledge.element(id), expression) {
            (Some(element), _) => element..element + 1,
            (None, Expression::Element(_, index)) => knowledge.range(variable, index),
            (None, _) => knowledge.elements.of(knowledge.program, variable),
        };
        if range.clone().any(|element| knowledge.constants[element as usize].is_none()) {
            region.add(range);
        }
    }
}

/// Adds what a guard reads. What it says is known only where it is true, so this is read in any case.
fn add_guard(knowledge: &Knowledge<'_>, guard: ExpressionId, region: &mut Region) {
    if !knowledge.is_safe {
        add_read(knowledge, guard, region);
        return;
    }
    for &((conjunct, _), literal) in &knowledge.conjuncts {
        match literal {
            Some(literal) => region.add(literal.element..literal.element + 1),
            None => add_read(knowledge, conjunct, region),
        }
    }
}

/// The expression whose value an expression has, where conditions in it are known.
fn resolved(knowledge: &Knowledge<'_>, whole: ExpressionId) -> ExpressionId {
    let mut id = whole;
    while let Expression::If(condition, yes, no) = knowledge.program.view(id) {
        let Some(value) = knowledge.value(condition) else { break };
        id = if value == 0 { no } else { yes };
    }
    id
}

/// What a transition reads and writes where `knowledge` holds before it. `ignored` are variables
/// that do not count.
pub(super) fn access(
    mut knowledge: Knowledge<'_>,
    transition: &Transition,
    ignored: &[VariableId],
) -> Access {
    let mut access = Access::default();
    add_guard(&knowledge, transition.guard, &mut access.read);
    for effect in &transition.effects {
        if let Effect::Let(number, value) = *effect {
            add_read(&knowledge, value, &mut access.read);
            match knowledge.value(value) {
                Some(value) => knowledge.named.insert(number, value),
                None => knowledge.named.remove(&number),
            };
        }
        if let Effect::Assert(condition, _) = *effect {
            add_read(&knowledge, condition, &mut access.read);
        }
        let Some((variable, index, value)) = effect.assignment() else { continue };
        if ignored.contains(&variable) {
            // Whether something goes wrong depends on what is read.
            for read in index.into_iter().chain([value]).filter(|_| !knowledge.is_safe) {
                add_read(&knowledge, read, &mut access.read);
            }
            continue;
        }
        assign(&mut knowledge, (variable, index, value), &mut access);
    }
    access
}

/// Adds what an assignment reads and writes, and notes what is known behind it.
fn assign(
    knowledge: &mut Knowledge<'_>,
    (variable, index, value): (VariableId, Option<ExpressionId>, ExpressionId),
    access: &mut Access,
) {
    let value = if knowledge.is_safe { resolved(knowledge, value) } else { value };
    // What keeps its value is not written.
    if knowledge.is_safe
        && index.is_none()
        && knowledge.program.view(value) == Expression::Variable(variable)
    {
        return;
    }
    if let Some(index) = index {
        add_read(knowledge, index, &mut access.read);
    }
    add_read(knowledge, value, &mut access.read);
    let (program, elements) = (knowledge.program, knowledge.elements);
    let known = index.map_or(Some(0), |index| knowledge.value(index));
    let element = known.and_then(|index| elements.element(program, variable, index));
    let range = match (element, index) {
        (Some(element), _) => element..element + 1,
        (None, Some(index)) => knowledge.range(variable, index),
        (None, None) => elements.of(program, variable),
    };
    // An index that is always out of range is an error, and nothing is written.
    if range.is_empty() {
        return;
    }
    let change = change(knowledge, (variable, index, element), value);
    access.written.add(range.clone());
    for element in range.clone() {
        knowledge.values.remove(&element);
        knowledge.bounds.remove(&element);
    }
    if let (Some(element), Change::To(value)) = (element, change) {
        knowledge.values.insert(element, value);
    }
    note(&mut access.writes, Write { range, change });
}

/// What an assignment does.
fn change(
    knowledge: &Knowledge<'_>,
    (variable, index, element): (VariableId, Option<ExpressionId>, Option<Element>),
    value: ExpressionId,
) -> Change {
    if let Some(value) = knowledge.value(value) {
        return Change::To(value);
    }
    let is_itself = |id: ExpressionId| match (knowledge.program.view(id), index) {
        (Expression::Variable(read), None) => read == variable,
        (Expression::Element(read, at), Some(index)) => {
            read == variable
                && (at == index || element.is_some() && knowledge.element(id) == element)
        }
        _ => false,
    };
    let sum = cut_off(knowledge, value, element).unwrap_or(value);
    match knowledge.program.view(sum) {
        Expression::Binary(BinaryOperator::Add, left, right) => {
            match (knowledge.value(left), knowledge.value(right)) {
                (_, Some(amount)) if is_itself(left) => Change::By(amount),
                (Some(amount), _) if is_itself(right) => Change::By(amount),
                _ => Change::Unknown,
            }
        }
        Expression::Binary(BinaryOperator::Subtract, left, right) if is_itself(left) => {
            let amount = knowledge.value(right).and_then(i64::checked_neg);
            amount.map_or(Change::Unknown, Change::By)
        }
        _ => Change::Unknown,
    }
}

/// The sum of an element and a number of which a value is the lowest bits, if it has no others.
fn cut_off(
    knowledge: &Knowledge<'_>,
    value: ExpressionId,
    element: Option<Element>,
) -> Option<ExpressionId> {
    let program = knowledge.program;
    let Expression::Binary(BinaryOperator::BitAnd, sum, mask) = program.view(value) else {
        return None;
    };
    let mask =
        knowledge.value(mask).filter(|&mask| 0 <= mask && mask & mask.wrapping_add(1) == 0)?;
    let Expression::Binary(operator, left, right) = program.view(sum) else { return None };
    let amount = match operator {
        BinaryOperator::Add => knowledge.value(right)?,
        BinaryOperator::Subtract => knowledge.value(right)?.checked_neg()?,
        _ => return None,
    };
    let element = element.filter(|&element| knowledge.element(left) == Some(element))?;
    let &(low, high) = knowledge.bounds.get(&element)?;
    let fits = 0 <= low.checked_add(amount)? && high.checked_add(amount)? <= mask;
    fits.then_some(sum)
}

/// Adds what happens to an element to what has happened before.
fn note(writes: &mut Vec<Write>, write: Write) {
    let overlaps =
        |known: &Write| known.range.start < write.range.end && write.range.start < known.range.end;
    let Some(first) = writes.iter().position(overlaps) else {
        writes.push(write);
        return;
    };
    let is_same = writes[first].range == write.range && write.element().is_some();
    if is_same {
        let before = writes[first].change;
        writes[first].change = match (before, write.change) {
            (_, Change::To(value)) => Change::To(value),
            (Change::By(one), Change::By(other)) => {
                one.checked_add(other).map_or(Change::Unknown, Change::By)
            }
            _ => Change::Unknown,
        };
        return;
    }
    for known in writes.iter_mut().filter(|known| overlaps(known)) {
        known.change = Change::Unknown;
    }
    writes.push(Write { change: Change::Unknown, ..write });
}
