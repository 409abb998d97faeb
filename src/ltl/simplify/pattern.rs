//! What rewrite rules write: the expressions that replace nodes.
//!
//! Nothing here knows a law; nothing here touches the arena.

use crate::ltl::dual::Quantifier;
use crate::ltl::nnf::NodeId;

/// What a rule puts in the place of a node. Its operators are subject to the
/// rules in turn, from the inside out.
#[derive(Clone, Debug)]
pub(super) enum Expression {
    /// A node that exists.
    Node(NodeId),
    /// A disjunction or a conjunction.
    List(Quantifier, Vec<Expression>),
    /// `X`.
    Next(Box<Expression>),
    /// An until or a release.
    Fixpoint(Quantifier, Box<[Expression; 2]>),
    /// `G`, and of a conjunction not one `G` for each operand.
    Unsplit(Box<Expression>),
}

impl From<NodeId> for Expression {
    fn from(id: NodeId) -> Self {
        Self::Node(id)
    }
}

impl Expression {
    /// The disjunction or conjunction of `operands`.
    pub(super) fn list<E: Into<Self>>(
        quantifier: Quantifier,
        operands: impl IntoIterator<Item = E>,
    ) -> Self {
        Self::List(quantifier, operands.into_iter().map(Into::into).collect())
    }

    /// The disjunction or conjunction of two operands.
    pub(super) fn pair(
        quantifier: Quantifier,
        left: impl Into<Self>,
        right: impl Into<Self>,
    ) -> Self {
        Self::List(quantifier, vec![left.into(), right.into()])
    }

    /// `X argument`.
    pub(super) fn next(argument: impl Into<Self>) -> Self {
        Self::Next(Box::new(argument.into()))
    }

    /// `left U right` or `left R right`.
    pub(super) fn fixpoint(
        quantifier: Quantifier,
        left: impl Into<Self>,
        right: impl Into<Self>,
    ) -> Self {
        Self::Fixpoint(quantifier, Box::new([left.into(), right.into()]))
    }

    /// `F right` or `G right`.
    pub(super) fn plain(quantifier: Quantifier, right: impl Into<Self>) -> Self {
        Self::fixpoint(quantifier, quantifier.absorbing(), right)
    }

    /// `G F right` for [`Quantifier::All`], `F G right` for
    /// [`Quantifier::Any`].
    pub(super) fn limit(quantifier: Quantifier, right: impl Into<Self>) -> Self {
        let inner = match quantifier {
            Quantifier::Any => Self::Unsplit(Box::new(right.into())),
            Quantifier::All => Self::plain(Quantifier::Any, right),
        };
        Self::plain(quantifier, inner)
    }
}
