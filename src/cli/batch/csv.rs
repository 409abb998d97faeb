//! The answers of a batch as comma-separated values.

use super::child::Answer;
use super::table::Row;
use crate::cli::escape::Escaping;
use crate::cli::{Failure, output};
use lwaa::bench::csv::quoted;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// A file of answers, complete up to the last one at any time.
#[derive(Debug)]
pub(super) struct Writer(Escaping<BufWriter<File>>);

impl Writer {
    /// Creates the file and writes its header.
    pub(super) fn create(path: &Path) -> std::result::Result<Self, Failure> {
        let header = "name,expected,verdict,seconds,configurations,transitions,peak_bytes";
        let mut file = output::create(path, output::Style::Text)?;
        let written = writeln!(file, "{header}").and_then(|()| file.flush());
        written.map_err(|error| output::unwritable(path, &error))?;
        Ok(Self(file))
    }

    /// Appends an answer.
    pub(super) fn write(&mut self, row: &Row<'_>, answer: &Answer) -> Result<()> {
        self.0.write_all(line(row, answer).as_bytes())?;
        self.0.flush()
    }
}

fn line(row: &Row<'_>, answer: &Answer) -> String {
    let number = |name: &str| match &answer.statistics[name] {
        serde_json::Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    format!(
        "{},{},{},{:.3},{},{},{}\n",
        quoted(&row.name),
        quoted(row.expected_text),
        answer.verdict.word(),
        answer.seconds,
        number("configurations"),
        number("transitions"),
        number("peak_bytes"),
    )
}

#[cfg(test)]
mod tests {
    use super::super::child::Verdict;
    use super::*;
    use std::borrow::Cow;

    #[test]
    fn a_line_has_seven_values() {
        let row = Row {
            line: 2,
            name: Cow::Borrowed("a,\"b\""),
            expected_text: "sat",
            expected: None,
            formula: "a",
            span: 0..1,
        };
        let answer = Answer {
            verdict: Verdict::Unknown("tired, very".to_owned()),
            seconds: 0.12345,
            statistics: serde_json::json!({ "configurations": 3, "peak_bytes": 9 }),
            message: None,
            warning: None,
        };
        assert_eq!(line(&row, &answer), "\"a,\"\"b\"\"\",sat,unknown,0.123,3,,9\n");
    }
}
