//! A run of a transition system: the one form that it has from the search that finds it to
//! everything that certifies, prints, writes and reads it.

use crate::system::{Fault, TransitionId};
use crate::word::Lasso;
use std::sync::Arc;

/// A moment of a run: a state, and what happens next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The packed state.
    pub state: Box<[u64]>,
    /// The transition that is taken in this state; nothing if the run stays
    /// here because there is none (a deadlock), or if the run ends here.
    pub taken: Option<TransitionId>,
    /// The obligations of the formula that are pending in this state, as
    /// text. What they are obligations of is the *negated* formula when all
    /// runs are asked for.
    pub pending: Arc<[Arc<str>]>,
}

impl Moment {
    /// A moment of which no obligations are known.
    #[must_use]
    pub fn new(state: impl Into<Box<[u64]>>, taken: Option<TransitionId>) -> Self {
        Self { state: state.into(), taken, pending: [].into() }
    }
}

/// A run, or the part of it that is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The states and how they are left.
    pub moments: Vec<Moment>,
    /// What comes behind the last one.
    pub ending: Ending,
}

/// How a run goes on behind its last moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With the moment at this position, for ever.
    Cycle {
        /// The position, counted from 0.
        start: usize,
    },
    /// The run ends: the last state has no successor.
    Deadlock,
    /// The run ends: the transition of the last moment goes wrong, or an atom of the formula
    /// does in the last state.
    Fault(Fault),
    /// This is not known.
    Open,
}

impl From<Lasso<Moment>> for Run {
    fn from(lasso: Lasso<Moment>) -> Self {
        let start = lasso.prefix().len();
        Self { moments: lasso.iter().cloned().collect(), ending: Ending::Cycle { start } }
    }
}

impl Run {
    /// A run that ends: its last moment takes the transition that goes wrong, if one does.
    #[must_use]
    pub fn into_error(moments: Vec<Moment>, ending: Ending) -> Self {
        let mut run = Self { moments, ending };
        let culprit = run.culprit();
        run.moments.iter_mut().last().into_iter().for_each(|last| last.taken = culprit);
        run
    }

    /// The number of moments before the cycle: all of them if the run has none.
    #[must_use]
    pub fn cycle_start(&self) -> usize {
        match self.ending {
            Ending::Cycle { start } => start,
            _ => self.moments.len(),
        }
    }

    /// The moments that are repeated for ever; none if the run ends.
    #[must_use]
    pub fn cycle(&self) -> &[Moment] {
        self.moments.get(self.cycle_start()..).unwrap_or_default()
    }

    /// Whether the run is infinite.
    #[must_use]
    pub fn is_infinite(&self) -> bool {
        !self.cycle().is_empty()
    }

    /// The moment at a position, for which the cycle is gone through as often as needed.
    #[must_use]
    pub fn at(&self, position: usize) -> Option<&Moment> {
        let cycle = self.cycle();
        match position.checked_sub(self.cycle_start()) {
            Some(beyond) if !cycle.is_empty() => cycle.get(beyond % cycle.len()),
            _ => self.moments.get(position),
        }
    }

    /// The error of the model in which the run ends, unless it is a deadlock.
    #[must_use]
    pub fn fault(&self) -> Option<&Fault> {
        match &self.ending {
            Ending::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    /// The transition that goes wrong at the end of the run, if one does.
    #[must_use]
    pub fn culprit(&self) -> Option<TransitionId> {
        self.fault().and_then(|fault| fault.transition)
    }

    /// The last state that is known.
    #[must_use]
    pub fn last_state(&self) -> Option<&[u64]> {
        self.moments.last().map(|last| &*last.state)
    }

    /// The moments that have a letter: where an atom goes wrong, the last one has none.
    #[must_use]
    pub fn readable(&self) -> &[Moment] {
        let is_atom = self.fault().is_some_and(|fault| fault.transition.is_none());
        let n_moments = self.moments.len().saturating_sub(usize::from(is_atom));
        &self.moments[..n_moments]
    }
}
