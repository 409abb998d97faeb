//! Traces are read as they are written, and nothing else is.

use super::*;
use crate::id::Id;
use crate::report::example_program::{packed, two_workers};
use crate::testbench::Random;

const STEP: &str = r#"{"state":{"phase":["idle",1],"turn":2,"count":5},"process":"worker(1)","action":"stop","pending":["F p"]}"#;

#[track_caller]
fn check_error(text: &str, is_foreign: bool, place: &str, message: &str) {
    let program = two_workers();
    let error = match read(text, &States::new(&program)).unwrap_err() {
        TraceError::Malformed(error) if !is_foreign => error,
        TraceError::Foreign { position: 0, error } if is_foreign => error,
        other => panic!("{other:?}"),
    };
    assert_eq!((&text[error.span], &*error.message), (place, message));
}

#[test]
fn what_is_written_is_read() {
    let program = two_workers();
    let states = States::new(&program);
    let moment = |state, taken: Option<usize>| Moment {
        state: packed(&program, state),
        taken: taken.map(TransitionId::new),
        pending: ["F p".into()].into(),
    };
    let moments = vec![moment(&[0, 1, 1, 3], Some(3)), moment(&[0, 0, 2, 4], None)];
    for ending in [Ending::Cycle { start: 1 }, Ending::Open] {
        let run = Run { moments: moments.clone(), ending };
        let mut text = Vec::new();
        let mut object = Object::begin(&mut text).unwrap();
        object.field("schema", 1).unwrap();
        add(&mut object, &run, &states).unwrap();
        object.end().unwrap();
        let text = String::from_utf8(text).unwrap();
        let in_results = format!(r#"{{"schema": 1, "results": [{{}}, {text}]}}"#);
        for text in [text, in_results] {
            let found = read(&text, &states).unwrap();
            assert_eq!(found.run.ending, run.ending);
            assert_eq!(found.spans.len(), moments.len());
            for (position, moment) in moments.iter().enumerate() {
                assert_eq!(found.run.moments[position].state, moment.state);
                assert_eq!(found.candidates[position], moment.taken.as_slice());
            }
        }
    }
}

#[test]
fn malformed_files_have_a_place() {
    check_error("[]", false, "[]", "expected an object");
    check_error("{}", false, "{", "there is no field `schema`");
    let other_schema = "expected 1: this file has another schema";
    check_error(r#"{"schema":2}"#, false, "2", other_schema);
    check_error(r#"{"schema":1}"#, false, "{", "there is no run in this file");
    let empty = "there is no step in this list";
    check_error(r#"{"schema":1,"trace":[]}"#, false, "[]", empty);
    let no_cycle = format!(r#"{{"schema":1,"lasso":{{"prefix":[{STEP}],"cycle":[]}}}}"#);
    check_error(&no_cycle, false, "[]", empty);
    check_error(r#"{"schema":1,"trace":[{}]}"#, false, "{", "there is no field `state`");
}

#[test]
fn foreign_things_have_a_place() {
    let check = |from: &str, to: &str, place: &str, message: &str| {
        assert!(STEP.contains(from));
        let text = format!(r#"{{"schema":1,"trace":[{}]}}"#, STEP.replace(from, to));
        check_error(&text, true, place, message);
    };
    check("\"turn\"", "\"twist\"", "\"twist\"", "the model has no variable `twist`");
    check("\"turn\":2,", "", "{", "`turn` has no value");
    check("5", "8", "8", "`count` cannot have this value");
    check("\"idle\"", "\"lazy\"", "\"lazy\"", "`phase` cannot have this value");
    check("\"idle\",", "", "[1]", "`phase` has 2 elements");
    check("5", "5,\"table\":[1]", "[1]", "`table` has 1000 elements");
    check("\"stop\"", "\"halt\"", "\"halt\"", "the model has no transition `halt` of `worker(1)`");
}

/// Changes some bytes of a good trace. Whatever comes out is read or
/// refused, and the place of a message is in the text.
#[test]
fn damaged_files_are_answered() {
    let program = two_workers();
    let states = States::new(&program);
    let good = format!(r#"{{"schema":1,"lasso":{{"prefix":[{STEP}],"cycle":[{STEP}]}}}}"#);
    assert!(read(&good, &states).is_ok());
    let mut random = Random::new(1);
    for _ in 0..20_000 {
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => drop(bytes.remove(at)),
                1 => bytes.insert(at, b"\"\\{}[],:0n"[random.below(10)]),
                _ => bytes[at] = b"\"\\{}[],:9-"[random.below(10)],
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Err(TraceError::Malformed(error) | TraceError::Foreign { error, .. }) =
            read(&text, &states)
        {
            assert!(text.get(error.span.clone()).is_some(), "{text}: {error:?}");
        }
    }
}
