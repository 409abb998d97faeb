//! What there is to say about the word that `sat` has found: in words, and as a page.

use super::super::{Failure, picture};
use lwaa::explain::{Explanation, Word};
use lwaa::ltl::Formula;
use lwaa::report::run_page::{PageRun, Shown, short_text};
use lwaa::report::why::Explained;
use lwaa::report::{Report, Witness, text};
use lwaa::verdict::Satisfiability;
use lwaa::word::Letter;
use std::io::Write;
use std::path::Path;

/// The formula and the word on which it is true, if there is one.
fn witness(report: &Report) -> Option<(&Formula, &Witness)> {
    match (&report.formula, &report.found) {
        (Some(formula), Satisfiability::Satisfiable(word)) => Some((formula, word)),
        _ => None,
    }
}

fn explanation(formula: &Formula, word: &Witness) -> Option<Explanation> {
    match word {
        Witness::Lasso(lasso) => Explanation::of(formula, &Word::Lasso(lasso)),
        Witness::Finite(letters) => Explanation::of(formula, &Word::Finite(letters)),
    }
}

/// Writes why the formula is true on the word, if there is one.
pub(super) fn explain(out: &mut dyn Write, report: &Report) -> std::io::Result<()> {
    let Some((formula, word)) = witness(report) else { return Ok(()) };
    let Some(explanation) = &explanation(formula, word) else { return Ok(()) };
    Explained { formula, explanation, noun: "letter" }.write(out)
}

/// Writes the page.
pub(super) fn write(path: &Path, report: &Report) -> Result<(), Failure> {
    let found = witness(report);
    let explanation = found.and_then(|(formula, word)| explanation(formula, word));
    let letters: Vec<Letter> = match found {
        Some((_, Witness::Lasso(lasso))) => lasso.iter().cloned().collect(),
        Some((_, Witness::Finite(letters))) => letters.clone(),
        None => Vec::new(),
    };
    let cycle = match found {
        Some((_, Witness::Lasso(lasso))) => Some(lasso.prefix().len()),
        _ => None,
    };
    let run = found.map(|(formula, _)| PageRun::Word {
        atoms: formula.atoms(),
        letters: &letters,
        cycle,
    });
    let shown = Shown {
        name: report.formula.as_ref().map_or_else(String::new, |formula| {
            Explained::text(formula).unwrap_or_else(|| "a long formula".to_owned())
        }),
        pending_of: "the formula",
        verdict: report.verdict().to_owned(),
        is_fine: match report.found {
            Satisfiability::Satisfiable(_) => Some(true),
            Satisfiability::Unsatisfiable => Some(false),
            Satisfiability::Unknown(_) => None,
        },
        sentence: match &report.found {
            Satisfiability::Satisfiable(_) => "It is true on the word below.".into(),
            Satisfiability::Unsatisfiable => "It is true on no word.".into(),
            Satisfiability::Unknown(reason) => format!("It is not known: {reason}.").into(),
        },
        notes: Vec::new(),
        run,
        violated_at: None,
        formula: report.formula.as_ref(),
        explanation: explanation.as_ref(),
        claim: None,
        activity: Vec::new(),
        text: short_text(letters.len(), |out| text::write_answer(out, report)),
    };
    picture::page(path, "Satisfiability".to_owned(), vec![shown])
}
