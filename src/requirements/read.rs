//! A file of requirements: one a line, with or without a name.
//!
//! `NAME: FORMULA`, or the formula alone, which is then called by its line. Empty lines
//! and lines that start with `#` say nothing. A name ends at the first colon outside of
//! quotes; formulas have none.

use super::Requirement;
use crate::ltl::Syntax;
use crate::ltl::parse::{ParseError, ParseErrorKind, Span, Warning, parse_with_warnings};
use std::collections::HashMap;

/// Why a file has no requirements, and where. Spans are places in the whole text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// What should be a formula is none.
    #[error("{0}")]
    Formula(ParseError),
    /// Two requirements have one name.
    #[error("the name `{name}` is taken by line {line}")]
    Taken {
        /// The name.
        name: String,
        /// The line of the first one, from 1.
        line: usize,
        /// Where the second one is.
        span: Span,
    },
    /// There is a colon, but no name before it.
    #[error("expected a name in front of `:`")]
    Nameless {
        /// Where the name should be.
        span: Span,
    },
    /// There is no requirement at all.
    #[error("there is no requirement")]
    Empty,
}

impl ReadError {
    /// The place to point at.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Formula(error) => match error.kind {
                ParseErrorKind::Unclosed { opened } => opened,
                _ => error.span,
            },
            Self::Taken { span, .. } | Self::Nameless { span } => *span,
            Self::Empty => Span { start: 0, end: 0 },
        }
    }
}

/// The requirements of a text, in order, and what they may have been meant to say
/// instead.
///
/// ```
/// use lwaa::ltl::Syntax;
/// use lwaa::requirements::read::read;
/// let text = "# two of them\nanswer: G (request -> F grant)\nG F request\n";
/// let (requirements, _) = read(text, Syntax::Lwaa)?;
/// assert_eq!(requirements[0].name, "answer");
/// assert_eq!(requirements[1].name, "line 3");
/// # Ok::<(), lwaa::requirements::read::ReadError>(())
/// ```
///
/// # Errors
///
/// If a line is no requirement, a name is used twice, or there is none at all.
pub fn read(text: &str, syntax: Syntax) -> Result<(Vec<Requirement>, Vec<Warning>), ReadError> {
    let mut requirements = Vec::new();
    let mut warnings = Vec::new();
    let mut lines_of: HashMap<String, usize> = HashMap::new();
    let mut start = 0;
    for (index, line) in text.split('\n').enumerate() {
        let line_start = start;
        start += line.len() + 1;
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let (name, offset) = match colon(line) {
            Some(at) => (Some(line[..at].trim()), at + 1),
            None => (None, 0),
        };
        let name_span = Span { start: line_start, end: line_start + offset.max(1) };
        if name.is_some_and(str::is_empty) {
            return Err(ReadError::Nameless { span: name_span });
        }
        let name = name.map_or_else(|| format!("line {}", index + 1), str::to_owned);
        if let Some(&line) = lines_of.get(&name) {
            return Err(ReadError::Taken { name, line, span: name_span });
        }
        lines_of.insert(name.clone(), index + 1);
        let (formula, found) = parse_with_warnings(&line[offset..], syntax)
            .map_err(|error| ReadError::Formula(moved(error, line_start + offset)))?;
        warnings.extend(
            found.into_iter().map(|warning| Warning {
                span: later(warning.span, line_start + offset),
                ..warning
            }),
        );
        requirements.push(Requirement { name, formula });
    }
    if requirements.is_empty() {
        return Err(ReadError::Empty);
    }
    Ok((requirements, warnings))
}

/// Where the name of a requirement ends.
fn colon(line: &str) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b':' if !is_quoted => return Some(at),
            _ => (),
        }
    }
    None
}

fn later(span: Span, offset: usize) -> Span {
    Span { start: span.start + offset, end: span.end + offset }
}

fn moved(error: ParseError, offset: usize) -> ParseError {
    let kind = match error.kind {
        ParseErrorKind::Unclosed { opened } => {
            ParseErrorKind::Unclosed { opened: later(opened, offset) }
        }
        other => other,
    };
    ParseError { span: later(error.span, offset), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match read(text, Syntax::Lwaa) {
            Ok((list, _)) => {
                let lines = list.iter().map(|one| format!("{}: {}", one.name, one.formula));
                lines.collect::<Vec<String>>().join("; ")
            }
            Err(error) => format!("{}..{} {error}", error.span().start, error.span().end),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn names_may_have_blanks_and_formulas_quotes() {
        check("no fire: G !\"a : b\"\n\n \"x:y\"", "no fire: G !\"a : b\"; line 3: \"x:y\"");
        check("r1:a\r\nr2: b\r\n", "r1: a; r2: b");
    }

    #[test]
    fn mistakes_have_places_in_the_whole_text() {
        check("a: G p\nb: G (q", "11..12 expected `)`, found the end of the formula");
        check("a: p\na: q", "5..7 the name `a` is taken by line 1");
        check(" : p", "0..2 expected a name in front of `:`");
        check("# nothing\n", "0..0 there is no requirement");
    }
}
