//! The letters that states and edges have, interned, and the step of each
//! configuration under each of them.
//!
//! A letter has the atoms that the automaton reads. Those about the state come
//! first; where the automaton also reads which transition is taken, the letter
//! of an edge is that of its source with more atoms.

use super::actions::ActionId;
use crate::bdd::Diagrams;
use crate::configuration::{ConfigId, ConfigurationGraph, StepId};
use crate::id::{Id, IdVec, define_id};
use crate::system::is_observed;
use crate::word::{AtomId, Letter};
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

/// Letters met so far.
#[derive(Debug)]
pub(super) struct Letters {
    /// How many atoms are read.
    n_atoms: usize,
    /// Letters of few atoms, by their bits.
    few: Vec<Option<LetterId>>,
    /// Letters of more atoms.
    many: HashMap<Box<[u64]>, LetterId, FxBuildHasher>,
    /// The bits of each letter.
    bits: IdVec<LetterId, Box<[u64]>>,
    /// What letters become when something is taken.
    with_actions: HashMap<(LetterId, ActionId), LetterId, FxBuildHasher>,
    /// The letter at hand.
    read: Vec<u64>,
    /// How many letters have a table of the steps under them.
    max_early: usize,
    /// Steps under the first letters, by configuration and letter.
    early: IdVec<ConfigId, IdVec<LetterId, Option<StepId>>>,
    /// Steps under later letters: a table of these would be mostly empty.
    late: HashMap<(ConfigId, LetterId), StepId, FxBuildHasher>,
}

impl Letters {
    pub(super) fn new(n_atoms: usize) -> Self {
        Self {
            n_atoms,
            few: vec![None; if n_atoms <= MAX_FEW { 1 << n_atoms } else { 0 }],
            many: HashMap::default(),
            bits: IdVec::new(),
            with_actions: HashMap::default(),
            read: vec![0; n_atoms.div_ceil(64).max(1)],
            max_early: MAX_EARLY,
            early: IdVec::new(),
            late: HashMap::default(),
        }
    }

    /// The letter of what has been observed; only the first atoms count.
    pub(super) fn letter(&mut self, observed: &[u64]) -> LetterId {
        let n_words = self.read.len();
        self.read.copy_from_slice(&observed[..n_words]);
        if !self.n_atoms.is_multiple_of(64) || self.n_atoms == 0 {
            self.read[n_words - 1] &= (1 << (self.n_atoms % 64)) - 1;
        }
        self.intern()
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

    /// The letter at hand.
    fn intern(&mut self) -> LetterId {
        let bits = usize::try_from(self.read[0]).expect("at most 64 bits");
        let known = match self.few.get(bits) {
            Some(known) => *known,
            None => self.many.get(&*self.read).copied(),
        };
        known.unwrap_or_else(|| {
            let fresh = self.bits.push(self.read.as_slice().into());
            match self.few.get_mut(bits) {
                Some(known) => *known = Some(fresh),
                None => drop(self.many.insert(self.read.as_slice().into(), fresh)),
            }
            fresh
        })
    }

    /// The step of `config` under `letter`.
    pub(super) fn step<D: Diagrams>(
        &mut self,
        config: ConfigId,
        letter: LetterId,
        configurations: &mut ConfigurationGraph<'_, D>,
    ) -> StepId {
        let new_step = || {
            let atoms = (0..self.n_atoms).map(AtomId::new);
            let bits = &self.bits[letter];
            let read: Letter = atoms.filter(|&atom| is_observed(bits, atom)).collect();
            let label = configurations.label(config, &read);
            configurations.step(config, label)
        };
        if self.max_early <= letter.index() {
            return *self.late.entry((config, letter)).or_insert_with(new_step);
        }
        self.early.grow_to(config, IdVec::new());
        let known = &mut self.early[config];
        known.grow_to(letter, None);
        *known[letter].get_or_insert_with(new_step)
    }
}

#[cfg(test)]
mod tests;
