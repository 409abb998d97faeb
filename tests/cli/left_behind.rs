//! Commands that start processes which leave their group, hold pipes open and ignore
//! signals: `bench`, `cross` and `sat --batch` neither wait for them nor ignore a signal
//! themselves.

use crate::program::{Folder, Run, command};
use std::path::Path;
use std::process::{Child, Command};

/// What a command does first: a process leaves the group, keeps the output open, and then writes
/// its number into the file `left`, for which the command waits.
const LEAVE: &str = "trap '' TERM HUP INT; setsid sh -c 'echo $$ >> LEFT; exec sleep 100' & \
                     until grep -qsx $! LEFT; do sleep 0.01; done; ";

/// Replaces the name of the file.
fn leaving(folder: &Folder, rest: &str) -> String {
    let left = folder.path().join("left");
    format!("{LEAVE}{rest}").replace("LEFT", left.to_str().unwrap())
}

/// Whether a process runs or waits. One that has ended keeps its number until it is reaped, so
/// where the system tells, that is not enough.
fn is_alive(number: &str) -> bool {
    match std::fs::read_to_string(format!("/proc/{number}/stat")) {
        // The name of the program, in parentheses, may have anything in it.
        Ok(status) => status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z')),
        Err(_) if Path::new("/proc/self/stat").exists() => false,
        Err(_) => Command::new("kill").args(["-0", number]).status().unwrap().success(),
    }
}

/// Ends the processes that have left, all of which must be alive: otherwise they have been
/// waited for.
#[track_caller]
fn check_alive(folder: &Path) {
    let numbers = std::fs::read_to_string(folder.join("left")).unwrap();
    assert!(!numbers.is_empty());
    for number in numbers.lines() {
        assert!(is_alive(number), "{number} has been waited for");
        Command::new("kill").args(["-KILL", number]).output().unwrap();
    }
}

/// Runs the program, sends it `signal` when a command has written the file `left`, if
/// there is one to send, and waits.
fn run(folder: &Folder, arguments: &[&str], signal: Option<&str>) -> Run {
    finished(folder, command(arguments).spawn().unwrap(), signal)
}

/// The same for a process that has been started.
fn finished(folder: &Folder, process: Child, signal: Option<&str>) -> Run {
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

/// Answers two formulas by `sat --batch`, whose processes are a shell script that leaves a
/// process behind and goes on with `rest`.
///
/// A batch starts its own program again. The copy that is started here is deleted before it
/// reads its table, and Linux calls a deleted program by its path and ` (deleted)`, where we put
/// the script.
#[cfg(target_os = "linux")]
fn batch(name: &str, rest: &str, options: &[&str], signal: Option<&str>) -> Run {
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new(name);
    let numbers = folder.path().join("children");
    let rest = format!("echo $$ >> {}; {rest}", numbers.display());
    let script = folder.file("lwaa (deleted)", format!("#!/bin/sh\n{}", leaving(&folder, &rest)));
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let program = folder.path().join("lwaa");
    std::fs::copy(env!("CARGO_BIN_EXE_lwaa"), &program).unwrap();
    let template = command(&[&["sat", "--batch", "-", "--jobs", "2"], options].concat());
    let mut command = Command::new(&program);
    command.args(template.get_args()).stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut process = loop {
        match command.spawn() {
            // Another test has started a process while the copy was written, which holds the file
            // open until it has become another program.
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(std::time::Duration::from_millis(10));
            }
            started => break started.unwrap(),
        }
    };
    std::fs::remove_file(&program).unwrap();
    process.stdin.take().unwrap().write_all(b"name\tformula\none\tp\ntwo\tq\n").unwrap();
    // A signal that comes before the first script would find nothing to end.
    for _ in 0..1_000 {
        if signal.is_none() || std::path::Path::new(&numbers).exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let run = finished(&folder, process, signal);
    // All scripts have ended, with the batch at the latest.
    for number in std::fs::read_to_string(&numbers).unwrap().lines() {
        assert!(!is_alive(number), "{number} is left behind");
    }
    run
}

#[cfg(target_os = "linux")]
#[test]
fn batches_do_not_wait() {
    let rest = "echo '{\"verdict\": \"satisfiable\"}'";
    let run = batch("left-batch", rest, &[], None);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.ends_with("solved 2 of 2, 0 wrong\n"), "{run:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn batches_end_what_takes_too_long() {
    for (name, rest) in [("sleeps", "sleep 100; sleep 100"), ("stopped", "kill -STOP $$")] {
        let run = batch(&format!("left-batch-{name}"), rest, &["--time", "1s"], None);
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(run.stdout.contains("one  unknown: time limit of 1 s reached"), "{run:?}");
        assert!(run.stdout.ends_with("solved 0 of 2, 0 wrong\n"), "{run:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn batches_hear_signals() {
    for signal in ["-TERM", "-INT"] {
        for (name, rest) in [("sleeps", "sleep 100; sleep 100"), ("stopped", "kill -STOP $$")] {
            let run = batch(&format!("left-batch{signal}-{name}"), rest, &[], Some(signal));
            assert_eq!(run.code, Some(3), "{run:?}");
            assert_eq!(run.stdout, "solved 0 of 2, 0 wrong\n", "{run:?}");
        }
    }
}
