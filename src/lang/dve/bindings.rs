//! What formulas may say about a DVE model: expressions of the language over
//! global variables, states `P.s` and local variables `P.x` or `P->x`; and
//! `taken(P)` and `enabled(P)` about what a process does and could do.

use super::super::program::{Program, Proposition, Span, TransitionId};
use super::super::{Bindings, SourceError};
use super::ast::Name;
use super::names::Names;
use super::parse::proposition;
use super::value::{Scope, expression};
use crate::id::Id;
use crate::ltl::Formula;
use crate::ltl::parse::ParseErrorKind;
use crate::system::ProcessId;

impl Bindings for Names {
    fn formula(&self, text: &str) -> Result<Formula, SourceError> {
        // Formulas know no calls, but any text in quotation marks is an atom.
        let calls = calls(text);
        let mut quoted = String::with_capacity(text.len() + 2 * calls.len());
        let mut inserted = Vec::new();
        let mut copied = 0;
        for place in calls.iter().flat_map(|call| [call.span.start, call.span.end]) {
            quoted.push_str(&text[copied..place]);
            inserted.push(quoted.len());
            quoted.push('"');
            copied = place;
        }
        quoted.push_str(&text[copied..]);
        let before = |place: usize| place - inserted.partition_point(|&quote| quote < place);
        Formula::parse(&quoted).map_err(|error| {
            let span = match error.kind {
                // What is never closed is not the end of the text.
                ParseErrorKind::Unclosed { opened } => opened,
                _ => error.span,
            };
            let span = Span { start: before(span.start), end: before(span.end) };
            SourceError::new(span, error.to_string())
        })
    }

    fn atom(&self, program: &mut Program, name: &str) -> Result<Proposition, SourceError> {
        if let Some(call) = calls(name).first() {
            let Span { start, end } = call.span;
            if !name[..start].trim().is_empty() || !name[end..].trim().is_empty() {
                let message = format!(
                    "`{}(…)` is an atom by itself: connect it with others outside of quotation \
                     marks",
                    call.word
                );
                return Err(SourceError::new(call.span, message));
            }
            let transitions = self.transitions(program, &call.process)?;
            return Ok(match call.word {
                TAKEN => Proposition::Taken(transitions),
                _ => Proposition::Enabled(transitions),
            });
        }
        let processes = self.processes.iter().map(|process| process.name.as_str()).collect();
        let tree = proposition(name, processes)?;
        expression(program, self, Scope::Proposition, &tree).map(Proposition::State)
    }
}

impl Names {
    /// The transitions in which a process takes part.
    fn transitions(
        &self,
        program: &Program,
        process: &Name,
    ) -> Result<Vec<TransitionId>, SourceError> {
        let process = ProcessId::new(self.process_number(process)?);
        let transitions = program.transitions.entries().filter(|(_, transition)| {
            self.is_synchronous
                || transition.process == process
                || transition.partner == Some(process)
        });
        Ok(transitions.map(|(id, _)| id).collect())
    }
}

const TAKEN: &str = "taken";
const ENABLED: &str = "enabled";

/// `taken(P)` or `enabled(P)` in a text.
struct Call {
    word: &'static str,
    process: Name,
    span: Span,
}

/// All calls in a text, except for those in quotation marks.
fn calls(text: &str) -> Vec<Call> {
    let is_part_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(call) = call(rest, at) {
            at = call.span.end;
            calls.push(call);
        } else if is_part_of_word(next) {
            at += rest.find(|c| !is_part_of_word(c)).unwrap_or(rest.len());
        } else if next == '"' {
            at += quoted_length(rest);
        } else {
            at += next.len_utf8();
        }
    }
    calls
}

/// The call at the beginning of a text that begins at `offset` of another one.
fn call(text: &str, offset: usize) -> Option<Call> {
    let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || "_$#".contains(c);
    let word = [TAKEN, ENABLED].into_iter().find(|word| text.starts_with(word))?;
    let name = text[word.len()..].trim_start().strip_prefix('(')?.trim_start();
    let length = name.find(|c| !is_part_of_name(c)).unwrap_or(name.len());
    let behind = name[length..].trim_start().strip_prefix(')')?;
    let start = offset + text.len() - name.len();
    let span = Span { start, end: start + length };
    let process = Name { text: name[..length].to_owned(), span };
    let end = offset + text.len() - behind.len();
    Some(Call { word, process, span: Span { start: offset, end } })
}

/// The length of what is in quotation marks at the beginning of a text, with
/// the marks. In it a backslash may protect a quotation mark.
fn quoted_length(text: &str) -> usize {
    let mut is_protected = true;
    for (place, byte) in text.bytes().enumerate() {
        if byte == b'"' && !is_protected {
            return place + 1;
        }
        is_protected = byte == b'\\' && !is_protected;
    }
    text.len()
}
