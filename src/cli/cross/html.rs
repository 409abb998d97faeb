//! The results of `cross` as one page that needs nothing else.

use super::{Results, text};
use lwaa::report::text::write_lasso;
use lwaa::testbench::cross_check::Test;
use std::io::{Result, Write};

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #fff; --panel: #f6f8fa;
  --rule: #d0d7de; --bad: #b3261e; --good: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #9aa5b1; --paper: #0f1419;
  --panel: #171d24; --rule: #323b45; --bad: #ff8a80; --good: #57d07d; } }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 72rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
p.facts { color: var(--soft); } .good { color: var(--good); } .bad { color: var(--bad); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid var(--rule); }
th:first-child, td:first-child { text-align: left; font-weight: 500; }
thead th { background: var(--panel); color: var(--soft); }
article { border: 1px solid var(--rule); border-radius: .5rem; padding: .2rem 1rem; margin: 1rem 0; }
pre, code { background: var(--panel); border-radius: .3rem; font: .875rem/1.45 ui-monospace, monospace; }
pre { padding: .6rem .8rem; overflow-x: auto; } code { padding: .1rem .3rem; }
";

/// Writes the page.
pub(super) fn write(out: &mut dyn Write, results: &Results<'_>) -> Result<()> {
    let tally = results.tally;
    let count = tally.disagreements();
    let options = &results.cross.options;
    let class = if count == 0 { "good" } else { "bad" };
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
        "<p class=\"facts\">Test 2 by short words only: {}. Left out because too expensive: \
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
    writeln!(out, "<h2>Who is wrong</h2>")?;
    for report in &results.tally.failed {
        for culprit in &report.proofs {
            let small = &culprit.small;
            let mut word = Vec::new();
            write_lasso(&mut word, &small.formula, &small.word)?;
            let found = report.formula.as_ref().map(ToString::to_string).unwrap_or_default();
            writeln!(
                out,
                "<article>\n<h3>{name} on <code>{formula}</code></h3>\n<p>{sentence}</p>\n<pre>{word}\
                 </pre>\n<p>Found by test {test} on <code>{found}</code></p>\n<pre>{command}</pre>\n\
                 </article>",
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

/// Text that means itself in elements and in attributes.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c if c.is_control() && !c.is_whitespace() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
