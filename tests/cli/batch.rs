//! `sat --batch`.

use crate::program::{Folder, command, lwaa, lwaa_reading};
use insta::assert_snapshot;
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

/// The same with every time replaced.
pub(crate) fn without_times(text: &str) -> String {
    let mut result = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let masked: Vec<&str> = words
            .iter()
            .enumerate()
            .map(
                |(i, word)| {
                    if words.get(i + 1) == Some(&"s") && word.contains('.') { "T" } else { word }
                },
            )
            .collect();
        result.push_str(&masked.join(" "));
        result.push('\n');
    }
    result
}

#[test]
fn right_answers() {
    let folder = Folder::new("right");
    let table = folder.file(
        "table.tsv",
        "expected\tformula\tname\nsat\tF p\tb/1\nunsat\tp & !p\tb/2\n?\tX p\ta\n",
    );
    for jobs in ["1", "3"] {
        let run = lwaa(&["sat", "--batch", &table, "--jobs", jobs]);
        assert_eq!(run.code, Some(0), "{run:?}");
        let expected = "b/1  satisfiable  T s\nb/2  unsatisfiable  T s\na  satisfiable  T s\n\
                        solved 3 of 3, 0 wrong\n";
        assert_eq!(without_times(&run.stdout), expected);
        let families: Vec<Vec<&str>> =
            run.stderr.lines().map(|line| line.split_whitespace().take(4).collect()).collect();
        assert_eq!(families[0], ["family", "solved", "of", "wrong"]);
        assert_eq!(families[1], ["a", "1", "1", "0"]);
        assert_eq!(families[2], ["b", "2", "2", "0"]);
        assert_eq!(families[3], ["all", "3", "3", "0"]);
    }
}

#[test]
fn the_table_may_come_from_standard_input() {
    let run = lwaa_reading(&["sat", "--batch", "-"], b"formula\np & !p\n");
    assert_eq!(without_times(&run.stdout), "line 2  unsatisfiable  T s\nsolved 1 of 1, 0 wrong\n");
}

#[test]
fn wrong_answers_are_found() {
    let folder = Folder::new("wrong");
    let table = folder
        .file("table.tsv", "name\texpected\tformula\nx\tunsat\tp\ny\tsat\tp & !p\nz\tsat\tp\n");
    let run = lwaa(&["sat", "--batch", &table]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert_snapshot!(without_times(&run.stdout), @r"
    x  satisfiable  T s  WRONG: expected unsat
    y  unsatisfiable  T s  WRONG: expected sat
    z  satisfiable  T s
    solved 1 of 3, 2 wrong
    ");
}

#[test]
fn limits_are_kept_by_each_formula() {
    let folder = Folder::new("limits");
    let endless = lwaa(&["formula", "counter", "40"]).stdout;
    let table = folder.file("table.tsv", format!("name\tformula\nx\tp\ny\t{endless}z\tq\n"));
    let run = lwaa(&["sat", "--batch", &table, "--states", "100", "--jobs", "1"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert_snapshot!(without_times(&run.stdout), @r"
    x  satisfiable  T s
    y  unknown: limit of 100 states reached  T s
    z  satisfiable  T s
    solved 2 of 3, 0 wrong
    ");
}

#[test]
fn a_row_that_is_no_formula_is_an_error() {
    let folder = Folder::new("no-formula");
    let table = folder.file("table.tsv", "name\tformula\nx\tp &\ny\tp\n");
    let run = lwaa(&["sat", "--batch", &table]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert_snapshot!(without_times(&run.stdout), @r"
    x  error  T s
    y  satisfiable  T s
    solved 1 of 2, 0 wrong
    ");
    let stderr = run.stderr.replace(folder.path().to_str().unwrap(), "FOLDER");
    let message = stderr.split("family").next().unwrap();
    assert_snapshot!(message, @r"
    error: FOLDER/table.tsv:2:6: expected a formula, found the end
      |
    2 | x    p &
      |         ^
    ");
}

#[test]
fn options_are_passed_on() {
    let folder = Folder::new("options");
    let table = folder.file("table.tsv", "formula\nGFp & FG!p\n");
    let run = lwaa(&["sat", "--batch", &table, "--syntax", "spot"]);
    assert!(run.stdout.starts_with("line 2  unsatisfiable  "), "{run:?}");
    let run = lwaa(&["sat", "--batch", &table]);
    assert!(run.stdout.starts_with("line 2  satisfiable  "), "{run:?}");
    assert!(run.stderr.contains("warning: 1 formula has"), "{run:?}");
}

#[test]
fn answers_are_also_written_as_csv() {
    let folder = Folder::new("csv");
    let table = folder.file("table.tsv", "name\texpected\tformula\nx,1\tsat\tp\ny\t\tp & !p\n");
    let csv = folder.path().join("out.csv");
    let run = lwaa(&["sat", "--batch", &table, "--csv", csv.to_str().unwrap()]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let csv = std::fs::read_to_string(csv).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "name,expected,verdict,seconds,configurations,transitions,peak_bytes");
    assert!(lines[1].starts_with("\"x,1\",sat,satisfiable,0."), "{csv}");
    assert!(lines[2].starts_with("y,,unsatisfiable,0."), "{csv}");
    assert_eq!(lines[2].split(',').count(), 7);
    assert_eq!(lines.len(), 3);
}

#[test]
fn malformed_tables_have_a_place() {
    let folder = Folder::new("malformed");
    let message = |content: &[u8]| {
        let table = folder.file("table.tsv", content);
        let run = lwaa(&["sat", "--batch", &table]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
        run.stderr.replace(folder.path().to_str().unwrap(), "FOLDER")
    };
    assert_snapshot!(message(b"name\tformula\nx\tp\ny\n"), @r"
    error: FOLDER/table.tsv:3:2: this row has 1 columns, the header 2
      |
    3 | y
      |  ^
    ");
    assert_snapshot!(message(b"name\texpected\n"), @r"
    error: FOLDER/table.tsv:1:1: there is no column `formula`
      |
    1 | name    expected
      | ^^^^^^^^^^^^^^^^
    ");
    assert_snapshot!(message(b""), @"error: FOLDER/table.tsv is empty: a header is expected");
    assert_snapshot!(message(b"formula\n\xff\n"), @r"
    error: FOLDER/table.tsv:2:1: this is not UTF-8: byte 0xff at offset 8
      |
    2 | �
      | ^
    ");
    assert_eq!(lwaa(&["sat", "--batch", "/does/not/exist.tsv"]).code, Some(2));
}

#[test]
fn a_closed_pipe_ends_the_batch() {
    let folder = Folder::new("pipe");
    let table = folder.file("table.tsv", format!("formula\n{}", "p\n".repeat(500)));
    let mut process = command(&["sat", "--batch", &table]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = process.wait_with_output().unwrap();
    assert!(line.starts_with("line 2  satisfiable"), "{line}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_is_known() {
    let folder = Folder::new("interrupt");
    let endless = lwaa(&["formula", "counter", "40"]).stdout;
    let table = folder.file("table.tsv", format!("formula\np\n{endless}q\n"));
    let mut process = command(&["sat", "--batch", &table, "--jobs", "1"]).spawn().unwrap();
    let mut stdout = BufReader::new(process.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert!(line.starts_with("line 2  satisfiable"), "{line}");
    let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(rest, "solved 1 of 3, 0 wrong\n");
    assert_eq!(output.status.code(), Some(3));
}
