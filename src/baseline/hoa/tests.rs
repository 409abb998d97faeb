//! Documents as other programs print them, and what we make of them.

use super::*;
use crate::baseline::formats::tests::{Shape, is_accepted, random_automaton, renamed};
use crate::hoa;
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::word::{AtomId, Atoms, Lasso, Letter};

fn read(text: &str) -> Nba {
    Nba::from_hoa(&hoa::read(text).unwrap()).unwrap()
}

/// A word over `a` and `b`, written as `a ab - | b`: the letters before the bar
/// once, the others for ever.
fn word(text: &str, atoms: &Atoms) -> Lasso<Letter> {
    let letter = |word: &str| -> Letter {
        word.chars().filter_map(|name| atoms.find(&name.to_string())).collect()
    };
    let letters = |text: &str| text.split_whitespace().map(letter).collect();
    let (prefix, cycle) = text.split_once('|').unwrap();
    Lasso::new(letters(prefix), letters(cycle)).unwrap()
}

#[track_caller]
fn check(document: &str, accepted: &[&str], rejected: &[&str]) {
    let automaton = read(document);
    for (words, expected) in [(accepted, true), (rejected, false)] {
        for text in words {
            let word = word(text, automaton.atoms());
            assert_eq!(is_accepted(&automaton, &word), expected, "{text}");
        }
    }
}

#[test]
fn a_generalized_condition_on_edges() {
    let document = r#"HOA: v1
        name: "GFa & GFb"
        States: 1
        Start: 0
        AP: 2 "a" "b"
        acc-name: generalized-Buchi 2
        Acceptance: 2 Inf(0)&Inf(1)
        properties: trans-labels explicit-labels trans-acc complete deterministic
        --BODY--
        State: 0
        [0&1] 0 {0 1}
        [0&!1] 0 {0}
        [!0&1] 0 {1}
        [!0&!1] 0
        --END--"#;
    check(document, &["| a b", "- | ab", "| a - b"], &["ab | a", "ab | b", "| -"]);
    insta::assert_snapshot!(read(document).to_hoa(), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 1
    Start: 0
    AP: 2 "a" "b"
    acc-name: generalized-Buchi 2
    Acceptance: 2 Inf(0) & Inf(1)
    properties: no-univ-branch trans-labels explicit-labels trans-acc deterministic
    --BODY--
    State: 0
    [0 & 1] 0 {0 1}
    [0 & !1] 0 {0}
    [!0 & 1] 0 {1}
    [!0 & !1] 0
    --END--
    "#);
}

#[test]
fn acceptance_on_states_and_several_initial_ones() {
    // G a | G b
    let document = r#"HOA: v1 States: 2 Start: 0 Start: 1 AP: 2 "a" "b" acc-name: Buchi
        Acceptance: 1 Inf(0) properties: state-acc
        --BODY-- State: 0 {0} [0] 0 State: 1 {0} [1] 1 --END--"#;
    check(document, &["| a", "| b", "ab | a"], &["a | b", "| -"]);
    insta::assert_snapshot!(read(document).to_hoa(), @r#"
    HOA: v1
    tool: "lwaa" "0.1.0"
    States: 2
    Start: 0
    Start: 1
    AP: 2 "a" "b"
    acc-name: Buchi
    Acceptance: 1 Inf(0)
    properties: no-univ-branch trans-labels explicit-labels state-acc
    --BODY--
    State: 0 {0}
    [0] 0
    State: 1 {0}
    [1] 1
    --END--
    "#);
}

#[test]
fn labels_of_states_aliases_and_implicit_labels() {
    // F (a ^ b), with a label on the state that waits for nothing more
    let document = r#"HOA: v1 States: 2 Start: 0 AP: 2 "a" "b" Alias: @x 0 & !1 Alias: @y @x | !0 & 1
        Acceptance: 1 Inf(0)
        --BODY-- State: 0 [!@y] 0 [@y] 1 State: [t] 1 {0} 1 --END--"#;
    check(document, &["a | -", "ab ab b | ab"], &["| ab -", "ab | -"]);
    // X (a & b): the letters are in the order of their bits
    let document = r#"HOA: v1 States: 4 Start: 0 AP: 2 "a" "b" Acceptance: 0 t
        --BODY-- State: 0 1 1 1 1 State: 1 3 3 3 2 State: 2 2 2 2 2
        State: [f] 3 3 --END--"#;
    check(document, &["- ab | -", "ab ab | a"], &["- a | -", "ab - | ab"]);
}

#[test]
fn any_condition_is_understood() {
    let on_one_state = |n_sets: usize, condition: &str, edges: &str| {
        format!(
            "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: {n_sets} {condition} \
             --BODY-- State: 0 {edges} --END--"
        )
    };
    let seen = "[0&1] 0 {0 1} [0&!1] 0 {0} [!0&1] 0 {1} [!0&!1] 0";
    // co-Büchi, F G !a
    check(&on_one_state(2, "Fin(0)", seen), &["a a | b -"], &["| a b", "| a"]);
    // F G a by a complement
    check(&on_one_state(2, "Fin(!0)", seen), &["- | a ab"], &["| a b"]);
    check(&on_one_state(2, "Inf(!0)", seen), &["| a b"], &["| a ab"]);
    // Rabin and Streett
    check(&on_one_state(2, "Fin(0) & Inf(1)", seen), &["a | b"], &["| ab", "| a b", "| -"]);
    check(&on_one_state(2, "Fin(0) | Inf(1)", seen), &["a | -", "| a b"], &["| a -"]);
    let streett = "(Fin(0) | Inf(1)) & (Fin(1) | Inf(0))";
    check(&on_one_state(2, streett, seen), &["ab | -", "| a b"], &["| a", "b | - b"]);
    // all and none
    check(&on_one_state(2, "t", seen), &["| -", "| a"], &[]);
    check(&on_one_state(2, "f", seen), &[], &["| -", "| a"]);
    check(&on_one_state(2, "Inf(0) | Inf(1)", seen), &["| a", "| - b"], &["ab | -"]);
}

/// Every random condition, evaluated on what a run of a deterministic automaton
/// visits for ever.
#[test]
fn random_conditions_mean_what_they_say() {
    let mut random = Random::new(6);
    let mut verdicts = [0; 2];
    for _ in 0..300 {
        let mut open: Vec<Condition> = (0..=random.below(5))
            .map(|_| {
                let (set, complemented) = (SetId::new(random.below(3)), random.chance(0.3));
                Condition::leaf(if random.coin() {
                    Visits::Infinitely { set, complemented }
                } else {
                    Visits::Finitely { set, complemented }
                })
            })
            .collect();
        while let [.., _, _] = open[..] {
            let right = open.swap_remove(random.below(open.len()));
            let left = open.swap_remove(random.below(open.len()));
            open.push(if random.coin() { left.and(right) } else { left.or(right) });
        }
        let shape = Shape { n_sets: 3, on_states: false };
        let mut document = random_automaton(shape, &mut random).to_hoa();
        // One state that reads every letter: which sets it is in is a function
        // of the letter.
        let text = "HOA: v1 States: 1 Start: 0 AP: 2 \"a\" \"b\" Acceptance: 3 t --BODY-- State: 0 \
                    0 {0} 0 {1 2} 0 {0 1} 0 --END--";
        document.clone_from(&hoa::read(text).unwrap());
        document.acceptance.condition = open[0].clone();
        let automaton = Nba::from_hoa(&document).unwrap();
        for _ in 0..10 {
            let word = random_lasso(2, 2, 3, &mut random);
            let visited: Vec<&[SetId]> = word
                .cycle()
                .iter()
                .map(|letter| {
                    let bit = |atom| usize::from(letter.contains(AtomId::new(atom)));
                    document.states[hoa::StateId::new(0)].edges[bit(0) + 2 * bit(1)].sets.as_slice()
                })
                .collect();
            let seen = |set: SetId, complemented: bool| {
                visited.iter().any(|sets| sets.contains(&set) != complemented)
            };
            let expected = open[0].evaluate(
                |visits| match *visits {
                    Visits::Constant(value) => value,
                    Visits::Infinitely { set, complemented } => seen(set, complemented),
                    Visits::Finitely { set, complemented } => !seen(set, complemented),
                },
                |_| unreachable!(),
                |a, b| a & b,
                |a, b| a | b,
            );
            let word = renamed(&word, &document.atoms, automaton.atoms());
            assert_eq!(is_accepted(&automaton, &word), expected, "{}", open[0]);
            verdicts[usize::from(expected)] += 1;
        }
    }
    assert!(verdicts.iter().all(|&n| 500 < n), "{verdicts:?}");
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = Nba::from_hoa(&hoa::read(text).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), expected);
}

#[test]
fn what_is_not_understood_is_refused() {
    check_error(
        "HOA: v1 States: 2 Start: 0 Acceptance: 0 t --BODY-- State: 0 [t] 0&1 State: 1 --END--",
        "the automaton is alternating: an edge of state 0 enters several states at once",
    );
    check_error(
        "HOA: v1 States: 2 Start: 0&1 Acceptance: 0 t --BODY-- State: 0 State: 1 --END--",
        "the automaton is alternating: its runs begin in several states at once",
    );
    check_error(
        "HOA: v1 States: 0 Acceptance: 0 t Twisted: 1 --BODY-- --END--",
        "the line `Twisted:` of the header may change the meaning of the automaton",
    );
    let pairs: Vec<String> =
        (0..9).map(|pair| format!("(Fin({}) | Inf({}))", 2 * pair, 2 * pair + 1)).collect();
    let condition = pairs.join(" & ");
    check_error(
        &format!("HOA: v1 States: 0 Acceptance: 18 {condition} --BODY-- --END--"),
        &format!(
            "the acceptance condition `{condition}` is too complicated: as generalized Büchi \
             acceptance it has more than 256 cases or clauses"
        ),
    );
}
