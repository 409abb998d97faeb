//! Sets of requirements: known conflicts are found and are minimal; redundancy and
//! vacuity are what their definitions say.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

#[path = "support/campaign.rs"]
mod campaign;
#[path = "requirements/planted.rs"]
mod planted;

use lwaa::ltl::{Formula, Term};
use lwaa::requirements::Requirement;
use lwaa::requirements::analysis::{Analysis, Consistency, analyze};
use lwaa::requirements::conflict::{certified, conflicts, minimal};
use lwaa::requirements::oracle::{Halt, Oracle};
use lwaa::search::limits::{Exhausted, Monitor};
use lwaa::testbench::{Random, random_formula};
use lwaa::{Options, Satisfiability, satisfiable};
use planted::{Planted, consistent, planted};
use std::collections::BTreeSet;

#[test]
fn known_conflicts_are_found_and_minimal() {
    let (mut random, seed) = campaign::random(1987);
    for round in 0..campaign::rounds(24) {
        let most = [20, 60, 300][random.below(3)];
        let size = 16 + random.below(most);
        let n_conflicts = 1 + round % 2;
        let Planted { requirements, cores, kinds } = planted(&mut random, size, n_conflicts);
        let (options, monitor) = (Options::default(), Monitor::default());
        let mut oracle = Oracle::new(&requirements, &options, &monitor);
        let all: Vec<usize> = (0..requirements.len()).collect();
        let found = minimal(&mut oracle, &all, None).unwrap().unwrap();
        let context = format!("seed {seed}, round {round}: {size} requirements, {kinds:?}");
        assert!(cores.contains(&found), "{found:?}, not one of {cores:?}, {context}");
        let conflict = certified(&mut oracle, found).unwrap();
        assert_eq!(conflict.without.len(), conflict.members.len(), "{context}");
        for (dropped, word) in conflict.members.iter().zip(&conflict.without) {
            let holds = oracle.truth(word);
            let is_shown = |member: &usize| holds[*member] == (member != dropped);
            assert!(conflict.members.iter().all(is_shown), "{dropped}, {context}");
        }
    }
}

#[test]
fn all_conflicts_are_found_and_each_repair_hits_each_of_them() {
    let (mut random, seed) = campaign::random(1988);
    for round in 0..campaign::rounds(3) {
        let Planted { requirements, cores, .. } = planted(&mut random, 120, 2);
        let (options, monitor) = (Options::default(), Monitor::default());
        let mut oracle = Oracle::new(&requirements, &options, &monitor);
        let found = conflicts(&mut oracle, 10).unwrap();
        let context = format!("seed {seed}, round {round}");
        let mut members: Vec<Vec<usize>> = found.list.into_iter().map(|one| one.members).collect();
        members.sort();
        let mut expected = cores.clone();
        expected.sort();
        assert_eq!(members, expected, "{context}");
        assert!(found.is_complete && found.exhausted.is_none(), "{context}");
        let pairs =
            cores[0].iter().flat_map(|&one| cores[1].iter().map(move |&other| (one, other)));
        let expected: BTreeSet<Vec<usize>> =
            pairs.map(|(one, other)| vec![one.min(other), one.max(other)]).collect();
        assert_eq!(found.repairs.into_iter().collect::<BTreeSet<_>>(), expected, "{context}");
    }
}

fn list(lines: &[&str]) -> Vec<Requirement> {
    let formulas = lines.iter().map(|line| Formula::parse(line).unwrap());
    formulas
        .enumerate()
        .map(|(number, formula)| Requirement::new(format!("r{number}"), formula))
        .collect()
}

#[test]
fn what_is_no_minimal_conflict_is_not_certified() {
    let requirements = list(&["G a", "F !a", "G b", "a"]);
    let (options, monitor) = (Options::default(), Monitor::default());
    let mut oracle = Oracle::new(&requirements, &options, &monitor);
    assert!(certified(&mut oracle, vec![0, 1]).is_ok());
    // It has a model; it is not minimal; neither.
    for members in [vec![0, 2], vec![0, 1, 2], vec![1, 3], vec![0, 1, 3]] {
        let refused = certified(&mut oracle, members.clone());
        assert!(matches!(refused, Err(Halt::Contradiction)), "{members:?}: {refused:?}");
    }
}

#[test]
fn parts_that_do_not_matter_are_found_whatever_their_sign() {
    let requirements = list(&["G (a -> b)", "G b", "G F (a & c)", "G (d -> F a)"]);
    let (options, monitor) = (Options::default(), Monitor::default());
    let analysis = analyze(&mut Oracle::new(&requirements, &options, &monitor), 10).unwrap();
    let redundant: Vec<(usize, Option<Vec<usize>>)> =
        analysis.redundant.into_iter().map(|one| (one.member, one.because)).collect();
    assert_eq!(redundant, [(0, Some(vec![1])), (3, Some(vec![2]))]);
    let vacuous: Vec<(usize, String, Option<Vec<usize>>)> = analysis
        .vacuous
        .into_iter()
        .map(|one| (one.member, one.stronger.to_string(), one.because))
        .collect();
    let expected = [(0, "G (true -> b)", vec![1]), (3, "G (true -> F a)", vec![2])];
    let expected =
        expected.map(|(member, stronger, because)| (member, stronger.to_owned(), Some(because)));
    assert_eq!(vacuous, expected);
}

#[test]
fn who_is_stopped_says_so_at_once() {
    let requirements = list(&["G a", "F b"]);
    let (options, monitor) = (Options::default(), Monitor::default());
    monitor.stop();
    let mut oracle = Oracle::new(&requirements, &options, &monitor);
    let stopped = minimal(&mut oracle, &[0, 1], None);
    assert!(matches!(stopped, Err(Halt::Exhausted(Exhausted::Interrupted))), "{stopped:?}");
    assert_eq!(oracle.n_searches(), 0);
}

#[test]
fn many_consistent_requirements_have_a_word() {
    let (mut random, seed) = campaign::random(1989);
    for round in 0..campaign::rounds(6) {
        let requirements = consistent(&mut random, 20 + 60 * round);
        let (options, monitor) = (Options::default(), Monitor::default());
        let mut oracle = Oracle::new(&requirements, &options, &monitor);
        let all: Vec<usize> = (0..requirements.len()).collect();
        let context = format!("seed {seed}, round {round}");
        assert_eq!(minimal(&mut oracle, &all, None).unwrap(), None, "{context}");
        let word = oracle.ask(&all, None).unwrap().unwrap();
        assert!(oracle.truth(&word).into_iter().all(|holds| holds), "{context}");
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
            .map(|number| {
                let formula = random_formula::random_formula(&shape, &mut random);
                Requirement::new(format!("r{number}"), formula)
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
