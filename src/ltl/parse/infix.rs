//! The parser of the two infix syntaxes: operator precedence with explicit
//! stacks.
//!
//! Invariant: `operands` holds exactly what the operators in `pending` wait
//! for: one operand per binary operator, plus the last formula read if the
//! next token should be an operator.

use super::lex::{BINARY_LETTERS, Binary, Lexer, Token, Unary, shortened};
use super::{
    ParseError, ParseErrorKind, Span, Syntax, Warning, meant_constant, n_leading_operators,
};
use crate::ltl::{Formula, Term, TermId, Terms};

/// Words that other logics use as operators about the past, between formulas and
/// before one. They are atoms here, so they are looked for only where a text is no
/// formula.
const PAST_INFIX: &[&str] = &["S", "T", "B", "since", "Since", "triggered"];
const PAST_PREFIX: &[&str] =
    &["Y", "Z", "H", "O", "P", "once", "Once", "historically", "yesterday", "previously"];

/// What waits for the end of its right operand.
enum Pending {
    Open(Span),
    Unary(Unary),
    Binary(Binary),
}

/// How strongly a binary operator binds; every unary one binds more strongly.
fn strength(operator: Binary) -> u8 {
    match operator {
        Binary::Implies | Binary::Iff => 1,
        Binary::Or => 2,
        Binary::Xor => 3,
        Binary::And => 4,
        Binary::Until | Binary::Release | Binary::WeakUntil | Binary::StrongRelease => 5,
    }
}

/// Whether `a op b op c` is `a op (b op c)`. Operators of one strength agree.
fn groups_to_the_right(operator: Binary) -> bool {
    !matches!(operator, Binary::And | Binary::Or | Binary::Xor)
}

/// Reads a whole text.
pub(super) fn parse(text: &str, syntax: Syntax) -> Result<(Formula, Vec<Warning>), ParseError> {
    let mut parser = Parser {
        text,
        warns: syntax == Syntax::Lwaa,
        terms: Terms::default(),
        operands: Vec::new(),
        pending: Vec::new(),
        warnings: Vec::new(),
    };
    let mut lexer = Lexer::new(text, syntax);
    let mut wants_operand = true;
    while let Some((token, span)) = lexer.next()? {
        wants_operand = if wants_operand {
            parser.operand(token, span)?
        } else {
            parser.operator(&token, span)?
        };
    }
    parser.finish(wants_operand)
}

struct Parser<'a> {
    text: &'a str,
    /// Whether words with operators in front are atoms.
    warns: bool,
    terms: Terms,
    operands: Vec<TermId>,
    pending: Vec<Pending>,
    warnings: Vec<Warning>,
}

impl Parser<'_> {
    /// Reads a token where a formula begins. Says whether that is still so.
    fn operand(&mut self, token: Token<'_>, span: Span) -> Result<bool, ParseError> {
        let operand = match token {
            Token::Open => {
                self.pending.push(Pending::Open(span));
                return Ok(true);
            }
            Token::Unary(operator) => {
                self.pending.push(Pending::Unary(operator));
                return Ok(true);
            }
            Token::Constant(value) => self.terms.constant(value),
            Token::Word(word) => {
                self.warn_of(word, span);
                self.terms.atom(word)
            }
            Token::Quoted(name) => self.terms.atom(&name),
            Token::Binary(_) if self.text[span.range()].starts_with(BINARY_LETTERS) => {
                let operator = self.text[span.range()].to_owned();
                return Err(ParseError { span, kind: ParseErrorKind::Operator(operator) });
            }
            Token::Close | Token::Binary(_) | Token::Equals(_) => {
                return Err(self.unexpected("a formula", span));
            }
        };
        self.operands.push(operand);
        Ok(false)
    }

    /// Reads a token behind a formula. Says whether another formula follows.
    fn operator(&mut self, token: &Token<'_>, span: Span) -> Result<bool, ParseError> {
        match *token {
            Token::Binary(operator) => {
                self.apply(strength(operator), groups_to_the_right(operator));
                self.pending.push(Pending::Binary(operator));
                Ok(true)
            }
            Token::Close => {
                self.apply(0, false);
                match self.pending.pop() {
                    Some(Pending::Open(_)) => Ok(false),
                    _ => Err(ParseError { span, kind: ParseErrorKind::Unopened }),
                }
            }
            Token::Equals(value) if self.ends_with_atom() => {
                if !value {
                    let atom = self.operands.pop().expect("a formula was read");
                    self.operands.push(self.terms.intern(Term::Not(atom)));
                }
                Ok(false)
            }
            _ => Err(self.no_operator(span)),
        }
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
        self.unexpected("an operator or the end", span)
    }

    /// Whether the last formula read is an atom.
    fn ends_with_atom(&self) -> bool {
        self.operands.last().is_some_and(|&id| matches!(self.terms.term(id), Term::Atom(_)))
    }

    /// Applies all operators, back to the last open parenthesis, that bind
    /// more strongly than a binary operator of this `strength` behind them.
    fn apply(&mut self, strength: u8, to_the_right: bool) {
        const COMPLETE: &str = "an operator before an operator has its operands";
        while let Some(last) = self.pending.last() {
            let term = match *last {
                Pending::Open(_) => return,
                Pending::Unary(operator) => operator.term(self.operands.pop().expect(COMPLETE)),
                Pending::Binary(operator) => {
                    let before = self::strength(operator);
                    if before < strength || (before == strength && to_the_right) {
                        return;
                    }
                    let right = self.operands.pop().expect(COMPLETE);
                    operator.term(self.operands.pop().expect(COMPLETE), right)
                }
            };
            self.pending.pop();
            self.operands.push(self.terms.intern(term));
        }
    }

    fn finish(mut self, wants_operand: bool) -> Result<(Formula, Vec<Warning>), ParseError> {
        let end = Span::new(self.text.len(), self.text.len());
        if wants_operand && self.pending.is_empty() {
            return Err(ParseError { span: end, kind: ParseErrorKind::Empty });
        }
        if wants_operand {
            return Err(self.unexpected("a formula", end));
        }
        self.apply(0, false);
        if let Some(&Pending::Open(opened)) = self.pending.last() {
            return Err(ParseError { span: end, kind: ParseErrorKind::Unclosed { opened } });
        }
        let root = self.operands.pop().expect("a formula was read");
        Ok((Formula::new(self.terms, root), self.warnings))
    }

    fn unexpected(&self, what: &'static str, span: Span) -> ParseError {
        unexpected(self.text, what, span)
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
