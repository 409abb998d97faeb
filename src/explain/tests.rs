//! Explanations against the semantics: causes suffice, and lines are true.

use super::{Ending, Explanation, Word};
use crate::ltl::{Formula, Term, semantics};
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::testbench::random_formula::{Options, random_formula};
use crate::word::{Lasso, Letter};

fn letters(text: &str, formula: &Formula) -> Vec<Letter> {
    let letter = |names: &str| {
        let names = names.chars().filter(|&name| name != '-').map(String::from);
        names.filter_map(|name| formula.atoms().find(&name)).collect()
    };
    text.split_whitespace().map(letter).collect()
}

/// Checks what a formula comes down to on `prefix` and `cycle`.
#[track_caller]
fn check(text: &str, prefix: &str, cycle: &str, expected: (&str, bool, usize, Ending)) {
    let formula = Formula::parse(text).unwrap();
    let word = Lasso::new(letters(prefix, &formula), letters(cycle, &formula)).unwrap();
    let found = Explanation::of(&formula, &Word::Lasso(&word)).unwrap();
    let story = found.story;
    let last = story.last();
    let part = formula.subformula(last.term).to_string();
    assert_eq!((&*part, last.value, last.position, story.ending), expected, "{text}");
}

#[test]
fn a_formula_comes_down_to_the_part_that_decides() {
    check("G p", "p p", "-", ("p", false, 2, Ending::Now));
    check("G F p", "p - p", "-", ("p", false, 3, Ending::ForEver));
    check("G (p -> F q)", "- pq p", "-", ("q", false, 2, Ending::ForEver));
    check("G !(p & q)", "p", "pq", ("p & q", true, 1, Ending::Now));
    check("G (p -> X q)", "p", "-", ("q", false, 1, Ending::Now));
    check("F G p", "", "p -", ("G p", false, 0, Ending::ForEver));
    let until = Formula::parse("p U q").unwrap();
    let is_q = |&id: &_| until.subformula(id).to_string() == "q";
    let q = until.terms().ids().find(is_q).unwrap();
    check("p U q", "p - -", "q", ("p", false, 1, Ending::Before(q)));
}

/// The word with other values among the first letters wherever they are no causes.
fn varied(
    formula: &Formula,
    word: &Lasso<Letter>,
    explanation: &Explanation,
    n_letters: usize,
    random: &mut Random,
) -> Lasso<Letter> {
    let mut position = 0;
    word.map(|letter| {
        let mut varied = letter.clone();
        for id in formula.terms().ids().filter(|_| position < n_letters) {
            if let Term::Atom(atom) = formula.terms().term(id)
                && !explanation.causes.has(id, position)
            {
                varied.set(atom, random.coin());
            }
        }
        position += 1;
        varied
    })
}

#[test]
fn causes_suffice_and_values_are_those_of_the_semantics() {
    let mut random = Random::new(19);
    for round in 0..400 {
        let formula = random_formula(&Options::default(), &mut random);
        let word = random_lasso(formula.atoms().len(), 4, 4, &mut random);
        let explanation = Explanation::of(&formula, &Word::Lasso(&word)).unwrap();
        let value = semantics::holds(&formula, &word);
        let truth = semantics::truth(&formula, &word);
        for id in formula.terms().ids() {
            for position in 0..word.n_positions() {
                let found = explanation.values.at(id, position);
                assert_eq!(found, Some(truth.at(id, position)), "{round}: {formula}");
            }
        }
        for _ in 0..20 {
            let other = varied(&formula, &word, &explanation, usize::MAX, &mut random);
            assert_eq!(semantics::holds(&formula, &other), value, "{round}: {formula} {other:?}");
        }
        // Every part on the line has the value that is said of it.
        let story = explanation.story;
        for one in story.line.iter().chain(&story.because) {
            let place = word.distinct(one.position);
            assert_eq!(truth.at(one.term, place), one.value, "{round}: {formula} {story:?}");
        }
        if story.ending == Ending::ForEver {
            let last = story.last();
            for position in last.position..last.position + word.n_positions() {
                assert_eq!(truth.at(last.term, word.distinct(position)), last.value, "{formula}");
            }
        }
    }
}

/// What is begun is explained by what has been read, whatever follows.
#[test]
fn causes_of_what_has_begun_suffice_whatever_follows() {
    let mut random = Random::new(20);
    let mut n_known = 0;
    for _ in 0..600 {
        let formula = random_formula(&Options::default(), &mut random);
        let word = random_lasso(formula.atoms().len(), 4, 4, &mut random);
        let letters: Vec<Letter> = word.iter().cloned().collect();
        let Some(explanation) = Explanation::of(&formula, &Word::Begun(&letters)) else { continue };
        n_known += 1;
        let value = explanation.values.at(formula.root(), 0);
        for _ in 0..10 {
            let end = random_lasso(formula.atoms().len(), 3, 3, &mut random);
            let begun = letters.iter().chain(end.prefix()).cloned().collect();
            let other = Lasso::new(begun, end.cycle().to_vec()).unwrap();
            let other = varied(&formula, &other, &explanation, letters.len(), &mut random);
            assert_eq!(Some(semantics::holds(&formula, &other)), value, "{formula} {other:?}");
        }
    }
    assert!(50 < n_known, "{n_known}");
}
