//! What a comparison of translators has shown, as text, JSON and a page.

#[cfg(feature = "cli")]
pub mod html;
pub mod json;
pub mod text;

use crate::search::limits::Exhausted;
use crate::testbench::cross::Options;
use crate::testbench::tally::{Line, Tally};

/// The results of `lwaa cross`.
#[derive(Clone, Debug)]
pub struct CrossReport<'a> {
    /// What was asked for.
    pub options: &'a Options,
    /// All options that a round depends on but for seed and rounds, as they were typed.
    pub retyped: &'a str,
    /// What the rounds have shown.
    pub tally: &'a Tally,
    /// Why not all rounds were played, if so.
    pub stopped: Option<Exhausted>,
    /// How long it took.
    pub seconds: f64,
}

/// What the rounds have shown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CrossVerdict {
    /// All translators agree.
    Agreement,
    /// At least one of them is wrong.
    Disagreement,
    /// Why nothing has been shown.
    Unknown(String),
}

impl CrossReport<'_> {
    /// What the rounds have shown together.
    #[must_use]
    pub fn verdict(&self) -> CrossVerdict {
        let untested =
            || self.untested().map(|name| format!("{name} has translated nothing")).next();
        match (self.tally.disagreements(), self.stopped) {
            (0, Some(reason)) => CrossVerdict::Unknown(reason.to_string()),
            (0, None) => untested().map_or(CrossVerdict::Agreement, CrossVerdict::Unknown),
            _ => CrossVerdict::Disagreement,
        }
    }

    /// The translators that have failed on every formula.
    pub fn untested(&self) -> impl Iterator<Item = &str> {
        let has_failed = |line: &&Line| {
            let work = &line.work;
            work.n_translated == 0 && 0 < work.n_crashes + work.n_timeouts
        };
        self.tally.lines.iter().filter(has_failed).map(|line| line.name.as_str())
    }

    /// The command that plays so many rounds again.
    fn command(&self, seed: u64, rounds: u64) -> String {
        let line = format!("lwaa cross --seed {seed} --rounds {rounds} {}", self.retyped);
        line.trim_end().to_owned()
    }
}
