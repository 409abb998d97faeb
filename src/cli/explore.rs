//! `explore`: how many states a model has.

use super::check::print_statistics;
use super::model::{self, Loaded};
use super::request::model::Explore;
use super::supervise::{self, Ending, Outcome};
use super::{Exit, Failure, output, terminal};
use lwaa::lang::OpenedProgram;
use lwaa::product::Treatment;
use lwaa::report::Format;
use lwaa::report::json::model::write_explore;
use lwaa::report::model::{Cost, ExplorationReport, Severity};
use lwaa::report::state::States;
use lwaa::search::limits::Exhausted;
use lwaa::verdict::{Exploration, Incomplete, Statistics};
use std::sync::Arc;

/// Counts the states and prints the report.
pub(super) fn run(explore: Explore) -> Result<Exit, Failure> {
    let (json, statistics) = (explore.format == Format::Json, explore.statistics);
    let outcome = supervise::run(explore.limits, move |monitor| {
        let loaded = model::load(&explore.model)?;
        let Explore { store, deadlock, errors, limits, .. } = explore;
        let treatment = Treatment { deadlock, errors };
        let explored =
            lwaa::check::explore::explore(&loaded.model, store, treatment, limits, monitor);
        let (exploration, system) = explored.map_err(|error| loaded.failure(&error))?;
        Ok((Explored { loaded, system }, exploration))
    });
    let (explored, report) = report(outcome)?;
    let states = explored.as_ref().map(|explored| States::new(explored.system.program()));
    if json {
        output::json(|out| {
            write_explore(out, &report, states.as_ref())?;
            writeln!(out)
        })?;
    } else {
        let width = terminal::run_width();
        output::result(|out| report.write(out, states.as_ref(), width))?;
    }
    if let (Some(explored), Some(Incomplete::ModelError(fault, moments)), false) =
        (&explored, &report.exploration.incomplete, json)
        && let Some(transition) = fault.transition
        && let state = moments.last().map(|last| &*last.state)
        && let (text, program) = (fault.to_string(), explored.system.program())
        && let Some(message) = explored.loaded.message(&text, program, transition, state)
    {
        output::message(&message);
    }
    let has_deadlocks = 0 < report.exploration.deadlocks;
    if has_deadlocks && !json && report.exploration.incomplete.is_none() {
        output::message("note: --deadlock report shows a run to a deadlock\n");
    }
    if statistics || (report.severity() == Severity::Unknown && !json) {
        print_statistics(&report.cost)?;
    }
    Ok(report.severity().into())
}

/// A model and the system that was explored.
struct Explored {
    loaded: Loaded,
    system: Arc<OpenedProgram>,
}

type Found = Result<(Explored, Exploration), Failure>;

/// Puts together what the worker and its supervisor know.
fn report(outcome: Outcome<Found>) -> Result<(Option<Explored>, ExplorationReport), Failure> {
    let Outcome { ending, stopped, monitor, time, peak_bytes } = outcome;
    let (explored, exploration) = match ending {
        Ending::Finished(found) => {
            let (explored, mut exploration) = found?;
            // The worker knows that it was stopped; we know why.
            if let (Some(Incomplete::Limit(reason @ Exhausted::Interrupted)), Some(stopped)) =
                (&mut exploration.incomplete, stopped)
            {
                *reason = stopped;
            }
            (Some(explored), exploration)
        }
        Ending::Abandoned(reason) => {
            let states = usize::try_from(monitor.states()).unwrap_or(usize::MAX);
            let transitions = monitor.transitions();
            let statistics = Statistics { states, transitions, ..Statistics::default() };
            let incomplete = Some(Incomplete::Limit(reason));
            let exploration = Exploration {
                states,
                transitions,
                deadlocks: 0,
                errors: 0,
                incomplete,
                is_complete: false,
                statistics,
            };
            (None, exploration)
        }
        // The panic hook has said what there is to say.
        Ending::Panicked => return Err(Failure::Internal(String::new())),
    };
    let place = match (&explored, &exploration.incomplete) {
        (Some(Explored { loaded, system }), Some(Incomplete::ModelError(fault, moments))) => {
            let state = moments.last().map(|last| &*last.state);
            loaded.place(system.program(), fault.transition, state)
        }
        _ => None,
    };
    let statistics = exploration.statistics;
    let cost = Cost { statistics, is_complete: explored.is_some(), time, peak_bytes };
    Ok((explored, ExplorationReport { exploration, place, cost }))
}
