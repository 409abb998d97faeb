//! Petri nets: known counts and verdicts, random nets against the same nets in another language,
//! the executor of nets against the interpreter, and texts that are no nets.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the net"
)]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "nets/contest.rs"]
mod contest;
#[path = "nets/errors.rs"]
mod errors;
#[path = "support/explicit.rs"]
mod explicit;
#[path = "nets/random.rs"]
mod random;
#[path = "nets/reductions.rs"]
mod reductions;
#[path = "support/tableau.rs"]
mod tableau;

use lwaa::Formula;
use lwaa::check::explore::explore;
use lwaa::check::model::{Deadlock, ModelOptions, check};
use lwaa::lang::{Model, pnml};
use lwaa::search::limits::{Limits, Monitor};
use lwaa::store::StoreKind;
use lwaa::testbench::Random;
use lwaa::verdict::{Exploration, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// A net as a text. Places have their tokens; arcs are given by source, target and weight.
fn net(places: &[(&str, u32)], transitions: &[&str], arcs: &[(&str, &str, u32)]) -> String {
    let mut text =
        String::from("<pnml><net id=\"n\" type=\"http://pnml/ptnet\"><page id=\"page\">\n");
    for (name, tokens) in places {
        writeln!(
            text,
            "<place id=\"{name}\"><initialMarking><text>{tokens}</text></initialMarking></place>"
        )
        .unwrap();
    }
    for name in transitions {
        writeln!(text, "<transition id=\"{name}\"/>").unwrap();
    }
    for (number, (source, target, weight)) in arcs.iter().enumerate() {
        writeln!(
            text,
            "<arc id=\"arc{number}\" source=\"{source}\" target=\"{target}\"><inscription><text> \
             {weight} </text></inscription></arc>"
        )
        .unwrap();
    }
    text + "</page></net></pnml>\n"
}

fn read(text: &str) -> Model {
    pnml::read(text, &[]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn shipped(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("models/pnml").join(name)
}

fn explored(model: &Model, limits: Limits) -> Exploration {
    let (kind, deadlock) = (StoreKind::Exact, Deadlock::Stutter);
    explore(model, kind, deadlock, limits, &Monitor::default()).unwrap().0
}

/// The number of states and of transitions between them.
fn counts(model: &Model) -> (usize, u64) {
    let found = explored(model, Limits::default());
    assert!(found.is_complete && found.errors == 0);
    (found.states, found.transitions)
}

fn holds(model: &Model, formula: &Formula) -> bool {
    let formulas = std::slice::from_ref(formula);
    let options = ModelOptions::default();
    let findings = check(model, formulas, &options, &Monitor::default(), &mut |_, _| ()).unwrap();
    match &findings[0].verdict {
        Verdict::Holds => true,
        Verdict::Violated(_) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn shipped_nets() {
    let buffer = read(&std::fs::read_to_string(shipped("buffer.pnml")).unwrap());
    assert_eq!(counts(&buffer), (24, 42));
    for (formula, expected) in [
        ("G (free + full <= 5)", true),
        ("G (free + full == 5 & tokens(ready, made) == 1)", true),
        ("G F fireable(take2)", true),
        ("G F fireable(put, use)", true),
        ("F G fireable(make)", false),
        ("G !(full >= 5)", false),
        ("X X X X (full == 1)", false),
        ("busy -> F waiting", true),
    ] {
        let formula = buffer.bindings.formula(formula).unwrap();
        assert_eq!(holds(&buffer, &formula), expected, "{formula}");
    }
}

/// A pump fills a place up to `most` tokens, and a drain empties it all at once.
#[test]
fn places_grow_with_their_tokens() {
    for most in [1, 3, 4, 1000] {
        let places = [("rest", most), ("filled", 0), ("copy", 0)];
        let arcs = [("rest", "pump", 1), ("pump", "filled", 1), ("pump", "copy", 1)];
        let drain = [("filled", "drain", most), ("copy", "drain", most), ("drain", "rest", most)];
        let model = read(&net(&places, &["pump", "drain"], &[arcs, drain].concat()));
        assert_eq!(counts(&model), (most as usize + 1, u64::from(most) + 1), "{most}");
        let formula = model.bindings.formula(&format!("G F filled >= {most}")).unwrap();
        assert!(holds(&model, &formula));
        let formula = model.bindings.formula(&format!("G filled + copy < {}", 2 * most)).unwrap();
        assert!(!holds(&model, &formula));
    }
}

#[test]
fn unbounded_nets_end_with_limits() {
    let model = read(&net(&[("p", 0)], &["t"], &[("t", "p", 3)]));
    let limits = Limits { states: Some(5000), ..Limits::default() };
    let found = explored(&model, limits);
    assert!(!found.is_complete && found.errors == 0 && found.states == 5000);
    // What the first states decide needs no others.
    assert!(holds(&model, &model.bindings.formula("p == 0 & X p == 3").unwrap()));
}

/// What is claimed about a net may be wrong, which must not matter.
#[test]
fn wrong_claims_do_not_matter() {
    let text = net(&[("p", 4), ("q", 0)], &["t"], &[("p", "t", 1), ("t", "q", 1)]);
    let claim = "<toolspecific tool=\"nupn\" version=\"1.1\"><structure units=\"1\" root=\"u\" \
                 safe=\"true\"><unit id=\"u\"><places>p q</places><subunits/></unit></structure>\
                 </toolspecific></page>";
    let model = read(&text.replace("</page>", claim));
    assert_eq!(counts(&model), (5, 4));
    assert!(holds(&model, &model.bindings.formula("F q == 4").unwrap()));
}

/// Arcs of transitions that can never fire, constant places, no arcs at all, several arcs as one.
#[test]
fn corner_cases() {
    assert_eq!(counts(&read(&net(&[], &[], &[]))), (1, 0));
    assert_eq!(counts(&read(&net(&[("p", 2)], &["t"], &[]))), (1, 1));
    let arcs = [("p", "t", 2), ("t", "p", 2), ("q", "t", 0)];
    assert_eq!(counts(&read(&net(&[("p", 2), ("q", 0)], &["t"], &arcs))), (1, 1));
    assert_eq!(counts(&read(&net(&[("p", 1), ("q", 0)], &["t"], &arcs))), (1, 0));
    let arcs = [("p", "t", 1), ("p", "t", 1), ("t", "q", 1), ("t", "q", 2)];
    let model = read(&net(&[("p", 5), ("q", 0)], &["t"], &arcs));
    assert_eq!(counts(&model), (3, 2));
    assert!(holds(&model, &model.bindings.formula("F (p == 1 & q == 6 & !fireable(t))").unwrap()));
}
