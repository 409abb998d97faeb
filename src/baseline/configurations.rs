//! Our own automaton as an explicit one: its configuration graph, written out.
//!
//! A state is a configuration, a set of locations, and an edge is a way for all
//! of them to step: a cube, the locations that are asked for next, and the
//! until-like locations that take their loops. There is an acceptance set for
//! every until-like location; an edge is in it unless the location takes its
//! loop. Ways that ask for more than another one, or take more loops, on fewer
//! letters, are dropped.
//!
//! This is what the search on configurations never does. It is made from the
//! transition formulas alone, by multiplying out, and shares nothing with
//! `configuration`: so it is an opinion of its own on small formulas.

use super::cube::Cube;
use super::degeneralize;
use super::draft::Draft;
use super::nba::{Builder, Nba, StateId};
use crate::dag::Shape;
use crate::id::{Id, IdVec};
use crate::lwaa::{Leaf, LocationId, Lwaa, TransitionId};
use crate::search::MarkId;
use crate::search::limits::{Budget, Exhausted};
use crate::sets::{distinct, is_subset};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// One way to step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Way {
    cube: Cube,
    /// In increasing order.
    targets: Vec<LocationId>,
    /// In increasing order.
    loops: Vec<LocationId>,
}

impl Way {
    /// Both at once, unless their letters contradict each other.
    fn and(&self, other: &Self) -> Option<Self> {
        Some(Self {
            cube: self.cube.and(&other.cube)?,
            targets: distinct([&self.targets[..], &other.targets].concat()),
            loops: distinct([&self.loops[..], &other.loops].concat()),
        })
    }

    /// Whether this asks for no more than `other`, wherever that is allowed.
    fn is_as_good_as(&self, other: &Self) -> bool {
        other.cube.implies(&self.cube)
            && is_subset(&self.targets, &other.targets)
            && is_subset(&self.loops, &other.loops)
    }
}

/// Adds a way unless one is as good, and drops those that are no better.
fn add(ways: &mut Vec<Way>, way: Way) {
    if !ways.iter().any(|known| known.is_as_good_as(&way)) {
        ways.retain(|known| !way.is_as_good_as(known));
        ways.push(way);
    }
}

fn conjunction(
    left: &[Way],
    right: &[Way],
    budget: &mut Budget<'_>,
) -> Result<Vec<Way>, Exhausted> {
    let mut ways = Vec::new();
    for one in left {
        for way in right.iter().filter_map(|other| one.and(other)) {
            budget.poll()?;
            add(&mut ways, way);
        }
    }
    Ok(ways)
}

/// The configuration graph of `lwaa` as a generalized Büchi automaton.
///
/// ```
/// use lwaa::{Formula, Lwaa, baseline::configurations};
/// use lwaa::search::limits::{Budget, Limits, Monitor};
/// let automaton = Lwaa::from_formula(&Formula::parse("G (request -> F grant)")?);
/// let monitor = Monitor::default();
/// let mut budget = Budget::new(Limits::default(), &monitor);
/// let explicit = configurations::generalized(&automaton, &mut budget)?;
/// assert_eq!((explicit.n_states(), explicit.n_sets()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a limit is reached.
pub fn generalized(lwaa: &Lwaa, budget: &mut Budget<'_>) -> Result<Nba, Exhausted> {
    let ways = ways_of_locations(lwaa, budget)?;
    let loops = ways.iter().flatten().flat_map(|way| way.loops.iter().copied());
    let until: Vec<LocationId> = distinct(loops);
    let mut graph = Graph {
        builder: Builder::new(lwaa.atoms().clone(), until.len()),
        numbers: HashMap::default(),
        configurations: IdVec::new(),
    };
    let initial = graph.state(lwaa.initial().to_vec());
    graph.builder.add_initial(initial);
    let mut next = 0;
    while next < graph.configurations.len() {
        let source = StateId::new(next);
        next += 1;
        let mut all = vec![Way::default()];
        for &location in &graph.configurations[source] {
            all = conjunction(&all, &ways[location], budget)?;
        }
        for way in all {
            let target = graph.state(way.targets);
            let earned =
                until.iter().enumerate().filter(|(_, location)| !way.loops.contains(location));
            let sets: Vec<MarkId> = earned.map(|(index, _)| MarkId::new(index)).collect();
            graph.builder.add_edge(source, &way.cube, sets, target);
        }
        budget.check(
            graph.configurations.len(),
            u64::try_from(graph.builder.n_edges()).unwrap_or(u64::MAX),
        )?;
    }
    Ok(graph.builder.finish())
}

/// The same with one acceptance set, on states.
///
/// # Errors
///
/// If a limit is reached.
pub fn buchi(lwaa: &Lwaa, budget: &mut Budget<'_>) -> Result<Nba, Exhausted> {
    let automaton = generalized(lwaa, budget)?;
    Ok(degeneralize::plain(&Draft::of(&automaton), budget)?.into_nba())
}

/// The automaton in the making.
struct Graph {
    builder: Builder,
    numbers: HashMap<Vec<LocationId>, StateId, FxBuildHasher>,
    configurations: IdVec<StateId, Vec<LocationId>>,
}

impl Graph {
    /// The state of a configuration, made now if it is new.
    fn state(&mut self, configuration: Vec<LocationId>) -> StateId {
        if let Some(&known) = self.numbers.get(&configuration) {
            return known;
        }
        let state = self.builder.add_state();
        self.numbers.insert(configuration.clone(), state);
        self.configurations.push(configuration);
        state
    }
}

/// The ways of each location to step.
fn ways_of_locations(
    lwaa: &Lwaa,
    budget: &mut Budget<'_>,
) -> Result<IdVec<LocationId, Vec<Way>>, Exhausted> {
    let transitions = lwaa.transitions();
    let n_uses = lwaa.n_uses(|location| location.step);
    let mut ways: IdVec<TransitionId, Vec<Way>> = IdVec::filled(Vec::new(), transitions.len());
    for id in transitions.ids().filter(|&id| n_uses[id] != 0) {
        budget.poll()?;
        ways[id] = match transitions.shape(id) {
            Shape::Leaf(leaf) => way(leaf).into_iter().collect(),
            Shape::And(list) => {
                let mut all = vec![Way::default()];
                for &operand in list {
                    all = conjunction(&all, &ways[operand], budget)?;
                }
                all
            }
            Shape::Or(list) => {
                let mut all = Vec::new();
                for way in list.iter().flat_map(|&operand| &ways[operand]) {
                    budget.poll()?;
                    add(&mut all, way.clone());
                }
                all
            }
        };
    }
    Ok(lwaa.locations().map(|(_, location)| ways[location.step].clone()).collect())
}

/// The way to satisfy a leaf, if there is one.
fn way(leaf: Leaf) -> Option<Way> {
    let free = Way::default();
    match leaf {
        Leaf::True => Some(free),
        Leaf::False => None,
        Leaf::Literal { atom, positive } => {
            Some(Way { cube: Cube::literal(atom, positive), ..free })
        }
        Leaf::Location(location) => Some(Way { targets: vec![location], ..free }),
        Leaf::Loop(location) => Some(Way { loops: vec![location], ..free }),
    }
}

#[cfg(test)]
mod tests;
