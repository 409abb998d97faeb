//! What there is to say about a set of requirements, as text, JSON and a page.

pub mod core;
#[cfg(feature = "cli")]
pub mod html;
pub mod json;
pub mod text;

use crate::requirements::Requirement;
use crate::requirements::analysis::Analysis;
use crate::word::Atoms;
use std::time::Duration;

/// The answer of `lwaa requirements`.
#[derive(Debug)]
pub struct RequirementsReport {
    /// The file.
    pub file: String,
    /// What it says.
    pub requirements: Vec<Requirement>,
    /// The atoms of all of them.
    pub atoms: Atoms,
    /// What was found out about them.
    pub analysis: Analysis,
    /// Wall-clock time since the start of the process.
    pub time: Duration,
    /// The most memory that the process has used.
    pub peak_bytes: usize,
}

impl RequirementsReport {
    /// The names of some requirements.
    fn names(&self, members: &[usize]) -> Vec<&str> {
        members.iter().map(|&member| &*self.requirements[member].name).collect()
    }
}
