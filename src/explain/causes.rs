//! The values of atoms that decide whether a formula is true on a word, after [BBC09].
//!
//! The paper goes through a formula that is false, from the whole to its atoms: of a conjunction
//! it follows the conjuncts that are false, of an until what is missing now and, as long as it
//! is missing, the same one position later; the atoms where it arrives are the causes. We follow
//! subformulas that are true in the same way, by duality, so that operators need not be pushed
//! down to atoms; the paper does so first. We follow a lasso around its cycle, where the paper
//! has finite paths only.
//!
//! What is found *suffices*: a word of the same shape that has these values is explained in the
//! same way, whatever its other values are. It need not be minimal.
//!
//! Each pair of a subformula and a position is looked at once.
//!
//! [BBC09]: crate::references::bbc09

use super::values::Values;
use crate::ltl::{Formula, Term, TermId};

/// Which values decide: those of atoms, and those of the subformulas between them and the whole.
#[derive(Clone, Debug)]
pub struct Causes {
    /// A bit for each value, as numbered by [`Values`].
    marks: Vec<u64>,
    n_positions: usize,
}

impl Causes {
    /// The causes of what `formula` is at the first position.
    pub(super) fn of(formula: &Formula, values: &Values) -> Self {
        let n_values = values.n_terms() * values.n_positions();
        let mut causes =
            Self { marks: vec![0; n_values.div_ceil(64)], n_positions: values.n_positions() };
        let mut open = vec![(formula.root(), 0)];
        let mut next = Vec::new();
        while let Some((term, position)) = open.pop() {
            let Some(value) = values.at(term, position) else { continue };
            if !causes.mark(values.index(term, position)) {
                continue;
            }
            reasons(formula, values, (term, position), value, &mut next);
            open.append(&mut next);
        }
        causes
    }

    /// Marks a value, and says whether it is new.
    fn mark(&mut self, index: usize) -> bool {
        let (word, bit) = (&mut self.marks[index / 64], 1 << (index % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Whether the value of a subformula at a distinct position decides.
    #[must_use]
    pub fn has(&self, term: TermId, position: usize) -> bool {
        use crate::id::Id;
        let index = term.index() * self.n_positions + position;
        self.marks[index / 64] >> (index % 64) & 1 == 1
    }
}

/// The values that explain why `term` has `value` at a position.
fn reasons(
    formula: &Formula,
    values: &Values,
    (term, position): (TermId, usize),
    value: bool,
    found: &mut Vec<(TermId, usize)>,
) {
    let is = |term, wanted: bool| values.at(term, position) == Some(wanted);
    let here = |term| (term, position);
    let later = values.next(position).map(|next| (term, next));
    match formula.terms().term(term) {
        Term::True | Term::False | Term::Atom(_) => (),
        Term::Not(a) => found.push(here(a)),
        // Both are needed, or each that is there would do.
        Term::And(a, b) => {
            found.extend([a, b].into_iter().filter(|&one| value || is(one, false)).map(here));
        }
        Term::Or(a, b) => {
            found.extend([a, b].into_iter().filter(|&one| !value || is(one, true)).map(here));
        }
        Term::Implies(a, b) => {
            let sides = [(a, false), (b, true)].into_iter();
            found.extend(
                sides.filter(|&(one, wanted)| !value || is(one, wanted)).map(|s| here(s.0)),
            );
        }
        Term::Xor(a, b) | Term::Iff(a, b) => found.extend([here(a), here(b)]),
        Term::Next(a) => found.extend(later.map(|(_, next)| (a, next))),
        Term::Finally(a) => {
            found.extend((!value || is(a, true)).then_some(here(a)));
            found.extend(later.filter(|_| !(value && is(a, true))));
        }
        Term::Globally(a) => {
            found.extend((value || is(a, false)).then_some(here(a)));
            found.extend(later.filter(|_| value || !is(a, false)));
        }
        Term::Until(a, b) | Term::WeakUntil(a, b) => {
            let (stops, goes) = (is(b, true), is(a, false));
            match value {
                true if stops => found.push(here(b)),
                true => found.extend(later.into_iter().chain([here(a)])),
                false if goes => found.extend([here(a), here(b)]),
                false => found.extend(later.into_iter().chain([here(b)])),
            }
        }
        Term::Release(a, b) | Term::StrongRelease(a, b) => match value {
            true if is(a, true) => found.extend([here(a), here(b)]),
            true => found.extend(later.into_iter().chain([here(b)])),
            false if is(b, false) => found.push(here(b)),
            false => found.extend(later.into_iter().chain([here(a)])),
        },
    }
}
