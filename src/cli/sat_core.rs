//! `sat --core`: if a formula has no model, which of its conjuncts contradict each
//! other?
//!
//! The conjuncts of one formula, or the lines of a file of requirements: a file that is
//! no formula as a whole, but a list of them, is taken to be the latter.

use super::diagnostic::Document;
use super::request::{Core, Text};
use super::requirements::{self, lasso_json, lasso_lines};
use super::supervise::{self, Ending, Outcome};
use super::{Exit, Failure, input, output};
use lwaa::ltl::parse::parse_with_warnings;
use lwaa::report::json::SCHEMA;
use lwaa::requirements::conflict::{Conflict, certified, minimal, witness};
use lwaa::requirements::oracle::{Halt, Oracle};
use lwaa::requirements::{Requirement, of_conjuncts};
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::word::{Atoms, Lasso, Letter};
use serde_json::{Map, Value, json};
use std::io::{Result as Written, Write};
use std::time::Duration;

/// What came out.
#[derive(Debug)]
enum Found {
    Satisfiable(Lasso<Letter>),
    /// With a minimal core; a limit may have come before it.
    Unsatisfiable(Result<Conflict, Exhausted>),
    Unknown(Exhausted),
}

#[derive(Debug)]
struct Answered {
    requirements: Vec<Requirement>,
    /// What the requirements are called together.
    are: &'static str,
    atoms: Atoms,
    found: Found,
    n_searches: usize,
}

/// Answers the question and prints the report.
pub(super) fn run(core: Core) -> Result<Exit, Failure> {
    let Core { json, statistics, .. } = core;
    let outcome = supervise::run(core.options.limits, move |monitor| answer(&core, monitor));
    let Outcome { ending, stopped, time, peak_bytes, .. } = outcome;
    let mut answered = match ending {
        Ending::Finished(answered) => answered?,
        Ending::Abandoned(reason) => Answered {
            requirements: Vec::new(),
            are: "conjuncts",
            atoms: Atoms::default(),
            found: Found::Unknown(reason),
            n_searches: 0,
        },
        // The panic hook has said what there is to say.
        Ending::Panicked => return Err(Failure::Internal(String::new())),
    };
    if let (Found::Unknown(found) | Found::Unsatisfiable(Err(found)), Some(reason)) =
        (&mut answered.found, stopped)
        && *found == Exhausted::Interrupted
    {
        // The worker knows that it was stopped; we know why.
        *found = reason;
    }
    if json {
        output::json(|out| writeln!(out, "{}", object(&answered, time, peak_bytes)))?;
    } else {
        output::result(|out| write_text(out, &answered))?;
    }
    if statistics && !json {
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

fn answer(core: &Core, monitor: &Monitor) -> Result<Answered, Failure> {
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
    Ok(Answered { requirements, are, atoms, found, n_searches })
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

fn write_text(out: &mut dyn Write, answered: &Answered) -> Written<()> {
    let Answered { requirements, are, atoms, found, .. } = answered;
    match found {
        Found::Unknown(reason) => writeln!(out, "unknown: {reason}"),
        Found::Satisfiable(word) => {
            writeln!(out, "satisfiable")?;
            lasso_lines(out, atoms, word, "")
        }
        Found::Unsatisfiable(Err(reason)) => {
            writeln!(out, "unsatisfiable\ncore: unknown: {reason}")
        }
        Found::Unsatisfiable(Ok(conflict)) => {
            let (size, all) = (conflict.members.len(), requirements.len());
            writeln!(out, "unsatisfiable\ncore: {size} of {all} {are}")?;
            requirements::write_members(out, requirements, &conflict.members)?;
            for (&member, word) in conflict.members.iter().zip(&conflict.without) {
                let name = &requirements[member].name;
                match size {
                    1 => writeln!(out, "without {name}:")?,
                    _ => writeln!(out, "without {name}, the rest of the core holds on:")?,
                }
                lasso_lines(out, atoms, word, "  ")?;
            }
            Ok(())
        }
    }
}

fn object(answered: &Answered, time: Duration, peak_bytes: usize) -> Value {
    let Answered { requirements, atoms, found, n_searches, .. } = answered;
    let mut object = Map::new();
    object.insert("schema".to_owned(), SCHEMA.into());
    let verdict = match found {
        Found::Satisfiable(_) => "satisfiable",
        Found::Unsatisfiable(_) => "unsatisfiable",
        Found::Unknown(_) => "unknown",
    };
    object.insert("verdict".to_owned(), verdict.into());
    match found {
        Found::Satisfiable(word) => {
            object.insert("witness".to_owned(), lasso_json(atoms, word));
        }
        Found::Unsatisfiable(Ok(conflict)) => {
            object.insert(
                "core".to_owned(),
                requirements::conflict_json(requirements, atoms, conflict),
            );
        }
        Found::Unsatisfiable(Err(reason)) | Found::Unknown(reason) => {
            object.insert("reason".to_owned(), reason.to_string().into());
        }
    }
    object.insert(
        "statistics".to_owned(),
        json!({"searches": n_searches, "seconds": time.as_secs_f64(), "peak_bytes": peak_bytes}),
    );
    object.into()
}
