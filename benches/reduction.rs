//! How many states does reduction leave, beside Spin's?
//!
//! `cargo bench --bench reduction` explores the models in `models/promela`, the public models in
//! `../shared/data/promela` and the Promela versions of BEEM in `../shared/data/beem` with
//! `--reduce off` and `on`, and with `pan` and its default reduction, if there are `spin` and `gcc`; and the
//! originals of BEEM, in DVE, with `off` and `on`. A limit of 8 s for each. Prints one CSV line per model
//! (nothing where a limit was reached) and geometric means. Words as arguments select models by
//! their paths.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Seconds for one exploration.
const LIMIT: &str = "8";

/// States and seconds, if the exploration came to its end.
type Count = Option<(f64, f64)>;

fn main() {
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let has_spin = Command::new("spin").arg("-V").output().is_ok();
    println!("model,pan states,spin and gcc and pan s,all states,s,states,s,of all,of pan");
    let (mut of_all, mut of_pan) = (Vec::new(), Vec::new());
    for path in models() {
        let name = path.to_string_lossy().into_owned();
        if !wanted.is_empty() && !wanted.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let is_promela = path.extension().is_some_and(|extension| extension != "dve");
        let pan = if is_promela && has_spin { pan(&path) } else { None };
        let (all, reduced) = (lwaa(&path, "off"), lwaa(&path, "on"));
        let ratio = |of: Count| Some(reduced?.0 / of?.0);
        let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.3}"));
        let count = |count: Count| match count {
            Some((states, seconds)) => format!("{states},{seconds:.2}"),
            None => ",".to_owned(),
        };
        println!(
            "{},{},{},{},{},{}",
            path.file_name().unwrap().to_string_lossy(),
            count(pan),
            count(all),
            count(reduced),
            shown(ratio(all)),
            shown(ratio(pan))
        );
        of_all.extend(ratio(all));
        of_pan.extend(ratio(pan));
    }
    println!("states of all, {} models: {:.3}", of_all.len(), geometric_mean(&of_all));
    println!("states of pan, {} models: {:.3}", of_pan.len(), geometric_mean(&of_pan));
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    let n_ratios = f64::from(u32::try_from(ratios.len().max(1)).unwrap());
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n_ratios).exp()
}

/// All models, in the order of their paths.
fn models() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open = vec![root.join("models/promela"), root.join("../shared/data/promela")];
    open.push(root.join("../shared/data/beem"));
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                open.push(path);
            } else if ["pml", "pm", "dve"].contains(&&*extension) {
                found.push(path.canonicalize().unwrap());
            }
        }
    }
    found.sort();
    found
}

/// Compiles and runs Spin's verifier, with its default reduction.
fn pan(model: &Path) -> Count {
    let folder = std::env::temp_dir().join(format!("lwaa-reduction-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let started = Instant::now();
    let in_folder = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    in_folder("spin", &["-a", model.to_str().unwrap()]);
    let compile = ["-O2", "-w", "-DSAFETY", "-DNOCLAIM", "-DMEMLIM=8000", "-o", "pan", "pan.c"];
    in_folder("gcc", &compile);
    // All errors are counted, and none stops the search.
    let is_compiled = folder.join("pan").exists();
    let search = [LIMIT, "./pan", "-c0", "-n", "-m2000000"];
    let text = if is_compiled { in_folder("timeout", &search) } else { String::new() };
    let seconds = started.elapsed().as_secs_f64();
    std::fs::remove_dir_all(&folder).unwrap();
    let line = text.lines().find(|line| line.contains("states, stored"))?;
    let states = line.split_whitespace().next()?.parse().ok()?;
    (!text.contains("Search not completed")).then_some((states, seconds))
}

/// Explores a model.
fn lwaa(model: &Path, reduce: &str) -> Count {
    let started = Instant::now();
    let limit = format!("{LIMIT}s");
    let output = Command::new(env!("CARGO_BIN_EXE_lwaa"))
        .args(["explore", "--json", "--memory", "8G", "--time", &limit, "--reduce", reduce])
        .arg(model)
        .output()
        .unwrap();
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let is_whole = answer["verdict"] == "explored" || answer["verdict"] == "model error";
    let states = answer["states"].as_f64().filter(|_| is_whole)?;
    Some((states, started.elapsed().as_secs_f64()))
}
