//! The sum of what several searches have done.

use crate::search::coverage::Coverage;
use crate::verdict::{Reduction, Statistics};

/// What several searches on one store of states have done together.
#[must_use]
pub fn total<'a>(searches: impl IntoIterator<Item = &'a Statistics>) -> Statistics {
    let mut total = Statistics::default();
    for search in searches {
        total.terms += search.terms;
        total.searches += search.searches;
        total.locations += search.locations;
        total.signs += search.signs;
        total.configurations += search.configurations;
        total.nodes += search.nodes;
        total.nodes_again += search.nodes_again;
        total.transitions += search.transitions;
        total.components += search.components;
        total.cache_hits += search.cache_hits;
        total.cache_misses += search.cache_misses;
        total.time += search.time;
        total.automaton_states += search.automaton_states;
        total.automaton_edges += search.automaton_edges;
        total.unfinished_automaton_states += search.unfinished_automaton_states;
        // These are counted for each property by itself.
        total.packets = total.packets.max(search.packets);
        total.packet_bytes = total.packet_bytes.max(search.packet_bytes);
        total.classical_states = total.classical_states.max(search.classical_states);
        total.classical_bytes = total.classical_bytes.max(search.classical_bytes);
        let is_fuller = |coverage: &Coverage| {
            total.coverage.is_none_or(|before| before.bits_set < coverage.bits_set)
        };
        total.coverage = search.coverage.filter(is_fuller).or(total.coverage);
        if let (Some(Reduction::On(_)), Some(Reduction::On(more))) =
            (total.reduction, search.reduction)
        {
            total.add_reduced(Some(more));
        } else if !matches!(total.reduction, Some(Reduction::On(_))) {
            total.reduction = search.reduction.or(total.reduction);
        }
        total.net = total.net.or(search.net);
        total.knowledge = match (total.knowledge, search.knowledge) {
            (Some(sum), Some(more)) => Some(sum.and(more)),
            (sum, more) => sum.or(more),
        };
        // They share these.
        total.states = total.states.max(search.states);
        total.state_bytes = total.state_bytes.max(search.state_bytes);
        total.unseen = total.unseen.max(search.unseen);
        total.guided |= search.guided;
        total.depth = total.depth.max(search.depth);
        total.resident_bytes = total.resident_bytes.max(search.resident_bytes);
    }
    total
}
