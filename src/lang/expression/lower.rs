//! Trees to expressions of the program, with their sorts.

use super::{Content, Enumerations, Operator, Sort, Tree, TreeNode};
use crate::lang::program::{
    BinaryOperator, Expression, ExpressionId, Program, Span, UnaryOperator, VariableId,
};
use crate::lang::{SourceError, cursor::Result};

/// What references mean in a language.
pub(in crate::lang) trait Meaning {
    type Reference;
    /// Where an expression stands.
    type Scope: Copy;

    /// The value of a reference, with an index if brackets stand behind it.
    fn read(
        &self,
        program: &mut Program,
        scope: Self::Scope,
        reference: &Self::Reference,
        index: Option<Value>,
        span: Span,
    ) -> Result<Value>;

    /// The sorts of values; nothing if all values are numbers, and operators take any of them.
    fn enumerations(&self) -> Option<&Enumerations>;
}

/// An expression of the program and what is known about it.
#[derive(Clone, Copy, Debug)]
pub(in crate::lang) struct Value {
    pub(in crate::lang) id: ExpressionId,
    pub(in crate::lang) sort: Sort,
    /// Whether it is never negative.
    pub(in crate::lang) is_natural: bool,
    pub(in crate::lang) span: Span,
}

impl Value {
    /// A number as a value of a sort.
    pub(in crate::lang) fn constant(
        program: &mut Program,
        sort: Sort,
        value: i64,
        span: Span,
    ) -> Self {
        Self { id: program.constant(value), sort, is_natural: 0 <= value, span }
    }

    /// The value of a variable, or of an element of an array.
    pub(in crate::lang) fn variable(
        program: &mut Program,
        sort: Sort,
        variable: VariableId,
        index: Option<ExpressionId>,
        span: Span,
    ) -> Self {
        let expression = match index {
            Some(index) => Expression::Element(variable, index),
            None => Expression::Variable(variable),
        };
        let id = program.expression(expression);
        Self { id, sort, is_natural: 0 <= program.variables[variable].low, span }
    }
}

/// The number that an expression is and its sort, or `message` if it is not a number. Folding leaves an
/// operation only if it goes wrong or reads a variable.
pub(in crate::lang) fn constant<M: Meaning>(
    program: &mut Program,
    names: &M,
    scope: M::Scope,
    tree: &Tree<M::Reference>,
    message: &str,
) -> Result<(Sort, i64)> {
    let value = value(program, names, scope, tree)?;
    let number = program.as_constant(value.id);
    Ok((value.sort, number.ok_or_else(|| SourceError::new(tree.span, message))?))
}

/// The expression of the program that `tree` means, which must have this sort.
pub(in crate::lang) fn value_of<M: Meaning>(
    program: &mut Program,
    names: &M,
    scope: M::Scope,
    tree: &Tree<M::Reference>,
    sort: Sort,
) -> Result<ExpressionId> {
    let value = value(program, names, scope, tree)?;
    require(names, value, sort)?;
    Ok(value.id)
}

/// Checks that a value has this sort.
pub(in crate::lang) fn require(names: &impl Meaning, value: Value, sort: Sort) -> Result<()> {
    match names.enumerations() {
        Some(enumerations) if value.sort != sort => {
            Err(enumerations.mismatch(value.span, sort, value.sort))
        }
        _ => Ok(()),
    }
}

/// The expression of the program that `tree` means.
pub(in crate::lang) fn value<M: Meaning>(
    program: &mut Program,
    names: &M,
    scope: M::Scope,
    tree: &Tree<M::Reference>,
) -> Result<Value> {
    let mut values: Vec<Value> = Vec::with_capacity(tree.nodes.len());
    for TreeNode { content, span } in &tree.nodes {
        let span = *span;
        let value = match content {
            Content::Number(number) => Value::constant(program, Sort::Number, *number, span),
            Content::Truth(truth) => Value::constant(program, Sort::Truth, i64::from(*truth), span),
            Content::Reference(reference, index) => {
                names.read(program, scope, reference, index.map(|index| values[index]), span)?
            }
            Content::Unary(operator, operand) => {
                unary(program, names, *operator, values[*operand], span)?
            }
            Content::Binary(operator, left, right) => {
                binary(program, names, *operator, [values[*left], values[*right]], span)?
            }
        };
        values.push(value);
    }
    values.pop().ok_or_else(|| SourceError::new(tree.span, "expected an expression"))
}

fn unary(
    program: &mut Program,
    names: &impl Meaning,
    operator: UnaryOperator,
    operand: Value,
    span: Span,
) -> Result<Value> {
    let sort = if operator == UnaryOperator::Not { Sort::Truth } else { Sort::Number };
    require(names, operand, sort)?;
    let id = program.expression(Expression::Unary(operator, operand.id));
    Ok(Value { id, sort, is_natural: sort == Sort::Truth, span })
}

fn binary(
    program: &mut Program,
    names: &impl Meaning,
    operator: Operator,
    [left, right]: [Value; 2],
    span: Span,
) -> Result<Value> {
    let operands = match operator {
        _ if operator.is_connective() => Sort::Truth,
        _ if operator.is_equality() => left.sort,
        _ => Sort::Number,
    };
    require(names, left, operands)?;
    if let Some(enumerations) = names.enumerations()
        && operator.is_equality()
        && left.sort != right.sort
    {
        return Err(enumerations.incomparable(span, left.sort, right.sort));
    }
    require(names, right, operands)?;
    let are_natural = left.is_natural && right.is_natural;
    let id = operator.apply(program, left.id, right.id, are_natural);
    let is_truth = operator.is_connective() || operator.is_comparison();
    let sort = if is_truth { Sort::Truth } else { Sort::Number };
    let is_difference = operator == Operator::Plain(BinaryOperator::Subtract);
    let is_natural = is_truth || (are_natural && !is_difference);
    Ok(Value { id, sort, is_natural, span })
}
