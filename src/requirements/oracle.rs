//! Asks whether some requirements can hold together, and remembers the words
//! that show that they can.
//!
//! A word that was found once often answers later questions: it is evaluated on
//! all requirements, and no search is needed for a set that it satisfies.

use super::Requirement;
use crate::bdd::{self, Diagrams};
use crate::certify::{Refuted, certify};
use crate::check::joint::{Joint, Outcome, conjunction};
use crate::check::{Options, satisfiable_with};
use crate::ltl::{Formula, semantics};
use crate::search::limits::{Exhausted, Limits, Monitor};
use crate::verdict::Satisfiability;
use crate::word::{AtomId, Atoms, Lasso, Letter};
use std::collections::HashMap;
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

/// What an answer is if a limit may be part of it.
///
/// # Errors
///
/// If there is no answer for another reason.
pub fn limited<T>(answer: Result<T, Halt>) -> Result<Result<T, Exhausted>, Halt> {
    match answer {
        Ok(answer) => Ok(Ok(answer)),
        Err(Halt::Exhausted(exhausted)) => Ok(Err(exhausted)),
        Err(halt) => Err(halt),
    }
}

/// Which formulas cannot hold together.
#[derive(Clone, Debug)]
pub(super) enum Blame {
    /// These.
    Some(Vec<usize>),
    /// None: there is a word on which all hold, and it is remembered.
    Nothing,
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
    /// All requirements and what is prepared, if they were asked for together already.
    together: Option<Joint<'a>>,
    /// Formulas that questions will be about, by their texts, numbered.
    prepared: HashMap<String, (usize, Formula)>,
    /// The length of lassos that is known to be needed.
    length: usize,
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
            together: None,
            prepared: HashMap::new(),
            length: 1,
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
        match self.known(members, also) {
            Some(word) => Ok(Some(word.clone())),
            None => self.search(members, also),
        }
    }

    /// A word that is known to be one on which all of `members`, and `also`, hold.
    pub(super) fn known(
        &self,
        members: &[usize],
        also: Option<&Formula>,
    ) -> Option<&Lasso<Letter>> {
        let fits = |scenario: &&Scenario| {
            members.iter().all(|&member| scenario.holds[member])
                && also.is_none_or(|also| self.holds(also, &scenario.word))
        };
        self.scenarios.iter().rev().find(fits).map(|scenario| &scenario.word)
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
            Satisfiability::Unknown(exhausted) => Err(self.exhausted(exhausted).into()),
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

    /// Some of `members` that cannot hold together with `also`, or none. Lassos of growing
    /// length say which of them it may be, and questions about these whether it is so. Nothing
    /// if that would take too much memory.
    ///
    /// # Errors
    ///
    /// If a limit is reached first, or if a word does not pass certification.
    pub(super) fn blame(
        &mut self,
        members: &[usize],
        also: Option<&Formula>,
    ) -> Result<Option<Blame>, Halt> {
        if also.is_some_and(|also| !self.prepared.contains_key(&also.to_string())) {
            self.prepare(also.into_iter());
        }
        let mut together = match self.together.take() {
            Some(together) => together,
            None => self.unrolled()?,
        };
        let found = self.blame_by(&mut together, members, also);
        self.length = together.length();
        self.together = Some(together);
        found
    }

    fn blame_by(
        &mut self,
        together: &mut Joint<'a>,
        members: &[usize],
        also: Option<&Formula>,
    ) -> Result<Option<Blame>, Halt> {
        let number = |also: &Formula| self.prepared.get(&also.to_string()).map(|one| one.0);
        let mut chosen = members.to_vec();
        chosen.extend(also.and_then(number).map(|number| self.requirements.len() + number));
        let (begun, share) = (Instant::now(), self.limits()?.time);
        loop {
            self.limits()?;
            if let Some(limit) = share.filter(|&share| share < begun.elapsed()) {
                return Err(Exhausted::Time { limit }.into());
            }
            self.n_searches += 1;
            let asked = together.ask(&chosen, &self.atoms);
            match asked.map_err(|reason| self.exhausted(reason))? {
                Outcome::Word(word) => {
                    self.accept(members, also, &word)?;
                    return Ok(Some(Blame::Nothing));
                }
                Outcome::Blamed(blamed) => {
                    let is_member = |&one: &usize| one < self.requirements.len();
                    let some: Vec<usize> = blamed.into_iter().filter(is_member).collect();
                    if self.ask(&some, also)?.is_none() {
                        return Ok(Some(Blame::Some(some)));
                    }
                }
                Outcome::Unknown => (),
            }
            if !together.lengthen() {
                return Ok(None);
            }
        }
    }

    /// Remembers a word on which all of `members` and `also` hold, after it was certified.
    fn accept(
        &mut self,
        members: &[usize],
        also: Option<&Formula>,
        word: &Lasso<Letter>,
    ) -> Result<(), Halt> {
        let formula = self.conjunction(members, also);
        let word = word.map(|letter| renamed(letter, &self.atoms, formula.atoms()));
        let word = certify(&formula, word).map_err(|refuted| (formula.clone(), refuted))?;
        let word = word.map(|letter| renamed(letter, formula.atoms(), &self.atoms));
        self.remember(&word);
        Ok(())
    }

    /// Says which formulas will be part of the next questions, so that all of them can be
    /// asked of the same unrolling.
    pub(super) fn prepare<'f>(&mut self, formulas: impl Iterator<Item = &'f Formula>) {
        self.together = None;
        self.prepared.clear();
        for formula in formulas {
            let number = self.prepared.len();
            self.prepared.entry(formula.to_string()).or_insert_with(|| (number, formula.clone()));
        }
    }

    fn unrolled(&self) -> Result<Joint<'a>, Halt> {
        let limits = self.left(1)?;
        let mut prepared: Vec<&(usize, Formula)> = self.prepared.values().collect();
        prepared.sort_unstable_by_key(|one| one.0);
        let requirements = self.requirements.iter().map(|one| &one.formula);
        let formulas: Vec<&Formula> =
            requirements.chain(prepared.into_iter().map(|one| &one.1)).collect();
        let options = Options { limits, ..self.options.clone() };
        Ok(Joint::new(&formulas, self.length, &options, self.monitor))
    }

    /// Why a question has no answer: if all of the time is used up, that is the reason.
    fn exhausted(&self, reason: Exhausted) -> Exhausted {
        self.limits().err().unwrap_or(reason)
    }

    /// What is left of the limits for one question.
    pub(super) fn limits(&self) -> Result<Limits, Exhausted> {
        self.left(self.share)
    }

    /// What is left of the limits, at most so great a part of all.
    fn left(&self, share: u32) -> Result<Limits, Exhausted> {
        if self.monitor.is_stopped() {
            return Err(Exhausted::Interrupted);
        }
        let Some(limit) = self.options.limits.time else { return Ok(self.options.limits) };
        let left = limit.saturating_sub(self.started.elapsed());
        if left == Duration::ZERO {
            return Err(Exhausted::Time { limit });
        }
        Ok(Limits { time: Some(left.min(limit / share)), ..self.options.limits })
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
