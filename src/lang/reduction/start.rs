//! The states in which two processes can move for the first time.
//!
//! Many models begin with a process that starts all others and gives them what they work on.
//! Behind that, what it has set up never changes. While only one lane can move there is nothing
//! to leave out, so all relations are about the states behind.

use super::elements::Elements;
use crate::lang::compile::Compiled;
use crate::lang::layout::Layout;
use crate::lang::program::{Program, Values};
use crate::system::{Cursor, TransitionSystem};
use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

/// At most so many values are looked at, over all states.
const MAX_VALUES: usize = 4_000_000;

/// At most so many states are looked at.
const MAX_STATES: usize = 10_000;

/// The values of all elements in states from which all others are reached, but for those in which
/// only one lane can move; nothing if there are too many.
pub(super) fn starts(
    program: &Program,
    layout: &Layout,
    elements: &Elements,
) -> Option<Vec<Vec<i64>>> {
    let mut system = Compiled::new(program, &[]);
    let initial = system.initial_states();
    let max_states = MAX_STATES.min(MAX_VALUES / elements.len().max(1)).max(1);
    if max_states < initial.len() {
        return None;
    }
    let states = beginning(&mut system, &initial, max_states).unwrap_or(initial);
    let mut values = Values::initial(program);
    let mut found = Vec::with_capacity(states.len());
    for state in states {
        layout.unpack(program, &state, &mut values);
        let mut own = Vec::with_capacity(elements.len());
        for (id, variable) in program.variables.entries() {
            own.extend((0..variable.n_elements()).map(|index| values.value(id, index)));
        }
        found.push(own);
    }
    Some(found)
}

/// The first states on all ways in which not only one lane can move; nothing if there are too
/// many, or if something goes wrong before.
fn beginning(
    system: &mut Compiled<'_>,
    initial: &[Box<[u64]>],
    max_states: usize,
) -> Option<Vec<Box<[u64]>>> {
    let mut known: HashSet<Box<[u64]>, FxBuildHasher> = initial.iter().cloned().collect();
    let mut open: Vec<Box<[u64]>> = initial.to_vec();
    let mut found = Vec::new();
    let mut target = vec![0; system.n_words()].into_boxed_slice();
    while let Some(state) = open.pop() {
        let mut cursor = Cursor::default();
        let mut lane = None;
        let mut successors = Vec::new();
        let mut is_one_lane = true;
        while let Some(transition) = system.next(&state, &mut cursor, &mut target).ok()? {
            let own = system.lane(transition);
            is_one_lane &= *lane.get_or_insert(own) == own;
            successors.push(target.clone());
        }
        if !is_one_lane {
            found.push(state);
            continue;
        }
        for successor in successors {
            if known.insert(successor.clone()) {
                open.push(successor);
            }
        }
        if max_states < known.len() {
            return None;
        }
    }
    Some(found)
}
