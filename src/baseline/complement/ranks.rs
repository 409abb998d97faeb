//! How high the least ranks of a state can be.
//!
//! Least ranks come from taking states off the graph of all runs on a rejected
//! word, in turns: at even numbers those from which there is no infinite run
//! left, at odd numbers those from which no accepting state can be reached any
//! more. What a component leads to is gone after some number of turns, and then
//! the component is by itself:
//!
//! - if it has no accepting state, the next odd number takes all of it;
//! - if every cycle in it has one, no infinite run can stay in it, and the next
//!   even number takes all of it;
//! - if it is deterministic, a run that stays sees accepting states finitely
//!   often, and what is behind the last one goes first: one odd and one even
//!   number after the next even one;
//! - otherwise each of its other states may take two numbers ([KV01]).
//!
//! [KV01]: crate::references::kv01

use super::buchi::Buchi;
use crate::baseline::components::Components;

/// A higher rank needs so many states at once, one for every odd number, that the
/// complement is given up before.
const MAX_RANK: usize = 120;

/// For each state a number that its least rank does not exceed.
pub(super) fn bounds(buchi: &Buchi) -> Vec<u8> {
    let graph = buchi.graph();
    let components = Components::new(&graph);
    let mut bounds = vec![0_usize; graph.len()];
    for members in &components.members {
        let leads_to = members.iter().flat_map(|&state| &graph[state]);
        let behind = leads_to.map(|&target| bounds[target]).max().unwrap_or(0);
        let even = behind.next_multiple_of(2);
        let is_cyclic = components.is_cyclic(members, &graph);
        let others: Vec<usize> =
            members.iter().copied().filter(|&state| !buchi.accepting[state]).collect();
        let bound = if !is_cyclic {
            if others.is_empty() { even } else { behind }
        } else if others.len() == members.len() {
            behind | 1
        } else if is_acyclic(&others, &graph) {
            even
        } else if is_deterministic(buchi, members, &components) {
            even + 2
        } else {
            even + 2 * others.len()
        };
        for &state in members {
            bounds[state] = bound;
        }
    }
    let narrow = |bound: usize| u8::try_from(bound.min(MAX_RANK)).expect("it is small");
    bounds.into_iter().map(narrow).collect()
}

/// Whether there is no cycle among `states`.
fn is_acyclic(states: &[usize], graph: &[Vec<usize>]) -> bool {
    let among = |target: &usize| states.iter().position(|state| state == target);
    let inside: Vec<Vec<usize>> =
        states.iter().map(|&state| graph[state].iter().filter_map(among).collect()).collect();
    let components = Components::new(&inside);
    !components.members.iter().any(|members| components.is_cyclic(members, &inside))
}

/// Whether every letter leads each state to at most one in the component.
fn is_deterministic(buchi: &Buchi, members: &[usize], components: &Components) -> bool {
    members.iter().all(|&state| {
        (0..buchi.n_classes()).all(|class| {
            let targets = buchi.successors(state, class).iter();
            let inside = targets.filter(|&&target| components.of[target] == components.of[state]);
            inside.count() <= 1
        })
    })
}
