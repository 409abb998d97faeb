//! Text to tokens, before the preprocessor has seen them.
//!
//! The texts of a model and of the files that it includes lie one behind the
//! other, so a place is a span of them all. A token remembers whether it begins
//! a line, which is where directives are, and whether something separates it
//! from the one before, which is what a macro without parameters and one with
//! parameters differ in.

use super::words::CallId;
use super::{SourceError, error};
use crate::scan::{self, Language, Problem, ScanError, Scanner, Span};

/// What a token is. Keywords and punctuation are known by their spelling.
pub(super) type TokenKind = scan::Kind<&'static str>;

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// Where its text is.
    pub(super) text: Span,
    /// Where messages say it is: where a macro is used, not where it is defined.
    pub(super) place: Span,
    /// Where it is written, be it in the body of a macro.
    pub(super) home: usize,
    /// The use of a macro that has put it where it is.
    pub(super) call: Option<CallId>,
    /// Whether it is part of an argument of that use.
    pub(super) is_argument: bool,
    /// Whether it is the first one of a line.
    pub(super) begins_line: bool,
    /// Whether nothing separates it from the token before.
    pub(super) is_glued: bool,
}

#[rustfmt::skip] // One word a line takes too much room.
pub(super) const KEYWORDS: &[&str] = &[
    "D_proctype", "_last", "active", "assert", "atomic", "bit", "bool", "break", "byte", "c_code",
    "c_decl", "c_expr", "c_state", "c_track", "chan", "d_step", "do", "else", "empty", "enabled",
    "eval", "false", "fi", "for", "full", "get_priority", "goto", "hidden", "if", "init", "inline",
    "int", "len", "local", "ltl", "mtype", "nempty", "never", "nfull", "notrace", "np_", "od", "of",
    "pc_value", "pid", "printf", "printm", "priority", "proctype", "provided", "run", "select",
    "set_priority", "short", "show", "skip", "timeout", "trace", "true", "typedef", "unless",
    "unsigned", "xr", "xs",
];

const PUNCTUATION: &[&str] = &[
    "<->", "->", "..", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "!!",
    "??", "/\\", "\\/", "##", ".", ",", ";", ":", "{", "}", "[", "]", "(", ")", "?", "!", "~", "=",
    "+", "-", "*", "/", "%", "|", "&", "^", "<", ">", "@", "#", "$",
];

struct Promela;

impl Language for Promela {
    type Fixed = &'static str;
    const JOINS_LINES: bool = true;
    const HAS_TEXTS: bool = true;
    const TEXTS_END_IN_LINE: bool = true;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(&'static str, usize)> {
        let fixed = KEYWORDS.iter().chain(PUNCTUATION).filter(|fixed| wanted(fixed));
        fixed.map(|&fixed| (fixed, fixed.len())).max_by_key(|&(_, n_bytes)| n_bytes)
    }

    fn is_in_number(&self, character: char) -> bool {
        character.is_ascii_alphanumeric()
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        let value = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        };
        let value = value.filter(|&value| i64::from(u32::MAX) >= value);
        value.ok_or_else(|| format!("`{text}` is not a number of at most 32 bits"))
    }
}

/// Appends the tokens of the text behind `start`, the last of them
/// [`TokenKind::End`].
pub(super) fn tokens(text: &str, start: usize, tokens: &mut Vec<Token>) -> Result<(), SourceError> {
    let mut scanner = Scanner::new(Promela, text);
    scanner.at = start;
    let mut is_first = true;
    loop {
        let before = scanner.at;
        let scan::Token { kind, span } = match scanner.next() {
            Err(ScanError { problem: Problem::Unknown('\''), span }) => {
                character(&mut scanner, span)?
            }
            Err(ScanError { problem: Problem::Text, span }) => {
                return error(span, "this text is never closed: expected `\"` in the same line");
            }
            token => token?,
        };
        let begins_line = is_first || scanner.begins_line;
        let (is_glued, home) = (span.start == before, span.start);
        let (text, place, call, is_argument) = (span, span, None, false);
        tokens.push(Token { kind, text, place, home, call, is_argument, begins_line, is_glued });
        if kind == TokenKind::End {
            return Ok(());
        }
        is_first = false;
    }
}

/// The number that a character between `'` and `'` is.
fn character(
    scanner: &mut Scanner<'_, Promela>,
    opened: Span,
) -> Result<scan::Token<&'static str>, SourceError> {
    let (value, n_bytes) = match *scanner.rest() {
        [_, b'\\', escaped, b'\'', ..] => {
            let value = match escaped {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'0' => 0,
                other => other,
            };
            (value, 4)
        }
        [_, plain, b'\'', ..] if plain.is_ascii() => (plain, 3),
        _ => {
            return error(opened, "expected one character between `'` and `'`");
        }
    };
    let span = scanner.advance(n_bytes);
    Ok(scan::Token { kind: TokenKind::Number(i64::from(value)), span })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn kinds(text: &str) -> Vec<TokenKind> {
        let mut list = Vec::new();
        tokens(text, 0, &mut list).unwrap();
        list.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn words_numbers_and_blanks() {
        let fixed = TokenKind::Fixed;
        assert_eq!(
            kinds("a_1 // x\n/* * / */->0x12\\ \n'a'"),
            [
                TokenKind::Name,
                fixed("->"),
                TokenKind::Number(18),
                TokenKind::Number(97),
                TokenKind::End
            ]
        );
        assert_eq!(
            kinds("q!!m,\"a \\\" b\""),
            [
                TokenKind::Name,
                fixed("!!"),
                TokenKind::Name,
                fixed(","),
                TokenKind::Text,
                TokenKind::End
            ]
        );
    }

    #[test]
    fn lines_and_gaps() {
        let mut list = Vec::new();
        tokens("#define A(x) \\\n x\nB (x)", 0, &mut list).unwrap();
        let begins: Vec<bool> = list.iter().map(|token| token.begins_line).collect();
        let first_of_second = 6;
        assert!(begins[0] && begins[first_of_second + 1], "{begins:?}");
        assert_eq!(begins.iter().filter(|&&begins| begins).count(), 2);
        assert!(list[3].is_glued && !list[8].is_glued);
    }

    #[test]
    fn what_is_no_token() {
        let check = |text: &str, start, message: &str| {
            let error = tokens(text, 0, &mut Vec::new()).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (start, message));
        };
        check("a é", 2, "unexpected character `é`");
        check("x /* y", 2, "this comment is never closed");
        check("99999999999", 0, "`99999999999` is not a number of at most 32 bits");
        check("x \"y\n\"", 2, "this text is never closed: expected `\"` in the same line");
        check("'ab'", 0, "expected one character between `'` and `'`");
    }
}
