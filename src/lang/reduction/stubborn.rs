//! Strong stubborn sets: which of the transitions that are enabled in a state suffice.
//!
//! A set is *stubborn* if with every enabled transition it contains those that do not commute
//! with it, and with every disabled one all that can make one false conjunct of its guard true.
//! Then whatever others do first, its enabled transitions stay enabled, and can as well be taken
//! before. What is visible or sticky is in such a set only if everything that is enabled is.

use super::conditions::{ConditionId, Conditions};
use crate::id::IdVec;
use crate::lang::program::TransitionId;

/// What the sets are computed from: fixed while a question is answered.
#[derive(Clone, Debug, Default)]
pub(in crate::lang) struct Relations {
    /// For each transition, the others that may not commute with it.
    pub(super) dependents: IdVec<TransitionId, Vec<TransitionId>>,
    pub(super) conditions: Conditions,
    /// Whether a transition is in a set only if everything enabled is.
    pub(super) is_heavy: IdVec<TransitionId, bool>,
}

/// How much one enabled transition costs in comparison with a disabled one, where a conjunct is
/// chosen.
const ENABLED_COST: usize = 64;

/// Computes sets; scratch of a worker.
#[derive(Debug)]
pub(super) struct Stubborn {
    /// When a transition has come into a set for the last time.
    taken: IdVec<TransitionId, u64>,
    /// In which state it was enabled for the last time.
    enabled: IdVec<TransitionId, u64>,
    /// In which state its set was of no use for the last time.
    useless: IdVec<TransitionId, u64>,
    /// Counts sets; there may be more than 2³².
    round: u64,
    state_round: u64,
    open: Vec<TransitionId>,
    stack: Vec<Option<i64>>,
    /// What was found out about conditions in the present state.
    tested: IdVec<ConditionId, (u64, bool)>,
    /// The enabled transitions of the set that is made, and of the best one.
    members: Vec<TransitionId>,
    best: Vec<TransitionId>,
}

impl Stubborn {
    pub(super) fn new(relations: &Relations) -> Self {
        let n_transitions = relations.is_heavy.len();
        Self {
            taken: IdVec::filled(0, n_transitions),
            enabled: IdVec::filled(0, n_transitions),
            useless: IdVec::filled(0, n_transitions),
            round: 0,
            state_round: 0,
            open: Vec::new(),
            stack: Vec::new(),
            tested: IdVec::filled((0, false), relations.conditions.conditions.len()),
            members: Vec::new(),
            best: Vec::new(),
        }
    }

    /// The transitions that suffice in a state, of those that are enabled there; nothing if all
    /// of them are needed. Depends on nothing but the state.
    pub(super) fn sufficient(
        &mut self,
        relations: &Relations,
        state: &[u64],
        enabled: &[TransitionId],
    ) -> Option<&[TransitionId]> {
        self.state_round += 1;
        for &transition in enabled {
            self.enabled[transition] = self.state_round;
        }
        let mut best = enabled.len();
        self.best.clear();
        for &start in enabled {
            if relations.is_heavy[start] {
                continue;
            }
            if self.close(relations, state, start, best) {
                best = self.members.len();
                std::mem::swap(&mut self.members, &mut self.best);
                if best == 1 {
                    break;
                }
            } else {
                self.useless[start] = self.state_round;
            }
        }
        (best < enabled.len()).then_some(&self.best)
    }

    /// Makes the set of one transition; whether it is smaller than another one and contains
    /// nothing heavy.
    fn close(
        &mut self,
        relations: &Relations,
        state: &[u64],
        start: TransitionId,
        best: usize,
    ) -> bool {
        self.round += 1;
        self.members.clear();
        self.open.clear();
        self.add(start);
        while let Some(transition) = self.open.pop() {
            if self.enabled[transition] == self.state_round {
                // A set of no use is hardly ever of use with more in it.
                if relations.is_heavy[transition] || self.useless[transition] == self.state_round {
                    return false;
                }
                self.members.push(transition);
                if best <= self.members.len() {
                    return false;
                }
                for &dependent in &relations.dependents[transition] {
                    self.add(dependent);
                }
            } else {
                self.add_enablers(relations, state, transition);
            }
        }
        true
    }

    fn add(&mut self, transition: TransitionId) {
        if self.taken[transition] != self.round {
            self.taken[transition] = self.round;
            self.open.push(transition);
        }
    }

    /// Adds all that can make a false conjunct of a guard true: of that for which it costs least.
    fn add_enablers(&mut self, relations: &Relations, state: &[u64], transition: TransitionId) {
        let conditions = &relations.conditions;
        let mut cheapest: Option<(usize, ConditionId)> = None;
        for &id in &conditions.of[transition] {
            if !self.is_false(relations, id, state) {
                continue;
            }
            let mut cost = 0;
            for &enabler in &conditions.conditions[id].enablers {
                if self.taken[enabler] == self.round {
                    continue;
                }
                cost += if self.enabled[enabler] == self.state_round { ENABLED_COST } else { 1 };
            }
            if cheapest.is_none_or(|(least, _)| cost < least) {
                cheapest = Some((cost, id));
            }
            if cost == 0 {
                break;
            }
        }
        match cheapest {
            Some((_, id)) => {
                for &enabler in &conditions.conditions[id].enablers {
                    self.add(enabler);
                }
            }
            // None of its conjuncts is seen to be false: whatever can change one of them.
            None => {
                for &id in &conditions.of[transition] {
                    for &enabler in &conditions.conditions[id].enablers {
                        self.add(enabler);
                    }
                }
            }
        }
    }

    fn is_false(&mut self, relations: &Relations, id: ConditionId, state: &[u64]) -> bool {
        let (round, known) = self.tested[id];
        if round == self.state_round {
            return known;
        }
        let condition = &relations.conditions.conditions[id];
        let is_false = relations.conditions.is_false(condition, state, &mut self.stack);
        self.tested[id] = (self.state_round, is_false);
        is_false
    }
}
