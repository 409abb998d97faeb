//! Which way to compute steps of configurations is faster: with decision
//! diagrams, or directly, by combining what locations offer?
//!
//! `cargo bench --bench direct` asks for the satisfiability of every formula
//! family at growing sizes, and checks some of the models that we ship, each
//! question once with `--successors bdd` and once with `direct`, everything left
//! to the automaton (`--engine lwaa-pure`). A way that has not finished within
//! `LWAA_SECONDS` (5) is not asked about larger ones of the kind. Prints CSV.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

use lwaa::bdd;
use lwaa::check::model::{Fair, ModelOptions, check};
use lwaa::check::{Exploration, Options, satisfiable_with};
use lwaa::configuration::Successors;
use lwaa::lang::{Definition, lwm};
use lwaa::ltl::family;
use lwaa::search::limits::{Limits, Monitor};
use lwaa::system::Strength;
use lwaa::verdict::Verdict;
use lwaa::{Formula, Satisfiability};
use std::path::Path;
use std::time::{Duration, Instant};

const WAYS: [Successors; 2] = [Successors::Bdd, Successors::Direct];

fn main() {
    // Diagram packages recurse.
    let work = std::thread::Builder::new().stack_size(1 << 29).spawn(|| {
        formulas();
        models();
    });
    work.unwrap().join().unwrap();
}

fn options(successors: Successors) -> Options {
    let seconds = std::env::var("LWAA_SECONDS").ok().and_then(|text| text.parse().ok());
    let time = Some(Duration::from_secs(seconds.unwrap_or(5)));
    let limits = Limits { time, memory: Some(4 << 30), ..Limits::default() };
    let successors = Some(successors);
    let exploration = Exploration { pure: true, successors, ..Exploration::default() };
    Options { method: exploration.into(), limits, ..Options::default() }
}

/// Seconds as text; nothing if there is no answer.
fn text(seconds: Option<f64>) -> String {
    seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.4}"))
}

/// How long it takes to find out whether `formula` is satisfiable.
fn satisfiable(formula: &Formula, successors: Successors) -> Option<f64> {
    let start = Instant::now();
    let monitor = Monitor::default();
    let answer = satisfiable_with::<bdd::Default>(formula, &options(successors), &monitor).unwrap();
    let is_known = !matches!(answer.satisfiability, Satisfiability::Unknown(_));
    is_known.then(|| start.elapsed().as_secs_f64())
}

fn formulas() {
    println!("family,n,bdd,direct");
    for family in family::FAMILIES {
        let mut alive = [true; 2];
        for n in [4, 8, 16, 32, 64, 128, 256] {
            let Ok(formula) = family.formula(n) else { continue };
            let mut row = [None; 2];
            for (index, &way) in WAYS.iter().enumerate().filter(|&(index, _)| alive[index]) {
                row[index] = satisfiable(&formula, way);
            }
            alive = row.map(|seconds| seconds.is_some());
            println!("{},{n},{},{}", family.name, text(row[0]), text(row[1]));
            if alive == [false; 2] {
                break;
            }
        }
    }
}

/// The models, their properties and what is assumed of who moves.
const MODELS: &[(&str, &[i64], &str, Fair)] = &[
    ("philosophers_inverted", &[6, 7, 8], "someone_eats", Fair::Nothing),
    ("philosophers_fair_inverted", &[4, 5, 6], "first_eats", Fair::Processes(Strength::Strong)),
    ("philosophers", &[6, 7, 8], "neighbours_differ", Fair::Nothing),
];

fn models() {
    println!("model,n,property,bdd,direct");
    for &(name, sizes, property, fair) in MODELS {
        for &n in sizes {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("models/lwm/{name}.lwm"));
            let text_of = std::fs::read_to_string(path).unwrap();
            let definition = Definition { name: "N".to_owned(), value: n };
            let model = lwm::read(&text_of, &[definition]).unwrap();
            let known = model.properties.iter().find(|known| known.name == property).unwrap();
            let formulas = std::slice::from_ref(&known.formula);
            let row = WAYS.map(|way| {
                let options =
                    ModelOptions { fair, options: options(way), ..ModelOptions::default() };
                let start = Instant::now();
                let monitor = Monitor::default();
                let found = check(&model, formulas, &options, &monitor, &mut |_, _| ()).unwrap();
                let is_known = !matches!(found[0].verdict, Verdict::Unknown(_));
                is_known.then(|| start.elapsed().as_secs_f64())
            });
            println!("{name},{n},{property},{},{}", text(row[0]), text(row[1]));
        }
    }
}
