//! Random testing of translators against each other: round by round, from a
//! seed.
//!
//! This is the testbench of [TH02]. A round is a random formula, its negation, a
//! random graph and a random path; everybody translates both formulas, and
//! [`cross_check`] compares. The round number *n* of the seed *S* is the first
//! round of the seed *S* + *n*, so that a failure can be repeated by itself.
//!
//! [TH02]: crate::references::th02

use super::cross_check::{self, Bounds, Case, Outcome, Pair};
use super::random_formula::{self, random_formula};
use super::random_kripke::{self, random_kripke};
use super::random_path::random_path;
use super::shrink::{Proof, shrink};
use super::tally::Report;
use super::translator::{Fault, Translator, translate};
use super::{Random, tally};
use crate::baseline::formats::Size;
use crate::baseline::nba::Nba;
use crate::ltl::Formula;
use crate::search::limits::{Budget, Exhausted, Limits, Monitor};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// What a campaign looks like.
#[derive(Clone, Debug)]
pub struct Options {
    /// The seed of the first round.
    pub seed: u64,
    /// How many rounds.
    pub rounds: u64,
    /// The sizes of formulas.
    pub sizes: RangeInclusive<usize>,
    /// Atoms and operators of formulas; the size is that of `sizes`.
    pub formula: random_formula::Options,
    /// Graphs and paths; the atoms are those of the formula.
    pub kripke: random_kripke::Options,
    /// What a single test may cost.
    pub bounds: Bounds,
    /// How often a translator of this program may ask for its budget.
    pub max_effort: u64,
    /// How many disagreements are made small for each translator that is wrong.
    pub max_proofs: usize,
}

impl Default for Options {
    /// A hundred rounds with formulas of the sizes of the paper.
    fn default() -> Self {
        Self {
            seed: 0,
            rounds: 100,
            sizes: 5..=12,
            formula: random_formula::Options::default(),
            kripke: random_kripke::Options { n_states: 12, ..random_kripke::Options::default() },
            bounds: Bounds::default(),
            max_effort: 2_000_000,
            max_proofs: 3,
        }
    }
}

/// Translations that a smallest formula may cost.
const MAX_TRIES: usize = 1_000;

/// Plays all rounds, and adds what comes of each to what `record` gives access
/// to. Ends early only if the limits say so.
///
/// ```
/// use lwaa::search::limits::{Limits, Monitor};
/// use lwaa::testbench::cross::{Options, run};
/// use lwaa::testbench::tally::Tally;
/// use lwaa::testbench::translator::{Builtin, Translator};
/// let translators = Builtin::ALL.map(|builtin| Box::new(builtin) as Box<dyn Translator>);
/// let options = Options { rounds: 5, ..Options::default() };
/// let mut tally = Tally::new(&translators);
/// let record = &mut |report| tally.add(report);
/// run(&options, &translators, Limits::default(), &Monitor::default(), record)?;
/// assert_eq!((tally.rounds, tally.disagreements()), (5, 0));
/// # Ok::<(), lwaa::search::limits::Exhausted>(())
/// ```
///
/// # Errors
///
/// If a limit is reached or the monitor says to stop.
pub fn run(
    options: &Options,
    translators: &[Box<dyn Translator>],
    limits: Limits,
    monitor: &Monitor,
    record: &mut dyn FnMut(Report),
) -> Result<(), Exhausted> {
    let started = Instant::now();
    let mut proved = vec![Proved::default(); translators.len()];
    for number in 0..options.rounds {
        // Efforts are counted from the beginning of a round, so that it is the
        // same wherever it stands. Time is not.
        let left = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        if left == Some(Duration::ZERO) {
            return Err(Exhausted::Time { limit: limits.time.unwrap_or_default() });
        }
        let mut budget = Budget::new(Limits { time: left, ..limits }, monitor);
        let seed = options.seed.wrapping_add(number);
        let mut report = Report::new(seed, translators.len());
        let played = play(options, translators, &mut report, &mut budget).map_err(|reason| {
            // What was left of the time is of no interest.
            match (reason, limits.time) {
                (Exhausted::Time { .. }, Some(limit)) => Exhausted::Time { limit },
                (other, _) => other,
            }
        })?;
        report.disagreements.clone_from(&played.1.disagreements);
        prove(options, translators, &played, &mut proved, &mut report, &mut budget);
        if monitor.is_stopped() {
            return Err(Exhausted::Interrupted);
        }
        record(report);
    }
    Ok(())
}

/// One round.
fn play(
    options: &Options,
    translators: &[Box<dyn Translator>],
    report: &mut Report,
    budget: &mut Budget<'_>,
) -> Result<(Formula, Outcome), Exhausted> {
    let mut random = Random::new(report.seed);
    let (low, high) = (*options.sizes.start(), *options.sizes.end());
    let size = low + random.below((high + 1).saturating_sub(low).max(1));
    let shape = random_formula::Options { size, ..options.formula.clone() };
    let formula = random_formula(&shape, &mut random);
    let shape = random_kripke::Options { n_atoms: formula.atoms().len(), ..options.kripke.clone() };
    let graph = random_kripke(&shape, &mut random);
    let path = random_path(&shape, &mut random);
    let negation = formula.negated();
    let mut automata = Vec::new();
    for (number, translator) in translators.iter().enumerate() {
        let mut pair: Pair = [None, None];
        for (place, formula) in pair.iter_mut().zip([&formula, &negation]) {
            budget.allow_effort(options.max_effort);
            let started = Instant::now();
            let automaton = translate(translator.as_ref(), formula, formula.atoms(), budget);
            let seconds = started.elapsed().as_secs_f64();
            *place = note(automaton, seconds, formula, &mut report.translators[number])?;
        }
        automata.push(pair);
    }
    let case = Case { formula: &formula, automata: &automata, graph: &graph, path: &path };
    let outcome = cross_check::check(&case, options.bounds, budget)?;
    report.note(&formula, &outcome);
    Ok((formula, outcome))
}

/// Notes what a translator has done.
fn note(
    automaton: Result<(Nba, Size), Fault>,
    seconds: f64,
    formula: &Formula,
    work: &mut tally::Work,
) -> Result<Option<Nba>, Exhausted> {
    match automaton {
        Ok((automaton, size)) => {
            work.add(size, seconds);
            Ok(Some(automaton))
        }
        // Too large for one formula is not too large for the campaign.
        Err(Fault::Limit(Exhausted::Effort { .. } | Exhausted::States { .. })) => {
            work.n_too_large += 1;
            Ok(None)
        }
        Err(Fault::Limit(limit)) => Err(limit),
        Err(fault) => {
            match fault {
                Fault::Time(_) => work.n_timeouts += 1,
                _ => work.n_crashes += 1,
            }
            work.faults.push((formula.to_string(), fault.to_string()));
            Ok(None)
        }
    }
}

/// What is known against a translator.
#[derive(Clone, Debug, Default)]
struct Proved {
    /// The smallest formulas so far, whatever their atoms are called.
    shapes: Vec<String>,
    /// How many proofs have been made small.
    n_tries: usize,
}

/// How many proofs are made small for each that is shown.
const MAX_TRIES_PER_PROOF: usize = 4;

/// Makes proofs small for translators that are wrong, a few of each. The same formula
/// again is no news.
fn prove(
    options: &Options,
    translators: &[Box<dyn Translator>],
    (formula, outcome): &(Formula, Outcome),
    proved: &mut [Proved],
    report: &mut Report,
    budget: &mut Budget<'_>,
) {
    for culprit in cross_check::culprits(&outcome.disagreements) {
        report.culprits.push(culprit);
        let known = &mut proved[culprit];
        if options.max_proofs <= known.shapes.len()
            || options.max_proofs * MAX_TRIES_PER_PROOF <= known.n_tries
        {
            continue;
        }
        let found = outcome.disagreements.iter().find_map(|disagreement| {
            let opinion = disagreement.wrong().find(|opinion| opinion.translator == culprit)?;
            Some((disagreement, opinion))
        });
        let Some((disagreement, opinion)) = found else { continue };
        known.n_tries += 1;
        let formula = if opinion.negated { formula.negated() } else { formula.clone() };
        let word = disagreement.word.clone();
        let proof = Proof { formula, word, accepts: opinion.accepts };
        let small = shrink(proof, translators[culprit].as_ref(), MAX_TRIES, budget);
        let shape = tally::shape(&small.formula);
        if known.shapes.contains(&shape) {
            continue;
        }
        known.shapes.push(shape);
        report.proofs.push(tally::Culprit { translator: culprit, test: disagreement.test, small });
    }
}
