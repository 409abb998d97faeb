//! `requirements`: what there is to say about a set of requirements.

use super::diagnostic::{self, Document};
use super::progress::Progress;
use super::request::Requirements;
use super::supervise::{self, Outcome, explain};
use super::{Exit, Failure, input, output, quantity, reproducer, shell};
use lwaa::ltl::Syntax;
use lwaa::report::Format;
use lwaa::report::requirements::{RequirementsReport, html, json, text};
use lwaa::requirements::Requirement;
use lwaa::requirements::analysis::{Analysis, Consistency, analyze};
use lwaa::requirements::oracle::{Halt, Oracle};
use lwaa::requirements::read::read;
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::word::Atoms;
use std::time::Duration;

/// Answers and prints.
pub(super) fn run(request: &Requirements) -> Result<Exit, Failure> {
    let asked = request.clone();
    let limits = request.options.limits;
    let outcome =
        supervise::run(limits, Progress::visible(), move |monitor| answer(&asked, monitor))?;
    let Outcome { result, stopped, time, peak_bytes, .. } = outcome;
    let mut report = match result {
        Ok(report) => report?,
        Err(reason) => RequirementsReport {
            file: String::new(),
            requirements: Vec::new(),
            atoms: Atoms::default(),
            analysis: Analysis::new(Consistency::Unknown(reason)),
            time,
            peak_bytes,
        },
    };
    (report.time, report.peak_bytes) = (time, peak_bytes);
    explain_all(&mut report.analysis, stopped);
    match request.format {
        Format::Json => output::json(|out| writeln!(out, "{}", json::object(&report)))?,
        Format::Text => output::result(|out| text::write(out, &report))?,
    }
    if let Some(path) = &request.html {
        let (date, command) = (quantity::date(), shell::command());
        output::file(path, output::Style::Text, |out| html::write(out, &report, date, command))?;
    }
    Ok(match report.analysis.consistency {
        Consistency::Consistent(_) => Exit::Yes,
        Consistency::Inconsistent(_) => Exit::No,
        Consistency::Unknown(_) => Exit::Unknown,
    })
}

/// Puts the reason for which the work was stopped into everything that it has left open.
fn explain_all(analysis: &mut Analysis, stopped: Option<Exhausted>) {
    let in_consistency = match &mut analysis.consistency {
        Consistency::Consistent(_) => None,
        Consistency::Inconsistent(conflicts) => conflicts.exhausted.as_mut(),
        Consistency::Unknown(exhausted) => Some(exhausted),
    };
    let in_questions = analysis.open.iter_mut().map(|open| &mut open.exhausted);
    in_consistency.into_iter().chain(in_questions).for_each(|reason| explain(reason, stopped));
}

fn answer(request: &Requirements, monitor: &Monitor) -> Result<RequirementsReport, Failure> {
    let (file, text) = input::raw_text(&request.text)?;
    let requirements = parsed(Document { name: &file, text: &text }, request.syntax)?;
    let mut oracle = Oracle::new(&requirements, &request.options, monitor);
    let analysis = analyze(&mut oracle, request.conflicts).map_err(failure)?;
    let atoms = oracle.atoms().clone();
    drop(oracle);
    let (time, peak_bytes) = (Duration::ZERO, 0);
    Ok(RequirementsReport { file, requirements, atoms, analysis, time, peak_bytes })
}

/// The requirements that a document has. Warnings go to standard error at once.
pub(super) fn parsed(document: Document<'_>, syntax: Syntax) -> Result<Vec<Requirement>, Failure> {
    let (requirements, warnings) = read(document.text, syntax)
        .map_err(|error| diagnostic::error(&error.to_string(), document, error.span().range()))?;
    input::warn(document, &warnings);
    Ok(requirements)
}

/// What a bug is to the user.
pub(super) fn failure(halt: Halt) -> Failure {
    match halt {
        Halt::Refuted(formula, refuted) => {
            Failure::Internal(reproducer::report(&formula, &refuted.lasso))
        }
        other => Failure::Internal(format!(
            "{other}\nThis is a bug of lwaa {}. Please report it together with the input.\n",
            env!("CARGO_PKG_VERSION")
        )),
    }
}
