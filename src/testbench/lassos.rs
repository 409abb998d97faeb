//! Lasso words: random ones, and all short ones.

use super::Random;
use crate::id::Id;
use crate::word::{AtomId, Lasso, Letter};

/// A random lasso over the atoms numbered from 0 to `n_atoms` - 1, with at
/// most `max_prefix` positions before the cycle and from 1 to `max_cycle` in
/// it. Each atom is true at each position with probability one half.
///
/// ```
/// use lwaa::testbench::{Random, lassos::random_lasso};
/// let lasso = random_lasso(2, 3, 4, &mut Random::new(1));
/// assert!(lasso.prefix().len() <= 3 && lasso.cycle().len() <= 4);
/// ```
///
/// # Panics
///
/// If `max_cycle` is zero: a lasso has a cycle.
pub fn random_lasso(
    n_atoms: usize,
    max_prefix: usize,
    max_cycle: usize,
    random: &mut Random,
) -> Lasso<Letter> {
    let n_prefix = random.below(max_prefix + 1);
    let n_cycle = 1 + random.below(max_cycle);
    let mut letter = || (0..n_atoms).filter(|_| random.coin()).map(AtomId::new).collect();
    let prefix: Vec<Letter> = (0..n_prefix).map(|_| letter()).collect();
    let cycle: Vec<Letter> = (0..n_cycle).map(|_| letter()).collect();
    Lasso::new(prefix, cycle).expect("the cycle has at least one letter")
}

/// All infinite words over `n_atoms` atoms that can be written as a lasso with
/// at most `max_positions` positions, each once and in its shortest form.
///
/// There are exponentially many in the product of the two numbers.
///
/// ```
/// use lwaa::testbench::lassos::all_lassos;
/// // Without atoms there is one word; with one atom, two words are constant.
/// assert_eq!(all_lassos(0, 4).count(), 1);
/// assert_eq!(all_lassos(1, 1).count(), 2);
/// // Two change at once and stay, and two alternate.
/// assert_eq!(all_lassos(1, 2).count(), 6);
/// ```
///
/// # Panics
///
/// If there are so many atoms that it would never end.
pub fn all_lassos(n_atoms: usize, max_positions: usize) -> impl Iterator<Item = Lasso<Letter>> {
    assert!(n_atoms < 32, "too many atoms to enumerate");
    let n_letters = 1_u32 << n_atoms;
    (1..=max_positions).flat_map(move |n_positions| {
        all_sequences(n_positions, n_letters).flat_map(move |codes| {
            (0..n_positions)
                .filter(|&n_prefix| is_shortest(&codes[..n_prefix], &codes[n_prefix..]))
                .map(|n_prefix| lasso(&codes, n_prefix))
                // Collected, since the iterator must not borrow from `codes`.
                .collect::<Vec<_>>()
        })
    })
}

/// All sequences of `len` numbers below `bound`, in lexicographic order.
fn all_sequences(len: usize, bound: u32) -> impl Iterator<Item = Vec<u32>> {
    std::iter::successors(Some(vec![0; len]), move |sequence| {
        let mut sequence = sequence.clone();
        let place = sequence.iter().rposition(|&number| number + 1 < bound)?;
        sequence[place] += 1;
        sequence[place + 1..].fill(0);
        Some(sequence)
    })
}

/// Whether no lasso with fewer positions stands for the same word: the cycle
/// repeats nothing, and the prefix ends with something else than the cycle.
fn is_shortest(prefix: &[u32], cycle: &[u32]) -> bool {
    let repeats = |period: usize| {
        cycle.len().is_multiple_of(period)
            && cycle.iter().zip(&cycle[period..]).all(|(one, other)| one == other)
    };
    prefix.last() != cycle.last() && !(1..cycle.len()).any(repeats)
}

/// The lasso of the letters with these numbers, a bit for each atom.
fn lasso(codes: &[u32], n_prefix: usize) -> Lasso<Letter> {
    let letter =
        |&code: &u32| (0..32).filter(|atom| code >> atom & 1 == 1).map(AtomId::new).collect();
    let mut prefix: Vec<Letter> = codes.iter().map(letter).collect();
    let cycle = prefix.split_off(n_prefix);
    Lasso::new(prefix, cycle).expect("the prefix is shorter than the whole")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::family::FAMILIES;
    use crate::ltl::semantics::holds;
    use std::collections::HashSet;

    /// The first letters of the word, enough to tell short lassos apart.
    fn beginning(lasso: &Lasso<Letter>) -> Vec<Letter> {
        (0..24).map(|position| lasso.at(position).clone()).collect()
    }

    #[test]
    fn enumeration_has_every_word_once() {
        for (n_atoms, max_positions) in [(1, 6), (2, 3), (3, 2)] {
            let words: Vec<_> = all_lassos(n_atoms, max_positions).collect();
            let different: HashSet<_> = words.iter().map(beginning).collect();
            assert_eq!(words.len(), different.len());
            let mut random = Random::new(0);
            for _ in 0..1000 {
                let n_cycle = 1 + random.below(max_positions);
                let lasso = random_lasso(n_atoms, max_positions - n_cycle, n_cycle, &mut random);
                assert!(different.contains(&beginning(&lasso)), "{lasso:?}");
            }
        }
    }

    #[test]
    fn unsatisfiable_families_have_no_short_model() {
        for family in FAMILIES.iter().filter(|family| !family.satisfiable) {
            for (n, max_positions) in [(1, 4), (2, 2)] {
                let formula = family.formula(n).unwrap();
                let mut words = all_lassos(formula.atoms().len(), max_positions);
                assert!(words.all(|word| !holds(&formula, &word)), "{} {n}", family.name);
            }
        }
    }

    #[test]
    fn random_lassos_reach_all_their_shapes() {
        let mut random = Random::new(0);
        let shapes: HashSet<_> = (0..1000)
            .map(|_| random_lasso(1, 2, 3, &mut random))
            .map(|lasso| (lasso.prefix().len(), lasso.cycle().len()))
            .collect();
        assert_eq!(shapes.len(), 9);
    }
}
