//! The house rules that a compiler does not check: who may use whom, how long
//! a file may be, how it begins, and where `unsafe` may stand.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which rooms (top-level modules of the crate) a room may use. Every room may
/// use those in `SHARED` as well.
const MAY_USE: &[(&str, &[&str])] = &[
    ("id", &[]),
    ("address_space", &[]),
    ("references", &[]),
    ("word", &[]),
    ("sets", &[]),
    ("intern", &[]),
    ("dag", &[]),
    ("threads", &[]),
    ("printable", &[]),
    ("scan", &[]),
    ("work", &[]),
    ("bdd", &[]),
    ("drawing", &[]),
    ("hoa", &[]),
    ("ltl", &[]),
    ("search", &[]),
    ("system", &["store"]),
    ("store", &[]),
    ("own", &["system", "store"]),
    ("lang", &["system", "store", "ltl"]),
    ("lwaa", &["drawing", "ltl", "hoa"]),
    ("recurrence", &["ltl", "search"]),
    ("configuration", &["ltl", "lwaa", "bdd", "recurrence", "sat", "search"]),
    ("product", &["bdd", "configuration", "ltl", "recurrence", "search", "store", "system"]),
    ("sat", &["lwaa", "search"]),
    ("run", &["system"]),
    ("verdict", &["run", "search", "system"]),
    // On purpose no automaton, no simplifier, no search.
    ("certify", &["ltl", "run", "system"]),
    ("explain", &["ltl"]),
    ("shorten", &["ltl"]),
    (
        "check",
        &[
            "ltl",
            "lang",
            "system",
            "store",
            "lwaa",
            "baseline",
            "bdd",
            "configuration",
            "product",
            "recurrence",
            "run",
            "sat",
            "search",
            "verdict",
            "certify",
            "shorten",
        ],
    ),
    ("baseline", &["drawing", "ltl", "lwaa", "hoa", "product", "run", "system", "store", "search"]),
    ("testbench", &["ltl", "lang", "system", "search", "lwaa", "hoa", "baseline", "check"]),
    (
        "checker",
        &[
            "check", "lang", "ltl", "own", "report", "run", "search", "store", "system", "threads",
            "verdict",
        ],
    ),
    ("requirements", &["ltl", "bdd", "search", "verdict", "certify", "check"]),
    ("bench", &["hoa", "report"]),
    (
        "report",
        &[
            "explain",
            "ltl",
            "lang",
            "system",
            "lwaa",
            "requirements",
            "run",
            "search",
            "testbench",
            "verdict",
        ],
    ),
    (
        "cli",
        &[
            "ltl",
            "lang",
            "system",
            "lwaa",
            "hoa",
            "baseline",
            "bdd",
            "bench",
            "configuration",
            "drawing",
            "search",
            "verdict",
            "certify",
            "requirements",
            "check",
            "explain",
            "testbench",
            "report",
        ],
    ),
];

const SHARED: &[&str] = &[
    "address_space",
    "id",
    "word",
    "references",
    "sets",
    "intern",
    "dag",
    "threads",
    "printable",
    "scan",
    "work",
];

/// Rooms that are allowed to name a foreign crate.
const ONLY_IN: &[(&str, &str)] = &[
    ("oxidd::", "src/bdd"),
    ("lwaa_cudd::", "src/bdd"),
    ("cudd_sys::", "cudd/src"),
    ("batsat::", "src/sat/solver"),
    ("cadical::", "src/sat/solver"),
    ("graph_layout::", "src/drawing/svg.rs"),
    ("maud::", "src/report/page"),
    ("microlp::", "src/lang/linear_program.rs"),
    ("roxmltree::", "src/lang/pnml/xml.rs"),
];

const MAX_LINES: usize = 600;
const MAX_FUNCTION_LINES: usize = 60;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below `folder`, with their text.
fn sources(folder: &str) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![root().join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.insert(path.strip_prefix(root()).unwrap().to_owned(), text);
        }
    }
    found
}

fn all_sources() -> BTreeMap<PathBuf, String> {
    ["src", "cudd", "tests", "benches", "examples"].into_iter().flat_map(sources).collect()
}

/// The lines that are code: neither comments nor documentation.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// The room of a file below `src`.
fn room(path: &Path) -> String {
    let first = path.components().nth(1).unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn is_test(path: &Path) -> bool {
    path.components()
        .skip(1)
        .any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

#[test]
fn rooms_use_only_what_they_may() {
    let table: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let room = room(&path);
        // Tests may look at everything.
        if room == "lib" || room == "main" || is_test(&path) {
            continue;
        }
        let Some(allowed) = table.get(room.as_str()) else {
            wrong.push(format!("{}: room `{room}` is not in MAY_USE", path.display()));
            continue;
        };
        for (number, line) in code(&text) {
            for (_, rest) in
                line.match_indices("crate::").map(|(at, found)| line.split_at(at + found.len()))
            {
                let used = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap();
                let is_room = table.contains_key(used);
                if is_room && used != room && !SHARED.contains(&used) && !allowed.contains(&used) {
                    wrong.push(format!("{}:{number}: `{room}` uses `{used}`", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn foreign_packages_stay_behind_their_doors() {
    for (path, text) in all_sources() {
        for (number, line) in code(&text) {
            for &(package, door) in ONLY_IN {
                let names = line.match_indices(package).any(|(at, _)| {
                    // `bdd::oxidd::` is our own module.
                    !line[..at].ends_with("bdd::") && !line[..at].ends_with('_')
                });
                assert!(
                    !names
                        || path.display().to_string().starts_with(door)
                        || !path.starts_with("src"),
                    "{}:{number}: {package} belongs to {door}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn files_have_one_job_and_say_it() {
    for (path, text) in all_sources() {
        let first = text.lines().next().unwrap_or_default();
        assert!(
            first.starts_with("//! ") || first.starts_with("#![doc"),
            "{} does not say its job",
            path.display()
        );
        let n_lines = text.lines().count();
        assert!(n_lines <= MAX_LINES, "{} has {n_lines} lines", path.display());
        assert!(!path.ends_with("mod.rs"), "{}", path.display());
    }
}

#[test]
fn functions_fit_a_screen() {
    let mut long = Vec::new();
    for (path, text) in all_sources() {
        let mut started: Option<(usize, usize)> = None;
        for (number, line) in text.lines().enumerate() {
            let indent = line.len() - line.trim_start().len();
            let begins = line.trim_start().starts_with("fn ") || line.contains(" fn ");
            if begins
                && line.trim_end().ends_with(['{', '('])
                && !line.trim_start().starts_with("//")
            {
                started = Some((number, indent));
            } else if let Some((first, depth)) = started
                && line.starts_with(&format!("{}}}", " ".repeat(depth)))
                && indent == depth
            {
                if MAX_FUNCTION_LINES < number + 1 - first {
                    long.push(format!(
                        "{}:{} has {} lines",
                        path.display(),
                        first + 1,
                        number + 1 - first
                    ));
                }
                started = None;
            }
        }
    }
    assert!(long.is_empty(), "\n{}", long.join("\n"));
}

#[test]
fn unsafe_code_stays_in_the_wrapper_of_cudd() {
    for (path, text) in all_sources() {
        if path.starts_with("cudd") {
            continue;
        }
        for (number, line) in code(&text) {
            let opens = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"];
            let is_rule = path.ends_with("tidy.rs");
            assert!(
                is_rule || !opens.iter().any(|word| line.contains(word)),
                "{}:{number}",
                path.display()
            );
        }
    }
}

#[test]
fn nothing_is_left_for_later() {
    let words = ["TODO", "XXX:", "todo!(", "unimplemented!(", "#[ignore]", "dbg!("];
    for (path, text) in all_sources() {
        if path.ends_with("tidy.rs") {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let found = words.iter().find(|word| line.contains(*word));
            assert_eq!(found, None, "{}:{}", path.display(), number + 1);
        }
    }
}

#[test]
fn the_top_level_is_that_of_the_card() {
    const CARD: &[&str] =
        &["Cargo.toml", "Cargo.lock", "src", "cudd", "models", "formulas", "tests", "benches"];
    const BESIDE: &[&str] = &[
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "docs",
        "examples",
        "fuzz",
        "target",
    ];
    for entry in std::fs::read_dir(root()).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let known = CARD.contains(&name.as_str()) || BESIDE.contains(&name.as_str());
        assert!(known || name.starts_with('.'), "{name} does not belong on the top level");
    }
}

#[test]
fn the_supported_rust_version_is_the_same_everywhere() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let version = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("rust-version = ")).unwrap();
        line.split('"').nth(1).unwrap().to_owned()
    };
    let ours = version(&read("Cargo.toml"));
    assert_eq!(version(&read("fuzz/Cargo.toml")), ours);
    for page in ["README.md", "CONTRIBUTING.md", "docs/src/introduction.md"] {
        let needed = format!("[Rust](https://www.rust-lang.org) {ours} or newer");
        assert!(read(page).contains(&needed), "{page} does not say `{needed}`");
    }
}

#[test]
fn the_architecture_page_names_every_room() {
    let page = std::fs::read_to_string(root().join("src/ARCHITECTURE.md")).unwrap();
    for (room, _) in MAY_USE {
        assert!(page.contains(&format!("`{room}`")), "ARCHITECTURE.md says nothing of `{room}`");
    }
}

#[test]
fn the_library_alone_needs_neither_command_line_nor_cpp() {
    const FOREIGN: &[&str] =
        &["cadical", "clap", "ctrlc", "indicatif", "maud", "tempfile", "toml", "wait4"];
    let packages = |options: &[&str]| -> Vec<String> {
        let output = std::process::Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none"])
            .args(options)
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        text.lines().filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
    };
    let (all, library) = (packages(&[]), packages(&["--no-default-features"]));
    for name in FOREIGN {
        assert!(all.iter().any(|package| package == name), "no package {name} any more");
        assert!(library.iter().all(|package| package != name), "the library needs {name}");
    }
}

/// Phrases that hide their subject, or that are not English. Messages, help texts and pages name
/// the thing that they are about.
const RIDDLES: &[&str] = &[
    "` is no ",
    "this is no ",
    "is none",
    "nobody",
    "somebody",
    "everybody",
    "whoever",
    "has a formula",
];

#[test]
fn messages_and_help_texts_are_plain_english() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let is_help = path.starts_with("src/cli/args") || path.ends_with("cli/args.rs");
        if is_test(&path) || !["cli", "lang", "report", "check", "bench"].contains(&&*room(&path)) {
            continue;
        }
        let text = text.split("#[cfg(test)]").next().unwrap();
        for (number, line) in text.lines().enumerate() {
            // Help texts are the documentation of arguments.
            let is_comment = line.trim_start().starts_with("//");
            let shown = if is_comment { is_help } else { line.contains('"') };
            let line = line.to_lowercase();
            for riddle in RIDDLES.iter().filter(|riddle| shown && line.contains(**riddle)) {
                wrong.push(format!("{}:{}: `{riddle}`", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
