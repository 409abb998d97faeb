//! What a campaign of random testing has come to: sums, sizes, failures.

use super::cross_check::{Disagreement, Outcome, Test};
use super::shrink::Proof;
use super::translator::Translator;
use crate::baseline::formats::Size;
use crate::ltl::Formula;
use crate::ltl::print::{Dialect, print};

/// What one translator has done.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Work {
    /// Formulas for which there is an automaton.
    pub n_translated: u64,
    /// Formulas whose automaton would be too large, or would take too long in
    /// this program.
    pub n_too_large: u64,
    /// Formulas for which the program failed or wrote something else.
    pub n_crashes: u64,
    /// Formulas for which the time was up.
    pub n_timeouts: u64,
    /// States of all automata, as the translator wrote them.
    pub n_states: u64,
    /// Edges of all automata; one with a disjunction for a label counts as many
    /// times as the disjunction has cubes.
    pub n_edges: u64,
    /// Acceptance sets of all automata.
    pub n_sets: u64,
    /// Nodes and edges of all products with the graphs of test 3.
    pub products: [u64; 2],
    /// Time for all translations.
    pub seconds: f64,
    /// Formulas and messages of crashes and timeouts, the first few.
    pub faults: Vec<(String, String)>,
}

/// How many messages are kept.
const MAX_FAULTS: usize = 3;

impl Work {
    pub(super) fn add(&mut self, size: Size, seconds: f64) {
        self.n_translated += 1;
        self.n_states += size.states as u64;
        self.n_edges += size.edges as u64;
        self.n_sets += size.sets as u64;
        self.seconds += seconds;
    }

    fn merge(&mut self, other: Self) {
        self.n_translated += other.n_translated;
        self.n_too_large += other.n_too_large;
        self.n_crashes += other.n_crashes;
        self.n_timeouts += other.n_timeouts;
        self.n_states += other.n_states;
        self.n_edges += other.n_edges;
        self.n_sets += other.n_sets;
        self.seconds += other.seconds;
        self.products = [0, 1].map(|part| self.products[part] + other.products[part]);
        self.faults.extend(other.faults);
        self.faults.truncate(MAX_FAULTS);
    }
}

/// A translator that is wrong, and the smallest proof.
#[derive(Clone, Debug)]
pub struct Culprit {
    /// Its number.
    pub translator: usize,
    /// The test that found it.
    pub test: Test,
    /// A smallest formula on which it is wrong.
    pub small: Proof,
}

/// What came of one round.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By which the round can be repeated.
    pub seed: u64,
    /// The formula, if it is of interest.
    pub formula: Option<Formula>,
    /// Tests that have failed.
    pub disagreements: Vec<Disagreement>,
    /// Who is provably wrong.
    pub culprits: Vec<usize>,
    /// Small proofs of that, unless there are enough.
    pub proofs: Vec<Culprit>,
    pub(super) translators: Vec<Work>,
    n_tests: [u64; 4],
    n_by_words: u64,
    n_skipped: u64,
}

impl Report {
    pub(super) fn new(seed: u64, n_translators: usize) -> Self {
        Self { seed, translators: vec![Work::default(); n_translators], ..Self::default() }
    }

    pub(super) fn note(&mut self, formula: &Formula, outcome: &Outcome) {
        let Outcome { disagreements, n_tests, n_by_words, n_skipped, products } = outcome;
        self.n_tests = *n_tests;
        self.n_by_words = *n_by_words;
        self.n_skipped = *n_skipped;
        for (work, &size) in self.translators.iter_mut().zip(products) {
            work.products = size;
        }
        self.formula = (!disagreements.is_empty()).then(|| formula.clone());
    }
}

/// What came of one translator in all rounds.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// The translator.
    pub name: String,
    /// What it has done.
    pub work: Work,
    /// In how many rounds it was provably wrong.
    pub n_wrong: u64,
    /// How many failures of each test it was involved in, right or wrong.
    pub n_failures: [u64; 4],
}

/// What came of all rounds so far.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Rounds that are done.
    pub rounds: u64,
    /// A line for each translator.
    pub lines: Vec<Line>,
    /// How many of each test were done.
    pub n_tests: [u64; 4],
    /// How many of each test failed.
    pub n_failures: [u64; 4],
    /// How many of test 2 were done by short words only.
    pub n_by_words: u64,
    /// Tests that were too expensive.
    pub n_skipped: u64,
    /// The rounds with a small proof.
    pub failed: Vec<Report>,
}

impl Tally {
    /// Before the first round.
    #[must_use]
    pub fn new(translators: &[Box<dyn Translator>]) -> Self {
        let line = |name: &str| Line { name: name.to_owned(), ..Line::default() };
        let lines = translators.iter().map(|translator| line(translator.name())).collect();
        Self { lines, ..Self::default() }
    }

    /// How many tests have failed.
    #[must_use]
    pub fn disagreements(&self) -> u64 {
        self.n_failures.iter().sum()
    }

    /// Adds one more round.
    pub fn add(&mut self, mut report: Report) {
        self.rounds += 1;
        let add = |sums: &mut [u64; 4], more: [u64; 4]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.n_tests, report.n_tests);
        self.n_by_words += report.n_by_words;
        self.n_skipped += report.n_skipped;
        for (line, work) in self.lines.iter_mut().zip(std::mem::take(&mut report.translators)) {
            line.work.merge(work);
        }
        for disagreement in &report.disagreements {
            let index = disagreement.test.number() - 1;
            self.n_failures[index] += 1;
            let mut parties: Vec<usize> =
                disagreement.opinions.iter().map(|opinion| opinion.translator).collect();
            parties.dedup();
            for party in parties {
                self.lines[party].n_failures[index] += 1;
            }
        }
        report.culprits.iter().for_each(|&culprit| self.lines[culprit].n_wrong += 1);
        if !report.proofs.is_empty() {
            self.failed.push(report);
        }
    }
}

/// What formulas have in common that are the same but for the names of their atoms.
pub(super) fn shape(formula: &Formula) -> String {
    let text = print(formula, Dialect::Lbt);
    let mut names: Vec<&str> = Vec::new();
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        // Atoms are quoted, or a `p` with a number.
        let is_number = |rest: &str| rest.starts_with(|first: char| first.is_ascii_digit());
        if !word.starts_with('"') && !word.strip_prefix('p').is_some_and(is_number) {
            words.push(word.to_owned());
            continue;
        }
        let known = names.iter().position(|name| *name == word);
        words.push(format!("p{}", known.unwrap_or(names.len())));
        if known.is_none() {
            names.push(word);
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_atoms_do_not_matter_for_shapes() {
        let of = |text: &str| shape(&Formula::parse(text).unwrap());
        assert_eq!(of("X p0"), of("X p2"));
        assert_eq!(of("a U (b & a)"), of("p3 U (p1 & p3)"));
        assert_ne!(of("a U (b & a)"), of("a U (b & b)"));
        assert_ne!(of("X p0"), of("F p0"));
    }
}
