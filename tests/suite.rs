//! Every line of `formulas/` through every engine and option: a new engine is
//! one line here.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::baseline::translation::Translation;
use lwaa::check::{Exploration, satisfiable_with};
use lwaa::configuration::{Labels, Successors};
use lwaa::ltl::{Formula, semantics};
use lwaa::search::limits::Monitor;
use lwaa::testbench::lassos::all_lassos;
use lwaa::{Options, Satisfiability};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Sat,
    Unsat,
    Valid,
}

/// File, line, verdict and formula of everything in `formulas/`.
fn corpus() -> Vec<(String, Known, Formula)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("formulas");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "ltl"));
    files.sort();
    let mut corpus = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let place = format!("{}:{}", path.file_name().unwrap().display(), number + 1);
            let (verdict, formula) = line.split_once(' ').unwrap();
            let known = match verdict {
                "sat" => Known::Sat,
                "unsat" => Known::Unsat,
                "valid" => Known::Valid,
                other => panic!("{place}: {other} is not a verdict"),
            };
            corpus.push((place, known, Formula::parse(formula).unwrap()));
        }
    }
    assert!(80 < corpus.len());
    corpus
}

/// The answers for a formula and for its negation.
type Engine<'a> = (&'a str, Box<dyn Fn(&Formula) -> bool>);

fn search_engine<D: lwaa::bdd::Diagrams>(options: Options) -> Box<dyn Fn(&Formula) -> bool> {
    Box::new(move |formula| {
        let answer = satisfiable_with::<D>(formula, &options, &Monitor::default()).unwrap();
        match answer.satisfiability {
            Satisfiability::Satisfiable(_) => true,
            Satisfiability::Unsatisfiable => false,
            Satisfiability::Unknown(reason) => panic!("{formula}: {reason}"),
        }
    })
}

fn engines() -> Vec<Engine<'static>> {
    use lwaa::bdd::oxidd::OxiddDiagrams;
    let options = Options::default();
    let by = |method| Options { method, ..Options::default() };
    let usual = Exploration::default();
    let simple = by(Exploration { labels: Labels::Simple, ..usual }.into());
    let unsimplified = Options { simplify: false, ..options.clone() };
    let small_cache = by(Exploration { cache_size: 1, ..usual }.into());
    let pure = by(Exploration { pure: true, ..usual }.into());
    let with = |successors| by(Exploration { successors: Some(successors), ..usual }.into());
    let [direct, diagrams] = [Successors::Direct, Successors::Bdd].map(with);
    let [gpvw, gastin_oddoux] = Translation::ALL.map(|translation| by(translation.into()));
    #[allow(unused_mut, reason = "one more with the feature `cudd`")]
    let mut engines: Vec<Engine<'static>> = vec![
        ("search", search_engine::<OxiddDiagrams>(options.clone())),
        ("simple labels", search_engine::<OxiddDiagrams>(simple)),
        ("no simplification", search_engine::<OxiddDiagrams>(unsimplified)),
        ("a cache of one", search_engine::<OxiddDiagrams>(small_cache)),
        ("everything to the automaton", search_engine::<OxiddDiagrams>(pure)),
        ("direct successors", search_engine::<OxiddDiagrams>(direct)),
        ("successors by diagrams", search_engine::<OxiddDiagrams>(diagrams)),
        ("tableau", search_engine::<OxiddDiagrams>(gpvw)),
        ("Gastin-Oddoux", search_engine::<OxiddDiagrams>(gastin_oddoux)),
    ];
    #[cfg(feature = "cudd")]
    engines.push(("cudd", search_engine::<lwaa::bdd::cudd::CuddDiagrams>(with(Successors::Bdd))));
    engines
}

#[test]
fn every_engine_gives_the_known_verdict() {
    let corpus = corpus();
    for (name, is_satisfiable) in engines() {
        for (place, known, formula) in &corpus {
            let answer = (is_satisfiable(formula), is_satisfiable(&formula.negated()));
            let expected = match known {
                Known::Sat => (true, true),
                Known::Unsat => (false, true),
                Known::Valid => (true, false),
            };
            assert_eq!(answer, expected, "{place}: {formula} by {name}");
        }
    }
}

#[test]
fn short_lassos_do_not_contradict_the_known_verdicts() {
    for (place, known, formula) in corpus() {
        let n_atoms = formula.atoms().len();
        if 3 < n_atoms {
            continue;
        }
        let max_positions = [1, 6, 4, 3][n_atoms];
        let mut truths =
            all_lassos(n_atoms, max_positions).map(|word| semantics::holds(&formula, &word));
        match known {
            Known::Unsat => assert!(!truths.any(|truth| truth), "{place}"),
            Known::Valid => assert!(truths.all(|truth| truth), "{place}"),
            Known::Sat => (),
        }
    }
}
