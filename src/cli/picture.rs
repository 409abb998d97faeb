//! What commands draw besides their text: pages, sequence charts and graphs.

use super::request::model::Drawn;
use super::{Failure, output, quantity, shell};
use lwaa::drawing::Drawing;
use lwaa::report::chart::Chart;
use lwaa::report::run_page::{RunPage, Shown};
use lwaa::report::state::States;
use lwaa::run::Run;
use std::path::Path;

/// Writes a page.
pub(super) fn page(path: &Path, title: String, shown: Vec<Shown<'_>>) -> Result<(), Failure> {
    let (date, command) = (quantity::date(), shell::command());
    let page = RunPage { title, date, command, shown };
    output::file(path, output::Style::Text, |out| page.write(out))
}

/// Writes the chart of a run, if that was asked for.
pub(super) fn chart(
    drawn: &Drawn,
    title: &str,
    run: Option<(&Run, &States<'_>)>,
) -> Result<(), Failure> {
    let Some(drawing) = &drawn.chart else { return Ok(()) };
    let Some((run, states)) = run else {
        let path = drawing.path.display();
        output::message(&format!("note: there is no run to be drawn in {path}\n"));
        return Ok(());
    };
    let chart = Chart::of(run, states);
    output::file(&drawing.path, output::Style::Text, |out| drawing.form.write(out, &chart, title))
}

/// Writes a graph as a picture.
pub(super) fn graph(path: &Path, drawing: &Drawing, title: &str) -> Result<(), Failure> {
    let picture =
        drawing.svg(title).map_err(|error| Failure::TooLarge(format!("error: {error}\n")))?;
    output::file(path, output::Style::Text, |out| out.write_all(picture.as_bytes()))
}
