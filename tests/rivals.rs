//! The pipelines with Büchi automata: every translation with every search and
//! every store, on random models against our own engine, and on the models that
//! we ship against their table.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "support/random_model.rs"]
mod random_model;
#[path = "shipped_models/table.rs"]
mod table;

use lwaa::Formula;
use lwaa::baseline::translation::Translation;
use lwaa::check::explore::explore;
use lwaa::check::model::{Deadlock, Fair, ModelOptions, Order, SearchKind, check};
use lwaa::check::{Method, Options};
use lwaa::lang::{Model, lwm};
use lwaa::ltl::print::{Dialect, print};
use lwaa::search::limits::{Exhausted, Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::system::Strength;
use lwaa::testbench::{Random, random_formula};
use lwaa::verdict::{Finding, Incomplete, Verdict};
use random_model::{random_fair_model, random_model};
use table::Expected;

/// All that goes together.
fn pipelines() -> impl Iterator<Item = (Translation, SearchKind, StoreKind)> {
    const SEARCHES: &[(SearchKind, &[StoreKind])] = &[
        (SearchKind::Scc, &[StoreKind::Exact, StoreKind::Tree]),
        (
            SearchKind::Nested,
            &[StoreKind::Exact, StoreKind::Tree, StoreKind::Hybrid, StoreKind::Bitstate],
        ),
        (
            SearchKind::Magic,
            &[StoreKind::Exact, StoreKind::Tree, StoreKind::Hybrid, StoreKind::Bitstate],
        ),
    ];
    Translation::ALL.into_iter().flat_map(|method| {
        SEARCHES.iter().flat_map(move |&(search, stores)| {
            stores.iter().map(move |&store| (method, search, store))
        })
    })
}

/// These options by way of a Büchi automaton.
fn by(
    (translation, search, store): (Translation, SearchKind, StoreKind),
    options: &ModelOptions,
) -> ModelOptions {
    let method = Method::Automaton { translation, search: Some(search) };
    let options = ModelOptions {
        store,
        options: Options { method, ..Options::default() },
        ..options.clone()
    };
    assert_eq!(options.suitable_search(), Ok(search));
    options
}

fn found(model: &Model, formula: &Formula, options: &ModelOptions) -> Finding {
    let formulas = std::slice::from_ref(formula);
    let findings = check(model, formulas, options, &Monitor::default(), &mut |_, _| ()).unwrap();
    findings.into_iter().next().unwrap()
}

/// Whether there is a run. Nothing if there is none, but an error of the model.
fn has_run(finding: &Finding) -> Option<bool> {
    match &finding.verdict {
        Verdict::Violated(_) | Verdict::Exists(_) => Some(true),
        Verdict::Holds | Verdict::ExistsNot => {
            assert_eq!(finding.statistics.coverage, None);
            Some(false)
        }
        // So few states do not collide.
        Verdict::NotViolated(_) | Verdict::NotFound(_) => Some(false),
        Verdict::ModelError(run) => {
            assert!(!run.moments.is_empty());
            None
        }
        Verdict::Unknown(why) => panic!("unknown: {why:?}"),
    }
}

/// The answers of all pipelines against our own.
fn compare(model: &Model, formula: &Formula, options: &ModelOptions, context: &str) -> bool {
    let expected = has_run(&found(model, formula, options));
    for pipeline in pipelines() {
        let finding = found(model, formula, &by(pipeline, options));
        let answer = has_run(&finding);
        // Which atoms go wrong depends on what the automaton looks at, and a lossy search does
        // not look for runs that violate the formula before an error.
        let is_comparable = answer.is_some() && expected.is_some();
        assert!(!is_comparable || answer == expected, "{pipeline:?}, {context}");
        let statistics = finding.statistics;
        if pipeline.2 == StoreKind::Hybrid && answer.is_some() {
            let (packets, states) = (statistics.packets, statistics.classical_states);
            assert!(packets <= statistics.states && packets <= states, "{statistics:?}");
            assert_eq!(states, statistics.nodes + statistics.nodes_again);
        }
    }
    expected == Some(true)
}

fn options(random: &mut Random, seed: u64) -> ModelOptions {
    ModelOptions {
        exists: random.coin(),
        deadlock: if random.coin() { Deadlock::Stutter } else { Deadlock::Ignore },
        order: [Some(Order::Rotate), Some(Order::Fixed), Some(Order::Random(seed))]
            [random.below(3)],
        ..ModelOptions::default()
    }
}

#[test]
fn pipelines_agree_on_random_models() {
    let (mut random, seed) = campaign::random(1991);
    let mut n_found = [0; 2];
    for round in 0..campaign::rounds(400) {
        let text = random_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let shape = random_formula::Options { size: 8, ..random_formula::Options::default() };
        let formula = random_formula::random_formula(&shape, &mut random);
        let printed = print(&formula, Dialect::Lwaa);
        let formula = model.bindings.formula(&printed).unwrap();
        let options = options(&mut random, seed);
        let context = format!("seed {seed}, round {round}, {options:?}:\n{printed}\n{text}");
        n_found[usize::from(compare(&model, &formula, &options, &context))] += 1;
    }
    assert!(n_found.iter().all(|&count| campaign::rounds(400) / 8 < count), "{n_found:?}");
}

#[test]
fn pipelines_agree_about_fairness_and_what_is_taken() {
    let (mut random, seed) = campaign::random(1992);
    let mut n_found = [0; 2];
    for round in 0..campaign::rounds(200) {
        let (text, actions) = random_fair_model(&mut random);
        let model = lwm::read(&text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"));
        if 3 < model.program.fairness.len() {
            continue; // The automata become too large for a short test.
        }
        let shape = random_formula::Options { size: 6, n_atoms: 4, ..Default::default() };
        let formula = random_formula::random_formula(&shape, &mut random);
        let action = &actions[random.below(actions.len())];
        let printed = print(&formula, Dialect::Lwaa).replace("p3", action);
        let formula = model.bindings.formula(&printed).unwrap();
        let fair = match random.below(4) {
            0 => Fair::Processes(Strength::Weak),
            1 => Fair::Processes(Strength::Strong),
            _ => Fair::Declared,
        };
        let options = ModelOptions { fair, ..options(&mut random, seed) };
        let context = format!("seed {seed}, round {round}, {options:?}:\n{printed}\n{text}");
        n_found[usize::from(compare(&model, &formula, &options, &context))] += 1;
    }
    assert!(n_found.iter().all(|&count| campaign::rounds(200) / 10 < count), "{n_found:?}");
}

/// With up to so many assumptions about who moves, all stores take part.
const FEW_ASSUMPTIONS: usize = 2;

/// Rows with more assumptions are left out. They say more about larger instances of models
/// whose smaller ones are not left out, and an automaton takes minutes or does not fit into
/// memory at all: `benches/record/2026-11-17.md` says which.
fn max_assumptions(method: Translation) -> usize {
    match method {
        Translation::Gpvw => 4,
        Translation::GastinOddoux => 5,
    }
}

#[test]
fn pipelines_agree_with_the_table() {
    let mut n_compared = 0;
    for row in table::rows() {
        let Expected::Verdict { property, holds } = &row.expected else { continue };
        let formula = &row.formula(&row.read(), property);
        let model = row.read_for(formula);
        let n_assumptions = row.fairness(&model.program).len();
        for pipeline in pipelines() {
            let (method, _, store) = pipeline;
            let is_large = FEW_ASSUMPTIONS < n_assumptions && store != StoreKind::Exact;
            if is_large || max_assumptions(method) < n_assumptions {
                continue;
            }
            let options = ModelOptions { fair: row.fair, ..ModelOptions::default() };
            let finding = found(&model, formula, &by(pipeline, &options));
            assert_eq!(has_run(&finding), Some(!holds), "{pipeline:?}, {row:?}");
            n_compared += 1;
        }
    }
    assert!(3000 < n_compared, "{n_compared}");
}

#[test]
fn bits_count_what_is_there() {
    for row in table::rows() {
        let Expected::Counts { states, transitions } = row.expected else { continue };
        let limits = Limits::default();
        let program = row.read().program;
        let found =
            explore(&program, StoreKind::Bitstate, Deadlock::Stutter, limits, &Monitor::default())
                .unwrap()
                .0;
        let exact =
            explore(&program, StoreKind::Exact, Deadlock::Stutter, limits, &Monitor::default())
                .unwrap()
                .0;
        assert_eq!((found.states, found.transitions), (states, transitions as u64), "{row:?}");
        assert_eq!(found.deadlocks, exact.deadlocks, "{row:?}");
        let Some(Incomplete::Lossy(coverage)) = found.incomplete else { panic!("{found:?}") };
        assert!(coverage.nodes == states as u64 && coverage.expected_omissions() < 0.01);
    }
}

#[test]
fn limits_are_kept() {
    let text = "var x: 0..99999 = 0; action up when x < 99999 do x' = x + 1;";
    let model = lwm::read(text, &[]).unwrap();
    let formula = model.bindings.formula("G x <= 99999").unwrap();
    for pipeline in pipelines() {
        let mut options = by(pipeline, &ModelOptions::default());
        options.options.limits.states = Some(1000);
        let finding = found(&model, &formula, &options);
        let limit = Exhausted::States { limit: 1000 };
        assert_eq!(finding.verdict, Verdict::Unknown(limit), "{pipeline:?}");
    }
}
