//! Sets of signs, as bits.
//!
//! A sign is something that an edge shows or does not show, and that an
//! [`Acceptance`](super::acceptance::Acceptance) speaks about. There may be any
//! number of signs; sets of up to 64 need no allocation.

use super::SignId;
use crate::id::Id;
use smallvec::{SmallVec, smallvec};

/// A set of signs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Signs {
    words: SmallVec<[u64; 1]>,
}

impl Signs {
    /// No sign out of `n_signs`.
    #[must_use]
    pub fn none(n_signs: usize) -> Self {
        Self { words: smallvec![0; n_signs.div_ceil(64)] }
    }

    /// Makes room for `n_signs` signs.
    pub fn grow_to(&mut self, n_signs: usize) {
        self.words.resize(n_signs.div_ceil(64), 0);
    }

    /// The signs as bits: sign *i* is bit *i* mod 64 of word *i* / 64.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The same, to be changed.
    pub fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Adds a sign.
    pub fn insert(&mut self, sign: SignId) {
        self.words[sign.index() / 64] |= 1 << (sign.index() % 64);
    }

    /// Takes all signs out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Whether `sign` is in the set.
    #[must_use]
    pub fn contains(&self, sign: SignId) -> bool {
        self.words[sign.index() / 64] >> (sign.index() % 64) & 1 == 1
    }

    /// Whether there is no sign in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Adds all of `other`; says whether one of them is new.
    pub fn unite(&mut self, other: &Self) -> bool {
        let mut fresh = 0;
        for (word, &more) in self.words.iter_mut().zip(&other.words) {
            fresh |= more & !*word;
            *word |= more;
        }
        fresh != 0
    }

    /// Takes all of `other` out.
    pub fn subtract(&mut self, other: &Self) {
        for (word, &less) in self.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
    }

    /// Takes all out that are not in `other`.
    pub fn intersect(&mut self, other: &Self) {
        for (word, &both) in self.words.iter_mut().zip(&other.words) {
            *word &= both;
        }
    }

    /// Whether both sets have a sign in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Whether all signs are in `other` too.
    #[must_use]
    pub fn is_subset_of(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & !b == 0)
    }

    /// The signs in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = SignId> + '_ {
        self.words.iter().enumerate().flat_map(|(number, &word)| {
            let bits = std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
            bits.take_while(|&rest| rest != 0)
                .map(move |rest| SignId::new(number * 64 + rest.trailing_zeros() as usize))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_any_width() {
        for n_signs in [1, 64, 65, 500] {
            let [first, last] = [0, n_signs - 1].map(SignId::new);
            let mut signs = Signs::none(n_signs);
            assert!(signs.is_empty());
            signs.insert(last);
            let mut others = Signs::none(n_signs);
            others.insert(first);
            assert_eq!(signs.meets(&others), first == last);
            assert_eq!(others.unite(&signs), first != last);
            assert!(!others.unite(&signs) && signs.is_subset_of(&others));
            let mut expected = vec![first, last];
            expected.dedup();
            assert_eq!(others.iter().collect::<Vec<_>>(), expected);
            others.subtract(&signs);
            assert_eq!(others.contains(first), first != last);
            assert!(!others.contains(last));
        }
    }
}
