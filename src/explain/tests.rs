//! Explanations against the semantics: causes suffice, and lines are true.

use super::{Condition, Ending, Explanation, Fact, Facts, Since, Word};
use crate::ltl::semantics::{self, Truth};
use crate::ltl::{Formula, Term};
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
    let main = found.story.main();
    let last = main.last();
    let part = formula.subformula(last.term).to_string();
    assert_eq!((&*part, last.value, last.position, main.ending), expected, "{text}");
}

#[test]
fn a_formula_comes_down_to_the_part_that_decides() {
    check("G p", "p p", "-", ("p", false, 2, Ending::Now));
    check("G F p", "p - p", "-", ("p", false, 3, Ending::ForEver));
    check("G (p -> F q)", "- pq p", "-", ("q", false, 2, Ending::ForEver));
    check("G !(p & q)", "p", "pq", ("p & q", true, 1, Ending::Now));
    check("G (p -> X q)", "p", "-", ("q", false, 1, Ending::Now));
    check("F G p", "", "p -", ("G p", false, 0, Ending::ForEver));
    check("G !F p", "p", "-", ("p", true, 0, Ending::Now));
    check("F !p", "p", "p", ("p", true, 0, Ending::ForEver));
}

/// Checks what has been the case until a formula is decided: the part, its value, and where.
#[track_caller]
fn check_since(text: &str, prefix: &str, expected: (&str, bool, usize, usize)) {
    let formula = Formula::parse(text).unwrap();
    let word = Lasso::new(letters(prefix, &formula), letters("-", &formula)).unwrap();
    let found = Explanation::of(&formula, &Word::Lasso(&word)).unwrap();
    let Ending::Since(other, to) = found.story.main().ending else {
        panic!("{text}: {:?}", found.story)
    };
    let part = formula.subformula(other.term).to_string();
    assert_eq!((&*part, other.value, other.position, to), expected, "{text}");
}

#[test]
fn both_sides_of_an_until_are_named() {
    check_since("p U q", "p p -", ("q", false, 0, 2));
    check_since("p U q", "p p q", ("p", true, 0, 1));
    check_since("G (r -> (p R q))", "p rq q -", ("p", false, 1, 2));
    check_since("p M q", "q q -", ("p", false, 0, 1));
    check_since("p R q", "q q pq", ("q", true, 0, 2));
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
        for one in story.strands.iter().flat_map(|strand| strand.line.iter().chain(&strand.because))
        {
            let place = word.distinct(one.position);
            assert_eq!(truth.at(one.term, place), one.value, "{round}: {formula} {story:?}");
        }
    }
}

/// Whether the semantics say what is claimed.
fn is_true(fact: &Fact, truth: &Truth, word: &Lasso<Letter>) -> bool {
    let is = |term, value, position| truth.at(term, word.distinct(position)) == value;
    // Behind its prefix and a round, a word has nothing new.
    let far = word.n_positions();
    match *fact {
        Fact::At(Condition { term, value, position }) => is(term, value, position),
        Fact::Span(Condition { term, value, position }, to) => {
            position <= to && (position..=to).all(|position| is(term, value, position))
        }
        Fact::Ever(Condition { term, value, position }, since) => {
            let is_ever = |from: usize| (from..from + far).all(|at| is(term, value, at));
            let is_begun = match since {
                Since::Beginning => is_ever(0),
                Since::Change => is(term, !value, position - 1),
                Since::Before => is(term, value, position - 1) && !is_ever(0),
            };
            is_ever(position) && is_begun
        }
        Fact::Again(term, value) => {
            (word.prefix().len()..word.n_positions()).any(|position| is(term, value, position))
        }
    }
}

#[test]
fn all_that_sentences_claim_is_true() {
    let mut random = Random::new(21);
    let mut kinds = [0; 4];
    for round in 0..4000 {
        let formula = random_formula(&Options::default(), &mut random);
        let word = random_lasso(formula.atoms().len(), 4, 4, &mut random);
        let explanation = Explanation::of(&formula, &Word::Lasso(&word)).unwrap();
        let truth = semantics::truth(&formula, &word);
        let facts = Facts::of(&formula, &explanation.values, &explanation.story);
        let Facts { position, now, main, also, although } = &facts;
        for one in now {
            // What stands in front of the main clause is about the same moment.
            assert_eq!(one.position, *position, "{round}: {formula} {facts:?}");
        }
        let conditions = now.iter().chain(although).map(|&one| Fact::At(one));
        for fact in conditions.chain([*main]).chain(also.iter().copied()) {
            assert!(is_true(&fact, &truth, &word), "{round}: {formula} {word:?} {fact:?}");
            kinds[match fact {
                Fact::At(_) => 0,
                Fact::Span(..) => 1,
                Fact::Ever(..) => 2,
                Fact::Again(..) => 3,
            }] += 1;
        }
    }
    assert!(kinds.iter().all(|&n| 50 < n), "{kinds:?}");
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
