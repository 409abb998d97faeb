//! The questions: is a formula satisfiable, is it valid?
//!
//! Here the rooms are put together: simplify, split, translate, search, extract
//! a lasso, certify it against the formula as it was written.

pub mod explicit;
pub mod explore;
pub mod finite;
pub mod joint;
mod lifted;
pub mod method;
pub mod model;
mod nba;
pub mod reduction;
pub mod room;
mod strategy;
pub mod survey;

use crate::baseline::word_graph;
use crate::bdd::{self, Diagrams};
use crate::certify::{self, Refuted};
use crate::configuration::reading::Reading;
use crate::configuration::{self, ConfigId, ConfigurationGraph, Labels, Successor, Successors};
use crate::id::Id;
use crate::ltl::nnf::{self, Nnf, Nodes};
use crate::ltl::split::{self, Part, Recurring};
use crate::ltl::{Formula, Term, constant, simplify};
use crate::lwaa::{Lwaa, build, reduce};
use crate::recurrence::Recurrence;
use crate::sat::{self, solver::LargeSolver};
use crate::search::lasso::{self, Step};
use crate::search::limits::{Budget, Exhausted, Limits, Monitor, resident_bytes};
use crate::search::scc::Search;
use crate::shorten;
use crate::verdict::{Answer, Satisfiability, Statistics};
use crate::word::{Atoms, Lasso, Letter};

pub use method::{Exploration, Method};

/// How a question is answered.
#[derive(Clone, Debug)]
pub struct Options {
    /// The method.
    pub method: Method,
    /// Whether formula and automaton are simplified first.
    pub simplify: bool,
    /// What the search may use.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { method: Method::default(), simplify: true, limits: Limits::default() }
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
    let found = match options.method {
        Method::Automaton { translation, .. } => {
            nba::search(formula, translation, options, &mut budget, &mut statistics)
        }
        _ => strategy::search::<D>(formula, options, &mut budget, &mut statistics),
    };
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
    let monitor = Monitor::default();
    let mut budget = Budget::new(options.limits, &monitor);
    if let Method::Automaton { translation, .. } = options.method {
        let automaton = nba::generalized(formula, translation, options, &mut budget)?;
        let word = word.map(|letter| translate(letter, formula.atoms(), automaton.atoms()));
        return word_graph::accepts(&automaton, &word, &mut budget);
    }
    for case in cases(formula, options, Recurrence::new) {
        let mut graph = configurations::<D>(&case.lwaa, options, Successors::Bdd);
        // The automaton may number its atoms in another way.
        let word = word.map(|letter| translate(letter, formula.atoms(), case.lwaa.atoms()));
        let mut reading = Reading::new(&mut graph, &word).with_signs(&case.recurrence);
        if Search::new(case.recurrence.acceptance().clone()).run(&mut reading, &mut budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One of several searches that answer a question together.
pub(crate) struct Case {
    /// What the automaton does. Atoms that only signs are about come last.
    lwaa: Lwaa,
    /// How many atoms the automaton looks at.
    n_read: usize,
    /// What is left to acceptance.
    recurrence: Recurrence,
    /// The same as a formula, without what is assumed about runs.
    limits: Nnf,
}

/// Cases one of which applies to a word exactly if `formula` does and the word
/// is fair. What that means is for `recur` to add when it turns recurrence
/// formulas into acceptance; it may add atoms of its own.
fn cases(
    formula: &Formula,
    options: &Options,
    recur: impl Fn(&Nnf, &mut Atoms) -> Recurrence,
) -> Vec<Case> {
    let parts = parts(formula, options);
    parts.into_iter().map(|part| Case::new(part, options, &recur)).collect()
}

fn parts(formula: &Formula, options: &Options) -> Vec<Part> {
    let nnf = normal_form(formula, options);
    if options.method.exploration().pure {
        vec![Part { rest: nnf, recurrence: truth() }]
    } else {
        split::split(&nnf)
    }
}

fn truth() -> Nnf {
    nnf::from_formula(&Formula::parse("true").expect("a formula"))
}

impl Case {
    fn new(part: Part, options: &Options, recur: impl Fn(&Nnf, &mut Atoms) -> Recurrence) -> Self {
        let Part { rest, recurrence: limits } = part;
        let mut rest = if options.simplify { simplify::simplify(&rest) } else { rest };
        let n_read = rest.atoms.len();
        let recurrence = recur(&limits, &mut rest.atoms);
        Self { lwaa: translated(rest, options), n_read, recurrence, limits }
    }
}

/// The automaton of the whole of `formula`: that of a [pure](Exploration::pure) exploration.
#[must_use]
pub fn automaton(formula: &Formula, options: &Options) -> Lwaa {
    translated(normal_form(formula, options), options)
}

fn normal_form(formula: &Formula, options: &Options) -> Nnf {
    let nnf = nnf::from_formula(formula);
    if options.simplify { simplify::simplify(&nnf) } else { nnf }
}

fn translated(nnf: Nnf, options: &Options) -> Lwaa {
    match options.method.exploration().labels {
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

/// The effort of the first attempt of each engine.
const FIRST_EFFORT: u64 = 1 << 14;

/// Looks for a model of `formula`.
///
/// Signs tell letters apart that the automaton alone would not, and now and then
/// that costs more than it saves. So the two engines take turns, each time with
/// more effort; what is easy for one of them is easy. No engine
/// begins with more effort than `max_effort`. If the first turns bring no answer, a model is looked
/// for that repeats one letter for ever.
fn search<D: Diagrams>(
    formula: &Formula,
    options: &Options,
    max_effort: u64,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let parts: Vec<Part> = parts(formula, options).into_iter().map(with_invariants).collect();
    let is_plain = |part: &Part| {
        let recurrence = Recurrence::of_free_letters(&part.recurrence, &mut Atoms::default());
        recurrence.n_signs() == 0
    };
    let mut ways = vec![parts];
    if 1 < ways[0].len() || !ways[0].iter().all(is_plain) {
        let exploration = Exploration { pure: true, ..options.method.exploration() };
        let pure = Options { method: exploration.into(), ..options.clone() };
        ways.push(self::parts(formula, &pure));
    }
    let mut effort = FIRST_EFFORT;
    loop {
        for parts in &ways {
            budget.allow_effort(effort);
            let found = search_all::<D>(parts.clone(), formula, options, budget, statistics);
            if !matches!(found, Err(Exhausted::Effort { .. })) {
                budget.allow_effort(u64::MAX);
                return found;
            }
        }
        if effort == FIRST_EFFORT
            && let Some(word) = constant_model(formula, options, budget)?
        {
            return Ok(Some(word));
        }
        if max_effort <= effort {
            return Err(Exhausted::Effort { limit: max_effort });
        }
        // If there is but one way, no other one waits for its turn.
        let more = if ways.len() == 1 { max_effort } else { effort.saturating_mul(4) };
        effort = more.min(max_effort);
    }
}

/// A model that repeats one letter for ever, if there is one and it is easily found.
fn constant_model(
    formula: &Formula,
    options: &Options,
    budget: &Budget<'_>,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let lwaa = automaton(&constant::of(formula), options);
    let letter = sat::constant::letter::<LargeSolver<'_>>(&lwaa, budget)?;
    let renamed = letter.map(|letter| translate(&letter, lwaa.atoms(), formula.atoms()));
    Ok(renamed.and_then(|letter| Lasso::new(Vec::new(), vec![letter])))
}

/// The same part, where `F G p` as a conjunct of the recurrence belongs to the
/// rest: if letters are free, to guess when `p` begins to hold for ever is easier
/// than to tell letters apart by it.
fn with_invariants(part: Part) -> Part {
    let Part { rest, recurrence } = part;
    let conjuncts = recurrence.conjuncts();
    let is_invariant =
        |id| matches!(Recurring::new(&recurrence.nodes, id), Some(Recurring::AlmostAlways(_)));
    let (invariants, others): (Vec<_>, Vec<_>) =
        conjuncts.into_iter().partition(|&id| is_invariant(id));
    if invariants.is_empty() {
        return Part { rest, recurrence };
    }
    let formula = |ids: Vec<nnf::NodeId>, first: Nnf| {
        let mut all = first.to_formula();
        if let Some(list) = recurrence.conjunction(&ids) {
            all = all.combined(Term::And, &list.to_formula());
        }
        nnf::from_formula(&all)
    };
    Part { rest: formula(invariants, rest), recurrence: formula(others, truth()) }
}

/// Looks for a model of one of `parts`.
fn search_all<D: Diagrams>(
    parts: Vec<Part>,
    formula: &Formula,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let are_several = 1 < parts.len();
    for part in parts {
        // What cannot recur at all need not be searched for.
        if are_several && part.rest.root != Nodes::TRUE {
            let limits = Part { rest: truth(), recurrence: part.recurrence.clone() };
            let mut ignored = Statistics::default();
            if search_one::<D>(limits, formula, options, budget, &mut ignored)?.is_none() {
                continue;
            }
        }
        let found = search_one::<D>(part, formula, options, budget, statistics)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn search_one<D: Diagrams>(
    part: Part,
    formula: &Formula,
    options: &Options,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
) -> Result<Option<Lasso<Letter>>, Exhausted> {
    let case = Case::new(part, options, Recurrence::of_free_letters);
    let lwaa = &case.lwaa;
    statistics.locations += lwaa.n_locations();
    statistics.signs += case.recurrence.n_signs() + case.recurrence.plain().len();
    let graph = configurations::<D>(lwaa, options, Successors::Sat);
    let mut graph = graph.with_signs(&case.recurrence);
    let mut search = Search::new(case.recurrence.acceptance().clone());
    let outcome = search.run(&mut graph, budget);
    count(statistics, &search, graph.counters());
    if !outcome? {
        return Ok(None);
    }
    let steps = lasso::extract(&mut graph, &search, budget)?;
    let letters = read_letters(&mut graph, &steps, budget)?;
    let word = letters.map(|letter| translate(letter, lwaa.atoms(), formula.atoms()));
    Ok(Some(word.shortened()))
}

/// Notes how much has been searched.
fn count<C: Clone + PartialEq>(
    statistics: &mut Statistics,
    search: &Search<C>,
    met: configuration::Counters,
) {
    let searched = search.counters();
    statistics.searches += 1;
    statistics.configurations += met.configurations;
    statistics.cache_hits += met.cache_hits;
    statistics.cache_misses += met.cache_misses;
    statistics.spared += met.spared;
    statistics.nodes += searched.nodes;
    statistics.nodes_again += search.n_entered_again();
    statistics.transitions += searched.edges;
    statistics.components += searched.components;
    statistics.depth = statistics.depth.max(searched.depth);
}

fn read_letters<D: Diagrams>(
    graph: &mut ConfigurationGraph<'_, D>,
    steps: &Lasso<Step<usize>>,
    budget: &mut Budget<'_>,
) -> Result<Lasso<Letter>, Exhausted> {
    let mut letters = Vec::with_capacity(steps.n_positions());
    for step in steps.iter() {
        let target = ConfigId::new(step.target.index());
        let successor = Successor { target, missing: step.missing, label: step.label };
        let source = ConfigId::new(step.source.index());
        letters.push(graph.letter(source, successor, &step.shows, &step.without, budget)?);
    }
    let cycle = letters.split_off(steps.prefix().len());
    Ok(Lasso::new(letters, cycle).expect("the cycle has as many letters as steps"))
}

/// The graph of configurations, whose steps are computed as `usual` unless the options say how.
fn configurations<'a, D: Diagrams>(
    lwaa: &'a Lwaa,
    options: &Options,
    usual: Successors,
) -> ConfigurationGraph<'a, D> {
    let capacity =
        options.limits.memory.map_or(DEFAULT_CAPACITY, |bytes| bytes / BYTES_PER_DIAGRAM_NODE);
    let Exploration { labels, successors, cache_size, .. } = options.method.exploration();
    ConfigurationGraph::new(lwaa, labels, cache_size, capacity)
        .with_successors(successors.unwrap_or(usual))
}

/// The same letter over atoms that are numbered in another way. Atoms that
/// `to` does not know are left out.
fn translate(letter: &Letter, from: &Atoms, to: &Atoms) -> Letter {
    letter.iter().filter_map(|atom| to.find(from.name(atom))).collect()
}
