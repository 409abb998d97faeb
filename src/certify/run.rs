//! Replays a run on the model that it is said to be a run of.
//!
//! Knows transition systems and nothing of what found the run: no product, no
//! store, no search. It asks the system for the successors of every state of
//! the run, one after the other, and compares.

use crate::run::{Ending, Run};
use crate::system::{Cursor, Fault, StepError, TransitionId, TransitionSystem};

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

/// Passes if `run` is a run of `system`: the first state is initial, every step takes its
/// transition to exactly the next state, the cycle closes, and the run stays only where there
/// is no transition. Whether an atom goes wrong at the end is not looked at.
///
/// # Errors
///
/// If it is not.
pub fn is_run(system: &mut impl TransitionSystem, run: &Run) -> Result<(), NotARun> {
    let taken: Vec<&[TransitionId]> =
        run.moments.iter().map(|moment| moment.taken.as_slice()).collect();
    replayed(system, run, &taken).map(drop)
}

/// [`is_run`] for a run of which only the names of transitions are known: `taken` has the
/// transitions of which each moment takes one, or none. Returns the run with those
/// that it takes. If its ending is open, the run may end anywhere, but a transition of its last
/// moment has to go wrong.
///
/// # Errors
///
/// If there is no such run.
pub fn replayed(
    system: &mut impl TransitionSystem,
    run: &Run,
    taken: &[impl AsRef<[TransitionId]>],
) -> Result<Run, NotARun> {
    let not_a_run = |position| move |reason| NotARun { position, reason };
    let moments = &run.moments;
    let Some((first, last)) = moments.first().zip(moments.len().checked_sub(1)) else {
        return Err(NotARun { position: 0, reason: Reason::Missing });
    };
    if let Some(position) = moments.iter().position(|one| one.state.len() != system.n_words()) {
        return Err(NotARun { position, reason: Reason::Foreign });
    }
    if !system.initial_states().contains(&first.state) {
        return Err(NotARun { position: 0, reason: Reason::NotInitial });
    }
    let mut found = run.clone();
    for position in 0..last {
        let (state, next) = (&moments[position].state, &moments[position + 1].state);
        let taken = step(system, state, taken[position].as_ref(), next);
        found.moments[position].taken = taken.map_err(not_a_run(position))?;
    }
    let (state, taken) = (&*moments[last].state, taken[last].as_ref());
    match &run.ending {
        Ending::Cycle { start } => {
            let next =
                moments.get(*start).ok_or(NotARun { position: last, reason: Reason::Missing })?;
            let taken = step(system, state, taken, &next.state);
            found.moments[last].taken = taken.map_err(not_a_run(last))?;
        }
        Ending::Deadlock => stays(system, state).map_err(not_a_run(last))?,
        Ending::Fault(fault) if fault.transition.is_none() => (),
        Ending::Fault(_) | Ending::Open => {
            found.ending = ends(system, state, taken).map_err(not_a_run(last))?;
            if matches!(run.ending, Ending::Fault(_)) && found.fault().is_none() {
                return Err(NotARun { position: last, reason: Reason::NoFault });
            }
            found.moments[last].taken = found.fault().and_then(|fault| fault.transition);
        }
    }
    Ok(found)
}

/// The one of `taken` that leads from `state` to `next`; nothing if there is none in `taken`.
fn step(
    system: &mut impl TransitionSystem,
    state: &[u64],
    taken: &[TransitionId],
    next: &[u64],
) -> Result<Option<TransitionId>, Reason> {
    if taken.is_empty() {
        stays(system, state)?;
        return if state == next { Ok(None) } else { Err(Reason::Moved) };
    }
    let mut target = vec![0; system.n_words()];
    let mut reason = Reason::NotEnabled;
    let mut cursor = beginning_with(system, taken);
    loop {
        let before = cursor;
        match system.next(state, &mut cursor, &mut target) {
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

/// How a run ends in `state`: one of `taken` goes wrong, or, if there is none in `taken`, there
/// may be a successor or not.
fn ends(
    system: &mut impl TransitionSystem,
    state: &[u64],
    taken: &[TransitionId],
) -> Result<Ending, Reason> {
    let mut target = vec![0; system.n_words()];
    let mut cursor = beginning_with(system, taken);
    let mut is_stuck = true;
    loop {
        let before = cursor;
        match system.next(state, &mut cursor, &mut target) {
            Ok(None) if !taken.is_empty() => return Err(Reason::NoFault),
            Ok(None) if is_stuck => return Ok(Ending::Deadlock),
            Ok(None) => return Ok(Ending::Open),
            Ok(Some(_)) => (),
            Err(error) => {
                let is_taken = error.transition().is_some_and(|id| taken.contains(&id));
                if is_taken {
                    return error.fault().map(Ending::Fault).ok_or(Reason::Room);
                }
                if cursor == before && taken.is_empty() {
                    return Ok(Ending::Open);
                }
                if cursor == before {
                    return Err(error.into());
                }
            }
        }
        is_stuck = false;
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
    use crate::run::Moment;
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
        let moment = |&(state, taken): &(u64, Option<usize>)| {
            Moment::new([state], taken.map(TransitionId::new))
        };
        let run = Run { moments: steps.iter().map(moment).collect(), ending };
        let found = is_run(&mut Counter, &run);
        assert_eq!(&found.map_err(|error| (error.position, error.reason)), expected);
    }

    fn fault() -> Ending {
        let transition = Some(TransitionId::new(2));
        Ending::Fault(Fault { kind: FaultKind::DivisionByZero, transition })
    }

    #[test]
    fn runs_pass() {
        let (add, back) = (Some(0), Some(1));
        check(&[(0, add), (1, add), (2, back)], Ending::Cycle { start: 0 }, &Ok(()));
        let to_the_end = [(0, add), (1, add), (2, add), (3, None)];
        check(&to_the_end, Ending::Cycle { start: 3 }, &Ok(()));
        check(&to_the_end, Ending::Deadlock, &Ok(()));
        check(&[(0, add), (1, Some(2))], fault(), &Ok(()));
        check(&[(0, add), (1, None)], Ending::Open, &Ok(()));
    }

    #[test]
    fn others_do_not() {
        let (add, back) = (Some(0), Some(1));
        let cycle = || Ending::Cycle { start: 0 };
        check(&[], cycle(), &Err((0, Reason::Missing)));
        check(&[(0, add)], Ending::Cycle { start: 1 }, &Err((0, Reason::Missing)));
        check(&[(1, add)], cycle(), &Err((0, Reason::NotInitial)));
        check(&[(0, add), (2, add)], cycle(), &Err((0, Reason::OtherTarget)));
        check(&[(0, back), (1, add)], cycle(), &Err((0, Reason::NotEnabled)));
        check(&[(0, add), (1, add)], cycle(), &Err((1, Reason::OtherTarget)));
        check(&[(0, None)], cycle(), &Err((0, Reason::NoDeadlock)));
        check(&[(0, None)], Ending::Deadlock, &Err((0, Reason::NoDeadlock)));
        check(&[(0, Some(2))], fault(), &Err((0, Reason::NoFault)));
        check(&[(0, None)], fault(), &Err((0, Reason::NoFault)));
        let fell_back = [(0, add), (1, add), (2, add), (3, None), (0, add)];
        check(&fell_back, cycle(), &Err((3, Reason::Moved)));
    }
}
