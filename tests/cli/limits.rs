//! Limits and interrupts: the verdict is unknown, the exit code 3, and what is
//! known is printed.

use crate::program::{Run, command, lwaa};
use std::io::{BufRead, BufReader, Read};
use std::process::Command;

/// A formula that no one waits for.
fn endless() -> String {
    lwaa(&["formula", "counter", "40"]).stdout
}

#[track_caller]
fn check_unknown(run: &Run, first_line: &str) {
    assert_eq!((run.stdout.as_str(), run.code), (&*format!("{first_line}\n"), Some(3)), "{run:?}");
    for statistic in ["configurations  ", "transitions  ", "time  ", "peak memory  "] {
        assert!(run.stderr.contains(statistic), "{run:?}");
    }
}

#[test]
fn time() {
    let run = lwaa(&["sat", &endless(), "--time", "100ms"]);
    check_unknown(&run, "unknown: time limit of 0.1 s reached");
}

#[test]
fn states() {
    let run = lwaa(&["sat", &endless(), "--states", "1000"]);
    check_unknown(&run, "unknown: limit of 1000 states reached");
}

#[test]
fn memory() {
    let run = lwaa(&["valid", &format!("!({})", endless()), "--memory", "40M"]);
    check_unknown(&run, "unknown: memory limit of 41943040 bytes reached");
}

#[test]
fn limits_hold_in_json() {
    let run = lwaa(&["sat", &endless(), "--states", "1000", "--json"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(3), ""));
    let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["verdict"], "unknown");
    assert_eq!(object["reason"], "limit of 1000 states reached");
    assert!(object["statistics"]["configurations"].as_u64().unwrap() >= 1000);
}

/// The worker waits for a formula that never comes, so it cannot react.
#[test]
fn a_worker_that_does_not_react_is_abandoned() {
    let mut process = command(&["sat", "-F", "-", "--time", "50ms"]).spawn().unwrap();
    let stdin = process.stdin.take();
    let output = process.wait_with_output().unwrap();
    drop(stdin);
    let run = Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    };
    check_unknown(&run, "unknown: time limit of 0.05 s reached");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_is_known() {
    for signal in ["-INT", "-TERM"] {
        let mut process = command(&["sat", &endless()]).env("LWAA_LOG", "info").spawn().unwrap();
        let mut stderr = BufReader::new(process.stderr.take().unwrap());
        let mut line = String::new();
        // From now on interrupts are caught, and there are statistics.
        while !line.contains("formula read") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0);
        }
        let sent = Command::new("kill").args([signal, &process.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        let output = process.wait_with_output().unwrap();
        let run = Run {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: rest,
            code: output.status.code(),
        };
        check_unknown(&run, "unknown: interrupted");
    }
}

#[cfg(unix)]
#[test]
fn a_second_interrupt_does_not_wait() {
    let mut process = command(&["sat", "-F", "-"]).env("LWAA_LOG", "info").spawn().unwrap();
    let stdin = process.stdin.take();
    let mut stderr = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.contains("reading"), "{line}");
    for _ in 0..2 {
        let sent = Command::new("kill").args(["-INT", &process.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
    let output = process.wait_with_output().unwrap();
    drop(stdin);
    assert_eq!(output.stdout, b"unknown: interrupted\n");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn limits_hold_for_translations() {
    for kind in ["lwaa", "tgba", "nba"] {
        let check = |option: &str, value: &str, reason: &str| {
            let run = lwaa(&["translate", "G (p -> F q) & G F r", "--to", kind, option, value]);
            assert_eq!((run.stdout.as_str(), run.code), ("", Some(3)), "{kind} {run:?}");
            let last = run.stderr.lines().last();
            assert_eq!(last, Some(&*format!("unknown: {reason}")), "{kind}");
        };
        check("--time", "0s", "time limit of 0 s reached");
        check("--memory", "1", "memory limit of 1 bytes reached");
        check("--states", "1", "limit of 1 states reached");
    }
}
