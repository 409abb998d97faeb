//! What users hear when something is wrong: a message and exit code 2.

use crate::program::{Folder, command, lwaa, lwaa_reading};
use insta::assert_snapshot;
use std::io::{BufRead, BufReader, Write};

/// The message that these arguments cause.
#[track_caller]
fn error(arguments: &[&str]) -> String {
    let run = lwaa(arguments);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{run:?}");
    run.stderr
}

#[test]
fn a_caret_points_at_the_place() {
    assert_snapshot!(error(&["sat", "a & (b | ) & c"]), @r"
    error: <formula>:1:10: expected a formula, found `)`
      |
    1 | a & (b | ) & c
      |          ^
    ");
    assert_snapshot!(error(&["valid", "a &\n((b | c) &\nd"]), @r"
    error: <formula>:2:1: this is never closed
      |
    2 | ((b | c) &
      | ^
    ");
    assert_snapshot!(error(&["sat", "α & b"]), @r"
    error: <formula>:1:1: unexpected character `α`; an atom that is not a plain word needs double quotes
      |
    1 | α & b
      | ^
    ");
    assert_snapshot!(error(&["implies", "a", "a b"]), @r"
    error: <B>:1:3: expected an operator or the end, found `b`
      |
    1 | a b
      |   ^
    ");
    assert_snapshot!(error(&["sat", "G F", "--syntax", "lbt"]), @r"
    error: <formula>:1:4: expected a formula, found the end
      |
    1 | G F
      |    ^
    ");
    assert_snapshot!(error(&["translate", ""]), @r"
    error: <formula>:1:1: the formula is empty
      |
    1 |
      | ^
    ");
}

#[test]
fn files_are_named_and_comments_counted() {
    let folder = Folder::new("errors");
    let file = folder.file("wrong.ltl", "# comment\na & b )\n");
    let message = error(&["sat", "-F", &file]).replace(folder.path().to_str().unwrap(), "FOLDER");
    assert_snapshot!(message, @r"
    error: FOLDER/wrong.ltl:2:7: this parenthesis was never opened
      |
    2 | a & b )
      |       ^
    ");
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let formula = format!("{}@{}", "a & ".repeat(20_000), " & b".repeat(20_000));
    let run = lwaa_reading(&["sat", "-F", "-"], formula.as_bytes());
    assert_eq!(run.code, Some(2));
    assert_snapshot!(run.stderr, @r"
    error: <stdin>:1:80001: unexpected character `@`; an atom that is not a plain word needs double quotes
      |
    1 | …& a & a & a & a & a & a & a & a & a & a & a & a & @ & b & b & b & b & b & b & b & b & b & b & b & b & b & b & …
      |                                                    ^
    ");
}

#[test]
fn long_words_are_cut_in_messages() {
    let run = lwaa_reading(&["sat", "-F", "-"], format!("a {}", "b".repeat(100_000)).as_bytes());
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.len() < 1000, "{}", run.stderr);
}

#[test]
fn bytes_that_are_no_text_have_a_place() {
    let run = lwaa_reading(&["sat", "-F", "-"], b"a &\n b & \xff");
    assert_eq!(run.code, Some(2));
    assert_snapshot!(run.stderr, @r"
    error: <stdin>:2:6: this is not UTF-8: byte 0xff at offset 9
      |
    2 |  b & �
      |      ^
    ");
}

#[test]
fn an_empty_file_is_no_formula() {
    let run = lwaa_reading(&["sat", "-F", "-"], b"\n# nothing\n");
    assert_eq!(run.code, Some(2));
    assert_snapshot!(run.stderr, @r"
    error: <stdin>:3:1: the formula is empty
      |
    3 |
      | ^
    ");
}

#[test]
fn a_missing_file_is_named() {
    assert_snapshot!(error(&["sat", "-F", "/does/not/exist.ltl"]), @"error: cannot read /does/not/exist.ltl: No such file or directory (os error 2)");
}

#[test]
fn atoms_that_look_like_operators_get_a_warning() {
    let run = lwaa(&["sat", "p & GFp0"]);
    assert_eq!((run.first_line(), run.code), ("satisfiable", Some(0)));
    assert_snapshot!(run.stderr, @r"
    warning: <formula>:1:5: `GFp0` is one atom here; with `--syntax spot` it is `GF p0`
      |
    1 | p & GFp0
      |     ^^^^
    ");
}

#[test]
fn many_warnings_are_cut_off() {
    let atoms: Vec<String> = (0..100).map(|i| format!("GFp{i}")).collect();
    let run = lwaa(&["sat", &atoms.join(" & ")]);
    assert_eq!(run.code, Some(0));
    assert!(
        run.stderr.ends_with("warning: 95 more atoms look like operators or constants\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn warnings_are_part_of_the_json() {
    let run = lwaa(&["sat", "GFp0", "--json"]);
    let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["warnings"].as_array().unwrap().len(), 1);
}

#[test]
fn options_that_do_not_apply_are_refused() {
    for arguments in [
        &["sat", "p", "--csv", "out.csv"][..],
        &["sat", "p", "--jobs", "2"],
        &["sat", "p", "-F", "file"],
        &["sat", "p", "--batch", "file"],
        &["sat", "--batch", "file", "-F", "file"],
        &["sat", "--batch", "file", "--stats"],
        &["sat", "--batch", "file", "--csv", "-"],
        &["sat", "--jobs", "2"],
        &["valid", "p", "--batch", "file"],
        &["translate", "p", "--json"],
        &["random", "kripke", "--size", "3"],
        &["check", "x.kripke", "--via", "gpvw"],
        &["formula", "--list", "and-gf"],
        &["formula", "--list", "--dialect", "spin"],
        &["formula", "and-gf"],
        &["completions", "bash", "--json"],
    ] {
        error(arguments);
    }
}

#[test]
fn words_that_do_not_exist_are_refused() {
    for arguments in [
        &[][..],
        &["sat"],
        &["sat", "p", "--wobble"],
        &["sat", "p", "--engine", "other"],
        &["sat", "p", "--labels", "other"],
        &["sat", "p", "--strategy", "other"],
        &["sat", "p", "--time", "10 parsecs"],
        &["sat", "p", "--memory", "much"],
        &["sat", "p", "--states", "-1"],
        &["sat", "p", "--cache-size", "0"],
        &["sat", "p", "q"],
        &["implies", "p"],
        &["translate", "p", "--to", "dfa"],
        &["translate", "p", "--via", "magic"],
        &["translate", "p", "--format", "xml"],
        &["random", "kripke", "--density", "1.5"],
        &["random", "kripke", "--states", "0"],
        &["random", "formula", "--priority", "U"],
        &["random", "formula", "--priority", "until=3"],
        &["formula", "no-such-family", "3"],
        &["formula", "and-gf", "0"],
        &["random", "formula", "--size", "99999999999"],
        &["completions", "cmd"],
        &["frobnicate"],
    ] {
        error(arguments);
    }
}

#[test]
fn automata_that_do_not_exist_are_refused_with_what_is_possible() {
    assert_snapshot!(error(&["translate", "p", "--format", "never"]), @"error: an alternating automaton has no such format: --to lwaa can be written as text, dot or hoa; never claims need --to nba, and lbt needs --to tgba or --to nba");
    assert_snapshot!(error(&["translate", "p", "--to", "tgba", "--format", "never"]), @"error: a never claim is a Büchi automaton: use --to nba; --to tgba can be written as text, dot, hoa or lbt");
    assert_snapshot!(error(&["translate", "p", "--via", "gpvw"]), @"error: an lwaa is made from the formula itself: leave out --via, or use --to tgba or --to nba");
}

#[test]
fn an_unknown_option_is_named() {
    assert_snapshot!(error(&["sat", "p", "--wobble"]), @r"
    error: unexpected argument '--wobble' found

      tip: to pass '--wobble' as a value, use '-- --wobble'

    Usage: lwaa sat <FORMULA|--file <FILE>|--batch <FILE.tsv>>

    For more information, try '--help'.
    ");
}

#[test]
fn a_wrong_log_filter_is_refused() {
    let output = command(&["sat", "p"]).env("LWAA_LOG", "lwaa=shout").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: LWAA_LOG: "));
}

#[test]
fn the_log_goes_to_standard_error() {
    let output = command(&["sat", "p"]).env("LWAA_LOG", "info").output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("satisfiable\n"));
    assert!(String::from_utf8(output.stderr).unwrap().contains("formula read"));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let arguments = ["random", "formula", "--size", "100", "--count", "100000"];
    let mut process = command(&arguments).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn the_exit_code_says_the_verdict_to_those_who_do_not_read() {
    let mut process = command(&["sat", "-F", "-"]).spawn().unwrap();
    drop(process.stdout.take());
    process.stdin.take().unwrap().write_all(b"p & !p").unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&["sat", "p"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with("error: cannot write the output: "), "{message}");
}
