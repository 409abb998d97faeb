//! A whole state graph in tables, made with the simplest means: what everything
//! on the fly is compared with.

use lwaa::id::Id;
use lwaa::system::{Cursor, Fault, FaultKind, TransitionId, TransitionSystem, is_observed};
use lwaa::testbench::kripke::Kripke;
use lwaa::word::AtomId;
use std::collections::HashMap;

/// The next successor. Programs that are too small have no graph here.
fn next(
    system: &mut impl TransitionSystem,
    state: &[u64],
    cursor: &mut Cursor,
    target: &mut [u64],
) -> Result<Option<TransitionId>, Fault> {
    system.next(state, cursor, target).map_err(|error| {
        error
            .fault()
            .unwrap_or(Fault { kind: FaultKind::Rule("too little room"), transition: None })
    })
}

/// The reachable states of a system and the steps between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Explicit {
    /// The packed states, the initial ones first.
    pub states: Vec<Box<[u64]>>,
    /// The steps that leave each state: what is taken, and where it leads.
    pub steps: Vec<Vec<(TransitionId, usize)>>,
    /// How many states are initial.
    pub n_initial: usize,
}

impl Explicit {
    /// All that can be reached in `system`.
    ///
    /// # Errors
    ///
    /// If a transition goes wrong.
    pub(crate) fn new(system: &mut impl TransitionSystem) -> Result<Self, Fault> {
        let states = system.initial_states();
        let n_initial = states.len();
        let mut graph = Self { states, steps: Vec::new(), n_initial };
        let mut numbers: HashMap<Box<[u64]>, usize> =
            graph.states.iter().cloned().zip(0..).collect();
        let mut target = vec![0; system.n_words()];
        while let Some(state) = graph.states.get(graph.steps.len()).cloned() {
            let mut cursor = Cursor::default();
            let mut steps = Vec::new();
            while let Some(transition) = next(system, &state, &mut cursor, &mut target)? {
                let fresh = numbers.len();
                let number = *numbers.entry(target.as_slice().into()).or_insert(fresh);
                if number == fresh {
                    graph.states.push(target.as_slice().into());
                }
                steps.push((transition, number));
            }
            graph.steps.push(steps);
        }
        Ok(graph)
    }

    /// The number of pairs of a state and a way to leave it.
    #[must_use]
    #[allow(dead_code, reason = "not all tests need it")]
    pub(crate) fn n_transitions(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// The same graph with letters: `system` observes the first `n_atoms`.
    /// Deadlocks stutter, or have no infinite run.
    ///
    /// A node of it is a state and what is true because of the step that leaves
    /// it, since atoms may be about that step.
    ///
    /// # Errors
    ///
    /// If an atom goes wrong.
    #[allow(dead_code, reason = "not all tests need it")]
    pub(crate) fn kripke(
        &self,
        system: &mut impl TransitionSystem,
        n_atoms: usize,
        stutter: bool,
    ) -> Result<Kripke, Fault> {
        let mut graph = Kripke::default();
        // The nodes of each state, and where each node leads.
        let mut nodes: Vec<Vec<usize>> = Vec::new();
        let mut targets: Vec<Vec<usize>> = Vec::new();
        for (number, state) in self.states.iter().enumerate() {
            let mut observed = vec![0; n_atoms.div_ceil(64)];
            system.observe(state, &mut observed)?;
            let mut leaving: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
            for &(transition, target) in &self.steps[number] {
                let mut letter = observed.clone();
                system.takes(transition, &mut letter);
                match leaving.iter_mut().find(|(known, _)| *known == letter) {
                    Some((_, targets)) => targets.push(target),
                    None => leaving.push((letter, vec![target])),
                }
            }
            if leaving.is_empty() && stutter {
                leaving.push((observed, vec![number]));
            }
            let first = graph.letters.len();
            for (letter, to) in leaving {
                let all = (0..n_atoms).map(AtomId::new);
                graph.letters.push(all.filter(|&atom| is_observed(&letter, atom)).collect());
                targets.push(to);
            }
            nodes.push((first..graph.letters.len()).collect());
        }
        for to in targets {
            graph.successors.push(to.iter().flat_map(|&state| &nodes[state]).copied().collect());
        }
        graph.initial = nodes[..self.n_initial].concat();
        Ok(graph)
    }
}
