//! The tableau and the explicit graph, with which other tests compare searches,
//! on graphs and models whose answers are known.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/explicit.rs"]
mod explicit;
#[path = "support/random_model.rs"]
mod random_model;
#[path = "support/tableau.rs"]
mod tableau;

use explicit::Explicit;
use lwaa::Formula;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::lwm;
use lwaa::lang::program::Strength;
use lwaa::testbench::Random;
use lwaa::testbench::kripke::Kripke;
use lwaa::testbench::random_formula::{Options, random_formula};
use lwaa::word::Letter;
use random_model::random_fair_model;
use tableau::{Promise, components, promises, some_fair_run_satisfies, some_run_satisfies};

/// Two states, `p` in the second only: the first may stay or move on.
#[track_caller]
fn check(text: &str, expected: bool) {
    let formula = Formula::parse(text).unwrap();
    let p = formula.atoms().find("p");
    let graph = Kripke {
        successors: vec![vec![0, 1], vec![1]],
        letters: vec![Letter::new(), p.into_iter().collect()],
        initial: vec![0],
    };
    assert_eq!(some_run_satisfies(&graph, &formula), expected, "{text}");
}

/// A state with two loops and a step to another one and back: which of the
/// promises does a run keep that never takes the step?
#[track_caller]
fn fair(kept: &[(Strength, &str, &str)], text: &str, expected: bool) {
    let all = "loop | other | back | can_loop | can_other | can_back";
    let formula = Formula::parse(&format!("({all} | true) & {text}")).unwrap();
    let letter = |names: &[&str]| -> Letter {
        names.iter().filter_map(|name| formula.atoms().find(name)).collect()
    };
    // The nodes are steps: loop, other and back.
    let graph = Kripke {
        successors: vec![vec![0, 1], vec![2], vec![0, 1]],
        letters: vec![
            letter(&["loop", "can_loop", "can_other"]),
            letter(&["other", "can_loop", "can_other"]),
            letter(&["back", "can_back"]),
        ],
        initial: vec![0, 1],
    };
    let atom = |name: &str| formula.atoms().find(name).unwrap();
    let promises: Vec<Promise> = kept
        .iter()
        .map(|&(strength, enabled, taken)| Promise {
            strength,
            enabled: atom(enabled),
            taken: atom(taken),
        })
        .collect();
    assert_eq!(some_fair_run_satisfies(&graph, &formula, &promises), expected, "{text}");
}

#[test]
fn components_are_those_of_the_wanted_nodes() {
    // A cycle through a node that is not wanted.
    let edges = [vec![1], vec![2], vec![0, 3], vec![2]];
    let sizes = |wanted: &[bool]| -> Vec<usize> {
        let mut sizes: Vec<usize> = components(&edges, wanted).iter().map(Vec::len).collect();
        sizes.sort_unstable();
        sizes
    };
    assert_eq!(sizes(&[true; 4]), [4]);
    assert_eq!(sizes(&[true, false, true, true]), [1, 2]);
    assert_eq!(sizes(&[true, true, false, true]), [1, 1, 1]);
}

#[test]
fn promises_are_kept() {
    let strong = |enabled, taken| (Strength::Strong, enabled, taken);
    let weak = |enabled, taken| (Strength::Weak, enabled, taken);
    fair(&[], "G loop", true);
    fair(&[weak("can_other", "other")], "G loop", false);
    fair(&[weak("can_other", "other")], "F G !other", false);
    fair(&[weak("can_loop", "loop")], "F G loop", true);
    // On the way there and back nobody can loop all the time.
    fair(&[weak("can_loop", "loop")], "G !loop", true);
    fair(&[strong("can_loop", "loop")], "G !loop", false);
    fair(&[strong("can_loop", "loop")], "G F loop & G F back", true);
    fair(&[strong("can_loop", "loop"), strong("can_other", "other")], "F G loop", false);
    // Other names: what is never taken must be avoided.
    fair(&[strong("can_back", "loop")], "G F back & G !loop", false);
    fair(&[strong("can_back", "other"), weak("can_loop", "loop")], "F G loop", true);
    fair(&[weak("can_back", "loop")], "G F back & G !loop", true);
}

#[test]
fn runs_are_found_and_excluded() {
    check("G !p", true);
    check("F p", true);
    check("F p & G F !p", false);
    check("X X p & !X p", true);
    check("p", false);
    check("(!p U p) & F G p", true);
    check("!(!p W p)", false);
    check("(p M !p) | (p R p)", false);
    check("G X F G p", true);
}

/// Whether some fair run of a model satisfies a formula.
#[track_caller]
fn check_model(text: &str, formula: &str, expected: bool) {
    let model = lwm::read(text, &[]).unwrap();
    let formula = model.bindings.formula(formula).unwrap();
    let (program, mut atoms) = model.bound(&formula).unwrap();
    let promises = promises(&program, &mut atoms);
    let mut system = Interpreter::new(&program, &atoms);
    let explicit = Explicit::new(&mut system).unwrap();
    let graph = explicit.kripke(&mut system, atoms.len(), true).unwrap();
    assert_eq!(some_fair_run_satisfies(&graph, &formula, &promises), expected);
}

#[test]
fn letters_belong_to_steps() {
    let text = "var x: bool; action on when !x do x' = true; action off when x do x' = false;";
    check_model(text, "taken(on)", true);
    check_model(text, "taken(off)", false);
    check_model(text, "G (taken(on) <-> enabled(on))", true);
    check_model(text, "F (taken(on) & X taken(on))", false);
    let text = "var x: bool; action stay; action on do x' = true;";
    check_model(text, "!x & taken(stay) & X (!x & taken(on) & X x)", true);
    check_model(text, "G (taken(stay) | taken(on)) & G F taken(stay) & G !taken(on)", true);
    check_model(text, "F (taken(on) & X !x)", false);
}

#[test]
fn nothing_is_taken_in_a_deadlock() {
    let text = "var x: bool; strong fair action on when !x do x' = true;";
    check_model(text, "F G (!taken(on) & !enabled(on))", true);
    check_model(text, "G F enabled(on)", false);
    check_model(text, "X taken(on)", false);
}

/// A promise is a formula, too.
#[test]
fn promises_are_as_good_as_formulas() {
    let mut random = Random::new(2004);
    let shape = Options { size: 4, ..Options::default() };
    let mut verdicts = [0; 2];
    while verdicts.iter().any(|&n| n < 60) {
        let (text, about) = random_fair_model(&mut random);
        let mut model = lwm::read(&text, &[]).unwrap();
        model.program.fairness.truncate(1);
        let Some(fairness) = model.program.fairness.first() else { continue };
        let name = &fairness.name;
        let assumption = match fairness.strength {
            Strength::Weak => format!("(F G enabled({name}) -> G F taken({name}))"),
            Strength::Strong => format!("(G F enabled({name}) -> G F taken({name}))"),
        };
        let action = &about[random.below(about.len())];
        let formula = random_formula(&shape, &mut random).to_string().replace("p2", action);
        let assuming = model.bindings.formula(&format!("{assumption} & ({formula})")).unwrap();
        let formula = model.bindings.formula(&formula).unwrap();
        let (program, mut atoms) = model.bound(&formula).unwrap();
        let promises = promises(&program, &mut atoms);
        let mut system = Interpreter::new(&program, &atoms);
        let Ok(explicit) = Explicit::new(&mut system) else { continue };
        let graph = explicit.kripke(&mut system, atoms.len(), true).unwrap();
        let found = some_fair_run_satisfies(&graph, &formula, &promises);
        let (program, atoms) = model.bound(&assuming).unwrap();
        let mut system = Interpreter::new(&program, &atoms);
        let graph = explicit.kripke(&mut system, atoms.len(), true).unwrap();
        assert_eq!(found, some_run_satisfies(&graph, &assuming), "{assuming}\n{text}");
        verdicts[usize::from(found)] += 1;
    }
}

#[test]
fn declared_fairness_is_kept() {
    let text = "var x: bool; action on when !x do x' = true; action off when x do x' = false;";
    let with = |promise: &str| format!("{text} action stay; {promise}");
    check_model(&with(""), "F G taken(stay)", true);
    check_model(&with("weak fair on;"), "F G taken(stay)", true);
    check_model(&with("weak fair on; weak fair off;"), "F G taken(stay)", false);
    check_model(&with("strong fair stay;"), "F G !taken(stay)", false);
    check_model(&with("weak fair stay;"), "F G !taken(stay)", false);
}
