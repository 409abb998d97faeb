//! Spin agrees with us on Promela: on the number of states, and on verdicts.
//!
//! Needs `spin` and `gcc`; without them the tests say that they are skipped. Spin merges
//! statements and leaves out variables as it does by default; it is only asked not to reduce.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "shipped_models/table.rs"]
mod table;

use lwaa::baseline::translation::Translation;
use lwaa::check::explore::explore;
use lwaa::check::model::{Fair, ModelOptions, Question, SearchKind, check_all};
use lwaa::check::{Method, Options};
use lwaa::lang::Definition;
use lwaa::lang::program::Strength;
use lwaa::product::Deadlock;
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::verdict::Verdict;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use table::{Expected, Row};

/// Rows of the table about Promela, if there is a Spin.
fn rows_for_spin() -> Vec<Row> {
    let runs = |program: &str, argument| Command::new(program).arg(argument).output().is_ok();
    if !runs("spin", "-V") || !runs("gcc", "--version") {
        let text = "SKIPPED: this test needs spin and gcc\n";
        std::io::stderr().write_all(text.as_bytes()).unwrap();
        return Vec::new();
    }
    let is_promela = |row: &Row| row.path.extension().is_some_and(|extension| extension == "pml");
    let rows: Vec<Row> = table::rows().into_iter().filter(is_promela).collect();
    assert!(50 < rows.len());
    rows
}

/// What `pan` says about a model, compiled and run with these options.
fn pan(model: &Path, compiler: &[&str], options: &[&str]) -> String {
    let name = model.file_stem().unwrap().to_string_lossy();
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "-");
    let folder = std::env::temp_dir().join(format!("lwaa-{}-{thread}{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("spin", &["-a", &model.to_string_lossy()]);
    let always = ["-w", "-DNOREDUCE", "-o", "pan", "pan.c"];
    run("gcc", &[compiler, always.as_slice()].concat());
    let pan = folder.join("pan");
    let said = run(&pan.to_string_lossy(), options);
    std::fs::remove_dir_all(&folder).unwrap();
    said
}

/// The number before or behind some words.
fn number(said: &str, words: &str) -> Option<usize> {
    let line = said.lines().find(|line| line.contains(words))?;
    let (before, behind) = line.split_once(words)?;
    let of = |word: Option<&str>| word.and_then(|word| word.parse().ok());
    of(before.split_whitespace().last()).or_else(|| of(behind.split_whitespace().next()))
}

/// Does something with each row, on two threads.
fn each(rows: &[Row], with: impl Fn(&Row) -> Option<String> + Sync) {
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for half in rows.chunks(rows.len().div_ceil(2).max(1)) {
            scope.spawn(|| {
                let found: Vec<String> = half.iter().filter_map(&with).collect();
                wrong.lock().unwrap().extend(found);
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn spin_stores_as_many_states() {
    let counts = |row: &Row| matches!(row.expected, Expected::Counts { .. });
    let rows: Vec<Row> = rows_for_spin().into_iter().filter(counts).collect();
    each(&rows, |row| {
        let Expected::Counts { states, .. } = row.expected else { return None };
        let compiler = ["-DSAFETY", "-DNOCLAIM"];
        let said = pan(&row.path, &compiler, &["-c0", "-E", "-m100000"]);
        let stored = number(&said, "states, stored");
        (stored != Some(states))
            .then(|| format!("{}: {stored:?}, not {states}", row.path.display()))
    });
}

#[test]
fn spin_gives_the_same_verdicts() {
    let speaks = |row: &Row| matches!(row.expected, Expected::Verdict { .. });
    let rows: Vec<Row> = rows_for_spin().into_iter().filter(speaks).collect();
    each(&rows, |row| {
        let Expected::Verdict { property, holds } = &row.expected else { return None };
        // Labels of processes are looked for without any claim.
        let said = match property.as_str() {
            "accept" => pan(&row.path, &["-DNOCLAIM"], &["-a", "-m100000"]),
            _ => pan(&row.path, &[], &["-a", "-m100000", "-N", property]),
        };
        let errors = number(&said, "errors:");
        let is_same = errors.is_some_and(|errors| (errors == 0) == *holds);
        (!is_same).then(|| format!("{} {property}: {errors:?} errors", row.path.display()))
    });
}

/// A question that no formula asks: about a claim, or about progress.
struct Asked {
    path: PathBuf,
    is_fair: bool,
    /// The name of a claim, or `progress`.
    question: String,
    holds: bool,
}

fn asked() -> Vec<Asked> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/promela");
    let text = std::fs::read_to_string(folder.join("claims.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let [model, fair, question, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("no row of the table: {line}");
        };
        assert!(matches!(fair, "-" | "weak") && matches!(expected, "holds" | "violated"), "{line}");
        Asked {
            path: folder.join(model),
            is_fair: fair == "weak",
            question: question.to_owned(),
            holds: expected == "holds",
        }
    });
    rows.collect()
}

impl Asked {
    /// Whether we find that it holds.
    fn found(&self, options: ModelOptions) -> bool {
        let model = table::read(&self.path, &[]);
        let progress = model.bindings.progress().unwrap();
        let is_progress = self.question == "progress";
        let claim = model.bindings.claims().iter().find(|claim| claim.name == self.question);
        let question = claim.map_or(Question::Formula(&progress), Question::Claim);
        let fair = if self.is_fair { Fair::Processes(Strength::Weak) } else { Fair::Declared };
        assert!(claim.is_some() || is_progress, "{}", self.question);
        let deadlock = if is_progress { Deadlock::Ignore } else { Deadlock::Stutter };
        let options = ModelOptions { fair, deadlock, ..options };
        let found = check_all(&model, &[question], &options, &Monitor::default(), &mut |_| ());
        match &found.unwrap()[0].verdict {
            Verdict::Holds => true,
            Verdict::Violated(_) => false,
            other => panic!("{} {}: {other:?}", self.path.display(), self.question),
        }
    }
}

#[test]
fn claims_and_progress_are_as_the_table_says() {
    let nba = |search, store| {
        let method = Method::Automaton { translation: Translation::Gpvw, search: Some(search) };
        let options = Options { method, ..Options::default() };
        ModelOptions { options, store, ..ModelOptions::default() }
    };
    for row in asked() {
        let what = (&row.path, &row.question, row.is_fair);
        assert_eq!(row.found(ModelOptions::default()), row.holds, "{what:?}");
        if row.is_fair {
            continue;
        }
        for (search, store) in [
            (SearchKind::Scc, StoreKind::Tree),
            (SearchKind::Nested, StoreKind::Exact),
            (SearchKind::Magic, StoreKind::Exact),
            (SearchKind::Magic, StoreKind::Hybrid),
        ] {
            assert_eq!(row.found(nba(search, store)), row.holds, "{what:?} {search:?} {store:?}");
        }
    }
}

#[test]
fn the_table_speaks_of_every_claim() {
    let asked = asked();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/promela");
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "pml") {
            continue;
        }
        for claim in table::read(&path, &[]).bindings.claims() {
            let is_it = |row: &Asked| row.path == path && row.question == claim.name;
            assert!(asked.iter().any(is_it), "{}: {}", path.display(), claim.name);
        }
    }
}

#[test]
fn spin_agrees_on_claims_and_progress() {
    if rows_for_spin().is_empty() {
        return;
    }
    for row in asked() {
        let name = if row.question == "never" { "never_0" } else { &row.question };
        let mut options = match name {
            "progress" => vec!["-l"],
            name => vec!["-a", "-N", name],
        };
        if row.is_fair {
            options.push("-f");
        }
        let compiler: &[&str] = if name == "progress" { &["-DNP"] } else { &[] };
        let said = pan(&row.path, compiler, &[&options[..], &["-m100000"]].concat());
        let errors = number(&said, "errors:");
        let is_same = errors.is_some_and(|errors| (errors == 0) == row.holds);
        assert!(is_same, "{} {name}: {errors:?} errors", row.path.display());
    }
}

/// Models of others and how many states Spin stores of them.
const PUBLIC: &[(&str, usize)] = &[
    ("promela/Book_1991__p102.pml", 19),
    ("promela/Book_1991__p104.2.pml", 1594),
    ("promela/Book_1991__p123.pml", 24),
    ("promela/Exercises__ex_1f.pml", 7),
    ("promela/LTL__bakery.pml", 6196),
    ("promela/LTL__diskhead.pml", 217),
    ("promela/LTL__salesman2.pml", 798),
    ("promela/LTL__train.pml", 57482),
    ("promela/calculator.pml", 568),
    ("promela/eratosthenes.pml", 25295),
    ("promela/for_example.pml", 24),
    ("promela/leader0.pml", 15779),
    ("promela/leader_trace.pml", 15779),
    ("promela/loops.pml", 15),
    ("promela/welfare.pml", 53),
    ("beem/hanoi/hanoi.1.pm", 6563),
    ("beem/pouring/pouring.1.pm", 503),
    ("beem/protocols/protocols.1.pm", 2736),
    ("beem/rether/rether.1.pm", 4830),
    ("beem/szymanski/szymanski.1.pm", 18599),
];

#[test]
fn public_models_have_as_many_states_as_spin_stores() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data");
    let present = |name: &&(&str, usize)| data.join(name.0).exists();
    let known: Vec<(PathBuf, usize)> =
        PUBLIC.iter().filter(present).map(|&(name, states)| (data.join(name), states)).collect();
    if known.is_empty() {
        std::io::stderr().write_all(b"SKIPPED: the public models are not there\n").unwrap();
    }
    for (path, states) in known {
        let model = table::read(&path, &[] as &[Definition]);
        let (store, limits, monitor) = (StoreKind::Exact, Limits::default(), Monitor::default());
        let found = explore(&model, store, Deadlock::Stutter, limits, &monitor).unwrap().0;
        assert!(found.incomplete.is_none(), "{}", path.display());
        assert_eq!(found.states, states, "{}", path.display());
    }
}
