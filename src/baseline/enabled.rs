//! A Büchi automaton as a side of a product: which of its edges read a letter.

use super::nba::{Nba, StateId};
use crate::id::IdVec;
use crate::product::moves::{AutomatonSide, Moves};
use crate::search::limits::{Budget, Exhausted};
use crate::search::{MarkSets, MarksId};

/// The product of a transition system and a Büchi automaton. It stores nothing.
pub type AutomatonProduct<'a, S> = Moves<S, EnabledEdges<'a>>;

/// A part of the list of all enabled edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EnabledRange {
    start: u32,
    len: u32,
}

/// An automaton, and the edges that have been found to be enabled.
#[derive(Debug)]
pub struct EnabledEdges<'a> {
    automaton: &'a Nba,
    /// Where the edges lead, and the acceptance sets that they are not in.
    edges: Vec<(StateId, MarksId)>,
    marks: MarkSets,
    /// The states in which the automaton accepts whatever follows, if runs into errors that
    /// lead to one are looked for.
    universal: IdVec<StateId, bool>,
}

impl<'a> EnabledEdges<'a> {
    /// Nothing is known yet about the edges of `automaton`.
    #[must_use]
    pub fn of(automaton: &'a Nba) -> Self {
        let marks = automaton.mark_sets().clone();
        Self { automaton, edges: Vec::new(), marks, universal: IdVec::new() }
    }

    /// The same automaton, which accepts whatever follows in these states.
    #[must_use]
    pub fn with_universal(self, universal: IdVec<StateId, bool>) -> Self {
        Self { universal, ..self }
    }

    /// The automaton.
    #[must_use]
    pub fn automaton(&self) -> &'a Nba {
        self.automaton
    }

    /// Adds an edge behind `start`, unless another one leads to the same state with the same
    /// acceptance sets or more. Edges with fewer sets are removed.
    fn add(&mut self, start: usize, (target, missing): (StateId, MarksId)) {
        let sets = |id| self.marks.elements(id);
        let is_worse = |less: MarksId, more: MarksId| {
            sets(less).iter().all(|set| sets(more).binary_search(set).is_ok())
        };
        let mut index = start;
        while let Some(&(other, other_missing)) = self.edges.get(index) {
            if other == target && is_worse(other_missing, missing) {
                return;
            }
            if other == target && is_worse(missing, other_missing) {
                self.edges.remove(index);
            } else {
                index += 1;
            }
        }
        self.edges.push((target, missing));
    }
}

impl AutomatonSide for EnabledEdges<'_> {
    type State = StateId;
    type Step = EnabledRange;

    fn initial(&mut self) -> Vec<StateId> {
        self.automaton.initial().to_vec()
    }

    fn step(&mut self, state: StateId, letter: &[u64]) -> EnabledRange {
        let (automaton, start) = (self.automaton, self.edges.len());
        for edge in automaton.edges(state) {
            if automaton.cube(edge.cube).allows_bits(letter) {
                self.add(start, (edge.target, automaton.missing(edge)));
            }
        }
        let len = self.edges.len() - start;
        let number = |number: usize| u32::try_from(number).expect("fewer than 2^32 edges");
        EnabledRange { start: number(start), len: number(len) }
    }

    #[inline]
    fn successor(
        &mut self,
        step: EnabledRange,
        index: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(StateId, MarksId)>, Exhausted> {
        if index < step.len {
            return Ok(Some(self.edges[(step.start + index) as usize]));
        }
        // A search may come to many ends of steps before there is another move.
        budget.poll()?;
        Ok(None)
    }

    fn is_universal(&self, state: StateId) -> bool {
        self.universal[state]
    }

    fn leads_to_universal(
        &mut self,
        step: EnabledRange,
        _: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let edges = &self.edges[step.start as usize..][..step.len as usize];
        Ok(edges.iter().any(|&(target, _)| self.is_universal(target)))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}
