//! Small sets of small numbers, as bits.

use smallvec::SmallVec;

/// A set of numbers that grows as needed; up to 128 need no allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bits {
    /// Number *i* is bit *i* mod 64 of word *i* / 64; the last word is not zero.
    words: SmallVec<[u64; 2]>,
}

impl Bits {
    /// The set of `number`.
    pub(super) fn single(number: usize) -> Self {
        let mut bits = Self::default();
        bits.insert(number);
        bits
    }

    /// Adds a number.
    pub(super) fn insert(&mut self, number: usize) {
        if self.words.len() <= number / 64 {
            self.words.resize(number / 64 + 1, 0);
        }
        self.words[number / 64] |= 1 << (number % 64);
    }

    /// Whether `number` is in the set.
    pub(super) fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Adds all of `other`.
    pub(super) fn unite(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Takes all out that are not in `other`.
    pub(super) fn intersect(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        for (word, both) in self.words.iter_mut().zip(&other.words) {
            *word &= both;
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    /// What is in one of the sets.
    pub(super) fn or(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.unite(other);
        both
    }

    /// What is in this set but not in `other`.
    pub(super) fn minus(&self, other: &Self) -> Self {
        let mut rest = self.clone();
        for (word, less) in rest.words.iter_mut().zip(&other.words) {
            *word &= !less;
        }
        rest.trim();
        rest
    }

    /// Whether all numbers are in `other` too.
    pub(super) fn is_subset_of(&self, other: &Self) -> bool {
        self.words.len() <= other.words.len()
            && self.words.iter().zip(&other.words).all(|(few, many)| few & !many == 0)
    }

    /// Whether no number is in both sets.
    pub(super) fn is_disjoint_from(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).all(|(a, b)| a & b == 0)
    }

    /// The numbers in increasing order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(place, &word)| {
            let bits = std::iter::successors(Some(word), |&rest| Some(rest & rest.wrapping_sub(1)));
            bits.take_while(|&rest| rest != 0)
                .map(move |rest| place * 64 + rest.trailing_zeros() as usize)
        })
    }
}

impl FromIterator<usize> for Bits {
    fn from_iter<T: IntoIterator<Item = usize>>(numbers: T) -> Self {
        let mut bits = Self::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_are_equal_whatever_their_history() {
        let far: Bits = [3, 64, 200].into_iter().collect();
        let near = Bits::single(3);
        assert_eq!(far.minus(&[64, 200].into_iter().collect()), near);
        assert_eq!(near.or(&far), far);
        let mut both = far.clone();
        both.intersect(&[3, 65].into_iter().collect());
        assert_eq!(both, near);
        assert!(near.is_subset_of(&far) && !far.is_subset_of(&near));
        assert_eq!(far.iter().collect::<Vec<_>>(), [3, 64, 200]);
        assert_eq!((far.len(), far.contains(64), far.contains(65)), (3, true, false));
        assert_eq!(near.minus(&far), Bits::default());
        assert!(far.minus(&near).is_disjoint_from(&near) && !far.is_disjoint_from(&near));
    }
}
