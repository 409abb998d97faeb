//! Finds the nodes of an arena by value, by way of their latest child.
//!
//! In an arena that is hash-consed, each node that is built is first looked up.
//! One hash table for all nodes answers that from a random place of memory,
//! which is cheap only while the table fits into the cache. But a node is
//! mostly made of nodes that were made just before. So we keep it in a short
//! list of its *anchor*, the child with the largest id: then a look-up touches
//! what has been touched a moment ago, in arenas of any size. A node without
//! children is known by a number instead. Only where a child is the anchor of
//! many nodes, those after the first few are in a hash table.
//!
//! The arena keeps the nodes, so this does not know what a node is: callers
//! compare and hash.

// PERF: benches/translate, 10^6 untils and releases in turn: 5.8 µs per node
// with one hash table, 2.7 µs with lists. At 10^4 nodes it is 2.1 and 2.0 µs.

use crate::id::{Id, IdVec};
use hashbrown::HashTable;

/// A child has so many nodes in its list; further ones are in the hash table.
const MAX_LISTED: usize = 4;

/// Where a node is looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor<I> {
    /// The largest of its children.
    Child(I),
    /// The node has no children, and no other node has this number. Numbers
    /// should be small: they index a table.
    Number(usize),
}

impl<I: Id> Anchor<I> {
    /// The anchor of a node with these children.
    ///
    /// # Panics
    ///
    /// If there are none.
    #[must_use]
    pub fn of_children(children: impl IntoIterator<Item = I>) -> Self {
        Self::Child(children.into_iter().max().expect("a node has a number or children"))
    }
}

/// Ids of nodes by their values.
#[derive(Clone, Debug)]
pub struct Index<I> {
    /// The first id where no node has the number: callers compare anyway.
    numbered: Vec<I>,
    links: IdVec<I, Links<I>>,
    unlisted: HashTable<I>,
}

/// The part of the lists that is kept with a node. A list ends with a link
/// from a node to itself.
#[derive(Clone, Copy, Debug)]
struct Links<I> {
    /// The head of the list of nodes of which this one is the anchor.
    first: I,
    /// What follows this node in the list of its anchor.
    next: I,
}

impl<I: Id> Index<I> {
    /// An index with room for about `n_nodes` nodes.
    #[must_use]
    pub fn with_capacity(n_nodes: usize) -> Self {
        Self {
            numbered: Vec::new(),
            links: IdVec::with_capacity(n_nodes),
            unlisted: HashTable::new(),
        }
    }

    /// The node for which `is_it` holds and which was inserted under `anchor`.
    pub fn find(
        &self,
        anchor: Anchor<I>,
        hash: impl FnOnce() -> u64,
        is_it: impl Fn(I) -> bool,
    ) -> Option<I> {
        let child = match anchor {
            Anchor::Number(number) => {
                return self.numbered.get(number).copied().filter(|&id| is_it(id));
            }
            Anchor::Child(child) => child,
        };
        let mut n_listed = 0;
        for id in self.listed(child) {
            if is_it(id) {
                return Some(id);
            }
            n_listed += 1;
        }
        if n_listed < MAX_LISTED {
            return None;
        }
        self.unlisted.find(hash(), |&id| is_it(id)).copied()
    }

    /// Adds the node `id`, the next one of the arena.
    ///
    /// # Panics
    ///
    /// If `id` is not the next one, or its anchor is not in the arena.
    pub fn insert(&mut self, anchor: Anchor<I>, id: I, hash: impl Fn(I) -> u64) {
        let mut links = Links { first: id, next: id };
        match anchor {
            Anchor::Number(number) => {
                if self.numbered.len() <= number {
                    self.numbered.resize(number + 1, I::new(0));
                }
                self.numbered[number] = id;
            }
            Anchor::Child(child) => {
                if self.listed(child).count() < MAX_LISTED {
                    let second = std::mem::replace(&mut self.links[child].first, id);
                    if second != child {
                        links.next = second;
                    }
                } else {
                    self.unlisted.insert_unique(hash(id), id, |&id| hash(id));
                }
            }
        }
        assert_eq!(self.links.push(links), id, "nodes are inserted in the order of their ids");
    }

    /// The nodes in the list of `child`.
    fn listed(&self, child: I) -> impl Iterator<Item = I> {
        let follow = |from: I, to: I| (to != from).then_some(to);
        let first = follow(child, self.links[child].first);
        std::iter::successors(first, move |&id| follow(id, self.links[id].next))
    }
}

impl<I: Id> Default for Index<I> {
    fn default() -> Self {
        Self::with_capacity(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::hash;

    crate::id::define_id! { struct PairId; }

    /// An arena of numbers and pairs.
    #[derive(Default)]
    struct Pairs {
        nodes: IdVec<PairId, Result<usize, [PairId; 2]>>,
        index: Index<PairId>,
    }

    impl Pairs {
        fn intern(&mut self, node: Result<usize, [PairId; 2]>) -> PairId {
            let anchor = match node {
                Ok(number) => Anchor::Number(number),
                Err(children) => Anchor::of_children(children),
            };
            let nodes = &mut self.nodes;
            let found = self.index.find(anchor, || hash(&node), |id| nodes[id] == node);
            found.unwrap_or_else(|| {
                let id = nodes.push(node);
                self.index.insert(anchor, id, |id| hash(&nodes[id]));
                id
            })
        }
    }

    #[test]
    fn equal_nodes_have_equal_ids() {
        let mut pairs = Pairs::default();
        let numbers: Vec<PairId> = (0..40).rev().map(|number| pairs.intern(Ok(number))).collect();
        let all = |pairs: &mut Pairs| -> Vec<PairId> {
            let products = numbers.iter().flat_map(|&a| numbers.iter().map(move |&b| [a, b]));
            products.map(|pair| pairs.intern(Err(pair))).collect()
        };
        // The last number is the anchor of 79 pairs, more than a list holds.
        let once = all(&mut pairs);
        assert!(once.is_sorted_by(|a, b| a < b), "different pairs have different ids");
        assert_eq!(all(&mut pairs), once);
        assert_eq!(pairs.nodes.len(), 40 + 40 * 40);
    }

    #[test]
    fn a_number_that_was_never_given_is_not_found() {
        let mut pairs = Pairs::default();
        let (five, three) = (pairs.intern(Ok(5)), pairs.intern(Ok(3)));
        assert_ne!(five, three);
        assert_eq!([pairs.intern(Ok(5)), pairs.intern(Ok(3))], [five, three]);
        let is_it = |id: PairId| pairs.nodes[id] == Ok(4);
        assert_eq!(pairs.index.find(Anchor::Number(4), || 0, is_it), None);
        assert_eq!(pairs.index.find(Anchor::Number(400), || 0, is_it), None);
    }
}
