//! The results of `cross` as one page that needs nothing else.

use super::{Results, text};
use lwaa::bench::html::escaped;
use lwaa::report::text::write_lasso;
use lwaa::testbench::cross_check::Test;
use std::io::{Result, Write};

/// The same as that of the page of `lwaa bench`.
const STYLE: &str = include_str!("../../bench/html/style.css");

/// Writes the page.
pub(super) fn write(out: &mut dyn Write, results: &Results<'_>) -> Result<()> {
    let tally = results.tally;
    let count = tally.disagreements();
    let options = &results.cross.options;
    let class = if count == 0 { "fine" } else { "wrong" };
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>lwaa cross: \
         seed {seed}</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n<h1>Translators against each other</h1>\n<p class=\"{class}\">\
         rounds {rounds}, disagreements {count}</p>\n<p class=\"facts\">lwaa {version}, seed \
         {seed}, {rounds} of {all} rounds{why}, {seconds:.1} s</p>\n<p><code>{command}</code></p>",
        seed = options.seed,
        rounds = tally.rounds,
        all = options.rounds,
        why = results.stopped.map(|reason| format!(" ({reason})")).unwrap_or_default(),
        version = env!("CARGO_PKG_VERSION"),
        seconds = results.seconds,
        command = escaped(
            format!(
                "lwaa cross --seed {} --rounds {} {}",
                options.seed, options.rounds, results.cross.retyped
            )
            .trim_end()
        ),
    )?;
    tests(out, results)?;
    translators(out, results)?;
    proofs(out, results)?;
    writeln!(out, "</body>\n</html>")
}

fn tests(out: &mut dyn Write, results: &Results<'_>) -> Result<()> {
    let tally = results.tally;
    let rows: Vec<Vec<String>> = Test::ALL
        .iter()
        .map(|&test| {
            let index = test.number() - 1;
            let [done, failed] = [tally.n_tests[index], tally.n_failures[index]];
            vec![text::title(test).to_owned(), done.to_string(), failed.to_string()]
        })
        .collect();
    writeln!(out, "<h2>Tests</h2>")?;
    table(out, &["test", "done", "failed"], &rows)?;
    writeln!(
        out,
        "<p class=\"facts\">Test 2 by short words only: {}. Skipped because too expensive: \
         {}.</p>",
        tally.n_by_words, tally.n_skipped
    )
}

fn translators(out: &mut dyn Write, results: &Results<'_>) -> Result<()> {
    let rows: Vec<Vec<String>> = results
        .tally
        .lines
        .iter()
        .map(|line| {
            let mut cells = text::cells(line);
            cells.push(format!("{:.3}", line.work.seconds));
            cells.extend(line.n_failures.map(|count| count.to_string()));
            cells
        })
        .collect();
    let mut headings = text::HEADINGS.to_vec();
    headings.extend(["seconds", "in 1", "in 2", "in 3", "in 4"]);
    writeln!(out, "<h2>Translators</h2>")?;
    table(out, &headings, &rows)?;
    writeln!(
        out,
        "<p class=\"facts\">Wrong: rounds in which the translator was proved wrong. States, \
         edges, acceptance sets and states of the products with Kripke structures are means. In 1 to \
         4: failures of each test that it was a party to, right or wrong.</p>"
    )?;
    for line in &results.tally.lines {
        for (formula, message) in &line.work.faults {
            let [name, formula, message] = [&line.name, formula, message].map(|text| escaped(text));
            writeln!(out, "<p>{name} on <code>{formula}</code>: {message}</p>")?;
        }
    }
    Ok(())
}

fn proofs(out: &mut dyn Write, results: &Results<'_>) -> Result<()> {
    if results.tally.failed.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>Wrong translators</h2>")?;
    for report in &results.tally.failed {
        for culprit in &report.proofs {
            let small = &culprit.small;
            let mut word = Vec::new();
            write_lasso(&mut word, &small.formula, &small.word)?;
            let found = report.formula.as_ref().map(ToString::to_string).unwrap_or_default();
            writeln!(
                out,
                "<section>\n<h3>{name} on <code>{formula}</code></h3>\n<p>{sentence}</p>\n<pre>{word}\
                 </pre>\n<p>Found by test {test} on <code>{found}</code></p>\n<pre>{command}</pre>\n\
                 </section>",
                name = escaped(&results.tally.lines[culprit.translator].name),
                formula = escaped(&small.formula.to_string()),
                sentence = text::sentence(culprit),
                word = escaped(&String::from_utf8_lossy(&word)),
                test = culprit.test.number(),
                found = escaped(&found),
                command = escaped(&results.command(report.seed)),
            )?;
        }
    }
    Ok(())
}

fn table(out: &mut dyn Write, headings: &[&str], rows: &[Vec<String>]) -> Result<()> {
    write!(out, "<div class=\"scroll\"><table>\n<thead><tr>")?;
    for heading in headings {
        write!(out, "<th>{}</th>", escaped(heading))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in rows {
        write!(out, "<tr>")?;
        for cell in row {
            write!(out, "<td>{}</td>", escaped(cell))?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table></div>")
}
