//! Nodes seen in dual pairs.
//!
//! Every law of the logic has a dual: `F F a = F a` and `G G a = G a` are one
//! law, stated for one half of each pair of operators and then for the other.
//! A [`View`] names the pair and tells the halves apart by a [`Quantifier`],
//! so that a law is written once.

use crate::ltl::nnf::{Node, NodeId, Nodes};

/// The half of a dual pair of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantifier {
    /// Some operand or some position: `|`, `U` and `F`.
    Any,
    /// All operands or all positions: `&`, `R` and `G`.
    All,
}

impl Quantifier {
    /// The other half.
    pub(super) const fn dual(self) -> Self {
        match self {
            Self::Any => Self::All,
            Self::All => Self::Any,
        }
    }

    /// The operand that adds nothing: `false` to a disjunction. It is also the
    /// left side that reduces a fixpoint to its right side.
    pub(super) const fn neutral(self) -> NodeId {
        match self {
            Self::Any => Nodes::FALSE,
            Self::All => Nodes::TRUE,
        }
    }

    /// The operand that decides everything: `true` in a disjunction. It is
    /// also the left side that makes `F` of an until and `G` of a release.
    pub(super) const fn absorbing(self) -> NodeId {
        self.dual().neutral()
    }
}

/// One node, with the half of its pair apart.
#[derive(Clone, Copy, Debug)]
pub(super) enum View<'a> {
    /// A constant or a literal.
    Leaf,
    /// A disjunction or a conjunction.
    List(Quantifier, &'a [NodeId]),
    /// `X`.
    Next(NodeId),
    /// An until or a release.
    Fixpoint(Quantifier, NodeId, NodeId),
}

impl<'a> View<'a> {
    pub(super) const fn new(node: Node<'a>) -> Self {
        match node {
            Node::True | Node::False | Node::Literal { .. } => Self::Leaf,
            Node::And(list) => Self::List(Quantifier::All, list),
            Node::Or(list) => Self::List(Quantifier::Any, list),
            Node::Next(a) => Self::Next(a),
            Node::Until(a, b) => Self::Fixpoint(Quantifier::Any, a, b),
            Node::Release(a, b) => Self::Fixpoint(Quantifier::All, a, b),
        }
    }
}

/// The conjunction or disjunction of `operands`.
pub(super) const fn list_node(quantifier: Quantifier, operands: &[NodeId]) -> Node<'_> {
    match quantifier {
        Quantifier::Any => Node::Or(operands),
        Quantifier::All => Node::And(operands),
    }
}

/// The until or release of `left` and `right`.
pub(super) const fn fixpoint_node(
    quantifier: Quantifier,
    left: NodeId,
    right: NodeId,
) -> Node<'static> {
    match quantifier {
        Quantifier::Any => Node::Until(left, right),
        Quantifier::All => Node::Release(left, right),
    }
}

/// `F right` or `G right`.
pub(super) const fn plain_node(quantifier: Quantifier, right: NodeId) -> Node<'static> {
    fixpoint_node(quantifier, quantifier.absorbing(), right)
}
