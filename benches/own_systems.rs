//! What does it cost to check a system that is written in Rust, beside the crate `stateright`?
//!
//! `cargo bench --bench own_systems` checks two protocols, each written once for both crates.
//! For each size it takes the ways below in turn, several times, each in a process of its own,
//! and prints one CSV line per way: the least processor time, how much of it is left without a
//! bare loop over `actions` and `next` of all states, states per second, and resident memory at
//! its peak per state, without that of the process before. Words as arguments select protocols
//! (`two-phase-commit paxos`), numbers are rounds (3 by default), `--large` adds sizes of about
//! 10^7 states.
//!
//! In the end it shows a run that never does what it should, which `stateright` misses.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

#[path = "own_systems/paxos.rs"]
mod paxos;
#[path = "own_systems/retry.rs"]
mod retry;
#[path = "own_systems/two_phase_commit.rs"]
mod two_phase_commit;

use lwaa::{Checker, Pack, System};
use paxos::Paxos;
use stateright::{Checker as _, Model};
use std::collections::HashSet;
use std::fmt::Debug;
use std::hint::black_box;
use std::process::Command;
use std::time::Duration;
use two_phase_commit::TwoPhaseCommit;

/// What is measured.
const WAYS: &[&str] = &[
    "bare loop",
    "stateright bfs",
    "stateright dfs",
    "lwaa explore",
    "lwaa explore packed",
    "lwaa safety",
    "lwaa safety packed",
    "lwaa liveness",
    "lwaa liveness packed",
];

/// Protocols and their sizes; the last one of each is large.
const PROBLEMS: &[(&str, &[usize])] = &[("two-phase-commit", &[7, 8, 9]), ("paxos", &[32, 33, 41])];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|one| one != "--bench").collect();
    if let [first, way, protocol, size] = &*arguments
        && first == "--measure"
    {
        let size = size.parse().expect("a size");
        match &**protocol {
            "paxos" => measure(way, &|| paxos_of(size)),
            _ => measure(way, &|| TwoPhaseCommit { n_managers: size }),
        }
        return;
    }
    let is_large = arguments.iter().any(|one| one == "--large");
    let rounds = arguments.iter().find_map(|one| one.parse().ok()).unwrap_or(3);
    let names: Vec<&str> = PROBLEMS.iter().map(|problem| problem.0).collect();
    let is_named = arguments.iter().any(|one| names.contains(&&**one));
    println!("protocol,size,way,states,transitions,seconds,overhead s,states/s,bytes/state");
    for &(protocol, sizes) in PROBLEMS {
        if is_named && !arguments.iter().any(|one| one == protocol) {
            continue;
        }
        for &size in &sizes[..sizes.len() - usize::from(!is_large)] {
            compare(protocol, size, rounds);
        }
    }
    retry::show();
}

/// The digits are the number of ballots and of values.
fn paxos_of(size: usize) -> Paxos {
    let digit = |number: usize| u8::try_from(number % 10).expect("a digit");
    Paxos { n_ballots: digit(size / 10), n_values: digit(size) }
}

/// What a process has measured.
#[derive(Clone, Copy, Debug)]
struct Measured {
    states: usize,
    /// Steps that were taken, those that lead to known states included.
    transitions: u64,
    seconds: f64,
    bytes: usize,
}

impl Measured {
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let states = words.next()?.parse().ok()?;
        let transitions = words.next()?.parse().ok()?;
        let seconds = words.next()?.parse().ok()?;
        let bytes = words.next()?.parse().ok()?;
        Some(Self { states, transitions, seconds, bytes })
    }
}

/// Measures all ways in turn, and prints the least of each.
fn compare(protocol: &str, size: usize, rounds: usize) {
    let mut least: Vec<Option<Measured>> = vec![None; WAYS.len()];
    for _ in 0..rounds {
        for (way, least) in WAYS.iter().zip(&mut least) {
            let program = std::env::current_exe().expect("this program");
            let size = size.to_string();
            let answer = Command::new(program)
                .args(["--measure", way, protocol, &size])
                .output()
                .expect("this program can be started");
            let text = String::from_utf8_lossy(&answer.stdout);
            let measured = Measured::read(&text).unwrap_or_else(|| {
                panic!("{way}: {text}{}", String::from_utf8_lossy(&answer.stderr))
            });
            if least.is_none_or(|least| measured.seconds < least.seconds) {
                *least = Some(measured);
            }
        }
    }
    let base = least[0].map_or(0.0, |least| least.seconds);
    // A check does not tell how many states it has seen; they are all.
    let states = least.iter().flatten().map(|least| least.states).max().unwrap_or(0);
    for (way, least) in WAYS.iter().zip(least) {
        let Some(Measured { transitions, seconds, bytes, .. }) = least else { continue };
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52")]
        let (per_second, overhead) = (states as f64 / seconds, seconds - base);
        let per_state = bytes / states;
        println!(
            "{protocol},{size},{way},{states},{transitions},{seconds:.3},{overhead:.3},\
             {per_second:.0},{per_state}"
        );
    }
}

/// Measures one way, and prints what was measured.
fn measure<S>(way: &str, system: &impl Fn() -> S)
where
    S: Pack + Model<State = <S as System>::State, Action = <S as System>::Action>,
    <S as System>::Action: Clone + PartialEq,
{
    let states = if way == "bare loop" { all_states(&system()) } else { Vec::new() };
    let before = peak_bytes();
    let started = now();
    let (n_states, transitions) = match way.strip_suffix(" packed").unwrap_or(way) {
        "bare loop" => (states.len(), bare_loop(&system(), &states)),
        "stateright bfs" => size(&system().checker().spawn_bfs().join()),
        "stateright dfs" => size(&system().checker().spawn_dfs().join()),
        asked => {
            let is_packed = way.ends_with("packed");
            let checker =
                if is_packed { Checker::packed(system()) } else { Checker::new(system()) };
            match asked {
                "lwaa safety" => checker.assert_holds("G safe"),
                "lwaa liveness" => checker.assert_holds("G F settled"),
                _ => (),
            }
            let explored = (asked == "lwaa explore").then(|| checker.explore());
            explored.map_or((0, 0), |size| {
                let size = size.expect("nothing can be too small");
                (size.states, size.transitions)
            })
        }
    };
    let seconds = now().saturating_sub(started).as_secs_f64();
    println!("{n_states} {transitions} {seconds} {}", peak_bytes() - before);
}

/// The numbers of states and transitions that `stateright` has found.
fn size<M: Model>(found: &impl stateright::Checker<M>) -> (usize, u64)
where
    M::State: Clone + Debug + PartialEq,
    M::Action: Clone + Debug + PartialEq,
{
    found.assert_properties();
    let n_initial = found.model().init_states().len();
    (found.unique_state_count(), (found.state_count() - n_initial) as u64)
}

/// All reachable states, breadth first.
fn all_states<S: System>(system: &S) -> Vec<S::State> {
    let mut states = system.initial();
    let mut known: HashSet<S::State> = states.iter().cloned().collect();
    let mut actions = Vec::new();
    let mut number = 0;
    while number < states.len() {
        actions.clear();
        system.actions(&states[number], &mut actions);
        for action in &actions {
            if let Some(next) = system.next(&states[number], action)
                && known.insert(next.clone())
            {
                states.push(next);
            }
        }
        number += 1;
    }
    states
}

/// Takes all steps out of all states, and forgets them. Returns how many there are.
fn bare_loop<S: System>(system: &S, states: &[S::State]) -> u64 {
    let mut actions = Vec::new();
    let mut transitions = 0;
    for state in states {
        actions.clear();
        system.actions(state, &mut actions);
        for action in &actions {
            transitions += u64::from(black_box(system.next(state, action)).is_some());
        }
    }
    transitions
}

/// The time that this process has been running, on all threads.
#[cfg(unix)]
fn now() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("a clock of every system").into()
}

/// The most bytes that this process has had in memory.
#[cfg(unix)]
fn peak_bytes() -> usize {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("every process may ask");
    // The unit is 1,024 bytes on Linux.
    usize::try_from(usage.max_rss()).expect("not negative") * 1024
}

/// The time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Memory is measured on Unix only.
#[cfg(not(unix))]
fn peak_bytes() -> usize {
    0
}
