//! The configurations of a formula and all their steps, written out.
//!
//! No question needs this: it is how the testbench looks at our automata side by
//! side with others'. Every edge is a step under one letter, exactly as the
//! search takes it when a word or a model gives the letters.

use super::{Exploration, Options, automaton as alternating, configurations};
use crate::baseline::Cube;
use crate::baseline::nba::{Builder, Nba, StateId};
use crate::bdd;
use crate::configuration::{ConfigId, Successors};
use crate::id::Id;
use crate::ltl::Formula;
use crate::search::limits::{Budget, Exhausted};
use crate::search::{Graph, MarkId};
use crate::word::Letter;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// More atoms than this have too many letters.
const MAX_ATOMS: usize = 16;

/// The configuration graph of `formula` as a generalized Büchi automaton. There
/// is an edge for every letter over the atoms that matter to a configuration,
/// and an acceptance set for every location that can put off what it waits for.
///
/// ```
/// use lwaa::{Formula, check::explicit};
/// use lwaa::search::limits::{Budget, Limits, Monitor};
/// let monitor = Monitor::default();
/// let mut budget = Budget::new(Limits::default(), &monitor);
/// let automaton = explicit::automaton(&Formula::parse("p U q")?, &mut budget)?;
/// assert_eq!((automaton.n_states(), automaton.n_sets()), (2, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a limit is reached, or more than 16 atoms matter to a configuration.
#[expect(clippy::missing_panics_doc, reason = "the atoms of a letter are different")]
pub fn automaton(formula: &Formula, budget: &mut Budget<'_>) -> Result<Nba, Exhausted> {
    let pure = Exploration { pure: true, ..Exploration::default() };
    let options = Options { method: pure.into(), ..Options::default() };
    let lwaa = alternating(formula, &options);
    let mut graph = configurations::<bdd::Default>(&lwaa, &options, Successors::Bdd);
    let mut numbers = Numbers::default();
    numbers.number(graph.initial_configuration());
    let mut edges = Vec::new();
    let mut next = 0;
    while let Some(&config) = numbers.found.get(next) {
        let atoms = graph.atoms(config).to_vec();
        if MAX_ATOMS < atoms.len() {
            return Err(Exhausted::States { limit: MAX_ATOMS });
        }
        for code in 0_usize..1 << atoms.len() {
            let literals = || (0..).zip(&atoms).map(|(bit, &atom)| (atom, code >> bit & 1 == 1));
            let letter: Letter =
                literals().filter(|&(_, positive)| positive).map(|(atom, _)| atom).collect();
            let cube = literals().fold(Cube::truth(), |cube, (atom, positive)| {
                cube.and(&Cube::literal(atom, positive)).expect("atoms are different")
            });
            let label = graph.label(config, &letter);
            let mut index = 0;
            while let Some(successor) = graph.successor(config, label, index, budget)? {
                budget.check(numbers.found.len(), 0)?;
                index += 1;
                let target = numbers.number(successor.target);
                edges.push((next, cube.clone(), successor.missing, target));
            }
        }
        next += 1;
    }
    let sets = &*graph.marks();
    // Marks are numbered by locations. Those that no edge misses do not count.
    let of_edges = edges.iter().flat_map(|&(_, _, missing, _)| sets.elements(missing));
    let mut marks: Vec<MarkId> = of_edges.copied().collect();
    marks.sort_unstable();
    marks.dedup();
    let mut builder = Builder::new(lwaa.atoms().clone(), marks.len());
    let states: Vec<StateId> = numbers.found.iter().map(|_| builder.add_state()).collect();
    builder.add_initial(states[0]);
    for (source, cube, missing, target) in edges {
        let missing = sets.elements(missing);
        let earned = (0..).zip(&marks).filter(|(_, mark)| missing.binary_search(mark).is_err());
        let earned = earned.map(|(set, _)| MarkId::new(set));
        builder.add_edge(states[source], &cube, earned, states[target]);
    }
    Ok(builder.finish())
}

/// The configurations in the order in which they are found.
#[derive(Default)]
struct Numbers {
    found: Vec<ConfigId>,
    numbers: HashMap<ConfigId, usize, FxBuildHasher>,
}

impl Numbers {
    fn number(&mut self, config: ConfigId) -> usize {
        *self.numbers.entry(config).or_insert_with(|| {
            self.found.push(config);
            self.found.len() - 1
        })
    }
}
