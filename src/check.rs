//! The questions: is a formula satisfiable, is it valid?
//!
//! Here the rooms are put together: simplify, translate, search, extract a
//! lasso, certify it against the formula as it was written.

pub mod explore;
pub mod model;

use crate::bdd::{self, Diagrams};
use crate::certify::{self, Refuted};
use crate::configuration::reading::Reading;
use crate::configuration::{self, ConfigId, ConfigurationGraph, Labels, Successor};
use crate::id::Id;
use crate::ltl::{Formula, nnf, simplify};
use crate::lwaa::{Lwaa, build, reduce};
use crate::search::lasso::{self, Step};
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::search::scc::{self, Search};
use crate::shorten;
use crate::verdict::{Answer, Satisfiability, Statistics};
use crate::word::{Atoms, Lasso, Letter};

/// How a question is answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// How accepting cycles are recognized.
    pub labels: Labels,
    /// Whether formula and automaton are simplified first.
    pub simplify: bool,
    /// What the search may use.
    pub limits: Limits,
    /// How many configurations keep their edges once they are all known.
    pub cache_size: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            labels: Labels::Exact,
            simplify: true,
            limits: Limits::default(),
            cache_size: usize::MAX,
        }
    }
}

/// Whether `formula` has a model; if so, a certified one.
///
/// ```
/// use lwaa::{Formula, Options, Satisfiability, satisfiable};
/// let formula = Formula::parse("G F a & G F !a")?;
/// let answer = satisfiable(&formula, &Options::default())?;
/// let Satisfiability::Satisfiable(lasso) = answer.satisfiability else { unreachable!() };
/// assert_eq!(lasso.cycle().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If the lasso that was found does not pass certification: a bug.
pub fn satisfiable(formula: &Formula, options: &Options) -> Result<Answer, Refuted> {
    satisfiable_with::<bdd::Default>(formula, options, &Monitor::default())
}

/// [`satisfiable`] with a chosen decision diagram package and a monitor by
/// which other threads can watch and stop the search.
///
/// # Errors
///
/// If the lasso that was found does not pass certification: a bug.
pub fn satisfiable_with<D: Diagrams>(
    formula: &Formula,
    options: &Options,
    monitor: &Monitor,
) -> Result<Answer, Refuted> {
    let mut budget = Budget::new(options.limits, monitor);
    let mut statistics = Statistics { terms: formula.n_terms(), ..Statistics::default() };
    let found = search::<D>(formula, options, &mut budget, &mut statistics);
    let satisfiability = match found {
        Ok(Some(lasso)) => {
            let lasso = shorten::shorten(formula, lasso);
            Satisfiability::Satisfiable(certify::certify(formula, lasso)?)
        }
        Ok(None) => Satisfiability::Unsatisfiable,
        Err(exhausted) => Satisfiability::Unknown(exhausted),
    };
    statistics.time = budget.elapsed();
    statistics.resident_bytes = resident_bytes();
    Ok(Answer { satisfiability, statistics })
}

/// Whether the automaton of `formula` accepts `word`, whose letters are over
/// the atoms of `formula`.
///
/// This asks the search; what is *true* is said by
/// [`semantics::holds`](crate::ltl::semantics::holds).
///
/// # Errors
///
/// If a limit is reached first.
pub fn accepts<D: Diagrams>(
    formula: &Formula,
    word: &Lasso<Letter>,
    options: &Options,
) -> Result<bool, Exhausted> {
    let lwaa = automaton(formula, options);
    let monitor = Monitor::default();
    let mut budget = Budget::new(options.limits, &monitor);
    let mut graph = configurations::<D>(&lwaa, options);
    // The automaton may number its atoms in another way.
    let word = word.map(|letter| translate(letter, formula.atoms(), lwaa.atoms()));
    Search::default().run(&mut Reading::new(&mut graph, &word), &mut budget)
}

/// The automaton that [`satisfiable`] searches.
#[must_use]
pub fn automaton(formula: &Formula, options: &Options) -> Lwaa {
    let mut nnf = nnf::from_formula(formula);
    if options.simplify {
        nnf = simplify::simplify(&nnf);
    }
    match options.labels {
        // The simple criterion needs X in front of atoms only, and transitions
        // exactly as they were built.
        Labels::Simple => build::from_nnf(simplify::push_next(&nnf)),
        Labels::Exact if options.simplify => reduce::reduce(&build::from_nnf(nnf)),
        Labels::Exact => build::from_nnf(nnf),
    }
}

/// Diagram nodes that a single step may need if memory is not limited.
const DEFAULT_CAPACITY: usize = 1 << 25;
/// Bytes that a diagram node costs, with its share of the tables.
const BYTES_PER_DIAGRAM_NODE: usize = 64;

fn search<D: Diagrams>(
    formula: &Formula,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let lwaa = automaton(formula, options);
    statistics.locations = lwaa.n_locations();
    let mut graph = configurations::<D>(&lwaa, options);
    let mut search = Search::default();
    let outcome = search.run(&mut graph, budget);
    count(statistics, search.counters(), graph.counters());
    if !outcome? {
        return Ok(None);
    }
    let steps = lasso::extract(&mut graph, &search, budget)?;
    let letters = read_letters(&mut graph, &steps, budget)?;
    let word = letters.map(|letter| translate(letter, lwaa.atoms(), formula.atoms()));
    Ok(Some(word.shortened()))
}

/// Notes how much has been searched.
fn count(statistics: &mut Statistics, searched: scc::Counters, met: configuration::Counters) {
    statistics.configurations = met.configurations;
    statistics.cache_hits = met.cache_hits;
    statistics.cache_misses = met.cache_misses;
    statistics.nodes = searched.nodes;
    statistics.transitions = searched.edges;
    statistics.components = searched.components;
    statistics.depth = searched.depth;
}

fn read_letters<D: Diagrams>(
    graph: &mut ConfigurationGraph<'_, D>,
    steps: &Lasso<Step<usize>>,
    budget: &mut Budget<'_>,
) -> Result<Lasso<Letter>, Exhausted> {
    let mut letters = Vec::with_capacity(steps.n_positions());
    for step in steps.iter() {
        let target = ConfigId::new(step.target.index());
        let successor = Successor { target, missing: step.missing };
        letters.push(graph.letter(ConfigId::new(step.source.index()), successor, budget)?);
    }
    let cycle = letters.split_off(steps.prefix().len());
    Ok(Lasso::new(letters, cycle).expect("the cycle has as many letters as steps"))
}

fn configurations<'a, D: Diagrams>(lwaa: &'a Lwaa, options: &Options) -> ConfigurationGraph<'a, D> {
    let capacity =
        options.limits.memory.map_or(DEFAULT_CAPACITY, |bytes| bytes / BYTES_PER_DIAGRAM_NODE);
    ConfigurationGraph::new(lwaa, options.labels, options.cache_size, capacity)
}

/// The same letter over atoms that are numbered in another way. Atoms that
/// `to` does not know are left out.
fn translate(letter: &Letter, from: &Atoms, to: &Atoms) -> Letter {
    letter.iter().filter_map(|atom| to.find(from.name(atom))).collect()
}
