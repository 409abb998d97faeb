//! Automata are written as other tools expect, and read as they were written.

use super::DEFAULT_LIMIT;
use crate::dag::Shape;
use crate::hoa;
use crate::id::Id;
use crate::ltl::{Formula, Term, Terms, nnf, semantics};
use crate::lwaa::build::{from_nnf, raw_from_nnf};
use crate::lwaa::membership::accepts;
use crate::lwaa::reduce::reduce;
use crate::lwaa::{Leaf, Lwaa, TransitionId};
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::testbench::random_formula::{Options, random_formula};
use crate::word::{Lasso, Letter};
use std::fmt::Write;

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
    insta::assert_snapshot!(written("G (request -> F grant)"), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 3
    Start: 1
    AP: 2 "request" "grant"
    acc-name: co-Buchi
    Acceptance: 1 Fin(0)
    properties: univ-branch very-weak weak trans-labels explicit-labels state-acc
    --BODY--
    State: 0 "F grant" {0}
    [1] 2
    [t] 0
    State: 1 "G (!request | F grant)"
    [t] 0&1
    [!0 | 1] 1
    State: 2 "true"
    [t] 2
    --END--
    "#);
}

#[test]
fn a_property_with_nested_loops() {
    insta::assert_snapshot!(written("G X F G p"), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 3
    Start: 2
    AP: 1 "p"
    acc-name: co-Buchi
    Acceptance: 1 Fin(0)
    properties: univ-branch very-weak weak trans-labels explicit-labels state-acc
    --BODY--
    State: 0 "G p"
    [0] 0
    State: 1 "F G p" {0}
    [0] 0
    [t] 1
    State: 2 "G X F G p"
    [t] 1&2
    --END--
    "#);
}

#[test]
fn a_release_with_an_until_and_a_next() {
    insta::assert_snapshot!(written("(a U b) R (c | X d)"), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 4
    Start: 2
    AP: 4 "a" "b" "c" "d"
    acc-name: co-Buchi
    Acceptance: 1 Fin(0)
    properties: univ-branch very-weak weak trans-labels explicit-labels state-acc
    --BODY--
    State: 0 "a U b" {0}
    [1] 3
    [0] 0
    State: 1 "d"
    [3] 3
    State: 2 "(a U b) R (c | X d)"
    [1 & 2] 3
    [0 & 2] 0
    [0] 0&1
    [1] 1
    [t] 1&2
    [2] 2
    State: 3 "true"
    [t] 3
    --END--
    "#);
}

#[test]
fn constants_are_automata_too() {
    insta::assert_snapshot!(written("true"), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 1
    Start: 0
    AP: 0
    acc-name: co-Buchi
    Acceptance: 1 Fin(0)
    properties: no-univ-branch very-weak weak trans-labels explicit-labels state-acc
    --BODY--
    State: 0 "true"
    [t] 0
    --END--
    "#);
    insta::assert_snapshot!(written("false"), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 1
    Start: 0
    AP: 0
    acc-name: co-Buchi
    Acceptance: 1 Fin(0)
    properties: no-univ-branch very-weak weak trans-labels explicit-labels state-acc
    --BODY--
    State: 0 "false"
    --END--
    "#);
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
        check_steps(&again, random);
        for word in &words {
            let expected = semantics::holds(formula, word);
            assert_eq!(accepts(lwaa, word), expected, "{formula} on {word:?}\n{text}");
            assert_eq!(accepts(&again, word), expected, "{formula} on {word:?}\n{text}");
            let reduced = reduce(&again);
            assert_eq!(accepts(&reduced, word), expected, "{formula} on {word:?}\n{text}");
        }
    }
}

/// The truth of a formula, given that of its leaves.
fn value(lwaa: &Lwaa, root: TransitionId, leaf: &impl Fn(Leaf) -> bool) -> bool {
    let mut values = vec![];
    for id in lwaa.transitions().ids().filter(|&id| id <= root) {
        values.push(match lwaa.transitions().shape(id) {
            Shape::Leaf(Leaf::True) => true,
            Shape::Leaf(Leaf::False) => false,
            Shape::Leaf(other) => leaf(other),
            Shape::And(parts) => parts.iter().all(|part| values[part.index()]),
            Shape::Or(parts) => parts.iter().any(|part| values[part.index()]),
        });
    }
    values[root.index()]
}

/// The steps of an automaton that was read are as those of one that was
/// translated: the same as the transition, but an until that asks for itself
/// also pays for the loop. Ranks decrease, and are odd for untils.
fn check_steps(lwaa: &Lwaa, random: &mut Random) {
    for (id, location) in lwaa.locations() {
        for _ in 0..8 {
            let bits = random.bits();
            let truth = |leaf: Leaf| crate::word::hash(&(leaf, bits)) >> 40 & 1 == 1;
            let looping = truth(Leaf::Loop(id));
            let itself = Leaf::Location(id);
            let paid = |leaf| truth(leaf) && (leaf != itself || !location.until || looping);
            let expected = value(lwaa, location.transition, &paid);
            assert_eq!(value(lwaa, location.step, &truth), expected);
        }
        for leaf in leaves(lwaa, location.transition) {
            match leaf {
                Leaf::Location(target) if target == id => {
                    assert_eq!(location.until, location.rank % 2 == 1);
                }
                Leaf::Location(target) => {
                    assert!(target < id && lwaa.location(target).rank <= location.rank);
                }
                _ => assert!(!matches!(leaf, Leaf::Loop(_))),
            }
        }
    }
}

/// The leaves of a formula, some of them more than once.
fn leaves(lwaa: &Lwaa, root: TransitionId) -> Vec<Leaf> {
    let mut leaves = vec![];
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        match lwaa.transitions().shape(id) {
            Shape::Leaf(leaf) => leaves.push(leaf),
            shape => open.extend(shape.operands()),
        }
    }
    leaves
}

#[test]
fn random_automata_survive_the_round_trip() {
    let mut random = Random::new(2004);
    for round in 0..3_000 {
        let options = Options { size: 3 + round % 14, ..Options::default() };
        check_round_trip(&random_formula(&options, &mut random), &mut random);
    }
}

/// Changes single numbers and operators of what we write, so that much of it
/// is still an automaton, but none that a formula has.
#[test]
fn automata_of_others_survive_the_round_trip() {
    let mut random = Random::new(5);
    let mut n_read = 0;
    for round in 0..6_000 {
        let options = Options { size: 3 + round % 10, ..Options::default() };
        let [_, _, lwaa, _] = automata(&random_formula(&options, &mut random));
        let mut text = text_of(&lwaa).into_bytes();
        let body = text.windows(8).position(|part| part == b"--BODY--").unwrap();
        for _ in 0..=random.below(6) {
            let at = body + random.below(text.len() - body);
            match text[at] {
                b'0'..=b'9' | b't' => text[at] = b"0123t"[random.below(5)],
                b'&' | b'|' | b'!' => text[at] = b"&|! "[random.below(4)],
                b'}' => text[at] = b' ',
                b']' if random.coin() => text.splice(at..at, *b" & !0").for_each(drop),
                _ => (),
            }
        }
        let Some(automaton) = hoa::read(&text).ok() else { continue };
        let Ok(read_once) = Lwaa::from_hoa(&automaton) else { continue };
        n_read += 1;
        check_steps(&read_once, &mut random);
        let once = text_of(&read_once);
        let read_twice = read(&once);
        assert_eq!(text_of(&read_twice), once);
        let word = random_lasso(automaton.atoms.len(), 3, 3, &mut random);
        assert_eq!(accepts(&read_once, &word), accepts(&read_twice, &word));
        assert_eq!(accepts(&read_once, &word), accepts(&reduce(&read_once), &word));
    }
    assert!(1_000 < n_read, "{n_read}");
}

/// The value of a label as the reader of another project sees it.
fn their_value(label: &hoars::AbstractLabelExpression, letter: usize) -> bool {
    use hoars::AbstractLabelExpression::{Boolean, Conjunction, Disjunction, Integer, Negated};
    match label {
        Boolean(value) => *value,
        Integer(atom) => letter >> atom & 1 == 1,
        Negated(operand) => !their_value(operand, letter),
        Conjunction(list) => list.iter().all(|operand| their_value(operand, letter)),
        Disjunction(list) => list.iter().any(|operand| their_value(operand, letter)),
    }
}

fn our_value(label: &hoa::Label, letter: usize) -> bool {
    label.evaluate(
        |proposition| match proposition {
            hoa::Proposition::Constant(value) => *value,
            hoa::Proposition::Atom(atom) => letter >> atom.index() & 1 == 1,
            hoa::Proposition::Alias(_) => unreachable!("we write no aliases"),
        },
        |a| !a,
        |a, b| a && b,
        |a, b| a || b,
    )
}

#[track_caller]
fn check_edge(theirs: &hoars::Edge, state: &hoa::State, ours: &hoa::Edge) {
    let targets: Vec<String> =
        ours.targets.iter().map(|target| target.index().to_string()).collect();
    assert_eq!(theirs.state_conjunction().to_string(), targets.join(" & "));
    assert_eq!(theirs.acceptance_signature().len(), state.sets.len());
    let hoars::LabelExpression::Abstract(their_label) = &theirs.label().0 else {
        panic!("a label as it was written");
    };
    let our_label = ours.label.as_ref().unwrap();
    for letter in 0..8 {
        assert_eq!(their_value(their_label, letter), our_value(our_label, letter));
    }
}

#[test]
fn another_reader_reads_the_same() {
    let mut random = Random::new(13);
    for round in 0..300 {
        let options = Options { size: 3 + round % 10, ..Options::default() };
        for lwaa in automata(&random_formula(&options, &mut random)) {
            let automaton = lwaa.to_hoa(DEFAULT_LIMIT).unwrap();
            let theirs = hoars::input::from_hoa(&automaton.to_string()).unwrap();
            assert_eq!(theirs.verify(), Ok(()));
            assert_eq!(theirs.body().len(), automaton.states.len());
            for (theirs, (id, ours)) in theirs.body().iter().zip(automaton.states.entries()) {
                assert_eq!(theirs.id().to_string(), id.index().to_string());
                assert_eq!(theirs.comment(), ours.name.as_deref());
                assert_eq!(theirs.edges().len(), ours.edges.len());
                for (their_edge, our_edge) in theirs.edges().iter().zip(&ours.edges) {
                    check_edge(their_edge, ours, our_edge);
                }
            }
        }
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
    // The text doubles each time, the automaton has a location more.
    let mut terms = Terms::default();
    let mut root = terms.atom("p");
    for index in 0..60 {
        let next = terms.intern(Term::Next(root));
        let atom = terms.atom(&format!("p{index}"));
        let either = terms.intern(Term::Or(next, atom));
        let both = terms.intern(Term::And(next, either));
        root = terms.intern(Term::Finally(both));
    }
    let formula = Formula::new(terms, root);
    let nnf = nnf::from_formula(&formula);
    let automaton = from_nnf(nnf).to_hoa(DEFAULT_LIMIT).unwrap();
    assert!(automaton.states.iter().all(|state| state.name.as_ref().unwrap().len() < 1_100));
    assert!(automaton.states.iter().any(|state| state.name.as_ref().unwrap().ends_with('…')));
}

/// The words over one or two atoms on which `text` and `formula` must agree.
#[track_caller]
fn check_language(text: &str, formula: &str) {
    let lwaa = read(text);
    check_steps(&lwaa, &mut Random::new(1));
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
fn a_state_may_loop_in_several_ways() {
    check_language(
        r#"HOA: v1 Start: 0 Acceptance: 1 Fin(0) AP: 2 "a" "b" --BODY--
        State: 0 {0} [0] 0 [!0] 0&1 [0&1] 2 State: 1 [1] 2 State: 2 "true" [t] 2 --END--"#,
        "(a | X b) U (a & b)",
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
        writeln!(text, "State: {state} [t] {}", (state + 1).min(n - 1)).unwrap();
    }
    text += "--END--";
    let lwaa = read(&text);
    assert_eq!(lwaa.n_locations(), n);
    assert_eq!(lwaa.to_text().lines().count(), n + 2);
}
