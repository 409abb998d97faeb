//! The BEEM benchmark set: published numbers of states come out exactly.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a failure here is a failed test, and shows the instance"
)]

use lwaa::lang::dve;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::Program;
use lwaa::system::{Cursor, Fault, TransitionSystem};
use std::collections::HashSet;

fn explore(program: &Program, limit: usize) -> (usize, usize, Option<Fault>) {
    let mut system = Interpreter::new(program, &[]);
    let mut seen: HashSet<Box<[u64]>> = HashSet::new();
    let mut open: Vec<Box<[u64]>> = system.initial_states();
    seen.extend(open.iter().cloned());
    let mut target = vec![0; system.n_words()];
    let mut n_transitions = 0;
    let mut fault = None;
    while let Some(state) = open.pop() {
        let mut cursor = Cursor::default();
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                Ok(Some(_)) => {
                    n_transitions += 1;
                    if !seen.contains(target.as_slice()) {
                        seen.insert(target.as_slice().into());
                        open.push(target.as_slice().into());
                    }
                }
                Err(found) => {
                    n_transitions += 1;
                    fault = Some(found);
                }
            }
        }
        if limit < seen.len() {
            break;
        }
    }
    (seen.len(), n_transitions, fault)
}

#[test]
fn counts() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/beem");
    let index = std::fs::read_to_string(root.join("INDEX-instances.tsv")).unwrap();
    let limit: usize =
        std::env::var("LWAA_BEEM_STATES").ok().map_or(20_000, |t| t.parse().unwrap());
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let states: usize = columns[2].parse().unwrap();
        let path = root.join(columns[0]).join(format!("{}.dve", columns[1]));
        let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
        let model = match dve::read(&text, &[]) {
            Ok(m) => m,
            Err(e) => {
                println!(
                    "ERROR {} {:?}: {} at {:?}",
                    columns[1],
                    e.span,
                    e.message,
                    text.get(e.span.start.saturating_sub(30)..e.span.end + 30)
                );
                continue;
            }
        };
        if columns[3] != "yes" || limit < states {
            continue;
        }
        let start = std::time::Instant::now();
        let (found, edges, fault) = explore(&model.program, states + 10);
        println!(
            "{} {} published {states}/{} ours {found}/{edges} fault {:?} transitions {} {:?}",
            if found == states { "ok" } else { "DIFFERENT" },
            columns[1],
            columns[4],
            fault,
            model.program.transitions.len(),
            start.elapsed()
        );
    }
}
