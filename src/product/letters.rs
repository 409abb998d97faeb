//! The letters that states have, interned, and the step of each configuration
//! under each of them.

use crate::bdd::Diagrams;
use crate::configuration::{ConfigId, ConfigurationGraph, StepId};
use crate::id::{Id, IdVec, define_id};
use crate::system::is_observed;
use crate::word::{AtomId, Letter};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

define_id! {
    /// A letter that some state has.
    struct LetterId;
}

/// With at most so many atoms a letter is found in a table.
const MAX_FEW: usize = 12;

/// How many letters usually have a table of the steps under them.
const MAX_EARLY: usize = 256;

/// Letters met so far.
#[derive(Debug)]
pub(super) struct Letters {
    n_atoms: usize,
    /// What the state at hand shows.
    observed: Vec<u64>,
    /// Letters of few atoms, by their bits.
    few: Vec<Option<LetterId>>,
    /// Letters of more atoms.
    many: HashMap<Box<[u64]>, LetterId, FxBuildHasher>,
    n_letters: usize,
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
            observed: vec![0; n_atoms.div_ceil(64).max(1)],
            few: vec![None; if n_atoms <= MAX_FEW { 1 << n_atoms } else { 0 }],
            many: HashMap::default(),
            n_letters: 0,
            max_early: MAX_EARLY,
            early: IdVec::new(),
            late: HashMap::default(),
        }
    }

    /// Where a state is to be observed.
    pub(super) fn buffer(&mut self) -> &mut [u64] {
        &mut self.observed
    }

    /// The letter that has been observed last.
    fn letter(&mut self) -> LetterId {
        let bits = usize::try_from(self.observed[0]).expect("at most 64 bits");
        let known = match self.few.get(bits) {
            Some(known) => *known,
            None => self.many.get(&*self.observed).copied(),
        };
        known.unwrap_or_else(|| {
            let fresh = LetterId::new(self.n_letters);
            self.n_letters += 1;
            match self.few.get_mut(bits) {
                Some(known) => *known = Some(fresh),
                None => drop(self.many.insert(self.observed.as_slice().into(), fresh)),
            }
            fresh
        })
    }

    /// The step of `config` under the letter that has been observed last.
    pub(super) fn step<D: Diagrams>(
        &mut self,
        config: ConfigId,
        configurations: &mut ConfigurationGraph<'_, D>,
    ) -> StepId {
        let letter = self.letter();
        let new_step = || {
            let atoms = (0..self.n_atoms).map(AtomId::new);
            let read: Letter = atoms.filter(|&atom| is_observed(&self.observed, atom)).collect();
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
