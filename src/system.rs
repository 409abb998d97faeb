//! Transition systems: what a model is once its language is forgotten.
//!
//! A state is a fixed number of 64-bit words, of which only the system knows
//! the meaning. Successors come one at a time from a [`Cursor`], so that a
//! search keeps sixteen bytes per open state and no list of successors.
//! Transitions are dealt out to *lanes* (processes, or actions where there are
//! no processes); a cursor says with which lane to begin, and that is all that
//! the order of successors depends on.
//!
//! The room knows neither formulas nor searches.

mod describe;
mod opened;

use crate::id::{Id, define_id};
use crate::word::{AtomId, Distance};

pub use describe::{Describe, Told};
pub use opened::{Assumption, Opened, PropositionId};

define_id! {
    /// A process of a model.
    pub struct ProcessId;
}

define_id! {
    /// A transition of a model: a guarded command, not a pair of states.
    pub struct TransitionId;
}

/// How much fairness asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Strength {
    /// What is enabled for ever from some moment on is taken again and again.
    Weak,
    /// What is enabled again and again is taken again and again.
    Strong,
}

/// Where an enumeration of successors stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The lane that comes first.
    pub first: u32,
    /// How many lanes are done.
    pub turn: u32,
    /// How many transitions of the current lane are done.
    pub position: u32,
    /// How many choices of the current transition are done.
    pub choice: u32,
    /// Conditions that the executor has found to be true, as bits: it need not test them again.
    pub conditions: u8,
    /// Whether a transition has been enabled, or has gone wrong.
    pub has_moved: bool,
    /// Whether no transition was enabled, so that all are tried once more after a timeout.
    pub is_timeout: bool,
}

impl Cursor {
    /// The successors from the transitions of `lane` on.
    #[must_use]
    pub fn starting_with(lane: u32) -> Self {
        Self { first: lane, ..Self::default() }
    }
}

/// What went wrong inside a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An array has no such element.
    #[error("index {index} is out of range: {} {len} elements", owner(variable))]
    Index {
        /// The name of the array; nothing if it has none.
        variable: String,
        /// The index.
        index: i64,
        /// The number of elements.
        len: usize,
    },
    /// A variable cannot hold a value.
    #[error("value {value} is out of range: {variable} holds {low} to {high}")]
    Range {
        /// The name of the variable.
        variable: String,
        /// The value.
        value: i64,
        /// The least value that it can hold.
        low: i64,
        /// The greatest value that it can hold.
        high: i64,
    },
    /// Division or remainder by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A number does not fit into 64 bits.
    #[error("arithmetic overflow")]
    Overflow,
    /// A rule of the language is broken: this one.
    #[error("{0}")]
    Rule(&'static str),
    /// An assertion of the model is false.
    #[error("assertion failed: {0}")]
    Assertion(String),
}

impl FaultKind {
    /// A word for programs, which does not change.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Index { .. } => "index",
            Self::Range { .. } => "range",
            Self::DivisionByZero => "division-by-zero",
            Self::Overflow => "overflow",
            Self::Rule(_) => "rule",
            Self::Assertion(_) => "assertion",
        }
    }
}

/// The subject of a sentence about elements.
fn owner(variable: &str) -> String {
    if variable.is_empty() { "there are".to_owned() } else { format!("{variable} has") }
}

/// The model itself is wrong: what happened, and in which transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// Where: in a guard or an effect of this transition. Nothing if it was in
    /// a proposition of the formula.
    pub transition: Option<TransitionId>,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.kind.fmt(f)
    }
}

impl std::error::Error for Fault {}

/// A step needs more room than the system was opened with: more processes, larger places.
/// This is no error of the model. A larger system has to be opened, and the search begins
/// again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// The transition that needs it. Only the front end that opened the system knows of what
    /// there is too little.
    pub transition: TransitionId,
}

/// Why a step leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The model is wrong.
    #[error(transparent)]
    Fault(Fault),
    /// The system is too small.
    #[error("the system has too little room for this step")]
    Room(Room),
}

impl StepError {
    /// The transition of the step, unless an atom goes wrong.
    #[must_use]
    pub fn transition(&self) -> Option<TransitionId> {
        match self {
            Self::Fault(fault) => fault.transition,
            Self::Room(room) => Some(room.transition),
        }
    }

    /// The error of the model, if it is one.
    #[must_use]
    pub fn fault(self) -> Option<Fault> {
        match self {
            Self::Fault(fault) => Some(fault),
            Self::Room(_) => None,
        }
    }
}

impl From<Fault> for StepError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// What a system has left out that takes only those steps that a question needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduced {
    /// For how many states it was asked which steps suffice; for some, more than once.
    pub states: u64,
    /// In how many of these not all steps were needed.
    pub reduced: u64,
    /// How many transitions were enabled in them.
    pub enabled: u64,
    /// How many of those were not needed.
    pub left_out: u64,
}

/// How many places and transitions of a net are left, and how many there were.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetSize {
    /// Places that are left.
    pub places: usize,
    /// Places of the net as read.
    pub places_before: usize,
    /// Transitions that are left.
    pub transitions: usize,
    /// Transitions of the net as read.
    pub transitions_before: usize,
}

impl std::fmt::Display for NetSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { places, places_before, transitions, transitions_before } = self;
        write!(
            f,
            "{places} of {places_before} places, {transitions} of {transitions_before} transitions"
        )
    }
}

/// States and steps between them, as one worker takes them: what changes while stepping
/// belongs to it, and what is fixed is borrowed from an [`Opened`] system.
pub trait TransitionSystem {
    /// The number of words of a state; at least one.
    fn n_words(&self) -> usize;

    /// The initial states, each once, in a fixed order.
    fn initial_states(&self) -> Vec<Box<[u64]>>;

    /// The number of lanes; at least one.
    fn n_lanes(&self) -> u32;

    /// The lane of a transition.
    fn lane(&self, transition: TransitionId) -> u32;

    /// The next successor of `state`, written to `target`, and the transition
    /// that leads there. The same successor may come more than once.
    ///
    /// # Errors
    ///
    /// If a guard or an effect goes wrong, or needs more room. The cursor stands behind that
    /// step then, so the enumeration can go on.
    fn next(
        &mut self,
        state: &[u64],
        cursor: &mut Cursor,
        target: &mut [u64],
    ) -> Result<Option<TransitionId>, StepError>;

    /// Adds the words of all successors of `state` to `words`, in the order of
    /// [`next`](Self::next), and says how many there are; nothing if the system finds them one at
    /// a time. Words may be missing until [`finish`](Self::finish), which has to come before
    /// [`next`](Self::next): it can take less time to make those of several states together.
    fn expand(&mut self, state: &[u64], words: &mut Vec<u64>) -> Option<usize> {
        let _ = (state, words);
        None
    }

    /// Adds the words that are missing since the first call of [`expand`](Self::expand).
    fn finish(&mut self, words: &mut Vec<u64>) {
        let _ = words;
    }

    /// The atoms that are true in `state`, as bits by their numbers: atom *i*
    /// is bit *i* mod 64 of word *i* / 64. Which atoms there are has been said
    /// when the system was made. Atoms about the transition that is taken are
    /// false here; see [`takes`](TransitionSystem::takes).
    ///
    /// # Errors
    ///
    /// If the expression of an atom goes wrong.
    fn observe(&mut self, state: &[u64], letter: &mut [u64]) -> Result<(), Fault>;

    /// Adds to `letter` the atoms that are true because `transition` is taken.
    fn takes(&self, transition: TransitionId, letter: &mut [u64]) {
        let _ = (transition, letter);
    }

    /// How far `state` is from making each atom true, and false: a guess by which a search chooses
    /// where to look first. Unless a system knows better, an atom is one step from what it is not.
    fn distances(&mut self, state: &[u64], distances: &mut [Distance]) {
        for (number, distance) in distances.iter_mut().enumerate() {
            let truth = self.observe_atom(state, AtomId::new(number));
            *distance = truth.map_or_else(|_| Distance::default(), Distance::of);
        }
    }

    /// Whether a state without successors is where the model may end, and so no
    /// deadlock.
    fn is_end(&mut self, state: &[u64]) -> bool {
        let _ = state;
        false
    }

    /// In how many states steps were left out; nothing if this system leaves out none.
    fn reduced(&self) -> Option<Reduced> {
        None
    }

    /// Whether one atom is true in `state`. Slower than [`observe`], but others
    /// may go wrong there.
    ///
    /// # Errors
    ///
    /// If its expression goes wrong.
    ///
    /// [`observe`]: TransitionSystem::observe
    fn observe_atom(&mut self, state: &[u64], atom: AtomId) -> Result<bool, Fault>;
}

/// The bit of `atom` in what [`TransitionSystem::observe`] writes.
#[must_use]
pub fn is_observed(letter: &[u64], atom: AtomId) -> bool {
    letter[atom.index() / 64] >> (atom.index() % 64) & 1 == 1
}
