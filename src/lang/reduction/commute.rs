//! Which steps commute.
//!
//! Two steps commute if in every state in which both are enabled each of them is still enabled
//! behind the other, both orders lead to the same states, and they go wrong alike. Steps of which
//! neither writes what the other reads or writes do. For others, both orders are run on values
//! that are not known: `x' = x + 1` commutes with itself, and sending to a channel with receiving
//! from it while it is neither empty nor full.

use super::access::read_by;
use super::elements::{Element, Elements, Region};
use super::flow::Flow;
use super::known::{Conjunct, Knowledge, exclude};
use super::steps::{Part, Step, Steps};
use super::symbolic::{Machine, State, Stuck, Values};
use crate::id::IdVec;
use crate::lang::program::{Program, TransitionId};

/// A pair of transitions is run with at most so many combinations of values.
const MAX_CASES: usize = 64;

/// An element has at most so many values that are tried.
const MAX_VALUES: i64 = 16;

/// So many values may come up while all pairs are compared. Pairs that come later do not commute.
const MAX_WORK: usize = 4_000_000;

/// For each transition: the others whose steps may not commute with its step.
pub(super) fn dependents(
    program: &Program,
    elements: &Elements,
    flow: &Flow,
    steps: &Steps,
) -> IdVec<TransitionId, Vec<TransitionId>> {
    let mut pairs = Pairs { program, elements, flow, steps, n_values: 0 };
    let mut dependents = IdVec::filled(Vec::new(), program.transitions.len());
    let live: Vec<TransitionId> = steps.is_live.ids().filter(|&id| steps.is_live[id]).collect();
    for (number, &one) in live.iter().enumerate() {
        for &other in &live[number + 1..] {
            if !pairs.commute(one, other) {
                dependents[one].push(other);
                dependents[other].push(one);
            }
        }
    }
    dependents
}

/// What is needed to compare steps.
struct Pairs<'a> {
    program: &'a Program,
    elements: &'a Elements,
    flow: &'a Flow,
    steps: &'a Steps,
    /// How many values have come up.
    n_values: usize,
}

/// Whether one of two regions that are written meets what the other reads or writes.
fn conflict(one: (&Region, &Region), other: (&Region, &Region)) -> bool {
    one.1.meets(other.0) || one.1.meets(other.1) || other.1.meets(one.0)
}

impl Pairs<'_> {
    fn commute(&mut self, one: TransitionId, other: TransitionId) -> bool {
        let (first, second): (&Step, &Step) = (&self.steps.steps[one], &self.steps.steps[other]);
        if !conflict((&first.read, &first.written), (&second.read, &second.written)) {
            return true;
        }
        let (part, with): (&Part, &Part) = (&self.steps.parts[one], &self.steps.parts[other]);
        if exclude(&part.literals, &with.literals) || opposite(part, with) {
            return true;
        }
        // What waits for a timeout is enabled only where nothing else is.
        if self.waits(part) || self.waits(with) {
            return true;
        }
        // What follows a first part has to be about other things.
        let rest = |step: &Step| !step.rest_read.is_empty() || !step.rest_written.is_empty();
        let apart = |of: &Step, from: &Step| {
            !conflict((&of.rest_read, &of.rest_written), (&from.read, &from.written))
        };
        if first.can_fail
            || second.can_fail
            || part.has_choices
            || with.has_choices
            || rest(first) && !apart(first, second)
            || rest(second) && !apart(second, first)
        {
            return false;
        }
        MAX_WORK > self.n_values && self.runs_agree(one, other)
    }

    /// Whether a transition waits until no other one is enabled.
    fn waits(&self, part: &Part) -> bool {
        let timeout = self.program.control.and_then(|control| control.timeout);
        let timeout = timeout.and_then(|it| self.elements.element(self.program, it, 0));
        let mut literals = part.literals.iter();
        literals.any(|literal| Some(literal.element) == timeout && !literal.is_true(0))
    }

    /// Whether both orders of two transitions lead to the same.
    fn runs_agree(&mut self, one: TransitionId, other: TransitionId) -> bool {
        let (Some(mut knowledge), Some(more)) = (
            self.flow.before(self.program, self.elements, one),
            self.flow.before(self.program, self.elements, other),
        ) else {
            return true;
        };
        knowledge.values.extend(more.values);
        let mut cases: Vec<Vec<(Element, i64)>> = vec![Vec::new()];
        let mut n_cases = 0;
        while let Some(tried) = cases.pop() {
            n_cases += 1;
            if MAX_CASES < n_cases {
                return false;
            }
            let mut values = Values::default();
            let outcome = self.compare(&knowledge, &mut values, &tried, one, other);
            self.n_values += values.len() + 10;
            match outcome {
                Ok(true) | Err(Stuck::Disabled) => (),
                Ok(false) | Err(Stuck::Unclear) => return false,
                Err(Stuck::On(element)) => {
                    let (low, high) = self.bounds(element, one, other);
                    let n_values = high.saturating_sub(low).saturating_add(1);
                    let is_known = tried.iter().any(|&(known, _)| known == element);
                    if MAX_VALUES < n_values || is_known {
                        return false;
                    }
                    let with = |value| [&*tried, &[(element, value)]].concat();
                    cases.extend((low..=high).map(with));
                }
            }
        }
        true
    }

    /// Between which bounds an element is where both transitions are enabled.
    fn bounds(&self, element: Element, one: TransitionId, other: TransitionId) -> (i64, i64) {
        let (mut low, mut high) = self.steps.intervals.always[self.elements.place(element).0];
        for part in [&self.steps.parts[one], &self.steps.parts[other]] {
            if let Some(&(least, greatest)) = part.bounds.get(&element) {
                (low, high) = (low.max(least), high.min(greatest));
            }
        }
        (low, high)
    }

    /// Whether both orders agree where elements have the values that are tried.
    fn compare(
        &self,
        knowledge: &Knowledge<'_>,
        values: &mut Values,
        tried: &[(Element, i64)],
        one: TransitionId,
        other: TransitionId,
    ) -> Result<bool, Stuck> {
        let mut machine =
            Machine { knowledge, values, tried, ignored: &self.steps.ignored, assumed: Vec::new() };
        // Other conjuncts stay as they are.
        let guard = |id: TransitionId, written: &Region| -> Vec<Conjunct> {
            let conjuncts = self.steps.parts[id].conjuncts.iter().map(|&(conjunct, _)| conjunct);
            conjuncts.filter(|&(id, _)| read_by(knowledge, id).meets(written)).collect()
        };
        let parts = &self.steps.parts;
        let guard_one = guard(one, &parts[other].access.written);
        let guard_other = guard(other, &parts[one].access.written);
        let start = State::default();
        machine.enable(&start, &guard_one, true)?;
        machine.enable(&start, &guard_other, true)?;
        let mut ends = [State::default(), State::default()];
        let [first, second] = &mut ends;
        let transitions = &self.program.transitions;
        let orders = [
            (first, [(one, &guard_one), (other, &guard_other)]),
            (second, [(other, &guard_other), (one, &guard_one)]),
        ];
        for (state, order) in orders {
            for (id, guard) in order {
                // A guard that is false behind the other transition: they do not commute.
                match machine.take(state, guard, &transitions[id], false) {
                    Err(Stuck::Disabled) => return Ok(false),
                    outcome => outcome?,
                }
            }
        }
        let [first, second] = ends;
        // Who may move next is no part of a state.
        let (part, with) = (&self.steps.parts[one].access, &self.steps.parts[other].access);
        let counts =
            |element: &Element| part.written.contains(*element) || with.written.contains(*element);
        let mut written: Vec<Element> =
            first.written().chain(second.written()).filter(counts).collect();
        written.sort_unstable();
        written.dedup();
        let is_same =
            |&element: &Element| machine.read(&first, element) == machine.read(&second, element);
        Ok(written.iter().all(is_same))
    }
}

/// Whether a guard asks for the opposite of what the other asks for. Choices are different in
/// each transition.
fn opposite<'a>(one: &'a Part, other: &'a Part) -> bool {
    let safe = |part: &'a Part| part.conjuncts.iter().take(part.n_safe).map(|&(one, _)| one);
    !one.has_choices
        && !other.has_choices
        && safe(one).any(|(id, is_positive)| safe(other).any(|other| other == (id, !is_positive)))
}
