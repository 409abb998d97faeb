//! `CaDiCaL` behind [`Solver`].
//!
//! `CaDiCaL` first tries what is true, we prefer what is false, so each of our
//! variables is the negation of one of `CaDiCaL`'s.

use super::{Literal, Solver};
use crate::search::limits::{Exhausted, Watch};

/// `CaDiCaL`, compiled from its sources when this crate is built.
pub struct Cadical<'a> {
    solver: cadical::Solver<Interrupt<'a>>,
}

struct Interrupt<'a>(Watch<'a>);

impl cadical::Callbacks for Interrupt<'_> {
    fn terminate(&mut self) -> bool {
        self.0.exhausted().is_some()
    }
}

impl std::fmt::Debug for Cadical<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cadical").field("n_variables", &self.solver.num_variables()).finish()
    }
}

/// The literal as `CaDiCaL` writes it.
fn written(literal: Literal) -> i32 {
    let number = i32::try_from(literal.variable() + 1).expect("fewer than 2^30 variables");
    if literal.is_positive() { -number } else { number }
}

impl<'a> Solver<'a> for Cadical<'a> {
    fn new(watch: Watch<'a>) -> Self {
        let mut solver = cadical::Solver::new();
        solver.set_callbacks(Some(Interrupt(watch)));
        Self { solver }
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.solver.add_clause(clause.iter().copied().map(written));
    }

    fn solve_within(
        &mut self,
        n_conflicts: Option<u32>,
        assumptions: &[Literal],
    ) -> Result<Option<bool>, Exhausted> {
        if let Some(limit) = n_conflicts.and_then(|limit| i32::try_from(limit).ok()) {
            self.solver.set_limit("conflicts", limit).expect("CaDiCaL knows this limit");
        }
        let answer = self.solver.solve_with(assumptions.iter().copied().map(written));
        if answer.is_some() {
            return Ok(answer);
        }
        let interrupt = self.solver.get_callbacks();
        interrupt.and_then(|interrupt| interrupt.0.exhausted()).map_or(Ok(None), Err)
    }

    fn value(&self, literal: Literal) -> bool {
        // What does not matter counts as false.
        match self.solver.value(written(literal)) {
            Some(value) => value,
            None => !literal.is_positive(),
        }
    }

    fn is_used(&self, assumption: Literal) -> bool {
        self.solver.failed(written(assumption))
    }
}
