//! The macros that tokens come from: sets that grow by one macro at a time, and share
//! what they have in common.
//!
//! A set is a tree in which the number of a macro says which way to go, two bits at a time.
//! To add a macro copies the way from the root, so a chain of macros that expand to each
//! other costs little for each of them, however long it is.

use super::super::names::Map;
use super::MacroId;
use crate::id::{Id, IdVec, define_id};
use crate::work::tick;

define_id! {
    /// The macros that a token comes from.
    pub(super) struct OriginId;
}

define_id! {
    /// Those macros in a set whose numbers begin with the same bits.
    struct NodeId;
}

/// How many bits of a number are looked at in each node, and how many nodes that makes.
const N_BITS: u32 = 2;
const N_LEVELS: u32 = 32 / N_BITS;

type Node = [NodeId; 1 << N_BITS];

/// All sets there are.
#[derive(Debug)]
pub(super) struct Origins {
    /// The first one has no macros, the second one has all.
    nodes: IdVec<NodeId, Node>,
    /// The first one is the empty set.
    roots: IdVec<OriginId, NodeId>,
    /// What sets are with one macro more.
    larger: Map<(OriginId, MacroId), OriginId>,
}

/// The ways from the root of a set to a macro.
fn ways(id: MacroId) -> impl DoubleEndedIterator<Item = usize> {
    let number = id.index();
    (0..N_LEVELS).rev().map(move |level| (number >> (level * N_BITS)) % (1 << N_BITS))
}

impl Origins {
    pub(super) fn new() -> Self {
        let (none, all) = (NodeId::new(0), NodeId::new(1));
        let nodes = [[none; 1 << N_BITS], [all; 1 << N_BITS]].into_iter().collect();
        let roots = std::iter::once(none).collect();
        Self { nodes, roots, larger: Map::default() }
    }

    /// No macros.
    pub(super) fn empty() -> OriginId {
        OriginId::new(0)
    }

    pub(super) fn contains(&self, origin: OriginId, id: MacroId) -> bool {
        let root = self.roots[origin];
        let leaf = ways(id).fold(root, |node, way| {
            tick();
            self.nodes[node][way]
        });
        leaf == NodeId::new(1)
    }

    /// A set with one macro more.
    pub(super) fn with(&mut self, origin: OriginId, id: MacroId) -> OriginId {
        if let Some(&known) = self.larger.get(&(origin, id)) {
            return known;
        }
        let mut passed = [NodeId::new(0); N_LEVELS as usize];
        let mut node = self.roots[origin];
        for (way, passed) in ways(id).zip(&mut passed) {
            *passed = node;
            node = self.nodes[node][way];
        }
        node = NodeId::new(1);
        for (way, &old) in ways(id).rev().zip(passed.iter().rev()) {
            tick();
            let mut copy = self.nodes[old];
            copy[way] = node;
            node = self.nodes.push(copy);
        }
        let larger = self.roots.push(node);
        self.larger.insert((origin, id), larger);
        larger
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_grow_and_keep_what_they_were() {
        let mut origins = Origins::new();
        let numbers = [0, 1, 5, 4, 70_000, 3, 1 << 20];
        let mut sets = vec![Origins::empty()];
        for &number in &numbers {
            let last = sets[sets.len() - 1];
            sets.push(origins.with(last, MacroId::new(number)));
            assert_eq!(origins.with(last, MacroId::new(number)), sets[sets.len() - 1]);
        }
        for (n_members, &set) in sets.iter().enumerate() {
            for (position, &number) in numbers.iter().enumerate() {
                let is_member = origins.contains(set, MacroId::new(number));
                assert_eq!(is_member, position < n_members, "{number} in set {n_members}");
            }
            assert!(!origins.contains(set, MacroId::new(2)));
        }
    }
}
