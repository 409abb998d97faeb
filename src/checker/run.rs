//! A run with the states and actions of its own system.

use super::Subject;
use crate::report::trace::{DEFAULT_WIDTH, write};
use crate::run;
use crate::verdict::Violation;
use std::fmt::{Display, Formatter};

/// A step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RunStep<S, A> {
    /// The state.
    pub state: S,
    /// The action that leads from this state to the next one. (`Display` shows it in the line of
    /// the next state.) `None` where the run stays for ever since no action is possible, and in
    /// the last state of a run that ends.
    pub action: Option<A>,
}

/// A run of a system: a prefix and then, for infinite runs, a cycle for ever. It is certified:
/// every step has been taken again, and the formula has been evaluated on it by definition.
///
/// `Display` shows it for people: what each step does, and what it changes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Run<S, A> {
    /// The steps that are taken once.
    pub prefix: Vec<RunStep<S, A>>,
    /// The steps that are repeated for ever; none if the run ends.
    pub cycle: Vec<RunStep<S, A>>,
    /// The first position from which on nothing that follows could satisfy the formula, if there
    /// is one. Positions count the steps of the prefix and then of the cycle.
    pub violated_at: Option<usize>,
    text: String,
}

impl<S, A> Run<S, A> {
    pub(super) fn new<M: Subject<State = S, Action = A>>(
        subject: &M,
        system: &M::System,
        run: &run::Run,
        violation: Option<&Violation>,
    ) -> Self {
        let mut text = Vec::new();
        subject.describe(system, &mut |words| {
            let written = write(&mut text, run, violation, words, DEFAULT_WIDTH);
            debug_assert!(written.is_ok(), "a list takes all");
        });
        let steps = run.moments.iter().map(|moment| RunStep {
            state: subject.state(system, &moment.state),
            action: moment.taken.and_then(|taken| subject.action(system, &moment.state, taken)),
        });
        let mut prefix: Vec<RunStep<S, A>> = steps.collect();
        let cycle = prefix.split_off(run.cycle_start());
        let text = String::from_utf8_lossy(&text).trim_end().to_owned();
        Self { prefix, cycle, violated_at: violation.map(|found| found.position), text }
    }

    /// All steps: those of the prefix, and those of the cycle once.
    pub fn steps(&self) -> impl Iterator<Item = &RunStep<S, A>> {
        self.prefix.iter().chain(&self.cycle)
    }
}

impl<S, A> Display for Run<S, A> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
