//! The words that were found for requirements, as a page shows runs.
//!
//! Of a conflict there is a word for each member: the others hold on it, and why this one does not
//! is explained. On a word on which all requirements hold, it is explained why each of them does.

use super::super::RequirementsReport;
use crate::explain::{Explanation, Word};
use crate::ltl::Formula;
use crate::report::run_page::{PageRun, Shown};
use crate::report::sentence::Sentence;
use crate::report::why::Explained;
use crate::requirements::analysis::Consistency;
use crate::word::{Atoms, Lasso, Letter};

/// So many requirements and words are explained on a page.
pub(super) const MAX_WORDS: usize = 100;

/// A word, and a requirement that is explained on it.
#[derive(Debug)]
pub(super) struct Explainable<'a> {
    name: String,
    verdict: &'static str,
    is_true: bool,
    introduction: String,
    atoms: &'a Atoms,
    letters: Vec<Letter>,
    cycle: usize,
    formula: &'a Formula,
    explanation: Option<Explanation>,
}

/// How many requirements and words there are to be explained, if those are too many.
pub(super) fn too_many(report: &RequirementsReport) -> Option<usize> {
    let n_words = match &report.analysis.consistency {
        Consistency::Unknown(_) => 0,
        Consistency::Consistent(_) => report.requirements.len(),
        Consistency::Inconsistent(conflicts) => {
            conflicts.list.iter().map(|conflict| conflict.members.len()).sum()
        }
    };
    Some(n_words).filter(|&n| MAX_WORDS < n)
}

/// The words of a report.
pub(super) fn of(report: &RequirementsReport) -> Vec<Explainable<'_>> {
    match &report.analysis.consistency {
        Consistency::Unknown(_) => Vec::new(),
        Consistency::Consistent(word) => {
            let members = 0..report.requirements.len().min(MAX_WORDS);
            let introduction = "It is true on the word on which all of them hold.";
            members
                .map(|member| {
                    let name = report.requirements[member].name.clone();
                    explainable(report, member, word, (name, true, introduction.to_owned()))
                })
                .collect()
        }
        Consistency::Inconsistent(conflicts) => {
            let numbered = (1..).zip(&conflicts.list);
            let all = numbered.flat_map(|(number, conflict)| {
                let pairs = conflict.members.iter().zip(&conflict.without);
                pairs.map(move |(&member, word)| {
                    let requirement = &report.requirements[member].name;
                    let name = format!("conflict {number}: {requirement}");
                    let introduction = "Without it, the others of the conflict hold on a word on \
                                        which it is false.";
                    explainable(report, member, word, (name, false, introduction.to_owned()))
                })
            });
            all.take(MAX_WORDS).collect()
        }
    }
}

fn explainable<'a>(
    report: &'a RequirementsReport,
    member: usize,
    word: &Lasso<Letter>,
    (name, is_true, introduction): (String, bool, String),
) -> Explainable<'a> {
    let formula = &report.requirements[member].formula;
    // Letters of the word are over the atoms of all requirements.
    let own = word.map(|letter| {
        let atoms = formula.atoms().iter();
        let is_in = |name: &str| report.atoms.find(name).is_some_and(|atom| letter.contains(atom));
        atoms.filter(|(_, name)| is_in(name)).map(|(atom, _)| atom).collect::<Letter>()
    });
    Explainable {
        name,
        verdict: if is_true { "true" } else { "false" },
        is_true,
        introduction,
        atoms: &report.atoms,
        letters: word.iter().cloned().collect(),
        cycle: word.prefix().len(),
        formula,
        explanation: Explanation::of(formula, &Word::Lasso(&own)),
    }
}

impl<'a> From<&'a Explainable<'a>> for Shown<'a> {
    fn from(one: &'a Explainable<'a>) -> Self {
        let explained = one.explanation.as_ref().filter(|_| !one.is_true).map(|explanation| {
            Explained { formula: one.formula, explanation, noun: "letter" }.sentence(&|_| None)
        });
        let sentence = match explained {
            Some(sentence) => Sentence::from(one.introduction.clone()).and(&sentence),
            None => Sentence::from(one.introduction.clone()),
        };
        Shown {
            name: one.name.clone(),
            verdict: one.verdict.to_owned(),
            is_fine: Some(one.is_true),
            sentence,
            notes: Vec::new(),
            run: Some(PageRun::Word {
                atoms: one.atoms,
                letters: &one.letters,
                cycle: Some(one.cycle),
            }),
            pending_of: "the formula",
            violated_at: None,
            formula: Some(one.formula),
            explanation: one.explanation.as_ref(),
            claim: None,
            activity: Vec::new(),
            text: None,
        }
    }
}
