//! Which states of a Kripke structure have a run that an automaton accepts?
//!
//! The global model checking problem of [TH02], section 2.3: one product in
//! which every state of the structure is initial, one search for components,
//! and then backwards from the accepting ones.
//!
//! [TH02]: crate::references::th02

use super::kripke::Kripke;
use crate::baseline::nba::{Nba, StateId};
use crate::id::Id;
use crate::search::limits::{Budget, Exhausted};
use crate::search::scc::Search;
use crate::search::{Edge, Graph, Label, MarkSets, NodeId, lasso};
use crate::word::Lasso;

/// A structure and an automaton that reads the letters of its states.
#[derive(Debug)]
struct Product<'a> {
    structure: &'a Kripke,
    automaton: &'a Nba,
    /// The states of the structure where runs begin.
    initial: Vec<usize>,
    marks: MarkSets,
}

impl<'a> Product<'a> {
    fn new(structure: &'a Kripke, automaton: &'a Nba, initial: Vec<usize>) -> Self {
        Self { structure, automaton, initial, marks: automaton.mark_sets().clone() }
    }

    fn node(&self, state: usize, reader: StateId) -> NodeId {
        NodeId::new(state * self.automaton.n_states() + reader.index())
    }

    fn split(&self, node: NodeId) -> (usize, StateId) {
        let n_states = self.automaton.n_states();
        (node.index() / n_states, StateId::new(node.index() % n_states))
    }
}

impl Graph for Product<'_> {
    /// How many pairs of an edge and a successor have been looked at.
    type Cursor = usize;
    type Halt = Exhausted;

    fn initial(&mut self, _: &mut Budget<'_>) -> Result<Vec<NodeId>, Exhausted> {
        const LIMIT: usize = u32::MAX as usize;
        if LIMIT <= self.structure.letters.len().saturating_mul(self.automaton.n_states()) {
            return Err(Exhausted::States { limit: LIMIT });
        }
        let pairs = self
            .initial
            .iter()
            .flat_map(|&state| self.automaton.initial().iter().map(move |&reader| (state, reader)));
        Ok(pairs.map(|(state, reader)| self.node(state, reader)).collect())
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
        let (state, reader) = self.split(source);
        let successors = &self.structure.successors[state];
        let Some(n_successors) = std::num::NonZeroUsize::new(successors.len()) else {
            return Ok(None);
        };
        while let Some(edge) = self.automaton.edges(reader).get(*cursor / n_successors) {
            budget.poll()?;
            if !self.automaton.cube(edge.cube).allows(&self.structure.letters[state]) {
                *cursor += successors.len();
                continue;
            }
            let target = self.node(successors[*cursor % n_successors], edge.target);
            *cursor += 1;
            let missing = self.automaton.missing(edge);
            return Ok(Some(Edge { target, missing, label: Label::default(), hint: 0 }));
        }
        Ok(None)
    }

    fn marks(&mut self) -> &mut MarkSets {
        &mut self.marks
    }
}

/// The answer for all states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Which states have an accepted run.
    pub states: Vec<bool>,
    /// The size of the product.
    pub n_nodes: usize,
    /// The edges of the product.
    pub n_edges: usize,
}

/// Which states of `structure` have a run that `automaton` accepts. The letters
/// are over the atoms of the automaton.
///
/// # Errors
///
/// If a limit is reached.
pub fn global(
    structure: &Kripke,
    automaton: &Nba,
    budget: &mut Budget<'_>,
) -> Result<Global, Exhausted> {
    let all = (0..structure.letters.len()).collect();
    let mut product = Product::new(structure, automaton, all);
    let mut search = Search::default().exhaustive();
    search.run(&mut product, budget)?;
    let n_nodes = structure.letters.len() * automaton.n_states();
    let mut backwards: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    let mut open: Vec<usize> = Vec::new();
    let mut answer =
        Global { states: vec![false; structure.letters.len()], n_nodes: 0, n_edges: 0 };
    for node in (0..n_nodes).map(NodeId::new).filter(|&node| search.has_visited(node)) {
        answer.n_nodes += 1;
        if search.accepted(node).is_some() {
            open.push(node.index());
        }
        let mut cursor = product.cursor(node, 0);
        while let Some(edge) = product.next(node, &mut cursor, budget)? {
            answer.n_edges += 1;
            backwards[edge.target.index()].push(node.index());
        }
    }
    let mut good = vec![false; n_nodes];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut good[node], true) {
            open.extend(&backwards[node]);
        }
    }
    for node in product.initial(budget)? {
        answer.states[product.split(node).0] |= good[node.index()];
    }
    Ok(answer)
}

/// A run from `state` that `automaton` accepts, if there is one.
///
/// # Errors
///
/// If a limit is reached.
pub fn run_from(
    state: usize,
    structure: &Kripke,
    automaton: &Nba,
    budget: &mut Budget<'_>,
) -> Result<Option<Lasso<usize>>, Exhausted> {
    let mut product = Product::new(structure, automaton, vec![state]);
    let mut search = Search::default();
    if !search.run(&mut product, budget)? {
        return Ok(None);
    }
    let lasso = lasso::extract(&mut product, &search, budget)?;
    Ok(Some(lasso.map(|step| product.split(step.source).0)))
}

/// Some run from `state`.
///
/// # Panics
///
/// If there is none, because a state has no successor.
#[must_use]
pub fn any_run_from(state: usize, structure: &Kripke) -> Lasso<usize> {
    let mut run = vec![state];
    loop {
        let last = run[run.len() - 1];
        let next = *structure.successors[last].first().expect("every state has a successor");
        if let Some(place) = run.iter().position(|&known| known == next) {
            let cycle = run.split_off(place);
            return Lasso::new(run, cycle).expect("it ends where it returns");
        }
        run.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::word_graph::accepts;
    use crate::search::limits::{Limits, Monitor};
    use crate::testbench::random_kripke::{self, random_kripke};
    use crate::testbench::random_path::{of_lasso, random_path};
    use crate::testbench::{campaign, random_nba};

    /// On a path, the answer for a state is whether the rest is accepted.
    #[test]
    fn on_paths_the_answer_is_membership() {
        let (mut random, seed) = campaign::random(53);
        let monitor = Monitor::default();
        for round in 0..campaign::rounds(300) {
            let shape = random_nba::Options { n_sets: round % 3, ..Default::default() };
            let automaton = random_nba::random_nba(&shape, &mut random);
            let shape = random_kripke::Options { n_states: 7, n_atoms: 2, ..Default::default() };
            let word = random_path(&shape, &mut random);
            let mut budget = Budget::new(Limits::default(), &monitor);
            let answer = global(&of_lasso(&word), &automaton, &mut budget).unwrap();
            for position in 0..word.n_positions() {
                let letters = |range: std::ops::Range<usize>| range.map(|at| word.at(at).clone());
                let n_prefix = word.prefix().len().saturating_sub(position);
                let turn = position + n_prefix;
                let rest = Lasso::new(
                    letters(position..turn).collect(),
                    letters(turn..turn + word.cycle().len()).collect(),
                );
                let expected = accepts(&automaton, &rest.unwrap(), &mut budget).unwrap();
                assert_eq!(answer.states[position], expected, "round {round}, seed {seed}");
            }
        }
    }

    #[test]
    fn runs_are_accepted_and_are_runs() {
        let (mut random, seed) = campaign::random(54);
        let monitor = Monitor::default();
        let mut n_runs = 0;
        for round in 0..campaign::rounds(200) {
            let automaton = random_nba::random_nba(&random_nba::Options::default(), &mut random);
            let shape = random_kripke::Options { n_states: 6, n_atoms: 2, ..Default::default() };
            let graph = random_kripke(&shape, &mut random);
            let mut budget = Budget::new(Limits::default(), &monitor);
            let answer = global(&graph, &automaton, &mut budget).unwrap();
            for (state, &expected) in answer.states.iter().enumerate() {
                let run = run_from(state, &graph, &automaton, &mut budget).unwrap();
                assert_eq!(run.is_some(), expected, "round {round}, seed {seed}");
                let Some(run) = run else { continue };
                n_runs += 1;
                assert_eq!(*run.at(0), state);
                for position in 0..run.n_positions() {
                    let (from, to) = (*run.at(position), run.at(run.next(position)));
                    assert!(graph.successors[from].contains(to));
                }
                let word = run.map(|&state| graph.letters[state].clone());
                assert!(accepts(&automaton, &word, &mut budget).unwrap());
            }
        }
        assert!(100 < n_runs);
    }
}
