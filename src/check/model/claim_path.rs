//! How a claim accepts a run: the states that its automaton goes through, and the conditions under
//! which it does.

use super::trace::{letters, moves};
use super::{Bound, Question};
use crate::certify::claim::Move;
use crate::lang::claim::Claim;
use crate::run::Run;
use crate::system::Opened;
use crate::word::{AtomId, Atoms, Letter};
use std::collections::VecDeque;

/// So many pairs of a state of the run and one of the claim are looked at.
const MAX_PAIRS: usize = 2_000_000;
/// From so many accepting pairs a way back is looked for.
const MAX_TRIES: usize = 64;

/// How a claim accepts a run.
#[derive(Clone, Debug)]
pub struct ClaimPath {
    /// The atoms of the claim.
    pub atoms: Atoms,
    /// What they are called for people, by number.
    pub titles: Vec<String>,
    /// What is true of them in the states of the run.
    pub letters: Vec<Letter>,
    /// Where the claim is, step by step. The last place is the one where it accepts: the end, or
    /// the place to which it comes back for ever.
    pub places: Vec<ClaimPlace>,
    /// The number of the place from which on the last part is repeated; nothing if the run ends.
    pub cycle: Option<usize>,
}

/// A state of a claim at a position of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimPlace {
    /// The position in the run; behind the last one of a run that ends.
    pub position: usize,
    /// The state of the claim.
    pub state: usize,
    /// Whether the claim accepts there.
    pub is_accepting: bool,
    /// The conditions of the edge by which it goes on.
    pub conditions: Vec<(AtomId, bool)>,
}

/// How `claim`, for which `system` was opened, accepts a run; nothing if it does not, or if that
/// takes too long to find out.
#[must_use]
pub fn claim_path<O: Opened>(system: &O, claim: &Claim, run: &Run) -> Option<ClaimPath> {
    let bound = Bound::new(system, &[Question::Claim(claim)], &[]);
    let (atoms, moves) = moves(claim);
    let letters = letters(system, &bound, &atoms, run.readable());
    let n_states = claim.states.len();
    if letters.is_empty() || MAX_PAIRS / n_states < letters.len() + 1 {
        return None;
    }
    let always = claim.accepting.and_then(|atom| atoms.find(&claim.atoms[atom]));
    let walk = Walk {
        claim,
        moves: &moves,
        letters: &letters,
        always,
        cycle: run.is_infinite().then(|| run.cycle_start()),
    };
    let (places, cycle) = walk.path()?;
    let titles = atoms.iter().map(|(_, name)| {
        let number = claim.atoms.iter().position(|other| other == name);
        number.and_then(|number| claim.titles.get(number)).map_or(name, |title| title).to_owned()
    });
    let titles = titles.collect();
    Some(ClaimPath { atoms, titles, letters, places, cycle })
}

struct Walk<'a> {
    claim: &'a Claim,
    moves: &'a [Move],
    letters: &'a [Letter],
    /// Where this is true, all states accept.
    always: Option<AtomId>,
    cycle: Option<usize>,
}

/// A pair of a position and a state, and how it was reached: from which pair, by which move.
type Reached = Vec<Option<(usize, usize)>>;

impl Walk<'_> {
    fn n_states(&self) -> usize {
        self.claim.states.len()
    }

    fn is_accepting(&self, pair: usize) -> bool {
        let (position, state) = (pair / self.n_states(), pair % self.n_states());
        let is_everywhere =
            |atom| self.letters.get(position).is_some_and(|letter| letter.contains(atom));
        self.claim.states[state].is_accepting || self.always.is_some_and(is_everywhere)
    }

    /// The states from which the end of the claim is reached whatever follows.
    fn ends(&self) -> Vec<bool> {
        let is_free = |one: &&Move| one.conditions.is_empty();
        let is_end = |state: usize| {
            let mut loops = self.moves.iter().filter(is_free);
            self.claim.states[state].is_accepting
                && loops.any(|one| one.source == state && one.target == state)
        };
        let mut ends: Vec<bool> = (0..self.n_states()).map(is_end).collect();
        for _ in 0..self.n_states() {
            for one in self.moves.iter().filter(is_free) {
                ends[one.source] |= ends[one.target];
            }
        }
        ends
    }

    /// The pairs that follow from `start` in the order in which they are reached, in at least one
    /// step, up to the first one that is wanted.
    fn reach(&self, start: usize, wanted: impl Fn(usize) -> bool) -> (Reached, Vec<usize>) {
        let n_positions = self.letters.len();
        let mut reached: Reached = vec![None; (n_positions + 1) * self.n_states()];
        let mut order = Vec::new();
        let mut open = VecDeque::from([start]);
        while let Some(pair) = open.pop_front() {
            let (position, state) = (pair / self.n_states(), pair % self.n_states());
            let Some(letter) = self.letters.get(position) else { continue };
            let next = match self.cycle {
                Some(cycle) if position + 1 == n_positions => cycle,
                _ => position + 1,
            };
            for (number, one) in self.moves.iter().enumerate() {
                let is_allowed = |&(atom, value): &(AtomId, bool)| letter.contains(atom) == value;
                let target = next * self.n_states() + one.target;
                if one.source != state
                    || reached[target].is_some()
                    || !one.conditions.iter().all(is_allowed)
                {
                    continue;
                }
                reached[target] = Some((pair, number));
                order.push(target);
                if wanted(target) {
                    return (reached, order);
                }
                open.push_back(target);
            }
        }
        (reached, order)
    }

    /// The places from `start` to `end`, without the last one.
    fn places(&self, reached: &Reached, start: usize, end: usize) -> Vec<ClaimPlace> {
        let mut places = Vec::new();
        let mut pair = end;
        while let Some((before, number)) = reached[pair] {
            places.push(ClaimPlace {
                position: before / self.n_states(),
                state: before % self.n_states(),
                is_accepting: self.is_accepting(before),
                conditions: self.moves[number].conditions.clone(),
            });
            pair = before;
            if pair == start {
                break;
            }
        }
        places.reverse();
        places
    }

    fn path(&self) -> Option<(Vec<ClaimPlace>, Option<usize>)> {
        let ends = self.ends();
        let n_positions = self.letters.len();
        let is_end =
            |pair: usize| pair / self.n_states() == n_positions && ends[pair % self.n_states()];
        let (reached, order) = self.reach(0, is_end);
        let last = |pair: usize| ClaimPlace {
            position: pair / self.n_states(),
            state: pair % self.n_states(),
            is_accepting: self.is_accepting(pair),
            conditions: Vec::new(),
        };
        if self.cycle.is_none() {
            let end = order.into_iter().find(|&pair| is_end(pair))?;
            let mut places = self.places(&reached, 0, end);
            places.push(last(end));
            return Some((places, None));
        }
        let accepting = order.iter().filter(|&&pair| self.is_accepting(pair));
        for &pair in accepting.take(MAX_TRIES) {
            let (again, _) = self.reach(pair, |other| other == pair);
            if again[pair].is_some() {
                let mut places = self.places(&reached, 0, pair);
                let cycle = places.len();
                places.extend(self.places(&again, pair, pair));
                places.push(last(pair));
                return Some((places, Some(cycle)));
            }
        }
        None
    }
}
