//! `sat`, `valid`, `implies` and `equiv`: one question, one report.

mod page;

use super::progress::Progress;
use super::request::{Ask, Subject, Text};
use super::supervise::{self, Outcome, explain};
use super::{Exit, Failure, input, output, reproducer};
use lwaa::bdd;
use lwaa::check::finite::satisfiable_on_finite_words;
use lwaa::check::satisfiable_with;
use lwaa::ltl::{Formula, Term};
use lwaa::report::{Format, Question, Report, Witness, Work, json, text};
use lwaa::search::limits::Monitor;
use lwaa::verdict::{Satisfiability, Statistics};
use lwaa::word::{Lasso, Letter};

/// Answers the question and prints the report.
pub(super) fn run(ask: Ask) -> Result<Exit, Failure> {
    let (question, finite) = (ask.question, ask.finite);
    let (format, statistics) = (ask.format, ask.statistics);
    let limits = ask.options.limits;
    let (html, explains) = (ask.html.clone(), ask.explains);
    let outcome =
        supervise::run(limits, Progress::visible(), move |monitor| answer(&ask, monitor))?;
    let report = report(question, finite, outcome)?;
    let is_unknown = matches!(report.found, Satisfiability::Unknown(_));
    match format {
        Format::Json => output::json(|out| writeln!(out, "{}", json::object(&report)))?,
        Format::Text => output::result(|out| {
            text::write_answer(out, &report)?;
            if explains { page::explain(out, &report) } else { Ok(()) }
        })?,
    }
    if let Some(path) = html {
        page::write(&path, &report)?;
    }
    if statistics || (is_unknown && format == Format::Text) {
        output::written(|out| text::write_statistics(out, &report))?;
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
    found: Satisfiability<Witness>,
    counted: Statistics,
}

fn answer(ask: &Ask, monitor: &Monitor) -> Result<Answered, Failure> {
    let mut warnings = Vec::new();
    tracing::info!("reading the formula");
    let mut read = |text: &Text| {
        let input = input::formula(text, ask.syntax)?;
        warnings.extend(input.warnings);
        Ok::<_, Failure>(input.formula)
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
    let (found, counted) = if ask.finite {
        match satisfiable_on_finite_words::<bdd::Default>(searched, &ask.options, monitor) {
            Ok((found, counted)) => (found.map(Witness::Finite), counted),
            Err(refuted) => {
                let ended = Lasso::new(refuted.word, vec![Letter::new()]);
                let ended = ended.expect("the cycle is not empty");
                return Err(Failure::Internal(reproducer::report(searched, &ended)));
            }
        }
    } else {
        match satisfiable_with::<bdd::Default>(searched, &ask.options, monitor) {
            Ok(answer) => (answer.satisfiability.map(Witness::Lasso), answer.statistics),
            Err(refuted) => {
                return Err(Failure::Internal(reproducer::report(searched, &refuted.lasso)));
            }
        }
    };
    tracing::info!(?counted, "search ended");
    Ok(Answered { formula, warnings, found, counted })
}

/// Puts together what the worker and its supervisor know.
fn report(
    question: Question,
    finite: bool,
    outcome: Outcome<Result<Answered, Failure>>,
) -> Result<Report, Failure> {
    let Outcome { result, stopped, monitor, time, peak_bytes } = outcome;
    match result {
        Ok(answered) => {
            let Answered { formula, warnings, mut found, counted } = answered?;
            if let Satisfiability::Unknown(reason) = &mut found {
                explain(reason, stopped);
            }
            let work = Work::Counted(counted);
            let formula = Some(formula);
            Ok(Report { question, formula, finite, found, work, time, peak_bytes, warnings })
        }
        Err(reason) => Ok(Report {
            question,
            formula: None,
            finite,
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
    }
}
