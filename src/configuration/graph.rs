//! Configurations under free letters as a graph to be searched.

use super::empty_sets::Emptiness;
use super::step_signs::Solver;
use super::{ConfigId, ConfigurationGraph, LabelId, Successor};
use crate::bdd::Diagrams;
use crate::id::Id;
use crate::search::limits::{Budget, Exhausted};
use crate::search::signs::Signs;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};

impl<D: Diagrams> Graph for ConfigurationGraph<'_, D> {
    type Cursor = usize;
    type Halt = Exhausted;

    fn initial(&mut self, _: &mut Budget<'_>) -> Result<Vec<NodeId>, Exhausted> {
        Ok(vec![NodeId::new(self.initial_configuration().index())])
    }

    fn cursor(&self, _: NodeId, _: u32) -> usize {
        0
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Edge>, Exhausted> {
        let config = ConfigId::new(source.index());
        let successor = self.successor(config, LabelId::ANY, *cursor, budget)?;
        *cursor += 1;
        Ok(successor.map(|Successor { target, missing, label }| Edge {
            target: NodeId::new(target.index()),
            missing,
            label,
            hint: 0,
        }))
    }

    fn show(
        &mut self,
        label: Label,
        without: &Signs,
        signs: &mut Signs,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let Some(shown) = &mut self.shown else { return Ok(true) };
        let mut solver = Solver { stepper: &mut self.stepper, groups: &mut self.groups, budget };
        let can_show = shown.show(label, without, &mut solver)?;
        Ok(can_show.is_some_and(|more| {
            signs.unite(more);
            true
        }))
    }

    fn pass(
        &mut self,
        label: Label,
        without: &Signs,
        wanted: &Signs,
        budget: &mut Budget<'_>,
    ) -> Result<Signs, Exhausted> {
        let Some(shown) = &mut self.shown else { return Ok(wanted.clone()) };
        let mut solver = Solver { stepper: &mut self.stepper, groups: &mut self.groups, budget };
        shown.pass(label, without, wanted, &mut solver)
    }

    fn refute(&mut self, nodes: &[NodeId], budget: &mut Budget<'_>) -> Result<(), Exhausted> {
        // A component of one node that is finished without an accepting cycle may have a loop; its
        // other successors are known to be empty.
        let is_single = nodes.len() == 1;
        let emptiness = if is_single { Emptiness::Successors } else { Emptiness::Component };
        for &node in nodes {
            let locations = self.configurations.elements(ConfigId::new(node.index()));
            self.refuted.refute(locations, emptiness, self.lwaa, budget)?;
        }
        Ok(())
    }

    fn is_refuted(&mut self, node: NodeId) -> bool {
        let config = ConfigId::new(node.index());
        self.refuted.contains(config, self.configurations.elements(config))
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}
