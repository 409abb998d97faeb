//! Does `explore` keep up with Spin? States per second and bytes per state on
//! the models of the BEEM set that exist in both languages.
//!
//! `cargo bench --bench spin` needs `spin` and `gcc`, and the models in
//! `../shared/data/beem` or where `LWAA_BEEM` says. Of every instance with 10⁵
//! to 10⁷ states it runs, one after the other and each as a process of its
//! own: `spin -a`, `gcc -O2 -DNOREDUCE -DSAFETY`, `./pan`; the same with
//! `-DCOLLAPSE`; `lwaa explore --store exact`; `lwaa explore --store tree`. The
//! time is that of the search, as each tool states it; bytes per state are
//! those of stored states, for Spin without its hash table, for us with it. A
//! `pan` that has not finished within a minute is measured until then.
//! Prints one CSV line per model, and the geometric means. Names of instances
//! as arguments select.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// What one run says of itself.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    states: f64,
    seconds: f64,
    state_bytes: f64,
}

impl Run {
    fn per_second(self) -> f64 {
        self.states / self.seconds.max(0.001)
    }

    fn bytes_per_state(self) -> f64 {
        self.state_bytes / self.states
    }
}

fn main() {
    let folder = std::env::var_os("LWAA_BEEM").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/beem"),
        PathBuf::from,
    );
    let Ok(index) = std::fs::read_to_string(folder.join("INDEX-instances.tsv")) else {
        println!("skipped: there are no models in {}", folder.display());
        return;
    };
    if Command::new("spin").arg("-V").output().is_err() {
        println!("skipped: there is no spin");
        return;
    }
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    println!(
        "instance,pan states,pan s,pan states/s,collapse bytes/state,lwaa states,exact s,\
         exact states/s,exact bytes/state,tree s,tree states/s,tree bytes/state"
    );
    let (mut speed, mut size) = (Vec::new(), Vec::new());
    for line in index.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (model, instance) = (columns[0], columns[1]);
        let published: f64 = columns[2].parse().unwrap_or(0.0);
        let promela = folder.join(model).join(format!("{instance}.pm"));
        let dve = folder.join(model).join(format!("{instance}.dve"));
        let selected = wanted.is_empty() || wanted.iter().any(|name| name == instance);
        if !selected || !promela.exists() || !(1e5..=1e7).contains(&published) {
            continue;
        }
        let (plain, collapsed) = (pan(&promela, &[]), pan(&promela, &["-DCOLLAPSE"]));
        let (exact, tree) = (lwaa(&dve, "exact"), lwaa(&dve, "tree"));
        println!(
            "{instance},{},{:.2},{:.0},{:.1},{},{:.2},{:.0},{:.1},{:.2},{:.0},{:.1}",
            plain.states,
            plain.seconds,
            plain.per_second(),
            collapsed.bytes_per_state(),
            exact.states,
            exact.seconds,
            exact.per_second(),
            exact.bytes_per_state(),
            tree.seconds,
            tree.per_second(),
            tree.bytes_per_state(),
        );
        if 0.0 < plain.states && 0.0 < exact.states {
            speed.push(exact.per_second() / plain.per_second());
            size.push(tree.bytes_per_state() / collapsed.bytes_per_state());
        }
    }
    println!("geometric mean over {} models:", speed.len());
    println!("  states per second, exact against pan: {:.2}", geometric_mean(&speed));
    println!("  bytes per state, tree against collapse: {:.2}", geometric_mean(&size));
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    let n_ratios = f64::from(u32::try_from(ratios.len()).unwrap());
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n_ratios).exp()
}

/// Compiles and runs Spin's verifier.
fn pan(model: &Path, options: &[&str]) -> Run {
    let folder = std::env::temp_dir().join(format!("lwaa-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let in_folder = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let model = model.canonicalize().unwrap();
    in_folder("spin", &["-a", model.to_str().unwrap()]);
    let compile = ["-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=16000", "-o", "pan", "pan.c"];
    in_folder("gcc", &[&compile[..], options].concat());
    // All errors are counted and none stops the search: no deadlocks, no
    // assertions, a stack that is deep enough.
    // Some translations have many more states than their originals; after a
    // minute pan is asked to stop, and says what it has.
    let search = ["-s", "INT", "60", "./pan", "-E", "-A", "-c0", "-n", "-m20000000"];
    let text = in_folder("timeout", &search);
    std::fs::remove_dir_all(&folder).unwrap();
    let number = |line_with: &str, word: usize| -> f64 {
        text.lines()
            .find(|line| line.contains(line_with))
            .and_then(|line| line.split_whitespace().nth(word))
            .and_then(|word| word.parse().ok())
            .unwrap_or(0.0)
    };
    Run {
        states: number("states, stored", 0),
        seconds: number("elapsed time", 3),
        state_bytes: number("actual memory usage for states", 0) * 1024.0 * 1024.0,
    }
}

/// Runs `lwaa explore`.
fn lwaa(model: &Path, store: &str) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_lwaa"))
        .args(["explore", "--json", "--store", store])
        .arg(model)
        .output()
        .unwrap();
    let answer: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or(serde_json::Value::Null);
    let number = |value: &serde_json::Value| value.as_f64().unwrap_or(0.0);
    Run {
        states: number(&answer["states"]),
        seconds: number(&answer["statistics"]["seconds"]),
        state_bytes: number(&answer["statistics"]["state_bytes"]),
    }
}
