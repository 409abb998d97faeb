//! Models that are large or deep.

use super::{alone, model};
use crate::lang::esml::read;

#[test]
fn depth_is_bounded_by_memory_alone() {
    let deep = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let long = vec!["x"; 100_000].join(" + ");
    model(&alone("x: 0..9;", &format!("IF {deep} < {long} -> SKIP END")));
    let nested = |word: &str| {
        let open = format!("{word} x = 0 -> ").repeat(20_000);
        format!("{open}{}", "END ".repeat(20_000))
    };
    model(&alone("x: 0..9;", &nested("DO")));
    model(&alone("x: 0..9;", &nested("IF")));
    let comment = format!("{}{}", "(*".repeat(100_000), "*)".repeat(100_000));
    model(&alone("x: 0..9;", &comment));
    let brackets = format!("{}0{}", "a[".repeat(50_000), "]".repeat(50_000));
    model(&alone("a: ARRAY 2 OF 0..1;", &format!("a[0] := {brackets} + 0")));
}

#[test]
fn huge_models_are_refused() {
    let message = |text: &str| read(text, &[]).err().unwrap().message;
    assert!(message(&alone("x: ARRAY 9999999 OF bit;", "")).starts_with("an array has from 1"));
    let two = alone("x, y: ARRAY 4000000 OF bit;", "");
    assert!(message(&two).contains("more than 4000000 values"));
    assert!(message(&alone("x: -2147483647..2147483647 + 2;", "")).contains("at most 2^32"));
    let body = |statement: &str| vec![statement; 1000].join(";");
    let text = format!(
        "MODEL M; VAR c: BOOLEAN; PROCESS A; BEGIN {} END; PROCESS B; BEGIN {} END;
         BEGIN A(); B() END M.",
        body("c!TRUE"),
        body("c?TRUE")
    );
    assert!(message(&text).contains("more than 500000 transitions"));
    let text =
        format!("MODEL M; PROCESS A; BEGIN {} END; BEGIN {} END M.", body("SKIP"), body("A()"));
    assert!(message(&text).contains("more than 500000 statements"));
}
