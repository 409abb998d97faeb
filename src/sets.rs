//! Interned sets: equal sets have equal dense ids.
//!
//! Elements are kept sorted in one flat array, so a set costs its elements
//! and twelve bytes. Nothing is ever removed.

use crate::id::{Id, IdVec};
use crate::word::hash;
use hashbrown::HashTable;

/// Sets of `T`, each known by an id of type `I`.
#[derive(Clone)]
pub struct Sets<I, T> {
    /// Where the elements of each set begin; they end where the next begins.
    starts: IdVec<I, usize>,
    elements: Vec<T>,
    by_value: HashTable<I>,
}

impl<I: Id, T: Copy + Ord + std::hash::Hash> Sets<I, T> {
    /// No set but the empty one, whose id is the first.
    #[must_use]
    pub fn new() -> Self {
        let mut sets =
            Self { starts: IdVec::new(), elements: Vec::new(), by_value: HashTable::new() };
        sets.intern(&[]);
        sets
    }

    /// The id of the empty set.
    #[must_use]
    pub fn empty() -> I {
        I::new(0)
    }

    /// The id of the set of `elements`, which are in strictly increasing
    /// order. The set is numbered now if it is new.
    pub fn intern(&mut self, elements: &[T]) -> I {
        debug_assert!(
            elements.windows(2).all(|pair| pair[0] < pair[1]),
            "sorted, without repetition"
        );
        let hash = hash(elements);
        if let Some(&id) = self.by_value.find(hash, |&id| self.elements(id) == elements) {
            return id;
        }
        let id = self.starts.push(self.elements.len());
        self.elements.extend_from_slice(elements);
        let (starts, all) = (&self.starts, &self.elements);
        self.by_value.insert_unique(hash, id, |&id| self::hash(slice(starts, all, id)));
        id
    }

    /// The elements of a set in increasing order.
    #[must_use]
    pub fn elements(&self, id: I) -> &[T] {
        slice(&self.starts, &self.elements, id)
    }

    /// The number of sets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no set; never the case.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The intersection of two sets.
    pub fn intersect(&mut self, a: I, b: I) -> I {
        if a == b {
            return a;
        }
        if a == Self::empty() || b == Self::empty() {
            return Self::empty();
        }
        let (few, many) = (self.elements(a), self.elements(b));
        let (few, many) = if few.len() < many.len() { (few, many) } else { (many, few) };
        let common: Vec<T> =
            few.iter().copied().filter(|element| many.binary_search(element).is_ok()).collect();
        self.intern(&common)
    }
}

impl<I: Id, T: Copy + Ord + std::hash::Hash> Default for Sets<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

fn slice<'a, I: Id, T>(starts: &IdVec<I, usize>, elements: &'a [T], id: I) -> &'a [T] {
    let end = starts.get(I::new(id.index() + 1)).copied().unwrap_or(elements.len());
    &elements[starts[id]..end]
}

impl<I: Id, T: Copy + Ord + std::hash::Hash + std::fmt::Debug> std::fmt::Debug for Sets<I, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.starts.ids().map(|id| self.elements(id))).finish()
    }
}

/// The items in increasing order, each once.
pub(crate) fn distinct<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_unstable();
    items.dedup();
    items
}

/// Whether each of `few` is among `many`, both in increasing order.
pub(crate) fn is_subset<T: PartialEq>(few: &[T], many: &[T]) -> bool {
    let mut rest = many.iter();
    few.len() <= many.len() && few.iter().all(|element| rest.any(|other| other == element))
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::id::define_id! { struct SetId; }

    #[test]
    fn equal_sets_have_equal_ids() {
        let mut sets: Sets<SetId, u8> = Sets::new();
        let a = sets.intern(&[1, 2, 5]);
        let b = sets.intern(&[2, 3, 5]);
        assert_eq!(sets.intern(&[1, 2, 5]), a);
        assert_eq!(sets.intern(&[]), Sets::<SetId, u8>::empty());
        let common = sets.intersect(a, b);
        assert_eq!(sets.elements(common), [2, 5]);
        assert_eq!(sets.elements(a), [1, 2, 5]);
        assert_eq!(sets.len(), 4);
    }
}
