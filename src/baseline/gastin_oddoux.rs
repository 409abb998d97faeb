//! The translation of Gastin and Oddoux, first half: from the very weak
//! alternating automaton to a generalized one.
//!
//! A state is a conjunction of states of the alternating automaton, and an edge
//! one of its best moves ([GO01], section 4). There is an acceptance set for each until that
//! can be postponed: the edges that do not postpone it. A formula with disjunctions
//! on top gets an initial state of its own, with the edges of all disjuncts.
//!
//! [GO01]: crate::references::go01

use super::alternating::{self, Initial, Move};
use super::bits::Bits;
use super::draft::{Draft, Edge};
use super::nba::StateId;
use crate::id::{Id, IdVec};
use crate::ltl::nnf::Nnf;
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The generalized automaton of `nnf`.
pub(super) fn translate(nnf: &Nnf, budget: &mut Budget<'_>) -> Result<Draft, Exhausted> {
    let mut automaton = alternating::translate(nnf, budget)?;
    let mut states = States::default();
    let mut edges: IdVec<StateId, Vec<Edge>> = IdVec::new();
    let mut n_edges = 0;
    match &automaton.initial {
        Initial::Conjunction(only) => {
            states.state(only);
        }
        Initial::Moves(moves) => {
            states.conjunctions.push(None);
            edges.push(states.edges(&automaton.untils, moves));
        }
    }
    while let Some(conjunction) = states.conjunctions.get(StateId::new(edges.len())) {
        let conjunction = conjunction.clone().unwrap_or_default();
        let moves = automaton.moves(&conjunction, budget)?;
        n_edges += moves.len() as u64;
        budget.check(states.conjunctions.len(), n_edges)?;
        edges.push(states.edges(&automaton.untils, &moves));
    }
    let initial = vec![StateId::new(0)];
    Ok(Draft { atoms: nnf.atoms.clone(), n_sets: automaton.untils.len(), initial, edges })
}

/// The states of the result, numbered as they are met.
#[derive(Default)]
struct States {
    /// What each stands for; nothing for an initial state of its own.
    conjunctions: IdVec<StateId, Option<Bits>>,
    by_value: HashMap<Bits, StateId, FxBuildHasher>,
}

impl States {
    fn state(&mut self, conjunction: &Bits) -> StateId {
        if let Some(&known) = self.by_value.get(conjunction) {
            return known;
        }
        let state = self.conjunctions.push(Some(conjunction.clone()));
        self.by_value.insert(conjunction.clone(), state);
        state
    }

    fn edges(&mut self, untils: &[usize], moves: &[Move]) -> Vec<Edge> {
        let edge = |step: &Move| {
            let kept =
                untils.iter().enumerate().filter(|&(_, &until)| !step.postponed.contains(until));
            Edge {
                target: self.state(&step.targets),
                cube: step.cube.clone(),
                sets: kept.map(|(set, _)| set).collect(),
            }
        };
        moves.iter().map(edge).collect()
    }
}
