//! Every command under a series of limits of address space (`ulimit -v`): an answer or
//! `unknown`, never an internal error, a panic or an abort.

use crate::program::{Folder, Run};
use std::collections::BTreeMap;
use std::process::Command;

/// Kilobytes: below the floor, barely above it, and more.
const SERIES: [u32; 4] = [60_000, 70_000, 140_000, 500_000];

/// Runs the program with this much address space.
fn confined(folder: &Folder, kilobytes: u32, line: &str) -> Run {
    let program = env!("CARGO_BIN_EXE_lwaa");
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -v {kilobytes}; exec {program} {line}")])
        .current_dir(folder.path())
        .env_remove("LWAA_LOG")
        .output()
        .unwrap();
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("table.tsv", "formula\np U q\np & !p\n");
    folder.file("rules.txt", "A: G p\nB: F !p\n");
    folder.file(
        "count.lwm",
        "var x: 0..100000 = 0;\nprocess p { action a when x < 100000 do x' = x + 1; }\n",
    );
    folder.file(
        "suite.toml",
        "title = 's'\n[[pipeline]]\nname = 'ours'\nlwaa = ['sat']\n[[formulas]]\nformulas = ['p']\n",
    );
    folder.file("run.json", "{}");
    folder
}

/// A line for every command, and more for those that store much.
const LINES: &[&str] = &[
    "sat 'G (p -> F q)'",
    "sat 'G (p -> F q) & G F p' --successors bdd --json",
    "sat 'p & G !p' --core",
    "sat --batch table.tsv",
    "valid 'p -> F p'",
    "implies p 'F p'",
    "equiv p 'F p'",
    "check count.lwm -f 'F x == 100000' --time 1s",
    "check count.lwm -f 'G x == 0' --engine gpvw --store bitstate",
    "explore count.lwm --time 1s",
    "explore count.lwm --store tree --time 1s",
    "simulate count.lwm --steps 2",
    "replay count.lwm run.json",
    "requirements rules.txt",
    "translate 'p U q' --to nba",
    "cross --rounds 1 --time 2s",
    "bench suite.toml",
    "formula counter 50",
    "random formula --size 20000",
    "random kripke --states 3000",
    "completions bash",
    "man",
];

#[test]
#[cfg(target_os = "linux")]
fn every_command_ends_well() {
    let folder = folder("confined");
    let mut wrong = Vec::new();
    let mut answered: BTreeMap<&str, bool> = BTreeMap::new();
    for kilobytes in SERIES {
        for line in LINES {
            let run = confined(&folder, kilobytes, line);
            let is_code_good = matches!(run.code, Some(0 | 1 | 2 | 3 | 5));
            let is_bug = ["internal error", "panicked", "This is a bug"]
                .iter()
                .any(|words| run.stderr.contains(words));
            let is_silent = run.code == Some(3) && !(run.stdout + &run.stderr).contains("unknown");
            if !is_code_good || is_bug || is_silent {
                wrong.push(format!("{kilobytes} {line}: {:?} {}", run.code, run.stderr));
            }
            *answered.entry(line).or_default() |= run.code != Some(3);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // It would be easy to say `unknown` always.
    answered.retain(|line, is_answered| !*is_answered && !line.contains("--time"));
    assert!(answered.is_empty(), "never answered: {answered:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_too_large_is_unknown() {
    let folder = folder("confined-large");
    folder.file(
        "large.lwm",
        "var x: 0..1000000000 = 0;\nprocess p { action a do x' = (x + 1) % 1000000000; }\n",
    );
    for line in ["explore large.lwm", "check large.lwm -f 'F x == 999999999'"] {
        let run = confined(&folder, 90_000, line);
        let first = run.first_line();
        assert_eq!(first, "unknown: address space limit of 92160000 bytes reached (ulimit -v)");
        assert_eq!(run.code, Some(3));
    }
    // As many threads as there is room for do the work of all.
    folder.file("long.tsv", format!("formula\n{}", "p\n".repeat(100)));
    // A process whose input no thread could write would call its formula empty.
    for kilobytes in [66_000, 70_000, 78_000] {
        let run = confined(&folder, kilobytes, "sat --batch long.tsv --jobs 100");
        assert!(matches!(run.code, Some(0 | 3)), "{run:?}");
    }
    let run = confined(&folder, 60_000, "sat p --json");
    let object: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&object["verdict"], run.code), (&"unknown".into(), Some(3)), "{run:?}");
}

/// A step that never ends, in a command that counts nothing.
#[test]
fn a_simulation_ends_in_time() {
    let folder = Folder::new("endless-step");
    let model = folder.file(
        "endless.pml",
        "int x; active proctype P() { x = 1; d_step { do :: x = x + 1 od } }\n",
    );
    let run = crate::program::lwaa(&["simulate", &model, "--time", "100ms"]);
    assert_eq!((run.code, &*run.stderr), (Some(3), "unknown: time limit of 0.1 s reached\n"));
    assert!(run.stdout.contains("x = 1"), "{run:?}");
    let model =
        folder.file("circle.pml", "bit x; active proctype P() { d_step { do :: x = 1 - x od } }\n");
    let run = crate::program::lwaa(&["simulate", &model]);
    assert_eq!(run.code, Some(5), "{run:?}");
}
