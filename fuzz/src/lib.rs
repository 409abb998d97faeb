//! What the fuzz targets have in common: what is done with an input, and what has to be true then.
//!
//! An input is accepted or rejected with a message that points into it. What is accepted is
//! written and read again, run, and checked by two engines that share little, with limits so
//! small that an input takes milliseconds. Everything else is a panic, and that is what the
//! fuzzer looks for.

mod automata;
mod formulas;
mod models;
#[path = "../../tests/support/random_model.rs"]
mod random_model;

pub use automata::{automaton, hoa};
pub use formulas::{formula, requirements};
pub use models::{model, trace, verdict};

use lwaa::Options;
use lwaa::baseline::translation::Translation;
use lwaa::check::{Exploration, Method};
use lwaa::search::limits::Limits;
use std::time::Duration;

/// A method with limits that keep the fuzzer going. The limit of time is for inputs on which
/// the others are of no use.
fn options(method: Method) -> Options {
    let limits =
        Limits { states: Some(500), time: Some(Duration::from_secs(1)), ..Limits::default() };
    Options { method, limits, ..Options::default() }
}

/// The methods that have to agree: our search, and explicit automata.
fn methods() -> [Method; 2] {
    [Exploration::default().into(), Translation::Gpvw.into()]
}

/// Panics unless a message says something about a part of the text.
#[track_caller]
fn assert_points_into(text: &str, start: usize, end: usize, message: &str) {
    let part = text.get(start..end);
    assert!(part.is_some(), "{start}..{end} is no part of {text:?}: {message}");
    assert!(!message.is_empty(), "there is no message about {text:?}");
}
