//! Runs of models: how they are shown, written, replayed and made.

use crate::models::Models;
use crate::program::{Run, lwaa_reading};
use insta::assert_snapshot;
use serde_json::Value;

#[test]
fn a_lasso_shows_what_changes() {
    let models = Models::new("lasso");
    let run = models.lwaa(&["check", "turns.lwm", "--prop", "works"]);
    assert_snapshot!(run.stdout, @r#"
    violated
    prefix: empty
    cycle: 3 states, repeated for ever
      0  (initial state)   turn = 0, busy = [false, false]
                           pending: F G !"busy[0]"
      1  worker(0): skip   turn = 1
      2  worker(1): start  busy[1] = true
      0  worker(1): stop   turn = 0, busy[1] = false
         (state 0 again)
    `busy[0]` is never true.
    "#);
    assert_eq!(run.stderr, "");
    let run = models.lwaa(&["check", "stuck.dve", "-f", "F G \"x == 0\""]);
    assert_snapshot!(run.stdout, @r#"
    violated
    prefix: 1 state
      0  (initial state)  x = 0, P = a
                          pending: G F !"x == 0"
    cycle: 1 state, repeated for ever
      1  P: a -> b        x = 1, P = b
                          pending: G F !"x == 0"
         (a deadlock: no transition is enabled, so the run stays here for ever)
    After P: a -> b (step 1), `x == 0` is false and stays false.
    "#);
}

#[test]
fn a_lasso_in_json_has_steps() {
    let models = Models::new("lasso-json");
    let run = models.lwaa(&["check", "stuck.dve", "-f", "F G \"x == 0\"", "--json"]);
    assert_eq!(run.code, Some(1));
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let result = &object["results"][0];
    assert_eq!(result["formula"], "F G \"x == 0\"");
    assert_snapshot!(result["lasso"].to_string(), @r#"{"prefix":[{"state":{"x":0,"P":"a"},"process":"P","action":"a -> b","pending":["G F !\"x == 0\""]}],"cycle":[{"state":{"x":1,"P":"b"},"process":null,"action":null,"pending":["G F !\"x == 0\""]}]}"#);
}

/// Writes a trace and returns the models and its text.
fn traced(name: &str, arguments: &[&str]) -> (Models, String) {
    let models = Models::new(name);
    let run = models.lwaa(&[&["check"], arguments, &["--trace", "run.json"]].concat());
    assert!(matches!(run.code, Some(1 | 5)), "{run:?}");
    let text = std::fs::read_to_string(models.path("run.json")).unwrap();
    (models, text)
}

const IS_A_RUN: &str = "the trace is a run of the model";

#[test]
fn traces_can_be_replayed() {
    for (number, arguments) in [
        &["turns.lwm", "--prop", "works"][..],
        &["turns.lwm", "-D", "N=3"],
        &["stuck.dve", "-f", "F G \"x == 0\""],
        &["stuck.dve", "-f", "true", "--deadlock", "report"],
        &["wrong.dve", "-f", "G \"next < 9\""],
    ]
    .into_iter()
    .enumerate()
    {
        let (models, _) = traced(&format!("replay-{number}"), arguments);
        // Constants are in the trace.
        let run = models.lwaa(&["replay", arguments[0], "run.json"]);
        assert_eq!((run.first_line(), run.code), (IS_A_RUN, Some(0)), "{run:?}");
        // What is shown is what was found.
        let shown = models.lwaa(&[&["check"], arguments].concat()).stdout;
        let rest = run.stdout.lines().filter(|line| !line.starts_with("it "));
        assert!(rest.skip(1).all(|line| shown.contains(line)), "{}\n{shown}", run.stdout);
    }
}

#[test]
fn answers_in_json_can_be_replayed() {
    let models = Models::new("replay-json");
    for command in [&["check", "turns.lwm", "--json"][..], &["explore", "wrong.dve", "--json"]] {
        models.file("answer.json", &models.lwaa(command).stdout);
        let run = models.lwaa(&["replay", command[1], "answer.json"]);
        assert_eq!((run.first_line(), run.code), (IS_A_RUN, Some(0)), "{run:?}");
    }
}

/// Replays the trace after a change of its text.
#[track_caller]
fn tampered(from: &str, to: &str) -> Run {
    let (models, text) =
        traced("tampered", &["turns.lwm", "--prop", "works", "--engine", "lwaa-pure"]);
    assert!(text.contains(from), "{text}");
    models.file("changed.json", &text.replacen(from, to, 1));
    models.lwaa(&["replay", "turns.lwm", "changed.json"])
}

#[test]
fn what_is_no_run_is_refused_with_the_step_and_the_reason() {
    for (from, to, expected) in [
        ("\"turn\":0", "\"turn\":1", "step 0: this is not an initial state"),
        (
            "\"turn\":1",
            "\"turn\":0",
            "step 1: no such transition leads from here to the next state",
        ),
        ("\"turn\":1", "\"turn\":9", "step 2: `turn` cannot have this value"),
        ("\"start\"", "\"stop\"", "step 0: no such transition is enabled here"),
        ("\"start\"", "\"jump\"", "step 0: the model has no transition `jump` of `worker(0)`"),
        (
            "\"action\":\"skip\"",
            "\"action\":\"start\"",
            "step 4: no such transition leads from here to the next state",
        ),
        (
            "\"worker(0)\",\"action\":\"start\"",
            "null,\"action\":null",
            "step 0: the run stays here, but this is not a deadlock",
        ),
        ("\"busy\"", "\"lazy\"", "step 0: the model has no variable `lazy`"),
    ] {
        let run = tampered(from, to);
        let expected = format!("the trace is not a run of the model: {expected}");
        assert_eq!((run.first_line(), run.code), (expected.as_str(), Some(1)), "{run:?}");
        assert!(run.stderr.starts_with("error: changed.json:1:"), "{run:?}");
    }
}

#[test]
fn malformed_traces_have_a_place() {
    let models = Models::new("malformed-trace");
    let error = |text: &str| {
        models.file("trace.json", text);
        let run = models.lwaa(&["replay", "turns.lwm", "trace.json"]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)), "{run:?}");
        run.stderr
    };
    assert_snapshot!(error("{\"schema\": 1,\n \"trace\": [{]}"), @r#"
    error: trace.json:2:13: expected the name of a field, found `]`
      |
    2 |  "trace": [{]}
      |             ^
    "#);
    assert_snapshot!(error("{\"schema\": 1, \"trace\": 7}"), @r#"
    error: trace.json:1:24: expected a list
      |
    1 | {"schema": 1, "trace": 7}
      |                        ^
    "#);
    assert_snapshot!(error(""), @r"
    error: trace.json:1:1: expected a value, found the end
      |
    1 |
      | ^
    ");
}

#[test]
fn without_a_run_no_trace_is_written() {
    let models = Models::new("no-trace");
    let run = models.lwaa(&["check", "turns.lwm", "--prop", "alone", "--trace", "run.json"]);
    assert_eq!((run.first_line(), run.code), ("holds", Some(0)));
    assert_eq!(run.stderr, "note: there is no run to write to run.json\n");
    assert!(!std::path::Path::new(&models.path("run.json")).exists());
}

#[test]
fn a_seed_has_one_run() {
    let models = Models::new("simulate");
    let run = |seed: &str| models.lwaa(&["simulate", "turns.lwm", "--seed", seed]);
    assert_eq!(run("7").stdout, run("7").stdout);
    assert_ne!(run("7").stdout, run("8").stdout);
    assert_eq!(run("7").first_line(), "random run, seed 7");
    assert_eq!(run("7").stdout.lines().count(), 22);
    let short = models.lwaa(&["simulate", "turns.lwm", "--steps", "0"]);
    assert_snapshot!(short.stdout, @r"
    random run, seed 0
      0  (initial state)   turn = 0, busy = [false, false]
    ");
}

#[test]
fn a_random_run_may_end_early() {
    let models = Models::new("simulate-end");
    let run = models.lwaa(&["simulate", "stuck.dve"]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.ends_with("(a deadlock: no transition is enabled)\n"), "{run:?}");
    let run = models.lwaa(&["simulate", "wrong.dve"]);
    assert_eq!(run.code, Some(5));
    assert!(run.stdout.contains("goes wrong here: index 3 is out of range"), "{run:?}");
    assert!(run.stderr.starts_with("error: wrong.dve:7:5: index 3"), "{run:?}");
}

#[test]
fn steps_can_be_chosen_by_hand() {
    let models = Models::new("interactive");
    let run = |input: &str| {
        let model = models.path("turns.lwm");
        lwaa_reading(&["simulate", &model, "--interactive"], input.as_bytes())
    };
    let all = run("1\n1\nu\nq\n1\n");
    assert_eq!(all.code, Some(0));
    assert_snapshot!(all.stdout, @r"
        0  (initial state)   turn = 0, busy = [false, false]
           1)  worker(0): start  busy[0] = true
           2)  worker(0): skip   turn = 1
        1  worker(0): start  busy[0] = true
           1)  worker(0): stop   turn = 1, busy[0] = false
        2  worker(0): stop   turn = 1, busy[0] = false
           1)  worker(1): start  busy[1] = true
           2)  worker(1): skip   turn = 0
        1  worker(0): start  busy[0] = true
           1)  worker(0): stop   turn = 1, busy[0] = false
    ");
    let wrong = run("9\n?\n");
    assert!(wrong.stderr.starts_with("> `9` is not a step or command"), "{wrong:?}");
    assert!(wrong.stderr.contains("A number takes the step"), "{wrong:?}");
    assert_eq!(run("r\nr\nr\n").stdout, run("r\nr\nr\n").stdout);
    // Nothing comes before the initial state.
    assert_eq!(run("u\n").code, Some(0));
}
