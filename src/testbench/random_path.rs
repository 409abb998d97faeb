//! Random paths: what the testbench takes instead of graphs when the formula is
//! to be evaluated directly.
//!
//! A path is a sequence of states that returns to one of them ([TH02], figure
//! 6): a lasso.
//!
//! [TH02]: crate::references::th02

use super::Random;
use super::kripke::Kripke;
use super::random_kripke::Options;
use crate::id::Id;
use crate::word::{AtomId, Lasso, Letter};

/// A random path: the states follow each other, and the last one is followed
/// by one of them. The density does not matter.
///
/// ```
/// use lwaa::testbench::{Random, random_kripke::Options, random_path::random_path};
/// let options = Options { n_states: 12, ..Options::default() };
/// let word = random_path(&options, &mut Random::new(1));
/// assert_eq!(word.n_positions(), 12);
/// ```
#[expect(clippy::missing_panics_doc, reason = "the cycle is never empty")]
pub fn random_path(options: &Options, random: &mut Random) -> Lasso<Letter> {
    let n_states = options.n_states.max(1);
    let atoms = || (0..options.n_atoms).map(AtomId::new);
    let truth = options.truth;
    let start = random.below(n_states);
    let mut letter = || atoms().filter(|_| random.chance(truth)).collect();
    let mut prefix: Vec<Letter> = (0..n_states).map(|_| letter()).collect();
    let cycle = prefix.split_off(start);
    Lasso::new(prefix, cycle).expect("at least the last state is repeated")
}

/// A lasso as a structure, each position a state.
#[must_use]
pub fn of_lasso(word: &Lasso<Letter>) -> Kripke {
    Kripke {
        successors: (0..word.n_positions()).map(|position| vec![word.next(position)]).collect(),
        letters: word.iter().cloned().collect(),
        initial: vec![0],
    }
}
