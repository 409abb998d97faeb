//! Steps: a transition together with those that follow it before another process can move.
//!
//! Where a program has a [`Control`](crate::lang::program::Control), a transition that sets the
//! holder is followed by others of the process that holds the model then. A step reads, writes and
//! shows what all its parts do.

use super::access::{Access, Change, access};
use super::elements::{Elements, Region};
use super::flow::Flow;
use super::intervals::{Bounded, Intervals, places};
use super::known::{Conjunct, Literal, Values, conjuncts};
use crate::id::{Id, IdVec};
use crate::lang::analyze::{Facts, Passage};
use crate::lang::layout::Layout;
use crate::lang::program::{Effect, ExpressionId, Program, TransitionId, VariableId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A transition by itself.
#[derive(Clone, Debug, Default)]
pub(super) struct Part {
    pub(super) access: Access,
    /// Its guard: those conjuncts that are about a single element with what they say.
    pub(super) conjuncts: Vec<(Conjunct, Option<Literal>)>,
    /// How many of the first of them cannot go wrong.
    pub(super) n_safe: usize,
    /// What these say about single elements.
    pub(super) literals: Vec<Literal>,
    /// Between which bounds indices are, by their expressions.
    pub(super) indices: HashMap<ExpressionId, (i64, i64), FxBuildHasher>,
    /// Between which bounds elements are where it is enabled.
    pub(super) bounds: Bounded,
    pub(super) has_choices: bool,
    can_fail: bool,
    /// Those that follow it at once.
    next: Vec<TransitionId>,
}

/// A transition with what follows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Step {
    /// The transition itself is the first one.
    pub(super) parts: Vec<TransitionId>,
    pub(super) read: Region,
    pub(super) written: Region,
    /// What is read and written behind the first part.
    pub(super) rest_read: Region,
    pub(super) rest_written: Region,
    /// Parts that may follow each other for ever, as far as the order of parts tells.
    pub(super) circle: Vec<TransitionId>,
    /// Whether it may go wrong, apart from going on for ever.
    pub(super) can_fail: bool,
}

/// All steps of a program.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) parts: IdVec<TransitionId, Part>,
    pub(super) steps: IdVec<TransitionId, Step>,
    /// By transition: whether it can ever be taken.
    pub(super) is_live: IdVec<TransitionId, bool>,
    /// Between which bounds elements are.
    pub(super) intervals: Intervals,
    /// Variables that do not count: they say who may move, or are not seen.
    pub(super) ignored: Vec<VariableId>,
}

/// Variables that only say who may move.
pub(super) fn control(program: &Program) -> Vec<VariableId> {
    let control = program.control;
    control.into_iter().flat_map(|it| [Some(it.holder), it.timeout]).flatten().collect()
}

/// By transition: how many of the first conjuncts of its guard cannot go wrong, as far as `flow`
/// and `intervals` tell; without them, as far as the declared bounds tell.
pub(super) fn safe(
    program: &Program,
    layout: &Layout,
    known: Option<(&Elements, &Flow, &Intervals)>,
) -> IdVec<TransitionId, usize> {
    let facts = Facts::new(program, layout);
    let mut passage = Passage::new(program, layout, &facts);
    if let Some((_, _, intervals)) = known {
        passage.set_ranges(intervals.always.clone());
    }
    let mut safe = IdVec::new();
    for (id, transition) in program.transitions.entries() {
        let conjuncts = conjuncts(program, (transition.guard, true));
        let bounds = known.and_then(|(elements, flow, intervals)| {
            let knowledge = flow.before(program, elements, id)?;
            Some(places(elements, &intervals.before(&knowledge)?))
        });
        safe.push(passage.safe_conjuncts(&conjuncts, bounds.unwrap_or_default()));
    }
    safe
}

impl Steps {
    pub(super) fn new(
        program: &Program,
        layout: &Layout,
        elements: &Elements,
        flow: &Flow,
        (intervals, ignored): (Intervals, Vec<VariableId>),
    ) -> Self {
        let facts = Facts::new(program, layout);
        let mut passage = Passage::new(program, layout, &facts);
        passage.set_ranges(intervals.always.clone());
        let mut is_live = flow.is_live.clone();
        let mut parts = IdVec::new();
        for (id, transition) in program.transitions.entries() {
            let before = flow.before(program, elements, id).filter(|_| flow.is_live[id]);
            let before = before.and_then(|knowledge| {
                let bounds = intervals.before(&knowledge)?;
                Some((knowledge, bounds))
            });
            let Some((mut knowledge, bounds)) = before else {
                is_live[id] = false;
                parts.push(Part::default());
                continue;
            };
            let (conjuncts, literals) = (knowledge.conjuncts.clone(), knowledge.literals());
            let can_fail = passage.can_fail(transition, places(elements, &bounds));
            if passage.is_never() && !can_fail {
                is_live[id] = false;
                parts.push(Part::default());
                continue;
            }
            let indices = passage.indices().clone();
            knowledge.indices.clone_from(&indices);
            knowledge.bounds.clone_from(&bounds);
            knowledge.is_safe = !can_fail;
            let has_choices = !transition.choices.is_empty();
            let access = access(knowledge, transition, &ignored);
            let next = Vec::new();
            let n_safe = flow.safe[id];
            let part = Part {
                access,
                conjuncts,
                n_safe,
                literals,
                indices,
                bounds,
                has_choices,
                can_fail,
                next,
            };
            parts.push(part);
        }
        let mut steps = Self { parts, steps: IdVec::new(), is_live, intervals, ignored };
        steps.follow(program);
        steps.join();
        steps
    }

    /// Finds what follows each transition at once.
    fn follow(&mut self, program: &Program) {
        let Some(control) = program.control else { return };
        let mut of_process: HashMap<usize, Vec<TransitionId>, FxBuildHasher> = HashMap::default();
        for (id, transition) in program.transitions.entries() {
            if self.is_live[id] {
                of_process.entry(transition.process.index()).or_default().push(id);
            }
        }
        for (id, transition) in program.transitions.entries() {
            let holder = transition.effects.iter().rev().find_map(|effect| match *effect {
                Effect::Assign(variable, value) if variable == control.holder => Some(value),
                _ => None,
            });
            let Some(holder) = holder else { continue };
            let holder = program.as_constant(holder);
            if !self.is_live[id] || holder == Some(0) {
                continue;
            }
            let owner = holder.and_then(|holder| usize::try_from((holder - 1) / 2).ok());
            let candidates: Vec<TransitionId> = match owner {
                Some(owner) => of_process.get(&owner).cloned().unwrap_or_default(),
                None => of_process.values().flatten().copied().collect(),
            };
            let part = &self.parts[id];
            let values = part.access.writes.iter().filter_map(|write| match write.change {
                Change::To(value) => Some((write.element()?, value)),
                _ => None,
            });
            let values: Values = values.collect();
            let can_follow = |candidate: &TransitionId| {
                self.parts[*candidate].literals.iter().all(|literal| {
                    values.get(&literal.element).is_none_or(|&value| literal.is_true(value))
                })
            };
            let next: Vec<TransitionId> = candidates.into_iter().filter(can_follow).collect();
            let has_to_go_on = holder.is_none_or(|holder| holder % 2 == 0);
            let can_block = has_to_go_on && !self.is_exhaustive(program, &next, &values);
            let part = &mut self.parts[id];
            part.next = next;
            part.can_fail |= can_block;
        }
    }

    /// Whether one of several transitions is enabled wherever elements have these values, as far
    /// as the forms of their guards show it: one has no other condition, or one is the `else` of
    /// the others.
    fn is_exhaustive(&self, program: &Program, next: &[TransitionId], values: &Values) -> bool {
        let is_open = |(_, literal): &&(Conjunct, Option<Literal>)| {
            let value = literal.and_then(|literal| values.get(&literal.element));
            value.zip(*literal).is_none_or(|(&value, literal)| !literal.is_true(value))
        };
        let open: Vec<Vec<Conjunct>> = next
            .iter()
            .map(|&id| {
                let conjuncts = self.parts[id].conjuncts.iter().filter(is_open);
                conjuncts.map(|&(conjunct, _)| conjunct).collect()
            })
            .collect();
        open.iter().any(|own| {
            own.iter()
                .all(|&(id, is_positive)| open.contains(&conjuncts(program, (id, !is_positive))))
        })
    }

    /// Adds up the parts of each step.
    fn join(&mut self) {
        for id in self.parts.ids() {
            let mut step = Step::default();
            let mut open = vec![id];
            while let Some(part) = open.pop() {
                if step.parts.contains(&part) {
                    continue;
                }
                step.parts.push(part);
                let Part { access, can_fail, next, has_choices, .. } = &self.parts[part];
                step.can_fail |= can_fail;
                step.read.add_all(&access.read);
                step.written.add_all(&access.written);
                if part != id || *has_choices {
                    step.rest_read.add_all(&access.read);
                    step.rest_written.add_all(&access.written);
                }
                open.extend(next);
            }
            // The first part may come again, behind itself or others.
            if step.parts.iter().any(|&part| self.parts[part].next.contains(&id)) {
                let Part { access, .. } = &self.parts[id];
                step.rest_read.add_all(&access.read);
                step.rest_written.add_all(&access.written);
            }
            step.circle = self.circle(&step.parts);
            self.steps.push(step);
        }
    }

    /// Those parts that may follow each other for ever.
    fn circle(&self, parts: &[TransitionId]) -> Vec<TransitionId> {
        // What follows nothing is taken away until nothing changes.
        let mut left: Vec<TransitionId> = parts.to_vec();
        loop {
            let n_left = left.len();
            let before = left.clone();
            left.retain(|&part| self.parts[part].next.iter().any(|next| before.contains(next)));
            if left.len() == n_left {
                return left;
            }
        }
    }
}
