//! Text to tokens.
//!
//! Names may have the characters `$` and `#` behind the first one, as `DiVinE`
//! allows. Comments are those of C, and a backslash at the end of a line is
//! white space. Keywords and punctuation are one kind of token: the parser asks
//! for them by their spelling.

use super::super::SourceError;
use super::super::program::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name; its text is that of its span.
    Name,
    /// A number.
    Number(i64),
    /// A keyword or punctuation.
    Fixed(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

pub(super) const KEYWORDS: &[&str] = &[
    "guard", "sync", "async", "effect", "process", "state", "init", "accept", "commit", "trans",
    "system", "true", "false", "and", "or", "not", "imply", "int", "byte", "const", "channel",
    "property", "buchi", "genbuchi", "streett", "rabin", "muller", "assert",
];

/// Longer ones before their beginnings.
const PUNCTUATION: &[&str] = &[
    "->", "=>", "||", "&&", "<<", ">>", "<=", ">=", "==", "!=", "++", "--", ".", ",", ";", ":",
    "{", "}", "[", "]", "(", ")", "?", "!", "~", "=", "+", "-", "*", "/", "%", "|", "&", "^", "<",
    ">",
];

/// `DiVinE`'s numbers are 32 bits wide.
const MAX_NUMBER: i64 = 2_147_483_647;

/// The tokens of `text`, the last of them [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SourceError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let token = lexer.token()?;
        tokens.push(token);
        if token.kind == Kind::End {
            return Ok(tokens);
        }
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

    fn skip_blank(&mut self) -> Result<(), SourceError> {
        loop {
            let start = self.at;
            self.at += self.run(char::is_whitespace);
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    let span = Span { start: self.at, end: self.at + 2 };
                    return Err(SourceError::new(span, "this comment is never closed"));
                };
                self.at += 2 + end + 2;
            } else if let Some(behind) = rest.strip_prefix('\\')
                && behind.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
            {
                self.at += 1;
            }
            if self.at == start {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Token, SourceError> {
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: Kind::End, span: Span { start, end: start } });
        };
        let kind = if first.is_ascii_digit() {
            self.at += self.run(|c| c.is_ascii_digit());
            let span = Span { start, end: self.at };
            let value = self.text[start..self.at].parse().ok();
            let Some(value) = value.filter(|&value: &i64| value <= MAX_NUMBER) else {
                let message = format!("this number is larger than {MAX_NUMBER}");
                return Err(SourceError::new(span, message));
            };
            Kind::Number(value)
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.at += self.run(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '#'));
            let word = &self.text[start..self.at];
            KEYWORDS.iter().find(|&&keyword| keyword == word).map_or(Kind::Name, |k| Kind::Fixed(k))
        } else if let Some(fixed) = PUNCTUATION.iter().find(|&&fixed| rest.starts_with(fixed)) {
            self.at += fixed.len();
            Kind::Fixed(fixed)
        } else {
            let span = Span { start, end: start + first.len_utf8() };
            let message = format!("unexpected character `{}`", first.escape_debug());
            return Err(SourceError::new(span, message));
        };
        Ok(Token { kind, span: Span { start, end: self.at } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_blanks() {
        let text = "a$1 // x\n/* * / */->12\\ \n>=";
        let kinds: Vec<Kind> = tokens(text).unwrap().iter().map(|token| token.kind).collect();
        let fixed = Kind::Fixed;
        assert_eq!(kinds, [Kind::Name, fixed("->"), Kind::Number(12), fixed(">="), Kind::End]);
    }

    #[test]
    fn what_is_no_token() {
        let check = |text: &str, start, message: &str| {
            let error = tokens(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (start, message));
        };
        check("a é", 2, "unexpected character `é`");
        check("x /* y", 2, "this comment is never closed");
        check("99999999999999999999", 0, "this number is larger than 2147483647");
        check("a \\ b", 2, "unexpected character `\\\\`");
    }
}
