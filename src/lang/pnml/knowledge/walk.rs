//! Some reachable markings, by which it is seen that it is no use to prove something.

use crate::id::{Id, IdVec};
use crate::lang::pnml::net::{Net, PlaceId};
use crate::lang::program::TransitionId;

/// At most so many markings are kept.
pub(super) const MAX_MARKINGS: usize = 512;

/// So many walks begin in the initial marking.
const N_WALKS: usize = 8;

/// So many numbers of tokens are kept.
const MAX_TOKENS: usize = 1 << 20;

/// So many transitions are looked at.
const MAX_LOOKS: usize = 1 << 22;

/// The largest number of tokens that a walk puts on a place.
const MAX_COUNT: i64 = 1 << 40;

/// Markings that are met by walks from the initial one, which is the first.
pub(in crate::lang::pnml) fn markings(net: &Net) -> Vec<IdVec<PlaceId, i64>> {
    let initial: IdVec<PlaceId, i64> = net.places.iter().map(|place| place.initial).collect();
    let mut found = vec![initial.clone()];
    let most = (MAX_TOKENS / net.places.len().max(1)).clamp(1, MAX_MARKINGS);
    let n_transitions = net.transitions.len();
    let (mut looks, mut number) = (0, 0x9e37_79b9_7f4a_7c15_u64);
    for walk in 0..N_WALKS {
        let mut marking = initial.clone();
        while found.len() < most * (walk + 1) / N_WALKS && looks < MAX_LOOKS {
            // An xorshift generator: the same markings in every run.
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            #[expect(clippy::cast_possible_truncation, reason = "any number will do")]
            let start = number as usize % n_transitions.max(1);
            let turned = (start..n_transitions).chain(0..start).map(TransitionId::new);
            let mut turned = turned.inspect(|_| looks += 1);
            let Some(fired) = turned.find(|&id| can_fire(net, id, &marking)) else { break };
            for (place, change) in net.transitions[fired].changes() {
                marking[place] += change;
            }
            if marking.iter().any(|&tokens| MAX_COUNT < tokens) {
                break;
            }
            found.push(marking.clone());
        }
    }
    found
}

fn can_fire(net: &Net, id: TransitionId, marking: &IdVec<PlaceId, i64>) -> bool {
    net.transitions[id].inputs.iter().all(|&(place, weight)| weight <= marking[place])
}
