//! One pass: a formula rebuilt from its leaves to its root, rules applied.
//!
//! Nested lists of one operator are opened here, in the source, and not while
//! they are built: opening a list once per level of nesting would take
//! quadratic time. A nested list that is used elsewhere too stays closed unless
//! it is short, for otherwise its operands would be copied into each user.

use super::pattern::View;
use super::rewriter::Rewriter;
use super::rules::Rule;
use crate::id::IdVec;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};

/// What a pass has done.
pub(super) struct Rebuilt {
    pub(super) formula: Nnf,
    /// How often each rule was applied.
    pub(super) n_applied: Vec<u64>,
    /// Whether rules were given up before all had been applied.
    pub(super) exhausted: bool,
}

/// Rebuilds `formula` and applies `rules` to each node.
pub(super) fn rebuild(formula: &Nnf, rules: &[&'static Rule]) -> Rebuilt {
    let uses = Uses::count(formula);
    let mut rewriter = Rewriter::new(rules, uses.n_edges);
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
                let mut copied = Vec::with_capacity(operands.len());
                while let Some(operand) = open.pop() {
                    match View::new(formula.nodes.node(operand)) {
                        View::List(_, nested) if !uses.is_built[operand] => {
                            open.extend(nested.iter().rev());
                        }
                        _ => copied.push(copies[operand]),
                    }
                }
                rewriter.list(quantifier, copied)
            }
        };
    }
    let (n_applied, exhausted) = (rewriter.n_applied.clone(), rewriter.exhausted());
    let built = Nnf {
        atoms: formula.atoms.clone(),
        nodes: rewriter.into_nodes(),
        root: copies[formula.root],
    };
    Rebuilt { formula: compact(&built), n_applied, exhausted }
}

/// How the nodes of a formula are used.
struct Uses {
    /// Whether a node needs a copy of its own: the root reaches it, and it is
    /// not a list that is only an operand of one list of the same operator.
    is_built: IdVec<NodeId, bool>,
    /// How many operands all reachable nodes have, plus one for each of them.
    n_edges: u64,
}

impl Uses {
    fn count(formula: &Nnf) -> Self {
        let nodes = &formula.nodes;
        let mut n_uses: IdVec<NodeId, u32> = IdVec::filled(0, nodes.len());
        let mut is_built = IdVec::filled(false, nodes.len());
        let mut n_edges = 0;
        n_uses[formula.root] = 1;
        is_built[formula.root] = true;
        for id in nodes.ids().rev().filter(|&id| id <= formula.root) {
            if n_uses[id] == 0 {
                continue;
            }
            n_edges += 1;
            for child in nodes.children(id) {
                n_edges += 1;
                n_uses[child] = n_uses[child].saturating_add(1);
                is_built[child] |= n_uses[child] > 1 || !same_list(nodes, id, child);
            }
        }
        Self { is_built, n_edges }
    }
}

/// Whether both are conjunctions or both are disjunctions.
fn same_list(nodes: &Nodes, a: NodeId, b: NodeId) -> bool {
    matches!(
        (nodes.node(a), nodes.node(b)),
        (Node::And(_), Node::And(_)) | (Node::Or(_), Node::Or(_))
    )
}

/// `formula` without the nodes that its root cannot reach.
pub(super) fn compact(formula: &Nnf) -> Nnf {
    let reachable = formula.reachable();
    let mut nodes = Nodes::default();
    let mut copies = IdVec::filled(Nodes::TRUE, formula.nodes.len());
    let mut operands = Vec::new();
    for id in formula.nodes.ids() {
        if !reachable[id] {
            continue;
        }
        let node = formula.nodes.node(id);
        if let Node::And(list) | Node::Or(list) = node {
            operands.clear();
            operands.extend(list.iter().map(|&operand| copies[operand]));
        }
        copies[id] = nodes.intern(match node {
            Node::True | Node::False | Node::Literal { .. } => node,
            Node::And(_) => Node::And(&operands),
            Node::Or(_) => Node::Or(&operands),
            Node::Next(a) => Node::Next(copies[a]),
            Node::Until(a, b) => Node::Until(copies[a], copies[b]),
            Node::Release(a, b) => Node::Release(copies[a], copies[b]),
        });
    }
    Nnf { atoms: formula.atoms.clone(), nodes, root: copies[formula.root] }
}
