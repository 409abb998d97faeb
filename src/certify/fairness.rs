//! Whether a run neglects nobody, by definition, on its cycle.
//!
//! What holds again and again on a lasso is what holds somewhere on its cycle,
//! and what holds from some moment on is what holds everywhere on it.

use super::run::Step;
use crate::id::Id;
use crate::system::{Fault, Strength, TransitionId, TransitionSystem};
use crate::word::AtomId;

/// A promise that some transitions, taken as one, are not neglected.
#[derive(Clone, Copy, Debug)]
pub struct Promise<'a> {
    /// What is promised.
    pub strength: Strength,
    /// The transitions, in increasing order.
    pub transitions: &'a [TransitionId],
}

/// Which of `promises` a run with this cycle breaks, by position. Atom *i* of
/// `system` says that one of the transitions of promise *i* is enabled.
///
/// # Errors
///
/// If a guard goes wrong.
pub fn broken<S: TransitionSystem>(
    system: &mut S,
    cycle: &[Step<'_>],
    promises: &[Promise<'_>],
) -> Result<Vec<usize>, Fault> {
    let mut broken = Vec::new();
    for (number, promise) in promises.iter().enumerate() {
        let mut n_enabled = 0;
        for step in cycle {
            n_enabled += usize::from(system.observe_atom(step.state, AtomId::new(number))?);
        }
        let is_waiting = match promise.strength {
            Strength::Weak => n_enabled == cycle.len(),
            Strength::Strong => 0 < n_enabled,
        };
        let concerns = |id: &TransitionId| promise.transitions.binary_search(id).is_ok();
        let mut taken = cycle.iter().filter_map(|step| step.taken);
        if is_waiting && !taken.any(|all| all.iter().any(concerns)) {
            broken.push(number);
        }
    }
    Ok(broken)
}
