//! Claims as other programs print them, and what is wrong with others.

use super::*;
use crate::baseline::formats::tests::is_accepted;
use crate::baseline::listing;
use crate::word::{Lasso, Letter};

/// Which words over `p` and `q` are accepted, written as `p pq - | q`.
#[track_caller]
fn check(claim: &str, accepted: &[&str], rejected: &[&str]) {
    let automaton = read(claim).unwrap_or_else(|error| panic!("{error}: {:?}", error.span));
    let letter = |word: &str| -> Letter {
        word.chars().filter_map(|name| automaton.atoms().find(&name.to_string())).collect()
    };
    let letters = |text: &str| text.split_whitespace().map(letter).collect();
    for (words, expected) in [(accepted, true), (rejected, false)] {
        for text in words {
            let (prefix, cycle) = text.split_once('|').unwrap();
            let word = Lasso::new(letters(prefix), letters(cycle)).unwrap();
            assert_eq!(is_accepted(&automaton, &word), expected, "{text}");
        }
    }
}

#[test]
fn as_spin_prints_them() {
    // [] <> p
    let claim = "never  {    /* [] <> p */\nT0_init:\n\tdo\n\t:: ((p)) -> goto accept_S9\n\
                 \t:: (1) -> goto T0_init\n\tod;\naccept_S9:\n\tdo\n\t:: (1) -> goto T0_init\n\
                 \tod;\n}\n";
    check(claim, &["| p", "- | - p"], &["p | -"]);
    // <> (p && q), which ends when it has been matched
    let claim = "never  {    /* <> (p && q) */\nT0_init:\n\tdo\n\
                 \t:: atomic { ((p && q)) -> assert(!((p && q))) }\n\
                 \t:: (1) -> goto T0_init\n\tod;\naccept_all:\n\tskip\n}\n";
    check(claim, &["pq | -", "p q pq | p"], &["p | q", "| -"]);
    // p U q
    let claim = "never { T0_init: do :: atomic { ((q)) -> assert(!((q))) } \
                 :: ((p)) -> goto T0_init od; accept_all: skip }";
    check(claim, &["| q", "p p | q"], &["| p", "p - | q"]);
}

#[test]
fn as_translators_print_them() {
    // p U q by LTL2BA, with labels for two states at once
    let claim = "never { /* p U q */\nT0_init:\n\tif\n\t:: (p) -> goto T0_init\n\
                 \t:: (q) -> goto accept_all\n\tfi;\naccept_all:\n\tskip\n}\n";
    check(claim, &["| q", "p p | q"], &["| p", "p - | q"]);
    // G F p, where the first state is accepting, too
    let claim = "never {\naccept_init:\nT0_S1:\nif\n:: (p) -> goto accept_init\n\
                 :: (!p) -> goto T0_S2\nfi;\nT0_S2:\nif\n:: (!(p)) -> goto T0_S2\n\
                 :: ((p) || (false)) -> goto T0_S1\nfi;\n}";
    check(claim, &["| p", "- | - p"], &["p | -"]);
    // false
    check("never { T0_init: false; }", &[], &["| -"]);
    // true
    check("never { accept_init: skip }", &["| -"], &[]);
}

#[test]
fn what_promela_allows() {
    // An option without a goto loops in `do` and goes on behind `if`.
    let claim = "never { do :: p :: q -> break :: else -> goto bad od; \
                 accept: do :: 1 od; bad: false }";
    check(claim, &["p p q | -", "| q"], &["p | -", "| p", "- | q"]);
    // G !(p & q)
    let claim = "never { accept: if :: !p || !q; goto accept fi }";
    check(claim, &["| p q"], &["p pq | p"]);
    // A claim that ends is matched.
    check("never { p; q }", &["p q | -"], &["p | -", "q | q"]);
    check("never claim { accept_1: (p && q) /* and */; // behind it\n }", &["pq | -"], &["| p"]);
}

#[test]
fn atoms_may_be_any_expression() {
    let claim = "#define busy (fork[1] == 0)\n#define both (a) && (b)\nnever { /* */ T0: do\n\
                 :: (busy && !(x + 1 <= len(q)) || P[2]@critical) -> goto T0\n\
                 :: (both || arr[i + 1]) -> goto T0 od }";
    insta::assert_snapshot!(listing::write(&read(claim).unwrap()), @r#"
    atoms: "fork[1] == 0" "x + 1 <= len(q)" "P[2]@critical" "(a) && (b)" "arr[i + 1]"
    acceptance: Büchi, on states
    initial: 0
    state 0
      "fork[1] == 0" & !"x + 1 <= len(q)" | "P[2]@critical" | "(a) && (b)" | "arr[i + 1]" -> 0
    "#);
}

#[test]
fn atoms_that_are_no_names_get_macros() {
    let text = "never { accept_init: do :: (a && b && c && d) -> goto accept_init od }";
    let mut document = read(text).unwrap().to_hoa();
    document.atoms =
        ["p", "x == 1", "atom_0", "int"].into_iter().fold(Atoms::default(), |mut atoms, name| {
            atoms.intern(name);
            atoms
        });
    let automaton = Nba::from_hoa(&document).unwrap();
    insta::assert_snapshot!(write(&automaton, "a */ b").unwrap(), @r"
    #define atom_1 (x == 1)
    #define atom_2 (int)
    never { /* a * / b */
    accept_init:
      do
      :: (p && atom_1 && atom_0 && atom_2) -> goto accept_init
      od;
    }
    ");
}

#[test]
fn atoms_that_are_no_expressions_are_doubtful() {
    let names = [
        "p",
        "x == 1",
        "len(q) < 3",
        "a[i] && !b",
        "",
        "a /* b",
        "//",
        "a // b",
        "a /* b */",
        "len",
        "int",
        "a b",
        "a[1",
        "a[1)",
    ];
    let mut atoms = Atoms::default();
    for name in names {
        atoms.intern(name);
    }
    assert_eq!(doubtful(&atoms), names[4..]);
}

#[track_caller]
fn check_error(text: &str, place: &str, message: &str) {
    let error = read(text).unwrap_err();
    assert_eq!((&text[error.span.unwrap().range()], error.message.as_str()), (place, message));
}

#[test]
fn errors_say_where() {
    check_error("always { }", "always", "expected `never`, found `always`");
    check_error("never { }", "", "a never claim has at least one state");
    check_error(
        "never { a: skip",
        "",
        "expected `if`, `do`, `skip` or a condition, found the end of the text",
    );
    check_error("never { a: if :: p -> goto b fi }", "b", "there is no state `b`");
    check_error("never { a: skip; a: skip }", "a", "there is another state `a`");
    check_error("never { a: if :: p -> goto a", "if", "this `if` is never closed");
    check_error("never { a: if :: (p -> goto a fi }", "(", "this parenthesis is never closed");
    check_error("never { a: if :: p[1 -> goto a fi }", "[", "this bracket is never closed");
    check_error("never { a: if :: p[(1] -> goto a fi }", "(", "this parenthesis is never closed");
    check_error(
        "never { a: if :: len(q] == 1 -> goto a fi }",
        "(",
        "this parenthesis is never closed",
    );
    check_error(
        "never { a: if :: (p -> q) -> goto a fi }",
        "->",
        "expected `)`, `&&` or `||`, found `->`",
    );
    check_error(
        "never { a: if :: (p q) -> goto a fi }",
        "q",
        "expected `)`, `&&` or `||`, found `q`",
    );
    check_error("never { a: if :: p && -> goto a fi }", "->", "expected a condition, found `->`");
    check_error("never { a: if :: p -> x = 1 fi }", "x", "expected `goto`, found `x`");
    check_error("never { a: if :: p -> goto 1 fi }", "1", "expected a label, found `1`");
    check_error(
        "never { a: goto a }",
        "goto",
        "expected `if`, `do`, `skip` or a condition, found `goto`",
    );
    check_error("never { a: skip } never { }", "never", "expected nothing more, found `never`");
    check_error("never { a: skip /* }", "/*", "this comment is never closed");
    check_error("never { a: if :: $ -> goto a fi }", "$", "unexpected character `$`");
    check_error(
        "#include \"p\"\nnever { }",
        "#include \"p\"",
        "of the preprocessor only `#define` is read",
    );
    check_error(
        "#define p(x) x\nnever { }",
        "#define p(x) x",
        "only macros without parameters are read",
    );
    check_error(
        "never { a: if :: (!x == 1) -> goto a fi }",
        "x == 1",
        "in Promela `!` binds stronger than `x == 1`: write `!(x == 1)`",
    );
}

#[test]
fn only_buchi_automata_are_claims() {
    let text = "HOA: v1 States: 1 Start: 0 Acceptance: 2 Inf(0) & Inf(1) --BODY-- State: 0 --END--";
    let automaton = Nba::from_hoa(&crate::hoa::read(text).unwrap()).unwrap();
    assert_eq!(write(&automaton, ""), Err(NotBuchi));
}
