//! `sat --core`: if a formula has no model, which of its conjuncts contradict each
//! other?
//!
//! The conjuncts of one formula, or the lines of a file of requirements: a file that is
//! no formula as a whole, but a list of them, is taken to be the latter.

use super::diagnostic::Document;
use super::progress::Progress;
use super::request::{Core, Text};
use super::requirements;
use super::supervise::{self, Outcome, explain};
use super::{Exit, Failure, input, output};
use lwaa::ltl::parse::parse_with_warnings;
use lwaa::report::Format;
use lwaa::report::requirements::core::{CoreAnswer, CoreReport};
use lwaa::requirements::conflict::{certified, minimal, witness};
use lwaa::requirements::oracle::{Halt, Oracle, limited};
use lwaa::requirements::{Requirement, of_conjuncts};
use lwaa::search::limits::Monitor;
use lwaa::word::Atoms;
use std::time::Duration;

/// Answers the question and prints the report.
pub(super) fn run(core: Core) -> Result<Exit, Failure> {
    let Core { format, statistics, .. } = core;
    let limits = core.options.limits;
    let outcome =
        supervise::run(limits, Progress::visible(), move |monitor| answer(&core, monitor))?;
    let Outcome { result, stopped, time, peak_bytes, .. } = outcome;
    let mut answered = match result {
        Ok(answered) => answered?,
        Err(reason) => CoreReport {
            requirements: Vec::new(),
            are: "conjuncts",
            atoms: Atoms::default(),
            found: CoreAnswer::Unknown(reason),
            n_searches: 0,
            time,
            peak_bytes,
        },
    };
    (answered.time, answered.peak_bytes) = (time, peak_bytes);
    if let CoreAnswer::Unknown(reason) | CoreAnswer::Unsatisfiable(Err(reason)) =
        &mut answered.found
    {
        explain(reason, stopped);
    }
    match format {
        Format::Json => output::json(|out| writeln!(out, "{}", answered.object()))?,
        Format::Text => output::result(|out| answered.write(out))?,
    }
    if statistics && format == Format::Text {
        output::written(|out| answered.write_statistics(out))?;
    }
    Ok(match answered.found {
        CoreAnswer::Satisfiable(_) => Exit::Yes,
        CoreAnswer::Unsatisfiable(_) => Exit::No,
        CoreAnswer::Unknown(_) => Exit::Unknown,
    })
}

fn answer(core: &Core, monitor: &Monitor) -> Result<CoreReport, Failure> {
    let (requirements, are) = read(core)?;
    let mut oracle = Oracle::new(&requirements, &core.options, monitor);
    let all: Vec<usize> = (0..requirements.len()).collect();
    let found = limited(find(&mut oracle, &all)).map_err(requirements::failure)?;
    let found = found.unwrap_or_else(CoreAnswer::Unknown);
    let (atoms, n_searches) = (oracle.atoms().clone(), oracle.n_searches());
    drop(oracle);
    let (time, peak_bytes) = (Duration::ZERO, 0);
    Ok(CoreReport { requirements, are, atoms, found, n_searches, time, peak_bytes })
}

/// A word on which all hold, or a core.
fn find(oracle: &mut Oracle<'_>, all: &[usize]) -> Result<CoreAnswer, Halt> {
    if let Some(members) = minimal(oracle, all, None)? {
        return limited(certified(oracle, members)).map(CoreAnswer::Unsatisfiable);
    }
    let word = witness(oracle, all)?.ok_or(Halt::Contradiction)?;
    Ok(CoreAnswer::Satisfiable(word))
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
