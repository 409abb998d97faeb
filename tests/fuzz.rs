//! Any bytes as a formula or as a HOA document give an answer or an error,
//! never a panic: random bytes, random sequences of tokens, and mutations of
//! valid inputs, 100,000 and more from fixed seeds.
//!
//! `LWAA_ROUNDS` and `LWAA_SEED` make longer and other campaigns of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the seed"
)]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::ltl::{Formula, Syntax, nnf, parse, print, simplify};
use lwaa::lwaa::build;
use lwaa::search::limits::Limits;
use lwaa::testbench::Random;
use lwaa::{Lwaa, Options, hoa, satisfiable};

/// A generator whose seed is printed, and seen when a test fails.
fn random(seed: u64) -> Random {
    let (random, seed) = campaign::random(seed);
    println!("seed {seed}");
    random
}

const FORMULAS: &[&str] = &[
    "G (request -> F grant)",
    "!(a U (b & X c)) <-> (\"x == 1\" W false)",
    "[]<>p && <>[](q || !r) -> (s V t)",
    "□(a ∧ ◇¬b) ∨ ○(c ↔ 0) xor true M p_1",
    "(((a) R (b))) ^ GFXp => XX q /\\ ()z",
    "& G F p0 U ! p1 W \"q r\" t",
];
const FORMULA_TOKENS: &[&str] = &[
    "a", "b", "p0", "true", "0", "(", ")", "!", "&", "|", "^", "->", "<->", "X", "F", "G", "U",
    "R", "W", "M", "\"", "\\", " ", "()", "[]", "<>", "¬", "∧", "GF", "GFa", "<", "=", "/", "1",
    "xor", "\n", "\0", "é",
];
const HOA_TOKENS: &[&str] = &[
    "HOA: v1",
    "\n",
    " ",
    "States: 2",
    "Start: 0&1",
    "AP: 1 \"a\"",
    "Acceptance: 1 Fin(0)",
    "--BODY--",
    "--END--",
    "--ABORT--",
    "State: 0",
    "State: 1 {0}",
    "[0]",
    "[!0 | t]",
    "0",
    "1",
    "0&1",
    "{0}",
    "Alias: @x",
    "@x",
    "acc-name: co-Buchi",
    "/*",
    "*/",
    "\"",
    "(",
    ")",
    "Inf(0)",
    "&",
    "|",
    "99999999999999999999",
    "-1",
];

/// A valid document to begin with, from one of our own automata.
fn documents() -> Vec<String> {
    FORMULAS[..3]
        .iter()
        .map(|text| {
            let automaton = Lwaa::from_formula(&Formula::parse(text).unwrap());
            automaton.to_hoa(10_000).unwrap().to_string()
        })
        .collect()
}

/// Random bytes, random tokens, or a mutation of one of `seeds`.
fn input(seeds: &[String], tokens: &[&str], random: &mut Random) -> Vec<u8> {
    match random.below(6) {
        0 => (0..random.below(40)).map(|_| u8::try_from(random.below(256)).unwrap()).collect(),
        1 | 2 => {
            let n_tokens = random.below(30);
            (0..n_tokens).flat_map(|_| tokens[random.below(tokens.len())].bytes()).collect()
        }
        _ => {
            let mut bytes = seeds[random.below(seeds.len())].clone().into_bytes();
            for _ in 0..=random.below(4) {
                mutate(&mut bytes, tokens, random);
            }
            bytes
        }
    }
}

fn mutate(bytes: &mut Vec<u8>, tokens: &[&str], random: &mut Random) {
    let place = random.below(bytes.len() + 1);
    let end = place + random.below(bytes.len() - place + 1).min(8);
    match random.below(5) {
        0 => drop(bytes.drain(place..end)),
        1 => drop(bytes.splice(place..place, tokens[random.below(tokens.len())].bytes())),
        2 => {
            let copy = bytes[place..end].to_vec();
            let to = random.below(bytes.len() + 1);
            drop(bytes.splice(to..to, copy));
        }
        3 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        _ => bytes.truncate(place),
    }
}

/// Whatever parses goes all the way to an answer.
fn use_formula(formula: &Formula) {
    for (dialect, syntax) in [
        (print::Dialect::Lwaa, Syntax::Lwaa),
        (print::Dialect::Spot, Syntax::Spot),
        (print::Dialect::Lbt, Syntax::Lbt),
    ] {
        let text = print::print(formula, dialect);
        assert_eq!(parse::parse(&text, syntax).as_ref(), Ok(formula), "{text}");
    }
    let simple = simplify::simplify(&nnf::from_formula(formula));
    let automaton = build::from_nnf(simple);
    if automaton.n_locations() < 30 {
        let limits = Limits { states: Some(100), ..Limits::default() };
        satisfiable(formula, &Options { limits, ..Options::default() }).unwrap();
    }
}

#[test]
fn any_bytes_as_a_formula() {
    let mut random = random(7_000);
    let seeds: Vec<String> = FORMULAS.iter().map(|&text| text.to_owned()).collect();
    let mut n_parsed = 0;
    for _ in 0..campaign::rounds(60_000) {
        let bytes = input(&seeds, FORMULA_TOKENS, &mut random);
        let text = String::from_utf8_lossy(&bytes);
        for syntax in [Syntax::Lwaa, Syntax::Spot, Syntax::Lbt] {
            match parse::parse(&text, syntax) {
                Ok(formula) => {
                    n_parsed += 1;
                    use_formula(&formula);
                }
                Err(error) => {
                    assert!(error.span.start <= error.span.end, "{text:?}");
                    assert!(error.span.end <= text.len(), "{text:?}");
                    assert!(text.is_char_boundary(error.span.start), "{text:?}");
                    assert!(!error.to_string().is_empty());
                }
            }
        }
    }
    assert!(5_000 < n_parsed, "only {n_parsed} inputs were formulas");
}

#[test]
fn any_bytes_as_a_hoa_document() {
    let mut random = random(7_001);
    let seeds = documents();
    let (mut n_read, mut n_automata) = (0, 0);
    for _ in 0..campaign::rounds(50_000) {
        let bytes = input(&seeds, HOA_TOKENS, &mut random);
        match hoa::read(&bytes) {
            Ok(document) => {
                n_read += 1;
                let again = hoa::read(&document.to_string()).expect("what we write can be read");
                assert_eq!(again, document);
                n_automata += usize::from(Lwaa::from_hoa(&document).is_ok());
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    assert!(1_000 < n_read && 500 < n_automata, "{n_read} documents, {n_automata} automata");
}
