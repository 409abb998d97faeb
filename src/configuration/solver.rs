//! The successors of a group by a SAT solver, where decision diagrams would be too
//! large.
//!
//! A solution of the conjuncts is made smaller until no location and no loop can be left
//! out: the next one may only have what this one has, and must lack something of it. Then it is a minimal model, and
//! from now on something of it has to be missing. So every minimal model comes once.
//!
//! Models that take no loop come first: a step on which no until is postponed is what
//! a search for cycles hopes for.

use super::encoding::{Encoding, Variable, VariableId};
use super::step::Stepper;
use crate::lwaa::{Leaf, TransitionId};
use crate::sat::clauses::Writer;
use crate::sat::solver::{Batsat, Literal, Solver};
use crate::search::limits::{Budget, Exhausted, Watch};

/// Conflicts between two looks at the limits.
const N_CONFLICTS: u32 = 500;

/// An enumeration of minimal models.
#[derive(Debug)]
pub(super) struct Solved {
    solver: Batsat<'static>,
    /// The variables of the group, by their numbers in the solver.
    variables: Vec<VariableId>,
    /// The numbers of locations and loops.
    chosen: Vec<usize>,
    /// The numbers of loops, as long as there may be models without any.
    loops: Vec<usize>,
    n_variables: usize,
    /// Whether there are no more models.
    is_finished: bool,
    /// Scratch space.
    literals: Vec<Literal>,
}

impl Solved {
    /// The minimal models of `conjuncts` over locations and loops, but for those that
    /// are known.
    pub(super) fn new<'m>(
        conjuncts: &[TransitionId],
        stepper: &mut Stepper,
        known: impl Iterator<Item = &'m [VariableId]>,
    ) -> Self {
        let mut solved = Self::unfiltered(conjuncts, stepper);
        for model in known {
            let number = |variable| solved.variables.binary_search(variable).ok();
            let model: Vec<usize> = model.iter().filter_map(number).collect();
            solved.exclude(&model);
        }
        solved
    }

    fn unfiltered(conjuncts: &[TransitionId], stepper: &mut Stepper) -> Self {
        let variables = stepper.variables(conjuncts);
        let encoding = stepper.encoding();
        let literal = |leaf: Leaf| literal_of(leaf, encoding, &variables);
        let mut writer = Writer::new(stepper.transitions(), variables.len(), literal, |_| true);
        for &conjunct in conjuncts {
            writer.imply(None, conjunct);
        }
        let (clauses, n_variables) = writer.finish();
        let mut solver = Batsat::new(Watch::never());
        clauses.iter().for_each(|clause| solver.add_clause(clause));
        let numbers = |is_wanted: fn(Variable) -> bool| {
            let is_it = |&number: &usize| is_wanted(encoding.variable(variables[number]));
            (0..variables.len()).filter(is_it).collect()
        };
        Self {
            solver,
            chosen: numbers(|variable| !matches!(variable, Variable::Atom(_))),
            loops: numbers(|variable| matches!(variable, Variable::Loop(_))),
            variables,
            n_variables,
            is_finished: false,
            literals: Vec::new(),
        }
    }

    /// The next minimal model, as the variables that are true in it.
    pub(super) fn next(
        &mut self,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<VariableId>>, Exhausted> {
        if self.is_finished {
            return Ok(None);
        }
        let mut is_found = false;
        if !self.loops.is_empty() {
            self.literals.clear();
            self.literals.extend(self.loops.iter().map(|&number| Literal::negative(number)));
            is_found = self.solve(budget)?;
            if !is_found {
                self.loops.clear();
            }
        }
        if !is_found {
            self.literals.clear();
            self.is_finished = !self.solve(budget)?;
            if self.is_finished {
                return Ok(None);
            }
        }
        let model = self.minimal(budget)?;
        self.exclude(&model);
        Ok(Some(model.into_iter().map(|number| self.variables[number]).collect()))
    }

    /// A minimal model that is part of the current solution.
    fn minimal(&mut self, budget: &mut Budget<'_>) -> Result<Vec<usize>, Exhausted> {
        let mut model = self.solution();
        while !model.is_empty() {
            let smaller = Literal::positive(self.n_variables);
            self.n_variables += 1;
            self.literals.clear();
            self.literals.push(!smaller);
            self.literals.extend(model.iter().map(|&number| Literal::negative(number)));
            self.solver.add_clause(&self.literals);
            self.literals.clear();
            self.literals.push(smaller);
            let absent = self.chosen.iter().filter(|number| model.binary_search(number).is_err());
            self.literals.extend(absent.map(|&number| Literal::negative(number)));
            let is_smaller = self.solve(budget)?;
            if is_smaller {
                model = self.solution();
            }
            self.solver.add_clause(&[!smaller]);
            if !is_smaller {
                break;
            }
        }
        Ok(model)
    }

    /// The locations and loops of the current solution.
    fn solution(&self) -> Vec<usize> {
        let is_true = |number: &usize| self.solver.value(Literal::positive(*number));
        self.chosen.iter().copied().filter(is_true).collect()
    }

    /// From now on something of `model` is missing.
    fn exclude(&mut self, model: &[usize]) {
        self.literals.clear();
        self.literals.extend(model.iter().map(|&number| Literal::negative(number)));
        self.solver.add_clause(&self.literals);
        self.is_finished |= model.is_empty();
    }

    /// Whether there is a solution in which all of `literals` are true.
    fn solve(&mut self, budget: &mut Budget<'_>) -> Result<bool, Exhausted> {
        loop {
            budget.poll()?;
            if let Some(answer) = self.solver.solve_within(Some(N_CONFLICTS), &self.literals)? {
                return Ok(answer);
            }
            budget.poll_now()?;
        }
    }

    /// Values of atoms that satisfy `conjuncts`, which are about atoms only, if there are any.
    pub(super) fn letter(
        conjuncts: &[TransitionId],
        stepper: &mut Stepper,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Vec<(VariableId, bool)>>, Exhausted> {
        let mut solved = Self::unfiltered(conjuncts, stepper);
        if !solved.solve(budget)? {
            return Ok(None);
        }
        let value = |number| solved.solver.value(Literal::positive(number));
        let values = solved.variables.iter().enumerate();
        Ok(Some(values.map(|(number, &variable)| (variable, value(number))).collect()))
    }
}

/// The literal of a leaf, by the number of its variable.
fn literal_of(leaf: Leaf, encoding: &Encoding, variables: &[VariableId]) -> Literal {
    let (variable, positive) = encoding.of_leaf(leaf).expect("constants are no literals");
    let number = variables.binary_search(&variable).expect("it is a variable of the group");
    Literal::new(number, positive)
}
