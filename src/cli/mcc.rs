//! `mcc`: an examination of the Model Checking Contest, in the words of its rules.
//!
//! All formulas of an examination share the net. They are asked in rounds: the first round gives
//! each a small part of the time, so that what is easy is answered before what is hard has used
//! up the time, and each later round begins with empty stores.

use super::model::{self, Loaded};
use super::progress::Progress;
use super::request::model::{Examination, Mcc};
use super::supervise;
use super::{Exit, Failure, output};
use lwaa::check::explore::explore;
use lwaa::check::model::{CheckError, ModelOptions, News as Told, Order, Preparation, Question};
use lwaa::check::model::{check_all, decided};
use lwaa::lang::Property;
use lwaa::product::{Deadlock, Errors, Treatment};
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::verdict::Verdict;
use std::collections::BTreeSet;
use std::time::Instant;

/// How we work, in the words of the contest.
const TECHNIQUES: &str = "TECHNIQUES EXPLICIT SEQUENTIAL_PROCESSING";

/// Which part of the time that is left a round may use, one in so many, and in which order it
/// tries steps, if in one only: what one order does not meet another one may.
const ROUNDS: [(u32, Option<Order>); 3] = [(6, None), (3, Some(Order::Random(1))), (1, None)];

/// Runs an examination. What the net itself tells about a formula comes before any search.
pub(super) fn run(mcc: Mcc) -> Result<Exit, Failure> {
    let Some(file) = mcc.examination.file() else {
        let line = match mcc.examination {
            Examination::StateSpace => return state_space(mcc),
            _ => "DO_NOT_COMPETE",
        };
        output::result(|out| writeln!(out, "{line}"))?;
        return Ok(Exit::Unknown);
    };
    let (mut open, mut failure) = (BTreeSet::new(), None);
    // The search itself watches the memory, so that a store that fills it ends one question.
    let memory = mcc.limits.memory.map(|memory| memory.saturating_add(memory / 8));
    let limits = Limits { memory, ..mcc.limits };
    let work = move |monitor: &Monitor, tell: &dyn Fn(News)| answer(&mcc, &file, monitor, tell);
    let outcome =
        supervise::run_with_news(limits, Progress::hidden(), work, |news, _| match news {
            News::Read(names) => open = names.into_iter().collect(),
            News::Answer(name, verdict) => {
                let verdict = if verdict { "TRUE" } else { "FALSE" };
                let printed =
                    output::result(|out| writeln!(out, "FORMULA {name} {verdict} {TECHNIQUES}"));
                failure = failure.take().or(printed.err());
                open.remove(&name);
            }
        })?;
    outcome.result.unwrap_or(Ok(()))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    for name in &open {
        output::result(|out| writeln!(out, "FORMULA {name} CANNOT_COMPUTE"))?;
    }
    Ok(if open.is_empty() { Exit::Yes } else { Exit::Unknown })
}

/// What the worker tells while it works.
enum News {
    /// The names of all formulas.
    Read(Vec<String>),
    /// Whether all runs satisfy the formula of this name.
    Answer(String, bool),
}

fn answer(mcc: &Mcc, file: &str, monitor: &Monitor, tell: &dyn Fn(News)) -> Result<(), Failure> {
    let started = Instant::now();
    let mut loaded = model::load(&mcc.model)?;
    loaded.read_formulas(&mcc.folder.join(file))?;
    let mut open: Vec<Property> = std::mem::take(&mut loaded.model.properties);
    tell(News::Read(open.iter().map(|property| property.name.clone()).collect()));
    if mcc.preparation.knowledge {
        open.retain(|property| {
            let known = decided(&loaded.model, &property.formula);
            if let Some(truth) = known {
                tell(News::Answer(property.name.clone(), truth));
            }
            known.is_none()
        });
    }
    // Without a limit the first round would not end before it knows everything.
    for (part, order) in ROUNDS {
        if open.is_empty() || monitor.is_stopped() {
            break;
        }
        let left = mcc.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let limits = Limits { time: left.map(|left| left / part), ..mcc.limits };
        let preparation = mcc.preparation;
        let round = Round { loaded: &loaded, preparation, limits, order, monitor, tell };
        open = round.ask(open)?;
    }
    Ok(())
}

/// One time through the formulas that are not answered.
struct Round<'a> {
    loaded: &'a Loaded,
    preparation: Preparation,
    limits: Limits,
    order: Option<Order>,
    monitor: &'a Monitor,
    tell: &'a dyn Fn(News),
}

impl Round<'_> {
    /// Asks all formulas, and gives those back that have no answer.
    fn ask(&self, properties: Vec<Property>) -> Result<Vec<Property>, Failure> {
        let mut options = ModelOptions { order: self.order, ..ModelOptions::default() };
        options.errors = Errors::Ignore;
        options.preparation = self.preparation;
        options.options.limits = self.limits;
        let questions: Vec<Question<'_>> =
            properties.iter().map(|property| Question::Formula(&property.formula)).collect();
        let mut is_open = vec![true; properties.len()];
        let told = check_all(&self.loaded.model, &questions, &options, self.monitor, &mut |news| {
            let Told::Found(number, finding) = news else { return };
            if let Some(truth) = truth(&finding.verdict) {
                (self.tell)(News::Answer(properties[number].name.clone(), truth));
                is_open[number] = false;
            }
        });
        match told {
            Ok(_) => (),
            Err(CheckError::Open(error)) => return Err(self.loaded.failure(&error)),
            Err(error) => return Err(Failure::Internal(format!("{error}\n"))),
        }
        let still_open = properties.into_iter().zip(is_open).filter(|(_, is_open)| *is_open);
        Ok(still_open.map(|(property, _)| property).collect())
    }
}

/// Whether all runs satisfy the formula, if that is known.
fn truth(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Holds => Some(true),
        Verdict::Violated(_) => Some(false),
        _ => None,
    }
}

/// Counts states and transitions.
fn state_space(mcc: Mcc) -> Result<Exit, Failure> {
    let outcome = supervise::run(mcc.limits, Progress::hidden(), move |monitor| {
        let loaded = model::load(&mcc.model)?;
        let treatment = Treatment { deadlock: Deadlock::Stutter, errors: Errors::Ignore };
        let explored = explore(&loaded.model, StoreKind::Exact, treatment, mcc.limits, monitor);
        explored.map(|(found, _)| found).map_err(|error| loaded.failure(&error))
    })?;
    let found = outcome.result.ok().transpose()?.filter(|found| found.is_complete);
    let Some(found) = found else {
        output::result(|out| writeln!(out, "CANNOT_COMPUTE"))?;
        return Ok(Exit::Unknown);
    };
    output::result(|out| {
        writeln!(out, "STATE_SPACE STATES {} {TECHNIQUES}", found.states)?;
        writeln!(out, "STATE_SPACE TRANSITIONS {} {TECHNIQUES}", found.transitions)
    })?;
    Ok(Exit::Yes)
}
