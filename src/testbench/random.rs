//! A small seeded generator of random numbers.
//!
//! The generator is `SplitMix64`: Steele, Lea and Flood, *Fast Splittable
//! Pseudorandom Number Generators*, OOPSLA 2014. We have our own instead of a
//! crate's, because the numbers that belong to a seed must never change. It
//! knows no source of randomness but its seed, and is of no use for secrets.

/// A sequence of random numbers, fixed by its seed.
///
/// ```
/// use lwaa::testbench::Random;
/// let mut random = Random::new(7);
/// let dice: Vec<usize> = (0..8).map(|_| 1 + random.below(6)).collect();
/// assert_eq!(dice, [3, 1, 6, 4, 3, 2, 3, 2]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence that belongs to `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number less than `bound`.
    ///
    /// The numbers are not perfectly uniform, but for bounds of a size that
    /// fits into memory the difference cannot be noticed.
    ///
    /// # Panics
    ///
    /// If `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound != 0, "there is no number less than zero");
        let bound = u64::try_from(bound).expect("an address has at most 64 bits");
        usize::try_from(self.scaled(bound)).expect("the result is less than the bound")
    }

    /// The next bits, read as a fraction between 0 and 1, times `bound`.
    fn scaled(&mut self, bound: u64) -> u64 {
        let product = u128::from(self.bits()) * u128::from(bound);
        u64::try_from(product >> 64).expect("64 of 128 bits are left")
    }

    /// Either answer with the same probability.
    pub fn coin(&mut self) -> bool {
        self.bits() >> 63 == 1
    }

    /// `true` with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        let [a, b, c, d, ..] = self.bits().to_be_bytes();
        f64::from(u32::from_be_bytes([a, b, c, d])) < probability * 4_294_967_296.0
    }

    /// An index into `weights`, each with a probability in proportion to its
    /// weight, or `None` if all weights are zero.
    pub fn weighted(&mut self, weights: &[u32]) -> Option<usize> {
        let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
        if total == 0 {
            return None;
        }
        let mut left = self.scaled(total);
        weights.iter().position(|&weight| match left.checked_sub(u64::from(weight)) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_that_of_splitmix64() {
        // The numbers that the authors' program gives for the seed 1234567.
        let mut random = Random::new(1_234_567);
        let numbers: Vec<u64> = (0..3).map(|_| random.bits()).collect();
        assert_eq!(
            numbers,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn all_numbers_below_a_bound_come_about_equally_often() {
        let mut random = Random::new(1);
        let mut counts = [0; 7];
        (0..70_000).for_each(|_| counts[random.below(7)] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }

    #[test]
    fn weights_are_proportions() {
        let mut random = Random::new(2);
        let mut counts = [0; 4];
        (0..40_000).for_each(|_| counts[random.weighted(&[1, 0, 3, 0]).unwrap()] += 1);
        assert!((9_500..10_500).contains(&counts[0]), "{counts:?}");
        assert_eq!((counts[1], counts[3]), (0, 0));
        assert_eq!(random.weighted(&[0, 0]), None);
        assert_eq!(random.weighted(&[]), None);
    }

    #[test]
    fn chances() {
        let mut random = Random::new(3);
        let mut count = |probability| (0..10_000).filter(|_| random.chance(probability)).count();
        assert_eq!(count(0.0), 0);
        assert_eq!(count(1.0), 10_000);
        assert!((2_300..2_700).contains(&count(0.25)));
    }
}
