//! The enumeration of minimal models, of models that are minimal for some letter
//! and of all models against truth tables, on random functions.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::bdd::{Diagrams, VariableId};
use lwaa::configuration::minimal::{AllModels, MinimalModels, minimal_by_letter};
use lwaa::id::Id;
use lwaa::testbench::Random;

/// A random monotone function, as the models that generate it.
fn random_generators(n_variables: usize, random: &mut Random) -> Vec<u32> {
    (0..random.below(6))
        .map(|_| (0..n_variables).filter(|_| random.chance(0.4)).map(|v| 1 << v).sum())
        .collect()
}

fn minimal_models_agree_with_truth_tables<D: Diagrams>() {
    const N_VARIABLES: usize = 7;
    let mut random = Random::new(1986);
    let mut diagrams = D::with_capacity(1 << 12).unwrap();
    diagrams.grow_to(N_VARIABLES).unwrap();
    for round in 0..2_000 {
        let generators = random_generators(N_VARIABLES, &mut random);
        let mut function = diagrams.constant(false);
        for &generator in &generators {
            let mut cube = diagrams.constant(true);
            for variable in (0..N_VARIABLES).filter(|variable| generator >> variable & 1 == 1) {
                let variable = diagrams.variable(VariableId::new(variable)).unwrap();
                cube = diagrams.and(&cube, &variable).unwrap();
            }
            function = diagrams.or(&function, &cube).unwrap();
        }
        let is_model = |set: u32| generators.iter().any(|generator| generator & !set == 0);
        let is_minimal = |set: u32| {
            is_model(set)
                && (0..N_VARIABLES).all(|v| set >> v & 1 == 0 || !is_model(set & !(1 << v)))
        };
        let expected: Vec<u32> = (0..1 << N_VARIABLES).filter(|&set| is_minimal(set)).collect();
        let mut models = MinimalModels::new(&diagrams, function);
        let mut found = Vec::new();
        while let Some(model) = models.next(&diagrams).unwrap() {
            assert!(model.is_sorted(), "round {round}");
            found.push(model.iter().map(|variable| 1 << variable.index()).sum::<u32>());
        }
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, expected, "round {round}: {generators:?}");
        // Models that leave out the first variable on which two differ come first.
        let reversed = |&set: &u32| set.reverse_bits();
        assert!(found.is_sorted_by_key(reversed), "round {round}: {found:?}");
    }
    assert_eq!(diagrams.n_referenced(), 0, "nothing leaks");
}

/// Cubes in which chosen variables are not negated: the variables that are true,
/// and those that are false.
fn random_cubes(is_chosen: &[bool], random: &mut Random) -> Vec<(u32, u32)> {
    let mut cubes = vec![(0, 0); random.below(6)];
    for cube in &mut cubes {
        for (number, &chosen) in is_chosen.iter().enumerate() {
            match random.below(5) {
                0 | 1 => cube.0 |= 1 << number,
                2 if !chosen => cube.1 |= 1 << number,
                _ => (),
            }
        }
    }
    cubes
}

fn disjunction<D: Diagrams>(cubes: &[(u32, u32)], diagrams: &D) -> D::Function {
    let mut function = diagrams.constant(false);
    for &(positive, negative) in cubes {
        let mut cube = diagrams.constant(true);
        for number in 0..diagrams.n_variables() {
            let variable = || diagrams.variable(VariableId::new(number)).unwrap();
            if positive >> number & 1 == 1 {
                cube = diagrams.and(&cube, &variable()).unwrap();
            } else if negative >> number & 1 == 1 {
                cube = diagrams.and(&cube, &diagrams.not(&variable()).unwrap()).unwrap();
            }
        }
        function = diagrams.or(&function, &cube).unwrap();
    }
    function
}

/// Models over four variables that are minimal for some value of three others.
fn minimal_models_by_letter_agree_with_truth_tables<D: Diagrams>() {
    const N_CHOSEN: usize = 4;
    const N_VARIABLES: usize = 7;
    let mut random = Random::new(1990);
    let mut diagrams = D::with_capacity(1 << 12).unwrap();
    diagrams.grow_to(N_VARIABLES).unwrap();
    let numbers = |chosen: bool, is_chosen: &[bool]| -> Vec<VariableId> {
        let is_it = |&number: &usize| is_chosen[number] == chosen;
        (0..N_VARIABLES).filter(is_it).map(VariableId::new).collect()
    };
    for round in 0..2_000 {
        // Which variables are chosen differs, since order matters.
        let mut is_chosen = [false; N_VARIABLES];
        while is_chosen.iter().filter(|&&chosen| chosen).count() < N_CHOSEN {
            is_chosen[random.below(N_VARIABLES)] = true;
        }
        let cubes = random_cubes(&is_chosen, &mut random);
        let function = disjunction(&cubes, &diagrams);
        let is_model = |set: u32| {
            cubes.iter().any(|(positive, negative)| positive & !set == 0 && negative & set == 0)
        };
        let is_minimal = |set: u32| {
            let mut chosen = (0..N_VARIABLES).filter(|&number| is_chosen[number]);
            is_model(set) && chosen.all(|v| set >> v & 1 == 0 || !is_model(set & !(1 << v)))
        };
        let mask: u32 = numbers(true, &is_chosen).iter().map(|v| 1 << v.index()).sum();
        let mut expected: Vec<u32> =
            (0..1 << N_VARIABLES).filter(|&set| is_minimal(set)).map(|set| set & mask).collect();
        expected.sort_unstable();
        expected.dedup();
        let minimal = minimal_by_letter(&diagrams, &function, &is_chosen).unwrap();
        let some = diagrams.exists(&minimal, &numbers(false, &is_chosen)).unwrap();
        let mut models = AllModels::new(some, numbers(true, &is_chosen));
        let mut found = Vec::new();
        while let Some(model) = models.next(&diagrams) {
            assert!(model.is_sorted(), "round {round}");
            found.push(model.iter().map(|variable| 1 << variable.index()).sum::<u32>());
        }
        found.sort_unstable();
        assert_eq!(found, expected, "round {round}: {cubes:?} {is_chosen:?}");
    }
}

#[test]
fn minimal_models_by_letter_by_oxidd() {
    minimal_models_by_letter_agree_with_truth_tables::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn minimal_models_by_letter_by_cudd() {
    minimal_models_by_letter_agree_with_truth_tables::<lwaa::bdd::cudd::CuddDiagrams>();
}

#[test]
fn minimal_models_by_oxidd() {
    minimal_models_agree_with_truth_tables::<lwaa::bdd::oxidd::OxiddDiagrams>();
}

#[cfg(feature = "cudd")]
#[test]
fn minimal_models_by_cudd() {
    minimal_models_agree_with_truth_tables::<lwaa::bdd::cudd::CuddDiagrams>();
}
