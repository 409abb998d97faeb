//! Promela models: claims, labels and progress, as users ask for them.

use crate::models::Models;
use insta::assert_snapshot;
use serde_json::Value;

const STARVING: &str = include_str!("../../models/promela/starving.pml");
const CLAIMS: &str = include_str!("../../models/promela/claims.pml");
const ACCEPTING: &str = include_str!("../../models/promela/accepting.pml");

fn models(name: &str) -> Models {
    let models = Models::new(name);
    models.file("starving.pml", STARVING);
    models.file("claims.pml", CLAIMS);
    models.file("accepting.pml", ACCEPTING);
    models
}

#[test]
fn progress_is_a_question_of_its_own() {
    let models = models("promela-progress");
    let ask = ["check", "starving.pml", "--nonprogress"];
    models.check(&ask, "violated", 1);
    models.check(&[&ask[..], &["--fair", "weak"]].concat(), "holds", 0);
    models.check(&[&ask[..], &["--engine", "gpvw"]].concat(), "violated", 1);
    let run = models.lwaa(&[&ask[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let result = &object["results"][0];
    assert_eq!(result["property"], "progress");
    assert_eq!(result["formula"], "G F !np_");
    assert_eq!(result["verdict"], "violated");
}

#[test]
fn who_waits_for_ever_is_no_cycle_without_progress() {
    let models = models("promela-waits");
    models.file("stuck.pml", "byte x; active proctype P() { x = 1; x == 2 }");
    models.check(&["check", "stuck.pml", "--nonprogress"], "holds", 0);
    assert_snapshot!(models.error(&["check", "stuck.pml", "--nonprogress", "--deadlock", "report"]), @"error: --deadlock report cannot be combined with --nonprogress, which is about runs that go on for ever: look for deadlocks without it");
}

#[test]
fn other_languages_have_no_progress() {
    let models = models("promela-others");
    assert_snapshot!(models.error(&["check", "turns.lwm", "--nonprogress"]), @"error: turns.lwm: --nonprogress needs labels that begin with `progress`, which only Promela has");
    let run = models.lwaa(&["check", "starving.pml", "--nonprogress", "-f", "[] (done < 4)"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn claims_are_properties() {
    let models = models("promela-claims");
    let run = models.lwaa(&["check", "claims.pml"]);
    let verdicts: Vec<&str> = run.stdout.lines().take(8).collect();
    assert_snapshot!(verdicts.join("\n"), @r"
    never: violated
    untouched: violated
    at_once: holds
    asserted: violated
    nothing: holds
    no_progress: violated
    one_by_one: holds
    otherwise: violated
    ");
    assert_eq!(run.code, Some(1));
    models.check(&["check", "claims.pml", "--prop", "untouched"], "violated", 1);
    models.check(&["check", "claims.pml", "--prop", "untouched", "--fair", "weak"], "holds", 0);
    models.check(&["check", "claims.pml", "--prop", "at_once", "--exists"], "no run exists", 1);
    let nested = ["check", "claims.pml", "--prop", "never", "--engine", "gpvw"];
    models.check(&nested, "violated", 1);
    let stores = [&nested[..], &["--store", "hybrid"]].concat();
    models.check(&stores, "violated", 1);
    assert_snapshot!(models.error(&[&nested[..], &["--fair", "weak"]].concat()), @"error: fairness and a claim together need --search scc and --store exact or tree");
    assert_snapshot!(models.error(&["check", "claims.pml", "--prop", "others"]), @"error: claims.pml states no property `others`; there are `never`, `untouched`, `at_once`, `asserted`, `nothing`, `no_progress`, `one_by_one`, `otherwise`");
}

#[test]
fn labels_that_accept_are_a_property() {
    let models = models("promela-accept");
    models.check(&["check", "accepting.pml"], "violated", 1);
    models.check(&["check", "accepting.pml", "--prop", "accept"], "violated", 1);
}

#[test]
fn a_trace_that_fails_is_an_error_of_the_model() {
    let models = models("promela-trace");
    models.file(
        "trace.pml",
        "chan q = [1] of { byte };\nactive proctype P() { q!1; q?_; q!2 }\ntrace { q!1; q!3 }\n",
    );
    let run = models.lwaa(&["explore", "trace.pml"]);
    assert_eq!((run.first_line(), run.code), ("model error: assertion failed: trace", Some(5)));
    assert_snapshot!(run.stderr, @r"
    error: trace.pml:2:33: assertion failed: trace
      |
    2 | active proctype P() { q!1; q?_; q!2 }
      |                                 ^^^
    ");
}
