//! A configuration graph that reads one word: does the automaton accept it?
//!
//! A node is a position of the word and a configuration. This is the product
//! with the simplest model there is, and how the automaton is tested against
//! the definition of the logic.

use super::{ConfigId, ConfigurationGraph};
use crate::bdd::Diagrams;
use crate::id::Id;
use crate::search::limits::{Budget, Exhausted};
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::word::{Lasso, Letter};

/// The product of a configuration graph and a word.
#[derive(Debug)]
pub struct Reading<'a, 'b, D: Diagrams> {
    graph: &'a mut ConfigurationGraph<'b, D>,
    word: &'a Lasso<Letter>,
}

impl<'a, 'b, D: Diagrams> Reading<'a, 'b, D> {
    /// `graph` is about to read `word`, whose letters are over the atoms of
    /// its automaton.
    pub fn new(graph: &'a mut ConfigurationGraph<'b, D>, word: &'a Lasso<Letter>) -> Self {
        Self { graph, word }
    }

    /// The position and the configuration of a node.
    #[must_use]
    pub fn pair(&self, node: NodeId) -> (usize, ConfigId) {
        let n_positions = self.word.n_positions();
        (node.index() % n_positions, ConfigId::new(node.index() / n_positions))
    }

    /// # Errors
    ///
    /// If there are more pairs than ids.
    fn node(&self, position: usize, config: ConfigId) -> Result<NodeId, Exhausted> {
        const LIMIT: usize = u32::MAX as usize;
        let number =
            config.index().saturating_mul(self.word.n_positions()).saturating_add(position);
        if number < LIMIT {
            Ok(NodeId::new(number))
        } else {
            Err(Exhausted::States { limit: LIMIT })
        }
    }
}

impl<D: Diagrams> Graph for Reading<'_, '_, D> {
    type Cursor = usize;
    type Halt = Exhausted;

    fn initial(&mut self, _: &mut Budget<'_>) -> Result<Vec<NodeId>, Exhausted> {
        let config = self.graph.initial_configuration();
        Ok(vec![self.node(0, config)?])
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
        let (position, config) = self.pair(source);
        let label = self.graph.label(config, self.word.at(position));
        let successor = self.graph.successor(config, label, *cursor, budget)?;
        *cursor += 1;
        let Some(successor) = successor else { return Ok(None) };
        let target = self.node(self.word.next(position), successor.target)?;
        Ok(Some(Edge { target, missing: successor.missing, label: Label::default(), hint: 0 }))
    }

    fn marks(&mut self) -> &mut MarkSets {
        self.graph.marks()
    }
}
