//! Formulas of their own, with their own atoms, out of an arena for many.

use crate::id::IdVec;
use crate::ltl::nnf::{Nnf, Node, NodeId, Nodes};
use crate::word::{AtomId, Atoms};

/// Copies formulas out of an arena, each in time near-linear in its own size.
pub(super) struct Extractor<'a> {
    nodes: &'a Nodes,
    atoms: &'a Atoms,
    /// The copies of nodes that have been seen for the formula `n_formulas`.
    copies: IdVec<NodeId, NodeId>,
    seen: IdVec<NodeId, u32>,
    n_formulas: u32,
    numbers: IdVec<AtomId, AtomId>,
}

impl<'a> Extractor<'a> {
    pub(super) fn new(nodes: &'a Nodes, atoms: &'a Atoms) -> Self {
        Self {
            nodes,
            atoms,
            copies: nodes.ids().collect(),
            seen: IdVec::filled(0, nodes.len()),
            n_formulas: 0,
            numbers: atoms.iter().map(|(atom, _)| atom).collect(),
        }
    }

    /// The formula `root`; its atoms are in the order that they had before.
    pub(super) fn extract(&mut self, root: NodeId) -> Nnf {
        let reachable = self.reachable(root);
        let mut used: Vec<AtomId> = reachable
            .iter()
            .filter_map(|&id| match self.nodes.node(id) {
                Node::Literal { atom, .. } => Some(atom),
                _ => None,
            })
            .collect();
        used.sort_unstable();
        let mut atoms = Atoms::default();
        for atom in used {
            self.numbers[atom] = atoms.intern(self.atoms.name(atom));
        }
        let mut nodes = Nodes::with_capacity(reachable.len());
        for id in reachable {
            let copy = match self.nodes.node(id) {
                Node::Literal { atom, positive } => nodes.literal(self.numbers[atom], positive),
                node => nodes.intern_copy(node, |operand| self.copies[operand]),
            };
            self.copies[id] = copy;
        }
        Nnf { atoms, nodes, root: self.copies[root] }
    }

    /// What `root` can reach, children before parents.
    fn reachable(&mut self, root: NodeId) -> Vec<NodeId> {
        self.n_formulas += 1;
        let mut reachable = Vec::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if self.seen[id] != self.n_formulas {
                self.seen[id] = self.n_formulas;
                reachable.push(id);
                open.extend(self.nodes.children(id));
            }
        }
        reachable.sort_unstable();
        reachable
    }
}
