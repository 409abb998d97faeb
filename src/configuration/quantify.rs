//! The conjunction of a group with its atoms quantified away, as a diagram
//! over locations and loops.
//!
//! Building the whole conjunction first would be exponential long before the
//! result is. Instead atoms are eliminated one at a time, each from the
//! conjuncts that mention it, the atom that drags the fewest variables along
//! first; and an atom that occurs in one disjunction only is quantified inside
//! its disjuncts.

use super::encoding::VariableId;
use super::minimal::minimal_by_letter;
use super::step::Stepper;
use crate::bdd::{self, Branch, Diagrams, OutOfMemory};
use crate::dag::Shape;
use crate::id::Id;
use crate::lwaa::{Leaf, TransitionId};
use crate::search::limits::{Budget, Exhausted};
use crate::sets::distinct;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::collections::BTreeSet;

/// Why a group could not be computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    /// The diagrams are full; with larger ones it may go well.
    OutOfMemory,
    /// A limit of the search is reached.
    Exhausted(Exhausted),
}

impl Failure {
    /// The limit that was reached, if diagrams of this capacity were the largest.
    pub(super) fn exhausted(self, capacity: usize) -> Exhausted {
        match self {
            Self::OutOfMemory => Exhausted::Diagrams { capacity },
            Self::Exhausted(exhausted) => exhausted,
        }
    }
}

impl From<OutOfMemory> for Failure {
    fn from(OutOfMemory: OutOfMemory) -> Self {
        Self::OutOfMemory
    }
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

/// Turns transition formulas into diagrams over the variables of a group.
pub(super) struct Quantifier<'a, 'b, D: Diagrams> {
    diagrams: &'a D,
    /// The numbers that the variables of the group have in its diagrams.
    numbers: HashMap<VariableId, bdd::VariableId, FxBuildHasher>,
    stepper: &'a mut Stepper,
    budget: &'a mut Budget<'b>,
    /// Diagrams of formulas without quantification.
    functions: HashMap<TransitionId, D::Function, FxBuildHasher>,
}

/// A factor of a conjunction, and the variables it depends on.
struct Factor<F> {
    function: F,
    /// In increasing order.
    variables: Vec<bdd::VariableId>,
}

impl<'a, 'b, D: Diagrams> Quantifier<'a, 'b, D> {
    /// Disjunctions in conjunctions in disjunctions … are taken apart only so
    /// deep; what is below is built first and quantified afterwards.
    const MAX_DEPTH: usize = 16;

    /// `variables` are those of the group in the order of the diagrams.
    pub(super) fn new(
        diagrams: &'a D,
        variables: &[VariableId],
        stepper: &'a mut Stepper,
        budget: &'a mut Budget<'b>,
    ) -> Self {
        let number = |(number, &variable)| (variable, bdd::VariableId::new(number));
        let numbers = variables.iter().enumerate().map(number).collect();
        Self { diagrams, numbers, stepper, budget, functions: HashMap::default() }
    }

    /// The conjunction of `conjuncts` for some choice of all atoms.
    pub(super) fn some_letter(
        &mut self,
        conjuncts: &[TransitionId],
    ) -> Result<D::Function, Failure> {
        let atoms = distinct(conjuncts.iter().flat_map(|&conjunct| self.atoms(conjunct)));
        self.conjunction(conjuncts, &atoms, 0)
    }

    /// The models that are minimal for some letter, as far as signs tell letters
    /// apart: where a model satisfies `conjuncts` under a letter, and no longer
    /// does so if one of its variables is taken away.
    pub(super) fn each_letter(
        &mut self,
        conjuncts: &[TransitionId],
    ) -> Result<D::Function, Failure> {
        let (mut shown, mut others) = (Vec::new(), Vec::new());
        let mut is_chosen = vec![false; self.numbers.len()];
        for (&variable, &number) in &self.numbers {
            if !self.stepper.encoding().is_atom(variable) {
                is_chosen[number.index()] = true;
            } else if self.stepper.is_shown(variable) {
                shown.push(number);
            } else {
                others.push(number);
            }
        }
        shown.sort_unstable();
        others.sort_unstable();
        let function = self.conjunction(conjuncts, &others, 0)?;
        self.budget.poll()?;
        let minimal = minimal_by_letter(self.diagrams, &function, &is_chosen)?;
        Ok(self.diagrams.exists(&minimal, &shown)?)
    }

    /// The diagram of `root` as it is.
    pub(super) fn plain(&mut self, root: TransitionId) -> Result<D::Function, Failure> {
        let mut open = vec![root];
        while let Some(&id) = open.last() {
            if self.functions.contains_key(&id) {
                open.pop();
                continue;
            }
            let shape = self.stepper.transitions().shape(id);
            let pending = open.len();
            open.extend(shape.operands().iter().filter(|part| !self.functions.contains_key(*part)));
            if pending < open.len() {
                continue;
            }
            open.pop();
            let parts: Vec<D::Function> =
                shape.operands().iter().map(|part| self.functions[part].clone()).collect();
            let function = match shape {
                Shape::Leaf(leaf) => self.leaf(leaf)?,
                Shape::And(_) => self.join(parts, true)?,
                Shape::Or(_) => self.join(parts, false)?,
            };
            self.functions.insert(id, function);
        }
        Ok(self.functions[&root].clone())
    }

    /// Joins functions pairwise, neighbours first, so that none is joined with
    /// a large intermediate result more often than necessary.
    fn join(&mut self, parts: Vec<D::Function>, and: bool) -> Result<D::Function, Failure> {
        let mut parts = parts;
        while 1 < parts.len() {
            let mut joined = Vec::with_capacity(parts.len().div_ceil(2));
            for pair in parts.chunks(2) {
                self.budget.poll()?;
                joined.push(match pair {
                    [a, b] if and => self.diagrams.and(a, b)?,
                    [a, b] => self.diagrams.or(a, b)?,
                    _ => pair[0].clone(),
                });
            }
            parts = joined;
        }
        Ok(parts.pop().unwrap_or_else(|| self.diagrams.constant(and)))
    }

    fn leaf(&self, leaf: Leaf) -> Result<D::Function, OutOfMemory> {
        let Some((variable, positive)) = self.stepper.encoding().of_leaf(leaf) else {
            return Ok(self.diagrams.constant(leaf == Leaf::True));
        };
        let function = self.diagrams.variable(self.numbers[&variable])?;
        if positive { Ok(function) } else { self.diagrams.not(&function) }
    }

    /// The numbers of all variables of a formula, in increasing order.
    fn variables(&mut self, id: TransitionId) -> Vec<bdd::VariableId> {
        let variables = self.stepper.variables(&[id]).into_iter();
        let mut numbers: Vec<_> = variables.map(|variable| self.numbers[&variable]).collect();
        numbers.sort_unstable();
        numbers
    }

    /// The numbers of the atoms of a formula.
    fn atoms(&mut self, id: TransitionId) -> Vec<bdd::VariableId> {
        let variables = self.stepper.variables(&[id]);
        let encoding = self.stepper.encoding();
        let atoms = variables.iter().filter(|&&variable| encoding.is_atom(variable));
        atoms.map(|variable| self.numbers[variable]).collect()
    }

    /// The conjunction of `conjuncts` for some choice of `atoms`, which are
    /// sorted.
    fn conjunction(
        &mut self,
        conjuncts: &[TransitionId],
        atoms: &[bdd::VariableId],
        depth: usize,
    ) -> Result<D::Function, Failure> {
        let mut n_uses: HashMap<bdd::VariableId, usize, FxBuildHasher> = HashMap::default();
        let mut supports = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            let variables = self.variables(conjunct);
            for &variable in &variables {
                *n_uses.entry(variable).or_default() += 1;
            }
            supports.push(variables);
        }
        let mut factors = Vec::with_capacity(conjuncts.len());
        for (&conjunct, mut variables) in conjuncts.iter().zip(supports) {
            let is_atom = |variable: &bdd::VariableId| atoms.binary_search(variable).is_ok();
            let is_own = |variable: &bdd::VariableId| is_atom(variable) && n_uses[variable] == 1;
            let own: Vec<bdd::VariableId> =
                variables.iter().copied().filter(|variable| is_own(variable)).collect();
            variables.retain(|variable| !is_own(variable));
            let function = self.single(conjunct, &own, depth)?;
            factors.push(Factor { function, variables });
        }
        let shared: Vec<bdd::VariableId> =
            atoms.iter().copied().filter(|atom| n_uses.get(atom).is_some_and(|&n| 1 < n)).collect();
        self.eliminate(factors, &shared, None)
    }

    /// One formula for some choice of `atoms`, which are sorted.
    fn single(
        &mut self,
        id: TransitionId,
        atoms: &[bdd::VariableId],
        depth: usize,
    ) -> Result<D::Function, Failure> {
        if atoms.is_empty() {
            return self.plain(id);
        }
        if Self::MAX_DEPTH < depth {
            let function = self.plain(id)?;
            return Ok(self.diagrams.exists(&function, atoms)?);
        }
        let shape = self.stepper.transitions().shape(id);
        let operands = shape.operands().to_vec();
        match shape {
            Shape::Leaf(_) => {
                let function = self.plain(id)?;
                Ok(self.diagrams.exists(&function, atoms)?)
            }
            Shape::And(_) => self.conjunction(&operands, atoms, depth + 1),
            Shape::Or(_) => {
                let mut parts = Vec::with_capacity(operands.len());
                for operand in operands {
                    let mut own = self.atoms(operand);
                    own.retain(|atom| atoms.binary_search(atom).is_ok());
                    own.sort_unstable();
                    own.dedup();
                    parts.push(self.single(operand, &own, depth + 1)?);
                }
                self.join(parts, false)
            }
        }
    }

    /// Values of all variables under which `conjuncts`, which are about atoms
    /// only, are true, if there are any.
    pub(super) fn witness(
        &mut self,
        conjuncts: &[TransitionId],
    ) -> Result<Option<Vec<(bdd::VariableId, bool)>>, Failure> {
        let mut factors = Vec::with_capacity(conjuncts.len());
        for &conjunct in conjuncts {
            let (function, variables) = (self.plain(conjunct)?, self.variables(conjunct));
            factors.push(Factor { function, variables });
        }
        let atoms: Vec<bdd::VariableId> =
            distinct(factors.iter().flat_map(|factor| factor.variables.iter().copied()));
        let mut eliminated = Vec::new();
        let rest = self.eliminate(factors, &atoms, Some(&mut eliminated))?;
        if rest == self.diagrams.constant(false) {
            return Ok(None);
        }
        // What was eliminated last depends on nothing else.
        let mut values: HashMap<bdd::VariableId, bool, FxBuildHasher> = HashMap::default();
        for (atom, functions) in eliminated.into_iter().rev() {
            values.insert(atom, false);
            let allows = |function: &D::Function| evaluate(self.diagrams, function, &values);
            let value = !functions.iter().all(allows);
            values.insert(atom, value);
        }
        Ok(Some(atoms.into_iter().filter_map(|atom| Some((atom, *values.get(&atom)?))).collect()))
    }

    /// The conjunction of `factors` for some choice of `atoms`. Notes for each
    /// atom the factors from which it was eliminated.
    fn eliminate(
        &mut self,
        factors: Vec<Factor<D::Function>>,
        atoms: &[bdd::VariableId],
        mut eliminated: Option<&mut Vec<Eliminated<D::Function>>>,
    ) -> Result<D::Function, Failure> {
        let mut plan = Plan::new(factors, atoms);
        while let Some((atom, mut with)) = plan.next() {
            self.budget.poll()?;
            if let Some(eliminated) = &mut eliminated {
                let functions = with.iter().map(|factor| factor.function.clone()).collect();
                eliminated.push((atom, functions));
            }
            with.sort_by_key(|factor| factor.variables.len());
            let mut with = with.into_iter();
            let Some(mut product) = with.next() else { continue };
            let n_left = with.len();
            if n_left == 0 {
                product.function = self.diagrams.exists(&product.function, &[atom])?;
            }
            for (number, factor) in with.enumerate() {
                self.budget.poll()?;
                let (f, g) = (&product.function, &factor.function);
                product.function = if number + 1 == n_left {
                    self.diagrams.and_exists(f, g, &[atom])?
                } else {
                    self.diagrams.and(f, g)?
                };
                product.variables.extend(factor.variables);
            }
            product.variables.sort_unstable();
            product.variables.dedup();
            product.variables.retain(|&variable| variable != atom);
            plan.add(product);
        }
        let mut factors: Vec<Factor<D::Function>> = plan.factors.into_iter().flatten().collect();
        factors.sort_by_key(|factor| factor.variables.len());
        let parts = factors.into_iter().map(|factor| factor.function).collect();
        self.join(parts, true)
    }
}

/// The value of `function` where all variables it depends on have `values`.
fn evaluate<D: Diagrams>(
    diagrams: &D,
    function: &D::Function,
    values: &HashMap<bdd::VariableId, bool, FxBuildHasher>,
) -> bool {
    let mut function = function.clone();
    loop {
        match diagrams.branch(&function) {
            Branch::Constant(value) => return value,
            Branch::Node { variable, low, high } => {
                function = if values.get(&variable) == Some(&true) { high } else { low };
            }
        }
    }
}

/// An atom, and the factors that mentioned it when it was eliminated.
type Eliminated<F> = (bdd::VariableId, Vec<F>);

/// Which atom to eliminate next: the one that joins the fewest variables.
struct Plan<F> {
    /// Nothing where a factor has become part of another.
    factors: Vec<Option<Factor<F>>>,
    /// The factors that mention an atom, some of which may be gone.
    uses: HashMap<bdd::VariableId, Vec<usize>, FxBuildHasher>,
    /// The variables in those factors together, for atoms that are left.
    costs: HashMap<bdd::VariableId, usize, FxBuildHasher>,
    queue: BTreeSet<(usize, bdd::VariableId)>,
}

impl<F> Plan<F> {
    fn new(factors: Vec<Factor<F>>, atoms: &[bdd::VariableId]) -> Self {
        let mut plan = Self {
            factors: Vec::with_capacity(2 * factors.len()),
            uses: atoms.iter().map(|&atom| (atom, Vec::new())).collect(),
            costs: atoms.iter().map(|&atom| (atom, 0)).collect(),
            queue: atoms.iter().map(|&atom| (0, atom)).collect(),
        };
        for factor in factors {
            plan.add(factor);
        }
        plan
    }

    fn add(&mut self, factor: Factor<F>) {
        for &variable in &factor.variables {
            let Some(uses) = self.uses.get_mut(&variable) else { continue };
            uses.push(self.factors.len());
            self.change_cost(variable, factor.variables.len(), true);
        }
        self.factors.push(Some(factor));
    }

    /// The cheapest atom, and the factors that mention it, which are removed.
    fn next(&mut self) -> Option<(bdd::VariableId, Vec<Factor<F>>)> {
        let (_, atom) = self.queue.pop_first()?;
        self.costs.remove(&atom);
        let uses = self.uses.remove(&atom).unwrap_or_default();
        let with: Vec<Factor<F>> =
            uses.into_iter().filter_map(|position| self.factors[position].take()).collect();
        for factor in &with {
            for &variable in &factor.variables {
                self.change_cost(variable, factor.variables.len(), false);
            }
        }
        Some((atom, with))
    }

    fn change_cost(&mut self, variable: bdd::VariableId, by: usize, up: bool) {
        let Some(cost) = self.costs.get_mut(&variable) else { return };
        self.queue.remove(&(*cost, variable));
        *cost = if up { *cost + by } else { *cost - by };
        self.queue.insert((*cost, variable));
    }
}
