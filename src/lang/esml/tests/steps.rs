//! Steps, communications and expressions.

use super::{alone, definition, ends, explore, model, pair};
use crate::lang::esml::read;
use crate::system::FaultKind;

#[test]
fn every_statement_is_a_step() {
    // Inactive, in front of each statement, and at the end.
    assert_eq!(explore(&model(&alone("x: bit;", "x := 1; SKIP; x := 0")).program).n_states, 5);
    assert_eq!(explore(&model(&alone("x: bit;", "")).program).n_states, 2);
    assert_eq!(explore(&model(&alone("x: bit;", ";;SKIP;;")).program).n_states, 3);
    // The choice, the assignment, the choice again, and leaving.
    let text = alone("x: bit;", "DO x = 0 -> x := 1 END");
    assert_eq!(explore(&model(&text).program).n_states, 5);
}

#[test]
fn variables_begin_with_their_least_value() {
    let variables = "x: -2..3; b: BOOLEAN; c: color; a: ARRAY 2 OF 5..6;";
    assert_eq!(ends(&alone(variables, "SKIP")), [vec![-2, 0, 0, 5, 5]]);
}

#[test]
fn a_loop_ends_when_all_guards_are_false() {
    let text = alone("x: 0..9;", "DO x < 4 -> x := x + 1 [] x = 2 -> x := 9 END");
    assert_eq!(ends(&text), [[4], [9]]);
    let text = alone("x: 0..9;", "DO x < 4 -> x := x + 1; DO x MOD 2 = 1 -> x := x + 1 END END");
    assert_eq!(ends(&text), [[4]]);
}

#[test]
fn a_choice_without_true_guard_waits() {
    let text = alone(
        "x: 0..9;",
        "IF x = 0 -> x := 1 [] TRUE -> x := 2 [] FALSE -> x := 3 END; x := x + 4",
    );
    assert_eq!(ends(&text), [[5], [6]]);
    assert_eq!(ends(&alone("x: 0..9;", "IF x = 1 -> x := 2 END; x := 3")), [[0]]);
}

#[test]
fn empty_alternatives_lead_behind_them() {
    assert_eq!(ends(&alone("x: bit;", "IF TRUE -> IF TRUE -> END END; x := 1")), [[1]]);
    let text = alone("x: bit;", "DO x = 0 -> IF TRUE -> [] TRUE -> x := 1 END END");
    assert_eq!(ends(&text), [[1]]);
    // For ever around.
    assert!(ends(&alone("x: bit;", "DO TRUE -> END")).is_empty());
}

#[test]
fn operators_are_those_of_oberon() {
    let value = |text: &str| {
        let model = alone("x: -99..99;", &format!("x := {text}"));
        ends(&model)[0][0]
    };
    assert_eq!(value("1 + 2 * 3 - 8 DIV 2 MOD 3"), 6);
    assert_eq!(value("-7 DIV 2"), -3);
    assert_eq!(value("(-7) DIV 2"), -4);
    assert_eq!(value("(-7) MOD 2"), 1);
    assert_eq!(value("7 MOD (-2)"), -1);
    assert_eq!(value("7 DIV (-2)"), -4);
    assert_eq!(value("(-6) DIV 2"), -3);
    assert_eq!(value("-2 + 5"), 3);
    let truth = |text: &str| {
        let model = alone("y: 0..9; x: BOOLEAN;", &format!("y := 7; x := {text}"));
        ends(&model)[0][1] == 1
    };
    assert!(truth("(y = 7) & (y # 8) & ~(y < 7) & (y >= 7) & (y <= 7) & (y > 6)"));
    assert!(truth("TRUE OR FALSE & FALSE"));
    assert!(truth("~x = TRUE"));
    assert!(truth("NOT x AND (y ≠ 8) ∧ (y ≥ 0) ∨ ¬TRUE"));
    assert!(truth("((((y = 7))))"));
    assert!(!truth("red = green"));
}

#[test]
fn division_of_variables_is_rounded_down() {
    let text = alone("x, q, r: -9..9;", "x := -7; q := x DIV 2; r := x MOD 2");
    assert_eq!(ends(&text), [[-7, -4, 1]]);
}

#[test]
fn a_rendezvous_is_one_step() {
    let text = pair("t = 0..5;", "BEGIN c!3", "VAR x: t; BEGIN c?x");
    assert_eq!(ends(&text), [[3]]);
    let model = model(&text);
    // Three for the activations, and the meeting.
    assert_eq!(explore(&model.program).n_states, 4);
    let meeting = model.program.transitions.iter().last().unwrap();
    assert_eq!(meeting.action, "c!3, c?x");
    assert!(meeting.partner.is_some() && meeting.partner != Some(meeting.process));
}

#[test]
fn constants_are_waited_for() {
    let check = |send: &str, receive: &str, expected: &[i64]| {
        let text = pair("t = {a, b};", send, receive);
        let found = ends(&text);
        assert_eq!(found, [expected.to_vec()], "{text}");
    };
    check("VAR x: t; BEGIN c!b; x := b", "VAR y: t; BEGIN c?b; y := b", &[1, 1]);
    check("VAR x: t; BEGIN c!a; x := b", "VAR y: t; BEGIN c?b; y := b", &[0, 0]);
    check("VAR x: t; BEGIN c!x; x := b", "VAR y: t; BEGIN c?a; y := b", &[1, 1]);
    check("VAR x: t; BEGIN c!x; x := b", "VAR y: t; BEGIN c?b; y := b", &[0, 0]);
}

#[test]
fn messages_carry_values() {
    let types = "n = 0..3; t = {data(n, BOOLEAN), n1(n), stop};";
    let send = "VAR v: n; BEGIN v := 2; c!data(v + 1, v = 2); c!stop";
    let receive = "VAR x: n; y: BOOLEAN; BEGIN
        DO TRUE -> IF c?data(x, y) -> [] c?stop -> x := 1 [] c?n1(x) -> END END";
    assert_eq!(ends(&pair(types, send, receive)), [[2, 1, 1]]);
    // The second value is waited for.
    let receive = "VAR x: n; BEGIN c?data(x, FALSE)";
    assert_eq!(ends(&pair(types, send, receive)), [[2, 0]]);
    let receive = "VAR x: n; BEGIN c?data(x, TRUE)";
    assert_eq!(ends(&pair(types, send, receive)), [[2, 3]]);
}

#[test]
fn values_arrive_at_the_same_time() {
    let types = "n = 0..1; t = {two(n, n)};";
    let receive = "VAR i: n; a: ARRAY 2 OF n; BEGIN c?two(i, a[i])";
    assert_eq!(ends(&pair(types, "BEGIN c!two(1, 1)", receive)), [[1, 1, 0]]);
}

#[test]
fn a_guard_may_be_a_condition_and_a_communication() {
    let types = "t = 0..3;";
    let receive = "VAR x, n: t; BEGIN DO (n < 2) & c?x -> n := n + 1 END";
    let send = "VAR k: t; BEGIN DO k < 3 -> c!k; k := k + 1 END";
    // The loop is left at n = 2, and nobody takes the third message.
    assert_eq!(ends(&pair(types, send, receive)), [[2, 1, 2]]);
    // Without a condition it waits.
    let receive = "VAR x: t; BEGIN DO c?x -> END; x := 0";
    assert_eq!(ends(&pair(types, "BEGIN c!3", receive)), [[3]]);
}

#[test]
fn both_sides_may_be_guards() {
    let types = "t = {a, b};";
    let one = "VAR x: 0..2; BEGIN IF c!a -> x := 1 [] c!b -> x := 2 END";
    let other = "VAR y: 0..2; BEGIN IF c?a -> y := 1 [] FALSE & c?b -> y := 2 END";
    assert_eq!(ends(&pair(types, one, other)), [[1, 1]]);
}

#[test]
fn arrays_of_channels_have_as_many_channels() {
    let receive = "VAR x, i: t; BEGIN i := 1; d[i]?x";
    assert_eq!(ends(&pair("t = 0..3;", "BEGIN d[1]!3", receive)), [[3, 1]]);
    assert_eq!(ends(&pair("t = 0..3;", "BEGIN d[0]!3", receive)), [[0, 1]]);
    let sender = "VAR i: t; BEGIN i := 2; d[i]!3";
    let found = explore(&model(&pair("t = 0..3;", sender, receive)).program);
    let faults: Vec<String> = found.faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.first().unwrap(), "index 2 is out of range: there are 2 elements");
}

#[test]
fn a_process_does_not_meet_itself() {
    let text = pair("t = 0..3;", "VAR x: t; BEGIN IF c!1 -> x := 1 [] c?x -> END", "BEGIN SKIP");
    assert_eq!(ends(&text), [[0]]);
}

#[test]
fn parameters_are_given_by_activations() {
    let text = "MODEL M; CONST K = 2; TYPE t = 0..7; VAR c, d: t; e: ARRAY K OF t;
        PROCESS P(i, k: t; OUT o: t); BEGIN o!(i * k) END P;
        PROCESS Q(IN one, other, third: t); VAR x, y, z: t; BEGIN one?x; other?y; third?z END Q;
        BEGIN P(1, 2, c); P(K, 2, d); P(3, 2, e[K - 1]); Q(d, c, e[1]) END M.";
    assert_eq!(ends(text), [[4, 2, 6]]);
    let names: Vec<String> =
        model(text).program.processes.iter().map(|process| process.name.clone()).collect();
    assert_eq!(names, ["M", "P[0]", "P[1]", "P[2]", "Q"]);
}

#[test]
fn processes_move_when_they_have_been_activated() {
    let text = "MODEL M; PROCESS P; VAR x: 0..1; BEGIN x := 1 END; BEGIN P(); P() END M;";
    // 0 active; 1 active before and behind its step; both: 2 * 2.
    assert_eq!(explore(&model(text).program).n_states, 1 + 2 + 4);
}

#[test]
fn locations_are_called_by_their_places() {
    let program = model(
        "MODEL M;\nPROCESS P;\nBEGIN SKIP;\n  é (* *) END;BEGIN P() END."
            .replace('é', "SKIP")
            .as_str(),
    )
    .program;
    let locations = &program.variables.iter().nth(1).unwrap().value_names;
    assert_eq!(locations[..], ["inactive", "3:7", "4:3", "end"]);
}

#[test]
fn values_that_do_not_fit_are_faults() {
    let faults = |text: &str| explore(&model(text).program).faults;
    assert_eq!(faults(&alone("x: bit;", "x := x + 2")).len(), 1);
    assert_eq!(faults(&alone("x: bit; a: ARRAY 1 OF bit;", "x := 1; a[x] := 0")).len(), 1);
    assert_eq!(faults(&alone("x: bit;", "x := 1 DIV x")).len(), 1);
    let text = pair("t = 0..1;", "VAR v: 0..9; BEGIN v := 5; c!v + 0", "VAR x: 0..9; BEGIN c?x");
    let expected = FaultKind::Assertion("a value that is sent on c is in 0..1".into());
    assert_eq!(faults(&text), [expected]);
}

#[test]
fn definitions_override_constants() {
    let text = "MODEL M; CONST N = 2; B = TRUE; TYPE t = 0..N; PROCESS P; VAR x: t;
        BEGIN x := N END; BEGIN P() END M;";
    let model = read(text, &[definition("N", 5)]).unwrap();
    assert_eq!(explore(&model.program).ends.into_iter().next().unwrap(), [5]);
    let message = |name, value| read(text, &[definition(name, value)]).err().unwrap();
    assert_eq!(message("K", 1).message, "the model has no constant `K` to define");
    assert_eq!((message("K", 1).span.start, message("K", 1).span.end), (0, 0));
    assert_eq!(message("B", 1).message, "definition of `B`: it is not a number");
    assert_eq!(message("N", -1).message, "the range 0..-1 is empty");
}

#[test]
fn listing_4_1_is_read_as_it_is() {
    let listing = include_str!("../../../../models/esml/alternating_bit.esml");
    let found = explore(&model(listing).program);
    // As many as Spin stores for the model in Promela, without reductions.
    assert_eq!((found.n_states, found.ends.len()), (29, 0));
    let hidden = listing
        .replace("(IN in: mtype; OUT out: mtype)", "(IN rq: mtype; OUT sq: mtype)")
        .replace("out!", "sq!")
        .replace("in?", "rq?");
    assert_eq!(explore(&model(&hidden).program).n_states, 29);
}
