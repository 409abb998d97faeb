//! Strongly connected components, and what they say about states and
//! acceptance.

use super::super::bits::Bits;
use super::super::components;
use super::super::draft::{Draft, Edge};
use super::super::nba::StateId;
use super::Acceptance;
use crate::id::{Id, IdVec, define_id};

define_id! {
    /// A strongly connected component. Edges lead to components with the same
    /// or a smaller number.
    pub(in crate::baseline) struct ComponentId;
}

/// The components of an automaton.
#[derive(Debug)]
pub(in crate::baseline) struct Components {
    /// Where each state is; nothing for states that cannot be reached.
    of: IdVec<StateId, Option<ComponentId>>,
    kinds: IdVec<ComponentId, ComponentKind>,
}

/// What can happen in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::baseline) enum ComponentKind {
    /// One state without an edge to itself.
    Transient,
    /// There are cycles, but no accepting one.
    Rejecting,
    /// There is a cycle in all acceptance sets.
    Accepting,
}

impl Components {
    /// The components that the initial states reach.
    pub(in crate::baseline) fn of(draft: &Draft) -> Self {
        let roots = draft.initial.iter().map(|state| state.index());
        let reached = components::Components::reached(draft.n_states(), roots, |state, number| {
            let edge = draft.edges[StateId::new(state)].get(number);
            edge.map(|edge| edge.target.index())
        });
        let component =
            |&number: &usize| (number != components::FRESH).then(|| ComponentId::new(number));
        let of: IdVec<StateId, Option<ComponentId>> = reached.of.iter().map(component).collect();
        let n_components = reached.members.len();
        let mut sets: IdVec<ComponentId, Option<Bits>> = IdVec::filled(None, n_components);
        for (state, edges) in draft.edges.entries() {
            let Some(component) = of[state] else {
                continue;
            };
            for edge in edges.iter().filter(|edge| of[edge.target] == Some(component)) {
                sets[component].get_or_insert_default().unite(&edge.sets);
            }
        }
        let kind = |sets: &Option<Bits>| match sets {
            None => ComponentKind::Transient,
            Some(sets) if sets.len() == draft.n_sets => ComponentKind::Accepting,
            Some(_) => ComponentKind::Rejecting,
        };
        let kinds = sets.iter().map(kind).collect();
        Self { of, kinds }
    }

    /// The component of a state, if it can be reached.
    pub(in crate::baseline) fn component(&self, state: StateId) -> Option<ComponentId> {
        self.of[state]
    }

    /// All components with what can happen in them.
    pub(in crate::baseline) fn kinds(&self) -> &IdVec<ComponentId, ComponentKind> {
        &self.kinds
    }

    /// What can happen in the component of a state that can be reached.
    pub(in crate::baseline) fn kind(&self, state: StateId) -> ComponentKind {
        self.of[state].map_or(ComponentKind::Transient, |component| self.kinds[component])
    }

    /// Whether both states are in the same component.
    pub(in crate::baseline) fn together(&self, a: StateId, b: StateId) -> bool {
        self.of[a] == self.of[b]
    }
}

/// Removes what cannot be reached or cannot accept, and forgets acceptance
/// that no accepting cycle sees. Edges between components are in no set, unless
/// acceptance is about states.
pub(super) fn clean(mut draft: Draft, acceptance: Acceptance) -> Draft {
    let components = Components::of(&draft);
    // Components that edges lead to have smaller numbers.
    let mut alive: IdVec<ComponentId, bool> =
        components.kinds.iter().map(|&kind| kind == ComponentKind::Accepting).collect();
    let mut by_component: Vec<(ComponentId, StateId)> = components
        .of
        .entries()
        .filter_map(|(state, &component)| Some((component?, state)))
        .collect();
    by_component.sort_unstable();
    for &(component, state) in &by_component {
        let mut targets = draft.edges[state].iter().filter_map(|edge| components.of[edge.target]);
        if targets.any(|target| alive[target]) {
            alive[component] = true;
        }
    }
    let is_alive = |state: StateId| components.of[state].is_some_and(|component| alive[component]);
    for state in draft.edges.ids() {
        let kind = components.kind(state);
        for edge in &mut draft.edges[state] {
            let counts = kind == ComponentKind::Accepting
                && (acceptance == Acceptance::OnStates || components.together(state, edge.target));
            if !counts {
                edge.sets = Bits::default();
            }
        }
    }
    keep(draft, is_alive)
}

/// Removes what cannot be reached.
pub(super) fn reachable(draft: Draft) -> Draft {
    let components = Components::of(&draft);
    keep(draft, |state| components.of[state].is_some())
}

/// The automaton of the states that are `wanted` and of the initial ones, in
/// the same order.
fn keep(draft: Draft, wanted: impl Fn(StateId) -> bool) -> Draft {
    let mut numbers = IdVec::filled(None, draft.n_states());
    let mut n_kept = 0;
    for state in draft.edges.ids() {
        if wanted(state) || draft.initial.contains(&state) {
            numbers[state] = Some(StateId::new(n_kept));
            n_kept += 1;
        }
    }
    let mut edges = IdVec::with_capacity(n_kept);
    for (state, leaving) in draft.edges.entries() {
        if numbers[state].is_some() {
            let renumbered = |edge: &Edge| {
                let target = numbers[edge.target].filter(|_| wanted(edge.target))?;
                Some(Edge { target, ..edge.clone() })
            };
            edges.push(leaving.iter().filter_map(renumbered).collect());
        }
    }
    let initial = draft.initial.iter().filter_map(|&state| numbers[state]).collect();
    Draft { initial, edges, ..draft }
}
