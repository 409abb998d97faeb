//! Structures as they are written, what is wrong with them, and whether they
//! mean what they say.

use super::*;
use crate::lang::compile::Compiled;
use crate::lang::execute::Interpreter;
use crate::testbench::Random;
use crate::testbench::explicit::Explicit;
use crate::testbench::random_kripke::{self, Options, random_kripke};

const LIGHT: &str = r#"
    atoms red green "all red"
    initial stop
    state stop red -> stop clear
    state clear red "all red" -> go
    state go green -> stop
"#;

#[test]
fn what_is_written_is_read_again() {
    let structure = structure(LIGHT).unwrap();
    insta::assert_snapshot!(structure, @r#"
    atoms red green "all red"
    initial stop
    state stop red -> stop clear
    state clear red "all red" -> go
    state go green -> stop
    "#);
    assert_eq!(super::structure(&structure.to_string()), Ok(structure));
    let odd = Structure {
        atoms: ["state", "", "p1", "say \"hi\"\\"].into_iter().fold(
            Atoms::default(),
            |mut all, name| {
                all.intern(name);
                all
            },
        ),
        names: vec!["initial".to_owned(), "->".to_owned()],
        letters: vec![Letter::new(); 2],
        successors: vec![vec![1], vec![]],
        initial: vec![1, 0],
    };
    assert_eq!(super::structure(&odd.to_string()), Ok(odd));
}

#[track_caller]
fn check_error(text: &str, place: &str, message: &str) {
    let error = structure(text).unwrap_err();
    let found = &text[error.span.start..error.span.end];
    assert_eq!((found, error.message.as_str()), (place, message));
}

#[test]
fn errors_say_where() {
    check_error("", "", "expected `initial` and a state, found the end of the text");
    check_error(
        "states a",
        "states",
        "expected `atoms`, `initial` or `state`, found `states`; did you mean `state`?",
    );
    check_error("atoms p p", "p", "there is another atom `p`");
    check_error("state a ->\nstate a ->", "a", "there is another state `a`");
    check_error("initial a", "a", "there is no state `a`");
    check_error("initial a state a -> b", "b", "there is no state `b`");
    check_error("state a p ->", "p", "there is no atom `p` so far");
    check_error("state -> a", "->", "expected the name of a state, found `->`");
    check_error("state a state b", "state", "expected an atom or `->`, found `state`");
    check_error("initial state", "state", "expected a state, found `state`");
    check_error("atoms p; q", ";", "unexpected character `;`");
    check_error("atoms \"p", "\"", "this quotation mark is never closed");
}

#[test]
fn formulas_speak_of_declared_atoms() {
    let model = read(LIGHT, &[]).unwrap();
    let formula = model.bindings.formula("G (green -> X \"all red\")").unwrap();
    assert!(model.bound(&formula).is_ok());
    let unknown = model.bindings.formula("F amber").unwrap();
    assert_eq!(model.bound(&unknown).unwrap_err().message, "the structure has no atom `amber`");
    assert!(model.bindings.formula("F (red").is_err());
    let definition = Definition { name: "N".to_owned(), value: 1 };
    let error = read(LIGHT, &[definition]).unwrap_err();
    assert_eq!(error.message, "a Kripke structure has no constant `N`");
}

/// A random structure, lowered and explored by both executors, is the same
/// graph with the same letters. Some states have no edges, one has many.
#[test]
fn lowering_keeps_the_graph() {
    let mut random = Random::new(8);
    for round in 0..60 {
        let options = Options {
            n_states: 1 + random.below(30),
            density: [0.0, 0.05, 0.5][round % 3],
            ..Options::default()
        };
        let mut kripke = random_kripke(&options, &mut random);
        if round % 2 == 1 {
            let state = random.below(options.n_states);
            kripke.successors[state].clear();
            kripke.initial = (0..options.n_states).filter(|state| state % 3 == 0).collect();
        }
        let text = random_kripke::structure(&kripke, options.n_atoms).to_string();
        let model = read(&text, &[]).unwrap();
        let formula = model.bindings.formula("p0 & p1 & p2").unwrap();
        let (program, atoms) = model.bound(&formula).unwrap();
        let mut interpreted = Interpreter::new(&program, &atoms);
        let graph = Explicit::new(&mut interpreted).unwrap();
        let compiled = Explicit::new(&mut Compiled::new(&program, &atoms)).unwrap();
        assert_eq!((&graph.states, &graph.steps), (&compiled.states, &compiled.steps));
        let number = |state: &[u64]| {
            let values = interpreted.values(state);
            usize::try_from(values.value(crate::id::Id::new(0), 0)).unwrap()
        };
        let numbers: Vec<usize> = graph.states.iter().map(|state| number(state)).collect();
        assert_eq!(numbers[..graph.n_initial], kripke.initial);
        for (steps, &state) in graph.steps.iter().zip(&numbers) {
            let targets: Vec<usize> = steps.iter().map(|&(_, target)| numbers[target]).collect();
            assert_eq!(targets, kripke.successors[state]);
        }
        for (state, &number) in graph.states.iter().zip(&numbers) {
            use crate::system::TransitionSystem;
            let mut observed = vec![0];
            interpreted.observe(state, &mut observed).unwrap();
            let letter = &kripke.letters[number];
            let bits: u64 = letter.iter().map(|atom| 1 << crate::id::Id::index(atom)).sum();
            assert_eq!(observed[0] & 7, bits);
        }
    }
}
