//! Which variables of a process nobody reads any more.
//!
//! A variable is *dead* at a place if every way from there writes it before it reads
//! it, or never reads it. As in Spin's verifier, a step resets to zero what it wrote if that is
//! dead behind the step; a condition or a receive also resets what it read. So states that differ in
//! values without a future are the same. This is for single numbers; arrays, records and
//! channels stay as they are, and so does everything inside of `d_step`.

use super::super::ast::{Expression, Initial, Statement};
use super::super::priority;
use super::super::uses::Uses;
use super::{Action, Builder, ElementId, Kind};
use crate::id::IdVec;

/// What an element reads and writes: numbers of variables.
#[derive(Clone, Debug, Default)]
struct Step {
    reads: Vec<usize>,
    writes: Vec<usize>,
}

impl Builder<'_> {
    /// For every element, the variables that are reset behind it.
    pub(super) fn dead_variables(&self) -> IdVec<ElementId, Vec<usize>> {
        let n_elements = self.elements.len();
        if !self.facts.resets || self.locals.is_empty() {
            return (0..n_elements).map(|_| Vec::new()).collect();
        }
        let mut steps: IdVec<ElementId, Step> = IdVec::new();
        for id in self.elements.ids() {
            steps.push(self.step(id));
        }
        let live = self.live(&steps);
        let mut dead = IdVec::new();
        for (id, step) in steps.entries() {
            let element = &self.elements[id];
            let mut here: Vec<usize> = Vec::new();
            if let Kind::Step(action, next) = element.kind
                && element.context.step_block.is_none()
            {
                let resets_reads = match action {
                    Action::Statement(id) => matches!(
                        self.module.statements[id].statement,
                        Statement::Expression(_) | Statement::Receive { .. }
                    ),
                    _ => false,
                };
                let reads = step.reads.iter().filter(|_| resets_reads);
                here.extend(step.writes.iter().chain(reads));
                // Others look at priorities.
                let is_private =
                    |local: usize| self.locals[local].declaration.name.text != priority::PRIORITY;
                here.retain(|&local| !live[next][local] && is_private(local));
                here.sort_unstable();
                here.dedup();
            }
            dead.push(here);
        }
        dead
    }

    /// Which variables are still read, before each element.
    fn live(&self, steps: &IdVec<ElementId, Step>) -> IdVec<ElementId, Vec<bool>> {
        let n_locals = self.locals.len();
        let mut live: IdVec<ElementId, Vec<bool>> = IdVec::new();
        for step in steps {
            let mut here = vec![false; n_locals];
            for &local in &step.reads {
                here[local] = true;
            }
            live.push(here);
        }
        let ids: Vec<ElementId> = self.elements.ids().collect();
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            // What follows mostly has a greater number.
            for &id in ids.iter().rev() {
                let (next, escapes) = self.followers(id);
                let writes = &steps[id].writes;
                let followers = next.iter().map(|&at| (at, true));
                for (at, is_next) in followers.chain(escapes.iter().map(|&at| (at, false))) {
                    for local in 0..n_locals {
                        let is_kept = !is_next || !writes.contains(&local);
                        if live[at][local] && is_kept && !live[id][local] {
                            live[id][local] = true;
                            has_changed = true;
                        }
                    }
                }
            }
        }
        live
    }

    /// The elements behind an element, and those that interrupt it.
    fn followers(&self, id: ElementId) -> (Vec<ElementId>, &[ElementId]) {
        let element = &self.elements[id];
        match &element.kind {
            Kind::Step(Action::End, _) | Kind::Goto(_) => (Vec::new(), &[]),
            Kind::Step(_, next) => (vec![*next], &element.context.escapes),
            Kind::Choice(options) => {
                let possible = options.iter().filter(|&&option| !self.is_never(option));
                (possible.copied().collect(), &[])
            }
            Kind::Same(next) | Kind::Jump(next) | Kind::Join(next) | Kind::Behind(next) => {
                (vec![*next], &[])
            }
        }
    }

    /// Whether an element is a condition that is never true.
    fn is_never(&self, id: ElementId) -> bool {
        let element = &self.elements[id];
        let Kind::Step(Action::Statement(statement), _) = element.kind else { return false };
        let Statement::Expression(value) = self.module.statements[statement].statement else {
            return false;
        };
        let is_false = self.module.expressions[value].0 == Expression::Number(0);
        is_false && element.context.escapes.is_empty()
    }

    /// What an element does.
    fn step(&self, id: ElementId) -> Step {
        let element = &self.elements[id];
        let scope = element.context.scope;
        let number = |id| self.local_number(scope, id);
        let mut step = Step::default();
        match element.kind {
            Kind::Step(Action::Statement(id), _) => {
                let uses = Uses::of_statement(self.module, id);
                step.reads.extend(uses.reads.into_iter().chain(uses.prints).filter_map(number));
                step.writes.extend(uses.writes.into_iter().filter_map(number));
                if let Statement::Increment(target, _) = self.module.statements[id].statement {
                    step.reads.extend(number(target));
                }
            }
            Kind::Step(Action::Declare(local), _) => {
                let declaration = &self.locals[local].declaration;
                if let Some(Initial::Value(value)) = declaration.initial {
                    let mut uses = Uses::default();
                    uses.read(self.module, value);
                    step.reads.extend(uses.reads.into_iter().filter_map(number));
                }
                step.writes.extend(self.is_number(local).then_some(local));
            }
            _ => (),
        }
        step
    }
}
