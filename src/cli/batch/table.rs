//! The table of a batch: tab-separated values with a header.
//!
//! There are no quotes: a tab always separates, a line break always ends a
//! row. Empty lines are skipped.

use crate::cli::Failure;
use crate::cli::diagnostic::{Document, error};
use std::borrow::Cow;
use std::ops::Range;

/// What is known of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Expected {
    Sat,
    Unsat,
}

/// One formula.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::cli) struct Row<'a> {
    /// The line in the file, counted from 1.
    pub(in crate::cli) line: usize,
    pub(in crate::cli) name: Cow<'a, str>,
    /// What the table says, as it is written there.
    pub(in crate::cli) expected_text: &'a str,
    pub(in crate::cli) expected: Option<Expected>,
    pub(in crate::cli) formula: &'a str,
    /// Where the formula is in the file.
    pub(in crate::cli) span: Range<usize>,
}

/// Where the columns are that we know.
#[derive(Debug)]
struct Columns {
    count: usize,
    name: Option<usize>,
    expected: Option<usize>,
    formula: usize,
}

/// The rows of the table that `text`, from the file called `name`, is.
pub(in crate::cli) fn rows<'a>(name: &str, text: &'a str) -> Result<Vec<Row<'a>>, Failure> {
    let document = Document { name, text };
    let mut columns: Option<Columns> = None;
    let mut rows = Vec::new();
    let mut start = 0;
    for (index, whole_line) in text.split_inclusive('\n').enumerate() {
        let line = whole_line.trim_end_matches(['\n', '\r']);
        let range = start..start + line.len();
        start += whole_line.len();
        if line.trim().is_empty() {
            continue;
        }
        match &columns {
            None => columns = Some(header(document, line, range)?),
            Some(columns) => rows.push(row(document, columns, line, range, index + 1)?),
        }
    }
    match columns {
        None => Err(Failure::plain(format_args!("{name} is empty: a header is expected"))),
        Some(_) => Ok(rows),
    }
}

fn header(document: Document<'_>, line: &str, range: Range<usize>) -> Result<Columns, Failure> {
    let titles: Vec<&str> = line.split('\t').map(str::trim).collect();
    let find = |title: &str| {
        let mut found = titles.iter().enumerate().filter(|(_, other)| **other == title);
        match (found.next(), found.next()) {
            (Some((column, _)), None) => Ok(Some(column)),
            (None, _) => Ok(None),
            (Some(_), Some(_)) => {
                let message = format!("there are several columns `{title}`");
                Err(error(&message, document, range.clone()))
            }
        }
    };
    let Some(formula) = find("formula")? else {
        let advice = match titles[..] {
            [only] if only.contains([',', ';']) => {
                "; columns are separated by tabs, not by commas or semicolons"
            }
            _ => "",
        };
        return Err(error(&format!("there is no column `formula`{advice}"), document, range));
    };
    let (name, expected) = (find("name")?, find("expected")?);
    Ok(Columns { count: titles.len(), name, expected, formula })
}

fn row<'a>(
    document: Document<'_>,
    columns: &Columns,
    line: &'a str,
    range: Range<usize>,
    number: usize,
) -> Result<Row<'a>, Failure> {
    let fields: Vec<&str> = line.split('\t').collect();
    if fields.len() != columns.count {
        let message =
            format!("this row has {} columns, the header {}", fields.len(), columns.count);
        // The end of the row if it is too short, else what is too much.
        let kept: usize = fields.iter().take(columns.count).map(|field| field.len() + 1).sum();
        let from = (range.start + kept).min(range.end);
        return Err(error(&message, document, from..range.end));
    }
    let name = match columns.name.map(|column| fields[column].trim()) {
        None | Some("") => Cow::Owned(format!("line {number}")),
        Some(name) => Cow::Borrowed(name),
    };
    let expected_text = columns.expected.map_or("", |column| fields[column].trim());
    let expected = match expected_text {
        "sat" => Some(Expected::Sat),
        "unsat" => Some(Expected::Unsat),
        _ => None,
    };
    let formula = fields[columns.formula];
    let before: usize = fields[..columns.formula].iter().map(|field| field.len() + 1).sum();
    let span = range.start + before..range.start + before + formula.len();
    Ok(Row { line: number, name, expected_text, expected, formula, span })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str, Option<Expected>, &str)]) {
        let rows = rows("table", text).unwrap();
        assert!(rows.iter().all(|row| text[row.span.clone()] == *row.formula));
        let rows: Vec<_> =
            rows.iter().map(|row| (row.line, &*row.name, row.expected, row.formula)).collect();
        assert_eq!(rows, expected);
    }

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let Err(Failure::Input(complaint)) = rows("table", text) else { panic!("{text}") };
        assert!(complaint.text.contains(expected), "{complaint:?}");
    }

    #[test]
    fn columns_come_in_any_order() {
        check(
            "formula\tbest\texpected\tname\na\t1\tsat\tx/y\nb\t2\tunsat\tz\n",
            &[(2, "x/y", Some(Expected::Sat), "a"), (3, "z", Some(Expected::Unsat), "b")],
        );
    }

    #[test]
    fn only_the_formula_is_needed() {
        check("formula\na\n\nb", &[(2, "line 2", None, "a"), (4, "line 4", None, "b")]);
    }

    #[test]
    fn other_expectations_are_none() {
        check(
            "expected\tformula\nunknown\ta\n\tb",
            &[(2, "line 2", None, "a"), (3, "line 3", None, "b")],
        );
    }

    #[test]
    fn line_ends_of_other_systems_are_read() {
        check("formula\tname\r\na\tx\r\n", &[(2, "x", None, "a")]);
    }

    #[test]
    fn a_header_without_rows_is_a_table() {
        check("name\tformula\n", &[]);
    }

    #[test]
    fn errors_have_a_place() {
        check_error("", "table is empty");
        check_error("name\texpected\n", "there is no column `formula`");
        check_error(
            "name,formula\n",
            "there is no column `formula`; columns are separated by tabs",
        );
        check_error("formula\tformula\n", "several columns `formula`");
        check_error("name\tformula\nx\n", "table:2:2");
        check_error("name\tformula\nx\ta\ty\n", "table:2:5");
        check_error("name\tformula\nx\ta\ty\n", "this row has 3 columns, the header 2");
    }
}
