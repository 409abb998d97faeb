//! Public benchmark formulas, where they are installed beside this project.
//!
//! They are other people's data and no part of the project. The folder is
//! `../shared/data`, or what the environment variable `LWAA_DATA` says; where
//! it is missing, each test says that it is skipped.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::Formula;
use lwaa::ltl::family;
use lwaa::ltl::parse::{Syntax, parse};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The benchmark files under `folder`, or `None`, said aloud, where they are
/// not installed.
fn benchmark_files(folder: &str) -> Option<Vec<PathBuf>> {
    let root = match std::env::var_os("LWAA_DATA") {
        Some(root) => PathBuf::from(root),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
    };
    let root = root.join(folder);
    let Ok(entries) = std::fs::read_dir(&root) else {
        let _ = writeln!(std::io::stderr(), "skipped: no benchmark data in {folder}");
        return None;
    };
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.sort();
    Some(files)
}

/// Parses `formula` and what is printed of it.
#[track_caller]
fn check_benchmark(text: &str, syntax: Syntax) {
    let formula = parse(text, syntax).unwrap_or_else(|error| panic!("{error}: {text:.200}"));
    let again = parse(&formula.to_string(), Syntax::Lwaa);
    assert!(again.as_ref() == Ok(&formula), "{formula}");
}

#[test]
fn benchmarks_in_the_default_syntax() {
    let mut n_formulas = 0;
    for file in benchmark_files("ltl-sat").unwrap_or_default() {
        let text = std::fs::read_to_string(&file).unwrap();
        for line in text.lines().skip(1) {
            check_benchmark(line.split('\t').nth(3).unwrap(), Syntax::Lwaa);
            n_formulas += 1;
        }
    }
    for file in benchmark_files("ltl-families").unwrap_or_default() {
        if file.extension().is_some_and(|extension| extension == "ltl") {
            let text = std::fs::read_to_string(&file).unwrap();
            text.lines().for_each(|line| check_benchmark(line, Syntax::Lwaa));
            n_formulas += text.lines().count();
        }
    }
    assert!(n_formulas == 0 || 2000 < n_formulas, "{n_formulas}");
}

#[test]
fn benchmarks_in_the_syntax_of_spot() {
    let mut n_formulas = 0;
    for folder in ["", "bench/dtgbasat", "bench/emptchk", "bench/spin13", "bench/emptchk/models"] {
        for file in benchmark_files(&format!("ltl-patterns/{folder}")).unwrap_or_default() {
            if file.extension().is_some_and(|extension| extension == "ltl")
                || file.ends_with("formulas")
            {
                let text = std::fs::read_to_string(&file).unwrap();
                let formulas =
                    text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
                for line in formulas {
                    check_benchmark(line, Syntax::Spot);
                    n_formulas += 1;
                }
            }
        }
    }
    assert!(n_formulas == 0 || 1000 < n_formulas, "{n_formulas}");
}

#[test]
fn families_are_those_of_the_files() {
    let mut n_formulas = 0;
    for file in benchmark_files("ltl-families").unwrap_or_default() {
        if !file.ends_with("INDEX.tsv") {
            continue;
        }
        let index = std::fs::read_to_string(&file).unwrap();
        for row in index.lines().skip(1) {
            let columns: Vec<&str> = row.split('\t').collect();
            let [name, numbers, file_name, line, expected, ..] = columns[..] else {
                panic!("{row}");
            };
            let text = std::fs::read_to_string(file.with_file_name(file_name)).unwrap();
            let line: usize = line.parse().unwrap();
            let written = parse(text.lines().nth(line - 1).unwrap(), Syntax::Lwaa).unwrap();
            let family = family::find(name).unwrap_or_else(|| panic!("no family {name}"));
            let built = match numbers.split_once(',') {
                Some((n, k)) => sejk_f(n.parse().unwrap(), k.parse().unwrap()),
                None => family.formula(numbers.parse().unwrap()).unwrap(),
            };
            assert!(built == written, "{name} {numbers}: {built:.200}, not {written:.200}");
            assert_eq!(family.satisfiable, expected == "SAT", "{name}");
            n_formulas += 1;
        }
    }
    assert!(n_formulas == 0 || 900 < n_formulas, "{n_formulas}");
}

#[test]
fn families_of_rozier_and_vardi_are_those_of_the_files() {
    let mut n_formulas = 0;
    for file in benchmark_files("ltl-sat").unwrap_or_default() {
        if !file.ends_with("rozier.tsv") {
            continue;
        }
        for row in std::fs::read_to_string(&file).unwrap().lines().skip(1) {
            let columns: Vec<&str> = row.split('\t').collect();
            let [name, expected, _, text] = columns[..] else { panic!("{row}") };
            let parts: Vec<&str> = name.split('/').collect();
            let ["rozier", "counter" | "pattern", group, instance] = parts[..] else { continue };
            let n = instance.strip_prefix(group).unwrap().parse().unwrap();
            let family = match group {
                "counter" => "counter",
                "counterCarry" => "counter-carry",
                "counterCarryLinear" => "counter-carry-linear",
                "counterLinear" => "counter-linear",
                pattern => pattern.strip_suffix("formula").unwrap(),
            };
            let family = family::find(family).unwrap_or_else(|| panic!("no family {family}"));
            let built = family.formula(n).unwrap();
            let written = parse(text, Syntax::Lwaa).unwrap();
            assert!(built == written, "{name}: {built:.900}, not {written:.900}");
            assert!(family.satisfiable && expected != "unsat", "{name}");
            n_formulas += 1;
        }
    }
    assert!(n_formulas == 0 || 150 < n_formulas, "{n_formulas}");
}

/// Formulas of up to a thousand fairness constraints, most of which would be
/// exponential if anything had to be guessed.
#[test]
fn fairness_families_have_the_known_answers() {
    let Some(files) = benchmark_files("ltl-families") else { return };
    let index = files.iter().find(|file| file.ends_with("INDEX.tsv")).unwrap();
    let folder = index.parent().unwrap();
    let is_about_fairness = |family: &str| {
        [
            "sf-",
            "wf-",
            "go-theta",
            "sejk-j",
            "sejk-k",
            "and-gf",
            "and-fg",
            "or-",
            "gf-implies",
            "gf-equiv",
        ]
        .iter()
        .any(|name| family.starts_with(name))
            && !family.ends_with("-xn")
    };
    let mut n_formulas = 0;
    for line in std::fs::read_to_string(index).unwrap().lines().skip(1) {
        let [family, n, file, number, expected, _] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{line}");
        };
        if !is_about_fairness(family) {
            continue;
        }
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let formula = text.lines().nth(number.parse::<usize>().unwrap() - 1).unwrap();
        let formula = parse(formula, Syntax::Lwaa).unwrap();
        let answer = lwaa::satisfiable(&formula, &lwaa::Options::default()).unwrap();
        let is_satisfiable = matches!(answer.satisfiability, lwaa::Satisfiability::Satisfiable(_));
        assert_eq!(if is_satisfiable { "SAT" } else { "UNSAT" }, expected, "{family} {n}");
        n_formulas += 1;
    }
    assert!(400 < n_formulas, "{n_formulas}");
}

/// The formula `sejk-f` with both its parameters: `n` nested untils, and `k` times `X` in the
/// innermost. The family of this name has no `X`.
fn sejk_f(n: usize, k: usize) -> Formula {
    let innermost = format!("GF a0 U {}b", "X ".repeat(k));
    let text = (1..=n).fold(innermost, |inner, index| format!("GF a{index} U G({inner})"));
    Formula::parse(&text).unwrap()
}
