//! Takes a formula apart into what has to recur and the rest.
//!
//! `G F p` and `F G p` say nothing about any particular position, so an
//! automaton need not follow them: the search can look at the letters of a
//! cycle instead. For this they have to stand at the top. A *recurrence* is a
//! positive boolean combination of such formulas, each over a `p` without
//! temporal operators. It holds everywhere or nowhere, and so every operator
//! lets it out (`laws.rs`): the formula becomes a disjunction of *parts*, each
//! the conjunction of a recurrence and a rest.
//!
//! A recurrence is never multiplied out, however large it is. What costs are
//! disjunctions of recurrences and other formulas: a conjunction of n of them
//! has 2ⁿ parts. So the number of parts is limited, and what would go beyond
//! stays in the rest as it was.
//!
//! [`simplify`](super::simplify) pulls recurrences out too, but only where this
//! guesses nothing; here each guess is a part of its own.

mod arena;
mod extract;
mod laws;
mod sum;
#[cfg(test)]
mod tests;

use super::dual::Quantifier;
use super::nnf::{Nnf, Node, NodeId, Nodes};
use crate::id::IdVec;
use crate::word::Atoms;
use arena::{Arena, is_propositional, is_recurrent};
use extract::Extractor;
use laws::Operand;
use sum::Disjunct;

/// How far formulas are taken apart.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// A node has so many disjuncts at most; two at least are allowed.
    n_disjuncts: usize,
    /// A formula has so many parts at most; two at least are allowed.
    n_parts: usize,
    /// All parts together have about so many nodes at most, unless two parts
    /// have more: most of a formula may be in each of its parts.
    n_nodes: usize,
}

const LIMITS: Limits = Limits { n_disjuncts: 16, n_parts: 64, n_nodes: 1 << 22 };

/// One disjunct of a formula: `rest & recurrence`.
#[derive(Clone, Debug)]
pub struct Part {
    /// What an automaton has to do. Its atoms are those that occur in it.
    pub rest: Nnf,
    /// A positive boolean combination of `G F p` and `F G p`, where no
    /// temporal operator occurs in any `p`, or `true`. Its atoms are those that
    /// occur in it.
    pub recurrence: Nnf,
}

/// Parts whose disjunction is equivalent to `formula`.
///
/// Without a part, the formula is false by its form. A formula in which there
/// is no recurrence is its only part, as it is.
///
/// ```
/// use lwaa::ltl::{Formula, nnf, split::split};
/// let formula = Formula::parse("(G F a -> G F b) & G (c -> F G d)")?;
/// let parts: Vec<[String; 2]> = split(&nnf::from_formula(&formula))
///     .iter()
///     .map(|part| [&part.rest, &part.recurrence].map(|nnf| nnf.to_formula().to_string()))
///     .collect();
/// assert_eq!(parts[0], ["true", "(F G !a | G F b) & F G d"]);
/// assert_eq!(parts[1], ["G !c", "F G !a | G F b"]);
/// assert_eq!(parts.len(), 2);
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn split(formula: &Nnf) -> Vec<Part> {
    split_within(formula, LIMITS)
}

fn split_within(formula: &Nnf, limits: Limits) -> Vec<Part> {
    let uses = Uses::new(formula);
    if formula.root == Nodes::FALSE {
        return Vec::new();
    }
    if !uses.has_recurrence[formula.root] {
        let whole = Disjunct { recurrence: Nodes::TRUE, rest: formula.root };
        return extract(&formula.nodes, &formula.atoms, &[whole]);
    }
    let (nodes, disjuncts) = take_apart(formula, uses, limits);
    extract(&nodes, &formula.atoms, &disjuncts)
}

fn extract(nodes: &Nodes, atoms: &Atoms, disjuncts: &[Disjunct]) -> Vec<Part> {
    let mut extractor = Extractor::new(nodes, atoms);
    disjuncts
        .iter()
        .map(|disjunct| Part {
            rest: extractor.extract(disjunct.rest),
            recurrence: extractor.extract(disjunct.recurrence),
        })
        .collect()
}

/// `G F p` or `F G p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recurring {
    /// `G F p`: again and again.
    InfinitelyOften(NodeId),
    /// `F G p`: from some position on.
    AlmostAlways(NodeId),
}

impl Recurring {
    /// The node `id` as a limit, if it is one, over whatever formula.
    ///
    /// In [`Part::recurrence`], a node that is reached from the root by way of
    /// conjunctions and disjunctions only is one of these, a limit, or `true`.
    #[must_use]
    pub fn new(nodes: &Nodes, id: NodeId) -> Option<Self> {
        match nodes.node(id) {
            Node::Release(Nodes::FALSE, inner) => match nodes.node(inner) {
                Node::Until(Nodes::TRUE, argument) => Some(Self::InfinitelyOften(argument)),
                _ => None,
            },
            Node::Until(Nodes::TRUE, inner) => match nodes.node(inner) {
                Node::Release(Nodes::FALSE, argument) => Some(Self::AlmostAlways(argument)),
                _ => None,
            },
            _ => None,
        }
    }

    /// What holds infinitely often or almost always.
    #[must_use]
    pub fn argument(self) -> NodeId {
        match self {
            Self::InfinitelyOften(argument) | Self::AlmostAlways(argument) => argument,
        }
    }
}

/// What has to be known about the nodes before they are taken apart.
struct Uses {
    n_reachable: usize,
    is_reachable: IdVec<NodeId, bool>,
    /// Whether no temporal operator occurs.
    is_propositional: IdVec<NodeId, bool>,
    /// Whether a limit over a propositional formula occurs.
    has_recurrence: IdVec<NodeId, bool>,
    /// Whether a list is only an operand of one list of the same operator.
    /// Such lists are opened: limits are better kept on all operands at once.
    is_nested: IdVec<NodeId, bool>,
}

impl Uses {
    fn new(formula: &Nnf) -> Self {
        let nodes = &formula.nodes;
        let mut propositional = IdVec::with_capacity(nodes.len());
        let mut has_recurrence = IdVec::with_capacity(nodes.len());
        for id in nodes.ids() {
            propositional.push(is_propositional(nodes, id, &propositional));
            let below = nodes.children(id).any(|child| has_recurrence[child]);
            has_recurrence.push(below || is_recurrent(nodes, id, &propositional));
        }
        let mut n_uses: IdVec<NodeId, u32> = IdVec::filled(0, nodes.len());
        let mut is_nested = IdVec::filled(false, nodes.len());
        let mut n_reachable = 0;
        n_uses[formula.root] = 1;
        for id in nodes.ids().rev().filter(|&id| id <= formula.root) {
            if n_uses[id] == 0 {
                continue;
            }
            n_reachable += 1;
            for child in nodes.children(id) {
                n_uses[child] = n_uses[child].saturating_add(1);
                is_nested[child] = n_uses[child] == 1 && nodes.are_same_list(id, child);
            }
        }
        let is_reachable = n_uses.iter().map(|&n_uses| n_uses != 0).collect();
        Self {
            n_reachable,
            is_reachable,
            is_propositional: propositional,
            has_recurrence,
            is_nested,
        }
    }
}

/// The disjuncts of `formula` and the arena that they are in.
fn take_apart(formula: &Nnf, mut uses: Uses, limits: Limits) -> (Nodes, Vec<Disjunct>) {
    let is_propositional = std::mem::take(&mut uses.is_propositional);
    let mut arena = Arena::new(formula.nodes.clone(), is_propositional);
    // The disjuncts of nodes that are not taken as they are.
    let mut disjuncts: IdVec<NodeId, Option<Box<[Disjunct]>>> =
        formula.nodes.ids().map(|_| None).collect();
    let max_parts = (limits.n_nodes / uses.n_reachable).clamp(2, limits.n_parts);
    let is_wanted =
        |&id: &NodeId| uses.is_reachable[id] && uses.has_recurrence[id] && !uses.is_nested[id];
    for id in formula.nodes.ids().filter(is_wanted) {
        let limit = if id == formula.root { max_parts } else { limits.n_disjuncts.min(max_parts) };
        let operand = |node: NodeId| Operand { node, disjuncts: disjuncts[node].as_deref() };
        let operands =
            |list| opened(formula, &uses, list).into_iter().map(operand).collect::<Vec<_>>();
        let found = match formula.nodes.node(id) {
            _ if arena.is_recurrent(id) => Some(laws::limit(&arena, id)),
            Node::True | Node::False | Node::Literal { .. } => None,
            Node::And(list) => laws::conjunction(&mut arena, &operands(list), limit),
            Node::Or(list) => laws::disjunction(&mut arena, &operands(list), limit),
            Node::Next(a) => laws::next(&mut arena, operand(a)),
            Node::Until(a, b) => {
                laws::fixpoint(&mut arena, Quantifier::Any, [a, b].map(operand), limit)
            }
            Node::Release(a, b) => {
                laws::fixpoint(&mut arena, Quantifier::All, [a, b].map(operand), limit)
            }
        };
        disjuncts[id] = found.map(Vec::into_boxed_slice);
    }
    let root = Operand { node: formula.root, disjuncts: disjuncts[formula.root].as_deref() };
    (arena.into_nodes(), root.to_vec())
}

/// The operands of a list, with those of nested lists in their place.
fn opened(formula: &Nnf, uses: &Uses, list: &[NodeId]) -> Vec<NodeId> {
    let mut operands = Vec::with_capacity(list.len());
    let mut open: Vec<NodeId> = list.iter().rev().copied().collect();
    while let Some(id) = open.pop() {
        match formula.nodes.node(id) {
            Node::And(nested) | Node::Or(nested)
                if uses.is_nested[id] && uses.has_recurrence[id] =>
            {
                open.extend(nested.iter().rev());
            }
            _ => operands.push(id),
        }
    }
    operands
}
