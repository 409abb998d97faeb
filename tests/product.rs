//! What a search over a model does where things go wrong, are many, or are far
//! away.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::baseline::translation::Translation;
use lwaa::check::Options;
use lwaa::check::explore::explore;
use lwaa::check::model::{CheckError, Deadlock, Fair, ModelOptions, Order, check};
use lwaa::check::reduction::Reduce;
use lwaa::lang::OpenError;
use lwaa::lang::{Definition, Model, dve, lwm};
use lwaa::run::Ending;
use lwaa::search::limits::{Exhausted, Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::system::Strength;
use lwaa::verdict::{Exploration, Finding, Incomplete, Verdict};

fn model(text: &str) -> Model {
    lwm::read(text, &[]).unwrap()
}

fn ask(model: &Model, formula: &str, options: &ModelOptions) -> Result<Finding, CheckError> {
    let formulas = [model.bindings.formula(formula).unwrap()];
    let monitor = Monitor::default();
    check(model, &formulas, options, &monitor, &mut |_, _| ()).map(|mut all| all.remove(0))
}

#[track_caller]
fn verdict(model: &Model, formula: &str) -> &'static str {
    match ask(model, formula, &ModelOptions::default()).unwrap().verdict {
        Verdict::Holds => "holds",
        Verdict::Violated(_) => "violated",
        Verdict::ModelError(_) => "model error",
        other => panic!("{other:?}"),
    }
}

fn size(model: &Model, store: StoreKind, limits: Limits) -> Exploration {
    explore(&model.program, store, Deadlock::Stutter, limits, &Monitor::default()).unwrap().0
}

const OUT_OF_RANGE: &str = "
    var x: 0..3 = 0;
    var a[2]: bool = false;
    action inc when x < 3 do x' = x + 1;";

#[test]
fn atoms_that_go_wrong_end_runs_wherever_the_formula_looks() {
    let model = model(OUT_OF_RANGE);
    // The first state decides, before the run comes to where the atom goes wrong.
    assert_eq!(verdict(&model, "a[x]"), "violated");
    for formula in ["!a[x]", "X !a[x]", "X X !a[x]", "G !a[x]", "F (x == 3 | a[x])"] {
        assert_eq!(verdict(&model, formula), "model error", "{formula}");
    }
    let options = ModelOptions { exists: true, ..ModelOptions::default() };
    let found = ask(&model, "!a[x]", &options).unwrap();
    assert!(matches!(found.verdict, Verdict::ModelError(_)), "{found:?}");
}

#[test]
fn atoms_with_a_guard_do_not_go_wrong() {
    let model = model(OUT_OF_RANGE);
    assert_eq!(verdict(&model, "G !\"x < 2 && a[x]\""), "holds");
    assert_eq!(verdict(&model, "F \"x < 2 && a[x]\""), "violated");
}

#[test]
fn guards_that_go_wrong_are_not_enabled() {
    let text = "var b: 0..2 = 0; var a: bool;
        action wrong when 2 / b == 1 do b' = 0;
        action go do a' = !a;";
    // The action itself is the error of the model; runs in which others move go on.
    assert_eq!(verdict(&model(text), "G !enabled(wrong)"), "model error");
    assert_eq!(verdict(&model(text), "F enabled(wrong)"), "violated");
}

#[test]
fn a_run_without_letters_violates_nothing() {
    // The atom goes wrong in the first of the initial states, and no run is infinite.
    let text = "var x: 0..2 = any; var a[2]: bool; action t do x' = x + 3;";
    let gpvw = Options { method: Translation::Gpvw.into(), ..Options::default() };
    let bitstate = ModelOptions {
        options: gpvw.clone(),
        store: StoreKind::Bitstate,
        ..ModelOptions::default()
    };
    for options in [
        ModelOptions::default(),
        ModelOptions { options: gpvw, ..ModelOptions::default() },
        bitstate,
    ] {
        let found = ask(&model(text), "false & \"a[x - 1]\"", &options).unwrap();
        let Verdict::Violated(run) = &found.verdict else { panic!("{found:?}") };
        assert_eq!(run.moments.len(), 1, "{found:?}");
        let found = ask(&model("var x: 0..0; var a[2]: bool;"), "false & \"a[x - 1]\"", &options);
        let found = found.unwrap();
        assert!(matches!(found.verdict, Verdict::ModelError(_)), "{found:?}");
    }
}

#[test]
fn elements_that_no_array_has_are_errors_of_the_formula() {
    let text = "byte a[2]; process P { state s; init s; trans s -> s { }; } system async;";
    let model = dve::read(text, &[]).unwrap();
    let found = ask(&model, "G \"a[5] == 0\"", &ModelOptions::default());
    assert!(matches!(found, Err(CheckError::Open(OpenError::Unbound { .. }))), "{found:?}");
}

#[test]
fn the_limit_of_states_is_kept_however_many_successors_there_are() {
    let fan = model("var x: 0..999 = 0; action t with c in 0..999 do x' = c;");
    let many = model("var a[16]: bool = any; action t do a[0]' = !a[0];");
    for store in [StoreKind::Exact, StoreKind::Tree] {
        for model in [&fan, &many] {
            let limits = Limits { states: Some(10), ..Limits::default() };
            let found = size(model, store, limits);
            assert_eq!(found.states, 10);
            let reason = Incomplete::Limit(Exhausted::States { limit: 10 });
            assert_eq!(found.incomplete, Some(reason));
        }
    }
    let exactly = Limits { states: Some(1000), ..Limits::default() };
    assert_eq!(size(&fan, StoreKind::Exact, exactly).incomplete, None);
}

#[test]
fn a_deep_model_needs_no_deep_stack() {
    let definitions = [Definition { name: "N".to_owned(), value: 400_000 }];
    let text = "const N = 1; var x: 0..N = 0; action inc when x < N do x' = x + 1;";
    let model = lwm::read(text, &definitions).unwrap();
    assert_eq!(verdict(&model, "F x == N"), "holds");
    assert_eq!(verdict(&model, "F G x < N"), "violated");
}

#[test]
fn the_run_to_a_fault_is_shortest_and_complete() {
    let model = model("var x: 0..9 = 0; action one do x' = x + 1; action two do x' = x + 2;");
    let found = size(&model, StoreKind::Tree, Limits::default());
    let Some(Incomplete::ModelError(run)) = found.incomplete else { panic!("{found:?}") };
    assert_eq!(run.moments.len(), 5);
    assert!(run.moments.iter().all(|moment| moment.taken.is_some()));
    let options = ModelOptions { deadlock: Deadlock::Report, ..ModelOptions::default() };
    let found = ask(&model, "true", &options).unwrap();
    assert!(matches!(found.verdict, Verdict::ModelError(_)), "{found:?}");
}

#[test]
fn deadlocks_are_reported_even_where_the_formula_does_not_look() {
    let model = model("var x: 0..3 = 0; action inc when x < 3 do x' = x + 1;");
    let options = ModelOptions { deadlock: Deadlock::Report, ..ModelOptions::default() };
    let found = ask(&model, "x == 0", &options).unwrap();
    let Verdict::ModelError(run) = found.verdict else { panic!("{found:?}") };
    assert_eq!((run.moments.len(), &run.ending), (4, &Ending::Deadlock));
}

#[test]
fn processes_of_a_synchronous_system_may_write_different_elements() {
    let text = |index: &str| {
        format!(
            "byte a[2];
             process P {{ state s; init s; trans s -> s {{ effect a[0] = 1; }}; }}
             process Q {{ state s; init s; trans s -> s {{ effect a[{index}] = 1; }}; }}
             system sync;"
        )
    };
    for (index, expected) in [("1", "holds"), ("0", "model error"), ("a[1]", "model error")] {
        let model = dve::read(&text(index), &[]).unwrap();
        assert_eq!(verdict(&model, "F \"a[0] == 1\""), expected, "{index}");
    }
}

/// Every state has a letter and a configuration of its own.
#[test]
fn as_many_letters_as_configurations() {
    let property = |bit: usize| format!("G (x / {} % 2 == 1 -> X y < {})", 1 << bit, bit + 2);
    let conjuncts: Vec<String> = (0..11).map(property).collect();
    let model = model("var x: 0..2047 = 0; var y: 0..1 = 0; action s do x' = (x * 5 + 3) % 2048;");
    let found = ask(&model, &conjuncts.join(" & "), &ModelOptions::default()).unwrap();
    assert_eq!(found.verdict, Verdict::Holds);
}

/// With many states successors are looked up ahead, except in trees: that must
/// not make a difference.
#[test]
fn looking_ahead_changes_nothing() {
    let model = model(
        "var x[5]: 0..9 = 0;
         process p(i in 0..4) {
             action up when x[i] < 9 do x[i]' = x[i] + 1;
             action again when x[i] == 9 && x[(i + 1) % 5] != 0 do x[i]' = 0;
         }",
    );
    let fairs = [Fair::Nothing, Fair::Processes(Strength::Strong)];
    for (formula, fair) in [
        ("G F x[0] != 9", fairs[0]),
        ("G F x[0] != 9", fairs[1]),
        ("F x[2] == 9", fairs[1]),
        ("G (x[3] == 9 -> x[0] + x[1] < 18 | x[2] < 9 | x[4] < 8)", fairs[0]),
        ("G x[0] + x[1] + x[2] + x[3] + x[4] < 46", fairs[0]),
    ] {
        let [exact, tree] = [StoreKind::Exact, StoreKind::Tree].map(|store| {
            let options = ModelOptions { store, fair, ..ModelOptions::default() };
            let Finding { verdict, statistics, .. } = ask(&model, formula, &options).unwrap();
            let counts = (statistics.nodes, statistics.nodes_again, statistics.transitions);
            (verdict, counts, statistics.states, statistics.depth)
        });
        assert_eq!(exact, tree, "{formula}");
    }
}

/// Counters that count on for ever, each by itself.
const COUNTERS: &str = "
    var x[5]: 0..9 = 0;
    process counter(i in 0..4) { action step do x[i]' = (x[i] + 1) % 10; }";

#[test]
fn a_guided_search_goes_where_the_formula_points() {
    let model = model(COUNTERS);
    let formula = "G !(x[0] == 7 & x[1] == 2 & x[2] == 9 & x[3] == 4 & x[4] == 5)";
    let ordered = |order| ModelOptions { order, ..ModelOptions::default() };
    let guided = ask(&model, formula, &ordered(Some(Order::Guided))).unwrap();
    assert!(matches!(guided.verdict, Verdict::Violated(_)));
    assert!(guided.statistics.nodes < 100, "{:?}", guided.statistics);
    // No answer of the order that does not look at the formula within so many nodes.
    let limits = Limits { states: Some(5_000), ..Limits::default() };
    let mut blind = ordered(Some(Order::Rotate));
    blind.options.limits = limits;
    let blind = ask(&model, formula, &blind).unwrap();
    assert!(matches!(blind.verdict, Verdict::Unknown(_)), "{blind:?}");
    // Where nothing is asked for, both take turns.
    let both = ask(&model, formula, &ordered(None)).unwrap();
    assert!(matches!(both.verdict, Verdict::Violated(_)) && both.statistics.guided);
}

/// A search that pauses for others ends as one that does not.
#[test]
fn turns_change_no_verdict_and_lose_no_state() {
    let model = model(COUNTERS);
    let formulas = [
        ("G F x[0] == 0", false),
        ("G F x[0] == 0 | G F x[1] == 0 | F G x[0] == x[1]", false),
        ("G (x[0] <= 9 & x[1] + x[2] < 19)", true),
    ];
    for (formula, holds) in formulas {
        for reduce in [Reduce::Off, Reduce::Auto] {
            for fair in [Fair::Nothing, Fair::Processes(Strength::Weak)] {
                let ways = [None, Some(Order::Rotate)].map(|order| {
                    let options = ModelOptions { order, reduce, fair, ..ModelOptions::default() };
                    ask(&model, formula, &options).unwrap()
                });
                let [turns, alone] = &ways;
                let expected = holds || fair != Fair::Nothing && formula.len() < 60;
                for finding in &ways {
                    assert_eq!(matches!(finding.verdict, Verdict::Holds), expected, "{formula}");
                }
                if expected {
                    assert_eq!(turns.statistics.states, alone.statistics.states, "{formula}");
                    assert!(reduce == Reduce::Auto || alone.statistics.states == 100_000);
                }
            }
        }
    }
}
