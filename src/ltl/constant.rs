//! What a formula says about words that repeat one letter for ever.
//!
//! On such a word every position is like the first, so temporal operators are boolean: `F a`,
//! `G a` and `X a` are `a`, and `a U b` is `b`.

use super::{Formula, Term, TermId, Terms};
use crate::id::IdVec;

/// A formula without temporal operators that is true of a letter exactly if `formula`
/// is true of the word that repeats it for ever.
///
/// ```
/// use lwaa::ltl::{Formula, constant};
/// let formula = Formula::parse("G (a -> F b) & (c W a)")?;
/// assert_eq!(constant::of(&formula).to_string(), "(a -> b) & (c | a)");
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn of(formula: &Formula) -> Formula {
    let mut terms = Terms::default();
    let mut meanings: IdVec<TermId, TermId> = IdVec::new();
    for id in formula.terms().ids() {
        let meaning = match formula.terms().term(id) {
            Term::Next(a) | Term::Finally(a) | Term::Globally(a) => meanings[a],
            Term::Until(_, b) | Term::Release(_, b) => meanings[b],
            Term::WeakUntil(a, b) => terms.intern(Term::Or(meanings[a], meanings[b])),
            Term::StrongRelease(a, b) => terms.intern(Term::And(meanings[a], meanings[b])),
            other => terms.intern_copy(other, formula.atoms(), |child| meanings[child]),
        };
        meanings.push(meaning);
    }
    Formula::new(terms, meanings[formula.root()])
}
