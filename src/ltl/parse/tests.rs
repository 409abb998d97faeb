//! Tests of the parsers, by comparison with formulas in prefix form.

use super::*;
use crate::ltl::{Term, Terms};

#[track_caller]
fn check_as(syntax: Syntax, text: &str, prefix: &str) {
    let expected = parse(prefix, Syntax::Lbt).unwrap();
    assert_eq!(parse(text, syntax), Ok(expected), "{text}");
}

#[track_caller]
fn check(text: &str, prefix: &str) {
    check_as(Syntax::Lwaa, text, prefix);
}

#[track_caller]
fn check_error(text: &str, span: (usize, usize), message: &str) {
    let error = parse(text, Syntax::Lwaa).unwrap_err();
    assert_eq!((error.span.start, error.span.end), span, "{text}: {error}");
    assert_eq!(error.to_string(), message, "{text}");
}

#[test]
fn prefix_form_is_what_it_says() {
    let mut terms = Terms::default();
    let [a, b] = [terms.atom("a"), terms.atom("b")];
    let until = terms.intern(Term::Until(a, b));
    let constant = terms.constant(true);
    let not = terms.intern(Term::Not(constant));
    let root = terms.intern(Term::Release(until, not));
    assert_eq!(parse("V U a b ! t", Syntax::Lbt), Ok(Formula::new(terms, root)));
}

#[test]
fn all_spellings() {
    for not in ["!", "~", "not ", "¬"] {
        check(&format!("{not}a"), "! a");
    }
    for next in ["X ", "()", "() ", "○"] {
        check(&format!("{next}a"), "X a");
    }
    for finally in ["F ", "<>", "◇"] {
        check(&format!("{finally}a"), "F a");
    }
    for globally in ["G ", "[]", "□"] {
        check(&format!("{globally}a"), "G a");
    }
    let binary = [
        ("&", "& && /\\ and ∧"),
        ("|", "| || \\/ or ∨"),
        ("^", "^ xor"),
        ("i", "-> => implies →"),
        ("e", "<-> <=> ↔"),
        ("U", "U"),
        ("R", "R V"),
        ("W", "W"),
        ("M", "M"),
    ];
    for (prefix, spellings) in binary {
        for spelling in spellings.split(' ') {
            check(&format!("a {spelling} b"), &format!("{prefix} a b"));
        }
    }
    for constant in ["true", "True", "1"] {
        check(constant, "t");
    }
    for constant in ["false", "False", "0"] {
        check(constant, "f");
    }
}

#[test]
fn symbols_need_no_spaces() {
    check("a<->b->c", "e a i b c");
    check("[]<>()!a&&b", "& G F X ! a b");
    check("(a)U(b)", "U a b");
    check("\"a\"U\"b\"", "U a b");
    check("¬a∧○b→□◇c↔d", "i & ! a X b e G F c d");
}

#[test]
fn unary_operators_bind_strongest() {
    check("!a U b", "U ! a b");
    check("X a U b", "U X a b");
    check("G a -> F b", "i G a F b");
    check("a U X b U c", "U a U X b c");
    check("!a & b", "& ! a b");
    check("!(a & b)", "! & a b");
}

#[test]
fn precedence_of_binary_operators() {
    check("a U b & c U d", "& U a b U c d");
    check("a & b ^ c & d", "^ & a b & c d");
    check("a ^ b | c ^ d", "| ^ a b ^ c d");
    check("a | b -> c | d", "i | a b | c d");
    check("a -> b & c", "i a & b c");
    check("a <-> b | c", "e a | b c");
}

#[test]
fn grouping() {
    check("a & b & c", "& & a b c");
    check("a | b | c", "| | a b c");
    check("a ^ b ^ c", "^ ^ a b c");
    check("a -> b -> c", "i a i b c");
    check("a -> b <-> c -> d", "i a e b i c d");
    check("a U b R c W d M e1", "U a R b W c M d e1");
}

#[test]
fn words() {
    check("GF p", "G F p");
    check("XX p & GFXG q", "& X X p G F X G q");
    check("XXp", "XXp");
    check("Xu U FULL", "U Xu FULL");
    check("stateG1_1 | _x", "| stateG1_1 _x");
    check("G1", "\"G1\"");
    check("TRUE", "TRUE");
    check("iff | And | t | i", "| | | iff And \"t\" \"i\"");
    check("Up R Vq", "R Up Vq");
    check("xorx | nota", "| xorx nota");
}

#[test]
fn quoted_atoms_have_any_text() {
    check("\"fork[1] == 0\" U \"G\"", "U \"fork[1] == 0\" \"G\"");
    check(r#""say \"no\" \\ \n""#, r#""say \"no\" \\ \n""#);
    let formula = parse(r#""say \"no\" \\ \n é""#, Syntax::Lwaa).unwrap();
    let names: Vec<&str> = formula.atoms().iter().map(|(_, name)| name).collect();
    assert_eq!(names, [r#"say "no" \ \n é"#]);
    check("\"\\\\\"", "\"\\\\\"");
    check("\"p\" & p", "& p p");
}

#[test]
fn spot_words() {
    let check = |text, prefix| check_as(Syntax::Spot, text, prefix);
    check("GFp0", "G F p0");
    check("XXp & FG!q", "& X X p F G ! q");
    check("GFa_b1 U XtoY", "U G F a_b1 X toY");
}

#[test]
fn spot_words_with_digits_and_dots() {
    let check = |text, prefix| check_as(Syntax::Spot, text, prefix);
    check("F0 U G1a", "U F0 G1a");
    check("GF0", "G F0");
    check("GP_0.CS", "G P_0.CS");
    check("Xtrue", "X t");
    check("p0Up1", "p0Up1");
}

#[test]
fn spot_reads_formulas_of_wring() {
    let check = |text, prefix| check_as(Syntax::Spot, text, prefix);
    check("p=1Uq=0", "U p ! q");
    check("F(p=1)UG(q=0)", "U F p G ! q");
    check("!p=0R(p=1|q=1)", "R ! ! p | p q");
    assert!(parse("(p & q)=1", Syntax::Spot).is_err());
    assert!(parse("p=1", Syntax::Lwaa).is_err());
}

#[test]
fn errors_in_tokens() {
    let unexpected = "an atom that is not a plain word needs double quotes";
    check_error("a == 1", (2, 3), &format!("unexpected character `=`; {unexpected}"));
    check_error("a & é", (4, 6), &format!("unexpected character `é`; {unexpected}"));
    check_error("a <- b", (2, 3), &format!("unexpected character `<`; {unexpected}"));
    check_error("a\0", (1, 2), &format!("unexpected character `\\0`; {unexpected}"));
    let number = "is not a constant, and an atom that starts with a digit needs double quotes";
    check_error("a U 12", (4, 6), &format!("`12` {number}"));
    check_error("1a", (0, 2), &format!("`1a` {number}"));
}

#[test]
fn errors_in_structure() {
    check_error("", (0, 0), "the formula is empty");
    check_error(" \n", (2, 2), "the formula is empty");
    check_error("a &", (3, 3), "expected a formula, found the end");
    check_error("G", (1, 1), "expected a formula, found the end");
    check_error("(a", (2, 2), "this is never closed");
    check_error("a)", (1, 2), "this parenthesis was never opened");
    check_error("()", (2, 2), "expected a formula, found the end");
    check_error("( )", (2, 3), "expected a formula, found `)`");
    check_error("a b", (2, 3), "expected an operator or the end, found `b`");
    check_error("a !b", (2, 3), "expected an operator or the end, found `!`");
    check_error("(a | & b)", (5, 6), "expected a formula, found `&`");
    check_error("a U \"b", (6, 6), "this is never closed");
    check_error("\"\\\"", (3, 3), "this is never closed");
    let error = parse("(a & (b)", Syntax::Lwaa).unwrap_err();
    assert_eq!(error.kind, ParseErrorKind::Unclosed { opened: Span::new(0, 1) });
}

#[test]
fn a_long_word_is_cut_in_the_message() {
    let message = format!("expected an operator or the end, found `{}…`", "b".repeat(40));
    check_error(&format!("a {}", "b".repeat(1000)), (2, 1002), &message);
}

#[test]
fn errors_in_prefix_form() {
    let check = |text, span: (usize, usize), message: &str| {
        let error = parse(text, Syntax::Lbt).unwrap_err();
        assert_eq!((error.span.start, error.span.end), span, "{text}");
        assert_eq!(error.to_string(), message, "{text}");
    };
    check("", (0, 0), "the formula is empty");
    check("& p0", (4, 4), "expected a formula, found the end");
    check("p0 p1", (3, 5), "expected the end, found `p1`");
    let unexpected = "an atom that is not a plain word needs double quotes";
    check("(p0)", (0, 1), &format!("unexpected character `(`; {unexpected}"));
}

#[test]
fn warnings_name_each_suspicious_atom_once() {
    let warned = |text, syntax| -> Vec<(usize, String)> {
        let (_, warnings) = parse_with_warnings(text, syntax).unwrap();
        warnings.into_iter().map(|warning| (warning.span.start, warning.word)).collect()
    };
    let expected = vec![(2, "GFp0".to_owned()), (10, "XXp".to_owned())];
    assert_eq!(
        warned("(GFp0 U (XXp | GFp0)) ", Syntax::Lwaa),
        [(1, "GFp0".to_owned()), (9, "XXp".to_owned())]
    );
    assert_eq!(warned("a&GFp0 -> XXp", Syntax::Lwaa), expected);
    assert_eq!(warned("GFp0 & XXp", Syntax::Spot), []);
    assert_eq!(
        warned("FULL & Gate1 & F0 & G_a & G a & \"Gp\" & stateG1", Syntax::Lwaa),
        [(7, "Gate1".to_owned())]
    );
}

#[test]
fn depth_does_not_matter() {
    const N: usize = 1_000_000;
    let check = |before: &str, middle: &str, after: &str, n_terms: usize| {
        let text = [&before.repeat(N), middle, &after.repeat(N)].concat();
        assert_eq!(parse(&text, Syntax::Lwaa).unwrap().n_terms(), n_terms);
    };
    check("(", "a", ")", 1);
    check("!", "a", "", N + 1);
    check("X", " a", "", N + 1);
    check("G(", "a", ")", N + 1);
    check("a U ", "b", "", N + 2);
    check("(a U ", "b", ")", N + 2);
    check("(", "b", " U a)", N + 2);
    check("", "b", " & a", N + 2);
    check("a -> (", "b", ")", N + 2);
    let text = ["& a ".repeat(N), "b".to_owned()].concat();
    assert_eq!(parse(&text, Syntax::Lbt).unwrap().n_terms(), N + 2);
}

#[test]
fn depth_does_not_matter_for_errors() {
    assert!(parse(&"(".repeat(1_000_000), Syntax::Lwaa).is_err());
    assert!(parse(&"X".repeat(1_000_000), Syntax::Spot).is_err());
    assert!(parse(&"(a)".repeat(1_000_000), Syntax::Lwaa).is_err());
}

#[test]
fn atoms_are_numbered_by_first_occurrence() {
    for (text, syntax) in [("(c U b) & a", Syntax::Lwaa), ("& U c b a", Syntax::Lbt)] {
        let formula = parse(text, syntax).unwrap();
        let names: Vec<&str> = formula.atoms().iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["c", "b", "a"]);
    }
}
