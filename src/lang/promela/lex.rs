//! Text to tokens, before the preprocessor has seen them.
//!
//! The texts of a model and of the files that it includes lie one behind the
//! other, so a place is a span of them all. A token remembers whether it begins
//! a line, which is where directives are, and whether something separates it
//! from the one before, which is what a macro without parameters and one with
//! parameters differ in.

use super::super::SourceError;
use super::super::program::Span;
use super::words::CallId;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name; its text is that of its span.
    Name,
    /// A number or a character.
    Number(i64),
    /// A text in quotation marks.
    Text,
    /// A keyword or punctuation.
    Fixed(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
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

pub(super) const KEYWORDS: &[&str] = &[
    "D_proctype",
    "_last",
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "np_",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Longer ones before their beginnings.
const PUNCTUATION: &[&str] = &[
    "<->", "->", "..", "::", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "!!",
    "??", "/\\", "\\/", "##", ".", ",", ";", ":", "{", "}", "[", "]", "(", ")", "?", "!", "~", "=",
    "+", "-", "*", "/", "%", "|", "&", "^", "<", ">", "@", "#", "$",
];

/// Appends the tokens of the text behind `start`, the last of them
/// [`Kind::End`].
pub(super) fn tokens(text: &str, start: usize, tokens: &mut Vec<Token>) -> Result<(), SourceError> {
    let mut lexer = Lexer { text, at: start };
    let mut begins_line = true;
    loop {
        let before = lexer.at;
        begins_line |= lexer.skip_blank()?;
        let is_glued = lexer.at == before;
        let start = lexer.at;
        let kind = lexer.kind()?;
        let span = Span { start, end: lexer.at };
        let (place, home, call, is_argument) = (span, start, None, false);
        let text = span;
        tokens.push(Token { kind, text, place, home, call, is_argument, begins_line, is_glued });
        if kind == Kind::End {
            return Ok(());
        }
        begins_line = false;
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The number of bytes at the beginning of the rest that are all `wanted`.
    fn run(&self, wanted: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !wanted(c)).unwrap_or(rest.len())
    }

    /// Says whether a line ends in what was skipped. A backslash at the end of a
    /// line joins it with the next one.
    fn skip_blank(&mut self) -> Result<bool, SourceError> {
        let mut is_new_line = false;
        loop {
            let start = self.at;
            let blank = self.run(char::is_whitespace);
            is_new_line |= self.rest()[..blank].contains('\n');
            self.at += blank;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    let span = Span { start: self.at, end: self.at + 2 };
                    return Err(SourceError::new(span, "this comment is never closed"));
                };
                self.at += 2 + end + 2;
            } else if let Some(behind) = rest.strip_prefix('\\') {
                let behind = behind.trim_start_matches([' ', '\t', '\r']);
                if let Some(next_line) = behind.strip_prefix('\n') {
                    self.at = self.text.len() - next_line.len();
                }
            }
            if self.at == start {
                return Ok(is_new_line);
            }
        }
    }

    fn kind(&mut self) -> Result<Kind, SourceError> {
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(Kind::End) };
        if first.is_ascii_digit() {
            self.at += self.run(|c| c.is_ascii_alphanumeric());
            let word = &self.text[start..self.at];
            let value = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
                Some(digits) => i64::from_str_radix(digits, 16).ok(),
                None => word.parse().ok(),
            };
            let value = value.filter(|&value| i64::from(u32::MAX) >= value);
            return value.map(Kind::Number).ok_or_else(|| {
                let message = format!("`{word}` is not a number of at most 32 bits");
                SourceError::new(Span { start, end: self.at }, message)
            });
        }
        if first.is_ascii_alphabetic() || first == '_' {
            self.at += self.run(|c| c.is_ascii_alphanumeric() || c == '_');
            let word = &self.text[start..self.at];
            let keyword = KEYWORDS.iter().find(|&&keyword| keyword == word);
            return Ok(keyword.map_or(Kind::Name, |keyword| Kind::Fixed(keyword)));
        }
        if first == '"' {
            return self.quoted();
        }
        if first == '\'' {
            return self.character();
        }
        if let Some(fixed) = PUNCTUATION.iter().find(|&&fixed| rest.starts_with(fixed)) {
            self.at += fixed.len();
            return Ok(Kind::Fixed(fixed));
        }
        let span = Span { start, end: start + first.len_utf8() };
        Err(SourceError::new(span, format!("unexpected character `{}`", first.escape_debug())))
    }

    fn quoted(&mut self) -> Result<Kind, SourceError> {
        let bytes = self.rest().as_bytes();
        let mut at = 1;
        while at < bytes.len() && bytes[at] != b'\n' {
            match bytes[at] {
                b'"' => {
                    self.at += at + 1;
                    return Ok(Kind::Text);
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        let span = Span { start: self.at, end: self.at + 1 };
        Err(SourceError::new(span, "this text is never closed: expected `\"` in the same line"))
    }

    fn character(&mut self) -> Result<Kind, SourceError> {
        let bytes = self.rest().as_bytes();
        let (value, len) = match *bytes {
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
                let span = Span { start: self.at, end: self.at + 1 };
                return Err(SourceError::new(span, "expected one character between `'` and `'`"));
            }
        };
        self.at += len;
        Ok(Kind::Number(i64::from(value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn kinds(text: &str) -> Vec<Kind> {
        let mut list = Vec::new();
        tokens(text, 0, &mut list).unwrap();
        list.iter().map(|token| token.kind).collect()
    }

    #[test]
    fn words_numbers_and_blanks() {
        let fixed = Kind::Fixed;
        assert_eq!(
            kinds("a_1 // x\n/* * / */->0x12\\ \n'a'"),
            [Kind::Name, fixed("->"), Kind::Number(18), Kind::Number(97), Kind::End]
        );
        assert_eq!(
            kinds("q!!m,\"a \\\" b\""),
            [Kind::Name, fixed("!!"), Kind::Name, fixed(","), Kind::Text, Kind::End]
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
