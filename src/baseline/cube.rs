//! Partial letters: conjunctions of literals.

use crate::id::Id;
use crate::word::{AtomId, Letter};
use smallvec::SmallVec;

/// A consistent conjunction of literals, the label of an edge. It allows the
/// letters on which all of them are true.
///
/// ```
/// use lwaa::baseline::Cube;
/// use lwaa::id::Id;
/// use lwaa::word::AtomId;
/// let (p, q) = (AtomId::new(0), AtomId::new(1));
/// let cube = Cube::literal(p, true).and(&Cube::literal(q, false)).unwrap();
/// assert!(cube.allows(&[p].into_iter().collect()));
/// assert!(cube.implies(&Cube::literal(q, false)));
/// assert_eq!(cube.and(&Cube::literal(p, false)), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cube {
    /// For every 64 atoms those that must be true and those that must be false;
    /// the last pair has a bit set.
    words: SmallVec<[[u64; 2]; 1]>,
}

impl Cube {
    /// The empty conjunction.
    #[must_use]
    pub fn truth() -> Self {
        Self::default()
    }

    /// One literal.
    #[must_use]
    pub fn literal(atom: AtomId, positive: bool) -> Self {
        let mut words: SmallVec<[[u64; 2]; 1]> = SmallVec::from_elem([0; 2], atom.index() / 64 + 1);
        words[atom.index() / 64][usize::from(!positive)] = 1 << (atom.index() % 64);
        Self { words }
    }

    /// The conjunction of two, unless they contradict each other.
    #[must_use]
    pub fn and(&self, other: &Self) -> Option<Self> {
        let (few, many) =
            if self.words.len() < other.words.len() { (self, other) } else { (other, self) };
        let mut words = many.words.clone();
        for (word, more) in words.iter_mut().zip(&few.words) {
            *word = [word[0] | more[0], word[1] | more[1]];
            if word[0] & word[1] != 0 {
                return None;
            }
        }
        Some(Self { words })
    }

    /// The cube that allows what one of the two allows, if they have the same
    /// literals but for the sign of one.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        if self.words.len() != other.words.len() {
            return None;
        }
        let mut words = self.words.clone();
        let mut n_different = 0;
        for (word, theirs) in words.iter_mut().zip(&other.words) {
            let [yes, no] = [word[0] ^ theirs[0], word[1] ^ theirs[1]];
            if yes != no {
                return None;
            }
            n_different += yes.count_ones();
            *word = [word[0] & !yes, word[1] & !no];
        }
        while words.last() == Some(&[0, 0]) {
            words.pop();
        }
        (n_different == 1).then_some(Self { words })
    }

    /// Whether every letter that this allows is one that `other` allows.
    #[must_use]
    pub fn implies(&self, other: &Self) -> bool {
        // From the end, since the last word of a cube is never empty.
        other.words.len() <= self.words.len()
            && other
                .words
                .iter()
                .zip(&self.words[..other.words.len()])
                .rev()
                .all(|(few, many)| few[0] & !many[0] == 0 && few[1] & !many[1] == 0)
    }

    /// Whether this is the empty conjunction.
    #[must_use]
    pub fn is_truth(&self) -> bool {
        self.words.is_empty()
    }

    /// The literals, in the order of the atoms.
    pub fn literals(&self) -> impl Iterator<Item = (AtomId, bool)> + '_ {
        self.words.iter().enumerate().flat_map(|(number, &[yes, no])| {
            // Most words of a cube over many atoms are empty.
            let bits =
                std::iter::successors(Some(yes | no), |&rest| Some(rest & rest.wrapping_sub(1)));
            bits.take_while(|&rest| rest != 0).map(move |rest| {
                let bit = rest.trailing_zeros();
                (AtomId::new(number * 64 + bit as usize), yes >> bit & 1 == 1)
            })
        })
    }

    /// What can be compared quickly: if one cube implies another, the bits of its
    /// summary contain those of the other's.
    #[must_use]
    pub(super) fn summary(&self) -> [u64; 2] {
        let both = |[yes, no]: [u64; 2], word: &[u64; 2]| [yes | word[0], no | word[1]];
        self.words.iter().fold([0, 0], both)
    }

    /// How many literals there are.
    #[must_use]
    pub fn n_literals(&self) -> usize {
        let count = |word: &[u64; 2]| (word[0] | word[1]).count_ones() as usize;
        self.words.iter().map(count).sum()
    }

    /// Whether all literals are true on `letter`.
    #[must_use]
    pub fn allows(&self, letter: &Letter) -> bool {
        self.literals().all(|(atom, positive)| letter.contains(atom) == positive)
    }

    /// The same for a letter as bits by atom, of all atoms.
    #[inline]
    #[must_use]
    pub fn allows_bits(&self, letter: &[u64]) -> bool {
        self.words.iter().zip(letter).all(|(&[yes, no], &bits)| yes & !bits == 0 && no & bits == 0)
    }

    /// A letter that this allows: all other atoms are false.
    #[must_use]
    pub fn letter(&self) -> Letter {
        self.literals().filter(|&(_, positive)| positive).map(|(atom, _)| atom).collect()
    }
}

/// Whether a cube with the first summary may imply one with the second.
#[inline]
pub(super) fn may_imply(many: [u64; 2], few: [u64; 2]) -> bool {
    few[0] & !many[0] == 0 && few[1] & !many[1] == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_come_in_the_order_of_atoms() {
        let literal = |atom, positive| Cube::literal(AtomId::new(atom), positive);
        let cube = literal(200, true).and(&literal(0, false)).unwrap();
        let cube = cube.and(&literal(63, true)).unwrap();
        let found: Vec<(usize, bool)> =
            cube.literals().map(|(a, sign)| (a.index(), sign)).collect();
        assert_eq!(found, [(0, false), (63, true), (200, true)]);
        assert!(may_imply(cube.summary(), literal(63, true).summary()));
        assert!(!may_imply(cube.summary(), literal(63, false).summary()));
        assert!(!may_imply(literal(63, true).summary(), cube.summary()));
    }

    #[test]
    fn cubes_that_differ_in_one_sign_are_joined() {
        let literal = |atom, positive| Cube::literal(AtomId::new(atom), positive);
        let both = |a: &Cube, b: &Cube| a.and(b).unwrap();
        let (p, not_p, q) = (literal(3, true), literal(3, false), literal(70, false));
        assert_eq!(p.join(&not_p), Some(Cube::truth()));
        assert_eq!(both(&p, &q).join(&both(&not_p, &q)), Some(q.clone()));
        assert_eq!(both(&p, &q).join(&both(&p, &literal(70, true))), Some(p.clone()));
        assert_eq!(p.join(&p), None);
        assert_eq!(p.join(&q), None);
        assert_eq!(p.join(&both(&not_p, &q)), None);
        assert_eq!(both(&p, &q).join(&both(&not_p, &literal(70, true))), None);
    }
}
