//! The operators between operands: how strongly they bind, and what they do.

use super::super::program::{BinaryOperator, ExpressionId, Program};

/// How an operator is written, how strongly it binds, what it does, and whether to its operands in
/// the opposite order.
const OPERATORS: &[(&str, u8, BinaryOperator, bool)] = &[
    ("||", 1, BinaryOperator::Or, false),
    ("&&", 2, BinaryOperator::And, false),
    ("|", 3, BinaryOperator::BitOr, false),
    ("^", 4, BinaryOperator::BitXor, false),
    ("&", 5, BinaryOperator::BitAnd, false),
    ("==", 6, BinaryOperator::Equal, false),
    ("!=", 6, BinaryOperator::NotEqual, false),
    ("<", 7, BinaryOperator::Less, false),
    (">", 7, BinaryOperator::Less, true),
    ("<=", 7, BinaryOperator::LessEqual, false),
    (">=", 7, BinaryOperator::LessEqual, true),
    ("<<", 8, BinaryOperator::ShiftLeft, false),
    (">>", 8, BinaryOperator::ShiftRight, false),
    ("+", 9, BinaryOperator::Add, false),
    ("-", 9, BinaryOperator::Subtract, false),
    ("*", 10, BinaryOperator::Multiply, false),
    ("/", 10, BinaryOperator::Divide, false),
    ("%", 10, BinaryOperator::Remainder, false),
];

fn find(word: &str) -> Option<&'static (&'static str, u8, BinaryOperator, bool)> {
    OPERATORS.iter().find(|(spelling, ..)| *spelling == word)
}

/// How strongly an operator binds; nothing for a word that is no operator.
pub(super) fn strength(word: &str) -> Option<u8> {
    find(word).map(|&(_, strength, ..)| strength)
}

/// What an operator does, and its operands in the order for that.
fn operation<T>(word: &str, left: T, right: T) -> (BinaryOperator, T, T) {
    let &(_, _, operator, is_turned) = find(word).expect("the parser knows this operator");
    if is_turned { (operator, right, left) } else { (operator, left, right) }
}

/// An operator in a program.
pub(super) fn lower(
    program: &mut Program,
    word: &str,
    left: ExpressionId,
    right: ExpressionId,
) -> ExpressionId {
    let (operator, left, right) = operation(word, left, right);
    program.binary(operator, left, right)
}

/// The value of an operator; zero where it has none, as for names that are not defined.
pub(super) fn evaluate(word: &str, left: i64, right: i64) -> i64 {
    let (operator, left, right) = operation(word, left, right);
    operator.apply(left, right).unwrap_or(0)
}
