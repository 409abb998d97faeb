//! Two-phase commit with a coordinator that crashes, as a system written in Rust.
//!
//! Participants of a transaction vote. The coordinator commits only if all of them are prepared,
//! writes its decision to a log, and tells each of them when asked. Two questions matter: do all
//! participants decide the same, and does every participant decide in the end?
//!
//! Run it with `cargo run --example own_system`, and its tests with
//! `cargo test --example own_system`.

#![allow(clippy::print_stdout, reason = "an example prints")]

use lwaa::{Checker, CheckerError, Proposition, System};

/// The protocol. Its fields say which variant of it is checked.
struct TwoPhaseCommit {
    n_participants: usize,
    after_crash: AfterCrash,
}

/// What a coordinator is like after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AfterCrash {
    /// It comes back and reads its decision from the log.
    Recovers,
    /// It comes back, but there is no log: its decision is lost.
    Forgets,
    /// It never comes back.
    StaysDown,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Decision {
    Open,
    Commit,
    Abort,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Participant {
    Working,
    /// It has promised to commit if it is told so, and may not decide alone any more.
    Prepared,
    Committed,
    Aborted,
}

/// A state has all that decides about the future. The names of the fields are shown in runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    is_up: bool,
    decision: Decision,
    participants: Vec<Participant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// The coordinator decides, or gives up waiting.
    Commit,
    Abort,
    /// A participant votes, or asks for the decision.
    Prepare(usize),
    Refuse(usize),
    Ask(usize),
    /// The machine of the coordinator.
    Crash,
    Restart,
}

impl System for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn initial(&self) -> Vec<State> {
        let participants = vec![Participant::Working; self.n_participants];
        vec![State { is_up: true, decision: Decision::Open, participants }]
    }

    fn actions(&self, _: &State, actions: &mut Vec<Action>) {
        // These may be too many: `next` says which of them are possible.
        actions.extend([Action::Commit, Action::Abort, Action::Crash, Action::Restart]);
        for one in 0..self.n_participants {
            actions.extend([Action::Prepare(one), Action::Refuse(one), Action::Ask(one)]);
        }
    }

    fn next(&self, state: &State, action: &Action) -> Option<State> {
        use Participant::{Aborted, Committed, Prepared, Working};
        let State { is_up, decision, ref participants } = *state;
        let may_decide = is_up && decision == Decision::Open;
        let mut next = state.clone();
        match *action {
            Action::Commit if may_decide && participants.iter().all(|&one| one == Prepared) => {
                next.decision = Decision::Commit;
            }
            Action::Abort if may_decide => next.decision = Decision::Abort,
            Action::Prepare(one) if participants[one] == Working => {
                next.participants[one] = Prepared;
            }
            Action::Refuse(one) if participants[one] == Working => {
                next.participants[one] = Aborted;
            }
            Action::Ask(one) if is_up && participants[one] == Prepared => {
                next.participants[one] = match decision {
                    Decision::Open => return None,
                    Decision::Commit => Committed,
                    Decision::Abort => Aborted,
                };
            }
            Action::Crash if is_up => next.is_up = false,
            Action::Restart if !is_up && self.after_crash != AfterCrash::StaysDown => {
                next.is_up = true;
                if self.after_crash == AfterCrash::Forgets {
                    next.decision = Decision::Open;
                }
            }
            _ => return None,
        }
        Some(next)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        let some = |name: &str, wanted: Participant| {
            let holds = move |_: &Self, state: &State| state.participants.contains(&wanted);
            Proposition::new(name, holds)
        };
        vec![
            some("some_committed", Participant::Committed),
            some("some_aborted", Participant::Aborted),
            some("some_working", Participant::Working),
            some("some_prepared", Participant::Prepared),
        ]
    }

    /// Fairness is about processes: the coordinator, its machine, and each participant.
    fn processes(&self) -> Vec<String> {
        let participants = (0..self.n_participants).map(|one| format!("participant {one}"));
        ["coordinator".to_owned(), "machine".to_owned()].into_iter().chain(participants).collect()
    }

    fn process(&self, action: &Action) -> usize {
        match *action {
            Action::Commit | Action::Abort => 0,
            Action::Crash | Action::Restart => 1,
            Action::Prepare(one) | Action::Refuse(one) | Action::Ask(one) => 2 + one,
        }
    }
}

/// No participant commits what another one aborts.
const ATOMIC: &str = "G !(some_committed & some_aborted)";
/// All participants decide in the end.
const DECIDED: &str = "F (!some_working & !some_prepared)";

fn protocol(after_crash: AfterCrash) -> TwoPhaseCommit {
    TwoPhaseCommit { n_participants: 3, after_crash }
}

fn main() -> Result<(), CheckerError> {
    let recovers = || Checker::new(protocol(AfterCrash::Recovers));
    let size = recovers().explore()?;
    println!("{} states, {} transitions", size.states, size.transitions);
    println!("all decide the same: {}", recovers().check(ATOMIC)?);

    // Under weak fairness the machine may crash and restart for ever, each time before anything
    // is asked: no participant can ask *all the time*. It can ask *again and again*, though.
    let weak = recovers().weakly_fair().check(DECIDED)?;
    println!(
        "all decide, under weak fairness: {}",
        if weak.holds() { "holds" } else { "violated" }
    );
    println!("all decide, under strong fairness: {}", recovers().strongly_fair().check(DECIDED)?);

    // Two-phase commit is known to block: prepared participants wait for a coordinator that is
    // gone, and no assumption of fairness helps.
    let stays_down = Checker::new(protocol(AfterCrash::StaysDown)).strongly_fair();
    println!("all decide, if it stays down: {}", stays_down.check(DECIDED)?);

    // The log is not optional. `shortest` finds the shortest run that shows why.
    let forgets = Checker::new(protocol(AfterCrash::Forgets)).shortest();
    println!("all decide the same, without log: {}", forgets.check(ATOMIC)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_participants_decide_the_same() {
        Checker::new(protocol(AfterCrash::Recovers)).assert_holds(ATOMIC);
        Checker::new(protocol(AfterCrash::StaysDown)).assert_holds(ATOMIC);
    }

    #[test]
    fn every_participant_decides_under_strong_fairness() {
        let checker = || Checker::new(protocol(AfterCrash::Recovers));
        checker().strongly_fair().assert_holds(DECIDED);
        let verdict = checker().weakly_fair().check(DECIDED).expect("a formula about the system");
        let run = verdict.run().expect("crashes without end");
        assert!(run.cycle.iter().any(|step| step.action == Some(Action::Crash)));
    }

    #[test]
    fn prepared_participants_wait_for_a_coordinator_that_stays_down() {
        let checker = Checker::new(protocol(AfterCrash::StaysDown)).strongly_fair();
        let verdict = checker.check(DECIDED).expect("a formula about the system");
        let last = &verdict.run().expect("a run that blocks").cycle[0].state;
        assert!(!last.is_up && last.participants.contains(&Participant::Prepared), "{last:?}");
    }

    #[test]
    #[should_panic(expected = "Restart")]
    fn without_a_log_participants_decide_differently() {
        Checker::new(protocol(AfterCrash::Forgets)).assert_holds(ATOMIC);
    }

    #[test]
    fn the_program_runs() {
        main().expect("all formulas are about the system");
    }
}
