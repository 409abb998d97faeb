//! Text to tokens, one at a time.
//!
//! The lexer knows the spellings of the three syntaxes, but neither
//! precedence nor which token may follow which.

use super::{ParseError, ParseErrorKind, Span, Syntax, n_leading_operators};
use crate::ltl::{Term, TermId};
use crate::printable::read_escape;
use std::borrow::Cow;

/// The operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    Next,
    Finally,
    Globally,
}

impl Unary {
    pub(super) fn term(self, operand: TermId) -> Term {
        match self {
            Self::Not => Term::Not(operand),
            Self::Next => Term::Next(operand),
            Self::Finally => Term::Finally(operand),
            Self::Globally => Term::Globally(operand),
        }
    }
}

/// The operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Binary {
    pub(super) fn term(self, left: TermId, right: TermId) -> Term {
        match self {
            Self::And => Term::And(left, right),
            Self::Or => Term::Or(left, right),
            Self::Xor => Term::Xor(left, right),
            Self::Implies => Term::Implies(left, right),
            Self::Iff => Term::Iff(left, right),
            Self::Until => Term::Until(left, right),
            Self::Release => Term::Release(left, right),
            Self::WeakUntil => Term::WeakUntil(left, right),
            Self::StrongRelease => Term::StrongRelease(left, right),
        }
    }
}

/// The smallest unit of a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Open,
    Close,
    Constant(bool),
    Unary(Unary),
    Binary(Binary),
    /// An atom written as a plain word.
    Word(&'a str),
    /// An atom written in quotes, without them.
    Quoted(Cow<'a, str>),
    /// `=1` or `=0` behind an atom: the atom itself or its negation.
    Equals(bool),
}

impl Token<'_> {
    fn is_temporal(&self) -> bool {
        match self {
            Token::Unary(operator) => *operator != Unary::Not,
            Token::Binary(operator) => matches!(
                operator,
                Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease
            ),
            _ => false,
        }
    }
}

/// The operators that are not words. A spelling comes before those it starts
/// with.
const SYMBOLS: &[(&str, Token<'static>)] = &[
    ("()", Token::Unary(Unary::Next)),
    ("(", Token::Open),
    (")", Token::Close),
    ("!", Token::Unary(Unary::Not)),
    ("~", Token::Unary(Unary::Not)),
    ("&&", Token::Binary(Binary::And)),
    ("&", Token::Binary(Binary::And)),
    ("||", Token::Binary(Binary::Or)),
    ("|", Token::Binary(Binary::Or)),
    ("->", Token::Binary(Binary::Implies)),
    ("=>", Token::Binary(Binary::Implies)),
    ("[]", Token::Unary(Unary::Globally)),
    ("<>", Token::Unary(Unary::Finally)),
    ("<->", Token::Binary(Binary::Iff)),
    ("<=>", Token::Binary(Binary::Iff)),
    ("/\\", Token::Binary(Binary::And)),
    ("\\/", Token::Binary(Binary::Or)),
    ("^", Token::Binary(Binary::Xor)),
    ("¬", Token::Unary(Unary::Not)),
    ("∧", Token::Binary(Binary::And)),
    ("∨", Token::Binary(Binary::Or)),
    ("→", Token::Binary(Binary::Implies)),
    ("⇒", Token::Binary(Binary::Implies)),
    ("↔", Token::Binary(Binary::Iff)),
    ("○", Token::Unary(Unary::Next)),
    ("◇", Token::Unary(Unary::Finally)),
    ("□", Token::Unary(Unary::Globally)),
];

/// What only Spot's syntax has, taken over from Wring.
const SPOT_SYMBOLS: &[(&str, Token<'static>)] =
    &[("=1", Token::Equals(true)), ("=0", Token::Equals(false))];

/// The operators of prefix form that are not words.
const PREFIX_SYMBOLS: &[(&str, Token<'static>)] = &[
    ("!", Token::Unary(Unary::Not)),
    ("&", Token::Binary(Binary::And)),
    ("|", Token::Binary(Binary::Or)),
    ("^", Token::Binary(Binary::Xor)),
];

/// What `word` means in an infix syntax.
fn infix_word(word: &str) -> Token<'_> {
    match word {
        "true" | "True" | "1" => Token::Constant(true),
        "false" | "False" | "0" => Token::Constant(false),
        "not" => Token::Unary(Unary::Not),
        "and" => Token::Binary(Binary::And),
        "or" => Token::Binary(Binary::Or),
        "xor" => Token::Binary(Binary::Xor),
        "implies" => Token::Binary(Binary::Implies),
        _ => temporal_word(word),
    }
}

/// What `word` means in prefix form.
fn prefix_word(word: &str) -> Token<'_> {
    match word {
        "t" => Token::Constant(true),
        "f" => Token::Constant(false),
        "i" => Token::Binary(Binary::Implies),
        "e" => Token::Binary(Binary::Iff),
        _ => temporal_word(word),
    }
}

/// What `word` means in all syntaxes.
fn temporal_word(word: &str) -> Token<'_> {
    match word {
        "X" => Token::Unary(Unary::Next),
        "F" => Token::Unary(Unary::Finally),
        "G" => Token::Unary(Unary::Globally),
        "U" => Token::Binary(Binary::Until),
        "R" | "V" => Token::Binary(Binary::Release),
        "W" => Token::Binary(Binary::WeakUntil),
        "M" => Token::Binary(Binary::StrongRelease),
        _ => Token::Word(word),
    }
}

/// The binary operators that are letters.
pub(super) const BINARY_LETTERS: [char; 5] = ['U', 'R', 'V', 'W', 'M'];

/// Whether `text` as it stands is one atom in `syntax`, and not an operator or
/// a constant.
pub(in crate::ltl) fn is_plain_atom(text: &str, syntax: Syntax) -> bool {
    let mut lexer = Lexer::new(text, syntax);
    matches!(lexer.next(), Ok(Some((Token::Word(word), _))) if word == text)
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    text: &'a str,
    position: usize,
    syntax: Syntax,
    /// Up to here every letter is an operator of its own.
    chain_end: usize,
    /// Whether the last token was the end of a formula, so that no atom can
    /// come now.
    after_operand: bool,
    /// Whether the last token was a temporal operator.
    after_temporal: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, syntax: Syntax) -> Self {
        Self {
            text,
            position: 0,
            syntax,
            chain_end: 0,
            after_operand: false,
            after_temporal: false,
        }
    }

    /// The next token with its place, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'a>, Span)>, ParseError> {
        let token = self.token()?;
        self.after_operand = token.as_ref().is_some_and(|(token, _)| {
            !matches!(token, Token::Open | Token::Unary(_) | Token::Binary(_))
        });
        self.after_temporal = token.as_ref().is_some_and(|(token, _)| token.is_temporal());
        Ok(token)
    }

    fn token(&mut self) -> Result<Option<(Token<'a>, Span)>, ParseError> {
        if self.position < self.chain_end {
            return Ok(Some(self.word(1)));
        }
        let rest = self.text[self.position..].trim_start();
        self.position = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(None) };
        if first == '"' {
            return self.quoted().map(Some);
        }
        let n_letters = rest.find(|c| !self.is_word_character(c)).unwrap_or(rest.len());
        if n_letters > 0 {
            return self.word_or_chain(n_letters).map(Some);
        }
        let symbols = match self.syntax {
            Syntax::Lwaa => [SYMBOLS, &[]],
            Syntax::Spot => [SYMBOLS, SPOT_SYMBOLS],
            Syntax::Lbt => [PREFIX_SYMBOLS, &[]],
        };
        for (spelling, token) in symbols.into_iter().flatten() {
            if rest.starts_with(spelling) {
                return Ok(Some((token.clone(), self.advance(spelling.len()))));
            }
        }
        let span = self.advance(first.len_utf8());
        let kind = match first {
            '[' if self.after_temporal => ParseErrorKind::Bounded,
            '#' => ParseErrorKind::Comment,
            _ => ParseErrorKind::UnknownCharacter(first),
        };
        Err(ParseError { span, kind })
    }

    fn is_word_character(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '_' || (c == '.' && self.syntax != Syntax::Lwaa)
    }

    /// Moves on by `n_bytes` and says over what.
    fn advance(&mut self, n_bytes: usize) -> Span {
        let start = self.position;
        self.position += n_bytes;
        Span::new(start, self.position)
    }

    /// The word of `n_bytes` from here on.
    fn word(&mut self, n_bytes: usize) -> (Token<'a>, Span) {
        let span = self.advance(n_bytes);
        let word = &self.text[span.range()];
        let token = if self.syntax == Syntax::Lbt { prefix_word(word) } else { infix_word(word) };
        (token, span)
    }

    /// The word of `n_bytes` from here on, or its first operator if its first
    /// letters are operators.
    fn word_or_chain(&mut self, n_bytes: usize) -> Result<(Token<'a>, Span), ParseError> {
        let word = &self.text[self.position..self.position + n_bytes];
        let n_operators = n_leading_operators(word);
        let is_chain = match self.syntax {
            Syntax::Lwaa => n_operators == n_bytes,
            Syntax::Spot => n_operators > 0,
            Syntax::Lbt => false,
        };
        if is_chain {
            // The end of the chain is remembered, since looking for it again
            // behind every operator would take quadratic time.
            self.chain_end = self.position + n_operators;
            return Ok(self.word(1));
        }
        if self.syntax == Syntax::Spot && self.after_operand && word.starts_with(BINARY_LETTERS) {
            // As in `p=1Uq=1`.
            return Ok(self.word(1));
        }
        let (token, span) = self.word(n_bytes);
        if matches!(token, Token::Word(_)) && word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(ParseError { span, kind: ParseErrorKind::Number(shortened(word)) });
        }
        Ok((token, span))
    }

    /// The atom in quotes that begins here.
    fn quoted(&mut self) -> Result<(Token<'a>, Span), ParseError> {
        let opened = Span::new(self.position, self.position + 1);
        let inside = &self.text[opened.end..];
        let mut name = Cow::Borrowed("");
        // Up to here the text inside the quotes has been copied into `name`.
        let mut copied = 0;
        let mut bytes = inside.bytes().enumerate();
        while let Some((offset, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    name += &inside[copied..offset];
                    return Ok((Token::Quoted(name), self.advance(offset + 2)));
                }
                b'\\' if inside[offset + 1..].starts_with(['"', '\\']) => {
                    name += &inside[copied..offset];
                    // The character behind the backslash is copied later, but
                    // is not looked at again.
                    copied = offset + 1;
                    bytes.next();
                }
                b'\\' => {
                    if let Some((character, n_bytes)) = read_escape(&inside[offset..]) {
                        name += &inside[copied..offset];
                        name.to_mut().push(character);
                        copied = offset + n_bytes;
                        bytes.nth(n_bytes - 2);
                    }
                }
                _ => (),
            }
        }
        let span = Span::new(self.text.len(), self.text.len());
        Err(ParseError { span, kind: ParseErrorKind::Unclosed { opened } })
    }
}

/// `text`, cut to what fits into a message.
pub(super) fn shortened(text: &str) -> String {
    const LIMIT: usize = 40;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
