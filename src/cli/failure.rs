//! Why a command did not do what it was asked for, told to people on standard
//! error and, with `--json`, to programs on standard output.

use super::{Exit, output};
use lwaa::report::model::Place;
use lwaa::report::{Format, json};
use lwaa::search::limits::Exhausted;
use serde_json::Value;

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub(super) enum Failure {
    /// The input is wrong.
    Input(Box<Complaint>),
    /// A limit came before the output, of a command that has no JSON.
    Exhausted(Exhausted),
    /// What was asked for is too large, in a command that has no JSON. The message is complete
    /// and ends with a line break.
    TooLarge(String),
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
    pub(super) place: Option<Place>,
    /// The whole message for people. It ends with a line break.
    pub(super) text: String,
}

impl From<Exhausted> for Failure {
    fn from(reason: Exhausted) -> Self {
        Self::Exhausted(reason)
    }
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
            Self::Exhausted(reason) => {
                output::message(&format!("unknown: {reason}\n"));
                Exit::Unknown
            }
            Self::TooLarge(message) => {
                output::message(message);
                Exit::Unknown
            }
            Self::Internal(message) => {
                output::message(message);
                Exit::Internal
            }
            // The reader of the output has read as much as it wanted.
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

    /// The failure as a JSON object; nothing if standard output is what failed, or if the command
    /// has no JSON.
    fn object(&self) -> Option<Value> {
        match self {
            Self::Input(complaint) => {
                Some(json::input_error(&complaint.error, complaint.place.as_ref()))
            }
            Self::Internal(message) => Some(json::internal_error(message.trim_end())),
            Self::Exhausted(_) | Self::TooLarge(_) | Self::Output(_) => None,
        }
    }
}
