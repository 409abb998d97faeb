//! What formulas may say.

use super::model;
use crate::lang::execute::Interpreter;
use crate::lang::program::Proposition;
use crate::system::TransitionSystem;

const TEXT: &str = "MODEL M; CONST K = 1; TYPE color = {red, green}; VAR c: color;
    PROCESS P(k: 0..9; OUT o: color); VAR x: 1..3; a: ARRAY 2 OF BOOLEAN; b: color;
    BEGIN o!red; x := 2 END P;
    PROCESS Q(IN i: color); BEGIN i?red END Q;
    PROCESS R; BEGIN SKIP END R;
    BEGIN P(7, c); P(8, c); Q(c) END M;
    DEFINITIONS
    p : (P[0].x = 1)
    q : ~P[1].a[0] & (P[1].k = 8);
    never : FALSE";

/// Whether an atom is true initially.
#[track_caller]
fn holds(atom: &str) -> bool {
    let mut model = model(TEXT);
    let id = model.bindings.atom(&mut model.program, atom).unwrap();
    let mut letter = [0];
    let mut system = Interpreter::new(&model.program, &[id]);
    let state = &system.initial_states()[0];
    system.observe(state, &mut letter).unwrap();
    letter == [1]
}

#[test]
fn atoms_are_propositions_or_expressions() {
    for atom in ["p", "q", "P[0].x = K", "P[0].b # green", "~P[0].a[K]", "P[1].k - P[0].k = 1"] {
        assert!(holds(atom), "{atom}");
    }
    assert!(!holds("never"));
}

#[test]
fn atoms_that_mean_nothing() {
    let error = |atom: &str| {
        let mut model = model(TEXT);
        let error = model.bindings.atom(&mut model.program, atom).unwrap_err();
        format!("[{}] {error}", &atom[error.span.start..error.span.end])
    };
    assert_eq!(error("r"), "[r] there is no proposition `r`; there is `p`, `q`, `never`");
    assert_eq!(error("nevr"), "[nevr] there is no proposition `nevr`; did you mean `never`?");
    assert_eq!(error("FGp"), "[FGp] there is no proposition `FGp`; write `FG p`");
    assert_eq!(error("p p"), "[p] expected an operator or the end, found `p`");
    assert_eq!(error("K"), "[K] expected a truth value, but this is a number");
    assert_eq!(error("P.x = 1"), "[P] `P` is activated 2 times: write `P[0]` to `P[1]`");
    assert_eq!(error("P[2].x = 1"), "[P] there is no `P[2]`: the last one is `P[1]`");
    assert_eq!(
        error("P[0].y"),
        "[y] process `P[0]` has no variable `y`; there is `k`, `x`, `a`, `b`"
    );
    assert_eq!(error("S.x"), "[S] there is no process `S`; there is `M`, `P`, `Q`");
    assert_eq!(error("R.x"), "[R] process `R` is never activated");
    assert_eq!(error("taken(R)"), "[R] process `R` is never activated");
    assert_eq!(error("P[0].a"), "[a] `a` is an array and needs an index");
    assert_eq!(error("P[0].x[0] = 1"), "[x] `x` is not an array");
    assert_eq!(error("P[0].a[2]"), "[2] index 2 is out of range: `a` has 2 elements");
    let by_itself = "is an atom by itself: connect it with others outside of quotation marks";
    assert_eq!(error("taken(Q) & q"), format!("[taken(Q)] `taken(…)` {by_itself}"));
}

#[test]
fn processes_take_part_in_their_rendezvous() {
    let moves = |name: &str| {
        let model = model(TEXT);
        let (program, atoms) = model.bound(&model.bindings.formula(name).unwrap()).unwrap();
        let transitions = match &atoms[..] {
            [Proposition::Taken(transitions)] if name.contains("taken") => transitions,
            [Proposition::Enabled(transitions)] if name.contains("enabled") => transitions,
            other => panic!("{other:?}"),
        };
        let actions: Vec<&str> =
            transitions.iter().map(|&id| program.transitions[id].action.as_str()).collect();
        actions.join("; ")
    };
    assert_eq!(moves("taken(P[1])"), "o!red, i?red; x := 2");
    assert_eq!(moves("enabled(Q[0])"), "o!red, i?red; o!red, i?red");
    assert_eq!(moves("G F enabled( Q )"), moves("\"enabled(Q)\""));
    assert_eq!(moves("taken(M)"), "P(7, c); P(8, c); Q(c)");
}

#[test]
fn formulas_keep_their_places() {
    let bindings = model(TEXT).bindings;
    let place = |text: &str| {
        let error = bindings.formula(text).unwrap_err();
        text[error.span.start..error.span.end].to_owned()
    };
    assert_eq!(place("taken(P[0]) & (enabled(Q)"), "(");
    assert_eq!(place("taken(P[0]) & enabled(Q) §"), "§");
    assert_eq!(bindings.formula("G (p ⇒ F q)").unwrap().to_string(), "G (p -> F q)");
}
