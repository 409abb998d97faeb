//! Small models and what becomes of them.

use super::read;
use crate::lang::execute::Interpreter;
use crate::lang::program::{Program, Proposition, Values};
use crate::lang::{Definition, Model};
use crate::system::{Cursor, FaultKind, TransitionSystem};
use std::collections::BTreeSet;

/// A process `P` with these declarations and clauses behind these globals.
fn with_process(globals: &str, body: &str) -> String {
    format!("{globals} process P {{ {body} }} system async;")
}

/// All reachable states, as values of all variables, and the faults on the way.
fn explore(program: &Program) -> (BTreeSet<Vec<i64>>, Vec<FaultKind>) {
    let mut system = Interpreter::new(program, &[]);
    let mut open = system.initial_states();
    let (mut seen, mut faults) = (BTreeSet::new(), Vec::new());
    let flat = |values: &Values| -> Vec<i64> {
        let variables = program.variables.entries();
        variables
            .flat_map(|(id, variable)| {
                (0..variable.n_elements()).map(move |at| values.value(id, at))
            })
            .collect()
    };
    for state in &open {
        seen.insert(flat(&system.values(state)));
    }
    while let Some(state) = open.pop() {
        let (mut cursor, mut target) = (Cursor::default(), vec![0; system.n_words()]);
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                Ok(Some(_)) => {
                    if seen.insert(flat(&system.values(&target))) {
                        open.push(target.as_slice().into());
                    }
                }
                Err(error) => faults.push(error.fault().unwrap().kind),
            }
        }
    }
    (seen, faults)
}

/// The model has exactly these states, in any order, and no faults.
#[track_caller]
fn check(text: &str, expected: &[&[i64]]) {
    let model = read(text, &[]).unwrap();
    let (seen, faults) = explore(&model.program);
    assert_eq!(faults, []);
    let expected: BTreeSet<Vec<i64>> = expected.iter().map(|state| state.to_vec()).collect();
    assert_eq!(seen, expected);
}

/// The model is wrong at the first place where `marked` stands, and why.
#[track_caller]
fn wrong(text: &str, marked: &str, message: &str) {
    let error = read(text, &[]).err().unwrap();
    assert_eq!(error.message, message);
    assert_eq!(&text[error.span.start..error.span.end], marked);
}

#[test]
fn effects_run_in_order_and_see_the_new_state() {
    let body = "byte y; state a, b; init a; trans a -> b { effect x = 2, y = x + P.b; };";
    check(&with_process("byte x;", body), &[&[0, 0, 0], &[2, 1, 3]]);
}

#[test]
fn a_source_may_be_left_out() {
    let body = "state a, b, c; init a; trans a -> b {}, -> c {};";
    check(&with_process("", body), &[&[0], &[1], &[2]]);
}

#[test]
fn boolean_operators_share_a_level() {
    let body = "state a, b; init a; trans a -> b { guard 1 or 0 and 0; };";
    check(&with_process("", body), &[&[0]]);
    let body = "state a, b; init a; trans a -> b { guard 0 -> 0 imply 1; };";
    check(&with_process("", body), &[&[0], &[1]]);
    let body = "state a, b; init a; trans a -> b { guard not 1 == 0; };";
    check(&with_process("", body), &[&[0], &[1]]);
}

#[test]
fn operators_and_their_strengths() {
    let initial = |text: &str| {
        let model = with_process(&format!("int x = {text};"), "state a; init a;");
        read(&model, &[]).unwrap().program.variables.iter().next().unwrap().initial[0]
    };
    assert_eq!(initial("1 + 2 * 3 - 8 / 2 % 3"), 6);
    assert_eq!(initial("-7 / 2"), -3);
    assert_eq!(initial("-7 % 2"), -1);
    assert_eq!(initial("6 & 3 | 8 ^ 1"), 11);
    assert_eq!(initial("~5 + (1 << 4 >> 1)"), 2);
    assert_eq!(initial("2 > 1 == 1 >= 1"), 1);
    assert_eq!(initial("!0 && not false imply true != 2"), 1);
    assert_eq!(initial("((((3))))"), 3);
}

#[test]
fn initial_values_use_what_is_declared_before() {
    let globals = "const byte N = 2; byte a[N + 1] = {N, 7}; byte b = a[1] * N;";
    check(&with_process(globals, "state s; init s;"), &[&[2, 7, 0, 14, 0]]);
}

#[test]
fn definitions_override_constants() {
    let text = with_process("const byte N = 2; byte a[N];", "const int M = 1; state s; init s;");
    let define = |name: &str, value| vec![Definition { name: name.to_owned(), value }];
    let model = read(&text, &define("N", 5)).unwrap();
    assert_eq!(model.program.variables.iter().next().unwrap().len, Some(5));
    assert!(read(&text, &define("P.M", -3)).is_ok());
    let error = |name, value| read(&text, &define(name, value)).err().unwrap();
    assert_eq!(error("K", 1).message, "the model has no constant `K` to define");
    assert_eq!((error("K", 1).span.start, error("K", 1).span.end), (0, 0));
    let message = "definition of `N`: 256 is out of range: byte holds 0 to 255";
    assert_eq!(error("N", 256).message, message);
}

#[test]
fn a_rendezvous_gives_values_then_the_receiver_acts_then_the_sender() {
    let text = "byte x; channel c;
        process A { state a, b; init a; trans a -> b { sync c!{x + 1, x + 2}; effect x = x * 2; }; }
        process B { byte y[2]; byte i = 1; state a, b; init a;
            trans a -> b { guard x == 0; sync c?{i, y[i]}; effect x = 3; }; }
        system async;";
    check(text, &[&[0, 0, 0, 0, 0, 1], &[6, 1, 1, 0, 2, 1]]);
    let model = read(text, &[]).unwrap();
    let transition = model.program.transitions.iter().next().unwrap();
    assert_eq!(transition.action, "a -> b c!, a -> b c?");
    assert!(transition.partner.is_some() && transition.partner != Some(transition.process));
}

#[test]
fn a_process_does_not_meet_itself() {
    let body = "state a, b; init a; trans a -> b { sync c!; }, a -> b { sync c?; };";
    check(&with_process("channel c;", body), &[&[0]]);
}

#[test]
fn a_buffer_is_first_in_first_out_and_forgets_what_was_taken() {
    let text = "channel {byte, int} c[2];
        process A { state a, b, d; init a;
            trans a -> b { sync c!{1, -1}; }, b -> d { sync c!{2, -2}; }; }
        process B { byte x; int y; state a; init a;
            trans a -> a { sync c?{x, y}; }; }
        system async;";
    // Length, first fields, second fields, A, B, x, y.
    check(
        text,
        &[
            &[0, 0, 0, 0, 0, 0, 0, 0, 0],
            &[1, 1, 0, -1, 0, 1, 0, 0, 0],
            &[2, 1, 2, -1, -2, 2, 0, 0, 0],
            &[0, 0, 0, 0, 0, 1, 0, 1, -1],
            &[1, 2, 0, -2, 0, 2, 0, 1, -1],
            &[0, 0, 0, 0, 0, 2, 0, 2, -2],
        ],
    );
}

#[test]
fn committed_states_go_first_and_meet_only_each_other() {
    let text = "channel c;
        process A { state a, b, d; init a; commit b;
            trans a -> b {}, b -> d { sync c!; }; }
        process B { state a, b; init a; trans a -> b { sync c?; }, a -> b {}; }
        system async;";
    check(text, &[&[0, 0], &[1, 0], &[0, 1], &[1, 1]]);
    let committed = text
        .replace("process B { state a, b; init a;", "process B { state a, b; init a; commit a;");
    check(&committed, &[&[0, 0], &[0, 1], &[1, 1]]);
    let both = committed.replace("init a; commit b;", "init b; commit b;");
    check(&both, &[&[1, 0], &[2, 1], &[1, 1]]);
}

#[test]
fn a_synchronous_system_sees_the_state_before() {
    let text = "byte x = 1; byte y = 2; byte a[2];
        process A { state s; init s;
            trans s -> s { guard x == 1; effect x = y, a[0] = x, x = x + a[0]; }; }
        process B { state s; init s; trans s -> s { effect y = x; }; }
        system sync;";
    check(text, &[&[1, 2, 0, 0, 0, 0], &[4, 1, 2, 0, 0, 0]]);
    let clash = text.replace("effect y = x", "effect x = y");
    let (_, faults) = explore(&read(&clash, &[]).unwrap().program);
    assert_eq!(faults, [FaultKind::Assertion("only one process assigns x in a step".into())]);
}

#[test]
fn assertions_are_checked_wherever_they_may_break() {
    let text = "byte x;
        process A { state a, b; init a; assert b: x < 2; trans a -> b {}; }
        process B { state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }; }
        system async;";
    let (_, faults) = explore(&read(text, &[]).unwrap().program);
    assert_eq!(faults, vec![FaultKind::Assertion("A.b: x < 2".into()); 2]);
    let initially = text.replace("assert b: x < 2", "assert a: x == 1");
    wrong(&initially, "x == 1", "this assertion is false in the initial state");
}

#[test]
fn values_that_do_not_fit_are_faults() {
    let body =
        "state a, b; init a; trans a -> b { effect x = x - 1; }, a -> b { effect x = a[x + 2]; };";
    let (_, faults) =
        explore(&read(&with_process("byte x; byte a[2];", body), &[]).unwrap().program);
    assert_eq!(faults.len(), 2);
    let text = "channel {byte} c[0];
        process A { state a; init a; trans a -> a { sync c!300; }; }
        process B { int x; state a; init a; trans a -> a { sync c?x; }; } system async;";
    let (_, faults) = explore(&read(text, &[]).unwrap().program);
    assert_eq!(faults, [FaultKind::Assertion("a value that is sent fits into byte".into())]);
}

#[test]
fn atoms_are_expressions() {
    let text = "const byte N = 1; byte x = 1; byte a[2] = {0, 1};
        process P { byte y = 2; byte b[2] = {5, 6}; state s, t; init t; } system async;";
    let mut model: Model = read(text, &[]).unwrap();
    for atom in ["x == N", "P.t && !P.s", "P.y == 2", "P->y == 2 -> x", "P.b[a[1]] == 6", "P->b[x]"]
    {
        let id = model.bindings.atom(&mut model.program, atom).unwrap();
        let mut letter = [0];
        let mut system = Interpreter::new(&model.program, &[id]);
        let state = &system.initial_states()[0];
        system.observe(state, &mut letter).unwrap();
        assert_eq!(letter, [1], "{atom}");
    }
    let mut error = |atom| model.bindings.atom(&mut model.program, atom).unwrap_err();
    assert_eq!(error("P.u").message, "process `P` has no state `u`; there is `s`, `t`");
    assert_eq!(error("y").span.end, 1);
    assert_eq!(error("x x").message, "expected an operator or the end, found `x`");
    assert_eq!(error("").message, "expected an expression, found the end of the text");
    let error = model.bindings.formula("G (").unwrap_err();
    assert!(error.span.end <= 3);
}

#[test]
fn what_is_wrong_and_where() {
    let process =
        |body: &str| with_process("byte x; byte v[3]; channel c; channel {byte} d[2];", body);
    let trans = |what: &str| process(&format!("state a; init a; trans a -> a {{ {what} }};"));
    wrong(&process("state a; init b;"), "b", "process `P` has no state `b`; there is `a`");
    wrong(
        &process("state ab, a; init aa;"),
        "aa",
        "process `P` has no state `aa`; did you mean `a`?",
    );
    wrong(&process("state a, a; init a;"), "a", "`a` is already a state");
    wrong(&process("byte x; byte x; state a; init a;"), "x", "`x` is already a variable");
    wrong(&process("init a;"), "P", "process `P` has no `state` clause");
    wrong(&process("state a;"), "P", "process `P` has no `init` clause");
    wrong(&process("state a; state b;"), "state", "a process has one clause `state` only");
    wrong(&trans("effect z = 1;"), "z", "there is no variable `z`; there is `x`, `v`");
    wrong(&trans("effect v = 1;"), "v", "`v` is an array of 3 elements: an index is missing");
    wrong(&trans("effect x[1] = 1;"), "x", "`x` is not an array");
    wrong(&trans("guard c;"), "c", "`c` is a channel, not a variable");
    wrong(&trans("sync x!;"), "x", "`x` is a variable, not a channel");
    wrong(&trans("sync d!;"), "d!", "a message of `d` has 1 values, not 0");
    wrong(&trans("guard (x;"), "(", "this is not closed in front of `;`");
    wrong(&trans("guard x +;"), ";", "expected an expression, found `;`");
    wrong(&trans("guard Q.a;"), "Q", "there is no process `Q`; there is `P`");
    wrong("const byte N; system async;", "N", "the constant `N` has no value");
    wrong("byte x = 256; system async;", "256", "256 is out of range: byte holds 0 to 255");
    wrong("byte x[0]; system async;", "0", "an array has at least one element");
    wrong(
        "channel c[3]; system async;",
        "c",
        "a buffered channel needs the types of its values, as in `channel {byte, int} c[4]`",
    );
    wrong(
        "byte x;",
        "",
        "expected a declaration, `process` or `system`, found the end of the text",
    );
    let constant = "const byte N = 1;
        process P { state a; init a; trans a -> a { effect N = 2; }; } system async;";
    let error = read(constant, &[]).err().unwrap();
    assert_eq!(error.message, "`N` is a constant and never changes");
    let property = with_process("", "state a; init a;").replace("async", "async property P");
    assert!(read(&property, &[]).err().unwrap().message.contains("property processes"));
}

#[test]
fn a_model_has_processes() {
    wrong("byte x; system sync;", "", "a model has at least one process");
}

#[test]
fn own_models() {
    let check = |text: &str, n_states: usize| {
        let (seen, faults) = explore(&read(text, &[]).unwrap().program);
        assert_eq!((seen.len(), faults), (n_states, vec![]));
    };
    check(include_str!("../../../models/dve/lights.dve"), 4);
    check(include_str!("../../../models/dve/mailbox.dve"), 24);
    check(include_str!("../../../models/dve/sorter.dve"), 14);
    check(include_str!("../../../models/dve/swap.dve"), 10);
}

#[test]
fn huge_models_are_refused() {
    let message = |text: &str| read(text, &[]).err().unwrap().message;
    assert!(message("byte x[9999999]; system async;").starts_with("a length is from 0"));
    assert!(message("byte x[4000000], y[1]; system async;").contains("more than 4000000 values"));
    let halves = |kind| vec![format!("a -> a {{ sync c{kind}; }}"); 1000].join(",");
    let text = format!(
        "channel c; process A {{ state a; init a; trans {}; }}
         process B {{ state a; init a; trans {}; }} system async;",
        halves('!'),
        halves('?')
    );
    assert!(message(&text).contains("more than 500000 transitions"));
    let process = |name| {
        format!("process {name} {{ state a; init a; trans {}; }}", vec!["a -> a {}"; 100].join(","))
    };
    let text = format!("{} {} {} system sync;", process("A"), process("B"), process("C"));
    assert!(message(&text).contains("combinations"));
}

#[test]
fn depth_is_bounded_by_memory_alone() {
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let long = vec!["x"; 100_000].join(" + ");
    let body = format!("state a; init a; trans a -> a {{ guard {deep} < {long}; }};");
    assert!(read(&with_process("byte x;", &body), &[]).is_ok());
}

const MEETING: &str = "byte x;
    channel c;
    process A { state a, b; init a; trans a -> b { sync c!; }, b -> a { guard x == 1; }; }
    process B { state a, b; init a; trans a -> b { sync c?; effect x = 1; }, b -> b {}; }
    process C { state a; init a; }
    system async;";

/// The transitions that an atom means, by their actions.
#[track_caller]
fn moves(text: &str, name: &str) -> String {
    let model = read(text, &[]).unwrap();
    let (program, atoms) = model.bound(&model.bindings.formula(name).unwrap()).unwrap();
    let transitions = match &atoms[..] {
        [Proposition::Taken(transitions)] if name.contains("taken") => transitions,
        [Proposition::Enabled(transitions)] if name.contains("enabled") => transitions,
        other => panic!("{other:?}"),
    };
    let actions: Vec<&str> =
        transitions.iter().map(|&id| program.transitions[id].action.as_str()).collect();
    actions.join("; ")
}

#[test]
fn processes_take_part_in_their_rendezvous() {
    assert_eq!(moves(MEETING, "taken(A)"), "a -> b c!, a -> b c?; b -> a");
    assert_eq!(moves(MEETING, "enabled(B)"), "a -> b c!, a -> b c?; b -> b");
    assert_eq!(moves(MEETING, "enabled(C)"), "");
    assert_eq!(moves(MEETING, "\"taken(A)\""), moves(MEETING, "taken(A)"));
    assert_eq!(moves(MEETING, "taken ( A )"), moves(MEETING, "taken(A)"));
    let synchronous = "process A { state a; init a; trans a -> a {}; }
        process B { state b; init b; trans b -> b {}; } system sync;";
    assert_eq!(moves(synchronous, "taken(B)"), "a -> a, b -> b");
}

#[test]
fn calls_need_no_quotation_marks() {
    let bindings = read(MEETING, &[]).unwrap().bindings;
    let check = |text: &str, expected: &str| {
        assert_eq!(bindings.formula(text).unwrap().to_string(), expected);
    };
    check("G F enabled(A) -> G F taken(A)", "G F \"enabled(A)\" -> G F \"taken(A)\"");
    check("taken(A)U(taken(B)|x)", "\"taken(A)\" U (\"taken(B)\" | x)");
    check("\"x == 1\" & taken & taken2", "\"x == 1\" & taken & taken2");
    check("\"taken(A)\" & \"\\\"taken(A)\"", "\"taken(A)\" & \"\\\"taken(A)\"");
    let error = |text: &str| {
        let error = bindings.formula(text).unwrap_err();
        (text[error.span.start..error.span.end].to_owned(), error.message)
    };
    let place = |text: &str| error(text).0;
    assert_eq!(place("taken(A) & (enabled(B)"), "(");
    assert_eq!(place("taken(A) & enabled(B) §"), "§");
    assert_eq!(place("taken(A) & enabled(B) enabled(C)"), "enabled(C)");
    assert_eq!(place("§ taken(A)"), "§");
    assert_eq!(place("taken(A) & taken(B"), "(");
}

#[test]
fn calls_that_are_wrong() {
    let error = |name: &str| {
        let mut model = read(MEETING, &[]).unwrap();
        let error = model.bindings.atom(&mut model.program, name).unwrap_err();
        format!("[{}] {error}", &name[error.span.start..error.span.end])
    };
    assert_eq!(error("taken( D )"), "[D] there is no process `D`; there is `A`, `B`, `C`");
    assert_eq!(error("taken()"), "[] there is no process ``; there is `A`, `B`, `C`");
    let by_itself = "is an atom by itself: connect it with others outside of quotation marks";
    assert_eq!(error("taken(A) && x"), format!("[taken(A)] `taken(…)` {by_itself}"));
    assert_eq!(error("x or enabled(A)"), format!("[enabled(A)] `enabled(…)` {by_itself}"));
}
