//! Text to tokens, one at a time.
//!
//! The lexer knows the spellings of the three syntaxes, but neither
//! precedence nor which token may follow which.

use super::grammar::{Binary, Operator, Unary};
use super::{ParseError, ParseErrorKind, Span, Syntax, n_leading_operators};
use crate::printable::read_escape;
use crate::scan::{
    Comment, Kind, Language, Problem, ScanError, Scanner, escaped_quote, longest, shortened,
    unescaped,
};
use std::borrow::Cow;

/// The smallest unit of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Open,
    Close,
    Constant(bool),
    Operator(Operator),
    /// An atom written as a plain word.
    Word(&'a str),
    /// An atom written in quotes, without them, but with its backslashes.
    Quoted(&'a str),
    /// `=1` or `=0` behind an atom: the atom itself or its negation.
    Equals(bool),
}

/// What is no operator of the infix syntaxes. The last two are Spot's only, taken over from
/// Wring.
const OTHERS: &[(&str, Token<'static>)] = &[
    ("(", Token::Open),
    (")", Token::Close),
    ("true", Token::Constant(true)),
    ("True", Token::Constant(true)),
    ("1", Token::Constant(true)),
    ("false", Token::Constant(false)),
    ("False", Token::Constant(false)),
    ("0", Token::Constant(false)),
    ("=1", Token::Equals(true)),
    ("=0", Token::Equals(false)),
];

/// What prefix form has besides temporal operators.
const PREFIX: &[(&str, Token<'static>)] = &[
    ("t", Token::Constant(true)),
    ("f", Token::Constant(false)),
    ("!", Token::Operator(Operator::Unary(Unary::Not))),
    ("&", Token::Operator(Operator::Binary(Binary::And))),
    ("|", Token::Operator(Operator::Binary(Binary::Or))),
    ("^", Token::Operator(Operator::Binary(Binary::Xor))),
    ("i", Token::Operator(Operator::Binary(Binary::Implies))),
    ("e", Token::Operator(Operator::Binary(Binary::Iff))),
];

impl Language for Syntax {
    type Fixed = Token<'static>;
    const COMMENTS: &[Comment] = &[];
    const HAS_TEXTS: bool = true;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Token<'static>, usize)> {
        let (others, operator) = match self {
            Self::Lwaa => (&OTHERS[..OTHERS.len() - 2], Operator::find(&wanted)),
            Self::Spot => (OTHERS, Operator::find(&wanted)),
            Self::Lbt => (PREFIX, Operator::find_temporal(&wanted)),
        };
        let operator = operator.map(|(operator, n_bytes)| (Token::Operator(operator), n_bytes));
        operator.into_iter().chain(longest(others, &wanted)).max_by_key(|&(_, n_bytes)| n_bytes)
    }

    fn begins_word(&self, character: char) -> bool {
        self.is_in_word(character)
    }

    fn is_in_word(&self, character: char) -> bool {
        character.is_ascii_alphanumeric()
            || character == '_'
            || (character == '.' && *self != Self::Lwaa)
    }
}

/// The binary operators that are letters.
pub(super) const BINARY_LETTERS: [char; 5] = ['U', 'R', 'V', 'W', 'M'];

/// Whether `text` as it stands is one atom in `syntax`, and not an operator or
/// a constant.
pub(in crate::ltl) fn is_plain_atom(text: &str, syntax: Syntax) -> bool {
    let mut lexer = Lexer::new(text, syntax, |_: &str| None);
    matches!(lexer.next(), Ok(Some((Token::Word(word), _))) if word == text)
}

/// The name of an atom that is written in quotation marks, from what stands between them.
pub(crate) fn unquoted(inside: &str) -> Cow<'_, str> {
    unescaped(inside, |text| escaped_quote(text).or_else(|| read_escape(text)))
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a, A> {
    text: &'a str,
    scanner: Scanner<'a, Syntax>,
    /// How many bytes of a text that begins with a word are an atom of their own kind.
    atom: A,
    /// Up to here every letter is an operator of its own.
    chain_end: usize,
    /// Whether the last token was the end of a formula, so that no atom can
    /// come now.
    after_operand: bool,
    /// Whether the last token was a temporal operator.
    after_temporal: bool,
}

impl<'a, A: Fn(&str) -> Option<usize>> Lexer<'a, A> {
    pub(super) fn new(text: &'a str, syntax: Syntax, atom: A) -> Self {
        let scanner = Scanner::new(syntax, text);
        Self { text, scanner, atom, chain_end: 0, after_operand: false, after_temporal: false }
    }

    /// The next token with its place, or `None` at the end of the text.
    pub(super) fn next(&mut self) -> Result<Option<(Token<'a>, Span)>, ParseError> {
        let token = self.token()?;
        self.after_operand =
            token.is_some_and(|(token, _)| !matches!(token, Token::Open | Token::Operator(_)));
        self.after_temporal = matches!(
            token, Some((Token::Operator(operator), _)) if operator.is_temporal()
        );
        Ok(token)
    }

    fn token(&mut self) -> Result<Option<(Token<'a>, Span)>, ParseError> {
        if self.scanner.at < self.chain_end {
            return Ok(Some(self.letter()));
        }
        let token = self.scanner.next().map_err(|error| self.error(error))?;
        let (kind, span) = (token.kind, token.span);
        let text = &self.text[span.range()];
        if text.starts_with(|first| self.scanner.language.is_in_word(first)) {
            let fixed = if let Kind::Fixed(token) = kind { token } else { Token::Word(text) };
            return self.word_or_chain(fixed, span).map(Some);
        }
        Ok(match kind {
            Kind::Fixed(token) => Some((token, span)),
            Kind::Text => Some((Token::Quoted(&text[1..text.len() - 1]), span)),
            Kind::Name | Kind::Number(_) | Kind::End => None,
        })
    }

    fn error(&self, error: ScanError) -> ParseError {
        let ScanError { span, problem } = error;
        let kind = match problem {
            Problem::Unknown('[') if self.after_temporal => ParseErrorKind::Bounded,
            Problem::Unknown('#') => ParseErrorKind::Comment,
            Problem::Unknown(character) => ParseErrorKind::UnknownCharacter(character),
            Problem::Text | Problem::Comment | Problem::Number(_) => {
                let end = Span::new(self.text.len(), self.text.len());
                let kind = ParseErrorKind::Unclosed { opened: span };
                return ParseError { span: end, kind };
            }
        };
        ParseError { span, kind }
    }

    /// The operator that is one letter.
    fn letter(&mut self) -> (Token<'a>, Span) {
        let span = self.scanner.advance(1);
        let letter = &self.text[span.range()];
        let operator = Operator::find_temporal(|spelling| spelling == letter);
        (operator.map_or(Token::Word(letter), |(operator, _)| Token::Operator(operator)), span)
    }

    /// The word at `span`, or its first operator if its first letters are operators.
    fn word_or_chain(
        &mut self,
        token: Token<'a>,
        span: Span,
    ) -> Result<(Token<'a>, Span), ParseError> {
        let word = &self.text[span.range()];
        let syntax = self.scanner.language;
        if let Some(n_bytes) = (self.atom)(&self.text[span.start..]) {
            self.scanner.at = span.start;
            let span = self.scanner.advance(n_bytes);
            return Ok((Token::Word(&self.text[span.range()]), span));
        }
        let n_operators = n_leading_operators(word);
        let is_chain = match syntax {
            Syntax::Lwaa => n_operators == word.len(),
            Syntax::Spot => n_operators > 0,
            Syntax::Lbt => false,
        };
        if is_chain {
            // The end of the chain is remembered, since looking for it again
            // behind every operator would take quadratic time.
            self.chain_end = span.start + n_operators;
        }
        // As in `p=1Uq=1`.
        let is_infix =
            syntax == Syntax::Spot && self.after_operand && word.starts_with(BINARY_LETTERS);
        if is_chain || is_infix {
            self.scanner.at = span.start;
            return Ok(self.letter());
        }
        if matches!(token, Token::Word(_)) && word.starts_with(|c: char| c.is_ascii_digit()) {
            let kind = ParseErrorKind::Number(shortened(word).into_owned());
            return Err(ParseError { span, kind });
        }
        Ok((token, span))
    }
}
