//! Fairness on the command line: who is assumed to move, and what is said about
//! runs in which somebody is neglected.

use crate::models::Models;
use insta::assert_snapshot;
use serde_json::Value;

/// Somebody moves all the time, somebody else could always move once.
const LATE: &str = "\
var x: 0..1 = 0;
process fast { action spin do x' = x; }
process slow { action set when x == 0 do x' = 1; }
ltl happens: F x == 1;
";

/// Somebody can move again and again, but not always; the model promises that
/// it does.
const BLINK: &str = "\
var on: bool = false;
var seen: bool = false;
process lamp { action switch do on' = !on; }
process guest { strong fair action look when on && !seen do seen' = true; }
ltl noticed: F seen;
";

fn models(name: &str) -> Models {
    let models = Models::new(name);
    models.file("late.lwm", LATE);
    models.file("blink.lwm", BLINK);
    models
}

#[test]
fn fairness_excludes_runs() {
    let models = models("fair");
    models.check(&["check", "late.lwm", "--fair", "none"], "violated", 1);
    models.check(&["check", "late.lwm", "--fair", "weak"], "holds", 0);
    models.check(&["check", "late.lwm", "--fair", "strong"], "holds", 0);
    models.check(&["check", "late.lwm", "--fair", "weak", "--engine", "lwaa-pure"], "holds", 0);
    let never = ["check", "late.lwm", "-f", "G x == 0", "--exists"];
    models.check(&never, "a run exists", 0);
    models.check(&[&never[..], &["--fair", "weak"]].concat(), "no run exists", 1);
    models.check(&["check", "blink.lwm"], "holds", 0);
    models.check(&["check", "blink.lwm", "--fair", "none"], "violated", 1);
    models.check(&["check", "blink.lwm", "--fair", "weak"], "violated", 1);
    models.check(&["check", "blink.lwm", "--fair", "strong"], "holds", 0);
}

#[test]
fn runs_that_neglect_somebody_say_so() {
    let models = models("unfair");
    let run = models.lwaa(&["check", "late.lwm"]);
    assert_snapshot!(run.stderr, @"note: the run is unfair: slow could always move from some moment on, but never moves again. With --fair weak, which excludes such runs, the property holds.");
    // Whoever types that nothing is assumed knows.
    assert_eq!(models.lwaa(&["check", "late.lwm", "--fair", "none"]).stderr, "");
    // Only strong fairness helps.
    models.file("plain.lwm", &BLINK.replace("strong fair", ""));
    let run = models.lwaa(&["check", "plain.lwm"]);
    assert_snapshot!(run.stderr, @"note: the run is unfair: guest could move again and again, but never moves again. With --fair strong, which excludes such runs, the property holds.");
    // Fair runs violate this too.
    assert_eq!(models.lwaa(&["check", "late.lwm", "-f", "G x == 0"]).stderr, "");
    let run = models.lwaa(&["check", "late.lwm", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let unfair = &object["results"][0]["unfair"];
    assert_eq!(unfair.to_string(), r#"{"neglected":["slow"],"fair":"weak","holds":true}"#);
}

#[test]
fn formulas_speak_of_what_is_taken() {
    let models = models("taken");
    let fair = "(F G enabled(slow) -> G F taken(slow)) -> F x == 1";
    for engine in ["lwaa", "lwaa-pure"] {
        models.check(&["check", "late.lwm", "-f", fair, "--engine", engine], "holds", 0);
        let next = "G (taken(slow.set) -> x == 0 && X (x == 1 && !enabled(slow)))";
        models.check(&["check", "late.lwm", "-f", next, "--engine", engine], "holds", 0);
        let never = "G !taken(slow.set)";
        models.check(&["check", "late.lwm", "-f", never, "--engine", engine], "violated", 1);
    }
    let dve = "G F taken(P)";
    models.check(&["check", "stuck.dve", "-f", dve], "violated", 1);
    models.check(&["check", "stuck.dve", "-f", "F G !enabled(P)"], "holds", 0);
}

#[test]
fn unknown_names_have_a_place() {
    let models = models("unfair-errors");
    for arguments in [
        &["check", "late.lwm", "-f", "G F taken(nobody)"][..],
        &["check", "late.lwm", "-f", "G F taken(slow.nothing)"],
        &["check", "late.lwm", "-f", "G F taken(slow(1))"],
        &["check", "late.lwm", "-f", "G F enabled()"],
        &["check", "stuck.dve", "-f", "G F taken(Q)"],
    ] {
        let error = models.error(arguments);
        assert!(error.contains('^'), "{arguments:?}: {error}");
    }
    models.file("wrong.lwm", &LATE.replace("process slow", "fair process slow"));
    let error = models.error(&["check", "wrong.lwm"]);
    assert!(error.contains("wrong.lwm:3:"), "{error}");
}

#[test]
fn replay_says_whether_a_run_is_fair() {
    let models = models("replay-fair");
    for (arguments, expected) in [
        (&["late.lwm"][..], "it is not fair, not even weakly, to slow"),
        (
            &["blink.lwm", "--fair", "none"],
            "it violates the fairness that the model declares for guest.look",
        ),
        (&["late.lwm", "-f", "G x == 0"], "it is strongly fair to every process"),
    ] {
        models.lwaa(&[&["check"], arguments, &["--trace", "run.json"]].concat());
        let run = models.lwaa(&["replay", arguments[0], "run.json"]);
        assert!(run.stdout.contains(expected), "{arguments:?}: {}", run.stdout);
    }
}
