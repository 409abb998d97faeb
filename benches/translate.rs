//! Is translation linear? Time per formula node from 10⁴ to 10⁶ nodes.
//!
//! `cargo bench --bench translate` prints one CSV line per shape and size:
//! nanoseconds per node for each stage from text to reduced automaton, the
//! median of several runs. Results are kept in `benches/record/`.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use lwaa::ltl::{Formula, Term, Terms, family, nnf, print, simplify};
use lwaa::lwaa::{build, reduce};
use std::time::{Duration, Instant};

/// A conjunction of strong fairness constraints with about `n_nodes` nodes.
fn fairness(n_nodes: usize) -> Formula {
    // Each constraint has seven nodes, and one more joins it to the others.
    family::find("sf-sat").expect("a family").formula(n_nodes / 8).expect("within range")
}

fn nested_untils(n_nodes: usize) -> Formula {
    family::find("u-right").expect("a family").formula(n_nodes / 2).expect("within range")
}

/// Untils under a release under an until …: nothing for the simplifier to do.
fn alternating(n_nodes: usize) -> Formula {
    let mut terms = Terms::default();
    let atoms: Vec<_> = (0..16).map(|number| terms.atom(&format!("p{number}"))).collect();
    let mut root = atoms[0];
    for depth in 0..n_nodes {
        let atom = atoms[depth % atoms.len()];
        let term = if depth % 2 == 0 { Term::Until(atom, root) } else { Term::Release(atom, root) };
        root = terms.intern(term);
    }
    Formula::new(terms, root)
}

fn nested_nexts(n_nodes: usize) -> Formula {
    let mut terms = Terms::default();
    let mut root = terms.atom("p");
    for _ in 0..n_nodes {
        root = terms.intern(Term::Next(root));
    }
    Formula::new(terms, root)
}

/// A name, and a formula of about so many nodes.
type Shape = (&'static str, fn(usize) -> Formula);

const SHAPES: &[Shape] = &[
    ("fairness", fairness),
    ("nested-untils", nested_untils),
    ("alternating", alternating),
    ("nested-nexts", nested_nexts),
];
const STAGES: &[&str] = &["parse", "nnf", "simplify", "build", "reduce"];

/// Runs all stages once.
fn run(text: &str) -> (usize, [Duration; 5]) {
    let mut times = [Duration::ZERO; 5];
    let mut stage = 0;
    let mut lap = |started: Instant| {
        times[stage] = started.elapsed();
        stage += 1;
    };
    let started = Instant::now();
    let formula = Formula::parse(text).expect("printed by us");
    lap(started);
    let started = Instant::now();
    let normal = nnf::from_formula(&formula);
    lap(started);
    let started = Instant::now();
    let simple = simplify::simplify(&normal);
    lap(started);
    let started = Instant::now();
    let automaton = build::from_nnf(simple);
    lap(started);
    let started = Instant::now();
    let reduced = reduce::reduce(&automaton);
    lap(started);
    assert!(0 < reduced.n_locations());
    (formula.n_terms(), times)
}

fn main() {
    println!("shape,nodes,{},total", STAGES.join(","));
    for (name, shape) in SHAPES {
        for size in [10_000, 100_000, 1_000_000] {
            let text = print::print(&shape(size), print::Dialect::Lwaa);
            // As many runs as take about as long in total.
            let n_runs = if size < 100_000 { 31 } else { 5 };
            let mut runs: Vec<[Duration; 5]> = Vec::new();
            let mut n_nodes = 0;
            for _ in 0..n_runs {
                let (n, times) = run(&text);
                n_nodes = n;
                runs.push(times);
            }
            let per_node = |mut times: Vec<Duration>| {
                times.sort_unstable();
                let count = u32::try_from(n_nodes).expect("about a million");
                times[times.len() / 2].as_secs_f64() * 1e9 / f64::from(count)
            };
            let stages: Vec<String> = (0..STAGES.len())
                .map(|stage| per_node(runs.iter().map(|times| times[stage]).collect()))
                .map(|nanoseconds| format!("{nanoseconds:.1}"))
                .collect();
            let total = per_node(runs.iter().map(|times| times.iter().sum()).collect());
            println!("{name},{n_nodes},{},{total:.1}", stages.join(","));
        }
    }
}
