//! What the reader takes, what it refuses, and that nothing makes it panic.

use crate::hoa::{Automaton, HoaError, documents, read};
use crate::testbench::Random;
use std::fmt::Write;

const ALTERNATING: &str = r#"HOA: v1
name: "(F a & G(b & X c)) | c"
States: 4
Start: 0&2
Start: 3
acc-name: co-Buchi
Acceptance: 1 Fin(0)
AP: 3 "a" "b" "c"
--BODY--
State: 0 "F a"
[t] 0 {0}
[0] 1
State: 1 "true"
[t] 1
State: 2 "G(b & X c)"
[1] 2&3
State: 3 "c"
[2] 1
--END--
"#;

const GENERALIZED: &str = r#"HOA: v1 tool: "hand" "1" name: "GFa & GFb" States: 1 Start: 0
acc-name: generalized-Buchi 2 Acceptance: 2 (Inf(0) & Inf(1)) AP: 2 "a" "b" properties:
trans-labels explicit-labels trans-acc complete deterministic properties: stutter-invariant
--BODY-- State: 0 [!0 & !1] 0 [0&!1] 0 {0} [!0&1] 0 {1} [0 & 1] 0 {0 1} --END--"#;

const RABIN: &str = r#"HOA: v1
States: 3 /* a comment /* in a comment */ */
Start: 0
acc-name: Rabin 1
Acceptance: 2 (Fin(0) & Inf(!1)) | f
AP: 2 "a" "b"
some-tool: t 7 "seven \"7\"" seven
--BODY--
State: 0 "a U b" { 0 }
  2 0 1 1
State: 2 "sink \\ state" { 0 }
  2 2 2 2
State: 1 { 1 }
  1 1 1 1
--END--"#;

const ALIASES: &str = r#"HOA: v1
Alias: @a 0
Alias: @bc 1 & 2
Alias: @0-x_ !(@a | @bc) & !!t
AP: 3 "a" "proc@state" "a[x] >= 2"
Start: 1
Acceptance: 0 t
--BODY--
State: [@a & !@bc] 0 0 1
State: 1
[@0-x_ | (0 & (1 | 2))] 0&1&0
[!(!0 & (!1 & 2) | f)] 1
--END--"#;

const EMPTY: &str = "HOA: v1 Acceptance: 0 f --BODY-- --END--";

const VALID: [&str; 5] = [ALTERNATING, GENERALIZED, RABIN, ALIASES, EMPTY];

#[test]
fn documents_of_all_kinds_are_written_and_read_back() {
    for text in VALID {
        let automaton = read(text).expect(text);
        let written = automaton.to_string();
        assert_eq!(read(&written).expect(&written), automaton);
        assert_eq!(read(&written).expect(&written).to_string(), written);
    }
}

#[test]
fn the_written_form_is_canonical() {
    insta::assert_snapshot!(read(RABIN).unwrap(), @r#"
    HOA: v1
    States: 3
    Start: 0
    AP: 2 "a" "b"
    acc-name: Rabin 1
    Acceptance: 2 Fin(0) & Inf(!1) | f
    some-tool: t 7 "seven \"7\"" seven
    --BODY--
    State: 0 "a U b" {0}
    2
    0
    1
    1
    State: 1 {1}
    1
    1
    1
    1
    State: 2 "sink \\ state" {0}
    2
    2
    2
    2
    --END--
    "#);
    insta::assert_snapshot!(read(ALIASES).unwrap(), @r#"
    HOA: v1
    States: 2
    Start: 1
    AP: 3 "a" "proc@state" "a[x] >= 2"
    Alias: @a 0
    Alias: @bc 1 & 2
    Alias: @0-x_ !(@a | @bc) & !!t
    Acceptance: 0 t
    --BODY--
    State: [@a & !@bc] 0
    0
    1
    State: 1
    [@0-x_ | 0 & (1 | 2)] 0&1&0
    [!(!0 & (!1 & 2) | f)] 1
    --END--
    "#);
}

#[test]
fn an_implicit_label_is_the_letter_of_its_index() {
    let automaton = read(RABIN).unwrap();
    let state = automaton.states.iter().next().unwrap();
    let items = |index: usize| format!("{:?}", automaton.label(state, index).items());
    assert_eq!(items(1), "[Leaf(Atom(AtomId0)), Leaf(Atom(AtomId1)), Not, And]");
    assert_eq!(items(2), "[Leaf(Atom(AtomId0)), Not, Leaf(Atom(AtomId1)), And]");
}

#[test]
fn automata_follow_each_other() {
    let stream = format!("{ALTERNATING}{EMPTY}\n HOA: v1 States: 3 --ABORT-- {RABIN} /* end */ ");
    let read: Vec<Result<Automaton, HoaError>> = documents(&stream).collect();
    assert_eq!(read.len(), 4);
    assert_eq!(read[1], super::read(EMPTY));
    assert_eq!(read[2].as_ref().unwrap_err().to_string(), "the document ends with `--ABORT--`");
    assert_eq!(read[3], super::read(RABIN));
}

#[test]
fn an_error_ends_the_stream() {
    let stream = format!("{EMPTY} nonsense {EMPTY}");
    assert_eq!(documents(&stream).map(|one| one.is_ok()).collect::<Vec<_>>(), [true, false]);
}

/// Reads `text`, in which `«…»` marks what the error must point at.
#[track_caller]
fn check_error(text: &str, expected: &str) {
    let start = text.find('«').expect("a mark");
    let text = text.replacen('«', "", 1);
    let end = text.find('»').expect("a mark");
    let text = text.replacen('»', "", 1);
    let error = read(&text).expect_err("the document is malformed");
    assert_eq!(error.to_string(), expected);
    assert_eq!(&text[error.span.range()], &text[start..end]);
}

/// The same for the body of a small automaton.
#[track_caller]
fn check_body(body: &str, expected: &str) {
    let header = r#"HOA: v1 States: 2 AP: 2 "a" "b" Alias: @x 0 Acceptance: 2 t --BODY--"#;
    check_error(&format!("{header} {body}"), expected);
}

#[test]
fn the_first_line_is_the_version() {
    check_error("«»", "expected `HOA:`, found the end of the input");
    check_error("«States:» 1", "expected `HOA:`, found `States:`");
    check_error("HOA: «1»", "expected the version of the format, found `1`");
    check_error("HOA: «v1.1»", "version `v1.1` of the format is not supported, only `v1` is");
}

#[test]
fn malformed_headers_are_refused() {
    check_error("HOA: v1 «--BODY--»", "the header has no line `Acceptance:`");
    check_error("HOA: v1 States: 1 «States:» 1", "`States:` is given a second time");
    check_error("HOA: v1 «HOA:» v1", "`HOA:` is given a second time");
    check_error("HOA: v1 x: 1 «x:» 2", "`x:` is given a second time");
    check_error("HOA: v1 States: «\"1\"»", "expected a number, found a text");
    check_error(
        "HOA: v1 Start: 1&«»",
        "expected the number of a state, found the end of the input",
    );
    check_error("HOA: v1 Start: 1 «2»", "expected a line of the header or `--BODY--`, found `2`");
    check_error(
        "HOA: v1 «State:» 1",
        "expected a line of the header or `--BODY--`, found `State:`",
    );
    check_error("HOA: v1 acc-name: «1»", "expected the name of an acceptance condition, found `1`");
    check_error("HOA: v1 tool: «x»", "expected a text, found `x`");
}

#[test]
fn malformed_atoms_are_refused() {
    check_error(
        "HOA: v1 AP: «2» \"a\" Acceptance: 0 t",
        "2 atomic propositions are announced, but 1 are named",
    );
    check_error("HOA: v1 AP: 2 \"a\" «\"a\"»", "there are two atomic propositions `a`");
    check_error(
        "HOA: v1 Alias: @a !«3» AP: 1 \"a\" Acceptance: 0 t --BODY--",
        "there is no atomic proposition 3: 1 are declared",
    );
}

#[test]
fn malformed_aliases_are_refused() {
    check_error("HOA: v1 Alias: «a» 0", "expected the name of an alias, found `a`");
    check_error("HOA: v1 Alias: @«!» 0", "expected the name of an alias, found `!`");
    check_error("HOA: v1 Alias: @a «@a»", "alias `@a` is not defined");
    check_error("HOA: v1 Alias: @a t Alias: «@a» t", "alias `@a` is defined a second time");
}

#[test]
fn malformed_acceptance_is_refused() {
    check_error("HOA: v1 Acceptance: 1 Fin(«1»)", "there is no acceptance set 1: 1 are declared");
    check_error("HOA: v1 Acceptance: 1 «!»Fin(0)", "expected `Fin`, `Inf`, `t` or `f`, found `!`");
    check_error("HOA: v1 Acceptance: 1 «Sup»(0)", "expected `Fin`, `Inf`, `t` or `f`, found `Sup`");
    check_error("HOA: v1 Acceptance: 1 Fin «0»", "expected `(`, found `0`");
    check_error("HOA: v1 Acceptance: 1 («(»t) & f --BODY--", "this parenthesis is never closed");
    check_error(
        "HOA: v1 Acceptance: 1 t«)»",
        "expected a line of the header or `--BODY--`, found `)`",
    );
}

#[test]
fn malformed_tokens_are_refused() {
    check_error("HOA: v1 States: «007»", "a number has no leading zero");
    let too_large = "this number is too large: the greatest is 2147483647";
    check_error("HOA: v1 States: «2147483648»", too_large);
    check_error("HOA: v1 States: «99999999999999999999999»", too_large);
    check_error("HOA: v1 «/*» /* */", "this comment is never closed");
    check_error("HOA: v1 name: «\"»x\\\"", "this text is never closed");
    check_error("HOA: v1 name: «\"»x\\", "this text is never closed");
    check_error("HOA: v1 «é»", "unexpected character `é`");
    check_error("HOA: v1 «-»-BODY", "unexpected character `-`");
}

#[test]
fn texts_that_are_not_unicode_are_refused() {
    let error = read(b"HOA: v1 name: \"\xff\"").unwrap_err();
    assert_eq!(error.to_string(), "this text is not valid UTF-8");
    let error = read(b"HOA: v1 \xff").unwrap_err();
    assert_eq!(error.to_string(), "unexpected character `\u{fffd}`");
    assert!(read(b"HOA: v1 /* \xff */ Acceptance: 0 t --BODY-- --END--").is_ok());
}

#[test]
fn references_to_nothing_are_refused() {
    check_body("State: 0 [«2»] 0", "there is no atomic proposition 2: 2 are declared");
    check_body("State: 0 [«@y»] 0", "alias `@y` is not defined");
    check_body("State: 0 [t] 0&«2»", "there is no state 2: the automaton has 2");
    check_body("State: «2»", "there is no state 2: the automaton has 2");
    check_body("State: 0 {1 «2»}", "there is no acceptance set 2: 2 are declared");
    check_body("State: 0 [t] 0 {«2»}", "there is no acceptance set 2: 2 are declared");
    check_error(
        "HOA: v1 Start: 0&«7» Acceptance: 0 t --BODY-- State: 0 State: 1 --END--",
        "there is no state 7: the automaton has 2",
    );
    check_error(
        "HOA: v1 States: 7 Start: 0&«7» Acceptance: 0 t --BODY--",
        "there is no state 7: the automaton has 7",
    );
}

#[test]
fn every_state_is_described_once() {
    check_body("State: 1 State: 0 State: «1» --END--", "state 1 is described a second time");
    check_error(
        "HOA: v1 States: «2147483647» Acceptance: 0 t --BODY-- State: 0 State: 3 --END--",
        "state 1 is not described in the body",
    );
    check_error(
        "HOA: v1 Acceptance: 0 t --BODY-- State: 0 State: 3 «--END--»",
        "state 1 is not described in the body",
    );
}

#[test]
fn labels_stand_in_one_place() {
    check_body(
        "State: [t] 0 «[t] 0 »--END--",
        "an edge has no label of its own if its state has one",
    );
    check_body(
        "State: 0 [t] 0 «1 »State: 1",
        "either all edges of a state have labels, or none has",
    );
    check_body(
        "State: «0» 0 1 0 State: 1 --END--",
        "a state without labels has one edge for each letter, here 2^2, but this one has 3",
    );
}

#[test]
fn malformed_bodies_are_refused() {
    check_body("«»", "expected `State:`, an edge or `--END--`, found the end of the input");
    check_body("State: «x»", "expected the number of a state, found `x`");
    check_body("State: 0 [t] «x»", "expected the number of a state, found `x`");
    check_body("State: 0 {0 «x»}", "expected the number of an acceptance set or `}`, found `x`");
    check_body("State: 0 [0 «1»] 0", "expected `&`, `|` or `]`, found `1`");
    check_body("State: 0 [0 &«]» 0", "expected a label, found `]`");
    check_body("State: 0 [«(»0] 0", "this parenthesis is never closed");
    check_body("State: 0 «[»0", "this bracket is never closed");
    check_body("State: 0 «--ABORT--»", "the document ends with `--ABORT--`");
    check_body("State: 0 «Start:» 0", "expected `State:`, an edge or `--END--`, found `Start:`");
}

#[test]
fn deep_nesting_needs_no_stack() {
    let n = 1_000_000;
    let nested = |inner: &str| format!("{}{inner}{}", "!(".repeat(n), ")".repeat(n));
    let text = format!(
        "HOA: v1 {} {} Acceptance: 1 {}Fin(0){} Alias: @a {} --BODY-- State: 0 [{}] 0 --END--",
        "/*".repeat(n),
        "*/".repeat(n),
        "(".repeat(n),
        ")".repeat(n),
        nested("t"),
        nested("@a"),
    );
    let automaton = read(&text).unwrap();
    assert_eq!(read(&automaton.to_string()).unwrap(), automaton);
    assert!(read(&format!("HOA: v1 Acceptance: 1 {}", "(".repeat(n))).is_err());
}

#[test]
fn aliases_of_aliases_are_not_expanded() {
    let mut text = "HOA: v1 AP: 1 \"a\" Alias: @0 0 ".to_owned();
    for index in 1..10_000 {
        let before = index - 1;
        write!(text, "Alias: @{index} @{before} & !@{before} | @{before} ").unwrap();
    }
    text += "Acceptance: 0 t --BODY-- State: 0 [@9999] 0 --END--";
    assert_eq!(read(&text).unwrap().aliases.len(), 10_000);
}

/// Pieces of documents: single bytes alone would seldom get past the header.
const PIECES: [&str; 40] = [
    "HOA:",
    "v1",
    "States:",
    "Start:",
    "AP:",
    "Alias:",
    "Acceptance:",
    "acc-name:",
    "tool:",
    "name:",
    "properties:",
    "x:",
    "--BODY--",
    "--END--",
    "--ABORT--",
    "State:",
    "Fin",
    "Inf",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "!",
    "&",
    "|",
    "t",
    "f",
    "@a",
    "@",
    "0",
    "1",
    "2",
    "2147483647",
    "\"a\"",
    "\"",
    "\\",
    "/*",
    "*/",
];

fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(12)).min(bytes.len());
    match random.below(6) {
        0 => drop(bytes.drain(at..end)),
        1 => bytes.insert(at, u8::try_from(random.below(256)).unwrap()),
        2 => bytes.truncate(at),
        3 => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..at, format!(" {piece} ").into_bytes());
        }
        4 => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..end, piece.bytes());
        }
        _ => {
            let from = random.below(other.len() + 1);
            let to = (from + random.below(60)).min(other.len());
            bytes.splice(at..end, other[from..to].iter().copied());
        }
    }
}

#[test]
fn mutated_documents_do_no_harm() {
    let mut random = Random::new(2004);
    let (mut n_good, mut n_bad) = (0, 0);
    for _ in 0..40_000 {
        let mut bytes = VALID[random.below(VALID.len())].as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let other = VALID[random.below(VALID.len())].as_bytes();
            mutate(&mut bytes, other, &mut random);
        }
        for result in documents(&bytes) {
            match result {
                Ok(automaton) => {
                    n_good += 1;
                    let written = automaton.to_string();
                    assert_eq!(read(&written).expect(&written), automaton);
                }
                Err(error) => {
                    n_bad += 1;
                    assert!(error.span.start <= error.span.end && error.span.end <= bytes.len());
                    let (line, column) = crate::scan::position(&bytes, error.span.start);
                    assert!(0 < line && 0 < column && !error.to_string().is_empty());
                }
            }
        }
    }
    // Neither branch may be dead, or the test tests nothing.
    assert!(1_000 < n_good && 10_000 < n_bad, "{n_good} good, {n_bad} bad");
}

#[test]
fn random_pieces_do_no_harm() {
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let n = random.below(40);
        let text: String = std::iter::once("HOA: v1 Acceptance: 2 t --BODY-- State: 0 ")
            .chain((0..n).flat_map(|_| [PIECES[random.below(PIECES.len())], " "]))
            .collect();
        let skip = [0, 24, 33][random.below(3)];
        for result in documents(&text[skip..]) {
            drop(result);
        }
    }
}
