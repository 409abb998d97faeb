//! Emptiness by magic search: one depth-first search in which a demon may turn
//! the state of things, once.
//!
//! The algorithm is figure 5 of [GH93]. A node is visited with the magic bit
//! unset or set. When all moves of an accepting node with the bit unset have
//! been explored, the demon sets the bit, and the search goes on to look for a
//! way back to that node, `x` in the figure. There is one path and one store
//! for both modes, so the path shows the whole lasso when the way is found.
//!
//! The automaton has one acceptance set and is state based.
//!
//! [GH93]: crate::references::gh93

use super::enabled::AutomatonProduct;
use super::nba::StateId;
use super::nested_search::{Counters, accepting_states};
use super::path::{Path, Reached};
use super::visited::{Phase, Visited};
use crate::id::IdVec;
use crate::product::Halt;
use crate::run::Moment;
use crate::search::limits::Budget;
use crate::system::TransitionSystem;
use crate::word::Lasso;

/// The state of the search.
#[derive(Debug)]
pub struct MagicSearch<P> {
    path: Path<P>,
    /// The position of `x`. All nodes behind it have the magic bit.
    demon: Option<usize>,
    has_found: bool,
    /// Whether the search goes on where it could stop.
    is_exhaustive: bool,
    counters: Counters,
}

impl<P: Copy + PartialEq> MagicSearch<P> {
    /// A search through states of `n_words` words.
    #[must_use]
    pub fn new(n_words: usize) -> Self {
        Self {
            path: Path::new(n_words),
            demon: None,
            has_found: false,
            is_exhaustive: false,
            counters: Counters::default(),
        }
    }

    /// The same search, but one that visits all there is, to see how much that
    /// is. It knows no lasso in the end.
    #[must_use]
    pub fn exhaustive(self) -> Self {
        Self { is_exhaustive: true, ..self }
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
                self.path.start(&state, Reached { place, of, hint: 0 }, product);
                self.counters.first += 1;
                if self.search(product, visited, &accepting, budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(self.has_found)
    }

    /// Searches what can be reached from the first node of the path.
    fn search<S: TransitionSystem, V: Visited<Place = P>>(
        &mut self,
        product: &mut AutomatonProduct<'_, S>,
        visited: &mut V,
        accepting: &IdVec<StateId, bool>,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Halt> {
        while let Some(&source) = self.path.last() {
            budget.check(visited.n_states(), self.counters.edges)?;
            let Some(reached) = self.path.next(product, visited, budget)? else {
                // The demon moves once: afterwards this node has been visited.
                if self.demon.is_none()
                    && accepting[source.of]
                    && visited.visit(source.place, source.of, Phase::Second, budget)?
                {
                    self.demon = Some(self.path.len() - 1);
                    self.path.enter_again(product);
                    self.counters.second += 1;
                } else {
                    self.path.leave();
                    self.demon = self.demon.filter(|&x| x + 1 < self.path.len());
                }
                continue;
            };
            self.counters.edges += 1;
            if let Some(x) = self.demon
                && self.path.leads_to(reached, &self.path, x)
            {
                self.has_found = true;
                if !self.is_exhaustive {
                    return Ok(true);
                }
            }
            let phase = if self.demon.is_some() { Phase::Second } else { Phase::First };
            if visited.visit(reached.place, reached.of, phase, budget)? {
                self.path.enter(reached, product);
                match phase {
                    Phase::First => self.counters.first += 1,
                    Phase::Second => self.counters.second += 1,
                }
            }
        }
        Ok(false)
    }

    /// How much has been searched.
    #[must_use]
    pub fn counters(&self) -> Counters {
        Counters { depth: self.path.depth, ..self.counters }
    }

    /// The cycle that has been found, behind the way to it.
    #[must_use]
    pub fn lasso(&self) -> Option<Lasso<Moment>> {
        let x = self.demon.filter(|_| self.has_found)?;
        let prefix = self.path.moments(0..x).collect();
        Lasso::new(prefix, self.path.moments(x + 1..self.path.len()).collect())
    }

    /// The way to where the search stands.
    #[must_use]
    pub fn path(&self) -> Vec<Moment> {
        // The demon takes no time.
        let is_turned = |position: &usize| self.demon == Some(*position);
        let positions = (0..self.path.len()).filter(|position| !is_turned(position));
        positions.flat_map(|position| self.path.moments(position..position + 1)).collect()
    }
}
