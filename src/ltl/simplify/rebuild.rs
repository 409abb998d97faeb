//! One pass: a formula rebuilt from its leaves to its root, rules applied.
//!
//! Nested lists of one operator are opened here, in the source, and not while
//! they are built: opening a list once per level of nesting would take
//! quadratic time. A nested list that is used elsewhere too stays closed unless
//! it is short, for otherwise its operands would be copied into each user.

use super::rewriter::Rewriter;
use super::rules::Rule;
use crate::id::IdVec;
use crate::ltl::dual::View;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};
use crate::word::hash;

/// What a pass has done.
pub(super) struct Rebuilt {
    /// The result; the root may not reach all of its nodes.
    pub(super) formula: Nnf,
    /// How often each rule was applied.
    pub(super) n_applied: Vec<u64>,
    /// Whether rules were given up before all had been applied.
    pub(super) exhausted: bool,
}

/// Rebuilds `formula` and applies `rules` to each node.
pub(super) fn rebuild(formula: &Nnf, rules: &[&'static Rule]) -> Rebuilt {
    let uses = Uses::count(formula);
    let mut rewriter = Rewriter::new(rules, uses.n_nodes, uses.n_operands);
    let mut copies = IdVec::filled(Nodes::TRUE, formula.nodes.len());
    let mut open = Vec::new();
    for id in formula.nodes.ids() {
        if !uses.is_built[id] {
            continue;
        }
        let node = formula.nodes.node(id);
        copies[id] = match View::new(node) {
            View::Leaf => rewriter.leaf(node),
            View::Next(argument) => rewriter.next(copies[argument]),
            View::Fixpoint(quantifier, left, right) => {
                rewriter.fixpoint(quantifier, copies[left], copies[right])
            }
            View::List(quantifier, operands) => {
                open.extend(operands.iter().rev());
                let mut list = Vec::with_capacity(operands.len());
                while let Some(operand) = open.pop() {
                    match View::new(formula.nodes.node(operand)) {
                        View::List(_, nested) if !uses.is_built[operand] => {
                            open.extend(nested.iter().rev());
                        }
                        _ => list.push(copies[operand]),
                    }
                }
                rewriter.list(quantifier, list)
            }
        };
    }
    let (n_applied, exhausted) = (rewriter.n_applied.clone(), rewriter.exhausted());
    let (nodes, root) = (rewriter.into_nodes(), copies[formula.root]);
    Rebuilt { formula: Nnf { atoms: formula.atoms.clone(), nodes, root }, n_applied, exhausted }
}

/// How the nodes of a formula are used.
struct Uses {
    /// Whether a node needs a copy of its own: the root reaches it, and it is
    /// not a list that is only an operand of one list of the same operator.
    is_built: IdVec<NodeId, bool>,
    /// How many nodes the root reaches.
    n_nodes: usize,
    /// How many operands those have.
    n_operands: usize,
}

impl Uses {
    fn count(formula: &Nnf) -> Self {
        let nodes = &formula.nodes;
        let mut n_uses: IdVec<NodeId, u32> = IdVec::filled(0, nodes.len());
        let mut is_built = IdVec::filled(false, nodes.len());
        let (mut n_nodes, mut n_operands) = (0, 0);
        n_uses[formula.root] = 1;
        is_built[formula.root] = true;
        for id in nodes.ids().rev().filter(|&id| id <= formula.root) {
            if n_uses[id] == 0 {
                continue;
            }
            n_nodes += 1;
            for child in nodes.children(id) {
                n_operands += 1;
                n_uses[child] = n_uses[child].saturating_add(1);
                is_built[child] |= n_uses[child] > 1 || !nodes.are_same_list(id, child);
            }
        }
        Self { is_built, n_nodes, n_operands }
    }
}

/// `formula` without the nodes that its root cannot reach.
pub(super) fn compact(formula: Nnf) -> Nnf {
    let reachable = formula.reachable();
    let n_reachable = reachable.iter().filter(|&&reachable| reachable).count();
    if formula.nodes.len() <= n_reachable + 2 {
        return formula; // The root may reach neither of the two constants.
    }
    let mut nodes = Nodes::with_capacity(n_reachable);
    let mut copies = IdVec::filled(Nodes::TRUE, formula.nodes.len());
    for id in formula.nodes.ids().filter(|&id| reachable[id]) {
        copies[id] = nodes.intern_copy(formula.nodes.node(id), |operand| copies[operand]);
    }
    Nnf { atoms: formula.atoms, nodes, root: copies[formula.root] }
}

/// A number that is the same for formulas which differ in the numbering of
/// their nodes and the order of operands only, and hardly ever for others.
pub(super) fn fingerprint(formula: &Nnf) -> u64 {
    let reachable = formula.reachable();
    let mut prints: IdVec<NodeId, u64> = IdVec::filled(0, formula.nodes.len());
    for id in formula.nodes.ids().filter(|&id| reachable[id]) {
        let print = |child: NodeId| prints[child];
        let sum = |list: &[NodeId]| {
            list.iter().fold(0u64, |sum, &operand| sum.wrapping_add(hash(&print(operand))))
        };
        prints[id] = match formula.nodes.node(id) {
            leaf @ (Node::True | Node::False | Node::Literal { .. }) => hash(&leaf),
            Node::And(list) => hash(&(1, sum(list))),
            Node::Or(list) => hash(&(2, sum(list))),
            Node::Next(a) => hash(&(3, print(a))),
            Node::Until(a, b) => hash(&(4, print(a), print(b))),
            Node::Release(a, b) => hash(&(5, print(a), print(b))),
        };
    }
    prints[formula.root]
}
