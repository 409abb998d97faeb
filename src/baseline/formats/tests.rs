//! Every format keeps the language, and a text that is none is told so.

use super::*;
use crate::baseline::cube::Cube;
use crate::baseline::nba::{Builder, StateId};
use crate::baseline::word_graph::accepts;
use crate::id::Id;
use crate::search::MarkId;
use crate::search::limits::{Budget, Limits, Monitor};
use crate::testbench::Random;
use crate::testbench::lassos::random_lasso;
use crate::word::{Atoms, Lasso, Letter};

/// What a random automaton looks like.
#[derive(Clone, Copy)]
pub(in crate::baseline) struct Shape {
    pub(in crate::baseline) n_sets: usize,
    pub(in crate::baseline) on_states: bool,
}

/// A random automaton; some atoms have names that need to be quoted.
pub(in crate::baseline) fn random_automaton(shape: Shape, random: &mut Random) -> Nba {
    let mut atoms = Atoms::default();
    let names = ["p", "p0", "fork[1] == 0", "say \"hi\" \\ twice", "goto", "atom_0"];
    let n_atoms = 1 + random.below(4);
    let atoms_by_number: Vec<_> =
        (0..n_atoms).map(|_| atoms.intern(names[random.below(names.len())])).collect();
    let mut builder = Builder::new(atoms, shape.n_sets);
    let states: Vec<StateId> = (0..=random.below(4)).map(|_| builder.add_state()).collect();
    for &state in &states {
        if random.chance(0.5) {
            builder.add_initial(state);
        }
        let sets = |random: &mut Random| -> Vec<MarkId> {
            (0..shape.n_sets).filter(|_| random.chance(0.4)).map(MarkId::new).collect()
        };
        let of_state = sets(random);
        for _ in 0..random.below(5) {
            let mut cube = Cube::truth();
            for &atom in &atoms_by_number {
                if random.chance(0.4) {
                    cube = cube.and(&Cube::literal(atom, random.coin())).unwrap_or(cube);
                }
            }
            let marks = if shape.on_states { of_state.clone() } else { sets(random) };
            builder.add_edge(state, &cube, marks, states[random.below(states.len())]);
        }
    }
    builder.finish()
}

pub(in crate::baseline) fn is_accepted(automaton: &Nba, word: &Lasso<Letter>) -> bool {
    let monitor = Monitor::default();
    accepts(automaton, word, &mut Budget::new(Limits::default(), &monitor)).unwrap()
}

/// A word over the atoms of one automaton as one over those of another, which
/// knows at most as many.
pub(in crate::baseline) fn renamed(
    word: &Lasso<Letter>,
    from: &Atoms,
    to: &Atoms,
) -> Lasso<Letter> {
    let letter = |letter: &Letter| {
        letter.iter().filter_map(|atom| to.find(from.name(atom))).collect::<Letter>()
    };
    Lasso::new(
        word.prefix().iter().map(letter).collect(),
        word.cycle().iter().map(letter).collect(),
    )
    .unwrap()
}

/// Writes and reads random automata, and compares them on random words.
#[track_caller]
fn check_round_trips(seed: u64, shapes: &[Shape], again: impl Fn(&Nba) -> Nba) {
    let mut random = Random::new(seed);
    let mut verdicts = [0; 2];
    for round in 0..400 {
        let automaton = random_automaton(shapes[round % shapes.len()], &mut random);
        let read = again(&automaton);
        for _ in 0..20 {
            let word = random_lasso(automaton.atoms().len(), 3, 4, &mut random);
            let expected = is_accepted(&automaton, &word);
            let renamed = renamed(&word, automaton.atoms(), read.atoms());
            assert_eq!(is_accepted(&read, &renamed), expected, "{}", automaton.to_hoa());
            verdicts[usize::from(expected)] += 1;
        }
    }
    assert!(verdicts.iter().all(|&n| 500 < n), "{verdicts:?}");
}

const SHAPES: &[Shape] = &[
    Shape { n_sets: 0, on_states: true },
    Shape { n_sets: 1, on_states: true },
    Shape { n_sets: 1, on_states: false },
    Shape { n_sets: 2, on_states: true },
    Shape { n_sets: 2, on_states: false },
];

#[test]
fn hoa_keeps_the_language() {
    check_round_trips(1, SHAPES, |automaton| {
        let text = automaton.to_hoa().to_string();
        let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.n_states(), automaton.n_states());
        again
    });
}

#[test]
fn never_claims_keep_the_language() {
    check_round_trips(2, &SHAPES[..2], |automaton| {
        let text = never::write(automaton, "some /* claim */").unwrap();
        let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert!(again.is_state_based());
        again
    });
}

#[test]
fn lbt_keeps_the_language() {
    check_round_trips(3, SHAPES, |automaton| {
        let text = lbt::write(automaton);
        let again = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(again.n_sets(), automaton.n_sets());
        again
    });
}

/// Another reader of the format agrees that this is one.
#[test]
fn other_readers_take_our_documents() {
    let mut random = Random::new(4);
    for round in 0..100 {
        let mut automaton = random_automaton(SHAPES[round % SHAPES.len()], &mut random);
        automaton = crate::baseline::initial::single(&automaton).into_owned();
        // It takes no quotation marks within names.
        let text = automaton.to_hoa().to_string().replace("say \\\"hi\\\" \\\\ twice", "say hi");
        assert!(hoars::HoaRepresentation::try_from(text.as_str()).is_ok());
    }
}

#[test]
fn formats_are_told_apart() {
    assert_eq!(format("\n HOA: v1"), Some(Format::Hoa));
    assert_eq!(format("/* a comment */ HOA: v1"), Some(Format::Hoa));
    assert_eq!(format("never { }"), Some(Format::Never));
    assert_eq!(format("/* G p */ never { }"), Some(Format::Never));
    assert_eq!(format("#define p (x == 1)\nnever { }"), Some(Format::Never));
    assert_eq!(format("2 1t\n"), Some(Format::Lbt));
    assert_eq!(format("digraph G {}"), None);
    assert_eq!(format(""), None);
}

#[track_caller]
fn check_error(text: &str, expected: &str) {
    let error = read(text).unwrap_err();
    let place = error.position(text).map_or_else(String::new, |(line, column)| {
        format!("{line}:{column} `{}`: ", &text[error.span.unwrap().range()])
    });
    assert_eq!(format!("{place}{error}"), expected);
}

#[test]
fn what_is_no_automaton_is_told_so() {
    check_error("digraph", "1:1 ``: expected an automaton: `HOA:`, `never` or the numbers of LBT");
    check_error("HOA: v2", "1:6 `v2`: version `v2` of the format is not supported, only `v1` is");
    let twice = "HOA: v1 Acceptance: 0 t --BODY-- --END--\n".repeat(2);
    check_error(&twice, "there are 2 automata instead of one");
    assert_eq!(read_all(&twice).unwrap().len(), 2);
}

#[test]
fn conditions_of_other_formats_are_limited_too() {
    let parity: Vec<String> = (0..20).map(|atom| format!("^ p{atom}")).collect();
    let parity = parity.join(" ");
    let text = format!("1 0\n0 1 -1\n0 {parity} p20\n-1");
    check_error(&text, "3:1 `0`: a label amounts to more than 4096 conjunctions of literals");
}
