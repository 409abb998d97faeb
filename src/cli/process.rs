//! A process with limits of time and memory, and what it has cost.
//!
//! The process is the leader of a group of its own: ending it ends all
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
//!
//! A process may leave the group (`setsid`) and keep the output open for as long as it
//! likes. So threads that read output and write input are detached: a short
//! while after the process has ended, or has been told to, what has been read until then
//! is all there is. The process is reaped last: until then the number of its group
//! cannot be given to another one, and no signal goes astray.

use super::Failure;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};
use wait4::{ResUse, Wait4};

/// Between two looks at the clock and at memory; the first ones follow each other
/// faster.
const TICK: Duration = Duration::from_millis(20);
const FIRST_TICK: Duration = Duration::from_millis(1);
/// What Linux counts processor time in, as it tells it to programs.
const TICKS_PER_SECOND: u64 = 100;
/// How long output may stay open when the process and its group have ended, and
/// how long a process may take to end when it has been killed.
const GRACE: Duration = Duration::from_millis(500);
/// How much of its output is kept.
const MAX_OUTPUT: usize = 1 << 28;
/// How much of its output is read at once.
const PART: usize = 1 << 16;
/// The stack of a thread that reads, writes or waits.
const STACK: usize = 1 << 17;

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

/// The file of this program, to be started again.
pub(super) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::plain(format_args!("cannot find this program: {error}")))
}

/// A flag that is set when the user interrupts this program.
pub(super) fn interrupt_flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let handler = Arc::clone(&flag);
    on_interrupt(move || handler.store(true, Ordering::Relaxed));
    flag
}

/// Sets what is done when the user interrupts this program.
pub(super) fn on_interrupt(handler: impl FnMut() + Send + 'static) {
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!("cannot catch interrupts: {error}");
    }
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
    let (closed, outputs) = channel();
    let (stdout, stderr) = match connect(&mut process, input.to_vec(), closed) {
        Ok(outputs) => outputs,
        Err(error) => {
            // Without its input, or with an output that nobody reads, it would answer wrongly.
            end_group(id);
            process.wait()?;
            return Err(error);
        }
    };
    let mut watch = Watch { id, limits, started, peak_bytes: 0, cut: None, processor: None };
    let (wall, reaped) = watch.until_end(&mut process, stop)?;
    wait_for_outputs(&outputs, TICK);
    if reaped.is_none() {
        // The leader of the group has ended, but is not reaped: the number is still its own.
        end_group(id);
    }
    if !stop.load(Ordering::Relaxed) {
        wait_for_outputs(&outputs, GRACE);
    }
    let used = match reaped {
        Some(used) => Some(used),
        None => process.try_wait4()?,
    };
    if stop.load(Ordering::Relaxed) {
        return Ok(None);
    }
    let Some(used) = used else {
        return Err(std::io::Error::other("it was killed but does not end"));
    };
    Ok(Some(Ended {
        end: watch.cut.unwrap_or(End::ByItself(used.status)),
        stdout: stdout.taken(),
        stderr: stderr.taken(),
        wall,
        processor: watch.processor(used.rusage.utime, used.rusage.stime),
        peak_bytes: Some(used.rusage.maxrss)
            .filter(|peak| own_peak < *peak)
            .max(Some(watch.peak_bytes).filter(|peak| 0 < *peak)),
    }))
}

/// Gives a process its input, and has its outputs read; `closed` is dropped when both have ended.
fn connect(
    process: &mut Child,
    input: Vec<u8>,
    closed: Sender<()>,
) -> std::io::Result<(Output, Output)> {
    let stdout = Output::read(process.stdout.take(), closed.clone())?;
    let stderr = Output::read(process.stderr.take(), closed)?;
    let stdin = process.stdin.take();
    start(move || {
        // A process that ends early does not read all of it.
        let _ = stdin.map(|mut stdin| stdin.write_all(&input));
    })?;
    Ok((stdout, stderr))
}

/// Has `work` done by a thread that may be abandoned.
fn start(work: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    lwaa::threads::start(Builder::new().stack_size(STACK), work)
}

/// What a process has written so far to one of its outputs.
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    /// Reads `source` to its end, and drops `closed` then. Up to [`MAX_OUTPUT`] is kept.
    fn read(
        source: Option<impl Read + Send + 'static>,
        closed: Sender<()>,
    ) -> std::io::Result<Self> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&bytes);
        start(move || {
            let Some(mut source) = source else { return };
            let mut part = vec![0; PART];
            // What was read before an error is still worth something.
            while let Ok(n_bytes) = source.read(&mut part)
                && 0 < n_bytes
            {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let n_kept = n_bytes.min(MAX_OUTPUT - kept.len());
                kept.extend_from_slice(&part[..n_kept]);
            }
            drop(closed);
        })?;
        Ok(Self(bytes))
    }

    fn taken(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Waits until both outputs are closed, but not longer than `patience`.
fn wait_for_outputs(outputs: &Receiver<()>, patience: Duration) {
    // Nothing is ever sent: the channel ends when both senders are dropped.
    let _ = outputs.recv_timeout(patience);
}

/// Sends the time when the process ends, and leaves it to be reaped; false if that is not
/// possible.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
fn announce_end(id: u32, started: Instant, sender: Sender<Duration>) -> bool {
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    let Ok(id) = i32::try_from(id) else { return false };
    let id = nix::unistd::Pid::from_raw(id);
    start(move || {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        while waitid(Id::Pid(id), flags) == Err(nix::errno::Errno::EINTR) {}
        let _ = sender.send(started.elapsed());
    })
    .is_ok()
}

/// Here is no way to wait that does not reap.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
fn announce_end(_: u32, _: Instant, _: Sender<Duration>) -> bool {
    false
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
    /// Waits until the process has ended, and ends it when a limit is reached or `stop` is
    /// set. Says how long it has run, and what it has used if it is reaped already.
    fn until_end(
        &mut self,
        process: &mut Child,
        stop: &AtomicBool,
    ) -> std::io::Result<(Duration, Option<ResUse>)> {
        let (sender, ends) = channel();
        let is_announced = announce_end(self.id, self.started, sender.clone());
        let mut tick = FIRST_TICK;
        let mut killed: Option<Instant> = None;
        loop {
            match ends.recv_timeout(tick) {
                Ok(wall) => return Ok((wall, None)),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => unreachable!("we have a sender"),
            }
            // An end that is not announced is asked for. The process is reaped then.
            if !is_announced && let Some(used) = process.try_wait4()? {
                return Ok((self.started.elapsed(), Some(used)));
            }
            self.look();
            if self.cut.is_some() || stop.load(Ordering::Relaxed) {
                end_group(self.id);
                // A process that waits for a device cannot be killed.
                if GRACE < killed.get_or_insert_with(Instant::now).elapsed() {
                    return Ok((self.started.elapsed(), None));
                }
            }
            tick = TICK.min(2 * tick);
        }
    }

    /// Compares the process with its limits.
    fn look(&mut self) {
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
    }

    /// The processor time of all, given that of the processes that were waited for.
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
    own_peak().map_or(0, |peak| u64::try_from(peak).unwrap_or(u64::MAX))
}

/// The most resident memory of this process so far, where the system keeps account of it.
pub(super) fn own_peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    usize::try_from(bytes(&status, "VmHWM:")).ok().filter(|&peak| 0 < peak)
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

/// Ends a process and the rest of its group. The process must not be reaped yet. If that is
/// not possible, they have ended already.
#[cfg(unix)]
fn end_group(id: u32) {
    use nix::sys::signal::{Signal, kill, killpg};
    if let Ok(id) = i32::try_from(id) {
        let leader = nix::unistd::Pid::from_raw(id);
        let _ = killpg(leader, Signal::SIGKILL);
        // It may have changed to another group.
        let _ = kill(leader, Signal::SIGKILL);
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

    /// Runs a script whose first line of output is the number of a process that leaves the
    /// group and lives for long. When the script has ended, that process must not
    /// have: otherwise it has been waited for.
    #[track_caller]
    fn check_left_behind(script: &str, input: &[u8], limits: Limits) -> Ended {
        use nix::sys::signal::{Signal, kill};
        let stop = AtomicBool::new(false);
        let ended = run(Command::new("sh").args(["-c", script]), input, limits, &stop);
        let ended = ended.unwrap().unwrap();
        let id = String::from_utf8_lossy(&ended.stdout).trim().parse().unwrap();
        let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let is_alive = status.rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z'));
        assert!(is_alive, "{script} {status}");
        kill(nix::unistd::Pid::from_raw(id), Signal::SIGKILL).unwrap();
        ended
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_leaves_the_group_is_not_waited_for() {
        for script in [
            "setsid sleep 60 & echo $!",
            "(setsid sleep 60 & echo $!)",
            "setsid sh -c 'trap \"\" TERM HUP INT; sleep 60; sleep 60' & echo $!",
            "setsid sleep 60 <&0 & echo $!",
        ] {
            // More input than a pipe holds; none of them reads it.
            let ended = check_left_behind(script, &vec![b'a'; 1 << 20], Limits::default());
            assert!(matches!(ended.end, End::ByItself(_)), "{ended:?}");
        }
        let script = "trap '' TERM HUP INT; setsid sleep 60 & echo $!; sleep 60; sleep 60";
        assert_eq!(check_left_behind(script, b"", within(1)).end, End::OverTime);
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
            let mut command = Command::new("sh");
            command.args(["-c", "trap '' TERM; sleep 1000; sleep 1000"]);
            let ended = run(&mut command, b"", Limits::default(), &stop).unwrap();
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
