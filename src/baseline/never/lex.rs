//! A never claim to tokens.
//!
//! Comments are those of C. Lines that begin with `#` are for the preprocessor:
//! macros are kept, and lines that say from where a text comes are dropped.

use crate::baseline::formats::FormatError;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, but no keyword.
    Name,
    /// A number.
    Number,
    /// A keyword or punctuation.
    Fixed(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Range<usize>,
}

/// A macro without parameters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Macro<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// The words that have a meaning in a claim.
const KEYWORDS: &[&str] = &[
    "assert", "atomic", "break", "d_step", "do", "else", "false", "fi", "goto", "if", "never",
    "od", "skip", "true",
];

/// The words of Promela that are no names of variables, besides those of
/// claims.
const RESERVED: &[&str] = &[
    "active",
    "bit",
    "bool",
    "byte",
    "chan",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "D_proctype",
    "empty",
    "enabled",
    "eval",
    "for",
    "full",
    "get_priority",
    "hidden",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "nfull",
    "notrace",
    "np_",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "timeout",
    "trace",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Longer ones before their beginnings.
const PUNCTUATION: &[&str] = &[
    "::", "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "{", "}", "(", ")", "[", "]", ";",
    ":", ",", "!", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "~", "@", ".", "?",
];

/// Whether a word can be the name of a variable in Promela.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !KEYWORDS.contains(&word)
        && !RESERVED.contains(&word)
        // A variable of Promela that no model reads.
        && word != "_"
}

/// The tokens of `text`, the last of them [`Kind::End`], and its macros.
pub(super) fn tokens(text: &str) -> Result<(Vec<Token>, Vec<Macro<'_>>), FormatError> {
    let mut lexer = Lexer { text, at: 0, macros: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let token = lexer.token()?;
        lexer.at = token.span.end;
        let is_last = token.kind == Kind::End;
        tokens.push(token);
        if is_last {
            return Ok((tokens, lexer.macros));
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    macros: Vec<Macro<'a>>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Steps over white space, comments and lines for the preprocessor.
    fn skip_blank(&mut self) -> Result<(), FormatError> {
        loop {
            self.at = self.text.len() - self.rest().trim_start().len();
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let Some(end) = comment.find("*/") else {
                    let span = self.at..self.at + 2;
                    return Err(FormatError::new(span, "this comment is never closed"));
                };
                self.at += 2 + end + 2;
            } else if rest.starts_with('#') {
                self.preprocessor()?;
            } else {
                return Ok(());
            }
        }
    }

    /// A line that begins with `#`; a backslash at its end continues it.
    fn preprocessor(&mut self) -> Result<(), FormatError> {
        let rest = self.rest();
        let mut end = 0;
        loop {
            end += rest[end..].find('\n').unwrap_or(rest.len() - end);
            if end == rest.len() || !rest[..end].ends_with('\\') {
                break;
            }
            end += 1;
        }
        let line = &rest[1..end];
        let words = line.trim();
        if let Some(definition) = words.strip_prefix("define").map(str::trim_start) {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = definition.find(|c| !is_part(c)).unwrap_or(definition.len());
            let (name, text) = definition.split_at(length);
            if name.is_empty() || text.starts_with('(') {
                let span = self.at..self.at + end;
                return Err(FormatError::new(span, "only macros without parameters are read"));
            }
            self.macros.push(Macro { name, text: text.trim() });
        } else if !words.starts_with("line") && !words.starts_with(|c: char| c.is_ascii_digit()) {
            let span = self.at..self.at + end;
            return Err(FormatError::new(span, "of the preprocessor only `#define` is read"));
        }
        self.at += end;
        Ok(())
    }

    fn token(&self) -> Result<Token, FormatError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: Kind::End, span: self.at..self.at });
        };
        let (kind, length) = if first.is_ascii_alphanumeric() || first == '_' {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let word = &rest[..length];
            let kind = match KEYWORDS.iter().find(|keyword| **keyword == word) {
                Some(keyword) => Kind::Fixed(keyword),
                None if first.is_ascii_digit() => Kind::Number,
                None => Kind::Name,
            };
            (kind, length)
        } else if let Some(sign) = PUNCTUATION.iter().find(|sign| rest.starts_with(**sign)) {
            (Kind::Fixed(sign), sign.len())
        } else {
            let span = self.at..self.at + first.len_utf8();
            let message = format!("unexpected character `{}`", first.escape_debug());
            return Err(FormatError::new(span, message));
        };
        Ok(Token { kind, span: self.at..self.at + length })
    }
}
