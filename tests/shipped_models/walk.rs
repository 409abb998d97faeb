//! The graph of a model, and random lassos in it.

use lwaa::id::Id;
use lwaa::lang::Model;
use lwaa::lang::execute::Interpreter;
use lwaa::lang::program::{Fairness, Proposition, Strength};
use lwaa::ltl::Formula;
use lwaa::system::{Cursor, TransitionId, TransitionSystem, is_observed};
use lwaa::testbench::Random;
use lwaa::word::{AtomId, Lasso, Letter};
use std::collections::HashMap;

/// A state by its number, and what is taken there: nothing in a deadlock.
pub(crate) type Step = (usize, Option<TransitionId>);

/// The reachable states of a model by number, and where steps lead.
pub(crate) struct Graph {
    states: Vec<Box<[u64]>>,
    n_initial: usize,
    /// What is taken in each step, its lane, and where it leads.
    steps: Vec<Vec<(TransitionId, u32, usize)>>,
    n_lanes: u32,
}

impl Graph {
    /// All that can be reached, breadth first, through the interpreter.
    pub(crate) fn new(model: &Model) -> Self {
        let mut system = Interpreter::new(&model.program, &[]);
        let mut states = system.initial_states();
        let n_initial = states.len();
        let mut numbers: HashMap<Box<[u64]>, usize> = states.iter().cloned().zip(0..).collect();
        let mut steps = Vec::new();
        let mut target = vec![0; system.n_words()];
        while let Some(state) = states.get(steps.len()).cloned() {
            let mut cursor = Cursor::default();
            let mut leaving = Vec::new();
            while let Some(taken) = system.next(&state, &mut cursor, &mut target).unwrap() {
                let number = *numbers.entry(target.clone().into()).or_insert_with(|| {
                    states.push(target.clone().into());
                    states.len() - 1
                });
                leaving.push((taken, system.lane(taken), number));
            }
            steps.push(leaving);
        }
        Self { states, n_initial, steps, n_lanes: system.n_lanes() }
    }

    pub(crate) fn n_states(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn n_transitions(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// Whether a run keeps all promises.
    pub(crate) fn is_fair(&self, lasso: &Lasso<Step>, promises: &[Fairness]) -> bool {
        promises.iter().all(|promise| {
            let is_meant = |taken: &TransitionId| promise.transitions.contains(taken);
            let is_enabled =
                |(state, _): &Step| self.steps[*state].iter().any(|(taken, ..)| is_meant(taken));
            let mut cycle = lasso.cycle().iter();
            let is_waiting = match promise.strength {
                Strength::Weak => cycle.all(is_enabled),
                Strength::Strong => cycle.any(is_enabled),
            };
            !is_waiting
                || lasso.cycle().iter().any(|(_, taken)| taken.as_ref().is_some_and(is_meant))
        })
    }

    /// A random walk until it closes. After a while one lane becomes lazy, since
    /// fair walks seldom violate anything. Deadlocks stutter.
    pub(crate) fn lasso(&self, random: &mut Random) -> Lasso<Step> {
        let mut path: Vec<Step> = Vec::new();
        let mut state = random.below(self.n_initial);
        let mut positions = HashMap::new();
        let lazy = random.below(self.n_lanes as usize + 1);
        let n_fair = random.below(30);
        loop {
            let leaving = &self.steps[state];
            if leaving.is_empty() {
                return Lasso::new(path, vec![(state, None)]).unwrap();
            }
            positions.insert(state, path.len());
            let mut step = leaving[random.below(leaving.len())];
            for _ in 0..8 {
                if step.1 as usize != lazy || path.len() < n_fair {
                    break;
                }
                step = leaving[random.below(leaving.len())];
            }
            let (taken, _, next) = step;
            path.push((state, Some(taken)));
            if let Some(&position) = positions.get(&next)
                && n_fair <= position
                && (random.chance(0.25) || 500 < path.len())
            {
                let cycle = path.split_off(position);
                return Lasso::new(path, cycle).unwrap();
            }
            state = next;
        }
    }
}

/// What a formula sees of the steps of a graph.
pub(crate) struct Letters {
    atoms: Vec<Proposition>,
    /// What is true in each state, as bits.
    observed: Vec<Vec<u64>>,
}

impl Letters {
    pub(crate) fn new(graph: &Graph, model: &Model, formula: &Formula) -> Self {
        let (program, atoms) = model.bound(formula).unwrap();
        let mut system = Interpreter::new(&program, &atoms);
        let mut observe = |state: &[u64]| {
            let mut bits = vec![0; atoms.len().div_ceil(64)];
            system.observe(state, &mut bits).unwrap();
            bits
        };
        let observed = graph.states.iter().map(|state| observe(state)).collect();
        Self { atoms, observed }
    }

    /// The letter of a step.
    pub(crate) fn letter(&self, (state, taken): Step) -> Letter {
        let is_true = |number: usize| match &self.atoms[number] {
            Proposition::Taken(meant) => taken.is_some_and(|taken| meant.contains(&taken)),
            _ => is_observed(&self.observed[state], AtomId::new(number)),
        };
        (0..self.atoms.len()).filter(|&number| is_true(number)).map(AtomId::new).collect()
    }
}
