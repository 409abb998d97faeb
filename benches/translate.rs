//! Is translation linear? Time per formula node from 10⁴ to 10⁶ nodes.
//!
//! `cargo bench --bench translate` prints one CSV line per shape and size:
//! nanoseconds per node for each stage from text to reduced automaton, the
//! least of several runs, and the total as a multiple of that of the smallest
//! size. Results are kept in `benches/record/`.
//!
//! What else the machine does can only make a run slower, so the least is the
//! best estimate. The sizes take turns, so that it slows all of them down. A
//! short run is still more likely to be left alone than a long one, hence
//! processor time, that of the kernel included; without Unix, time on the wall.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use lwaa::ltl::{Formula, Term, Terms, family, nnf, print, simplify};
use lwaa::lwaa::{build, reduce};
use std::time::Duration;

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

/// The time that this thread has been running.
#[cfg(unix)]
fn now() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("a clock of every system").into()
}

/// The time since the first call.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// Runs all stages once.
fn run(text: &str) -> (usize, [Duration; 5]) {
    let started = now();
    let formula = Formula::parse(text).expect("printed by us");
    let parsed = now();
    let normal = nnf::from_formula(&formula);
    let normalized = now();
    let simple = simplify::simplify(&normal);
    let simplified = now();
    let automaton = build::from_nnf(simple);
    let built = now();
    let reduced = reduce::reduce(&automaton);
    let finished = now();
    let moments = [started, parsed, normalized, simplified, built, finished];
    let times = std::array::from_fn(|stage| moments[stage + 1].saturating_sub(moments[stage]));
    assert!(0 < reduced.n_locations());
    (formula.n_terms(), times)
}

/// Sizes in nodes, and how often each is run in a round.
const SIZES: [(usize, usize); 3] = [(10_000, 10), (100_000, 3), (1_000_000, 1)];
const N_ROUNDS: usize = 9;

/// The runs of one shape and size.
struct Series {
    text: String,
    n_nodes: usize,
    runs: Vec<[Duration; 5]>,
}

impl Series {
    /// The least over all runs of what `part` makes of one, in nanoseconds per
    /// node.
    fn least(&self, part: impl Fn(&[Duration; 5]) -> Duration) -> f64 {
        let least = self.runs.iter().map(part).min().expect("there are runs");
        let n_nodes = u32::try_from(self.n_nodes).expect("about a million");
        least.as_secs_f64() * 1e9 / f64::from(n_nodes)
    }

    fn total(&self) -> f64 {
        self.least(|times| times.iter().sum())
    }
}

/// Runs all sizes of a shape.
fn measure(shape: fn(usize) -> Formula) -> [Series; 3] {
    let mut all = SIZES.map(|(size, _)| {
        let text = print::print(&shape(size), print::Dialect::Lwaa);
        Series { text, n_nodes: 0, runs: Vec::new() }
    });
    for _ in 0..N_ROUNDS {
        for (series, (_, n_runs)) in all.iter_mut().zip(SIZES) {
            for _ in 0..n_runs {
                let (n_nodes, times) = run(&series.text);
                series.n_nodes = n_nodes;
                series.runs.push(times);
            }
        }
    }
    all
}

fn main() {
    println!("shape,nodes,{},total,ratio", STAGES.join(","));
    for (name, shape) in SHAPES {
        let all = measure(*shape);
        let smallest = all[0].total();
        for series in &all {
            let stages: Vec<String> = (0..STAGES.len())
                .map(|stage| format!("{:.1}", series.least(|times| times[stage])))
                .collect();
            let (total, ratio) = (series.total(), series.total() / smallest);
            println!("{name},{},{},{total:.1},{ratio:.2}", series.n_nodes, stages.join(","));
        }
    }
}
