//! What does the automaton cost? Time per node of the product against time per
//! state of a plain exploration, on properties that hold.
//!
//! `cargo bench --bench automaton` asks about the properties of the BEEM set
//! that hold, on instances with 10⁵ to 5·10⁶ states, in `../shared/data/beem`.
//! It prints one CSV line per property and the geometric mean of the ratios;
//! each figure is the best of three runs that take turns. A property whose
//! search ends long before it has seen all states is left out.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark reports on standard output"
)]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]
#![allow(dead_code, reason = "the files of the tests offer more")]

#[path = "../tests/beem/data.rs"]
mod data;
#[path = "../tests/beem/macros.rs"]
mod macros;
#[path = "../tests/beem/properties.rs"]
mod properties;

use lwaa::check::explore::explore;
use lwaa::check::model::{Deadlock, ModelOptions, check};
use lwaa::lang::dve;
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::verdict::Verdict;

const RUNS: usize = 3;

/// A number as a fraction.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
fn real(number: usize) -> f64 {
    number as f64
}

fn main() {
    println!("instance,property,states,explore ns/state,nodes,check ns/node,ratio");
    let mut ratios: Vec<f64> = Vec::new();
    for instance in data::instances() {
        if !instance.is_complete || !(100_000..=5_000_000).contains(&instance.states) {
            continue;
        }
        let model = dve::read(&instance.text(), &[]).unwrap();
        for property in properties::properties(&instance.model, &instance.name) {
            if property.is_reachability || property.holds != Some(true) {
                continue;
            }
            let formula = model.bindings.formula(&property.formula).unwrap();
            let (mut per_state, mut per_node) = (f64::INFINITY, f64::INFINITY);
            let (mut n_states, mut n_nodes) = (0, 0);
            for _ in 0..RUNS {
                let monitor = Monitor::default();
                let store = StoreKind::Exact;
                let limits = Limits::default();
                let all = explore(&model, store, Deadlock::Stutter, limits, &monitor);
                let all = all.expect("the model has room").0;
                n_states = all.states;
                per_state = per_state.min(all.statistics.time.as_secs_f64() / real(n_states));
                let formulas = std::slice::from_ref(&formula);
                let options = ModelOptions::default();
                let found = check(&model, formulas, &options, &monitor, &mut |_, _| ()).unwrap();
                assert_eq!(found[0].verdict, Verdict::Holds, "{}", instance.name);
                n_nodes = found[0].statistics.nodes;
                per_node = per_node.min(found[0].statistics.time.as_secs_f64() / real(n_nodes));
            }
            if n_nodes < n_states / 2 {
                continue;
            }
            let ratio = per_node / per_state;
            println!(
                "{},{},{n_states},{:.0},{n_nodes},{:.0},{ratio:.2}",
                instance.name,
                property.number,
                per_state * 1e9,
                per_node * 1e9
            );
            ratios.push(ratio);
        }
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / real(ratios.len())).exp();
    println!("geometric mean over {} properties: {mean:.2}", ratios.len());
}
