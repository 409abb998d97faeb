//! Expressions of the text to expressions of the program.

use super::super::SourceError;
use super::super::program::{BinaryOperator, Expression, ExpressionId, Program, UnaryOperator};
use super::ast::{self, Name, Node, Tree};
use super::names::{Names, Symbol};

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Before anything has happened, in a process or outside: variables have
    /// their initial values.
    Initial(Option<usize>),
    /// In a transition of a process.
    Process(usize),
    /// In a formula, where `P.x` may be a variable too.
    Proposition,
}

impl Scope {
    fn process(self) -> Option<usize> {
        match self {
            Self::Initial(process) => process,
            Self::Process(process) => Some(process),
            Self::Proposition => None,
        }
    }
}

/// The number that an expression is, in a scope where it must be one.
pub(super) fn constant(
    program: &mut Program,
    names: &Names,
    scope: Scope,
    tree: &Tree,
) -> Result<i64, SourceError> {
    let id = expression(program, names, scope, tree)?;
    // Folding leaves an operation only if it goes wrong.
    program.as_constant(id).ok_or_else(|| {
        let message = "this has no value: division by zero, no such element, or a number too large";
        SourceError::new(tree.span, message)
    })
}

/// The expression of the program that `tree` means.
pub(super) fn expression(
    program: &mut Program,
    names: &Names,
    scope: Scope,
    tree: &Tree,
) -> Result<ExpressionId, SourceError> {
    let mut lowering = Lowering { program, names, scope };
    let mut ids: Vec<ExpressionId> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let id = lowering.node(node, &ids)?;
        ids.push(id);
    }
    Ok(ids.pop().unwrap_or_else(|| lowering.program.constant(0)))
}

struct Lowering<'a> {
    program: &'a mut Program,
    names: &'a Names,
    scope: Scope,
}

impl Lowering<'_> {
    /// The node, given the expressions of all nodes before it.
    fn node(&mut self, node: &Node, ids: &[ExpressionId]) -> Result<ExpressionId, SourceError> {
        let names = self.names;
        match node {
            Node::Number(value) => Ok(self.program.constant(*value)),
            Node::Variable(name) => {
                let symbol = names.value(self.scope.process(), name)?;
                self.symbol(name, symbol, None)
            }
            Node::Element(name, index) => {
                let symbol = names.value(self.scope.process(), name)?;
                self.symbol(name, symbol, Some(ids[*index]))
            }
            Node::Member(process, name) => self.member(process, name),
            Node::MemberElement(process, name, index) => {
                let process = names.process(process)?;
                if self.scope != Scope::Proposition {
                    process.state(name)?;
                    let message = format!("`{}` is a state, not an array", name.text);
                    return Err(SourceError::new(name.span, message));
                }
                self.symbol(name, process.local(name)?, Some(ids[*index]))
            }
            Node::Foreign(process, name) => {
                let symbol = names.process(process)?.local(name)?;
                self.symbol(name, symbol, None)
            }
            Node::ForeignElement(process, name, index) => {
                let symbol = names.process(process)?.local(name)?;
                self.symbol(name, symbol, Some(ids[*index]))
            }
            Node::Unary(operator, operand) => {
                let operator = match operator {
                    ast::UnaryOperator::Not => UnaryOperator::Not,
                    ast::UnaryOperator::Negate => UnaryOperator::Negate,
                    ast::UnaryOperator::Complement => UnaryOperator::Complement,
                };
                Ok(self.program.expression(Expression::Unary(operator, ids[*operand])))
            }
            Node::Binary(operator, left, right) => {
                Ok(self.binary(*operator, ids[*left], ids[*right]))
            }
        }
    }

    /// `P.s`: a state of a process, or in a proposition one of its variables.
    fn member(&mut self, process: &Name, name: &Name) -> Result<ExpressionId, SourceError> {
        let process = self.names.process(process)?;
        if self.scope == Scope::Proposition
            && process.states.get(&name.text).is_none()
            && let Some(symbol) = process.symbols.get(&name.text)
        {
            return self.symbol(name, symbol, None);
        }
        let state = process.state(name)?;
        let state = self.program.constant(state);
        let location = match self.scope {
            Scope::Initial(_) => {
                let initial = self.program.variables[process.location].initial[0];
                self.program.constant(initial)
            }
            _ => self.program.expression(Expression::Variable(process.location)),
        };
        Ok(self.program.binary(BinaryOperator::Equal, location, state))
    }

    /// The value of a variable, of an element or of a constant.
    fn symbol(
        &mut self,
        name: &Name,
        symbol: Symbol,
        index: Option<ExpressionId>,
    ) -> Result<ExpressionId, SourceError> {
        match (symbol, index) {
            (Symbol::Constant(value), None) => Ok(self.program.constant(value)),
            (Symbol::Variable { id, is_array: false, .. }, None) => match self.scope {
                Scope::Initial(_) => {
                    let initial = self.program.variables[id].initial[0];
                    Ok(self.program.constant(initial))
                }
                _ => Ok(self.program.expression(Expression::Variable(id))),
            },
            (Symbol::Variable { id, is_array: true, .. }, Some(index)) => match self.scope {
                Scope::Initial(_) => {
                    let position = self.program.as_constant(index);
                    let position = position.and_then(|index| usize::try_from(index).ok());
                    let initial = &self.program.variables[id].initial;
                    match position.and_then(|index| initial.get(index)) {
                        Some(&value) => Ok(self.program.constant(value)),
                        // Wrong only if it is needed.
                        None => Ok(self.program.expression(Expression::Element(id, index))),
                    }
                }
                _ => Ok(self.program.expression(Expression::Element(id, index))),
            },
            _ => Err(wrong_shape(self.program, name, symbol)),
        }
    }

    fn binary(
        &mut self,
        operator: ast::BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        use ast::BinaryOperator as Source;
        let operator = match operator {
            Source::Imply => {
                let negated = Expression::Unary(UnaryOperator::Not, left);
                let negated = self.program.expression(negated);
                return self.program.binary(BinaryOperator::Or, negated, right);
            }
            Source::Greater => return self.program.binary(BinaryOperator::Less, right, left),
            Source::GreaterEqual => {
                return self.program.binary(BinaryOperator::LessEqual, right, left);
            }
            Source::And => BinaryOperator::And,
            Source::Or => BinaryOperator::Or,
            Source::BitAnd => BinaryOperator::BitAnd,
            Source::BitOr => BinaryOperator::BitOr,
            Source::BitXor => BinaryOperator::BitXor,
            Source::Equal => BinaryOperator::Equal,
            Source::NotEqual => BinaryOperator::NotEqual,
            Source::Less => BinaryOperator::Less,
            Source::LessEqual => BinaryOperator::LessEqual,
            Source::ShiftLeft => BinaryOperator::ShiftLeft,
            Source::ShiftRight => BinaryOperator::ShiftRight,
            Source::Add => BinaryOperator::Add,
            Source::Subtract => BinaryOperator::Subtract,
            Source::Multiply => BinaryOperator::Multiply,
            Source::Divide => BinaryOperator::Divide,
            Source::Remainder => BinaryOperator::Remainder,
        };
        self.program.binary(operator, left, right)
    }
}

/// An array without an index, or an index behind something else.
pub(super) fn wrong_shape(program: &Program, name: &Name, symbol: Symbol) -> SourceError {
    let message = match symbol {
        Symbol::Variable { id, is_array: true, .. } => {
            let len = program.variables[id].n_elements();
            format!("`{}` is an array of {len} elements: an index is missing", name.text)
        }
        _ => format!("`{}` is not an array", name.text),
    };
    SourceError::new(name.span, message)
}
