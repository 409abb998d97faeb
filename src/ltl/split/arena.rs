//! The arena in which parts are built: small constructors that know constants
//! and what is redundant in short lists.
//!
//! Taking a formula apart brings formulas together that did not meet before:
//! of `F (G F a & F b)` it leaves `F F b`. The constructors keep such things
//! from being built, and no more: they do not look deeper than one operator.

use super::Recurring;
use crate::id::{Id, IdVec};
use crate::ltl::dual::{Quantifier, View, fixpoint_node, list_node};
use crate::ltl::nnf::{Node, NodeId, Nodes};

/// In lists with at most so many operands nested lists are opened and redundant
/// operands are left out. Longer ones are taken as they are, in linear time.
const MAX_SHORT: usize = 16;

/// The nodes of a formula, and of what it is taken apart into.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Nodes,
    /// Whether no temporal operator occurs.
    is_propositional: IdVec<NodeId, bool>,
}

/// Whether no temporal operator occurs in `id`, if `known` tells this of its
/// children.
pub(super) fn is_propositional(nodes: &Nodes, id: NodeId, known: &IdVec<NodeId, bool>) -> bool {
    let is_temporal = matches!(nodes.node(id), Node::Next(_) | Node::Until(..) | Node::Release(..));
    !is_temporal && nodes.children(id).all(|child| known[child])
}

/// Whether `id` is `G F p` or `F G p` without temporal operators in p.
pub(super) fn is_recurrent(nodes: &Nodes, id: NodeId, propositional: &IdVec<NodeId, bool>) -> bool {
    Recurring::new(nodes, id).is_some_and(|limit| propositional[limit.argument()])
}

impl Arena {
    /// An arena of some nodes, if it is known which of them are propositional.
    pub(super) fn new(nodes: Nodes, is_propositional: IdVec<NodeId, bool>) -> Self {
        Self { nodes, is_propositional }
    }

    pub(super) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    pub(super) fn into_nodes(self) -> Nodes {
        self.nodes
    }

    /// Whether the node is `G F p` or `F G p` without temporal operators in p.
    pub(super) fn is_recurrent(&self, id: NodeId) -> bool {
        is_recurrent(&self.nodes, id, &self.is_propositional)
    }

    fn intern(&mut self, node: Node<'_>) -> NodeId {
        let id = self.nodes.intern(node);
        if id.index() == self.is_propositional.len() {
            self.is_propositional.push(is_propositional(&self.nodes, id, &self.is_propositional));
        }
        id
    }

    /// The conjunction of `operands`.
    pub(super) fn and(&mut self, operands: Vec<NodeId>) -> NodeId {
        self.list(Quantifier::All, operands)
    }

    /// The disjunction of `operands`.
    pub(super) fn or(&mut self, operands: Vec<NodeId>) -> NodeId {
        self.list(Quantifier::Any, operands)
    }

    fn list(&mut self, quantifier: Quantifier, mut operands: Vec<NodeId>) -> NodeId {
        let (neutral, absorbing) = (quantifier.neutral(), quantifier.absorbing());
        if let [operand] = *operands {
            return operand; // Not even a nested list is touched.
        }
        self.open(quantifier, &mut operands);
        operands.retain(|&operand| operand != neutral);
        operands.sort_unstable();
        operands.dedup();
        if operands.contains(&absorbing) {
            return absorbing;
        }
        if operands.len() <= MAX_SHORT {
            self.drop_redundant(quantifier, &mut operands);
        }
        match *operands {
            [] => neutral,
            [operand] => operand,
            _ => self.intern(list_node(quantifier, &operands)),
        }
    }

    /// Puts the operands of nested lists in their place, if the result is
    /// short.
    fn open(&self, quantifier: Quantifier, operands: &mut Vec<NodeId>) {
        let n_all: usize =
            operands.iter().map(|&x| self.operands(quantifier, x).len().max(1)).sum();
        if operands.len() < n_all && n_all <= MAX_SHORT {
            *operands = operands
                .iter()
                .flat_map(|x| match self.operands(quantifier, *x) {
                    [] => std::slice::from_ref(x),
                    nested => nested,
                })
                .copied()
                .collect();
        }
    }

    /// The operands of `id`, none unless it is such a list.
    fn operands(&self, quantifier: Quantifier, id: NodeId) -> &[NodeId] {
        match View::new(self.nodes.node(id)) {
            View::List(found, list) if found == quantifier => list,
            _ => &[],
        }
    }

    /// Leaves out operands of a conjunction that another one implies, and
    /// operands of a disjunction that imply another one.
    fn drop_redundant(&self, quantifier: Quantifier, operands: &mut Vec<NodeId>) {
        let mut index = 0;
        while let Some(&x) = operands.get(index) {
            let redundant = operands.iter().any(|&y| {
                x != y
                    && match quantifier {
                        Quantifier::All => self.implies(y, x),
                        Quantifier::Any => self.implies(x, y),
                    }
            });
            if redundant {
                operands.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// Whether `a` implies `b` at first glance.
    pub(super) fn implies(&self, a: NodeId, b: NodeId) -> bool {
        let within = |few: &[NodeId], many: &[NodeId]| {
            few.len() <= many.len()
                && many.len() <= MAX_SHORT
                && few.iter().all(|x| many.contains(x))
        };
        match (self.nodes.node(a), self.nodes.node(b)) {
            _ if a == b || a == Nodes::FALSE || b == Nodes::TRUE => true,
            (Node::And(more), Node::And(fewer)) if within(fewer, more) => true,
            (Node::Or(fewer), Node::Or(more)) if within(fewer, more) => true,
            (Node::And(list), _) if within(&[b], list) => true,
            (_, Node::Or(list)) if within(&[a], list) => true,
            (Node::Release(_, right), _) if right == b => true,
            (_, Node::Until(_, right)) if right == a => true,
            (Node::Release(Nodes::FALSE, one), Node::Release(_, other))
            | (Node::Until(_, one), Node::Until(Nodes::TRUE, other)) => one == other,
            _ => false,
        }
    }

    /// `X a`.
    pub(super) fn next(&mut self, a: NodeId) -> NodeId {
        match a {
            Nodes::TRUE | Nodes::FALSE => a,
            _ => self.intern(Node::Next(a)),
        }
    }

    /// `left U right` or `left R right`.
    pub(super) fn fixpoint(
        &mut self,
        quantifier: Quantifier,
        left: NodeId,
        right: NodeId,
    ) -> NodeId {
        if is_constant(right) || left == quantifier.neutral() || left == right {
            return right;
        }
        match View::new(self.nodes.node(right)) {
            View::Fixpoint(found, inner, _) if found == quantifier && inner == left => right,
            View::Fixpoint(found, _, last)
                if found == quantifier && left == quantifier.absorbing() =>
            {
                self.intern(fixpoint_node(quantifier, left, last))
            }
            _ => self.intern(fixpoint_node(quantifier, left, right)),
        }
    }
}

fn is_constant(id: NodeId) -> bool {
    matches!(id, Nodes::TRUE | Nodes::FALSE)
}
