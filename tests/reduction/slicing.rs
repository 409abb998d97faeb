//! Variables that nothing depends on: what is asked has the same answer without them.

use crate::compare::finding;
use crate::{Subject, assert_verdicts, read};
use lwaa::check::model::{Fair, ModelOptions};
use lwaa::check::reduction::Reduce;
use lwaa::run::Run;
use lwaa::system::Strength;
use lwaa::verdict::{Reduction, Unreduced, Verdict};

/// With and without an endless process of which nothing is seen: its steps are a run.
#[test]
fn endless_steps_that_are_not_seen_are_runs() {
    for (rest, verdict) in [
        ("", "holds"),
        ("process q { var z: bool = false; action toggle when true do z' = !z; }", "violated"),
        ("process q { var z: 0..3 = 0; action up when true do z' = (z + 1) % 4; }", "violated"),
        ("process q { var z: bool = false; action once when !z do z' = true; }", "holds"),
    ] {
        let text = format!(
            "var y: 0..1 = 0;
             process p {{ action a when y == 0 do y' = 1; }}
             process r {{ var pc: bool = false; action idle when y == 1; }}
             {rest}"
        );
        assert_verdicts("lwm", &text, &[("F y == 1", verdict), ("G y == 0", "violated")]);
    }
}

/// What waits until nothing else can move waits for steps that are not seen, too.
#[test]
fn time_passes_only_where_nothing_unseen_moves() {
    for (rest, verdict) in [
        ("", "violated"),
        ("active proctype Q() { bit z; do :: z = 1 - z od }", "holds"),
        ("active proctype Q() { bit z; z = 1 }", "violated"),
    ] {
        let text = format!(
            "byte y;
             active proctype P() {{ timeout -> y = 1; do :: skip od }}
             {rest}"
        );
        assert_verdicts("promela", &text, &[("[] (y == 0)", verdict)]);
    }
}

/// A variable that nothing reads has a range nonetheless, and a divisor may be 0.
#[test]
fn what_may_go_wrong_is_seen() {
    for update in ["z' = z + 1", "z' = 1 - k", "z' = 2 / (2 - k)", "a[k]' = 0"] {
        let text = format!(
            "var z: 0..1 = 0;
             var a[2]: 0..1 = 0;
             var k: 0..2 = 0;
             process p {{
                 action more when k < 2 do k' = k + 1, z' = 1;
                 action write when k == 2 do {update};
             }}"
        );
        assert_verdicts("lwm", &text, &[("G k < 3", "model error")]);
    }
    let harmless = "var z: 1..3 = 2;
        var y: 0..3 = 0;
        process p { action a when true do y' = 3 / z; action b when true do z' = y % 3 + 1; }";
    assert_verdicts("lwm", harmless, &[("G true", "holds"), ("F false", "violated")]);
}

/// A run that is shown is one of the whole model: a cycle closes only where variables that nothing
/// depends on have the same values again.
#[test]
fn runs_have_all_variables() {
    let text = "var y: 0..1 = 0;
        var z: 0..6 = 5;
        var start: 0..3 = any;
        process p { action a when y == 0 do y' = 1, z' = (z + 1) % 7;
                    action b when y == 1 do y' = 0, z' = (z + 1) % 7; }";
    let subject =
        Subject { language: "lwm", text: text.into(), atoms: vec![], wrong_atoms: vec![] };
    let model = read(&subject).unwrap();
    for (typed, fair, n_unseen) in [
        ("F G y == 0", Fair::Nothing, 2),
        ("X X F G y == 0", Fair::Processes(Strength::Strong), 2),
        ("F G z == 0", Fair::Nothing, 1),
    ] {
        let formula = model.bindings.formula(typed).unwrap();
        let options = ModelOptions { fair, reduce: Reduce::On, ..ModelOptions::default() };
        let found = finding(&model, &formula, &options);
        let Verdict::Violated(run) = &found.verdict else { panic!("{:?}", found.verdict) };
        let Run { moments, .. } = run;
        assert_eq!(run.cycle().len(), 14, "{moments:?}");
        assert_eq!(found.statistics.unseen, n_unseen);
        assert!(found.statistics.states < 15, "{}", found.statistics.states);
    }
}

/// A run that would be too long with what is not seen is looked for again.
#[test]
fn long_runs_are_looked_for_with_all_variables() {
    let text = "var y: 0..1 = 0;
        var z: 0..79999 = 0;
        action a when y == 0 do y' = 1, z' = (z + 1) % 80000;
        action b when y == 1 do y' = 0, z' = (z + 1) % 80000;";
    let subject =
        Subject { language: "lwm", text: text.into(), atoms: vec![], wrong_atoms: vec![] };
    let model = read(&subject).unwrap();
    let formula = model.bindings.formula("F G y == 0").unwrap();
    let options = ModelOptions { reduce: Reduce::On, ..ModelOptions::default() };
    let found = finding(&model, &formula, &options);
    assert!(matches!(found.verdict, Verdict::Violated(_)), "{:?}", found.verdict);
    assert_eq!(found.statistics.reduction, Some(Reduction::Off(Unreduced::LongRun)));
}

/// However long a run into an error is, what nothing depends on has its values in it.
#[test]
fn long_runs_into_errors_have_all_variables() {
    let text = "var c: 0..70000 = 0;
        var u: 0..6 = 3;
        action a when c < 70000 do c' = c + 1, u' = (u + 1) % 7;
        action b when c == 70000 do assert c == 0;";
    let subject =
        Subject { language: "lwm", text: text.into(), atoms: vec![], wrong_atoms: vec![] };
    let model = read(&subject).unwrap();
    let formula = model.bindings.formula("G c >= 0").unwrap();
    let [all, fewer] = [Reduce::Off, Reduce::On].map(|reduce| {
        let found = finding(&model, &formula, &ModelOptions { reduce, ..ModelOptions::default() });
        let Verdict::ModelError(run) = found.verdict else { panic!("{:?}", found.verdict) };
        run.moments.into_iter().map(|moment| moment.state).collect::<Vec<_>>()
    });
    assert!(70_000 < all.len() && all == fewer);
}
