//! Formulas about a model, and the atoms in them.

use super::{described, model, steps};
use crate::lang::execute::Interpreter;
use crate::ltl::Formula;
use crate::system::TransitionSystem;

const MODEL: &str = "
    const N = 3;
    type Phase = { idle, busy };
    var x: 0..7 = 1;
    var b: bool = true;
    var phase[N]: Phase = [busy, idle, idle];
    process worker(i in 0..N-1) { var done: bool = i == 1; var log[2]: 0..3; action a; }
    process main { var y: 0..3 = 2; }
    prop works(i in 0..N-1) = phase[i] == busy;
    prop calm = forall i in 0..N-1: !works(i);
    prop of(p in Phase) = phase[0] == p;
";

/// A formula about the model, as it is printed in the default syntax.
#[track_caller]
fn check(text: &str, expected: &str) {
    let formula = model(MODEL).bindings.formula(text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(formula.to_string(), expected);
}

#[track_caller]
fn error(text: &str, expected: &str) {
    assert_eq!(described(text, model(MODEL).bindings.formula(text)), expected);
}

/// The value of an atom in the initial state.
#[track_caller]
fn atom(name: &str, expected: bool) {
    let mut model = model(MODEL);
    let id = model.bindings.atom(&mut model.program, name).unwrap();
    let mut system = Interpreter::new(&model.program, &[id]);
    let state = system.initial_states().remove(0);
    let mut letter = [0];
    system.observe(&state, &mut letter).unwrap();
    assert_eq!(letter[0] == 1, expected, "{name}");
}

#[test]
fn all_operators_in_all_spellings() {
    check("G F b", "G F b");
    check("GF b", "G F b");
    check("[]<> b", "G F b");
    check("□◇ ¬ b", "G F !b");
    check("() b", "X b");
    check("XX b", "X X b");
    check("b U b R b", "b U (b R b)");
    check("b V b", "b R b");
    check("b W (b M b)", "b W (b M b)");
    check("~b & b && b /\\ b and b", "!b & b & b & b & b");
    check("b | b || b \\/ b or b", "b | b | b | b | b");
    check("b ^ b xor b", "b ^ b ^ b");
    check("b -> b => b implies b", "b -> b -> b -> b");
    check("b <-> b <=> b ↔ b iff b", "b <-> b <-> b <-> b <-> b");
    check("true & 1 | False", "true & true | false");
    check("b U b & b | b", "b U b & b | b");
}

#[test]
fn expressions_are_atoms_with_canonical_names() {
    check("G (x==1 -> F calm)", "G (\"x == 1\" -> F calm)");
    check("G x == 1", "G \"x == 1\"");
    check("\"x==1\"", "\"x == 1\"");
    check("\"b && x == 1\"", "\"b && x == 1\"");
    check("works(0)", "\"works(0)\"");
    check("works(N - 1)", "\"works(2)\"");
    check("of(busy)", "\"of(busy)\"");
    check("phase[1 + 1] == busy", "\"phase[2] == busy\"");
    check("worker(2).done", "\"worker(2).done\"");
    check("worker(0).log[x] == main.y", "\"worker(0).log[x] == main.y\"");
    check("x + 1 - (x - N) * 2 < -N", "\"x + 1 - (x - 3) * 2 < -3\"");
    check("(if b then x else 2) == 1", "\"(if b then x else 2) == 1\"");
    check("sum(i in 0..2: x * i) == 3", "\"x * 0 + x * 1 + x * 2 == 3\"");
    check(
        "count(i in 1..2: works(i)) == 1",
        "\"(if works(1) then 1 else 0) + (if works(2) then 1 else 0) == 1\"",
    );
    check("(forall i in 0..1: works(i)) == b", "\"(works(0) && works(1)) == b\"");
    check("b == (b -> x > 1 || !b)", "\"b == (b -> x > 1 || !b)\"");
}

#[test]
fn names_read_back_as_themselves() {
    for name in [
        "x == 1",
        "works(2)",
        "of(idle)",
        "phase[x] == busy",
        "worker(2).done",
        "x + 1 - (x - 3) * 2 < -3",
        "(if works(1) then 1 else 0) + x / (2 % x) == 1",
        "(works(0) && works(1)) == b",
        "b == (b -> x > 1 || !b xor b)",
        "!(b == b) && b == b",
    ] {
        let formula = model(MODEL).bindings.formula(&format!("\"{name}\"")).unwrap();
        let names: Vec<&str> = formula.atoms().iter().map(|(_, name)| name).collect();
        assert_eq!(names, [name]);
    }
}

#[test]
fn quantifiers_are_written_out() {
    check(
        "forall i in 0..2: G F works(i)",
        "G F \"works(0)\" & G F \"works(1)\" & G F \"works(2)\"",
    );
    check("exists i in 1..2: works(i) U b", "\"works(1)\" U b | \"works(2)\" U b");
    check(
        "G forall i in 1..2: works(i) -> X b",
        "G ((\"works(1)\" -> X b) & (\"works(2)\" -> X b))",
    );
    check("forall i in 0..-1: b", "true");
    check("exists i in 0..-1: b", "false");
    check("forall p in Phase: F of(p)", "F \"of(idle)\" & F \"of(busy)\"");
    check(
        "forall i in 0..2, k in 0..i-1: G !(works(i) && works(k))",
        "G !(\"works(1)\" & \"works(0)\") & G !(\"works(2)\" & \"works(0)\") & G !(\"works(2)\" & \"works(1)\")",
    );
    check(
        "forall i in 0..2: i < 2 -> G (works(i) -> F works(i + 1))",
        "G (\"works(0)\" -> F \"works(1)\") & G (\"works(1)\" -> F \"works(2)\")",
    );
}

#[test]
fn constants_decide() {
    check("N == 3 && F b", "F b");
    check("N == 4 && F b", "false");
    check("if N == 3 then F b else G b", "F b");
    check("if b then F calm else G calm", "b & F calm | !b & G calm");
    check("G (N == 4 -> b)", "G true");
}

#[test]
fn the_plain_syntax_is_read_as_everywhere() {
    let bindings = model("var p: bool; var q: bool; var r: bool;").bindings;
    for text in [
        "G (p -> F q)",
        "!(p U (q & X r)) <-> (p W false)",
        "[]<>p && <>[](q || !r) -> (p V q)",
        "□(p ∧ ◇¬q) ∨ ○(r ↔ 0) xor true M p",
        "(((p) R (q))) ^ GFX p => XX q /\\ ()r",
        "p U q U r W p & q | r ^ p -> q <-> r",
    ] {
        assert_eq!(bindings.formula(text).unwrap(), Formula::parse(text).unwrap(), "{text}");
    }
}

#[test]
fn atoms_have_values() {
    atom("x == 1", true);
    atom("b", true);
    atom("works(0)", true);
    atom("works(1)", false);
    atom("calm", false);
    atom("of(busy)", true);
    atom("worker(1).done", true);
    atom("worker(0).done", false);
    atom("main.y + x == 3", true);
    atom("count(i in 0..2: phase[i] == idle) == 2", true);
}

#[test]
fn formulas_that_are_wrong() {
    error("", "[] the formula is empty");
    error("G (b", "[(] this parenthesis is never closed");
    error("b)", "[)] this parenthesis was never opened");
    error("G F bb", "[bb] `bb` is not declared; did you mean `b`?");
    error("x", "[x] expected a truth value, but this is a number");
    error("G x", "[x] expected a truth value, but this is a number");
    error("works(3)", "[3] argument 3 is out of range: `i` of `works` is from 0 to 2");
    error("works", "[works] `works` takes 1 argument, not 0");
    error("calm(1)", "[calm(1)] `calm` takes 0 arguments, not 1");
    error("works(x)", "[x] an argument must be a constant, but `x` is not");
    error("works(idle)", "[idle] expected a number, but this is a value of {idle, busy}");
    error("\"G b\"", "[G] a temporal operator cannot stand inside an expression");
    error("(F b) == b", "[F] a temporal operator cannot stand inside an expression");
    error("\"b && \\\"\"", "[\"b && \\\"\"] this quotation mark is never closed");
    error("b b", "[b] expected an operator or the end, found `b`");
    error("worker(0).dome", "[dome] `worker` has no variable `dome`; did you mean `done`?");
    error("worker(3).done", "[3] argument 3 is out of range: `i` of `worker` is from 0 to 2");
    error("worker(0)", "[worker] `worker` is a process, not a value");
    error("x.y", "[x] `x` is a variable, not a process");
    error("taken(b)", "[b] `b` is a variable, not a process or an action");
}

#[test]
fn properties_are_those_of_the_text() {
    let model = model("var b: bool; ltl one: G b; prop b2 = b; ltl two: b2 U b;");
    let found: Vec<String> = model
        .properties
        .iter()
        .map(|property| format!("{}: {}", property.name, property.formula))
        .collect();
    assert_eq!(found, ["one: G b", "two: b2 U b"]);
    assert_eq!(steps("var b: bool; ltl one: G b;").unwrap(), "b=false");
}
