//! Formulas about finite words, by way of infinite ones.
//!
//! A finite word is the part of an infinite word on which an extra atom is true, which says that the word goes
//! on. A formula about finite words becomes one about such infinite words: what
//! happens later has to happen while the word goes on ([GV13]). What is *true* of a finite word is said by
//! [`semantics::finite`](super::semantics::finite).
//!
//! [GV13]: crate::references::gv13

use super::{Formula, Term, TermId, Terms};
use crate::id::IdVec;
use crate::word::{Lasso, Letter};

/// A formula about infinite words that stand for finite ones.
#[derive(Clone, Debug)]
pub struct Finite {
    /// It is true of the infinite words that stand for models of the original.
    pub formula: Formula,
    /// The atom that says that the word goes on.
    pub alive: String,
}

impl Finite {
    /// The formula that says of infinite words what `formula` says of finite ones.
    #[must_use]
    pub fn new(formula: &Formula) -> Self {
        let mut alive = "alive".to_owned();
        while formula.atoms().find(&alive).is_some() {
            alive.push('_');
        }
        let mut terms = Terms::default();
        let now = terms.atom(&alive);
        let over = terms.intern(Term::Not(now));
        let mut meanings: IdVec<TermId, TermId> = IdVec::new();
        for id in formula.terms().ids() {
            let meaning = match formula.terms().term(id) {
                Term::Next(a) => {
                    let there = terms.intern(Term::And(now, meanings[a]));
                    terms.intern(Term::Next(there))
                }
                Term::Finally(a) => {
                    let there = terms.intern(Term::And(now, meanings[a]));
                    terms.intern(Term::Finally(there))
                }
                Term::Globally(a) => {
                    let always = terms.intern(Term::Or(over, meanings[a]));
                    terms.intern(Term::Globally(always))
                }
                Term::Until(a, b) => {
                    let there = terms.intern(Term::And(now, meanings[b]));
                    terms.intern(Term::Until(meanings[a], there))
                }
                Term::StrongRelease(a, b) => {
                    let both = terms.intern(Term::And(meanings[a], meanings[b]));
                    let there = terms.intern(Term::And(now, both));
                    terms.intern(Term::Until(meanings[b], there))
                }
                Term::Release(a, b) => {
                    let held = terms.intern(Term::Or(over, meanings[b]));
                    terms.intern(Term::Release(meanings[a], held))
                }
                Term::WeakUntil(a, b) => {
                    let either = terms.intern(Term::Or(meanings[a], meanings[b]));
                    let held = terms.intern(Term::Or(over, either));
                    terms.intern(Term::Release(meanings[b], held))
                }
                other => terms.intern_copy(other, formula.atoms(), |child| meanings[child]),
            };
            meanings.push(meaning);
        }
        // There is a first letter, and a last one.
        let over_for_ever = terms.intern(Term::Globally(over));
        let ends = terms.intern(Term::Until(now, over_for_ever));
        let begins_and_ends = terms.intern(Term::And(now, ends));
        let root = terms.intern(Term::And(begins_and_ends, meanings[formula.root()]));
        Self { formula: Formula::new(terms, root), alive }
    }

    /// The finite word that a model of the formula stands for, over the atoms of `original`.
    #[must_use]
    pub fn word(&self, model: &Lasso<Letter>, original: &Formula) -> Vec<Letter> {
        let atoms = self.formula.atoms();
        let is_alive =
            |letter: &&Letter| atoms.find(&self.alive).is_some_and(|alive| letter.contains(alive));
        // On the cycle it is over, or it would never end.
        let letters = model.prefix().iter().take_while(is_alive);
        let known = |letter: &Letter| {
            letter.iter().filter_map(|atom| original.atoms().find(atoms.name(atom))).collect()
        };
        letters.map(known).collect()
    }
}
