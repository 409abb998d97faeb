//! Asks whether some requirements can hold together, and remembers the words
//! that show that they can.
//!
//! A word that was found once often answers later questions: it is evaluated on
//! all requirements, and no search is needed for a set that it satisfies.

use super::Requirement;
use crate::bdd::{self, Diagrams};
use crate::certify::Refuted;
use crate::check::{Options, satisfiable_with};
use crate::ltl::{Formula, Term, Terms, semantics};
use crate::search::limits::{Exhausted, Limits, Monitor};
use crate::verdict::Satisfiability;
use crate::word::{AtomId, Atoms, Lasso, Letter};
use std::time::{Duration, Instant};

/// Why there is no answer.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Halt {
    /// A limit was reached.
    #[error("{0}")]
    Exhausted(#[from] Exhausted),
    /// A word was found that does not satisfy the formula for which it was found: a bug.
    #[error("{1}")]
    Refuted(Box<Formula>, Box<Refuted>),
    /// A conflict that was found to be minimal is not, when it is asked again: a bug.
    #[error("internal error: a conflict did not pass its certification")]
    Contradiction,
}

/// A word over the atoms of all requirements, and which of them it satisfies.
#[derive(Clone, Debug)]
struct Scenario {
    word: Lasso<Letter>,
    holds: Vec<bool>,
}

/// Answers questions about subsets of a list of requirements.
#[derive(Debug)]
pub struct Oracle<'a> {
    requirements: &'a [Requirement],
    /// The atoms of all of them.
    atoms: Atoms,
    options: &'a Options,
    monitor: &'a Monitor,
    started: Instant,
    scenarios: Vec<Scenario>,
    /// How much of the time one question may take.
    share: u32,
    n_searches: usize,
}

/// A question among the last so many words; older ones hardly ever answer anything.
const MAX_SCENARIOS: usize = 256;

impl<'a> Oracle<'a> {
    /// Knows nothing yet. The clock starts now.
    #[must_use]
    pub fn new(
        requirements: &'a [Requirement],
        options: &'a Options,
        monitor: &'a Monitor,
    ) -> Self {
        let mut atoms = Atoms::default();
        for requirement in requirements {
            for (_, name) in requirement.formula.atoms().iter() {
                atoms.intern(name);
            }
        }
        Self {
            requirements,
            atoms,
            options,
            monitor,
            started: Instant::now(),
            scenarios: Vec::new(),
            share: 1,
            n_searches: 0,
        }
    }

    /// The requirements.
    #[must_use]
    pub fn requirements(&self) -> &'a [Requirement] {
        self.requirements
    }

    /// The atoms that words are over.
    #[must_use]
    pub fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// How many searches there were.
    #[must_use]
    pub fn n_searches(&self) -> usize {
        self.n_searches
    }

    /// From now on, one question may take this part of the time that all may take.
    pub fn allow_share(&mut self, share: u32) {
        self.share = share;
    }

    /// A word on which all of `members`, and `also`, hold; nothing if there is none.
    /// The atoms of `also` are atoms of the requirements.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or if a word does not pass certification.
    pub fn ask(
        &mut self,
        members: &[usize],
        also: Option<&Formula>,
    ) -> Result<Option<Lasso<Letter>>, Halt> {
        let fits = |scenario: &&Scenario| {
            members.iter().all(|&member| scenario.holds[member])
                && also.is_none_or(|also| self.holds(also, &scenario.word))
        };
        if let Some(known) = self.scenarios.iter().rev().find(fits) {
            return Ok(Some(known.word.clone()));
        }
        self.search(members, also)
    }

    /// The same by a search, whatever is known.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or if a word does not pass certification.
    pub fn search(
        &mut self,
        members: &[usize],
        also: Option<&Formula>,
    ) -> Result<Option<Lasso<Letter>>, Halt> {
        self.search_with::<bdd::Default>(&self.conjunction(members, also))
    }

    fn search_with<D: Diagrams>(
        &mut self,
        formula: &Formula,
    ) -> Result<Option<Lasso<Letter>>, Halt> {
        self.n_searches += 1;
        let options = Options { limits: self.limits()?, ..self.options.clone() };
        let answer = satisfiable_with::<D>(formula, &options, self.monitor)
            .map_err(|refuted| Halt::Refuted(Box::new(formula.clone()), Box::new(refuted)))?;
        match answer.satisfiability {
            Satisfiability::Unsatisfiable => Ok(None),
            Satisfiability::Unknown(exhausted) => Err(exhausted.into()),
            Satisfiability::Satisfiable(word) => {
                let word = word.map(|letter| renamed(letter, formula.atoms(), &self.atoms));
                self.remember(&word);
                Ok(Some(word))
            }
        }
    }

    /// Whether each requirement holds on a word over the atoms of all.
    #[must_use]
    pub fn truth(&self, word: &Lasso<Letter>) -> Vec<bool> {
        let holds = |requirement: &Requirement| self.holds(&requirement.formula, word);
        self.requirements.iter().map(holds).collect()
    }

    fn holds(&self, formula: &Formula, word: &Lasso<Letter>) -> bool {
        let word = word.map(|letter| renamed(letter, &self.atoms, formula.atoms()));
        semantics::holds(formula, &word)
    }

    fn remember(&mut self, word: &Lasso<Letter>) {
        if self.scenarios.len() == MAX_SCENARIOS {
            self.scenarios.remove(0);
        }
        self.scenarios.push(Scenario { word: word.clone(), holds: self.truth(word) });
    }

    fn conjunction(&self, members: &[usize], also: Option<&Formula>) -> Formula {
        let mut terms = Terms::default();
        let formulas = members.iter().map(|&member| &self.requirements[member].formula);
        let parts: Vec<_> = formulas.chain(also).map(|formula| terms.import(formula)).collect();
        let whole = parts.into_iter().reduce(|all, part| terms.intern(Term::And(all, part)));
        let whole = whole.unwrap_or_else(|| terms.constant(true));
        Formula::new(terms, whole)
    }

    /// What is left of the limits.
    fn limits(&self) -> Result<Limits, Exhausted> {
        let Some(limit) = self.options.limits.time else { return Ok(self.options.limits) };
        let left = limit.saturating_sub(self.started.elapsed());
        if left == Duration::ZERO {
            return Err(Exhausted::Time { limit });
        }
        Ok(Limits { time: Some(left.min(limit / self.share)), ..self.options.limits })
    }
}

/// The same letter over atoms that are numbered in another way. Atoms that `to`
/// does not know are left out.
fn renamed(letter: &Letter, from: &Atoms, to: &Atoms) -> Letter {
    let known = |atom: AtomId| to.find(from.name(atom));
    letter.iter().filter_map(known).collect()
}
