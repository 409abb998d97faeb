//! How deadlocks and errors of a model are treated, and why an exploration ends early.

use crate::search::limits::Exhausted;
use crate::system::{Fault, Room, StepError, TransitionId};

/// What a state without successors means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deadlock {
    /// The run stays there for ever.
    #[default]
    Stutter,
    /// The model is wrong.
    Report,
    /// No infinite run goes there.
    Ignore,
}

/// What an error of the model means to a search. A deadlock that is to be reported is one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// The search goes on behind an error: the step that goes wrong leads nowhere.
    #[default]
    Report,
    /// The search ends at the first error that it meets.
    Stop,
    /// As [`Report`](Errors::Report), but assertions that the model states are left out.
    Ignore,
}

/// How states are treated in which a model cannot go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Treatment {
    /// What a state without successors means.
    pub deadlock: Deadlock,
    /// What an error means.
    pub errors: Errors,
}

impl From<Deadlock> for Treatment {
    fn from(deadlock: Deadlock) -> Self {
        Self { deadlock, errors: Errors::default() }
    }
}

/// Why an exploration ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// A limit was reached.
    Exhausted(Exhausted),
    /// The model goes wrong.
    Fault(Fault),
    /// The system is too small.
    Room(Room),
    /// A state has no successor, and that was to be reported.
    Deadlock,
    /// The model goes wrong in this way, and the automaton had nothing left to ask for: all
    /// words that begin like the run into the error are accepted.
    Decided(Box<Halt>),
}

impl Halt {
    /// Whether this is an error of the model: neither a limit nor a system that is too small.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self {
            Self::Exhausted(_) | Self::Room(_) => false,
            Self::Fault(_) | Self::Deadlock | Self::Decided(_) => true,
        }
    }

    /// The transition that goes wrong, if there is one.
    #[must_use]
    pub fn transition(&self) -> Option<TransitionId> {
        match self {
            Self::Fault(fault) => fault.transition,
            Self::Decided(error) => error.transition(),
            Self::Exhausted(_) | Self::Room(_) | Self::Deadlock => None,
        }
    }
}

impl From<Exhausted> for Halt {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<StepError> for Halt {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Fault(fault) => Self::Fault(fault),
            StepError::Room(room) => Self::Room(room),
        }
    }
}

/// How a search treats errors of the model, and what it has seen of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Watch {
    /// Whether every error ends the search.
    pub stops: bool,
    /// Whether the search is told when a run into an error is accepted whatever follows.
    pub looks_for_prefixes: bool,
    /// Whether the search has been told of an error. It is told of the first one only.
    pub has_met: bool,
    /// Whether there has been an error, told or not.
    pub has_seen: bool,
    /// Whether the successors of a state were left out because the automaton has no step
    /// there. If not, all errors that can be reached have been met.
    pub has_skipped: bool,
}

impl Watch {
    /// There is an error. The search has to hear of it if it is the first one.
    ///
    /// # Errors
    ///
    /// The error itself, then.
    #[cold]
    pub fn meet(&mut self, error: Halt) -> Result<(), Halt> {
        self.has_seen = true;
        let is_first = !std::mem::replace(&mut self.has_met, true);
        if self.stops || is_first { Err(error) } else { Ok(()) }
    }
}
