//! Results as a page.
//!
//! Plots are part of it. The script only sorts tables.

mod tables;

use super::plot::{self, Plot};
use super::{GroupId, PipelineId, Results, table};
use crate::report::page::{Markup, Page, Section, html};
use std::io::{Result, Write};

/// Of how many pairs of pipelines there is a plot, at most; if there are more,
/// only those with the first pipeline are shown.
const MAX_PAIRS: usize = 6;

/// Writes the page.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(out: &mut dyn Write, results: &Results) -> Result<()> {
    let mut sections = vec![Section::new("summary", "Summary", tables::summary(results))];
    if let Some(cactus) = plot::cactus(results) {
        sections.push(Section::new("plots", "Plots", plots(results, &cactus)));
    }
    sections.extend([
        Section::new("results", "Results", tables::groups(results)),
        Section::new("conditions", "Machine and versions", conditions(results)),
        Section::new("suite", "Suite", suite(results)),
    ]);
    Page {
        title: results.title.clone(),
        date: &results.date,
        facts: table::conditions(results, None),
        head: head(results),
        sections,
        style: plot::STYLE,
        script: include_str!("html/script.js"),
    }
    .write(out)
}

fn head(results: &Results) -> Markup {
    let contradictions = results.contradictions();
    let paragraphs = results.description.split("\n\n").map(str::trim);
    html! {
        @for paragraph in paragraphs.filter(|text| !text.is_empty()) { p.lead { (paragraph) } }
        @if !contradictions.is_empty() {
            div.alarm role="alert" {
                h2 { "Wrong answers" }
                ul { @for sentence in &contradictions { li { (sentence) } } }
            }
        }
    }
}

fn plots(results: &Results, cactus: &Plot) -> Markup {
    let pairs = pairs(results).into_iter();
    let scatters: Vec<Plot> =
        pairs.filter_map(|(one, other)| plot::scatter(results, one, other)).collect();
    html! {
        div.plots.large { (figure(cactus, true)) }
        @if !scatters.is_empty() {
            h3 { "Pairwise comparison" }
            p.facts {
                "A point is an instance; above the diagonal the pipeline of the horizontal axis is \
                 faster. Open points at the border have no answer."
            }
            div.plots { @for scatter in &scatters { (figure(scatter, false)) } }
        }
        @for (id, group) in results.groups.entries() {
            @let plots = plot::growth(results, id);
            @if !plots.is_empty() {
                h3 { "Growth: " (group.name) }
                div.plots { @for plot in &plots { (figure(plot, true)) } }
            }
        }
    }
}

/// Pairs of pipelines that were asked about the same instances.
pub(super) fn pairs(results: &Results) -> Vec<(PipelineId, PipelineId)> {
    let groups = |id: PipelineId| -> Vec<GroupId> {
        let asked = |group: &GroupId| {
            let pipelines = results.pipelines_of(|_, instance| instance.group == *group);
            pipelines.contains(&id)
        };
        results.groups.ids().filter(asked).collect()
    };
    let meet = |one: PipelineId, other: PipelineId| {
        groups(one).iter().any(|group| groups(other).contains(group))
    };
    let ids: Vec<PipelineId> = results.pipelines.ids().collect();
    let mut pairs = Vec::new();
    for (i, &one) in ids.iter().enumerate() {
        pairs.extend(
            ids[i + 1..].iter().filter(|&&other| meet(one, other)).map(|&other| (one, other)),
        );
    }
    if MAX_PAIRS < pairs.len() {
        let first = pairs[0].0;
        pairs.retain(|&(one, _)| one == first);
    }
    pairs
}

fn figure(plot: &Plot, has_legend: bool) -> Markup {
    html! {
        figure {
            figcaption { (plot.caption) }
            (plot.to_svg())
            @if has_legend {
                ul.legend {
                    @for series in &plot.series { li { (plot::marker(series.style)) (series.name) } }
                }
            }
        }
    }
}

fn conditions(results: &Results) -> Markup {
    html! {
        dl { @for (name, value) in &results.machine { dt { (name) } dd { (value) } } }
        h3 { "Pipelines" }
        dl {
            @for pipeline in &results.pipelines {
                dt { (pipeline.name) }
                dd {
                    code { (pipeline.command) }
                    @if let Some(version) = &pipeline.version { br; (version) }
                }
            }
        }
        @for note in &results.notes { p.facts { "Note: " (note) } }
    }
}

fn suite(results: &Results) -> Markup {
    let (name, text) = &results.suite;
    html! {
        p {
            "To measure again, save this as " code { (name) } " and run "
            code { "lwaa bench " (name) } "."
        }
        pre { (text) }
    }
}
