//! Bounded search for many words of one automaton, which differ in what is true at first.
//!
//! If an atom stands in front of a part of a formula (`s -> a`), that part is asked for only if the
//! atom is true on the first letter. Such *selectors* are assumed, not fixed, so one unrolling answers
//! questions about all choices of parts, and a solver keeps what it has learned. If there is
//! no lasso of some length, the solver says which of the selectors are to blame.

use super::bounded::{FIRST_CONFLICTS, Unrolling};
use super::solver::{Literal, Solver};
use crate::lwaa::Lwaa;
use crate::search::limits::{Budget, Exhausted};
use crate::word::{AtomId, Lasso, Letter};

/// What there is to say about lassos of some length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selected {
    /// On this one all selectors are true at first.
    Lasso(Lasso<Letter>),
    /// No lasso of this length begins with all of these true. Needless ones have mostly been left
    /// out.
    Blamed(Vec<AtomId>),
    /// That would take too long.
    Unknown,
}

/// An automaton, unrolled as far as was necessary up to now.
#[derive(Debug)]
pub struct Selection<S> {
    unrolling: Unrolling<S>,
    max_literals: u64,
}

impl<'a, S: Solver<'a>> Selection<S> {
    /// One step of `lwaa`. There will be no more than so many literals in clauses.
    #[must_use]
    pub fn new(lwaa: &Lwaa, max_literals: u64, budget: &Budget<'a>) -> Self {
        let mut unrolling = Unrolling::new(lwaa, budget);
        unrolling.add_step();
        Self { unrolling, max_literals }
    }

    /// The length of lassos that are looked for.
    #[must_use]
    pub fn length(&self) -> usize {
        self.unrolling.len()
    }

    /// From now on longer lassos are looked for. False if there would be too many clauses.
    pub fn lengthen(&mut self) -> bool {
        for _ in 0..=self.unrolling.len() / 3 {
            if self.max_literals < self.unrolling.n_literals {
                return false;
            }
            self.unrolling.add_step();
        }
        true
    }

    /// Looks for a lasso on whose first letter all `selectors` are true.
    ///
    /// # Errors
    ///
    /// If a limit is reached or the monitor says to stop.
    pub fn ask(&mut self, selectors: &[AtomId]) -> Result<Selected, Exhausted> {
        let unrolling = &mut self.unrolling;
        let all: Vec<Literal> = selectors.iter().map(|&atom| unrolling.at_first(atom)).collect();
        unrolling.assumed.clone_from(&all);
        match unrolling.has_lasso(FIRST_CONFLICTS)? {
            Some(true) => return Ok(Selected::Lasso(unrolling.lasso())),
            Some(false) => (),
            None => return Ok(Selected::Unknown),
        }
        let mut n_blamed = all.len();
        // What is to blame is found again, without what is not: there may be less.
        while unrolling.assumed.len() < n_blamed {
            n_blamed = unrolling.assumed.len();
            if unrolling.has_lasso(FIRST_CONFLICTS)? != Some(false) {
                break;
            }
        }
        let is_blamed = |(_, literal): &(&AtomId, &Literal)| unrolling.assumed.contains(literal);
        let blamed = selectors.iter().zip(&all).filter(is_blamed);
        Ok(Selected::Blamed(blamed.map(|(&atom, _)| atom).collect()))
    }
}
