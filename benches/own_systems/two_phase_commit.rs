//! Two-phase commit: managers of resources, a coordinator, and messages that are never lost.
//!
//! A state is what a user would write first: lists and a set, all on the heap.

use lwaa::{Pack, Proposition, System};
use std::collections::BTreeSet;

/// The protocol with so many managers, at most 15.
pub(super) struct TwoPhaseCommit {
    pub(super) n_managers: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Manager {
    Working,
    Prepared,
    Committed,
    Aborted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Message {
    Prepared(usize),
    Commit,
    Abort,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    managers: Vec<Manager>,
    /// Of whom the coordinator knows that they are prepared.
    known: Vec<bool>,
    has_decided: bool,
    messages: BTreeSet<Message>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    /// What the coordinator does.
    Hear(usize),
    Commit,
    Abort,
    /// What managers do.
    Prepare(usize),
    Refuse(usize),
    FollowCommit(usize),
    FollowAbort(usize),
}

impl TwoPhaseCommit {
    fn start(&self) -> State {
        State {
            managers: vec![Manager::Working; self.n_managers],
            known: vec![false; self.n_managers],
            has_decided: false,
            messages: BTreeSet::new(),
        }
    }

    fn list(&self, state: &State, actions: &mut Vec<Action>) {
        let State { managers, known, has_decided, messages } = state;
        if !has_decided {
            if known.iter().all(|&is_known| is_known) {
                actions.push(Action::Commit);
            }
            actions.push(Action::Abort);
        }
        let (commits, aborts) =
            (messages.contains(&Message::Commit), messages.contains(&Message::Abort));
        for one in 0..self.n_managers {
            if !has_decided && !known[one] && messages.contains(&Message::Prepared(one)) {
                actions.push(Action::Hear(one));
            }
            if managers[one] == Manager::Working {
                actions.extend([Action::Prepare(one), Action::Refuse(one)]);
            }
            if commits && managers[one] != Manager::Committed {
                actions.push(Action::FollowCommit(one));
            }
            if aborts && managers[one] != Manager::Aborted {
                actions.push(Action::FollowAbort(one));
            }
        }
    }
}

fn step(state: &State, action: Action) -> State {
    let mut next = state.clone();
    match action {
        Action::Hear(one) => next.known[one] = true,
        Action::Commit => {
            next.has_decided = true;
            next.messages.insert(Message::Commit);
        }
        Action::Abort => {
            next.has_decided = true;
            next.messages.insert(Message::Abort);
        }
        Action::Prepare(one) => {
            next.managers[one] = Manager::Prepared;
            next.messages.insert(Message::Prepared(one));
        }
        Action::Refuse(one) | Action::FollowAbort(one) => next.managers[one] = Manager::Aborted,
        Action::FollowCommit(one) => next.managers[one] = Manager::Committed,
    }
    next
}

/// Whether no manager commits what another one aborts.
fn agrees(state: &State) -> bool {
    let some = |manager: Manager| state.managers.contains(&manager);
    !(some(Manager::Committed) && some(Manager::Aborted))
}

/// Whether all managers have committed or aborted.
fn is_settled(state: &State) -> bool {
    let decided = |&manager: &Manager| matches!(manager, Manager::Committed | Manager::Aborted);
    state.managers.iter().all(decided)
}

impl System for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn initial(&self) -> Vec<State> {
        vec![self.start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.list(state, actions);
    }

    fn next(&self, state: &State, &action: &Action) -> Option<State> {
        Some(step(state, action))
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![
            Proposition::new("safe", |_, state| agrees(state)),
            Proposition::new("settled", |_, state| is_settled(state)),
        ]
    }
}

impl stateright::Model for TwoPhaseCommit {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![self.start()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.list(state, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        Some(step(state, action))
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always("safe", |_, state| agrees(state))]
    }
}

/// Two bits for what a manager does, and one each for what is known of it and for its message;
/// then three for the coordinator and its messages.
impl Pack for TwoPhaseCommit {
    fn n_words(&self) -> usize {
        (self.n_managers * 4 + 3).div_ceil(64)
    }

    fn pack(&self, state: &State, words: &mut [u64]) {
        let bit = |is_set: bool, place: usize| u64::from(is_set) << place;
        let mut all = 0;
        for one in (0..self.n_managers).rev() {
            all <<= 4;
            all |= state.managers[one] as u64 | bit(state.known[one], 2);
        }
        all <<= 3;
        all |= bit(state.has_decided, 2);
        for message in &state.messages {
            all |= match *message {
                Message::Prepared(one) => 1 << (one * 4 + 6),
                Message::Commit => 1,
                Message::Abort => 2,
            };
        }
        words[0] = all;
    }

    fn unpack(&self, words: &[u64]) -> State {
        let is_set = |place: usize| words[0] >> place & 1 == 1;
        let mut state = self.start();
        state.has_decided = is_set(2);
        for one in 0..self.n_managers {
            let bits = words[0] >> (one * 4 + 3);
            state.managers[one] = match bits & 3 {
                0 => Manager::Working,
                1 => Manager::Prepared,
                2 => Manager::Committed,
                _ => Manager::Aborted,
            };
            state.known[one] = bits >> 2 & 1 == 1;
            if bits >> 3 & 1 == 1 {
                state.messages.insert(Message::Prepared(one));
            }
        }
        let decisions = [(0, Message::Commit), (1, Message::Abort)];
        state
            .messages
            .extend(decisions.iter().filter(|(place, _)| is_set(*place)).map(|one| one.1));
        state
    }
}
