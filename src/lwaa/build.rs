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

/// The automaton of `nnf` with locations only where a run can go.
#[must_use]
pub fn from_nnf(nnf: Nnf) -> Lwaa {
    let reachable = nnf.reachable();
    let mut entered = IdVec::filled(false, nnf.nodes.len());
    entered[nnf.root] = true;
    for id in nnf.nodes.ids().rev().filter(|&id| reachable[id]) {
        match nnf.nodes.node(id) {
            Node::Next(argument) => entered[argument] = true,
            Node::And(list) if entered[id] => list.iter().for_each(|&part| entered[part] = true),
            _ => (),
        }
    }
    let wanted = nnf
        .nodes
        .ids()
        .map(|id| {
            reachable[id]
                && match nnf.nodes.node(id) {
                    Node::Until(..) | Node::Release(..) => true,
                    Node::And(_) | Node::True => false,
                    _ => entered[id],
                }
        })
        .collect();
    let initial = nnf.conjuncts();
    Builder::new(&nnf, wanted).build(nnf, &initial)
}

/// The automaton of `nnf` with a location for every subformula.
#[must_use]
pub fn raw_from_nnf(nnf: Nnf) -> Lwaa {
    let initial = [nnf.root];
    Builder::new(&nnf, nnf.reachable()).build(nnf, &initial)
}

/// The tables that the pass fills, by subformula.
struct Builder {
    /// Which subformulas become locations.
    wanted: IdVec<NodeId, bool>,
    location: IdVec<NodeId, Option<LocationId>>,
    /// *δ* of the location that the subformula has or would have.
    transition: IdVec<NodeId, TransitionId>,
    /// What `X` of the subformula asks for.
    next: IdVec<NodeId, TransitionId>,
    rank: IdVec<NodeId, u32>,
    transitions: Transitions,
    locations: IdVec<LocationId, Location>,
}

impl Builder {
    fn new(nnf: &Nnf, wanted: IdVec<NodeId, bool>) -> Self {
        let n = nnf.nodes.len();
        Self {
            wanted,
            location: IdVec::filled(None, n),
            transition: IdVec::filled(Transitions::TRUE, n),
            next: IdVec::filled(Transitions::TRUE, n),
            rank: IdVec::filled(0, n),
            transitions: Transitions::with_capacity(n),
            locations: IdVec::new(),
        }
    }

    fn build(mut self, nnf: Nnf, initial: &[NodeId]) -> Lwaa {
        let reachable = nnf.reachable();
        for id in nnf.nodes.ids().filter(|&id| reachable[id]) {
            self.add(&nnf.nodes, id);
        }
        let mut initial: Vec<LocationId> =
            initial.iter().filter_map(|&id| self.location[id]).collect();
        initial.sort_unstable();
        let Self { transitions, locations, .. } = self;
        Lwaa { nnf, names: IdVec::new(), transitions, locations, initial }
    }

    fn add(&mut self, nodes: &Nodes, id: NodeId) {
        self.rank[id] = self.rank_of(nodes, id);
        // A location needs its id before its transition, which may refer to it.
        let location = self.wanted[id].then(|| {
            self.locations.push(Location {
                origin: Origin::Formula(id),
                transition: Transitions::TRUE,
                step: Transitions::TRUE,
                rank: self.rank[id],
                until: matches!(nodes.node(id), Node::Until(..)),
            })
        });
        self.location[id] = location;
        let (transition, step) = self.row(nodes, id);
        self.transition[id] = transition;
        if let Some(location) = location {
            self.locations[location].transition = transition;
            self.locations[location].step = step;
            self.next[id] = self.transitions.leaf(Leaf::Location(location));
        } else if let Node::And(list) = nodes.node(id) {
            // The conjuncts are the locations; a conjunction is never one.
            let mut parts = list.iter().map(|&part| self.next[part]).collect();
            self.next[id] = self.transitions.and(&mut parts);
        }
    }

    /// The row of the table for `id`: *δ* and *δ⁺*.
    fn row(&mut self, nodes: &Nodes, id: NodeId) -> (TransitionId, TransitionId) {
        let transition = match nodes.node(id) {
            Node::True => Transitions::TRUE,
            Node::False => Transitions::FALSE,
            Node::Literal { atom, positive } => {
                self.transitions.leaf(Leaf::Literal { atom, positive })
            }
            Node::And(list) => {
                let mut parts = list.iter().map(|&part| self.transition[part]).collect();
                self.transitions.and(&mut parts)
            }
            Node::Or(list) => {
                let mut parts = list.iter().map(|&part| self.transition[part]).collect();
                self.transitions.or(&mut parts)
            }
            Node::Next(argument) => self.next[argument],
            Node::Until(left, right) => {
                let itself = self.location[id].expect("temporal subformulas are locations");
                let stay = self.transitions.leaf(Leaf::Location(itself));
                let looped = self.transitions.leaf(Leaf::Loop(itself));
                let (left, right) = (self.transition[left], self.transition[right]);
                let wait = self.transitions.and(&mut vec![left, stay]);
                let transition = self.transitions.or(&mut vec![right, wait]);
                let wait = self.transitions.and(&mut vec![left, stay, looped]);
                return (transition, self.transitions.or(&mut vec![right, wait]));
            }
            Node::Release(left, right) => {
                let itself = self.location[id].expect("temporal subformulas are locations");
                let stay = self.transitions.leaf(Leaf::Location(itself));
                let (left, right) = (self.transition[left], self.transition[right]);
                let choice = self.transitions.or(&mut vec![left, stay]);
                self.transitions.and(&mut vec![right, choice])
            }
        };
        (transition, transition)
    }

    fn rank_of(&self, nodes: &Nodes, id: NodeId) -> u32 {
        let highest = nodes.children(id).map(|child| self.rank[child]).max().unwrap_or(0);
        match nodes.node(id) {
            Node::Until(..) => highest | 1,
            Node::Release(..) => highest.next_multiple_of(2),
            _ => highest,
        }
    }
}
