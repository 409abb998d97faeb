//! The tables of the page.

use crate::bench::number::{bytes, count, seconds};
use crate::bench::table::{answer, counted, time_text};
use crate::bench::{Cell, Group, GroupId, InstanceId, Outcome, PipelineId, Results, plot};
use crate::id::Id;
use crate::report::page::{Markup, html};

/// One row for each pipeline.
pub(super) fn summary(results: &Results) -> Markup {
    let is_peaceful = results.contradictions().is_empty() && !results.measurements.is_empty();
    let counted = counted(results);
    let titles = ["pipeline"].into_iter().chain(counted.iter().copied());
    let titles = titles.chain(["time for solved", "most memory"]).enumerate();
    html! {
        @if is_peaceful { p.fine { (peace(results)) } }
        div.scroll {
            table.sortable {
                thead {
                    tr {
                        @for (column, title) in titles {
                            th class=[(column == 0).then_some("left")] scope="col" data-column=(column) {
                                (title)
                            }
                        }
                    }
                }
                tbody { @for id in results.pipelines.ids() { (summary_row(results, id, &counted)) } }
            }
        }
    }
}

fn summary_row(results: &Results, id: PipelineId, counted: &[&str]) -> Markup {
    let counts = results.counts(id);
    let is_wrong = |title: &str, text: &str| {
        matches!(title, "wrong" | "disputed") && text != "0" && text != "-"
    };
    html! {
        tr {
            th scope="row" { (plot::marker(id.index())) " " (results.pipelines[id].name) }
            @for title in counted {
                @let text = counts.below(title);
                td class=[is_wrong(title, &text).then_some("wrong")] { (text) }
            }
            td data-value=(counts.seconds) { (seconds(counts.seconds)) }
            td data-value=(counts.peak_bytes) {
                @if counts.peak_bytes != 0 { (bytes(counts.peak_bytes)) }
            }
        }
    }
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
pub(super) fn groups(results: &Results) -> Markup {
    html! {
        @for (id, group) in results.groups.entries() {
            @let pipelines = results.pipelines_of(|_, instance| instance.group == id);
            @if !pipelines.is_empty() {
                h3 { (group.name) }
                div.scroll {
                    table.sortable {
                        (header(results, id, group, &pipelines))
                        tbody {
                            @for (instance, row) in results.instances.entries() {
                                @if row.group == id { (self::row(results, instance, &pipelines)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn header(results: &Results, id: GroupId, group: &Group, pipelines: &[PipelineId]) -> Markup {
    let mut names: Vec<(&str, usize)> = Vec::new();
    // Each with whether a rule separates it from what is on its left.
    let mut titles: Vec<(&str, bool)> = Vec::new();
    for &pipeline in pipelines {
        let shown = results.shown_by(id, pipeline);
        names.push((&results.pipelines[pipeline].name, 2 + shown.len()));
        titles.push(("time", true));
        titles.extend(shown.into_iter().map(|name| (name.as_str(), false)));
        titles.push(("memory", false));
    }
    if !group.published.is_empty() {
        names.push(("published", group.published.len()));
        titles.extend(group.published.iter().map(|title| (title.as_str(), true)));
    }
    html! {
        thead {
            tr {
                th colspan="2" {}
                @for (name, width) in names {
                    th.first scope="colgroup" colspan=(width) { (name) }
                }
            }
            tr {
                th.left scope="col" data-column="0" { "instance" }
                th.left scope="col" data-column="1" { "answer" }
                @for (column, (title, is_first)) in (2..).zip(titles) {
                    th class=[is_first.then_some("first")] scope="col" data-column=(column) {
                        (title)
                    }
                }
            }
        }
    }
}

fn row(results: &Results, id: InstanceId, pipelines: &[PipelineId]) -> Markup {
    let instance = &results.instances[id];
    let times = pipelines.iter().filter_map(|&pipeline| results.cell(id, pipeline)?.solved_in());
    let best = times.fold(f64::INFINITY, f64::min);
    html! {
        tr {
            th scope="row" data-value=[instance.n] { (instance.name) }
            td.left { (answer(results, id, instance)) }
            @for &pipeline in pipelines {
                @let cell = results.cell(id, pipeline);
                (time(cell.as_ref(), best))
                @for name in results.shown_by(instance.group, pipeline) {
                    @let number = cell.as_ref().and_then(|cell| cell.number(name));
                    td data-value=[number] { @if let Some(number) = number { (count(number)) } }
                }
                @let peak = cell.as_ref().and_then(|cell| cell.peak_bytes);
                td data-value=[peak] { @if let Some(peak) = peak { (bytes(peak)) } }
            }
            @for text in &instance.published { td.first { (text) } }
        }
    }
}

fn time(cell: Option<&Cell<'_>>, best: f64) -> Markup {
    let Some(cell) = cell else { return html! { td.first {} } };
    let class = match cell.outcome {
        _ if cell.is_wrong || cell.is_disputed => " wrong",
        Outcome::Solved if cell.solved_in().is_some_and(|time| time <= best) => " best",
        Outcome::Solved => "",
        _ => " none",
    };
    // Those without an answer come last.
    let value = cell.solved_in().map_or_else(|| "1e300".to_owned(), |time| time.to_string());
    html! {
        td class={ "first" (class) } data-value=(value) title=[cell.message] { (time_text(cell)) }
    }
}
