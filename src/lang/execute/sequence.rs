//! The steps of a program in which a process may hold the model (`atomic`, `d_step`): all ways
//! from the first transition of a step to its ends, by plain breadth-first search.
//!
//! Written from the definition of [`Control`]. Compiled code runs such sequences with code of its
//! own (`compile/sequence.rs`), so that each of the two can be tested by the other.

use super::Interpreter;
use crate::lang::program::{Control, Values};
use crate::system::{Fault, FaultKind, StepError, TransitionId};
use std::collections::HashSet;

/// A transition that is enabled, and the values behind it or what goes wrong in it.
pub(super) type Move = (TransitionId, Result<Values, StepError>);

/// A step as a search sees it: its first transition, and the state behind the last one.
pub(super) type WholeStep = (TransitionId, Result<Box<[u64]>, StepError>);

/// A transition within a step.
#[derive(Clone, Debug)]
struct Taken {
    transition: TransitionId,
    /// The number of the transition before it; nothing for the first one of the step.
    before: Option<usize>,
    /// The state behind it, the holder included.
    after: Box<[u64]>,
}

/// All ways on from the first transition of a step.
#[derive(Debug, Default)]
pub(super) struct Ways {
    taken: Vec<Taken>,
    known: HashSet<Box<[u64]>>,
    /// Numbers of transitions behind which a process holds the model.
    held: Vec<usize>,
    /// Numbers of transitions behind which the step ends.
    ends: Vec<usize>,
    /// The first error, and the number of the transition before it.
    error: Option<(Option<usize>, StepError)>,
}

impl Ways {
    fn reach(&mut self, taken: Taken, is_held: bool) {
        if self.known.insert(taken.after.clone()) {
            let list = if is_held { &mut self.held } else { &mut self.ends };
            list.push(self.taken.len());
            self.taken.push(taken);
        }
    }

    /// The transitions of the way to the end `target`.
    pub(super) fn to_end(&self, target: &[u64]) -> Option<Vec<TransitionId>> {
        let end = self.ends.iter().find(|&&end| *self.taken[end].after == *target)?;
        Some(self.way(Some(*end)))
    }

    /// The transitions of the way to the error, if `wrong` is the transition that goes wrong.
    pub(super) fn to_error(&self, wrong: TransitionId) -> Option<Vec<TransitionId>> {
        let (before, error) = self.error.as_ref()?;
        let mut way = self.way(*before);
        way.push(wrong);
        (error.transition() == Some(wrong)).then_some(way)
    }

    fn way(&self, last: Option<usize>) -> Vec<TransitionId> {
        let numbers = std::iter::successors(last, |&number| self.taken[number].before);
        let mut way: Vec<_> = numbers.map(|number| self.taken[number].transition).collect();
        way.reverse();
        way
    }
}

impl Interpreter<'_> {
    /// All steps from a state, beginning with the transitions of the lane `first`. What goes
    /// wrong behind a first transition comes after all its ends.
    pub(super) fn whole_steps(
        &self,
        control: Control,
        state: &[u64],
        first: u32,
    ) -> Vec<WholeStep> {
        let mut steps = Vec::new();
        for (transition, outcome) in self.moves(control, state, first).1 {
            match outcome {
                Err(error) => steps.push((transition, Err(error))),
                Ok(after) => {
                    let ways = self.ways(control, transition, after);
                    let ends = ways.ends.iter().map(|&end| Ok(ways.taken[end].after.clone()));
                    let error = ways.error.map(|(_, error)| Err(error));
                    steps.extend(ends.chain(error).map(|outcome| (transition, outcome)));
                }
            }
        }
        steps
    }

    /// The single transitions from a state in which no process holds the model, and the values
    /// before them: if none is enabled, those with `timeout` set.
    pub(super) fn moves(&self, control: Control, state: &[u64], first: u32) -> (Values, Vec<Move>) {
        let lanes = (0..self.lanes.len()).map(|turn| (first as usize + turn) % self.lanes.len());
        let ids: Vec<TransitionId> = lanes.flat_map(|lane| &self.lanes[lane]).copied().collect();
        let mut values = self.values(state);
        let mut moves = self.enabled(&ids, &values);
        if let (true, Some(timeout)) = (moves.is_empty(), control.timeout) {
            values.set(timeout, 0, 1);
            moves = self.enabled(&ids, &values);
        }
        (values, moves)
    }

    fn enabled(&self, ids: &[TransitionId], values: &Values) -> Vec<Move> {
        let moves = ids.iter().filter_map(|&id| {
            let fired = self.fire(&self.program.transitions[id], values, &[]).transpose()?;
            Some((id, fired.map_err(|failure| failure.of(id))))
        });
        moves.collect()
    }

    /// All ways on behind the first transition of a step.
    pub(super) fn ways(&self, control: Control, first: TransitionId, mut after: Values) -> Ways {
        if let Some(timeout) = control.timeout {
            after.set(timeout, 0, 0);
        }
        let mut ways = Ways::default();
        let reach = |ways: &mut Ways, transition, before, after: &Values| {
            let is_held = after.value(control.holder, 0) != 0;
            ways.reach(Taken { transition, before, after: self.packed(after) }, is_held);
        };
        let fault = |rule| Fault { kind: FaultKind::Rule(rule), transition: Some(first) }.into();
        reach(&mut ways, first, None, &after);
        let mut n_expanded = 0;
        while let Some(&number) = ways.held.get(n_expanded) {
            n_expanded += 1;
            let Taken { transition, before, ref after } = ways.taken[number];
            let mut values = self.values(after);
            let holder = values.value(control.holder, 0);
            values.set(control.holder, 0, 0);
            let owner = usize::try_from((holder - 1) / 2).unwrap_or(usize::MAX);
            let has_to_go_on = holder % 2 == 0;
            let moves = self.enabled(&self.of_process[owner], &values);
            if moves.is_empty() && has_to_go_on {
                ways.error.get_or_insert_with(|| (None, fault("a d_step blocks")));
            } else if moves.is_empty() {
                // The process loses the model where it cannot go on.
                reach(&mut ways, transition, before, &values);
            }
            for (id, outcome) in moves {
                match outcome {
                    Ok(after) => reach(&mut ways, id, Some(number), &after),
                    Err(error) => drop(ways.error.get_or_insert((Some(number), error))),
                }
            }
        }
        if ways.ends.is_empty() {
            ways.error.get_or_insert_with(|| (None, fault("an atomic sequence never ends")));
        }
        ways
    }
}
