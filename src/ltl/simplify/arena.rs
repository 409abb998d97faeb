//! The arena in which simplified formulas are built: nodes and what is known
//! about each of them.
//!
//! Everything known is computed once, when a node is numbered, from what is
//! known about its children. Laws are not applied here.
//!
//! A formula is *eventual* if it holds at a position whenever it holds at a
//! later one, and *universal* if it holds at all later positions whenever it
//! holds at one: the pure eventuality and pure universality formulas of
//! Etessami and Holzmann, *Optimizing Büchi Automata*, CONCUR 2000. A formula
//! that is both, such as `G F a`, is *invariant*: it holds everywhere or
//! nowhere.

use super::implication::Budget;
use crate::id::{Id, IdVec};
use crate::ltl::dual::{Quantifier, View, fixpoint_node, list_node};
use crate::ltl::nnf::{Node, NodeId, Nodes};

/// What is known about the truth of a node at different positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Properties {
    /// Neither `X` nor `U` nor `R` occurs.
    pub(super) boolean: bool,
    pub(super) eventual: bool,
    pub(super) universal: bool,
}

impl Properties {
    /// The properties of `node`, if `of` tells those of its children.
    pub(super) fn new(node: Node<'_>, of: impl Fn(NodeId) -> Self) -> Self {
        match View::new(node) {
            View::Leaf => {
                let constant = matches!(node, Node::True | Node::False);
                Self { boolean: true, eventual: constant, universal: constant }
            }
            View::List(_, list) => {
                let all = Self { boolean: true, eventual: true, universal: true };
                list.iter().map(|&operand| of(operand)).fold(all, |all, operand| Self {
                    boolean: all.boolean && operand.boolean,
                    eventual: all.eventual && operand.eventual,
                    universal: all.universal && operand.universal,
                })
            }
            View::Next(a) => Self { boolean: false, ..of(a) },
            View::Fixpoint(quantifier, left, right) => {
                let plain = left == quantifier.absorbing();
                let Self { eventual, universal, .. } = of(right);
                Self {
                    boolean: false,
                    eventual: eventual || plain && quantifier == Quantifier::Any,
                    universal: universal || plain && quantifier == Quantifier::All,
                }
            }
        }
    }

    /// Whether the node holds everywhere or nowhere.
    pub(super) const fn invariant(self) -> bool {
        self.eventual && self.universal
    }
}

/// What is known about a node.
#[derive(Clone, Copy, Debug)]
struct Facts {
    properties: Properties,
    /// The negation, if both are in the arena.
    negation: Option<NodeId>,
    /// One bit for each atom that occurs, by its number modulo 64.
    atoms: u64,
}

/// Nodes with what is known about them.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Nodes,
    facts: IdVec<NodeId, Facts>,
    /// How much may still be spent on implications.
    pub(super) budget: Budget,
}

/// A conjunction or disjunction as a rule sees it. Its operands are sorted.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListNode<'a> {
    pub(super) arena: &'a Arena,
    pub(super) quantifier: Quantifier,
    pub(super) operands: &'a [NodeId],
}

/// An until or a release as a rule sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FixpointNode<'a> {
    pub(super) arena: &'a Arena,
    pub(super) quantifier: Quantifier,
    pub(super) left: NodeId,
    pub(super) right: NodeId,
}

impl FixpointNode<'_> {
    /// Whether it is `F` or `G`.
    pub(super) fn is_plain(self) -> bool {
        self.left == self.quantifier.absorbing()
    }
}

impl Arena {
    /// An arena with the two constants in it and room for about `n_nodes`.
    pub(super) fn new(n_nodes: usize, budget: Budget) -> Self {
        let nodes = Nodes::with_capacity(n_nodes);
        let mut arena = Self { nodes, facts: IdVec::with_capacity(n_nodes), budget };
        for (id, negation) in [(Nodes::TRUE, Nodes::FALSE), (Nodes::FALSE, Nodes::TRUE)] {
            let facts = Facts { negation: Some(negation), ..arena.facts_of(id) };
            assert_eq!(arena.facts.push(facts), id, "the constants are the first nodes");
        }
        arena
    }

    pub(super) fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    pub(super) fn view(&self, id: NodeId) -> View<'_> {
        View::new(self.nodes.node(id))
    }

    /// The list `id`, if it is one.
    pub(super) fn list(&self, id: NodeId) -> Option<ListNode<'_>> {
        match self.view(id) {
            View::List(quantifier, operands) => {
                Some(ListNode { arena: self, quantifier, operands })
            }
            _ => None,
        }
    }

    /// The operands of `id` if it is a list of the given half.
    pub(super) fn operands(&self, quantifier: Quantifier, id: NodeId) -> Option<&[NodeId]> {
        let list = self.list(id).filter(|list| list.quantifier == quantifier);
        list.map(|list| list.operands)
    }

    /// The argument of `id` if it is `F` or `G`, as the given half says.
    pub(super) fn plain(&self, quantifier: Quantifier, id: NodeId) -> Option<NodeId> {
        match self.view(id) {
            View::Fixpoint(found, left, right)
                if found == quantifier && left == quantifier.absorbing() =>
            {
                Some(right)
            }
            _ => None,
        }
    }

    /// The argument of `id` if it is `X`.
    pub(super) fn next(&self, id: NodeId) -> Option<NodeId> {
        match self.view(id) {
            View::Next(argument) => Some(argument),
            _ => None,
        }
    }

    /// The negation of `id`, if it is in the arena.
    pub(super) fn negation(&self, id: NodeId) -> Option<NodeId> {
        self.facts[id].negation
    }

    /// Whether `F id = id`, respectively `G id = id`, is known.
    pub(super) fn settled(&self, quantifier: Quantifier, id: NodeId) -> bool {
        match quantifier {
            Quantifier::Any => self.facts[id].properties.eventual,
            Quantifier::All => self.facts[id].properties.universal,
        }
    }

    /// Whether `X id = id` is known.
    pub(super) fn invariant(&self, id: NodeId) -> bool {
        self.facts[id].properties.invariant()
    }

    /// Whether some atom may occur in both.
    pub(super) fn may_share_atom(&self, a: NodeId, b: NodeId) -> bool {
        self.facts[a].atoms & self.facts[b].atoms != 0
    }

    /// The id of `node`, taken as it is; operand lists must be sorted.
    pub(super) fn intern(&mut self, node: Node<'_>) -> NodeId {
        let id = self.nodes.intern(node);
        if id.index() == self.facts.len() {
            let facts = self.facts_of(id);
            self.facts.push(facts);
            if let Some(negation) = facts.negation {
                self.facts[negation].negation.get_or_insert(id);
            }
        }
        id
    }

    /// The arena without what is known.
    pub(super) fn into_nodes(self) -> Nodes {
        self.nodes
    }

    fn facts_of(&self, id: NodeId) -> Facts {
        let node = self.nodes.node(id);
        let atoms = match node {
            Node::Literal { atom, .. } => 1 << (atom.index() % 64),
            _ => self.nodes.children(id).fold(0, |atoms, child| atoms | self.facts[child].atoms),
        };
        Facts {
            properties: Properties::new(node, |child| self.facts[child].properties),
            negation: self.find_negation(node),
            atoms,
        }
    }

    /// The negation of `node`, if it has been numbered before.
    ///
    /// Rules do not always treat both halves of a pair alike, and then this
    /// finds nothing: `!F (a | b)` ends up as `G !a & G !b`.
    fn find_negation(&self, node: Node<'_>) -> Option<NodeId> {
        if let Node::Literal { atom, positive } = node {
            return self.nodes.find(Node::Literal { atom, positive: !positive });
        }
        match View::new(node) {
            View::Leaf => None,
            View::List(quantifier, list) => {
                let negations: Option<Vec<NodeId>> =
                    list.iter().map(|&operand| self.negation(operand)).collect();
                let mut negations = negations?;
                negations.sort_unstable();
                self.nodes.find(list_node(quantifier.dual(), &negations))
            }
            View::Next(a) => self.nodes.find(Node::Next(self.negation(a)?)),
            View::Fixpoint(quantifier, left, right) => {
                let (left, right) = (self.negation(left)?, self.negation(right)?);
                self.nodes.find(fixpoint_node(quantifier.dual(), left, right))
            }
        }
    }
}
