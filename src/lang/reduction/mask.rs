//! States of which some bits are always 0, and the runs of the model behind runs of such states.

use crate::run::{Ending, Moment, Run};
use crate::system::{Cursor, TransitionId, TransitionSystem};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A run is given up that has more moments than this.
const MAX_MOMENTS: usize = 1 << 16;

/// Which bits of a state are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::lang) struct Mask {
    kept: Box<[u64]>,
}

impl Mask {
    /// Keeps these bits.
    pub(super) fn keeping(kept: Vec<u64>) -> Self {
        Self { kept: kept.into() }
    }

    /// Puts back what is not kept.
    #[inline]
    pub(super) fn apply(&self, state: &mut [u64]) {
        for (word, kept) in state.iter_mut().zip(&self.kept) {
            *word &= kept;
        }
    }

    fn is_same(&self, one: &[u64], other: &[u64]) -> bool {
        let mut words = one.iter().zip(other).zip(&self.kept);
        words.all(|((one, other), kept)| (one ^ other) & kept == 0)
    }

    /// A run of the system that looks like `run` wherever bits are kept: the same transitions,
    /// one after the other. A cycle is gone through until the whole state comes again. Nothing if
    /// that takes too long.
    pub(in crate::lang) fn lifted(
        &self,
        system: &mut impl TransitionSystem,
        run: &Run,
    ) -> Option<Run> {
        let Some(first) = run.moments.first() else { return Some(run.clone()) };
        let initial = system.initial_states();
        let mut state = initial.into_iter().find(|state| self.is_same(state, &first.state))?;
        let mut moments: Vec<Moment> = Vec::new();
        let mut seen: HashMap<Box<[u64]>, usize, FxBuildHasher> = HashMap::default();
        for position in 0..MAX_MOMENTS {
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
            state = self.step(system, &state, moment.taken, &next.state)?;
        }
        None
    }

    /// The state behind a step that looks like another one.
    fn step(
        &self,
        system: &mut impl TransitionSystem,
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
                Ok(Some(transition)) if transition == taken && self.is_same(&target, next) => {
                    return Some(target);
                }
                // Others may go wrong here.
                Ok(Some(_)) | Err(_) => (),
            }
        }
    }
}
