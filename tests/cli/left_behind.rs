//! Commands that start processes which leave their group, hold pipes open and ignore
//! signals: `bench` and `cross` neither wait for them nor ignore a signal themselves.

use crate::program::{Folder, Run, command};
use std::path::Path;
use std::process::Command;

/// What a command does first: a process leaves the group, keeps the output open, and its
/// number is in the file `left`.
const LEAVE: &str = "trap '' TERM HUP INT; setsid sleep 100 & echo $! >> LEFT; ";

/// Replaces the name of the file.
fn leaving(folder: &Folder, rest: &str) -> String {
    let left = folder.path().join("left");
    format!("{LEAVE}{rest}").replace("LEFT", left.to_str().unwrap())
}

/// Ends the processes that have left, all of which must be alive: otherwise they have been
/// waited for.
#[track_caller]
fn check_alive(folder: &Path) {
    let numbers = std::fs::read_to_string(folder.join("left")).unwrap();
    assert!(!numbers.is_empty());
    for number in numbers.lines() {
        let ended = Command::new("kill").args(["-KILL", number]).output().unwrap();
        assert!(ended.status.success(), "{number} has been waited for");
    }
}

/// Runs the program, sends it `signal` when a command has written the file `left`, if
/// there is one to send, and waits.
fn run(folder: &Folder, arguments: &[&str], signal: Option<&str>) -> Run {
    let process = command(arguments).spawn().unwrap();
    if let Some(signal) = signal {
        while !std::fs::read(folder.path().join("left")).is_ok_and(|text| !text.is_empty()) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let sent = Command::new("kill").args([signal, &process.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
    let output = process.wait_with_output().unwrap();
    check_alive(folder.path());
    Run {
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
        code: output.status.code(),
    }
}

fn suite(folder: &Folder, rest: &str) -> String {
    let command = leaving(folder, rest);
    folder.file(
        "suite.toml",
        format!(
            "title = 'Left'\ntime = '1s'\n[[pipeline]]\nname = 'leaves'\n\
             command = \"\"\"{command}\"\"\"\nversion = \"\"\"{command}\"\"\"\n\
             [[formulas]]\nformulas = ['p', 'q']\n"
        ),
    )
}

#[test]
fn bench_does_not_wait() {
    let folder = Folder::new("left-bench");
    let run = run(&folder, &["bench", &suite(&folder, "echo sat # %f")], None);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.lines().any(|line| line.starts_with("p ")), "{run:?}");
}

#[test]
fn bench_ends_what_takes_too_long() {
    let folder = Folder::new("left-bench-time");
    let run = run(&folder, &["bench", &suite(&folder, "sleep 100 # %f")], None);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("time"), "{run:?}");
}

#[test]
fn bench_hears_signals() {
    for signal in ["-TERM", "-INT"] {
        let folder = Folder::new(&format!("left-bench{signal}"));
        let suite = folder.file(
            "suite.toml",
            format!(
                "title = 'Left'\n[[pipeline]]\nname = 'leaves'\ncommand = \"\"\"{}\"\"\"\n\
                 [[formulas]]\nformulas = ['p', 'q']\n",
                leaving(&folder, "sleep 100; sleep 100 # %f")
            ),
        );
        let run = run(&folder, &["bench", &suite], Some(signal));
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(run.stdout.contains("interrupted: this is what is known so far"), "{run:?}");
    }
}

#[test]
fn cross_does_not_wait() {
    let folder = Folder::new("left-cross");
    let translator = format!("{{leaves}} {}", leaving(&folder, "echo %f"));
    let arguments = ["cross", "--rounds", "1", "--builtin", "lwaa", "--translator", &translator];
    let run = run(&folder, &arguments, None);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.starts_with("rounds 1"), "{run:?}");
}

#[test]
fn cross_hears_signals() {
    let folder = Folder::new("left-cross-signal");
    let translator = format!("{{leaves}} {}", leaving(&folder, "sleep 100; sleep 100 # %f"));
    let arguments = ["cross", "--builtin", "lwaa", "--timeout", "1h", "--translator", &translator];
    let run = run(&folder, &arguments, Some("-TERM"));
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.starts_with("rounds 0"), "{run:?}");
}
