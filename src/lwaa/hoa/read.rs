//! Documents of the HOA format to automata.
//!
//! The document may be nondeterministic or alternating, and may have any
//! acceptance condition, as long as it is very weak: all cycles are loops, and
//! the loops of a state belong to the same acceptance sets. Then the
//! condition has one value for each state that a run can stay in for ever,
//! and the state is until-like if it is false.

use super::SINK;
use crate::hoa::{Automaton, Item, Label, Proposition, SetId, State, StateId, Visits};
use crate::id::{Id, IdVec};
use crate::ltl::nnf::{Nnf, Nodes};
use crate::lwaa::{Leaf, Location, LocationId, Lwaa, NameId, Origin, TransitionId, Transitions};
use crate::sets::distinct;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// Why a document is not a linear weak alternating automaton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FromHoaError {
    /// There is a cycle that is not a loop.
    #[error(
        "the automaton is not very weak: there is a cycle through states {} and {}",
        .0.index(), .1.index()
    )]
    NotVeryWeak(StateId, StateId),
    /// Some loops of a state are in acceptance sets that others are not in.
    #[error(
        "the automaton is not very weak: the loops of state {} differ in their acceptance sets",
        .0.index()
    )]
    MixedLoops(StateId),
    /// A line of the header may change the meaning in an unknown way.
    #[error("the line `{0}:` of the header may change the meaning of the automaton")]
    UnknownHeader(String),
}

impl Lwaa {
    /// The automaton that a document describes. Its locations are the states,
    /// renumbered so that transitions lead to lower ones, if they do not yet.
    ///
    /// # Errors
    ///
    /// If the automaton is not very weak, or not entirely understood.
    pub fn from_hoa(automaton: &Automaton) -> Result<Self, FromHoaError> {
        let unknown = |name: &str| name.starts_with(|first: char| first.is_ascii_uppercase());
        if let Some(header) = automaton.headers.iter().find(|header| unknown(&header.name)) {
            return Err(FromHoaError::UnknownHeader(header.name.clone()));
        }
        let mut transitions = Transitions::default();
        let guards = guards(automaton, &mut transitions);
        let sink = sink(automaton, &guards);
        let order = order(automaton, &guards, sink)?;
        let mut builder = Builder {
            automaton,
            guards,
            location: IdVec::filled(None, automaton.states.len()),
            transitions,
            locations: IdVec::new(),
            names: IdVec::new(),
        };
        for state in order {
            builder.add(state)?;
        }
        let initial = builder.initial();
        let Builder { transitions, locations, names, .. } = builder;
        let atoms = automaton.atoms.clone();
        let nnf = Nnf { atoms, nodes: Nodes::default(), root: Nodes::TRUE };
        Ok(Self { nnf: Arc::new(nnf), names, transitions, locations, initial })
    }
}

/// A label and its negation.
type Both = [TransitionId; 2];

/// The condition of each edge of each state.
fn guards(
    automaton: &Automaton,
    transitions: &mut Transitions,
) -> IdVec<StateId, Vec<TransitionId>> {
    let mut aliases: Vec<Both> = Vec::new();
    for alias in &automaton.aliases {
        let both = guard(&alias.label, &aliases, transitions);
        aliases.push(both);
    }
    let mut guard_of = |state: &State, index: usize| {
        let [positive, _] = guard(&automaton.label(state, index), &aliases, transitions);
        positive
    };
    automaton
        .states
        .iter()
        .map(|state| (0..state.edges.len()).map(|index| guard_of(state, index)).collect())
        .collect()
}

/// A label and its negation as formulas in negation normal form.
fn guard(label: &Label, aliases: &[Both], transitions: &mut Transitions) -> Both {
    const NON_EMPTY: &str = "operands come before their operator";
    let mut values: Vec<Both> = Vec::new();
    for item in label.items() {
        let value = match *item {
            Item::Leaf(Proposition::Constant(true)) => [Transitions::TRUE, Transitions::FALSE],
            Item::Leaf(Proposition::Constant(false)) => [Transitions::FALSE, Transitions::TRUE],
            Item::Leaf(Proposition::Atom(atom)) => {
                [true, false].map(|positive| transitions.leaf(Leaf::Literal { atom, positive }))
            }
            Item::Leaf(Proposition::Alias(alias)) => aliases[alias.index()],
            Item::Not => {
                let [positive, negative] = values.pop().expect(NON_EMPTY);
                [negative, positive]
            }
            Item::And | Item::Or => {
                let right = values.pop().expect(NON_EMPTY);
                let left = values.pop().expect(NON_EMPTY);
                let [conjoined, disjoined] = if *item == Item::And { [0, 1] } else { [1, 0] };
                let mut both = [Transitions::TRUE; 2];
                let pair = |sign: usize| [left[sign], right[sign]];
                both[conjoined] = transitions.and(&mut pair(conjoined));
                both[disjoined] = transitions.or(&mut pair(disjoined));
                both
            }
        };
        values.push(value);
    }
    values.pop().expect("an expression is not empty")
}

/// The state that accepts everything, if [`Lwaa::to_hoa`] has added one.
fn sink(automaton: &Automaton, guards: &IdVec<StateId, Vec<TransitionId>>) -> Option<StateId> {
    let (id, state) = automaton.states.entries().next_back()?;
    let loops_always = guards[id] == [Transitions::TRUE] && state.edges[0].targets == [id];
    let accepts = || can_stay(automaton, id, &guards[id]).is_ok_and(|stays| stays == Some(true));
    (state.name.as_deref() == Some(SINK) && loops_always && accepts()).then_some(id)
}

/// The states but for the sink, each after those that its edges lead to, and
/// in the order of their numbers as far as that allows.
fn order(
    automaton: &Automaton,
    guards: &IdVec<StateId, Vec<TransitionId>>,
    sink: Option<StateId>,
) -> Result<Vec<StateId>, FromHoaError> {
    let n_states = automaton.states.len();
    // Repeated targets are counted as often as they are listed as sources.
    let mut n_waiting_for: IdVec<StateId, usize> = IdVec::filled(0, n_states);
    let mut sources: IdVec<StateId, Vec<StateId>> = IdVec::filled(Vec::new(), n_states);
    for id in automaton.states.ids() {
        for target in successors(automaton, guards, id).filter(|&target| Some(target) != sink) {
            n_waiting_for[id] += 1;
            sources[target].push(id);
        }
    }
    let free = |id: &StateId| n_waiting_for[*id] == 0 && Some(*id) != sink;
    let mut ready: BinaryHeap<Reverse<StateId>> =
        automaton.states.ids().filter(free).map(Reverse).collect();
    let mut order = Vec::with_capacity(n_states);
    while let Some(Reverse(id)) = ready.pop() {
        order.push(id);
        for source in std::mem::take(&mut sources[id]) {
            n_waiting_for[source] -= 1;
            if n_waiting_for[source] == 0 {
                ready.push(Reverse(source));
            }
        }
    }
    match automaton.states.ids().find(|&id| 0 < n_waiting_for[id]) {
        None => Ok(order),
        Some(stuck) => Err(cycle(automaton, guards, &n_waiting_for, stuck)),
    }
}

/// The states other than itself that the edges of a state lead to.
fn successors<'a>(
    automaton: &'a Automaton,
    guards: &'a IdVec<StateId, Vec<TransitionId>>,
    id: StateId,
) -> impl Iterator<Item = StateId> + 'a {
    let edges = automaton.states[id].edges.iter().zip(&guards[id]);
    edges
        .filter(|(_, guard)| **guard != Transitions::FALSE)
        .flat_map(|(edge, _)| &edge.targets)
        .copied()
        .filter(move |&target| target != id)
}

/// Two neighbours on a cycle that can be reached from the state `from`, which
/// waits for itself.
fn cycle(
    automaton: &Automaton,
    guards: &IdVec<StateId, Vec<TransitionId>>,
    n_waiting_for: &IdVec<StateId, usize>,
    from: StateId,
) -> FromHoaError {
    let next = |id: StateId| {
        successors(automaton, guards, id)
            .find(|&target| 0 < n_waiting_for[target])
            .expect("a state waits for one that waits")
    };
    // After as many steps as there are states, we are on the cycle.
    let on_cycle = (0..automaton.states.len()).fold(from, |id, _| next(id));
    let neighbour = next(on_cycle);
    FromHoaError::NotVeryWeak(on_cycle.min(neighbour), on_cycle.max(neighbour))
}

/// Whether a run that stays in the state for ever is accepted there; none if
/// it cannot stay.
fn can_stay(
    automaton: &Automaton,
    id: StateId,
    guards: &[TransitionId],
) -> Result<Option<bool>, FromHoaError> {
    let state = &automaton.states[id];
    let mut sets: Option<Vec<SetId>> = None;
    for (edge, &guard) in state.edges.iter().zip(guards) {
        if guard == Transitions::FALSE || !edge.targets.contains(&id) {
            continue;
        }
        let own: Vec<SetId> = distinct(state.sets.iter().chain(&edge.sets).copied());
        match &sets {
            Some(sets) if *sets != own => return Err(FromHoaError::MixedLoops(id)),
            _ => sets = Some(own),
        }
    }
    let Some(sets) = sets else { return Ok(None) };
    let condition = &automaton.acceptance.condition;
    Ok(Some(condition.evaluate(
        |visits| match visits {
            Visits::Constant(value) => *value,
            Visits::Infinitely { set, complemented } => {
                sets.binary_search(set).is_ok() != *complemented
            }
            Visits::Finitely { set, complemented } => {
                sets.binary_search(set).is_ok() == *complemented
            }
        },
        |a| !a,
        |a, b| a && b,
        |a, b| a || b,
    )))
}

/// The automaton while it grows.
struct Builder<'a> {
    automaton: &'a Automaton,
    guards: IdVec<StateId, Vec<TransitionId>>,
    /// The locations of the states, none for the sink.
    location: IdVec<StateId, Option<LocationId>>,
    transitions: Transitions,
    locations: IdVec<LocationId, Location>,
    names: IdVec<NameId, Box<str>>,
}

impl Builder<'_> {
    /// Adds the location of a state whose other successors have theirs.
    fn add(&mut self, id: StateId) -> Result<(), FromHoaError> {
        let state = &self.automaton.states[id];
        let stays = can_stay(self.automaton, id, &self.guards[id])?;
        let until = stays == Some(false);
        let location = LocationId::new(self.locations.len());
        self.location[id] = Some(location);
        let (mut ways, mut ways_with_loop, mut highest) = (Vec::new(), Vec::new(), 0);
        for (edge, &guard) in state.edges.iter().zip(&self.guards[id]) {
            let mut parts = vec![guard];
            for target in edge.targets.iter().filter_map(|&target| self.location[target]) {
                parts.push(self.transitions.leaf(Leaf::Location(target)));
                if target != location && guard != Transitions::FALSE {
                    highest = highest.max(self.locations[target].rank);
                }
            }
            ways.push(self.transitions.and(&mut parts.clone()));
            if until && edge.targets.contains(&id) {
                parts.push(self.transitions.leaf(Leaf::Loop(location)));
            }
            ways_with_loop.push(self.transitions.and(&mut parts));
        }
        let name = state.name.as_deref().map(|name| self.names.push(name.into()));
        self.locations.push(Location {
            origin: Origin::State(name),
            transition: self.transitions.or(&mut ways),
            step: self.transitions.or(&mut ways_with_loop),
            rank: match stays {
                Some(true) => highest.next_multiple_of(2),
                Some(false) => highest | 1,
                None => highest,
            },
            until,
        });
        Ok(())
    }

    /// The initial configuration. A choice between several is a location of
    /// its own, which does what one of them would do.
    fn initial(&mut self) -> Vec<LocationId> {
        let conjunctions = self
            .automaton
            .start
            .iter()
            .map(|states| distinct(states.iter().filter_map(|&state| self.location[state])));
        let mut conjunctions: Vec<Vec<LocationId>> = conjunctions.collect();
        if conjunctions.len() == 1 {
            return conjunctions.remove(0);
        }
        let mut rank = 0;
        let mut ways = Vec::new();
        for conjunction in conjunctions {
            let mut parts = Vec::new();
            for id in conjunction {
                rank = rank.max(self.locations[id].rank);
                parts.push(self.locations[id].transition);
            }
            ways.push(self.transitions.and(&mut parts));
        }
        let transition = self.transitions.or(&mut ways);
        let origin = Origin::State(None);
        vec![self.locations.push(Location {
            origin,
            transition,
            step: transition,
            rank,
            until: false,
        })]
    }
}
