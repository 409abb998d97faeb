//! Models from files, and messages about them.

use super::diagnostic::{self, Document, Level};
use super::request::Text;
use super::request::model::ModelSource;
use super::{Failure, input, output};
use lwaa::lang::program::{Program, Span};
use lwaa::lang::{Demand, Language, Model, OpenError, SourceError};
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
}

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
            Ok(Loaded { name, text, model })
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

    /// Makes the model again if it does not meet a demand.
    pub(super) fn remake(&mut self, demand: Demand<'_>) -> Result<(), Failure> {
        let remade = self.model.bindings.remade(demand);
        if let Some(remade) = remade.map_err(|error| failure(self.document(), &error))? {
            self.model = remade;
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
