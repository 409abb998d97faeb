//! `check`: the verdicts on properties of a model, as soon as they are known.

mod early;
mod page;
mod questions;
mod why;

use super::model::{self, Loaded};
use super::progress::Progress;
use super::request::model::{Check, Reasons};
use super::supervise::{self, Outcome, explain};
use super::{Exit, Failure, output, terminal};
use early::EarlyNote;
use lwaa::check::model::{
    Deadlock, Fair, MAX_ADVICE_STATES, ModelOptions, News as Told, Question, advice,
};
use lwaa::check::reduction::Reduce;
use lwaa::lang::OpenedProgram;
use lwaa::report::json::trace::Origin;
use lwaa::report::model::{
    Cost, ErrorReport, ModelReport, Place, PropertyResult, Severity, error_reason, line,
    lossy_note, severity, strength_name, total, unfair_note,
};
use lwaa::report::state::States;
use lwaa::report::{Format, json};
use lwaa::run::Run;
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::verdict::{Finding, Reduction, Statistics, Unfair, Verdict};
use questions::{Asked, Subject};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use why::Reason;
pub(super) use why::stopped;

/// Checks the properties and prints the report.
pub(super) fn run(check: Check) -> Result<Exit, Failure> {
    let check = Arc::new(check);
    let mut listener = Listener {
        is_silent: check.format == Format::Json,
        is_with_deadlocks: questions::asks_for_deadlocks(&check),
        ..Listener::default()
    };
    let limits = check.options.options.limits;
    let work = {
        let check = Arc::clone(&check);
        move |monitor: &Monitor, tell: &dyn Fn(News)| answer(&check, monitor, tell)
    };
    let outcome = supervise::run_with_news(limits, Progress::visible(), work, |news, stopped| {
        listener.hear(news, stopped);
    })?;
    let loaded = listener.loaded.clone();
    let report = listener.report(outcome)?;
    let is_explained = check.format == Format::Text || check.drawn.page.is_some();
    let reason = |one| is_explained.then(|| why::of(one, loaded.as_deref())).flatten();
    let reasons: Vec<Option<Reason>> = report.results.iter().map(reason).collect();
    if check.format == Format::Json {
        output::json(|out| {
            json::model::write_check(out, &report)?;
            writeln!(out)
        })?;
    } else if let Some(loaded) = &loaded {
        print_runs(&report, &reasons, check.reasons)?;
        point_at_errors(&report, loaded);
        point_at_unfair_runs(&report);
        point_at_lossy_searches(&report);
        point_at_full_searches(&report, check.options.reduce);
    }
    if let (Some(path), Some(loaded)) = (&check.trace, &loaded) {
        write_trace(path, &check, loaded, &report)?;
    }
    page::draw(&check.drawn, loaded.as_deref(), &report, &reasons)?;
    let is_unknown =
        |result: &PropertyResult| severity(&result.finding.verdict) == Severity::Unknown;
    let is_any_unknown = report.unknown.is_some() || report.results.iter().any(is_unknown);
    if check.statistics || (is_any_unknown && check.format == Format::Text) {
        output::written(|out| report.cost.write(out))?;
    }
    Ok(report.worst().map_or(Exit::Unknown, |verdict| severity(verdict).into()))
}

/// What the worker tells while it works.
enum News {
    /// The model and the formulas are read.
    Read(Arc<Loaded>, Vec<Asked>),
    /// The model is opened, perhaps again with more room.
    Opened(Arc<OpenedProgram>),
    /// There is a verdict on the property of this number.
    Found(usize, Box<Finding>),
    /// The search has met an error at the end of this run, and goes on.
    Error(Run),
    /// The property of this number fails by a run that neglects a process.
    Unfair(usize, Unfair),
}

fn answer(check: &Check, monitor: &Monitor, tell: &dyn Fn(News)) -> Result<(), Failure> {
    let loaded = Arc::new(model::load(&check.model)?);
    let asked = questions::properties(check, &loaded)?;
    let questions: Vec<Question<'_>> = asked.iter().map(Asked::question).collect();
    tell(News::Read(Arc::clone(&loaded), asked.clone()));
    let (mut current, mut systems) = (None, Vec::new());
    let findings = lwaa::check::model::check_all(
        &loaded.model,
        &questions,
        &options(check, &asked),
        monitor,
        &mut |news| match news {
            Told::Opened(system) => {
                current = Some(Arc::clone(system));
                tell(News::Opened(Arc::clone(system)));
            }
            Told::Error(run) => tell(News::Error(run.clone())),
            Told::Found(number, finding) => {
                systems.extend(current.clone());
                tell(News::Found(number, Box::new(finding.clone())));
            }
        },
    );
    let findings = findings.map_err(|error| questions::failure(&error, &asked, &loaded))?;
    if check.options.fair == Fair::Declared {
        advise(check, &systems, &asked, &findings, monitor, tell);
    }
    Ok(())
}

/// How the questions are answered. If no property is asked for, a deadlock is an error
/// unless something else was said.
fn options(check: &Check, asked: &[Asked]) -> ModelOptions {
    let mut options = check.options.clone();
    let is_about_errors = asked.iter().any(|asked| matches!(asked.subject, Subject::Errors));
    if is_about_errors && questions::asks_for_deadlocks(check) {
        options.deadlock = Deadlock::Report;
    }
    options
}

/// Tells which properties fail by runs that neglect a process. With `--fair none` there is no
/// advice.
fn advise(
    check: &Check,
    systems: &[Arc<OpenedProgram>],
    asked: &[Asked],
    findings: &[Finding],
    monitor: &Monitor,
    tell: &dyn Fn(News),
) {
    let spent: Duration = findings.iter().map(|finding| finding.statistics.time).sum();
    let mut limits = check.options.options.limits;
    limits.time = limits.time.map(|time| time.saturating_sub(spent));
    let mut options = check.options.clone();
    let mut left = MAX_ADVICE_STATES;
    for (number, (asked, finding)) in asked.iter().zip(findings).enumerate() {
        let Verdict::Violated(run) = &finding.verdict else { continue };
        let Some(formula) = asked.formula() else { continue };
        let started = Instant::now();
        options.options.limits = limits;
        let unfair = advice(&*systems[number], formula, run, &options, &mut left, monitor);
        limits.time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
        if let Some(unfair) = unfair {
            tell(News::Unfair(number, unfair));
        }
    }
}

/// Collects what the worker tells, and prints verdicts at once.
#[derive(Default)]
struct Listener {
    /// Whether verdicts are not printed at once.
    is_silent: bool,
    /// Whether a deadlock is an error where no property is asked for.
    is_with_deadlocks: bool,
    loaded: Option<Arc<Loaded>>,
    asked: Vec<Asked>,
    /// The model as it is opened now.
    system: Option<Arc<OpenedProgram>>,
    /// What has been found, and the system that it is about.
    findings: Vec<(Finding, Option<Arc<OpenedProgram>>)>,
    /// Properties that fail by runs that neglect a process, by number.
    unfair: BTreeMap<usize, Unfair>,
    /// The first error that the search has met.
    error: Option<ErrorReport>,
    /// What is to be printed of it if the search goes on for long.
    early: EarlyNote,
    /// What went wrong when a verdict was printed.
    failure: Option<Failure>,
}

impl Listener {
    fn hear(&mut self, news: News, stopped: Option<Exhausted>) {
        match news {
            News::Read(loaded, asked) => (self.loaded, self.asked) = (Some(loaded), asked),
            News::Opened(system) => self.begin(system),
            News::Error(run) => self.meet(run),
            News::Found(number, mut finding) => {
                debug_assert_eq!(number, self.findings.len(), "properties are checked in order");
                if let Verdict::Unknown(reason) = &mut finding.verdict {
                    explain(reason, stopped);
                }
                self.add(*finding);
            }
            News::Unfair(number, unfair) => drop(self.unfair.insert(number, unfair)),
        }
    }

    /// Begins to check a model, perhaps again because it had too little room.
    fn begin(&mut self, system: Arc<OpenedProgram>) {
        self.error = None;
        self.early.cancel();
        let is_first = self.system.replace(system).is_none();
        if let ([Asked { name, subject: Subject::Errors, .. }], true, false) =
            (&*self.asked, is_first, self.is_silent)
        {
            output::message(&format!(
                "note: the model states no property: {name} are looked for; -f gives a formula\n"
            ));
        }
    }

    /// Notes the first error that the search has met.
    fn meet(&mut self, run: Run) {
        let (Some(loaded), Some(system), None) = (&self.loaded, &self.system, &self.error) else {
            return;
        };
        let place = loaded.place(system.program(), &run);
        let report = ErrorReport { place, run, system: Arc::clone(system) };
        if !self.is_silent {
            self.early.begin(report.clone());
        }
        self.error = Some(report);
    }

    /// Adds the verdict on the next property.
    fn add(&mut self, finding: Finding) {
        if !self.is_silent {
            let verdict = line(&finding.verdict);
            let text = match &*self.asked {
                [] | [_] => verdict,
                several => format!("{}: {verdict}", several[self.findings.len()].name),
            };
            let printed = output::result(|out| writeln!(out, "{text}"));
            self.failure = self.failure.take().or(printed.err());
        }
        self.findings.push((finding, self.system.clone()));
    }

    /// Puts together what the worker and its supervisor know.
    fn report(mut self, outcome: Outcome<Result<(), Failure>>) -> Result<ModelReport, Failure> {
        let Outcome { result, monitor, time, peak_bytes, .. } = outcome;
        let abandoned = match result {
            Ok(finished) => finished.map(|()| None)?,
            Err(reason) => Some(reason),
        };
        let mut statistics = total(self.findings.iter().map(|(finding, _)| &finding.statistics));
        if let Some(reason) = abandoned {
            let seen = usize::try_from(monitor.states()).unwrap_or(usize::MAX);
            let mut last = Statistics::default();
            if monitor.is_translating() {
                last.unfinished_automaton_states = seen;
                statistics.unfinished_automaton_states += seen;
            } else {
                statistics.states = seen;
                statistics.transitions = monitor.transitions();
            }
            // Without a model there is one verdict: nothing is known.
            while self.findings.len() < self.asked.len().max(1) {
                let verdict = Verdict::Unknown(reason);
                let statistics = std::mem::take(&mut last);
                self.add(Finding { verdict, violation: None, statistics });
            }
        }
        if let Some(failure) = self.failure {
            return Err(failure);
        }
        self.early.cancel();
        let shows_error = |(finding, _): &(Finding, _)| {
            finding.verdict.run().is_some_and(|run| !run.is_infinite())
        };
        let error = self.error.filter(|_| !self.findings.iter().any(shows_error));
        let (loaded, is_with_deadlocks) = (self.loaded, self.is_with_deadlocks);
        let results: Vec<PropertyResult> = self
            .asked
            .into_iter()
            .zip(self.findings)
            .enumerate()
            .map(|(number, (asked, (finding, system)))| PropertyResult {
                name: asked.name.clone(),
                unfair: self.unfair.remove(&number),
                about: asked.about(is_with_deadlocks),
                formula: asked.formula().cloned(),
                place: place(loaded.as_deref(), system.as_deref(), &finding.verdict),
                finding,
                system,
            })
            .collect();
        let cost = Cost { statistics, is_complete: abandoned.is_none(), time, peak_bytes };
        let unknown = abandoned.filter(|_| loaded.is_none());
        Ok(ModelReport { results, unknown, error, warnings: Vec::new(), cost })
    }
}

/// Where the model goes wrong, if it does.
fn place(
    loaded: Option<&Loaded>,
    system: Option<&OpenedProgram>,
    verdict: &Verdict,
) -> Option<Place> {
    loaded?.place(system?.program(), verdict.run()?)
}

/// Prints the runs that the verdicts show. If there are several properties,
/// each run says of which it is one; a run that is the same is not repeated. Behind a run that
/// shows that something is wrong, the last line says why.
fn print_runs(
    report: &ModelReport,
    reasons: &[Option<Reason>],
    wanted: Reasons,
) -> Result<(), Failure> {
    output::result(|out| {
        for (number, result) in report.results.iter().enumerate() {
            let verdict = &result.finding.verdict;
            if verdict.run().is_none() {
                continue;
            }
            let mut before = report.results[..number].iter();
            if let Some(same) = before.find(|other| other.finding.verdict == *verdict) {
                writeln!(out, "\nrun for {}: as for {}", result.name, same.name)?;
                continue;
            }
            if 1 < report.results.len() {
                writeln!(out, "\nrun for {}", result.name)?;
            }
            result.write_run(out, terminal::run_width())?;
            let reason = reasons[number].as_ref();
            if wanted == Reasons::Full {
                why::write(out, result, reason)?;
            }
            if severity(verdict) != Severity::Yes {
                writeln!(out, "{}", why::sentence(result, reason))?;
            }
        }
        if let Some(error) = &report.error {
            writeln!(out, "\nrun into a model error: {}", error_reason(&error.run))?;
            error.write_run(out, terminal::run_width())?;
            writeln!(out, "{}", why::stopped(&error.run, &States::new(error.system.program())))?;
        }
        Ok(())
    })
}

/// Shows the transitions that make the model wrong, each once.
fn point_at_errors(report: &ModelReport, loaded: &Loaded) {
    let mut shown: Vec<String> = Vec::new();
    for result in &report.results {
        let run = result.finding.verdict.run();
        let message = run
            .zip(result.system.as_ref())
            .and_then(|(run, system)| loaded.message(system.program(), run));
        if let Some(message) = message.filter(|message| !shown.contains(message)) {
            output::message(&message);
            shown.push(message);
        }
    }
}

/// Says which runs are excluded by an assumption of fairness.
fn point_at_unfair_runs(report: &ModelReport) {
    for result in &report.results {
        let name = if report.results.len() == 1 { "the property" } else { &result.name };
        if let Some(unfair) = &result.unfair {
            let option = format!("--fair {}", strength_name(unfair.strength));
            output::message(&unfair_note(name, unfair, &option));
        }
    }
}

/// Says how much may have been missed.
fn point_at_lossy_searches(report: &ModelReport) {
    for result in &report.results {
        let name = match report.results.len() {
            1 => "a run".to_owned(),
            _ => format!("a run for {}", result.name),
        };
        if let Some(note) = lossy_note(&name, &result.finding.verdict) {
            output::message(&note);
        }
    }
}

/// Says why steps were not left out that were to be left out wherever that is sound.
fn point_at_full_searches(report: &ModelReport, reduce: Reduce) {
    for result in &report.results {
        if let (Reduce::On, Some(Reduction::Off(reason))) =
            (reduce, result.finding.statistics.reduction)
        {
            let name = if report.results.len() == 1 { "the property" } else { &result.name };
            output::message(&format!("note: all steps were taken for {name}: {reason}\n"));
        }
    }
}

/// Writes the first run to a file.
fn write_trace(
    path: &Path,
    check: &Check,
    loaded: &Loaded,
    report: &ModelReport,
) -> Result<(), Failure> {
    let has_run = |result: &&PropertyResult| result.finding.verdict.run().is_some();
    let Some(result) = report.results.iter().find(has_run) else {
        output::message(&format!("note: there is no run to write to {}\n", path.display()));
        return Ok(());
    };
    let origin = Origin { model: &loaded.name, definitions: &check.model.definitions };
    output::file(path, output::Style::Json, |out| {
        json::model::write_trace(out, origin, result)?;
        writeln!(out)
    })
}
