//! Texts as formulas, alone and in files of requirements.

use super::{assert_points_into, methods, options};
use lwaa::ltl::print::{self, Dialect};
use lwaa::ltl::{Formula, Syntax, parse};
use lwaa::requirements::read;
use lwaa::{Satisfiability, satisfiable};

/// With more subformulas, explicit automata only reach their limits.
const MAX_TERMS: usize = 16;

/// Reads a formula, writes it in every syntax, and asks two methods whether it is satisfiable.
///
/// # Panics
///
/// If one of these goes wrong: what is written reads as another formula, a model of the
/// formula is refuted, or the methods disagree.
pub fn formula(text: &str, syntax: Syntax) {
    match parse::parse(text, syntax) {
        Ok(formula) => use_formula(&formula),
        Err(error) => {
            assert_points_into(text, error.span.start, error.span.end, &error.to_string());
        }
    }
}

fn use_formula(formula: &Formula) {
    for (dialect, syntax) in
        [(Dialect::Lwaa, Syntax::Lwaa), (Dialect::Spot, Syntax::Spot), (Dialect::Lbt, Syntax::Lbt)]
    {
        let text = print::print(formula, dialect);
        assert_eq!(parse::parse(&text, syntax).as_ref(), Ok(formula), "{text}");
    }
    if MAX_TERMS < formula.n_terms() {
        return;
    }
    let answers = methods().map(|method| {
        let answer = satisfiable(formula, &options(method)).expect("models are certified");
        match answer.satisfiability {
            Satisfiability::Satisfiable(_) => Some(true),
            Satisfiability::Unsatisfiable => Some(false),
            Satisfiability::Unknown(_) => None,
        }
    });
    if let [Some(ours), Some(theirs)] = answers {
        assert_eq!(ours, theirs, "whether {formula} is satisfiable");
    }
}

/// Reads a file of requirements.
///
/// # Panics
///
/// If a message does not point into the text, or there are no requirements and no message.
pub fn requirements(text: &str) {
    match read::read(text, Syntax::Lwaa) {
        Ok((requirements, warnings)) => {
            assert!(!requirements.is_empty());
            for warning in warnings {
                let span = warning.span;
                assert_points_into(text, span.start, span.end, &warning.to_string());
            }
        }
        Err(error) => {
            let span = error.span();
            assert_points_into(text, span.start, span.end, &error.to_string());
        }
    }
}
