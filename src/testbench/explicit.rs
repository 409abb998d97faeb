//! A whole state graph in tables, made with the simplest means: what everything
//! on the fly is compared with.

use super::tableau::{Kripke, Promise};
use crate::id::Id;
use crate::lang::program::{Program, Proposition};
use crate::ltl::Formula;
use crate::system::{Cursor, Fault, FaultKind, TransitionId, TransitionSystem, is_observed};
use crate::word::AtomId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

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
pub struct Explicit {
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
    pub fn new(system: &mut impl TransitionSystem) -> Result<Self, Fault> {
        let states = system.initial_states();
        let n_initial = states.len();
        let mut graph = Self { states, steps: Vec::new(), n_initial };
        let mut numbers: HashMap<Box<[u64]>, usize, FxBuildHasher> =
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
    pub fn n_transitions(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// The same graph with letters: `system` observes the atoms of `formula`,
    /// in their order. Deadlocks stutter, or have no infinite run.
    ///
    /// A node of it is a state and what is true because of the step that leaves
    /// it, since atoms may be about that step.
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
        self.kripke_of(system, formula.atoms().len(), stutter)
    }

    /// As [`kripke`](Explicit::kripke), for the first `n_atoms` that `system`
    /// observes.
    ///
    /// # Errors
    ///
    /// If an atom goes wrong.
    pub fn kripke_of(
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

/// What a program promises about its runs, as promises about atoms that are
/// added behind `atoms`.
pub fn promises(program: &Program, atoms: &mut Vec<Proposition>) -> Vec<Promise> {
    let mut add = |atom: Proposition| {
        atoms.push(atom);
        AtomId::new(atoms.len() - 1)
    };
    let promise = |fairness: &crate::lang::program::Fairness| Promise {
        strength: fairness.strength,
        enabled: add(Proposition::Enabled(fairness.transitions.clone())),
        taken: add(Proposition::Taken(fairness.transitions.clone())),
    };
    program.fairness.iter().map(promise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::execute::Interpreter;
    use crate::lang::lwm;
    use crate::lang::program::Strength;
    use crate::testbench::Random;
    use crate::testbench::random_formula::{Options, random_formula};
    use crate::testbench::random_model::random_fair_model;
    use crate::testbench::tableau::{some_fair_run_satisfies, some_run_satisfies};

    /// Whether some fair run of a model satisfies a formula.
    #[track_caller]
    fn check(text: &str, formula: &str, expected: bool) {
        let model = lwm::read(text, &[]).unwrap();
        let formula = model.bindings.formula(formula).unwrap();
        let (program, mut atoms) = model.bound(&formula).unwrap();
        let promises = promises(&program, &mut atoms);
        let mut system = Interpreter::new(&program, &atoms);
        let explicit = Explicit::new(&mut system).unwrap();
        let graph = explicit.kripke_of(&mut system, atoms.len(), true).unwrap();
        assert_eq!(some_fair_run_satisfies(&graph, &formula, &promises), expected);
    }

    #[test]
    fn letters_belong_to_steps() {
        let text = "var x: bool; action on when !x do x' = true; action off when x do x' = false;";
        check(text, "taken(on)", true);
        check(text, "taken(off)", false);
        check(text, "G (taken(on) <-> enabled(on))", true);
        check(text, "F (taken(on) & X taken(on))", false);
        let text = "var x: bool; action stay; action on do x' = true;";
        check(text, "!x & taken(stay) & X (!x & taken(on) & X x)", true);
        check(text, "G (taken(stay) | taken(on)) & G F taken(stay) & G !taken(on)", true);
        check(text, "F (taken(on) & X !x)", false);
    }

    #[test]
    fn nothing_is_taken_in_a_deadlock() {
        let text = "var x: bool; strong fair action on when !x do x' = true;";
        check(text, "F G (!taken(on) & !enabled(on))", true);
        check(text, "G F enabled(on)", false);
        check(text, "X taken(on)", false);
    }

    /// A promise is a formula, too.
    #[test]
    fn promises_are_as_good_as_formulas() {
        let mut random = Random::new(2004);
        let shape = Options { size: 4, ..Options::default() };
        let mut verdicts = [0; 2];
        while verdicts.iter().any(|&n| n < 60) {
            let (text, about) = random_fair_model(&mut random);
            let mut model = lwm::read(&text, &[]).unwrap();
            model.program.fairness.truncate(1);
            let Some(fairness) = model.program.fairness.first() else { continue };
            let name = &fairness.name;
            let assumption = match fairness.strength {
                Strength::Weak => format!("(F G enabled({name}) -> G F taken({name}))"),
                Strength::Strong => format!("(G F enabled({name}) -> G F taken({name}))"),
            };
            let action = &about[random.below(about.len())];
            let formula = random_formula(&shape, &mut random).to_string().replace("p2", action);
            let assuming = model.bindings.formula(&format!("{assumption} & ({formula})")).unwrap();
            let formula = model.bindings.formula(&formula).unwrap();
            let (program, mut atoms) = model.bound(&formula).unwrap();
            let promises = promises(&program, &mut atoms);
            let mut system = Interpreter::new(&program, &atoms);
            let Ok(explicit) = Explicit::new(&mut system) else { continue };
            let graph = explicit.kripke_of(&mut system, atoms.len(), true).unwrap();
            let found = some_fair_run_satisfies(&graph, &formula, &promises);
            let (program, atoms) = model.bound(&assuming).unwrap();
            let mut system = Interpreter::new(&program, &atoms);
            let graph = explicit.kripke(&mut system, &assuming, true).unwrap();
            assert_eq!(found, some_run_satisfies(&graph, &assuming), "{assuming}\n{text}");
            verdicts[usize::from(found)] += 1;
        }
    }

    #[test]
    fn declared_fairness_is_kept() {
        let text = "var x: bool; action on when !x do x' = true; action off when x do x' = false;";
        let with = |promise: &str| format!("{text} action stay; {promise}");
        check(&with(""), "F G taken(stay)", true);
        check(&with("weak fair on;"), "F G taken(stay)", true);
        check(&with("weak fair on; weak fair off;"), "F G taken(stay)", false);
        check(&with("strong fair stay;"), "F G !taken(stay)", false);
        check(&with("weak fair stay;"), "F G !taken(stay)", false);
    }
}
