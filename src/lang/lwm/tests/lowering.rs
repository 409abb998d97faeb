//! Declarations and actions, by the states and steps that they give.

use super::{definition, described, model, read, steps};
use crate::lang::program::{BinaryOperator, Effect, Expression};

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(steps(text).unwrap(), expected);
}

/// The right side of an update, by what it gives.
#[track_caller]
fn value(expression: &str, expected: &str) {
    let text = format!(
        "var x: -99..99 = 7; var a[3]: 0..9 = [4, 5, 6]; var b: bool = true; var r: -99..99; action go do r' = {expression};"
    );
    let found = steps(&text).unwrap();
    assert!(found.ends_with(&format!(" r={expected}")), "{expression}: {found}");
}

/// A guard, by whether it is true.
#[track_caller]
fn truth(guard: &str, expected: bool) {
    let text = format!(
        "const N = 3; type C = {{ red, green }}; var c: C = green; var x: -99..99 = 7; var a[3]: 0..9 = [4, 5, 6]; var b: bool = true; action go when {guard};"
    );
    assert_eq!(steps(&text).unwrap().contains("go"), expected, "{guard}");
}

/// The error when a step is made.
#[track_caller]
fn fault(text: &str, expected: &str) {
    assert_eq!(steps(text).unwrap_err().to_string(), expected);
}

#[test]
fn variables_begin_as_they_say() {
    check("var x: 2..5;", "x=2");
    check("var x: 2..5 = 4;", "x=4");
    check("var x: bool;", "x=false");
    check("var x: { red, green } = green;", "x=green");
    check("type C = { red, green }; var x: C; var y: C = green;", "x=red y=green");
    check("var a[3]: 0..7 = 5;", "a=[5, 5, 5]");
    check("var a[3]: 0..7 = [1, 2, 3];", "a=[1, 2, 3]");
    check("const N = 3; var a[N]: 0..9 = [i * i for i in 0..N-1];", "a=[0, 1, 4]");
    check("var x: 0..2 = any;", "x=0\nx=1\nx=2");
    check(
        "var a[2]: bool = any;",
        "a=[false, false]\na=[false, true]\na=[true, false]\na=[true, true]",
    );
    check("var x: -3..-1;", "x=-3");
    check("type T = 0..N; const N = K + 1; const K = 2; var x: T = N;", "x=3");
}

#[test]
fn constants_are_overridden() {
    let text = "const N = 2; const B = true; var a[N]: bool = B;";
    let read = |name, value| read(text, &[definition(name, value)]);
    assert_eq!(read("N", 5).unwrap().program.variables.iter().next().unwrap().len, Some(5));
    let first =
        |value| read("B", value).unwrap().program.variables.iter().next().unwrap().initial[0];
    assert_eq!((first(0), first(1)), (0, 1));
    assert_eq!(
        described(text, read("B", 2)),
        "[B] `B` cannot be defined as 2: it is a truth value"
    );
    assert_eq!(
        described(text, read("M", 2)),
        "[] `M` cannot be defined: the model has no constant of that name"
    );
    assert_eq!(described(text, read("a", 2)), "[a] `a` cannot be defined: it is a variable");
    assert_eq!(described(text, read("N", 0)), "[N] an array has at least one element, not 0");
}

#[test]
fn actions_without_processes_belong_to_the_model() {
    check("var x: 0..3; action up when x < 3 do x' = x + 1;", "x=0\n  model.up: x=1");
    check("var x: 0..3; action stay;", "x=0\n  model.stay: x=0");
}

#[test]
fn processes_and_actions_have_instances() {
    check(
        "var x: 0..9; process p(i in 1..2) { action a(k in 0..1) do x' = 2 * i + k; }",
        "x=0\n  p(1).a(0): x=2\n  p(1).a(1): x=3\n  p(2).a(0): x=4\n  p(2).a(1): x=5",
    );
    check(
        "type C = { red, green }; var x: C; process p(c in C, b in bool) { action a do x' = c; }",
        "x=red\n  p(red, false).a: x=red\n  p(red, true).a: x=red\n  p(green, false).a: x=green\n  p(green, true).a: x=green",
    );
    check(
        "process p(i in 0..1) { var x: 0..3 = i; action a do x' = x + 2; }",
        "p(0).x=0 p(1).x=1\n  p(0).a: p(0).x=2 p(1).x=1\n  p(1).a: p(0).x=0 p(1).x=3",
    );
    check(
        "process p { var x: bool; action a when q.y do x' = true; } process q { var y: bool = true; action b when p.x; }",
        "p.x=false q.y=true\n  p.a: p.x=true q.y=true",
    );
}

#[test]
fn choices_are_all_taken() {
    check(
        "var x: 0..9; action a with v in 1..2, w in 0..1 when v + w < 3 do x' = 3 * v + w;",
        "x=0\n  model.a: x=3\n  model.a: x=4\n  model.a: x=6",
    );
    check(
        "var x: bool; action a with b in bool do x' = b;",
        "x=false\n  model.a: x=false\n  model.a: x=true",
    );
}

#[test]
fn updates_happen_at_once() {
    check(
        "var x: 0..9 = 1; var y: 0..9 = 2; action swap do x' = y, y' = x;",
        "x=1 y=2\n  model.swap: x=2 y=1",
    );
    check(
        "var a[3]: 0..9 = [1, 2, 3]; action rotate do a[0]' = a[1], a[1]' = a[2], a[2]' = a[0];",
        "a=[1, 2, 3]\n  model.rotate: a=[2, 3, 1]",
    );
    // The index is that of the old state, too.
    check(
        "var i: 0..1; var a[2]: 0..9; action a1 do i' = 1, a[i]' = 5;",
        "i=0 a=[0, 0]\n  model.a1: i=1 a=[5, 0]",
    );
    check(
        "var i: 0..1; var x: 0..9; action a1 do i' = 1, assert i == 0, x' = i + 3;",
        "i=0 x=0\n  model.a1: i=1 x=3",
    );
}

#[test]
fn temporaries_are_only_where_they_are_needed() {
    let n_effects = |text| {
        let model = model(text);
        model.program.transitions.iter().next().unwrap().effects.len()
    };
    assert_eq!(n_effects("var x: 0..9; var y: 0..9; action a do x' = y, y' = 1;"), 2);
    assert_eq!(n_effects("var x: 0..9; var y: 0..9; action a do x' = y, y' = x;"), 3);
    assert_eq!(n_effects("var a[2]: 0..9; action s do a[0]' = a[0], a[1]' = a[1];"), 2);
    assert_eq!(n_effects("var x: 0..9; action a do x' = x * x + x;"), 1);
}

#[test]
fn guards_keep_comparisons_in_front() {
    let model = model(
        "type P = { here, there }; var p[2]: P; var x: 0..3; process q(i in 0..1) { action a when here == p[i] && x < 3 do x' = x + 1; }",
    );
    let transition = model.program.transitions.iter().next().unwrap();
    let Expression::Binary(BinaryOperator::And, left, _) = model.program.view(transition.guard)
    else {
        panic!("no conjunction")
    };
    let Expression::Binary(BinaryOperator::Equal, place, constant) = model.program.view(left)
    else {
        panic!("no comparison")
    };
    assert!(matches!(model.program.view(place), Expression::Element(..)));
    assert_eq!(model.program.as_constant(constant), Some(0));
    assert!(matches!(transition.effects[..], [Effect::Assign(..)]));
}

#[test]
fn an_action_that_is_never_enabled_is_left_out() {
    check(
        "const N = 2; var a[N]: bool; process p(i in 0..N-1) { action pass when a[i] == false && i < N-1 do a[i + 1]' = true; }",
        "a=[false, false]\n  p(0).pass: a=[false, true]",
    );
}

#[test]
fn arithmetic() {
    value("1 + 2 * 3", "7");
    value("(1 + 2) * 3", "9");
    value("7 - 2 - 1", "4");
    value("-7 / 2", "-3");
    value("-7 % 3", "-1");
    value("x / 2 * 2 + x % 2", "7");
    value("- - x", "7");
    value("2 - -x", "9");
    value("a[1] + a[a[0] - 4]", "9");
    value("if b then x else 0", "7");
    value("1 + if !b then x else 2 + 3", "6");
    value("sum(i in 0..2: a[i] * i)", "17");
    value("sum(i in 0..-1: a[i])", "0");
    value("count(i in 0..2: a[i] > 4)", "2");
    value("count(i in 0..2, k in 0..i: a[i] != a[k])", "3");
}

#[test]
fn logic() {
    truth("true", true);
    truth("0", false);
    truth("b == 1", true);
    truth("!b || x == 7", true);
    truth("not b or x == 7", true);
    truth("! x == 8", true);
    truth("b and b", true);
    truth("b -> x < 7", false);
    truth("b => x <= 7", true);
    truth("false -> false -> false", true);
    truth("(false -> false) -> false", false);
    truth("b <-> x > 6", true);
    truth("b iff x >= 8", false);
    truth("b xor b xor b", true);
    truth("b ^ b", false);
    truth("true || b && false", true);
    truth("true xor true && false", true);
    truth("c == green", true);
    truth("c != green", false);
    truth("forall i in 0..2: a[i] > 3", true);
    truth("forall i in 0..2: a[i] > 4", false);
    truth("exists i in 0..N-1: a[i] == x - 1", true);
    truth("forall i in 0..N-1, k in 0..i-1: a[k] < a[i]", true);
    truth("exists d in C: d == c", true);
}

#[test]
fn operands_that_constants_decide_against_are_dead() {
    truth("exists i in 0..2: i < 2 && a[i + 1] == 6", true);
    truth("forall i in 0..2: i == 2 || a[i + 1] > a[i]", true);
    truth("forall i in 0..2: i < 2 -> a[i + 1] > a[i]", true);
    truth("forall i in 0..2: (if i < 2 then a[i + 1] else 9) > 4", true);
    truth("forall i in 0..2: i == 0 || 6 / i > 1", true);
}

#[test]
fn faults_while_running() {
    fault("var x: 0..3 = 3; action a do x' = x + 1;", "value 4 is out of range: x holds 0 to 3");
    fault(
        "var x: 0..3 = 3; var a[2]: bool; action b when a[x];",
        "index 3 is out of range: a has 2 elements",
    );
    fault("var x: 0..3; action b when 1 / x == 1;", "division by zero");
    fault("var x: 0..3; action b do assert x > 0;", "assertion failed: x > 0");
    fault(
        "var x: 0..1; var y: 0..1; var a[2]: bool; action b do a[x]' = true, a[y]' = false;",
        "assertion failed: two updates of `a` have different indices",
    );
}
