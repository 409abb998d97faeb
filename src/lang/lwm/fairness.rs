//! Declared fairness to promises of the program.
//!
//! Fairness of a family is fairness of each of its instances. What is promised
//! twice is promised once, with the greatest strength, and what can never move
//! is promised nothing.

use super::actions::{Actions, Movers, Which};
use super::ast::{Fair, LwmModel};
use super::evaluate::Evaluator;
use super::names::Symbols;
use crate::lang::cursor::Result;
use crate::lang::program::{Fairness, Program, TransitionId};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Puts the fairness that a model declares into its program.
pub(super) fn promises(
    model: &LwmModel,
    symbols: &Symbols,
    actions: &Actions,
    program: &mut Program,
) -> Result<()> {
    let mut declared = in_front(model);
    let mut evaluator = Evaluator::new(symbols, program);
    for promise in &model.promises {
        evaluator.for_each(&promise.binders, true, |evaluator| {
            let found = evaluator.movers(&promise.moves)?;
            declared.extend(found.map(|movers| (promise.fair, movers)));
            Ok(())
        })?;
    }
    declared.sort_by_key(|(fair, _)| fair.span.start);
    let mut fairness: Vec<Fairness> = Vec::new();
    let mut known: HashMap<Vec<TransitionId>, usize, FxBuildHasher> = HashMap::default();
    for (fair, movers) in declared {
        for (name, transitions) in actions.each(program, &movers) {
            if transitions.is_empty() {
                continue;
            }
            let Fair { strength, span } = fair;
            let number = *known.entry(transitions.clone()).or_insert(fairness.len());
            let promise = Fairness { strength, name, transitions, span };
            match fairness.get_mut(number) {
                None => fairness.push(promise),
                Some(other) if other.strength < strength => *other = promise,
                Some(_) => (),
            }
        }
    }
    program.fairness = fairness;
    Ok(())
}

/// The fairness in front of processes and actions.
fn in_front(model: &LwmModel) -> Vec<(Fair, Movers)> {
    let mut declared = Vec::new();
    let mut note = |fair: Option<Fair>, family: Option<usize>, action: Option<usize>| {
        let action = action.map(|number| (number, Which::All));
        declared.extend(fair.map(|fair| (fair, Movers { family, process: Which::All, action })));
    };
    for (number, action) in model.actions.iter().enumerate() {
        note(action.fair, None, Some(number));
    }
    for (family, process) in model.processes.iter().enumerate() {
        note(process.fair, Some(family), None);
        for (number, action) in process.actions.iter().enumerate() {
            note(action.fair, Some(family), Some(number));
        }
    }
    declared
}
