//! Goes through all reachable states and steps of a model, one by one.
//!
//! [`explore`](super::explore) counts them as fast as it can. Here every step says which transition
//! it takes and where it leads: for drawings of small state graphs, and to find out which
//! transitions are never taken.

use super::room::Stop;
use crate::id::Id;
use crate::product::store_within;
use crate::search::limits::{Budget, Exhausted};
use crate::store::{StateId, StateStore, StoreKind};
use crate::system::{Cursor, Opened, StepError, TransitionId, TransitionSystem};

/// Something that is met on the way.
#[derive(Clone, Copy, Debug)]
pub enum Met<'a> {
    /// A state, before the steps that leave it.
    State(StateId, &'a [u64]),
    /// A step between states.
    Step {
        /// The state that it leaves.
        from: (StateId, &'a [u64]),
        /// The transition that it takes.
        taken: TransitionId,
        /// The state to which it leads.
        to: (StateId, &'a [u64]),
    },
    /// A transition that goes wrong in a state.
    Fault(StateId, TransitionId),
}

/// Whether the way goes on.
pub type Goes = std::ops::ControlFlow<()>;

/// Tells `see` of every state and step, state by state, until it says that it has seen enough.
///
/// # Errors
///
/// If a limit is reached, or the system has too little room.
pub fn survey<O: Opened>(
    system: &O,
    budget: &mut Budget<'_>,
    see: &mut dyn FnMut(Met<'_>) -> Goes,
) -> Result<(), Stop<Exhausted>> {
    let mut executor = system.executor(&[]);
    let mut store = system.store(StoreKind::Exact);
    for state in executor.initial_states() {
        store_within(&mut store, &state, budget)?;
    }
    let (mut state, mut target) = (vec![0; executor.n_words()], vec![0; executor.n_words()]);
    let (mut number, mut n_steps) = (0, 0);
    while number < store.len() {
        let id = StateId::new(number);
        number += 1;
        store.load(id, &mut state);
        if see(Met::State(id, &state)).is_break() {
            return Ok(());
        }
        let mut cursor = Cursor::default();
        loop {
            let met = match executor.next(&state, &mut cursor, &mut target) {
                Ok(None) => break,
                Ok(Some(taken)) => {
                    budget.check(store.len(), n_steps)?;
                    n_steps += 1;
                    let found = store_within(&mut store, &target, budget)?;
                    Met::Step { from: (id, &state), taken, to: (found, &target) }
                }
                Err(StepError::Room(room)) => return Err(Stop::Room(room)),
                Err(StepError::Fault(fault)) => match fault.transition {
                    Some(transition) => Met::Fault(id, transition),
                    None => continue,
                },
            };
            if see(met).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
