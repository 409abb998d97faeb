//! Automata as other programs print them, and what is wrong with others.

use super::*;
use crate::baseline::listing;

#[test]
fn acceptance_on_states() {
    // p0 U p1, with numbers that have gaps
    let text = "3 1\n7 1 -1\n7 p0\n9 p1\n-1\n9 0 5 -1\n9 t\n-1\n8 0 -1\n-1\n";
    insta::assert_snapshot!(listing::write(&read(text).unwrap()), @r"
    atoms: p0 p1
    acceptance: Büchi, on states
    initial: 0
    state 0
      p0 -> 0
      p1 -> 1
    state 1 {0}
      true -> 1
    state 2
    ");
}

#[test]
fn acceptance_on_edges() {
    let text =
        "1 2t\n0 1\n0 0 1 -1 & p0 p1\n0 0 -1 & p0 !p1\n0 1 -1 & ! p0 p1\n0 -1 &!p0 !p1\n-1\n";
    let automaton = read(text).unwrap();
    insta::assert_snapshot!(listing::write(&automaton), @r"
    atoms: p0 p1
    acceptance: generalized Büchi, 2 sets on edges
    initial: 0
    state 0
      p0 & p1 -> 0 {0 1}
      p0 & !p1 -> 0 {0}
      !p0 & p1 -> 0 {1}
      !p0 & !p1 -> 0
    ");
    insta::assert_snapshot!(write(&automaton), @r"
    1 2t
    0 1
    0 0 1 -1 & p0 p1
    0 0 -1 & p0 ! p1
    0 1 -1 & ! p0 p1
    0 -1 & ! p0 ! p1
    -1
    ");
}

#[test]
fn both_and_all_operators() {
    let text = "1 1st 0 1 3 -1 0 3 -1 | i p0 p1 e p2 ^ \"a b\" f 0 -1 t -1";
    insta::assert_snapshot!(listing::write(&read(text).unwrap()), @r#"
    atoms: p0 p1 p2 "a b"
    acceptance: Büchi, on states
    initial: 0
    state 0 {0}
      true -> 0
    "#);
    let text = "1 0 0 1 -1 0 e p2 ^ \"a b\" f -1";
    insta::assert_snapshot!(listing::write(&read(text).unwrap()), @r#"
    atoms: p2 "a b"
    acceptance: every infinite run
    initial: 0
    state 0
      p2 & "a b" | !p2 & !"a b" -> 0
    "#);
}

#[test]
fn quoted_atoms_are_those_of_formulas() {
    for name in ["\0\0b", "\u{200b}", "a\nb\tc", "say \"hi\"", "\\x41", "\\d", "c:\\"] {
        let quoted = atom_text(name, Dialect::Lbt);
        let lone = quoted.replace("\\\\d", "\\d");
        for quoted in [quoted, lone] {
            let automaton = read(&format!("1 0 0 1 -1 0 {quoted} -1")).unwrap();
            assert_eq!(automaton.atoms().iter().next().unwrap().1, name, "{quoted}");
            let again = read(&write(&automaton)).unwrap();
            assert_eq!(again.atoms().iter().next().unwrap().1, name, "{quoted}");
        }
    }
}

#[test]
fn an_automaton_without_states_accepts_nothing() {
    assert_eq!(read("0").unwrap().n_states(), 0);
    assert_eq!(read("0 0").unwrap().n_states(), 0);
    assert_eq!(read("0 1t").unwrap().n_states(), 0);
}

#[track_caller]
fn check_error(text: &str, place: &str, message: &str) {
    let error = read(text).unwrap_err();
    assert_eq!((&text[error.span.unwrap().range()], error.message.as_str()), (place, message));
}

#[test]
fn errors_say_where() {
    check_error("many", "many", "expected the number of states, found `many`");
    check_error("1 x", "x", "expected the number of acceptance sets, found `x`");
    check_error("99999999 1\n", "99999999", "there are fewer states than announced");
    check_error("1 99999999t\n", "99999999t", "there are fewer acceptance sets than announced");
    check_error("1 1 0 2", "2", "expected 0 or 1, found `2`");
    check_error("1 1 0 1 -1 5 t -1", "5", "there is no state 5");
    check_error("2 1 0 1 -1 -1 0 0 -1 -1", "0", "state 0 is described a second time");
    check_error("1 1 0 1 3 4 -1 -1", "4", "this is one more than 1 acceptance sets");
    check_error("1 1 0 1 -1 0 & t", "", "expected a condition, found the end of the text");
    check_error("1 1 0 1 -1 0 7 -1", "7", "expected a condition, found `7`");
    check_error("1 1 0 1 -1 0 \"a -1", "\"a -1", "this atom is never closed");
    check_error("1 1 0 1 -1 -1 0", "0", "expected nothing more, found `0`");
}
