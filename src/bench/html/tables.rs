//! The tables of the page.

use super::escaped;
use crate::bench::number::{bytes, count, seconds};
use crate::bench::table::{answer, counted, time_text};
use crate::bench::{Cell, Group, GroupId, InstanceId, Outcome, PipelineId, Results, plot};
use crate::id::Id;
use std::io::{Result, Write};

/// One row for each pipeline.
pub(super) fn summary(out: &mut dyn Write, results: &Results) -> Result<()> {
    if results.contradictions().is_empty() && !results.measurements.is_empty() {
        writeln!(out, "<p class=\"fine\">{}</p>", peace(results))?;
    }
    writeln!(out, "<div class=\"scroll\">\n<table class=\"sortable\">\n<thead><tr>")?;
    let counted = counted(results);
    let titles = ["pipeline"].into_iter().chain(counted.iter().copied());
    for (column, title) in titles.chain(["time for solved", "most memory"]).enumerate() {
        let class = if column == 0 { " class=\"left\"" } else { "" };
        writeln!(out, "<th scope=\"col\"{class} data-column=\"{column}\">{title}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for (id, pipeline) in results.pipelines.entries() {
        let counts = results.counts(id);
        let name = escaped(&pipeline.name);
        write!(out, "<tr><th scope=\"row\">{} {name}</th>", plot::marker(id.index()))?;
        for title in &counted {
            let is_alarming = matches!(*title, "wrong" | "disputed");
            let text = counts.below(title);
            let is_none = text == "0" || text == "-";
            let class = if is_alarming && !is_none { " class=\"wrong\"" } else { "" };
            write!(out, "<td{class}>{text}</td>")?;
        }
        let memory = if counts.peak_bytes == 0 { String::new() } else { bytes(counts.peak_bytes) };
        writeln!(
            out,
            "<td data-value=\"{}\">{}</td><td data-value=\"{}\">{memory}</td></tr>",
            counts.seconds,
            seconds(counts.seconds),
            counts.peak_bytes
        )?;
    }
    writeln!(out, "</tbody>\n</table>\n</div>")
}

/// What it means that there is nothing wrong.
fn peace(results: &Results) -> String {
    let counts = || results.pipelines.ids().map(|id| results.counts(id));
    let n_answers: usize = counts().map(|counts| counts.answers).sum();
    let n_solved: usize = counts().map(|counts| counts.solved).sum();
    if n_answers == 0 {
        return "There are no answers, so nothing has been compared.".to_owned();
    }
    let text = "No answer contradicts another, or one that was known before.";
    match n_solved.saturating_sub(n_answers) {
        0 => text.to_owned(),
        n => format!("{text} {n} of {n_solved} results have no answer to be compared."),
    }
}

/// One table for each group.
pub(super) fn groups(out: &mut dyn Write, results: &Results) -> Result<()> {
    for (id, group) in results.groups.entries() {
        let pipelines = results.pipelines_of(|_, instance| instance.group == id);
        if pipelines.is_empty() {
            continue;
        }
        writeln!(out, "<h3>{}</h3>", escaped(&group.name))?;
        writeln!(out, "<div class=\"scroll\">\n<table class=\"sortable\">")?;
        header(out, results, id, group, &pipelines)?;
        writeln!(out, "<tbody>")?;
        for (instance, _) in results.instances.entries().filter(|(_, row)| row.group == id) {
            row(out, results, instance, &pipelines)?;
        }
        writeln!(out, "</tbody>\n</table>\n</div>")?;
    }
    Ok(())
}

fn header(
    out: &mut dyn Write,
    results: &Results,
    id: GroupId,
    group: &Group,
    pipelines: &[PipelineId],
) -> Result<()> {
    let mut names = String::new();
    let mut titles = String::new();
    let mut column = 2;
    for &pipeline in pipelines {
        let shown = results.shown_by(id, pipeline);
        let width = 2 + shown.len();
        let name = escaped(&results.pipelines[pipeline].name);
        names.extend([format!(
            "<th scope=\"colgroup\" colspan=\"{width}\" class=\"first\">{name}</th>"
        )]);
        let quantities = std::iter::once("time")
            .chain(shown.iter().map(|name| name.as_str()))
            .chain(std::iter::once("memory"));
        for (i, quantity) in quantities.enumerate() {
            let class = if i == 0 { " class=\"first\"" } else { "" };
            let title = escaped(quantity);
            titles.extend([format!(
                "<th scope=\"col\"{class} data-column=\"{column}\">{title}</th>"
            )]);
            column += 1;
        }
    }
    if !group.published.is_empty() {
        let width = group.published.len();
        names.extend([format!(
            "<th scope=\"colgroup\" colspan=\"{width}\" class=\"first\">published</th>"
        )]);
        for title in &group.published {
            let title = escaped(title);
            titles.extend([format!(
                "<th scope=\"col\" class=\"first\" data-column=\"{column}\">{title}</th>"
            )]);
            column += 1;
        }
    }
    writeln!(
        out,
        "<thead><tr><th colspan=\"2\"></th>{names}</tr>\n<tr><th scope=\"col\" class=\"left\" \
         data-column=\"0\">instance</th><th scope=\"col\" class=\"left\" data-column=\"1\">answer</th>{titles}</tr></thead>"
    )
}

fn row(
    out: &mut dyn Write,
    results: &Results,
    id: InstanceId,
    pipelines: &[PipelineId],
) -> Result<()> {
    let instance = &results.instances[id];
    let times = pipelines.iter().filter_map(|&pipeline| results.cell(id, pipeline)?.solved_in());
    let best = times.fold(f64::INFINITY, f64::min);
    let value = instance.n.map_or_else(String::new, |n| format!(" data-value=\"{n}\""));
    write!(
        out,
        "<tr><th scope=\"row\"{value}>{}</th><td class=\"left\">{}</td>",
        escaped(&instance.name),
        escaped(&answer(results, id, instance))
    )?;
    for &pipeline in pipelines {
        let cell = results.cell(id, pipeline);
        time(out, cell.as_ref(), best)?;
        for name in results.shown_by(instance.group, pipeline) {
            match cell.as_ref().and_then(|cell| cell.number(name)) {
                Some(number) => write!(out, "<td data-value=\"{number}\">{}</td>", count(number))?,
                None => write!(out, "<td></td>")?,
            }
        }
        match cell.as_ref().and_then(|cell| cell.peak_bytes) {
            Some(peak) => write!(out, "<td data-value=\"{peak}\">{}</td>", bytes(peak))?,
            None => write!(out, "<td></td>")?,
        }
    }
    for text in &instance.published {
        write!(out, "<td class=\"first\">{}</td>", escaped(text))?;
    }
    writeln!(out, "</tr>")
}

fn time(out: &mut dyn Write, cell: Option<&Cell<'_>>, best: f64) -> Result<()> {
    let Some(cell) = cell else { return write!(out, "<td class=\"first\"></td>") };
    let class = match cell.outcome {
        _ if cell.is_wrong || cell.is_disputed => " wrong",
        Outcome::Solved if cell.solved_in().is_some_and(|time| time <= best) => " best",
        Outcome::Solved => "",
        _ => " none",
    };
    let title =
        cell.message.map_or_else(String::new, |message| format!(" title=\"{}\"", escaped(message)));
    // Those without an answer come last.
    let value = cell.solved_in().map_or_else(|| "1e300".to_owned(), |time| time.to_string());
    let text = time_text(cell);
    write!(out, "<td class=\"first{class}\" data-value=\"{value}\"{title}>{}</td>", escaped(&text))
}
