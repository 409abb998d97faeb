//! The one door to SAT solvers: clauses over numbered variables, solved again
//! and again under assumptions.
//!
//! There are two packages, because no verdict should rest on one alone, and
//! because they are good at different things: `CaDiCaL` at one large question, and
//! the lighter batsat at thousands of small ones.

mod batsat;
#[cfg(feature = "cadical")]
mod cadical;

pub use batsat::Batsat;
#[cfg(feature = "cadical")]
pub use cadical::Cadical;

/// The solver for large questions: `CaDiCaL`, and batsat in a build without it.
#[cfg(feature = "cadical")]
pub type LargeSolver<'a> = Cadical<'a>;
/// The solver for large questions: `CaDiCaL`, and batsat in a build without it.
#[cfg(not(feature = "cadical"))]
pub type LargeSolver<'a> = Batsat<'a>;

use crate::search::limits::{Exhausted, Watch};

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// The literal of `variable` that is true if the variable is as `positive`
    /// says.
    ///
    /// # Panics
    ///
    /// If there are too many variables.
    #[must_use]
    pub fn new(variable: usize, positive: bool) -> Self {
        let variable = u32::try_from(variable).ok().filter(|&number| number < 1 << 30);
        Self(2 * variable.expect("fewer than 2^30 variables") + u32::from(!positive))
    }

    /// The literal that is true if `variable` is.
    #[must_use]
    pub fn positive(variable: usize) -> Self {
        Self::new(variable, true)
    }

    /// The literal that is true if `variable` is not.
    #[must_use]
    pub fn negative(variable: usize) -> Self {
        Self::new(variable, false)
    }

    /// The variable.
    #[must_use]
    pub fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether this is the variable itself.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }
}

impl std::ops::Not for Literal {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl std::fmt::Debug for Literal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = if self.is_positive() { "" } else { "-" };
        write!(f, "{sign}{}", self.variable())
    }
}

/// A SAT solver. Variables that no clause has used before are new. Where a
/// variable could as well be true, a solver prefers it to be false.
pub trait Solver<'a> {
    /// A solver without clauses that stops when `watch` says so.
    fn new(watch: Watch<'a>) -> Self;

    /// From now on one of `clause` has to be true.
    fn add_clause(&mut self, clause: &[Literal]);

    /// Whether all clauses and all `assumptions` can be true; nothing if that is
    /// not known after so many conflicts.
    ///
    /// # Errors
    ///
    /// If a limit is reached or the monitor says to stop.
    fn solve_within(
        &mut self,
        n_conflicts: Option<u32>,
        assumptions: &[Literal],
    ) -> Result<Option<bool>, Exhausted>;

    /// Whether all clauses and all `assumptions` can be true.
    ///
    /// # Errors
    ///
    /// If a limit is reached or the monitor says to stop.
    fn solve(&mut self, assumptions: &[Literal]) -> Result<bool, Exhausted> {
        self.solve_within(None, assumptions)?.ok_or(Exhausted::Interrupted)
    }

    /// Whether `literal` is true in the solution that was just found.
    fn value(&self, literal: Literal) -> bool;

    /// Whether `assumption` was used to find out that there is no solution.
    fn is_used(&self, assumption: Literal) -> bool;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::{Budget, Limits, Monitor};

    /// Clauses of a hard problem: more pigeons than holes.
    fn pigeons<'a>(solver: &mut impl Solver<'a>, n_holes: usize) {
        let place = |pigeon: usize, hole: usize| pigeon * n_holes + hole;
        for pigeon in 0..=n_holes {
            let somewhere: Vec<Literal> =
                (0..n_holes).map(|hole| Literal::positive(place(pigeon, hole))).collect();
            solver.add_clause(&somewhere);
            for (other, hole) in (0..pigeon).flat_map(|other| (0..n_holes).map(move |h| (other, h)))
            {
                solver.add_clause(&[
                    Literal::negative(place(pigeon, hole)),
                    Literal::negative(place(other, hole)),
                ]);
            }
        }
    }

    fn check<'a, S: Solver<'a>>(watch: Watch<'a>, stopped: Watch<'a>) {
        let mut solver = S::new(watch.clone());
        let [a, b, c] = [0, 1, 2].map(Literal::positive);
        solver.add_clause(&[a, b]);
        solver.add_clause(&[!a, c]);
        assert_eq!(solver.solve(&[]), Ok(true));
        assert_eq!(solver.solve(&[!c]), Ok(true));
        assert!(solver.value(b) && !solver.value(a) && solver.value(!a));
        assert_eq!(solver.solve(&[!b, Literal::positive(7), !c]), Ok(false));
        assert!(solver.is_used(!b) && solver.is_used(!c));
        assert!(!solver.is_used(Literal::positive(7)));
        assert_eq!(solver.solve(&[!b]), Ok(true));
        assert!(solver.value(c));
        solver.add_clause(&[]);
        assert_eq!(solver.solve(&[]), Ok(false));

        let mut solver = S::new(watch);
        pigeons(&mut solver, 12);
        assert_eq!(solver.solve_within(Some(10), &[]), Ok(None));
        pigeons(&mut solver, 2);
        assert_eq!(solver.solve(&[]), Ok(false));

        let mut solver = S::new(stopped);
        pigeons(&mut solver, 12);
        assert_eq!(solver.solve(&[]), Err(Exhausted::Interrupted));
    }

    #[test]
    fn packages_do_what_they_should() {
        let (monitor, stopped) = (Monitor::default(), Monitor::default());
        stopped.stop();
        let watch = |monitor| Budget::new(Limits::default(), monitor).watch();
        #[cfg(feature = "cadical")]
        check::<Cadical<'_>>(watch(&monitor), watch(&stopped));
        check::<Batsat<'_>>(watch(&monitor), watch(&stopped));
    }
}
