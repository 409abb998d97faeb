//! Decision diagrams by CUDD, behind the feature `cudd`.
//!
//! All that is foreign about CUDD is in the crate `lwaa-cudd`; here its
//! operations are only put in the form of the trait. Diagrams have complemented
//! edges: negation is free, and a function shares its nodes with its negation.

use lwaa_cudd::{Bdd, Exhausted, Manager};

use super::{Branch, Diagrams, OutOfMemory, VariableId};
use crate::id::Id;

/// A package of decision diagrams by CUDD.
#[derive(Debug)]
pub struct CuddDiagrams(Manager);

impl From<Exhausted> for OutOfMemory {
    fn from(_: Exhausted) -> Self {
        Self
    }
}

impl CuddDiagrams {
    /// The conjunction of variables, which come in increasing order.
    fn positive_cube(&self, variables: &[VariableId]) -> Result<Bdd, Exhausted> {
        debug_assert!(variables.is_sorted());
        self.0.cube(variables.iter().map(|variable| (variable.index(), true)))
    }
}

impl Diagrams for CuddDiagrams {
    type Function = Bdd;

    fn with_capacity(capacity: usize) -> Result<Self, OutOfMemory> {
        Ok(Self(Manager::with_capacity(capacity)?))
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn n_variables(&self) -> usize {
        self.0.n_variables()
    }

    fn grow_to(&mut self, n_variables: usize) -> Result<(), OutOfMemory> {
        Ok(self.0.grow_to(n_variables)?)
    }

    fn constant(&self, value: bool) -> Bdd {
        self.0.constant(value)
    }

    fn variable(&self, variable: VariableId) -> Result<Bdd, OutOfMemory> {
        Ok(self.0.variable(variable.index())?)
    }

    fn not(&self, f: &Bdd) -> Result<Bdd, OutOfMemory> {
        Ok(f.not())
    }

    fn and(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfMemory> {
        Ok(f.and(g)?)
    }

    fn or(&self, f: &Bdd, g: &Bdd) -> Result<Bdd, OutOfMemory> {
        Ok(f.or(g)?)
    }

    fn ite(&self, condition: &Bdd, then: &Bdd, otherwise: &Bdd) -> Result<Bdd, OutOfMemory> {
        Ok(condition.ite(then, otherwise)?)
    }

    fn implies(&self, f: &Bdd, g: &Bdd) -> Result<bool, OutOfMemory> {
        Ok(f.implies(g))
    }

    fn exists(&self, f: &Bdd, variables: &[VariableId]) -> Result<Bdd, OutOfMemory> {
        Ok(f.exists(&self.positive_cube(variables)?)?)
    }

    fn and_exists(&self, f: &Bdd, g: &Bdd, variables: &[VariableId]) -> Result<Bdd, OutOfMemory> {
        Ok(f.and_exists(g, &self.positive_cube(variables)?)?)
    }

    fn branch(&self, f: &Bdd) -> Branch<Bdd> {
        let root = f.root();
        match root.branch() {
            None => Branch::Constant(root.value() == Some(true)),
            Some((index, low, high)) => Branch::Node {
                variable: VariableId::new(index),
                low: low.to_bdd(),
                high: high.to_bdd(),
            },
        }
    }

    fn n_referenced(&self) -> usize {
        // CUDD counts references, so what is dead need not be collected.
        self.0.n_nodes()
    }
}
