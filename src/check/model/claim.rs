//! Claims as Büchi automata, with what is assumed about runs.
//!
//! The automaton has one acceptance set, and it is state based, so that every search
//! can be used. Assumptions are translated and taken along side by side; they add
//! acceptance sets of their own.

use super::fairness::with_assumptions;
use super::{Found, ModelCheck};
use crate::baseline::Cube;
use crate::baseline::nba::{Builder, Nba, StateId};
use crate::baseline::translation::{self, Translation};
use crate::check::nba::translated;
use crate::check::normal_form;
use crate::id::Id;
use crate::lang::claim::Claim;
use crate::ltl::Formula;
use crate::product::Halt;
use crate::search::MarkId;
use crate::search::limits::Budget;
use crate::system::Opened;
use crate::verdict::Statistics;
use crate::word::{AtomId, Atoms};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

impl<O: Opened> ModelCheck<'_, O> {
    /// Looks for a run that is as `claim` says.
    pub(super) fn search_claim(
        &mut self,
        claim: &Claim,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let mut automaton = automaton(claim);
        if !self.assumptions.is_empty() {
            let truth = Formula::parse("true").expect("this is a formula");
            let assumed = with_assumptions(&truth, self.assumptions);
            let nnf = normal_form(&assumed, &self.options.options);
            let assumed = translated(budget, statistics, |budget| {
                translation::generalized(&nnf, Translation::GastinOddoux, false, budget)
            })?;
            automaton = both(&automaton, &assumed);
        }
        statistics.automaton_states = automaton.n_states();
        statistics.automaton_edges = automaton.n_edges();
        self.search_automaton(&automaton, budget, statistics)
    }
}

/// The automaton that a claim is. Where a condition makes all states accepting, there
/// are two copies of every state: one where it is true, one where it is not.
pub(super) fn automaton(claim: &Claim) -> Nba {
    let mut atoms = Atoms::default();
    let ids: Vec<AtomId> = claim.atoms.iter().map(|name| atoms.intern(name)).collect();
    let mut builder = Builder::new(atoms, 1);
    let copies: Vec<(Cube, bool)> = match claim.accepting {
        None => vec![(Cube::truth(), false)],
        Some(atom) => [false, true].map(|value| (Cube::literal(ids[atom], value), value)).into(),
    };
    let states: Vec<Vec<StateId>> = (claim.states.iter())
        .map(|_| copies.iter().map(|_| builder.add_state()).collect())
        .collect();
    for &first in states.first().into_iter().flatten() {
        builder.add_initial(first);
    }
    for (number, state) in claim.states.iter().enumerate() {
        for (copy, (here, is_true)) in copies.iter().enumerate() {
            let is_accepting = state.is_accepting || *is_true;
            for edge in &state.edges {
                let mut asked = edge.conditions.iter().map(|&(atom, value)| (ids[atom], value));
                let cube = asked.try_fold(here.clone(), |cube, (atom, value)| {
                    cube.and(&Cube::literal(atom, value))
                });
                let Some(cube) = cube else { continue };
                for &target in &states[edge.target] {
                    let sets = builder.all_sets().filter(|_| is_accepting);
                    builder.add_edge(states[number][copy], &cube, sets, target);
                }
            }
        }
    }
    builder.finish()
}

/// The words that two automata accept, with the acceptance sets of both.
fn both(left: &Nba, right: &Nba) -> Nba {
    let mut atoms = left.atoms().clone();
    let renamed: Vec<AtomId> = right.atoms().iter().map(|(_, name)| atoms.intern(name)).collect();
    let mut builder = Builder::new(atoms, left.n_sets() + right.n_sets());
    let mut known: HashMap<(StateId, StateId), StateId, FxBuildHasher> = HashMap::default();
    let mut open = Vec::new();
    for &one in left.initial() {
        for &other in right.initial() {
            let state = builder.add_state();
            builder.add_initial(state);
            known.insert((one, other), state);
            open.push((one, other));
        }
    }
    while let Some((one, other)) = open.pop() {
        let source = known[&(one, other)];
        for edge in left.edges(one) {
            for beside in right.edges(other) {
                let mut cube = Some(left.cube(edge.cube).clone());
                for (atom, value) in right.cube(beside.cube).literals() {
                    let literal = Cube::literal(renamed[atom.index()], value);
                    cube = cube.and_then(|cube| cube.and(&literal));
                }
                let Some(cube) = cube else { continue };
                let pair = (edge.target, beside.target);
                let target = *known.entry(pair).or_insert_with(|| {
                    open.push(pair);
                    builder.add_state()
                });
                let behind = |mark: &MarkId| MarkId::new(left.n_sets() + mark.index());
                let sets = left.sets(edge.sets).iter().copied();
                let sets: Vec<MarkId> =
                    sets.chain(right.sets(beside.sets).iter().map(behind)).collect();
                builder.add_edge(source, &cube, sets, target);
            }
        }
    }
    builder.finish()
}
