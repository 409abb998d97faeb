//! Strongly connected components, and what they say about states and
//! acceptance.

use super::super::bits::Bits;
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
    kinds: IdVec<ComponentId, Kind>,
}

/// What can happen in a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::baseline) enum Kind {
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
        let mut walk = Walk {
            draft,
            order: IdVec::filled(0, draft.n_states()),
            lowest: IdVec::filled(0, draft.n_states()),
            next: 1,
            live: Vec::new(),
            of: IdVec::filled(None, draft.n_states()),
            n_components: 0,
        };
        draft.initial.iter().for_each(|&state| walk.from(state));
        let (of, n_components) = (walk.of, walk.n_components);
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
            None => Kind::Transient,
            Some(sets) if sets.len() == draft.n_sets => Kind::Accepting,
            Some(_) => Kind::Rejecting,
        };
        let kinds = sets.iter().map(kind).collect();
        Self { of, kinds }
    }

    /// The component of a state, if it can be reached.
    pub(in crate::baseline) fn component(&self, state: StateId) -> Option<ComponentId> {
        self.of[state]
    }

    /// All components with what can happen in them.
    pub(in crate::baseline) fn kinds(&self) -> &IdVec<ComponentId, Kind> {
        &self.kinds
    }

    /// What can happen in the component of a state that can be reached.
    pub(in crate::baseline) fn kind(&self, state: StateId) -> Kind {
        self.of[state].map_or(Kind::Transient, |component| self.kinds[component])
    }

    /// Whether both states are in the same component.
    pub(in crate::baseline) fn together(&self, a: StateId, b: StateId) -> bool {
        self.of[a] == self.of[b]
    }
}

/// Tarjan's algorithm, without recursion.
struct Walk<'a> {
    draft: &'a Draft,
    /// When each state was entered; zero if it has not been.
    order: IdVec<StateId, usize>,
    lowest: IdVec<StateId, usize>,
    next: usize,
    /// States whose component is not complete.
    live: Vec<StateId>,
    of: IdVec<StateId, Option<ComponentId>>,
    n_components: usize,
}

impl Walk<'_> {
    fn from(&mut self, root: StateId) {
        if self.order[root] != 0 {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((state, n_seen)) = path.last_mut() {
            let state = *state;
            if let Some(edge) = self.draft.edges[state].get(*n_seen) {
                *n_seen += 1;
                if self.order[edge.target] == 0 {
                    self.enter(edge.target);
                    path.push((edge.target, 0));
                } else if self.of[edge.target].is_none() {
                    self.lowest[state] = self.lowest[state].min(self.order[edge.target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.lowest[parent] = self.lowest[parent].min(self.lowest[state]);
            }
            if self.lowest[state] == self.order[state] {
                self.complete(state);
            }
        }
    }

    fn enter(&mut self, state: StateId) {
        self.order[state] = self.next;
        self.lowest[state] = self.next;
        self.next += 1;
        self.live.push(state);
    }

    fn complete(&mut self, root: StateId) {
        let component = ComponentId::new(self.n_components);
        self.n_components += 1;
        while let Some(state) = self.live.pop() {
            self.of[state] = Some(component);
            if state == root {
                return;
            }
        }
    }
}

/// Removes what cannot be reached or cannot accept, and forgets acceptance
/// that no accepting cycle sees. Edges between components are in no set, unless
/// acceptance is about states.
pub(super) fn clean(mut draft: Draft, acceptance: Acceptance) -> Draft {
    let components = Components::of(&draft);
    // Components that edges lead to have smaller numbers.
    let mut alive: IdVec<ComponentId, bool> =
        components.kinds.iter().map(|&kind| kind == Kind::Accepting).collect();
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
            let counts = kind == Kind::Accepting
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
