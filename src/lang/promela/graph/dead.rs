//! Which variables of a process are not read any more.
//!
//! A variable is *dead* at a place if every way from there writes it before it reads
//! it, or never reads it. As in Spin's verifier, a step resets to zero what it wrote if that is
//! dead behind the step; a condition or a receive also resets what it read. So states that differ in
//! values without a future are the same. This is for single numbers; arrays, records and
//! channels stay as they are, and so does everything inside of `d_step`.

use super::super::ast::{Expression, Initial, Statement};
use super::super::priority;
use super::super::uses::Uses;
use super::live::{Mentions, Place, Way, live_behind};
use super::{Action, Builder, ElementId, ElementKind, EscapeId};
use crate::id::{Id, IdVec};

impl Builder<'_> {
    /// For every element, the variables that are reset behind it.
    pub(super) fn dead_variables(&self) -> IdVec<ElementId, Vec<usize>> {
        let n_elements = self.elements.len();
        if !self.facts.resets || self.locals.is_empty() {
            return (0..n_elements).map(|_| Vec::new()).collect();
        }
        let steps: IdVec<ElementId, Mentions> =
            self.elements.ids().map(|id| self.mentions(id)).collect();
        let live = live_behind(&steps, self.places(), self.locals.len());
        let mut dead = IdVec::new();
        for (id, step) in steps.entries() {
            let element = &self.elements[id];
            let mut here: Vec<usize> = Vec::new();
            if let ElementKind::Step(action, _) = element.kind
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
                here.retain(|local| live[id].binary_search(local).is_err() && is_private(*local));
                here.sort_unstable();
                here.dedup();
            }
            dead.push(here);
        }
        dead
    }

    /// The control flow: the elements, and behind them the lists of what interrupts.
    fn places(&self) -> Vec<Place> {
        let behind = |to: &ElementId| Way { to: to.index(), is_behind: true };
        let n_elements = self.elements.len();
        let interrupting = |escape: EscapeId| n_elements + escape.index();
        let of_elements = self.elements.entries().map(|(id, element)| {
            let mut ways: Vec<Way> = Vec::new();
            match &element.kind {
                ElementKind::Step(Action::End, _) | ElementKind::Goto(_) => (),
                ElementKind::Choice(options) => {
                    ways.extend(options.iter().filter(|&&one| !self.is_never(one)).map(behind));
                }
                ElementKind::Step(_, next) => {
                    ways.push(behind(next));
                    let escape = element.context.escape.map(interrupting);
                    ways.extend(escape.map(|to| Way { to, is_behind: false }));
                }
                ElementKind::Same(next)
                | ElementKind::Jump(next)
                | ElementKind::Join(next)
                | ElementKind::Behind(next) => {
                    ways.push(behind(next));
                }
            }
            Place { element: Some(id), ways }
        });
        let of_escapes = self.escapes.iter().map(|escape| {
            let outer = escape.outer.map(interrupting);
            let to = [Some(escape.begin.index()), outer].into_iter().flatten();
            Place { element: None, ways: to.map(|to| Way { to, is_behind: true }).collect() }
        });
        of_elements.chain(of_escapes).collect()
    }

    /// Whether an element is a condition that is never true.
    fn is_never(&self, id: ElementId) -> bool {
        let element = &self.elements[id];
        let ElementKind::Step(Action::Statement(statement), _) = element.kind else { return false };
        let Statement::Expression(value) = self.module.statements[statement].statement else {
            return false;
        };
        let is_false = self.module.expressions[value].0 == Expression::Number(0);
        is_false && element.context.escape.is_none()
    }

    /// What an element does.
    fn mentions(&self, id: ElementId) -> Mentions {
        let element = &self.elements[id];
        let scope = element.context.scope;
        let number = |id| self.local_number(scope, id);
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        match element.kind {
            ElementKind::Step(Action::Statement(id), _) => {
                let uses = Uses::of_statement(self.module, id);
                reads.extend(uses.reads.into_iter().chain(uses.prints).filter_map(number));
                writes.extend(uses.writes.into_iter().filter_map(number));
                if let Statement::Increment(target, _) = self.module.statements[id].statement {
                    reads.extend(number(target));
                }
            }
            ElementKind::Step(Action::Declare(local), _) => {
                let declaration = &self.locals[local].declaration;
                if let Some(Initial::Value(value)) = declaration.initial {
                    let mut uses = Uses::default();
                    uses.read(self.module, value);
                    reads.extend(uses.reads.into_iter().filter_map(number));
                }
                writes.extend(self.is_number(local).then_some(local));
            }
            _ => (),
        }
        Mentions::new(reads, writes)
    }
}
