//! Boolean structure over leaves of any kind, hash-consed in a flat arena.
//!
//! A node is a leaf, a conjunction or a disjunction. Children have smaller
//! ids than their parents, so a pass over a diagram is a loop. The arena knows
//! no law of logic: callers that want `a & a = a` say so themselves.

use crate::id::{Id, IdVec};
use crate::intern::{Anchor, Index};
use crate::word::hash;

/// A node as it is seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape<'a, I, L> {
    /// What is not boolean structure.
    Leaf(L),
    /// Conjunction.
    And(&'a [I]),
    /// Disjunction.
    Or(&'a [I]),
}

impl<'a, I, L> Shape<'a, I, L> {
    /// The operands of a conjunction or disjunction.
    #[must_use]
    pub fn operands(self) -> &'a [I] {
        match self {
            Self::Leaf(_) => &[],
            Self::And(list) | Self::Or(list) => list,
        }
    }
}

/// What can be a leaf of a [`Dag`].
pub trait Leaf<I>: Copy + Eq + std::hash::Hash {
    /// Where the leaf is looked up. A leaf may stand for an operator that is
    /// not boolean, and then has children.
    fn anchor(self) -> Anchor<I>;
}

/// What is stored of a [`Shape`]: operand lists live in an array of their own.
#[derive(Clone, Copy, Debug)]
enum Stored<L> {
    Leaf(L),
    And { first: u32, len: u32 },
    Or { first: u32, len: u32 },
}

/// An arena in which equal nodes have equal ids.
#[derive(Clone)]
pub struct Dag<I, L> {
    nodes: IdVec<I, Stored<L>>,
    operands: Vec<I>,
    by_value: Index<I>,
}

impl<I: Id, L: Leaf<I>> Dag<I, L> {
    /// An arena without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::with_capacity(0)
    }

    /// An arena with room for about `n_nodes` nodes.
    #[must_use]
    pub fn with_capacity(n_nodes: usize) -> Self {
        Self {
            nodes: IdVec::with_capacity(n_nodes),
            operands: Vec::new(),
            by_value: Index::with_capacity(n_nodes),
        }
    }

    /// The id of the node, if it has been numbered.
    #[must_use]
    pub fn find(&self, shape: Shape<'_, I, L>) -> Option<I> {
        let is_it = |id| view(self.nodes[id], &self.operands) == shape;
        self.by_value.find(anchor(shape), || hash(&shape), is_it)
    }

    /// The id of the node, which is numbered now if it is new.
    ///
    /// # Panics
    ///
    /// If an operand is not in this arena, or a list of operands is empty.
    pub fn intern(&mut self, shape: Shape<'_, I, L>) -> I {
        assert!(shape.operands().iter().all(|id| id.index() < self.nodes.len()), "foreign operand");
        if let Some(id) = self.find(shape) {
            return id;
        }
        let first = u32::try_from(self.operands.len()).expect("fewer than 2^32 operands");
        self.operands.extend_from_slice(shape.operands());
        let len = u32::try_from(shape.operands().len()).expect("fewer than 2^32 operands");
        let id = self.nodes.push(match shape {
            Shape::Leaf(leaf) => Stored::Leaf(leaf),
            Shape::And(_) => Stored::And { first, len },
            Shape::Or(_) => Stored::Or { first, len },
        });
        let (nodes, operands) = (&self.nodes, &self.operands);
        self.by_value.insert(anchor(shape), id, |id| hash(&view(nodes[id], operands)));
        id
    }

    /// The node `id`.
    #[must_use]
    #[inline]
    pub fn shape(&self, id: I) -> Shape<'_, I, L> {
        view(self.nodes[id], &self.operands)
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All ids, operands before the nodes that use them.
    #[must_use]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, L> {
        self.nodes.ids()
    }
}

impl<I: Id, L: Leaf<I>> Default for Dag<I, L> {
    fn default() -> Self {
        Self::new()
    }
}

fn anchor<I: Id, L: Leaf<I>>(shape: Shape<'_, I, L>) -> Anchor<I> {
    match shape {
        Shape::Leaf(leaf) => leaf.anchor(),
        Shape::And(list) | Shape::Or(list) => Anchor::of_children(list.iter().copied()),
    }
}

#[inline]
fn view<I, L>(stored: Stored<L>, operands: &[I]) -> Shape<'_, I, L> {
    let list = |first: u32, len: u32| &operands[first as usize..][..len as usize];
    match stored {
        Stored::Leaf(leaf) => Shape::Leaf(leaf),
        Stored::And { first, len } => Shape::And(list(first, len)),
        Stored::Or { first, len } => Shape::Or(list(first, len)),
    }
}

impl<I: Id, L: Leaf<I> + std::fmt::Debug> std::fmt::Debug for Dag<I, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.ids().map(|id| (id, self.shape(id)))).finish()
    }
}
