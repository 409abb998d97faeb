//! From steps of a product to moments of a run, and back to the formula that
//! they are to satisfy.

use super::Bound;
use crate::bdd::Diagrams;
use crate::certify::run;
use crate::id::IdVec;
use crate::lang::execute::Interpreter;
use crate::lang::program::{ExpressionId, Program};
use crate::ltl::{Formula, semantics};
use crate::lwaa::{LocationId, Lwaa};
use crate::product::{Cursor, Product};
use crate::search::NodeId;
use crate::search::lasso::Step;
use crate::system::{TransitionSystem, is_observed};
use crate::verdict::Moment;
use crate::word::{Lasso, Letter};

/// How many bytes of an obligation are shown.
const MAX_OBLIGATION: usize = 200;

/// What the locations of an automaton are called.
pub(super) struct Names {
    locations: IdVec<LocationId, String>,
}

impl Names {
    pub(super) fn new(lwaa: &Lwaa) -> Self {
        Self { locations: lwaa.location_names(MAX_OBLIGATION) }
    }

    /// The moment before a step.
    pub(super) fn moment<S: TransitionSystem, D: Diagrams>(
        &self,
        product: &mut Product<'_, S, D>,
        step: &Step<Cursor>,
    ) -> Moment {
        Moment { taken: step.cursor.taken(), ..self.pause(product, step.source) }
    }

    /// A moment at a node before anything is taken.
    pub(super) fn pause<S: TransitionSystem, D: Diagrams>(
        &self,
        product: &mut Product<'_, S, D>,
        node: NodeId,
    ) -> Moment {
        let config = product.configuration(node);
        let locations = product.configurations().locations(config);
        // Later locations are larger formulas; these come first.
        let pending = locations.iter().rev().map(|&id| self.locations[id].clone()).collect();
        Moment { state: product.state(node).into(), taken: None, pending }
    }
}

/// A moment without its obligations.
struct Seen(Moment);

impl PartialEq for Seen {
    fn eq(&self, other: &Self) -> bool {
        self.0.state == other.0.state && self.0.taken == other.0.taken
    }
}

/// The shortest lasso with the same states and transitions: the automaton may
/// go several times around while the model repeats itself.
pub(super) fn shortened(lasso: &Lasso<Moment>) -> Lasso<Moment> {
    lasso.map(|moment| Seen(moment.clone())).shortened().map(|seen| seen.0.clone())
}

/// Passes if `lasso` is a run of `program`, replayed by the interpreter, and
/// satisfies `formula`, which is evaluated by definition on states that the
/// interpreter observes. If deadlocks are not to be ignored, the run may stay
/// in one.
pub(super) fn certify(
    program: &Program,
    bound: &Bound,
    formula: &Formula,
    lasso: &Lasso<Moment>,
) -> Result<(), String> {
    let atoms: Vec<ExpressionId> = formula.atoms().iter().map(|(_, name)| bound[name]).collect();
    let mut system = Interpreter::new(program, &atoms);
    let steps: Vec<run::Step<'_>> = lasso
        .iter()
        .map(|moment| run::Step {
            state: &moment.state,
            taken: moment.taken.as_ref().map(std::slice::from_ref),
        })
        .collect();
    let ending = run::Ending::Cycle { start: lasso.prefix().len() };
    run::is_run(&mut system, &steps, ending).map_err(|error| error.to_string())?;
    let mut observed = vec![0; atoms.len().div_ceil(64)];
    let mut fault = None;
    let word: Lasso<Letter> = lasso.map(|moment| {
        if let Err(error) = system.observe(&moment.state, &mut observed) {
            fault = Some(error);
        }
        let all = formula.atoms().iter().map(|(atom, _)| atom);
        all.filter(|&atom| is_observed(&observed, atom)).collect()
    });
    match fault {
        Some(fault) => Err(fault.to_string()),
        None if semantics::holds(formula, &word) => Ok(()),
        None => Err("the run does not satisfy the formula".to_owned()),
    }
}
