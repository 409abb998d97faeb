//! Why a command did not do what it was asked for, told to people on standard
//! error and, with `--json`, to programs on standard output.

use super::{Exit, output};
use lwaa::report::Format;
use lwaa::report::json::SCHEMA;
use serde_json::{Value, json};

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub(super) enum Failure {
    /// The input is wrong.
    Input(Box<Complaint>),
    /// What was asked for is too large. The message is complete and ends with
    /// a line break.
    Limit(String),
    /// The output cannot be written.
    Output(std::io::Error),
    /// A bug of ours. The message is complete and ends with a line break.
    Internal(String),
}

/// What is wrong with an input.
#[derive(Debug)]
pub(super) struct Complaint {
    /// What is wrong, without the place.
    pub(super) error: String,
    /// Where it is wrong; nothing if the command line is.
    pub(super) place: Option<Position>,
    /// The whole message for people. It ends with a line break.
    pub(super) text: String,
}

/// A place in a named text.
#[derive(Debug)]
pub(super) struct Position {
    pub(super) file: String,
    /// Counted from 1.
    pub(super) line: usize,
    /// Counted from 1, in characters.
    pub(super) column: usize,
}

impl Failure {
    /// An input error that has no place in a text.
    pub(super) fn plain(message: impl std::fmt::Display) -> Self {
        let error = message.to_string();
        let text = format!("error: {error}\n");
        Self::Input(Box::new(Complaint { error, place: None, text }))
    }

    /// Arguments that the table of the command line refuses.
    pub(super) fn usage(error: &clap::Error) -> Self {
        // Behind an empty line come tips and how the command is used.
        let text = error.render().to_string();
        let message = text.split("\n\n").next().unwrap_or(&text);
        let message = message.strip_prefix("error: ").unwrap_or(message);
        let error = message.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::Input(Box::new(Complaint { error, place: None, text }))
    }

    /// Tells the user, in a JSON object as well if answers are such objects, and says how the
    /// process is to end.
    pub(super) fn report(&self, format: Format) -> Exit {
        let exit = match self {
            Self::Input(complaint) => {
                output::message(&complaint.text);
                Exit::BadInput
            }
            Self::Limit(message) => {
                output::message(message);
                Exit::Unknown
            }
            Self::Internal(message) => {
                output::message(message);
                Exit::Internal
            }
            // Somebody has read as much as they wanted.
            Self::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Exit::Yes,
            Self::Output(error) => {
                output::message(&format!("error: cannot write the output: {error}\n"));
                Exit::BadInput
            }
        };
        // An answer that is already there stays the only object; what failed behind
        // it is on standard error.
        if format == Format::Json
            && !output::has_begun()
            && let Some(object) = self.object()
        {
            // If standard output cannot be written either, the exit code has to do.
            let _ = output::json(|out| writeln!(out, "{object}"));
        }
        exit
    }

    /// The failure as a JSON object; nothing if standard output is what failed.
    fn object(&self) -> Option<Value> {
        match self {
            Self::Input(complaint) => {
                let place = complaint.place.as_ref();
                Some(json!({
                    "schema": SCHEMA,
                    "verdict": "error",
                    "error": complaint.error,
                    "file": place.map(|place| &*place.file),
                    "line": place.map(|place| place.line),
                    "column": place.map(|place| place.column),
                }))
            }
            Self::Limit(message) => Some(json!({
                "schema": SCHEMA,
                "verdict": "unknown",
                "reason": message.trim_end().trim_start_matches("unknown: "),
                "reason_code": "limit",
            })),
            Self::Internal(message) => Some(json!({
                "schema": SCHEMA,
                "verdict": "internal error",
                "error": message.trim_end(),
            })),
            Self::Output(_) => None,
        }
    }
}
