//! Runs of a system behind runs of which only some bits of each state are known.

use crate::run::{Ending, Moment, Run};
use crate::system::{Cursor, Opened, PropositionId, TransitionId, TransitionSystem};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A cycle is given up that has not closed after so many moments. A run that ends has as many as
/// the one that is known, however many these are.
const MAX_MOMENTS: usize = 1 << 16;

/// Whether two states are the same in the bits that are kept.
fn is_same(kept: &[u64], one: &[u64], other: &[u64]) -> bool {
    let mut words = one.iter().zip(other).zip(kept);
    words.all(|((one, other), kept)| (one ^ other) & kept == 0)
}

/// A run of a system that looks like a run of which only what `shown` sees is known; nothing if that
/// would be too long.
pub(super) fn lifted<O: Opened>(system: &O, shown: &[PropositionId], run: &Run) -> Option<Run> {
    match system.seen(shown) {
        None => Some(run.clone()),
        Some(kept) => followed(&mut system.judge(&[]), &kept, run),
    }
}

/// A run of the system that looks like `run` wherever bits are kept: the same transitions,
/// one after the other. A cycle is gone through until the whole state comes again. Nothing if
/// that takes too long.
pub(super) fn followed(system: &mut impl TransitionSystem, kept: &[u64], run: &Run) -> Option<Run> {
    let Some(first) = run.moments.first() else { return Some(run.clone()) };
    let initial = system.initial_states();
    let mut state = initial.into_iter().find(|state| is_same(kept, state, &first.state))?;
    let mut moments: Vec<Moment> = Vec::new();
    let mut seen: HashMap<Box<[u64]>, usize, FxBuildHasher> = HashMap::default();
    let limit = if run.is_infinite() { MAX_MOMENTS } else { run.moments.len() };
    for position in 0..limit {
        let (is_start, moment) = match run.ending {
            Ending::Cycle { start } => {
                let length = run.moments.len() - start;
                let is_start = start <= position && (position - start).is_multiple_of(length);
                (is_start, run.at(position)?)
            }
            _ => (false, &run.moments[position]),
        };
        if is_start && let Some(start) = seen.insert(state.clone(), position) {
            return Some(Run { moments, ending: Ending::Cycle { start } });
        }
        moments.push(Moment { state: state.clone(), ..moment.clone() });
        let next = match run.ending {
            Ending::Cycle { .. } => run.at(position + 1)?,
            _ => match run.moments.get(position + 1) {
                None => return Some(Run { moments, ending: run.ending.clone() }),
                Some(next) => next,
            },
        };
        state = step(system, kept, &state, moment.taken, &next.state)?;
    }
    None
}

/// The state behind a step that looks like another one.
fn step(
    system: &mut impl TransitionSystem,
    kept: &[u64],
    state: &[u64],
    taken: Option<TransitionId>,
    next: &[u64],
) -> Option<Box<[u64]>> {
    let Some(taken) = taken else { return Some(state.into()) };
    let mut cursor = Cursor::default();
    let mut target = vec![0; state.len()].into_boxed_slice();
    loop {
        let before = cursor;
        match system.next(state, &mut cursor, &mut target) {
            Ok(None) => return None,
            Err(_) if cursor == before => return None,
            Ok(Some(transition)) if transition == taken && is_same(kept, &target, next) => {
                return Some(target);
            }
            // Others may go wrong here.
            Ok(Some(_)) | Err(_) => (),
        }
    }
}
