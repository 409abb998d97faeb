//! A report as text for people.
//!
//! The first line is the verdict, and scripts rely on it. What follows is the
//! lasso, one line per position:
//!
//! ```text
//! satisfiable
//! prefix: 1 letter
//!   0  request
//! cycle: 2 letters, repeated for ever
//!   1  grant, request
//!   2  (all false)
//! ```
//!
//! An atom that is no plain word is quoted, as it would be in a formula.

use super::{Report, Witness, names};
use crate::ltl::print::{Dialect, atom_text};
use crate::verdict::Satisfiability;
use crate::word::{Atoms, Lasso, Letter};
use std::io::{Result, Write};

/// Writes the verdict and the lasso, if there is one.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write_answer(out: &mut dyn Write, report: &Report) -> Result<()> {
    match &report.found {
        Satisfiability::Unknown(reason) => writeln!(out, "{}: {reason}", report.verdict())?,
        _ => writeln!(out, "{}", report.verdict())?,
    }
    match report.witness() {
        Some((formula, Witness::Lasso(lasso))) => write_lasso(out, formula.atoms(), lasso, ""),
        Some((formula, Witness::Finite(word))) => {
            writeln!(out, "word: {}", length(word.len(), "letter"))?;
            let width = decimal_digits(word.len().saturating_sub(1));
            write_letters(out, formula.atoms(), (0..).zip(word), (width, ""))
        }
        None => Ok(()),
    }
}

/// Writes a word, a line for each letter, each line behind `indent`.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write_lasso(
    out: &mut dyn Write,
    atoms: &Atoms,
    lasso: &Lasso<Letter>,
    indent: &str,
) -> Result<()> {
    let (prefix, cycle) = (lasso.prefix(), lasso.cycle());
    let width = decimal_digits(lasso.n_positions() - 1);
    writeln!(out, "{indent}prefix: {}", length(prefix.len(), "letter"))?;
    write_letters(out, atoms, (0..).zip(prefix), (width, indent))?;
    writeln!(out, "{indent}cycle: {}, repeated for ever", length(cycle.len(), "letter"))?;
    write_letters(out, atoms, (prefix.len()..).zip(cycle), (width, indent))
}

/// A line for each letter, with its position.
fn write_letters<'a>(
    out: &mut dyn Write,
    atoms: &Atoms,
    letters: impl Iterator<Item = (usize, &'a Letter)>,
    (width, indent): (usize, &str),
) -> Result<()> {
    for (position, letter) in letters {
        let names = names(atoms, letter).into_iter().map(|name| atom_text(name, Dialect::Lwaa));
        let names: Vec<String> = names.collect();
        let shown = match names.is_empty() {
            true if atoms.is_empty() => "(no atoms)".to_owned(),
            true => "(all false)".to_owned(),
            false => names.join(", "),
        };
        writeln!(out, "{indent}  {position:width$}  {shown}")?;
    }
    Ok(())
}

/// Writes the statistics, one per line.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write_statistics(out: &mut dyn Write, report: &Report) -> Result<()> {
    let mut lines: Vec<(&str, String)> =
        report.counters().into_iter().map(|(name, count)| (name, count.to_string())).collect();
    if let Some(rate) = report.cache_hit_rate() {
        lines.push(("cache_hit_rate", format!("{:.1} %", rate * 100.0)));
    }
    if let Some(strategy) = report.strategy() {
        lines.push(("strategy", strategy.name().to_owned()));
    }
    lines.push(("time", format!("{:.3} s", report.time.as_secs_f64())));
    lines.push(("peak memory", bytes(report.peak_bytes)));
    write_columns(out, &lines)
}

/// Names and values, so that all values begin in the same column.
pub(super) fn write_columns(out: &mut dyn Write, lines: &[(&str, String)]) -> Result<()> {
    const LEAST_WIDTH: usize = 16;
    let longest = lines.iter().map(|(name, _)| name.chars().count() + 1).max();
    let width = longest.unwrap_or(0).max(LEAST_WIDTH);
    for (name, value) in lines {
        writeln!(out, "{:<width$}{value}", name.replace('_', " "))?;
    }
    Ok(())
}

/// An amount of memory for people.
#[must_use]
pub fn bytes(amount: usize) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let mut amount = amount as f64 / 1024.0;
    for unit in ["KiB", "MiB", "GiB"] {
        if amount < 1000.0 {
            return format!("{amount:.1} {unit}");
        }
        amount /= 1024.0;
    }
    format!("{amount:.1} TiB")
}

/// How long something is: `empty`, `1 letter`, `2 letters`.
pub(super) fn length(count: usize, thing: &str) -> String {
    match count {
        0 => "empty".to_owned(),
        1 => format!("1 {thing}"),
        _ => format!("{count} {thing}s"),
    }
}

pub(super) fn decimal_digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{Question, Work, example, example_lasso};
    use super::*;
    use crate::search::limits::Exhausted;

    #[track_caller]
    fn check(text: &str, found: Satisfiability, expected: &str) {
        let mut out = Vec::new();
        write_answer(&mut out, &example(Question::Satisfiable, text, found)).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn positions_are_numbered_across_prefix_and_cycle() {
        check(
            "b U a",
            example_lasso(&[&[0]], &[&[1, 0], &[]]),
            "satisfiable\nprefix: 1 letter\n  0  b\ncycle: 2 letters, repeated for ever\n  \
             1  a, b\n  2  (all false)\n",
        );
    }

    #[test]
    fn a_prefix_may_be_empty() {
        check(
            "true",
            example_lasso(&[], &[&[]]),
            "satisfiable\nprefix: empty\ncycle: 1 letter, repeated for ever\n  0  (no atoms)\n",
        );
    }

    #[test]
    fn atoms_that_are_no_words_are_quoted() {
        check(
            "\"x = 1, y\"",
            example_lasso(&[], &[&[0]]),
            "satisfiable\nprefix: empty\ncycle: 1 letter, repeated for ever\n  0  \"x = 1, y\"\n",
        );
    }

    #[test]
    fn an_unknown_verdict_says_why() {
        check("a", Satisfiability::Unknown(Exhausted::Interrupted), "unknown: interrupted\n");
    }

    #[test]
    fn statistics_have_a_line_each() {
        let found = Satisfiability::Unknown(Exhausted::Interrupted);
        let mut report = example(Question::Satisfiable, "a", found);
        report.work = Work::Seen { configurations: 5, transitions: 7 };
        let mut out = Vec::new();
        write_statistics(&mut out, &report).unwrap();
        assert_eq!(
            String::from_utf8(out).unwrap(),
            "configurations  5\ntransitions     7\ntime            1.234 s\npeak memory     3.0 MiB\n",
        );
    }

    #[test]
    fn memory_has_a_unit() {
        assert_eq!(bytes(0), "0.0 KiB");
        assert_eq!(bytes(1536), "1.5 KiB");
        assert_eq!(bytes(5 << 30), "5.0 GiB");
        assert_eq!(bytes(3 << 40), "3.0 TiB");
    }
}
