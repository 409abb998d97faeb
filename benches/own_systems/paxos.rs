//! Paxos for one decision: three acceptors, ballots and values, messages that are never lost.
//!
//! A state has no part on the heap.

use lwaa::{Pack, Proposition, System};

const N_ACCEPTORS: usize = 3;
/// More than a half of the acceptors.
const MAJORITY: usize = 2;
const MAX_BALLOTS: usize = 5;

/// The protocol with so many ballots, at most five, and so many values, at most seven.
pub(super) struct Paxos {
    pub(super) n_ballots: u8,
    pub(super) n_values: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Vote {
    ballot: u8,
    value: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Acceptor {
    /// It takes no part in ballots below this one.
    promised: u8,
    last_vote: Option<Vote>,
    /// Its answers to the leaders of ballots: the last vote before the ballot.
    #[expect(clippy::option_option, reason = "no answer, and an answer without a vote")]
    answers: [Option<Option<Vote>>; MAX_BALLOTS],
    /// Its votes, a bit for each ballot.
    votes: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct State {
    /// Ballots that have begun, as bits.
    begun: u8,
    acceptors: [Acceptor; N_ACCEPTORS],
    /// What leaders have proposed.
    proposals: [Option<u8>; MAX_BALLOTS],
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Action {
    Begin(u8),
    Answer(usize, u8),
    Propose(u8, u8),
    Vote(usize, u8),
}

impl State {
    fn has_begun(&self, ballot: u8) -> bool {
        self.begun >> ballot & 1 == 1
    }

    /// Whether a majority has answered whose last vote was for `value`, or for nothing.
    fn allows(&self, ballot: u8, value: u8) -> bool {
        let answers = self.acceptors.map(|acceptor| acceptor.answers[usize::from(ballot)]);
        (1_u32..1 << N_ACCEPTORS).filter(|set| MAJORITY <= set.count_ones() as usize).any(|set| {
            let members = (0..N_ACCEPTORS).filter(|one| set >> one & 1 == 1);
            let answered = members.map(|one| answers[one]).collect::<Option<Vec<_>>>();
            let last = answered.map(|votes| votes.into_iter().max().flatten());
            last.is_some_and(|vote| vote.is_none_or(|vote| vote.value == value))
        })
    }

    /// The values that a majority has voted for in one ballot.
    fn chosen(&self) -> impl Iterator<Item = u8> {
        (0..MAX_BALLOTS).filter_map(|ballot| {
            let votes = self.acceptors.iter().filter(|one| one.votes >> ballot & 1 == 1);
            self.proposals[ballot].filter(|_| MAJORITY <= votes.count())
        })
    }

    /// Whether at most one value is chosen.
    fn agrees(&self) -> bool {
        let mut chosen = self.chosen();
        let first = chosen.next();
        chosen.all(|value| Some(value) == first)
    }
}

impl Paxos {
    fn list(&self, state: &State, actions: &mut Vec<Action>) {
        for ballot in 0..self.n_ballots {
            if !state.has_begun(ballot) {
                actions.push(Action::Begin(ballot));
                continue;
            }
            let at = usize::from(ballot);
            for (one, acceptor) in state.acceptors.iter().enumerate() {
                if acceptor.promised <= ballot && acceptor.answers[at].is_none() {
                    actions.push(Action::Answer(one, ballot));
                }
                let has_voted = acceptor.votes >> ballot & 1 == 1;
                if state.proposals[at].is_some() && acceptor.promised <= ballot && !has_voted {
                    actions.push(Action::Vote(one, ballot));
                }
            }
            if state.proposals[at].is_none() {
                let values = (0..self.n_values).filter(|&value| state.allows(ballot, value));
                actions.extend(values.map(|value| Action::Propose(ballot, value)));
            }
        }
    }

    /// Whether all acceptors take part in the last ballot only.
    fn is_settled(&self, state: &State) -> bool {
        state.acceptors.iter().all(|one| one.promised + 1 == self.n_ballots)
    }
}

fn step(state: &State, action: Action) -> Option<State> {
    let mut next = *state;
    match action {
        Action::Begin(ballot) => next.begun |= 1 << ballot,
        Action::Answer(one, ballot) => {
            let acceptor = &mut next.acceptors[one];
            acceptor.promised = ballot;
            acceptor.answers[usize::from(ballot)] = Some(acceptor.last_vote);
        }
        Action::Propose(ballot, value) => next.proposals[usize::from(ballot)] = Some(value),
        Action::Vote(one, ballot) => {
            let value = next.proposals[usize::from(ballot)]?;
            let acceptor = &mut next.acceptors[one];
            acceptor.promised = ballot;
            acceptor.last_vote = Some(Vote { ballot, value });
            acceptor.votes |= 1 << ballot;
        }
    }
    Some(next)
}

impl System for Paxos {
    type State = State;
    type Action = Action;

    fn initial(&self) -> Vec<State> {
        vec![State::default()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.list(state, actions);
    }

    fn next(&self, state: &State, &action: &Action) -> Option<State> {
        step(state, action)
    }

    fn propositions(&self) -> Vec<Proposition<Self>> {
        vec![
            Proposition::new("safe", |_, state: &State| state.agrees()),
            Proposition::new("settled", Self::is_settled),
        ]
    }
}

impl stateright::Model for Paxos {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State::default()]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        self.list(state, actions);
    }

    fn next_state(&self, state: &State, action: Action) -> Option<State> {
        step(state, action)
    }

    fn properties(&self) -> Vec<stateright::Property<Self>> {
        vec![stateright::Property::always("safe", |_, state: &State| state.agrees())]
    }
}

/// A vote in six bits, as a number that is zero for none.
fn code_of_vote(vote: Option<Vote>) -> u64 {
    vote.map_or(0, |vote| u64::from(vote.ballot) * 7 + u64::from(vote.value) + 1)
}

fn vote_of_code(code: u64) -> Option<Vote> {
    let small = |number: u64| u8::try_from(number).expect("fewer than 64 votes");
    let code = code.checked_sub(1)?;
    Some(Vote { ballot: small(code / 7), value: small(code % 7) })
}

/// A word for each acceptor, and one for the leaders.
impl Pack for Paxos {
    fn n_words(&self) -> usize {
        1 + N_ACCEPTORS
    }

    fn pack(&self, state: &State, words: &mut [u64]) {
        for (word, acceptor) in words.iter_mut().zip(&state.acceptors) {
            *word = acceptor.answers.iter().fold(0, |word, answer| {
                word << 7 | answer.map_or(0, |vote| code_of_vote(vote) + 1)
            });
            *word = *word << 6 | code_of_vote(acceptor.last_vote);
            *word = *word << 8 | u64::from(acceptor.votes);
            *word = *word << 3 | u64::from(acceptor.promised);
        }
        words[N_ACCEPTORS] = state
            .proposals
            .iter()
            .fold(0, |word, proposal| word << 3 | proposal.map_or(0, |value| u64::from(value) + 1));
        words[N_ACCEPTORS] = words[N_ACCEPTORS] << 8 | u64::from(state.begun);
    }

    fn unpack(&self, words: &[u64]) -> State {
        let small = |number: u64, mask: u8| (number.to_le_bytes()[0]) & mask;
        let mut state = State::default();
        for (&word, acceptor) in words.iter().zip(&mut state.acceptors) {
            acceptor.promised = small(word, 7);
            acceptor.votes = small(word >> 3, 255);
            acceptor.last_vote = vote_of_code(word >> 11 & 63);
            for (place, answer) in acceptor.answers.iter_mut().rev().enumerate() {
                let code = word >> (17 + 7 * place) & 127;
                *answer = code.checked_sub(1).map(vote_of_code);
            }
        }
        let leaders = words[N_ACCEPTORS];
        state.begun = small(leaders, 255);
        for (place, proposal) in state.proposals.iter_mut().rev().enumerate() {
            *proposal = small(leaders >> (8 + 3 * place), 7).checked_sub(1);
        }
        state
    }
}
