//! `sat --core`: if a formula has no model, which of its conjuncts contradict each
//! other?
//!
//! The conjuncts of one formula, or the lines of a file of requirements: a file that is
//! no formula as a whole, but a list of them, is taken to be the latter.

use super::diagnostic::Document;
use super::request::{Core, Text};
use super::requirements;
use super::supervise::{self, Ending, Outcome};
use super::{Exit, Failure, input, output};
use lwaa::ltl::parse::parse_with_warnings;
use lwaa::report::Format;
use lwaa::report::requirements::core::{CoreReport, Found};
use lwaa::requirements::conflict::{certified, minimal, witness};
use lwaa::requirements::oracle::{Halt, Oracle};
use lwaa::requirements::{Requirement, of_conjuncts};
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::word::Atoms;
use std::time::Duration;

/// Answers the question and prints the report.
pub(super) fn run(core: Core) -> Result<Exit, Failure> {
    let Core { format, statistics, .. } = core;
    let outcome = supervise::run(core.options.limits, move |monitor| answer(&core, monitor));
    let Outcome { ending, stopped, time, peak_bytes, .. } = outcome;
    let mut answered = match ending {
        Ending::Finished(answered) => answered?,
        Ending::Abandoned(reason) => CoreReport {
            requirements: Vec::new(),
            are: "conjuncts",
            atoms: Atoms::default(),
            found: Found::Unknown(reason),
            n_searches: 0,
            time,
            peak_bytes,
        },
        // The panic hook has said what there is to say.
        Ending::Panicked => return Err(Failure::Internal(String::new())),
    };
    (answered.time, answered.peak_bytes) = (time, peak_bytes);
    if let (Found::Unknown(found) | Found::Unsatisfiable(Err(found)), Some(reason)) =
        (&mut answered.found, stopped)
        && *found == Exhausted::Interrupted
    {
        // The worker knows that it was stopped; we know why.
        *found = reason;
    }
    match format {
        Format::Json => output::json(|out| writeln!(out, "{}", answered.object()))?,
        Format::Text => output::result(|out| answered.write(out))?,
    }
    if statistics && format == Format::Text {
        let n_searches = answered.n_searches;
        output::message(&format!(
            "searches        {n_searches}\ntime            {:.3} s\n",
            time.as_secs_f64()
        ));
    }
    Ok(match answered.found {
        Found::Satisfiable(_) => Exit::Yes,
        Found::Unsatisfiable(_) => Exit::No,
        Found::Unknown(_) => Exit::Unknown,
    })
}

fn answer(core: &Core, monitor: &Monitor) -> Result<CoreReport, Failure> {
    let (requirements, are) = read(core)?;
    let mut oracle = Oracle::new(&requirements, &core.options, monitor);
    let all: Vec<usize> = (0..requirements.len()).collect();
    let found = match minimal(&mut oracle, &all, None) {
        Ok(None) => match witness(&mut oracle, &all) {
            Ok(Some(word)) => Ok(Found::Satisfiable(word)),
            Ok(None) => Err(Halt::Contradiction),
            Err(halt) => Err(halt),
        },
        Ok(Some(members)) => match certified(&mut oracle, members) {
            Ok(conflict) => Ok(Found::Unsatisfiable(Ok(conflict))),
            Err(Halt::Exhausted(exhausted)) => Ok(Found::Unsatisfiable(Err(exhausted))),
            Err(halt) => Err(halt),
        },
        Err(halt) => Err(halt),
    };
    let found = match found {
        Err(Halt::Exhausted(exhausted)) => Found::Unknown(exhausted),
        Err(halt) => return Err(requirements::failure(halt)),
        Ok(found) => found,
    };
    let (atoms, n_searches) = (oracle.atoms().clone(), oracle.n_searches());
    drop(oracle);
    let (time, peak_bytes) = (Duration::ZERO, 0);
    Ok(CoreReport { requirements, are, atoms, found, n_searches, time, peak_bytes })
}

/// The conjuncts of a formula or the lines of a file, and what they are called.
fn read(core: &Core) -> Result<(Vec<Requirement>, &'static str), Failure> {
    let (name, text) = input::text(&core.text)?;
    let document = Document { name: &name, text: &text };
    let is_list = !matches!(core.text, Text::Argument { .. })
        && parse_with_warnings(&text, core.syntax).is_err()
        && 1 < text.lines().filter(|line| !line.trim().is_empty()).count();
    let has_names = !matches!(core.text, Text::Argument { .. }) && text.contains(':');
    if is_list || (has_names && parse_with_warnings(&text, core.syntax).is_err()) {
        return Ok((requirements::parsed(document, core.syntax)?, "requirements"));
    }
    let formula = input::parsed(document, core.syntax)?.formula;
    Ok((of_conjuncts(&formula), "conjuncts"))
}
