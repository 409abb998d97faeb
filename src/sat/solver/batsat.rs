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

struct Interrupt<'a> {
    watch: Watch<'a>,
    /// How many conflicts are left, if they are limited.
    n_conflicts: Option<u32>,
}

impl batsat::Callbacks for Interrupt<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: batsat::ClauseKind) {
        if kind == batsat::ClauseKind::Learnt {
            self.n_conflicts = self.n_conflicts.map(|left| left.saturating_sub(1));
        }
    }

    fn stop(&self) -> bool {
        self.n_conflicts == Some(0) || self.watch.exhausted().is_some()
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
        let solver = batsat::Solver::new(
            batsat::SolverOpts::default(),
            Interrupt { watch, n_conflicts: None },
        );
        Self { solver, clause: Vec::new() }
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.write(clause);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn solve_within(
        &mut self,
        n_conflicts: Option<u32>,
        assumptions: &[Literal],
    ) -> Result<Option<bool>, Exhausted> {
        self.write(assumptions);
        self.solver.cb_mut().n_conflicts = n_conflicts;
        match self.solver.solve_limited(&self.clause) {
            answer if answer == lbool::TRUE => Ok(Some(true)),
            answer if answer == lbool::FALSE => Ok(Some(false)),
            _ => self.solver.cb().watch.exhausted().map_or(Ok(None), Err),
        }
    }

    fn value(&self, literal: Literal) -> bool {
        let value = self.solver.value_var(written(literal).var()) == lbool::TRUE;
        value == literal.is_positive()
    }

    fn is_used(&self, assumption: Literal) -> bool {
        // What batsat keeps is the clause that it has learned, so negated.
        self.solver.unsat_core_contains_lit(!written(assumption))
    }
}
