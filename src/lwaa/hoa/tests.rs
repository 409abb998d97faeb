//! Automata are written as other tools expect, and read as they were written.

use super::DEFAULT_LIMIT;
use crate::hoa;
use crate::ltl::{Formula, nnf, semantics};
use crate::lwaa::build::{from_nnf, raw_from_nnf};
use crate::lwaa::membership::accepts;
use crate::lwaa::reduce::reduce;
use crate::lwaa::{Leaf, Lwaa};
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::testbench::random_formula::{Options, random_formula};
use crate::word::{Lasso, Letter};

fn text_of(lwaa: &Lwaa) -> String {
    lwaa.to_hoa(DEFAULT_LIMIT).expect("few edges").to_string()
}

fn read(text: &str) -> Lwaa {
    Lwaa::from_hoa(&hoa::read(text).expect(text)).expect(text)
}

/// The automaton of a formula before and after all simplification.
fn automata(formula: &Formula) -> [Lwaa; 4] {
    let nnf = nnf::from_formula(formula);
    let small = from_nnf(nnf.clone());
    [raw_from_nnf(nnf), reduce(&small), small, Lwaa::from_formula(formula)]
}

fn written(formula: &str) -> String {
    let formula = Formula::parse(formula).unwrap();
    text_of(&reduce(&from_nnf(nnf::from_formula(&formula))))
}

#[test]
fn a_response_property() {
    insta::assert_snapshot!(written("G (request -> F grant)"), @"");
}

#[test]
fn a_property_with_nested_loops() {
    insta::assert_snapshot!(written("G X F G p"), @"");
}

#[test]
fn a_release_with_an_until_and_a_next() {
    insta::assert_snapshot!(written("(a U b) R (c | X d)"), @"");
}

#[test]
fn constants_are_automata_too() {
    insta::assert_snapshot!(written("true"), @"");
    insta::assert_snapshot!(written("false"), @"");
}

/// Writes and reads each automaton of `formula`, and compares the texts and,
/// on random words, the languages.
fn check_round_trip(formula: &Formula, random: &mut Random) {
    let automata = automata(formula);
    let words: Vec<Lasso<Letter>> =
        (0..4).map(|_| random_lasso(formula.atoms().len(), 3, 3, random)).collect();
    for lwaa in &automata {
        let text = text_of(lwaa);
        let again = read(&text);
        assert_eq!(text_of(&again), text, "{formula}");
        assert_eq!(again.n_locations(), lwaa.n_locations(), "{formula}");
        check_steps(&again);
        for word in &words {
            let expected = semantics::holds(formula, word);
            assert_eq!(accepts(lwaa, word), expected, "{formula} on {word:?}\n{text}");
            assert_eq!(accepts(&again, word), expected, "{formula} on {word:?}\n{text}");
            let reduced = reduce(&again);
            assert_eq!(accepts(&reduced, word), expected, "{formula} on {word:?}\n{text}");
        }
    }
}

/// The steps of an automaton that was read look as those of one that was
/// translated do: a loop is paid exactly where an until asks for itself.
fn check_steps(lwaa: &Lwaa) {
    for (id, location) in lwaa.locations() {
        assert_eq!(location.until, location.transition != location.step);
        let parts = |root| {
            let mut found = vec![root];
            let mut next = 0;
            while next < found.len() {
                let operands = lwaa.transitions().shape(found[next]).operands();
                for operand in operands {
                    if !found.contains(operand) {
                        found.push(*operand);
                    }
                }
                next += 1;
            }
            found.into_iter().filter_map(|part| match lwaa.transitions().shape(part) {
                crate::dag::Shape::Leaf(leaf) => Some(leaf),
                _ => None,
            })
        };
        assert!(parts(location.transition).all(|leaf| !matches!(leaf, Leaf::Loop(_))));
        assert_eq!(parts(location.step).any(|leaf| leaf == Leaf::Loop(id)), location.until);
        for leaf in parts(location.step) {
            match leaf {
                Leaf::Location(target) if target == id => {
                    assert!(location.until == (location.rank % 2 == 1));
                }
                Leaf::Location(target) => {
                    assert!(target < id && lwaa.location(target).rank <= location.rank);
                }
                _ => (),
            }
        }
    }
}

#[test]
fn random_automata_survive_the_round_trip() {
    let mut random = Random::new(2004);
    for round in 0..3_000 {
        let options = Options { size: 3 + round % 14, ..Options::default() };
        check_round_trip(&random_formula(&options, &mut random), &mut random);
    }
}

#[test]
fn exponentially_many_edges_are_an_error() {
    let conjuncts: Vec<String> = (0..60).map(|i| format!("(F a{i} | F b{i})")).collect();
    let formula = Formula::parse(&format!("X G ({})", conjuncts.join(" & "))).unwrap();
    let lwaa = from_nnf(nnf::from_formula(&formula));
    assert!(lwaa.to_hoa(DEFAULT_LIMIT).is_err());
    assert!(lwaa.to_dot(DEFAULT_LIMIT).is_err());
    assert!(lwaa.to_text().len() < 20_000);
}

#[test]
fn large_conditions_on_the_letter_are_one_edge() {
    let clauses: Vec<String> = (0..200).map(|i| format!("(a{i} | b{i} | !c{i})")).collect();
    let formula = Formula::parse(&format!("G ({})", clauses.join(" & "))).unwrap();
    let lwaa = from_nnf(nnf::from_formula(&formula));
    let automaton = lwaa.to_hoa(100_000).unwrap();
    assert_eq!(automaton.states.iter().map(|state| state.edges.len()).sum::<usize>(), 1);
}

#[test]
fn long_and_shared_formulas_have_short_names() {
    // The text of the last formula has 2^60 characters.
    let mut text = "p".to_owned();
    for _ in 0..6 {
        text = format!("F (({text}) & X ({text}))");
    }
    let nnf = nnf::from_formula(&Formula::parse(&text).unwrap());
    let automaton = from_nnf(nnf).to_hoa(DEFAULT_LIMIT).unwrap();
    assert!(automaton.states.iter().all(|state| state.name.as_ref().unwrap().len() < 1_100));
    assert!(automaton.states.iter().any(|state| state.name.as_ref().unwrap().ends_with('…')));
}

/// The words over one or two atoms on which `text` and `formula` must agree.
#[track_caller]
fn check_language(text: &str, formula: &str) {
    let lwaa = read(text);
    check_steps(&lwaa);
    let formula = Formula::parse(formula).unwrap();
    for word in crate::testbench::lassos::all_lassos(formula.atoms().len(), 4) {
        let expected = semantics::holds(&formula, &word);
        assert_eq!(accepts(&lwaa, &word), expected, "{word:?}");
        assert_eq!(accepts(&read(&text_of(&lwaa)), &word), expected, "{word:?}");
    }
}

#[test]
fn several_initial_conjunctions_are_a_choice() {
    // The example of the format's own description, with `c` renamed.
    check_language(
        r#"HOA: v1 States: 4 Start: 0&2 Start: 3 Acceptance: 1 Fin(0) AP: 2 "a" "b" --BODY--
        State: 0 "F a" [t] 0 {0} [0] 1 State: 1 "true" [t] 1
        State: 2 "G(b & X b)" [1] 2&3 State: 3 "b" [1] 1 --END--"#,
        "(F a & G (b & X b)) | b",
    );
}

#[test]
fn buchi_acceptance_is_read() {
    check_language(
        r#"HOA: v1 Start: 0 Acceptance: 1 Inf(0) AP: 1 "a" --BODY--
        State: 0 [t] 0 [0] 1 State: 1 {0} [0] 1 --END--"#,
        "F G a",
    );
}

#[test]
fn any_condition_is_read_if_loops_do_not_mix_sets() {
    check_language(
        r#"HOA: v1 Start: 0 Acceptance: 3 (Fin(!0) & Inf(1)) | Inf(2) & Fin(2) AP: 1 "a" --BODY--
        State: 0 {1} [t] 0 [0] 1 State: 1 {0} [0] 1 {1} [f] 1&0 {2} --END--"#,
        "F G a",
    );
}

#[test]
fn implicit_labels_and_aliases_and_state_labels_are_read() {
    check_language(
        r#"HOA: v1 Start: 1 Acceptance: 1 Fin(0) AP: 2 "a" "b" Alias: @b 1 Alias: @n !(@b | 0)
        --BODY-- State: 1 {0} 3 1 2 2 State: 2 [t] 2
        State: [!@n & f] 3 3 State: 0 [!@n] 0 --END--"#,
        "a U b",
    );
}

#[test]
fn an_automaton_without_start_accepts_nothing() {
    check_language("HOA: v1 AP: 1 \"a\" Acceptance: 0 t --BODY-- --END--", "a & !a");
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    let error = Lwaa::from_hoa(&hoa::read(text).expect(text)).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn cycles_other_than_loops_are_refused() {
    check_refused(
        "HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 1 State: 1 [t] 2&3 State: 2 [t] 3
        State: 3 [t] 1 --END--",
        "the automaton is not very weak: there is a cycle through states 1 and 2",
    );
}

#[test]
fn loops_that_differ_in_their_sets_are_refused() {
    check_refused(
        "HOA: v1 AP: 1 \"a\" Acceptance: 1 Inf(0) --BODY-- State: 0 [0] 0 {0} [!0] 0 --END--",
        "the automaton is not very weak: the loops of state 0 differ in their acceptance sets",
    );
}

#[test]
fn lines_that_may_change_the_meaning_are_refused() {
    check_refused(
        "HOA: v1 Acceptance: 1 Inf(0) Weights: 7 --BODY-- --END--",
        "the line `Weights:` of the header may change the meaning of the automaton",
    );
}

#[test]
fn states_are_renumbered_only_if_they_must_be() {
    let names = |text: &str| -> Vec<String> {
        let automaton = read(text).to_hoa(DEFAULT_LIMIT).unwrap();
        automaton.states.iter().map(|state| state.name.clone().unwrap_or_default()).collect()
    };
    let text = "HOA: v1 Start: 0 Acceptance: 0 t --BODY-- State: 0 \"a\" [t] 2 State: 1 \"b\" [t] 1
        State: 2 \"c\" [t] 2 --END--";
    assert_eq!(names(text), ["b", "c", "a"]);
    assert_eq!(names(&text.replace("[t] 2", "[t] 0")), ["a", "b", "c"]);
}

#[test]
fn a_chain_of_many_states_is_read() {
    let n = 100_000;
    let mut text = format!("HOA: v1 Start: 0 States: {n} Acceptance: 0 t --BODY--\n");
    for state in 0..n {
        text += &format!("State: {state} [t] {}\n", (state + 1).min(n - 1));
    }
    text += "--END--";
    let lwaa = read(&text);
    assert_eq!(lwaa.n_locations(), n);
    assert_eq!(lwaa.to_text().lines().count(), n + 2);
}
