//! The letters that states and edges have, interned, and the step of each
//! state of an automaton under each of them.
//!
//! A letter has the atoms that the automaton reads. Those about the state come
//! first; where the automaton also reads which transition is taken, the letter
//! of an edge is that of its source with more atoms.

use super::actions::ActionId;
use super::moves::AutomatonSide;
use crate::id::{Id, IdVec, define_id};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A letter that some state or edge has.
    pub(super) struct LetterId;
}

/// With at most so many atoms a letter is found in a table.
const MAX_FEW: usize = 12;

/// How many letters usually have a table of the steps under them.
const MAX_EARLY: usize = 256;

/// Letters met so far, and steps `P` of states `C` of an automaton.
#[derive(Debug)]
pub(super) struct Letters<C, P> {
    /// Which bits of the last word that is read are atoms of the automaton.
    last_read: u64,
    /// Letters of few atoms, by their bits.
    few: Vec<Option<LetterId>>,
    /// Letters of more atoms.
    many: HashMap<Box<[u64]>, LetterId, FxBuildHasher>,
    /// The bits of each letter.
    bits: IdVec<LetterId, Box<[u64]>>,
    /// What letters become when something is taken.
    with_actions: HashMap<(LetterId, ActionId), LetterId, FxBuildHasher>,
    /// The words that are read.
    read: Vec<u64>,
    /// How many letters have a table of the steps under them.
    max_early: usize,
    /// Steps under the first letters, by state and letter.
    early: IdVec<C, IdVec<LetterId, Option<P>>>,
    /// Steps under later letters: a table of these would be mostly empty.
    late: HashMap<(C, LetterId), P, FxBuildHasher>,
}

impl<C: Id, P: Copy> Letters<C, P> {
    pub(super) fn new(n_atoms: usize) -> Self {
        let n_words = n_atoms.div_ceil(64).max(1);
        let n_last = n_atoms - (n_words - 1) * 64;
        Self {
            last_read: if n_last == 64 { u64::MAX } else { (1 << n_last) - 1 },
            few: vec![None; if n_atoms <= MAX_FEW { 1 << n_atoms } else { 0 }],
            many: HashMap::default(),
            bits: IdVec::new(),
            with_actions: HashMap::default(),
            read: vec![0; n_words],
            max_early: MAX_EARLY,
            early: IdVec::new(),
            late: HashMap::default(),
        }
    }

    /// The letter of what has been observed; only the first atoms count.
    #[inline]
    pub(super) fn letter(&mut self, observed: &[u64]) -> LetterId {
        if !self.few.is_empty() {
            let read = observed[0] & self.last_read;
            let few = &mut self.few[usize::try_from(read).expect("few bits")];
            return *few.get_or_insert_with(|| self.bits.push([read].into()));
        }
        let n_words = self.read.len();
        self.read.copy_from_slice(&observed[..n_words]);
        self.read[n_words - 1] &= self.last_read;
        if let Some(&known) = self.many.get(&*self.read) {
            return known;
        }
        let fresh = self.bits.push(self.read.as_slice().into());
        self.many.insert(self.read.as_slice().into(), fresh);
        fresh
    }

    /// The letter of an edge: that of its source, and that something is taken.
    pub(super) fn with_action(
        &mut self,
        letter: LetterId,
        action: ActionId,
        taken: &[u64],
    ) -> LetterId {
        if let Some(&known) = self.with_actions.get(&(letter, action)) {
            return known;
        }
        let mut observed = self.bits[letter].to_vec();
        observed.iter_mut().zip(taken).for_each(|(word, &more)| *word |= more);
        let with_action = self.letter(&observed);
        self.with_actions.insert((letter, action), with_action);
        with_action
    }

    /// The step of `state` under `letter`.
    #[inline]
    pub(super) fn step<A: AutomatonSide<State = C, Step = P>>(
        &mut self,
        state: C,
        letter: LetterId,
        automaton: &mut A,
    ) -> P {
        let new_step = || automaton.step(state, &self.bits[letter]);
        if self.max_early <= letter.index() {
            return *self.late.entry((state, letter)).or_insert_with(new_step);
        }
        self.early.grow_to(state, IdVec::new());
        let known = &mut self.early[state];
        known.grow_to(letter, None);
        *known[letter].get_or_insert_with(new_step)
    }
}

#[cfg(test)]
mod tests;
