//! A configuration graph that reads one word: does the automaton accept it?
//!
//! A node is a position of the word and a configuration. This is the product
//! with the simplest model there is, and how the automaton is tested against
//! the definition of the logic.

use super::{ConfigId, ConfigurationGraph};
use crate::bdd::Diagrams;
use crate::id::Id;
use crate::recurrence::Recurrence;
use crate::search::limits::{Budget, Exhausted};
use crate::search::signs::Signs;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId};
use crate::word::{Lasso, Letter};

/// The product of a configuration graph and a word.
#[derive(Debug)]
pub struct Reading<'a, 'b, D: Diagrams> {
    graph: &'a mut ConfigurationGraph<'b, D>,
    word: &'a Lasso<Letter>,
    /// What the letters show, by position.
    shown: Vec<Signs>,
}

impl<'a, 'b, D: Diagrams> Reading<'a, 'b, D> {
    /// `graph` is about to read `word`, whose letters are over the atoms of
    /// its automaton.
    pub fn new(graph: &'a mut ConfigurationGraph<'b, D>, word: &'a Lasso<Letter>) -> Self {
        Self { graph, word, shown: Vec::new() }
    }

    /// The same, where letters show the signs of `recurrence`.
    #[must_use]
    pub fn with_signs(self, recurrence: &Recurrence) -> Self {
        let shown = |letter: &Letter| recurrence.shown(|atom| letter.contains(atom));
        Self { shown: self.word.iter().map(shown).collect(), ..self }
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
        Ok(Some(Edge {
            target,
            missing: successor.missing,
            label: Label(position as u64),
            hint: 0,
        }))
    }

    fn marks(&mut self) -> &mut MarkSets {
        self.graph.marks()
    }

    fn show(
        &mut self,
        Label(position): Label,
        without: &Signs,
        signs: &mut Signs,
        _: &mut Budget<'_>,
    ) -> Result<bool, Exhausted> {
        let position = usize::try_from(position).expect("a position");
        let Some(shown) = self.shown.get(position) else { return Ok(true) };
        let can_show = !shown.meets(without);
        if can_show {
            signs.unite(shown);
        }
        Ok(can_show)
    }
}
