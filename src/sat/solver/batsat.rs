//! batsat behind [`Solver`].

use super::{Literal, Solver};
use crate::search::limits::{Exhausted, Watch};
use batsat::{Lit, SolverInterface, Var, lbool};

/// batsat, a descendant of `MiniSat` in Rust.
pub struct Batsat<'a> {
    solver: batsat::Solver<Interrupt<'a>>,
    /// Scratch space.
    clause: Vec<Lit>,
}

struct Interrupt<'a>(Watch<'a>);

impl batsat::Callbacks for Interrupt<'_> {
    fn stop(&self) -> bool {
        self.0.exhausted().is_some()
    }
}

impl std::fmt::Debug for Batsat<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Batsat").field("n_variables", &self.solver.num_vars()).finish()
    }
}

impl Batsat<'_> {
    fn write(&mut self, literals: &[Literal]) {
        self.clause.clear();
        for &literal in literals {
            let number = u32::try_from(literal.variable()).expect("fewer than 2^30 variables");
            let variable = self.solver.var_of_int(number);
            self.clause.push(Lit::new(variable, literal.is_positive()));
        }
    }
}

/// The literal as batsat writes it, if its variable is known there.
fn written(literal: Literal) -> Lit {
    let number = u32::try_from(literal.variable()).expect("fewer than 2^30 variables");
    Lit::new(Var::unsafe_from_idx(number), literal.is_positive())
}

impl<'a> Solver<'a> for Batsat<'a> {
    fn new(watch: Watch<'a>) -> Self {
        let solver = batsat::Solver::new(batsat::SolverOpts::default(), Interrupt(watch));
        Self { solver, clause: Vec::new() }
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.write(clause);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve(&mut self, assumptions: &[Literal]) -> Result<bool, Exhausted> {
        self.write(assumptions);
        match self.solver.solve_limited(&self.clause) {
            answer if answer == lbool::TRUE => Ok(true),
            answer if answer == lbool::FALSE => Ok(false),
            _ => Err(self.solver.cb().0.exhausted().unwrap_or(Exhausted::Interrupted)),
        }
    }

    fn value(&self, literal: Literal) -> bool {
        let value = self.solver.value_var(written(literal).var()) == lbool::TRUE;
        value == literal.is_positive()
    }

    fn is_used(&self, assumption: Literal) -> bool {
        self.solver.unsat_core_contains_lit(written(assumption))
    }
}
