//! Emptiness by two nested depth-first searches.
//!
//! The algorithm is that of [CVWY92], as figure 2 of [Ham04] has it: when the
//! first search leaves an accepting node, a second one looks for a way back to
//! it; it never enters a node that a second search has been to before. It has
//! two improvements. The second search is content with any node on the path of
//! the first, since from there the path leads to where it began ([HPY96]). And
//! the first search stops by itself when it closes a cycle at an accepting
//! node, the one that the closing edge leaves or the one that it enters
//! ([Wyk99], section 5.2).
//!
//! The automaton has one acceptance set and is state based.
//!
//! [CVWY92]: crate::references::cvwy92
//! [Ham04]: crate::references::ham04
//! [HPY96]: crate::references::hpy96
//! [Wyk99]: crate::references::wyk99

use super::enabled::AutomatonProduct;
use super::path::{Path, Reached};
use super::visited::{Phase, Visited};
use crate::id::IdVec;
use crate::product::Halt;
use crate::run::Moment;
use crate::search::limits::Budget;
use crate::system::TransitionSystem;
use crate::word::Lasso;

use super::nba::{Nba, StateId};

/// Counters of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Nodes that the first search entered.
    pub first: usize,
    /// Nodes that the second searches entered.
    pub second: usize,
    /// Edges followed.
    pub edges: u64,
    /// The longest path.
    pub depth: usize,
}

/// Which states of an automaton are accepting.
pub(super) fn accepting_states(automaton: &Nba) -> IdVec<StateId, bool> {
    debug_assert!(automaton.is_state_based());
    automaton.states().map(|state| automaton.is_accepting(state)).collect()
}

/// The state of the searches.
#[derive(Debug)]
pub struct NestedSearch<P> {
    first: Path<P>,
    /// It begins with the last node of the first path.
    second: Path<P>,
    /// Where on the first path the cycle begins that was found, and whether
    /// the second search has found it.
    found: Option<(usize, bool)>,
    is_second: bool,
    counters: Counters,
}

impl<P: Copy + PartialEq> NestedSearch<P> {
    /// A search through states of `n_words` words.
    #[must_use]
    pub fn new(n_words: usize) -> Self {
        Self {
            first: Path::new(n_words),
            second: Path::new(n_words),
            found: None,
            is_second: false,
            counters: Counters::default(),
        }
    }

    /// Looks for a cycle through an accepting node. Says whether there is one.
    ///
    /// # Errors
    ///
    /// If the product cannot be explored any further.
    pub fn run<S: TransitionSystem, V: Visited<Place = P>>(
        &mut self,
        product: &mut AutomatonProduct<'_, S>,
        visited: &mut V,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        let accepting = accepting_states(product.automaton().automaton());
        for state in product.system().initial_states() {
            for of in product.initial_states() {
                budget.poll()?;
                let place = visited.place(&state, budget)?;
                if !visited.visit(place, of, Phase::First, budget)? {
                    continue;
                }
                self.first.start(&state, Reached { place, of, hint: 0 }, product);
                visited.set_on_path(place, of, true);
                self.counters.first += 1;
                if self.search(product, visited, &accepting, budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Searches what can be reached from the first node of the path.
    fn search<S: TransitionSystem, V: Visited<Place = P>>(
        &mut self,
        product: &mut AutomatonProduct<'_, S>,
        visited: &mut V,
        accepting: &IdVec<StateId, bool>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        while let Some(&source) = self.first.last() {
            budget.check(visited.n_states(), self.counters.edges)?;
            let Some(reached) = self.first.next(product, visited, budget)? else {
                if accepting[source.of] && self.search_back(product, visited, budget)? {
                    return Ok(true);
                }
                visited.set_on_path(source.place, source.of, false);
                self.first.leave();
                continue;
            };
            self.counters.edges += 1;
            if visited.visit(reached.place, reached.of, Phase::First, budget)? {
                self.first.enter(reached, product);
                visited.set_on_path(reached.place, reached.of, true);
                self.counters.first += 1;
            } else if (accepting[source.of] || accepting[reached.of])
                && visited.is_on_path(reached.place, reached.of)
                && let Some(start) = self.position(&self.first, reached)
            {
                self.found = Some((start, false));
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks for a way from the last node of the path back to the path.
    fn search_back<S: TransitionSystem, V: Visited<Place = P>>(
        &mut self,
        product: &mut AutomatonProduct<'_, S>,
        visited: &mut V,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        let Some(&seed) = self.first.last() else { return Ok(false) };
        let state = self.first.state(self.first.len() - 1);
        let start = Reached { place: seed.place, of: seed.of, hint: seed.hint };
        self.second.start(state, start, product);
        self.is_second = true;
        while 0 < self.second.len() {
            budget.check(visited.n_states(), self.counters.edges)?;
            let Some(reached) = self.second.next(product, visited, budget)? else {
                self.second.leave();
                continue;
            };
            self.counters.edges += 1;
            if visited.is_on_path(reached.place, reached.of)
                && let Some(start) = self.position(&self.second, reached)
            {
                self.found = Some((start, true));
                return Ok(true);
            }
            if visited.visit(reached.place, reached.of, Phase::Second, budget)? {
                self.second.enter(reached, product);
                self.counters.second += 1;
            }
        }
        self.is_second = false;
        Ok(false)
    }

    /// Where on the first path the latest move of `path` leads. Nowhere, if what
    /// has been visited has taken one state for another.
    fn position(&self, path: &Path<P>, reached: Reached<P>) -> Option<usize> {
        (0..self.first.len()).rev().find(|&position| path.leads_to(reached, &self.first, position))
    }

    /// How much has been searched.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters { depth: self.first.depth + self.second.depth, ..self.counters }
    }

    /// The cycle that has been found, behind the way to it.
    #[must_use]
    pub fn lasso(&self) -> Option<Lasso<Moment>> {
        let (start, is_second) = self.found?;
        let prefix = self.first.moments(0..start).collect();
        if !is_second {
            return Lasso::new(prefix, self.first.moments(start..self.first.len()).collect());
        }
        let there = self.first.moments(start..self.first.len() - 1);
        let back = self.second.moments(0..self.second.len());
        Lasso::new(prefix, there.chain(back).collect())
    }

    /// The way to where the searches stand.
    #[must_use]
    pub fn path(&self) -> Vec<Moment> {
        if !self.is_second {
            return self.first.moments(0..self.first.len()).collect();
        }
        let there = self.first.moments(0..self.first.len().saturating_sub(1));
        there.chain(self.second.moments(0..self.second.len())).collect()
    }
}
