//! Models from files, and messages about them.

use super::diagnostic::{self, Document, Level};
use super::request::Text;
use super::request::model::ModelSource;
use super::{Failure, input, output};
use lwaa::lang::program::{Program, Span};
use lwaa::lang::{Demand, Language, Model, OpenError, SourceError, pnml};
use lwaa::report::model::Place;
use lwaa::report::state::States;
use lwaa::run::Run;
use lwaa::scan::position;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A model and the text that it was read from.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) model: Model,
    /// Files beside the model that state properties, and how many properties of the model and of
    /// files before each come first.
    pub(super) beside: Vec<(PropertyFile, usize)>,
}

/// A file that states properties of a model.
#[derive(Debug)]
pub(super) struct PropertyFile {
    name: String,
    text: String,
}

/// The files of formulas in a folder of the Model Checking Contest.
const FORMULAS: [&str; 2] = ["LTLFireability.xml", "LTLCardinality.xml"];

/// Reads a model.
pub(super) fn load(source: &ModelSource) -> Result<Loaded, Failure> {
    tracing::info!(language = source.language.name, "reading the model");
    let (name, text) = input::raw_text(&source.text)?;
    // What a model on standard input includes is looked for in the working directory.
    let folder = match &source.text {
        Text::File(path) => path.parent().unwrap_or(Path::new("")).to_owned(),
        Text::StandardInput | Text::Argument { .. } => PathBuf::new(),
    };
    let mut include = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name)).map_err(|error| error.to_string())?;
        Ok(input::without_mark(text))
    };
    let read = source.language.read(&text, &source.definitions, &mut include);
    if read.is_err() {
        mention_name(source);
    }
    match read {
        Ok(model) => {
            let program = &model.program;
            let (variables, transitions) = (program.variables.len(), program.transitions.len());
            tracing::info!(variables, transitions, "model read");
            let mut loaded = Loaded { name, text, model, beside: Vec::new() };
            if let Some(folder) = &source.folder {
                let files = FORMULAS.map(|file| folder.join(file));
                files
                    .iter()
                    .filter(|file| file.exists())
                    .try_for_each(|file| loaded.read_formulas(file))?;
            }
            Ok(loaded)
        }
        // A definition that the model does not know has no place in it.
        Err(error) if error.span == Span::default() && !text.trim().is_empty() => {
            Err(Failure::plain(format_args!("{name}: {error}")))
        }
        Err(error) => Err(failure(Document { name: &name, text: &text }, &error)),
    }
}

/// Says that the name of a file tells another language than the one that was typed, which
/// may be why its text cannot be read.
fn mention_name(source: &ModelSource) {
    let Text::File(path) = &source.text else { return };
    let told = path.extension().and_then(OsStr::to_str).and_then(Language::find);
    let (name, typed) = (path.display(), source.language.name);
    if let Some(told) = told.filter(|told| told.name != typed) {
        let told = told.name;
        output::message(&format!("note: {name} is read with --language {typed}, not as {told}\n"));
    }
}

impl Loaded {
    pub(super) fn document(&self) -> Document<'_> {
        Document { name: &self.name, text: &self.text }
    }

    /// The text that states the property of this number.
    pub(super) fn stating(&self, property: usize) -> Document<'_> {
        let before = self.beside.iter().rev().find(|(_, n_before)| *n_before <= property);
        before.map_or(self.document(), |(file, _)| Document { name: &file.name, text: &file.text })
    }

    /// Reads a file of formulas of the Model Checking Contest, as properties of the model.
    pub(super) fn read_formulas(&mut self, file: &Path) -> Result<(), Failure> {
        let (name, text) = input::raw_text(&Text::File(file.to_owned()))?;
        let read = pnml::contest_formulas(&text);
        let read = read.map_err(|error| failure(Document { name: &name, text: &text }, &error));
        self.beside.push((PropertyFile { name, text }, self.model.properties.len()));
        self.model.properties.extend(read?);
        Ok(())
    }

    /// Makes the model again if it does not meet a demand.
    pub(super) fn remake(&mut self, demand: Demand<'_>) -> Result<(), Failure> {
        let remade = self.model.bindings.remade(demand);
        if let Some(remade) = remade.map_err(|error| failure(self.document(), &error))? {
            let stated = std::mem::replace(&mut self.model, remade).properties;
            // Those of files beside the model are not read again.
            self.model.properties.extend(stated.into_iter().skip(self.model.properties.len()));
        }
        Ok(())
    }

    /// The message about a model that cannot be opened.
    pub(super) fn failure(&self, error: &OpenError) -> Failure {
        match error {
            OpenError::Source(error) => failure(self.document(), error),
            OpenError::Unbound { .. } | OpenError::Hidden { .. } => Failure::plain(error),
        }
    }

    /// Where the transition stands that goes wrong at the end of a run, if it stands anywhere. If
    /// it runs several statements, the last one that it came to is meant.
    fn span(program: &Program, run: &Run) -> Option<Span> {
        let transition = run.culprit()?;
        let states = States::new(program);
        let ran = run.last_state().map(|state| states.statements(state, transition, None));
        let span = match ran.as_deref().and_then(<[_]>::last) {
            Some(last) => program.source.statements[last.statement].span,
            None => program.transitions[transition].span,
        };
        (span.start < span.end).then_some(span)
    }

    /// The place of the transition that goes wrong at the end of a run.
    pub(super) fn place(&self, program: &Program, run: &Run) -> Option<Place> {
        let span = Self::span(program, run)?;
        let start = self.text.floor_char_boundary(span.start);
        let (line, column) = position(&self.text, start);
        Some(Place { file: self.name.clone(), line, column })
    }

    /// A message with a caret about the transition that goes wrong at the end of a run.
    pub(super) fn message(&self, program: &Program, run: &Run) -> Option<String> {
        let span = Self::span(program, run)?;
        let (text, document) = (run.fault()?.to_string(), self.document());
        Some(diagnostic::render(Level::ERROR, &text, document, span.start..span.end))
    }
}

/// The message about a text that is not what it should be.
pub(super) fn failure(document: Document<'_>, error: &SourceError) -> Failure {
    let span = error.span.start..error.span.end;
    diagnostic::error(&error.message, document, span)
}
