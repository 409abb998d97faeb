//! Linear programs in floating point: the only module that knows the package which solves them.
//!
//! A solution is a guess: what it is used for has to be checked in exact arithmetic.

use microlp::{ComparisonOp, OptimizationDirection, Problem, SolveOutcome, Variable};

/// How a row compares with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// The sum is at least the bound.
    AtLeast,
    /// The sum is at most the bound.
    AtMost,
}

/// The number of a column.
pub(super) type Column = usize;

/// What is to be minimized, and under which conditions.
#[derive(Debug)]
pub(super) struct LinearProgram {
    problem: Problem,
    columns: Vec<Variable>,
}

impl LinearProgram {
    /// A program without columns.
    pub(super) fn new() -> Self {
        Self { problem: Problem::new(OptimizationDirection::Minimize), columns: Vec::new() }
    }

    /// Adds a column with its cost and the bounds of its number.
    pub(super) fn column(&mut self, cost: f64, bounds: (f64, f64)) -> Column {
        self.columns.push(self.problem.add_var(cost, bounds));
        self.columns.len() - 1
    }

    /// Adds a row: factors of columns, each of which occurs once, and a bound.
    pub(super) fn row(&mut self, factors: &[(Column, f64)], row: Row, bound: f64) {
        let comparison = match row {
            Row::AtLeast => ComparisonOp::Ge,
            Row::AtMost => ComparisonOp::Le,
        };
        let factors = factors.iter().map(|&(column, factor)| (self.columns[column], factor));
        let factors: Vec<(Variable, f64)> = factors.collect();
        self.problem.add_constraint(&factors, comparison, bound);
    }

    /// The least cost, and the numbers of all columns; `None` if no solution exists.
    pub(super) fn solution(&self) -> Option<(f64, Vec<f64>)> {
        let Ok(SolveOutcome::Solution(solution)) = self.problem.solve() else { return None };
        let numbers = self.columns.iter().map(|&column| solution[column]).collect();
        Some((solution.objective(), numbers))
    }
}
