//! The two infix syntaxes as a dialect of formulas.

use super::grammar::{self, Behind, Binary, Dialect, Front, Operator, Unary};
use super::lex::{BINARY_LETTERS, Lexer, Token, unquoted};
use super::{
    ParseError, ParseErrorKind, Span, Syntax, Warning, meant_constant, n_leading_operators,
};
use crate::ltl::{Formula, Term, TermId, Terms};
use crate::scan::shortened;

/// Words that other logics use as operators about the past, between formulas and
/// before one. They are atoms here, so they are looked for only where a text is no
/// formula.
const PAST_INFIX: &[&str] = &["S", "T", "B", "since", "Since", "triggered"];
const PAST_PREFIX: &[&str] =
    &["Y", "Z", "H", "O", "P", "once", "Once", "historically", "yesterday", "previously"];

/// Reads a whole text, in which what `atom` gives the length of is an atom, too.
pub(super) fn parse(
    text: &str,
    syntax: Syntax,
    atom: impl Fn(&str) -> Option<usize>,
) -> Result<(Formula, Vec<Warning>), ParseError> {
    let mut infix = Infix {
        text,
        lexer: Lexer::new(text, syntax, atom),
        warns: syntax == Syntax::Lwaa,
        terms: Terms::default(),
        warnings: Vec::new(),
    };
    let root = grammar::parse(&mut infix)?;
    Ok((Formula::new(infix.terms, root), infix.warnings))
}

struct Infix<'a, A> {
    text: &'a str,
    lexer: Lexer<'a, A>,
    /// Whether words with operators in front are atoms.
    warns: bool,
    terms: Terms,
    warnings: Vec<Warning>,
}

impl<A: Fn(&str) -> Option<usize>> Dialect for Infix<'_, A> {
    type Operand = TermId;
    type Error = ParseError;

    fn front(&mut self) -> Result<Front<TermId>, ParseError> {
        let Some((token, span)) = self.lexer.next()? else { return Ok(Front::End(self.end())) };
        Ok(Front::Operand(match token {
            Token::Open => return Ok(Front::Open(span)),
            Token::Operator(Operator::Unary(operator)) => return Ok(Front::Unary(operator, span)),
            Token::Constant(value) => self.terms.constant(value),
            Token::Word(word) => {
                self.warn_of(word, span);
                self.terms.atom(word)
            }
            Token::Quoted(inside) => self.terms.atom(&unquoted(inside)),
            Token::Operator(_) if self.text[span.range()].starts_with(BINARY_LETTERS) => {
                let operator = self.text[span.range()].to_owned();
                return Err(ParseError { span, kind: ParseErrorKind::Operator(operator) });
            }
            Token::Close | Token::Operator(_) | Token::Equals(_) => {
                return Err(unexpected(self.text, "a formula", span));
            }
        }))
    }

    fn behind(&mut self, operand: &mut TermId) -> Result<Behind, ParseError> {
        loop {
            let Some((token, span)) = self.lexer.next()? else {
                return Ok(Behind::End(self.end()));
            };
            match token {
                Token::Operator(Operator::Binary(operator)) => {
                    return Ok(Behind::Binary(operator, span));
                }
                Token::Close => return Ok(Behind::Close(span)),
                Token::Equals(value) if matches!(self.terms.term(*operand), Term::Atom(_)) => {
                    if !value {
                        *operand = self.terms.intern(Term::Not(*operand));
                    }
                }
                _ => return Err(self.no_operator(span)),
            }
        }
    }

    fn unary(&mut self, operator: Unary, _span: Span, operand: TermId) -> TermId {
        self.terms.intern(operator.term(operand))
    }

    fn binary(&mut self, operator: Binary, _span: Span, left: TermId, right: TermId) -> TermId {
        self.terms.intern(operator.term(left, right))
    }
}

impl<A> Infix<'_, A> {
    fn end(&self) -> Span {
        Span::new(self.text.len(), self.text.len())
    }

    /// The error that an operator should be at `span`, behind a formula.
    fn no_operator(&self, span: Span) -> ParseError {
        let found = &self.text[span.range()];
        if PAST_INFIX.contains(&found) {
            return ParseError { span, kind: ParseErrorKind::Past(found.to_owned()) };
        }
        // `H a` is an atom and an atom, unless `H` is meant as an operator.
        let before = self.text[..span.start].trim_end();
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let word = &before[before.trim_end_matches(is_word).len()..];
        if PAST_PREFIX.contains(&word) {
            let span = Span::new(before.len() - word.len(), before.len());
            return ParseError { span, kind: ParseErrorKind::Past(word.to_owned()) };
        }
        unexpected(self.text, "an operator or the end", span)
    }

    /// Notes that other tools see operators or a constant in `word`, the first time
    /// that it occurs.
    fn warn_of(&mut self, word: &str, span: Span) {
        let n_operators = n_leading_operators(word);
        let has_operators = self.warns
            && n_operators > 0
            && word[n_operators..].starts_with(|c: char| c.is_ascii_lowercase());
        if (has_operators || meant_constant(word).is_some())
            && self.terms.atoms().find(word).is_none()
        {
            self.warnings.push(Warning { span, word: word.to_owned() });
        }
    }
}

/// The error that `what` should be in the place of what is at `span`.
pub(super) fn unexpected(text: &str, what: &'static str, span: Span) -> ParseError {
    let found = match &text[span.range()] {
        "" => "the end".to_owned(),
        found => format!("`{}`", shortened(found)),
    };
    ParseError { span, kind: ParseErrorKind::Expected { what, found } }
}
