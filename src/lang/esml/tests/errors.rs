//! Messages about texts that are no models, and the places they point at.

use super::{alone, pair};
use crate::lang::esml::read;
use insta::assert_snapshot;

/// The place and the message.
#[track_caller]
fn error(text: &str) -> String {
    let error = read(text, &[]).err().unwrap_or_else(|| panic!("this is a model: {text}"));
    format!("[{}] {error}", &text[error.span.start..error.span.end])
}

/// The same for statements of a process.
#[track_caller]
fn statements(text: &str) -> String {
    error(&alone("x: bit; f: BOOLEAN; k: color; a: ARRAY 2 OF bit;", text))
}

#[test]
fn what_does_not_parse() {
    assert_snapshot!(error(""), @"[] expected `MODEL`, found the end of the text");
    assert_snapshot!(error("MODEL M VAR"), @"[VAR] expected `;`, found `VAR`");
    assert_snapshot!(error("MODEL END;"), @"[END] expected the name of the model, but `END` is a reserved word");
    assert_snapshot!(error("MODEL M; c: t;"), @"[c] expected `CONST`, `TYPE`, `VAR`, `PROCESS` or `BEGIN`, found `c`");
    assert_snapshot!(error("MODEL M; TYPE t = {a, b BEGIN"), @"[BEGIN] expected `}` or `,`, found `BEGIN`");
    assert_snapshot!(error("MODEL M; TYPE t = 0; BEGIN"), @"[;] expected `..`, found `;`");
    assert_snapshot!(error("MODEL M; TYPE t = ; BEGIN"), @"[;] expected a type, found `;`");
    assert_snapshot!(error("MODEL M; VAR c t;"), @"[t] expected `:` or `,`, found `t`");
    assert_snapshot!(error("MODEL M; PROCESS P(INOUT c: t);"), @"[c] expected `:` or `,`, found `c`");
    assert_snapshot!(error("MODEL M; PROCESS P(IN c: t, OUT d: t);"), @"[,] expected `)` or `;`, found `,`");
    assert_snapshot!(error("MODEL M; PROCESS P; x := 1 END"), @"[x] expected `BEGIN` or `VAR`, found `x`");
    assert_snapshot!(error("MODEL M; PROCESS P; BEGIN END Q;"), @"[Q] this is the end of process `P`, not of `Q`");
    assert_snapshot!(error("MODEL M; BEGIN END M; ASSERT AG x"), @"[ASSERT] properties in CTL are not supported: name propositions behind `DEFINITIONS`, and state the property as a formula about them");
    assert_snapshot!(error("MODEL M; BEGIN END M; p : TRUE"), @"[p] expected `DEFINITIONS` or the end of the text, found `p`");
    assert_snapshot!(error("MODEL M; BEGIN END M; DEFINITIONS p TRUE"), @"[TRUE] expected `:`, found `TRUE`");
    assert_snapshot!(error("MODEL M; BEGIN (* open"), @"[(*] this comment is never closed");
    assert_snapshot!(error("MODEL M; CONST N = 3 @;"), @"[@] unexpected character `@`");
}

#[test]
fn statements_that_do_not_parse() {
    assert_snapshot!(statements("x = 1"), @"[=] assignment is `:=`; `=` compares");
    assert_snapshot!(statements("x 1"), @"[1] expected `:=`, `!` or `?`, found `1`");
    assert_snapshot!(statements("x := 1 x := 0"), @"[x] expected a statement, `;` or `END`, found `x`");
    assert_snapshot!(statements("DO x = 1 x := 0 END"), @"[x] expected `->` behind the guard, found `x`");
    assert_snapshot!(statements("DO END"), @"[END] expected an expression, found `END`");
    assert_snapshot!(statements("IF x = 1 -> x := 0 END; []"), @"[[]] expected a statement, `;` or `END`, found `[]`");
    assert_snapshot!(error("MODEL M; PROCESS P; BEGIN DO TRUE -> SKIP"), @"[DO] this has no `END`");
    assert_snapshot!(statements("IF TRUE -> SKIP; ELSE"), @"[ELSE] expected a statement, `;`, `[]` or `END`, found `ELSE`");
    assert_snapshot!(statements("x := (1 + 2"), @"[(] this is not closed in front of `END`");
    assert_snapshot!(statements("x := 1 +"), @"[END] expected an expression, found `END`");
    assert_snapshot!(statements("IF x = 1 & x = 0 -> END"), @"[x = 1] a comparison beside `&` or `OR` needs parentheses, as in Oberon");
    assert_snapshot!(statements("IF f OR x = 0 -> END"), @"[x = 0] a comparison beside `&` or `OR` needs parentheses, as in Oberon");
    assert_snapshot!(statements("IF 0 < x < 2 -> END"), @"[<] comparisons cannot be chained: put `&` between them");
    assert_snapshot!(statements("x := 1 - -1"), @"[-] a sign behind an operator needs parentheses, as in `a + (-b)`");
}

#[test]
fn names_that_mean_nothing_or_too_much() {
    assert_snapshot!(error("MODEL M; TYPE t = 0..1; t = 0..2; BEGIN END"), @"[t] `t` is already a type");
    assert_snapshot!(error("MODEL M; TYPE t = {a, a}; BEGIN END"), @"[a] `a` is already a value of an enumeration");
    assert_snapshot!(error("MODEL M; VAR c: colour; BEGIN END"), @"[colour] there is no type `colour`");
    assert_snapshot!(error("MODEL M; TYPE color = {red}; VAR c: colour; BEGIN END"), @"[colour] there is no type `colour`; did you mean `color`?");
    assert_snapshot!(error("MODEL M; CONST N = 1; VAR c: N; BEGIN END"), @"[N] `N` is a constant, not a type");
    assert_snapshot!(error("MODEL M; BEGIN P() END"), @"[P] there is no process `P`");
    assert_snapshot!(error("MODEL M; PROCESS Sender; BEGIN END; BEGIN Sendr() END"), @"[Sendr] there is no process `Sendr`; did you mean `Sender`?");
    assert_snapshot!(error("MODEL P; PROCESS P; BEGIN END; BEGIN P() END"), @"[P] `P` is already the name of a process");
    assert_snapshot!(statements("y := 1"), @"[y] `y` is not declared; there is `x`, `f`, `k`, `a`");
    assert_snapshot!(statements("red := 1"), @"[red] `red` is a value of an enumeration, not a variable");
    assert_snapshot!(statements("x := P"), @"[P] `P` is a process, not a value");
    assert_snapshot!(statements("x!1"), @"[x] `x` is a variable, not a channel");
    assert_snapshot!(statements("c!1"), @"[c] `c` is not declared");
    assert_snapshot!(statements("x := P.x"), @"[P.x] processes share no variables: those of others are for propositions only");
    assert_snapshot!(statements("P()"), @"[P] only the main process activates processes");
    assert_snapshot!(error("MODEL M; PROCESS P; VAR x: BOOLEAN; x: BOOLEAN; BEGIN END; BEGIN P() END"), @"[x] `x` is already a variable");
    assert_snapshot!(error("MODEL M; BEGIN x := 1 END"), @"[x := 1] the main process activates processes and does nothing else");
    assert_snapshot!(error("MODEL M; BEGIN END; DEFINITIONS p : Q.x = 1"), @"[Q] there is no process `Q`; there is `M`");
    assert_snapshot!(error("MODEL M; BEGIN END; DEFINITIONS p : TRUE p : FALSE"), @"[p] there is another proposition `p`");
    assert_snapshot!(error("MODEL M; BEGIN END; DEFINITIONS p : 1"), @"[1] expected a truth value, but this is a number");
}

#[test]
fn values_of_the_wrong_kind() {
    assert_snapshot!(statements("x := TRUE"), @"[TRUE] expected a number, but this is a truth value");
    assert_snapshot!(statements("x := 2"), @"[2] value 2 is out of range: it must be in 0..1");
    assert_snapshot!(statements("k := x"), @"[x] expected a value of {red, green}, but this is a number");
    assert_snapshot!(statements("IF x -> END"), @"[x] expected a truth value, but this is a number");
    assert_snapshot!(statements("IF k = x -> END"), @"[k = x] a value of {red, green} cannot be compared with a number");
    assert_snapshot!(statements("IF k < red -> END"), @"[k] expected a number, but this is a value of {red, green}");
    assert_snapshot!(statements("f := ~x"), @"[x] expected a truth value, but this is a number");
    assert_snapshot!(statements("a := 1"), @"[a] `a` is an array and needs an index");
    assert_snapshot!(statements("x[0] := 1"), @"[x] `x` is not an array");
    assert_snapshot!(statements("a[2] := 1"), @"[2] index 2 is out of range: `a` has 2 elements");
    assert_snapshot!(error("MODEL M; TYPE t = 3..1; BEGIN END"), @"[3..1] the range 3..1 is empty");
    assert_snapshot!(error("MODEL M; TYPE t = 0..1 DIV 0; BEGIN END"), @"[1 DIV 0] this has no value: division by zero, or a number too large");
    assert_snapshot!(error("MODEL M; TYPE t = ARRAY 0 OF BOOLEAN; BEGIN END"), @"[0] an array has from 1 to 4000000 elements, and not 0");
    assert_snapshot!(error("MODEL M; TYPE t = ARRAY 2 OF ARRAY 2 OF BOOLEAN; BEGIN END"), @"[ARRAY] arrays of arrays are not supported");
}

#[test]
fn channels_that_are_used_wrongly() {
    let messages = "n = 0..1; t = {data(n), stop};";
    let one = |types: &str, body: &str| error(&pair(types, body, "BEGIN SKIP"));
    assert_snapshot!(one(messages, "BEGIN c!data"), @"[c!data] `data` carries 1 values, not 0");
    assert_snapshot!(one(messages, "BEGIN c!stop(1)"), @"[c!stop(1)] `stop` carries 0 values, not 1");
    assert_snapshot!(one(messages, "BEGIN c!data(2)"), @"[2] value 2 is out of range: it must be in 0..1");
    assert_snapshot!(one(messages, "BEGIN c!1"), @"[1] expected a value of {data, stop}, but this is a number");
    assert_snapshot!(one(messages, "VAR x: t; BEGIN SKIP"), @"[t] messages that carry values go through channels only: a variable cannot have this type");
    assert_snapshot!(one(messages, "VAR x: n; BEGIN c?data(x + 1)"), @"[x + 1] a message is received into a variable, or compared with a constant");
    assert_snapshot!(one(messages, "VAR x: BOOLEAN; BEGIN c?data(x)"), @"[x] a number is received, but this is for a truth value");
    assert_snapshot!(one("t = 0..1;", "BEGIN c!1(2)"), @"[1] this is not a message of `c` that carries values");
    assert_snapshot!(one("t = 0..1;", "BEGIN c?2"), @"[2] value 2 is out of range: it must be in 0..1");
    assert_snapshot!(one("t = 0..1;", "BEGIN d!1"), @"[d] `d` is an array of channels and needs an index");
    assert_snapshot!(one("t = 0..1;", "BEGIN d[2]!1"), @"[2] index 2 is out of range: `d` has 2 elements");
    assert_snapshot!(one("t = 0..1;", "BEGIN c[0]!1"), @"[c] `c` is not an array of channels");
    assert_snapshot!(one("t = 0..1;", "VAR x: t; BEGIN x := c"), @"[c] `c` is a channel, not a value");
}

#[test]
fn parameters_that_do_not_fit() {
    let activation = |parameters: &str, body: &str, arguments: &str| {
        error(&format!(
            "MODEL M; TYPE t = 0..1; u = 0..2; VAR c: t; d: ARRAY 2 OF t;
             PROCESS P({parameters}); BEGIN {body} END P; BEGIN P({arguments}) END M."
        ))
    };
    assert_snapshot!(activation("IN i: t", "SKIP", ""), @"[P()] process `P` has 1 parameters, not 0");
    assert_snapshot!(activation("IN i: u", "SKIP", "c"), @"[c] the type of this channel is not that of the parameter `i`");
    assert_snapshot!(activation("IN i: t", "SKIP", "d"), @"[d] the type of this channel is not that of the parameter `i`");
    assert_snapshot!(activation("IN i: t", "SKIP", "d[2]"), @"[d[2]] index 2 is out of range: `d` has 2 elements");
    assert_snapshot!(activation("IN i: t", "SKIP", "1"), @"[1] `i` is a channel, so this must be one");
    assert_snapshot!(activation("i: t", "SKIP", "c"), @"[c] `c` is a channel, not a value");
    assert_snapshot!(activation("i: t", "SKIP", "2"), @"[2] value 2 is out of range: it must be in 0..1");
    assert_snapshot!(activation("i: t", "i := 1", "1"), @"[i] `i` is a constant, not a variable");
    assert_snapshot!(activation("IN i: t", "i!1", "c"), @"[i!1] `i` is an `IN` channel, on which nothing is sent");
    assert_snapshot!(activation("OUT o: t", "o?1", "c"), @"[o?1] `o` is an `OUT` channel, on which nothing is received");
}
