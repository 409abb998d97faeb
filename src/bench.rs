//! Results of benchmarks: what was measured, and how it is shown.
//!
//! [`Results`] are the rows (instances), the columns (pipelines: a program
//! with its options) and the measurements of a suite, together with what is
//! needed to judge them: machine, versions, limits, the suite itself. They are
//! written as a table of text ([`table`]), as comma-separated values ([`csv`]),
//! as a page ([`html`]) and as files for papers ([`figures`]). All writers are functions of the results alone, so
//! the same measurements always give the same bytes.
//!
//! Nothing here runs anything or reads a clock; that is the command line's
//! business.

pub mod automaton_size;
pub mod csv;
pub mod figures;
pub mod html;
mod number;
pub mod plot;
mod summary;
pub mod table;

pub use summary::{Cell, Counts};

use crate::id::{Id, IdVec, define_id};
use std::time::Duration;

define_id! {
    /// A set of instances that belong together.
    pub struct GroupId;
}

define_id! {
    /// One problem.
    pub struct InstanceId;
}

define_id! {
    /// One way to solve problems.
    pub struct PipelineId;
}

/// Instances that belong together: one table of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its title.
    pub name: String,
    /// What the parameter of its instances is called, if they have one.
    pub parameter: Option<String>,
    /// Titles of columns of published figures of others.
    pub published: Vec<String>,
}

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// To which group it belongs.
    pub group: GroupId,
    /// Its name within the group.
    pub name: String,
    /// The value of its parameter.
    pub n: Option<u64>,
    /// The answer, if it is known.
    pub expected: Option<Verdict>,
    /// What others have published, one text per column of the group.
    pub published: Vec<String>,
}

/// A program with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The title of its column.
    pub name: String,
    /// What is run, as the suite says it.
    pub command: String,
    /// What it says of itself.
    pub version: Option<String>,
}

/// What became of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It has ended with an answer, or with an automaton.
    Solved,
    /// A search that may overlook something has found nothing, which is no
    /// answer.
    NothingFound,
    /// The pipeline cannot be tried on this machine.
    NotInstalled,
    /// It has failed on a smaller instance of the group, or something before it
    /// has.
    NotAsked,
    /// It has given up for a reason of its own.
    Unknown,
    /// The limit of time was reached.
    OutOfTime,
    /// The limit of memory was reached.
    OutOfMemory,
    /// It has crashed, or its output has no meaning for us.
    Failed,
}

impl Outcome {
    /// The word for it in tables.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::NothingFound => "nothing found",
            Self::NotInstalled => "not installed",
            Self::NotAsked => "not asked",
            Self::Unknown => "unknown",
            Self::OutOfTime => "out of time",
            Self::OutOfMemory => "out of memory",
            Self::Failed => "failed",
        }
    }

    /// Whether the pipeline was started and gave no answer.
    #[must_use]
    pub fn is_failure(self) -> bool {
        matches!(self, Self::Unknown | Self::OutOfTime | Self::OutOfMemory | Self::Failed)
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// As the program says it.
    pub word: String,
    /// Whether it is yes (satisfiable, holds, a run exists) or no; nothing if
    /// it is neither.
    pub is_yes: Option<bool>,
}

/// What an attempt has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Time on the wall.
    pub wall_seconds: f64,
    /// Processor time in programs, if all of it is known.
    pub user_seconds: Option<f64>,
    /// Processor time in the system, if all of it is known.
    pub system_seconds: Option<f64>,
    /// The most memory at any time, if it is known.
    pub peak_bytes: Option<u64>,
}

/// One attempt of one pipeline at one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The row.
    pub instance: InstanceId,
    /// The column.
    pub pipeline: PipelineId,
    /// Which attempt it is, counted from 1.
    pub repetition: u32,
    /// What became of it.
    pub outcome: Outcome,
    /// The answer.
    pub verdict: Option<Verdict>,
    /// What it has cost; nothing if nothing was started.
    pub cost: Option<Cost>,
    /// Other numbers by name, such as `nodes`.
    pub numbers: Vec<(String, f64)>,
    /// Why there is no answer.
    pub message: Option<String>,
}

impl Measurement {
    /// A first attempt that has ended in this way, of which nothing else is known yet.
    #[must_use]
    pub fn new(outcome: Outcome) -> Self {
        Self {
            instance: Id::new(0),
            pipeline: Id::new(0),
            repetition: 1,
            outcome,
            verdict: None,
            cost: None,
            numbers: Vec::new(),
            message: None,
        }
    }

    /// An attempt that has ended in this way for this reason.
    #[must_use]
    pub fn because(outcome: Outcome, message: impl Into<String>) -> Self {
        Self { message: Some(message.into()), ..Self::new(outcome) }
    }

    /// An attempt that has solved its problem with this answer.
    #[must_use]
    pub fn solved(verdict: Option<Verdict>) -> Self {
        Self { verdict, ..Self::new(Outcome::Solved) }
    }
}

/// A suite and all that was measured of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// What it is called.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// The file that says what was to be run, and its text.
    pub suite: (String, String),
    /// When it was begun.
    pub date: String,
    /// The limit of time of every attempt.
    pub time: Option<Duration>,
    /// The limit of memory of every attempt, in bytes.
    pub memory: Option<u64>,
    /// How many attempts there are.
    pub repetitions: u32,
    /// Which numbers are shown beside times.
    pub shown: Vec<String>,
    /// The machine: names and values.
    pub machine: Vec<(String, String)>,
    /// What the reader should know, such as what was left out.
    pub notes: Vec<String>,
    /// Whether it was interrupted.
    pub is_interrupted: bool,
    /// The tables.
    pub groups: IdVec<GroupId, Group>,
    /// The rows.
    pub instances: IdVec<InstanceId, Instance>,
    /// The columns.
    pub pipelines: IdVec<PipelineId, Pipeline>,
    /// The measurements, in the order in which they were made.
    pub measurements: Vec<Measurement>,
}

#[cfg(test)]
mod tests;
