//! From negation normal form to automaton, in one pass over the formula DAG.
//!
//! The table is that of section 2.3 of [Ham04]. [`from_nnf`] makes a location
//! of every subformula that can be a successor: the temporal ones, each
//! conjunct of an argument of X, and each conjunct of the whole formula.
//! [`raw_from_nnf`] makes one of every subformula, as the table says.
//!
//! [Ham04]: crate::references::ham04

use super::{Leaf, Location, LocationId, Lwaa, Origin, TransitionId, Transitions};
use crate::id::IdVec;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};
use std::sync::Arc;

/// The automaton of `nnf` with locations only where a run can go.
#[must_use]
pub fn from_nnf(nnf: Nnf) -> Lwaa {
    let mut roles = IdVec::filled(Role::None, nnf.nodes.len());
    roles[nnf.root] = Role::Location;
    // Parents come first, so all is known about where a node can be entered.
    for id in nnf.nodes.ids().rev() {
        if roles[id] == Role::None {
            continue;
        }
        let node = nnf.nodes.node(id);
        let for_children = match node {
            Node::And(_) => roles[id],
            Node::Next(_) => Role::Location,
            _ => Role::Inner,
        };
        for child in nnf.nodes.children(id) {
            roles[child] = roles[child].max(for_children);
        }
        match node {
            Node::Until(..) | Node::Release(..) => roles[id] = Role::Location,
            Node::And(_) | Node::True => roles[id] = Role::Inner,
            _ => (),
        }
    }
    let initial = nnf.conjuncts();
    Builder::new(&nnf, roles).build(nnf, &initial)
}

/// The automaton of `nnf` with a location for every subformula.
#[must_use]
pub fn raw_from_nnf(nnf: Nnf) -> Lwaa {
    let initial = [nnf.root];
    let reachable = nnf.reachable();
    let roles =
        reachable.iter().map(|&used| if used { Role::Location } else { Role::None }).collect();
    Builder::new(&nnf, roles).build(nnf, &initial)
}

/// What becomes of a subformula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// It is not a subformula of the root.
    None,
    /// Its transition is part of those of others.
    Inner,
    /// It becomes a location.
    Location,
}

/// What the pass knows about a subformula.
#[derive(Clone, Copy)]
struct Row {
    location: Option<LocationId>,
    /// *δ* of the location that the subformula has or would have.
    transition: TransitionId,
    /// What `X` of the subformula asks for.
    next: TransitionId,
    rank: u32,
}

impl Row {
    const EMPTY: Self =
        Self { location: None, transition: Transitions::TRUE, next: Transitions::TRUE, rank: 0 };
}

/// The tables that the pass fills.
struct Builder {
    roles: IdVec<NodeId, Role>,
    rows: IdVec<NodeId, Row>,
    transitions: Transitions,
    locations: IdVec<LocationId, Location>,
    /// Scratch space for lists of operands.
    parts: Vec<TransitionId>,
}

impl Builder {
    fn new(nnf: &Nnf, roles: IdVec<NodeId, Role>) -> Self {
        let n_locations = roles.iter().filter(|&&role| role == Role::Location).count();
        Self {
            roles,
            rows: IdVec::with_capacity(nnf.nodes.len()),
            transitions: Transitions::with_capacity(nnf.nodes.len()),
            locations: IdVec::with_capacity(n_locations),
            parts: Vec::new(),
        }
    }

    fn build(mut self, nnf: Nnf, initial: &[NodeId]) -> Lwaa {
        for id in nnf.nodes.ids() {
            let row = match self.roles[id] {
                Role::None => Row::EMPTY,
                Role::Inner | Role::Location => self.row(&nnf.nodes, id),
            };
            self.rows.push(row);
        }
        let mut initial: Vec<LocationId> =
            initial.iter().filter_map(|&id| self.rows[id].location).collect();
        initial.sort_unstable();
        let Self { transitions, locations, .. } = self;
        Lwaa { nnf: Arc::new(nnf), names: IdVec::new(), transitions, locations, initial }
    }

    fn row(&mut self, nodes: &Nodes, id: NodeId) -> Row {
        let node = nodes.node(id);
        let mut row = Row { rank: self.rank_of(nodes, id), ..Row::EMPTY };
        if self.roles[id] == Role::Location {
            // A location needs its id before its transition, which may refer
            // to it.
            let location = self.locations.push(Location {
                origin: Origin::Formula(id),
                transition: Transitions::TRUE,
                step: Transitions::TRUE,
                rank: row.rank,
                until: matches!(node, Node::Until(..)),
            });
            let (transition, step) = self.transition_of(node, Some(location));
            self.locations[location].transition = transition;
            self.locations[location].step = step;
            row.location = Some(location);
            row.transition = transition;
            row.next = self.transitions.leaf(Leaf::Location(location));
            return row;
        }
        (row.transition, _) = self.transition_of(node, None);
        if let Node::And(list) = node {
            // The conjuncts are the locations; a conjunction is never one.
            self.parts.clear();
            self.parts.extend(list.iter().map(|&part| self.rows[part].next));
            row.next = self.transitions.and(&mut self.parts);
        }
        row
    }

    /// The row of the table of [Ham04] for `node`, which becomes the location
    /// `itself`: *δ* and *δ⁺*.
    ///
    /// [Ham04]: crate::references::ham04
    fn transition_of(
        &mut self,
        node: Node<'_>,
        itself: Option<LocationId>,
    ) -> (TransitionId, TransitionId) {
        let (rows, transitions) = (&self.rows, &mut self.transitions);
        let itself = || itself.expect("temporal subformulas are locations");
        let transition = match node {
            Node::True => Transitions::TRUE,
            Node::False => Transitions::FALSE,
            Node::Literal { atom, positive } => transitions.leaf(Leaf::Literal { atom, positive }),
            Node::And(list) => {
                self.parts.clear();
                self.parts.extend(list.iter().map(|&part| rows[part].transition));
                transitions.and(&mut self.parts)
            }
            Node::Or(list) => {
                self.parts.clear();
                self.parts.extend(list.iter().map(|&part| rows[part].transition));
                transitions.or(&mut self.parts)
            }
            Node::Next(argument) => rows[argument].next,
            Node::Until(left, right) => {
                let stay = transitions.leaf(Leaf::Location(itself()));
                let looped = transitions.leaf(Leaf::Loop(itself()));
                let (left, right) = (rows[left].transition, rows[right].transition);
                let wait = transitions.and(&mut [left, stay]);
                let transition = transitions.or(&mut [right, wait]);
                let wait = transitions.and(&mut [left, stay, looped]);
                return (transition, transitions.or(&mut [right, wait]));
            }
            Node::Release(left, right) => {
                let stay = transitions.leaf(Leaf::Location(itself()));
                let (left, right) = (rows[left].transition, rows[right].transition);
                let choice = transitions.or(&mut [left, stay]);
                transitions.and(&mut [right, choice])
            }
        };
        (transition, transition)
    }

    fn rank_of(&self, nodes: &Nodes, id: NodeId) -> u32 {
        let highest = nodes.children(id).map(|child| self.rows[child].rank).max().unwrap_or(0);
        match nodes.node(id) {
            Node::Until(..) => highest | 1,
            Node::Release(..) => highest.next_multiple_of(2),
            _ => highest,
        }
    }
}
