//! Errors of models as users see them: what they do to verdicts, and what is asked where there
//! is no property.

use crate::models::Models;
use insta::assert_snapshot;
use serde_json::Value;

const ASSERTS: &str = "byte x;
active proctype P() {
  x = 1;
  x = 2;
  assert(x == 1)
}
ltl q { [] (x != 2) }
ltl r { [] (x < 9) }
ltl s { <> (x == 1) }
";

#[test]
fn an_error_hides_no_violation() {
    let models = Models::new("errors");
    models.file("asserts.pml", ASSERTS);
    let run = models.lwaa(&["check", "asserts.pml"]);
    assert_eq!(run.code, Some(5));
    assert_snapshot!(run.stdout, @r#"
    q: violated
    r: model error: assertion failed: x == 1
    s: model error: assertion failed: x == 1

    run for q
    run: 3 states, violated in state 2
      0  (initial state)  x = 0
                          pending: F !"x!=2"
      1  P: 3: x = 1      x = 1
      2  P: 4: x = 2      x = 2
         (violated: `x!=2` is false; what follows does not matter)
    After P: 4: x = 2 (step 2), `x!=2` is false.

    run for r
    trace: 3 states
      0  (initial state)       x = 0
      1  P: 3: x = 1           x = 1
      2  P: 4: x = 2           x = 2
         (P: 5: assert(x == 1) goes wrong here: assertion failed: x == 1)
    at asserts.pml:5:3
    After P: 4: x = 2 (step 2), P: 5: assert(x == 1) goes wrong: assertion failed: x == 1.

    run for s: as for r
    "#);
    assert_eq!(run.stderr.matches("error: asserts.pml:5:3").count(), 1, "{}", run.stderr);
    let first = |arguments: &[&str]| models.lwaa(arguments).first_line().to_owned();
    assert_eq!(first(&["check", "asserts.pml", "--prop", "q"]), "violated");
    let ignored = models.lwaa(&["check", "asserts.pml", "--errors", "ignore"]);
    assert_eq!(ignored.stdout.lines().nth(1), Some("r: holds"));
    assert_eq!(
        first(&["explore", "asserts.pml", "--errors", "ignore"]),
        "states 5 transitions 4 deadlocks 0"
    );
    let trace = models.path("run.json");
    models.lwaa(&["check", "asserts.pml", "--prop", "q", "--trace", &trace]);
    let replayed = models.lwaa(&["replay", "asserts.pml", "run.json"]);
    let lines: Vec<&str> = replayed.stdout.lines().take(2).collect();
    assert_eq!(lines, ["the trace is a run of the model", "it violates G \"x!=2\""]);
    for engine in ["lwaa-pure", "gpvw", "gastin-oddoux"] {
        let run = models.lwaa(&["check", "asserts.pml", "--engine", engine]);
        let verdicts: Vec<&str> = run.stdout.lines().take(2).collect();
        assert_eq!(
            verdicts,
            ["q: violated", "r: model error: assertion failed: x == 1"],
            "{engine}"
        );
    }
}

#[test]
fn a_claim_may_end_before_an_error() {
    let models = Models::new("errors-claim");
    let (process, _) = ASSERTS.split_once("ltl").expect("there are properties");
    for (name, value, first, told) in [
        ("late.pml", 2, "violated", "it violates never"),
        (
            "never.pml",
            3,
            "model error: assertion failed: x == 1",
            "it is not known whether it violates never: the run is finite",
        ),
    ] {
        let claim = format!("never {{ do :: x == {value} -> break :: else od }}");
        models.file(name, &format!("{process}{claim}"));
        for more in [&[][..], &["--engine", "gpvw", "--store", "bitstate"]] {
            let trace = models.path("run.json");
            let arguments = [&["check", name, "--trace", &trace][..], more].concat();
            assert_eq!(models.lwaa(&arguments).first_line(), first, "{name} {more:?}");
            let replayed = models.lwaa(&["replay", name, "run.json"]);
            assert_eq!(replayed.stdout.lines().nth(1), Some(told), "{name} {more:?}");
        }
    }
}

#[test]
fn an_error_that_no_verdict_shows_is_told() {
    let models = Models::new("errors-told");
    models.file(
        "both.lwm",
        "var x: 0..2 = 0;\nprocess p {\n    action a when x == 0 do assert false, x' = 1;\n    \
         action b when x < 2 do x' = 2;\n}\nltl never: G x != 2;\nltl live: G F x == 1;\n",
    );
    let run = models.lwaa(&["check", "both.lwm", "--prop", "live"]);
    assert_eq!(run.code, Some(1));
    assert_snapshot!(run.stdout, @r#"
    violated
    prefix: 1 state
      0  (initial state)  x = 0
                          pending: F G !"x == 1"
    cycle: 1 state, repeated for ever
      1  p: b             x = 2
                          pending: F G !"x == 1"
         (a deadlock: no transition is enabled, so the run stays here for ever)
    `x == 1` is never true.

    run into a model error: assertion failed: false
    trace: 1 state
      0  (initial state)  x = 0
                          pending: F G !"x == 1"
         (p: a goes wrong here: assertion failed: false)
    at both.lwm:3:5
    In the first state, p: a goes wrong: assertion failed: false.
    "#);
    let run = models.lwaa(&["check", "both.lwm", "--prop", "live", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["error"]["reason"], "assertion failed: false");
    assert_eq!(object["error"]["place"]["line"], 3);
    let run = models.lwaa(&["check", "both.lwm", "--prop", "never", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let result = &object["results"][0];
    assert_eq!((&result["violated_at"], &result["violated_part"]), (&1.into(), &"x != 2".into()));
    assert_eq!(result["lasso"]["cycle"].as_array().unwrap().len(), 1);
}

#[test]
fn without_a_property_errors_and_deadlocks_are_asked() {
    let models = Models::new("no-property");
    models.file("fine.pml", "byte x; active proctype P() { do :: x = 1 - x od }");
    models.file("stuck.pml", "chan c = [0] of { byte }; active proctype P() { c!1 }");
    models.file("wrong.pml", "byte x; active proctype P() { x = 1; assert(x == 2) }");
    let run = models.lwaa(&["check", "fine.pml"]);
    assert_eq!((run.stdout.as_str(), run.code), ("holds\n", Some(0)));
    assert_snapshot!(run.stderr, @"note: the model states no property: errors and deadlocks are looked for; -f gives a formula");
    let run = models.lwaa(&["check", "stuck.pml"]);
    assert_eq!(
        (run.first_line(), run.code),
        ("model error: deadlock: no transition is enabled", Some(5))
    );
    let run = models.lwaa(&["check", "wrong.pml"]);
    assert_eq!((run.first_line(), run.code), ("model error: assertion failed: x == 2", Some(5)));
    let run = models.lwaa(&["check", "stuck.pml", "--deadlock", "stutter"]);
    assert_eq!((run.first_line(), run.code), ("holds", Some(0)));
    assert!(run.stderr.contains("errors are looked for"), "{}", run.stderr);
    let run = models.lwaa(&["check", "stuck.pml", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(object["results"][0]["property"], "errors and deadlocks");
    let refused = models.lwaa(&["check", "stuck.pml", "--fair", "weak"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let run = models.lwaa(&["explore", "stuck.pml"]);
    assert_eq!(run.stderr, "note: --deadlock report shows a run to a deadlock\n");
}

#[test]
fn the_first_property_does_not_eat_the_time_of_others() {
    let models = Models::new("shares");
    let asked = "check endless.lwm --reduce off --prop slow --prop quick --time 400ms";
    let run = models.lwaa(&asked.split(' ').collect::<Vec<_>>());
    assert_eq!(run.stdout, "slow: unknown: time limit of 0.4 s reached\nquick: holds\n");
}
