//! Why a formula has no model: which of its conjuncts contradict each other, as text and JSON.
//!
//! The JSON object has `schema`, `verdict` and `statistics` as that of `sat`, and `witness`, `core`
//! (a conflict, as in the answers about requirements) or `reason`.

use super::{json, text};
use crate::report::json::{SCHEMA, lasso};
use crate::report::text::{write_columns, write_lasso};
use crate::requirements::Requirement;
use crate::requirements::conflict::Conflict;
use crate::search::limits::Exhausted;
use crate::word::{Atoms, Lasso, Letter};
use serde_json::{Map, Value, json};
use std::io::{Result as Written, Write};
use std::time::Duration;

/// What came out.
#[derive(Debug)]
pub enum CoreAnswer {
    /// All of them hold on a word.
    Satisfiable(Lasso<Letter>),
    /// With a minimal core; a limit may have come before it.
    Unsatisfiable(Result<Conflict, Exhausted>),
    /// A limit came before an answer.
    Unknown(Exhausted),
}

/// The answer of `lwaa sat --core`.
#[derive(Debug)]
pub struct CoreReport {
    /// The conjuncts.
    pub requirements: Vec<Requirement>,
    /// What they are called together.
    pub are: &'static str,
    /// The atoms of all of them.
    pub atoms: Atoms,
    /// The answer.
    pub found: CoreAnswer,
    /// How many questions about satisfiability were asked.
    pub n_searches: usize,
    /// Wall-clock time since the start of the process.
    pub time: Duration,
    /// The most memory that the process has used.
    pub peak_bytes: usize,
}

impl CoreReport {
    /// Writes the verdict, and the word or the core. The first line is the verdict.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(&self, out: &mut dyn Write) -> Written<()> {
        match &self.found {
            CoreAnswer::Unknown(reason) => writeln!(out, "unknown: {reason}"),
            CoreAnswer::Satisfiable(word) => {
                writeln!(out, "satisfiable")?;
                write_lasso(out, &self.atoms, word, "")
            }
            CoreAnswer::Unsatisfiable(Err(reason)) => {
                writeln!(out, "unsatisfiable\ncore: unknown: {reason}")
            }
            CoreAnswer::Unsatisfiable(Ok(conflict)) => {
                let (size, all) = (conflict.members.len(), self.requirements.len());
                writeln!(out, "unsatisfiable\ncore: {size} of {all} {}", self.are)?;
                let about = (&*self.requirements, &self.atoms);
                text::write_conflict(out, about, conflict, ("the core", ""))
            }
        }
    }

    /// Writes the statistics, one per line.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_statistics(&self, out: &mut dyn Write) -> Written<()> {
        let time = format!("{:.3} s", self.time.as_secs_f64());
        write_columns(out, &[("searches", self.n_searches.to_string()), ("time", time)])
    }

    /// The report as one JSON object.
    #[must_use]
    pub fn object(&self) -> Value {
        let mut object = Map::new();
        let mut insert = |field: &str, value: Value| object.insert(field.to_owned(), value);
        insert("schema", SCHEMA.into());
        let verdict = match &self.found {
            CoreAnswer::Satisfiable(_) => "satisfiable",
            CoreAnswer::Unsatisfiable(_) => "unsatisfiable",
            CoreAnswer::Unknown(_) => "unknown",
        };
        insert("verdict", verdict.into());
        match &self.found {
            CoreAnswer::Satisfiable(word) => insert("witness", lasso(&self.atoms, word)),
            CoreAnswer::Unsatisfiable(Ok(conflict)) => {
                insert("core", json::conflict(&self.requirements, &self.atoms, conflict))
            }
            CoreAnswer::Unsatisfiable(Err(reason)) | CoreAnswer::Unknown(reason) => {
                insert("reason_code", reason.code().into());
                insert("reason", reason.to_string().into())
            }
        };
        let Self { n_searches, time, peak_bytes, .. } = self;
        let seconds = time.as_secs_f64();
        let statistics =
            json!({"searches": n_searches, "seconds": seconds, "peak_bytes": peak_bytes});
        insert("statistics", statistics);
        object.into()
    }
}
