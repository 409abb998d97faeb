//! Processes and actions in formulas and in declared fairness.

use super::{definition, described, model, read};
use crate::lang::Model;
use crate::lang::program::{Program, Proposition, Strength, TransitionId};
use insta::assert_snapshot;

const MODEL: &str = "
    const N = 3;
    type Color = { red, green };
    var x: 0..7;
    process worker(i in 0..N-1) {
        var done: bool;
        action start when x < 7 do x' = x + 1;
        action pass(k in 0..i) when i < N-1 do x' = k;
        action stop;
    }
    process main { action look(c in Color); action rest; }
    action lose(k in 0..1) when k == 1 || x == 2;
    action never when N == 2;
    prop full = x == 7;
";

fn name(program: &Program, id: TransitionId) -> String {
    let transition = &program.transitions[id];
    format!("{}.{}", program.processes[transition.process].name, transition.action)
}

fn names(program: &Program, ids: &[TransitionId]) -> String {
    assert!(ids.is_sorted());
    ids.iter().map(|&id| name(program, id)).collect::<Vec<String>>().join(" ")
}

/// What an atom is called, and which transitions it means.
#[track_caller]
fn check(text: &str, expected_name: &str, expected: &str) {
    let mut model = model(MODEL);
    for (aspect, atom) in [("taken", text), ("enabled", text)] {
        let formula = model.bindings.formula(&format!("G {aspect}({atom})")).unwrap();
        let atoms: Vec<&str> = formula.atoms().iter().map(|(_, name)| name).collect();
        let canonical = format!("{aspect}({expected_name})");
        assert_eq!(atoms, [canonical.as_str()]);
        let again = model.bindings.formula(&formula.to_string()).unwrap();
        assert_eq!(again, formula, "the name reads back as itself");
        let transitions = match model.bindings.atom(&mut model.program, &canonical).unwrap() {
            Proposition::Taken(transitions) if aspect == "taken" => transitions,
            Proposition::Enabled(transitions) if aspect == "enabled" => transitions,
            other => panic!("{other:?}"),
        };
        assert_eq!(names(&model.program, &transitions), expected);
    }
}

#[test]
fn processes() {
    check("main", "main", "main.look(red) main.look(green) main.rest");
    check("worker(0)", "worker(0)", "worker(0).start worker(0).pass(0) worker(0).stop");
    check("worker(N - 1)", "worker(2)", "worker(2).start worker(2).stop");
    check(
        "worker",
        "worker",
        "worker(0).start worker(0).pass(0) worker(0).stop worker(1).start worker(1).pass(0) worker(1).pass(1) worker(1).stop worker(2).start worker(2).stop",
    );
}

#[test]
fn actions_of_processes() {
    check("main.rest", "main.rest", "main.rest");
    check("main.look(green)", "main.look(green)", "main.look(green)");
    check("main.look", "main.look", "main.look(red) main.look(green)");
    check("worker(1).start", "worker(1).start", "worker(1).start");
    check("worker(1).pass(0 + 1)", "worker(1).pass(1)", "worker(1).pass(1)");
    check("worker(1).pass", "worker(1).pass", "worker(1).pass(0) worker(1).pass(1)");
    check("worker.pass", "worker.pass", "worker(0).pass(0) worker(1).pass(0) worker(1).pass(1)");
    check("worker.stop", "worker.stop", "worker(0).stop worker(1).stop worker(2).stop");
}

#[test]
fn actions_outside_processes() {
    check("lose", "lose", "model.lose(0) model.lose(1)");
    check("lose(1)", "lose(1)", "model.lose(1)");
}

#[test]
fn actions_that_are_left_out_have_no_transitions() {
    check("never", "never", "");
    check("worker(2).pass", "worker(2).pass", "");
    check("worker(2).pass(1)", "worker(2).pass(1)", "");
}

#[track_caller]
fn formula(text: &str, expected: &str) {
    let formula = model(MODEL).bindings.formula(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(formula.to_string(), expected);
}

#[test]
fn atoms_of_formulas() {
    formula(
        "forall i in 0..1: G F enabled(worker(i)) -> G F taken(worker(i).start)",
        "(G F \"enabled(worker(0))\" -> G F \"taken(worker(0).start)\") & (G F \"enabled(worker(1))\" -> G F \"taken(worker(1).start)\")",
    );
    formula("G (full -> !taken(lose))", "G (full -> !\"taken(lose)\")");
    formula(
        "\"taken(main)\" U (\"enabled(main . rest)\")",
        "\"taken(main)\" U \"enabled(main.rest)\"",
    );
    formula(
        "if taken(main) then full else X full",
        "\"taken(main)\" & full | !\"taken(main)\" & X full",
    );
    // What a constant decides may be out of range.
    formula(
        "exists i in 0..2: i < 2 && F taken(worker(i + 1).stop)",
        "F \"taken(worker(1).stop)\" | F \"taken(worker(2).stop)\"",
    );
    formula(
        "forall c in Color: F taken(main.look(c))",
        "F \"taken(main.look(red))\" & F \"taken(main.look(green))\"",
    );
    let text = format!("{MODEL} ltl moves: forall i in 0..N-1: G F taken(worker(i));");
    assert_eq!(model(&text).properties[0].formula.atoms().len(), 3);
}

/// The place and the message of an error in a formula.
#[track_caller]
fn error(text: &str) -> String {
    let model = model(MODEL);
    described(text, model.bindings.formula(text))
}

#[test]
fn names_that_do_not_move() {
    assert_snapshot!(error("taken(wroker)"), @"[wroker] there is no process or action `wroker`; did you mean `worker`?");
    assert_snapshot!(error("taken(loes)"), @"[loes] there is no process or action `loes`; did you mean `lose`?");
    assert_snapshot!(error("taken(start)"), @"[start] there is no process or action `start`; did you mean `worker.start`?");
    assert_snapshot!(error("taken(x)"), @"[x] `x` is a variable, not a process or an action");
    assert_snapshot!(error("taken(full)"), @"[full] `full` is a proposition, not a process or an action");
    assert_snapshot!(error("taken(x.start)"), @"[x] `x` is a variable, not a process or an action");
    assert_snapshot!(error("taken(lose.start)"), @"[lose] `lose` is an action, not a process");
    assert_snapshot!(error("taken(worker.done)"), @"[done] `worker` has no action `done`; there is `start`, `pass`, `stop`");
    assert_snapshot!(error("enabled(worker(0).strat)"), @"[strat] `worker` has no action `strat`; did you mean `start`?");
    assert_snapshot!(error("exists i in 0..1: taken(i)"), @"[i] `i` is an index, not a process or an action");
    assert_snapshot!(described("p", model("process p { } action p;").bindings.formula("taken(p)").map_err(|error| {
        assert_eq!(error.span.start, 6);
        crate::lang::SourceError::new(crate::lang::program::Span { start: 0, end: 1 }, error.message)
    })), @"[p] `p` is a process and an action: rename one of them");
}

#[test]
fn arguments_that_do_not_fit() {
    assert_snapshot!(error("taken(worker(3))"), @"[3] argument 3 is out of range: `i` of `worker` is from 0 to 2");
    assert_snapshot!(error("taken(worker(0, 1))"), @"[worker(0, 1)] `worker` takes 1 argument, not 2");
    assert_snapshot!(error("taken(worker(red))"), @"[red] expected a number, but this is a value of {red, green}");
    assert_snapshot!(error("taken(worker(x))"), @"[x] an argument must be a constant, but `x` is not");
    assert_snapshot!(error("taken(main(0))"), @"[main(0)] `main` takes 0 arguments, not 1");
    assert_snapshot!(error("taken(worker(0).start(1))"), @"[start(1)] `start` takes 0 arguments, not 1");
    assert_snapshot!(error("taken(worker(0).pass(1))"), @"[1] argument 1 is out of range: `k` of `pass` is from 0 to 0");
    assert_snapshot!(error("taken(worker.pass(0))"), @"[worker] `worker` needs arguments too, as `pass` has them: `worker.pass` means all of them");
    assert_snapshot!(error("taken(lose(2))"), @"[2] argument 2 is out of range: `k` of `lose` is from 0 to 1");
    assert_snapshot!(error("forall i in 0..N: taken(worker(i))"), @"[i] argument 3 is out of range: `i` of `worker` is from 0 to 2");
}

#[test]
fn places_where_moves_cannot_stand() {
    assert_snapshot!(error("taken(main) == full"), @"[taken(main)] `taken` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("\"full && taken(main)\""), @"[taken(main)] `taken` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("count(i in 0..1: taken(worker(i))) == 1"), @"[taken(worker(i))] `taken` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("taken main"), @"[main] expected `(`, found `main`");
    assert_snapshot!(error("taken(main"), @"[] expected `)`, found the end");
    assert_snapshot!(error("taken(G full)"), @"[G] expected the name of a process or an action, but `G` is an operator of formulas");
    assert_snapshot!(error("taken(worker(G full))"), @"[G] a temporal operator cannot stand inside an expression");
    assert_snapshot!(error("taken(1)"), @"[1] expected the name of a process or an action, found `1`");
    assert_snapshot!(error("taken(main.rest.rest)"), @"[.] expected `)`, found `.`");
    assert_snapshot!(error("taken(worker[0])"), @"[[] expected `)`, found `[`");
    let error = |text: &str| described(text, read(text, &[]));
    assert_snapshot!(error("action a when taken(a);"), @"[taken(a)] `taken` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("var b: bool; action a do b' = enabled(a);"), @"[enabled(a)] `enabled` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("action a; prop p = enabled(a);"), @"[enabled(a)] `enabled` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("action a do assert enabled(a);"), @"[enabled(a)] `enabled` is an atom by itself: it stands in formulas, outside of expressions, definitions and quotation marks");
    assert_snapshot!(error("var taken: bool;"), @"[taken] expected the name of a variable, but `taken` is a reserved word");
}

/// What a model promises, a line each.
fn promises(model: &Model) -> String {
    let lines = model.program.fairness.iter().map(|fairness| {
        let strength = match fairness.strength {
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        };
        let transitions = names(&model.program, &fairness.transitions);
        format!("{strength} {}: {transitions}", fairness.name)
    });
    lines.collect::<Vec<String>>().join("\n")
}

#[track_caller]
fn fairness(text: &str, expected: &[&str]) {
    assert_eq!(promises(&model(text)), expected.join("\n"));
}

#[test]
fn fairness_in_front_of_declarations() {
    fairness(
        "weak fair process p(i in 0..1) { action a; strong fair action b(k in 0..i); }",
        &[
            "weak p(0): p(0).a p(0).b(0)",
            "weak p(1): p(1).a p(1).b(0) p(1).b(1)",
            "strong p(0).b(0): p(0).b(0)",
            "strong p(1).b(0): p(1).b(0)",
            "strong p(1).b(1): p(1).b(1)",
        ],
    );
    fairness(
        "strong fair action a(k in 0..1); weak fair action b; action c;",
        &["strong a(0): model.a(0)", "strong a(1): model.a(1)", "weak b: model.b"],
    );
}

#[test]
fn fairness_by_itself() {
    let text = "process p(i in 0..1) { action a; action b(k in 0..1); } action c;";
    let with = |promise: &str| format!("{promise} {text}");
    fairness(&with("weak fair p(1);"), &["weak p(1): p(1).a p(1).b(0) p(1).b(1)"]);
    fairness(
        &with("strong fair p;"),
        &["strong p(0): p(0).a p(0).b(0) p(0).b(1)", "strong p(1): p(1).a p(1).b(0) p(1).b(1)"],
    );
    fairness(
        &with("strong fair p(0).b;"),
        &["strong p(0).b(0): p(0).b(0)", "strong p(0).b(1): p(0).b(1)"],
    );
    fairness(&with("strong fair p.a;"), &["strong p(0).a: p(0).a", "strong p(1).a: p(1).a"]);
    fairness(&with("weak fair c;"), &["weak c: model.c"]);
    fairness(
        &with("weak fair p(i).b(k) for i in 0..1, k in i..0;"),
        &["weak p(0).b(0): p(0).b(0)"],
    );
    fairness(&with("weak fair p(i) for i in 0..-1;"), &[]);
}

#[test]
fn fairness_counts_once() {
    let strong = "strong a: model.a";
    fairness("weak fair action a; strong fair a;", &[strong]);
    fairness("strong fair action a; weak fair a; strong fair a;", &[strong]);
    // The same transitions under another name.
    fairness("weak fair process p { strong fair action a; }", &["strong p.a: p.a"]);
    fairness("strong fair process p { weak fair action a; }", &["strong p: p.a"]);
}

#[test]
fn fairness_about_nothing_is_dropped() {
    fairness("const N = 1; strong fair process p { action a when N == 2; }", &[]);
    fairness("weak fair process p { }", &[]);
    fairness(
        "process p(i in 0..1) { strong fair action a when i == 1; }",
        &["strong p(1).a: p(1).a"],
    );
}

#[test]
fn fairness_knows_its_place() {
    let text = "weak fair process p { action a; strong fair action b; } strong fair p.a;";
    let model = model(text);
    let places: Vec<&str> = model
        .program
        .fairness
        .iter()
        .map(|fairness| &text[fairness.span.start..fairness.span.end])
        .collect();
    assert_eq!(places, ["weak fair process p", "strong fair action b", "strong fair p.a"]);
}

#[test]
fn fairness_may_depend_on_constants() {
    let text = "const K = 1; process p(i in 0..3) { action a; } strong fair p(i) for i in 0..K-1;";
    for n in 0..=4 {
        let model = read(text, &[definition("K", n)]).unwrap();
        assert_eq!(model.program.fairness.len(), usize::try_from(n).unwrap());
    }
}

#[test]
fn fairness_that_is_wrong() {
    let error = |text: &str| described(text, read(text, &[]));
    assert_snapshot!(error("fair process p { }"), @"[fair] how fair? write `weak fair` or `strong fair`");
    assert_snapshot!(error("weak process p { }"), @"[process] expected `fair`, found `process`");
    assert_snapshot!(error("weak fair var x: bool;"), @"[var] expected `process`, `action` or the name of a process or an action, found `var`");
    assert_snapshot!(error("process p { weak fair var x: bool; }"), @"[var] expected `action`, found `var`");
    assert_snapshot!(error("process p { fair action a; }"), @"[fair] how fair? write `weak fair` or `strong fair`");
    assert_snapshot!(error("action a; weak fair a b;"), @"[b] expected `for` or `;`, found `b`");
    assert_snapshot!(error("action a; weak fair a for i in 0..1"), @"[] expected `,` or `;`, found the end");
    assert_snapshot!(error("action a; weak fair b;"), @"[b] there is no process or action `b`; there is `a`");
    assert_snapshot!(error("process p(i in 0..1) { } weak fair p(2);"), @"[2] argument 2 is out of range: `i` of `p` is from 0 to 1");
    assert_snapshot!(error("var x: 0..1; process p(i in 0..1) { } weak fair p(x);"), @"[x] an argument must be a constant, but `x` is not");
}
