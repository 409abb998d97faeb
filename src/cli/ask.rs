//! `sat`, `valid`, `implies` and `equiv`: one question, one report.

use super::request::{Ask, Subject, Text};
use super::supervise::{self, Ending, Outcome};
use super::{Exit, Failure, input, output, reproducer};
use lwaa::bdd;
use lwaa::check::satisfiable_with;
use lwaa::ltl::{Formula, Term};
use lwaa::report::{Question, Report, Work, json, text};
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::verdict::{Answer, Satisfiability};

/// Answers the question and prints the report.
pub(super) fn run(ask: Ask) -> Result<Exit, Failure> {
    let (question, json, statistics) = (ask.question, ask.json, ask.statistics);
    let outcome = supervise::run(ask.options.limits, move |monitor| answer(&ask, monitor));
    let report = report(question, outcome)?;
    let is_unknown = matches!(report.found, Satisfiability::Unknown(_));
    output::result(|out| {
        if json {
            writeln!(out, "{}", json::object(&report))
        } else {
            text::write_answer(out, &report)
        }
    })?;
    if statistics || (is_unknown && !json) {
        let mut lines = Vec::new();
        text::write_statistics(&mut lines, &report).map_err(Failure::Output)?;
        output::message(&String::from_utf8_lossy(&lines));
    }
    Ok(match (question, &report.found) {
        (_, Satisfiability::Unknown(_)) => Exit::Unknown,
        (Question::Satisfiable, Satisfiability::Satisfiable(_))
        | (Question::Valid, Satisfiability::Unsatisfiable) => Exit::Yes,
        _ => Exit::No,
    })
}

/// What the worker finds out.
#[derive(Debug)]
struct Answered {
    formula: Formula,
    warnings: Vec<String>,
    answer: Answer,
}

fn answer(ask: &Ask, monitor: &Monitor) -> Result<Answered, Failure> {
    let mut warnings = Vec::new();
    tracing::info!("reading the formula");
    let mut read = |text: &Text| {
        let input = input::formula(text, ask.syntax)?;
        warnings.extend(input.warnings);
        Ok(input.formula)
    };
    let formula = match &ask.subject {
        Subject::One(text) => read(text)?,
        Subject::Implication(left, right) => read(left)?.combined(Term::Implies, &read(right)?),
        Subject::Equivalence(left, right) => read(left)?.combined(Term::Iff, &read(right)?),
    };
    tracing::info!(terms = formula.n_terms(), atoms = formula.atoms().len(), "formula read");
    let searched = match ask.question {
        Question::Satisfiable => None,
        Question::Valid => Some(formula.negated()),
    };
    let searched = searched.as_ref().unwrap_or(&formula);
    match satisfiable_with::<bdd::Default>(searched, &ask.options, monitor) {
        Ok(answer) => {
            tracing::info!(?answer.statistics, "search ended");
            Ok(Answered { formula, warnings, answer })
        }
        Err(refuted) => Err(Failure::Internal(reproducer::report(searched, &refuted.lasso))),
    }
}

/// Puts together what the worker and its supervisor know.
fn report(
    question: Question,
    outcome: Outcome<Result<Answered, Failure>>,
) -> Result<Report, Failure> {
    let Outcome { ending, stopped, monitor, time, peak_bytes } = outcome;
    match ending {
        Ending::Finished(answered) => {
            let Answered { formula, warnings, answer } = answered?;
            let found = match (answer.satisfiability, stopped) {
                // The worker knows that it was stopped; we know why.
                (Satisfiability::Unknown(Exhausted::Interrupted), Some(reason)) => {
                    Satisfiability::Unknown(reason)
                }
                (found, _) => found,
            };
            let work = Work::Counted(answer.statistics);
            let formula = Some(formula);
            Ok(Report { question, formula, found, work, time, peak_bytes, warnings })
        }
        Ending::Abandoned(reason) => Ok(Report {
            question,
            formula: None,
            found: Satisfiability::Unknown(reason),
            work: if monitor.is_translating() {
                Work::Translated { states: monitor.states() }
            } else {
                Work::Seen { configurations: monitor.states(), transitions: monitor.transitions() }
            },
            time,
            peak_bytes,
            warnings: Vec::new(),
        }),
        // The panic hook has said what there is to say.
        Ending::Panicked => Err(Failure::Internal(String::new())),
    }
}
