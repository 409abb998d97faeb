//! Between which bounds elements are: always, and where a program counter has a value.
//!
//! Found as the least fixed point over all transitions that can be taken. A bound that goes on
//! moving jumps to the next number that the program mentions, so an end comes soon.

use super::access::access;
use super::elements::{Element, Elements};
use super::flow::Flow;
use super::known::Knowledge;
use crate::id::IdVec;
use crate::lang::analyze::{Facts, Passage};
use crate::lang::layout::Layout;
use crate::lang::program::{Expression, Program, TransitionId, VariableId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A bound that has moved so often moves in jumps from then on.
const PATIENCE: u32 = 4;

/// After so many rounds nothing is claimed but what is declared.
const MAX_ROUNDS: usize = 400;

/// At most so many bounds are kept for values of program counters.
const MAX_BOUNDS: usize = 1_000_000;

/// The least and the greatest value.
pub(super) type Bounds = (i64, i64);

/// Bounds of elements, by element.
pub(super) type Bounded = HashMap<Element, Bounds, FxBuildHasher>;

/// Between which bounds elements are in all states behind the first ones.
#[derive(Clone, Debug)]
pub(super) struct Intervals {
    /// By variable: always.
    pub(super) always: IdVec<VariableId, Bounds>,
    /// By control: its local elements.
    locals: HashMap<Element, Vec<Element>, FxBuildHasher>,
    /// By control and its value: the bounds of its local elements, and how often each moved.
    at: HashMap<(Element, i64), Vec<(Bounds, u32)>, FxBuildHasher>,
}

fn hull(one: Bounds, other: Bounds) -> Bounds {
    (one.0.min(other.0), one.1.max(other.1))
}

/// A transition that can be taken: what is known before it, and the controls with their values
/// behind it.
struct Live<'a> {
    id: TransitionId,
    knowledge: Knowledge<'a>,
    reached: Vec<(Element, i64)>,
}

/// Numbers at which a moving bound may rest.
struct Marks(Vec<i64>);

impl Marks {
    fn new(program: &Program) -> Self {
        let mut marks = Vec::new();
        for id in program.expression_ids() {
            if let Expression::Constant(value) = program.view(id) {
                marks.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
            }
        }
        marks.sort_unstable();
        marks.dedup();
        Self(marks)
    }

    /// Bounds around `new`, which are wider than `old`, within those that are declared.
    fn widened(&self, old: Bounds, new: Bounds, declared: Bounds) -> Bounds {
        let below = self.0.partition_point(|&mark| mark <= new.0).checked_sub(1);
        let below = below.map_or(declared.0, |place| self.0[place].max(declared.0));
        let above = self.0.partition_point(|&mark| mark < new.1);
        let above = self.0.get(above).map_or(declared.1, |&mark| mark.min(declared.1));
        (if new.0 < old.0 { below } else { old.0 }, if old.1 < new.1 { above } else { old.1 })
    }
}

impl Intervals {
    /// What is known behind these states.
    pub(super) fn new(
        program: &Program,
        layout: &Layout,
        elements: &Elements,
        flow: &Flow,
        (starts, ignored): (&[Vec<i64>], &[VariableId]),
    ) -> Self {
        let mut locals: HashMap<Element, Vec<Element>, FxBuildHasher> = HashMap::default();
        for (&element, controls) in &flow.local_to {
            for &control in controls {
                locals.entry(control).or_default().push(element);
            }
        }
        locals.values_mut().for_each(|own| own.sort_unstable());
        let n_bounds: usize = flow
            .controls
            .iter()
            .map(|(control, reached)| locals.get(control).map_or(0, Vec::len) * reached.len())
            .sum();
        if MAX_BOUNDS < n_bounds {
            locals.clear();
        }
        let mut always = IdVec::new();
        for (id, variable) in program.variables.entries() {
            let values = starts
                .iter()
                .flat_map(|start| elements.of(program, id).map(|element| start[element as usize]));
            let range = values.map(|value| (value, value)).reduce(hull);
            let declared = (variable.low, variable.high);
            always.push(range.filter(|_| !ignored.contains(&id)).unwrap_or(declared));
        }
        let mut found = Self { always, locals, at: HashMap::default() };
        for start in starts {
            for (&control, own) in &found.locals {
                let bounds = own.iter().map(|&element| start[element as usize]);
                let bounds: Vec<(Bounds, u32)> = bounds.map(|value| ((value, value), 0)).collect();
                let known = found.at.entry((control, start[control as usize]));
                let known = known.or_insert_with(|| bounds.clone());
                for (known, (new, _)) in known.iter_mut().zip(bounds) {
                    known.0 = hull(known.0, new);
                }
            }
        }
        if !found.settle(program, layout, (elements, flow), ignored) {
            let declared = program.variables.iter().map(|it| (it.low, it.high));
            found.always = declared.collect();
            found.locals.clear();
            found.at.clear();
        }
        found
    }

    /// Takes all transitions until nothing changes; whether that came to an end.
    fn settle(
        &mut self,
        program: &Program,
        layout: &Layout,
        (elements, flow): (&Elements, &Flow),
        ignored: &[VariableId],
    ) -> bool {
        let facts = Facts::new(program, layout);
        let mut passage = Passage::new(program, layout, &facts);
        let marks = Marks::new(program);
        let mut moved: IdVec<VariableId, u32> = IdVec::filled(0, program.variables.len());
        let live: Vec<Live<'_>> = program
            .transitions
            .ids()
            .filter(|&id| flow.is_live[id])
            .filter_map(|id| {
                let knowledge = flow.before(program, elements, id)?;
                let access = access(knowledge.clone(), &program.transitions[id], ignored);
                let reached = flow.reached_by(id, &access);
                Some(Live { id, knowledge, reached })
            })
            .collect();
        for _ in 0..MAX_ROUNDS {
            let mut has_changed = false;
            passage.set_ranges(self.always.clone());
            for Live { id, knowledge, reached } in &live {
                let Some(before) = self.before(knowledge) else { continue };
                passage.can_fail(&program.transitions[*id], places(elements, &before));
                if passage.is_never() {
                    continue;
                }
                let assigned = passage.assigned().iter();
                for &(variable, bounds) in assigned.filter(|(it, _)| !ignored.contains(it)) {
                    let known = self.always[variable];
                    let mut wide = hull(known, bounds);
                    if wide != known {
                        let declared = &program.variables[variable];
                        moved[variable] += 1;
                        if PATIENCE < moved[variable] {
                            wide = marks.widened(known, wide, (declared.low, declared.high));
                        }
                        self.always[variable] = wide;
                        has_changed = true;
                    }
                }
                for &(control, value) in reached {
                    let after = |element| passage.bound(place(elements, element));
                    has_changed |= self.arrive(program, elements, &marks, (control, value), after);
                }
            }
            if !has_changed {
                return true;
            }
        }
        false
    }

    /// Adds what local elements are where a control has a value; whether that was not known.
    fn arrive(
        &mut self,
        program: &Program,
        elements: &Elements,
        marks: &Marks,
        (control, value): (Element, i64),
        after: impl Fn(Element) -> Bounds,
    ) -> bool {
        let Some(own) = self.locals.get(&control) else { return false };
        let Some(known) = self.at.get_mut(&(control, value)) else {
            let bounds = own.iter().map(|&element| (after(element), 0)).collect();
            self.at.insert((control, value), bounds);
            return true;
        };
        let mut has_changed = false;
        for (&element, (known, n_moves)) in own.iter().zip(known) {
            let mut wide = hull(*known, after(element));
            if wide == *known {
                continue;
            }
            *n_moves += 1;
            if PATIENCE < *n_moves {
                let declared = &program.variables[elements.place(element).0];
                wide = marks.widened(*known, wide, (declared.low, declared.high));
            }
            *known = wide;
            has_changed = true;
        }
        has_changed
    }

    /// Between which bounds elements are where a guard is true; nothing if it never is.
    pub(super) fn before(&self, knowledge: &Knowledge<'_>) -> Option<Bounded> {
        let mut bounded = Bounded::default();
        let literals = knowledge.literals();
        for literal in &literals {
            let Some(own) = self.locals.get(&literal.element) else { continue };
            // Other conditions name too many values to be looked at, or none.
            let Some(value) = literal.value() else { continue };
            let known = self.at.get(&(literal.element, value))?;
            for (&element, &(bounds, _)) in own.iter().zip(known) {
                narrow(&mut bounded, element, bounds);
            }
        }
        for literal in literals.iter().filter(|literal| !literal.is_outside) {
            let always = self.always[knowledge.elements.place(literal.element).0];
            narrow(&mut bounded, literal.element, always);
            narrow(&mut bounded, literal.element, (literal.low, literal.high));
        }
        for (&element, &value) in &knowledge.values {
            narrow(&mut bounded, element, (value, value));
        }
        let is_possible = bounded.values().all(|&(low, high)| low <= high);
        is_possible.then_some(bounded)
    }
}

/// Adds bounds of an element to those that are known.
fn narrow(bounded: &mut Bounded, element: Element, (low, high): Bounds) {
    let known = bounded.entry(element).or_insert((low, high));
    *known = (known.0.max(low), known.1.min(high));
}

/// The variable of an element, and its index.
fn place(elements: &Elements, element: Element) -> (VariableId, i64) {
    let (variable, index) = elements.place(element);
    (variable, i64::try_from(index).unwrap_or(i64::MAX))
}

/// The same bounds, by variable and index.
pub(super) fn places(elements: &Elements, bounded: &Bounded) -> Vec<((VariableId, i64), Bounds)> {
    let bounds = bounded.iter().map(|(&element, &bounds)| (place(elements, element), bounds));
    bounds.collect()
}
