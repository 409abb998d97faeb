//! The four tests of [TH02] on the automata of one formula, and what their
//! failures prove.
//!
//! 1. No word is accepted by an automaton for φ and by one for ¬φ: all pairs.
//! 2. No word is rejected by both automata of a translator. The paper leaves
//!    this one out, because it needs complements; we complement both automata, as
//!    long as that is not too expensive, and look at all short words otherwise.
//!    (To intersect with another translator's automaton for ¬φ instead would find
//!    words that are accepted in excess only: an automaton that accepts nothing
//!    would pass.)
//! 3. In a Kripke structure, all automata for a formula name the same states. On
//!    a path the formula itself is one of those that are asked.
//! 4. In a Kripke structure, every state is named by one of the two automata of
//!    a translator.
//!
//! A failure of any test comes with a word on which two opinions contradict each
//! other. What is true on it is said by [`semantics`], which shares nothing with
//! the translators, so one of the two is provably wrong ([TH02], table 1).
//!
//! [TH02]: crate::references::th02

use super::kripke::Kripke;
use super::lassos::all_lassos;
use super::model_check::{self, Global};
use super::random_path::of_lasso;
use crate::baseline::complement::complement;
use crate::baseline::intersection::common_word;
use crate::baseline::nba::Nba;
use crate::baseline::word_graph::accepts;
use crate::ltl::{Formula, semantics};
use crate::search::limits::{Budget, Exhausted};
use crate::sets::distinct;
use crate::word::{Lasso, Letter};

/// Which test has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Test {
    /// Test 1: a word is accepted for φ and for ¬φ.
    Intersection,
    /// Test 2: a word is accepted neither for φ nor for ¬φ.
    Union,
    /// Test 3: two opinions on the runs of a structure.
    Comparison,
    /// Test 4: a state of a structure has a run neither for φ nor for ¬φ.
    Consistency,
}

impl Test {
    /// All tests, in the order of their numbers.
    pub const ALL: [Self; 4] =
        [Self::Intersection, Self::Union, Self::Comparison, Self::Consistency];

    /// The number in the paper.
    #[must_use]
    pub fn number(self) -> usize {
        1 + Self::ALL.iter().position(|&test| test == self).unwrap_or(0)
    }
}

/// One of the automata of a round, and what it says about a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Opinion {
    /// The number of the translator.
    pub translator: usize,
    /// Whether the automaton is that of ¬φ.
    pub negated: bool,
    /// Whether it accepts the word.
    pub accepts: bool,
}

/// A test that has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// Which one.
    pub test: Test,
    /// A word on which opinions differ.
    pub word: Lasso<Letter>,
    /// Whether φ is true on the word.
    pub holds: bool,
    /// The opinions; one if the other one is that of the formula itself.
    pub opinions: Vec<Opinion>,
}

impl Disagreement {
    /// The opinions that are wrong.
    pub fn wrong(&self) -> impl Iterator<Item = &Opinion> {
        self.opinions.iter().filter(|opinion| opinion.accepts == (self.holds == opinion.negated))
    }
}

/// The automata of one translator for φ and ¬φ, where there are any, over the
/// atoms of φ.
pub type Pair = [Option<Nba>; 2];

/// What is to be tested.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// The formula.
    pub formula: &'a Formula,
    /// The automata of each translator.
    pub automata: &'a [Pair],
    /// A structure over the atoms of the formula, without dead ends.
    pub graph: &'a Kripke,
    /// A path over the atoms of the formula.
    pub path: &'a Lasso<Letter>,
}

/// How much a single test may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// States of a complement that may be looked at.
    pub max_complement: usize,
    /// How often a single step of a test may ask for its budget: the same in
    /// every run, unlike time.
    pub max_effort: u64,
    /// How many words are looked at in place of a complement.
    pub max_words: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { max_complement: 2_000, max_effort: 200_000, max_words: 500 }
    }
}

/// What came of the tests.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Tests that have failed.
    pub disagreements: Vec<Disagreement>,
    /// How many of each test were done.
    pub n_tests: [u64; 4],
    /// How many of test 2 were done by short words only.
    pub n_by_words: u64,
    /// Tests that were too expensive.
    pub n_skipped: u64,
    /// For each translator the nodes and edges of its products with the graph.
    pub products: Vec<[u64; 2]>,
}

/// Does all tests.
///
/// # Errors
///
/// If a limit of the whole is reached, not that of a single test.
///
/// # Panics
///
/// If an automaton does not have the opinion that a test has found: our bug.
pub fn check(
    case: &Case<'_>,
    bounds: Bounds,
    budget: &mut Budget<'_>,
) -> Result<Outcome, Exhausted> {
    let n_translators = case.automata.len();
    let outcome = Outcome { products: vec![[0; 2]; n_translators], ..Outcome::default() };
    let mut tester = Tester { case, bounds, budget, outcome };
    tester.intersections()?;
    tester.unions()?;
    tester.structure(case.graph, None)?;
    tester.structure(&of_lasso(case.path), Some(case.path))?;
    tester.budget.allow_effort(u64::MAX);
    Ok(tester.outcome)
}

struct Tester<'a, 'b, 'c> {
    case: &'a Case<'a>,
    bounds: Bounds,
    budget: &'b mut Budget<'c>,
    outcome: Outcome,
}

impl<'a> Tester<'a, '_, '_> {
    /// Does one step within its bounds. Nothing if it is too expensive.
    fn within<T>(
        &mut self,
        step: impl FnOnce(&mut Budget<'_>) -> Result<T, Exhausted>,
    ) -> Result<Option<T>, Exhausted> {
        self.budget.allow_effort(self.bounds.max_effort);
        match step(self.budget) {
            Ok(value) => Ok(Some(value)),
            Err(Exhausted::Effort { .. } | Exhausted::States { .. }) => Ok(None),
            Err(other) => Err(other),
        }
    }

    /// The automata for φ or for ¬φ, with the numbers of their translators.
    fn automata(&self, negated: bool) -> impl Iterator<Item = (usize, &'a Nba)> + use<'a> {
        let automata = self.case.automata.iter().enumerate();
        automata
            .filter_map(move |(number, pair)| Some((number, pair[usize::from(negated)].as_ref()?)))
    }

    /// Both automata of each translator that has both.
    fn pairs(&self) -> impl Iterator<Item = (usize, [&'a Nba; 2])> + use<'a> {
        let automata = self.case.automata.iter().enumerate();
        automata.filter_map(|(number, pair)| Some((number, [pair[0].as_ref()?, pair[1].as_ref()?])))
    }

    /// Notes a failure, and makes sure that it is one.
    fn fail(
        &mut self,
        test: Test,
        word: Lasso<Letter>,
        opinions: Vec<Opinion>,
    ) -> Result<(), Exhausted> {
        let word = word.shortened();
        for opinion in &opinions {
            let pair = &self.case.automata[opinion.translator];
            let automaton = pair[usize::from(opinion.negated)].as_ref().expect("it was asked");
            self.budget.allow_effort(u64::MAX);
            let accepts = accepts(automaton, &word, self.budget)?;
            assert_eq!(accepts, opinion.accepts, "{test:?} on {} and {word:?}", self.case.formula);
        }
        let holds = semantics::holds(self.case.formula, &word);
        let disagreement = Disagreement { test, word, holds, opinions };
        assert!(disagreement.wrong().next().is_some(), "{disagreement:?} on {}", self.case.formula);
        self.outcome.disagreements.push(disagreement);
        Ok(())
    }

    fn count(&mut self, test: Test) {
        self.outcome.n_tests[test.number() - 1] += 1;
    }

    /// Test 1, for all pairs.
    fn intersections(&mut self) -> Result<(), Exhausted> {
        for (one, left) in self.automata(false) {
            for (other, right) in self.automata(true) {
                let Some(word) = self.within(|budget| common_word(left, right, budget))? else {
                    self.outcome.n_skipped += 1;
                    continue;
                };
                self.count(Test::Intersection);
                if let Some(word) = word {
                    let opinion =
                        |translator, negated| Opinion { translator, negated, accepts: true };
                    let opinions = vec![opinion(one, false), opinion(other, true)];
                    self.fail(Test::Intersection, word, opinions)?;
                }
            }
        }
        Ok(())
    }

    /// Test 2, for each translator.
    fn unions(&mut self) -> Result<(), Exhausted> {
        for (translator, pair) in self.pairs() {
            let max_states = self.bounds.max_complement;
            let word = self.within(|budget| {
                let first = complement(pair[0], max_states, budget)?;
                let second = complement(pair[1], max_states, budget)?;
                common_word(&first, &second, budget)
            })?;
            let mut words = word.map(Vec::from_iter);
            if words.is_none() {
                let max_words = self.bounds.max_words;
                let word = self.within(|budget| rejected_word(pair, max_words, budget))?;
                self.outcome.n_by_words += u64::from(word.is_some());
                words = word.map(Vec::from_iter);
            }
            let Some(words) = words else {
                self.outcome.n_skipped += 1;
                continue;
            };
            self.count(Test::Union);
            for word in words {
                self.fail(Test::Union, word, both_reject(translator))?;
            }
        }
        Ok(())
    }

    /// Tests 3 and 4 on one structure; if it is that of a path, the formula
    /// is asked, too.
    fn structure(
        &mut self,
        structure: &Kripke,
        path: Option<&Lasso<Letter>>,
    ) -> Result<(), Exhausted> {
        let mut named: Vec<[Option<Global>; 2]> = vec![[None, None]; self.case.automata.len()];
        for negated in [false, true] {
            for (translator, automaton) in self.automata(negated) {
                let global =
                    self.within(|budget| model_check::global(structure, automaton, budget))?;
                self.outcome.n_skipped += u64::from(global.is_none());
                if let (Some(global), None) = (&global, path) {
                    let size = [global.n_nodes, global.n_edges];
                    let sums = self.outcome.products[translator].iter_mut();
                    sums.zip(size).for_each(|(sum, size)| *sum += size as u64);
                }
                named[translator][usize::from(negated)] = global;
            }
            match path {
                None => self.compare(structure, negated, &named)?,
                Some(path) => self.compare_with_formula(path, negated, &named)?,
            }
        }
        for (translator, pair) in named.iter().enumerate() {
            let [Some(one), Some(other)] = pair else { continue };
            self.count(Test::Consistency);
            let mut both = one.states.iter().zip(&other.states);
            if let Some(state) = both.position(|(&one, &other)| !one && !other) {
                let run = model_check::any_run_from(state, structure);
                let word = run.map(|&state| structure.letters[state].clone());
                self.fail(Test::Consistency, word, both_reject(translator))?;
            }
        }
        Ok(())
    }

    /// Test 3 between automata.
    fn compare(
        &mut self,
        structure: &Kripke,
        negated: bool,
        named: &[[Option<Global>; 2]],
    ) -> Result<(), Exhausted> {
        let side = usize::from(negated);
        let known: Vec<(usize, &Global)> = named
            .iter()
            .enumerate()
            .filter_map(|(translator, pair)| Some((translator, pair[side].as_ref()?)))
            .collect();
        for (position, &(one, first)) in known.iter().enumerate() {
            for &(other, second) in &known[position + 1..] {
                self.count(Test::Comparison);
                let mut both = first.states.iter().zip(&second.states);
                let Some(state) = both.position(|(first, second)| first != second) else {
                    continue;
                };
                let (yes, no) = if first.states[state] { (one, other) } else { (other, one) };
                let automaton = self.case.automata[yes][side].as_ref().expect("it was asked");
                self.budget.allow_effort(u64::MAX);
                let run = model_check::run_from(state, structure, automaton, self.budget)?;
                let run = run.expect("there is one, as has been found");
                let word = run.map(|&state| structure.letters[state].clone());
                let opinion = |translator, accepts| Opinion { translator, negated, accepts };
                self.fail(Test::Comparison, word, vec![opinion(yes, true), opinion(no, false)])?;
            }
        }
        Ok(())
    }

    /// Test 3 between automata and the formula itself.
    fn compare_with_formula(
        &mut self,
        path: &Lasso<Letter>,
        negated: bool,
        named: &[[Option<Global>; 2]],
    ) -> Result<(), Exhausted> {
        let truth = semantics::truth(self.case.formula, path);
        let root = self.case.formula.root();
        for (translator, pair) in named.iter().enumerate() {
            let Some(global) = &pair[usize::from(negated)] else { continue };
            self.count(Test::Comparison);
            let is_wrong = |&position: &usize| {
                global.states[position] != (truth.at(root, position) != negated)
            };
            if let Some(position) = (0..path.n_positions()).find(is_wrong) {
                let accepts = global.states[position];
                let opinion = Opinion { translator, negated, accepts };
                self.fail(Test::Comparison, rest(path, position), vec![opinion])?;
            }
        }
        Ok(())
    }
}

fn both_reject(translator: usize) -> Vec<Opinion> {
    [false, true].map(|negated| Opinion { translator, negated, accepts: false }).to_vec()
}

/// What a word is from a position on.
fn rest(word: &Lasso<Letter>, position: usize) -> Lasso<Letter> {
    let turn = position.max(word.prefix().len());
    let letters = |from: usize, to: usize| (from..to).map(|at| word.at(at).clone()).collect();
    let cycle = letters(turn, turn + word.cycle().len());
    Lasso::new(letters(position, turn), cycle).expect("the cycle of a lasso")
}

/// A short word that both automata reject, if there is one.
fn rejected_word(
    pair: [&Nba; 2],
    max_words: usize,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    for word in short_words(pair[0].atoms().len(), max_words) {
        if !accepts(pair[0], &word, budget)? && !accepts(pair[1], &word, budget)? {
            return Ok(Some(word));
        }
    }
    Ok(None)
}

/// The shortest words over so many atoms, at most so many of them.
pub(super) fn short_words(n_atoms: usize, max: usize) -> impl Iterator<Item = Lasso<Letter>> {
    const MAX_POSITIONS: usize = 8;
    // What is left out beyond that is never reached anyway.
    all_lassos(n_atoms.min(16), MAX_POSITIONS).take(max)
}

/// The translators that are wrong on some word.
#[must_use]
pub fn culprits(disagreements: &[Disagreement]) -> Vec<usize> {
    let wrong = disagreements.iter().flat_map(Disagreement::wrong);
    distinct(wrong.map(|opinion| opinion.translator))
}
