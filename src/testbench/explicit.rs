//! A whole state graph in tables, made with the simplest means: what everything
//! on the fly is compared with.

use super::tableau::Kripke;
use crate::ltl::Formula;
use crate::system::{Cursor, Fault, TransitionSystem, is_observed};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The reachable states of a system and the steps between them.
#[derive(Clone, Debug, Default)]
pub struct Explicit {
    /// The packed states, the initial ones first.
    pub states: Vec<Box<[u64]>>,
    /// The successors of each state, one for each way to go there.
    pub successors: Vec<Vec<usize>>,
    /// How many states are initial.
    pub n_initial: usize,
}

impl Explicit {
    /// All that can be reached in `system`.
    ///
    /// # Errors
    ///
    /// If a transition goes wrong.
    pub fn new(system: &mut impl TransitionSystem) -> Result<Self, Fault> {
        let states = system.initial_states();
        let n_initial = states.len();
        let mut graph = Self { states, successors: Vec::new(), n_initial };
        let mut numbers: HashMap<Box<[u64]>, usize, FxBuildHasher> =
            graph.states.iter().cloned().zip(0..).collect();
        let mut target = vec![0; system.n_words()];
        while let Some(state) = graph.states.get(graph.successors.len()).cloned() {
            let mut cursor = Cursor::default();
            let mut successors = Vec::new();
            while system.next(&state, &mut cursor, &mut target)?.is_some() {
                let fresh = numbers.len();
                let number = *numbers.entry(target.as_slice().into()).or_insert(fresh);
                if number == fresh {
                    graph.states.push(target.as_slice().into());
                }
                successors.push(number);
            }
            graph.successors.push(successors);
        }
        Ok(graph)
    }

    /// The number of pairs of a state and a way to leave it.
    #[must_use]
    pub fn n_transitions(&self) -> usize {
        self.successors.iter().map(Vec::len).sum()
    }

    /// The same graph with letters: `system` observes the atoms of `formula`,
    /// in their order. Deadlocks stutter, or have no infinite run.
    ///
    /// # Errors
    ///
    /// If an atom goes wrong.
    pub fn kripke(
        &self,
        system: &mut impl TransitionSystem,
        formula: &Formula,
        stutter: bool,
    ) -> Result<Kripke, Fault> {
        let mut observed = vec![0; formula.atoms().len().div_ceil(64)];
        let mut graph = Kripke {
            successors: self.successors.clone(),
            letters: Vec::with_capacity(self.states.len()),
            initial: (0..self.n_initial).collect(),
        };
        for state in &self.states {
            system.observe(state, &mut observed)?;
            let all = formula.atoms().iter().map(|(atom, _)| atom);
            graph.letters.push(all.filter(|&atom| is_observed(&observed, atom)).collect());
        }
        if stutter {
            for (number, successors) in graph.successors.iter_mut().enumerate() {
                if successors.is_empty() {
                    successors.push(number);
                }
            }
        }
        Ok(graph)
    }
}
