//! Expressions of model languages: one tree, one parser and one lowering for all languages that
//! add a table of operators ([`Grammar`]) and a meaning of names ([`Meaning`]).
//!
//! A tree is a list instead of boxes: an expression is as deep as it likes, and walking the list
//! from left to right meets operands before operators.

mod lower;
mod parse;
mod sort;

pub(super) use lower::{Meaning, Value, constant, require, value, value_of};
pub(super) use parse::{Grammar, Infix, Prefix, Signs, TIGHTEST};
pub(super) use sort::{Domain, Enumerations, Sort};

use super::cursor::Name;
use super::program::{BinaryOperator, Expression, ExpressionId, Program, Span, UnaryOperator};

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// An operator that programs have too.
    Plain(BinaryOperator),
    Greater,
    GreaterEqual,
    Imply,
    /// Quotient that is rounded down.
    Quotient,
    /// Remainder with the sign of the divisor.
    Modulo,
}

impl Operator {
    /// Whether it compares two values.
    pub(super) fn is_comparison(self) -> bool {
        self.is_equality()
            || matches!(
                self,
                Self::Plain(BinaryOperator::Less | BinaryOperator::LessEqual)
                    | Self::Greater
                    | Self::GreaterEqual
            )
    }

    pub(super) fn is_equality(self) -> bool {
        matches!(self, Self::Plain(BinaryOperator::Equal | BinaryOperator::NotEqual))
    }

    /// Whether it combines truth values.
    pub(super) fn is_connective(self) -> bool {
        matches!(self, Self::Plain(BinaryOperator::And | BinaryOperator::Or) | Self::Imply)
    }

    /// The operation in a program. Divisions of operands that are never negative need no rounding.
    pub(super) fn apply(
        self,
        program: &mut Program,
        left: ExpressionId,
        right: ExpressionId,
        are_natural: bool,
    ) -> ExpressionId {
        match self {
            Self::Plain(operator) => program.binary(operator, left, right),
            Self::Greater => program.binary(BinaryOperator::Less, right, left),
            Self::GreaterEqual => program.binary(BinaryOperator::LessEqual, right, left),
            Self::Imply => {
                let negated = program.negation(left);
                program.binary(BinaryOperator::Or, negated, right)
            }
            Self::Quotient | Self::Modulo => {
                let quotient = program.binary(BinaryOperator::Divide, left, right);
                let remainder = program.binary(BinaryOperator::Remainder, left, right);
                let is_modulo = self == Self::Modulo;
                let truncated = if is_modulo { remainder } else { quotient };
                if are_natural {
                    return truncated;
                }
                let (zero, one) = (program.constant(0), program.constant(1));
                let is_left_over = program.binary(BinaryOperator::NotEqual, remainder, zero);
                let left_sign = program.binary(BinaryOperator::Less, remainder, zero);
                let right_sign = program.binary(BinaryOperator::Less, right, zero);
                let signs_differ = program.binary(BinaryOperator::NotEqual, left_sign, right_sign);
                let is_rounded = program.binary(BinaryOperator::And, is_left_over, signs_differ);
                let corrected = if is_modulo {
                    program.binary(BinaryOperator::Add, remainder, right)
                } else {
                    program.binary(BinaryOperator::Subtract, quotient, one)
                };
                program.expression(Expression::If(is_rounded, corrected, truncated))
            }
        }
    }
}

/// What stands at a node of a tree. Operands are given by their positions in [`Tree::nodes`].
/// `R` is what the language can refer to: a name, or a member of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content<R> {
    Number(i64),
    Truth(bool),
    /// A reference, and its index if brackets stand behind it.
    Reference(R, Option<usize>),
    Unary(UnaryOperator, usize),
    Binary(Operator, usize, usize),
}

/// A node of a tree and its place in the text, parentheses included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreeNode<R> {
    pub(super) content: Content<R>,
    pub(super) span: Span,
}

/// An expression as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tree<R> {
    /// The last one is the whole expression.
    pub(super) nodes: Vec<TreeNode<R>>,
    pub(super) span: Span,
}

impl<R: Clone> Tree<R> {
    /// The reference that the whole expression is, and the place of its index.
    pub(super) fn as_reference(&self) -> Option<(&R, Option<Span>)> {
        match &self.nodes.last()?.content {
            Content::Reference(reference, index) => {
                Some((reference, index.map(|index| self.nodes[index].span)))
            }
            _ => None,
        }
    }

    /// The index of the reference that the whole expression is, as a tree with this place.
    pub(super) fn index_tree(&self, span: Span) -> Self {
        Self { nodes: self.nodes[..self.nodes.len() - 1].to_vec(), span }
    }
}

/// What is assigned to, or a channel: a name, and an index if it is an element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Designator<R> {
    pub(super) name: Name,
    pub(super) index: Option<Tree<R>>,
}
