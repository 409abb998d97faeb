//! Elements to locations: what is only passed on the way is left out.

use super::super::names::Map;
use super::{
    Action, Builder, Edge, Element, ElementId, ElementKind, Graph, Hold, Location, LocationId,
};
use crate::id::{Id, IdVec};
use crate::work::tick;

impl Builder<'_> {
    /// The element behind one that is only passed.
    fn behind_passage(&self, at: ElementId) -> Option<ElementId> {
        match self.elements[at].kind {
            ElementKind::Same(next)
            | ElementKind::Jump(next)
            | ElementKind::Join(next)
            | ElementKind::Behind(next) => Some(next),
            _ => None,
        }
    }

    /// What [`Builder::hunt`] finds, for all elements from where no cycle of jumps is
    /// reached. The ends of nested statements follow each other, so we begin behind them and
    /// do not walk through them again for each statement.
    fn hunts(&self) -> IdVec<ElementId, Option<(ElementId, bool)>> {
        let mut before: IdVec<ElementId, Vec<ElementId>> =
            self.elements.ids().map(|_| Vec::new()).collect();
        let mut hunted: IdVec<ElementId, Option<(ElementId, bool)>> =
            self.elements.ids().map(|_| None).collect();
        let mut open = Vec::new();
        for id in self.elements.ids() {
            match self.behind_passage(id) {
                Some(next) => before[next].push(id),
                None => open.push((id, id, false)),
            }
        }
        while let Some((at, target, has_left)) = open.pop() {
            tick();
            let has_left = has_left || self.elements[at].context.hold.is_none();
            hunted[at] = Some((target, has_left));
            open.extend(before[at].iter().map(|&before| (before, target, has_left)));
        }
        hunted
    }

    /// The location at which a process is that goes to `at`, and whether it left what
    /// it had to itself on the way.
    pub(super) fn hunt(&self, at: ElementId) -> (ElementId, bool) {
        if let Some(found) = self.hunted[at] {
            return found;
        }
        let (mut at, mut has_left) = (at, false);
        // A jump to itself is a location.
        for _ in 0..self.elements.len() {
            has_left |= self.elements[at].context.hold.is_none();
            let Some(next) = self.behind_passage(at) else { break };
            at = next;
        }
        (at, has_left)
    }

    /// The steps that begin at an element.
    fn steps(&self, at: ElementId) -> Vec<ElementId> {
        if let ElementKind::Behind(_) = self.elements[at].kind {
            return vec![at];
        }
        let mut steps = Vec::new();
        let mut open = vec![at];
        let mut n_seen = 0;
        while let Some(at) = open.pop() {
            n_seen += 1;
            match &self.elements[at].kind {
                ElementKind::Choice(options) => open.extend(options.iter().rev()),
                ElementKind::Same(next) | ElementKind::Join(next) | ElementKind::Behind(next)
                    if n_seen <= self.elements.len() =>
                {
                    open.push(*next);
                }
                ElementKind::Same(_)
                | ElementKind::Join(_)
                | ElementKind::Behind(_)
                | ElementKind::Goto(_) => (),
                ElementKind::Step(..) | ElementKind::Jump(_) => steps.push(at),
            }
        }
        steps
    }

    /// What may interrupt whatever begins at a location, the innermost first. The
    /// location may stand outside of what is interrupted, if that is the first thing behind
    /// it. Nothing interrupts a `d_step` once it has begun.
    fn escapes(&self, at: ElementId) -> Vec<ElementId> {
        if self.elements[at].context.step_block.is_some() {
            return Vec::new();
        }
        let steps = self.steps(at);
        let of_steps = steps.iter().filter_map(|&step| self.elements[step].context.escape);
        let innermost = of_steps.max_by_key(|&escape| self.escapes[escape].depth);
        let escapes = std::iter::successors(innermost, |&escape| self.escapes[escape].outer);
        escapes.map(|escape| self.escapes[escape].begin).collect()
    }

    pub(super) fn finish(mut self, start: ElementId) -> Graph {
        self.hunted = self.hunts();
        let mut numbers: Map<ElementId, LocationId> = Map::default();
        let mut order = Vec::new();
        let mut number = |element: ElementId, order: &mut Vec<ElementId>| {
            *numbers.entry(element).or_insert_with(|| {
                order.push(element);
                LocationId::new(order.len() - 1)
            })
        };
        let mut locations = IdVec::new();
        let dead = self.dead_variables();
        let start = number(self.hunt(start).0, &mut order);
        let labelled: Vec<(String, LocationId)> = {
            let mut labels: Vec<_> = self.labels.iter().collect();
            labels.sort_unstable();
            let numbered = labels
                .into_iter()
                .map(|(name, &at)| (name.clone(), number(self.hunt(at).0, &mut order)));
            numbered.collect()
        };
        while locations.len() < order.len() {
            let element = order[locations.len()];
            let mut edges = Vec::new();
            let escapes = self.escapes(element);
            let sources = escapes.iter().chain([&element]);
            for (rank, &source) in sources.enumerate() {
                for step in self.steps(source) {
                    let dead = dead[step].clone();
                    edges.push(self.edge(step, rank, dead, |at| number(at, &mut order)));
                }
            }
            locations.push(Location { edges, labels: Vec::new() });
        }
        for (label, location) in &labelled {
            locations[*location].labels.push(label.clone());
        }
        let Self { locals, scopes, .. } = self;
        Graph { locations, start, locals, scopes, labels: labelled.into_iter().collect() }
    }

    fn edge(
        &self,
        step: ElementId,
        rank: usize,
        dead: Vec<usize>,
        mut number: impl FnMut(ElementId) -> LocationId,
    ) -> Edge {
        let Element { kind, context, place, said, .. } = &self.elements[step];
        let (action, next) = match kind {
            ElementKind::Step(action, next) => (*action, *next),
            ElementKind::Jump(next) | ElementKind::Behind(next) => (Action::Jump, *next),
            _ => unreachable!("only steps and jumps are steps"),
        };
        let (mut target, has_left) = self.hunt(next);
        let hold = match (context.hold, self.elements[target].context.hold) {
            (Some(from), Some(to)) if !has_left => from.min(to),
            _ if self.is_merged(step) => Hold::Atomic,
            _ => Hold::None,
        };
        if let Some(place) = self.resting_place(step) {
            target = place;
        }
        Edge {
            action,
            scope: context.scope,
            place: *place,
            said: *said,
            dead,
            target: number(target),
            hold,
            step_block: context.step_block.map(Id::index),
            rank,
        }
    }
}
