//! Text to tokens.
//!
//! The operators of formulas are those of [`crate::ltl::parse`], in all their spellings. The
//! lexer does not know which token may follow which.

use crate::lang::cursor::Result;
use crate::ltl::parse::grammar::{Binary, Operator};
use crate::scan::{self, Kind, Language, Scanner, Span, Spelt, define_tokens, longest};

define_tokens! {
    /// Reserved words, brackets, and operators that formulas do not have.
    pub(super) enum Fixed {
        Action "action", Any "any", Assert "assert", Bool "bool", Const "const", Count "count",
        Do "do", Else "else", Enabled "enabled", Exists "exists", Fair "fair",
        False "false" | "False", For "for", Forall "forall", If "if", In "in", Ltl "ltl",
        Model "model", Process "process", Prop "prop", Strong "strong", Sum "sum", Taken "taken",
        Then "then", True "true" | "True", Type "type", Var "var", Weak "weak", When "when",
        With "with",
        Open "(", Close ")", OpenBracket "[", CloseBracket "]", OpenBrace "{", CloseBrace "}",
        Comma ",", Semicolon ";", Colon ":", DotDot "..", Dot ".", Prime "'", NotEqual "!=",
        EqualEqual "==", Equal "=", LessEqual "<=", Less "<", GreaterEqual ">=", Greater ">",
        Plus "+", Minus "-", Star "*", Slash "/", Percent "%",
    }
}

/// Operators of formulas that are reserved words.
const OPERATORS: &[&str] = &["and", "iff", "implies", "not", "or", "xor"];

/// All words that are no names.
pub(super) fn reserved() -> impl Iterator<Item = &'static str> + Clone {
    Fixed::SPELLINGS.iter().map(|(spelling, _)| *spelling).chain(OPERATORS.iter().copied())
}

/// The smallest unit of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Is(Fixed),
    Operator(Operator),
    /// A name.
    Name,
    /// A number that is not negative.
    Number(i64),
    /// What stands between quotation marks.
    Quoted,
    /// The end of the text.
    End,
}

/// A token and its place.
pub(super) type Placed = (Token, Span);

struct Lwm;

impl Language for Lwm {
    type Fixed = Token;
    const HAS_TEXTS: bool = true;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Token, usize)> {
        let own = longest(Fixed::SPELLINGS, &wanted).map(|(fixed, n)| (Token::Is(fixed), n));
        let operator = Operator::find(&wanted)
            .or_else(|| wanted("iff").then_some((Operator::Binary(Binary::Iff), 3)))
            .map(|(operator, n)| (Token::Operator(operator), n));
        own.into_iter().chain(operator).max_by_key(|&(_, n_bytes)| n_bytes)
    }

    fn number(&self, text: &str) -> Result<i64, String> {
        let too_large = "the number is too large: it does not fit into 64 bits";
        scan::decimal(text)?.ok_or_else(|| too_large.to_owned())
    }
}

/// All tokens of a text from a place on; the last one is [`Token::End`].
pub(super) fn tokens(text: &str, position: usize) -> Result<Vec<Placed>> {
    let mut scanner = Scanner::new(Lwm, text);
    scanner.at = position;
    let mut tokens = Vec::new();
    loop {
        let scan::Token { kind, span } = scanner.next()?;
        let token = match kind {
            Kind::Fixed(token) => token,
            Kind::Number(number) => Token::Number(number),
            Kind::Text => Token::Quoted,
            Kind::End => Token::End,
            Kind::Name if text[span.range()].bytes().all(|letter| b"XFG".contains(&letter)) => {
                // A chain of operators, as in `GF p`.
                for start in span.range() {
                    let letter = &text[start..=start];
                    if let Some((operator, _)) = Operator::find_temporal(|known| known == letter) {
                        tokens.push((Token::Operator(operator), Span::new(start, start + 1)));
                    }
                }
                continue;
            }
            Kind::Name => Token::Name,
        };
        tokens.push((token, span));
        if token == Token::End {
            return Ok(tokens);
        }
    }
}
