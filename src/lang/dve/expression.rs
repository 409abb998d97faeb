//! The expressions of DVE, as a table.
//!
//! The operators bind as in the grammar of `DiVinE`, from the weakest: `imply`
//! and `->`; `and`, `&&`, `or`, `||` on one level; `&`, `|`, `^` on one level;
//! `==`, `!=`; `<`, `<=`, `>`, `>=`; `<<`, `>>`; `+`, `-`; `*`, `/`, `%`; and
//! `not`, `!`, `-`, `~` in front. All group to the left. An arrow behind the
//! name of a process leads to a variable of that process.

use super::super::cursor::{Cursor, Result};
use super::super::expression::Operator::{Greater, GreaterEqual, Imply, Plain};
use super::super::expression::{Grammar, Infix, Prefix, Signs, TIGHTEST};
use super::super::program::{BinaryOperator as Binary, UnaryOperator};
use super::ast::Reference;
use super::lex::{Fixed, token};

impl Grammar for Fixed {
    /// The names of all processes of the text, sorted: an arrow behind one of them is no
    /// implication.
    type Context<'a> = Vec<&'a str>;
    type Reference = Reference;

    const SIGNS: Signs<Self> = Signs {
        parentheses: [token!["("], token![")"]],
        brackets: [token!["["], token!["]"]],
        comma: token![","],
        truth: [token!["false"], token!["true"]],
    };
    const PREFIXES: &[Prefix<Self>] = &[
        (token!["not"], UnaryOperator::Not, TIGHTEST),
        (token!["!"], UnaryOperator::Not, TIGHTEST),
        (token!["-"], UnaryOperator::Negate, TIGHTEST),
        (token!["~"], UnaryOperator::Complement, TIGHTEST),
    ];
    const INFIXES: &[Infix<Self>] = &[
        (token!["imply"], Imply, 1),
        (token!["->"], Imply, 1),
        (token!["and"], Plain(Binary::And), 2),
        (token!["&&"], Plain(Binary::And), 2),
        (token!["or"], Plain(Binary::Or), 2),
        (token!["||"], Plain(Binary::Or), 2),
        (token!["&"], Plain(Binary::BitAnd), 3),
        (token!["|"], Plain(Binary::BitOr), 3),
        (token!["^"], Plain(Binary::BitXor), 3),
        (token!["=="], Plain(Binary::Equal), 4),
        (token!["!="], Plain(Binary::NotEqual), 4),
        (token!["<"], Plain(Binary::Less), 5),
        (token!["<="], Plain(Binary::LessEqual), 5),
        (token![">"], Greater, 5),
        (token![">="], GreaterEqual, 5),
        (token!["<<"], Plain(Binary::ShiftLeft), 6),
        (token![">>"], Plain(Binary::ShiftRight), 6),
        (token!["+"], Plain(Binary::Add), 7),
        (token!["-"], Plain(Binary::Subtract), 7),
        (token!["*"], Plain(Binary::Multiply), 8),
        (token!["/"], Plain(Binary::Divide), 8),
        (token!["%"], Plain(Binary::Remainder), 8),
    ];

    /// `x`, `P.s` or `P->x`.
    fn reference(cursor: &mut Cursor<'_, Self, Vec<&str>>) -> Result<Reference> {
        let name = cursor.name("a name")?;
        if cursor.take(token!["."]) {
            let member = cursor.name("the name of a state")?;
            return Ok(Reference::Member(name, member));
        }
        let is_process = cursor.context.binary_search(&name.text.as_str()).is_ok();
        if cursor.is(token!["->"]) && is_process {
            cursor.advance();
            let variable = cursor.name("the name of a variable")?;
            return Ok(Reference::Foreign(name, variable));
        }
        Ok(Reference::Name(name))
    }
}
