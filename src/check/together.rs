//! Which of many formulas cannot hold together, and a word on which they all do.
//!
//! This is bounded search for a conjunction in which each conjunct can be left out: it is behind a
//! fresh atom, its *selector*. If there is no lasso of some length, the solver says which selectors are to
//! blame. They are seldom many, and often cannot hold together at all; whether that is so is for others
//! to find out.

use super::{Options, automaton};
use crate::certify::{Refuted, certify};
use crate::ltl::{Formula, Term, TermId, Terms};
use crate::sat::bounded::{self, Hear};
use crate::sat::solver::Cadical;
use crate::search::limits::{Budget, Exhausted, Monitor};
use crate::shorten;
use crate::word::{AtomId, Atoms, Lasso, Letter};

/// How many literals the clauses may have: about half a gigabyte.
const MAX_LITERALS: u64 = 1 << 24;

/// A word over the atoms of a conjunction.
#[derive(Clone, Debug)]
pub struct Together {
    /// The conjunction.
    pub formula: Formula,
    /// The word, certified.
    pub word: Lasso<Letter>,
}

/// Looks for a word on which all `formulas` hold. For each length of lassos that is too short, `hear`
/// gets the positions of some that cannot hold together on such a lasso, and says
/// whether to go on. Nothing if it does not, or if that would take too much memory.
///
/// # Errors
///
/// If a limit is reached, `hear` says so, or the word does not pass certification: a bug.
pub fn together<E: From<Exhausted> + From<(Formula, Refuted)>>(
    formulas: &[&Formula],
    options: &Options,
    monitor: &Monitor,
    hear: &mut Hear<'_, E>,
) -> Result<Option<Together>, E> {
    let budget = Budget::new(options.limits, monitor);
    let (selected, names) = selected(formulas);
    let lwaa = automaton(&selected, options);
    // A selector that the automaton does not know is in front of what always holds.
    let known: Vec<(usize, AtomId)> = names
        .iter()
        .enumerate()
        .filter_map(|(position, name)| Some((position, lwaa.atoms().find(name)?)))
        .collect();
    let selectors: Vec<AtomId> = known.iter().map(|&(_, atom)| atom).collect();
    let mut hear =
        |blamed: Vec<usize>| hear(blamed.into_iter().map(|index| known[index].0).collect());
    let found = bounded::search_selected::<Cadical<'_>, E>(
        &lwaa,
        &selectors,
        MAX_LITERALS,
        &budget,
        &mut hear,
    )?;
    let Some(word) = found else { return Ok(None) };
    let formula = conjunction(formulas.iter().copied());
    let word = word.map(|letter| super::translate(letter, lwaa.atoms(), formula.atoms()));
    let word = shorten::shorten(&formula, word.shortened());
    match certify(&formula, word) {
        Ok(word) => Ok(Some(Together { formula, word })),
        Err(refuted) => Err((formula, refuted).into()),
    }
}

/// All `formulas` in one.
pub fn conjunction<'f>(formulas: impl Iterator<Item = &'f Formula>) -> Formula {
    let mut terms = Terms::default();
    let parts: Vec<TermId> = formulas.map(|formula| terms.import(formula)).collect();
    joined(terms, parts)
}

fn joined(mut terms: Terms, parts: Vec<TermId>) -> Formula {
    let whole = parts.into_iter().reduce(|all, part| terms.intern(Term::And(all, part)));
    let whole = whole.unwrap_or_else(|| terms.constant(true));
    Formula::new(terms, whole)
}

/// All `formulas` in one, each behind its selector, and how these are called.
fn selected(formulas: &[&Formula]) -> (Formula, Vec<String>) {
    let mut mark = "#".to_owned();
    let is_taken = |mark: &str| {
        let has = |atoms: &Atoms| atoms.iter().any(|(_, name)| name.starts_with(mark));
        formulas.iter().any(|formula| has(formula.atoms()))
    };
    while is_taken(&mark) {
        mark.push('#');
    }
    let names: Vec<String> = (0..formulas.len()).map(|index| format!("{mark}{index}")).collect();
    let mut terms = Terms::default();
    let mut parts = Vec::new();
    for (formula, name) in formulas.iter().zip(&names) {
        let (selector, part) = (terms.atom(name), terms.import(formula));
        parts.push(terms.intern(Term::Implies(selector, part)));
    }
    (joined(terms, parts), names)
}
