//! Runs the sessions of all pages.

use crate::comparison::agree;
use crate::page::{self, Block, Page, root};
use std::fmt::Write;
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;

/// A command of a session and what the page says that it prints.
struct Step<'a> {
    command: &'a str,
    line: usize,
    /// Where that is in the page.
    output: Range<usize>,
}

/// The commands of a session.
fn steps<'a>(page: &'a Page, block: &Block<'_>) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut start = block.span.start;
    for (index, line) in page.text[block.span.clone()].split_inclusive('\n').enumerate() {
        let end = start + line.len();
        let line_number = block.line + 1 + index;
        match line.strip_prefix("$ ") {
            Some(command) => {
                steps.push(Step {
                    command: command.trim_end(),
                    line: line_number,
                    output: end..end,
                });
            }
            None => match steps.last_mut() {
                Some(step) => step.output.end = end,
                None => panic!("{}:{line_number}: no command", page.path.display()),
            },
        }
        start = end;
    }
    steps
}

/// A folder in which the sessions of a page take place, removed in the end. Models, formulas
/// and suites of the project are there, too.
struct Folder(PathBuf);

impl Folder {
    fn new(page: &Page) -> Self {
        let name = page.path.display().to_string().replace('/', "-");
        let path = std::env::temp_dir().join(format!("lwaa-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        for shared in ["models", "formulas", "benches"] {
            symlink(root().join(shared), path.join(shared)).unwrap();
        }
        for block in page.blocks() {
            if let Some(name) = block.attribute("file") {
                std::fs::write(path.join(name), &page.text[block.span]).unwrap();
            }
        }
        Self(path)
    }

    /// Runs a command; `before` is the exit code of the one before it.
    fn run(&self, command: &str, before: i32) -> Output {
        let binaries = Path::new(env!("CARGO_BIN_EXE_lwaa")).parent().unwrap();
        let path = format!("{}:{}", binaries.display(), std::env::var("PATH").unwrap());
        // Users who have not installed the program let cargo run it.
        let command = command.replace("cargo run --release --", "lwaa");
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("(exit {before})\n{command}")).current_dir(&self.0);
        for variable in ["COLUMNS", "LWAA_LOG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
            shell.env_remove(variable);
        }
        shell.env("PATH", path).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn is_installed(program: &str) -> bool {
    let test = format!("command -v {program}");
    Command::new("sh").args(["-c", &test]).output().unwrap().status.success()
}

/// Whether an exit code is one that a page may show without saying so. A mistake in the input
/// has to be meant.
fn is_plausible(code: Option<i32>, shown: &str) -> bool {
    match code {
        Some(0 | 1 | 3 | 5) => true,
        Some(2) => shown.contains("error"),
        _ => false,
    }
}

/// Runs the sessions of a page. Returns what is wrong, and the page as it should be.
fn play(page: &Page) -> (String, String) {
    let folder = Folder::new(page);
    let mut wrong = String::new();
    let mut corrected = String::new();
    let mut copied = 0;
    let mut code = 0;
    for block in page.blocks().iter().filter(|block| block.language() == "console") {
        if block.attribute("needs").is_some_and(|program| !is_installed(program)) {
            continue;
        }
        for step in steps(page, block) {
            let output = folder.run(step.command, code);
            let [stdout, stderr] =
                [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            let shown = &page.text[step.output.clone()];
            let place = format!("{}:{}: {}", page.path.display(), step.line, step.command);
            if !is_plausible(output.status.code(), shown) {
                let _ = writeln!(wrong, "{place}\nends with {}\n{stdout}{stderr}", output.status);
            } else if !agree(shown, &stdout, &stderr) {
                let _ = writeln!(wrong, "{place}\nprints\n{stdout}{stderr}instead of\n{shown}");
                corrected.push_str(&page.text[copied..step.output.start]);
                for text in [stdout, stderr].iter().filter(|text| !text.is_empty()) {
                    corrected.push_str(text.trim_end_matches('\n'));
                    corrected.push('\n');
                }
                copied = step.output.end;
            }
            code = output.status.code().unwrap_or(0);
        }
    }
    corrected.push_str(&page.text[copied..]);
    (wrong, corrected)
}

#[test]
fn commands_print_what_pages_say() {
    let is_update = std::env::var_os("LWAA_UPDATE").is_some();
    let pages = Mutex::new(page::all());
    let wrong = Mutex::new(String::new());
    let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..n_workers {
            scope.spawn(|| {
                loop {
                    let Some(page) = pages.lock().unwrap().pop() else { break };
                    let (complaints, corrected) = play(&page);
                    if is_update && corrected != page.text {
                        std::fs::write(root().join(&page.path), corrected).unwrap();
                    }
                    wrong.lock().unwrap().push_str(&complaints);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn every_command_of_ours_is_run() {
    for page in page::all() {
        for block in page.blocks().iter().filter(|block| block.language() == "sh") {
            for line in page.text[block.span.clone()].lines() {
                let is_ours = line.trim_start_matches("$ ").starts_with("lwaa ");
                assert!(!is_ours, "{}:{}: {line}", page.path.display(), block.line);
            }
        }
    }
}

#[test]
fn files_are_named_before_they_are_shown() {
    for page in page::all() {
        for block in page.blocks() {
            let Some(name) = block.attribute("file") else { continue };
            let before = &page.text[..block.span.start];
            let place = format!("{}:{}", page.path.display(), block.line);
            assert!(before.contains(&format!("`{name}`")), "{place}: `{name}` comes from nowhere");
        }
    }
}
