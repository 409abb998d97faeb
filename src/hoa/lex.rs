//! Bytes to tokens.
//!
//! White space and comments, which may be nested, are dropped. Identifiers and
//! the names of header lines may contain dots: only later versions of the
//! format allow that, but documents of version 1 have them.

use super::{HoaError, HoaErrorKind};
use crate::scan::{Comment, Kind, Language, Problem, ScanError, Scanner, Span, longest};

/// One word of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The name of a line of the header, without its colon.
    Header(&'a str),
    Identifier(&'a str),
    Boolean(bool),
    Integer(u32),
    /// What stands in quotation marks, with its backslashes.
    Text(&'a str),
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
    pub(super) fn describe(self) -> String {
        match self {
            Self::Header(name) => format!("`{name}:`"),
            Self::Identifier(name) => format!("`{name}`"),
            Self::Boolean(value) => if value { "`t`" } else { "`f`" }.to_owned(),
            Self::Integer(number) => format!("`{number}`"),
            Self::Text(_) => "a text".to_owned(),
            Self::Alias(name) => format!("`@{name}`"),
            Self::Sign(sign) => format!("`{}`", char::from(sign)),
            Self::Body => "`--BODY--`".to_owned(),
            Self::End => "`--END--`".to_owned(),
            Self::Abort => "`--ABORT--`".to_owned(),
            Self::Nothing => "the end of the input".to_owned(),
        }
    }
}

const SPELLINGS: &[(&str, Token<'static>)] = &[
    ("t", Token::Boolean(true)),
    ("f", Token::Boolean(false)),
    ("!", Token::Sign(b'!')),
    ("&", Token::Sign(b'&')),
    ("|", Token::Sign(b'|')),
    ("(", Token::Sign(b'(')),
    (")", Token::Sign(b')')),
    ("[", Token::Sign(b'[')),
    ("]", Token::Sign(b']')),
    ("{", Token::Sign(b'{')),
    ("}", Token::Sign(b'}')),
    ("--BODY--", Token::Body),
    ("--END--", Token::End),
    ("--ABORT--", Token::Abort),
];

/// The table of the format.
#[derive(Clone, Copy, Debug)]
struct Hoa;

impl Language for Hoa {
    type Fixed = Token<'static>;
    const COMMENTS: &[Comment] = &[Comment::Nested("/*", "*/")];
    const HAS_TEXTS: bool = true;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Token<'static>, usize)> {
        longest(SPELLINGS, wanted)
    }

    fn is_blank(&self, character: char) -> bool {
        matches!(character, ' ' | '\t' | '\n' | '\r')
    }

    fn is_in_word(&self, character: char) -> bool {
        character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.')
    }

    fn is_in_number(&self, character: char) -> bool {
        character.is_ascii_digit()
    }
}

/// Cuts a document into tokens, one at a time.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    bytes: &'a [u8],
    scanner: Scanner<'a, Hoa>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, scanner: Scanner::new(Hoa, bytes) }
    }

    /// The next token and where it stands.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, Span), HoaError> {
        let (kind, span) = match self.scanner.next() {
            Ok(token) => (token.kind, token.span),
            Err(ScanError { problem: Problem::Unknown('@'), span }) => return self.alias(span),
            Err(error) => return Err(error.into()),
        };
        let is_word = matches!(kind, Kind::Name | Kind::Fixed(Token::Boolean(_)));
        if is_word && self.scanner.rest().starts_with(b":") {
            let colon = self.scanner.advance(1);
            return Ok((Token::Header(self.text(span)?), Span::new(span.start, colon.end)));
        }
        let token = match kind {
            Kind::Name => Token::Identifier(self.text(span)?),
            Kind::Number(_) => Token::Integer(self.integer(span)?),
            Kind::Text => {
                let whole = self.text(span)?;
                Token::Text(&whole[1..whole.len() - 1])
            }
            Kind::Fixed(token) => token,
            Kind::End => Token::Nothing,
        };
        Ok((token, span))
    }

    fn text(&self, span: Span) -> Result<&'a str, HoaError> {
        std::str::from_utf8(&self.bytes[span.range()])
            .map_err(|_| HoaError { span, kind: HoaErrorKind::NotUnicode })
    }

    /// The alias behind an `@`.
    fn alias(&mut self, at: Span) -> Result<(Token<'a>, Span), HoaError> {
        self.scanner.at = at.end;
        let name = self.scanner.word();
        if !name.is_empty() {
            return Ok((Token::Alias(name), Span::new(at.start, self.scanner.at)));
        }
        let (found, length) = match self.scanner.character() {
            None => (Token::Nothing.describe(), 0),
            Some((character, length)) => (format!("`{}`", character.escape_debug()), length),
        };
        let kind = HoaErrorKind::Expected { what: "the name of an alias", found };
        Err(HoaError { span: Span::new(at.end, at.end + length), kind })
    }

    fn integer(&self, span: Span) -> Result<u32, HoaError> {
        let digits = self.text(span)?;
        let kind = match digits.parse::<u32>() {
            _ if 1 < digits.len() && digits.starts_with('0') => HoaErrorKind::LeadingZero,
            Ok(number) if number < 1 << 31 => return Ok(number),
            _ => HoaErrorKind::TooLarge,
        };
        Err(HoaError { span, kind })
    }
}
