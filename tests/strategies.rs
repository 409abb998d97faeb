//! All strategies on the same formulas: none contradicts the explicit search, and
//! every model is certified.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::Lwaa;
use lwaa::check::{Exploration, Method, Options, satisfiable};
use lwaa::ltl::{Formula, Term};
use lwaa::sat::certificate::{Fact, Invariant};
use lwaa::sat::proof;
use lwaa::sat::solver::Batsat;
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::testbench::random::Random;
use lwaa::testbench::random_formula::{self, random_formula};
use lwaa::verdict::Satisfiability;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Whether `formula` has a model; `None` if a limit was reached. A model that is
/// none is an error already.
fn answer(formula: &Formula, method: Method, time: Duration) -> Option<bool> {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let options = Options { method, limits, ..Options::default() };
    let answer = satisfiable(formula, &options).unwrap();
    if answer.statistics.strategy.is_none() {
        assert!(matches!(answer.satisfiability, Satisfiability::Unknown(_)));
    }
    match answer.satisfiability {
        Satisfiability::Satisfiable(_) => Some(true),
        Satisfiability::Unsatisfiable => Some(false),
        Satisfiability::Unknown(_) => None,
    }
}

/// The strategies besides the explicit one.
const OTHERS: [Method; 3] = [Method::Bounded, Method::Proof, Method::Auto];

/// Whether it should answer questions that have this answer.
fn is_complete(strategy: Method, is_satisfiable: bool) -> bool {
    match strategy {
        Method::Bounded => is_satisfiable,
        Method::Proof => !is_satisfiable,
        _ => true,
    }
}

/// Asks everybody; counts for each strategy how often it knew the answer.
fn check(formula: &Formula, expected: bool, n_answers: &mut [[usize; 2]; OTHERS.len()]) {
    for (strategy, counts) in OTHERS.into_iter().zip(n_answers) {
        let must_know = is_complete(strategy, expected);
        let time = if must_know { Duration::from_mins(1) } else { Duration::from_millis(5) };
        let found = answer(formula, strategy, time);
        assert!(found.is_none_or(|found| found == expected), "{strategy:?}: {formula}");
        assert!(found.is_some() || !must_know, "{strategy:?} does not know: {formula}");
        counts[usize::from(expected)] += usize::from(found.is_some());
    }
}

#[test]
fn nobody_contradicts_the_explicit_search() {
    let mut random = Random::new(17);
    let mut n_answers = [[0; 2]; OTHERS.len()];
    for round in 0..1500 {
        let size = 4 + round % 25;
        let shape = random_formula::Options { size, n_atoms: 2, ..Default::default() };
        let mut formula = random_formula(&shape, &mut random);
        // Few random formulas have no model; conjunctions are another matter.
        for _ in 0..round % 4 {
            formula = formula.combined(Term::And, &random_formula(&shape, &mut random));
        }
        let expected =
            answer(&formula, Exploration::default().into(), Duration::from_mins(1)).unwrap();
        check(&formula, expected, &mut n_answers);
    }
    let [bounded, proof, auto] = n_answers;
    assert!(1000 < bounded[1] && 20 < bounded[0], "{n_answers:?}");
    assert!(200 < proof[0] && proof[1] == 0, "{n_answers:?}");
    assert_eq!(auto[0] + auto[1], 1500);
}

#[test]
fn what_accepts_nothing_is_not_entered_again() {
    let mut random = Random::new(18);
    let mut n_spared = 0;
    for _ in 0..400 {
        let shape = random_formula::Options { size: 14, n_atoms: 3, ..Default::default() };
        let parts = [0; 4].map(|_| random_formula(&shape, &mut random));
        let formula =
            parts.iter().skip(1).fold(parts[0].clone(), |all, part| all.combined(Term::And, part));
        let options = Options { method: Exploration::default().into(), ..Options::default() };
        n_spared += satisfiable(&formula, &options).unwrap().statistics.spared;
    }
    assert!(0 < n_spared);
}

#[test]
fn hard_formulas_are_answered_side_by_side() {
    // What one engine alone finds hard, another one finds easy.
    let chain = (0..40).map(|i| format!("G (a{i} <-> X (a{} xor b{i})) & G F a{i}", i + 1));
    let satisfiable = chain.collect::<Vec<_>>().join(" & ");
    let formula = Formula::parse(&satisfiable).unwrap();
    assert_eq!(answer(&formula, Method::Auto, Duration::from_mins(1)), Some(true));
}

/// The invariant of a formula without models.
fn invariant(lwaa: &Lwaa, budget: &Budget<'_>) -> Invariant {
    proof::invariant::<Batsat<'_>>(lwaa, budget).unwrap()
}

#[test]
fn invariants_that_prove_nothing_are_refused() {
    let monitor = Monitor::default();
    let budget = Budget::new(Limits::default(), &monitor);
    let mut n_late = 0;
    for text in [
        "a & G (a -> X a) & F G !a",
        "G (a -> X X a) & G F a & G F !a & G (b <-> X !b) & G (a -> b)  & F (a & !b)",
    ] {
        let lwaa = Lwaa::from_formula(&Formula::parse(text).unwrap());
        let whole = invariant(&lwaa, &budget);
        assert_eq!(whole.excludes_runs(&lwaa, &budget), Ok(true));
        // Its end is part of every proof.
        let mut endless = whole.clone();
        endless.clauses.retain(|clause| **clause != [Fact::Missing(1)]);
        assert_eq!(endless.excludes_runs(&lwaa, &budget), Ok(false));
        // Something that is not true at the beginning.
        let absent = lwaa.locations().map(|(id, _)| id).find(|id| !lwaa.initial().contains(id));
        if let Some(absent) = absent {
            let mut late = whole.clone();
            late.clauses.push(Box::from([Fact::Present(absent)]));
            assert_eq!(late.excludes_runs(&lwaa, &budget), Ok(false));
            n_late += 1;
        }
        // The bare claim.
        let bare = Invariant { clauses: vec![Box::from([Fact::Missing(1)])], ..whole };
        assert_eq!(bare.excludes_runs(&lwaa, &budget), Ok(false));
    }
    assert_ne!(n_late, 0);
}

#[test]
fn no_invariant_proves_that_a_satisfiable_formula_has_no_model() {
    let monitor = Monitor::default();
    let budget = Budget::new(Limits::default(), &monitor);
    let lwaa = Lwaa::from_formula(&Formula::parse("G F a & G F !a & b U c").unwrap());
    let mut facts: Vec<Fact> = lwaa.locations().map(|(id, _)| Fact::Present(id)).collect();
    let untils = lwaa.locations().filter(|(_, location)| location.until);
    facts.extend(untils.map(|(id, _)| Fact::Owed(id)));
    for n_rounds in 1..4 {
        let mut random = Random::new(n_rounds as u64);
        facts.push(Fact::Missing(n_rounds));
        for _ in 0..200 {
            let clause = |random: &mut Random| -> Box<[Fact]> {
                facts.iter().copied().filter(|_| random.coin()).collect()
            };
            let n_clauses = random.below(6);
            let mut clauses: Vec<_> = (0..n_clauses).map(|_| clause(&mut random)).collect();
            clauses.push(Box::from([Fact::Missing(1)]));
            let wrong = Invariant { n_rounds, clauses };
            assert_eq!(wrong.excludes_runs(&lwaa, &budget), Ok(false), "{wrong:?}");
        }
    }
}

/// Public formulas that one of the engines finds hard, where they are installed: family, lines
/// that are asked, strategy.
const PUBLIC: [(&str, &str, Method); 4] = [
    ("anzu", "/amba/spec2\t", Method::Bounded),
    ("anzu", "genbuf_c/spec_c_1\t", Method::Bounded),
    ("alaska", "lift_l/lift_l_3\t", Method::Proof),
    ("schuppan", "phltl_4_3\t", Method::Proof),
];

/// The public formulas of a family, a line each: name, expected answer, time, formula.
fn public_table(family: &str) -> Option<String> {
    let root = std::env::var_os("LWAA_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data"),
        PathBuf::from,
    );
    let table = std::fs::read_to_string(root.join(format!("ltl-sat/{family}.tsv"))).ok();
    if table.is_none() {
        let _ = writeln!(std::io::stderr(), "skipped: no benchmark data in ltl-sat");
    }
    table
}

/// Of those without a model, many get an invariant, which separate code and another solver have checked,
/// and the explicit search agrees where it knows the answer soon. Nobody finds a model.
#[test]
fn public_formulas_without_models() {
    const SOON: Duration = Duration::from_millis(500);
    let families = ["acacia", "alaska", "anzu", "forobots", "rozier", "schuppan", "trp"];
    let mut n_asked = 0;
    for family in families {
        let Some(table) = public_table(family) else { return };
        for fields in table.lines().map(|line| line.split('\t').collect::<Vec<_>>()) {
            if fields[1] != "unsat" {
                continue;
            }
            let formula = Formula::parse(fields[3]).unwrap();
            // The others may take long.
            let is_easy = family != "trp" && !fields[0].contains("phltl");
            let time = if is_easy { Duration::from_mins(1) } else { SOON };
            let proved = answer(&formula, Method::Proof, time);
            let searched = answer(&formula, Exploration::default().into(), SOON);
            assert!(proved != Some(true) && searched != Some(true), "{}", fields[0]);
            assert!(proved.is_some() || !is_easy, "{} is not proved", fields[0]);
            n_asked += 1;
        }
    }
    assert!(300 <= n_asked, "{n_asked}");
}

#[test]
fn public_formulas() {
    for (family, name, strategy) in PUBLIC {
        let Some(table) = public_table(family) else { return };
        let line = table.lines().find(|line| line.contains(name)).unwrap();
        let fields: Vec<&str> = line.split('\t').collect();
        let formula = Formula::parse(fields[3]).unwrap();
        let expected = Some(fields[1] == "sat");
        for strategy in [strategy, Method::Auto] {
            assert_eq!(answer(&formula, strategy, Duration::from_mins(1)), expected, "{name}");
        }
    }
}
