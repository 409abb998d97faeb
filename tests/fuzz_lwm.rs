//! Any text as a model in the language of guarded actions, and any text as a
//! formula about it, gives an answer or an error, never a panic: mutations of
//! the shipped models and random sequences of tokens, from fixed seeds.
//!
//! `LWAA_ROUNDS` and `LWAA_SEED` make longer and other campaigns of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the seed"
)]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::lang::execute::Interpreter;
use lwaa::lang::{Model, SourceError, lwm};
use lwaa::system::{Cursor, TransitionSystem};
use lwaa::testbench::Random;

const TOKENS: &[&str] = &[
    "const",
    "type",
    "var",
    "prop",
    "process",
    "action",
    "ltl",
    "with",
    "when",
    "do",
    "assert",
    "forall",
    "exists",
    "sum",
    "count",
    "if",
    "then",
    "else",
    "for",
    "in",
    "any",
    "bool",
    "true",
    "false",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "..",
    ".",
    "'",
    "=",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "&&",
    "||",
    "xor",
    "->",
    "<->",
    "X",
    "F",
    "G",
    "U",
    "R",
    "W",
    "M",
    "0",
    "1",
    "2",
    "3",
    "17",
    "-1",
    "9223372036854775807",
    "x",
    "y",
    "N",
    "p",
    "i",
    "phase",
    "weak",
    "strong",
    "fair",
    "\"",
    "\\",
    "//",
    "/*",
    "*/",
    "é",
    "\0",
    "0..1",
    "i in 0..2",
    "x' = x + 1",
    "[0]",
    "(0)",
    "p(i)",
    "ltl q: G F x;",
    "var z: 0..3 = any;",
    "taken",
    "enabled",
    "worker",
    "go",
    "weak fair ",
    "strong fair worker(i).go for i in 0..1;",
    "taken(worker(0).go(1))",
    "enabled(reset)",
];

const FORMULAS: &[&str] = &[
    "G (x == 1 -> F p(0))",
    "forall i in 0..2: G F p(i) U !x < 3",
    "\"x + a[1] == 2\" W worker(1).done && (if b then X b else G b)",
    "exists i in 0..2, k in 0..i: a[k] < a[i] xor b <-> count(i in 0..1: p(i)) == 1",
    "(sum(i in 0..2: a[i] * i) - x) / 2 % 3 >= -1 || b R b M true",
    "forall i in 0..2: G F enabled(worker(i)) -> G F taken(worker(i).go(i % 2))",
    "F taken(reset) U \"enabled(worker.swap)\" && (b -> !taken(worker(1)))",
];

const MODEL: &str = "
    const N = 3;
    type Phase = { idle, busy };
    var x: 0..7 = any;
    var b: bool = true;
    var a[N]: 0..3 = [i for i in 0..N-1];
    var phase: Phase;
    weak fair process worker(i in 0..N-1) {
        var done: bool = i == 1;
        strong fair action go(k in 0..1) with v in 0..3 when phase == idle && v != i do a[k]' = v, done' = !done;
        action swap do a[0]' = a[1], a[1]' = a[0], assert x < 8;
    }
    strong fair worker(i).swap for i in 1..N-1;
    weak fair action reset when exists i in 0..N-1: p(i) do x' = (x + 1) % 8, phase' = if b then busy else idle;
    prop p(i in 0..N-1) = a[i] == i && worker(i).done;
    ltl q: G forall i in 0..N-1: i < N-1 -> F (p(i) || a[i + 1] == 2);
";

/// A generator whose seed is printed, and seen when a test fails.
fn random(seed: u64) -> Random {
    let (random, seed) = campaign::random(seed);
    println!("seed {seed}");
    random
}

/// Where words, numbers and symbols begin, and the end.
fn boundaries(text: &str) -> Vec<usize> {
    let mut boundaries = vec![0];
    let mut last = ' ';
    for (place, character) in text.char_indices() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if 0 < place && !(is_word(last) && is_word(character)) {
            boundaries.push(place);
        }
        last = character;
    }
    boundaries.push(text.len());
    boundaries
}

/// A few tokens more, fewer, or other ones.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let places = boundaries(&text);
        let first = random.below(places.len());
        let last = (first + random.below(4)).min(places.len() - 1);
        let (start, end) = (places[first], places[last]);
        let token = TOKENS[random.below(TOKENS.len())];
        match random.below(6) {
            0 => text.replace_range(start..end, ""),
            1 => text.insert_str(start, token),
            2 => text.replace_range(start..end, token),
            3 => {
                let copy = text[start..end].to_owned();
                text.insert_str(places[random.below(places.len())], &copy);
            }
            4 => {
                let other = random.below(places.len() - 1);
                let copy = text[places[other]..places[other + 1]].to_owned();
                text.replace_range(start..end, &copy);
            }
            _ => text.insert_str(start, &format!(" {token} ")),
        }
    }
    text
}

fn tokens(random: &mut Random) -> String {
    let n_tokens = random.below(30);
    let tokens: Vec<&str> = (0..n_tokens).map(|_| TOKENS[random.below(TOKENS.len())]).collect();
    tokens.join(if random.coin() { " " } else { "" })
}

#[track_caller]
fn check_error(text: &str, error: &SourceError) {
    assert!(error.span.start <= error.span.end, "{text:?}");
    assert!(text.get(error.span.start..error.span.end).is_some(), "{text:?}");
    assert!(!error.message.is_empty());
}

/// A model that was read can be run, and its atoms have expressions whose names
/// stay as they are.
fn use_model(mut model: Model) {
    for property in &model.properties {
        for (_, name) in property.formula.atoms().iter().take(20) {
            model.bindings.atom(&mut model.program, name).unwrap();
        }
    }
    for fairness in &model.program.fairness {
        assert!(!fairness.transitions.is_empty() && fairness.transitions.is_sorted());
    }
    let any = model.program.variables.iter().filter(|variable| variable.any);
    let n_free: usize = any.map(lwaa::lang::program::Variable::n_elements).sum();
    let n_choices: i64 = model
        .program
        .transitions
        .iter()
        .flat_map(|transition| &transition.choices)
        .map(|(low, high)| high - low + 1)
        .sum();
    if 8 < n_free || 100 < n_choices || 1000 < model.program.transitions.len() {
        return;
    }
    let mut system = Interpreter::new(&model.program, &[]);
    let Some(mut state) = system.initial_states().pop() else { return };
    for _ in 0..3 {
        let mut cursor = Cursor::starting_with(1 % system.n_lanes());
        let mut target = vec![0; system.n_words()];
        match system.next(&state, &mut cursor, &mut target) {
            Ok(Some(_)) => state = target.into(),
            Ok(None) | Err(_) => return,
        }
    }
}

#[test]
fn any_text_as_a_model() {
    let mut random = random(7_100);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/lwm");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut seeds: Vec<String> = paths
        .iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "lwm"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    seeds.push(MODEL.to_owned());
    let mut n_read = 0;
    for _ in 0..campaign::rounds(25_000) {
        let text = match random.below(10) {
            0 => tokens(&mut random),
            1..=3 => mutated(MODEL, &mut random),
            _ => mutated(&seeds[random.below(seeds.len())], &mut random),
        };
        match lwm::read(&text, &[]) {
            Ok(model) => {
                n_read += 1;
                use_model(model);
            }
            Err(error) => check_error(&text, &error),
        }
    }
    assert!(1_000 < n_read, "only {n_read} inputs were models");
}

#[test]
fn any_text_as_a_formula() {
    let mut random = random(7_101);
    let mut model = lwm::read(MODEL, &[]).unwrap();
    let mut n_read = 0;
    for _ in 0..campaign::rounds(25_000) {
        let text = match random.below(10) {
            0 => tokens(&mut random),
            _ => mutated(FORMULAS[random.below(FORMULAS.len())], &mut random),
        };
        match model.bindings.formula(&text) {
            Ok(formula) => {
                n_read += 1;
                for (_, name) in formula.atoms().iter().take(20) {
                    model.bindings.atom(&mut model.program, name).unwrap();
                    let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
                    let again = model.bindings.formula(&quoted).unwrap();
                    let names: Vec<&str> = again.atoms().iter().map(|(_, name)| name).collect();
                    assert_eq!(names, [name], "{text:?}");
                }
            }
            Err(error) => check_error(&text, &error),
        }
    }
    assert!(1_000 < n_read, "only {n_read} inputs were formulas");
}
