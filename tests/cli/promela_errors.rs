//! What is wrong with Promela files is said at the right place, with what was expected.

use crate::models::Models;
use insta::assert_snapshot;

/// The message about a text.
#[track_caller]
fn wrong(name: &str, text: &str) -> String {
    let models = Models::new(&format!("promela-{}", name.replace('_', "-")));
    models.file("wrong.pml", text);
    models.error(&["explore", "wrong.pml"])
}

#[test]
fn separators_are_missing() {
    let text = "\
byte x;
active proctype P() {
  x = 1 x = 2
}
";
    assert_snapshot!(wrong("separators_are_missing", text), @r"
    error: wrong.pml:3:9: expected an operator, `;` or `->`, found `x`
      |
    3 |   x = 1 x = 2
      |         ^
    ");
}

#[test]
fn a_condition_that_assigns() {
    let text = "\
byte x;
active proctype P() {
  if
  :: (x = 1) -> skip
  fi
}
";
    assert_snapshot!(wrong("a_condition_that_assigns", text), @r"
    error: wrong.pml:4:9: expected an operator or `)`, found `=`; comparison is `==`
      |
    4 |   :: (x = 1) -> skip
      |         ^
    ");
}

#[test]
fn an_option_is_empty() {
    let text = "\
active proctype P() {
  do
  :: skip
  ::
  :: break
  od
}
";
    assert_snapshot!(wrong("an_option_is_empty", text), @r"
    error: wrong.pml:5:3: the option before this is empty
      |
    5 |   :: break
      |   ^^
    ");
}

#[test]
fn a_body_is_not_closed() {
    let text = "\
active proctype P() {
  skip;
";
    assert_snapshot!(wrong("a_body_is_not_closed", text), @r"
    error: wrong.pml:3:1: expected an expression, found the end of the text
      |
    3 |
      | ^
    ");
}

#[test]
fn there_is_no_process() {
    let text = "byte x;\n";
    assert_snapshot!(wrong("there_is_no_process", text), @r"
    error: wrong.pml: no process is active, and there is no `init`
    ");
}

#[test]
fn a_variable_is_not_known() {
    let text = "\
byte count;
active proctype P() {
  counts++
}
";
    assert_snapshot!(wrong("a_variable_is_not_known", text), @r"
    error: wrong.pml:3:3: there is no variable `counts`; did you mean `count`?
      |
    3 |   counts++
      |   ^^^^^^
    ");
}

#[test]
fn a_label_is_not_known() {
    let text = "\
active proctype P() {
again:
  goto agian
}
";
    assert_snapshot!(wrong("a_label_is_not_known", text), @r"
    error: wrong.pml:3:8: there is no label `agian` in this process
      |
    3 |   goto agian
      |        ^^^^^
    ");
}

#[test]
fn two_labels_of_one_name() {
    let text = "\
active proctype P() {
L: skip;
L: skip
}
";
    assert_snapshot!(wrong("two_labels_of_one_name", text), @r"
    error: wrong.pml:3:1: there are two labels `L`
      |
    3 | L: skip
      | ^
    ");
}

#[test]
fn a_break_without_a_loop() {
    let text = "\
active proctype P() {
  if
  :: break
  fi
}
";
    assert_snapshot!(wrong("a_break_without_a_loop", text), @r"
    error: wrong.pml:3:6: `break` stands in no loop
      |
    3 |   :: break
      |      ^^^^^
    ");
}

#[test]
fn a_process_type_is_not_known() {
    let text = "\
init {
  run Worker(1)
}
";
    assert_snapshot!(wrong("a_process_type_is_not_known", text), @r"
    error: wrong.pml:2:7: there is no process type `Worker`
      |
    2 |   run Worker(1)
      |       ^^^^^^
    ");
}

#[test]
fn too_few_arguments() {
    let text = "\
proctype Worker(byte a; byte b) { skip }
init { run Worker(1) }
";
    assert_snapshot!(wrong("too_few_arguments", text), @r"
    error: wrong.pml:2:8: `Worker` takes 2 arguments, found 1
      |
    2 | init { run Worker(1) }
      |        ^^^^^^^^^^^^^
    ");
}

#[test]
fn a_field_is_not_known() {
    let text = "\
typedef Pair { byte left; byte right };
Pair p;
active proctype P() { p.middle = 1 }
";
    assert_snapshot!(wrong("a_field_is_not_known", text), @r"
    error: wrong.pml:3:25: there is no field `middle`
      |
    3 | active proctype P() { p.middle = 1 }
      |                         ^^^^^^
    ");
}

#[test]
fn fields_are_not_said() {
    let text = "\
typedef Pair { byte left; byte right };
Pair p;
active proctype P() { p = 1 }
";
    assert_snapshot!(wrong("fields_are_not_said", text), @r"
    error: wrong.pml:3:23: `p` has fields: say which
      |
    3 | active proctype P() { p = 1 }
      |                       ^
    ");
}

#[test]
fn a_message_is_too_long() {
    let text = "\
chan q = [1] of { byte };
active proctype P() { q!1,2,3 }
";
    assert_snapshot!(wrong("a_message_is_too_long", text), @r"
    error: wrong.pml:2:23: no channel has messages of 3 fields
      |
    2 | active proctype P() { q!1,2,3 }
      |                       ^
    ");
}

#[test]
fn an_array_without_elements() {
    let text = "\
byte x[0];
active proctype P() { skip }
";
    assert_snapshot!(wrong("an_array_without_elements", text), @r"
    error: wrong.pml:1:6: an array has 1 to 65536 elements, not 0
      |
    1 | byte x[0];
      |      ^
    ");
}

#[test]
fn a_symbol_twice() {
    let text = "\
mtype = { red, green };
mtype = { green };
active proctype P() { skip }
";
    assert_snapshot!(wrong("a_symbol_twice", text), @r"
    error: wrong.pml:2:11: there are two symbols `green`
      |
    2 | mtype = { green };
      |           ^^^^^
    ");
}

#[test]
fn too_many_bits() {
    let text = "\
unsigned x : 40;
active proctype P() { skip }
";
    assert_snapshot!(wrong("too_many_bits", text), @r"
    error: wrong.pml:1:14: a number of bits is from 1 to 31
      |
    1 | unsigned x : 40;
      |              ^^
    ");
}

#[test]
fn a_type_in_itself() {
    let text = "\
typedef T { byte x; T next };
T t;
active proctype P() { skip }
";
    assert_snapshot!(wrong("a_type_in_itself", text), @r"
    error: wrong.pml:1:21: expected a field or `}`, found `T`
      |
    1 | typedef T { byte x; T next };
      |                     ^
    ");
}

#[test]
fn c_code() {
    let text = "\
active proctype P() {
  c_code { now.x = 1; }
}
";
    assert_snapshot!(wrong("c_code", text), @r"
    error: wrong.pml:2:3: `c_code` is C code, which only Spin can run
      |
    2 |   c_code { now.x = 1; }
      |   ^^^^^^
    ");
}

#[test]
fn a_c_expression() {
    let text = "\
byte x;
active proctype P() {
  x = 1;
  c_expr { now.x }
}
";
    assert_snapshot!(wrong("a_c_expression", text), @r"
    error: wrong.pml:4:3: `c_expr` is C code, which only Spin can run
      |
    4 |   c_expr { now.x }
      |   ^^^^^^
    ");
}

#[test]
fn standard_input() {
    let text = "\
chan STDIN;
int c;
active proctype P() { STDIN?c }
";
    assert_snapshot!(wrong("standard_input", text), @r"
    error: wrong.pml:3:23: `STDIN` is what is typed while Spin simulates: a search has no input
      |
    3 | active proctype P() { STDIN?c }
      |                       ^^^^^
    ");
}

#[test]
fn an_include_that_is_not_there() {
    let text = "\
#include \"missing.h\"
active proctype P() { skip }
";
    assert_snapshot!(wrong("an_include_that_is_not_there", text), @r#"
    error: wrong.pml:1:10: cannot read `missing.h`: No such file or directory (os error 2)
      |
    1 | #include "missing.h"
      |          ^^^^^^^^^^^
    "#);
}

#[test]
fn a_condition_without_end() {
    let text = "\
#ifdef LARGE
byte x[100];
active proctype P() { skip }
";
    assert_snapshot!(wrong("a_condition_without_end", text), @r"
    error: wrong.pml:1:1: this condition has no `#endif`
      |
    1 | #ifdef LARGE
      | ^
    ");
}

#[test]
fn a_macro_with_too_many_arguments() {
    let text = "\
#define twice(a) a; a
active proctype P() {
  twice(skip, skip)
}
";
    assert_snapshot!(wrong("a_macro_with_too_many_arguments", text), @r"
    error: wrong.pml:3:3: `twice` takes 1 arguments, found 2
      |
    3 |   twice(skip, skip)
      |   ^^^^^
    ");
}

#[test]
fn a_hash_without_a_parameter() {
    let text = "\
#define say(text) printf(#txet)
active proctype P() { say(hello) }
";
    assert_snapshot!(wrong("a_hash_without_a_parameter", text), @r"
    error: wrong.pml:1:27: expected a parameter of the macro behind `#`
      |
    1 | #define say(text) printf(#txet)
      |                           ^^^^
    ");
}

#[test]
fn words_that_do_not_join() {
    let text = "\
#define join(a, b) a ## b
byte join(x, +);
active proctype P() { skip }
";
    assert_snapshot!(wrong("words_that_do_not_join", text), @r"
    error: wrong.pml:2:11: `##` makes `x+`, which is not a single word
      |
    2 | byte join(x, +);
      |           ^
    ");
}

#[test]
fn a_claim_that_assigns() {
    let text = "\
byte x;
active proctype P() { x = 1 }
never {
  do
  :: x == 0 -> x = 2
  od
}
";
    assert_snapshot!(wrong("a_claim_that_assigns", text), @r"
    error: wrong.pml:5:16: a never claim only looks at the model: it cannot change anything
      |
    5 |   :: x == 0 -> x = 2
      |                ^^^^^
    ");
}

#[test]
fn a_claim_with_variables() {
    let text = "\
active proctype P() { skip }
never {
  byte n;
  n == 0
}
";
    assert_snapshot!(wrong("a_claim_with_variables", text), @r"
    error: wrong.pml:3:8: a never claim has no variables of its own: it only looks at the model
      |
    3 |   byte n;
      |        ^
    ");
}

#[test]
fn a_claim_that_asks_for_a_name() {
    let text = "\
active proctype P() { skip }
never {
  do
  :: reday -> break
  :: else
  od
}
";
    assert_snapshot!(wrong("a_claim_that_asks_for_a_name", text), @r"
    error: wrong.pml:4:6: there is no variable `reday`
      |
    4 |   :: reday -> break
      |      ^^^^^
    ");
}

#[test]
fn a_claim_about_a_label() {
    let text = "\
active proctype P() { skip }
never { do :: !P@critical od }
";
    assert_snapshot!(wrong("a_claim_about_a_label", text), @r"
    error: wrong.pml:2:18: there is no label `critical` in `P`
      |
    2 | never { do :: !P@critical od }
      |                  ^^^^^^^^
    ");
}

#[test]
fn two_claims_of_one_name() {
    let text = "\
active proctype P() { skip }
never twice { true }
never twice { true }
";
    assert_snapshot!(wrong("two_claims_of_one_name", text), @r"
    error: wrong.pml:3:7: there are two claims `twice`
      |
    3 | never twice { true }
      |       ^^^^^
    ");
}

#[test]
fn enabled_asked_by_a_process() {
    let text = "\
active proctype P() { enabled(1) }
active proctype Q() { skip }
";
    assert_snapshot!(wrong("enabled_asked_by_a_process", text), @r"
    error: wrong.pml:1:23: `enabled` is asked in claims and formulas, not by processes
      |
    1 | active proctype P() { enabled(1) }
      |                       ^^^^^^^^^^
    ");
}

#[test]
fn priorities_with_a_rendezvous() {
    let text = "\
chan q = [0] of { byte };
active proctype P() priority 3 { q!1 }
active proctype Q() { q?1 }
";
    assert_snapshot!(wrong("priorities_with_a_rendezvous", text), @r"
    error: wrong.pml:2:21: a priority cannot be combined with channels without a buffer
      |
    2 | active proctype P() priority 3 { q!1 }
      |                     ^^^^^^^^
    ");
}

#[test]
fn a_trace_that_assigns() {
    let text = "\
byte x;
chan q = [1] of { byte };
active proctype P() { q!1 }
trace {
  q!1;
  x = 1
}
";
    assert_snapshot!(wrong("a_trace_that_assigns", text), @r"
    error: wrong.pml:6:3: a trace assertion consists of sending and receiving only
      |
    6 |   x = 1
      |   ^^^^^
    ");
}

#[test]
fn two_traces() {
    let text = "\
chan q = [1] of { byte };
active proctype P() { q!1 }
trace { q!1 }
notrace { q!2 }
";
    assert_snapshot!(wrong("two_traces", text), @r"
    error: wrong.pml:4:1: there are two trace assertions
      |
    4 | notrace { q!2 }
      | ^^^^^^^
    ");
}

#[test]
fn a_formula_without_an_operand() {
    let text = "\
byte x;
active proctype P() { x = 1 }
ltl wrong { [] (x == 1 -> ) }
";
    assert_snapshot!(wrong("a_formula_without_an_operand", text), @r"
    error: wrong.pml:3:27: expected an expression, found `)`
      |
    3 | ltl wrong { [] (x == 1 -> ) }
      |                           ^
    ");
}
