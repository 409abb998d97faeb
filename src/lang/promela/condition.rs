//! Conditions behind `#if`: constant expressions as in C.
//!
//! Operators wait on a stack for their second operand, so nothing recurses.

use super::super::program::Span;
use super::lex::{Token, TokenKind};
use super::operator;
use super::{SourceError, error};

/// An operator that waits for its second operand.
#[derive(Clone, Copy)]
enum Waiting {
    Open,
    Unary(&'static str),
    Binary(&'static str, i64),
}

/// The value of an expression whose names count as zero.
pub(super) fn evaluate(directive: Span, tokens: &[Token]) -> Result<i64, SourceError> {
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut value: Option<i64> = None;
    let mut last = ("#if", directive);
    for token in tokens {
        let fail = |message: String| error(token.place, message);
        match (token.kind, value) {
            (TokenKind::Number(number), None) => value = Some(number),
            (TokenKind::Name | TokenKind::Fixed("false"), None) => value = Some(0),
            (TokenKind::Fixed("true"), None) => value = Some(1),
            (TokenKind::Fixed("("), None) => waiting.push(Waiting::Open),
            (TokenKind::Fixed(operator @ ("!" | "-" | "~" | "+")), None) => {
                waiting.push(Waiting::Unary(operator));
            }
            (TokenKind::Fixed(")"), Some(right)) => {
                value = Some(apply(&mut waiting, right, 0));
                if waiting.pop().is_none() {
                    return fail("this parenthesis was never opened".to_owned());
                }
            }
            (TokenKind::Fixed(operator), Some(right)) if operator::strength(operator).is_some() => {
                let left = apply(&mut waiting, right, operator::strength(operator).unwrap_or(0));
                waiting.push(Waiting::Binary(operator, left));
                value = None;
            }
            (_, None) => return fail(format!("expected a number behind `{}`", last.0)),
            (_, Some(_)) => return fail("expected an operator".to_owned()),
        }
        if let TokenKind::Fixed(fixed) = token.kind {
            last = (fixed, token.place);
        }
    }
    let Some(right) = value else {
        return error(last.1, format!("expected a number behind `{}`", last.0));
    };
    let result = apply(&mut waiting, right, 0);
    if !waiting.is_empty() {
        return error(directive, "a parenthesis is never closed");
    }
    Ok(result)
}

/// Operators that bind at least as strongly as `least` get their second operand.
fn apply(waiting: &mut Vec<Waiting>, right: i64, least: u8) -> i64 {
    let mut value = right;
    while let Some(&operator) = waiting.last() {
        value = match operator {
            Waiting::Unary("!") => i64::from(value == 0),
            Waiting::Unary("-") => value.wrapping_neg(),
            Waiting::Unary("~") => !value,
            Waiting::Unary(_) => value,
            Waiting::Binary(operator, left)
                if least <= operator::strength(operator).unwrap_or(0) =>
            {
                operator::evaluate(operator, left, value)
            }
            Waiting::Binary(..) | Waiting::Open => return value,
        };
        waiting.pop();
    }
    value
}
