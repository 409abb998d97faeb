//! Texts that are too deep, too large, or nearly so.

use super::{described, model, read};

#[track_caller]
fn error(text: &str, expected: &str) {
    let error = read(text, &[]).unwrap_err().to_string();
    assert_eq!(error, expected);
}

#[test]
fn a_hundred_thousand_conjuncts() {
    let text = "
        const N = 100000;
        var x[N]: bool;
        prop p(i in 0..N-1) = x[i];
        ltl all: forall i in 0..N-1: G F p(i);
        ltl some: G exists i in 0..N-1: x[i];
    ";
    let model = model(text);
    assert_eq!(model.properties[0].formula.atoms().len(), 100_000);
    assert_eq!(model.properties[1].formula.atoms().len(), 100_000);
}

#[test]
fn long_chains_of_operators() {
    for operator in ["&&", "||", "xor", "->", "U", "<->"] {
        let text = format!("var b: bool; ltl p: b{};", format!(" {operator} b").repeat(50_000));
        assert_eq!(model(&text).properties.len(), 1);
    }
    for operator in ["!", "X", "!X"] {
        let text = format!("var b: bool; ltl p: {} b;", operator.repeat(50_000));
        assert_eq!(model(&text).properties.len(), 1);
    }
    for operator in ["+", "-", "*"] {
        let text = format!(
            "var b: 0..1; action a when b{} == 0;",
            format!(" {operator} b").repeat(50_000)
        );
        assert_eq!(model(&text).program.transitions.len(), 1);
    }
    let text = format!(
        "var b: 0..1; ltl a: G sum(i in 0..50000: b) < 3 && (count(i in 0..9999: b == 0)) == {};",
        "0 + ".repeat(50_000) + "0"
    );
    let model = model(&text);
    let mut program = model.program;
    for (_, name) in model.properties[0].formula.atoms().iter() {
        model.bindings.atom(&mut program, name).unwrap();
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let depth = 100_000;
    for (before, inside, behind) in [
        ("(", "b", ")"),
        ("!(", "b", ")"),
        ("a[", "0", "]"),
        ("- ", "1", ""),
        ("if b then b else ", "b", ""),
        ("forall i in 0..1: ", "b", ""),
        ("b && (b || ", "b", ")"),
        ("sum(i in 0..", "0", ": 1)"),
        ("p(", "1", ")"),
    ] {
        let expression = format!("{}{inside}{}", before.repeat(depth), behind.repeat(depth));
        let text = format!("var b: bool; var a[1]: 0..1; action x when {expression};");
        let error = read(&text, &[]).unwrap_err();
        assert!(error.message.starts_with("expressions are nested more than"), "{error}");
    }
    let text = format!("{}\"", "\"\\\"".repeat(1000));
    assert!(model("var b: bool;").bindings.formula(&text).is_err());
}

/// As deep as can be must not overflow the stack of a thread.
#[test]
fn the_deepest_nesting_that_is_allowed() {
    for depth in (10..=300).step_by(10) {
        for (before, inside, behind) in [
            ("(", "b", ")"),
            ("if b then b else ", "b", ""),
            ("(b -> b || b xor b && !", "b", ")"),
            ("(b -> b || b xor b && X (b U G ", "b", "))"),
            ("(if b -> b || b xor b && !b U ", "b", " then b else b)"),
            ("(1 == 1 + 1 * -(if b -> b || b && !b then 1 else 0) && ", "b", ")"),
        ] {
            let text = format!(
                "var b: bool; ltl p: G {}{inside}{};",
                before.repeat(depth),
                behind.repeat(depth)
            );
            let _ = read(&text, &[]);
        }
    }
}

#[test]
fn long_chains_of_definitions() {
    let constants = |n: usize| {
        let first = "const c0 = 1;".to_owned();
        (1..n).fold(first, |text, i| format!("const c{i} = c{} + 1;{text}", i - 1))
    };
    assert!(read(&constants(200), &[]).is_ok());
    error(&constants(5000), "expressions depend on each other more than 500 deep");
    let propositions = (1..5000).fold("var b: bool; prop p0 = b;".to_owned(), |text, i| {
        format!("prop p{i} = !p{};{text}", i - 1)
    });
    error(&propositions, "expressions depend on each other more than 500 deep");
    // As few steps as possible for each call: the largest stack.
    let plain = (1..5000).fold("var b: bool; prop p0(i in 0..1) = b;".to_owned(), |text, i| {
        format!("prop p{i}(i in 0..1) = p{}(i);{text}", i - 1)
    });
    error(&plain, "expressions depend on each other more than 500 deep");
    // Each is used twice by the next.
    let doubled = (1..100).fold("var b: bool; prop p0 = b;".to_owned(), |text, i| {
        format!("{text}prop p{i} = p{} xor p{};", i - 1, i - 1)
    });
    assert!(read(&doubled, &[]).is_ok());
}

#[test]
fn models_that_unfold_to_too_much() {
    error("var x: 0..9999999999;", "the range 0..9999999999 has more than 2^32 values");
    error(
        "var x: 0..9223372036854775807;",
        "the range 0..9223372036854775807 has more than 2^32 values",
    );
    error("var x[99999999]: bool;", "the variables have more than 1048576 elements");
    error("process p(i in 0..99999) { }", "there are more than 65536 processes");
    error("var x[30]: bool = any;", "there are more than 1048576 initial states");
    error("var x: 0..4294967295 = any;", "there are more than 1048576 initial states");
    error(
        "var x: bool; action a with i in 0..99999, k in 0..99999 when x;",
        "an action has at most 2147483648 combinations of choices",
    );
    error(
        "var x: bool; action a when forall i in 0..99999, k in 0..99999: x;",
        "the model unfolds to more than 8388608 expressions",
    );
}

#[test]
fn numbers_at_the_edge() {
    let edge = "9223372036854775807";
    assert!(read(&format!("var x: {edge}..{edge};"), &[]).is_ok());
    assert!(read(&format!("const c = -{edge} - 1; var x: c..c = c;"), &[]).is_ok());
    let text = format!("const c = -{edge} - 2;");
    assert_eq!(described(&text, read(&text, &[])), format!("[-{edge} - 2] arithmetic overflow"));
    error(
        "const c = 9223372036854775808;",
        "the number is too large: it does not fit into 64 bits",
    );
}
