//! The configurations of an alternating automaton as a side of a product.

use super::moves::AutomatonSide;
use crate::bdd::Diagrams;
use crate::configuration::{ConfigId, ConfigurationGraph, StepId};
use crate::id::Id;
use crate::search::limits::{Budget, Exhausted};
use crate::search::{Graph, MarkSets, MarksId};
use crate::system::is_observed;
use crate::word::{AtomId, Distance, Letter};

impl<D: Diagrams> AutomatonSide for ConfigurationGraph<'_, D> {
    type State = ConfigId;
    type Step = StepId;

    fn initial(&mut self) -> Vec<ConfigId> {
        vec![self.initial_configuration()]
    }

    fn step(&mut self, config: ConfigId, letter: &[u64]) -> StepId {
        let atoms = (0..letter.len() * 64).map(AtomId::new);
        let read: Letter = atoms.filter(|&atom| is_observed(letter, atom)).collect();
        let label = self.label(config, &read);
        self.step(config, label)
    }

    #[inline]
    fn successor(
        &mut self,
        step: StepId,
        index: u32,
        budget: &mut Budget<'_>,
    ) -> Result<Option<(ConfigId, MarksId)>, Exhausted> {
        let successor = self.successor_of(step, index as usize, budget)?;
        Ok(successor.map(|successor| (successor.target, successor.missing)))
    }

    fn distance(&mut self, config: ConfigId, atoms: &[Distance]) -> u32 {
        ConfigurationGraph::distance(self, config, atoms)
    }

    fn is_universal(&self, config: ConfigId) -> bool {
        self.locations(config).is_empty()
    }

    /// If the empty configuration is a successor, it is the only minimal one.
    fn leads_to_universal(
        &mut self,
        step: StepId,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let first = self.successor_of(step, 0, budget)?;
        Ok(first.is_some_and(|first| self.is_universal(first.target)))
    }

    fn marks(&mut self) -> &mut MarkSets {
        Graph::marks(self)
    }
}
