//! From several acceptance sets to one, and from edges to states: levels.
//!
//! A state of the result is a state and a level. A level waits for one
//! acceptance set; an edge that is in this set leads to a higher
//! level, and over several levels at once if it is in their sets, too. The
//! highest level waits for nothing and is the accepting one; it goes on like
//! the lowest.
//!
//! [`plain`] does that for the whole automaton, as [Wyk99] does in section 3.4,
//! except that
//!
//! - its listing 3.3 counts a level twice when the right side of its until is
//!   true, and so passes levels whose sets an edge is not in: with three untils,
//!   words are accepted on which the second one is never fulfilled. The
//!   text beside the listing has it right;
//! - its listing 3.2 goes from the highest level to the lowest and waits there
//!   even if the edge is in some sets, which costs states and nothing else;
//! - it enters all nodes on all levels and removes what cannot be reached
//!   later. We only enter what is reached.
//!
//! [`by_component`] has levels of its own for each component. Only those sets need
//! a level that are not seen on all edges of the component, or whenever another one is
//! seen; components without accepting cycles have one level, and it does not matter on
//! which level a component is entered.
//!
//! [Wyk99]: crate::references::wyk99

use super::bits::Bits;
use super::draft::{Draft, Edge};
use super::nba::StateId;
use super::reduce::{ComponentId, ComponentKind, Components};
use crate::id::{Id, IdVec};
use crate::search::limits::{Budget, Exhausted};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// On which level a component is entered, where no level of the state is in
/// use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// The one that waits for the first set.
    Lowest,
    /// The accepting one.
    Highest,
}

/// The Büchi automaton with levels of `automaton`, one acceptance set on
/// states.
pub(super) fn plain(automaton: &Draft, budget: &mut Budget<'_>) -> Result<Draft, Exhausted> {
    let order: Vec<usize> = (0..automaton.n_sets).collect();
    let start = |_: &Levels, _: StateId| 0;
    let next = |_: &Levels, _: StateId, edge: &Edge, level: usize| climb(&order, edge, level);
    unfold(automaton, start, next, |_, level| level == automaton.n_sets, budget)
}

/// The same with levels for each component.
pub(super) fn by_component(
    automaton: &Draft,
    entry: Entry,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    let components = Components::of(automaton);
    let orders = orders(automaton, &components);
    let order = |state: StateId| -> Option<&[usize]> {
        let component = components.component(state)?;
        (components.kinds()[component] == ComponentKind::Accepting).then(|| &orders[component][..])
    };
    let start = |levels: &Levels, state: StateId| {
        let highest = order(state).map_or(0, <[usize]>::len);
        levels.in_use[state].unwrap_or(if entry == Entry::Lowest { 0 } else { highest })
    };
    let next = |levels: &Levels, source: StateId, edge: &Edge, level: usize| match order(source)
        .filter(|_| components.together(source, edge.target))
    {
        Some(order) => climb(order, edge, level),
        None => start(levels, edge.target),
    };
    let is_accepting = |state, level| order(state).is_some_and(|order| order.len() == level);
    unfold(automaton, start, next, is_accepting, budget)
}

/// The level to which `edge` leads from `level`, where level *l* waits for the
/// set `order[l]`.
fn climb(order: &[usize], edge: &Edge, level: usize) -> usize {
    let from = if level == order.len() { 0 } else { level };
    let missing = (from..order.len()).find(|&level| !edge.sets.contains(order[level]));
    missing.unwrap_or(order.len())
}

/// For each component the sets that need a level.
fn orders(automaton: &Draft, components: &Components) -> IdVec<ComponentId, Vec<usize>> {
    // The sets of the edges inside each component, each combination once.
    let mut inside: IdVec<ComponentId, Vec<&Bits>> =
        IdVec::filled(Vec::new(), components.kinds().len());
    for (state, edges) in automaton.edges.entries() {
        let Some(component) = components.component(state) else {
            continue;
        };
        let inner = edges.iter().filter(|edge| components.together(state, edge.target));
        inside[component].extend(inner.map(|edge| &edge.sets));
        inside[component].sort_unstable();
        inside[component].dedup();
    }
    inside.iter().map(|inside| order(automaton.n_sets, inside)).collect()
}

/// The sets that are neither seen always nor whenever another one of the
/// result is.
fn order(n_sets: usize, inside: &[&Bits]) -> Vec<usize> {
    let implies =
        |a: usize, b: usize| inside.iter().all(|sets| !sets.contains(a) || sets.contains(b));
    let mut order: Vec<usize> = Vec::new();
    for set in 0..n_sets {
        let is_always_seen = inside.iter().all(|sets| sets.contains(set));
        if is_always_seen || order.iter().any(|&other| implies(other, set)) {
            continue;
        }
        order.retain(|&other| !implies(set, other));
        order.push(set);
    }
    order
}

/// The automaton of the states and levels that are reached.
fn unfold(
    automaton: &Draft,
    start: impl Fn(&Levels, StateId) -> usize,
    next: impl Fn(&Levels, StateId, &Edge, usize) -> usize,
    is_accepting: impl Fn(StateId, usize) -> bool,
    budget: &mut Budget<'_>,
) -> Result<Draft, Exhausted> {
    let mut levels = Levels {
        states: IdVec::new(),
        by_value: HashMap::default(),
        in_use: IdVec::filled(None, automaton.n_states()),
    };
    let mut initial = Vec::new();
    for &state in &automaton.initial {
        let level = start(&levels, state);
        initial.push(levels.state(state, level));
    }
    let mut edges: IdVec<StateId, Vec<Edge>> = IdVec::new();
    let mut n_edges = 0;
    while let Some(&(source, level)) = levels.states.get(StateId::new(edges.len())) {
        let sets = if is_accepting(source, level) { Bits::single(0) } else { Bits::default() };
        let mut leaving = Vec::with_capacity(automaton.edges[source].len());
        for edge in &automaton.edges[source] {
            n_edges += 1;
            budget.check(levels.states.len(), n_edges)?;
            let level = next(&levels, source, edge, level);
            let target = levels.state(edge.target, level);
            leaving.push(Edge { target, cube: edge.cube.clone(), sets: sets.clone() });
        }
        edges.push(leaving);
    }
    Ok(Draft { atoms: automaton.atoms.clone(), n_sets: 1, initial, edges })
}

/// The states of the result, numbered as they are met.
struct Levels {
    states: IdVec<StateId, (StateId, usize)>,
    by_value: HashMap<(StateId, usize), StateId, FxBuildHasher>,
    /// The first level on which each state was met.
    in_use: IdVec<StateId, Option<usize>>,
}

impl Levels {
    fn state(&mut self, state: StateId, level: usize) -> StateId {
        self.in_use[state].get_or_insert(level);
        let states = &mut self.states;
        *self.by_value.entry((state, level)).or_insert_with_key(|&key| states.push(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::gpvw;
    use crate::baseline::word_graph::accepts;
    use crate::ltl::{Formula, nnf};
    use crate::search::limits::{Limits, Monitor};
    use crate::word::{AtomId, Lasso};

    /// The level after listings 3.2 and 3.3 of van Wyk's thesis, as printed.
    fn as_printed(n_sets: usize, edge: &Edge, level: usize) -> usize {
        if n_sets <= level {
            return 0;
        }
        let mut increment = 0;
        for set in level..n_sets {
            if !edge.sets.contains(set) {
                break;
            }
            increment += 2;
        }
        (level + increment).min(n_sets)
    }

    #[test]
    fn the_printed_listing_passes_levels_that_wait() {
        let formula = Formula::parse("G F p & G F q & G F r").unwrap();
        let monitor = Monitor::default();
        let mut budget = Budget::new(Limits::default(), &monitor);
        let tableau = gpvw::translate(&nnf::from_formula(&formula), &mut budget).unwrap();
        let n_sets = tableau.n_sets;
        let next = |_: &Levels, _: StateId, edge: &Edge, level| as_printed(n_sets, edge, level);
        let is_accepting = |_: StateId, level| level == n_sets;
        let printed = unfold(&tableau, |_, _| 0, next, is_accepting, &mut budget).unwrap();
        let right = plain(&tableau, &mut budget).unwrap();
        // One of the three never happens.
        let without = |missing: usize| {
            let letter = |&atom: &usize| [AtomId::new(atom)].into_iter().collect();
            let others: Vec<usize> = (0..3).filter(|&atom| atom != missing).collect();
            Lasso::new(vec![], others.iter().map(letter).collect()).unwrap()
        };
        let mut wrong = |automaton: Draft| {
            let automaton = automaton.into_nba();
            let accepted =
                |&missing: &usize| accepts(&automaton, &without(missing), &mut budget).unwrap();
            (0..3).filter(accepted).count()
        };
        assert_eq!((wrong(printed), wrong(right)), (1, 0));
    }
}
