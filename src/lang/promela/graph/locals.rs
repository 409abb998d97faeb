//! The variables of a process type, found by the name and the block.

use super::super::ast::Declaration;
use super::super::names::Map;
use super::{ScopeId, Scopes};
use crate::work::tick;
use std::ops::Deref;

/// A variable of a process.
#[derive(Clone, Debug)]
pub(in super::super) struct Local {
    pub(in super::super) declaration: Declaration,
    pub(in super::super) scope: ScopeId,
    /// Whether it gets its value when the process begins.
    pub(in super::super) is_early: bool,
    /// How many before it have the same name.
    pub(in super::super) n_namesakes: usize,
}

/// The variables of one name.
#[derive(Clone, Debug, Default)]
struct Namesakes {
    count: usize,
    /// The first one in each block.
    of_scopes: Map<ScopeId, usize>,
}

/// The variables of a process in their order.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Locals {
    list: Vec<Local>,
    named: Map<String, Namesakes>,
}

impl Deref for Locals {
    type Target = [Local];

    fn deref(&self) -> &[Local] {
        &self.list
    }
}

impl Locals {
    /// Adds a variable and gives its number.
    pub(super) fn push(
        &mut self,
        declaration: Declaration,
        scope: ScopeId,
        is_early: bool,
    ) -> usize {
        let number = self.list.len();
        let namesakes = self.named.entry_ref(&*declaration.name.text).or_default();
        let n_namesakes = namesakes.count;
        namesakes.count += 1;
        namesakes.of_scopes.entry(scope).or_insert(number);
        self.list.push(Local { declaration, scope, is_early, n_namesakes });
        number
    }

    /// The variable that a name means in a block.
    pub(super) fn find(&self, scopes: &Scopes, scope: ScopeId, name: &str) -> Option<usize> {
        let namesakes = self.named.get(name)?;
        let mut at = Some(scope);
        while let Some(scope) = at {
            tick();
            if let Some(&found) = namesakes.of_scopes.get(&scope) {
                return Some(found);
            }
            at = scopes[scope];
        }
        None
    }
}
