//! Automata with exactly one initial state, for formats that know no others.

use super::nba::{Builder, Nba, StateId};
use std::borrow::Cow;

/// The same language with exactly one initial state: if there are several, or
/// none, a new one has the edges of all of them. It is in no acceptance set,
/// which does not matter, since no run returns to it.
///
/// ```
/// use lwaa::baseline::{initial::single, nba::Builder};
/// let mut builder = Builder::new(lwaa::word::Atoms::default(), 0);
/// for _ in 0..2 {
///     let state = builder.add_state();
///     builder.add_initial(state);
/// }
/// let automaton = single(&builder.finish()).into_owned();
/// assert_eq!((automaton.n_states(), automaton.initial().len()), (3, 1));
/// ```
#[must_use]
pub fn single(automaton: &Nba) -> Cow<'_, Nba> {
    if automaton.initial().len() == 1 {
        return Cow::Borrowed(automaton);
    }
    let mut builder = Builder::new(automaton.atoms().clone(), automaton.n_sets());
    for _ in automaton.states() {
        builder.add_state();
    }
    let fresh = builder.add_state();
    builder.add_initial(fresh);
    let mut copy = |source: StateId, from: StateId, keep: bool| {
        for edge in automaton.edges(from) {
            let sets = automaton.sets(edge.sets).iter().copied().filter(|_| keep);
            builder.add_edge(source, automaton.cube(edge.cube), sets, edge.target);
        }
    };
    automaton.states().for_each(|state| copy(state, state, true));
    automaton.initial().iter().for_each(|&state| copy(fresh, state, false));
    Cow::Owned(builder.finish())
}
