//! Formulas that cannot tell how often a letter is repeated.
//!
//! A formula is *stutter-invariant* if it is true of both or of neither of two words that differ only
//! in how often letters follow themselves. Without `X` every formula is. To a formula with `X` belongs
//! one without, its *closure*, that agrees with it on all words in which a letter is followed by
//! another one or repeated for ever ([Ete99]); the formula is stutter-invariant if the two
//! are equivalent.
//!
//! [Ete99]: crate::references::ete99

use super::{Formula, Term, TermId, Terms};
use crate::id::IdVec;

/// Formulas over more atoms have closures that are too large.
const MAX_ATOMS: usize = 4;

/// Whether a formula has an `X`.
#[must_use]
pub fn has_next(formula: &Formula) -> bool {
    let terms = formula.terms();
    terms.ids().any(|id| matches!(terms.term(id), Term::Next(_)))
}

/// A formula without `X` that is equivalent to this one if it is stutter-invariant; nothing if it has
/// many atoms.
///
/// ```
/// use lwaa::Formula;
/// use lwaa::ltl::stuttering::{closure, has_next};
/// let formula = Formula::parse("F (p & X !p)")?;
/// assert!(has_next(&formula) && !has_next(&closure(&formula).unwrap()));
/// # Ok::<(), lwaa::ltl::ParseError>(())
/// ```
#[must_use]
pub fn closure(formula: &Formula) -> Option<Formula> {
    let atoms = formula.atoms();
    if MAX_ATOMS < atoms.len() {
        return None;
    }
    let mut terms = Terms::default();
    let literals: Vec<[TermId; 2]> = atoms
        .iter()
        .map(|(_, name)| {
            let atom = terms.atom(name);
            [terms.intern(Term::Not(atom)), atom]
        })
        .collect();
    let letters: Vec<TermId> = (0_usize..1 << literals.len())
        .map(|bits| {
            let truth = terms.constant(true);
            let all = literals.iter().enumerate();
            let all = all.map(|(bit, literal)| literal[bits >> bit & 1]);
            all.fold(truth, |left, right| terms.intern(Term::And(left, right)))
        })
        .collect();
    let mut copies: IdVec<TermId, TermId> = IdVec::new();
    for id in formula.terms().ids() {
        let copy = match formula.terms().term(id) {
            Term::Next(later) => next_change(&mut terms, &letters, copies[later]),
            Term::Atom(atom) => terms.atom(formula.atoms().name(atom)),
            other => terms.intern(other.map(|child| copies[child])),
        };
        copies.push(copy);
    }
    let root = copies[formula.root()];
    Some(Formula::new(terms, root))
}

/// That something is true when the letter changes for the first time, or now if it never does.
fn next_change(terms: &mut Terms, letters: &[TermId], later: TermId) -> TermId {
    let mut any = terms.constant(false);
    for &letter in letters {
        let for_ever = terms.intern(Term::Globally(letter));
        let stays = terms.intern(Term::And(for_ever, later));
        let other = terms.intern(Term::Not(letter));
        let then = terms.intern(Term::And(other, later));
        let until = terms.intern(Term::Until(letter, then));
        let changes = terms.intern(Term::And(letter, until));
        let way = terms.intern(Term::Or(stays, changes));
        any = terms.intern(Term::Or(any, way));
    }
    any
}
