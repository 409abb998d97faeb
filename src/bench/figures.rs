//! The plots of the page as files for papers: pictures, their data, and drawings for LaTeX.
//!
//! The drawings use pgfplots and contain their data, so each stands by itself: `\input` it behind
//! `\usepackage{pgfplots}`.

use super::Results;
use super::csv::quoted;
use super::html::pairs;
use super::plot::axis::{Axis, Unit};
use super::plot::{self, Join, Plot, Point};
use std::fmt::Write;

/// A file by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without a folder.
    pub name: String,
    /// What it contains.
    pub text: String,
}

/// All files, in the order of the page.
#[must_use]
pub fn files(results: &Results) -> Vec<File> {
    let mut plots: Vec<(String, Plot)> = Vec::new();
    plots.extend(plot::cactus(results).map(|plot| ("solved".to_owned(), plot)));
    for (number, (one, other)) in (1..).zip(pairs(results)) {
        let scatter = plot::scatter(results, one, other);
        plots.extend(scatter.map(|plot| (format!("pair-{number}"), plot)));
    }
    for (group_number, group) in (1..).zip(results.groups.ids()) {
        for (number, plot) in (1..).zip(plot::growth(results, group)) {
            plots.push((format!("growth-{group_number}-{number}"), plot));
        }
    }
    let file = |name: &str, extension: &str, text: String| File {
        name: format!("{name}.{extension}"),
        text,
    };
    plots
        .iter()
        .flat_map(|(name, plot)| {
            [
                file(name, "svg", plot.to_svg().into_string() + "\n"),
                file(name, "csv", data(plot)),
                file(name, "tex", tex(plot)),
            ]
        })
        .collect()
}

/// The points of a plot as a table. What has no answer is empty.
fn data(plot: &Plot) -> String {
    let mut text = "series,x,y,what\n".to_owned();
    for series in &plot.series {
        for Point { x, y, title } in &series.points {
            let [x, y] = [x, y].map(|value| value.map_or_else(String::new, |one| one.to_string()));
            // A string takes any text.
            let _ = writeln!(text, "{},{x},{y},{}", quoted(&series.name), quoted(title));
        }
    }
    text
}

/// The plot as a drawing.
fn tex(plot: &Plot) -> String {
    let mut text =
        format!("% {}\n\\begin{{tikzpicture}}\n\\begin{{axis}}[\n", one_line(&plot.title));
    let _ = writeln!(text, "  title={{{}}},", escaped(&plot.caption));
    for (name, axis) in [("x", &plot.x), ("y", &plot.y)] {
        let Axis { title, is_logarithmic, low, high, unit, .. } = axis;
        // The marks are plain numbers here.
        let title = match unit {
            Unit::Number => title.clone(),
            Unit::Seconds => format!("{title} (s)"),
            Unit::Mebibytes => format!("{title} (MiB)"),
        };
        let mode = if *is_logarithmic { "log" } else { "linear" };
        let _ = writeln!(text, "  {name}label={{{}}}, {name}mode={mode},", escaped(&title));
        let _ = writeln!(text, "  {name}min={low}, {name}max={high},");
    }
    text.push_str("  legend pos=outer north east, grid=major,\n]\n");
    for series in &plot.series {
        let style = match series.join {
            Join::Nothing => "only marks",
            Join::Lines => "mark=*, mark size=1pt",
        };
        let _ = write!(text, "\\addplot+[{style}] coordinates {{");
        for point in &series.points {
            // What has no answer is at the border.
            let x = point.x.unwrap_or(plot.x.high);
            let y = point.y.unwrap_or(plot.y.high);
            let _ = write!(text, " ({x},{y})");
        }
        let _ = writeln!(text, " }};\n\\addlegendentry{{{}}}", escaped(&series.name));
    }
    for (axis, line) in [(&plot.x, true), (&plot.y, false)] {
        if let Some(limit) = axis.limit {
            let (x1, y1, x2, y2) = if line {
                (limit, plot.y.low, limit, plot.y.high)
            } else {
                (plot.x.low, limit, plot.x.high, limit)
            };
            let ends = format!("({x1},{y1}) ({x2},{y2})");
            let _ = writeln!(text, "\\addplot[dashed, forget plot] coordinates {{ {ends} }};");
        }
    }
    text.push_str("\\end{axis}\n\\end{tikzpicture}\n");
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in which nothing is a command of LaTeX.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in one_line(text).chars() {
        match character {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(character);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn names_are_no_commands() {
        assert_eq!(escaped("50 % of a_b & {c}"), "50 \\% of a\\_b \\& \\{c\\}");
        assert_eq!(escaped("\\input{x}\n^2"), "\\textbackslash{}input\\{x\\} \\textasciicircum{}2");
    }
}
