//! Systems written in Rust that break a promise of their traits get an error, never a verdict.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use lwaa::{Checker, CheckerError, Pack, Proposition, Subject, System};
use std::sync::atomic::{AtomicU32, Ordering};

/// Counts to a hundred and begins again. It keeps all promises but the one that is named.
#[derive(Default)]
struct Counter {
    breaks: &'static str,
    n_asked: AtomicU32,
}

fn breaking(promise: &'static str) -> Counter {
    Counter { breaks: promise, n_asked: AtomicU32::new(0) }
}

impl Counter {
    /// Another number each time.
    fn another(&self) -> u32 {
        self.n_asked.fetch_add(1, Ordering::Relaxed)
    }
}

impl System for Counter {
    type State = u32;
    type Action = &'static str;

    fn initial(&self) -> Vec<u32> {
        if self.breaks == "initial" { Vec::new() } else { vec![0] }
    }

    fn actions(&self, _: &u32, actions: &mut Vec<&'static str>) {
        actions.push("count");
        if self.breaks == "actions" && self.another() % 2 == 1 {
            actions.push("stop");
        }
    }

    fn next(&self, state: &u32, _: &&'static str) -> Option<u32> {
        let skipped = if self.breaks == "next" { self.another() % 2 } else { 0 };
        Some((state + 1 + skipped) % 100)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        let twice = if self.breaks == "propositions" { "low" } else { "high" };
        vec![
            Proposition::new("low", |_, state: &u32| *state < 99),
            Proposition::new(twice, |_, state: &u32| *state == 99),
        ]
    }

    fn processes(&self) -> Vec<String> {
        let twice = if self.breaks == "processes" { "counter" } else { "other" };
        vec!["counter".to_owned(), twice.to_owned()]
    }

    fn process(&self, _: &&'static str) -> usize {
        if self.breaks == "process" { 7 } else { 0 }
    }
}

impl Pack for Counter {
    fn n_words(&self) -> usize {
        1
    }

    fn pack(&self, state: &u32, words: &mut [u64]) {
        // Six bits are too few for a hundred states.
        let bits = if self.breaks == "pack" { 63 } else { 127 };
        words[0] = u64::from(*state) & bits;
    }

    fn unpack(&self, words: &[u64]) -> u32 {
        u32::try_from(words[0]).unwrap()
    }
}

fn message<S: Subject>(checker: &Checker<S>) -> String {
    let explored = checker.explore().map(|size| size.states);
    match checker.check("G low") {
        Err(CheckerError::System(message)) => {
            assert_eq!(explored, Err(CheckerError::System(message.clone())));
            message
        }
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("there is a verdict"),
    }
}

#[test]
fn promises_that_are_kept_give_a_verdict() {
    for checker in [Checker::new(breaking("")), Checker::packed(breaking(""))] {
        assert!(checker.check("G low").unwrap().is_violated());
        assert_eq!(checker.explore().unwrap().states, 100);
    }
}

#[test]
fn promises_that_are_broken_are_named() {
    for (broken, expected) in [
        ("initial", "it has no initial state, so every formula would hold"),
        ("propositions", "two propositions have the same name `low`"),
        ("processes", "two processes have the same name `counter`"),
        ("process", "`process` gives 7 for the action `\"count\"`, and there are 2 processes"),
    ] {
        assert_eq!(message(&Checker::new(breaking(broken))), expected);
        assert_eq!(message(&Checker::packed(breaking(broken))), expected);
    }
}

#[test]
fn states_that_are_packed_alike_are_no_states_that_hold() {
    let packed = Checker::packed(breaking("pack"));
    assert_eq!(message(&packed), "`unpack` does not give back what `pack` was given: 64");
    // Nothing is packed here.
    assert!(Checker::new(breaking("pack")).check("G low").unwrap().is_violated());
}

#[test]
fn answers_that_change_are_no_answers() {
    let next = message(&Checker::new(breaking("next")));
    assert!(next.starts_with("`next` gives different states for the action `\"count\"`"), "{next}");
    let actions = message(&Checker::new(breaking("actions")));
    assert!(actions.starts_with("`actions` gives"), "{actions}");
}
