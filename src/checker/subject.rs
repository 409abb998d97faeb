//! What a [`Checker`](super::Checker) checks: systems written in Rust, and models.

use super::CheckerError;
use crate::check::room::Openable;
use crate::lang::program::Span;
use crate::lang::{Language, Model, OpenError, OpenedProgram, Question, SourceError};
use crate::ltl::Formula;
use crate::own::{Own, Pack, System};
use crate::report::state::States;
use crate::system::{Describe, Opened, Room, TransitionId};
use std::fmt::Debug;
use std::sync::Arc;
use unicode_width::UnicodeWidthStr;

/// Something that can be checked. It is implemented for models and for systems that are written
/// in Rust, and by nothing else.
pub trait Subject: Openable + Debug {
    /// A state of a run.
    type State;

    /// A step of a run.
    type Action;

    /// Reads a formula.
    ///
    /// # Errors
    ///
    /// If the text is not a formula.
    fn formula(&self, text: &str) -> Result<Formula, CheckerError>;

    /// The state of some words.
    #[doc(hidden)]
    fn state(&self, system: &Self::System, words: &[u64]) -> Self::State;

    /// The action of a transition out of a state.
    #[doc(hidden)]
    fn action(
        &self,
        system: &Self::System,
        words: &[u64],
        taken: TransitionId,
    ) -> Option<Self::Action>;

    /// What is wrong with the system itself, so that no verdict about it can be trusted.
    #[doc(hidden)]
    fn broken_promise<'a>(&self, system: &'a Self::System) -> Option<&'a str>;

    /// Calls `tell` with words for the states and steps of a system.
    #[doc(hidden)]
    fn describe(&self, system: &Self::System, tell: &mut dyn FnMut(&dyn Describe));
}

/// A system that is written in Rust, before it is opened.
pub struct Source<S: System> {
    system: Arc<S>,
    open: fn(Arc<S>) -> Own<S>,
}

impl<S: System> Debug for Source<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source").finish_non_exhaustive()
    }
}

impl<S: System> Source<S> {
    pub(super) fn new(system: S) -> Self {
        Self { system: Arc::new(system), open: Own::new }
    }

    pub(super) fn packed(system: S) -> Self
    where
        S: Pack,
    {
        Self { system: Arc::new(system), open: Own::packed }
    }
}

impl<S: System> Openable for Source<S> {
    type System = Own<S>;

    fn open(&self, questions: &[Question<'_>], _: bool) -> Result<Own<S>, OpenError> {
        let own = (self.open)(Arc::clone(&self.system));
        for (question, asked) in questions.iter().enumerate() {
            for atom in asked.atoms() {
                if own.proposition(atom).is_none() {
                    let span = Span { start: 0, end: atom.len() };
                    let error = SourceError::new(span, unknown(&own, atom));
                    return Err(OpenError::Unbound { question, atom: atom.to_owned(), error });
                }
            }
        }
        Ok(own)
    }

    fn larger(
        &self,
        _: &Own<S>,
        _: Room,
        questions: &[Question<'_>],
        asserts: bool,
    ) -> Result<Own<S>, OpenError> {
        self.open(questions, asserts)
    }
}

/// The message about an atom that the system does not know.
fn unknown<S: System>(own: &Own<S>, atom: &str) -> String {
    let quoted = |names: Vec<&str>| -> String {
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        names.join(", ")
    };
    if atom.starts_with("taken(") || atom.starts_with("enabled(") {
        let known = quoted(own.process_names().collect());
        format!("the system has no process of this name; its processes are {known}")
    } else {
        let known = quoted(own.names().collect());
        format!("the system has no proposition of this name; it has {known}")
    }
}

/// The error about a place of a formula. The text is shown with a caret if it is one line.
fn misread(text: &str, start: usize, message: &str) -> CheckerError {
    let message = match text.get(..start) {
        Some(before) if !text.contains('\n') => {
            format!("{message}\n  {text}\n  {:width$}^", "", width = before.width())
        }
        _ => message.to_owned(),
    };
    CheckerError::Formula { message }
}

impl<S: System> Subject for Source<S> {
    type State = S::State;
    type Action = S::Action;

    fn formula(&self, text: &str) -> Result<Formula, CheckerError> {
        Formula::parse(text)
            .map_err(SourceError::from)
            .map_err(|error| misread(text, error.span.start, &error.message))
    }

    fn state(&self, system: &Own<S>, words: &[u64]) -> S::State {
        system.state(words)
    }

    fn action(&self, system: &Own<S>, words: &[u64], taken: TransitionId) -> Option<S::Action> {
        system.action(words, taken)
    }

    fn broken_promise<'a>(&self, system: &'a Own<S>) -> Option<&'a str> {
        system.broken_promise()
    }

    fn describe(&self, system: &Own<S>, tell: &mut dyn FnMut(&dyn Describe)) {
        tell(system);
    }
}

impl Model {
    /// Reads a model in a language, which is known by its name or by an extension of files:
    /// `lwm`, `dve`, `promela`, `esml`, `kripke`.
    ///
    /// # Errors
    ///
    /// If there is no such language, or if `text` is not a model in it.
    pub fn parse(language: &str, text: &str) -> Result<Self, crate::lang::ReadError> {
        crate::lang::read(
            Language::find(language).map_or(language, |known| known.extensions[0]),
            text,
            &[],
        )
    }
}

impl Subject for Model {
    /// The variables and their values.
    type State = Vec<(String, String)>;
    /// The process and what it does.
    type Action = String;

    fn formula(&self, text: &str) -> Result<Formula, CheckerError> {
        let read = self.bindings.formula(text);
        read.map_err(|error| misread(text, error.span.start, &error.message))
    }

    fn state(&self, system: &OpenedProgram, words: &[u64]) -> Vec<(String, String)> {
        let parts = States::new(system.program()).full(words);
        let split = |part: &String| match part.split_once(" = ") {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (String::new(), part.clone()),
        };
        parts.iter().map(split).collect()
    }

    fn action(&self, system: &OpenedProgram, _: &[u64], taken: TransitionId) -> Option<String> {
        Some(States::new(system.program()).mover(taken))
    }

    fn broken_promise<'a>(&self, _: &'a OpenedProgram) -> Option<&'a str> {
        None
    }

    fn describe(&self, system: &OpenedProgram, tell: &mut dyn FnMut(&dyn Describe)) {
        tell(&States::new(system.program()));
    }
}
