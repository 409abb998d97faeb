//! `explore`: how many states a model has.

mod graph;
mod unused;

use super::model::{self, Loaded};
use super::progress::Progress;
use super::request::model::Explore;
use super::supervise::{self, Outcome, explain};
use super::{Exit, Failure, output, terminal};
use lwaa::check::explore::explore_reduced;
use lwaa::check::reduction::Reduce;
use lwaa::drawing::Drawing;
use lwaa::lang::OpenedProgram;
use lwaa::product::Treatment;
use lwaa::report::Format;
use lwaa::report::json::model::write_explore;
use lwaa::report::model::{Cost, ExplorationReport, Severity};
use lwaa::report::state::States;
use lwaa::store::StoreKind;
use lwaa::verdict::{Exploration, Incomplete, Reduction, Statistics};
use std::sync::Arc;

/// Counts the states and prints the report.
pub(super) fn run(explore: Explore) -> Result<Exit, Failure> {
    let (format, statistics, reduce) = (explore.format, explore.statistics, explore.reduce);
    let drawn = explore.graph.clone();
    let outcome = supervise::run(explore.limits, Progress::visible(), move |monitor| {
        let mut loaded = model::load(&explore.model)?;
        let &Explore { store, deadlock, errors, reduce, limits, .. } = &explore;
        let treatment = Treatment { deadlock, errors };
        let explored = explore_reduced(&loaded.model, store, treatment, reduce, limits, monitor);
        let (exploration, system) = explored.map_err(|error| loaded.failure(&error))?;
        let is_complete = exploration.is_complete && store != StoreKind::Bitstate;
        let asks = explore.statistics && is_complete;
        let unused =
            if asks { unused::find(&loaded, treatment.errors, limits, monitor)? } else { None };
        let drawing = if explore.graph.is_wanted() {
            Some(graph::draw(&mut loaded, &explore.graph, treatment.errors, limits, monitor)?)
        } else {
            None
        };
        Ok((Explored { loaded, system, unused, drawing }, exploration))
    })?;
    let (explored, mut report) = report(outcome)?;
    report.never_taken = explored.as_ref().and_then(|explored| explored.unused.clone());
    let states = explored.as_ref().map(|explored| States::new(explored.system.program()));
    match format {
        Format::Json => output::json(|out| {
            write_explore(out, &report, states.as_ref())?;
            writeln!(out)
        })?,
        Format::Text => {
            let width = terminal::run_width();
            output::result(|out| report.write(out, states.as_ref(), width))?;
        }
    }
    let is_text = format == Format::Text;
    let run = report.exploration.incomplete.as_ref().and_then(Incomplete::run);
    if let (Some(Explored { loaded, system, .. }), Some(run), true) = (&explored, run, is_text)
        && let Some(message) = loaded.message(system.program(), run)
    {
        output::message(&message);
    }
    let has_deadlocks = 0 < report.exploration.deadlocks;
    if has_deadlocks && is_text && report.exploration.incomplete.is_none() {
        output::message("note: --deadlock report shows a run to a deadlock\n");
    }
    if let (Reduce::On, Some(Reduction::Off(reason)), true) =
        (reduce, report.exploration.statistics.reduction, is_text)
    {
        output::message(&format!("note: all steps were taken: {reason}\n"));
    }
    if statistics || (report.severity() == Severity::Unknown && is_text) {
        output::written(|out| report.cost.write(out))?;
        output::message(&unused::text(report.never_taken.as_deref(), statistics));
    }
    if let Some(drawing) = explored.as_ref().and_then(|explored| explored.drawing.as_ref()) {
        graph::write(&drawn, drawing)?;
    }
    Ok(report.severity().into())
}

/// A model and the system that was explored.
struct Explored {
    loaded: Loaded,
    system: Arc<OpenedProgram>,
    /// What is never done, if that was asked for and is known.
    unused: Option<Vec<String>>,
    /// The graph of all states, if it is to be drawn.
    drawing: Option<Drawing>,
}

type Answered = Result<(Explored, Exploration), Failure>;

/// Puts together what the worker and its supervisor know.
fn report(outcome: Outcome<Answered>) -> Result<(Option<Explored>, ExplorationReport), Failure> {
    let Outcome { result, stopped, monitor, time, peak_bytes } = outcome;
    let (explored, exploration) = match result {
        Ok(found) => {
            let (explored, mut exploration) = found?;
            if let Some(Incomplete::Limit(reason)) = &mut exploration.incomplete {
                explain(reason, stopped);
            }
            (Some(explored), exploration)
        }
        Err(reason) => {
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
    };
    let run = exploration.incomplete.as_ref().and_then(Incomplete::run);
    let place = explored
        .as_ref()
        .zip(run)
        .and_then(|(Explored { loaded, system, .. }, run)| loaded.place(system.program(), run));
    let statistics = exploration.statistics;
    let cost = Cost { statistics, is_complete: explored.is_some(), time, peak_bytes };
    Ok((explored, ExplorationReport { exploration, place, never_taken: None, cost }))
}
