//! `cross`: translators against each other, and what came of it.
//!
//! What is known is kept where both threads see it, so that an interrupt or a
//! limit leaves what has been found until then.

pub(super) mod command;

use super::progress::Progress;
use super::request::cross::Cross;
use super::supervise;
use super::{Exit, Failure, output, quantity, terminal};
use indicatif::ProgressBar;
use lwaa::report::Format;
use lwaa::report::cross::{CrossReport, CrossVerdict, html, json, text};
use lwaa::testbench::cross::run as play;
use lwaa::testbench::tally::{Report, Tally};
use lwaa::testbench::translator::Translator;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Plays all rounds and prints what came of them.
pub(super) fn run(cross: &Cross) -> Result<Exit, Failure> {
    let translators = translators(cross)?;
    // Before the work begins, so that it is not lost.
    let mut page =
        cross.html.as_deref().map(|path| output::create(path, output::Style::Text)).transpose()?;
    let tally = Arc::new(Mutex::new(Tally::new(&translators)));
    let names: Vec<String> = translators.iter().map(|one| one.name().to_owned()).collect();
    let (shared, options, limits) = (Arc::clone(&tally), cross.options.clone(), cross.limits);
    let bar = terminal::can_move().then(|| ProgressBar::new(options.rounds));
    let outcome = supervise::run_with_news(
        limits,
        Progress::hidden(),
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
    )?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    let stopped = match outcome.result {
        Ok(Ok(())) => None,
        Ok(Err(reason)) => Some(outcome.stopped.unwrap_or(reason)),
        Err(reason) => Some(reason),
    };
    let tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
    let seconds = outcome.time.as_secs_f64();
    let Cross { options, retyped, .. } = cross;
    let report = CrossReport { options, retyped, tally: &tally, stopped, seconds };
    if let Some(page) = &mut page {
        let date = quantity::date();
        let written = html::write(page, &report, &date).and_then(|()| page.flush());
        written.map_err(Failure::Output)?;
    }
    match cross.format {
        Format::Json => output::json(|out| writeln!(out, "{}", json::object(&report)))?,
        Format::Text => output::verbatim(|out| text::write(out, &report))?,
    }
    if cross.times {
        output::message(&text::times(&report));
    }
    Ok(exit(&report))
}

/// How the process is to end; names the translators that have not been tested.
fn exit(report: &CrossReport<'_>) -> Exit {
    for name in report.untested() {
        output::message(&format!(
            "note: {name} has translated nothing, so it has not been tested\n"
        ));
    }
    match report.verdict() {
        CrossVerdict::Agreement => Exit::Yes,
        CrossVerdict::Unknown(_) => Exit::Unknown,
        CrossVerdict::Disagreement => Exit::No,
    }
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
