//! The states of a model as far as a table of bits can tell them apart.
//!
//! This is a depth-first search through the product with an automaton that
//! allows everything and accepts nothing.

use crate::baseline::cube::Cube;
use crate::baseline::enabled::EnabledEdges;
use crate::baseline::nba::{Builder, Nba};
use crate::baseline::nested_search::NestedSearch;
use crate::baseline::visited::Visited;
use crate::baseline::visited::bits::BitTable;
use crate::id::IdVec;
use crate::product::moves::Moves;
use crate::product::{Deadlock, Halt, MoveRules, Order, Treatment, Watch};
use crate::run::{Ending, Run};
use crate::search::limits::{Budget, resident_bytes};
use crate::system::{PropositionId, Room, TransitionSystem};
use crate::verdict::{Exploration, Incomplete, Reduction, Statistics};
use crate::word::Atoms;

/// Explores the states of `system`, in which `atoms` have to be evaluated.
pub(in crate::check) fn explore(
    system: impl TransitionSystem,
    atoms: &[PropositionId],
    treatment: Treatment,
    budget: &mut Budget<'_>,
) -> Result<Exploration, Room> {
    match BitTable::new(budget.limits()) {
        Err(exhausted) => Ok(incomplete(Incomplete::Limit(exhausted))),
        Ok(table) => explore_with(system, atoms, treatment, table, budget),
    }
}

/// The automaton that allows everything and accepts nothing.
fn everything() -> Nba {
    let mut builder = Builder::new(Atoms::default(), 1);
    let state = builder.add_state();
    builder.add_initial(state);
    builder.add_edge(state, &Cube::truth(), [], state);
    builder.finish()
}

/// An exploration that has found nothing.
pub(super) fn incomplete(reason: Incomplete) -> Exploration {
    Exploration {
        states: 0,
        transitions: 0,
        deadlocks: 0,
        errors: 0,
        incomplete: Some(reason),
        is_complete: false,
        statistics: Statistics::default(),
    }
}

fn explore_with(
    system: impl TransitionSystem,
    atoms: &[PropositionId],
    treatment: Treatment,
    mut table: BitTable,
    budget: &mut Budget<'_>,
) -> Result<Exploration, Room> {
    let automaton = everything();
    let n_words = system.n_words();
    // A stuttering step would be counted.
    let deadlock = treatment.deadlock;
    let treated = if deadlock == Deadlock::Report { deadlock } else { Deadlock::Ignore };
    // The path to an error is known only while the search is there, so the search ends at
    // the first one.
    let is_action = IdVec::filled(false, atoms.len());
    let rules = MoveRules { n_read: 0, is_action, deadlock: treated, order: Order::Fixed };
    let mut product = Moves::new(system, EnabledEdges::of(&automaton), &rules)
        .watching(Watch { stops: true, ..Watch::default() });
    let mut search = NestedSearch::new(n_words);
    let outcome = search.run(&mut product, &mut table, budget);
    let error = |ending| Incomplete::ModelError(Run::into_error(search.path(), ending));
    let reason = match outcome {
        Ok(_) => Incomplete::Lossy(table.coverage()),
        Err(Halt::Room(room)) => return Err(room),
        Err(Halt::Exhausted(exhausted)) => Incomplete::Limit(exhausted),
        Err(Halt::Fault(fault)) => error(Ending::Fault(fault)),
        Err(Halt::Deadlock | Halt::Decided(_)) => error(Ending::Deadlock),
    };
    let counters = search.counters();
    let reduced = product.system().reduced();
    let states = table.n_states();
    let statistics = Statistics {
        states,
        nodes: states,
        transitions: counters.edges,
        depth: counters.depth,
        state_bytes: table.n_bytes(),
        coverage: Some(table.coverage()),
        reduction: reduced.map(Reduction::On),
        time: budget.elapsed(),
        resident_bytes: resident_bytes(),
        ..Statistics::default()
    };
    Ok(Exploration {
        states,
        transitions: counters.edges,
        deadlocks: product.n_deadlocks(),
        errors: u64::from(product.watch().has_met),
        statistics,
        ..incomplete(reason)
    })
}
