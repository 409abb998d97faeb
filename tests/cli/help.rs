//! Help, manual page and completions; the examples of the help do what it
//! says.

use crate::batch::without_times;
use crate::program::{Folder, lwaa};
use std::path::Path;
use std::process::Command;

/// All commands.
pub(crate) const COMMANDS: [&str; 17] = [
    "sat",
    "valid",
    "implies",
    "equiv",
    "check",
    "explore",
    "mcc",
    "simulate",
    "replay",
    "requirements",
    "translate",
    "cross",
    "bench",
    "formula",
    "random",
    "completions",
    "man",
];

/// The examples in a help text: each command and what it prints.
fn examples(help: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for line in help.lines() {
        if let Some(command) = line.strip_prefix("  $ ") {
            examples.push((command.to_owned(), String::new()));
            is_inside = true;
        } else if let Some(output) = line.strip_prefix("  ").filter(|_| is_inside) {
            let (_, expected) = examples.last_mut().unwrap();
            expected.push_str(output);
            expected.push('\n');
        } else {
            is_inside = false;
        }
    }
    examples
}

/// The file in a help text: what is indented by four behind its name.
fn file(help: &str, name: &str) -> String {
    let lines = help.lines().skip_while(|line| !line.ends_with(&format!("{name}:")));
    let content = lines.skip(2).map_while(|line| line.strip_prefix("    "));
    content.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(unix)]
#[test]
fn every_command_has_an_example_that_works() {
    let folder = Folder::new("examples");
    let rows = "name\texpected\tformula\nfair/1\tsat\tp\nfair/2\tunsat\tp & !p\n";
    folder.file("formulas.tsv", rows);
    folder.turns();
    folder.file("turns.lwm", file(&lwaa(&["check", "--help"]).stdout, "turns.lwm"));
    folder.file("printer.txt", file(&lwaa(&["requirements", "--help"]).stdout, "printer.txt"));
    folder.file("fair.toml", file(&lwaa(&["bench", "--help"]).stdout, "fair.toml"));
    let binaries = Path::new(env!("CARGO_BIN_EXE_lwaa")).parent().unwrap();
    let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
    for command in COMMANDS {
        let help = lwaa(&[command, "--help"]);
        assert_eq!(help.code, Some(0));
        let examples = examples(&help.stdout);
        assert!(!examples.is_empty(), "{command}");
        for (example, expected) in examples {
            // The examples that write into the user's home are not for tests.
            let example = example.split(" > ").next().unwrap();
            let output = Command::new("sh")
                .args(["-c", example])
                .env("PATH", &path)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let stdout = String::from_utf8(output.stdout).unwrap();
            if expected.is_empty() {
                assert_eq!(output.status.code(), Some(0), "{example}");
            } else {
                assert_eq!(without_times(&stdout), without_times(&expected), "{example}");
            }
        }
    }
}

#[test]
fn the_help_names_all_commands() {
    let help = lwaa(&["--help"]).stdout;
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn version() {
    let run = lwaa(&["--version"]);
    assert_eq!(
        (&*run.stdout, run.code),
        (concat!("lwaa ", env!("CARGO_PKG_VERSION"), "\n"), Some(0))
    );
}

#[test]
fn the_manual_page_describes_all_commands() {
    let run = lwaa(&["man"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains(".TH lwaa 1"), "{}", run.stdout);
    for command in COMMANDS.iter().filter(|command| **command != "random") {
        assert!(run.stdout.contains(&format!(".SS \"lwaa {command}\"")), "{command}");
    }
    assert!(run.stdout.contains(".SS \"lwaa random formula\""));
}

#[test]
fn completions_exist_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = lwaa(&["completions", shell]);
        assert_eq!(run.code, Some(0));
        assert!(run.stdout.contains("translate"), "{shell}");
    }
}
