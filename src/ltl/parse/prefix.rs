//! The parser of LBT's prefix form: every operator comes before its operands.
//!
//! The constants are `t` and `f`, the operators `! & | ^`, `i` (implies), `e`
//! (equivalent) and `X F G U R V W M`. Every other word is an atom, as is any
//! text in quotes. Tokens that are words are separated by white space.

use super::grammar::{Binary, Operator, Unary};
use super::infix::unexpected;
use super::lex::{Lexer, Token, unquoted};
use super::{ParseError, ParseErrorKind, Span, Syntax};
use crate::ltl::{Formula, TermId, Terms};

/// An operator that waits for an operand.
enum Pending {
    Unary(Unary),
    /// Waits for both operands.
    Binary(Binary),
    /// Has its left operand, and waits for the right one.
    Right(Binary, TermId),
}

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Formula, ParseError> {
    let mut terms = Terms::default();
    let mut pending: Vec<Pending> = Vec::new();
    let mut lexer = Lexer::new(text, Syntax::Lbt, |_: &str| None);
    let end = Span::new(text.len(), text.len());
    loop {
        let Some((token, span)) = lexer.next()? else {
            return Err(if pending.is_empty() {
                ParseError { span: end, kind: ParseErrorKind::Empty }
            } else {
                unexpected(text, "a formula", end)
            });
        };
        let mut operand = match token {
            Token::Operator(Operator::Unary(operator)) => {
                pending.push(Pending::Unary(operator));
                continue;
            }
            Token::Operator(Operator::Binary(operator)) => {
                pending.push(Pending::Binary(operator));
                continue;
            }
            Token::Constant(value) => terms.constant(value),
            Token::Word(word) => terms.atom(word),
            Token::Quoted(inside) => terms.atom(&unquoted(inside)),
            // Prefix form has none of these, so the lexer yields none.
            Token::Open | Token::Close | Token::Equals(_) => {
                return Err(unexpected(text, "a formula", span));
            }
        };
        loop {
            operand = match pending.pop() {
                Some(Pending::Unary(operator)) => terms.intern(operator.term(operand)),
                Some(Pending::Right(operator, left)) => terms.intern(operator.term(left, operand)),
                Some(Pending::Binary(operator)) => {
                    pending.push(Pending::Right(operator, operand));
                    break;
                }
                None => {
                    return match lexer.next()? {
                        Some((_, span)) => Err(unexpected(text, "the end", span)),
                        None => Ok(Formula::new(terms, operand)),
                    };
                }
            };
        }
    }
}
