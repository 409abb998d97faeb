//! Truth of a formula on a finite word, by the definition of the operators.
//!
//! `X a` says that there is a next position and that `a` holds there; at the last one it is
//! false. All other operators speak of the positions that are left.

use crate::id::IdVec;
use crate::ltl::{Formula, Term, TermId};
use crate::word::Letter;

/// Whether `formula` is true on the finite `word`, whose letters are over the formula's
/// own atoms. Nothing is true on a word without letters.
///
/// ```
/// use lwaa::ltl::{Formula, semantics::finite::holds};
/// use lwaa::word::Letter;
///
/// let last = Formula::parse("F !X true")?;
/// assert!(holds(&last, &[Letter::new(), Letter::new()]));
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn holds(formula: &Formula, word: &[Letter]) -> bool {
    // The truth of all subformulas at the position behind the current one.
    let mut later: Option<IdVec<TermId, bool>> = None;
    for letter in word.iter().rev() {
        later = Some(row(formula, letter, later.as_ref()));
    }
    later.is_some_and(|first| first[formula.root()])
}

/// The truth of every subformula at every position of the finite `word`.
#[must_use]
pub fn truth(formula: &Formula, word: &[Letter]) -> Vec<IdVec<TermId, bool>> {
    let mut rows: Vec<IdVec<TermId, bool>> = Vec::new();
    for letter in word.iter().rev() {
        rows.push(row(formula, letter, rows.last()));
    }
    rows.reverse();
    rows
}

/// The truth of all subformulas at a position, if `later` says what it is at the next one, unless
/// there is none.
fn row(
    formula: &Formula,
    letter: &Letter,
    later: Option<&IdVec<TermId, bool>>,
) -> IdVec<TermId, bool> {
    let mut now: IdVec<TermId, bool> = IdVec::new();
    for id in formula.terms().ids() {
        // What an operator that waits is at the end, and what it is before.
        let least = later.is_some_and(|later| later[id]);
        let greatest = later.is_none_or(|later| later[id]);
        let value = match formula.terms().term(id) {
            Term::True => true,
            Term::False => false,
            Term::Atom(atom) => letter.contains(atom),
            Term::Not(a) => !now[a],
            Term::And(a, b) => now[a] && now[b],
            Term::Or(a, b) => now[a] || now[b],
            Term::Xor(a, b) => now[a] != now[b],
            Term::Implies(a, b) => !now[a] || now[b],
            Term::Iff(a, b) => now[a] == now[b],
            Term::Next(a) => later.is_some_and(|later| later[a]),
            Term::Finally(a) => now[a] || least,
            Term::Globally(a) => now[a] && greatest,
            Term::Until(a, b) => now[b] || (now[a] && least),
            Term::WeakUntil(a, b) => now[b] || (now[a] && greatest),
            Term::Release(a, b) => now[b] && (now[a] || greatest),
            Term::StrongRelease(a, b) => now[b] && (now[a] || least),
        };
        now.push(value);
    }
    now
}
