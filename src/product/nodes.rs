//! Nodes of a product: pairs of a state of the system and one of the automaton (a configuration,
//! where it is alternating), 64 bits each.
//!
//! Most states of the system meet only few of the automaton, so the nodes of a state form a
//! short chain that begins at the state's number: finding a node costs a look
//! into a dense table and a few records. From the ninth node of a
//! state on, nodes are found through a hash table instead.

use crate::id::{Id, IdVec};
use crate::search::NodeId;
use crate::store::StateId;
use crate::word::hash;
use hashbrown::HashTable;

/// How many nodes of a state are found through its chain.
const CHAIN: usize = 8;

/// Pairs, each known by its id.
#[derive(Debug)]
pub(super) struct Nodes<C> {
    records: IdVec<NodeId, Record<C>>,
    first: IdVec<StateId, Link>,
    crowded: HashTable<NodeId>,
}

#[derive(Clone, Copy, Debug)]
struct Record<C> {
    state: StateId,
    of: C,
    /// The next node of the same state.
    next: Link,
}

/// Perhaps a node: its number counted from 1, or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link(u32);

impl Link {
    const NONE: Self = Self(0);

    fn to(node: NodeId) -> Self {
        Self(u32::try_from(node.index() + 1).expect("fewer than 2^32 - 1 nodes"))
    }

    fn node(self) -> Option<NodeId> {
        (self.0 as usize).checked_sub(1).map(NodeId::new)
    }
}

impl<C> Default for Nodes<C> {
    fn default() -> Self {
        Self { records: IdVec::new(), first: IdVec::new(), crowded: HashTable::new() }
    }
}

impl<C: Id> Nodes<C> {
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    #[inline]
    pub(super) fn pair(&self, node: NodeId) -> (StateId, C) {
        let record = &self.records[node];
        (record.state, record.of)
    }

    /// The node of a pair, if it is one of the first of its state.
    #[inline]
    pub(super) fn find(&self, state: StateId, of: C) -> Option<NodeId> {
        let mut link = *self.first.get(state)?;
        for _ in 0..CHAIN {
            let node = link.node()?;
            let record = &self.records[node];
            if record.of == of {
                return Some(node);
            }
            link = record.next;
        }
        None
    }

    /// The node of a pair, which is numbered now if it is new.
    #[inline]
    pub(super) fn intern(&mut self, state: StateId, of: C) -> NodeId {
        self.first.grow_to(state, Link::NONE);
        let mut last = None;
        let mut link = self.first[state];
        for _ in 0..CHAIN {
            let Some(node) = link.node() else {
                let fresh = self.records.push(Record { state, of, next: Link::NONE });
                match last {
                    None => self.first[state] = Link::to(fresh),
                    Some(last) => {
                        let last: NodeId = last;
                        self.records[last].next = Link::to(fresh);
                    }
                }
                return fresh;
            };
            if self.records[node].of == of {
                return node;
            }
            last = Some(node);
            link = self.records[node].next;
        }
        self.intern_crowded(state, of)
    }

    fn intern_crowded(&mut self, state: StateId, of: C) -> NodeId {
        let records = &mut self.records;
        let hash_of = |record: &Record<C>| hash(&(record.state, record.of));
        let record = Record { state, of, next: Link::NONE };
        let known = self
            .crowded
            .find(hash_of(&record), |&node| records[node].state == state && records[node].of == of);
        if let Some(&node) = known {
            return node;
        }
        let node = records.push(record);
        self.crowded.insert_unique(hash_of(&record), node, |&node| hash_of(&records[node]));
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::configuration::ConfigId;

    #[test]
    fn equal_pairs_are_one_node_however_many_there_are() {
        let mut nodes = Nodes::default();
        let pairs: Vec<(StateId, ConfigId)> = (0..3000)
            .map(|number| (StateId::new(number % 7), ConfigId::new(number % 300)))
            .collect();
        let ids: Vec<NodeId> =
            pairs.iter().map(|&(state, config)| nodes.intern(state, config)).collect();
        for (&(state, config), &id) in pairs.iter().zip(&ids) {
            assert_eq!(nodes.intern(state, config), id);
            assert_eq!(nodes.pair(id), (state, config));
        }
        assert_eq!(nodes.len(), 2100);
    }
}
