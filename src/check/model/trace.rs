//! From steps of a product to moments of a run, and back to the formula that
//! they are to satisfy.

use super::errors::ending;
use super::{Bound, Question};
use crate::bdd::Diagrams;
use crate::certify::claim::{Move, accepts, accepts_whatever_follows};
use crate::configuration::ConfigurationGraph;
use crate::configuration::reading::Reading;
use crate::id::IdVec;
use crate::lang::claim::Claim;
use crate::ltl::Formula;
use crate::ltl::nnf::{Nnf, NodeId as NnfId, Nodes};
use crate::ltl::print::{Dialect, bounded};
use crate::ltl::semantics;
use crate::ltl::semantics::truncated;
use crate::lwaa::{LocationId, Lwaa};
use crate::product::{ConfigurationCursor, ConfigurationProduct, Halt};
use crate::recurrence::Recurrence;
use crate::run::{Moment, Run};
use crate::search::lasso::Step;
use crate::search::limits::Budget;
use crate::search::scc::Search;
use crate::search::{self, NodeId};
use crate::store::StateStore;
use crate::system::{Opened, PropositionId, TransitionSystem, is_observed};
use crate::word::{AtomId, Atoms, Lasso, Letter};
use std::sync::Arc;

/// How many bytes of an obligation are shown.
const MAX_OBLIGATION: usize = 200;

/// How many obligations that never change are shown.
const MAX_LIMITS: usize = 8;

/// What obligations are called.
pub(super) struct ObligationNames {
    /// The locations of the automaton.
    locations: IdVec<LocationId, Arc<str>>,
    /// What is left to acceptance: obligations at every moment.
    limits: Vec<Arc<str>>,
}

impl ObligationNames {
    pub(super) fn new(lwaa: &Lwaa, limits: &Nnf) -> Self {
        let names = lwaa.location_names(MAX_OBLIGATION);
        let locations = names.iter().map(|name| Arc::from(name.as_str())).collect();
        let conjuncts: Vec<_> =
            limits.conjuncts().into_iter().filter(|&id| id != Nodes::TRUE).collect();
        let text = |&root: &NnfId| {
            let formula = Nnf { root, ..limits.clone() }.to_formula();
            let text = bounded(&formula, Dialect::Lwaa, MAX_OBLIGATION);
            Arc::from(text.as_deref().unwrap_or("a long condition on what recurs"))
        };
        let mut limits: Vec<Arc<str>> = conjuncts.iter().take(MAX_LIMITS).map(text).collect();
        if MAX_LIMITS < conjuncts.len() {
            let n_more = conjuncts.len() - MAX_LIMITS;
            limits.push(Arc::from(format!("{n_more} more conditions on what recurs").as_str()));
        }
        Self { locations, limits }
    }

    /// The moment before a step.
    pub(super) fn moment<S: TransitionSystem, T: StateStore, D: Diagrams>(
        &self,
        product: &mut ConfigurationProduct<'_, S, T, D>,
        step: &Step<ConfigurationCursor>,
    ) -> Moment {
        Moment { taken: step.cursor.taken(), ..self.pause(product, step.source) }
    }

    /// The names of locations, and what is an obligation anyway. Later locations
    /// are larger formulas; these come first.
    fn of(&self, locations: &[LocationId]) -> Arc<[Arc<str>]> {
        let locations = locations.iter().rev().map(|&id| &self.locations[id]);
        locations.chain(&self.limits).cloned().collect()
    }

    /// The run into the error of the model at which a search has ended.
    pub(super) fn path<S: TransitionSystem, T: StateStore, D: Diagrams>(
        &self,
        product: &mut ConfigurationProduct<'_, S, T, D>,
        search: &Search<ConfigurationCursor>,
        end: Halt,
        budget: &mut Budget<'_>,
    ) -> Result<Run, Halt> {
        let steps = search::lasso::path(product, search, budget)?;
        let mut moments: Vec<Moment> =
            steps.iter().map(|step| self.moment(product, step)).collect();
        moments.extend(search.path().last().map(|last| self.pause(product, last.node)));
        Ok(Run::into_error(moments, ending(end)?))
    }

    /// A moment at a node before anything is taken.
    pub(super) fn pause<S: TransitionSystem, T: StateStore, D: Diagrams>(
        &self,
        product: &mut ConfigurationProduct<'_, S, T, D>,
        node: NodeId,
    ) -> Moment {
        let config = product.automaton_state(node);
        let pending = self.of(product.automaton().locations(config));
        Moment { state: product.state(node).into(), taken: None, pending }
    }
}

/// Whether a run satisfies a formula, or is as a claim says, for which `system` was opened:
/// evaluated by definition on what the judge observes. An atom that goes wrong in a state counts
/// as false there. Of a run that ends, this is known only if it is true whatever follows.
pub fn truth<O: Opened>(system: &O, question: Question<'_>, run: &Run) -> Option<bool> {
    bound_truth(system, &Bound::new(system, &[question], &[]), question, run)
}

/// What the judge observes of the atoms of `formula`, for which `system` was opened, in each state
/// of a run that can be read. An atom that goes wrong counts as false.
pub fn observed<O: Opened>(system: &O, formula: &Formula, run: &Run) -> Vec<Letter> {
    let bound = Bound::new(system, &[Question::Formula(formula)], &[]);
    letters(system, &bound, formula.atoms(), run.readable())
}

/// [`truth`] for a question whose atoms are bound.
pub(super) fn bound_truth<O: Opened>(
    system: &O,
    bound: &Bound,
    question: Question<'_>,
    run: &Run,
) -> Option<bool> {
    match question {
        Question::Formula(formula) => {
            let letters = letters(system, bound, formula.atoms(), run.readable());
            match word(run, letters) {
                Ok(word) => Some(semantics::holds(formula, &word)),
                Err(letters) => truncated::failure(formula, &letters).map(|_| false),
            }
        }
        Question::Claim(claim) => {
            let (atoms, moves) = moves(claim);
            match word(run, letters(system, bound, &atoms, run.readable())) {
                Ok(word) => {
                    let name = claim.accepting.map(|atom| &claim.atoms[atom]);
                    let accepting = name.and_then(|name| atoms.find(name));
                    let is_accepting = |state: usize, letter: &Letter| {
                        claim.states[state].is_accepting
                            || accepting.is_some_and(|atom| letter.contains(atom))
                    };
                    Some(accepts(claim.states.len(), &moves, is_accepting, &word))
                }
                Err(letters) => {
                    let is_accepting = |state: usize| claim.states[state].is_accepting;
                    let n_states = claim.states.len();
                    accepts_whatever_follows(n_states, &moves, is_accepting, &letters)
                        .then_some(true)
                }
            }
        }
        Question::Errors => None,
    }
}

/// The atoms and edges of a claim.
pub(super) fn moves(claim: &Claim) -> (Atoms, Vec<Move>) {
    let mut atoms = Atoms::default();
    let ids: Vec<AtomId> = claim.atoms.iter().map(|name| atoms.intern(name)).collect();
    let mut moves = Vec::new();
    for (source, state) in claim.states.iter().enumerate() {
        for edge in &state.edges {
            let conditions = edge.conditions.iter().map(|&(atom, value)| (ids[atom], value));
            moves.push(Move { source, conditions: conditions.collect(), target: edge.target });
        }
    }
    (atoms, moves)
}

/// The letters of a run as an infinite word, if the run is infinite.
fn word(run: &Run, mut letters: Vec<Letter>) -> Result<Lasso<Letter>, Vec<Letter>> {
    let cycle = letters.split_off(run.cycle_start().min(letters.len()));
    if cycle.is_empty() {
        return Err(letters);
    }
    Ok(Lasso::new(letters, cycle).expect("the cycle is not empty"))
}

/// The letters over `atoms` that the interpreter observes in states and in what
/// is taken. An atom that goes wrong counts as false.
pub(super) fn letters<'a, O: Opened>(
    system: &O,
    bound: &Bound,
    atoms: &Atoms,
    moments: impl IntoIterator<Item = &'a Moment>,
) -> Vec<Letter> {
    let mut system = system.judge(&bound.list(atoms));
    let mut observed = vec![0; atoms.len().div_ceil(64)];
    let letter = |moment: &Moment| {
        let all = atoms.iter().map(|(atom, _)| atom);
        if system.observe(&moment.state, &mut observed).is_err() {
            let mut is_true = |atom| system.observe_atom(&moment.state, atom).unwrap_or(false);
            return all.filter(|&atom| is_true(atom)).collect();
        }
        moment.taken.iter().for_each(|&transition| system.takes(transition, &mut observed));
        all.filter(|&atom| is_observed(&observed, atom)).collect()
    };
    moments.into_iter().map(letter).collect()
}

/// Whether all of `atoms` have a value in the state of a moment.
pub(super) fn is_readable<O: Opened>(system: &O, atoms: &[PropositionId], moment: &Moment) -> bool {
    let mut observed = vec![0; atoms.len().div_ceil(64)];
    system.judge(atoms).observe(&moment.state, &mut observed).is_ok()
}

/// A moment without its obligations.
#[derive(Clone)]
struct Seen(Moment);

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        self.0.state == other.0.state && self.0.taken == other.0.taken
    }
}

/// A lasso with the same states and transitions that is as short as possible.
///
/// The automaton may go around several times while the model repeats itself,
/// and its obligations differ then. So it reads what the repetitions have in
/// common once more, and perhaps finds a shorter way to accept it.
pub(super) fn shortened<O: Opened, D: Diagrams>(
    lasso: Lasso<Moment>,
    (system, bound): (&O, &Bound),
    (graph, recurrence): (&mut ConfigurationGraph<'_, D>, &Recurrence),
    names: &ObligationNames,
    budget: &mut Budget<'_>,
) -> Lasso<Moment> {
    let lasso = lasso.shortened();
    let folded = lasso.map(|moment| Seen(moment.clone())).shortened().map(|seen| seen.0.clone());
    if folded.n_positions() == lasso.n_positions() {
        return lasso;
    }
    let run = Run::from(folded.clone());
    let letters = letters(system, bound, graph.lwaa().atoms(), &run.moments);
    let Ok(word) = word(&run, letters) else { return lasso };
    let mut reading = Reading::new(graph, &word).with_signs(recurrence);
    let mut search = Search::new(recurrence.acceptance().clone());
    let Ok(true) = search.run(&mut reading, budget) else { return lasso };
    let Ok(steps) = search::lasso::extract(&mut reading, &search, budget) else { return lasso };
    if lasso.n_positions() <= steps.n_positions() {
        return lasso;
    }
    let pairs = steps.map(|step| reading.pair(step.source));
    pairs.map(|&(position, config)| {
        let pending = names.of(graph.locations(config));
        Moment { pending, ..folded.at(position).clone() }
    })
}
