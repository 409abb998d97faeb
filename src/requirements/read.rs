//! A file of requirements, with or without names.
//!
//! `NAME: FORMULA`, or the formula alone, which is then called by its line. A name ends at the
//! first colon outside of quotes; formulas have none. A requirement goes on in the lines
//! directly below it that are indented more than its first line, unless they have a name.
//! A `#` at the start of a line or behind a blank begins a comment; lines of comments directly
//! above a requirement are kept with it.

use super::Requirement;
use crate::ltl::Syntax;
use crate::ltl::parse::without_comments;
use crate::ltl::parse::{self, ParseError, ParseErrorKind, Span, Warning, parse_with_warnings};
use std::collections::HashMap;

/// Why a file has no requirements, and where. Spans are places in the whole text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// This text should be a formula, but cannot be read.
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
    /// There is a name, but no colon behind it.
    #[error("expected `:` behind the name `{name}` of a requirement, as in `{name}: G a`")]
    Colonless {
        /// The name.
        name: String,
        /// Where the colon should be.
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
            Self::Formula(error) => error.place(),
            Self::Taken { span, .. } | Self::Nameless { span } | Self::Colonless { span, .. } => {
                *span
            }
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
/// If a line is not a requirement, a name is used twice, or there is no requirement at all.
pub fn read(text: &str, syntax: Syntax) -> Result<(Vec<Requirement>, Vec<Warning>), ReadError> {
    let mut requirements = Vec::new();
    let mut warnings = Vec::new();
    let mut lines_of: HashMap<String, usize> = HashMap::new();
    let mut comment: Vec<&str> = Vec::new();
    let mut lines = numbered(text).peekable();
    while let Some(line) = lines.next() {
        match line.text.trim() {
            "" => comment.clear(),
            words if words.starts_with('#') => comment.push(words[1..].trim()),
            _ => {
                let mut last = line;
                while let Some(more) = lines.next_if(|more| more.continues(&line)) {
                    last = more;
                }
                let (name, offset, name_span) = name(&line)?;
                if let Some(&line) = lines_of.get(&name) {
                    return Err(ReadError::Taken { name, line, span: name_span });
                }
                lines_of.insert(name.clone(), line.number);
                let start = line.start + offset;
                let formula = without_comments(&text[start..last.start + last.text.len()]);
                let (formula, found) = parse_with_warnings(&formula, syntax).map_err(|error| {
                    match nameable(&formula, syntax).filter(|_| offset == 0) {
                        Some(at) => {
                            let span = Span { start: start + at, end: start + at };
                            ReadError::Colonless { name: formula[..at].trim().to_owned(), span }
                        }
                        None => ReadError::Formula(moved(error, start)),
                    }
                })?;
                let moved =
                    |warning: Warning| Warning { span: later(warning.span, start), ..warning };
                warnings.extend(found.into_iter().map(moved));
                let comment = std::mem::take(&mut comment).join("\n").trim().to_owned();
                requirements.push(Requirement { name, formula, comment });
            }
        }
    }
    if requirements.is_empty() {
        return Err(ReadError::Empty);
    }
    Ok((requirements, warnings))
}

/// A line of a file.
#[derive(Clone, Copy)]
struct Line<'a> {
    /// Counted from 1.
    number: usize,
    /// Where it begins in the file.
    start: usize,
    text: &'a str,
}

/// The lines of a file, without comments behind something else.
fn numbered(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut start = 0;
    text.split('\n').enumerate().map(move |(index, text)| {
        let n_bytes = text.len() + 1;
        // Of a line end of two characters, the first one belongs to no line.
        let text = text.strip_suffix('\r').unwrap_or(text);
        let behind = parse::comment(text, &mut false).map_or("", |at| &text[..at]).trim_end();
        let text = if behind.is_empty() { text } else { behind };
        let line = Line { number: index + 1, start, text };
        start += n_bytes;
        line
    })
}

impl Line<'_> {
    fn indent(&self) -> usize {
        self.text.chars().take_while(|c| c.is_whitespace()).count()
    }

    /// Whether this line, directly below a requirement that begins with `first` or below another
    /// line that continues it, continues it, too.
    fn continues(&self, first: &Self) -> bool {
        let words = self.text.trim();
        let is_comment = words.starts_with('#');
        let has_name = !is_comment && colon(words).is_some();
        !words.is_empty() && first.indent() < self.indent() && !has_name
    }
}

/// The name of the requirement that begins with a line, where its formula begins in the line,
/// and where the name stands in the file.
fn name(line: &Line<'_>) -> Result<(String, usize, Span), ReadError> {
    let at = colon(line.text);
    let offset = at.map_or(0, |at| at + 1);
    let span = Span { start: line.start, end: line.start + offset.max(1) };
    match at.map(|at| line.text[..at].trim()) {
        Some("") => Err(ReadError::Nameless { span }),
        Some(name) => Ok((name.to_owned(), offset, span)),
        None => Ok((format!("line {}", line.number), offset, span)),
    }
}

/// Where a line without a colon could have one: behind its first word, if what
/// comes then is a formula.
fn nameable(line: &str, syntax: Syntax) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let at = start + line[start..].find(char::is_whitespace)?;
    parse_with_warnings(&line[at..], syntax).is_ok().then_some(at)
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
        check("r#1: a # x: y\n \t# z\nb", "r#1: a; line 3: b");
    }

    #[test]
    fn requirements_go_on_in_lines_that_are_indented_more() {
        check("a: G (p ->\n     F q)\nb: r", "a: G (p -> F q); b: r");
        check("G p\n  & q\n  # and also\n  & r\nF s", "line 1: G p & q & r; line 5: F s");
        check("  a: p\n  b: q\n    | r\n", "a: p; b: q | r");
        // A name, an empty line or a comment at the margin begins something new.
        check("a: p\n  b: q", "a: p; b: q");
        check("p\n\n  q", "line 1: p; line 3: q");
        check("p\n# q\n  r", "line 1: p; line 3: r");
        check(
            "a: G (p ->\n  F @)",
            "15..16 unexpected character `@`; an atom that is not a plain word needs double quotes",
        );
        check("a: G (p ->\nb: q", "10..10 expected a formula, found the end");
    }

    #[test]
    fn comments_directly_above_are_kept() {
        let text = "# A file.\n\n# Every request\n#   is answered.\na: G (p -> F q)\n\n#no\n\nb: r\n#\nc: s";
        let (list, _) = read(text, Syntax::Lwaa).unwrap();
        let comments: Vec<&str> = list.iter().map(|one| &*one.comment).collect();
        assert_eq!(comments, ["Every request\nis answered.", "", ""]);
    }

    #[test]
    fn mistakes_have_places_in_the_whole_text() {
        check("a: G p\nb: G (q", "12..13 this is never closed");
        check("a: p\na: q", "5..7 the name `a` is taken by line 1");
        check("R1 G p", "2..2 expected `:` behind the name `R1` of a requirement, as in `R1: G a`");
        check("p q | ", "2..3 expected an operator or the end, found `q`");
        check(" : p", "0..2 expected a name in front of `:`");
        check("# nothing\n", "0..0 there is no requirement");
    }
}
