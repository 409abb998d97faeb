//! Model languages: from source text to a program.
//!
//! Every language has a front end in a folder of its own, which reads a text,
//! checks it and lowers it to [`program::Program`], the form that all of them
//! share. What a formula may say about a model is the business of its
//! language too: [`Bindings`] reads formulas and finds what an atom says.

pub mod analyze;
mod calls;
pub mod claim;
pub mod compile;
mod cursor;
mod declarations;
mod distance;
pub mod dve;
pub mod esml;
pub mod execute;
mod expression;
pub mod kripke;
pub mod layout;
mod linear_program;
pub mod lwm;
mod opened;
pub mod pnml;
pub mod program;
pub mod promela;
pub mod reduction;
mod rendezvous;
pub mod smaller;
pub mod source;
mod suggest;
mod table;

use crate::ltl::Formula;
use crate::ltl::parse::{ParseError, ParseErrorKind};
use crate::scan::ScanError;
use claim::Claim;
use program::{Program, Proposition, Span, TransitionId};
use smaller::{Rules, Smaller};
use std::sync::Arc;

pub use opened::{OpenError, OpenedProgram, Question};

/// A text is not what it should be: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SourceError {
    /// The place.
    pub span: Span,
    /// What is wrong there; lower case, without a final dot.
    pub message: String,
}

impl SourceError {
    /// The message about a place.
    #[must_use]
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into() }
    }
}

impl From<ScanError> for SourceError {
    fn from(error: ScanError) -> Self {
        Self::new(error.span, error.problem.to_string())
    }
}

impl From<ParseError> for SourceError {
    fn from(error: ParseError) -> Self {
        let span = match error.kind {
            // What is never closed is not the end of the text.
            ParseErrorKind::Unclosed { opened } => opened,
            _ => error.span,
        };
        Self::new(span, error.to_string())
    }
}

/// A property that a model states about itself.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What is to hold on all runs. Its atoms are known to the [`Bindings`] of
    /// the model.
    pub formula: Formula,
    /// Where it stands in the source text.
    pub span: Span,
}

/// What a model has to show or to have room for.
#[derive(Clone, Copy, Debug)]
pub enum Demand<'a> {
    /// All that these formulas look at.
    Formulas(&'a [Formula]),
    /// All that the model of a trace file showed, in the words of
    /// [`Source::purpose`](source::Source::purpose).
    Purpose(&'a [String]),
    /// Every statement and every variable.
    Everything,
    /// The room that this transition did not have: the number of processes, or of tokens in a
    /// place, is not known before.
    Room(TransitionId),
}

/// What a language knows about the names of a model after lowering it.
pub trait Bindings: std::fmt::Debug + Send + Sync {
    /// Reads a formula about the model.
    ///
    /// # Errors
    ///
    /// If the text is not a formula. Places are places in `text`.
    fn formula(&self, text: &str) -> Result<Formula, SourceError>;

    /// What the atom called `name` says. Its expressions are added to
    /// `program`.
    ///
    /// # Errors
    ///
    /// If the model has nothing of that name. Places are places in `name`.
    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError>;

    /// The same model made so that it meets a demand; nothing if this one does. Some languages
    /// leave out what no question looks at, and have room for so many processes only.
    ///
    /// # Errors
    ///
    /// If the model cannot be made, or if a formula speaks of what it does not have.
    fn remade(&self, demand: Demand<'_>) -> Result<Option<Model>, SourceError> {
        let _ = demand;
        Ok(None)
    }

    /// What is left of a formula under what is known about the model without a search: a formula
    /// about some of the same atoms that has the same value on every run from an initial state, if
    /// a state without successors is repeated for ever. Nothing if the language knows nothing.
    fn simplified(&self, formula: &Formula) -> Option<Formula> {
        let _ = formula;
        None
    }

    /// Whether the language knows how to make models smaller.
    fn can_be_smaller(&self) -> bool {
        false
    }

    /// A smaller model about which the formula says the same: its runs have the same values of the
    /// formula as those of this model, if a state without successors is repeated for ever. Nothing
    /// if these rules make nothing smaller.
    fn smaller(&self, formula: &Formula, rules: Rules) -> Option<Smaller> {
        let _ = (formula, rules);
        None
    }

    /// How runs of the model must not be, where it says so by automata.
    fn claims(&self) -> &[Claim] {
        &[]
    }

    /// That every run makes progress again and again, if the language has a notion of
    /// progress.
    fn progress(&self) -> Option<Formula> {
        None
    }
}

/// A model that has been read.
#[derive(Debug)]
pub struct Model {
    /// What it does.
    pub program: Program,
    /// The properties that it states, in the order of the text.
    pub properties: Vec<Property>,
    /// What formulas may say about it.
    pub bindings: Arc<dyn Bindings>,
}

impl Model {
    /// Reads a formula as reports print it: in our own syntax, whatever the language,
    /// with atoms as [`Bindings::atom`] knows them. A text that is not like that is
    /// read as the language reads formulas that are typed.
    ///
    /// # Errors
    ///
    /// If the text is no formula about the model either way.
    pub fn printed_formula(&self, text: &str) -> Result<Formula, SourceError> {
        let known = |formula: Formula| {
            let mut program = self.program.clone();
            for (_, name) in formula.atoms().iter() {
                self.bindings.atom(&mut program, name)?;
            }
            Ok(formula)
        };
        match Formula::parse(text).map(known) {
            Ok(Ok(printed)) => Ok(printed),
            Ok(Err(error)) => self.bindings.formula(text).and_then(known).or(Err(error)),
            Err(_) => self.bindings.formula(text).and_then(known),
        }
    }

    /// The program with the expressions of the atoms of `formula` added, and
    /// what the atoms say, in their order.
    ///
    /// # Errors
    ///
    /// If the model does not know an atom, or does not show all that the formula looks at.
    pub fn bound(&self, formula: &Formula) -> Result<(Program, Vec<Proposition>), SourceError> {
        if self.bindings.remade(Demand::Formulas(std::slice::from_ref(formula)))?.is_some() {
            let message = "the model has to be made again for what this formula looks at";
            return Err(SourceError::new(Span::default(), message));
        }
        let mut program = self.program.clone();
        let atoms = formula
            .atoms()
            .iter()
            .map(|(_, name)| self.bindings.atom(&mut program, name))
            .collect::<Result<_, _>>()?;
        Ok((program, atoms))
    }
}

/// A constant that the command line overrides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

/// A language in which models are written.
#[derive(Clone, Copy, Debug)]
pub struct Language {
    /// What it is called.
    pub name: &'static str,
    /// How the names of its files end, without the dot; in lower case here, in any
    /// case in the names of files.
    pub extensions: &'static [&'static str],
    /// What it is.
    pub description: &'static str,
    /// Whether a definition stands for a macro. Then it may have no value, which
    /// means 1, as in C.
    pub has_macros: bool,
    read: fn(&str, &[Definition], Include<'_>) -> Result<Model, SourceError>,
}

impl Language {
    /// The language that is called `name`, or whose files end in `name`.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        let is_meant = |known: &str| known.eq_ignore_ascii_case(name);
        LANGUAGES.iter().find(|language| {
            is_meant(language.name) || language.extensions.iter().any(|known| is_meant(known))
        })
    }

    /// Reads a model in this language, with constants that `definitions` override and
    /// files that it may include.
    ///
    /// # Errors
    ///
    /// If `text` is no model in it.
    pub fn read(
        &self,
        text: &str,
        definitions: &[Definition],
        include: Include<'_>,
    ) -> Result<Model, SourceError> {
        (self.read)(text, definitions, include)
    }
}

/// Where the texts of files come from that a model includes, by the names that it
/// calls them.
pub type Include<'a> = &'a mut dyn FnMut(&str) -> Result<String, String>;

/// The languages that we read.
pub const LANGUAGES: &[Language] = &[
    Language {
        name: "lwm",
        extensions: &["lwm"],
        description: "guarded actions",
        has_macros: false,
        read: |text, definitions, _| lwm::read(text, definitions),
    },
    Language {
        name: "dve",
        extensions: &["dve"],
        description: "DVE, the language of the benchmark set BEEM",
        has_macros: false,
        read: |text, definitions, _| dve::read(text, definitions),
    },
    Language {
        name: "promela",
        extensions: &["pml", "pm", "promela"],
        description: "Promela, the language of Spin",
        has_macros: true,
        read: promela::read,
    },
    Language {
        name: "esml",
        extensions: &["esml"],
        description: "ESML, processes with rendezvous",
        has_macros: false,
        read: |text, definitions, _| esml::read(text, definitions),
    },
    Language {
        name: "kripke",
        extensions: &["kripke"],
        description: "Kripke structures, state by state",
        has_macros: false,
        read: |text, definitions, _| kripke::read(text, definitions),
    },
    Language {
        name: "pnml",
        extensions: &["pnml"],
        description: "PNML, Petri nets as in the Model Checking Contest",
        has_macros: false,
        read: |text, definitions, _| pnml::read(text, definitions),
    },
];

/// Why a text is no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// No language has this extension.
    #[error("{}", unknown_extension(.0))]
    Extension(String),
    /// The text is wrong.
    #[error(transparent)]
    Source(#[from] SourceError),
}

fn unknown_extension(extension: &str) -> String {
    let known: Vec<String> = LANGUAGES
        .iter()
        .flat_map(|language| language.extensions)
        .map(|known| format!("`.{known}`"))
        .collect();
    let known = known.join(", ");
    match extension {
        "" => format!("the name of the file has no extension; models end in {known}"),
        _ => format!("no language of models has the extension `.{extension}`; there are {known}"),
    }
}

/// Reads a model in the language to which `extension` belongs, with constants
/// that `definitions` override. It cannot include files.
///
/// # Errors
///
/// If there is no such language, or if `text` is no model in it.
pub fn read(extension: &str, text: &str, definitions: &[Definition]) -> Result<Model, ReadError> {
    let mut include = |_: &str| Err("there are no other files".to_owned());
    read_with(extension, text, definitions, &mut include)
}

/// The same for a model that may include files.
///
/// # Errors
///
/// If there is no such language, or if `text` is no model in it.
pub fn read_with(
    extension: &str,
    text: &str,
    definitions: &[Definition],
    include: Include<'_>,
) -> Result<Model, ReadError> {
    let language = Language::find(extension);
    let language = language.ok_or_else(|| ReadError::Extension(extension.to_owned()))?;
    Ok(language.read(text, definitions, include)?)
}
