//! Büchi automata on the command line: which engines, searches and stores go
//! together, and what a lossy store says.

use crate::models::Models;
use crate::program::lwaa;
use insta::assert_snapshot;
use serde_json::Value;

#[test]
fn all_pipelines_give_verdicts() {
    let models = Models::new("pipelines");
    for engine in ["gpvw", "gastin-oddoux"] {
        for (search, stores) in [
            ("scc", &["exact", "tree"][..]),
            ("nested", &["exact", "tree", "hybrid"]),
            ("magic", &["exact", "tree", "hybrid"]),
        ] {
            for store in stores {
                let typed = ["--engine", engine, "--search", search, "--store", store];
                let check = |property, line, code| {
                    let asked = ["check", "turns.lwm", "--prop", property];
                    models.check(&[&asked[..], &typed].concat(), line, code);
                };
                check("alone", "holds", 0);
                check("works", "violated", 1);
            }
        }
        let outside = "model error: index 3 is out of range: slot has 3 elements";
        let wrong = ["check", "wrong.dve", "-f", "G \"next < 9\"", "--engine", engine];
        models.check(&wrong, outside, 5);
        let deadlock = "model error: deadlock: no transition is enabled";
        let stuck = ["check", "stuck.dve", "-f", "true", "--deadlock", "report"];
        models.check(&[&stuck[..], &["--engine", engine]].concat(), deadlock, 5);
        let lossy = ["--engine", engine, "--store", "bitstate"];
        models.check(&[&stuck[..], &lossy].concat(), deadlock, 5);
        let shortest = ["check", "turns.lwm", "--prop", "works", "--shortest", "--engine", engine];
        models.check(&shortest, "violated", 1);
    }
}

#[test]
fn a_lossy_store_does_not_say_that_something_holds() {
    let models = Models::new("lossy");
    let lossy = ["--engine", "gastin-oddoux", "--store", "bitstate"];
    let ask = |arguments: &[&str]| models.lwaa(&[arguments, &lossy].concat());
    let run = ask(&["check", "turns.lwm", "--prop", "alone"]);
    assert_eq!((run.stdout.as_str(), run.code), ("no violation found\n", Some(3)));
    assert!(run.stderr.starts_with(
        "note: a run may have been missed, the store is lossy: hash factor 134217728.0, omission "
    ), "{run:?}");
    models.check(&[&["check", "turns.lwm", "--prop", "works"][..], &lossy].concat(), "violated", 1);
    let both = "F (busy[0] && busy[1])";
    let run = ask(&["check", "turns.lwm", "-f", both, "--exists"]);
    assert_eq!((run.stdout.as_str(), run.code), ("no run found\n", Some(3)));
    let run = ask(&["check", "turns.lwm", "--json"]);
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((object["verdict"].as_str(), run.code), (Some("violated"), Some(1)));
    assert_eq!(object["results"][0]["verdict"], "no violation found");
    assert!(object["statistics"]["omission_probability"].as_f64().unwrap() < 1e-6);
    let run = models.lwaa(&["explore", "turns.lwm", "--store", "bitstate"]);
    assert_eq!(run.code, Some(3));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("unknown: the store is lossy: hash factor"), "{run:?}");
    assert_eq!(lines[1..], ["states 4 transitions 6 deadlocks 0 so far"]);
}

#[test]
fn packets_are_counted() {
    let models = Models::new("packets");
    let asked = ["check", "turns.lwm", "--prop", "alone", "--engine", "gpvw", "--store", "hybrid"];
    let run = models.lwaa(&[&asked[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let statistics = &object["statistics"];
    assert_eq!(statistics["packets"], 4);
    assert_eq!(statistics["packet_bytes"], 4 * 9);
    assert!(4 <= statistics["classical_states"].as_u64().unwrap());
}

#[test]
fn what_does_not_go_together_is_refused() {
    let models = Models::new("unsuitable");
    let error = |more: &[&str]| {
        models.error(&[&["check", "turns.lwm"][..], more].concat()).replace('\n', " ")
    };
    assert_snapshot!(error(&["--search", "nested"]), @"error: nested and magic search need a Büchi automaton: use them with --engine gpvw or gastin-oddoux; other engines search for components (--search scc)");
    assert_snapshot!(error(&["--store", "hybrid"]), @"error: --store hybrid needs a Büchi automaton: use it with --engine gpvw or gastin-oddoux, or use --store exact or tree");
    let gpvw = ["--engine", "gpvw"];
    assert_snapshot!(error(&[&gpvw[..], &["--search", "scc", "--store", "bitstate"]].concat()), @"error: --search scc needs --store exact or tree; --store bitstate goes with --search nested or magic");
    assert_snapshot!(error(&[&gpvw[..], &["--search", "magic", "--shortest"]].concat()), @"error: --shortest needs --search scc: nested and magic search stop at the first cycle");
    assert_snapshot!(error(&[&gpvw[..], &["--shortest", "--store", "hybrid"]].concat()), @"error: --shortest searches for components, which needs --store exact or tree, not hybrid");
    for option in ["--labels=exact", "--successors=bdd", "--cache-size=9"] {
        error(&[&gpvw[..], &[option]].concat());
        let run = lwaa(&["sat", "p", "--engine", "gastin-oddoux", option]);
        assert_eq!((run.stdout.as_str(), run.code), ("", Some(2)));
    }
    models.error(&["explore", "turns.lwm", "--store", "hybrid"]);
}

/// A tableau that nobody can finish in this memory: its nodes are no states of the
/// model.
#[test]
fn an_automaton_that_is_not_finished_is_no_search() {
    let premises: Vec<String> =
        (0..12).map(|i| format!("(G F \"turn < {i}\" -> G F \"{i} < turn\")")).collect();
    let formula = format!("({}) -> G F \"turn == 0\"", premises.join(" && "));
    let models = Models::new("unfinished");
    let asked = ["check", "turns.lwm", "-f", &formula, "--engine", "gpvw", "--time", "300ms"];
    let run = models.lwaa(&[&asked[..], &["--json"]].concat());
    assert_eq!(run.code, Some(3), "{run:?}");
    let object: Value = serde_json::from_str(&run.stdout).unwrap();
    let counted = |value: &Value, name: &str| value["statistics"][name].as_u64();
    for part in [&object, &object["results"][0]] {
        assert_eq!(counted(part, "states"), Some(0), "{object}");
        assert!(Some(0) < counted(part, "unfinished_automaton_states"), "{object}");
    }
    let run = models.lwaa(&asked);
    assert!(run.stderr.contains("unfinished automaton states "), "{run:?}");
}

#[test]
fn statistics_stand_in_columns() {
    let run = lwaa(&["sat", "p U q", "--engine", "gpvw", "--stats"]);
    assert!(run.stderr.contains("automaton states 2\n"), "{run:?}");
    let models = Models::new("columns");
    let run = models.lwaa(&["explore", "turns.lwm", "--store", "bitstate", "--stats"]);
    assert!(run.stderr.contains("expected omissions   0.0\n"), "{run:?}");
}

#[test]
fn claims_that_spin_may_refuse_get_a_warning() {
    let ask = |formula: &str| lwaa(&["translate", formula, "--to", "nba", "--format", "never"]);
    let run = ask("G \"a /* b\" & F len & F \"x == 1\"");
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(
        run.stderr,
        "warning: `a /* b` does not seem to be a Promela expression\n\
         warning: `len` does not seem to be a Promela expression\n"
    );
    assert_eq!(ask("G p").stderr, "");
}
