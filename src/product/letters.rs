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

/// Letters met so far.
#[derive(Debug)]
pub(super) struct Letters {
    n_atoms: usize,
    /// What the state at hand shows.
    observed: Vec<u64>,
    by_value: HashMap<Box<[u64]>, LetterId, FxBuildHasher>,
    steps: IdVec<ConfigId, IdVec<LetterId, Option<StepId>>>,
}

impl Letters {
    pub(super) fn new(n_atoms: usize) -> Self {
        Self {
            n_atoms,
            observed: vec![0; n_atoms.div_ceil(64).max(1)],
            by_value: HashMap::default(),
            steps: IdVec::new(),
        }
    }

    /// Where a state is to be observed.
    pub(super) fn buffer(&mut self) -> &mut [u64] {
        &mut self.observed
    }

    /// The step of `config` under the letter that has been observed last.
    pub(super) fn step<D: Diagrams>(
        &mut self,
        config: ConfigId,
        configurations: &mut ConfigurationGraph<'_, D>,
    ) -> StepId {
        let known = self.by_value.get(&*self.observed).copied();
        let letter = known.unwrap_or_else(|| {
            let fresh = LetterId::new(self.by_value.len());
            self.by_value.insert(self.observed.as_slice().into(), fresh);
            fresh
        });
        self.steps.grow_to(config, IdVec::new());
        let known = &mut self.steps[config];
        known.grow_to(letter, None);
        *known[letter].get_or_insert_with(|| {
            let atoms = (0..self.n_atoms).map(AtomId::new);
            let read: Letter = atoms.filter(|&atom| is_observed(&self.observed, atom)).collect();
            let label = configurations.label(config, &read);
            configurations.step(config, label)
        })
    }
}
