//! Expressions of the text to expressions of the program, with their types.
//!
//! `DIV` and `MOD` are those of Oberon: the quotient is rounded down, so the
//! remainder has the sign of the divisor. Those of programs round towards zero,
//! which is the same where nothing is negative.

use super::super::SourceError;
use super::super::program::{
    BinaryOperator, Expression, ExpressionId, Program, Span, UnaryOperator,
};
use super::ast::{self, Kind, Name, Node, Tree};
use super::names::{Names, Scalar, Sort, Symbol};

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// In a declaration, where everything is a constant.
    Constant,
    /// In an instance of a process, by its number.
    Instance(usize),
    /// In a proposition, where `P.x` is a variable of a process.
    Proposition,
}

impl Scope {
    pub(super) fn instance(self) -> Option<usize> {
        match self {
            Self::Instance(number) => Some(number),
            Self::Constant | Self::Proposition => None,
        }
    }
}

/// An expression of the program and what is known about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) id: ExpressionId,
    pub(super) sort: Sort,
    /// Whether it is never negative.
    is_natural: bool,
    pub(super) span: Span,
}

/// The number that an expression is, in a scope where it must be one.
pub(super) fn constant(
    program: &mut Program,
    names: &Names,
    scope: Scope,
    tree: &Tree,
) -> Result<(Sort, i64), SourceError> {
    let value = value(program, names, scope, tree)?;
    // Folding leaves an operation only if it goes wrong or reads a variable.
    let number = program.as_constant(value.id).ok_or_else(|| {
        let message = if scope == Scope::Constant {
            "this has no value: division by zero, or a number too large"
        } else {
            "this is not a constant"
        };
        SourceError::new(tree.span, message)
    })?;
    Ok((value.sort, number))
}

/// The expression of the program that `tree` means.
pub(super) fn value(
    program: &mut Program,
    names: &Names,
    scope: Scope,
    tree: &Tree,
) -> Result<Value, SourceError> {
    let mut lowering = Lowering { program, names, scope };
    let mut values: Vec<Value> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let value = lowering.node(node, &values)?;
        values.push(value);
    }
    values.pop().ok_or_else(|| SourceError::new(tree.span, "expected an expression"))
}

/// The same for an expression that must have this sort.
pub(super) fn value_of(
    program: &mut Program,
    names: &Names,
    scope: Scope,
    tree: &Tree,
    sort: Sort,
) -> Result<ExpressionId, SourceError> {
    let value = value(program, names, scope, tree)?;
    require(names, value, sort)?;
    Ok(value.id)
}

/// That a value has this sort.
fn require(names: &Names, value: Value, sort: Sort) -> Result<(), SourceError> {
    if value.sort == sort {
        return Ok(());
    }
    let (expected, found) = (names.sort_text(sort), names.sort_text(value.sort));
    let message = format!("expected {expected}, but this is {found}");
    Err(SourceError::new(value.span, message))
}

/// That a constant is in a range.
pub(super) fn check_range(
    names: &Names,
    scalar: Scalar,
    value: Option<i64>,
    span: Span,
) -> Result<(), SourceError> {
    match value {
        Some(value) if !scalar.contains(value) => {
            let text = names.scalar_text(scalar);
            let message = format!("value {value} is out of range: it must be in {text}");
            Err(SourceError::new(span, message))
        }
        _ => Ok(()),
    }
}

/// That a constant index is one.
pub(super) fn check_index(
    name: &Name,
    len: usize,
    value: Option<i64>,
    span: Span,
) -> Result<(), SourceError> {
    let is_wrong = |&value: &i64| usize::try_from(value).map_or(true, |value| len <= value);
    match value.filter(is_wrong) {
        None => Ok(()),
        Some(value) => {
            let name = &name.text;
            let message = format!("index {value} is out of range: `{name}` has {len} elements");
            Err(SourceError::new(span, message))
        }
    }
}

struct Lowering<'a> {
    program: &'a mut Program,
    names: &'a Names,
    scope: Scope,
}

impl Lowering<'_> {
    /// The node, given the values of all nodes before it.
    fn node(&mut self, node: &Node, values: &[Value]) -> Result<Value, SourceError> {
        let span = node.span;
        match &node.kind {
            Kind::Number(number) => {
                let id = self.program.constant(*number);
                Ok(Value { id, sort: Sort::Number, is_natural: true, span })
            }
            Kind::Truth(truth) => {
                let id = self.program.constant(i64::from(*truth));
                Ok(Value { id, sort: Sort::Truth, is_natural: true, span })
            }
            Kind::Name(name) => {
                let symbol = self.symbol(name)?;
                self.read(name, symbol, None, span)
            }
            Kind::Element(name, index) => {
                let symbol = self.symbol(name)?;
                self.read(name, symbol, Some(values[*index]), span)
            }
            Kind::Member(owner, name) => {
                self.check_member(span)?;
                self.read(name, self.names.member(owner, name)?, None, span)
            }
            Kind::MemberElement(owner, name, index) => {
                self.check_member(span)?;
                self.read(name, self.names.member(owner, name)?, Some(values[*index]), span)
            }
            Kind::Unary(operator, operand) => self.unary(*operator, values[*operand], span),
            Kind::Binary(operator, left, right) => {
                self.binary(*operator, values[*left], values[*right], span)
            }
        }
    }

    fn check_member(&self, span: Span) -> Result<(), SourceError> {
        if self.scope == Scope::Proposition {
            return Ok(());
        }
        let message = "processes share no variables: those of others are for propositions only";
        Err(SourceError::new(span, message))
    }

    fn symbol(&self, name: &Name) -> Result<Symbol, SourceError> {
        if self.scope == Scope::Proposition && self.names.symbol(None, name).is_none() {
            return Err(self.names.unknown_proposition(name));
        }
        let is_value = |symbol| matches!(symbol, Symbol::Constant(..) | Symbol::Variable(..));
        self.names.known(self.scope.instance(), name, "a value", is_value)
    }

    /// The value of a variable, of an element or of a constant.
    fn read(
        &mut self,
        name: &Name,
        symbol: Symbol,
        index: Option<Value>,
        span: Span,
    ) -> Result<Value, SourceError> {
        match (symbol, index) {
            (Symbol::Constant(sort, value), None) => {
                self.check_message(name, sort, value)?;
                let id = self.program.constant(value);
                Ok(Value { id, sort, is_natural: 0 <= value, span })
            }
            (Symbol::Variable(variable, shape), index)
                if shape.len.is_some() == index.is_some() =>
            {
                let expression = match (index, shape.len) {
                    (Some(index), Some(len)) => {
                        require(self.names, index, Sort::Number)?;
                        check_index(name, len, self.program.as_constant(index.id), index.span)?;
                        Expression::Element(variable, index.id)
                    }
                    _ => Expression::Variable(variable),
                };
                let id = self.program.expression(expression);
                let is_natural = 0 <= shape.element.low;
                Ok(Value { id, sort: shape.element.sort, is_natural, span })
            }
            _ => Err(wrong_shape(name, symbol)),
        }
    }

    /// A message that carries values is no value by itself.
    fn check_message(&self, name: &Name, sort: Sort, value: i64) -> Result<(), SourceError> {
        let Sort::Enumeration(number) = sort else { return Ok(()) };
        let enumeration = &self.names.enumerations[number];
        let literal = usize::try_from(value).ok().and_then(|at| enumeration.literals.get(at));
        if literal.is_none_or(|literal| literal.fields.is_empty()) {
            return Ok(());
        }
        let message = format!("`{}` carries values and goes through channels only", name.text);
        Err(SourceError::new(name.span, message))
    }

    fn unary(
        &mut self,
        operator: ast::UnaryOperator,
        operand: Value,
        span: Span,
    ) -> Result<Value, SourceError> {
        let (operator, sort) = match operator {
            ast::UnaryOperator::Not => (UnaryOperator::Not, Sort::Truth),
            ast::UnaryOperator::Negate => (UnaryOperator::Negate, Sort::Number),
        };
        require(self.names, operand, sort)?;
        let id = self.program.expression(Expression::Unary(operator, operand.id));
        Ok(Value { id, sort, is_natural: sort == Sort::Truth, span })
    }

    fn binary(
        &mut self,
        operator: ast::BinaryOperator,
        left: Value,
        right: Value,
        span: Span,
    ) -> Result<Value, SourceError> {
        use ast::BinaryOperator as Source;
        let operands = match operator {
            Source::And | Source::Or => Sort::Truth,
            Source::Equal | Source::NotEqual => left.sort,
            _ => Sort::Number,
        };
        require(self.names, left, operands)?;
        if left.sort != right.sort && matches!(operator, Source::Equal | Source::NotEqual) {
            let [left, right] = [left.sort, right.sort].map(|sort| self.names.sort_text(sort));
            let message = format!("{left} cannot be compared with {right}");
            return Err(SourceError::new(span, message));
        }
        require(self.names, right, operands)?;
        let both = left.is_natural && right.is_natural;
        let (id, sort, is_natural) = match operator {
            Source::Add => (BinaryOperator::Add, Sort::Number, both),
            Source::Subtract => (BinaryOperator::Subtract, Sort::Number, false),
            Source::Multiply => (BinaryOperator::Multiply, Sort::Number, both),
            Source::Divide | Source::Modulo => {
                let id = self.division(operator, left.id, right.id, both);
                return Ok(Value { id, sort: Sort::Number, is_natural: both, span });
            }
            Source::Greater => {
                let id = self.program.binary(BinaryOperator::Less, right.id, left.id);
                return Ok(Value { id, sort: Sort::Truth, is_natural: true, span });
            }
            Source::GreaterEqual => {
                let id = self.program.binary(BinaryOperator::LessEqual, right.id, left.id);
                return Ok(Value { id, sort: Sort::Truth, is_natural: true, span });
            }
            Source::And => (BinaryOperator::And, Sort::Truth, true),
            Source::Or => (BinaryOperator::Or, Sort::Truth, true),
            Source::Equal => (BinaryOperator::Equal, Sort::Truth, true),
            Source::NotEqual => (BinaryOperator::NotEqual, Sort::Truth, true),
            Source::Less => (BinaryOperator::Less, Sort::Truth, true),
            Source::LessEqual => (BinaryOperator::LessEqual, Sort::Truth, true),
        };
        let id = self.program.binary(id, left.id, right.id);
        Ok(Value { id, sort, is_natural, span })
    }

    /// Quotient or remainder, rounded down.
    fn division(
        &mut self,
        operator: ast::BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
        are_natural: bool,
    ) -> ExpressionId {
        let program = &mut *self.program;
        let quotient = program.binary(BinaryOperator::Divide, left, right);
        let remainder = program.binary(BinaryOperator::Remainder, left, right);
        let is_modulo = operator == ast::BinaryOperator::Modulo;
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

/// An array without an index, or an index behind something else.
pub(super) fn wrong_shape(name: &Name, symbol: Symbol) -> SourceError {
    let message = match symbol {
        Symbol::Variable(_, shape) if shape.len.is_some() => {
            format!("`{}` is an array and needs an index", name.text)
        }
        _ => format!("`{}` is not an array", name.text),
    };
    SourceError::new(name.span, message)
}
