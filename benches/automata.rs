//! How large are explicit automata? Büchi automata of pattern formulas and
//! their negations, by each translation and by Spin.
//!
//! `cargo bench --bench automata` reads the pattern sets in
//! `../shared/data/ltl-patterns`, or below what `LWAA_DATA` says. It prints a CSV
//! line for every formula: states, edges and seconds for GPVW, for Gastin and
//! Oddoux as published (formula and automaton not simplified further), for Gastin and
//! Oddoux with everything, and states and seconds for `spin -f` where there is Spin. An
//! edge has a conjunction of literals for a label. A dash is a translation that has not ended
//! within a minute or 4 GiB; for Spin, within ten seconds of processor time, or a formula with an X that
//! it was not compiled for. Then come sums, over all that a translation
//! has finished and over what all have finished, and a family with published
//! sizes.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

use lwaa::baseline::translation::{Translation, buchi};
use lwaa::ltl::nnf::{self, Nnf};
use lwaa::ltl::parse::{Syntax, parse};
use lwaa::ltl::print::{Dialect, print};
use lwaa::ltl::simplify::simplify;
use lwaa::ltl::{Formula, Term};
use lwaa::search::limits::{Budget, Limits, Monitor};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const SETS: [&str; 5] = ["dac", "eh", "sb", "hkrss", "p"];
/// For each of ours, and for Spin.
const SECONDS: u64 = 60;
const SPIN_SECONDS: u64 = 10;

/// The size of an automaton and how long it took to make it.
#[derive(Clone, Copy, Default)]
struct Size {
    states: usize,
    edges: usize,
    seconds: f64,
}

fn main() {
    let data = std::env::var_os("LWAA_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let folder = data.join("ltl-patterns");
    println!(
        "formula,gpvw states,gpvw edges,gpvw s,published states,published edges,published s,\
         all states,all edges,all s,spin states,spin s"
    );
    patterns(&folder);
    families();
}

fn patterns(folder: &Path) {
    if !folder.is_dir() {
        println!("skipped: there are no formulas in {}", folder.display());
        return;
    }
    let mut rows = Vec::new();
    for set in SETS {
        let text = std::fs::read_to_string(folder.join(format!("{set}-patterns.ltl"))).unwrap();
        let first = rows.len();
        for (number, line) in text.lines().enumerate() {
            let formula = parse(line, Syntax::Spot).unwrap();
            for (sign, formula) in [("", formula.clone()), ("!", negation(&formula))] {
                let row = measure(&formula);
                print_row(&format!("{sign}{set} {}", number + 1), &row);
                rows.push(row);
            }
        }
        print_sums(&format!("all of {set}"), &rows[first..]);
    }
    print_sums("all", &rows);
    rows.retain(|row| row.iter().all(Option::is_some));
    print_sums(&format!("the {} that all have finished", rows.len()), &rows);
}

/// `!((G F p1 -> G F q1) & ... -> G F r)`.
fn families() {
    for n in 1..=7 {
        let pairs: Vec<String> = (1..=n).map(|i| format!("(GFp{i} -> GFq{i})")).collect();
        let text = format!("!(({}) -> GFr)", pairs.join(" & "));
        print_row(&format!("strong fairness {n}"), &measure(&parse(&text, Syntax::Spot).unwrap()));
    }
}

fn negation(formula: &Formula) -> Formula {
    let mut terms = formula.terms().clone();
    let root = terms.intern(Term::Not(formula.root()));
    Formula::new(terms, root)
}

fn measure(formula: &Formula) -> [Option<Size>; 4] {
    let written = nnf::from_formula(formula);
    [
        ours(Translation::Gpvw, false, || simplify(&written)),
        ours(Translation::GastinOddoux, true, || written.clone()),
        ours(Translation::GastinOddoux, false, || simplify(&written)),
        spin(formula),
    ]
}

fn ours(method: Translation, raw: bool, formula: impl FnOnce() -> Nnf) -> Option<Size> {
    let monitor = Monitor::default();
    let limits = Limits {
        time: Some(Duration::from_secs(SECONDS)),
        memory: Some(4 << 30),
        ..Limits::default()
    };
    let mut budget = Budget::new(limits, &monitor);
    let start = Instant::now();
    let automaton = buchi(&formula(), method, raw, &mut budget).ok()?;
    Some(Size {
        states: automaton.n_states(),
        edges: automaton.n_edges(),
        seconds: start.elapsed().as_secs_f64(),
    })
}

/// The states of the never claim that Spin makes: its labels.
fn spin(formula: &Formula) -> Option<Size> {
    let start = Instant::now();
    let text = print(formula, Dialect::Spin);
    let limit = format!("--cpu={SPIN_SECONDS}");
    let output = Command::new("prlimit").args([&limit, "spin", "-f", &text]).output().ok()?;
    let claim = String::from_utf8_lossy(&output.stdout);
    let is_label = |line: &&str| {
        let name = line.trim_end().strip_suffix(':');
        name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
    };
    let states = claim.lines().filter(is_label).count();
    let seconds = start.elapsed().as_secs_f64();
    output.status.success().then_some(Size { states, edges: 0, seconds })
}

fn print_row(name: &str, row: &[Option<Size>; 4]) {
    let [gpvw, published, all, spin] = row;
    let ours = |size: &Option<Size>| match size {
        Some(Size { states, edges, seconds }) => format!("{states},{edges},{seconds:.3}"),
        None => "-,-,-".to_owned(),
    };
    let spin = match spin {
        Some(Size { states, seconds, .. }) => format!("{states},{seconds:.3}"),
        None => "-,-".to_owned(),
    };
    println!("{name},{},{},{},{spin}", ours(gpvw), ours(published), ours(all));
}

fn print_sums(name: &str, rows: &[[Option<Size>; 4]]) {
    let sum = |column: usize| {
        rows.iter().filter_map(|row| row[column]).fold(Size::default(), |sum, size| Size {
            states: sum.states + size.states,
            edges: sum.edges + size.edges,
            seconds: sum.seconds + size.seconds,
        })
    };
    print_row(name, &[0, 1, 2, 3].map(|column| Some(sum(column))));
}
