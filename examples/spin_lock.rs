//! A lock that two threads take, checked as part of `cargo test`.
//!
//! The guide builds this program step by step: see "Use it from Rust" in the book.

#![allow(clippy::print_stdout, reason = "an example prints")]

use lwaa::{Checker, Proposition, System};

/// Two threads that take a lock again and again.
struct SpinLock {
    /// Whether a thread looks at the lock and takes it in one step.
    is_atomic: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Thread {
    Outside,
    /// The thread has seen that the lock is free, and has not yet taken it.
    SawFree,
    Inside,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    is_locked: bool,
    threads: [Thread; 2],
}

/// What a thread does, with the number of the thread.
#[derive(Clone, Copy, Debug)]
enum Step {
    Look(usize),
    Take(usize),
    Leave(usize),
}

impl System for SpinLock {
    type State = State;
    type Action = Step;

    fn initial(&self) -> Vec<State> {
        vec![State { is_locked: false, threads: [Thread::Outside; 2] }]
    }

    fn actions(&self, _: &State, actions: &mut Vec<Step>) {
        // `next` sorts out what is not possible.
        for thread in 0..2 {
            actions.extend([Step::Look(thread), Step::Take(thread), Step::Leave(thread)]);
        }
    }

    fn next(&self, state: &State, step: &Step) -> Option<State> {
        let mut next = state.clone();
        match (*step, state.threads[self.process(step)]) {
            (Step::Look(thread), Thread::Outside) if !self.is_atomic && !state.is_locked => {
                next.threads[thread] = Thread::SawFree;
            }
            (Step::Take(thread), Thread::Outside) if self.is_atomic && !state.is_locked => {
                next.threads[thread] = Thread::Inside;
                next.is_locked = true;
            }
            (Step::Take(thread), Thread::SawFree) => {
                next.threads[thread] = Thread::Inside;
                next.is_locked = true;
            }
            (Step::Leave(thread), Thread::Inside) => {
                next.threads[thread] = Thread::Outside;
                next.is_locked = false;
            }
            _ => return None,
        }
        Some(next)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![
            Proposition::new("first", |_, state: &State| state.threads[0] == Thread::Inside),
            Proposition::new("second", |_, state: &State| state.threads[1] == Thread::Inside),
        ]
    }

    fn processes(&self) -> Vec<String> {
        vec!["thread 0".to_owned(), "thread 1".to_owned()]
    }

    fn process(&self, step: &Step) -> usize {
        let (Step::Look(thread) | Step::Take(thread) | Step::Leave(thread)) = step;
        *thread
    }
}

fn main() -> Result<(), lwaa::CheckerError> {
    for is_atomic in [true, false] {
        let verdict =
            Checker::new(SpinLock { is_atomic }).shortest().check("G !(first & second)")?;
        println!("in one step: {is_atomic}; {verdict}\n");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_exclude_each_other() {
        let checker = Checker::new(SpinLock { is_atomic: true }).shortest();
        checker.assert_holds("G !(first & second)");
    }

    #[test]
    fn no_thread_waits_for_ever() {
        let checker = Checker::new(SpinLock { is_atomic: true }).strongly_fair();
        checker.assert_holds("G F first & G F second");
    }

    #[test]
    fn the_guide_shows_this_program_and_its_failure() {
        let program = include_str!("spin_lock.rs");
        let guide = include_str!("../docs/src/guide/rust.md");
        let start = program.find("use lwaa").expect("the program uses the library");
        let end = program.find("\n    #[test]\n    fn the_guide").expect("this test");
        let shown = &program[start..end];
        assert!(guide.contains(shown), "the guide does not show\n{shown}");
        let failed = std::panic::catch_unwind(|| {
            let checker = Checker::new(SpinLock { is_atomic: false }).shortest();
            checker.assert_holds("G !(first & second)");
        });
        let failed = failed.expect_err("both threads see that the lock is free");
        let message = failed.downcast_ref::<String>().expect("a message");
        assert!(guide.contains(message), "the guide does not show\n{message}");
    }

    #[test]
    fn weak_fairness_does_not_suffice() {
        let checker = Checker::new(SpinLock { is_atomic: true }).weakly_fair();
        assert!(checker.check("G F second").is_ok_and(|verdict| verdict.is_violated()));
        let checker = Checker::new(SpinLock { is_atomic: true });
        checker.assert_holds("G F \"taken(thread 1)\" -> G F second");
    }

    #[test]
    fn the_program_runs() {
        main().expect("the formula is about the system");
    }
}
