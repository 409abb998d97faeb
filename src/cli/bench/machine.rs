//! The machine and the versions of programs, for the record.

use crate::cli::process::{self, End, Limits};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Names and values, as far as the system tells them.
pub(super) fn facts() -> Vec<(String, String)> {
    let mut facts = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        facts.extend(value.map(|value| (name.to_owned(), value)));
    };
    let profile = if cfg!(debug_assertions) { " (debug build: times mean little)" } else { "" };
    add("lwaa", Some(format!("{}{profile}", env!("CARGO_PKG_VERSION"))));
    add("Processor", processor());
    let cores = std::thread::available_parallelism().ok().map(|cores| cores.to_string());
    add("Cores", cores);
    add("Memory", memory());
    add("System", Some(system()));
    facts
}

/// How long a program may take to say its version.
const PATIENCE: Duration = Duration::from_secs(5);

/// The first line that a command prints, on whichever stream.
pub(super) fn version(command: &str) -> Option<String> {
    let limits = Limits { time: Some(PATIENCE), memory: None };
    let mut shell = Command::new("sh");
    let ended = process::run(shell.args(["-c", command]), b"", limits, &AtomicBool::new(false));
    let ended = ended.ok()??;
    let text = [ended.stdout, ended.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    matches!(ended.end, End::ByItself(status) if status.success()).then(|| line.to_owned())
}

/// The value behind a name and a colon, in a file of such lines.
fn value_in(file: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

fn processor() -> Option<String> {
    value_in("/proc/cpuinfo", "model name")
        .or_else(|| version("sysctl -n machdep.cpu.brand_string"))
        .or_else(|| Some(std::env::consts::ARCH.to_owned()))
}

fn memory() -> Option<String> {
    let total = value_in("/proc/meminfo", "MemTotal")?;
    let kibibytes: usize = total.split_whitespace().next()?.parse().ok()?;
    Some(lwaa::report::text::bytes(kibibytes * 1024))
}

fn system() -> String {
    let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    let name = name.map_or(std::env::consts::OS, |name| name.trim_matches('"'));
    match kernel.trim() {
        "" => name.to_owned(),
        kernel => format!("{name}, {} {kernel}", std::env::consts::OS),
    }
}
