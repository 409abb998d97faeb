//! Which steps of a process are one step, as in Spin.
//!
//! A step that only concerns its own process and cannot be blocked is *quiet*: an
//! assignment, an assertion, something printed, a jump. Inside of `atomic` every
//! such step is quiet, since no other process moves. No process can tell the states between
//! two quiet steps that follow each other from their neighbours, so both are one step;
//! and a condition, a receive or a send that only concerns the process takes quiet
//! steps behind it along. A step ends before
//!
//! - a label, since a process may jump to it or stop there, and a formula may ask for it,
//! - a choice, a loop or a block, `else`, `run`,
//! - whatever stands before an `unless`,
//! - the end of a loop that is also the end of an `atomic`: Spin marks the places
//!   behind loops with labels of its own.
//!
//! No cycle consists of quiet steps, because one of them would have a label or be the
//! beginning of a loop. So to merge two steps is nothing but to go on without letting others
//! move in between, and an edge between merged steps *holds* the model like one inside
//! of `atomic` does. The analysis is the one of Spin's verifier (statement merging, on
//! unless `spin -o3` is given).

use super::super::ast::{Expression, Statement};
use super::{Action, Builder, Element, ElementId, ElementKind};

impl Builder<'_> {
    /// Whether an element is in an atomic sequence, and not the last one there.
    fn is_inside(&self, at: ElementId) -> bool {
        let mut at = at;
        for _ in 0..self.elements.len() {
            match self.elements[at].kind {
                ElementKind::Same(next) => at = next,
                _ => break,
            }
        }
        let element = &self.elements[at];
        element.context.hold.is_some() && !element.is_last
    }

    /// Where a process goes to that goes to `at`: the places that it passes on the way
    /// which are places of their own for Spin, and the location. On the way out of an atomic
    /// sequence such a place is the last one inside.
    fn passed(&self, is_inside: bool, at: ElementId) -> (Vec<ElementId>, ElementId) {
        if !is_inside {
            return (Vec::new(), self.hunt(at).0);
        }
        let (mut is_inside, mut at, mut passed) = (is_inside, at, Vec::new());
        for _ in 0..self.elements.len() {
            let next = match self.elements[at].kind {
                ElementKind::Same(next) => {
                    at = next;
                    continue;
                }
                ElementKind::Jump(next) | ElementKind::Join(next) | ElementKind::Behind(next) => {
                    next
                }
                _ => break,
            };
            if is_inside && !self.is_inside(next) {
                passed.push(at);
                is_inside = self.is_inside(at);
            }
            at = next;
        }
        (passed, at)
    }

    /// Whether the step that follows a step belongs to it.
    pub(super) fn is_merged(&self, step: ElementId) -> bool {
        if !self.facts.merges {
            return false;
        }
        let (mut begins, mut before) = (self.takes_along(step), step);
        let (ElementKind::Step(_, mut next) | ElementKind::Jump(mut next)) =
            self.elements[step].kind
        else {
            return false;
        };
        if let Some(block) = self.elements[step].context.step_block {
            // All of a `d_step` is one step, which takes nothing along.
            let Some(&behind) = self.behind_steps.get(&block) else { return false };
            (begins, before, next) = (false, block, behind);
        }
        let (passed, at) = self.passed(self.is_inside(before), next);
        let begins = passed.last().map_or(begins, |&last| self.is_quiet(last));
        begins && self.is_quiet(at)
    }

    /// Where a process rests on its way out of an atomic sequence. That happens if a step is
    /// merged with a `break` out of a loop around the sequence: then Spin goes to the place behind the
    /// loop, from where it takes a step of its own to go on.
    pub(super) fn resting_place(&self, step: ElementId) -> Option<ElementId> {
        let ElementKind::Step(_, next) = self.elements[step].kind else { return None };
        let is_in_step = self.elements[step].context.step_block.is_some();
        if !self.facts.merges || is_in_step || !self.is_inside(step) {
            return None;
        }
        let (passed, _) = self.passed(true, next);
        let at = passed.iter().position(|&place| !self.is_quiet(place)).filter(|&at| 0 < at)?;
        let begins = match at.checked_sub(2) {
            Some(before) => self.is_quiet(passed[before]),
            None => self.takes_along(step),
        };
        let place = passed[at];
        (begins && self.elements[place].context.hold.is_none()).then_some(place)
    }

    /// Whether a step may be the first one of several.
    fn takes_along(&self, step: ElementId) -> bool {
        let Element { kind, context, labels, .. } = &self.elements[step];
        let ElementKind::Step(Action::Statement(id), _) = kind else { return self.is_quiet(step) };
        let is_candidate = match &self.module.statements[*id].statement {
            Statement::Expression(value) => {
                !matches!(self.module.expressions[*value].0, Expression::Run { .. })
            }
            Statement::Receive { .. } => true,
            Statement::Send { .. } => !self.facts.has_rendezvous,
            _ => return self.is_quiet(step),
        };
        let is_asked = |label: &String| self.module.needs.has_label(&self.process, label);
        is_candidate
            && context.escape.is_none()
            && !labels.iter().any(is_asked)
            && (context.hold.is_some() || !self.is_shared_statement(*id, context.scope))
    }

    /// Whether a step cannot be blocked and concerns no other process.
    fn is_quiet(&self, at: ElementId) -> bool {
        let Element { kind, context, labels, .. } = &self.elements[at];
        if context.escape.is_some() || !labels.is_empty() {
            return false;
        }
        match kind {
            ElementKind::Jump(_) | ElementKind::Join(_) => true,
            ElementKind::Step(Action::Declare(local), _) => {
                context.hold.is_some() || !self.is_shared_declaration(*local, context.scope)
            }
            ElementKind::Step(Action::Statement(id), _) => {
                let is_candidate = matches!(
                    self.module.statements[*id].statement,
                    Statement::Assign(..)
                        | Statement::Increment(..)
                        | Statement::Assert(_)
                        | Statement::Print { .. }
                        | Statement::PrintSymbol(_)
                );
                is_candidate
                    && (context.hold.is_some() || !self.is_shared_statement(*id, context.scope))
            }
            _ => false,
        }
    }
}
