//! Fewer states: in each state only those transitions that a question needs.
//!
//! Transitions that commute lead to the same states in every order, so one order is enough, if
//! nothing that is asked about can tell them apart. Sound by construction for formulas without
//! `X`, without fairness and without atoms about steps: *strong stubborn sets* (`stubborn`) of
//! which a candidate that contains something *visible* (`visible`) or *sticky* (`cycles`) is
//! refused ([Val92]). Sticky is a set of transitions without which nothing runs in circles, so nothing is
//! put off for ever, in whatever order states are searched.
//!
//! Before that, what a question does not see of a state is put aside (`unseen`, `mask`): states that
//! differ in nothing else are one.
//!
//! All relations are about the states behind the first ones in which several processes can move
//! (`start`): before these there is nothing to leave out. `flow` and `intervals` find what is known
//! about these states, `access` what transitions read and write, `steps` adds up what is taken as one,
//! `commute` and `conditions` say who gets into whose way, and who helps whom.
//!
//! [Val92]: crate::references::val92

mod access;
mod commute;
mod conditions;
mod cycles;
mod elements;
mod flow;
mod intervals;
mod known;
mod mask;
mod reduced;
mod start;
mod steps;
mod stubborn;
mod symbolic;
mod unseen;
mod visible;

pub(in crate::lang) use mask::Mask;
pub use reduced::Executor;
pub(in crate::lang) use stubborn::Relations;

use super::layout::Layout;
use super::program::{ExpressionId, Program, TransitionId};
use crate::id::IdVec;
use elements::Elements;
use flow::Flow;
use intervals::Intervals;
use steps::Steps;

/// Programs with more transitions than this are not reduced: relations are about pairs of them.
const MAX_TRANSITIONS: usize = 6_000;

impl Relations {
    /// The relations of a program of which these conditions on states are asked; nothing if
    /// reduction is not possible or can leave out nothing.
    #[must_use]
    pub(in crate::lang) fn new(program: &Program, atoms: &[ExpressionId]) -> Option<Self> {
        if MAX_TRANSITIONS < program.transitions.len() {
            return None;
        }
        let layout = Layout::new(program);
        let elements = Elements::new(program);
        let mut ignored = steps::control(program);
        let reads_ignored = |&atom: &ExpressionId| {
            let mut parts = program.parts_of([atom]);
            parts.any(|(_, part)| part.variable().is_some_and(|it| ignored.contains(&it)))
        };
        if atoms.iter().any(reads_ignored) {
            return None;
        }
        ignored.extend(unseen::unseen(program, &layout, atoms));
        let starts = start::starts(program, &layout, &elements)?;
        let learn = |safe: IdVec<TransitionId, usize>| {
            let flow = Flow::new(program, &elements, &starts, &ignored, safe);
            let intervals = Intervals::new(program, &layout, &elements, &flow, (&starts, &ignored));
            (flow, intervals)
        };
        let (mut flow, mut intervals) = learn(steps::safe(program, &layout, None));
        // What has been found may show that more guards cannot go wrong, and then say more.
        let safe = steps::safe(program, &layout, Some((&elements, &flow, &intervals)));
        if safe != flow.safe {
            (flow, intervals) = learn(safe);
        }
        let mut steps = Steps::new(program, &layout, &elements, &flow, (intervals, ignored));
        let is_visible = visible::visible(program, &elements, &flow, &steps, atoms);
        let circles = cycles::sticky(&flow, &steps, &is_visible);
        let cycles::Circles { is_sticky, is_endless } = circles;
        for (id, step) in steps.steps.entries_mut() {
            step.can_fail |= is_endless[id];
        }
        let is_heavy = |id| is_visible[id] || is_sticky[id] || is_endless[id];
        let is_heavy: IdVec<_, bool> = steps.is_live.ids().map(is_heavy).collect();
        if steps.is_live.ids().all(|id| !steps.is_live[id] || is_heavy[id]) {
            return None;
        }
        let dependents = commute::dependents(program, &elements, &flow, &steps);
        let conditions = conditions::Conditions::new(program, &layout, &elements, &flow, &steps);
        Some(Self { dependents, conditions, is_heavy })
    }
}

impl Mask {
    /// What puts back the variables that these conditions do not see, and how many these are;
    /// nothing if there are none.
    #[must_use]
    pub(in crate::lang) fn new(
        program: &Program,
        conditions: &[ExpressionId],
    ) -> Option<(Self, usize)> {
        let layout = Layout::new(program);
        let unseen = unseen::unseen(program, &layout, conditions);
        Some((unseen::mask(program, &layout, &unseen)?, unseen.len()))
    }
}
