//! Text to [`Formula`], in one of three syntaxes.
//!
//! The default syntax takes every usual spelling of the operators:
//!
//! | operator | spellings |
//! |---|---|
//! | not | `!` `~` `not` `¬` |
//! | next, finally, globally | `X` `()` `○`, `F` `<>` `◇`, `G` `[]` `□` |
//! | until, release, weak until, strong release | `U`, `R` `V`, `W`, `M` |
//! | and, exclusive or, or | `&` `&&` `/\` `and` `∧`, `^` `xor`, `\|` `\|\|` `\/` `or` `∨` |
//! | implies, equivalent | `->` `=>` `implies` `→`, `<->` `<=>` `↔` |
//! | constants | `true` `True` `1`, `false` `False` `0` |
//!
//! Unary operators bind strongest, then the binary temporal operators, then
//! and, exclusive or, or, and last implication and equivalence. Temporal
//! operators, implication and equivalence group to the right, the others to
//! the left.
//!
//! A *word* is an ASCII letter or underscore followed by ASCII letters, digits
//! and underscores. A word made only of the letters X, F and G is a chain of
//! operators, and `U R V W M` are operators; every other word is an atom.
//! Whatever else is to be an atom is written in double quotes, where `\"` and
//! `\\` stand for `"` and `\`, `\x1b` and `\u{202e}` for the characters with these numbers, and
//! any other backslash for itself.
//!
//! [`Syntax::Spot`] differs in its words: they may have dots, and leading
//! letters X, F and G are operators (`GFp0` is `G F p0`) unless the last of
//! them is followed by a digit (`F0` is an atom). It also reads Wring's `p=1`
//! and `p=0` for `p` and `!p`, and behind a formula the first letter of a word
//! as an operator (`p=1Uq=1`). [`Syntax::Lbt`] is prefix form.
//!
//! The parsers keep explicit stacks: nesting depth is bounded by memory alone.
//! This module does not know what the operators mean, nor what a quoted atom
//! says: its text is opaque.

pub(crate) mod grammar;
mod infix;
mod lex;
mod prefix;

use super::Formula;
use std::borrow::Cow;

pub use crate::scan::Span;

pub(super) use lex::is_plain_atom;
pub(crate) use lex::unquoted;

/// How a formula is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// Our own: words are atoms unless they are operators.
    #[default]
    Lwaa,
    /// That of Spot: the leading letters X, F and G of a word are operators.
    Spot,
    /// The prefix form of LBT: `G i p0 F p1`.
    Lbt,
}

/// Why and where a text is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The offending part of the text.
    pub span: Span,
    /// What is wrong with it.
    pub kind: ParseErrorKind,
}

impl ParseError {
    /// The place to point at: what is never closed, rather than the end of the text.
    #[must_use]
    pub fn place(&self) -> Span {
        match self.kind {
            ParseErrorKind::Unclosed { opened } => opened,
            _ => self.span,
        }
    }
}

/// What is wrong with a text that is not a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseErrorKind {
    /// There is nothing but white space.
    #[error("the formula is empty")]
    Empty,
    /// Something else should have come here.
    #[error("expected {what}, found {found}")]
    Expected {
        /// What could have come.
        what: &'static str,
        /// What came.
        found: String,
    },
    /// An operator stands where a formula should begin.
    #[error(
        "expected a formula, found the operator `{0}`; an atom of that name needs double quotes"
    )]
    Operator(String),
    /// An operator of logics that look back.
    #[error("past operators such as `{0}` are not supported")]
    Past(String),
    /// A temporal operator with bounds.
    #[error("bounded operators are not supported; `X` counts steps, as in `a | X (a | X a)`")]
    Bounded,
    /// A comment where there is no file.
    #[error(
        "unexpected character `#`; in a file, `#` at the start of a line or behind a blank begins a comment"
    )]
    Comment,
    /// A parenthesis or quotation mark is never closed.
    #[error("this is never closed")]
    Unclosed {
        /// The opening parenthesis or quotation mark.
        opened: Span,
    },
    /// A closing parenthesis has no partner.
    #[error("this parenthesis was never opened")]
    Unopened,
    /// A character that belongs to no operator and no word.
    #[error("unexpected character `{}`; an atom that is not a plain word needs double quotes", .0.escape_debug())]
    UnknownCharacter(char),
    /// A word that starts with a digit and is no constant.
    #[error("`{0}` is not a constant, and an atom that starts with a digit needs double quotes")]
    Number(String),
    /// The text has more bytes than there are numbers for its subformulas.
    #[error("the formula has {given} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The length of the text in bytes.
        given: usize,
        /// The greatest length that can be read.
        limit: usize,
    },
}

/// A formula that is well written, but perhaps not what was meant: an atom
/// that other tools read as operators and an atom, or as a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The first occurrence of the atom.
    pub span: Span,
    /// The atom.
    pub word: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = &self.word;
        if let Some(constant) = meant_constant(word) {
            return write!(f, "`{word}` is an atom here; the constant is `{constant}`");
        }
        let (operators, atom) = self.word.split_at(n_leading_operators(&self.word));
        write!(f, "`{word}` is one atom here; with `--syntax spot` it is `{operators} {atom}`")
    }
}

/// Reads a formula.
///
/// ```
/// use lwaa::ltl::parse::{Syntax, parse};
/// let formula = parse("GF(a | b)", Syntax::Lwaa)?;
/// assert_eq!(formula, parse("[]<>(a \\/ b)", Syntax::Spot)?);
/// assert_eq!(formula, parse("G F | a b", Syntax::Lbt)?);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
///
/// # Errors
///
/// If `text` is not a formula; the error says where and why.
pub fn parse(text: &str, syntax: Syntax) -> Result<Formula, ParseError> {
    parse_with_warnings(text, syntax).map(|(formula, _)| formula)
}

/// Reads a formula and says which of its atoms may have been meant as
/// something else, each once.
///
/// ```
/// use lwaa::ltl::parse::{Syntax, parse_with_warnings};
/// let (_, warnings) = parse_with_warnings("GFp0 -> GFp0", Syntax::Lwaa)?;
/// assert_eq!(warnings.len(), 1);
/// assert_eq!(
///     warnings[0].to_string(),
///     "`GFp0` is one atom here; with `--syntax spot` it is `GF p0`",
/// );
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
///
/// # Errors
///
/// If `text` is not a formula; the error says where and why.
pub fn parse_with_warnings(
    text: &str,
    syntax: Syntax,
) -> Result<(Formula, Vec<Warning>), ParseError> {
    check_size(text)?;
    match syntax {
        Syntax::Lwaa | Syntax::Spot => infix::parse(text, syntax, |_| None),
        Syntax::Lbt => Ok((prefix::parse(text)?, Vec::new())),
    }
}

/// Refuses a text that is too large.
fn check_size(text: &str) -> Result<(), ParseError> {
    // Every subformula is written with at least one byte of its own, so this
    // also keeps their numbers within 32 bits.
    const LIMIT: usize = u32::MAX as usize;
    if text.len() > LIMIT {
        let kind = ParseErrorKind::TooLarge { given: text.len(), limit: LIMIT };
        return Err(ParseError { span: Span::new(0, 0), kind });
    }
    Ok(())
}

/// Reads a formula of our own syntax in which what `atom` gives the length of, at the beginning
/// of a text that begins with a word, is an atom.
pub(crate) fn parse_with_atoms(
    text: &str,
    atom: impl Fn(&str) -> Option<usize>,
) -> Result<Formula, ParseError> {
    check_size(text)?;
    infix::parse(text, Syntax::Lwaa, atom).map(|(formula, _)| formula)
}

/// The constant that other tools take `word` for.
fn meant_constant(word: &str) -> Option<&'static str> {
    match word {
        "TRUE" => Some("true"),
        "FALSE" => Some("false"),
        _ => None,
    }
}

/// How many of the first letters of `word` would be operators in Spot's
/// syntax.
fn n_leading_operators(word: &str) -> usize {
    let letters = word.bytes().take_while(|letter| b"XFG".contains(letter)).count();
    match word.as_bytes().get(letters) {
        // Spot reads F0 as an atom, and so GF0 as G F0.
        Some(b'0'..=b'9') => letters.saturating_sub(1),
        _ => letters,
    }
}

/// Where the comment of a line of a file begins: at a `#` at the start of the line or
/// behind a blank, outside of quotation marks. `is_quoted` says whether the line begins
/// inside of a quoted atom, and then whether it ends there.
///
/// ```
/// use lwaa::ltl::parse::comment;
/// let mut is_quoted = false;
/// assert_eq!(comment("G a # always", &mut is_quoted), Some(4));
/// assert_eq!(comment("G \"a # b\"", &mut is_quoted), None);
/// ```
pub fn comment(line: &str, is_quoted: &mut bool) -> Option<usize> {
    let mut is_escaped = false;
    let mut is_behind_blank = true;
    for (at, byte) in line.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if *is_quoted => is_escaped = true,
            b'"' => *is_quoted = !*is_quoted,
            b'#' if !*is_quoted && is_behind_blank => return Some(at),
            _ => (),
        }
        is_behind_blank = byte.is_ascii_whitespace();
    }
    None
}

/// A text with spaces instead of the comments in its lines, so that places stay the same.
#[must_use]
pub fn without_comments(text: &str) -> Cow<'_, str> {
    if !text.contains('#') {
        return Cow::Borrowed(text);
    }
    let mut is_quoted = false;
    let lines = text.split('\n').map(|line| {
        let end = comment(line, &mut is_quoted).unwrap_or(line.len());
        format!("{}{}", &line[..end], " ".repeat(line.len() - end))
    });
    Cow::Owned(lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests;
