//! Which of many formulas cannot hold together, and words on which they do.
//!
//! This is bounded search for a conjunction in which each conjunct can be left out: it is behind a
//! fresh atom, its *selector*. The formulas that exclude lassos of some length are seldom many, and
//! often they cannot hold together at all; whether that is so, the caller has to find out.

use super::{Options, automaton, translate};
use crate::ltl::{Formula, Term, TermId, Terms};
use crate::sat::selection::{Selected, Selection};
use crate::sat::solver::LargeSolver;
use crate::search::limits::{Budget, Exhausted, Monitor};
use crate::word::{AtomId, Atoms, Lasso, Letter};

/// How many literals the clauses may have: about half a gigabyte, and what a solver learns
/// comes on top.
const MAX_LITERALS: u64 = 1 << 24;

/// What there is to say about lassos of some length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// On this one all formulas hold, if there is no bug.
    Word(Lasso<Letter>),
    /// There is no such word on which all of these hold.
    Blamed(Vec<usize>),
    /// That would take too long.
    Unknown,
}

/// Many formulas, any of which can be asked for.
#[derive(Debug)]
pub struct Joint<'a> {
    selection: Selection<LargeSolver<'a>>,
    /// The selectors; none in front of what always holds.
    selectors: Vec<Option<AtomId>>,
    /// The atoms of the automaton.
    atoms: Atoms,
}

impl<'a> Joint<'a> {
    /// Nothing is known yet. Lassos of this length are looked for first.
    #[must_use]
    pub fn new(
        formulas: &[&Formula],
        length: usize,
        options: &Options,
        monitor: &'a Monitor,
    ) -> Self {
        let budget = Budget::new(options.limits, monitor);
        let (selected, names) = selected(formulas);
        let lwaa = automaton(&selected, options);
        let selectors = names.iter().map(|name| lwaa.atoms().find(name)).collect();
        let mut selection = Selection::new(&lwaa, MAX_LITERALS, &budget);
        while selection.length() < length && selection.lengthen() {}
        Self { selection, selectors, atoms: lwaa.atoms().clone() }
    }

    /// The length of lassos that are looked for.
    #[must_use]
    pub fn length(&self) -> usize {
        self.selection.length()
    }

    /// From now on longer lassos are looked for. False if that would take too much memory.
    pub fn lengthen(&mut self) -> bool {
        self.selection.lengthen()
    }

    /// Looks for a lasso over `atoms` on which the `chosen` formulas hold.
    ///
    /// # Errors
    ///
    /// If a limit is reached, or if the monitor says to stop.
    pub fn ask(&mut self, chosen: &[usize], atoms: &Atoms) -> Result<Outcome, Exhausted> {
        let selector = |&position: &usize| Some((position, self.selectors[position]?));
        let known: Vec<(usize, AtomId)> = chosen.iter().filter_map(selector).collect();
        let selectors: Vec<AtomId> = known.iter().map(|&(_, atom)| atom).collect();
        Ok(match self.selection.ask(&selectors)? {
            Selected::Lasso(word) => {
                let word = word.map(|letter| translate(letter, &self.atoms, atoms));
                Outcome::Word(word.shortened())
            }
            Selected::Blamed(blamed) => {
                let is_blamed = |one: &&(usize, AtomId)| blamed.contains(&one.1);
                Outcome::Blamed(known.iter().filter(is_blamed).map(|one| one.0).collect())
            }
            Selected::Unknown => Outcome::Unknown,
        })
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
