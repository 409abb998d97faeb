//! `replay`: whether a trace is a run of a model.
//!
//! Every step is taken again by the interpreter, and the formula of the trace is
//! evaluated on its states. Nothing here knows how the trace was found.
//! Constants are as they were when the trace was written, unless they are given
//! again.

use super::diagnostic::{self, Document, Severity};
use super::request::model::Replay;
use super::{Exit, Failure, input, model, output, terminal};
use lwaa::certify::run::{self, NotARun, Step, is_run};
use lwaa::check::model::{
    Fair, Question, all_neglected, follows, follows_for_good, satisfies, violates_for_good,
};
use lwaa::lang::claim::Claim;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::{Model, OpenError, OpenedProgram};
use lwaa::report::json::located::JsonError;
use lwaa::report::json::trace::{self, ReadTrace, TraceError};
use lwaa::report::state::States;
use lwaa::report::trace::{Ending, Trace};
use lwaa::system::{Cursor, StepError, Strength, TransitionSystem};
use lwaa::verdict::Moment;
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
    if let Some(larger) = loaded.model.bindings.made_for(&trace::purpose(&text)) {
        loaded.model = larger.map_err(|error| model::failure(loaded.document(), &error))?;
    }
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
    match again(&mut system, &read) {
        Ok(trace) => {
            output::result(|out| {
                writeln!(out, "the trace is a run of the model")?;
                let lasso = lasso(&read, &trace);
                writeln!(out, "{}", truth(&loaded.model, &read, &trace, lasso.as_ref()))?;
                if let Some(lasso) = lasso {
                    writeln!(out, "{}", fairness(&loaded.model, &lasso))?;
                }
                trace.write(out, &states, terminal::run_width())
            })?;
            Ok(Exit::Yes)
        }
        Err(NotARun { position, reason }) => {
            let start = read.steps.get(position).map_or(0, |step| step.span.start);
            let error = JsonError::new(start..start + 1, reason.to_string());
            refuse(position, document, &error)
        }
    }
}

/// The run, if it is infinite.
fn lasso(read: &ReadTrace, trace: &Trace) -> Option<Lasso<Moment>> {
    let (prefix, cycle) = trace.moments.split_at(read.cycle_start?);
    Lasso::new(prefix.to_vec(), cycle.to_vec())
}

/// What the property of the file is on the run: there is always something to say, and be
/// it why nothing is known.
fn truth(model: &Model, read: &ReadTrace, run: &Trace, lasso: Option<&Lasso<Moment>>) -> String {
    let Some(text) = &read.formula else { return truth_of_claim(model, read, &run.moments, lasso) };
    let unknown = |reason: &str| format!("it is not known whether it satisfies {text}: {reason}");
    let formula = match model.printed_formula(text) {
        Ok(formula) => formula,
        Err(error) => return unknown(&format!("the formula cannot be read: {error}")),
    };
    let system = match model.open_as_it_is(&[Question::Formula(&formula)], true) {
        Ok(system) => system,
        Err(OpenError::Hidden { .. }) => {
            return unknown("the states of the trace hide what the formula looks at");
        }
        Err(error) => return unknown(&error.to_string()),
    };
    let answer = match lasso {
        Some(lasso) => Some(satisfies(&system, &formula, lasso)),
        None => violates_for_good(&system, &formula, &run.moments).then_some(false),
    };
    match answer {
        Some(true) => format!("it satisfies {text}"),
        Some(false) => format!("it violates {text}"),
        None => unknown("the run is finite"),
    }
}

/// The same for a trace without a formula: its property may be a claim.
fn truth_of_claim(
    model: &Model,
    read: &ReadTrace,
    run: &[Moment],
    lasso: Option<&Lasso<Moment>>,
) -> String {
    let is_it = |claim: &&Claim| read.property.as_ref() == Some(&claim.name);
    let Some(claim) = model.bindings.claims().iter().find(is_it) else {
        return "it has no formula".to_owned();
    };
    let name = &claim.name;
    let unknown = |reason: &str| format!("it is not known whether it violates {name}: {reason}");
    let system = match model.open_as_it_is(&[Question::Claim(claim)], true) {
        Ok(system) => system,
        Err(error) => return unknown(&error.to_string()),
    };
    let found = match lasso {
        Some(lasso) => follows(&system, claim, lasso),
        None => follows_for_good(&system, claim, run),
    };
    match (found, lasso) {
        (true, _) => format!("it violates {name}"),
        (false, None) => unknown("the run is finite"),
        (false, Some(_)) => format!("it does not violate {name}"),
    }
}

/// Who is neglected on an infinite run.
fn fairness(model: &Model, lasso: &Lasso<Moment>) -> String {
    let system = OpenedProgram::from(model.program.clone());
    let neglected = |fair| all_neglected(&system, fair, lasso).unwrap_or_default();
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
    diagnostic::render(Severity::Error, &error.message, document, error.span.clone())
}

/// Takes every step again.
///
/// A finite trace may end anywhere. If its last step names a transition, that
/// one goes wrong there.
fn again(system: &mut Interpreter<'_>, read: &ReadTrace) -> Result<Trace, NotARun> {
    let steps: Vec<Step<'_>> = read
        .steps
        .iter()
        .map(|step| Step { state: &step.state, taken: step.taken.as_deref() })
        .collect();
    let goes_wrong = read.steps.last().is_some_and(|last| last.taken.is_some());
    let ending = match read.cycle_start {
        Some(start) => run::Ending::Cycle { start },
        None if goes_wrong => run::Ending::Fault,
        None => run::Ending::Open,
    };
    let taken = is_run(system, &steps, ending)?;
    let moments: Vec<Moment> = read
        .steps
        .iter()
        .zip(taken)
        // What the file says is pending has not been checked.
        .map(|(step, taken)| Moment { state: step.state.clone(), taken, pending: [].into() })
        .collect();
    let ending = match read.cycle_start {
        Some(start) => Ending::Cycle { start },
        None => end(system, &moments),
    };
    Ok(Trace { moments, ending })
}

/// What happens in the last state of a finite run.
fn end(system: &mut Interpreter<'_>, moments: &[Moment]) -> Ending {
    let Some(last) = moments.last() else { return Ending::Open };
    let mut target = vec![0; system.n_words()];
    let mut cursor = Cursor::default();
    let mut is_stuck = last.taken.is_none();
    loop {
        match system.next(&last.state, &mut cursor, &mut target) {
            Ok(None) if is_stuck => return Ending::Deadlock,
            Ok(None) => return Ending::Open,
            Err(StepError::Fault(fault))
                if last.taken.is_some() && fault.transition == last.taken =>
            {
                return Ending::Fault(fault);
            }
            Ok(Some(_)) | Err(_) => is_stuck = false,
        }
    }
}
