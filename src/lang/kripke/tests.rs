//! Structures as they are written, what is wrong with them, and whether they
//! mean what they say.

use super::*;

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
