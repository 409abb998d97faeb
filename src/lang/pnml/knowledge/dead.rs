//! Which transitions can never fire, since places that they take from never get tokens.

use crate::id::IdVec;
use crate::lang::pnml::net::{Net, PlaceId};
use crate::lang::program::TransitionId;

/// Transitions that can never fire, as far as it is seen by which places can get tokens at all. A
/// place that can get some counts as if it could get any number.
pub(super) fn dead(net: &Net) -> IdVec<TransitionId, bool> {
    let mut takers: IdVec<PlaceId, Vec<TransitionId>> = IdVec::filled(Vec::new(), net.places.len());
    // How many places still keep a transition from firing.
    let mut n_missing = IdVec::filled(0_usize, net.transitions.len());
    for (id, transition) in net.transitions.entries() {
        for &(place, weight) in &transition.inputs {
            if net.places[place].initial < weight {
                takers[place].push(id);
                n_missing[id] += 1;
            }
        }
    }
    let mut is_dead = IdVec::filled(true, net.transitions.len());
    let mut open: Vec<TransitionId> =
        n_missing.entries().filter(|&(_, &missing)| missing == 0).map(|(id, _)| id).collect();
    while let Some(id) = open.pop() {
        is_dead[id] = false;
        for (place, change) in net.transitions[id].changes() {
            if 0 < change {
                for taker in std::mem::take(&mut takers[place]) {
                    n_missing[taker] -= 1;
                    if n_missing[taker] == 0 {
                        open.push(taker);
                    }
                }
            }
        }
    }
    is_dead
}
