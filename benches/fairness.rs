//! What does fairness cost? Formulas of up to a thousand fairness constraints,
//! a model under more and more of them, and Hammer's table.
//!
//! `cargo bench --bench fairness -- formulas` asks for the satisfiability of
//! the fairness families in `../shared/data/ltl-families` (or where
//! `LWAA_FAMILIES` says), side by side with `--engine lwaa-pure`, with
//! `--engine gastin-oddoux` and with `spin -f`, which only translates. `… -- constraints` checks one property of
//! one model under 1 to 256 strong fairness constraints. `… -- philosophers`
//! is the table of [Ham04], section 3.4, rerun and extended: `GF eat(0)` under
//! strong fairness of every philosopher, by declaration and as one formula about
//! every action. Every answer is that of a process of its own, and a tool that
//! has not finished within `LWAA_SECONDS` (60, for philosophers 300) is not asked
//! about larger ones of the kind. `LWAA_LARGEST` bounds the number of inverted
//! philosophers. Prints CSV.
//!
//! [Ham04]: lwaa::references::ham04

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

use lwaa::Formula;
use lwaa::ltl::print::{Dialect, print};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|word| word == name);
    if is_wanted("formulas") {
        formulas();
    }
    if is_wanted("constraints") {
        constraints();
    }
    if is_wanted("philosophers") {
        philosophers();
    }
}

/// A number from the environment.
fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

/// What a process says, and how long it takes; nothing if it has to be stopped.
fn timed(program: &str, arguments: &[&str], seconds: usize) -> Option<(String, f64)> {
    let limit = format!("{seconds}");
    let start = Instant::now();
    let output = Command::new("timeout").args([&limit, program]).args(arguments).output().unwrap();
    let took = start.elapsed().as_secs_f64();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code() != Some(124)).then_some((text, took))
}

/// One tool on growing inputs, until it fails.
#[derive(Default)]
struct Tool {
    has_failed: bool,
}

impl Tool {
    /// What `run` says, unless the tool has failed earlier or does so now.
    fn ask<T>(&mut self, run: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.has_failed {
            return None;
        }
        let answer = run();
        self.has_failed = answer.is_none();
        answer
    }
}

fn seconds(answer: Option<f64>) -> String {
    answer.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.2}"))
}

const FAMILIES: [&str; 17] = [
    "sf-sat",
    "sf-all-enabled-sat",
    "sf-response-violable-sat",
    "sf-chain-unsat",
    "sf-starve-last-unsat",
    "wf-sat",
    "wf-response-violable-sat",
    "wf-starve-last-unsat",
    "go-theta",
    "sejk-j",
    "sejk-k",
    "and-gf",
    "and-fg",
    "or-fg",
    "or-gf",
    "gf-implies",
    "gf-equiv",
];

/// Satisfiability of formulas with many fairness constraints.
fn formulas() {
    let folder = std::env::var_os("LWAA_FAMILIES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/ltl-families"),
        PathBuf::from,
    );
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX.tsv")) else {
        println!("skipped: there are no formulas in {}", folder.display());
        return;
    };
    let limit = setting("LWAA_SECONDS", 60);
    let mut by_family: BTreeMap<&str, Vec<(usize, usize, &str)>> = BTreeMap::new();
    for line in index.lines().skip(1) {
        let [family, n, _, number, expected, _] = line.split('\t').collect::<Vec<_>>()[..] else {
            continue;
        };
        if FAMILIES.contains(&family) {
            let row = (n.parse().unwrap(), number.parse().unwrap(), expected);
            by_family.entry(family).or_default().push(row);
        }
    }
    println!(
        "family,n,expected,lwaa,lwaa s,lwaa-pure,lwaa-pure s,gastin-oddoux,gastin-oddoux s,spin -f s"
    );
    for family in FAMILIES {
        let text = std::fs::read_to_string(folder.join(format!("{family}.ltl"))).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let [mut ours, mut pure, mut rival, mut spin] = [(); 4].map(|()| Tool::default());
        for &(n, number, expected) in by_family.get(family).into_iter().flatten() {
            let formula = lines[number - 1];
            let file = std::env::temp_dir().join(format!("lwaa-fairness-{}", std::process::id()));
            std::fs::write(&file, formula).unwrap();
            let sat = |engine: &str| {
                let name = file.to_str().unwrap();
                let arguments = ["sat", "-F", name, "--engine", engine, "--memory", "6G"];
                let (text, took) = timed(env!("CARGO_BIN_EXE_lwaa"), &arguments, limit)?;
                let verdict = text.lines().next().unwrap_or("-").to_owned();
                (!verdict.starts_with("unknown")).then_some((verdict, took))
            };
            let lwaa = ours.ask(|| sat("lwaa"));
            let pure = pure.ask(|| sat("lwaa-pure"));
            let rival = rival.ask(|| sat("gastin-oddoux"));
            let spin = spin.ask(|| {
                let formula = Formula::parse(formula).unwrap();
                let formula = print(&formula, Dialect::Spin);
                timed("spin", &["-f", &formula], limit).map(|(_, took)| took)
            });
            let answers = [lwaa, pure, rival].map(|answer| {
                let (verdict, took) = answer.unzip();
                format!("{},{}", verdict.unwrap_or_else(|| "-".to_owned()), seconds(took))
            });
            println!("{family},{n},{expected},{},{}", answers.join(","), seconds(spin));
            std::fs::remove_file(&file).unwrap();
        }
    }
}

/// What `lwaa check --json` says.
struct Checked {
    verdict: String,
    nodes: u64,
    nodes_again: u64,
    seconds: f64,
    megabytes: f64,
}

fn check(arguments: &[&str], limit: usize) -> Option<Checked> {
    let arguments = [&["check", "--json"], arguments].concat();
    let (text, _) = timed(env!("CARGO_BIN_EXE_lwaa"), &arguments, limit)?;
    let answer: serde_json::Value = serde_json::from_str(&text).ok()?;
    let statistics = &answer["statistics"];
    Some(Checked {
        verdict: answer["verdict"].as_str()?.to_owned(),
        nodes: statistics["nodes"].as_u64()?,
        nodes_again: statistics["nodes_again"].as_u64()?,
        seconds: statistics["seconds"].as_f64()?,
        megabytes: statistics["peak_bytes"].as_f64()? / f64::from(1 << 20),
    })
}

fn model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/lwm").join(name);
    path.to_str().unwrap().to_owned()
}

fn row(checked: Option<&Checked>) -> String {
    checked.map_or_else(
        || "-,-,-,-,-".to_owned(),
        |checked| {
            let Checked { verdict, nodes, nodes_again, seconds, megabytes } = checked;
            format!("{verdict},{nodes},{nodes_again},{seconds:.2},{megabytes:.0}")
        },
    )
}

/// One model, one property, more and more strong fairness constraints.
fn constraints() {
    let model = model("jobs.lwm");
    println!("constraints,verdict,nodes,nodes again,s,MB,nodes / first,s / first");
    let mut first: Option<Checked> = None;
    for n in [1, 4, 16, 64, 256] {
        let constant = format!("FAIR={n}");
        // The best of three: the first one may have to wait for others.
        let runs = (0..3).filter_map(|_| check(&[&model, "-D", &constant], 600));
        let checked = runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let ratio = |value: fn(&Checked) -> f64| {
            let (Some(checked), Some(first)) = (&checked, first.as_ref().or(checked.as_ref()))
            else {
                return "-".to_owned();
            };
            format!("{:.2}", value(checked) / value(first))
        };
        #[allow(clippy::cast_precision_loss, reason = "a ratio of counts")]
        let nodes = ratio(|checked| checked.nodes as f64);
        let time = ratio(|checked| checked.seconds);
        println!("{n},{},{nodes},{time}", row(checked.as_ref()));
        first = first.or(checked);
    }
}

/// The philosophers of [Ham04] under strong fairness.
///
/// [Ham04]: lwaa::references::ham04
fn philosophers() {
    let limit = setting("LWAA_SECONDS", 300);
    let largest = setting("LWAA_LARGEST", 12);
    println!(
        "model,N,declared: verdict,nodes,nodes again,s,MB,formula: verdict,nodes,nodes again,s,MB,\
         Hammer s,spin s"
    );
    let mut spin = Tool::default();
    for (name, sizes) in [
        (
            "philosophers_fair",
            [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 32, 64, 128].as_slice(),
        ),
        ("philosophers_fair_inverted", &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]),
    ] {
        let path = model(&format!("{name}.lwm"));
        let is_inverted = name.ends_with("inverted");
        for &n in sizes.iter().filter(|&&n| !is_inverted || n <= largest) {
            let constant = format!("N={n}");
            let more = ["--memory", "16G"];
            let declared = [&[path.as_str(), "-D", &constant, "--fair", "strong"], &more[..]];
            let declared = check(&declared.concat(), 3600);
            let formula = strong_fairness(n);
            let as_formula = [&[path.as_str(), "-D", &constant, "-f", &formula], &more[..]];
            let as_formula = check(&as_formula.concat(), 3600);
            let spin = if is_inverted { None } else { spin.ask(|| spin_claim(n, limit)) };
            println!(
                "{name},{n},{},{},{},{}",
                row(declared.as_ref()),
                row(as_formula.as_ref()),
                hammer(n, is_inverted),
                seconds(spin)
            );
        }
    }
}

/// `(⋀ over actions (GF enabled(a) → GF taken(a))) → GF eat(0)`.
fn strong_fairness(n: usize) -> String {
    let mut premises = String::new();
    for action in ["get_hungry", "take_first", "take_second", "put_down"] {
        let name = format!("philosopher(i).{action}");
        write!(premises, "&& (G F enabled({name}) -> G F taken({name}))").unwrap();
    }
    format!("(forall i in 0..{}: true {premises}) -> G F eat(0)", n - 1)
}

/// How long `spin -f` takes for the claim of the same formula: its negation,
/// with an atom for each action that is enabled or taken.
fn spin_claim(n: usize, limit: usize) -> Option<f64> {
    let pairs: Vec<String> =
        (0..4 * n).map(|action| format!("(([]<>e{action}) -> ([]<>t{action}))")).collect();
    let formula = format!("!(({}) -> ([]<>eat))", pairs.join(" && "));
    timed("spin", &["-f", &formula], limit).map(|(_, took)| took)
}

/// What Hammer published in 2004, on another machine.
fn hammer(n: usize, is_inverted: bool) -> &'static str {
    match (n, is_inverted) {
        (4, false) => "0.125",
        (8, false) => "0.419",
        (9, false) => "0.541",
        (10, false) => "2.221",
        (12, false) => "16.0",
        (15, false) => "328",
        (16, false) | (9, true) => "out of memory",
        (4, true) => "0.128",
        (8, true) => "82.2",
        _ => "",
    }
}
