//! `replay`: whether a trace is a run of a model.
//!
//! Every step is taken again by the interpreter, and the formula of the trace is
//! evaluated on its states. Nothing here knows how the trace was found.
//! Constants are as they were when the trace was written, unless they are given
//! again.

use super::diagnostic::{self, Document, Level};
use super::model::Loaded;
use super::request::model::Replay;
use super::{Exit, Failure, input, model, output, picture, terminal};
use lwaa::certify::run::{NotARun, replayed};
use lwaa::check::model::{Fair, Question, all_neglected, observed, truth};
use lwaa::explain::{Explanation, Word};
use lwaa::lang::claim::Claim;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::{Demand, Model, OpenError, OpenedProgram};
use lwaa::ltl::Formula;
use lwaa::report::chart::mover_into;
use lwaa::report::json::located::JsonError;
use lwaa::report::json::trace::{self, ReadRun, TraceError};
use lwaa::report::run_page::Shown;
use lwaa::report::state::States;
use lwaa::report::trace::write;
use lwaa::report::why::Explained;
use lwaa::run::Run;
use lwaa::system::Strength;
use lwaa::word::Lasso;

/// Reads the trace, takes it again and prints what has come out.
pub(super) fn run(replay: &Replay) -> Result<Exit, Failure> {
    let (name, text) = input::raw_text(&replay.trace)?;
    let mut source = replay.model.clone();
    for known in trace::definitions(&text) {
        if source.definitions.iter().all(|given| given.name != known.name) {
            source.definitions.push(known);
        }
    }
    let mut loaded = model::load(&source)?;
    loaded.remake(Demand::Purpose(&trace::purpose(&text)))?;
    let document = Document { name: &name, text: &text };
    let states = States::new(&loaded.model.program);
    let read = match trace::read(&text, &states) {
        Ok(read) => read,
        Err(TraceError::Malformed(error)) => {
            return Err(diagnostic::error(&error.message, document, error.span));
        }
        Err(TraceError::Foreign { position, error }) => {
            return refuse(position, document, &error);
        }
    };
    let mut system = Interpreter::new(&loaded.model.program, &[]);
    match replayed(&mut system, &read.run, &read.candidates) {
        Ok(run) => {
            let known = Known::of(&loaded.model, &read, &run);
            output::result(|out| {
                writeln!(out, "the trace is a run of the model")?;
                writeln!(out, "{}", known.answer)?;
                if run.is_infinite() {
                    writeln!(out, "{}", fairness(&loaded.model, &run))?;
                }
                write(out, &run, None, &states, terminal::run_width())
            })?;
            draw(replay, &loaded, &known, &run, &states)?;
            Ok(Exit::Yes)
        }
        Err(NotARun { position, reason }) => {
            let start = read.spans.get(position).map_or(0, |span| span.start);
            let error = JsonError::new(start..start + 1, reason.to_string());
            refuse(position, document, &error)
        }
    }
}

/// What is known about the property of the file on the run: there is always something to say, and
/// be it why nothing is known.
struct Known {
    answer: String,
    /// The formula and what decides about it, if it has a value.
    explained: Option<(Formula, Option<Explanation>, bool)>,
}

impl Known {
    fn of(model: &Model, read: &ReadRun, run: &Run) -> Self {
        let Some(text) = &read.formula else {
            return Self { answer: answer_to_claim(model, read, run), explained: None };
        };
        let unknown = |reason: &str| Self {
            answer: format!("it is not known whether it satisfies {text}: {reason}"),
            explained: None,
        };
        let formula = match model.printed_formula(text) {
            Ok(formula) => formula,
            Err(error) => return unknown(&format!("the formula cannot be read: {error}")),
        };
        let question = Question::Formula(&formula);
        let system = match model.open_as_it_is(&[question], true) {
            Ok(system) => system,
            Err(OpenError::Hidden { .. }) => {
                return unknown("the states of the trace hide what the formula looks at");
            }
            Err(error) => return unknown(&error.to_string()),
        };
        let Some(is_true) = truth(&system, question, run) else {
            return unknown("the run is finite");
        };
        let mut letters = observed(&system, &formula, run);
        let cycle = letters.split_off(run.cycle_start().min(letters.len()));
        let explanation = match Lasso::new(letters.clone(), cycle) {
            Some(word) => Explanation::of(&formula, &Word::Lasso(&word)),
            None => Explanation::of(&formula, &Word::Begun(&letters)),
        };
        let verb = if is_true { "satisfies" } else { "violates" };
        let answer = format!("it {verb} {text}");
        Self { answer, explained: Some((formula, explanation, is_true)) }
    }
}

/// Draws the run, if that was asked for.
fn draw(
    replay: &Replay,
    loaded: &Loaded,
    known: &Known,
    run: &Run,
    states: &States<'_>,
) -> Result<(), Failure> {
    let title = format!("Replay: {}", loaded.name);
    picture::chart(&replay.drawn, &title, Some((run, states)), None)?;
    let Some(path) = &replay.drawn.page else { return Ok(()) };
    let mut shown = Shown::of_run(&loaded.name, run, states.program());
    shown.verdict = format!("the trace is a run of the model, and {}", known.answer);
    shown.notes.extend(run.is_infinite().then(|| fairness(&loaded.model, run)));
    if let Some((formula, explanation, is_true)) = &known.explained {
        (shown.formula, shown.explanation) = (Some(formula), explanation.as_ref());
        shown.is_fine = Some(*is_true);
        let explained = explanation.as_ref().filter(|_| !is_true);
        let sentence = explained.map(|explanation| {
            let explained = Explained { formula, explanation, noun: "state" };
            explained.sentence(&|position| mover_into(run, position, states))
        });
        shown.pending_of = if *is_true { "the formula" } else { "the negated formula" };
        shown.sentence = sentence.unwrap_or_default();
    }
    let system = OpenedProgram::from(loaded.model.program.clone());
    if run.is_infinite() {
        shown.activity = picture::activity(&system, run);
    }
    picture::page(path, title, vec![shown])
}

/// The same for a trace without a formula: its property may be a claim.
fn answer_to_claim(model: &Model, read: &ReadRun, run: &Run) -> String {
    let is_it = |claim: &&Claim| read.property.as_ref() == Some(&claim.name);
    let Some(claim) = model.bindings.claims().iter().find(is_it) else {
        return "it has no formula".to_owned();
    };
    let name = &claim.name;
    let unknown = |reason: &str| format!("it is not known whether it violates {name}: {reason}");
    let question = Question::Claim(claim);
    let system = match model.open_as_it_is(&[question], true) {
        Ok(system) => system,
        Err(error) => return unknown(&error.to_string()),
    };
    match truth(&system, question, run) {
        Some(true) => format!("it violates {name}"),
        Some(false) => format!("it does not violate {name}"),
        None => unknown("the run is finite"),
    }
}

/// The processes that an infinite run neglects.
fn fairness(model: &Model, run: &Run) -> String {
    let system = OpenedProgram::from(model.program.clone());
    let neglected = |fair| all_neglected(&system, fair, run).unwrap_or_default();
    let ways = [
        (Fair::Declared, "it violates the fairness that the model declares for"),
        (Fair::Processes(Strength::Weak), "it is not fair, not even weakly, to"),
        (Fair::Processes(Strength::Strong), "it is weakly fair, but not strongly to"),
    ];
    ways.into_iter()
        .map(|(fair, words)| (neglected(fair), words))
        .find(|(names, _)| !names.is_empty())
        .map_or_else(
            || "it is strongly fair to every process".to_owned(),
            |(names, words)| format!("{words} {}", names.join(", ")),
        )
}

/// Says that the trace is no run, and shows the place.
fn refuse(position: usize, document: Document<'_>, error: &JsonError) -> Result<Exit, Failure> {
    output::result(|out| {
        writeln!(out, "the trace is not a run of the model: step {position}: {error}")
    })?;
    output::message(&message(document, error));
    Ok(Exit::No)
}

fn message(document: Document<'_>, error: &JsonError) -> String {
    diagnostic::render(Level::ERROR, &error.message, document, error.span.clone())
}
