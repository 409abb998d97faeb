//! Under a limit of address space (`ulimit -v`), the work is done by a second process.
//!
//! An allocation that the system refuses ends a process, in Rust as in the C++ of a SAT
//! solver, and nothing in it can prevent that. Searches stop before they come there,
//! but what reads, translates and prints does not look at limits. So this program starts
//! itself again, and if that process is aborted, the one that is left says `unknown`, with
//! exit code 3. The second process also gets what only its environment can say: how large
//! the stacks of decision diagram packages are, and how many arenas the C library has.

use super::{Exit, args, output, process};
use lwaa::address_space;
use lwaa::report::{Format, json};
use std::ffi::OsString;
use std::process::{Command, ExitStatus};

/// Set in the environment of the second process.
const VARIABLE: &str = "LWAA_CONFINED";

/// With less address space nothing is tried: the program, its threads and the smallest
/// tables need that much.
pub(super) const FLOOR: usize = 64 << 20;

/// The stack of a thread of OxiDD that only waits.
const DIAGRAM_STACK: usize = 1 << 18;

/// Runs the command in a second process if address space is limited, and says how it has
/// ended; nothing if it is not limited, or this is the second process already.
pub(super) fn run(words: &[OsString], command: &args::Command) -> Option<Exit> {
    let limit = address_space::limit()?;
    if std::env::var_os(VARIABLE).is_some() {
        return None;
    }
    let unknown = |reason: String| {
        tell(command, &reason);
        Exit::Unknown
    };
    if limit < FLOOR {
        return Some(unknown(format!(
            "address space limit of {limit} bytes (ulimit -v) is below {FLOOR}, the least that is \
             of use"
        )));
    }
    let refused = |error: std::io::Error| {
        unknown(format!("no process can be started within {limit} bytes of address space: {error}"))
    };
    let program = match std::env::current_exe() {
        Ok(program) => program,
        Err(error) => return Some(refused(error)),
    };
    let mut second = Command::new(program);
    second.args(words.iter().skip(1)).env(VARIABLE, "1").env("MALLOC_ARENA_MAX", "1");
    if std::env::var_os("OXIDD_STACK_SIZE").is_none() {
        second.env("OXIDD_STACK_SIZE", DIAGRAM_STACK.to_string());
    }
    let ended = second.spawn().and_then(|mut process| {
        pass_signals_on(process.id());
        process.wait()
    });
    Some(match ended {
        Ok(status) => exit(status).unwrap_or_else(|| {
            unknown(format!("address space limit of {limit} bytes reached (ulimit -v)"))
        }),
        Err(error) => refused(error),
    })
}

/// How the second process has ended by itself; nothing if it was aborted.
fn exit(status: ExitStatus) -> Option<Exit> {
    Some(match status.code()? {
        0 => Exit::Yes,
        1 => Exit::No,
        2 => Exit::BadInput,
        3 => Exit::Unknown,
        5 => Exit::ModelError,
        _ => Exit::Internal,
    })
}

/// An interrupt from the terminal reaches both processes; SIGTERM is for the first one, which
/// passes it on and waits for what the second one has to say.
fn pass_signals_on(id: u32) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        let Ok(id) = i32::try_from(id) else { return };
        let pass = move || {
            // The process is not reaped before we end.
            let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGTERM);
        };
        process::on_interrupt(pass);
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// Says that the answer is unknown, where the answer would stand.
fn tell(command: &args::Command, reason: &str) {
    use args::Command as Name;
    let is_verdict = !matches!(
        command,
        Name::Translate(_)
            | Name::Simulate(_)
            | Name::Formula(_)
            | Name::Random(_)
            | Name::Completions { .. }
            | Name::Man
    );
    if !is_verdict {
        output::message(&format!("unknown: {reason}\n"));
        return;
    }
    let line = match command.format() {
        Format::Json => json::unknown(reason, "address-space").to_string(),
        Format::Text => format!("unknown: {reason}"),
    };
    let _ = output::result(|out| writeln!(out, "{line}"));
}
