//! The search of one product, and how a guided search takes turns with it.
//!
//! A search that is guided meets many violations after a few steps for which another one has to
//! look through millions of states, and the other way round. So unless an order is asked for, the
//! search whose order does not depend on the question pauses now and then, and a guided search
//! begins on a store of its own, is given up after some effort, and begins anew with more effort
//! when its next turn comes. Turns are counted in edges, so no answer depends on the clock.

use super::errors;
use super::{Found, ModelCheck, trace};
use crate::bdd::Diagrams;
use crate::check::{Case, Method, configurations, count};
use crate::configuration::Successors;
use crate::ltl::Formula;
use crate::product::{ConfigurationCursor, ConfigurationProduct, Halt, Order, Product};
use crate::search::lasso;
use crate::search::limits::{Budget, Exhausted};
use crate::search::scc::Search;
use crate::store::StateStore;
use crate::system::{Opened, TransitionSystem};
use crate::verdict::Statistics;

/// The effort of the first turn of a guided search, and after how many edges it comes.
pub(super) const FIRST_TURN: u64 = 1 << 14;

/// A guided search has its next turn when the other one has followed so many times as many edges.
pub(super) const NEXT_TURN: u64 = 8;

/// A turn is one in so many of the edges of the other search.
const SHARE: u64 = 8;

impl<O: Opened> ModelCheck<'_, O> {
    /// Whether a guided search may take turns with another one.
    pub(super) fn takes_turns(&self) -> bool {
        let is_explicit = !matches!(self.options.options.method, Method::Automaton { .. });
        self.options.order.is_none() && !self.options.shortest && is_explicit
    }

    /// Searches the product of the system and the automaton of a case.
    pub(super) fn search<D: Diagrams>(
        &mut self,
        formula: &Formula,
        case: &Case,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let fresh = self.system.store(self.options.store);
        let mut store = std::mem::replace(&mut *self.store, fresh);
        let found = self.search_in::<D>(&mut store, formula, case, budget, statistics);
        *self.store = store;
        found
    }

    /// The same with states in `store`.
    fn search_in<D: Diagrams>(
        &mut self,
        store: &mut O::Store,
        formula: &Formula,
        case: &Case,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Found, Halt> {
        let graph = configurations::<D>(&case.lwaa, &self.options.options, Successors::Bdd);
        let looks_for_prefixes = !self.options.exists && case.recurrence.n_signs() == 0;
        let watch = errors::watch(self.options.errors, looks_for_prefixes);
        let moves = self.moves(case, graph).watching(watch);
        let mut search = Search::new(case.recurrence.acceptance().clone());
        if self.options.shortest {
            search = search.exhaustive();
        }
        let mut product = Product::new(moves, store);
        let names = trace::ObligationNames::new(&case.lwaa, &case.limits);
        let mut turn = self.first_turn;
        let outcome = loop {
            search.pause_after(turn.unwrap_or(u64::MAX));
            let about = errors::About { formula, system: self.system, bound: self.bound };
            let mut errors = errors::Meeting {
                about,
                known: &mut self.errors,
                sliced: self.sliced.as_deref(),
                tell: &mut *self.tell,
            };
            let outcome = errors.search(&mut product, &mut search, &names, budget);
            let Some(edges) = turn.filter(|_| search.is_paused()) else { break outcome };
            let guided = self.guided::<D>(formula, case, edges, budget, statistics);
            if let Some(found) = guided.transpose() {
                add(statistics, &product, &search);
                statistics.guided = true;
                return found;
            }
            turn = Some(edges * NEXT_TURN);
        };
        add(statistics, &product, &search);
        match outcome {
            Ok(Some(run)) => Ok(Found::Run(run)),
            Ok(None) if !search.has_found() => Ok(Found::Nothing),
            Ok(None) => {
                let steps = lasso::extract(&mut product, &search, budget)?;
                let lasso = steps.map(|step| names.moment(&mut product, step));
                let method = &self.options.options;
                let mut graph = configurations::<D>(&case.lwaa, method, Successors::Bdd);
                let about = (self.system, self.bound);
                let graph = (&mut graph, &case.recurrence);
                Ok(Found::Run(trace::shortened(lasso, about, graph, &names, budget).into()))
            }
            Err(halt) if !halt.is_error() => Err(halt),
            Err(halt) => Ok(Found::Error(names.path(&mut product, &search, halt, budget)?)),
        }
    }

    /// What a guided search finds when the other one has followed so many edges; nothing if it is
    /// given up.
    fn guided<D: Diagrams>(
        &mut self,
        formula: &Formula,
        case: &Case,
        edges: u64,
        budget: &mut Budget<'_>,
        statistics: &mut Statistics,
    ) -> Result<Option<Found>, Halt> {
        let first_turn = self.first_turn.take();
        let order = std::mem::replace(&mut self.order, Order::Guided);
        budget.allow_effort((edges / SHARE).max(FIRST_TURN));
        let found = self.search::<D>(formula, case, budget, statistics);
        budget.allow_effort(u64::MAX);
        (self.order, self.first_turn) = (order, first_turn);
        *self.store = self.system.store(self.options.store);
        match found {
            Err(Halt::Exhausted(Exhausted::Effort { .. })) => Ok(None),
            found => found.map(Some),
        }
    }
}

/// Adds what a search has met.
fn add<S: TransitionSystem, T: StateStore, D: Diagrams>(
    statistics: &mut Statistics,
    product: &ConfigurationProduct<'_, S, T, D>,
    search: &Search<ConfigurationCursor>,
) {
    count(statistics, search, product.automaton().counters());
    statistics.states = statistics.states.max(product.store().len());
    statistics.state_bytes = statistics.state_bytes.max(product.store().n_bytes());
    statistics.add_reduced(product.system().reduced());
}
