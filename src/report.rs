//! A verdict for people and for programs.
//!
//! A [`Report`] says what was asked of a formula and what came out; [`text`]
//! and [`json`] write it. What was asked of a model is a [`model::ModelReport`];
//! [`trace`] writes its runs. [`requirements`] and [`cross`] have reports of their own. None of
//! them knows where its output goes, nor exit codes.

mod channels;
pub mod chart;
pub mod cross;
#[cfg(test)]
mod example_program;
pub mod json;
pub mod layout;
pub mod model;
#[cfg(feature = "cli")]
pub mod page;
pub mod requirements;
#[cfg(feature = "cli")]
pub mod run_page;
pub mod sentence;
pub mod state;
pub mod text;
pub mod trace;
pub mod waiting;
pub mod why;

use crate::ltl::Formula;
use crate::verdict::{Satisfiability, Statistics, Strategy};
use crate::word::{Atoms, Lasso, Letter};
use std::time::Duration;

/// In which form an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Lines for people.
    Text,
    /// One JSON object.
    Json,
}

impl Format {
    /// The form that a flag such as `--json` selects.
    #[must_use]
    pub fn json_if(is_json: bool) -> Self {
        if is_json { Self::Json } else { Self::Text }
    }
}

/// What was asked of a formula. Both are answered by a search for a lasso.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Has the formula a model? The lasso is a model.
    Satisfiable,
    /// Is every word a model of the formula? The lasso is a counterexample: a
    /// model of the negation.
    Valid,
}

/// How much work the answer was.
#[expect(clippy::large_enum_variant, reason = "there is one for each answer")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// All counters, from a search that ended by itself.
    Counted(Statistics),
    /// What was seen from outside of a search that had to be abandoned.
    Seen {
        /// Configurations stored when the search was last seen.
        configurations: u64,
        /// Transitions followed when the search was last seen.
        transitions: u64,
    },
    /// What was seen of a translation that had to be abandoned.
    Translated {
        /// States of the automaton when it was last seen.
        states: u64,
    },
}

/// A word on which a formula is true, or false if it should always be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Witness {
    /// An infinite word.
    Lasso(Lasso<Letter>),
    /// A finite word, if the question was about these.
    Finite(Vec<Letter>),
}

/// A question, its answer and what the answer cost.
#[derive(Clone, Debug)]
pub struct Report {
    /// What was asked.
    pub question: Question,
    /// The formula of which it was asked; nothing if the answer came before
    /// the formula was read.
    pub formula: Option<Formula>,
    /// Whether it was about finite words.
    pub finite: bool,
    /// What the search for a word found.
    pub found: Satisfiability<Witness>,
    /// How much work it was.
    pub work: Work,
    /// Wall-clock time since the start of the process.
    pub time: Duration,
    /// The most memory that the process has used.
    pub peak_bytes: usize,
    /// What the formula may have been meant to say instead.
    pub warnings: Vec<String>,
}

impl Report {
    /// The verdict, without the reason of an unknown one.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match (self.question, &self.found) {
            (Question::Satisfiable, Satisfiability::Satisfiable(_)) => "satisfiable",
            (Question::Satisfiable, Satisfiability::Unsatisfiable) => "unsatisfiable",
            (Question::Valid, Satisfiability::Satisfiable(_)) => "not valid",
            (Question::Valid, Satisfiability::Unsatisfiable) => "valid",
            (_, Satisfiability::Unknown(_)) => "unknown",
        }
    }

    /// The word and the formula that gives its atoms their names.
    fn witness(&self) -> Option<(&Formula, &Witness)> {
        match (&self.formula, &self.found) {
            (Some(formula), Satisfiability::Satisfiable(word)) => Some((formula, word)),
            _ => None,
        }
    }

    /// The strategy that has found the answer.
    fn strategy(&self) -> Option<Strategy> {
        match self.work {
            Work::Counted(statistics) => statistics.strategy,
            _ => None,
        }
    }

    /// The counters by the names that they have in both forms of the report.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        match self.work {
            Work::Counted(statistics) if 0 < statistics.automaton_states => vec![
                ("terms", statistics.terms as u64),
                ("automaton_states", statistics.automaton_states as u64),
                ("automaton_edges", statistics.automaton_edges as u64),
            ],
            Work::Counted(statistics) if 0 < statistics.unfinished_automaton_states => vec![
                ("terms", statistics.terms as u64),
                ("unfinished_automaton_states", statistics.unfinished_automaton_states as u64),
            ],
            Work::Counted(statistics) => vec![
                ("terms", statistics.terms as u64),
                ("searches", statistics.searches as u64),
                ("locations", statistics.locations as u64),
                ("signs", statistics.signs as u64),
                ("configurations", statistics.configurations as u64),
                ("nodes", statistics.nodes as u64),
                ("nodes_again", statistics.nodes_again as u64),
                ("transitions", statistics.transitions),
                ("components", statistics.components as u64),
                ("depth", statistics.depth as u64),
                ("cache_hits", statistics.cache_hits),
                ("cache_misses", statistics.cache_misses),
                ("spared", statistics.spared),
            ],
            Work::Seen { configurations, transitions } => {
                vec![("configurations", configurations), ("transitions", transitions)]
            }
            Work::Translated { states } => vec![
                ("configurations", 0),
                ("transitions", 0),
                ("unfinished_automaton_states", states),
            ],
        }
    }

    /// Which part of the questions to the configuration graph was answered
    /// from memory; nothing if there were none.
    fn cache_hit_rate(&self) -> Option<f64> {
        let Work::Counted(Statistics { cache_hits, cache_misses, .. }) = self.work else {
            return None;
        };
        let questions = cache_hits + cache_misses;
        #[expect(clippy::cast_precision_loss, reason = "a rate needs no more than 52 bits")]
        (0 < questions).then(|| cache_hits as f64 / questions as f64)
    }
}

/// The names of the true atoms of `letter`, sorted.
fn names<'a>(atoms: &'a Atoms, letter: &Letter) -> Vec<&'a str> {
    let mut names: Vec<&str> = letter.iter().map(|atom| atoms.name(atom)).collect();
    names.sort_unstable();
    names
}

/// What the tests of both forms report.
#[cfg(test)]
pub(crate) fn example(question: Question, text: &str, found: Satisfiability) -> Report {
    Report {
        question,
        formula: Some(Formula::parse(text).unwrap()),
        finite: false,
        found: found.map(Witness::Lasso),
        work: Work::Counted(Statistics { cache_hits: 1, cache_misses: 3, ..Statistics::default() }),
        time: Duration::from_millis(1234),
        peak_bytes: 3 << 20,
        warnings: Vec::new(),
    }
}

/// The word that has these letters, each a list of atoms of `text` by number.
#[cfg(test)]
pub(crate) fn example_lasso(prefix: &[&[usize]], cycle: &[&[usize]]) -> Satisfiability {
    use crate::id::Id;
    let letters = |part: &[&[usize]]| {
        part.iter()
            .map(|atoms| atoms.iter().map(|&atom| crate::word::AtomId::new(atom)).collect())
            .collect()
    };
    Satisfiability::Satisfiable(Lasso::new(letters(prefix), letters(cycle)).unwrap())
}
