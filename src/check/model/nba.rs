//! The product with an explicit automaton: translate, search, project the lasso
//! to states.
//!
//! Everything that is asked of runs is in the formula that is translated,
//! fairness as well. What comes out is certified as any other run.

use super::errors::{self, Known};
use super::fairness::with_assumptions;
use super::{Found, ModelCheck, SearchKind};
use crate::baseline::Nba;
use crate::baseline::enabled::{AutomatonProduct, EnabledEdges};
use crate::baseline::magic_search::MagicSearch;
use crate::baseline::nba::StateId;
use crate::baseline::nested_search::{Counters, NestedSearch};
use crate::baseline::prefixes::without_acceptance;
use crate::baseline::translation::{self, Translation};
use crate::baseline::visited::Visited;
use crate::baseline::visited::bits::BitTable;
use crate::baseline::visited::nodes::Nodes;
use crate::baseline::visited::packets::Packets;
use crate::check::nba::translated;
use crate::check::normal_form;
use crate::id::IdVec;
use crate::ltl::Formula;
use crate::product::moves::Moves;
use crate::product::{Halt, Product, Watch};
use crate::run::{Moment, Run};
use crate::search::lasso;
use crate::search::limits::Budget;
use crate::search::scc::Search;
use crate::store::{StateStore, StoreKind};
use crate::system::{Opened, TransitionSystem};
use crate::verdict::Statistics;
use crate::word::Lasso;

impl<'a, O: Opened> ModelCheck<'a, O> {
    /// Looks for a run that satisfies `wanted` and all assumptions.
    pub(super) fn search_explicit(
        &mut self,
        wanted: &Formula,
        translation: Translation,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let options = &self.options.options;
        let nnf = normal_form(&with_assumptions(wanted, self.assumptions), options);
        let automaton = translated(budget, statistics, |budget| match self.search {
            SearchKind::Scc => {
                translation::generalized(&nnf, translation, !options.simplify, budget)
            }
            _ => translation::buchi(&nnf, translation, !options.simplify, budget),
        })?;
        self.search_automaton(&automaton, budget, statistics)
    }

    /// Looks for a run that an automaton accepts.
    pub(super) fn search_automaton(
        &mut self,
        automaton: &Nba,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        statistics.searches += 1;
        let watch = errors::silent_watch(self.options.errors);
        let product = self.product(EnabledEdges::of(automaton)).watching(watch);
        match self.search {
            SearchKind::Scc => self.search_components(product, budget, statistics),
            kind => self.search_states(kind, product, budget, statistics),
        }
    }

    /// Looks for a run into an error behind which an automaton is in one of the states `decided`.
    pub(super) fn search_prefix(
        &mut self,
        automaton: &Nba,
        mut decided: IdVec<StateId, bool>,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let automaton = without_acceptance(automaton, &mut decided);
        let watch = Watch { looks_for_prefixes: true, has_met: true, ..Watch::default() };
        let automaton = EnabledEdges::of(&automaton).with_universal(decided);
        let product = self.product(automaton).watching(watch);
        let kind = match self.search {
            // Nothing is accepting, so there is only a first search, which visits every node.
            SearchKind::Scc | SearchKind::Nested => SearchKind::Nested,
            SearchKind::Magic => SearchKind::Magic,
        };
        let mut counted = Statistics::default();
        let found = self.search_states(kind, product, budget, &mut counted);
        statistics.states = statistics.states.max(counted.states);
        statistics.nodes += counted.nodes;
        statistics.transitions += counted.transitions;
        found
    }

    /// The product of the model with an automaton.
    fn product<'b>(&self, automaton: EnabledEdges<'b>) -> AutomatonProduct<'b, O::Executor<'a>> {
        let atoms = automaton.automaton().atoms();
        let (system, rules) = self.executor(atoms, atoms.len());
        Moves::new(system, automaton, &rules)
    }

    fn search_components<S: TransitionSystem>(
        &mut self,
        product: AutomatonProduct<'_, S>,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let mut graph = Product::new(product, self.store);
        let mut search = Search::default();
        if self.options.shortest {
            search = search.exhaustive();
        }
        let outcome = search.run(&mut graph, budget);
        self.errors.note(*graph.watch());
        let counted = search.counters();
        statistics.nodes = counted.nodes;
        statistics.transitions = counted.edges;
        statistics.components = counted.components;
        statistics.depth = counted.depth;
        statistics.states = graph.store().len();
        statistics.state_bytes = graph.store().n_bytes();
        statistics.add_reduced(graph.system().reduced());
        match outcome {
            Ok(false) => Ok(Found::Nothing),
            Ok(true) => {
                let steps = lasso::extract(&mut graph, &search, budget)?;
                let lasso = steps
                    .map(|step| Moment::new(graph.state(step.source), step.cursor.taken()))
                    .shortened();
                Ok(Found::Run(lasso.into()))
            }
            Err(halt) if !halt.is_error() => Err(halt),
            Err(halt) => {
                let steps = lasso::path(&mut graph, &search, budget)?;
                let mut run: Vec<Moment> = Vec::new();
                for step in &steps {
                    run.push(Moment::new(graph.state(step.source), step.cursor.taken()));
                }
                if let Some(last) = search.path().last() {
                    run.push(Moment::new(graph.state(last.node), None));
                }
                halted(halt, run)
            }
        }
    }

    /// Nested or magic search, with the store that was asked for.
    fn search_states<S: TransitionSystem>(
        &mut self,
        kind: SearchKind,
        product: AutomatonProduct<'_, S>,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let n_words = product.system().n_words();
        match self.options.store {
            StoreKind::Exact | StoreKind::Tree => {
                let mut nodes = Nodes::new(self.store);
                let known = &mut self.errors;
                let found = run(kind, product, &mut nodes, budget, statistics, known);
                statistics.state_bytes = nodes.store().n_bytes();
                found
            }
            StoreKind::Hybrid => {
                let mut packets =
                    Packets::new(self.store, product.automaton().automaton().n_states());
                let known = &mut self.errors;
                let found = run(kind, product, &mut packets, budget, statistics, known);
                let size = packets.size(n_words * 8);
                statistics.packets = size.packets;
                statistics.packet_bytes = size.packet_bytes;
                statistics.classical_states = size.states;
                statistics.classical_bytes = size.state_bytes;
                statistics.state_bytes = packets.n_bytes();
                found
            }
            StoreKind::Bitstate => {
                let mut table = BitTable::new(budget.limits())?;
                let known = &mut self.errors;
                let found = run(kind, product, &mut table, budget, statistics, known);
                statistics.coverage = Some(table.coverage());
                statistics.state_bytes = table.n_bytes();
                found
            }
        }
    }
}

/// Runs a search and notes how much it has searched.
fn run<S: TransitionSystem, V: Visited>(
    kind: SearchKind,
    mut product: AutomatonProduct<'_, S>,
    visited: &mut V,
    budget: &mut Budget<'_>,
    statistics: &mut Statistics,
    known: &mut Known,
) -> Result<Found, Halt> {
    let n_words = product.system().n_words();
    let (found, counters) = if kind == SearchKind::Magic {
        let mut search = MagicSearch::new(n_words);
        let outcome = search.run(&mut product, visited, budget);
        (found(outcome, search.lasso(), search.path()), search.counters())
    } else {
        let mut search = NestedSearch::new(n_words);
        let outcome = search.run(&mut product, visited, budget);
        (found(outcome, search.lasso(), search.path()), search.counters())
    };
    known.note(*product.watch());
    statistics.add_reduced(product.system().reduced());
    let Counters { first, second, edges, depth } = counters;
    statistics.nodes = first;
    statistics.nodes_again = second;
    statistics.transitions = edges;
    statistics.depth = depth;
    statistics.states = visited.n_states();
    found
}

fn found(
    outcome: Result<bool, Halt>,
    lasso: Option<Lasso<Moment>>,
    path: Vec<Moment>,
) -> Result<Found, Halt> {
    match (outcome, lasso) {
        (Ok(true), Some(lasso)) => Ok(Found::Run(lasso.shortened().into())),
        (Ok(_), _) => Ok(Found::Nothing),
        (Err(halt), _) if !halt.is_error() => Err(halt),
        (Err(halt), _) => halted(halt, path),
    }
}

/// What there is to say when the model goes wrong behind these moments.
fn halted(halt: Halt, moments: Vec<Moment>) -> Result<Found, Halt> {
    let is_decided = matches!(halt, Halt::Decided(_));
    let run = Run::into_error(moments, errors::ending(halt)?);
    Ok(if is_decided { Found::Run(run) } else { Found::Error(run) })
}
