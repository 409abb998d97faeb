//! The grammar of formulas, which all infix syntaxes and all model languages share: operator
//! precedence with explicit stacks.
//!
//! What the tokens are and what an atom is, is for a [`Dialect`] to say, and also what is
//! made of operators and their operands.
//!
//! Invariant: `operands` holds exactly what the operators in `pending` wait for: one operand
//! per binary operator.

use super::{ParseError, ParseErrorKind, Span};
use crate::ltl::{Term, TermId};
use crate::scan::longest;

/// The operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Next,
    Finally,
    Globally,
}

impl Unary {
    pub(crate) fn term(self, operand: TermId) -> Term {
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
pub(crate) enum Binary {
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
    pub(crate) fn term(self, left: TermId, right: TermId) -> Term {
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

    /// How strongly it binds; every unary operator binds more strongly.
    pub(crate) fn strength(self) -> u8 {
        match self {
            Self::Implies | Self::Iff => 1,
            Self::Or => 2,
            Self::Xor => 3,
            Self::And => 4,
            Self::Until | Self::Release | Self::WeakUntil | Self::StrongRelease => 5,
        }
    }

    /// Whether `a op b op c` is `a op (b op c)`. Operators of one strength agree.
    pub(crate) fn groups_to_the_right(self) -> bool {
        !matches!(self, Self::And | Self::Or | Self::Xor)
    }
}

/// An operator of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operator {
    Unary(Unary),
    Binary(Binary),
}

impl Operator {
    /// The temporal operators that are letters.
    const LETTERS: &[(&str, Self)] = &[
        ("X", Self::Unary(Unary::Next)),
        ("F", Self::Unary(Unary::Finally)),
        ("G", Self::Unary(Unary::Globally)),
        ("U", Self::Binary(Binary::Until)),
        ("R", Self::Binary(Binary::Release)),
        ("V", Self::Binary(Binary::Release)),
        ("W", Self::Binary(Binary::WeakUntil)),
        ("M", Self::Binary(Binary::StrongRelease)),
    ];

    /// All other spellings.
    const SPELLINGS: &[(Self, &[&str])] = &[
        (Self::Unary(Unary::Not), &["!", "~", "¬", "not"]),
        (Self::Unary(Unary::Next), &["()", "○"]),
        (Self::Unary(Unary::Finally), &["<>", "◇"]),
        (Self::Unary(Unary::Globally), &["[]", "□"]),
        (Self::Binary(Binary::And), &["&&", "&", "/\\", "∧", "and"]),
        (Self::Binary(Binary::Or), &["||", "|", "\\/", "∨", "or"]),
        (Self::Binary(Binary::Xor), &["^", "xor"]),
        (Self::Binary(Binary::Implies), &["->", "=>", "→", "⇒", "implies"]),
        (Self::Binary(Binary::Iff), &["<->", "<=>", "↔"]),
    ];

    /// The longest one with a spelling that is `wanted`, and the length of that.
    pub(crate) fn find(wanted: impl Fn(&str) -> bool) -> Option<(Self, usize)> {
        let longest = |&(operator, spellings): &(Self, &[&str])| {
            let found = spellings.iter().filter(|spelling| wanted(spelling));
            found.map(|spelling| (operator, spelling.len())).max_by_key(|&(_, n_bytes)| n_bytes)
        };
        let found = Self::SPELLINGS.iter().filter_map(longest);
        found.max_by_key(|&(_, n_bytes)| n_bytes).or_else(|| Self::find_temporal(wanted))
    }

    /// The same among those that are letters.
    pub(crate) fn find_temporal(wanted: impl Fn(&str) -> bool) -> Option<(Self, usize)> {
        longest(Self::LETTERS, wanted)
    }

    pub(crate) fn is_temporal(self) -> bool {
        match self {
            Self::Unary(operator) => operator != Unary::Not,
            Self::Binary(operator) => operator.strength() == 5,
        }
    }
}

/// What stands where a formula begins.
pub(crate) enum Front<T> {
    Open(Span),
    Unary(Unary, Span),
    /// A formula that is no operation: an atom or a constant.
    Operand(T),
    /// Nothing more: the end of the text, there.
    End(Span),
}

/// What stands behind a formula.
pub(crate) enum Behind {
    Binary(Binary, Span),
    Close(Span),
    /// Something that does not belong to the formula, or the end of the text.
    End(Span),
}

/// How a language writes formulas, and what is made of them.
pub(crate) trait Dialect {
    /// A formula.
    type Operand;
    type Error: From<ParseError>;

    /// Reads what stands where a formula begins.
    fn front(&mut self) -> Result<Front<Self::Operand>, Self::Error>;

    /// Reads what stands behind a formula, unless it ends there.
    fn behind(&mut self, operand: &mut Self::Operand) -> Result<Behind, Self::Error>;

    fn unary(&mut self, operator: Unary, span: Span, operand: Self::Operand) -> Self::Operand;

    fn binary(
        &mut self,
        operator: Binary,
        span: Span,
        left: Self::Operand,
        right: Self::Operand,
    ) -> Self::Operand;
}

/// What waits for the end of its right operand.
enum Pending {
    Open(Span),
    Unary(Unary, Span),
    Binary(Binary, Span),
}

/// Reads a formula up to where the dialect says that it ends.
pub(crate) fn parse<D: Dialect>(dialect: &mut D) -> Result<D::Operand, D::Error> {
    let mut stacks = Stacks { operands: Vec::new(), pending: Vec::new() };
    loop {
        let mut operand = match dialect.front()? {
            Front::Operand(operand) => operand,
            Front::Open(span) => {
                stacks.pending.push(Pending::Open(span));
                continue;
            }
            Front::Unary(operator, span) => {
                stacks.pending.push(Pending::Unary(operator, span));
                continue;
            }
            Front::End(span) => {
                let (what, found) = ("a formula", "the end".to_owned());
                let expected = ParseErrorKind::Expected { what, found };
                let is_empty = stacks.pending.is_empty();
                let kind = if is_empty { ParseErrorKind::Empty } else { expected };
                return Err(ParseError { span, kind }.into());
            }
        };
        loop {
            match dialect.behind(&mut operand)? {
                Behind::Binary(operator, span) => {
                    let to_the_right = operator.groups_to_the_right();
                    operand = stacks.apply(dialect, operand, operator.strength(), to_the_right);
                    stacks.operands.push(operand);
                    stacks.pending.push(Pending::Binary(operator, span));
                    break;
                }
                Behind::Close(span) => {
                    operand = stacks.apply(dialect, operand, 0, false);
                    if stacks.pending.pop().is_none() {
                        return Err(ParseError { span, kind: ParseErrorKind::Unopened }.into());
                    }
                }
                Behind::End(span) => {
                    operand = stacks.apply(dialect, operand, 0, false);
                    let Some(&Pending::Open(opened)) = stacks.pending.last() else {
                        return Ok(operand);
                    };
                    let kind = ParseErrorKind::Unclosed { opened };
                    return Err(ParseError { span, kind }.into());
                }
            }
        }
    }
}

struct Stacks<T> {
    operands: Vec<T>,
    pending: Vec<Pending>,
}

impl<T> Stacks<T> {
    /// Applies to `operand`, and to what waits for it, all operators back to the last open
    /// parenthesis that bind more strongly than a binary operator of this `strength` behind
    /// them.
    fn apply<D: Dialect<Operand = T>>(
        &mut self,
        dialect: &mut D,
        mut operand: T,
        strength: u8,
        to_the_right: bool,
    ) -> T {
        while let Some(last) = self.pending.pop() {
            operand = match last {
                Pending::Unary(operator, span) => dialect.unary(operator, span, operand),
                Pending::Binary(operator, span)
                    if strength < operator.strength()
                        || (strength == operator.strength() && !to_the_right) =>
                {
                    let left = self.operands.pop().expect("a binary operator has a left operand");
                    dialect.binary(operator, span, left, operand)
                }
                other => {
                    self.pending.push(other);
                    return operand;
                }
            };
        }
        operand
    }
}
