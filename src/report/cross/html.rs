//! The results of `cross` as a page.

use super::{CrossReport, text};
use crate::report::page::{Markup, Page, Section, html, word};
use crate::testbench::tally::{Culprit, Report};
use std::io::{Result, Write};

/// Writes the page. `date` is that of the comparison.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(out: &mut dyn Write, report: &CrossReport<'_>, date: &str) -> Result<()> {
    let CrossReport { options, tally, stopped, seconds, .. } = report;
    let count = tally.disagreements();
    let why = stopped.map(|reason| format!(" ({reason})")).unwrap_or_default();
    let mut sections = vec![
        Section::new("tests", "Tests", tests(report)),
        Section::new("translators", "Translators", translators(report)),
    ];
    if !tally.failed.is_empty() {
        sections.push(Section::new("wrong", "Wrong translators", proofs(report)));
    }
    Page {
        title: format!("Translators against each other: seed {}", options.seed),
        date,
        facts: format!("{} of {} rounds{why}, {seconds:.1} s", tally.rounds, options.rounds),
        head: html! {
            p class=(if count == 0 { "fine" } else { "wrong" }) {
                "rounds " (tally.rounds) ", disagreements " (count)
            }
            p { code { (report.command(options.seed, options.rounds)) } }
        },
        sections,
        style: "",
        script: "",
    }
    .write(out)
}

fn tests(report: &CrossReport<'_>) -> Markup {
    let tally = report.tally;
    html! {
        (table(&text::TEST_HEADINGS, &text::tests(tally)))
        p.facts {
            "Test 2 by short words only: " (tally.n_by_words) ". Skipped because too expensive: "
            (tally.n_skipped) "."
        }
    }
}

fn translators(report: &CrossReport<'_>) -> Markup {
    let lines = &report.tally.lines;
    let row = |line| {
        let mut cells = text::cells(line);
        cells.push(format!("{:.3}", line.work.seconds));
        cells.extend(line.n_failures.map(|count| count.to_string()));
        cells
    };
    let rows: Vec<Vec<String>> = lines.iter().map(row).collect();
    let headings = [&text::HEADINGS[..], &["seconds", "in 1", "in 2", "in 3", "in 4"]].concat();
    html! {
        (table(&headings, &rows))
        p.facts {
            "Wrong: rounds in which the translator was proved wrong. States, edges, acceptance sets \
             and states of the products with Kripke structures are means. In 1 to 4: failures of each \
             test that it was a party to, right or wrong."
        }
        @for line in lines {
            @for (formula, message) in &line.work.faults {
                p { (line.name) " on " code { (formula) } ": " (message) }
            }
        }
    }
}

fn proofs(report: &CrossReport<'_>) -> Markup {
    html! {
        @for failed in &report.tally.failed {
            @for culprit in &failed.proofs { (proof(report, failed, culprit)) }
        }
    }
}

fn proof(report: &CrossReport<'_>, failed: &Report, culprit: &Culprit) -> Markup {
    let small = &culprit.small;
    let name = &report.tally.lines[culprit.translator].name;
    html! {
        h3 { (name) " on " code { (small.formula.to_string()) } }
        p { (text::sentence(culprit)) }
        (word(small.formula.atoms(), &small.word))
        @if let Some(formula) = &failed.formula {
            p { "Found by test " (culprit.test.number()) " on " code { (formula.to_string()) } }
        }
        pre { (report.command(failed.seed, 1)) }
    }
}

fn table(headings: &[&str], rows: &[Vec<String>]) -> Markup {
    html! {
        div.scroll {
            table {
                thead {
                    tr {
                        @for (column, heading) in headings.iter().enumerate() {
                            th class=[(column == 0).then_some("left")] scope="col" { (heading) }
                        }
                    }
                }
                tbody {
                    @for row in rows {
                        tr {
                            th scope="row" { (row[0]) }
                            @for cell in &row[1..] { td { (cell) } }
                        }
                    }
                }
            }
        }
    }
}
