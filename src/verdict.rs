//! What an answer consists of: a verdict and how it was found.

use crate::run::Run;
use crate::search::coverage::Coverage;
use crate::search::limits::Exhausted;
use crate::system::{NetSize, Reduced, Strength};
use crate::word::{Lasso, Letter};
use std::fmt;
use std::time::Duration;

/// Whether a formula has a model: a word of type `W`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Satisfiability<W = Lasso<Letter>> {
    /// It has: here is one, certified.
    Satisfiable(W),
    /// It has none.
    Unsatisfiable,
    /// A limit was reached first.
    Unknown(Exhausted),
}

impl<W> Satisfiability<W> {
    /// The same answer with another form of the word.
    pub fn map<V>(self, change: impl FnOnce(W) -> V) -> Satisfiability<V> {
        match self {
            Self::Satisfiable(word) => Satisfiability::Satisfiable(change(word)),
            Self::Unsatisfiable => Satisfiability::Unsatisfiable,
            Self::Unknown(reason) => Satisfiability::Unknown(reason),
        }
    }
}

/// By which means a model of a formula is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// Configuration by configuration, by a search for components.
    Explicit,
    /// By a SAT solver, in lassos of growing length.
    Bounded,
    /// By a SAT solver, which looks for an invariant that excludes models.
    Proof,
}

impl Strategy {
    /// What users call it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Explicit => "explicit",
            Self::Bounded => "bounded",
            Self::Proof => "proof",
        }
    }
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Distinct subformulas of the formula as it was written.
    pub terms: usize,
    /// Searches: one for each disjunct of the formula that is looked at by
    /// itself.
    pub searches: usize,
    /// Locations of the automata.
    pub locations: usize,
    /// Signs that are left to acceptance.
    pub signs: usize,
    /// Configurations met.
    pub configurations: usize,
    /// States of the model that are stored.
    pub states: usize,
    /// Bytes of the store of states.
    pub state_bytes: usize,
    /// Nodes visited by the search.
    pub nodes: usize,
    /// How often nodes were visited again, in components that had to be taken
    /// apart.
    pub nodes_again: usize,
    /// Edges followed by the search.
    pub transitions: u64,
    /// Components finished without an accepting cycle.
    pub components: usize,
    /// The longest search path.
    pub depth: usize,
    /// Questions to the configuration graph answered from memory.
    pub cache_hits: u64,
    /// Questions to the configuration graph that had to be computed.
    pub cache_misses: u64,
    /// How often a configuration was not entered, or not to the end, because it
    /// contains what accepts nothing.
    pub spared: u64,
    /// States of explicit automata.
    pub automaton_states: usize,
    /// Edges of explicit automata.
    pub automaton_edges: usize,
    /// States of an explicit automaton that was not finished when a limit was
    /// reached, as far as they were counted.
    pub unfinished_automaton_states: usize,
    /// Packets of a hybrid store.
    pub packets: usize,
    /// Bytes of packets, heads and tails rounded to bytes.
    pub packet_bytes: usize,
    /// What classical storage would have stored instead of packets: nodes, once
    /// for each of two searches.
    pub classical_states: usize,
    /// Bytes that these would take, each rounded to bytes.
    pub classical_bytes: usize,
    /// How much a lossy search may have missed.
    pub coverage: Option<Coverage>,
    /// Whether steps of the model were left out, where there is a model.
    pub reduction: Option<Reduction>,
    /// What was known about the formula before the search, where the language of the model knows
    /// anything.
    pub knowledge: Option<Knowledge>,
    /// How much smaller the net was made that was searched, if it was.
    pub net: Option<NetSize>,
    /// How many variables of the model were left out, since nothing that is asked depends on them.
    pub unseen: usize,
    /// Whether a guided search has found it, which took turns with another one.
    pub guided: bool,
    /// The strategy that has found it, where there is a choice.
    pub strategy: Option<Strategy>,
    /// Wall-clock time.
    pub time: Duration,
    /// Resident memory of the process at the end.
    pub resident_bytes: usize,
}

impl Statistics {
    /// Nothing has happened yet.
    pub(crate) fn with_reduction(reduction: Reduction) -> Self {
        Self { reduction: Some(reduction), ..Self::default() }
    }

    /// Adds what one more search of the same question has left out.
    pub(crate) fn add_reduced(&mut self, more: Option<Reduced>) {
        if let (Some(Reduction::On(sum)), Some(more)) = (&mut self.reduction, more) {
            sum.states += more.states;
            sum.reduced += more.reduced;
            sum.enabled += more.enabled;
            sum.left_out += more.left_out;
        }
    }
}

/// What was known about a formula before the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Knowledge {
    /// Distinct subformulas of the formula as asked.
    pub terms: usize,
    /// Distinct subformulas of what is left of it.
    pub left: usize,
    /// The value that it has on all runs, if that is all that is left.
    pub decided: Option<bool>,
}

impl Knowledge {
    /// What was known about two formulas.
    pub(crate) fn and(self, other: Self) -> Self {
        let (terms, left) = (self.terms + other.terms, self.left + other.left);
        let decided = self.decided.filter(|_| self.decided == other.decided);
        Self { terms, left, decided }
    }
}

impl fmt::Display for Knowledge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.decided {
            Some(value) => write!(f, "the formula is {value} on all runs"),
            None => write!(f, "{} of {} subformulas are left", self.left, self.terms),
        }
    }
}

/// Whether steps of the model were left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Steps were left out.
    On(Reduced),
    /// All steps were taken.
    Off(Unreduced),
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(Reduced { states, reduced, enabled, left_out }) => write!(
                f,
                "on: in {reduced} of {states} states, {left_out} of {enabled} transitions left out"
            ),
            Self::Off(reason) => write!(f, "off: {reason}"),
        }
    }
}

/// Why all steps are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unreduced {
    /// It was asked for.
    Asked,
    /// The formula speaks of the next state.
    Next,
    /// Only fair runs count, and who moves matters for that.
    Fairness,
    /// An atom is about the step that is taken, or about what can be taken.
    Steps,
    /// A claim may count states.
    Claim,
    /// A shortest run is asked for.
    Shortest,
    /// The model gives no way to leave out any step, or is too large to look for one.
    Impossible,
    /// So few steps were needed that nothing could be gained.
    Small,
    /// In the first states it left out too little.
    NoGain,
    /// The run that was found would be too long with what is not seen.
    LongRun,
}

impl Unreduced {
    /// A word for programs, which does not change.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Asked => "off",
            Self::Next => "next",
            Self::Fairness => "fairness",
            Self::Steps => "steps",
            Self::Claim => "claim",
            Self::Shortest => "shortest",
            Self::Impossible => "impossible",
            Self::Small => "small",
            Self::NoGain => "no-gain",
            Self::LongRun => "long-run",
        }
    }
}

impl fmt::Display for Unreduced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Asked => "it was not asked for",
            Self::Next => "the formula has an X",
            Self::Fairness => "fairness depends on who moves",
            Self::Steps => "an atom is about steps",
            Self::Claim => "a claim may count states",
            Self::Shortest => "a shortest run is asked for",
            Self::Impossible => "no step of the model can be left out",
            Self::Small => "few steps were needed anyway",
            Self::NoGain => "too few steps can be left out",
            Self::LongRun => "the run would be too long with the variables that are not seen",
        })
    }
}

/// A verdict and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is true.
    pub satisfiability: Satisfiability,
    /// How it was found.
    pub statistics: Statistics,
}

/// What is true of the runs of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All runs satisfy the formula.
    Holds,
    /// This run does not. If it ends in an error of the model, it had violated the formula
    /// before: whatever could follow its states does not satisfy it.
    Violated(Run),
    /// This run satisfies the formula, and that was the question.
    Exists(Run),
    /// No run satisfies the formula, and that was the question.
    ExistsNot,
    /// The model goes wrong at the end of this run: by a fault, or by a deadlock that was to be
    /// reported.
    ModelError(Run),
    /// A lossy search has found no run that violates the formula.
    NotViolated(Coverage),
    /// A lossy search has found no run that satisfies the formula, and that was
    /// the question.
    NotFound(Coverage),
    /// A limit was reached first.
    Unknown(Exhausted),
}

impl Verdict {
    /// The run that the verdict shows, if it shows one.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        match self {
            Self::Violated(run) | Self::Exists(run) | Self::ModelError(run) => Some(run),
            Self::Holds
            | Self::ExistsNot
            | Self::NotViolated(_)
            | Self::NotFound(_)
            | Self::Unknown(_) => None,
        }
    }
}

/// Where a run violates a formula for good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The first state of the run from which on no continuation satisfies the formula. The
    /// cycle of a lasso may have to be gone through more than once to get there.
    pub position: usize,
    /// The part of the formula that fails, as text.
    pub part: String,
    /// The state in which this part was asked for.
    pub since: usize,
    /// Whether it depends on the step that leaves the state, too.
    pub is_about_steps: bool,
}

/// The verdict on one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is true.
    pub verdict: Verdict,
    /// Where the run violates the formula, if a finite part of it does.
    pub violation: Option<Violation>,
    /// How it was found.
    pub statistics: Statistics,
}

/// A property fails by a run that neglects processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfair {
    /// The fairness that excludes such runs.
    pub strength: Strength,
    /// The processes that the run neglects.
    pub neglected: Vec<String>,
    /// Whether the property is known to hold on all other runs.
    pub holds: bool,
}

/// The reachable states of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exploration {
    /// Reachable states.
    pub states: usize,
    /// Pairs of a state and a way to leave it. Several ways may lead to the
    /// same state.
    pub transitions: u64,
    /// States without a successor.
    pub deadlocks: usize,
    /// Pairs of a state and a transition that goes wrong there.
    pub errors: u64,
    /// The first error of the model, or why there may be more states than these.
    pub incomplete: Option<Incomplete>,
    /// Whether the exploration has gone on behind all errors, and met no limit.
    pub is_complete: bool,
    /// How they were found.
    pub statistics: Statistics,
}

/// Why an exploration ended early, or what is wrong with the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// A limit was reached.
    Limit(Exhausted),
    /// The store is lossy: new states may have been taken for old ones.
    Lossy(Coverage),
    /// The model goes wrong at the end of this run: by a fault, or by a deadlock that was to be
    /// reported.
    ModelError(Run),
}

impl Incomplete {
    /// The run into the first error of the model, if there is one.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        match self {
            Self::ModelError(run) => Some(run),
            Self::Limit(_) | Self::Lossy(_) => None,
        }
    }
}
