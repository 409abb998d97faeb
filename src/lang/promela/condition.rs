//! Conditions behind `#if`: constant expressions as in C.
//!
//! Operators wait on a stack for their second operand, so nothing recurses.

use super::super::SourceError;
use super::super::program::Span;
use super::lex::{Kind, Token};

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
        let fail = |message: String| Err(SourceError::new(token.place, message));
        match (token.kind, value) {
            (Kind::Number(number), None) => value = Some(number),
            (Kind::Name | Kind::Fixed("false"), None) => value = Some(0),
            (Kind::Fixed("true"), None) => value = Some(1),
            (Kind::Fixed("("), None) => waiting.push(Waiting::Open),
            (Kind::Fixed(operator @ ("!" | "-" | "~" | "+")), None) => {
                waiting.push(Waiting::Unary(operator));
            }
            (Kind::Fixed(")"), Some(right)) => {
                value = Some(apply(&mut waiting, right, 0));
                if waiting.pop().is_none() {
                    return fail("this parenthesis was never opened".to_owned());
                }
            }
            (Kind::Fixed(operator), Some(right)) if precedence(operator).is_some() => {
                let left = apply(&mut waiting, right, precedence(operator).unwrap_or(0));
                waiting.push(Waiting::Binary(operator, left));
                value = None;
            }
            (_, None) => return fail(format!("expected a number behind `{}`", last.0)),
            (_, Some(_)) => return fail("expected an operator".to_owned()),
        }
        if let Kind::Fixed(fixed) = token.kind {
            last = (fixed, token.place);
        }
    }
    let Some(right) = value else {
        return Err(SourceError::new(last.1, format!("expected a number behind `{}`", last.0)));
    };
    let result = apply(&mut waiting, right, 0);
    if !waiting.is_empty() {
        return Err(SourceError::new(directive, "a parenthesis is never closed"));
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
            Waiting::Binary(operator, left) if least <= precedence(operator).unwrap_or(0) => {
                binary(operator, left, value)
            }
            Waiting::Binary(..) | Waiting::Open => return value,
        };
        waiting.pop();
    }
    value
}

fn precedence(operator: &str) -> Option<u8> {
    Some(match operator {
        "||" => 1,
        "&&" => 2,
        "|" => 3,
        "^" => 4,
        "&" => 5,
        "==" | "!=" => 6,
        "<" | ">" | "<=" | ">=" => 7,
        "<<" | ">>" => 8,
        "+" | "-" => 9,
        "*" | "/" | "%" => 10,
        _ => return None,
    })
}

/// A division by zero gives zero, as names do that nobody defined.
fn binary(operator: &str, left: i64, right: i64) -> i64 {
    let amount = u32::try_from(right & 63).unwrap_or(0);
    match operator {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        ">" => i64::from(right < left),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(right <= left),
        "<<" => left.wrapping_shl(amount),
        ">>" => left.wrapping_shr(amount),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right).unwrap_or(0),
        _ => left.checked_rem(right).unwrap_or(0),
    }
}
