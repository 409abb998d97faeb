//! Negation normal form: negation on atoms only, by type.
//!
//! The conversion keeps the binary shape of the source: only operators that
//! negation normal form lacks are replaced. `F a` is kept as `true U a` and
//! `G a` as `false R a`, which is what both mean and saves every later pass two
//! cases. Conjunctions and disjunctions may have any number of operands, since
//! the simplifier flattens them.

use super::{Formula, Term, TermId};
use crate::dag::{self, Dag, Shape};
use crate::id::{Id, IdVec, define_id};
use crate::intern::Anchor;
use crate::word::{AtomId, Atoms};
use smallvec::SmallVec;

define_id! {
    /// A subformula in negation normal form, as numbered by [`Nodes`].
    pub struct NodeId;
}

/// One node of a formula in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node<'a> {
    /// Holds always.
    True,
    /// Holds never.
    False,
    /// An atom, or its negation unless `positive`.
    Literal {
        /// The atom.
        atom: AtomId,
        /// Whether the atom is asked to be true.
        positive: bool,
    },
    /// Conjunction of two or more operands.
    And(&'a [NodeId]),
    /// Disjunction of two or more operands.
    Or(&'a [NodeId]),
    /// `X`: at the next position.
    Next(NodeId),
    /// `U`: the right side comes, and until then the left side holds.
    Until(NodeId, NodeId),
    /// `R`: the right side holds up to and including the first position where
    /// the left side holds, or for ever.
    Release(NodeId, NodeId),
}

/// A [`Node`] that is neither a conjunction nor a disjunction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Leaf {
    True,
    False,
    Literal { atom: AtomId, positive: bool },
    Next(NodeId),
    Until(NodeId, NodeId),
    Release(NodeId, NodeId),
}

impl dag::Leaf<NodeId> for Leaf {
    fn anchor(self) -> Anchor<NodeId> {
        match self {
            Self::True => Anchor::Number(0),
            Self::False => Anchor::Number(1),
            Self::Literal { atom, positive } => {
                Anchor::Number(2 + 2 * atom.index() + usize::from(positive))
            }
            Self::Next(a) => Anchor::Child(a),
            Self::Until(a, b) | Self::Release(a, b) => Anchor::Child(a.max(b)),
        }
    }
}

/// An arena of nodes in which equal nodes have equal ids.
///
/// Invariant: the children of a node have smaller ids than the node, and the
/// two constants are always [`Nodes::TRUE`] and [`Nodes::FALSE`].
#[derive(Clone, Debug)]
pub struct Nodes(Dag<NodeId, Leaf>);

impl Default for Nodes {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

impl Nodes {
    /// The constant that holds always.
    pub const TRUE: NodeId = NodeId(0);
    /// The constant that holds never.
    pub const FALSE: NodeId = NodeId(1);

    /// An arena with room for about `n_nodes` nodes.
    #[must_use]
    pub fn with_capacity(n_nodes: usize) -> Self {
        let mut nodes = Self(Dag::with_capacity(n_nodes));
        let constants = [nodes.intern(Node::True), nodes.intern(Node::False)];
        debug_assert_eq!(constants, [Self::TRUE, Self::FALSE]);
        nodes
    }

    /// The id of `node`, which is numbered now if it is new.
    ///
    /// The node is taken as it is: constructors that know laws of the logic
    /// are in [`simplify`](super::simplify).
    ///
    /// # Panics
    ///
    /// If a child of `node` is not in this arena.
    pub fn intern(&mut self, node: Node<'_>) -> NodeId {
        assert!(children(node).all(|child| child.index() < self.0.len()), "foreign child");
        self.0.intern(shape(node))
    }

    /// The id of `node` with other operands, those that `copy` says.
    pub fn intern_copy(&mut self, node: Node<'_>, copy: impl Fn(NodeId) -> NodeId) -> NodeId {
        let copies = |list: &[NodeId]| -> SmallVec<[NodeId; 8]> {
            list.iter().map(|&operand| copy(operand)).collect()
        };
        match node {
            Node::True | Node::False | Node::Literal { .. } => self.intern(node),
            Node::And(list) => self.intern(Node::And(&copies(list))),
            Node::Or(list) => self.intern(Node::Or(&copies(list))),
            Node::Next(a) => self.intern(Node::Next(copy(a))),
            Node::Until(a, b) => self.intern(Node::Until(copy(a), copy(b))),
            Node::Release(a, b) => self.intern(Node::Release(copy(a), copy(b))),
        }
    }

    /// The id of `node`, if it has been numbered.
    #[must_use]
    pub fn find(&self, node: Node<'_>) -> Option<NodeId> {
        self.0.find(shape(node))
    }

    /// The literal of `atom`.
    pub fn literal(&mut self, atom: AtomId, positive: bool) -> NodeId {
        self.intern(Node::Literal { atom, positive })
    }

    /// The node `id`.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node<'_> {
        view(self.0.shape(id))
    }

    /// The direct subformulas of `id`, from left to right.
    #[must_use]
    pub fn children(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        children(self.node(id))
    }

    /// Whether both nodes are conjunctions, or both are disjunctions.
    pub(super) fn are_same_list(&self, a: NodeId, b: NodeId) -> bool {
        matches!(
            (self.node(a), self.node(b)),
            (Node::And(_), Node::And(_)) | (Node::Or(_), Node::Or(_))
        )
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no node; never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All ids, children before parents.
    #[must_use]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        self.0.ids()
    }
}

fn shape(node: Node<'_>) -> Shape<'_, NodeId, Leaf> {
    Shape::Leaf(match node {
        Node::And(list) => return Shape::And(list),
        Node::Or(list) => return Shape::Or(list),
        Node::True => Leaf::True,
        Node::False => Leaf::False,
        Node::Literal { atom, positive } => Leaf::Literal { atom, positive },
        Node::Next(a) => Leaf::Next(a),
        Node::Until(a, b) => Leaf::Until(a, b),
        Node::Release(a, b) => Leaf::Release(a, b),
    })
}

fn view(shape: Shape<'_, NodeId, Leaf>) -> Node<'_> {
    match shape {
        Shape::And(list) => Node::And(list),
        Shape::Or(list) => Node::Or(list),
        Shape::Leaf(Leaf::True) => Node::True,
        Shape::Leaf(Leaf::False) => Node::False,
        Shape::Leaf(Leaf::Literal { atom, positive }) => Node::Literal { atom, positive },
        Shape::Leaf(Leaf::Next(a)) => Node::Next(a),
        Shape::Leaf(Leaf::Until(a, b)) => Node::Until(a, b),
        Shape::Leaf(Leaf::Release(a, b)) => Node::Release(a, b),
    }
}

fn children(node: Node<'_>) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
    let (list, left, right) = match node {
        Node::True | Node::False | Node::Literal { .. } => (&[][..], None, None),
        Node::And(list) | Node::Or(list) => (list, None, None),
        Node::Next(a) => (&[][..], Some(a), None),
        Node::Until(a, b) | Node::Release(a, b) => (&[][..], Some(a), Some(b)),
    };
    list.iter().copied().chain(left).chain(right)
}

/// A formula in negation normal form.
#[derive(Clone)]
pub struct Nnf {
    /// What the atoms of the literals are called.
    pub atoms: Atoms,
    /// The arena of the subformulas.
    pub nodes: Nodes,
    /// The whole formula.
    pub root: NodeId,
}

impl Nnf {
    /// Which nodes the root can reach.
    #[must_use]
    pub fn reachable(&self) -> IdVec<NodeId, bool> {
        let mut reachable = IdVec::filled(false, self.nodes.len());
        reachable[self.root] = true;
        for id in self.nodes.ids().rev() {
            if reachable[id] {
                self.nodes.children(id).for_each(|child| reachable[child] = true);
            }
        }
        reachable
    }

    /// The operands of the root if it is a conjunction, otherwise the root
    /// itself; conjunctions of conjunctions are opened too.
    #[must_use]
    pub fn conjuncts(&self) -> Vec<NodeId> {
        conjuncts(&self.nodes, self.root)
    }

    /// The conjunction of some nodes; nothing if there are none.
    #[must_use]
    pub fn conjunction(&self, ids: &[NodeId]) -> Option<Self> {
        let mut all = self.clone();
        all.root = match ids {
            [] => return None,
            [only] => *only,
            several => all.nodes.intern(Node::And(several)),
        };
        Some(all)
    }

    /// The same formula as a [`Formula`], with `F` and `G` where they fit.
    #[must_use]
    pub fn to_formula(&self) -> Formula {
        let (terms, copies) = self.to_terms();
        Formula::new(terms, copies[self.root])
    }

    /// All subformulas as terms; the term of a node that the root cannot reach
    /// has no meaning.
    pub(crate) fn to_terms(&self) -> (super::Terms, IdVec<NodeId, TermId>) {
        let mut terms = super::Terms::default();
        let reachable = self.reachable();
        let mut copies: IdVec<NodeId, TermId> = IdVec::new();
        for id in self.nodes.ids() {
            let copy = if reachable[id] {
                to_term(self.nodes.node(id), &self.atoms, &copies, &mut terms)
            } else {
                TermId::new(0) // Nothing that is copied refers to it.
            };
            copies.push(copy);
        }
        (terms, copies)
    }
}

/// The conjuncts of `root`, conjunctions of conjunctions opened, each once and
/// in the order of their first occurrence.
pub(crate) fn conjuncts(nodes: &Nodes, root: NodeId) -> Vec<NodeId> {
    let mut seen = hashbrown::HashSet::with_hasher(rustc_hash::FxBuildHasher);
    let mut found = Vec::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        match nodes.node(id) {
            Node::And(list) => open.extend(list.iter().rev()),
            _ => found.push(id),
        }
    }
    found
}

fn to_term(
    node: Node<'_>,
    atoms: &Atoms,
    copies: &IdVec<NodeId, TermId>,
    terms: &mut super::Terms,
) -> TermId {
    let term = match node {
        Node::True => Term::True,
        Node::False => Term::False,
        Node::Literal { atom, positive } => {
            let id = terms.atom(atoms.name(atom));
            if positive {
                return id;
            }
            Term::Not(id)
        }
        Node::And(list) | Node::Or(list) => {
            let operator = if matches!(node, Node::And(_)) { Term::And } else { Term::Or };
            let mut operands = list.iter().map(|&id| copies[id]);
            let first = operands.next().expect("an operand list is not empty");
            return operands.fold(first, |left, right| terms.intern(operator(left, right)));
        }
        Node::Next(a) => Term::Next(copies[a]),
        Node::Until(Nodes::TRUE, b) => Term::Finally(copies[b]),
        Node::Release(Nodes::FALSE, b) => Term::Globally(copies[b]),
        Node::Until(a, b) => Term::Until(copies[a], copies[b]),
        Node::Release(a, b) => Term::Release(copies[a], copies[b]),
    };
    terms.intern(term)
}

impl std::fmt::Debug for Nnf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Nnf({})", self.to_formula())
    }
}

/// Converts `formula`: negations move to the atoms.
///
/// ```
/// use lwaa::ltl::{Formula, nnf};
/// let formula = Formula::parse("!(a U (b & X c))")?;
/// assert_eq!(nnf::from_formula(&formula).to_formula().to_string(), "!a R (!b | X !c)");
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn from_formula(formula: &Formula) -> Nnf {
    let needed = needed_polarities(formula);
    let mut nodes = Nodes::default();
    let mut copies: Copies = IdVec::new();
    for id in formula.terms().ids() {
        let term = formula.terms().term(id);
        let mut copy = |sign: bool, is_needed: bool| {
            if is_needed { convert(term, sign, &copies, &mut nodes) } else { Nodes::TRUE }
        };
        let [positive, negative] = needed[id];
        let pair = [copy(true, positive), copy(false, negative)];
        copies.push(pair);
    }
    Nnf { atoms: formula.atoms().clone(), nodes, root: copies[formula.root()][0] }
}

/// For each term whether the result contains it as it is, and negated.
fn needed_polarities(formula: &Formula) -> IdVec<TermId, [bool; 2]> {
    let mut needed = IdVec::filled([false; 2], formula.terms().len());
    needed[formula.root()] = [true, false];
    for id in formula.terms().ids().rev() {
        let [positive, negative] = needed[id];
        let term = formula.terms().term(id);
        let mut need = |child: TermId, as_is: bool, flipped: bool| {
            needed[child][0] |= as_is;
            needed[child][1] |= flipped;
        };
        match term {
            Term::Not(a) => need(a, negative, positive),
            Term::Implies(a, b) => {
                need(a, negative, positive);
                need(b, positive, negative);
            }
            Term::Xor(..) | Term::Iff(..) => {
                let either = positive || negative;
                term.children().for_each(|child| need(child, either, either));
            }
            _ => term.children().for_each(|child| need(child, positive, negative)),
        }
    }
    needed
}

/// The nodes of the terms converted so far, as they are and negated.
type Copies = IdVec<TermId, [NodeId; 2]>;

/// The node for `term` if `sign`, for its negation otherwise.
fn convert(term: Term, sign: bool, copies: &Copies, nodes: &mut Nodes) -> NodeId {
    let same = |id: TermId| copies[id][usize::from(!sign)];
    let flipped = |id: TermId| copies[id][usize::from(sign)];
    let both = |nodes: &mut Nodes, conjunctive: bool, a: NodeId, b: NodeId| {
        let list = [a, b];
        nodes.intern(if conjunctive { Node::And(&list) } else { Node::Or(&list) })
    };
    match term {
        Term::True | Term::False => {
            if sign == (term == Term::True) {
                Nodes::TRUE
            } else {
                Nodes::FALSE
            }
        }
        Term::Atom(atom) => nodes.literal(atom, sign),
        Term::Not(a) => flipped(a),
        Term::And(a, b) => both(nodes, sign, same(a), same(b)),
        Term::Or(a, b) => both(nodes, !sign, same(a), same(b)),
        Term::Implies(a, b) => both(nodes, !sign, flipped(a), same(b)),
        Term::Iff(a, b) | Term::Xor(a, b) => {
            // Both are a choice between two combinations of the operands.
            let equal = sign == matches!(term, Term::Iff(..));
            let [b_with_a, b_without_a] =
                if equal { copies[b] } else { [copies[b][1], copies[b][0]] };
            let with_a = both(nodes, true, copies[a][0], b_with_a);
            let without_a = both(nodes, true, copies[a][1], b_without_a);
            both(nodes, false, with_a, without_a)
        }
        Term::Next(a) => nodes.intern(Node::Next(same(a))),
        Term::Finally(a) => fixpoint(nodes, sign, Nodes::TRUE, Nodes::FALSE, same(a)),
        Term::Globally(a) => fixpoint(nodes, !sign, Nodes::TRUE, Nodes::FALSE, same(a)),
        Term::Until(a, b) => fixpoint(nodes, sign, same(a), same(a), same(b)),
        Term::Release(a, b) => fixpoint(nodes, !sign, same(a), same(a), same(b)),
        Term::WeakUntil(a, b) => {
            // a W b = b R (a | b), and its negation is !b U (!a & !b).
            let right = both(nodes, !sign, same(a), same(b));
            fixpoint(nodes, !sign, same(b), same(b), right)
        }
        Term::StrongRelease(a, b) => {
            // a M b = b U (a & b), and its negation is !b R (!a | !b).
            let right = both(nodes, sign, same(a), same(b));
            fixpoint(nodes, sign, same(b), same(b), right)
        }
    }
}

/// `until_left U right`, or `release_left R right` unless `least`.
fn fixpoint(
    nodes: &mut Nodes,
    least: bool,
    until_left: NodeId,
    release_left: NodeId,
    right: NodeId,
) -> NodeId {
    nodes.intern(if least {
        Node::Until(until_left, right)
    } else {
        Node::Release(release_left, right)
    })
}
