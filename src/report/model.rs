//! What is said about a model: the verdicts on its properties, or its size.

mod about;
mod total;

pub use about::{About, Place};

use super::state::States;
use super::trace;
use crate::lang::OpenedProgram;
use crate::ltl::Formula;
use crate::run::Run;
use crate::search::coverage::Coverage;
use crate::search::limits::Exhausted;
use crate::system::Strength;
use crate::verdict::{
    Exploration, Finding, Incomplete, Reduction, Statistics, Unfair, Unreduced, Verdict, Violation,
};
use std::io::{Result, Write};
use std::sync::Arc;
use std::time::Duration;

pub use total::total;

/// The verdicts on some properties of a model, and what they cost.
#[derive(Clone, Debug)]
pub struct ModelReport {
    /// The results, in the order in which the properties were asked for.
    pub results: Vec<PropertyResult>,
    /// Why there are no results, if the search was abandoned before the model
    /// was read.
    pub unknown: Option<Exhausted>,
    /// An error of the model that the search has met and no result shows.
    pub error: Option<ErrorReport>,
    /// What may have been meant instead.
    pub warnings: Vec<String>,
    /// What all of it cost.
    pub cost: Cost,
}

/// The verdict on one property.
#[derive(Clone, Debug)]
pub struct PropertyResult {
    /// What the property is called.
    pub name: String,
    /// What it is about.
    pub about: About,
    /// What was checked; nothing if the run ended before it was read.
    pub formula: Option<Formula>,
    /// What came out.
    pub finding: Finding,
    /// The system whose states the run has; nothing if the model was not opened.
    pub system: Option<Arc<OpenedProgram>>,
    /// Where in the source of the model it goes wrong, if it does.
    pub place: Option<Place>,
    /// The processes that its run neglects, if it fails by such a run.
    pub unfair: Option<Unfair>,
}

/// An error of the model.
#[derive(Clone, Debug)]
pub struct ErrorReport {
    /// The run that leads there.
    pub run: Run,
    /// The system whose states the run has.
    pub system: Arc<OpenedProgram>,
    /// Where in the source of the model it goes wrong, if that is known.
    pub place: Option<Place>,
}

impl ErrorReport {
    /// Writes the run.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_run(&self, out: &mut dyn Write, width: usize) -> Result<()> {
        let states = States::new(self.system.program());
        write_run(out, Some(&self.run), None, &states, self.place.as_ref(), width)
    }
}

/// The size of a model, and what finding out cost.
#[derive(Clone, Debug)]
pub struct ExplorationReport {
    /// The size.
    pub exploration: Exploration,
    /// Where in the source of the model it goes wrong, if it does.
    pub place: Option<Place>,
    /// Statements, or actions where there are no statements, that are never taken; nothing if
    /// that is not known.
    pub never_taken: Option<Vec<String>>,
    /// What it cost.
    pub cost: Cost,
}

/// What an answer cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// All counters, or some.
    pub statistics: Statistics,
    /// Whether all counters are known. If the search had to be abandoned, only
    /// states and transitions are.
    pub is_complete: bool,
    /// Wall-clock time since the start of the process.
    pub time: Duration,
    /// The most memory that the process has used.
    pub peak_bytes: usize,
}

/// How bad a verdict is; the worst of several counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// As asked for.
    Yes,
    /// It is not known.
    Unknown,
    /// Not as asked for.
    No,
    /// The model itself is wrong.
    ModelError,
}

/// What is said of a state without successor that was to be reported.
const DEADLOCK: &str = "deadlock: no transition is enabled";

/// The codes of what is no error of a transition and no limit.
const DEADLOCK_CODE: &str = "deadlock";
const LOSSY_CODE: &str = "lossy";

/// What is wrong with the model at the end of a run.
#[must_use]
pub fn error_reason(run: &Run) -> String {
    run.fault().map_or_else(|| DEADLOCK.to_owned(), ToString::to_string)
}

/// The word for programs that goes with [`error_reason`].
#[must_use]
pub fn error_code(run: &Run) -> &'static str {
    run.fault().map_or(DEADLOCK_CODE, |fault| fault.kind.code())
}

/// How bad `verdict` is.
#[must_use]
pub fn severity(verdict: &Verdict) -> Severity {
    match verdict {
        Verdict::Holds | Verdict::Exists(_) => Severity::Yes,
        Verdict::Unknown(_) | Verdict::NotViolated(_) | Verdict::NotFound(_) => Severity::Unknown,
        Verdict::Violated(_) | Verdict::ExistsNot => Severity::No,
        Verdict::ModelError(_) => Severity::ModelError,
    }
}

/// The word for a verdict.
#[must_use]
pub fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::Exists(_) => "a run exists",
        Verdict::ExistsNot => "no run exists",
        Verdict::ModelError(_) => "model error",
        Verdict::NotViolated(_) => "no violation found",
        Verdict::NotFound(_) => "no run found",
        Verdict::Unknown(_) => "unknown",
    }
}

/// What is said of a store that forgets.
fn lossy(coverage: &Coverage) -> String {
    format!("the store is lossy: {coverage}")
}

/// What is to be said about the word, if there is something.
#[must_use]
pub fn reason(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::ModelError(run) => Some(error_reason(run)),
        Verdict::NotViolated(coverage) | Verdict::NotFound(coverage) => Some(lossy(coverage)),
        Verdict::Unknown(exhausted) => Some(exhausted.to_string()),
        Verdict::Holds | Verdict::Violated(_) | Verdict::Exists(_) | Verdict::ExistsNot => None,
    }
}

/// The word for programs that goes with [`reason`].
#[must_use]
pub fn reason_code(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::ModelError(run) => Some(error_code(run)),
        Verdict::NotViolated(_) | Verdict::NotFound(_) => Some(LOSSY_CODE),
        Verdict::Unknown(exhausted) => Some(exhausted.code()),
        Verdict::Holds | Verdict::Violated(_) | Verdict::Exists(_) | Verdict::ExistsNot => None,
    }
}

/// A verdict as the first line has it.
#[must_use]
pub fn line(verdict: &Verdict) -> String {
    // Scripts know the words for what a lossy search has not found.
    let is_word = matches!(verdict, Verdict::NotViolated(_) | Verdict::NotFound(_));
    match reason(verdict).filter(|_| !is_word) {
        Some(reason) => format!("{}: {reason}", word(verdict)),
        None => word(verdict).to_owned(),
    }
}

impl ModelReport {
    /// The most severe of the verdicts; the first of those.
    #[must_use]
    pub fn worst(&self) -> Option<&Verdict> {
        let verdicts = self.results.iter().map(|result| &result.finding.verdict);
        // `max_by_key` finds the last one.
        verdicts.rev().max_by_key(|verdict| severity(verdict))
    }
}

/// What is said of a search that may have missed something.
#[must_use]
pub fn lossy_note(name: &str, verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::NotViolated(coverage) | Verdict::NotFound(coverage) => {
            Some(format!("note: {name} may have been missed, {}\n", lossy(coverage)))
        }
        _ => None,
    }
}

/// What fairness is called on the command line.
#[must_use]
pub fn strength_name(strength: Strength) -> &'static str {
    match strength {
        Strength::Weak => "weak",
        Strength::Strong => "strong",
    }
}

/// What is said of a run that neglects a process.
#[must_use]
pub fn unfair_note(name: &str, unfair: &Unfair, option: &str) -> String {
    /// So many names are listed.
    const MAX_NAMES: usize = 4;
    let Unfair { strength, neglected, holds } = unfair;
    let could = match strength {
        Strength::Weak => "could always move from some moment on",
        Strength::Strong => "could move again and again",
    };
    let mut names = neglected.iter().take(MAX_NAMES).cloned().collect::<Vec<_>>().join(", ");
    if MAX_NAMES < neglected.len() {
        names = format!("{names} and {} more", neglected.len() - MAX_NAMES);
    }
    let outcome = if *holds {
        format!("With {option}, which excludes such runs, {name} holds")
    } else {
        format!("{option} excludes such runs; try it to see whether {name} holds then")
    };
    let moves = if neglected.len() == 1 { "never moves" } else { "never move" };
    format!("note: the run is unfair: {names} {could}, but {moves} again. {outcome}.\n")
}

impl PropertyResult {
    /// Writes the run that the verdict shows, if it shows one.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write_run(&self, out: &mut dyn Write, width: usize) -> Result<()> {
        let Some(system) = &self.system else { return Ok(()) };
        let states = &States::new(system.program());
        let Finding { verdict, violation, .. } = &self.finding;
        let run = verdict.run();
        // What follows a violation does not matter any more.
        let place = self.place.as_ref().filter(|_| violation.is_none());
        write_run(out, run, violation.as_ref(), states, place, width)
    }
}

impl ExplorationReport {
    /// The word for what has come out.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self.exploration.incomplete {
            None => "explored",
            Some(Incomplete::Limit(_) | Incomplete::Lossy(_)) => "unknown",
            Some(Incomplete::ModelError(_)) => "model error",
        }
    }

    /// Why there may be more states, if so.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        self.exploration.incomplete.as_ref().map(|incomplete| match incomplete {
            Incomplete::Limit(exhausted) => exhausted.to_string(),
            Incomplete::Lossy(coverage) => lossy(coverage),
            Incomplete::ModelError(run) => error_reason(run),
        })
    }

    /// The word for programs that goes with the reason.
    #[must_use]
    pub fn reason_code(&self) -> Option<&'static str> {
        self.exploration.incomplete.as_ref().map(|incomplete| match incomplete {
            Incomplete::Limit(exhausted) => exhausted.code(),
            Incomplete::Lossy(_) => LOSSY_CODE,
            Incomplete::ModelError(run) => error_code(run),
        })
    }

    /// How bad it is.
    #[must_use]
    pub fn severity(&self) -> Severity {
        match self.exploration.incomplete {
            None => Severity::Yes,
            Some(Incomplete::Limit(_) | Incomplete::Lossy(_)) => Severity::Unknown,
            Some(Incomplete::ModelError(_)) => Severity::ModelError,
        }
    }

    /// Writes the size, why there may be more and the run that leads there.
    /// Without `states` there is no run to be written.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(
        &self,
        out: &mut dyn Write,
        states: Option<&States<'_>>,
        width: usize,
    ) -> Result<()> {
        let Exploration { states: n_states, transitions, deadlocks, .. } = self.exploration;
        let mut size = format!("states {n_states} transitions {transitions} deadlocks {deadlocks}");
        if 0 < self.exploration.errors {
            size = format!("{size} errors {}", self.exploration.errors);
        }
        let so_far = if self.exploration.is_complete { "" } else { " so far" };
        match self.reason() {
            None => writeln!(out, "{size}")?,
            Some(reason) => writeln!(out, "{}: {reason}\n{size}{so_far}", self.word())?,
        }
        let run = self.exploration.incomplete.as_ref().and_then(Incomplete::run);
        match states {
            Some(states) => write_run(out, run, None, states, self.place.as_ref(), width),
            None => Ok(()),
        }
    }
}

fn write_run(
    out: &mut dyn Write,
    run: Option<&Run>,
    violation: Option<&Violation>,
    states: &States<'_>,
    place: Option<&Place>,
    width: usize,
) -> Result<()> {
    let Some(run) = run else { return Ok(()) };
    trace::write(out, run, violation, states, width)?;
    match place {
        Some(place) => writeln!(out, "at {place}"),
        None => Ok(()),
    }
}

impl Cost {
    /// The counters by the names that they have in text and JSON.
    #[must_use]
    pub fn counters(&self) -> Vec<(&'static str, u64)> {
        let statistics = &self.statistics;
        let seen = [("states", statistics.states as u64), ("transitions", statistics.transitions)];
        if !self.is_complete {
            let unfinished = statistics.unfinished_automaton_states as u64;
            let unfinished = ("unfinished_automaton_states", unfinished);
            return seen.into_iter().chain(Some(unfinished).filter(|more| 0 < more.1)).collect();
        }
        let mut counters = counters(statistics);
        counters.retain(|&(_, count)| 0 < count);
        for (index, always) in seen.into_iter().enumerate() {
            if !counters.contains(&always) {
                counters.insert(index, always);
            }
        }
        counters
    }

    /// The numbers that are made of counters, by their names: cache hit rate,
    /// bytes per state, states per second. Those without meaning are left out.
    #[must_use]
    pub fn rates(&self) -> Vec<(&'static str, f64)> {
        let Statistics { cache_hits, cache_misses, states, state_bytes, .. } = self.statistics;
        #[expect(clippy::cast_precision_loss, reason = "a rate needs no more than 52 bits")]
        let quotient = |part: u64, whole: u64| part as f64 / whole as f64;
        let mut rates = Vec::new();
        if 0 < cache_hits + cache_misses {
            rates.push(("cache_hit_rate", quotient(cache_hits, cache_hits + cache_misses)));
        }
        if 0 < states && 0 < state_bytes {
            rates.push(("bytes_per_state", quotient(state_bytes as u64, states as u64)));
        }
        if let Some(coverage) = &self.statistics.coverage {
            rates.push(("hash_factor", coverage.hash_factor()));
            rates.push(("omission_probability", coverage.omission_probability()));
            rates.push(("expected_omissions", coverage.expected_omissions()));
        }
        let microseconds = u64::try_from(self.time.as_micros()).unwrap_or(u64::MAX);
        if 0 < microseconds {
            rates.push(("states_per_second", quotient(states as u64, microseconds) * 1e6));
        }
        rates
    }

    /// Writes the statistics, one per line.
    ///
    /// # Errors
    ///
    /// If `out` takes no more.
    pub fn write(&self, out: &mut dyn Write) -> Result<()> {
        let mut lines: Vec<(&str, String)> =
            self.counters().into_iter().map(|(name, count)| (name, count.to_string())).collect();
        lines.extend(self.rates().into_iter().map(|(name, rate)| {
            let text = match name {
                "cache_hit_rate" => format!("{:.1} %", rate * 100.0),
                "states_per_second" => format!("{rate:.0}"),
                "omission_probability" => format!("{rate:.1e}"),
                _ => format!("{rate:.1}"),
            };
            (name, text)
        }));
        let is_news = |reduction: &Reduction| {
            self.is_complete && *reduction != Reduction::Off(Unreduced::Asked)
        };
        if let Some(reduction) = self.statistics.reduction.filter(is_news) {
            lines.push(("reduction", reduction.to_string()));
        }
        lines.extend(self.statistics.guided.then(|| ("order", "guided".to_owned())));
        if let Some(knowledge) = self.statistics.knowledge {
            lines.push(("knowledge", knowledge.to_string()));
        }
        if let Some(size) = self.statistics.net {
            lines.push(("net", size.to_string()));
        }
        lines.push(("time", format!("{:.3} s", self.time.as_secs_f64())));
        lines.push(("peak memory", super::text::bytes(self.peak_bytes)));
        super::text::write_columns(out, &lines)
    }
}

/// The counters of one search by the names that they have in JSON.
pub(super) fn counters(statistics: &Statistics) -> Vec<(&'static str, u64)> {
    let mut counters = vec![
        ("states", statistics.states as u64),
        ("nodes", statistics.nodes as u64),
        ("nodes_again", statistics.nodes_again as u64),
        ("transitions", statistics.transitions),
        ("configurations", statistics.configurations as u64),
        ("terms", statistics.terms as u64),
        ("searches", statistics.searches as u64),
        ("locations", statistics.locations as u64),
        ("signs", statistics.signs as u64),
        ("components", statistics.components as u64),
        ("depth", statistics.depth as u64),
        ("cache_hits", statistics.cache_hits),
        ("cache_misses", statistics.cache_misses),
        ("state_bytes", statistics.state_bytes as u64),
    ];
    // What is known of some engines and stores only.
    let more = [
        ("automaton_states", statistics.automaton_states),
        ("automaton_edges", statistics.automaton_edges),
        ("unfinished_automaton_states", statistics.unfinished_automaton_states),
        ("packets", statistics.packets),
        ("packet_bytes", statistics.packet_bytes),
        ("classical_states", statistics.classical_states),
        ("classical_bytes", statistics.classical_bytes),
        ("unseen_variables", statistics.unseen),
    ];
    let more = more.into_iter().filter(|&(_, count)| 0 < count);
    counters.extend(more.map(|(name, count)| (name, count as u64)));
    counters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Ending;
    use crate::system::{Fault, FaultKind};

    fn cost(statistics: &Statistics, is_complete: bool) -> Cost {
        Cost {
            statistics: *statistics,
            is_complete,
            time: Duration::from_secs(2),
            peak_bytes: 3 << 20,
        }
    }

    #[test]
    fn the_first_line_has_a_word_and_perhaps_a_reason() {
        let fault = Fault { kind: FaultKind::DivisionByZero, transition: None };
        assert_eq!(line(&Verdict::Holds), "holds");
        assert_eq!(line(&Verdict::ExistsNot), "no run exists");
        assert_eq!(line(&Verdict::Unknown(Exhausted::Interrupted)), "unknown: interrupted");
        let error = |ending| Verdict::ModelError(Run { moments: vec![], ending });
        assert_eq!(line(&error(Ending::Fault(fault))), "model error: division by zero");
        let deadlock = "model error: deadlock: no transition is enabled";
        assert_eq!(line(&error(Ending::Deadlock)), deadlock);
    }

    #[test]
    fn the_worst_verdict_counts() {
        let unknown = Verdict::Unknown(Exhausted::Interrupted);
        let deadlock = Run { moments: vec![], ending: Ending::Deadlock };
        let order = [Verdict::Holds, unknown, Verdict::ExistsNot, Verdict::ModelError(deadlock)];
        assert!(order.windows(2).all(|pair| severity(&pair[0]) < severity(&pair[1])));
    }

    #[test]
    fn statistics_have_a_line_each() {
        let statistics = Statistics {
            states: 10,
            state_bytes: 85,
            transitions: 20,
            cache_hits: 1,
            cache_misses: 3,
            ..Statistics::default()
        };
        let mut out = Vec::new();
        cost(&statistics, true).write(&mut out).unwrap();
        insta::assert_snapshot!(String::from_utf8(out).unwrap(), @r"
        states            10
        transitions       20
        cache hits        1
        cache misses      3
        state bytes       85
        cache hit rate    25.0 %
        bytes per state   8.5
        states per second 5
        time              2.000 s
        peak memory       3.0 MiB
        ");
    }

    #[test]
    fn of_an_abandoned_search_little_is_known() {
        let statistics = Statistics { nodes: 7, ..Statistics::default() };
        assert_eq!(cost(&statistics, false).counters(), [("states", 0), ("transitions", 0)]);
        assert_eq!(
            cost(&statistics, true).counters(),
            [("states", 0), ("transitions", 0), ("nodes", 7)]
        );
    }
}
