//! From steps of a product to moments of a run, and back to the formula that
//! they are to satisfy.

use super::fairness::step;
use super::{Bound, Question};
use crate::bdd::Diagrams;
use crate::certify::claim::{Move, accepts, accepts_whatever_follows};
use crate::certify::run;
use crate::configuration::ConfigurationGraph;
use crate::configuration::reading::Reading;
use crate::id::IdVec;
use crate::lang::claim::Claim;
use crate::ltl::nnf::{Nnf, NodeId as NnfId, Nodes};
use crate::ltl::print::{Dialect, bounded};
use crate::ltl::semantics::truncated;
use crate::ltl::{Formula, semantics};
use crate::lwaa::{LocationId, Lwaa};
use crate::product::{Cursor, Halt, Product};
use crate::recurrence::Recurrence;
use crate::search::lasso::Step;
use crate::search::limits::Budget;
use crate::search::scc::Search;
use crate::search::{self, NodeId};
use crate::store::StateStore;
use crate::system::{Opened, PropositionId, TransitionSystem, is_observed};
use crate::verdict::{Moment, RunError};
use crate::word::{AtomId, Atoms, Lasso, Letter};
use std::sync::Arc;

/// How many bytes of an obligation are shown.
const MAX_OBLIGATION: usize = 200;

/// How many obligations that never change are shown.
const MAX_LIMITS: usize = 8;

/// What obligations are called.
pub(super) struct Names {
    /// The locations of the automaton.
    locations: IdVec<LocationId, Arc<str>>,
    /// What is left to acceptance: obligations at every moment.
    limits: Vec<Arc<str>>,
}

impl Names {
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
        product: &mut Product<'_, S, T, D>,
        step: &Step<Cursor>,
    ) -> Moment {
        Moment { taken: step.cursor.taken(), ..self.pause(product, step.source) }
    }

    /// The names of locations, and what is an obligation anyway. Later locations
    /// are larger formulas; these come first.
    fn of(&self, locations: &[LocationId]) -> Arc<[Arc<str>]> {
        let locations = locations.iter().rev().map(|&id| &self.locations[id]);
        locations.chain(&self.limits).cloned().collect()
    }

    /// The way to where a search has ended.
    pub(super) fn path<S: TransitionSystem, T: StateStore, D: Diagrams>(
        &self,
        product: &mut Product<'_, S, T, D>,
        search: &Search<Cursor>,
        end: &Halt,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Moment>, Halt> {
        let steps = search::lasso::path(product, search, budget)?;
        let mut run: Vec<Moment> = steps.iter().map(|step| self.moment(product, step)).collect();
        if let Some(last) = search.path().last() {
            run.push(Moment { taken: end.transition(), ..self.pause(product, last.node) });
        }
        Ok(run)
    }

    /// A moment at a node before anything is taken.
    pub(super) fn pause<S: TransitionSystem, T: StateStore, D: Diagrams>(
        &self,
        product: &mut Product<'_, S, T, D>,
        node: NodeId,
    ) -> Moment {
        let config = product.configuration(node);
        let pending = self.of(product.configurations().locations(config));
        Moment { state: product.state(node).into(), taken: None, pending }
    }
}

/// Whether a lasso of states satisfies a formula for which `system` was opened, evaluated by
/// definition on what the judge observes. An atom that goes wrong in a state counts as
/// false there.
pub fn satisfies<O: Opened>(system: &O, formula: &Formula, lasso: &Lasso<Moment>) -> bool {
    bound_satisfies(system, &of(system, Question::Formula(formula)), formula, lasso)
}

/// Whether a lasso of states is as a claim says, as in [`satisfies`].
pub fn follows<O: Opened>(system: &O, claim: &Claim, lasso: &Lasso<Moment>) -> bool {
    bound_follows(system, &of(system, Question::Claim(claim)), claim, lasso)
}

/// Whether a finite run violates a formula, whatever follows: its states are a bad prefix, see
/// [`truncated`].
pub fn violates_for_good<O: Opened>(system: &O, formula: &Formula, run: &[Moment]) -> bool {
    let bound = of(system, Question::Formula(formula));
    let letters = letters(system, &bound, formula.atoms(), run.iter());
    truncated::failure(formula, &letters).is_some()
}

/// Whether a finite run is as a claim says, whatever follows: the claim has come to where it
/// accepts everything.
pub fn follows_for_good<O: Opened>(system: &O, claim: &Claim, run: &[Moment]) -> bool {
    bound_follows_for_good(system, &of(system, Question::Claim(claim)), claim, run)
}

fn of<O: Opened>(system: &O, question: Question<'_>) -> Bound {
    Bound::new(system, &[question], &[])
}

/// Passes if `lasso` is a run of `system`, replayed by the interpreter, and
/// satisfies `formula`.
pub(super) fn certify<O: Opened>(
    system: &O,
    bound: &Bound,
    formula: &Formula,
    lasso: &Lasso<Moment>,
) -> Result<(), String> {
    is_run(system, lasso)?;
    if bound_satisfies(system, bound, formula, lasso) {
        Ok(())
    } else {
        Err("the run does not satisfy the formula".to_owned())
    }
}

/// Passes if `lasso` is a run of `system`, replayed by the interpreter, and as
/// `claim` says.
pub(super) fn certify_claim<O: Opened>(
    system: &O,
    bound: &Bound,
    claim: &Claim,
    lasso: &Lasso<Moment>,
) -> Result<(), String> {
    is_run(system, lasso)?;
    if bound_follows(system, bound, claim, lasso) {
        Ok(())
    } else {
        Err("the run does not match the claim".to_owned())
    }
}

/// Passes if `run` is a run of `system` into an error, replayed by the interpreter, before which
/// `claim` has come to where it accepts whatever follows.
pub(super) fn certify_claim_prefix<O: Opened>(
    system: &O,
    bound: &Bound,
    claim: &Claim,
    (error, run): (&RunError, &[Moment]),
) -> Result<(), String> {
    is_error_run(system, error, run)?;
    if bound_follows_for_good(system, bound, claim, &run[..n_read(error, run)]) {
        Ok(())
    } else {
        Err("the run into the error does not match the claim".to_owned())
    }
}

/// Whether a finite run is as `claim` says, whatever follows, by definition on what the interpreter
/// observes.
pub(super) fn bound_follows_for_good<O: Opened>(
    system: &O,
    bound: &Bound,
    claim: &Claim,
    run: &[Moment],
) -> bool {
    let (atoms, moves) = moves(claim);
    let letters = letters(system, bound, &atoms, run.iter());
    let is_accepting = |state: usize| claim.states[state].is_accepting;
    accepts_whatever_follows(claim.states.len(), &moves, is_accepting, &letters)
}

/// How many states of a run into an error have a letter: where an atom goes wrong, the last one
/// has none.
pub(super) fn n_read(error: &RunError, run: &[Moment]) -> usize {
    let is_atom = matches!(error, RunError::Fault(fault) if fault.transition.is_none());
    run.len().saturating_sub(usize::from(is_atom))
}

/// The atoms and edges of a claim.
fn moves(claim: &Claim) -> (Atoms, Vec<Move>) {
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

/// Whether a run is as `claim` says, by definition on what the interpreter observes.
pub(super) fn bound_follows<O: Opened>(
    system: &O,
    bound: &Bound,
    claim: &Claim,
    lasso: &Lasso<Moment>,
) -> bool {
    let (atoms, moves) = moves(claim);
    let accepting = claim.accepting.and_then(|atom| atoms.find(&claim.atoms[atom]));
    let is_accepting = |state: usize, letter: &Letter| {
        claim.states[state].is_accepting || accepting.is_some_and(|atom| letter.contains(atom))
    };
    let word = word(system, bound, &atoms, lasso);
    accepts(claim.states.len(), &moves, is_accepting, &word)
}

/// Passes if `run` is a run of `system` that ends in `error`, replayed by the interpreter.
pub(super) fn is_error_run<O: Opened>(
    system: &O,
    error: &RunError,
    run: &[Moment],
) -> Result<(), String> {
    let steps: Vec<run::Step<'_>> = run.iter().map(step).collect();
    let ending = match error {
        RunError::Fault(fault) if fault.transition.is_some() => run::Ending::Fault,
        // The run comes to a state in which an atom goes wrong.
        RunError::Fault(_) => run::Ending::Open,
        RunError::Deadlock => run::Ending::Deadlock,
    };
    run::is_run(&mut system.judge(&[]), &steps, ending).map(drop).map_err(|error| error.to_string())
}

fn is_run<O: Opened>(system: &O, lasso: &Lasso<Moment>) -> Result<(), String> {
    let steps: Vec<run::Step<'_>> = lasso.iter().map(step).collect();
    let ending = run::Ending::Cycle { start: lasso.prefix().len() };
    run::is_run(&mut system.judge(&[]), &steps, ending).map(drop).map_err(|error| error.to_string())
}

/// Whether the states of `lasso` satisfy `formula`, which is evaluated by
/// definition on what the interpreter observes.
pub(super) fn bound_satisfies<O: Opened>(
    system: &O,
    bound: &Bound,
    formula: &Formula,
    lasso: &Lasso<Moment>,
) -> bool {
    semantics::holds(formula, &word(system, bound, formula.atoms(), lasso))
}

/// The letters over `atoms` that the interpreter observes in states and in what
/// is taken. An atom that goes wrong counts as false.
fn word<O: Opened>(
    system: &O,
    bound: &Bound,
    atoms: &Atoms,
    lasso: &Lasso<Moment>,
) -> Lasso<Letter> {
    let mut letters = letters(system, bound, atoms, lasso.iter());
    let cycle = letters.split_off(lasso.prefix().len());
    Lasso::new(letters, cycle).expect("there are as many letters as moments")
}

/// The letters of single moments, in the same way.
pub(super) fn letters<'a, O: Opened>(
    system: &O,
    bound: &Bound,
    atoms: &Atoms,
    moments: impl Iterator<Item = &'a Moment>,
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
    moments.map(letter).collect()
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
    names: &Names,
    budget: &mut Budget<'_>,
) -> Lasso<Moment> {
    let lasso = lasso.shortened();
    let folded = lasso.map(|moment| Seen(moment.clone())).shortened().map(|seen| seen.0.clone());
    if folded.n_positions() == lasso.n_positions() {
        return lasso;
    }
    let word = word(system, bound, graph.lwaa().atoms(), &folded);
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
