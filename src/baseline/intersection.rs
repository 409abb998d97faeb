//! Words that two automata have in common.
//!
//! The product is never built: a node is a pair of states, an edge is a pair of
//! edges whose labels agree, and it is in the acceptance sets of both. A cycle
//! that earns all of them is a word that both accept.

use super::nba::{Edge, Nba, StateId};
use crate::id::Id;
use crate::search::lasso::{self, Step};
use crate::search::limits::{Budget, Exhausted};
use crate::search::scc::Search;
use crate::search::{self, Graph, Label, MarkId, MarkSets, MarksId, NodeId};
use crate::word::{Lasso, Letter};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Two automata over the same atoms, side by side.
#[derive(Debug)]
pub struct Intersection<'a> {
    left: &'a Nba,
    right: &'a Nba,
    /// The sets of the right one are numbered behind those of the left one.
    marks: MarkSets,
    /// What a pair of edges is missing, by what each of them is missing.
    missing: HashMap<(MarksId, MarksId), MarksId, FxBuildHasher>,
}

impl<'a> Intersection<'a> {
    /// Both automata.
    ///
    /// # Panics
    ///
    /// If they are not over the same atoms.
    #[must_use]
    pub fn new(left: &'a Nba, right: &'a Nba) -> Self {
        assert_eq!(left.atoms(), right.atoms(), "automata over the same atoms");
        Self { left, right, marks: MarkSets::new(), missing: HashMap::default() }
    }

    fn node(&self, left: StateId, right: StateId) -> NodeId {
        NodeId::new(left.index() * self.right.n_states() + right.index())
    }

    fn split(&self, node: NodeId) -> (StateId, StateId) {
        let n_right = self.right.n_states();
        (StateId::new(node.index() / n_right), StateId::new(node.index() % n_right))
    }

    /// The pair of edges out of a node with this number.
    fn pair(&self, node: NodeId, number: usize) -> Option<(&'a Edge, &'a Edge)> {
        let (left, right) = self.split(node);
        let right = self.right.edges(right);
        let edge = self.left.edges(left).get(number.checked_div(right.len())?)?;
        Some((edge, &right[number % right.len()]))
    }

    fn missing(&mut self, left: &Edge, right: &Edge) -> MarksId {
        let (of_left, of_right) = (self.left.missing(left), self.right.missing(right));
        *self.missing.entry((of_left, of_right)).or_insert_with(|| {
            let n_left = self.left.n_sets();
            let behind = |mark: &MarkId| MarkId::new(n_left + mark.index());
            let mut all: Vec<MarkId> = self.left.sets(of_left).to_vec();
            all.extend(self.right.sets(of_right).iter().map(behind));
            self.marks.intern(&all)
        })
    }
}

impl Graph for Intersection<'_> {
    /// How many pairs of edges have been looked at.
    type Cursor = usize;
    type Halt = Exhausted;

    fn initial(&mut self, _: &mut Budget<'_>) -> Result<Vec<NodeId>, Exhausted> {
        const LIMIT: usize = u32::MAX as usize;
        if LIMIT <= self.left.n_states().saturating_mul(self.right.n_states()) {
            return Err(Exhausted::States { limit: LIMIT });
        }
        let pairs = self
            .left
            .initial()
            .iter()
            .flat_map(|&left| self.right.initial().iter().map(move |&right| (left, right)));
        Ok(pairs.map(|(left, right)| self.node(left, right)).collect())
    }

    fn cursor(&self, _: NodeId, _: u32) -> usize {
        0
    }

    fn next(
        &mut self,
        source: NodeId,
        cursor: &mut usize,
        budget: &mut Budget<'_>,
    ) -> Result<Option<search::Edge>, Exhausted> {
        while let Some((left, right)) = self.pair(source, *cursor) {
            budget.poll()?;
            *cursor += 1;
            if self.left.cube(left.cube).and(self.right.cube(right.cube)).is_some() {
                let target = self.node(left.target, right.target);
                let missing = self.missing(left, right);
                return Ok(Some(search::Edge {
                    target,
                    missing,
                    label: Label::default(),
                    hint: 0,
                }));
            }
        }
        Ok(None)
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}

/// A word that both automata accept, if there is one. They are over the same
/// atoms, and so is the word.
///
/// ```
/// use lwaa::baseline::{Cube, intersection::common_word, nba::Builder};
/// use lwaa::search::limits::{Budget, Limits, Monitor};
/// use lwaa::word::Atoms;
/// let mut atoms = Atoms::default();
/// let p = atoms.intern("p");
/// // p for ever, and never p.
/// let [always, never] = [true, false].map(|positive| {
///     let mut builder = Builder::new(atoms.clone(), 0);
///     let state = builder.add_state();
///     builder.add_initial(state);
///     builder.add_edge(state, &Cube::literal(p, positive), [], state);
///     builder.finish()
/// });
/// let monitor = Monitor::default();
/// let mut budget = Budget::new(Limits::default(), &monitor);
/// assert!(common_word(&always, &always, &mut budget)?.is_some());
/// assert!(common_word(&always, &never, &mut budget)?.is_none());
/// # Ok::<(), lwaa::search::limits::Exhausted>(())
/// ```
///
/// # Errors
///
/// If a limit is reached.
///
/// # Panics
///
/// If they are not over the same atoms.
pub fn common_word(
    left: &Nba,
    right: &Nba,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let mut graph = Intersection::new(left, right);
    let mut search = Search::default();
    if !search.run(&mut graph, budget)? {
        return Ok(None);
    }
    let lasso = lasso::extract(&mut graph, &search, budget)?;
    let letter = |step: &Step<usize>| {
        // The cursor stands behind the pair of the step.
        let (one, other) = graph.pair(step.source, step.cursor - 1).expect("it has been followed");
        let cube = left.cube(one.cube).and(right.cube(other.cube));
        cube.expect("labels on a path agree").letter()
    };
    Ok(Some(lasso.map(letter).shortened()))
}

#[cfg(test)]
mod tests;
