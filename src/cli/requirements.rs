//! `requirements`: what there is to say about a set of requirements.

mod html;
mod json;
mod text;

use super::diagnostic::{self, Document};
use super::request::Requirements;
use super::supervise::{self, Ending, Outcome};
use super::{Exit, Failure, input, output, reproducer};
use lwaa::ltl::Syntax;
use lwaa::ltl::print::{Dialect, atom_text};
use lwaa::requirements::Requirement;
use lwaa::requirements::analysis::{Analysis, Consistency, analyze};
use lwaa::requirements::conflict::Conflict;
use lwaa::requirements::oracle::{Halt, Oracle};
use lwaa::requirements::read::read;
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::word::{Atoms, Lasso, Letter};
use serde_json::{Value, json};
use std::io::{Result as Written, Write};
use std::time::{Duration, SystemTime};

/// A set of requirements and what there is to say about it.
#[derive(Debug)]
struct Report {
    /// The file.
    file: String,
    requirements: Vec<Requirement>,
    atoms: Atoms,
    analysis: Analysis,
    time: Duration,
    peak_bytes: usize,
}

/// Answers and prints.
pub(super) fn run(request: &Requirements) -> Result<Exit, Failure> {
    let asked = request.clone();
    let outcome = supervise::run(request.options.limits, move |monitor| answer(&asked, monitor));
    let Outcome { ending, stopped, time, peak_bytes, .. } = outcome;
    let mut report = match ending {
        Ending::Finished(report) => report?,
        Ending::Abandoned(reason) => Report {
            file: String::new(),
            requirements: Vec::new(),
            atoms: Atoms::default(),
            analysis: nothing(reason),
            time,
            peak_bytes,
        },
        // The panic hook has said what there is to say.
        Ending::Panicked => return Err(Failure::Internal(String::new())),
    };
    (report.time, report.peak_bytes) = (time, peak_bytes);
    if let Some(reason) = stopped {
        blame(&mut report.analysis, reason);
    }
    if request.json {
        output::json(|out| writeln!(out, "{}", json::object(&report)))?;
    } else {
        output::result(|out| text::write(out, &report))?;
    }
    if let Some(path) = &request.html {
        let date = humantime::format_rfc3339_seconds(SystemTime::now()).to_string();
        output::file(path, output::Style::Text, |out| html::write(out, &report, &date))?;
    }
    Ok(match report.analysis.consistency {
        Consistency::Consistent(_) => Exit::Yes,
        Consistency::Inconsistent(_) => Exit::No,
        Consistency::Unknown(_) => Exit::Unknown,
    })
}

fn nothing(reason: Exhausted) -> Analysis {
    Analysis {
        consistency: Consistency::Unknown(reason),
        dropped: Vec::new(),
        redundant: Vec::new(),
        vacuous: Vec::new(),
        open: Vec::new(),
        n_searches: 0,
    }
}

/// The worker knows that it was stopped; we know why.
fn blame(analysis: &mut Analysis, reason: Exhausted) {
    let in_consistency = match &mut analysis.consistency {
        Consistency::Consistent(_) => None,
        Consistency::Inconsistent(conflicts) => conflicts.exhausted.as_mut(),
        Consistency::Unknown(exhausted) => Some(exhausted),
    };
    let in_questions = analysis.open.iter_mut().map(|open| &mut open.exhausted);
    for exhausted in in_consistency.into_iter().chain(in_questions) {
        if *exhausted == Exhausted::Interrupted {
            *exhausted = reason;
        }
    }
}

fn answer(request: &Requirements, monitor: &Monitor) -> Result<Report, Failure> {
    let (file, text) = input::raw_text(&request.text)?;
    let requirements = parsed(Document { name: &file, text: &text }, request.syntax)?;
    let mut oracle = Oracle::new(&requirements, &request.options, monitor);
    let analysis = analyze(&mut oracle, request.conflicts).map_err(failure)?;
    let atoms = oracle.atoms().clone();
    drop(oracle);
    let (time, peak_bytes) = (Duration::ZERO, 0);
    Ok(Report { file, requirements, atoms, analysis, time, peak_bytes })
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

/// Writes requirements, a line each: names in one column, formulas in another.
pub(super) fn write_members(
    out: &mut dyn Write,
    requirements: &[Requirement],
    members: &[usize],
) -> Written<()> {
    let names = members.iter().map(|&member| requirements[member].name.chars().count());
    let width = names.max().unwrap_or(0);
    for &member in members {
        let Requirement { name, formula, comment } = &requirements[member];
        writeln!(out, "  {name:width$}  {formula}")?;
        for line in comment.lines() {
            writeln!(out, "  {:width$}  # {line}", "")?;
        }
    }
    Ok(())
}

/// Writes a word, a line for each letter.
pub(super) fn lasso_lines(
    out: &mut dyn Write,
    atoms: &Atoms,
    word: &Lasso<Letter>,
    indent: &str,
) -> Written<()> {
    let n_letters = |count: usize| match count {
        0 => "empty".to_owned(),
        1 => "1 letter".to_owned(),
        _ => format!("{count} letters"),
    };
    let width = (word.n_positions() - 1).to_string().len();
    let line = |position: usize, letter: &Letter, out: &mut dyn Write| {
        let quoted = names(atoms, letter).into_iter().map(|name| atom_text(name, Dialect::Lwaa));
        let names: Vec<String> = quoted.collect();
        let shown = if names.is_empty() { "(all false)".to_owned() } else { names.join(", ") };
        writeln!(out, "{indent}  {position:width$}  {shown}")
    };
    let n_before = word.prefix().len();
    writeln!(out, "{indent}prefix: {}", n_letters(n_before))?;
    for (position, letter) in word.prefix().iter().enumerate() {
        line(position, letter, out)?;
    }
    writeln!(out, "{indent}cycle: {}, repeated for ever", n_letters(word.cycle().len()))?;
    for (position, letter) in (n_before..).zip(word.cycle()) {
        line(position, letter, out)?;
    }
    Ok(())
}

/// The names of the true atoms, sorted.
fn names<'a>(atoms: &'a Atoms, letter: &Letter) -> Vec<&'a str> {
    let mut names: Vec<&str> = letter.iter().map(|atom| atoms.name(atom)).collect();
    names.sort_unstable();
    names
}

/// A word as in the answers of `sat --json`.
pub(super) fn lasso_json(atoms: &Atoms, word: &Lasso<Letter>) -> Value {
    let letters = |list: &[Letter]| -> Vec<Value> {
        list.iter().map(|letter| names(atoms, letter).into()).collect()
    };
    json!({"prefix": letters(word.prefix()), "cycle": letters(word.cycle())})
}

/// A conflict: its members, each with a word on which all others hold.
pub(super) fn conflict_json(
    requirements: &[Requirement],
    atoms: &Atoms,
    conflict: &Conflict,
) -> Value {
    let members = conflict.members.iter().zip(&conflict.without);
    members
        .map(|(&member, word)| {
            let Requirement { name, formula, .. } = &requirements[member];
            let formula = formula.to_string();
            json!({"name": name, "formula": formula, "without": lasso_json(atoms, word)})
        })
        .collect()
}

/// A number of things: `1 atom`, `2 atoms`.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
