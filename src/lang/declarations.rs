//! A program that gets its variables: constants that the user redefines, and the limit on the
//! number of values in a state.

use super::Definition;
use super::cursor::{Result, fail};
use super::program::{Program, Span, Variable, VariableId};

/// How many values a state may have: elements of arrays and of buffers, and single variables.
pub(super) const MAX_ELEMENTS: usize = 4_000_000;

/// A program without transitions.
pub(super) struct Declarations<'d> {
    pub(super) program: Program,
    /// Values of constants, and whether each has been used.
    definitions: Vec<(&'d Definition, bool)>,
    n_elements: usize,
}

impl<'d> Declarations<'d> {
    pub(super) fn new(definitions: &'d [Definition]) -> Self {
        let definitions = definitions.iter().map(|definition| (definition, false)).collect();
        Self { program: Program::default(), definitions, n_elements: 0 }
    }

    /// The value that the user gives to a constant, if any; the last one counts.
    pub(super) fn defined(&mut self, name: &str) -> Option<i64> {
        let mut value = None;
        for (definition, is_used) in &mut self.definitions {
            if definition.name == name {
                *is_used = true;
                value = Some(definition.value);
            }
        }
        value
    }

    /// Checks that the model has a constant for each definition.
    pub(super) fn check_definitions(&self) -> Result<()> {
        let Some((unused, _)) = self.definitions.iter().find(|&&(_, is_used)| !is_used) else {
            return Ok(());
        };
        fail(Span::default(), format!("the model has no constant `{}` to define", unused.name))
    }

    /// Adds a variable that is declared at `span`. Names of its values take room too, though not
    /// in a state.
    pub(super) fn add(&mut self, variable: Variable, span: Span) -> Result<VariableId> {
        self.n_elements += variable.initial.len() + variable.value_names.len();
        if MAX_ELEMENTS < self.n_elements {
            return fail(span, format!("the model has more than {MAX_ELEMENTS} values in a state"));
        }
        Ok(self.program.variables.push(variable))
    }
}
