//! Random testing: what is needed to compare many opinions on one formula.
//!
//! Everything random comes from a seed, and the same seed gives the same
//! result in every version: a failure is reported as a number.

pub mod cross;
pub mod cross_check;
pub mod kripke;
pub mod lassos;
pub mod model_check;
pub mod random;
pub mod random_formula;
pub mod random_kripke;
pub mod random_path;
pub mod shrink;
pub mod tally;
pub mod translator;

pub use random::Random;

#[cfg(test)]
#[path = "../tests/support/campaign.rs"]
pub(crate) mod campaign;
#[cfg(test)]
#[path = "testbench/tests/random_nba.rs"]
pub(crate) mod random_nba;
