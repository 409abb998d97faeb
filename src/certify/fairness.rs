//! Whether a run is fair, by definition, on its cycle.
//!
//! What holds again and again on a lasso is what holds somewhere on its cycle,
//! and what holds from some moment on is what holds everywhere on it.

use crate::id::Id;
use crate::run::Moment;
use crate::system::{Fault, Strength, TransitionSystem, is_observed};
use crate::word::AtomId;

/// Which of `promises` a run with this cycle breaks, by position. Atom 2*i* of `system` says that
/// what promise *i* is about is enabled, and atom 2*i* + 1 that it is taken.
///
/// # Errors
///
/// If a guard goes wrong.
pub fn broken<S: TransitionSystem>(
    system: &mut S,
    cycle: &[Moment],
    promises: &[Strength],
) -> Result<Vec<usize>, Fault> {
    let mut taken = vec![0; (2 * promises.len()).div_ceil(64)];
    for transition in cycle.iter().filter_map(|moment| moment.taken) {
        system.takes(transition, &mut taken);
    }
    let mut broken = Vec::new();
    for (number, strength) in promises.iter().enumerate() {
        let [enabled, chosen] = [2 * number, 2 * number + 1].map(AtomId::new);
        let mut n_enabled = 0;
        for moment in cycle {
            n_enabled += usize::from(system.observe_atom(&moment.state, enabled)?);
        }
        let is_waiting = match strength {
            Strength::Weak => n_enabled == cycle.len(),
            Strength::Strong => 0 < n_enabled,
        };
        if is_waiting && !is_observed(&taken, chosen) {
            broken.push(number);
        }
    }
    Ok(broken)
}
