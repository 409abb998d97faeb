//! Automata with exactly one initial state, for formats that know no others.

use super::bits::Bits;
use super::draft::{Draft, Edge};
use super::nba::Nba;
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
    let mut draft = Draft::of(automaton);
    let without_sets = |edge: &Edge| Edge { sets: Bits::default(), ..edge.clone() };
    let edges = draft.initial.iter().flat_map(|&state| &draft.edges[state]).map(without_sets);
    let edges = edges.collect();
    draft.initial = vec![draft.edges.push(edges)];
    Cow::Owned(draft.into_nba())
}
