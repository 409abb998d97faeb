//! A client that tries again and again: a liveness property that fails on a cycle.

use lwaa::{Checker, Proposition, System};
use stateright::{Checker as _, Model, Property};

/// A client asks a server, which may be busy, and then asks again.
#[derive(Clone, Copy, Debug)]
struct Retry;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Idle,
    Asking,
    Served,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Ask,
    Serve,
    Refuse,
}

fn list(state: State) -> &'static [Action] {
    match state {
        State::Idle => &[Action::Ask],
        State::Asking => &[Action::Serve, Action::Refuse],
        State::Served => &[],
    }
}

fn step(action: Action) -> State {
    match action {
        Action::Ask => State::Asking,
        Action::Serve => State::Served,
        Action::Refuse => State::Idle,
    }
}

impl System for Retry {
    type State = State;
    type Action = Action;

    fn initial(&self) -> Vec<State> {
        vec![State::Idle]
    }

    fn actions(&self, &state: &State, actions: &mut Vec<Action>) {
        actions.extend(list(state));
    }

    fn next(&self, _: &State, &action: &Action) -> Option<State> {
        Some(step(action))
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![Proposition::new("served", |_, state| *state == State::Served)]
    }
}

impl Model for Retry {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::Idle]
    }

    fn actions(&self, &state: &State, actions: &mut Vec<Action>) {
        actions.extend(list(state));
    }

    fn next_state(&self, _: &State, action: Action) -> Option<State> {
        Some(step(action))
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![Property::eventually("served", |_, state| *state == State::Served)]
    }
}

/// Asks both checkers whether the client is served in the end. It need not be: the server may
/// refuse for ever.
pub(super) fn show() {
    let (bfs, dfs) = (Retry.checker().spawn_bfs().join(), Retry.checker().spawn_dfs().join());
    let verdict = |is_found: bool| if is_found { "violated" } else { "no counterexample" };
    println!("\nIs the client served in the end?");
    println!("stateright bfs, eventually: {}", verdict(bfs.discovery("served").is_some()));
    println!("stateright dfs, eventually: {}", verdict(dfs.discovery("served").is_some()));
    let answer = Checker::new(Retry).check("F served").expect("a formula about the system");
    println!("lwaa, F served: {answer}");
    assert!(answer.is_violated(), "the server may refuse for ever");
}
