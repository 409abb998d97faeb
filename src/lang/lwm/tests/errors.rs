//! Messages about texts that are no models, and the places they point at.

use super::{described, read};
use insta::assert_snapshot;

/// The place and the message.
#[track_caller]
fn error(text: &str) -> String {
    described(text, read(text, &[]))
}

#[test]
fn what_does_not_parse() {
    assert_snapshot!(error("var x"), @"[] expected `:`, found the end");
    assert_snapshot!(error("var x: 0..1"), @"[] expected `;`, found the end");
    assert_snapshot!(error("var x: 0..1 = 2 3;"), @"[3] expected `;`, found `3`");
    assert_snapshot!(error("vra x: 0..1;"), @"[vra] expected `const`, `type`, `var`, `prop`, `process`, `action`, `ltl`, `weak` or `strong`, found `vra`; did you mean `var`?");
    assert_snapshot!(error("var if: bool;"), @"[if] expected the name of a variable, but `if` is a reserved word");
    assert_snapshot!(error("var GF: bool;"), @"[G] expected the name of a variable, but `G` is an operator of formulas");
    assert_snapshot!(error("var x: bool; action a do x = true;"), @"[=] an update changes the next value: write `'` before `=`");
    assert_snapshot!(error("var x: bool; action a do x' = true y' = 1;"), @"[y] expected `,` or `;`, found `y`");
    assert_snapshot!(error("var x: bool; action a when x x;"), @"[x] expected an operator, `do` or `;`, found `x`");
    assert_snapshot!(error("var x: bool; prop p = x == x == x;"), @"[==] comparisons cannot be chained: put `&&` between them");
    assert_snapshot!(error("process p { const N = 1; }"), @"[const] expected `var`, `action`, `weak`, `strong` or `}`, found `const`");
    assert_snapshot!(error("var x: 0..1 @;"), @"[@] unexpected character `@`");
    assert_snapshot!(error("/* open"), @"[/*] this comment is never closed");
    assert_snapshot!(error("var x: 3x;"), @"[3x] `3x` is neither a number nor a name");
    assert_snapshot!(error("var x: 1 + 1;"), @"[;] expected `..`, found `;`");
    assert_snapshot!(error("weak process p { }"), @"[process] expected `fair`, found `process`");
    assert_snapshot!(error("ltl p G true;"), @"[G] expected `:`, found `G`");
}

#[test]
fn names_that_mean_nothing_or_too_much() {
    assert_snapshot!(error("var x: bool; var x: bool;"), @"[x] `x` is already the name of a variable");
    assert_snapshot!(error("const x = 1; var x: bool;"), @"[x] `x` is already the name of a constant");
    assert_snapshot!(error("var x: bool; const x = 1;"), @"[x] `x` is already the name of a variable");
    assert_snapshot!(error("var x: { red, green }; var y: { red };"), @"[red] `red` is already the name of a value");
    assert_snapshot!(error("process p(i in 0..1) { var i: bool; }"), @"[i] `i` is already declared in this process");
    assert_snapshot!(error("process p { var y: bool; var y: bool; }"), @"[y] `y` is already declared in this process");
    assert_snapshot!(error("var i: bool; process p(i in 0..1) { }"), @"[i] `i` is already the name of a variable");
    assert_snapshot!(error("process p(i in 0..1) { action a(i in 0..1); }"), @"[i] `i` is already declared here");
    assert_snapshot!(error("var x: bool; prop p = forall i in 0..1: exists i in 0..1: x;"), @"[i] `i` is already declared here");
    assert_snapshot!(error("action a; action a;"), @"[a] there is another action `a`");
    assert_snapshot!(error("var b: bool; ltl p: b; ltl p: b;"), @"[p] there is another property `p`");
    assert_snapshot!(error("var phase: bool; prop p = phsae;"), @"[phsae] `phsae` is not declared; did you mean `phase`?");
    assert_snapshot!(error("var x: Colour;"), @"[Colour] there is no type `Colour`");
    assert_snapshot!(error("type Color = { red }; var x: Colour;"), @"[Colour] there is no type `Colour`; did you mean `Color`?");
    assert_snapshot!(error("var x: bool; var y: x;"), @"[x] `x` is a variable, not a type");
    assert_snapshot!(error("type T = 0..1; prop p = T == 1;"), @"[T] `T` is a type, not a value");
    assert_snapshot!(error("action a do y' = 1;"), @"[y] `y` is not declared");
    assert_snapshot!(error("const N = 1; action a do N' = 1;"), @"[N] `N` is a constant, not a variable");
    assert_snapshot!(error("process p(i in 0..1) { action a do i' = 1; }"), @"[i] `i` is an index, not a variable");
    assert_snapshot!(error("prop p = q; prop q = p;"), @"[p] the proposition `p` is defined by itself");
    assert_snapshot!(error("const a = b; const b = c + 1; const c = a;"), @"[a] the constant `a` is defined by itself");
    assert_snapshot!(error("const a = a;"), @"[a] the constant `a` is defined by itself");
    assert_snapshot!(error("type T = T;"), @"[T] the type `T` is defined by itself");
    assert_snapshot!(error("process p { } prop q = p;"), @"[p] `p` is a process, not a value");
}

#[test]
fn expressions_of_the_wrong_kind() {
    assert_snapshot!(error("var x: bool; action a do x' = 2;"), @"[2] expected a truth value, but this is a number");
    assert_snapshot!(error("var x: 0..3; action a do x' = true;"), @"[true] expected a number, but this is a truth value");
    assert_snapshot!(error("var x: 0..3; action a when x;"), @"[x] expected a truth value, but this is a number");
    assert_snapshot!(error("type C = { red, green }; var x: C; action a do x' = 1;"), @"[1] expected a value of {red, green}, but this is a number");
    assert_snapshot!(error("type C = { red, green }; var x: C; prop p = x < red;"), @"[x] a value of {red, green} has no order");
    assert_snapshot!(error("type C = { red, green, blue, white }; var x: C; prop p = x == 1;"), @"[x == 1] a value of {red, green, blue, …} cannot be compared with a number");
    assert_snapshot!(error("var x: bool; var y: 0..1; prop p = x == y;"), @"[x == y] a truth value cannot be compared with a number");
    assert_snapshot!(error("var x: bool; prop p = x + 1 == 2;"), @"[x] expected a number, but this is a truth value");
    assert_snapshot!(error("var x: bool; prop p = (if x then 2 else true) == 2;"), @"[true] expected a number, but this is a truth value");
    assert_snapshot!(error("var x: bool; prop p = -x == 1;"), @"[x] expected a number, but this is a truth value");
    assert_snapshot!(error("var x: bool; prop p = sum(i in 0..1: x) == 1;"), @"[x] expected a number, but this is a truth value");
    assert_snapshot!(error("var x: bool; prop p = G x;"), @"[G] a temporal operator cannot stand inside an expression");
    assert_snapshot!(error("var x: 0..1; prop p = forall i in 0..x: true;"), @"[x] the end of a range must be a constant, but `x` is not");
    assert_snapshot!(error("var x: 0..1; var y: 0..x;"), @"[x] the end of a range must be a constant, but `x` is not");
    assert_snapshot!(error("prop p = true; var y: 0..1 = if p then 1 else 0;"), @"[p] an initial value must be a constant, but `p` is not");
    assert_snapshot!(error("action a with v in 0..1, w in 0..v;"), @"[v] the end of a range must be a constant, but `v` is not");
    assert_snapshot!(error("var x: bool; prop p = x[0];"), @"[0] `x` is not an array");
    assert_snapshot!(error("var x[2]: bool; prop p = x;"), @"[x] `x` is an array and needs an index");
    assert_snapshot!(error("var x[2]: bool; action a do x' = true;"), @"[x] `x` is an array and needs an index");
    assert_snapshot!(error("var x: bool; prop p = x(1);"), @"[x] `x` is a variable and takes no arguments");
    assert_snapshot!(error("const N = 1; prop p = N[0] == 1;"), @"[0] `N` is a constant, not an array");
    assert_snapshot!(error("prop p(i in 0..1) = true; prop q = p(0)[1];"), @"[1] `p` is a proposition, not an array");
    assert_snapshot!(error("prop p(i in 0..1) = true; prop q = p(true);"), @"[true] expected a number, but this is a truth value");
    assert_snapshot!(error("prop p(i in 0..1, k in 0..2) = i == k; prop q = p(1);"), @"[p(1)] `p` takes 2 arguments, not 1");
}

#[test]
fn constants_that_cannot_be() {
    assert_snapshot!(error("var x: 0..7 = 8;"), @"[8] value 8 is out of range: it must be from 0 to 7");
    assert_snapshot!(error("var x: 0..7; action a do x' = 4 + 4;"), @"[4 + 4] value 8 is out of range: `x` holds 0 to 7");
    assert_snapshot!(error("var x: 3..1;"), @"[3..1] the range 3..1 is empty");
    assert_snapshot!(error("type T = 3..1;"), @"[3..1] the range 3..1 is empty");
    assert_snapshot!(error("process p(i in 0..-1) { }"), @"[0..-1] the range 0..-1 is empty");
    assert_snapshot!(error("var x[0]: bool;"), @"[0] an array has at least one element, not 0");
    assert_snapshot!(error("var x[2]: bool = [true];"), @"[[true]] `x` has 2 elements, but the list has 1");
    assert_snapshot!(error("var x: bool = [true];"), @"[[true]] `x` is not an array, but has a list");
    assert_snapshot!(error("var x[3]: 0..9 = [i for i in 0..1];"), @"[[i for i in 0..1]] `x` has 3 elements, but the list has 2");
    assert_snapshot!(error("var x[3]: bool; prop p = x[3];"), @"[3] index 3 is out of range: `x` has 3 elements");
    assert_snapshot!(error("const N = 3; var x[N]: bool; process p(i in 0..N-1) { action a do x[i + 1]' = true; }"), @"[i + 1] index 3 is out of range: `x` has 3 elements");
    assert_snapshot!(error("const N = 3 / 0;"), @"[3 / 0] division by zero");
    assert_snapshot!(error("var x: 0..3; prop p = x % 0 == 1;"), @"[x % 0] division by zero");
    assert_snapshot!(error("const N = 9223372036854775807 + 1;"), @"[9223372036854775807 + 1] arithmetic overflow");
    assert_snapshot!(error("var x: 0..3; action a do x' = 1, x' = 2;"), @"[x] this action assigns `x` twice");
    assert_snapshot!(error("var x[3]: bool; action a do x[1]' = true, x[0 + 1]' = false;"), @"[x[0 + 1]] this action assigns the same element of `x` twice");
    assert_snapshot!(error("prop p(i in 0..1) = true; prop q = p(2);"), @"[2] argument 2 is out of range: `i` of `p` is from 0 to 1");
}
