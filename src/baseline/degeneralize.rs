//! From several acceptance sets to one, and from edges to states: levels.
//!
//! A state of the result is a state and a level. Level *l* waits for the
//! acceptance set number *l*; an edge that is in this set leads to a higher
//! level, and over several levels at once if it is in their sets, too. The
//! highest level waits for nothing and is the accepting one; it goes on like
//! the lowest.

use super::bits::Bits;
use super::draft::{Draft, Edge};
use super::nba::StateId;
use crate::id::{Id, IdVec};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The Büchi automaton with levels of `automaton`, one acceptance set on
/// states.
pub(super) fn degeneralize(automaton: &Draft, budget: &mut Budget<'_>) -> Result<Draft, Exhausted> {
    let mut levels = Levels::default();
    let initial = automaton.initial.iter().map(|&state| levels.state(state, 0)).collect();
    let mut edges: IdVec<StateId, Vec<Edge>> = IdVec::new();
    let mut n_edges = 0;
    while let Some(&(source, level)) = levels.states.get(StateId::new(edges.len())) {
        let is_accepting = level == automaton.n_sets;
        let sets = if is_accepting { Bits::single(0) } else { Bits::default() };
        let from = if is_accepting { 0 } else { level };
        let mut leaving = Vec::with_capacity(automaton.edges[source].len());
        for edge in &automaton.edges[source] {
            n_edges += 1;
            budget.check(levels.states.len(), n_edges)?;
            let level = (from..automaton.n_sets).find(|&set| !edge.sets.contains(set));
            let target = levels.state(edge.target, level.unwrap_or(automaton.n_sets));
            leaving.push(Edge { target, cube: edge.cube.clone(), sets: sets.clone() });
        }
        edges.push(leaving);
    }
    Ok(Draft { atoms: automaton.atoms.clone(), n_sets: 1, initial, edges })
}

/// The states of the result, numbered as they are met.
#[derive(Default)]
struct Levels {
    states: IdVec<StateId, (StateId, usize)>,
    by_value: HashMap<(StateId, usize), StateId, FxBuildHasher>,
}

impl Levels {
    fn state(&mut self, state: StateId, level: usize) -> StateId {
        let states = &mut self.states;
        *self.by_value.entry((state, level)).or_insert_with_key(|&key| states.push(key))
    }
}
