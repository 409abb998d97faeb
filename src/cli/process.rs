//! A process with limits of time and memory, and what it has cost.
//!
//! The process is the leader of a group of its own: whoever ends it ends all
//! that it has started as well, and an interrupt from the terminal reaches us
//! only.
//!
//! Peak memory is what the system says of the largest process among those
//! that were started. The system counts from what *we* had when we started it, so
//! what is not above that says nothing about the process; then it is what was seen of it
//! while it ran, which may miss the last few milliseconds.
//!
//! Processor time is known from processes that have ended and whose parents have
//! waited for them. Of those that we end we ask the system before.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// Between two looks at the clock and at memory; the first ones follow each other
/// faster.
const TICK: Duration = Duration::from_millis(20);
const FIRST_TICK: Duration = Duration::from_millis(1);
/// What Linux counts processor time in, as it tells it to programs.
const TICKS_PER_SECOND: u64 = 100;
/// How much of its output is kept.
const MAX_OUTPUT: usize = 1 << 28;

/// When a process is ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    pub(super) time: Option<Duration>,
    /// Bytes of resident memory of the process and all that it has started.
    /// Only where the system tells them.
    pub(super) memory: Option<u64>,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    ByItself(ExitStatus),
    /// We ended it.
    OverTime,
    /// We ended it.
    OverMemory,
}

/// A process that has ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// Time on the wall.
    pub(super) wall: Duration,
    /// Processor time of all processes, if it is known.
    pub(super) processor: Option<Processor>,
    /// The most memory, if it is known.
    pub(super) peak_bytes: Option<u64>,
}

/// Processor time in programs and in the system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Processor {
    pub(super) user: Duration,
    pub(super) system: Duration,
}

/// Runs a process to its end; nothing if `stop` was set before that.
pub(super) fn run(
    command: &mut Command,
    input: &[u8],
    limits: Limits,
    stop: &AtomicBool,
) -> std::io::Result<Option<Ended>> {
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let own_peak = forget_peak();
    let started = Instant::now();
    let mut process = command.spawn()?;
    let id = process.id();
    let stdin = process.stdin.take();
    let (stdout, stderr) = (process.stdout.take(), process.stderr.take());
    let (sender, events) = channel();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // A process that ends early does not read all of it.
            stdin.map(|mut stdin| stdin.write_all(input))
        });
        let stdout = scope.spawn(move || read_all(stdout));
        let stderr = scope.spawn(move || read_all(stderr));
        scope.spawn(move || {
            let used = process.wait4();
            let _ = sender.send((used, started.elapsed()));
        });
        let mut watch = Watch { id, limits, started, peak_bytes: 0, cut: None, processor: None };
        let mut tick = FIRST_TICK;
        let (used, wall) = loop {
            match events.recv_timeout(tick) {
                Ok(event) => break event,
                Err(RecvTimeoutError::Timeout) => watch.look(stop),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(std::io::Error::other("nobody waits for the process"));
                }
            }
            tick = TICK.min(2 * tick);
        };
        end_rest(id, || stdout.is_finished() && stderr.is_finished());
        let used = used?;
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        Ok(Some(Ended {
            end: watch.cut.unwrap_or(End::ByItself(used.status)),
            stdout: stdout.join().unwrap_or_default(),
            stderr: stderr.join().unwrap_or_default(),
            wall,
            processor: watch.processor(used.rusage.utime, used.rusage.stime),
            peak_bytes: Some(used.rusage.maxrss)
                .filter(|peak| own_peak < *peak)
                .max(Some(watch.peak_bytes).filter(|peak| 0 < *peak)),
        }))
    })
}

/// What a process has left behind may keep its output open.
fn end_rest(id: u32, is_closed: impl Fn() -> bool) {
    let deadline = Instant::now() + TICK;
    while !is_closed() {
        if deadline < Instant::now() {
            end_group(id);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Keeps a process within its limits.
struct Watch {
    id: u32,
    limits: Limits,
    started: Instant,
    peak_bytes: u64,
    /// Which limit it has reached.
    cut: Option<End>,
    /// What its group had used when it reached the limit, where the system tells.
    processor: Option<Processor>,
}

impl Watch {
    fn look(&mut self, stop: &AtomicBool) {
        let was_cut = self.cut.is_some();
        if self.limits.time.is_some_and(|time| time < self.started.elapsed()) {
            self.cut.get_or_insert(End::OverTime);
        }
        let memory = tree_memory(self.id);
        self.peak_bytes = self.peak_bytes.max(memory.resident).max(memory.largest_peak);
        if self.limits.memory.is_some_and(|limit| limit < memory.resident) {
            self.cut.get_or_insert(End::OverMemory);
        }
        if self.cut.is_some() && !was_cut {
            self.processor = group_processor(self.id);
        }
        if self.cut.is_some() || stop.load(Ordering::Relaxed) {
            end_group(self.id);
        }
    }

    /// The processor time of all, given that of those who were waited for.
    fn processor(&self, user: Duration, system: Duration) -> Option<Processor> {
        if self.cut.is_none() {
            return Some(Processor { user, system });
        }
        let seen = self.processor?;
        Some(Processor { user: user.max(seen.user), system: system.max(seen.system) })
    }
}

/// Forgets how large we have ever been, where the system lets us, and says how
/// large we have been since: processes that we start count from there.
fn forget_peak() -> u64 {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    std::fs::read_to_string("/proc/self/status").map_or(0, |status| bytes(&status, "VmHWM:"))
}

/// An amount of memory in what the system says of a process; 0 if it is not there.
fn bytes(status: &str, name: &str) -> u64 {
    let text = status.lines().find_map(|line| line.strip_prefix(name));
    let kibibytes = text.and_then(|text| text.split_whitespace().next());
    kibibytes.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The processor time of all processes of a group, and of those that they have waited
/// for; nothing where the system has no `/proc`.
fn group_processor(group: u32) -> Option<Processor> {
    let mut sum = None;
    for entry in std::fs::read_dir("/proc").ok()?.flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // The name of the program, in parentheses, may have anything in it.
        let Some((_, fields)) = stat.rsplit_once(')') else { continue };
        let fields: Vec<&str> = fields.split_whitespace().collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        if number(2) != Some(u64::from(group)) {
            continue;
        }
        let ticks = |own: usize, of_children: usize| {
            let ticks = number(own).unwrap_or(0) + number(of_children).unwrap_or(0);
            Duration::from_millis(ticks * 1000 / TICKS_PER_SECOND)
        };
        let Processor { user, system } = sum.unwrap_or_default();
        sum = Some(Processor { user: user + ticks(11, 13), system: system + ticks(12, 14) });
    }
    sum
}

/// Ends a process and all that it has started. If that is not possible, they
/// have ended already.
#[cfg(unix)]
fn end_group(id: u32) {
    if let Ok(id) = i32::try_from(id) {
        let group = nix::unistd::Pid::from_raw(id);
        let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
    }
}

#[cfg(not(unix))]
fn end_group(id: u32) {
    let _ = Command::new("taskkill").args(["/F", "/T", "/PID", &id.to_string()]).output();
}

/// Memory of a process and all that it has started; 0 where the system has no
/// `/proc`.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    /// What all have now.
    resident: u64,
    /// The most that one of them has had.
    largest_peak: u64,
}

fn tree_memory(id: u32) -> Memory {
    let mut open = vec![id];
    let mut memory = Memory::default();
    while let Some(id) = open.pop() {
        let Ok(status) = std::fs::read_to_string(format!("/proc/{id}/status")) else { continue };
        memory.resident += bytes(&status, "VmRSS:");
        memory.largest_peak = memory.largest_peak.max(bytes(&status, "VmHWM:"));
        for task in std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(task.path().join("children"));
            let children = children.unwrap_or_default();
            open.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
    }
    memory
}

/// All that comes, up to an error; not more than what is kept.
fn read_all(source: Option<impl Read>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut source) = source {
        // What was read before the error is still worth something.
        let limit = u64::try_from(MAX_OUTPUT).unwrap_or(u64::MAX);
        let _ = source.by_ref().take(limit).read_to_end(&mut bytes);
        let _ = std::io::copy(&mut source, &mut std::io::sink());
    }
    bytes
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn sh(script: &str, limits: Limits) -> Ended {
        let stop = AtomicBool::new(false);
        run(Command::new("sh").args(["-c", script]), b"input", limits, &stop).unwrap().unwrap()
    }

    fn within(seconds: u64) -> Limits {
        Limits { time: Some(Duration::from_secs(seconds)), memory: None }
    }

    #[test]
    fn output_and_status_are_known() {
        let ended = sh("cat; echo no >&2; exit 7", Limits::default());
        assert_eq!((&*ended.stdout, &*ended.stderr), (&b"input"[..], &b"no\n"[..]));
        let End::ByItself(status) = ended.end else { panic!("{ended:?}") };
        assert_eq!(status.code(), Some(7));
        assert!(ended.processor.is_some());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_memory_of_a_process_is_not_ours() {
        let ours = std::hint::black_box(vec![1_u8; 200 << 20]);
        let ended = sh("sleep 0.1", within(60));
        assert!(ended.peak_bytes.is_some_and(|peak| peak < 20 << 20), "{ended:?}");
        drop(ours);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn processor_time_of_those_who_are_ended_counts() {
        // The shell waits, and a child of it works.
        let ended = sh("(while :; do :; done); true", within(1));
        assert_eq!(ended.end, End::OverTime);
        let used = ended.processor.unwrap();
        assert!(Duration::from_millis(30) < used.user + used.system, "{used:?}");
    }

    #[test]
    fn time_is_up_for_all_that_was_started() {
        // The sleepers would keep the output open for a long time.
        let ended = sh("echo begun; sleep 1000 & sleep 1000; echo done", within(1));
        assert_eq!(ended.end, End::OverTime);
        assert_eq!(ended.stdout, b"begun\n");
    }

    #[test]
    fn a_silent_process_is_ended_as_well() {
        assert_eq!(sh("exec >&- 2>&-; sleep 1000", within(1)).end, End::OverTime);
    }

    #[test]
    fn what_is_left_behind_is_ended() {
        let ended = sh("sleep 1000 & echo done", Limits::default());
        assert!(matches!(ended.end, End::ByItself(_)), "{ended:?}");
        assert_eq!(ended.stdout, b"done\n");
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn memory_counts_all_that_was_started() {
        let limits = Limits { memory: Some(100 << 20), ..within(60) };
        // One line without end, which `grep` keeps.
        let ended = sh("(tr '\\0' a </dev/zero | grep b) ; true", limits);
        assert_eq!(ended.end, End::OverMemory);
        assert!(Some(100 << 20) < ended.peak_bytes);
    }

    #[test]
    fn an_interrupt_ends_it() {
        let stop = AtomicBool::new(true);
        let ended = run(&mut Command::new("true"), b"", Limits::default(), &stop).unwrap();
        assert!(ended.is_none());
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                stop.store(true, Ordering::Relaxed);
            });
            let mut command = Command::new("sleep");
            let ended = run(command.arg("1000"), b"", Limits::default(), &stop).unwrap();
            assert!(ended.is_none());
        });
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        let stop = AtomicBool::new(false);
        let result = run(&mut Command::new("/nonexistent"), b"", Limits::default(), &stop);
        assert_eq!(result.unwrap_err().kind(), std::io::ErrorKind::NotFound);
    }
}
