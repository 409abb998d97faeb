//! Graphs whose states have letters: what the translators' automata are run on.

use crate::word::Letter;

/// A graph whose states have letters.
#[derive(Clone, Debug, Default)]
pub struct Kripke {
    /// The successors of each state.
    pub successors: Vec<Vec<usize>>,
    /// The atoms of the formula that are true in each state.
    pub letters: Vec<Letter>,
    /// Where runs begin.
    pub initial: Vec<usize>,
}
