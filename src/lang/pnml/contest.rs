//! The formulas of the Model Checking Contest: XML to properties.
//!
//! A property is a formula about all runs (`<all-paths>`), with temporal operators and Boolean
//! ones inside. What tokens are compared and which transitions can fire becomes the text of an
//! atom, as `atom` reads it.

use super::atom;
use super::xml::{self, Element};
use crate::lang::Property;
use crate::lang::cursor::{Result, fail};
use crate::ltl::{Formula, Term, TermId, Terms};

/// What can stand where a formula should.
const FORMULAS: &[&str] = &[
    "globally",
    "finally",
    "next",
    "until",
    "negation",
    "conjunction",
    "disjunction",
    "exclusive-disjunction",
    "implication",
    "equivalence",
    "is-fireable",
    "integer-le",
    "integer-lt",
    "integer-ge",
    "integer-gt",
    "integer-eq",
    "integer-ne",
    "true",
    "false",
];

/// Reads a set of properties.
pub(super) fn properties(text: &str) -> Result<Vec<Property>> {
    xml::with_root(text, |root| {
        if root.name() != "property-set" {
            let message = format!("expected <property-set>, found <{}>", root.name());
            return fail(root.span(), message);
        }
        root.children().map(property).collect()
    })
}

fn property(element: Element<'_, '_>) -> Result<Property> {
    if element.name() != "property" {
        return Err(element.unexpected(&["property"]));
    }
    let (mut name, mut formula) = (None, None);
    for part in element.children() {
        match part.name() {
            "id" => name = Some(part.text()),
            "formula" => formula = Some(part),
            "description" | "tags" => (),
            _ => return Err(part.unexpected(&["id", "formula"])),
        }
    }
    let Some((name, span)) = name else { return fail(element.span(), "this property has no <id>") };
    let Some(formula) = formula else {
        return fail(element.span(), "this property has no <formula>");
    };
    let paths = formula.only_child()?;
    if paths.name() != "all-paths" {
        let message = format!("<{}>: only formulas about <all-paths> are read", paths.name());
        return fail(paths.span(), message);
    }
    let formula = linear(paths.only_child()?)?;
    Ok(Property { name: name.to_owned(), formula, span })
}

/// Reads a formula. An element is met twice: first its operands are put on the list, and when
/// they are done it is put together.
fn linear(root: Element<'_, '_>) -> Result<Formula> {
    let mut terms = Terms::default();
    let mut open = vec![(root, false)];
    let mut done: Vec<TermId> = Vec::new();
    while let Some((element, are_operands_done)) = open.pop() {
        if are_operands_done {
            let n_operands = operands(element)?.len();
            let rest = done.split_off(done.len() - n_operands);
            let term = combined(&mut terms, element, &rest);
            done.push(term);
            continue;
        }
        match element.name() {
            "is-fireable" => {
                let text = atom::fireable(names(element, "transition")?.into_iter());
                done.push(terms.atom(&text));
            }
            "true" | "false" => done.push(terms.constant(element.name() == "true")),
            name => {
                if let Some(sign) = comparison(name) {
                    let text = compared(element, sign)?;
                    done.push(terms.atom(&text));
                } else {
                    open.push((element, true));
                    let operands = operands(element)?;
                    open.extend(operands.into_iter().rev().map(|operand| (operand, false)));
                }
            }
        }
    }
    let root = done.pop().expect("every element leaves a term");
    Ok(Formula::new(terms, root))
}

/// The operands of an element, as many as it needs.
fn operands<'a, 'text>(element: Element<'a, 'text>) -> Result<Vec<Element<'a, 'text>>> {
    match element.name() {
        "globally" | "finally" | "next" | "negation" => Ok(vec![element.only_child()?]),
        "conjunction" | "disjunction" => {
            let operands: Vec<_> = element.children().collect();
            if operands.is_empty() {
                return fail(element.span(), format!("<{}> is empty", element.name()));
            }
            Ok(operands)
        }
        "exclusive-disjunction" | "implication" | "equivalence" => {
            let operands: Vec<_> = element.children().collect();
            if operands.len() != 2 {
                return fail(element.span(), format!("<{}> has two operands", element.name()));
            }
            Ok(operands)
        }
        "until" => {
            let part = |name: &str| {
                let mut parts = element.children().filter(|part| part.name() == name);
                match (parts.next(), parts.next()) {
                    (Some(part), None) => part.only_child(),
                    _ => fail(element.span(), format!("<until> needs one <{name}>")),
                }
            };
            let others =
                element.children().find(|part| !["before", "reach"].contains(&part.name()));
            match others {
                None => Ok(vec![part("before")?, part("reach")?]),
                Some(other) => Err(other.unexpected(&["before", "reach"])),
            }
        }
        "all-paths" | "exists-path" => {
            fail(element.span(), "only linear-time formulas are read: here paths are chosen again")
        }
        _ => Err(element.unexpected(FORMULAS)),
    }
}

fn combined(terms: &mut Terms, element: Element<'_, '_>, operands: &[TermId]) -> TermId {
    let (first, last) = (operands[0], operands[operands.len() - 1]);
    let mut chain = |operator: fn(TermId, TermId) -> Term| {
        let rest = operands[1..].iter();
        rest.fold(first, |left, &right| terms.intern(operator(left, right)))
    };
    match element.name() {
        "conjunction" => chain(Term::And),
        "disjunction" => chain(Term::Or),
        "globally" => terms.intern(Term::Globally(first)),
        "finally" => terms.intern(Term::Finally(first)),
        "next" => terms.intern(Term::Next(first)),
        "negation" => terms.intern(Term::Not(first)),
        "until" => terms.intern(Term::Until(first, last)),
        "implication" => terms.intern(Term::Implies(first, last)),
        "equivalence" => terms.intern(Term::Iff(first, last)),
        _ => terms.intern(Term::Xor(first, last)),
    }
}

fn comparison(name: &str) -> Option<&'static str> {
    Some(match name {
        "integer-le" => "<=",
        "integer-lt" => "<",
        "integer-ge" => ">=",
        "integer-gt" => ">",
        "integer-eq" => "==",
        "integer-ne" => "!=",
        _ => return None,
    })
}

/// The text of a comparison of two sums.
fn compared(element: Element<'_, '_>, sign: &str) -> Result<String> {
    let sides: Vec<Element<'_, '_>> = element.children().collect();
    let [left, right] = sides[..] else {
        return fail(element.span(), format!("<{}> has two operands", element.name()));
    };
    Ok(format!("{} {sign} {}", sum(left)?, sum(right)?))
}

/// The text of a number, or of the tokens in some places.
fn sum(element: Element<'_, '_>) -> Result<String> {
    match element.name() {
        "integer-constant" => Ok(element.number()?.to_string()),
        "tokens-count" => Ok(atom::tokens(names(element, "place")?.into_iter())),
        _ => Err(element.unexpected(&["integer-constant", "tokens-count"])),
    }
}

/// The ids in elements called `kind`, each once in the order of the text.
fn names<'a>(element: Element<'a, '_>, kind: &str) -> Result<Vec<&'a str>> {
    let mut names = Vec::new();
    for child in element.children() {
        if child.name() != kind {
            return Err(child.unexpected(&[kind]));
        }
        names.push(child.text().0);
    }
    if names.is_empty() {
        return fail(element.span(), format!("<{}> is empty", element.name()));
    }
    Ok(names)
}
