//! Explicit automata as a listing for people.

use super::guard::bundles;
use super::nba::Nba;
use crate::id::Id;
use crate::ltl::print::{Dialect, atom_text};
use crate::lwaa::names::label_text;
use crate::search::MarksId;
use std::fmt::{self, Write};

/// The automaton as text: states with their edges, and the acceptance sets in
/// braces, behind states if all edges of each state are in the same ones.
///
/// ```
/// let text = "never { T0: do :: (1) -> goto T0 :: (p && !q) -> goto accept_1 od;
///                     accept_1: skip }";
/// let automaton = lwaa::baseline::never::read(text)?;
/// assert_eq!(lwaa::baseline::listing::write(&automaton), "\
/// atoms: p q
/// acceptance: Büchi, on states
/// initial: 0
/// state 0
///   true -> 0
///   p & !q -> 1
/// state 1 {0}
///   true -> 1
/// ");
/// # Ok::<(), lwaa::baseline::formats::FormatError>(())
/// ```
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a string takes any text")]
pub fn write(automaton: &Nba) -> String {
    let mut out = String::new();
    write_to(&mut out, automaton).expect("a string takes any text");
    out
}

fn write_to(out: &mut String, automaton: &Nba) -> fmt::Result {
    let atoms = automaton.atoms();
    let names: Vec<String> =
        atoms.iter().map(|(_, name)| format!(" {}", atom_text(name, Dialect::Lwaa))).collect();
    writeln!(out, "atoms:{}", names.concat())?;
    let on_states = automaton.is_state_based();
    let place = if on_states { "states" } else { "edges" };
    match automaton.n_sets() {
        0 => writeln!(out, "acceptance: every infinite run")?,
        1 => writeln!(out, "acceptance: Büchi, on {place}")?,
        more => writeln!(out, "acceptance: generalized Büchi, {more} sets on {place}")?,
    }
    let initial = automaton.initial().iter().map(|state| format!(" {}", state.index()));
    writeln!(out, "initial:{}", initial.collect::<String>())?;
    for state in automaton.states() {
        let edges = automaton.edges(state);
        let of_state = edges.first().filter(|_| on_states);
        let of_state = of_state.map_or_else(String::new, |edge| signature(automaton, edge.sets));
        writeln!(out, "state {}{of_state}", state.index())?;
        for bundle in bundles(automaton, state) {
            let of_edge =
                if on_states { String::new() } else { signature(automaton, bundle.edge.sets) };
            let (label, target) = (label_text(&bundle.label, atoms), bundle.edge.target.index());
            writeln!(out, "  {label} -> {target}{of_edge}")?;
        }
    }
    Ok(())
}

/// Acceptance sets with a space before them, or nothing.
pub(super) fn signature(automaton: &Nba, sets: MarksId) -> String {
    let numbers: Vec<String> =
        automaton.sets(sets).iter().map(|set| set.index().to_string()).collect();
    if numbers.is_empty() { String::new() } else { format!(" {{{}}}", numbers.join(" ")) }
}
