//! Runs as text.

use super::super::example_program::{packed, two_workers};
use super::super::state::States;
use super::*;
use crate::id::Id;
use crate::lang::program::Program;
use crate::system::FaultKind;

fn moment(program: &Program, state: [i64; 4], taken: Option<usize>, pending: &[&str]) -> Moment {
    Moment {
        state: packed(program, &state),
        taken: taken.map(TransitionId::new),
        pending: pending.iter().map(|&text| text.into()).collect(),
    }
}

fn text(program: &Program, run: &Run) -> String {
    let mut out = Vec::new();
    write(&mut out, run, None, &States::new(program), DEFAULT_WIDTH).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_lasso_has_a_prefix_and_a_cycle() {
    let program = two_workers();
    let moments = vec![
        moment(&program, [0, 0, 0, 0], Some(0), &["F G !busy"]),
        moment(&program, [1, 0, 0, 0], Some(1), &["G !busy", "F p"]),
        moment(&program, [0, 0, 1, 1], Some(2), &[]),
    ];
    let run = Run { moments, ending: Ending::Cycle { start: 1 } };
    insta::assert_snapshot!(text(&program, &run), @r"
    prefix: 1 state
      0  (initial state)   phase = [idle, idle], turn = 0, count = 0, table = [7 × 1000]
                           pending: F G !busy
    cycle: 2 states, repeated for ever
      1  worker(0): start  phase[0] = busy
                           pending: G !busy, F p
      2  worker(0): stop   phase[0] = idle, turn = 1, count = 1
                           pending: nothing
      1  worker(1): start  phase[0] = busy, turn = 0, count = 0
         (state 1 again)
    ");
}

#[test]
fn a_deadlock_is_said_in_words() {
    let program = two_workers();
    let moments = vec![moment(&program, [0, 0, 2, 0], None, &[])];
    let mut run = Run { moments, ending: Ending::Cycle { start: 0 } };
    insta::assert_snapshot!(text(&program, &run), @r"
    prefix: empty
    cycle: 1 state, repeated for ever
      0  (initial state)  phase = [idle, idle], turn = 2, count = 0, table = [7 × 1000]
         (a deadlock: no transition is enabled, so the run stays here for ever)
    ");
    run.ending = Ending::Deadlock;
    insta::assert_snapshot!(text(&program, &run), @r"
    trace: 1 state
      0  (initial state)  phase = [idle, idle], turn = 2, count = 0, table = [7 × 1000]
         (a deadlock: no transition is enabled)
    ");
}

#[test]
fn an_error_names_its_transition() {
    let program = two_workers();
    let moments = vec![
        moment(&program, [0, 0, 0, 7], Some(0), &[]),
        moment(&program, [1, 0, 0, 7], Some(1), &[]),
    ];
    let kind = FaultKind::DivisionByZero;
    let fault = Fault { kind, transition: Some(TransitionId::new(1)) };
    let run = Run { moments, ending: Ending::Fault(fault) };
    insta::assert_snapshot!(text(&program, &run), @r"
    trace: 2 states
      0  (initial state)   phase = [idle, idle], turn = 0, count = 7, table = [7 × 1000]
      1  worker(0): start  phase[0] = busy
         (worker(0): stop goes wrong here: division by zero)
    ");
}

#[test]
fn long_lines_are_broken_between_entries() {
    let entries: Vec<String> = (0..30).map(|i| format!("x{i} = 0")).collect();
    let mut out = Vec::new();
    Columns::new(1, 0, DEFAULT_WIDTH).write_line(&mut out, "0", "p", &entries).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(text.lines().all(|line| line.chars().count() <= DEFAULT_WIDTH), "{text}");
}
