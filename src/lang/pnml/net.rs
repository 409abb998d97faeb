//! Places, transitions and arcs.

use crate::id::{IdVec, define_id};
use crate::lang::program::TransitionId;
use crate::scan::Span;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A place of a net.
    pub(super) struct PlaceId;
}

/// A place.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) name: String,
    /// How many tokens it has at first.
    pub(super) initial: i64,
}

/// Places and how many tokens are taken from them or put there, sorted by place.
pub(super) type Arcs = Vec<(PlaceId, i64)>;

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct NetTransition {
    pub(super) name: String,
    pub(super) span: Span,
    pub(super) inputs: Arcs,
    pub(super) outputs: Arcs,
}

/// What an id of the text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Place(PlaceId),
    Transition(TransitionId),
}

/// A place/transition net.
#[derive(Clone, Debug, Default)]
pub(super) struct Net {
    pub(super) places: IdVec<PlaceId, Place>,
    pub(super) transitions: IdVec<TransitionId, NetTransition>,
    pub(super) nodes: HashMap<String, Node, FxBuildHasher>,
    /// Places that the text promises never to have more than one token.
    pub(super) claimed_safe: Vec<PlaceId>,
}

impl Net {
    /// The place of this name.
    pub(super) fn place(&self, name: &str) -> Option<PlaceId> {
        match self.nodes.get(name) {
            Some(Node::Place(place)) => Some(*place),
            _ => None,
        }
    }

    /// The transition of this name.
    pub(super) fn transition(&self, name: &str) -> Option<TransitionId> {
        match self.nodes.get(name) {
            Some(Node::Transition(transition)) => Some(*transition),
            _ => None,
        }
    }
}

impl NetTransition {
    /// By how many tokens each place changes that does change, sorted by place.
    pub(super) fn changes(&self) -> impl Iterator<Item = (PlaceId, i64)> {
        let (mut inputs, mut outputs) =
            (self.inputs.iter().peekable(), self.outputs.iter().peekable());
        std::iter::from_fn(move || {
            let next = match (inputs.peek(), outputs.peek()) {
                (Some(input), Some(output)) => Some(input.0.min(output.0)),
                (Some(input), None) => Some(input.0),
                (None, output) => output.map(|output| output.0),
            }?;
            let taken = inputs.next_if(|input| input.0 == next).map_or(0, |input| input.1);
            let put = outputs.next_if(|output| output.0 == next).map_or(0, |output| output.1);
            Some((next, put - taken))
        })
        .filter(|&(_, change)| change != 0)
    }
}
