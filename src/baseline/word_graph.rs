//! An automaton that reads a given word, or any word, as a graph to be
//! searched.
//!
//! On a lasso a node is a position and a state; whether the automaton accepts
//! the lasso is whether there is an accepting cycle. Without a word a node is a
//! state, and the question is whether the automaton accepts anything.

use super::nba::{Nba, StateId};
use crate::id::Id;
use crate::search::lasso::{self, Step};
use crate::search::limits::{Budget, Exhausted};
use crate::search::scc::Search;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::word::{Lasso, Letter};

/// An automaton with a word before it.
#[derive(Debug)]
pub struct WordGraph<'a> {
    automaton: &'a Nba,
    word: Option<&'a Lasso<Letter>>,
    marks: MarkSets,
}

impl<'a> WordGraph<'a> {
    /// Reads any word.
    #[must_use]
    pub fn any(automaton: &'a Nba) -> Self {
        Self { automaton, word: None, marks: automaton.mark_sets().clone() }
    }

    /// Reads `word`, whose letters are over the atoms of `automaton`.
    #[must_use]
    pub fn new(automaton: &'a Nba, word: &'a Lasso<Letter>) -> Self {
        Self { word: Some(word), ..Self::any(automaton) }
    }

    fn node(&self, position: usize, state: StateId) -> NodeId {
        NodeId::new(position * self.automaton.n_states() + state.index())
    }

    fn split(&self, node: NodeId) -> (usize, StateId) {
        let n_states = self.automaton.n_states();
        (node.index() / n_states, StateId::new(node.index() % n_states))
    }
}

impl Graph for WordGraph<'_> {
    /// How many edges of the state have been looked at.
    type Cursor = usize;
    type Halt = Exhausted;

    fn initial(&mut self, _: &mut Budget<'_>) -> Result<Vec<NodeId>, Exhausted> {
        Ok(self.automaton.initial().iter().map(|&state| self.node(0, state)).collect())
    }

    fn cursor(&self, _: NodeId, _: u32) -> usize {
        0
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut usize,
        _: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Exhausted> {
        let (position, state) = self.split(source);
        while let Some(edge) = self.automaton.edges(state).get(*cursor) {
            *cursor += 1;
            let cube = self.automaton.cube(edge.cube);
            let next = match self.word {
                Some(word) if cube.allows(word.at(position)) => word.next(position),
                Some(_) => continue,
                None => 0,
            };
            return Ok(Some(Edge {
                target: self.node(next, edge.target),
                missing: self.automaton.missing(edge),
                label: Label::default(),
                hint: 0,
            }));
        }
        Ok(None)
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}

/// Whether `automaton` accepts `word`, whose letters are over its atoms.
///
/// # Errors
///
/// If a limit is reached.
pub fn accepts(
    automaton: &Nba,
    word: &Lasso<Letter>,
    budget: &mut Budget<'_>,
) -> Result<bool, Exhausted> {
    Search::default().run(&mut WordGraph::new(automaton, word), budget)
}

/// A word that `automaton` accepts, if there is one.
///
/// # Errors
///
/// If a limit is reached.
pub fn example(
    automaton: &Nba,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let mut graph = WordGraph::any(automaton);
    let mut search = Search::default();
    if !search.run(&mut graph, budget)? {
        return Ok(None);
    }
    let lasso = lasso::extract(&mut graph, &search, budget)?;
    let letter = |step: &Step<usize>| {
        // The cursor stands behind the edge of the step.
        let edge = &automaton.edges(graph.split(step.source).1)[step.cursor - 1];
        automaton.cube(edge.cube).letter()
    };
    Ok(Some(lasso.map(letter)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::cube::Cube;
    use crate::baseline::nba::Builder;
    use crate::search::MarkId;
    use crate::search::limits::{Limits, Monitor};
    use crate::word::Atoms;

    /// `G F p & G F q`: one state, two acceptance sets.
    fn both_again_and_again() -> Nba {
        let mut atoms = Atoms::default();
        let [p, q] = ["p", "q"].map(|name| Cube::literal(atoms.intern(name), true));
        let mut builder = Builder::new(atoms, 2);
        let state = builder.add_state();
        builder.add_initial(state);
        builder.add_edge(state, &Cube::truth(), [], state);
        builder.add_edge(state, &p, [MarkId::new(0)], state);
        builder.add_edge(state, &q, [MarkId::new(1)], state);
        builder.finish()
    }

    #[track_caller]
    fn check(prefix: &[&[usize]], cycle: &[&[usize]], expected: bool) {
        let automaton = both_again_and_again();
        let letters = |word: &[&[usize]]| {
            let letter = |atoms: &&[usize]| {
                atoms.iter().map(|&atom| crate::word::AtomId::new(atom)).collect()
            };
            word.iter().map(letter).collect()
        };
        let word = Lasso::new(letters(prefix), letters(cycle)).unwrap();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        assert_eq!(accepts(&automaton, &word, &mut budget), Ok(expected));
    }

    #[test]
    fn every_set_counts() {
        check(&[], &[&[0], &[1]], true);
        check(&[&[0, 1]], &[&[0]], false);
        check(&[&[0, 1]], &[&[]], false);
        check(&[&[]], &[&[], &[1], &[], &[0]], true);
    }

    #[test]
    fn an_example_is_accepted() {
        let automaton = both_again_and_again();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        let word = example(&automaton, &mut budget).unwrap().unwrap();
        assert_eq!(accepts(&automaton, &word, &mut budget), Ok(true));
    }

    #[test]
    fn without_an_accepting_cycle_there_is_none() {
        let mut builder = Builder::new(Atoms::default(), 1);
        let states = [(); 2].map(|()| builder.add_state());
        builder.add_initial(states[0]);
        builder.add_edge(states[0], &Cube::truth(), [MarkId::new(0)], states[1]);
        builder.add_edge(states[1], &Cube::truth(), [], states[1]);
        let automaton = builder.finish();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        assert_eq!(example(&automaton, &mut budget), Ok(None));
    }
}
