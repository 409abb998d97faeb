//! Bytes to tokens.
//!
//! White space and comments, which may be nested, are dropped. Identifiers and
//! the names of header lines may contain dots: only later versions of the
//! format allow that, but documents of version 1 have them.

use super::{HoaError, HoaErrorKind};
use std::ops::Range;

/// One word of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The name of a line of the header, without its colon.
    Header(&'a str),
    Identifier(&'a str),
    Boolean(bool),
    Integer(u32),
    Text(String),
    /// An alias name, without its `@`.
    Alias(&'a str),
    /// One of `! & | ( ) [ ] { }`.
    Sign(u8),
    Body,
    End,
    Abort,
    /// There is no more token.
    Nothing,
}

impl Token<'_> {
    /// The token as it is named in a message.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Header(name) => format!("`{name}:`"),
            Self::Identifier(name) => format!("`{name}`"),
            Self::Boolean(value) => if *value { "`t`" } else { "`f`" }.to_owned(),
            Self::Integer(number) => format!("`{number}`"),
            Self::Text(_) => "a text".to_owned(),
            Self::Alias(name) => format!("`@{name}`"),
            Self::Sign(sign) => format!("`{}`", char::from(*sign)),
            Self::Body => "`--BODY--`".to_owned(),
            Self::End => "`--END--`".to_owned(),
            Self::Abort => "`--ABORT--`".to_owned(),
            Self::Nothing => "the end of the input".to_owned(),
        }
    }
}

/// Cuts a document into tokens, one at a time.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// The next token and where it stands.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, Range<usize>), HoaError> {
        self.skip_blanks()?;
        let start = self.position;
        let token = match self.peek() {
            None => Token::Nothing,
            Some(b'"') => Token::Text(self.text()?),
            Some(b'0'..=b'9') => Token::Integer(self.integer()?),
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => self.word(),
            Some(b'-') => self.marker()?,
            Some(b'@') => {
                self.position += 1;
                match self.take_while(is_word_byte) {
                    "" => return Err(self.expected("the name of an alias")),
                    name => Token::Alias(name),
                }
            }
            Some(sign @ (b'!' | b'&' | b'|' | b'(' | b')' | b'[' | b']' | b'{' | b'}')) => {
                self.position += 1;
                Token::Sign(sign)
            }
            Some(_) => return Err(self.unknown_character()),
        };
        Ok((token, start..self.position))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn error(start: usize, end: usize, kind: HoaErrorKind) -> HoaError {
        HoaError { span: start..end, kind }
    }

    fn expected(&self, what: &'static str) -> HoaError {
        let (found, length) = match self.character() {
            None => ("the end of the input".to_owned(), 0),
            Some((character, length)) => (format!("`{}`", character.escape_debug()), length),
        };
        let kind = HoaErrorKind::Expected { what, found };
        Self::error(self.position, self.position + length, kind)
    }

    fn unknown_character(&self) -> HoaError {
        let (character, length) = self.character().unwrap_or((char::REPLACEMENT_CHARACTER, 0));
        let kind = HoaErrorKind::UnknownCharacter(character);
        Self::error(self.position, self.position + length, kind)
    }

    /// The character at hand and its length in bytes; a replacement if it is
    /// not UTF-8.
    fn character(&self) -> Option<(char, usize)> {
        let end = self.bytes.len().min(self.position + 4);
        let chunk = self.bytes[self.position..end].utf8_chunks().next()?;
        let valid = chunk.valid().chars().next();
        Some(valid.map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8())))
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) -> Result<(), HoaError> {
        loop {
            match self.bytes[self.position..] {
                [b' ' | b'\t' | b'\n' | b'\r', ..] => self.position += 1,
                [b'/', b'*', ..] => self.skip_comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn skip_comment(&mut self) -> Result<(), HoaError> {
        let start = self.position;
        let mut depth = 0_usize;
        loop {
            match self.bytes[self.position..] {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.position += 2;
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.position += 2;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                [_, ..] => self.position += 1,
                [] => {
                    let kind = HoaErrorKind::Unclosed("comment");
                    return Err(Self::error(start, start + 2, kind));
                }
            }
        }
    }

    /// A text in quotation marks, in which a backslash is dropped and the
    /// character after it taken as it is.
    fn text(&mut self) -> Result<String, HoaError> {
        let start = self.position;
        self.position += 1;
        let mut text = Vec::new();
        loop {
            match self.bytes[self.position..] {
                [b'"', ..] => break,
                [b'\\', escaped, ..] => {
                    text.push(escaped);
                    self.position += 2;
                }
                [b'\\'] | [] => {
                    let kind = HoaErrorKind::Unclosed("text");
                    return Err(Self::error(start, start + 1, kind));
                }
                [byte, ..] => {
                    text.push(byte);
                    self.position += 1;
                }
            }
        }
        self.position += 1;
        String::from_utf8(text)
            .map_err(|_| Self::error(start, self.position, HoaErrorKind::NotUnicode))
    }

    fn integer(&mut self) -> Result<u32, HoaError> {
        let start = self.position;
        let digits = self.take_while(|byte| byte.is_ascii_digit());
        let kind = match digits.parse::<u32>() {
            _ if 1 < digits.len() && digits.starts_with('0') => HoaErrorKind::LeadingZero,
            Ok(number) if number < 1 << 31 => return Ok(number),
            _ => HoaErrorKind::TooLarge,
        };
        Err(Self::error(start, self.position, kind))
    }

    /// An identifier, constant or name of a line of the header.
    fn word(&mut self) -> Token<'a> {
        let word = self.take_while(is_word_byte);
        if self.peek() == Some(b':') {
            self.position += 1;
            return Token::Header(word);
        }
        match word {
            "t" => Token::Boolean(true),
            "f" => Token::Boolean(false),
            _ => Token::Identifier(word),
        }
    }

    /// `--BODY--` and the like.
    fn marker(&mut self) -> Result<Token<'a>, HoaError> {
        let rest = &self.bytes[self.position..];
        let markers = [("--BODY--", Token::Body), ("--END--", Token::End)];
        for (text, token) in markers.into_iter().chain([("--ABORT--", Token::Abort)]) {
            if rest.starts_with(text.as_bytes()) {
                self.position += text.len();
                return Ok(token);
            }
        }
        Err(self.unknown_character())
    }

    fn take_while(&mut self, wanted: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.bytes[self.position..];
        let length = rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len());
        self.position += length;
        std::str::from_utf8(&rest[..length]).expect("only ASCII bytes are wanted")
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}
