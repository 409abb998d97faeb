//! What references mean: constants, variables of a process, and in propositions those of others.

use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::expression::{self, Domain, Enumerations, Meaning, Sort, Value, require};
use super::super::program::{Program, Span};
use super::ast::{Name, Reference, Tree};
use super::names::{EsmlNames, EsmlSymbol};

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EsmlScope {
    /// In a declaration, where everything is a constant.
    Constant,
    /// In an instance of a process, by its number.
    Instance(usize),
    /// In a proposition, where `P.x` is a variable of a process.
    Proposition,
}

/// The number that an expression is and its sort, in a scope where it must be one.
pub(super) fn constant(
    program: &mut Program,
    names: &EsmlNames,
    scope: EsmlScope,
    tree: &Tree,
) -> Result<(Sort, i64)> {
    let message = if scope == EsmlScope::Constant {
        "this has no value: division by zero, or a number too large"
    } else {
        "this is not a constant"
    };
    expression::constant(program, names, scope, tree, message)
}

/// That a constant is in a range.
pub(super) fn check_range(
    names: &EsmlNames,
    domain: Domain,
    value: Option<i64>,
    span: Span,
) -> Result<()> {
    match value {
        Some(value) if !domain.contains(value) => {
            let text = names.domain_text(domain);
            fail(span, format!("value {value} is out of range: it must be in {text}"))
        }
        _ => Ok(()),
    }
}

/// That a constant index is one.
pub(super) fn check_index(name: &Name, len: usize, value: Option<i64>, span: Span) -> Result<()> {
    let is_wrong = |&value: &i64| usize::try_from(value).map_or(true, |value| len <= value);
    match value.filter(is_wrong) {
        None => Ok(()),
        Some(value) => {
            let name = &name.text;
            fail(span, format!("index {value} is out of range: `{name}` has {len} elements"))
        }
    }
}

impl Meaning for EsmlNames {
    type Reference = Reference;
    type Scope = EsmlScope;

    fn enumerations(&self) -> Option<&Enumerations> {
        Some(&self.enumerations)
    }

    fn read(
        &self,
        program: &mut Program,
        scope: EsmlScope,
        reference: &Reference,
        index: Option<Value>,
        span: Span,
    ) -> Result<Value> {
        let (name, symbol) = match reference {
            Reference::Name(name) => (name, self.value(scope, name)?),
            Reference::Member(..) if scope != EsmlScope::Proposition => {
                let message =
                    "processes share no variables: those of others are for propositions only";
                return Err(SourceError::new(span, message));
            }
            Reference::Member(owner, name) => (name, self.member(owner, name)?),
        };
        match (symbol, index) {
            (EsmlSymbol::Constant(sort, value), None) => {
                if !self.fields(sort, value).is_empty() {
                    return Err(name.error("carries values and goes through channels only"));
                }
                Ok(Value::constant(program, sort, value, span))
            }
            (EsmlSymbol::Variable(variable, shape), index)
                if shape.len.is_some() == index.is_some() =>
            {
                if let (Some(index), Some(len)) = (index, shape.len) {
                    require(self, index, Sort::Number)?;
                    check_index(name, len, program.as_constant(index.id), index.span)?;
                }
                let index = index.map(|index| index.id);
                Ok(Value::variable(program, shape.element.sort, variable, index, span))
            }
            _ => Err(wrong_shape(name, symbol)),
        }
    }
}

/// The error of an array without an index, or of an index behind something else.
pub(super) fn wrong_shape(name: &Name, symbol: EsmlSymbol) -> SourceError {
    let message = match symbol {
        EsmlSymbol::Variable(_, shape) if shape.len.is_some() => {
            format!("`{}` is an array and needs an index", name.text)
        }
        _ => format!("`{}` is not an array", name.text),
    };
    SourceError::new(name.span, message)
}
