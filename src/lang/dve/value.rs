//! What references mean: variables, constants and states of processes.

use super::super::expression::{self, Enumerations, Meaning, Sort, Value};
use super::super::program::{BinaryOperator, Program, Span, VariableId};
use super::super::{SourceError, cursor::Result};
use super::ast::{Name, Reference, Tree};
use super::names::{DveNames, DveSymbol, ProcessNames};

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DveScope {
    /// Before anything has happened, in a process or outside: variables have
    /// their initial values.
    Initial(Option<usize>),
    /// In a transition of a process.
    Process(usize),
    /// In a formula, where `P.x` may be a variable too.
    Proposition,
}

impl DveScope {
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
    names: &DveNames,
    scope: DveScope,
    tree: &Tree,
) -> Result<i64> {
    let message = "this has no value: division by zero, no such element, or a number too large";
    Ok(expression::constant(program, names, scope, tree, message)?.1)
}

impl Meaning for DveNames {
    type Reference = Reference;
    type Scope = DveScope;

    fn enumerations(&self) -> Option<&Enumerations> {
        None
    }

    fn read(
        &self,
        program: &mut Program,
        scope: DveScope,
        reference: &Reference,
        index: Option<Value>,
        span: Span,
    ) -> Result<Value> {
        let (name, symbol) = match reference {
            Reference::Name(name) => (name, self.value(scope.process(), name)?),
            Reference::Foreign(process, name) => (name, self.process(process)?.local(name)?),
            Reference::Member(process, name) => {
                let process = self.process(process)?;
                let is_variable = index.is_some() || process.symbols.get(&name.text).is_some();
                if scope != DveScope::Proposition || !is_variable {
                    return is_in_state(program, scope, process, (name, index), span);
                }
                (name, process.local(name)?)
            }
        };
        match symbol {
            DveSymbol::Constant(value) if index.is_none() => {
                Ok(Value::constant(program, Sort::Number, value, span))
            }
            DveSymbol::Variable { id, is_array, .. } if is_array == index.is_some() => {
                Ok(variable(program, scope, id, index, span))
            }
            _ => Err(wrong_shape(program, name, symbol)),
        }
    }
}

/// `P.s`: whether a process is in a state.
fn is_in_state(
    program: &mut Program,
    scope: DveScope,
    process: &ProcessNames,
    (name, index): (&Name, Option<Value>),
    span: Span,
) -> Result<Value> {
    let state = process.state(name)?;
    if index.is_some() {
        return Err(name.error("is a state, not an array"));
    }
    let state = program.constant(state);
    let location = variable(program, scope, process.location, None, span);
    let id = program.binary(BinaryOperator::Equal, location.id, state);
    Ok(Value { id, ..location })
}

/// The value of a variable or element, which is known before anything has happened.
fn variable(
    program: &mut Program,
    scope: DveScope,
    variable: VariableId,
    index: Option<Value>,
    span: Span,
) -> Value {
    if let DveScope::Initial(_) = scope {
        let position = index.map_or(Some(0), |index| program.as_constant(index.id));
        let position = position.and_then(|position| usize::try_from(position).ok());
        let initial = &program.variables[variable].initial;
        if let Some(&value) = position.and_then(|position| initial.get(position)) {
            return Value::constant(program, Sort::Number, value, span);
        }
        // An element that does not exist is an error only if it is needed.
    }
    Value::variable(program, Sort::Number, variable, index.map(|index| index.id), span)
}

/// The error of an array without an index, or of an index behind something else.
pub(super) fn wrong_shape(program: &Program, name: &Name, symbol: DveSymbol) -> SourceError {
    let message = match symbol {
        DveSymbol::Variable { id, is_array: true, .. } => {
            let len = program.variables[id].n_elements();
            format!("`{}` is an array of {len} elements: an index is missing", name.text)
        }
        _ => format!("`{}` is not an array", name.text),
    };
    SourceError::new(name.span, message)
}
