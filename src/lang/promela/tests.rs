//! What is wrong with a model is said at the right place, and what is right is read.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod expanded;

use super::read;
use crate::lang::execute::Interpreter;
use crate::lang::program::Program;
use crate::lang::{Demand, OpenError, Question};
use crate::system::{Cursor, TransitionSystem};
use std::collections::BTreeSet;

/// The message about a text, with the words that it points at.
fn message(text: &str) -> String {
    let read = read(text, &[], &mut |_| Err("there are no files".to_owned()));
    let error = read.map(|_| ()).unwrap_err();
    let place = text.get(error.span.start..error.span.end).unwrap_or("");
    let words = place.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{words} | {}", error.message)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(message(text), expected, "{text}");
}

/// How many states a model has, and whether something went wrong in one of them.
fn states(text: &str) -> (usize, BTreeSet<String>) {
    let model = read(text, &[], &mut |_| Err("there are no files".to_owned())).unwrap();
    count(&model.program)
}

fn count(program: &Program) -> (usize, BTreeSet<String>) {
    let mut system = Interpreter::new(program, &[]);
    let mut open = system.initial_states();
    let mut known: BTreeSet<Box<[u64]>> = open.iter().cloned().collect();
    let mut faults = BTreeSet::new();
    let mut target = vec![0; system.n_words()];
    while let Some(state) = open.pop() {
        let mut cursor = Cursor::default();
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(Some(_)) => {
                    if known.insert((&*target).into()) {
                        open.push((&*target).into());
                    }
                }
                Ok(None) => break,
                Err(fault) => {
                    faults.insert(fault.to_string());
                    break;
                }
            }
        }
    }
    (known.len(), faults)
}

#[test]
fn mistakes_of_syntax_have_places() {
    check("proctype P( { skip }", "{ | expected a type, `;` or `)`, found `{`");
    check("active proctype P() { if fi }", "fi | expected `::`, found `fi`");
    check("active proctype P() { do :: od }", "do :: od | expected a statement before this ends");
    check(
        "byte x; active proctype P() { x = 1 x = 2 }",
        "x | expected an operator, `;` or `->`, found `x`",
    );
    check(
        "byte x; active proctype P() { (x = 1) }",
        "= | expected an operator or `)`, found `=`; comparison is `==`",
    );
    check(
        "active proctype P() { skip",
        " | expected an operator, `;` or `->`, found the end of the text",
    );
    check("byte x y;", "y | expected a declaration or a process type, found `y`");
    check(
        "active proctype P() { c_code { x } }",
        "c_code | `c_code` is C code, which only Spin can run",
    );
    check("#if 1\nbyte x;", "# | this condition has no `#endif`");
    check("#include \"other.h\"", "\"other.h\" | cannot read `other.h`: there are no files");
}

#[test]
fn mistakes_in_included_files_name_the_file() {
    let text = "byte a;\n#include \"i.h\"\n#include \"j.h\"\nactive proctype P() { skip }";
    let check = |first: &str, second: &str, expected: &str| {
        let mut include =
            |name: &str| Ok(if name == "i.h" { first.to_owned() } else { second.to_owned() });
        let error = read(text, &[], &mut include).map(|_| ()).unwrap_err();
        assert_eq!((error.span.end, error.message.as_str()), (0, expected));
    };
    let expected = "i.h:2:8: expected an expression, found `;` in `byte c[;`";
    check("byte b;\nbyte c[;\n", "byte d;", expected);
    check(
        "byte b;",
        "\nbyte e[0];",
        "j.h:2:6: an array has 1 to 65536 elements, not 0 in `byte e[0];`",
    );
}

/// What formulas and atoms with macros of the model say, or the message about them with
/// the words of the formula that it points at.
#[test]
fn formulas_know_the_macros_of_the_model() {
    let text = "#define big (x > limit)\n#define at(n) (x == n)\n#define pair(a, b) a##b
        #define make(n) inline n##_set(to) { n##_x = to }\n#include \"h\"\nmake(y)
        #define quote(a) #b\nbyte x, y_x; active proctype P() { y_set(y_x); x = pair(1, 2) }";
    let mut include = |_: &str| Ok("#define limit 200\n#undef none".to_owned());
    let model = read(text, &[], &mut include).unwrap();
    let said = |text: &str, read: Result<String, crate::lang::SourceError>| match read {
        Ok(read) => read,
        Err(error) => format!("{} | {}", &text[error.span.start..error.span.end], error.message),
    };
    let check = |text: &str, formula: &str, atom: &str| {
        let read = model.bindings.formula(text).map(|formula| formula.to_string());
        assert_eq!(said(text, read), formula, "{text}");
        let mut program = model.program.clone();
        let read = model.bindings.atom(&mut program, text).map(|_| "yes".to_owned());
        assert_eq!(said(text, read), atom, "{text}");
    };
    let both = |text: &str, message: &str| check(text, message, message);
    check("big && at(pair(y_, x))", "\"x>200\" & \"x==y_x\"", "yes");
    check("[] big", "G \"x>200\"", "[ | expected an expression, found `[`");
    check("at(z)", "\"x==z\"", "z | there is no variable `z`");
    both("at(1, 2) || big", "at | `at` takes 1 arguments, found 2");
    both("at(1", "at | the arguments of this are never closed");
    both("x == é", "é | unexpected character `é`");
    check(
        "x ==\n big +",
        "\"x==(x>200)+\"",
        " | expected an expression, found the end of the text",
    );
    both("quote(x)", " | expected a parameter of the macro behind `#`");
    both("pair(x, +)", "x | `##` makes `x+`, which is not a single word");
    check("x == y_set(3)", "\"x==3\"", "yes");
    check("#define six 6\nx == six", "\"x==6\"", "yes");
    check("#undef big\nbig", "big", "big | there is no variable `big`; did you mean `bit`?");
    both("#if 1\nx == 1", "# | this condition has no `#endif`");
}

#[test]
fn mistakes_of_names_have_places() {
    check("active proctype P() { x = 1 }", "x | there is no variable `x`");
    check(
        "active proctype P() { goto there }",
        "there | there is no label `there` in this process",
    );
    check("active proctype P() { break }", "break | `break` stands in no loop");
    check("active proctype P() { a: skip; a: skip }", "a | there are two labels `a`");
    check("active proctype P() { run Q() }", "Q | there is no process type `Q`");
    check(
        "proctype Q(byte a) { skip } active proctype P() { run Q() }",
        "run Q() | `Q` takes 1 arguments, found 0",
    );
    check("typedef T { byte a } T t; active proctype P() { t.b = 1 }", "b | there is no field `b`");
    check(
        "typedef T { byte a } T t; active proctype P() { t = 1 }",
        "t | `t` has fields: say which",
    );
    check("byte x[0]; active proctype P() { skip }", "x | an array has 1 to 65536 elements, not 0");
    check(
        "chan q = [1] of { byte }; active proctype P() { q!1,2 }",
        "q | no channel has messages of 2 fields",
    );
    check("byte x; active proctype P() { x[1] = 1 }", "x | `x` is not an array");
    check("proctype P() { skip }", " | no process is active, and there is no `init`");
    check(
        "chan q = [0] of { byte }; active proctype P() priority 3 { q!1 }",
        "priority | a priority cannot be combined with channels without a buffer",
    );
    check("mtype = { a, a }; active proctype P() { skip }", "a | there are two symbols `a`");
}

#[test]
fn what_goes_wrong_in_a_model_is_said() {
    let fault = |text: &str| states(text).1.into_iter().next().unwrap_or_default();
    assert_eq!(
        fault("byte n; active [2] proctype P() { n++; assert(n < 2) }"),
        "assertion failed: n < 2"
    );
    assert_eq!(
        fault("byte a[2]; active proctype P() { byte i = 2; a[i] = 1 }"),
        "index 2 is out of range: a has 2 elements"
    );
    assert_eq!(fault("byte n; active proctype P() { n = 1 / n }"), "division by zero");
    assert_eq!(
        fault("byte n; active proctype P() { d_step { n = 1; n == 2 } }"),
        "a d_step blocks"
    );
    assert_eq!(
        fault("byte n; active proctype P() { atomic { do :: n = 1 - n od } }"),
        "an atomic sequence never ends"
    );
}

#[test]
fn processes_get_the_room_that_they_need() {
    let text = "byte n; proctype P() { if :: n < 9 -> n++; run P() :: else fi } init { run P() }";
    // As many as Spin says.
    assert_eq!(states(text), (SPIN_CHAIN, BTreeSet::new()));
}

/// What `pan` says about a chain of ten processes, each of which begins the next.
const SPIN_CHAIN: usize = 41;

#[test]
fn fields_of_a_process_begin_with_their_values() {
    let record = "typedef T { byte x = 3; chan q = [1] of { byte }; byte a[2] = 4 }";
    let alone = "active proctype P() {
        T t; assert(t.x == 3 && t.a[1] == 4); t.q!1; t.q?t.x; assert(t.x == 1) }";
    // The second process of the same kind begins with these values again, and its channel is its
    // own although another one is assigned to the field.
    let twice = "chan o = [1] of { byte }; byte n;
        proctype P() { T t; n = n + t.x; t.q!1; t.q?t.x; t.q = o; t.q!2; t.q?t.x; n = n + t.x + t.a[1] }
        init { run P(); (_nr_pr == 1); run P(); (_nr_pr == 1); assert(n == 18) }";
    for (processes, n_states) in [(alone, SPIN_ALONE), (twice, SPIN_TWICE)] {
        assert_eq!(states(&format!("{record} {processes}")), (n_states, BTreeSet::new()));
    }
}

/// What `pan` says about a process that has a record.
const SPIN_ALONE: usize = 6;

/// What `pan` says about two such processes, one after the other.
const SPIN_TWICE: usize = 23;

#[test]
fn claims_only_look() {
    let claim = |body: &str| format!("byte x; active proctype P() {{ x = 1 }} never {{ {body} }}");
    let only = "a never claim only looks at the model: it cannot change anything";
    check(&claim("x = 2"), &format!("x = 2 | {only}"));
    check(&claim("x++"), &format!("x++ | {only}"));
    check(&claim("run P()"), "run P() | a never claim cannot run processes");
    let own = "a never claim has no variables of its own: it only looks at the model";
    check(&claim("byte y; y == 0"), &format!("y | {own}"));
    check(&claim("y == 0"), "y | there is no variable `y`");
    let loops = "a claim does not loop inside of `atomic` or `d_step`";
    check(&claim("atomic { L: x == 0; goto L }"), &format!("x == 0 | {loops}"));
}

#[test]
fn trace_assertions_fail_where_an_event_does_not_fit() {
    let model = |assertion: &str| {
        let text = "chan q = [1] of { byte }; active proctype P() { q!1; q?1; q!2; q?2 }";
        states(&format!("{text} {assertion}"))
    };
    let failed = |what: &str| BTreeSet::from([format!("assertion failed: {what}")]);
    assert_eq!(model("trace { q!1; q!2 }"), (6, BTreeSet::new()));
    assert_eq!(model("trace { q!1; q!1 }"), (3, failed("trace")));
    assert_eq!(model("trace { q!1 }"), (3, failed("trace")));
    assert_eq!(model("trace { q!1; q?_; q!_; q?2 }"), (6, BTreeSet::new()));
    assert_eq!(model("notrace { q!1; q!1 }"), (6, BTreeSet::new()));
    assert_eq!(model("notrace { q!1; q!2 }"), (3, failed("notrace")));
    let twice = failed("one event of the trace at a time");
    assert_eq!(model("trace { do :: q!1 :: q!_ od }"), (1, twice));
}

#[test]
fn who_has_a_higher_priority_moves_first() {
    let both = |priorities: [&str; 2]| {
        let [a, b] = priorities;
        let text = format!(
            "byte x; active proctype A() {a} {{ x = 1; x = 2 }} active proctype B() {b} {{ x = 3 }}"
        );
        states(&text).0
    };
    assert!(both(["", ""]) == both(["priority 3", "priority 3"]));
    // One after the other: x is 0, 1, 2 and 3, and both processes end.
    assert_eq!(both(["priority 3", "priority 2"]), 6);
}

/// How many states there are, made for a formula.
fn states_for(text: &str, formula: &str) -> usize {
    let model = read(text, &[], &mut |_| Err("there are no files".to_owned())).unwrap();
    let formula = model.bindings.formula(formula).unwrap();
    let asked = Demand::Formulas(std::slice::from_ref(&formula));
    let model = model.bindings.remade(asked).unwrap().unwrap_or(model);
    assert!(model.bound(&formula).is_ok());
    count(&model.program).0
}

/// What formulas may look at: a variable that nobody reads, a label, a variable of
/// a process.
const LOOKED_AT: &str = "byte g, w;
    active proctype P() { byte x; x = 1; x = 2; w = 5; w = 6; l: x > 0 -> x = 3; g = x }";

#[test]
fn a_model_shows_what_a_formula_looks_at() {
    // All numbers are those of `pan` for the formula as an `ltl` block, but the two where
    // steps count, which are those of `spin -a -o1 -o2 -o3`.
    assert_eq!(states(LOOKED_AT).0, 7);
    assert_eq!(states_for(LOOKED_AT, "<> (g == 3)"), 7);
    assert_eq!(states_for(LOOKED_AT, "[] (w < 6)"), 7);
    assert_eq!(states_for(LOOKED_AT, "<> P@l"), 8);
    assert_eq!(states_for(LOOKED_AT, "<> (P:x == 1)"), 9);
    assert_eq!(states_for(LOOKED_AT, "X (g == 0)"), 9);
    assert_eq!(states_for(LOOKED_AT, "<> np_"), 9);
}

#[test]
fn a_model_that_hides_something_is_opened_again_for_a_formula_about_it() {
    let model = read(LOOKED_AT, &[], &mut |_| Err("there are no files".to_owned())).unwrap();
    for formula in ["[] (w < 6)", "<> P@l", "<> (P:x == 1)", "X (g == 0)", "<> np_"] {
        let formula = model.bindings.formula(formula).unwrap();
        assert!(model.bound(&formula).is_err(), "{formula}");
        let question = &[Question::Formula(&formula)];
        let refused = model.open_as_it_is(question, true).unwrap_err();
        assert_eq!(refused, OpenError::Hidden { question: 0 });
        assert!(model.open(question, true).is_ok(), "{formula}");
    }
    assert!(model.bound(&model.bindings.formula("<> (_nr_pr == 1)").unwrap()).is_ok());
    // Those who do not agree get everything.
    let formulas = ["<> P@l", "<> (_nr_pr == 1)"].map(|text| model.bindings.formula(text).unwrap());
    let made = model.bindings.remade(Demand::Formulas(&formulas)).unwrap().unwrap();
    assert_eq!(count(&made.program).0, 9);
}

#[test]
fn labels_stand_where_spin_puts_them() {
    // Who jumps to a `for` does not begin again.
    let text = "byte n; active proctype P() { byte i;
                l: for (i : 1 .. 2) { n++ } if :: n < 9 -> goto l :: else fi; n == 0 }";
    assert_eq!(states(text).0, SPIN_FOR);
    // A label in front of `unless` is that of a block.
    let text = "byte n; active proctype P() {
                l: { n++; n < 9 } unless { n == 3 -> n = 0 }; if :: n < 2 -> goto l :: else fi }";
    assert_eq!(states(text).0, SPIN_UNLESS);
}

/// What `pan` says about a label at a loop.
const SPIN_FOR: usize = 9;

/// What `pan` says about a label in front of `unless`.
const SPIN_UNLESS: usize = 8;

/// Corners of the control flow, each with what `pan` says about it.
const CORNERS: &[(&str, usize)] = &[
    // Of nested choices, those behind an `else` do not keep it from being taken.
    (
        "byte g; active [2] proctype P() { byte x;
         if :: if :: g == 7 -> g = 1 :: else -> g = 2 fi :: x < 2 -> g = 3 fi }",
        33,
    ),
    // What stands before an `unless` may be the first thing in a block, or in an option.
    (
        "byte g; active proctype P() { { { g == 3 } unless { g == 0 -> g = 1 } }; g = 2 }
         active proctype Q() { if :: { g == 3 -> g = 4 } unless { g == 1 -> g = 0 } fi }",
        14,
    ),
    // A step is merged with `break` out of an atomic sequence: the process rests behind
    // the loop, and there are more states than without merging.
    (
        "byte g; active [2] proctype P() { byte x; do :: g++;
         atomic { if :: g < 2 -> x = 1; break :: else -> g = 0 fi; g = 4 } od; g = g + x }",
        45,
    ),
    // Options have no second `skip` in a row.
    (
        "byte g; active [2] proctype P() {
         if :: skip -> skip; g++ :: true; printf(\"a\"); skip; g = 2; skip; skip fi }",
        43,
    ),
];

#[test]
fn corners_of_the_control_flow_are_as_in_spin() {
    for (text, n_states) in CORNERS {
        assert_eq!(states(text), (*n_states, BTreeSet::new()), "{text}");
    }
}
