//! Random models that reduce well: deadlocks, errors and verdicts with and without reduction.
//!
//! Only models that lose three of ten states count.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "reduction/compare.rs"]
mod compare;
#[path = "reduction/random_actions.rs"]
mod random_actions;
#[path = "reduction/random_pipelines.rs"]
mod random_pipelines;
#[path = "reduction/slicing.rs"]
mod slicing;
#[path = "reduction/stuttering.rs"]
mod stuttering;

use compare::{Subject, Tally, answer, read};
use lwaa::check::model::{Deadlock, ModelOptions};
use lwaa::check::reduction::Reduce;
use lwaa::testbench::Random;
use random_actions::random_actions;
use random_pipelines::random_pipelines;

#[test]
fn guarded_actions_keep_their_answers() {
    let tally = Tally::run(41, 5_000, random_actions);
    assert!(tally.disagreements.is_empty(), "{}", tally.disagreements.join("\n"));
    let Tally { n_wrong, n_stuck, n_questions, n_reduced, n_sliced, n_ordered, .. } = tally;
    assert!(2_000 < n_sliced && 1_000 < n_ordered, "{n_sliced} sliced, {n_ordered} not reduced");
    assert!(200 < n_wrong && 1_200 < n_stuck, "{n_wrong} with errors, {n_stuck} with deadlocks");
    assert!(20_000 < n_questions && 12_000 < n_reduced, "{n_questions}, {n_reduced} reduced");
}

#[test]
fn promela_keeps_its_answers() {
    let tally = Tally::run(42, 5_000, random_pipelines);
    assert!(tally.disagreements.is_empty(), "{}", tally.disagreements.join("\n"));
    let Tally { n_wrong, n_stuck, n_questions, n_reduced, n_sliced, n_ordered, .. } = tally;
    assert!(2_000 < n_sliced && 1_000 < n_ordered, "{n_sliced} sliced, {n_ordered} not reduced");
    assert!(240 < n_wrong && 1_400 < n_stuck, "{n_wrong} with errors, {n_stuck} with deadlocks");
    assert!(20_000 < n_questions && 16_000 < n_reduced, "{n_questions}, {n_reduced} reduced");
}

/// The verdicts on formulas, with and without reduction.
fn assert_verdicts(language: &'static str, text: &str, expected: &[(&str, &str)]) {
    let subject =
        Subject { language, text: text.to_owned(), atoms: Vec::new(), wrong_atoms: Vec::new() };
    let model = read(&subject).unwrap();
    for &(typed, verdict) in expected {
        let formula = model.bindings.formula(typed).unwrap();
        for reduce in [Reduce::Off, Reduce::On] {
            for deadlock in [Deadlock::Stutter, Deadlock::Ignore] {
                let options = ModelOptions { reduce, deadlock, ..ModelOptions::default() };
                let (found, _) = answer(&model, &formula, &options);
                assert_eq!(found, verdict, "{typed}, {options:?}:\n{text}");
            }
        }
    }
}

/// Stephen Siegel, *What's wrong with on-the-fly partial order reduction*, CAV 2019, section 3:
/// where steps are left out in some states of the product and not in others with the same state
/// of the model, a run is lost on which one process goes in circles and the other moves once.
#[test]
fn the_counterexample_of_siegel_is_found() {
    let circles = ["x = 0; x = 1", "x = 1 - x", "x = 0 :: x = 1", "skip", "x = 0; x = 0; x = 1"];
    for circle in circles {
        let text = format!(
            "bit p, x;
             active proctype Visible() {{ p = 1 }}
             active proctype Circle() {{ do :: {circle} od }}"
        );
        assert_verdicts(
            "promela",
            &text,
            &[
                ("<> p", "violated"),
                ("[] !p", "violated"),
                ("<> [] p", "violated"),
                ("[] <> !p", "violated"),
                ("[] (!p -> [] !p)", "violated"),
                ("!(<> (!p && <> [] p))", "violated"),
                ("[] p || <> [] !p", "violated"),
                ("[] (p -> [] p)", "holds"),
                ("<> [] p || <> [] !p", "holds"),
                ("!p U p || [] !p", "holds"),
            ],
        );
    }
}

/// A step that takes the same transition again and again until it blocks: another process that
/// lets it go on once more does not commute with it, although it commutes with the transition.
#[test]
fn loops_within_a_step_are_more_than_their_first_round() {
    let text = "
        byte x = 1, y;
        active proctype A() { atomic { do :: x > 0 -> x-- od } }
        active proctype B() { atomic { x == 0 -> x++ }; atomic { x < 3 -> x++ }; y = x; do :: skip od }";
    assert_verdicts("promela", text, &[("[] (y != 1)", "violated"), ("[] (y != 4)", "holds")]);
}

/// What goes wrong between the beginnings of two processes, in a guard of which a later part is
/// never true, not yet true, or true only where these processes have ended.
#[test]
fn guards_go_wrong_whatever_stands_behind() {
    for condition in ["y == 1", "p.pc == 3", "r.is_late && pc == 0", "y == 0 && p.pc == 2"] {
        let text = format!(
            "var x: 0..1 = 1;
             var z: 0..1 = 1;
             var y: 0..1 = 0;
             process p {{
                 var pc: 0..3 = 0;
                 action a when pc == 0 do x' = 0, pc' = 1;
                 action b when pc == 1 do x' = 1, pc' = 2;
                 action c when pc == 2 do pc' = 3;
             }}
             process q {{
                 var pc: 0..2 = 0;
                 action a when pc == 0 do z' = 0, pc' = 1;
                 action b when pc == 1 do z' = 1, pc' = 2;
             }}
             process r {{
                 var is_late: bool = false;
                 action c when p.pc == 2 && q.pc == 2 do is_late' = true;
             }}
             process t {{
                 var pc: 0..1 = 0;
                 action c when 2 / (x + z) == 1 && {condition} do pc' = 1;
             }}"
        );
        assert_verdicts("lwm", &text, &[("G x < 2", "model error")]);
    }
}

/// What a guard asks for is read, also where another part of the guard says the same.
#[test]
fn guards_read_what_they_ask_for() {
    for guard in
        ["s == 0", "s == x", "x == s", "s == x && x == s", "s == k && k == 0", "2 * s == 0"]
    {
        let text = format!(
            "var s: 0..2 = 0;
             var k: 0..1 = 0;
             process p {{
                 var pc: 0..2 = 0;
                 var x: 0..1 = 1;
                 action a when pc == 0 do pc' = 1, x' = 0;
                 action b when pc == 1 && {guard} do pc' = 2;
             }}
             process q {{
                 var pc: 0..3 = 0;
                 action a when pc == 0 do pc' = 1;
                 action b when pc == 1 && s == 0 do s' = 2, pc' = 2;
                 action c when pc == 3 do k' = 1;
             }}
             process r {{ action idle when true; }}"
        );
        let expected = [
            ("G !(p.pc == 2 && q.pc == 2)", "violated"),
            ("G !(p.pc == 1 && q.pc == 2)", "violated"),
            ("G (q.pc == 2 -> G (p.pc == 1 -> G p.pc == 1))", "holds"),
        ];
        assert_verdicts("lwm", &text, &expected);
    }
}
