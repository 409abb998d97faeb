//! How long does it take to see which actions are enabled? Compiled code for
//! `enabled(…)` beside an atom for every guard, which is the plain way.
//!
//! `cargo bench --bench enabled` prints one CSV line per model and way:
//! nanoseconds per state, the best of several passes over the first states
//! that are reached.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]

use lwaa::lang::compile::Compiled;
use lwaa::lang::program::{Program, Proposition};
use lwaa::lang::{Definition, lwm};
use lwaa::system::{Cursor, TransitionSystem};
use std::collections::HashSet;
use std::time::Instant;

/// The first `limit` states that are found, one behind the other.
fn reachable(system: &mut impl TransitionSystem, limit: usize) -> Vec<u64> {
    let n_words = system.n_words();
    let mut states: Vec<u64> = system.initial_states().concat();
    let mut known: HashSet<Box<[u64]>> = states.chunks_exact(n_words).map(Into::into).collect();
    let mut target = vec![0; n_words];
    let mut next = 0;
    while next < states.len() && known.len() < limit {
        let state = states[next..next + n_words].to_vec();
        let mut cursor = Cursor::default();
        while system.next(&state, &mut cursor, &mut target).expect("a correct model").is_some() {
            if known.insert(target.clone().into_boxed_slice()) {
                states.extend(&target);
            }
        }
        next += n_words;
    }
    states
}

fn measure(name: &str, way: &str, program: &Program, atoms: &[Proposition]) {
    let mut system = Compiled::new(program, atoms);
    let states = reachable(&mut system, 100_000);
    let n_states = u32::try_from(states.len() / system.n_words()).expect("not that many");
    let mut letter = vec![0; atoms.len().div_ceil(64)];
    let mut best = f64::INFINITY;
    let mut n_true = 0;
    for _ in 0..15 {
        let started = Instant::now();
        n_true = 0;
        for state in states.chunks_exact(system.n_words()) {
            system.observe(state, &mut letter).expect("a correct model");
            n_true += letter.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        best = best.min(started.elapsed().as_secs_f64() * 1e9);
    }
    let per_state = best / f64::from(n_states);
    println!("{name},{way},{},{n_states},{n_true},{per_state:.1}", atoms.len());
}

fn main() {
    println!("model,way,atoms,states,true,ns_per_state");
    for (file, definitions) in [
        ("philosophers", &[("N", 10)][..]),
        ("philosophers", &[("N", 100)]),
        ("peterson", &[("N", 4)]),
        ("leader", &[("N", 5)]),
        ("jobs", &[("FAIR", 256)]),
    ] {
        let path = format!("{}/models/lwm/{file}.lwm", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the model is there");
        let definitions: Vec<Definition> = definitions
            .iter()
            .map(|&(name, value)| Definition { name: name.to_owned(), value })
            .collect();
        let program = lwm::read(&text, &definitions).expect("the model is right").program;
        let mut name = file.to_owned();
        for definition in &definitions {
            name = format!("{name}-{}", definition.value);
        }
        let enabled: Vec<Proposition> =
            program.transitions.ids().map(|id| Proposition::Enabled(vec![id])).collect();
        measure(&name, "enabled", &program, &enabled);
        let guards = program.transitions.iter().map(|transition| transition.guard);
        let guards: Vec<Proposition> = guards.map(Proposition::State).collect();
        measure(&name, "guards", &program, &guards);
    }
}
