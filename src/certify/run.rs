//! Replays a run on the model that it is said to be a run of.
//!
//! Knows transition systems and nothing of what found the run: no product, no
//! store, no search. It asks the system for the successors of every state of
//! the run, one after the other, and compares.

use crate::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};

/// A state of a run, and how the run goes on from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<'a> {
    /// The packed state.
    pub state: &'a [u64],
    /// The transitions of which one is taken; nothing if the run stays here
    /// because there is none to take.
    pub taken: Option<&'a [TransitionId]>,
}

/// How a run goes on behind its last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the step at this position, for ever.
    Cycle {
        /// The position, counted from 0.
        start: usize,
    },
    /// It does not: the last state has no successor.
    Deadlock,
    /// It does not: the transition taken in the last state goes wrong.
    Fault,
    /// Nobody knows: what the last step takes is not looked at.
    Open,
}

/// Why a sequence of states is not a run of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// There are no states, or the cycle begins behind the last one.
    #[error("there is no such step")]
    Missing,
    /// A state has another number of words than the states of the model.
    #[error("this is not a state of the model")]
    Foreign,
    /// The first state is no initial state.
    #[error("this is not an initial state")]
    NotInitial,
    /// None of the transitions is enabled.
    #[error("no such transition is enabled here")]
    NotEnabled,
    /// The transitions are enabled, but none leads to the next state.
    #[error("no such transition leads from here to the next state")]
    OtherTarget,
    /// The run stays in a state that has a successor.
    #[error("the run stays here, but this is not a deadlock")]
    NoDeadlock,
    /// The run leaves a state without a transition.
    #[error("no transition is taken, but the next state differs")]
    Moved,
    /// The last step was to go wrong, but it does not.
    #[error("no such transition goes wrong here")]
    NoFault,
    /// The model goes wrong instead.
    #[error("the model goes wrong here: {0}")]
    Fault(Fault),
    /// The system was opened with too little room for the run.
    #[error("the system is too small for this step")]
    Room,
}

impl From<StepError> for Reason {
    fn from(error: StepError) -> Self {
        error.fault().map_or(Self::Room, Self::Fault)
    }
}

/// A sequence of states is not a run of a model: where, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("step {position}: {reason}")]
pub struct NotARun {
    /// The step, counted from 0.
    pub position: usize,
    /// What is wrong with it.
    pub reason: Reason,
}

/// Passes if `steps` are a run of `system`: the first state is initial, every
/// step takes one of its transitions to exactly the next state, the cycle
/// closes, and the run stays only where there is no transition. Returns the
/// transition of every step.
///
/// # Errors
///
/// If they are none.
pub fn is_run(
    system: &mut impl TransitionSystem,
    steps: &[Step<'_>],
    ending: Ending,
) -> Result<Vec<Option<TransitionId>>, NotARun> {
    let not_a_run = |position| move |reason| NotARun { position, reason };
    let Some((first, last)) = steps.first().zip(steps.len().checked_sub(1)) else {
        return Err(NotARun { position: 0, reason: Reason::Missing });
    };
    if let Some(position) = steps.iter().position(|step| step.state.len() != system.n_words()) {
        return Err(NotARun { position, reason: Reason::Foreign });
    }
    if !system.initial_states().iter().any(|state| **state == *first.state) {
        return Err(NotARun { position: 0, reason: Reason::NotInitial });
    }
    let mut found = Vec::with_capacity(steps.len());
    for (position, pair) in steps.windows(2).enumerate() {
        found.push(step(system, pair[0], pair[1].state).map_err(not_a_run(position))?);
    }
    let end = steps[last];
    let last_found = match ending {
        Ending::Cycle { start } => match steps.get(start) {
            Some(next) => step(system, end, next.state),
            None => Err(Reason::Missing),
        },
        Ending::Deadlock => stays(system, end.state).map(|()| None),
        Ending::Fault => goes_wrong(system, end).map(Some),
        Ending::Open => Ok(None),
    };
    found.push(last_found.map_err(not_a_run(last))?);
    Ok(found)
}

/// The transition of `step` that leads to `next`.
fn step(
    system: &mut impl TransitionSystem,
    step: Step<'_>,
    next: &[u64],
) -> Result<Option<TransitionId>, Reason> {
    let Some(taken) = step.taken else {
        stays(system, step.state)?;
        return if step.state == next { Ok(None) } else { Err(Reason::Moved) };
    };
    let mut target = vec![0; system.n_words()];
    let mut reason = Reason::NotEnabled;
    let mut cursor = beginning_with(system, taken);
    loop {
        let before = cursor;
        match system.next(step.state, &mut cursor, &mut target) {
            Ok(None) => return Err(reason),
            Ok(Some(transition)) if taken.contains(&transition) => {
                if *target == *next {
                    return Ok(Some(transition));
                }
                reason = Reason::OtherTarget;
            }
            Ok(Some(_)) => (),
            // Other transitions may go wrong, as long as the system can go on behind them.
            Err(error) if cursor == before => return Err(error.into()),
            Err(error) => {
                let is_taken = error.transition().is_some_and(|id| taken.contains(&id));
                if reason == Reason::NotEnabled && is_taken {
                    reason = error.into();
                }
            }
        }
    }
}

/// Passes if `state` has no successor.
fn stays(system: &mut impl TransitionSystem, state: &[u64]) -> Result<(), Reason> {
    let mut target = vec![0; system.n_words()];
    match system.next(state, &mut Cursor::default(), &mut target) {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(Reason::NoDeadlock),
        Err(error) => Err(error.into()),
    }
}

/// The transition of `step` that goes wrong.
fn goes_wrong(system: &mut impl TransitionSystem, step: Step<'_>) -> Result<TransitionId, Reason> {
    let taken = step.taken.unwrap_or_default();
    let mut target = vec![0; system.n_words()];
    let mut cursor = beginning_with(system, taken);
    loop {
        let before = cursor;
        match system.next(step.state, &mut cursor, &mut target) {
            Ok(None) => return Err(Reason::NoFault),
            Ok(Some(_)) => (),
            Err(error) => match error.transition() {
                Some(transition) if taken.contains(&transition) => return Ok(transition),
                _ if cursor == before => return Err(error.into()),
                _ => (),
            },
        }
    }
}

/// The successors, those of the lane of the first of `transitions` first.
fn beginning_with(system: &impl TransitionSystem, transitions: &[TransitionId]) -> Cursor {
    transitions
        .first()
        .map_or_else(Cursor::default, |&transition| Cursor::starting_with(system.lane(transition)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;
    use crate::system::FaultKind;
    use crate::word::AtomId;

    /// A counter from 0 to 3. Transition 0 adds one, transition 1 goes back
    /// from 2 to 0, and transition 2 goes wrong at 1.
    struct Counter;

    impl TransitionSystem for Counter {
        fn n_words(&self) -> usize {
            1
        }

        fn initial_states(&self) -> Vec<Box<[u64]>> {
            vec![Box::new([0])]
        }

        fn n_lanes(&self) -> u32 {
            1
        }

        fn lane(&self, _: TransitionId) -> u32 {
            0
        }

        fn next(
            &mut self,
            state: &[u64],
            cursor: &mut Cursor,
            target: &mut [u64],
        ) -> Result<Option<TransitionId>, StepError> {
            while cursor.position < 3 {
                cursor.position += 1;
                let id = TransitionId::new(cursor.position as usize - 1);
                match (cursor.position, state[0]) {
                    (1, 0..3) => target[0] = state[0] + 1,
                    (2, 2) => target[0] = 0,
                    (3, 1) => {
                        let kind = FaultKind::DivisionByZero;
                        return Err(Fault { kind, transition: Some(id) }.into());
                    }
                    _ => continue,
                }
                return Ok(Some(id));
            }
            Ok(None)
        }

        fn observe(&mut self, _: &[u64], _: &mut [u64]) -> Result<(), Fault> {
            Ok(())
        }

        fn observe_atom(&mut self, _: &[u64], _: AtomId) -> Result<bool, Fault> {
            Ok(false)
        }
    }

    /// Checks states and the transitions taken in them.
    #[track_caller]
    fn check(
        steps: &[(u64, Option<usize>)],
        ending: Ending,
        expected: &Result<(), (usize, Reason)>,
    ) {
        let taken: Vec<Option<[TransitionId; 1]>> =
            steps.iter().map(|step| step.1.map(|id| [TransitionId::new(id)])).collect();
        let states: Vec<[u64; 1]> = steps.iter().map(|step| [step.0]).collect();
        let steps: Vec<Step<'_>> = states
            .iter()
            .zip(&taken)
            .map(|(state, taken)| Step { state, taken: taken.as_ref().map(<[_; 1]>::as_slice) })
            .collect();
        let found = is_run(&mut Counter, &steps, ending).map(|_| ());
        assert_eq!(&found.map_err(|error| (error.position, error.reason)), expected);
    }

    #[test]
    fn runs_pass() {
        let (add, back) = (Some(0), Some(1));
        check(&[(0, add), (1, add), (2, back)], Ending::Cycle { start: 0 }, &Ok(()));
        let to_the_end = [(0, add), (1, add), (2, add), (3, None)];
        check(&to_the_end, Ending::Cycle { start: 3 }, &Ok(()));
        check(&to_the_end, Ending::Deadlock, &Ok(()));
        check(&[(0, add), (1, Some(2))], Ending::Fault, &Ok(()));
        check(&[(0, add), (1, None)], Ending::Open, &Ok(()));
    }

    #[test]
    fn others_do_not() {
        let (add, back) = (Some(0), Some(1));
        let cycle = Ending::Cycle { start: 0 };
        check(&[], cycle, &Err((0, Reason::Missing)));
        check(&[(0, add)], Ending::Cycle { start: 1 }, &Err((0, Reason::Missing)));
        check(&[(1, add)], cycle, &Err((0, Reason::NotInitial)));
        check(&[(0, add), (2, add)], cycle, &Err((0, Reason::OtherTarget)));
        check(&[(0, back), (1, add)], cycle, &Err((0, Reason::NotEnabled)));
        check(&[(0, add), (1, add)], cycle, &Err((1, Reason::OtherTarget)));
        check(&[(0, None)], cycle, &Err((0, Reason::NoDeadlock)));
        check(&[(0, None)], Ending::Deadlock, &Err((0, Reason::NoDeadlock)));
        check(&[(0, Some(2))], Ending::Fault, &Err((0, Reason::NoFault)));
        check(&[(0, None)], Ending::Fault, &Err((0, Reason::NoFault)));
        let fell_back = [(0, add), (1, add), (2, add), (3, None), (0, add)];
        check(&fell_back, cycle, &Err((3, Reason::Moved)));
    }
}
