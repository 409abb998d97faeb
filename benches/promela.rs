//! How long does a Spin user wait for a verdict? `lwaa check` against `spin -a`,
//! `gcc -O2` and `pan -a`, from text to verdict, both as they are by default: with reduction.
//!
//! `cargo bench --bench promela` needs `spin` and `gcc`. Every property in `ltl` of
//! the models in `models/promela`, of the public models in `../shared/data/promela`,
//! and every published LTL property of the Promela versions of BEEM in
//! `../shared/data/beem` whose propositions can be said in Promela: they are written
//! into a copy of the model, which both get. One process after the other; a limit of
//! 120 s and 8 GB. `pan` gets the first of two stacks that is deep enough, because a
//! deep one takes time by itself. Seconds are of processor time, all programs here have
//! one thread: so others may work beside it. Prints one CSV line per
//! property, and the geometric means of the ratios below and from 10⁵ states on.
//! Words as arguments select models by name.

#![allow(clippy::print_stdout, reason = "a benchmark reports on standard output")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failed measurement")]

#[allow(dead_code, reason = "tests need more of it")]
#[path = "../tests/beem/data.rs"]
mod data;
#[path = "../tests/beem/macros.rs"]
mod macros;
#[path = "../tests/beem/properties.rs"]
mod properties;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use wait4::Wait4;

/// Seconds for one answer.
const LIMIT: &str = "120";
/// Depths of `pan`'s stack: the first that suffices counts.
const DEPTHS: [&str; 2] = ["-m100000", "-m20000000"];
/// Models with at least as many states are large.
const LARGE: usize = 100_000;

/// A property of a model.
struct Case {
    model: String,
    property: String,
    path: PathBuf,
}

/// What a tool says, and when.
struct Answer {
    verdict: String,
    seconds: f64,
}

fn main() {
    if Command::new("spin").arg("-V").output().is_err() {
        println!("skipped: there is no spin");
        return;
    }
    let wanted: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let folder = std::env::temp_dir().join(format!("lwaa-promela-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    println!("model,states,property,pan,lwaa,spin -a s,gcc s,pan s,lwaa s,ratio");
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for case in cases(&folder) {
        if !wanted.is_empty() && !wanted.iter().any(|word| case.model.contains(word.as_str())) {
            continue;
        }
        let states = n_states(&case.path);
        let (translate, compile, pan) = by_spin(&case, &folder);
        let ours = by_lwaa(&case);
        let total = translate + compile + pan.seconds;
        let ratio = ours.seconds / total;
        println!(
            "{},{states},{},{},{},{translate:.2},{compile:.2},{:.2},{:.3},{ratio:.4}",
            case.model, case.property, pan.verdict, ours.verdict, pan.seconds, ours.seconds
        );
        let is_decided = |answer: &Answer| matches!(&*answer.verdict, "holds" | "violated");
        if is_decided(&pan) || is_decided(&ours) {
            if states < LARGE { &mut small } else { &mut large }.push(ratio);
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    for (what, ratios) in [("below", &small), ("from", &large)] {
        let mean = geometric_mean(ratios);
        println!(
            "{} properties of models {what} {LARGE} states: geometric mean {mean:.3}",
            ratios.len()
        );
    }
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    let n_ratios = f64::from(u32::try_from(ratios.len().max(1)).unwrap());
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / n_ratios).exp()
}

/// All properties of all models, in the order of names.
fn cases(folder: &Path) -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut cases = Vec::new();
    for models in [root.join("models/promela"), root.join("../shared/data/promela")] {
        for path in files(&models, "pml") {
            for property in stated(&std::fs::read_to_string(&path).unwrap()) {
                let model = path.file_stem().unwrap().to_string_lossy().into_owned();
                cases.push(Case { model, property, path: path.canonicalize().unwrap() });
            }
        }
    }
    let Some(beem) = data::folder() else { return cases };
    let mut instances: Vec<PathBuf> = Vec::new();
    for model in std::fs::read_dir(beem).unwrap() {
        instances.extend(files(&model.unwrap().path(), "pm"));
    }
    instances.sort();
    for path in instances {
        let instance = path.file_stem().unwrap().to_string_lossy().into_owned();
        let model = instance.split('.').next().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for stated in properties::properties(model, &instance) {
            let Some(formula) = in_promela(&stated.formula, &text) else { continue };
            if stated.is_reachability || stated.holds.is_none() {
                continue;
            }
            let property = format!("property_{}", stated.number);
            let copy = folder.join(format!("{instance}.{}.pml", stated.number));
            std::fs::write(&copy, format!("{text}\nltl {property} {{ {formula} }}\n")).unwrap();
            cases.push(Case { model: instance.clone(), property, path: copy });
        }
    }
    cases
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// The names of properties that a model states.
fn stated(text: &str) -> Vec<String> {
    let name = |line: &str| {
        let rest = line.trim().strip_prefix("ltl")?.strip_prefix(char::is_whitespace)?;
        let name =
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
        name.filter(|_| rest.contains(['{', '$'])).map(str::to_owned)
    };
    let mut names: Vec<String> = text.lines().filter_map(name).collect();
    names.dedup();
    names.sort();
    names.dedup();
    names
}

/// A formula about a DVE model as one about its Promela version, if it can be said there:
/// `P_0.CS` is `P_0@CS`, and variables have the same names.
fn in_promela(formula: &str, text: &str) -> Option<String> {
    let mut result = String::new();
    for (number, part) in formula.split('"').enumerate() {
        if number % 2 == 0 {
            let temporal = part.replace("->", " -> ");
            let spaced = |c: char| match c {
                'G' => "[] ".to_owned(),
                'F' => "<> ".to_owned(),
                'R' => " V ".to_owned(),
                'U' => " U ".to_owned(),
                other => other.to_string(),
            };
            result.extend(temporal.chars().map(spaced));
            continue;
        }
        let mut expression = String::new();
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len()).max(first.len_utf8());
            let (word, behind) = rest.split_at(len);
            rest = behind;
            match word {
                "and" => expression.push_str("&&"),
                "or" => expression.push_str("||"),
                "not" => expression.push('!'),
                _ if first.is_ascii_alphabetic() && rest.starts_with('.') => {
                    let label = &rest[1..];
                    let len = label.find(|c| !is_word(c)).unwrap_or(label.len());
                    if !text.contains(&format!("{}:", &label[..len])) {
                        return None;
                    }
                    expression.extend([word, "@", &label[..len]]);
                    rest = &label[len..];
                }
                _ if first.is_ascii_alphabetic() && !text.contains(word) => return None,
                _ if rest.starts_with("->") && first.is_ascii_alphabetic() => {
                    expression.extend([word, ":"]);
                    rest = &rest[2..];
                }
                _ => expression.push_str(word),
            }
        }
        result.extend(["(", &expression, ")"]);
    }
    Some(result)
}

/// How many states the model has, or [`LARGE`] if these or more.
fn n_states(path: &Path) -> usize {
    let limit = LARGE.to_string();
    let (_, said) = lwaa(path, &["explore", "--states", &limit]);
    let count = said.split_whitespace().nth(1).and_then(|word| word.parse().ok());
    count.filter(|_| said.starts_with("states")).unwrap_or(LARGE)
}

fn lwaa(path: &Path, arguments: &[&str]) -> (f64, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lwaa"));
    command.args(arguments);
    timed(command.args(["--memory", "8G", "--time", &format!("{LIMIT}s")]).arg(path))
}

/// Seconds of processor time of a command, with what it has started, and what it prints.
fn timed(command: &mut Command) -> (f64, String) {
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut said = Vec::new();
    process.stdout.take().unwrap().read_to_end(&mut said).unwrap();
    let used = process.wait4().unwrap().rusage;
    let seconds = (used.utime + used.stime).as_secs_f64();
    (seconds, String::from_utf8_lossy(&said).into_owned())
}

fn by_lwaa(case: &Case) -> Answer {
    let (seconds, said) = lwaa(&case.path, &["check", "--prop", &case.property]);
    Answer { verdict: said.lines().next().unwrap_or("nothing").to_owned(), seconds }
}

/// Seconds of `spin -a` and of `gcc`, and what `pan` says.
fn by_spin(case: &Case, folder: &Path) -> (f64, f64, Answer) {
    let timed = |program: &str, arguments: &[&str]| {
        timed(Command::new(program).args(arguments).current_dir(folder))
    };
    let (translate, _) = timed("spin", &["-a", &case.path.to_string_lossy()]);
    let compiler = ["-O2", "-w", "-DMEMLIM=8000", "-o", "pan", "pan.c"];
    let (compile, _) = timed("gcc", &compiler);
    let mut answer = Answer { verdict: "unknown".to_owned(), seconds: 0.0 };
    for depth in DEPTHS {
        let pan = [LIMIT, "./pan", "-a", "-n", depth, "-N", &case.property];
        let (seconds, said) = timed("timeout", &pan);
        let errors = said.lines().find_map(|line| line.split("errors: ").nth(1));
        let is_whole = !said.contains("Search not completed");
        let verdict = match errors.map(str::trim) {
            Some("0") if is_whole => "holds",
            Some("0") | None => "unknown",
            Some(_) => "violated",
        };
        answer = Answer { verdict: verdict.to_owned(), seconds };
        if !said.contains("max search depth too small") {
            break;
        }
    }
    let _ = std::fs::remove_file(folder.join("pan.c"));
    (translate, compile, answer)
}
