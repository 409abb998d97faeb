//! How long random testing goes on, and from which seed.
//!
//! The test command runs from fixed seeds. `LWAA_SEED=S` adds to every seed
//! and `LWAA_ROUNDS=N` multiplies the number of rounds, for longer campaigns.

use super::Random;

/// The generator of a test whose own seed is `seed`, and the seed in force,
/// which the test should print.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn random(seed: u64) -> (Random, u64) {
    let seed = seed.wrapping_add(from_environment("LWAA_SEED", 0));
    (Random::new(seed), seed)
}

/// How many rounds a test does that usually does `default`.
#[allow(dead_code, reason = "not all tests need it")]
pub(crate) fn rounds(default: usize) -> usize {
    let factor = usize::try_from(from_environment("LWAA_ROUNDS", 1)).unwrap_or(usize::MAX);
    default.saturating_mul(factor)
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
