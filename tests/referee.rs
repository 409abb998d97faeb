//! The referee finds bugs: translators that are broken on purpose are caught and
//! named, and nobody else is; translators that are not are left alone.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]
#![allow(clippy::print_stdout, reason = "figures and seeds are worth having if a test fails")]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::Formula;
use lwaa::baseline::nba::{Builder, Nba};
use lwaa::baseline::translation::Translation;
use lwaa::id::Id;
use lwaa::ltl::{Term, TermId, Terms, semantics};
use lwaa::search::MarkId;
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::testbench::Random;
use lwaa::testbench::cross::{Options, run};
use lwaa::testbench::tally::Tally;
use lwaa::testbench::translator::{Builtin, Fault, Translator};

/// A translator with a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    /// `a R b` is taken for `a R (a | b)`: the moment of release needs no `b`.
    Release,
    /// The last acceptance set is forgotten.
    AcceptanceSet,
    /// The innermost X of a chain is one too many.
    Next,
    /// The formula is negated.
    Negation,
    /// Nothing is ever accepted.
    Empty,
}

const ALL: [Broken; 5] =
    [Broken::Release, Broken::AcceptanceSet, Broken::Next, Broken::Negation, Broken::Empty];

/// Whose automata are broken.
const VICTIM: Builtin = Builtin::Generalized(Translation::GastinOddoux);

impl Translator for Broken {
    fn name(&self) -> &'static str {
        match self {
            Self::Release => "wrong release",
            Self::AcceptanceSet => "dropped acceptance set",
            Self::Next => "X off by one",
            Self::Negation => "negated input",
            Self::Empty => "empty automaton",
        }
    }

    fn translate(&self, formula: &Formula, budget: &mut Budget<'_>) -> Result<Nba, Fault> {
        Ok(match self {
            Self::Release => {
                let broken = rewritten(formula, |terms, term| match term {
                    Term::Release(a, b) => {
                        let either = terms.intern(Term::Or(a, b));
                        Term::Release(a, either)
                    }
                    other => other,
                });
                VICTIM.translate(&broken, budget)?
            }
            Self::Next => {
                let broken = rewritten(formula, |terms, term| match term {
                    Term::Next(a) if !matches!(terms.term(a), Term::Next(_)) => {
                        Term::Next(terms.intern(Term::Next(a)))
                    }
                    other => other,
                });
                VICTIM.translate(&broken, budget)?
            }
            Self::Negation => VICTIM.translate(&formula.negated(), budget)?,
            Self::AcceptanceSet => without_last_set(&VICTIM.translate(formula, budget)?),
            Self::Empty => Builder::new(formula.atoms().clone(), 1).finish(),
        })
    }
}

/// The same formula with every operator changed, operands first.
fn rewritten(formula: &Formula, change: impl Fn(&mut Terms, Term) -> Term) -> Formula {
    let mut terms = Terms::default();
    let mut copies: Vec<TermId> = Vec::new();
    for id in formula.terms().ids() {
        let copy = match formula.terms().term(id) {
            Term::Atom(atom) => terms.atom(formula.atoms().name(atom)),
            other => {
                let term = other.map(|child| copies[child.index()]);
                let changed = change(&mut terms, term);
                terms.intern(changed)
            }
        };
        copies.push(copy);
    }
    Formula::new(terms, copies[formula.root().index()])
}

fn without_last_set(automaton: &Nba) -> Nba {
    let n_sets = automaton.n_sets().saturating_sub(1);
    let mut builder = Builder::new(automaton.atoms().clone(), n_sets);
    for _ in automaton.states() {
        builder.add_state();
    }
    automaton.initial().iter().for_each(|&state| builder.add_initial(state));
    for source in automaton.states() {
        for edge in automaton.edges(source) {
            let sets = automaton.sets(edge.sets).iter().copied();
            let sets: Vec<MarkId> = sets.filter(|set| set.index() < n_sets).collect();
            builder.add_edge(source, automaton.cube(edge.cube), sets, edge.target);
        }
    }
    builder.finish()
}

fn play(translators: &[Box<dyn Translator>], options: &Options) -> Tally {
    let mut tally = Tally::new(translators);
    let monitor = Monitor::default();
    run(options, translators, Limits::default(), &monitor, &mut |report| tally.add(report))
        .unwrap();
    tally
}

fn builtins() -> Vec<Box<dyn Translator>> {
    Builtin::ALL.into_iter().map(|builtin| Box::new(builtin) as Box<dyn Translator>).collect()
}

/// The broken one is named and nobody else, and every small proof is one.
#[track_caller]
fn check_named(tally: &Tally, broken: Broken, number: usize) {
    assert!(0 < tally.disagreements(), "{broken:?} is not caught");
    for (other, line) in tally.lines.iter().enumerate() {
        assert_eq!(0 < line.n_wrong, other == number, "{broken:?}: {} is blamed", line.name);
    }
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    for culprit in tally.failed.iter().flat_map(|report| &report.proofs) {
        let small = &culprit.small;
        let holds = semantics::holds(&small.formula, &small.word);
        assert_eq!(small.accepts, !holds, "{broken:?} on {}", small.formula);
        let again = broken.translate(&small.formula, &mut budget).unwrap();
        let again = lwaa::baseline::renumber::within(&again, small.formula.atoms());
        let accepts = lwaa::baseline::word_graph::accepts(&again, &small.word, &mut budget);
        assert_eq!(accepts, Ok(small.accepts), "{broken:?} on {}", small.formula);
        println!(
            "{broken:?}, test {}: {} on {:?}",
            culprit.test.number(),
            small.formula,
            small.word
        );
        let n_terms = small.formula.n_terms();
        assert!(n_terms <= 5, "{broken:?}: {} is not small", small.formula);
    }
}

#[test]
fn every_broken_translator_is_caught_and_named() {
    for broken in ALL {
        let mut translators = builtins();
        translators.push(Box::new(broken));
        let options = Options { seed: 5, rounds: 60, ..Options::default() };
        check_named(&play(&translators, &options), broken, translators.len() - 1);
    }
}

/// On paths the formula itself is an opinion, and tests 2 and 4 need one
/// translator only.
#[test]
fn a_broken_translator_is_caught_even_if_it_is_alone() {
    for broken in ALL {
        let translators: Vec<Box<dyn Translator>> = vec![Box::new(broken)];
        let options = Options { seed: 6, rounds: 80, ..Options::default() };
        check_named(&play(&translators, &options), broken, 0);
    }
}

#[test]
fn all_broken_translators_at_once_are_all_named() {
    let mut translators = builtins();
    let n_good = translators.len();
    translators.extend(ALL.map(|broken| Box::new(broken) as Box<dyn Translator>));
    let options = Options { seed: 7, rounds: 60, max_proofs: 0, ..Options::default() };
    let tally = play(&translators, &options);
    for (number, line) in tally.lines.iter().enumerate() {
        assert_eq!(0 < line.n_wrong, n_good <= number, "{}", line.name);
    }
}

/// Each test can find something by itself.
#[test]
fn every_test_fails_for_somebody() {
    let mut translators = builtins();
    translators.extend(ALL.map(|broken| Box::new(broken) as Box<dyn Translator>));
    let options = Options { seed: 8, rounds: 20, max_proofs: 0, ..Options::default() };
    let tally = play(&translators, &options);
    assert!(tally.n_failures.iter().all(|&failures| 0 < failures), "{:?}", tally.n_failures);
}

#[test]
fn ours_and_the_rivals_never_disagree() {
    let seed = campaign::random(2_002).1;
    let rounds = u64::try_from(campaign::rounds(300)).unwrap();
    let translators = builtins();
    let tally = play(&translators, &Options { seed, rounds, ..Options::default() });
    for report in &tally.failed {
        println!("seed {}: {:?} {:?}", report.seed, report.formula, report.proofs);
    }
    assert_eq!((tally.rounds, tally.disagreements()), (rounds, 0));
    println!(
        "{:?} tests, {} by words, {} skipped",
        tally.n_tests, tally.n_by_words, tally.n_skipped
    );
    assert!(4 * tally.n_by_words < tally.n_tests[1], "complements are too expensive");
    assert!(20 * tally.n_skipped < tally.n_tests.iter().sum(), "tests are too expensive");
}

#[test]
fn the_same_seed_gives_the_same_rounds() {
    let mut translators = builtins();
    translators.push(Box::new(Broken::Next));
    let options = Options { seed: 9, rounds: 15, ..Options::default() };
    let text = |tally: Tally| {
        let proofs = tally.failed.iter().flat_map(|report| &report.proofs);
        let proofs: Vec<String> = proofs.map(|culprit| format!("{:?}", culprit.small)).collect();
        let states: Vec<u64> = tally.lines.iter().map(|line| line.work.n_states).collect();
        (proofs, states, tally.n_tests, tally.n_failures, tally.n_by_words)
    };
    assert_eq!(text(play(&translators, &options)), text(play(&translators, &options)));
}
