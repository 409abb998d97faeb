//! Asks whether some requirements can hold together, and remembers the words
//! that show that they can.
//!
//! A word that was found once often answers later questions: it is evaluated on
//! all requirements, and no search is needed for a set that it satisfies.

use super::Requirement;
use crate::bdd::{self, Diagrams};
use crate::certify::Refuted;
use crate::check::together::{Together, conjunction, together};
use crate::check::{Options, satisfiable_with};
use crate::ltl::{Formula, semantics};
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

/// Who cannot hold together.
#[derive(Clone, Debug)]
pub(super) enum Blame {
    /// These.
    Some(Vec<usize>),
    /// Nobody: there is a word on which all hold, and it is remembered.
    Nobody,
}

impl From<(Formula, Refuted)> for Halt {
    fn from((formula, refuted): (Formula, Refuted)) -> Self {
        Self::Refuted(Box::new(formula), Box::new(refuted))
    }
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
    /// For each requirement what each of its atoms is among all.
    places: Vec<Vec<AtomId>>,
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
        let mut places = Vec::new();
        for requirement in requirements {
            let names = requirement.formula.atoms().iter().map(|(_, name)| name);
            places.push(names.map(|name| atoms.intern(name)).collect());
        }
        Self {
            requirements,
            atoms,
            places,
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
            .map_err(|refuted| (formula.clone(), refuted))?;
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
        let each = self.requirements.iter().zip(&self.places);
        each.map(|(requirement, places)| holds(&requirement.formula, places, word)).collect()
    }

    fn holds(&self, formula: &Formula, word: &Lasso<Letter>) -> bool {
        let names = formula.atoms().iter().map(|(_, name)| name);
        let places: Option<Vec<AtomId>> = names.map(|name| self.atoms.find(name)).collect();
        places.is_some_and(|places| holds(formula, &places, word))
    }

    fn remember(&mut self, word: &Lasso<Letter>) {
        if self.scenarios.len() == MAX_SCENARIOS {
            self.scenarios.remove(0);
        }
        self.scenarios.push(Scenario { word: word.clone(), holds: self.truth(word) });
    }

    fn conjunction(&self, members: &[usize], also: Option<&Formula>) -> Formula {
        conjunction(self.formulas(members, also).into_iter())
    }

    fn formulas<'f>(&self, members: &[usize], also: Option<&'f Formula>) -> Vec<&'f Formula>
    where
        'a: 'f,
    {
        let requirements: &'a [Requirement] = self.requirements;
        members.iter().map(|&member| &requirements[member].formula).chain(also).collect()
    }

    /// Some of `members` that cannot hold together with `also`, or a word on which all of them do.
    /// Lassos of growing length say which of them it may be, and questions about these
    /// whether it is so. Nothing if that would take too much memory.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or if a word does not pass certification.
    pub(super) fn blame(
        &mut self,
        members: &[usize],
        also: Option<&Formula>,
    ) -> Result<Option<Blame>, Halt> {
        self.n_searches += 1;
        let options = Options { limits: self.limits()?, ..self.options.clone() };
        let monitor = self.monitor;
        let mut found = None;
        let formulas = self.formulas(members, also);
        let mut hear = |blamed: Vec<usize>| -> Result<bool, Halt> {
            // What else there is comes after the members.
            let some: Vec<usize> =
                blamed.iter().filter_map(|&at| members.get(at).copied()).collect();
            tracing::debug!(count = some.len(), "to blame");
            let is_possible = self.ask(&some, also)?.is_some();
            if !is_possible {
                found = Some(Blame::Some(some));
            }
            Ok(is_possible)
        };
        let all = together(&formulas, &options, monitor, &mut hear)?;
        if let Some(Together { formula, word }) = all {
            let word = word.map(|letter| renamed(letter, formula.atoms(), &self.atoms));
            self.remember(&word);
            return Ok(Some(Blame::Nobody));
        }
        Ok(found)
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

/// Whether a formula holds on a word over other atoms, among which its own are at
/// these places.
fn holds(formula: &Formula, places: &[AtomId], word: &Lasso<Letter>) -> bool {
    let own = |letter: &Letter| -> Letter {
        let atoms = formula.atoms().iter().zip(places);
        atoms.filter(|(_, place)| letter.contains(**place)).map(|((own, _), _)| own).collect()
    };
    semantics::holds(formula, &word.map(own))
}

/// The same letter over atoms that are numbered in another way. Atoms that `to`
/// does not know are left out.
fn renamed(letter: &Letter, from: &Atoms, to: &Atoms) -> Letter {
    let known = |atom: AtomId| to.find(from.name(atom));
    letter.iter().filter_map(known).collect()
}
