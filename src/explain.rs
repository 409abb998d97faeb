//! Why a formula is true or false on a word: which part decides, where, and by which values.
//!
//! [`Values`] is the truth of every subformula at every position. [`Causes`] are the values of
//! atoms that decide about the whole formula, after [BBC09]; [`Story`] is the one line from the
//! formula down to the part that decides, for a sentence. Nothing here knows how the word was
//! found, or what a model is.
//!
//! [BBC09]: crate::references::bbc09

mod causes;
mod facts;
mod story;
#[cfg(test)]
mod tests;
mod values;

pub use causes::Causes;
pub use facts::{Fact, Facts, Since};
pub use story::{Condition, Ending, Story, Strand};
pub use values::{Values, Word};

use crate::ltl::Formula;

/// Everything that there is to say about a formula on a word.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The truth of all subformulas.
    pub values: Values,
    /// The values that decide.
    pub causes: Causes,
    /// The part that decides.
    pub story: Story,
}

impl Explanation {
    /// Explains why `formula` is what it is on `word`, whose letters are over its own atoms;
    /// nothing if that would take too long, or if `word` does not show what it is.
    #[must_use]
    pub fn of(formula: &Formula, word: &Word<'_>) -> Option<Self> {
        let values = Values::of(formula, word)?;
        let value = values.at(formula.root(), 0)?;
        let causes = Causes::of(formula, &values);
        let story = Story::of(formula, &values, value);
        Some(Self { values, causes, story })
    }
}
