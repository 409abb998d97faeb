//! Formulas about finite words: what is answered, against all short words; and the
//! formula about infinite words that stands for one, against both definitions of truth.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::bdd;
use lwaa::check::finite::satisfiable_on_finite_words;
use lwaa::id::Id;
use lwaa::ltl::finite::Finite;
use lwaa::ltl::semantics;
use lwaa::search::limits::Monitor;
use lwaa::testbench::Random;
use lwaa::testbench::random_formula::{self, random_formula};
use lwaa::word::{AtomId, Lasso, Letter};
use lwaa::{Formula, Options, Satisfiability};

/// The letter in which the atoms of the bits of `number` are true.
fn letter(number: usize, n_atoms: usize) -> Letter {
    (0..n_atoms).filter(|atom| number >> atom & 1 == 1).map(AtomId::new).collect()
}

/// Whether the formula is true on some word of at most so many letters.
fn has_short_model(formula: &Formula, max_len: usize) -> bool {
    let n_letters = 1 << formula.atoms().len();
    (1..=max_len).any(|len| {
        (0..usize::pow(n_letters, u32::try_from(len).unwrap())).any(|mut number| {
            let word: Vec<Letter> = (0..len)
                .map(|_| {
                    let next = letter(number % n_letters, formula.atoms().len());
                    number /= n_letters;
                    next
                })
                .collect();
            semantics::finite::holds(formula, &word)
        })
    })
}

fn formula(random: &mut Random) -> Formula {
    let size = 2 + random.below(11);
    let shape = random_formula::Options { size, n_atoms: 2, ..Default::default() };
    let first = random_formula(&shape, random);
    if random.coin() {
        return first;
    }
    first.combined(lwaa::ltl::Term::And, &random_formula(&shape, random))
}

#[test]
fn verdicts_agree_with_all_short_words() {
    let (mut random, seed) = campaign::random(2013);
    let (mut n_models, mut n_without) = (0, 0);
    for round in 0..campaign::rounds(2000) {
        let formula = formula(&mut random);
        let context = format!("seed {seed}, round {round}: {formula}");
        let (options, monitor) = (Options::default(), Monitor::default());
        let answer = satisfiable_on_finite_words::<bdd::Default>(&formula, &options, &monitor);
        let is_short = has_short_model(&formula, 4);
        match answer.unwrap().0 {
            Satisfiability::Satisfiable(word) => {
                assert!(semantics::finite::holds(&formula, &word), "{context}");
                assert!(is_short || 4 < word.len(), "{context}");
                n_models += 1;
            }
            Satisfiability::Unsatisfiable => {
                assert!(!is_short, "{context}");
                n_without += 1;
            }
            Satisfiability::Unknown(reason) => panic!("{context}: {reason}"),
        }
    }
    let many = campaign::rounds(2000) / 20;
    assert!(many < n_models && many < n_without, "{n_models} {n_without}");
}

#[test]
fn infinite_words_stand_for_finite_ones() {
    let (mut random, seed) = campaign::random(2014);
    for round in 0..campaign::rounds(5000) {
        let formula = formula(&mut random);
        let finite = Finite::new(&formula);
        let n_atoms = formula.atoms().len();
        let word: Vec<Letter> =
            (0..=random.below(5)).map(|_| letter(random.below(1 << n_atoms), n_atoms)).collect();
        // The same atoms may have other numbers.
        let alive = finite.formula.atoms().find(&finite.alive).unwrap();
        let stands = |letter: &Letter, is_alive: bool| -> Letter {
            let atoms = finite.formula.atoms();
            let name = |atom| formula.atoms().name(atom);
            let mut copy: Letter =
                letter.iter().filter_map(|atom| atoms.find(name(atom))).collect();
            copy.set(alive, is_alive);
            copy
        };
        let prefix: Vec<Letter> = word.iter().map(|letter| stands(letter, true)).collect();
        let rest = letter(random.below(1 << n_atoms), n_atoms);
        let lasso = Lasso::new(prefix, vec![stands(&rest, false)]).unwrap();
        let context = format!("seed {seed}, round {round}: {formula}");
        let expected = semantics::finite::holds(&formula, &word);
        assert_eq!(semantics::holds(&finite.formula, &lasso), expected, "{context}");
        assert_eq!(finite.word(&lasso, &formula), word, "{context}");
    }
}

#[test]
fn an_atom_may_be_called_as_ours() {
    let formula = Formula::parse("alive & X !alive & X X alive_").unwrap();
    let finite = Finite::new(&formula);
    assert_eq!(finite.alive, "alive__");
}
