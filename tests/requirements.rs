//! Sets of requirements: known conflicts are found and are minimal; redundancy and
//! vacuity are what their definitions say.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::ltl::{Formula, Syntax, Term};
use lwaa::requirements::Requirement;
use lwaa::requirements::analysis::{Analysis, Consistency, analyze};
use lwaa::requirements::conflict::{certified, minimal};
use lwaa::requirements::oracle::Oracle;
use lwaa::requirements::read::read;
use lwaa::search::limits::Monitor;
use lwaa::testbench::{Random, campaign, random_formula};
use lwaa::{Options, Satisfiability, satisfiable};

/// A set with one conflict, and who takes part in it. Everything else asks for atoms
/// `d…` only, and holds if these are always true, so it is part of no conflict.
fn contradictory(random: &mut Random, size: usize) -> (Vec<Requirement>, Vec<usize>) {
    let length = 1 + random.below(12.min(size - 3));
    let operator = ["F", "X", "X X"][random.below(3)];
    let mut core: Vec<String> = match random.below(3) {
        0 => vec!["F c0".to_owned(), format!("G !c{length}")],
        1 => vec!["G F c0".to_owned(), format!("F G !c{length}")],
        _ => vec!["c0".to_owned(), format!("G (x -> !c{length})"), "G x".to_owned()],
    };
    for link in 0..length {
        core.push(format!("G (c{link} -> {operator} c{})", link + 1));
    }
    let n_core = core.len();
    let mut lines: Vec<(String, bool)> = core.into_iter().map(|line| (line, true)).collect();
    for _ in n_core..size {
        let (a, b) = (random.below(20), random.below(20));
        let c = random.below(length + 1);
        let line = match random.below(6) {
            0 => format!("G (c{c} -> F d{a})"),
            1 => format!("G (d{a} -> d{b})"),
            2 => format!("G F d{a}"),
            3 => format!("c{c} U d{b}"),
            4 => format!("G (c{c} -> X (d{a} & d{b}))"),
            _ => format!("F (d{a} | c{c})"),
        };
        lines.insert(random.below(lines.len() + 1), (line, false));
    }
    let members = (0..lines.len()).filter(|&index| lines[index].1).collect();
    let texts: Vec<String> = lines.into_iter().map(|(line, _)| line).collect();
    (read(&texts.join("\n"), Syntax::Lwaa).unwrap().0, members)
}

#[test]
fn known_conflicts_are_found_and_minimal() {
    let (mut random, seed) = campaign::random(1987);
    for round in 0..campaign::rounds(8) {
        let most = [20, 60, 150][random.below(3)];
        let size = 5 + random.below(most);
        let (requirements, expected) = contradictory(&mut random, size);
        let (options, monitor) = (Options::default(), Monitor::default());
        let mut oracle = Oracle::new(&requirements, &options, &monitor);
        let all: Vec<usize> = (0..requirements.len()).collect();
        let found = minimal(&mut oracle, &all, None).unwrap().unwrap();
        let context = format!("seed {seed}, round {round}");
        assert_eq!(found, expected, "{context}");
        let conflict = certified(&mut oracle, found).unwrap();
        assert_eq!(conflict.without.len(), expected.len(), "{context}");
    }
}

fn is_satisfiable(formulas: &[&Formula]) -> bool {
    let first = Formula::parse("true").unwrap();
    let all = formulas.iter().fold(first, |all, formula| all.combined(Term::And, formula));
    let answer = satisfiable(&all, &Options::default()).unwrap();
    matches!(answer.satisfiability, Satisfiability::Satisfiable(_))
}

/// What the definitions say, asked without any of the shortcuts.
fn compare(requirements: &[Requirement], analysis: &Analysis, context: &str) -> bool {
    let formulas: Vec<&Formula> = requirements.iter().map(|one| &one.formula).collect();
    let without = |left_out: &[usize]| -> Vec<&Formula> {
        let kept = formulas.iter().enumerate().filter(|(at, _)| !left_out.contains(at));
        kept.map(|(_, formula)| *formula).collect()
    };
    match &analysis.consistency {
        Consistency::Unknown(reason) => panic!("{reason}, {context}"),
        Consistency::Consistent(_) => {
            assert!(is_satisfiable(&formulas), "{context}");
            for (member, formula) in formulas.iter().enumerate() {
                let negated = formula.negated();
                let mut asked = without(&[member]);
                asked.push(&negated);
                let is_redundant = analysis.redundant.iter().any(|one| one.member == member);
                assert_eq!(is_redundant, !is_satisfiable(&asked), "{member}, {context}");
            }
            for one in &analysis.vacuous {
                let negated = one.stronger.negated();
                let mut asked = without(&[]);
                asked.push(&negated);
                assert!(!is_satisfiable(&asked), "{one:?}, {context}");
            }
            true
        }
        Consistency::Inconsistent(conflicts) => {
            assert!(!is_satisfiable(&formulas), "{context}");
            assert!(conflicts.is_complete && !conflicts.list.is_empty(), "{context}");
            for repair in &conflicts.repairs {
                assert!(is_satisfiable(&without(repair)), "{repair:?}, {context}");
                for kept in repair {
                    let less: Vec<usize> =
                        repair.iter().copied().filter(|one| one != kept).collect();
                    assert!(!is_satisfiable(&without(&less)), "{repair:?}, {context}");
                }
            }
            false
        }
    }
}

#[test]
fn small_random_sets_are_analyzed_as_defined() {
    let (mut random, seed) = campaign::random(2001);
    let mut n_found = [0; 2];
    for round in 0..campaign::rounds(150) {
        let shape = random_formula::Options { size: 5, n_atoms: 3, ..Default::default() };
        let requirements: Vec<Requirement> = (0..2 + random.below(4))
            .map(|number| Requirement {
                name: format!("r{number}"),
                formula: random_formula::random_formula(&shape, &mut random),
            })
            .collect();
        let (options, monitor) = (Options::default(), Monitor::default());
        let mut oracle = Oracle::new(&requirements, &options, &monitor);
        let analysis = analyze(&mut oracle, 100).unwrap();
        let context = format!("seed {seed}, round {round}: {requirements:?}");
        n_found[usize::from(compare(&requirements, &analysis, &context))] += 1;
    }
    assert!(n_found.iter().all(|&count| campaign::rounds(150) / 10 < count), "{n_found:?}");
}
