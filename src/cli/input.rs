//! Formulas from arguments, files and standard input.
//!
//! A file holds one formula: line breaks are white space. A `#` at the start of a
//! line or behind a blank begins a comment, unless it is part of a quoted atom.
//! Comments are replaced by spaces of the same length, so places in messages
//! stay right.

use super::diagnostic::{self, Document, Level};
use super::request::Text;
use super::{Failure, output};
use lwaa::ltl::parse::{ParseError, Warning, parse_with_warnings, without_comments};
use lwaa::ltl::{Formula, Syntax};
use std::io::Read;
use std::ops::Range;

/// How many warnings about one text are shown.
const MAX_WARNINGS: usize = 5;

/// A formula and what was to be said about its text.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) formula: Formula,
    pub(super) warnings: Vec<String>,
}

/// Reads a formula. Warnings go to standard error at once.
pub(super) fn formula(source: &Text, syntax: Syntax) -> Result<Input, Failure> {
    let (name, text) = text(source)?;
    parsed(Document { name: &name, text: &text }, syntax)
}

/// The formula that a document is. Warnings go to standard error at once.
pub(super) fn parsed(document: Document<'_>, syntax: Syntax) -> Result<Input, Failure> {
    let (formula, warnings) =
        parse_with_warnings(document.text, syntax).map_err(|error| failure(document, 0, &error))?;
    warn(document, &warnings);
    let warnings = warnings.iter().take(MAX_WARNINGS).map(ToString::to_string).collect();
    Ok(Input { formula, warnings })
}

/// Says on standard error what a document may have been meant to say instead.
pub(super) fn warn(document: Document<'_>, warnings: &[Warning]) {
    for warning in warnings.iter().take(MAX_WARNINGS) {
        let (message, span) = (warning.to_string(), warning.span.range());
        output::message(&diagnostic::render(Level::WARNING, &message, document, span));
    }
    if let Some(more @ 1..) = warnings.len().checked_sub(MAX_WARNINGS) {
        output::message(&format!("warning: {more} more atoms look like operators or constants\n"));
    }
}

/// What is wrong with a part of a document that should be a formula, unless it is
/// one.
pub(super) fn complaint(
    document: Document<'_>,
    part: Range<usize>,
    syntax: Syntax,
) -> Option<Failure> {
    let text = without_comments(&document.text[part.clone()]);
    let error = parse_with_warnings(&text, syntax).err()?;
    Some(failure(document, part.start, &error))
}

/// The name and the text of a source, without comments.
pub(super) fn text(source: &Text) -> Result<(String, String), Failure> {
    match source {
        Text::Argument { .. } => raw_text(source),
        Text::File(_) | Text::StandardInput => {
            raw_text(source).map(|(name, text)| (name, without_comments(&text).into_owned()))
        }
    }
}

/// The name and the text of a source as it is.
pub(super) fn raw_text(source: &Text) -> Result<(String, String), Failure> {
    let (name, bytes) = match source {
        Text::Argument { name, text } => {
            return Ok(((*name).to_owned(), without_mark(text.clone())));
        }
        Text::File(path) => {
            let name = path.display().to_string();
            let bytes = std::fs::read(path)
                .map_err(|error| Failure::plain(format_args!("cannot read {name}: {error}")))?;
            (name, bytes)
        }
        Text::StandardInput => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
                Failure::plain(format_args!("cannot read standard input: {error}"))
            })?;
            ("<stdin>".to_owned(), bytes)
        }
    };
    let text = utf8(&name, bytes)?;
    Ok((name, without_mark(text)))
}

/// The text without the byte order mark that some editors put in front of it. The
/// mark belongs to no line, so columns are counted behind it.
pub(super) fn without_mark(mut text: String) -> String {
    const MARK: char = '\u{feff}';
    if text.starts_with(MARK) {
        text.drain(..MARK.len_utf8());
    }
    text
}

/// The text that `bytes` are, or where they are not UTF-8.
fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let message = format!("this is not UTF-8: byte 0x{:02x} at offset {offset}", bytes[offset]);
        // Offsets are the same up to the first sign for what is no character.
        let text = String::from_utf8_lossy(bytes);
        let span = offset..offset + char::REPLACEMENT_CHARACTER.len_utf8();
        let document = Document { name, text: &text };
        diagnostic::error(&message, document, span)
    })
}

/// What is wrong with a text that is no formula and begins at an offset of the
/// document.
fn failure(document: Document<'_>, offset: usize, error: &ParseError) -> Failure {
    let span = error.place();
    let span = offset + span.start..offset + span.end;
    diagnostic::error(&error.to_string(), document, span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_comments(text), expected);
        assert_eq!(text.len(), expected.len());
    }

    #[test]
    fn comments_become_spaces() {
        check("# é\na\n  # b\n& c", "    \na\n     \n& c");
    }

    #[test]
    fn a_comment_may_stand_behind_a_formula() {
        check("a # b \"\n& c\t#d", "a      \n& c\t  ");
        check("a#b\n", "a#b\n");
    }

    #[test]
    fn quoted_atoms_have_no_comments() {
        check("\"a\n# b\" &\n# c", "\"a\n# b\" &\n   ");
        check("\"a\\\"\n# b\"\n# c", "\"a\\\"\n# b\"\n   ");
        check("\"a\\\\\"\n# c", "\"a\\\\\"\n   ");
    }

    #[test]
    fn bytes_that_are_no_text_are_refused_with_their_place() {
        let failure = utf8("file", b"a\n\xc3\xa9\xff".to_vec()).unwrap_err();
        let Failure::Input(complaint) = failure else { panic!("{failure:?}") };
        insta::assert_snapshot!(complaint.text, @r"
        error: file:2:2: this is not UTF-8: byte 0xff at offset 4
          |
        2 | é�
          |  ^
        ");
    }
}
