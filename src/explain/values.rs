//! The truth of every subformula at every position of a word, where the word shows it.

use crate::id::{Id, IdVec};
use crate::ltl::semantics::{self, finite, truncated};
use crate::ltl::{Formula, TermId};
use crate::word::{Lasso, Letter};

/// How many values are looked at.
const MAX_VALUES: usize = 20_000_000;

/// A word on which a formula is explained.
#[derive(Clone, Copy, Debug)]
pub enum Word<'a> {
    /// An infinite word.
    Lasso(&'a Lasso<Letter>),
    /// A finite part of a word, of which it is not known how it goes on.
    Begun(&'a [Letter]),
    /// A finite word, which ends.
    Finite(&'a [Letter]),
}

impl Word<'_> {
    fn n_positions(&self) -> usize {
        match self {
            Self::Lasso(lasso) => lasso.n_positions(),
            Self::Begun(letters) | Self::Finite(letters) => letters.len(),
        }
    }
}

/// The truth of the subformulas of a formula at the distinct positions of a word.
#[derive(Clone, Debug)]
pub struct Values {
    /// A value for each position.
    rows: IdVec<TermId, Vec<Option<bool>>>,
    n_positions: usize,
    /// The position that follows the last one, if any does.
    behind_last: Option<usize>,
}

impl Values {
    /// The values on `word`; nothing if it has no letters, or if there would be too many.
    #[must_use]
    pub fn of(formula: &Formula, word: &Word<'_>) -> Option<Self> {
        let (n_positions, n_terms) = (word.n_positions(), formula.terms().len());
        if n_positions == 0 || MAX_VALUES / n_terms.max(1) < n_positions {
            return None;
        }
        let value: Box<dyn Fn(TermId, usize) -> Option<bool>> = match *word {
            Word::Lasso(lasso) => {
                let truth = semantics::truth(formula, lasso);
                Box::new(move |term, position| Some(truth.at(term, position)))
            }
            Word::Begun(letters) => {
                let truth = truncated::truth(formula, letters);
                Box::new(move |term, position| truth[position][term])
            }
            Word::Finite(letters) => {
                let truth = finite::truth(formula, letters);
                Box::new(move |term, position| Some(truth[position][term]))
            }
        };
        let row = |term| (0..n_positions).map(|position| value(term, position)).collect();
        let behind_last = match word {
            Word::Lasso(lasso) => Some(lasso.next(n_positions - 1)),
            Word::Begun(_) | Word::Finite(_) => None,
        };
        Some(Self { rows: formula.terms().ids().map(row).collect(), n_positions, behind_last })
    }

    /// Whether a subformula is true at a distinct position, if that is known.
    #[must_use]
    pub fn at(&self, term: TermId, position: usize) -> Option<bool> {
        self.rows[term][position]
    }

    /// The number of distinct positions.
    #[must_use]
    pub fn n_positions(&self) -> usize {
        self.n_positions
    }

    /// The number of subformulas.
    #[must_use]
    pub fn n_terms(&self) -> usize {
        self.rows.len()
    }

    /// The distinct position that follows a distinct position.
    #[must_use]
    pub fn next(&self, position: usize) -> Option<usize> {
        if position + 1 < self.n_positions { Some(position + 1) } else { self.behind_last }
    }

    /// The distinct position that a position of the whole word is, if it has that one.
    #[must_use]
    pub fn distinct(&self, position: usize) -> Option<usize> {
        match (position.checked_sub(self.n_positions), self.behind_last) {
            (None, _) => Some(position),
            (Some(beyond), Some(start)) => Some(start + beyond % (self.n_positions - start)),
            (Some(_), None) => None,
        }
    }

    /// The number of a value among all values.
    pub(super) fn index(&self, term: TermId, position: usize) -> usize {
        term.index() * self.n_positions + position
    }
}
