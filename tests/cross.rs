//! Random formulas through every way we have to judge them: the automaton
//! search, both label criteria, the definition of the logic on lassos, and
//! brute force over all short lassos. Seeds are fixed; a failure prints the
//! formula.
//!
//! `LWAA_ROUNDS` and `LWAA_SEED` make longer and other campaigns of it.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and shows the seed"
)]

#[path = "support/campaign.rs"]
mod campaign;

use lwaa::baseline::translation::Translation;
use lwaa::bdd::Diagrams;
use lwaa::bdd::oxidd::OxiddDiagrams;
use lwaa::check::{Exploration, accepts, satisfiable_with};
use lwaa::configuration::{ConfigId, ConfigurationGraph, LabelId, Labels, Successors};
use lwaa::ltl::{Formula, constant, semantics};
use lwaa::lwaa::{LocationId, membership};
use lwaa::search::limits::{Budget, Limits, Monitor};
use lwaa::search::{Graph, MarkId};
use lwaa::testbench::Random;
use lwaa::testbench::lassos::{all_lassos, random_lasso};
use lwaa::testbench::random_formula::{Options as Shape, random_formula};
use lwaa::word::{Lasso, Letter};
use lwaa::{Lwaa, Options, Satisfiability};
use std::collections::{BTreeMap, BTreeSet};

/// A generator whose seed is printed, and seen when a test fails.
fn random(seed: u64) -> Random {
    let (random, seed) = campaign::random(seed);
    println!("seed {seed}");
    random
}

/// All ways to ask about `formula`.
fn all_options(formula: &Formula) -> impl Iterator<Item = Options> + use<> {
    let kinds = [false, true].into_iter();
    let labels = || [Labels::Exact, Labels::Simple].into_iter();
    let plain = kinds.flat_map(move |pure| {
        labels().flat_map(move |labels| {
            let options = move |(simplify, successors)| Options {
                simplify,
                ..explored(pure, labels, successors)
            };
            [(true, Successors::Bdd), (false, Successors::Bdd), (true, Successors::Sat)]
                .map(options)
        })
    });
    // Disjunctive normal forms and Büchi automata of large formulas are too
    // large for a test.
    let is_small = formula.n_terms() <= MAX_EXPLICIT;
    let explicit = is_small.then(|| direct_options().chain(explicit_options()));
    plain.chain(explicit.into_iter().flatten())
}

/// The largest formulas that are asked about without decision diagrams, in
/// distinct subformulas.
const MAX_EXPLICIT: usize = 12;

/// The same without decision diagrams.
fn direct_options() -> impl Iterator<Item = Options> {
    let some = [(false, Labels::Exact), (true, Labels::Simple), (true, Labels::Exact)];
    some.into_iter().map(|(pure, labels)| explored(pure, labels, Successors::Direct))
}

/// By the search over configurations.
fn explored(pure: bool, labels: Labels, successors: Successors) -> Options {
    let successors = Some(successors);
    let exploration = Exploration { pure, labels, successors, ..Exploration::default() };
    Options { method: exploration.into(), ..Options::default() }
}

/// An edge by what it leads from and to, and the marks that it misses.
type Edge = (Vec<LocationId>, Vec<LocationId>, Vec<MarkId>);

/// The edges out of the first configurations of an automaton.
fn first_edges(lwaa: &Lwaa, successors: Successors) -> BTreeSet<Edge> {
    const MAX_CONFIGURATIONS: usize = 12;
    let monitor = Monitor::default();
    let mut budget = Budget::new(Limits::default(), &monitor);
    let mut graph =
        ConfigurationGraph::<OxiddDiagrams>::new(lwaa, Labels::Exact, usize::MAX, 1 << 20)
            .with_successors(successors);
    // In an order that does not depend on that of the successors.
    let mut open = BTreeSet::from([lwaa.initial().to_vec()]);
    let mut ids: BTreeMap<Vec<LocationId>, ConfigId> = BTreeMap::new();
    ids.insert(lwaa.initial().to_vec(), graph.initial_configuration());
    let (mut seen, mut edges) = (BTreeSet::new(), BTreeSet::new());
    while let Some(source) = open.pop_first() {
        if MAX_CONFIGURATIONS <= seen.len() || !seen.insert(source.clone()) {
            continue;
        }
        let mut index = 0;
        while let Some(found) =
            graph.successor(ids[&source], LabelId::ANY, index, &mut budget).unwrap()
        {
            index += 1;
            let target = graph.locations(found.target).to_vec();
            let missing = graph.marks().elements(found.missing).to_vec();
            ids.insert(target.clone(), found.target);
            open.insert(target.clone());
            assert!(edges.insert((source.clone(), target, missing)), "twice");
        }
    }
    edges
}

/// Minimal models are what they are, so all ways to find them find the same.
#[test]
fn steps_are_the_same_however_they_are_computed() {
    let mut random = random(9_119);
    let mut n_edges = 0;
    for _ in 0..campaign::rounds(600) {
        let size = 3 + random.below(14);
        let formula = random_formula(&Shape { size, n_atoms: 3, ..Shape::default() }, &mut random);
        let lwaa = Lwaa::from_formula(&formula);
        let expected = first_edges(&lwaa, Successors::Bdd);
        assert_eq!(first_edges(&lwaa, Successors::Sat), expected, "{formula}");
        assert_eq!(first_edges(&lwaa, Successors::Direct), expected, "{formula}");
        n_edges += expected.len();
    }
    assert!(2 * campaign::rounds(600) < n_edges, "{n_edges}");
}

#[test]
fn of_constant_words_temporal_operators_say_nothing_new() {
    let mut random = random(9_120);
    let mut n_true = 0;
    for _ in 0..campaign::rounds(3000) {
        let size = 2 + random.below(12);
        let formula = random_formula(&Shape { size, n_atoms: 3, ..Shape::default() }, &mut random);
        let boolean = constant::of(&formula);
        assert!(boolean.terms().ids().all(|id| !boolean.terms().term(id).is_temporal()));
        let lasso = random_lasso(formula.atoms().len(), 0, 1, &mut random);
        let names = |atom| formula.atoms().name(atom);
        let same = lasso.map(|letter| -> Letter {
            letter.iter().filter_map(|atom| boolean.atoms().find(names(atom))).collect()
        });
        let expected = semantics::holds(&formula, &lasso);
        assert_eq!(semantics::holds(&boolean, &same), expected, "{formula}");
        n_true += usize::from(expected);
    }
    assert!(campaign::rounds(3000) / 10 < n_true, "{n_true}");
}

/// By way of Büchi automata.
fn explicit_options() -> impl Iterator<Item = Options> {
    let translations = Translation::ALL.into_iter();
    translations.map(|method| Options { method: method.into(), ..Options::default() })
}

/// A formula of random size over few atoms. Every other one has recurrence
/// formulas in it that were not left to chance.
fn formula(max_atoms: usize, random: &mut Random) -> Formula {
    let size = 1 + random.below(16);
    let n_atoms = 1 + random.below(max_atoms);
    let formula = random_formula(&Shape { size, n_atoms, ..Shape::default() }, random);
    if random.chance(0.5) {
        return formula;
    }
    let mut text = format!("({formula})");
    for _ in 0..=random.below(3) {
        let recurrence = recurrence(n_atoms, random);
        text = match random.below(8) {
            0 => format!("({text} | {recurrence})"),
            1 => format!("({recurrence} U {text})"),
            2 => format!("G ({text} | {recurrence})"),
            3 => format!("(p0 R ({text} | {recurrence}))"),
            _ => format!("({text} & {recurrence})"),
        };
    }
    Formula::parse(&text).unwrap()
}

/// A fairness constraint, or something like it.
fn recurrence(n_atoms: usize, random: &mut Random) -> String {
    let predicate = |random: &mut Random| {
        let mut literal = || {
            let sign = if random.chance(0.4) { "!" } else { "" };
            format!("{sign}p{}", random.below(n_atoms))
        };
        let [a, b] = [literal(), literal()];
        match random.below(4) {
            0 => format!("({a} & {b})"),
            1 => format!("({a} | {b})"),
            _ => a,
        }
    };
    let [a, b, c] = [(); 3].map(|()| predicate(random));
    match random.below(7) {
        0 => format!("G F {a}"),
        1 => format!("F G {a}"),
        2 => format!("(G F {a} -> G F {b})"),
        3 => format!("(F G {a} -> G F {b})"),
        4 => format!("(F G {a} | F G {b} | G F {c})"),
        5 => format!("(G F {a} <-> F G {b})"),
        _ => format!("((G F {a} & F G {b}) | G F {c})"),
    }
}

fn check_membership<D: Diagrams>(formula: &Formula, word: &Lasso<Letter>) {
    let expected = semantics::holds(formula, word);
    for options in all_options(formula) {
        let answer = accepts::<D>(formula, word, &options).unwrap();
        assert_eq!(answer, expected, "{formula} on {word:?} with {options:?}");
    }
    let automaton = lwaa::Lwaa::from_formula(formula);
    if automaton.atoms() == formula.atoms() {
        assert_eq!(membership::accepts(&automaton, word), expected, "{formula} on {word:?}");
    }
}

/// 20,000 pairs and more of a formula and a word: does the automaton accept
/// exactly the words on which the formula holds?
fn membership_rounds<D: Diagrams>() {
    let mut random = random(2_026);
    let mut n_pairs = 0;
    for _ in 0..campaign::rounds(2_100) {
        let formula = formula(3, &mut random);
        for _ in 0..10 {
            check_membership::<D>(
                &formula,
                &random_lasso(formula.atoms().len(), 3, 4, &mut random),
            );
            n_pairs += 1;
        }
    }
    assert!(20_000 <= n_pairs);
}

fn is_satisfiable<D: Diagrams>(formula: &Formula, options: &Options) -> bool {
    // Every witness has passed certification, or this is an error.
    let answer = satisfiable_with::<D>(formula, options, &Monitor::default()).unwrap();
    match answer.satisfiability {
        Satisfiability::Satisfiable(_) => true,
        Satisfiability::Unsatisfiable => false,
        Satisfiability::Unknown(reason) => panic!("{formula}: {reason}"),
    }
}

/// More than 2,000 formulas: satisfiability against all short lassos, and
/// against the answer for the negation.
fn satisfiability_rounds<D: Diagrams>() {
    let mut random = random(2_027);
    let short: Vec<Vec<Lasso<Letter>>> =
        vec![all_lassos(0, 1).collect(), all_lassos(1, 5).collect(), all_lassos(2, 4).collect()];
    let mut n_unsatisfiable = 0;
    for _ in 0..campaign::rounds(2_100) {
        let formula = formula(2, &mut random);
        let negation = formula.negated();
        let words = &short[formula.atoms().len()];
        let found = words.iter().any(|word| semantics::holds(&formula, word));
        let refuted = words.iter().any(|word| semantics::holds(&negation, word));
        let expected =
            all_options(&formula).next().map(|options| is_satisfiable::<D>(&formula, &options));
        for options in all_options(&formula) {
            let answer = is_satisfiable::<D>(&formula, &options);
            assert_eq!(Some(answer), expected, "{formula} with {options:?}");
            assert!(answer || !found, "{formula} has a short model; {options:?}");
            let dual = is_satisfiable::<D>(&negation, &options);
            assert!(dual || !refuted, "{negation} has a short model; {options:?}");
            assert!(answer || dual, "{formula} and its negation; {options:?}");
            n_unsatisfiable += usize::from(!answer) + usize::from(!dual);
        }
    }
    assert!(500 < n_unsatisfiable, "only {n_unsatisfiable} unsatisfiable formulas");
}

#[test]
fn automata_accept_the_words_on_which_formulas_hold() {
    membership_rounds::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[test]
fn satisfiability_agrees_with_brute_force_and_with_the_negation() {
    satisfiability_rounds::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn automata_accept_the_words_on_which_formulas_hold_by_cudd() {
    membership_rounds::<lwaa::bdd::cudd::CuddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn satisfiability_agrees_with_brute_force_and_with_the_negation_by_cudd() {
    satisfiability_rounds::<lwaa::bdd::cudd::CuddDiagrams>();
}
