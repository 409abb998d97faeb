//! The table of shipped models and what is known about them.

use lwaa::Formula;
use lwaa::check::model::Fair;
use lwaa::lang::program::{Fairness, Process, ProcessId, Program, Span, Strength};
use lwaa::lang::{self, Definition, Demand, Model, ReadError};
use std::path::{Path, PathBuf};

/// What is expected of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// This property holds on all runs, or does not.
    Verdict {
        /// The name of a property that the model states, a formula, or the
        /// file of one.
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
    /// Reads the model.
    #[allow(dead_code, reason = "not all tests need it")]
    pub(crate) fn read(&self) -> Model {
        read(&self.path, &self.definitions)
    }

    /// The formula of a property.
    #[allow(dead_code, reason = "not all tests need it")]
    pub(crate) fn formula(&self, model: &Model, property: &str) -> Formula {
        if let Some(stated) = model.properties.iter().find(|stated| stated.name == property) {
            return stated.formula.clone();
        }
        let mut text = property.to_owned();
        if Path::new(property).extension().is_some_and(|extension| extension == "ltl") {
            let file = std::fs::read_to_string(self.path.with_file_name(property));
            let file = file.expect("the file of the formula is there");
            text = file.lines().filter(|line| !line.starts_with('#')).collect();
        }
        let formula = model.bindings.formula(&text);
        formula.unwrap_or_else(|error| panic!("{}: {text}: {error}", self.path.display()))
    }

    /// The model, made for a formula about it.
    #[allow(dead_code, reason = "not all tests need it")]
    pub(crate) fn read_for(&self, formula: &Formula) -> Model {
        let model = self.read();
        let remade = model.bindings.remade(Demand::Formulas(std::slice::from_ref(formula)));
        remade.expect("the model can be made").unwrap_or(model)
    }

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

/// Reads a model in the language of its extension.
pub(crate) fn read(path: &Path, definitions: &[Definition]) -> Model {
    let text = std::fs::read_to_string(path).expect("the model is there");
    let extension = path.extension().and_then(|extension| extension.to_str());
    lang::read(extension.unwrap_or_default(), &text, definitions).unwrap_or_else(|error| {
        let line = match &error {
            ReadError::Source(error) => text[..error.span.start].matches('\n').count() + 1,
            ReadError::Extension(_) => 0,
        };
        panic!("{}:{line}: {error}", path.display())
    })
}

/// The folders of models that have a table.
pub(crate) fn folders() -> Vec<PathBuf> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    let entries = std::fs::read_dir(models).expect("there are models");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|folder| folder.join("expected.tsv").exists())
        .collect();
    folders.sort();
    folders
}

/// All lines of all tables.
pub(crate) fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for folder in folders() {
        let text = std::fs::read_to_string(folder.join("expected.tsv"));
        let text = text.expect("the table can be read");
        for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
            rows.push(row(&folder, line).unwrap_or_else(|| panic!("no row of the table: {line}")));
        }
    }
    rows
}

fn row(folder: &Path, line: &str) -> Option<Row> {
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
        path: folder.join(model),
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
