//! Checks the reasons why an automaton accepts nothing.
//!
//! Whoever claims that a formula has no model hands the reason over, and here
//! it is verified from the automaton alone. This shares nothing with the engines:
//! not their clauses, which go in one direction only where these say exactly what is
//! true, and not the solver at hand, but a fresh one of the other kind.

use super::solver::{Batsat, Literal, Solver};
use crate::dag::Shape;
use crate::id::Id;
use crate::lwaa::{Leaf, Lwaa, TransitionId};
use crate::search::limits::{Budget, Exhausted};

/// Checks that no word has a run of `n_steps` steps.
///
/// # Errors
///
/// If a limit is reached or somebody asked to stop.
///
/// # Panics
///
/// If there is one: whoever asked is wrong.
pub fn check_no_path(lwaa: &Lwaa, n_steps: usize, budget: &Budget<'_>) -> Result<(), Exhausted> {
    let mut paper = Paper { lwaa, solver: Batsat::new(budget.watch()), n_variables: 0 };
    let mut here = paper.new_variables(lwaa.n_locations());
    for &location in lwaa.initial() {
        paper.solver.add_clause(&[Literal::positive(here + location.index())]);
    }
    for _ in 0..n_steps {
        let next = paper.new_variables(lwaa.n_locations());
        paper.add_step(here, next);
        here = next;
    }
    let has_path = paper.solver.solve(&[])?;
    assert!(!has_path, "a formula was said to have no model because it has no path");
    Ok(())
}

/// Formulas as clauses.
struct Paper<'l, S> {
    lwaa: &'l Lwaa,
    solver: S,
    n_variables: usize,
}

/// The variables of a step.
struct Step {
}

impl<'a, S: Solver<'a>> Paper<'_, S> {
    fn new_variables(&mut self, count: usize) -> usize {
        let first = self.n_variables;
        self.n_variables += count;
        first
    }

    /// A step from the configuration whose variables begin at `here` to that at
    /// `next`, with any letter.
    fn add_step(&mut self, here: usize, next: usize) -> Step {
        let lwaa = self.lwaa;
        let atoms = self.new_variables(lwaa.atoms().len());
        let loops = self.new_variables(lwaa.n_locations());
        let formulas = self.new_variables(lwaa.transitions().len());
        let truth = |formula: TransitionId| Literal::positive(formulas + formula.index());
        for formula in lwaa.transitions().ids() {
            let itself = truth(formula);
            match lwaa.transitions().shape(formula) {
                Shape::Leaf(leaf) => {
                    let same = match leaf {
                        Leaf::True | Leaf::False => {
                            let is_true = leaf == Leaf::True;
                            self.solver.add_clause(&[if is_true { itself } else { !itself }]);
                            continue;
                        }
                        Leaf::Literal { atom, positive } => {
                            Literal::new(atoms + atom.index(), positive)
                        }
                        Leaf::Location(location) => Literal::positive(next + location.index()),
                        Leaf::Loop(location) => Literal::positive(loops + location.index()),
                    };
                    self.solver.add_clause(&[!itself, same]);
                    self.solver.add_clause(&[itself, !same]);
                }
                Shape::And(list) => self.define(itself, list.iter().map(|&part| truth(part))),
                Shape::Or(list) => self.define(!itself, list.iter().map(|&part| !truth(part))),
            }
        }
        for (id, location) in lwaa.locations() {
            self.solver.add_clause(&[Literal::negative(here + id.index()), truth(location.step)]);
        }
        Step { formulas, loops }
    }

    /// Says that `itself` is the conjunction of `parts`.
    fn define(&mut self, itself: Literal, parts: impl Iterator<Item = Literal>) {
        let mut all = vec![itself];
        for part in parts {
            self.solver.add_clause(&[!itself, part]);
            all.push(!part);
        }
        self.solver.add_clause(&all);
    }
}
