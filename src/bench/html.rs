//! Results as one page that needs nothing else.
//!
//! Style, script and plots are part of it. It follows the reader's choice of
//! light or dark, and is complete without the script, which only sorts tables.

mod tables;

use super::plot::{self, Plot};
use super::{GroupId, PipelineId, Results, table};
use crate::printable::{is_unprintable, write_escape};
use std::borrow::Cow;
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
    let title = escaped(&results.title);
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" \
         content=\"lwaa {}\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{}{}</style>\n</head>\n<body>",
        env!("CARGO_PKG_VERSION"),
        include_str!("html/style.css"),
        plot::STYLE,
    )?;
    head(out, results)?;
    writeln!(out, "<main>")?;
    alarm(out, results)?;
    writeln!(out, "<section id=\"summary\">\n<h2>Summary</h2>")?;
    tables::summary(out, results)?;
    writeln!(out, "</section>")?;
    plots(out, results)?;
    writeln!(out, "<section id=\"results\">\n<h2>Results</h2>")?;
    tables::groups(out, results)?;
    writeln!(out, "</section>")?;
    conditions(out, results)?;
    writeln!(
        out,
        "</main>\n<script>\n{}</script>\n</body>\n</html>",
        include_str!("html/script.js")
    )
}

/// Text that means itself in elements and in attributes.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || is_unprintable(c);
    if !text.contains(is_special) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\r' if text[at..].starts_with("\r\n") => (),
            c if is_unprintable(c) => {
                // A string takes any text, so there is no error to report.
                let _ = write_escape(&mut safe, c);
            }
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

fn head(out: &mut dyn Write, results: &Results) -> Result<()> {
    writeln!(out, "<header>\n<h1>{}</h1>", escaped(&results.title))?;
    for paragraph in results.description.split("\n\n").filter(|text| !text.trim().is_empty()) {
        writeln!(out, "<p class=\"lead\">{}</p>", escaped(paragraph.trim()))?;
    }
    writeln!(out, "<p class=\"facts\">{}</p>", escaped(&table::conditions(results)))?;
    writeln!(out, "<nav aria-label=\"Sections\">")?;
    let mut links = vec![("summary", "Summary")];
    if plot::cactus(results).is_some() {
        links.push(("plots", "Plots"));
    }
    links.extend([
        ("results", "Results"),
        ("conditions", "Machine and versions"),
        ("suite", "Suite"),
    ]);
    for (id, name) in links {
        writeln!(out, "<a href=\"#{id}\">{name}</a>")?;
    }
    writeln!(out, "</nav>\n</header>")
}

fn alarm(out: &mut dyn Write, results: &Results) -> Result<()> {
    let contradictions = results.contradictions();
    if contradictions.is_empty() {
        return Ok(());
    }
    writeln!(out, "<div class=\"alarm\" role=\"alert\">\n<h2>Wrong answers</h2>\n<ul>")?;
    for sentence in contradictions {
        writeln!(out, "<li>{}</li>", escaped(&sentence))?;
    }
    writeln!(out, "</ul>\n</div>")
}

fn plots(out: &mut dyn Write, results: &Results) -> Result<()> {
    let Some(cactus) = plot::cactus(results) else { return Ok(()) };
    writeln!(out, "<section id=\"plots\">\n<h2>Plots</h2>")?;
    writeln!(out, "<div class=\"plots large\">")?;
    figure(out, &cactus, true)?;
    writeln!(out, "</div>")?;
    let scatters: Vec<Plot> = pairs(results)
        .iter()
        .filter_map(|&(one, other)| plot::scatter(results, one, other))
        .collect();
    if !scatters.is_empty() {
        writeln!(
            out,
            "<h3>Pairwise comparison</h3>\n<p class=\"facts\">A point is an instance; above the \
             diagonal the pipeline of the horizontal axis is faster. Open points at the border have \
             no answer.</p>\n<div class=\"plots\">"
        )?;
        for scatter in &scatters {
            figure(out, scatter, false)?;
        }
        writeln!(out, "</div>")?;
    }
    for (id, group) in results.groups.entries() {
        let plots = plot::growth(results, id);
        if plots.is_empty() {
            continue;
        }
        writeln!(out, "<h3>Growth: {}</h3>\n<div class=\"plots\">", escaped(&group.name))?;
        for plot in &plots {
            figure(out, plot, true)?;
        }
        writeln!(out, "</div>")?;
    }
    writeln!(out, "</section>")
}

/// Pairs of pipelines that were asked about the same instances.
fn pairs(results: &Results) -> Vec<(PipelineId, PipelineId)> {
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

fn figure(out: &mut dyn Write, plot: &Plot, has_legend: bool) -> Result<()> {
    writeln!(out, "<figure>\n<figcaption>{}</figcaption>", escaped(&plot.caption))?;
    writeln!(out, "{}", plot.to_svg())?;
    if has_legend {
        writeln!(out, "<ul class=\"legend\">")?;
        for series in &plot.series {
            writeln!(out, "<li>{}{}</li>", plot::marker(series.style), escaped(&series.name))?;
        }
        writeln!(out, "</ul>")?;
    }
    writeln!(out, "</figure>")
}

fn conditions(out: &mut dyn Write, results: &Results) -> Result<()> {
    writeln!(out, "<section id=\"conditions\">\n<h2>Machine and versions</h2>\n<dl>")?;
    for (name, value) in &results.machine {
        writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(name), escaped(value))?;
    }
    writeln!(out, "</dl>\n<h3>Pipelines</h3>\n<dl>")?;
    for pipeline in &results.pipelines {
        let version = pipeline
            .version
            .as_deref()
            .map_or_else(String::new, |version| format!("<br>{}", escaped(version)));
        writeln!(
            out,
            "<dt>{}</dt><dd><code>{}</code>{version}</dd>",
            escaped(&pipeline.name),
            escaped(&pipeline.command)
        )?;
    }
    writeln!(out, "</dl>")?;
    for note in &results.notes {
        writeln!(out, "<p class=\"facts\">Note: {}</p>", escaped(note))?;
    }
    let (name, text) = &results.suite;
    writeln!(out, "</section>\n<section id=\"suite\">\n<h2>Suite</h2>")?;
    writeln!(
        out,
        "<p>To measure again, save this as <code>{0}</code> and run <code>lwaa bench {0}</code>.</p>",
        escaped(name)
    )?;
    writeln!(out, "<pre>{}</pre>\n</section>", escaped(text))
}
