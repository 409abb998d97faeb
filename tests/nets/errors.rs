//! Texts that are no nets: what is said about them and where, and that nothing panics.

use super::{campaign, net, shipped};
use lwaa::lang::{SourceError, pnml};
use lwaa::scan::position;
use std::fmt::Write;

#[track_caller]
fn check_error(text: &str, error: &SourceError, place: &str, message: &str) {
    let found = &text[error.span.start..error.span.end.min(text.len())];
    assert_eq!((found, error.message.as_str()), (place, message), "{text}");
}

#[track_caller]
fn check(from: &str, to: &str, place: &str, message: &str) {
    let text = net(&[("p", 1), ("q", 0)], &["t"], &[("p", "t", 1), ("t", "q", 2)]);
    assert!(text.contains(from));
    let text = text.replacen(from, to, 1);
    check_error(&text, &pnml::read(&text, &[]).unwrap_err(), place, message);
}

#[test]
fn what_is_no_net_is_refused_with_its_place() {
    let coloured =
        "this is a coloured net, and only place/transition nets are read: unfold it first";
    check("ptnet", "symmetricnet", "http://pnml/symmetricnet", coloured);
    let timed = "`timed` is not the type of place/transition nets, which ends in ptnet";
    check("http://pnml/ptnet", "timed", "timed", timed);
    check("source=\"p\"", "source=\"r\"", "r", "there is no node `r`");
    check("source=\"p\"", "source=\"t\"", "t", "an arc leads from a place to a transition or back");
    check("source=\"p\"", "", "<arc", "<arc> has no attribute `source`");
    check("id=\"q\"", "id=\"p\"", "p", "there is another node `p`");
    check("<text>1</text>", "<text>one</text>", "one", "expected a number, found `one`");
    check("<text>1</text>", "<text>-1</text>", "-1", "expected a number, found `-1`");
    check(
        "<text>1</text>",
        "<text>5000000000</text>",
        "5000000000",
        "at most 4294967295 tokens can be counted",
    );
    check("<text>1</text>", "", "<initialMarking", "<initialMarking> has no <text>");
    check(
        "<transition ",
        "<transitoin ",
        "<transitoin",
        "unexpected element <transitoin>; did you mean `transition`?",
    );
    let inhibitor = "arcs of the type `inhibitor` are not read";
    check("</inscription>", "</inscription><type value=\"inhibitor\"/>", "inhibitor", inhibitor);
    let unclosed = "expected 'net' tag, not 'pnml'";
    check("</page></net>", "</page>", "<", unclosed);
}

#[test]
fn nothing_is_expanded_or_fetched() {
    let mut entities = String::new();
    for number in 1..40 {
        write!(entities, "<!ENTITY e{number} \"&e{0};&e{0};\">", number - 1).unwrap();
    }
    let body = net(&[("p", 1)], &["t"], &[]).replace("<text>1<", "<text>&e39;<");
    for declared in [
        format!("<!DOCTYPE pnml [<!ENTITY e0 \"1\">{entities}]>\n{body}"),
        format!("<!DOCTYPE pnml SYSTEM \"file:///etc/passwd\">\n{body}"),
    ] {
        let message = "document type definitions are not read: nothing is fetched or expanded";
        check_error(&declared, &pnml::read(&declared, &[]).unwrap_err(), "<!DOCTYPE", message);
    }
    assert!(pnml::read(&body, &[]).unwrap_err().message.contains("e39"));
}

#[test]
fn deep_nesting_is_no_matter() {
    let depth = 100_000;
    let pages = |page: &str| page.repeat(depth);
    let text = net(&[("p", 1)], &["t"], &[("p", "t", 1)]);
    let text = text.replace("<page id=\"page\">", &pages("<page id=\"page\">"));
    let text = text.replace("</page>", &pages("</page>"));
    assert_eq!(pnml::read(&text, &[]).unwrap().program.transitions.len(), 1);
    let formula = format!(
        "<property-set><property><id>a</id><formula><all-paths>{}<true/>{}</all-paths></formula>\
         </property></property-set>",
        "<next>".repeat(depth),
        "</next>".repeat(depth),
    );
    assert_eq!(pnml::contest_formulas(&formula).unwrap()[0].formula.n_terms(), depth + 1);
}

#[test]
fn what_is_no_set_of_formulas_is_refused_with_its_place() {
    let text = std::fs::read_to_string(shipped("turns/LTLCardinality.xml")).unwrap();
    let check = |from: &str, to: &str, place: &str, message: &str| {
        let text = text.replacen(from, to, 1);
        check_error(&text, &pnml::contest_formulas(&text).unwrap_err(), place, message);
    };
    check("<all-paths>", "<exists-path>", "<", "expected 'exists-path' tag, not 'all-paths'");
    check("<globally>", "<globally><true/>", "<integer-le", "<globally> has only one element");
    check("integer-constant>1", "integer-constant>x", "x", "expected a number, found `x`");
    check(
        "<place>critical_1</place>",
        "<transition>t</transition>",
        "<transition",
        "unexpected element <transition>; there is `place`",
    );
    let twice = text.replace("globally>", "all-paths>");
    let message = "only linear-time formulas are read: here paths are chosen again";
    check_error(&twice, &pnml::contest_formulas(&twice).unwrap_err(), "<all-paths", message);
    let other = text.replace("all-paths>", "exists-path>");
    let message = "<exists-path>: only formulas about <all-paths> are read";
    check_error(&other, &pnml::contest_formulas(&other).unwrap_err(), "<exists-path", message);
}

#[test]
fn unknown_names_in_formulas() {
    let model = super::read(&net(&[("place_1", 1)], &["step_1"], &[]));
    let mut program = model.program.clone();
    let mut message = |atom: &str| model.bindings.atom(&mut program, atom).unwrap_err().message;
    assert_eq!(message("place_2 > 1"), "the net has no place `place_2`; did you mean `place_1`?");
    assert_eq!(message("fireable(place_1)"), "`place_1` is a place, not a transition");
    assert_eq!(message("step_1"), "`step_1` is a transition, not a place");
    assert_eq!(message("place_1 >="), "expected a number or a place, found the end");
}

#[test]
fn mutated_texts_give_models_or_errors() {
    let (mut random, _) = campaign::random(5);
    let texts =
        ["buffer.pnml", "turns/model.pnml", "turns/LTLCardinality.xml", "turns/LTLFireability.xml"]
            .map(|name| std::fs::read_to_string(shipped(name)).unwrap());
    let pieces = [
        "<",
        ">",
        "/>",
        "\"",
        "&lt;",
        "&x;",
        "<!--",
        "]]>",
        "<page>",
        "</net>",
        "<text>",
        "9",
        "é",
        " ",
        "<!DOCTYPE",
        "id=\"p\"",
        "\0",
    ];
    let mut n_read = 0;
    for round in 0..campaign::rounds(4000) {
        let mut text = texts[round % texts.len()].clone();
        for _ in 0..=random.below(3) {
            let mut at = || text.floor_char_boundary(random.below(text.len() + 1));
            let (start, end) = (at(), at());
            let (start, end) =
                (start.min(end), start.max(end).min(text.floor_char_boundary(start.min(end) + 40)));
            let end = end.max(start);
            match random.below(3) {
                0 => text.replace_range(start..end, ""),
                1 => text.insert_str(start, pieces[random.below(pieces.len())]),
                _ => {
                    let copy = text[start..end].to_owned();
                    text.insert_str(end, &copy);
                }
            }
        }
        let errors = [pnml::read(&text, &[]).err(), pnml::contest_formulas(&text).err()];
        n_read += errors.iter().filter(|error| error.is_none()).count();
        for error in errors.into_iter().flatten() {
            let span = error.span;
            assert!(span.start <= span.end && span.end <= text.len(), "{error:?}\n{text}");
            assert!(text.is_char_boundary(span.start), "{error:?}\n{text}");
            assert!(position(&text, span.start) >= (1, 1));
        }
    }
    assert!(100 < n_read, "{n_read}");
}
