//! `cross`: translators against each other, and what came of it.
//!
//! What is known is kept where both threads see it, so that an interrupt or a
//! limit leaves what has been found until then.

pub(super) mod command;
mod html;
mod json;
mod text;

use super::request::cross::Cross;
use super::supervise::{self, Ending};
use super::{Exit, Failure, output, terminal};
use indicatif::ProgressBar;
use lwaa::search::limits::Exhausted;
use lwaa::testbench::cross::run as play;
use lwaa::testbench::tally::{Line, Report, Tally};
use lwaa::testbench::translator::Translator;
use std::sync::{Arc, Mutex, PoisonError};

/// What there is to tell.
#[derive(Debug)]
struct Results<'a> {
    cross: &'a Cross,
    tally: &'a Tally,
    /// Why not all rounds were played, if so.
    stopped: Option<Exhausted>,
    seconds: f64,
}

/// What the rounds have shown.
enum Verdict {
    Agreement,
    Disagreement,
    /// Why nothing has been shown.
    Unknown(String),
}

impl Results<'_> {
    fn verdict(&self) -> Verdict {
        let untested =
            || self.untested().map(|name| format!("{name} has translated nothing")).next();
        match (self.tally.disagreements(), self.stopped) {
            (0, Some(reason)) => Verdict::Unknown(reason.to_string()),
            (0, None) => untested().map_or(Verdict::Agreement, Verdict::Unknown),
            _ => Verdict::Disagreement,
        }
    }

    /// Who has failed on everything.
    fn untested(&self) -> impl Iterator<Item = &str> {
        let has_failed = |line: &&Line| {
            let work = &line.work;
            work.n_translated == 0 && 0 < work.n_crashes + work.n_timeouts
        };
        self.tally.lines.iter().filter(has_failed).map(|line| line.name.as_str())
    }

    /// What repeats a round.
    fn command(&self, seed: u64) -> String {
        let line = format!("lwaa cross --seed {seed} --rounds 1 {}", self.cross.retyped);
        line.trim_end().to_owned()
    }
}

/// Plays all rounds and prints what came of them.
pub(super) fn run(cross: &Cross) -> Result<Exit, Failure> {
    let translators = translators(cross)?;
    // Before the work begins, so that it is not lost.
    let mut page = cross.html.as_deref().map(create).transpose()?;
    let tally = Arc::new(Mutex::new(Tally::new(&translators)));
    let names: Vec<String> = translators.iter().map(|one| one.name().to_owned()).collect();
    let (shared, options, limits) = (Arc::clone(&tally), cross.options.clone(), cross.limits);
    let bar = terminal::can_move().then(|| ProgressBar::new(options.rounds));
    let outcome = supervise::run_silently(
        limits,
        move |monitor, tell: &dyn Fn(Option<String>)| {
            play(&options, &translators, limits, monitor, &mut |report: Report| {
                tell(alarm(&report, &names));
                shared.lock().unwrap_or_else(PoisonError::into_inner).add(report);
            })
        },
        |alarm, _| {
            if let Some(bar) = &bar {
                bar.inc(1);
            }
            if let Some(alarm) = alarm {
                bar.as_ref().map_or_else(
                    || output::message(&alarm),
                    |bar| bar.println(output::shown(&alarm).trim_end()),
                );
            }
        },
    );
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let stopped = match outcome.ending {
        Ending::Finished(Ok(())) => None,
        Ending::Finished(Err(reason)) => Some(outcome.stopped.unwrap_or(reason)),
        Ending::Abandoned(reason) => Some(reason),
        Ending::Panicked => return Ok(Exit::Internal),
    };
    let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    let seconds = outcome.time.as_secs_f64();
    let results = Results { cross, tally: &tally, stopped, seconds };
    if let Some(page) = &mut page {
        html::write(page, &results).map_err(Failure::Output)?;
    }
    if cross.json {
        output::json(|out| writeln!(out, "{}", json::object(&results)))?;
    } else {
        output::verbatim(|out| text::write(out, &results))?;
    }
    if cross.times {
        output::message(&text::times(&results));
    }
    Ok(exit(&results))
}

/// How the process is to end; says who has not been tested.
fn exit(results: &Results<'_>) -> Exit {
    for name in results.untested() {
        output::message(&format!(
            "note: {name} has translated nothing, so it has not been tested\n"
        ));
    }
    match results.verdict() {
        Verdict::Agreement => Exit::Yes,
        Verdict::Unknown(_) => Exit::Unknown,
        Verdict::Disagreement => Exit::No,
    }
}

fn create(path: &std::path::Path) -> Result<std::fs::File, Failure> {
    std::fs::File::create(path)
        .map_err(|error| Failure::plain(format_args!("cannot write {}: {error}", path.display())))
}

fn translators(cross: &Cross) -> Result<Vec<Box<dyn Translator>>, Failure> {
    let mut all: Vec<Box<dyn Translator>> = Vec::new();
    for &builtin in &cross.builtins {
        all.push(Box::new(builtin));
    }
    for (name, template) in &cross.commands {
        let folder = tempfile::tempdir().map_err(|error| {
            Failure::plain(format_args!("cannot create a folder for temporary files: {error}"))
        })?;
        all.push(Box::new(command::External {
            name: name.clone(),
            template: template.clone(),
            timeout: cross.timeout,
            folder,
        }));
    }
    Ok(all)
}

/// What is told at once.
fn alarm(report: &Report, names: &[String]) -> Option<String> {
    let formula = report.formula.as_ref()?;
    let culprits: Vec<&str> =
        report.culprits.iter().map(|&number| names[number].as_str()).collect();
    Some(format!("seed {}: wrong on {formula:.200}: {}\n", report.seed, culprits.join(", ")))
}
