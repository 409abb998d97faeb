//! The expressions of ESML, as a table.
//!
//! The operators are those of Oberon: comparisons `= # < <= > >=`; `+ - OR`;
//! `* DIV MOD &`; `~` in front, and a sign in front of a sum. In Oberon
//! comparisons bind weakest of all, elsewhere `&` and `OR` do. We read what
//! means the same in both: a comparison beside `&` or `OR` needs
//! parentheses. An `&` in front of a communication ends an expression.

use super::super::SourceError;
use super::super::cursor::{Cursor, Result, fail};
use super::super::expression::Operator::{self, Greater, GreaterEqual, Modulo, Plain, Quotient};
use super::super::expression::{Grammar, Infix, Prefix, Signs, TIGHTEST};
use super::super::program::{BinaryOperator as Binary, Span, UnaryOperator};
use super::ast::{Owner, Reference};
use super::lex::{Fixed, token};

/// How strongly sums and a sign bind.
const SUM: u8 = 4;

impl Grammar for Fixed {
    type Context<'a> = ();
    type Reference = Reference;

    const SIGNS: Signs<Self> = Signs {
        parentheses: [token!["("], token![")"]],
        brackets: [token!["["], token!["]"]],
        comma: token![","],
        truth: [token!["FALSE"], token!["TRUE"]],
    };
    const PREFIXES: &[Prefix<Self>] =
        &[(token!["~"], UnaryOperator::Not, TIGHTEST), (token!["-"], UnaryOperator::Negate, SUM)];
    const INFIXES: &[Infix<Self>] = &[
        (token!["OR"], Plain(Binary::Or), 1),
        (token!["&"], Plain(Binary::And), 2),
        (token!["="], Plain(Binary::Equal), 3),
        (token!["#"], Plain(Binary::NotEqual), 3),
        (token!["<"], Plain(Binary::Less), 3),
        (token!["<="], Plain(Binary::LessEqual), 3),
        (token![">"], Greater, 3),
        (token![">="], GreaterEqual, 3),
        (token!["+"], Plain(Binary::Add), SUM),
        (token!["-"], Plain(Binary::Subtract), SUM),
        (token!["*"], Plain(Binary::Multiply), 5),
        (token!["DIV"], Quotient, 5),
        (token!["MOD"], Modulo, 5),
    ];

    /// `x`, `P.x` or `P[2].x`.
    fn reference(cursor: &mut Cursor<'_, Self>) -> Result<Reference> {
        let process = cursor.name("a name")?;
        let number = cursor.instance();
        if number.is_none() && !cursor.take(token!["."]) {
            return Ok(Reference::Name(process));
        }
        let member = cursor.name("the name of a variable")?;
        Ok(Reference::Member(Owner { process, number }, member))
    }

    fn ends_before(operator: Operator, cursor: &Cursor<'_, Self>) -> bool {
        operator == Plain(Binary::And) && cursor.communication_follows(1)
    }

    /// Refuses what Oberon and other languages read differently.
    fn check(operator: Operator, place: Span, comparison: Option<Span>) -> Result<()> {
        let Some(comparison) = comparison else { return Ok(()) };
        if operator.is_connective() {
            let message = "a comparison beside `&` or `OR` needs parentheses, as in Oberon";
            return Err(SourceError::new(comparison, message));
        }
        fail(place, "comparisons cannot be chained: put `&` between them")
    }
}
