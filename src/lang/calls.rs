//! `taken(P)` and `enabled(P)` in formulas, for languages that leave the rest of
//! a formula to [`crate::ltl::parse`]. Which characters a name of a process may
//! have besides letters and digits is for the language to say.

use super::program::{Proposition, Span, TransitionId};
use super::{SourceError, cursor::Result};
use crate::ltl::Formula;
use crate::ltl::parse::parse_with_atoms;

const TAKEN: &str = "taken";
const ENABLED: &str = "enabled";

/// `taken(P)` or `enabled(P)` in a text.
#[derive(Debug)]
pub(super) struct Call {
    word: &'static str,
    /// The name of the process, and its place.
    pub(super) process: (String, Span),
    span: Span,
}

impl Call {
    /// What the call says if these are the transitions of the process.
    pub(super) fn about(&self, transitions: Vec<TransitionId>) -> Proposition {
        match self.word {
            TAKEN => Proposition::Taken(transitions),
            _ => Proposition::Enabled(transitions),
        }
    }
}

/// Reads a formula in which calls need no quotation marks.
pub(super) fn formula(text: &str, characters: &str) -> Result<Formula> {
    let atom = |text: &str| call(text, 0, characters).map(|call| call.span.end);
    Ok(parse_with_atoms(text, atom)?)
}

/// The call that an atom consists of; nothing if it contains no call.
pub(super) fn only(atom: &str, characters: &str) -> Result<Option<Call>> {
    let Some(call) = calls(atom, characters).into_iter().next() else { return Ok(None) };
    let Span { start, end } = call.span;
    if !atom[..start].trim().is_empty() || !atom[end..].trim().is_empty() {
        let message = format!(
            "`{}(…)` is an atom by itself: connect it with others outside of quotation marks",
            call.word
        );
        return Err(SourceError::new(call.span, message));
    }
    Ok(Some(call))
}

/// All calls in a text, except for those in quotation marks.
fn calls(text: &str, characters: &str) -> Vec<Call> {
    let is_part_of_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(call) = call(rest, at, characters) {
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
fn call(text: &str, offset: usize, characters: &str) -> Option<Call> {
    let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || characters.contains(c);
    let word = [TAKEN, ENABLED].into_iter().find(|word| text.starts_with(word))?;
    let name = text[word.len()..].trim_start().strip_prefix('(')?.trim_start();
    let length = name.find(|c| !is_part_of_name(c)).unwrap_or(name.len());
    let behind = name[length..].trim_start().strip_prefix(')')?;
    let start = offset + text.len() - name.len();
    let span = Span { start, end: start + length };
    let process = (name[..length].to_owned(), span);
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
