//! How long does it take to find a minimal conflict among many requirements?
//!
//! `cargo bench --bench requirements` makes 200 contradictory sets of 10 to 1,000
//! requirements, whose minimal conflicts are known (`tests/requirements/planted.rs`), and asks for a
//! minimal conflict of each: `minimal` and `certified`, and for every tenth set `lwaa sat --core`
//! as well. Verified are that the answer is one of those that are known, that a fresh search
//! finds no model of it, and that each word that is to show that a member is needed does. Prints
//! one CSV line per set, the largest times and the sums. Numbers as arguments select sets;
//! `--write FOLDER` only writes the sets as files. `LWAA_SEED=S` gives other sets.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

#[path = "../tests/support/campaign.rs"]
mod campaign;
#[path = "../tests/requirements/planted.rs"]
mod planted;

use lwaa::ltl::{Formula, Term, semantics};
use lwaa::requirements::Requirement;
use lwaa::requirements::conflict::{Conflict, certified, minimal};
use lwaa::requirements::oracle::Oracle;
use lwaa::search::limits::Monitor;
use lwaa::testbench::Random;
use lwaa::word::{Lasso, Letter};
use lwaa::{Options, Satisfiability, satisfiable};
use nix::time::{ClockId, clock_gettime};
use planted::{Planted, planted};
use std::process::Command;
use std::time::{Duration, Instant};

const N_SETS: usize = 200;
const SMALLEST: usize = 10;
const LARGEST: usize = 1_000;
/// What each set may take.
const LIMIT: f64 = 60.0;
/// Every so many sets have two conflicts, and are asked by the command line.
const TWO_CONFLICTS: usize = 5;
const COMMAND_LINE: usize = 10;

fn main() {
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|one| one != "--bench").collect();
    let folder = arguments.iter().position(|one| one == "--write").map(|at| {
        arguments.remove(at);
        arguments.remove(at)
    });
    let wanted: Vec<usize> = arguments.iter().filter_map(|one| one.parse().ok()).collect();
    let (_, seed) = campaign::random(0x5EED_1987);
    println!("seed {seed}");
    println!("set,requirements,atoms,kinds,core,searches,wall s,processor s,command s");
    let mut all: Vec<(f64, f64)> = Vec::new();
    for number in (0..N_SETS).filter(|number| wanted.is_empty() || wanted.contains(number)) {
        let set = made(seed, number);
        if let Some(folder) = &folder {
            let path = format!("{folder}/{number:03}.txt");
            std::fs::write(path, planted::text(&set.requirements)).unwrap();
            continue;
        }
        let (wall, processor) = measured(number, &set);
        all.push((wall, processor));
    }
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let (wall, processor) = (|one: &(f64, f64)| one.0, |one: &(f64, f64)| one.1);
    println!(
        "{} sets: wall largest {:.3} s, sum {:.1} s; processor largest {:.3} s, sum {:.1} s; {} above {LIMIT} s",
        all.len(),
        largest(&mut all.iter().map(wall)),
        all.iter().map(wall).sum::<f64>(),
        largest(&mut all.iter().map(processor)),
        all.iter().map(processor).sum::<f64>(),
        all.iter().filter(|one| LIMIT < one.0).count(),
    );
}

/// The set with this number. Each has a seed of its own, so that it can be made alone.
fn made(seed: u64, number: usize) -> Planted {
    let mut random = Random::new(seed.wrapping_add(u64::try_from(number).unwrap()));
    let size = SMALLEST + (LARGEST - SMALLEST) * number / (N_SETS - 1);
    let has_two = number % TWO_CONFLICTS == TWO_CONFLICTS - 1 && 20 <= size;
    planted(&mut random, size, if has_two { 2 } else { 1 })
}

/// Prints a line; seconds on the wall and of the processor.
fn measured(number: usize, set: &Planted) -> (f64, f64) {
    let requirements = &set.requirements;
    let (options, monitor) = (Options::default(), Monitor::default());
    let (start, start_processor) = (Instant::now(), processor());
    let mut oracle = Oracle::new(requirements, &options, &monitor);
    let everything: Vec<usize> = (0..requirements.len()).collect();
    let members = minimal(&mut oracle, &everything, None).unwrap().unwrap();
    let conflict = certified(&mut oracle, members).unwrap();
    let wall = start.elapsed().as_secs_f64();
    let processor = processor().saturating_sub(start_processor).as_secs_f64();
    verify(number, set, &conflict, &oracle);
    let command = if number.is_multiple_of(COMMAND_LINE) {
        format!("{:.3}", by_command_line(number, set))
    } else {
        String::new()
    };
    println!(
        "{number},{},{},{},{},{},{wall:.3},{processor:.3},{command}",
        requirements.len(),
        oracle.atoms().len(),
        set.kinds.join("+"),
        conflict.members.len(),
        oracle.n_searches(),
    );
    (wall, processor)
}

fn processor() -> Duration {
    clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).unwrap().into()
}

fn verify(number: usize, set: &Planted, conflict: &Conflict, oracle: &Oracle<'_>) {
    let members = &conflict.members;
    assert!(set.cores.contains(members), "set {number}: {members:?}, not {:?}", set.cores);
    let formulas: Vec<&Formula> =
        members.iter().map(|&one| &set.requirements[one].formula).collect();
    let first = Formula::parse("true").unwrap();
    let whole = formulas.iter().fold(first, |all, formula| all.combined(Term::And, formula));
    let answer = satisfiable(&whole, &Options::default()).unwrap();
    assert!(matches!(answer.satisfiability, Satisfiability::Unsatisfiable), "set {number}");
    let holds = |formula: &Formula, word: &Lasso<Letter>| {
        let known = |letter: &Letter| -> Letter {
            let names = letter.iter().map(|atom| oracle.atoms().name(atom));
            names.filter_map(|name| formula.atoms().find(name)).collect()
        };
        semantics::holds(formula, &word.map(known))
    };
    for (dropped, word) in conflict.without.iter().enumerate() {
        for (at, formula) in formulas.iter().enumerate() {
            assert_eq!(holds(formula, word), at != dropped, "set {number}: {formula}");
        }
    }
}

/// Seconds that the program takes for the same.
fn by_command_line(number: usize, set: &Planted) -> f64 {
    let path = std::env::temp_dir().join(format!("lwaa-core-{}.txt", std::process::id()));
    std::fs::write(&path, planted::text(&set.requirements)).unwrap();
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_lwaa"))
        .args(["sat", "--core", "--json", "-F"])
        .arg(&path)
        .output()
        .unwrap();
    let seconds = start.elapsed().as_secs_f64();
    std::fs::remove_file(&path).unwrap();
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let is_named = |one: &serde_json::Value, requirement: &Requirement| {
        one["name"].as_str() == Some(&requirement.name)
    };
    let found: Vec<usize> = object["core"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| set.requirements.iter().position(|other| is_named(one, other)).unwrap())
        .collect();
    assert!(set.cores.contains(&found), "set {number}: {found:?}, not {:?}", set.cores);
    seconds
}
