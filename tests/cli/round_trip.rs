//! Formulas that are written are read again, in every language: by the library, and by
//! `replay` from trace files and from the output of `check --json`.

use crate::program::{Folder, lwaa};
use lwaa::Formula;
use lwaa::lang::{self, Demand, Model};
use lwaa::ltl::print::{Dialect, atom_text, print};
use lwaa::testbench::Random;
use lwaa::testbench::random_formula::{Options, random_formula};
use std::path::{Path, PathBuf};

/// Models, and formulas about them as they are typed. Together they have atoms of every
/// kind that a language knows.
const TYPED: &[(&str, &[&str])] = &[
    (
        "lwm/dekker.lwm",
        &[
            "forall i in 0..1: G F critical(i)",
            "exists i in 0..1: F taken(dekker(i))",
            "G (enabled(dekker(0)) -> F taken(dekker(0))) & G F \"wants[1]\"",
            "X X (turn == 0 U wants[0] ^ wants[1])",
        ],
    ),
    ("lwm/peterson.lwm", &["G !(level[0] == 1 && last[1] + 1 == 2)"]),
    (
        "dve/swap.dve",
        &[
            "G \"First.kept == 0\"",
            "G F taken(First) W enabled(Second)",
            "F G (taken(Second) M \"First.ready || left == 1\")",
        ],
    ),
    (
        "promela/peterson.pml",
        &[
            "[] (critical == 1)",
            "[]<> (P[0]@cs && turn)",
            "<> (P[1]@cs & critical | turn)",
            "X (turn -> critical <= 1) U (critical & 1)",
            "G (\"turn\" & \"critical\")",
        ],
    ),
    ("promela/remote.pml", &["[] (P[1]:mine < 2)", "<>[] np_", "[] (_last == 1)"]),
    (
        "esml/mutex.esml",
        &["G (t1 -> F c1)", "G F taken(User[0])", "F enabled(Semaphore) ^ G !c1", "G F \"c1\""],
    ),
    ("kripke/light.kripke", &["F green", "G (\"all red\" -> X X !green) M red"]),
];

fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models")
}

fn read(path: &Path) -> Model {
    let text = std::fs::read_to_string(path).unwrap();
    let extension = path.extension().unwrap().to_str().unwrap();
    lang::read(extension, &text, &[]).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A random formula over atoms of a model, in our own syntax.
fn random_text(atoms: &[String], random: &mut Random) -> String {
    let options = Options { n_atoms: atoms.len(), ..Options::default() };
    let text = print(&random_formula(&options, random), Dialect::Lwaa);
    let rename = |word: &str| match word.strip_prefix('p').and_then(|rest| rest.parse().ok()) {
        Some::<usize>(number) => atom_text(&atoms[number], Dialect::Lwaa),
        None => word.to_owned(),
    };
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let mut renamed = String::new();
    let mut rest = text.as_str();
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        renamed.push_str(&rename(&rest[..end]));
        rest = &rest[end..];
    }
    renamed
}

/// Every formula that a shipped model states or that is typed here, and random ones over
/// their atoms, are read as they were printed.
#[test]
fn what_is_printed_is_read() {
    let mut random = Random::new(3);
    let mut n_formulas = 0;
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in std::fs::read_dir(shipped()).unwrap().map(|entry| entry.unwrap().path()) {
        let Ok(files) = std::fs::read_dir(folder) else { continue };
        let is_model = |path: &PathBuf| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.and_then(lang::Language::find).is_some()
        };
        paths.extend(files.map(|entry| entry.unwrap().path()).filter(is_model));
    }
    paths.sort();
    for path in paths {
        let model = read(&path);
        let mut formulas: Vec<Formula> =
            model.properties.iter().map(|property| property.formula.clone()).collect();
        let typed = TYPED.iter().filter(|(name, _)| path.ends_with(name));
        for text in typed.flat_map(|(_, texts)| *texts) {
            formulas.push(model.bindings.formula(text).unwrap());
        }
        let mut atoms: Vec<String> = Vec::new();
        for formula in &formulas {
            atoms.extend(formula.atoms().iter().map(|(_, name)| name.to_owned()));
        }
        atoms.sort();
        atoms.dedup();
        for _ in 0..if atoms.is_empty() { 0 } else { 10 } {
            formulas.push(Formula::parse(&random_text(&atoms, &mut random)).unwrap());
        }
        for formula in formulas {
            n_formulas += 1;
            let text = formula.to_string();
            let asked = std::slice::from_ref(&formula);
            let made = model.bindings.remade(Demand::Formulas(asked)).unwrap();
            let model = made.as_ref().unwrap_or(&model);
            let again = model.printed_formula(&text).unwrap_or_else(|error| {
                panic!("{}: {text}: {error}", path.display());
            });
            assert_eq!(again.to_string(), text, "{}", path.display());
            // In Promela a text without quotation marks is in Spin's syntax.
            if path.extension().is_none_or(|extension| extension != "pml") || text.contains('"') {
                let typed = model.bindings.formula(&text).unwrap();
                assert_eq!(typed.to_string(), text, "{}", path.display());
            }
        }
    }
    assert!(200 < n_formulas, "{n_formulas}");
}

/// Asks for a run and replays it, from a trace file and from JSON; whether there was one.
fn replay(folder: &Folder, model: &str, formula: &str, exists: bool) -> bool {
    let trace = folder.path().join("run.json").to_str().unwrap().to_owned();
    let mut asked = vec!["check", model, "-f", formula, "--json"];
    asked.extend(exists.then_some("--exists"));
    let found = lwaa(&[&asked[..], &["--trace", &trace]].concat());
    let verdict = if exists { "a run exists" } else { "violated" };
    if !found.stdout.contains(&format!("\"verdict\":\"{verdict}\",\"results\"")) {
        assert!(matches!(found.code, Some(0 | 1)), "{model} {formula}: {found:?}");
        return false;
    }
    let answer = folder.file("answer.json", &found.stdout);
    let object: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    let written = object["results"][0]["formula"].as_str().unwrap();
    let verb = if exists { "satisfies" } else { "violates" };
    for file in [&trace, &answer] {
        let replayed = lwaa(&["replay", model, file]);
        assert_eq!(replayed.code, Some(0), "{model} {formula}: {replayed:?}");
        let second = replayed.stdout.lines().nth(1);
        assert_eq!(second, Some(format!("it {verb} {written}").as_str()), "{model}: {formula}");
    }
    true
}

#[test]
fn replay_says_what_the_formula_is_on_the_run() {
    let folder = Folder::new("round-trip");
    let mut random = Random::new(5);
    for (name, typed) in TYPED {
        let path = shipped().join(name);
        let model = read(&path);
        let path = path.to_str().unwrap();
        let mut n_replayed = 0;
        let mut atoms: Vec<String> = Vec::new();
        for text in *typed {
            n_replayed += usize::from(replay(&folder, path, text, false));
            n_replayed += usize::from(replay(&folder, path, text, true));
            let formula = model.bindings.formula(text).unwrap();
            atoms.extend(formula.atoms().iter().map(|(_, name)| name.to_owned()));
        }
        for round in 0..4 {
            let text = random_text(&atoms, &mut random);
            // Quotation marks say which syntax it is.
            if text.contains('"') {
                n_replayed += usize::from(replay(&folder, path, &text, round % 2 == 0));
            }
        }
        assert!(0 < n_replayed, "{name}");
    }
}

/// Where nothing can be said about the formula, the reason is.
#[test]
fn replay_is_never_silent_about_the_formula() {
    let folder = Folder::new("no-silence");
    let model = shipped().join("kripke/light.kripke").to_str().unwrap().to_owned();
    let trace = folder.path().join("run.json").to_str().unwrap().to_owned();
    lwaa(&["check", &model, "-f", "F green", "--trace", &trace]);
    let text = std::fs::read_to_string(&trace).unwrap();
    let second_line = |formula: &str| {
        let (from, to) = ("\"formula\":\"F green\"", format!("\"formula\":{formula}"));
        assert!(text.contains(from), "{text}");
        let changed = folder.file("changed.json", text.replacen(from, &to, 1));
        let run = lwaa(&["replay", &model, &changed]);
        assert_eq!(run.code, Some(0), "{run:?}");
        run.stdout.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(second_line("\"F green\""), "it violates F green");
    assert_eq!(
        second_line("\"F blue\""),
        "it is not known whether it satisfies F blue: the formula cannot be read: \
         the structure has no atom `blue`"
    );
    assert_eq!(
        second_line("\"F (green\""),
        "it is not known whether it satisfies F (green: the formula cannot be read: \
         this is never closed"
    );
    assert_eq!(second_line("null"), "it has no formula");
    let claims = shipped().join("promela/claims.pml").to_str().unwrap().to_owned();
    let run = lwaa(&["check", &claims, "--trace", &trace]);
    let violated = run.stdout.lines().find_map(|line| line.strip_suffix(": violated")).unwrap();
    let run = lwaa(&["replay", &claims, &trace]);
    assert_eq!(run.stdout.lines().nth(1), Some(&*format!("it violates {violated}")));
    let stuck = folder.file("p.pml", "byte x; active proctype P() { x = 1; x == 2 }");
    lwaa(&["check", &stuck, "-f", "[] (x < 9)", "--deadlock", "report", "--trace", &trace]);
    let run = lwaa(&["replay", &stuck, &trace]);
    assert_eq!(
        run.stdout.lines().nth(1),
        Some("it is not known whether it satisfies G \"x<9\": the run is finite")
    );
}
