//! The results of `cross` for people. Times are not part of them, so that the
//! same seed always gives the same text.

use super::CrossReport;
use crate::report::layout::write_table;
use crate::report::text::write_lasso;
use crate::testbench::cross_check::Test;
use crate::testbench::tally::{Culprit, Line, Report, Tally};
use std::io::{Result, Write};

/// What a test is about.
fn title(test: Test) -> &'static str {
    match test {
        Test::Intersection => "1: words accepted for a formula and its negation",
        Test::Union => "2: words rejected for a formula and its negation",
        Test::Comparison => "3: different states of a structure",
        Test::Consistency => "4: states of a structure for neither",
    }
}

/// Writes everything but times.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write(out: &mut dyn Write, report: &CrossReport<'_>) -> Result<()> {
    let tally = report.tally;
    writeln!(out, "rounds {}, disagreements {}", tally.rounds, tally.disagreements())?;
    if let Some(reason) = report.stopped {
        writeln!(
            out,
            "stopped after {} of {} rounds: {reason}",
            tally.rounds, report.options.rounds
        )?;
    }
    writeln!(out)?;
    table(out, &TEST_HEADINGS, &tests(tally))?;
    if 0 < tally.n_by_words {
        writeln!(
            out,
            "{} of test 2 by short words only: the complement is too large",
            tally.n_by_words
        )?;
    }
    if 0 < tally.n_skipped {
        writeln!(out, "{} tests skipped: too expensive", tally.n_skipped)?;
    }
    writeln!(out)?;
    let lines: Vec<Vec<String>> = tally.lines.iter().map(cells).collect();
    table(out, &HEADINGS, &lines)?;
    for line in &tally.lines {
        for (formula, message) in &line.work.faults {
            writeln!(out, "{} on {formula}: {message}", line.name)?;
        }
    }
    for failed in &tally.failed {
        for culprit in &failed.proofs {
            writeln!(out)?;
            write_proof(out, report, failed, culprit)?;
        }
    }
    Ok(())
}

/// The columns of [`tests`].
pub(super) const TEST_HEADINGS: [&str; 3] = ["test", "done", "failed"];

/// A row for each test.
pub(super) fn tests(tally: &Tally) -> [Vec<String>; 4] {
    Test::ALL.map(|test| {
        let index = test.number() - 1;
        let [done, failed] = [tally.n_tests[index], tally.n_failures[index]];
        vec![title(test).to_owned(), done.to_string(), failed.to_string()]
    })
}

/// The columns of [`cells`].
pub(super) const HEADINGS: [&str; 10] = [
    "translator",
    "formulas",
    "wrong rounds",
    "crashes",
    "timeouts",
    "too large",
    "states",
    "edges",
    "sets",
    "product",
];

/// A translator as a row: counts, then means.
pub(super) fn cells(line: &Line) -> Vec<String> {
    let work = &line.work;
    let counts =
        [work.n_translated, line.n_wrong, work.n_crashes, work.n_timeouts, work.n_too_large];
    let sums = [work.n_states, work.n_edges, work.n_sets, work.products[0]];
    let mut cells = vec![line.name.clone()];
    cells.extend(counts.map(|count| count.to_string()));
    cells.extend(sums.map(|sum| mean(sum, work.n_translated)));
    cells
}

/// With two digits behind the point, by whole numbers only.
fn mean(sum: u64, count: u64) -> String {
    let Some(hundredths) = (sum * 100 + count / 2).checked_div(count) else {
        return "-".to_owned();
    };
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn table(out: &mut dyn Write, headings: &[&str], rows: &[Vec<String>]) -> Result<()> {
    let headings = headings.iter().map(|&heading| heading.to_owned()).collect();
    write_table(out, &[&[headings], rows].concat(), 1)
}

fn write_proof(
    out: &mut dyn Write,
    report: &CrossReport<'_>,
    failed: &Report,
    culprit: &Culprit,
) -> Result<()> {
    let small = &culprit.small;
    let name = &report.tally.lines[culprit.translator].name;
    writeln!(out, "{name} is wrong on {}", small.formula)?;
    writeln!(out, "{}", sentence(culprit))?;
    write_lasso(out, small.formula.atoms(), &small.word, "")?;
    if let Some(formula) = &failed.formula {
        writeln!(out, "found by test {} on {formula}", culprit.test.number())?;
    }
    writeln!(out, "again: {}", report.command(failed.seed, 1))
}

/// What is wrong.
pub(super) fn sentence(culprit: &Culprit) -> &'static str {
    if culprit.small.accepts {
        "its automaton accepts a word on which the formula is false:"
    } else {
        "its automaton rejects a word on which the formula is true:"
    }
}

/// How long each translator took.
#[must_use]
pub fn times(report: &CrossReport<'_>) -> String {
    let lines: Vec<Vec<String>> = report
        .tally
        .lines
        .iter()
        .map(|line| vec![line.name.clone(), format!("{:.3}", line.work.seconds)])
        .collect();
    let mut text = Vec::new();
    // Nothing fails in memory.
    let _ = table(&mut text, &["translator", "seconds"], &lines);
    let _ = writeln!(text, "time {:.3} s", report.seconds);
    String::from_utf8_lossy(&text).into_owned()
}
