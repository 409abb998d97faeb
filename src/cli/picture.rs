//! What commands draw besides their text: pages, sequence charts and graphs.

use super::request::model::Drawn;
use super::{Failure, output, quantity, shell};
use lwaa::check::model::chances;
use lwaa::drawing::Drawing;
use lwaa::lang::OpenedProgram;
use lwaa::report::chart::Chart;
use lwaa::report::run_page::{Activity, RunPage, Shown};
use lwaa::report::state::States;
use lwaa::run::{Moment, Run};
use std::path::Path;

/// Writes a page.
pub(super) fn page(path: &Path, title: String, shown: Vec<Shown<'_>>) -> Result<(), Failure> {
    let (date, command) = (quantity::date(), shell::command());
    let page = RunPage::new(title, date, command, shown);
    output::file(path, output::Style::Text, |out| page.write(out))
}

/// When the processes that exist on an infinite run could move, and when they did.
pub(super) fn activity(system: &OpenedProgram, run: &Run) -> Vec<Activity> {
    let program = system.program();
    let states = States::new(program);
    let exists = |name: &str| {
        let processes = program.processes.entries();
        let ids: Vec<_> =
            processes.filter(|(_, process)| process.name == name).map(|(id, _)| id).collect();
        let is_there = |moment: &Moment| {
            let values = states.values(&moment.state);
            ids.iter().any(|&id| states.has_process(id, &values))
        };
        ids.is_empty() || run.moments.iter().any(is_there)
    };
    let chances = chances(system, run).into_iter().filter(|one| exists(&one.name));
    chances.map(|one| Activity { name: one.name, enabled: one.enabled, taken: one.taken }).collect()
}

/// Writes the chart of a run, if that was asked for. The state in which a property is violated for
/// good is marked.
pub(super) fn chart(
    drawn: &Drawn,
    title: &str,
    run: Option<(&Run, &States<'_>)>,
    violated: Option<usize>,
) -> Result<(), Failure> {
    let Some(drawing) = &drawn.chart else { return Ok(()) };
    let Some((run, states)) = run else {
        let path = drawing.path.display();
        output::message(&format!("note: there is no run to be drawn in {path}\n"));
        return Ok(());
    };
    let chart = Chart { violated, ..Chart::of(run, states) };
    output::file(&drawing.path, output::Style::Text, |out| drawing.form.write(out, &chart, title))
}

/// Writes a graph as a picture.
pub(super) fn graph(path: &Path, drawing: &Drawing, title: &str) -> Result<(), Failure> {
    let picture =
        drawing.svg(title).map_err(|error| Failure::TooLarge(format!("error: {error}\n")))?;
    output::file(path, output::Style::Text, |out| out.write_all(picture.as_bytes()))
}
