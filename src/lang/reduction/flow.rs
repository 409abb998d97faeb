//! What can be known about all states behind a first one: which transitions can ever be taken,
//! which elements never change, and what else is known where a program counter has a value.
//!
//! A *control* is an element to which only numbers are assigned, and never by an index that is
//! not known: program counters are such. An element is *local* to a control if whoever writes it
//! writes the control too, or asks for one value of it. So what is known about local elements
//! behind such steps stays true as long as the control has that value.
//!
//! It is the least fixed point: nothing can be taken at first, and everything is constant.

use super::access::{Access, Change, access};
use super::elements::{Element, Elements};
use super::known::{Conjunct, Knowledge, Literal, Values, conjuncts};
use crate::id::IdVec;
use crate::lang::program::{Program, TransitionId, VariableId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeMap;

/// After so many passes nothing is claimed to be known.
const MAX_PASSES: usize = 1_000;

/// A control: its values, and what is known about its local elements with each of them.
type Reached = BTreeMap<i64, Values>;

/// What is known about all states behind a first one.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// Whether each transition may be taken.
    pub(super) is_live: IdVec<TransitionId, bool>,
    /// By element: what it is always.
    pub(super) constants: Vec<Option<i64>>,
    pub(super) controls: HashMap<Element, Reached, FxBuildHasher>,
    /// By transition: how many of the first conjuncts of its guard cannot go wrong. One behind
    /// another that may go wrong says nothing: where it is false, there may still be an error.
    pub(super) safe: IdVec<TransitionId, usize>,
    /// By transition: the controls for which its guard asks for one value, and that it leaves.
    stays: IdVec<TransitionId, Vec<(Element, i64)>>,
    /// The controls to which each element is local.
    pub(super) local_to: HashMap<Element, Vec<Element>, FxBuildHasher>,
}

/// Which elements each transition assigns, as far as the text of its effects says so.
struct Assigned {
    /// By transition: the elements that it writes, if all of them are known.
    by: IdVec<TransitionId, Vec<Element>>,
    /// By transition: the controls for which its guard asks for one value, and that it leaves.
    stays: IdVec<TransitionId, Vec<(Element, i64)>>,
    controls: Vec<Element>,
}

impl Assigned {
    fn new(
        program: &Program,
        elements: &Elements,
        ignored: &[VariableId],
        safe: &IdVec<TransitionId, usize>,
    ) -> Self {
        let nothing = vec![None; elements.len()];
        let mut is_written = vec![false; elements.len()];
        let mut is_wild = vec![false; elements.len()];
        let mut by = IdVec::new();
        for transition in &program.transitions {
            let plain = Knowledge::new(program, elements, &nothing);
            let mut own = Vec::new();
            for write in access(plain, transition, ignored).writes {
                let is_number = matches!(write.change, Change::To(_));
                for element in write.range.clone() {
                    is_written[element as usize] = true;
                    is_wild[element as usize] |= !is_number || write.element().is_none();
                }
                own.extend(write.element());
            }
            by.push(own);
        }
        let count = Element::try_from(elements.len()).expect("fewer than 2^32 elements");
        let is_control =
            |&element: &Element| is_written[element as usize] && !is_wild[element as usize];
        let stays = program.transitions.entries().map(|(id, transition)| {
            let plain = Knowledge::new(program, elements, &nothing);
            let conjuncts = conjuncts(program, (transition.guard, true)).into_iter().take(safe[id]);
            let asked = conjuncts.filter_map(|conjunct| {
                let literal = plain.literal(conjunct)?;
                Some((literal.element, literal.value()?))
            });
            let stays =
                |(element, _): &(Element, i64)| is_control(element) && !by[id].contains(element);
            asked.filter(stays).collect()
        });
        let stays = stays.collect();
        Self { by, stays, controls: (0..count).filter(is_control).collect() }
    }

    /// For each element that every writer writes together with controls: these controls.
    fn local_to(&self, n_elements: usize) -> HashMap<Element, Vec<Element>, FxBuildHasher> {
        let mut is_control = vec![false; n_elements];
        self.controls.iter().for_each(|&control| is_control[control as usize] = true);
        let mut local: HashMap<Element, Vec<Element>, FxBuildHasher> = HashMap::default();
        for (own, stays) in self.by.iter().zip(&self.stays) {
            let written = own.iter().copied().filter(|&element| is_control[element as usize]);
            let controls: Vec<Element> =
                written.chain(stays.iter().map(|&(control, _)| control)).collect();
            for &element in own {
                let known = local.entry(element).or_insert_with(|| controls.clone());
                known.retain(|control| controls.contains(control));
            }
        }
        local.iter_mut().for_each(|(element, controls)| controls.retain(|one| one != element));
        local
    }
}

impl Flow {
    /// What is known about states with these values and all states behind them. `ignored` are
    /// variables that may change without being written.
    pub(super) fn new(
        program: &Program,
        elements: &Elements,
        starts: &[Vec<i64>],
        ignored: &[VariableId],
        safe: IdVec<TransitionId, usize>,
    ) -> Self {
        let assigned = Assigned::new(program, elements, ignored, &safe);
        let mut local_to = assigned.local_to(elements.len());
        // An element whose array is written by an unknown index is local to nothing.
        let wild = wild(program, elements);
        local_to.retain(|&element, controls| !wild[element as usize] && !controls.is_empty());
        let nothing = vec![None; elements.len()];
        let mut constants = match starts.first() {
            None => nothing,
            Some(first) => first.iter().copied().map(Some).collect(),
        };
        for start in starts {
            for (constant, value) in constants.iter_mut().zip(start) {
                *constant = constant.filter(|known| known == value);
            }
        }
        for &variable in ignored {
            for element in elements.of(program, variable) {
                constants[element as usize] = None;
            }
        }
        let is_live = IdVec::filled(false, program.transitions.len());
        let controls = assigned.controls.iter().map(|&control| (control, Reached::new())).collect();
        let stays = assigned.stays;
        let mut flow = Self { is_live, constants, controls, safe, stays, local_to };
        for start in starts {
            let values: Values = (0..).zip(start.iter().copied()).collect();
            for &control in &assigned.controls {
                flow.arrive(control, start[control as usize], &values);
            }
        }
        for _ in 0..MAX_PASSES {
            if !flow.pass(program, elements, ignored) {
                return flow;
            }
        }
        flow.is_live = IdVec::filled(true, program.transitions.len());
        flow.constants = vec![None; elements.len()];
        flow.controls.clear();
        flow.local_to.clear();
        flow
    }

    /// Adds what follows for one step more; whether that was anything.
    fn pass(&mut self, program: &Program, elements: &Elements, ignored: &[VariableId]) -> bool {
        let mut has_changed = false;
        for (id, transition) in program.transitions.entries() {
            let Some(knowledge) = self.before(program, elements, id) else { continue };
            let is_false = |&((part, is_positive), _): &(Conjunct, Option<Literal>)| {
                knowledge.value(part).is_some_and(|value| (value != 0) != is_positive)
            };
            if knowledge.conjuncts.iter().take(self.safe[id]).any(is_false) {
                continue;
            }
            let before = knowledge.values.clone();
            let access = access(knowledge, transition, ignored);
            has_changed |= !std::mem::replace(&mut self.is_live[id], true);
            has_changed |= self.take(id, &access, &before);
        }
        has_changed
    }

    /// What is known where a transition is enabled; nothing if it never is.
    pub(super) fn before<'a>(
        &'a self,
        program: &'a Program,
        elements: &'a Elements,
        id: TransitionId,
    ) -> Option<Knowledge<'a>> {
        let mut knowledge = Knowledge::new(program, elements, &self.constants);
        let conjuncts = conjuncts(program, (program.transitions[id].guard, true));
        knowledge.conjuncts = conjuncts.into_iter().map(|conjunct| (conjunct, None)).collect();
        // What a guard says about an index may say what another part of it is about. A conjunct
        // that has been understood stays as it is: it must not follow from itself.
        for _ in 0..2 {
            for position in 0..self.safe[id] {
                let (conjunct, None) = knowledge.conjuncts[position] else { continue };
                let Some(literal) = knowledge.literal(conjunct) else { continue };
                knowledge.conjuncts[position].1 = Some(literal);
                knowledge.assume(literal);
                let Some(reached) = self.controls.get(&literal.element) else { continue };
                let mut values = reached.iter().filter(|(value, _)| literal.is_true(**value));
                let (_, first) = values.next()?;
                if values.next().is_none() {
                    knowledge.values.extend(first);
                }
            }
        }
        let is_false = |literal: Literal| {
            knowledge.of(literal.element).is_some_and(|value| !literal.is_true(value))
        };
        if knowledge.literals().into_iter().any(is_false) { None } else { Some(knowledge) }
    }

    /// Adds what a transition does; whether that was anything new.
    fn take(&mut self, id: TransitionId, access: &Access, before: &Values) -> bool {
        let mut has_changed = false;
        let mut after = before.clone();
        for write in &access.writes {
            for element in write.range.clone() {
                after.remove(&element);
                let slot = &mut self.constants[element as usize];
                let is_same = write.change == slot.map_or(Change::Unknown, Change::To);
                if slot.is_some() && !is_same {
                    *slot = None;
                    has_changed = true;
                }
            }
            if let (Some(element), Change::To(value)) = (write.element(), write.change) {
                after.insert(element, value);
            }
        }
        for (control, value) in self.reached_by(id, access) {
            has_changed |= self.arrive(control, value, &after);
        }
        has_changed
    }

    /// The controls that a transition sets or asks for, and the values that they have behind it.
    pub(super) fn reached_by(&self, id: TransitionId, access: &Access) -> Vec<(Element, i64)> {
        let written = access.writes.iter().filter_map(|write| match write.change {
            Change::To(value) => Some((write.element()?, value)),
            Change::By(_) | Change::Unknown => None,
        });
        let controls = written.filter(|(element, _)| self.controls.contains_key(element));
        controls.chain(self.stays[id].iter().copied()).collect()
    }

    /// A control gets a value, and elements have these; whether that was not known.
    fn arrive(&mut self, control: Element, value: i64, after: &Values) -> bool {
        let Some(reached) = self.controls.get_mut(&control) else { return false };
        let is_local = |element: &Element| {
            self.local_to.get(element).is_some_and(|controls| controls.contains(&control))
        };
        if let Some(known) = reached.get_mut(&value) {
            let n_known = known.len();
            known.retain(|element, value| after.get(element) == Some(value));
            return known.len() < n_known;
        }
        let known = after.iter().filter(|(element, _)| is_local(element));
        reached.insert(value, known.map(|(&element, &value)| (element, value)).collect());
        true
    }

    /// The values of a control, if it is one.
    pub(super) fn values(&self, element: Element) -> Option<impl Iterator<Item = i64>> {
        self.controls.get(&element).map(|reached| reached.keys().copied())
    }
}

/// Which elements are written by an index that is not known.
fn wild(program: &Program, elements: &Elements) -> Vec<bool> {
    let nothing = vec![None; elements.len()];
    let mut wild = vec![false; elements.len()];
    for transition in &program.transitions {
        let plain = Knowledge::new(program, elements, &nothing);
        for write in access(plain, transition, &[]).writes {
            if write.element().is_none() {
                write.range.for_each(|element| wild[element as usize] = true);
            }
        }
    }
    wild
}
