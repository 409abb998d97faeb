//! Whether a system does what the traits ask of it, as far as a search can see.
//!
//! A system that breaks a promise could get a wrong verdict: states are lost if different ones
//! have the same words, and a process that does not exist is never treated unfairly. So some
//! expansions of states are done twice, the first ones and then a few of many; what is found
//! becomes an error instead of a verdict. The cost is the share of what is done twice.

use super::System;
use std::sync::OnceLock;

/// So many expansions at the beginning of a search are looked at closely.
const N_FIRST: u64 = 1024;
/// Later it is one in so many.
const ONE_IN: u64 = 256;

/// Whether the expansion of this number is one that is looked at closely.
pub(super) fn is_sample(n_expanded: u64) -> bool {
    n_expanded < N_FIRST || n_expanded.is_multiple_of(ONE_IN)
}

/// The first promise that a system was seen to break. All workers share it.
#[derive(Debug, Default)]
pub(super) struct Broken(OnceLock<String>);

impl Broken {
    /// What is wrong with the system, if anything was seen.
    pub(super) fn message(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    /// Notes what `message` says. Only the first note is kept.
    pub(super) fn note(&self, message: impl FnOnce() -> String) {
        self.0.get_or_init(message);
    }

    /// Looks for names that are given twice.
    pub(super) fn look_at_names<'a>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'a str> + Clone,
    ) {
        let mut sorted: Vec<&str> = names.collect();
        sorted.sort_unstable();
        if let Some([name, ..]) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            self.note(|| format!("two {what} have the same name `{name}`"));
        }
    }

    /// Asks for the actions of a state a second time, and counts them.
    pub(super) fn look_at_actions<S: System>(
        &self,
        system: &S,
        state: &S::State,
        n_actions: usize,
    ) {
        let mut again = Vec::with_capacity(n_actions);
        system.actions(state, &mut again);
        if again.len() != n_actions {
            self.note(|| {
                format!(
                    "`actions` gives {n_actions} actions in {state:?}, and {} when it is asked \
                     again",
                    again.len()
                )
            });
        }
    }

    /// Asks for a step a second time, and compares.
    pub(super) fn look_at_step<S: System>(
        &self,
        system: &S,
        state: &S::State,
        action: &S::Action,
        next: Option<&S::State>,
    ) {
        if system.next(state, action).as_ref() != next {
            self.note(|| {
                format!("`next` gives different states for the action `{action:?}` in {state:?}")
            });
        }
    }
}
