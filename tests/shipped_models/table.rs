//! The table of shipped models and what is known about them.

use lwaa::check::model::Fair;
use lwaa::lang::Definition;
use lwaa::lang::program::{Fairness, Process, ProcessId, Program, Span, Strength};
use std::path::{Path, PathBuf};

/// What is expected of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// The property of this name holds on all runs, or does not.
    Verdict {
        /// The name of the property.
        property: String,
        /// Whether it holds.
        holds: bool,
    },
    /// As many states can be reached, and as many transitions lead away from
    /// them.
    Counts {
        /// The number of states.
        states: usize,
        /// The number of pairs of a reached state and an enabled transition.
        transitions: usize,
    },
}

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The file.
    pub(crate) path: PathBuf,
    /// Constants that are overridden.
    pub(crate) definitions: Vec<Definition>,
    /// What is assumed about who moves.
    pub(crate) fair: Fair,
    /// What is expected.
    pub(crate) expected: Expected,
}

impl Row {
    /// What is assumed about the runs of the program.
    #[allow(dead_code, reason = "not all tests need it")]
    pub(crate) fn fairness(&self, program: &Program) -> Vec<Fairness> {
        let of_process = |strength: Strength, (id, process): (ProcessId, &Process)| Fairness {
            strength,
            name: process.name.clone(),
            transitions: program
                .transitions
                .entries()
                .filter(|(_, transition)| transition.process == id)
                .map(|(id, _)| id)
                .collect(),
            span: Span::default(),
        };
        match self.fair {
            Fair::Declared => program.fairness.clone(),
            Fair::Nothing => Vec::new(),
            Fair::Processes(strength) => {
                program.processes.entries().map(|process| of_process(strength, process)).collect()
            }
        }
    }
}

/// The folder of the models and of the table.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/lwm")
}

/// All lines of `models/lwm/expected.tsv`.
pub(crate) fn rows() -> Vec<Row> {
    let text = std::fs::read_to_string(folder().join("expected.tsv")).expect("the table is there");
    let lines = text.lines().skip(1).filter(|line| !line.is_empty());
    lines.map(|line| row(line).unwrap_or_else(|| panic!("no row of the table: {line}"))).collect()
}

fn row(line: &str) -> Option<Row> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [model, definitions, fair, property, expected] = columns[..] else { return None };
    let definitions =
        definitions.split(' ').filter(|definition| *definition != "-").map(definition);
    let expected = match (property, expected) {
        ("-", counts) => {
            let (states, transitions) = counts.split_once(' ')?;
            Expected::Counts {
                states: states.strip_prefix("states=")?.parse().ok()?,
                transitions: transitions.strip_prefix("transitions=")?.parse().ok()?,
            }
        }
        (property, verdict @ ("holds" | "violated")) => {
            Expected::Verdict { property: property.to_owned(), holds: verdict == "holds" }
        }
        _ => return None,
    };
    Some(Row {
        path: folder().join(model),
        definitions: definitions.collect::<Option<Vec<Definition>>>()?,
        fair: match fair {
            "-" => Fair::Declared,
            "none" => Fair::Nothing,
            "weak" => Fair::Processes(Strength::Weak),
            "strong" => Fair::Processes(Strength::Strong),
            _ => return None,
        },
        expected,
    })
}

fn definition(text: &str) -> Option<Definition> {
    let (name, value) = text.split_once('=')?;
    Some(Definition { name: name.to_owned(), value: value.parse().ok()? })
}
