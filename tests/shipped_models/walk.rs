//! The graph of a model, and random lassos in it.

use lwaa::lang::Model;
use lwaa::lang::execute::Interpreter;
use lwaa::ltl::Formula;
use lwaa::system::{Cursor, TransitionSystem, is_observed};
use lwaa::testbench::Random;
use lwaa::word::{Lasso, Letter};
use std::collections::HashMap;

/// The reachable states of a model by number, and where steps lead.
pub(crate) struct Graph {
    states: Vec<Box<[u64]>>,
    n_initial: usize,
    /// The lane of each step, and where it leads.
    successors: Vec<Vec<(u32, usize)>>,
    n_lanes: u32,
}

impl Graph {
    /// All that can be reached, breadth first, through the interpreter.
    pub(crate) fn new(model: &Model) -> Self {
        let mut system = Interpreter::new(&model.program, &[]);
        let mut states = system.initial_states();
        let n_initial = states.len();
        let mut numbers: HashMap<Box<[u64]>, usize> = states.iter().cloned().zip(0..).collect();
        let mut successors = Vec::new();
        let mut target = vec![0; system.n_words()];
        while let Some(state) = states.get(successors.len()).cloned() {
            let mut cursor = Cursor::default();
            let mut targets = Vec::new();
            while let Some(step) = system.next(&state, &mut cursor, &mut target).unwrap() {
                let number = *numbers.entry(target.clone().into()).or_insert_with(|| {
                    states.push(target.clone().into());
                    states.len() - 1
                });
                targets.push((system.lane(step), number));
            }
            successors.push(targets);
        }
        Self { states, n_initial, successors, n_lanes: system.n_lanes() }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn n_transitions(&self) -> usize {
        self.successors.iter().map(Vec::len).sum()
    }

    /// What `formula` sees of each state.
    pub(crate) fn letters(&self, model: &mut Model, formula: &Formula) -> Vec<Letter> {
        let names = formula.atoms().iter();
        let atoms: Vec<_> =
            names.map(|(_, name)| model.bindings.atom(&mut model.program, name).unwrap()).collect();
        let mut system = Interpreter::new(&model.program, &atoms);
        let mut bits = vec![0; atoms.len().div_ceil(64).max(1)];
        let mut letter = |state: &[u64]| {
            system.observe(state, &mut bits).unwrap();
            formula
                .atoms()
                .iter()
                .map(|(atom, _)| atom)
                .filter(|&atom| is_observed(&bits, atom))
                .collect()
        };
        self.states.iter().map(|state| letter(state)).collect()
    }

    /// A random walk until it closes. After a while one lane becomes lazy, since
    /// fair walks seldom violate anything. Deadlocks stutter.
    pub(crate) fn lasso(&self, random: &mut Random) -> Lasso<usize> {
        let mut path = vec![random.below(self.n_initial)];
        let mut positions = HashMap::new();
        let lazy = random.below(self.n_lanes as usize + 1);
        let n_fair = random.below(30);
        loop {
            let last = path.len() - 1;
            let state = path[last];
            let targets = &self.successors[state];
            if targets.is_empty() {
                return Lasso::new(path[..last].to_vec(), vec![state]).unwrap();
            }
            positions.insert(state, last);
            let mut step = targets[random.below(targets.len())];
            for _ in 0..8 {
                if step.0 as usize != lazy || path.len() < n_fair {
                    break;
                }
                step = targets[random.below(targets.len())];
            }
            let (_, next) = step;
            if let Some(&position) = positions.get(&next)
                && n_fair <= position
                && (random.chance(0.25) || 500 < path.len())
            {
                let cycle = path.split_off(position);
                return Lasso::new(path, cycle).unwrap();
            }
            path.push(next);
        }
    }
}
