//! Explicit automata as drawings in the DOT language of Graphviz.
//!
//! A state all of whose edges are in all acceptance sets has a double border;
//! if there are several sets, or if they are on edges, they are shown on the
//! edges.

use super::guard::bundles;
use super::listing::signature;
use super::nba::Nba;
use crate::id::Id;
use crate::lwaa::dot::Escaped;
use crate::lwaa::names::label_text;
use std::fmt::{self, Write};

/// The automaton in the DOT language.
///
/// ```
/// let text = "never { T0: do :: (p) -> goto accept_1 od; accept_1: skip }";
/// let automaton = lwaa::baseline::never::read(text)?;
/// assert_eq!(lwaa::baseline::dot::write(&automaton), "\
/// digraph automaton {
///   rankdir=LR
///   node [shape=circle]
///   start0 [shape=none, label=\"\"]
///   0
///   1 [peripheries=2]
///   start0 -> 0
///   0 -> 1 [label=\"p\"]
///   1 -> 1 [label=\"true\"]
/// }
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
    let on_states = automaton.n_sets() <= 1 && automaton.is_state_based();
    writeln!(out, "digraph automaton {{\n  rankdir=LR\n  node [shape=circle]")?;
    for number in 0..automaton.initial().len() {
        writeln!(out, "  start{number} [shape=none, label=\"\"]")?;
    }
    for state in automaton.states() {
        // Without acceptance sets every state is as good as any other.
        let accepting = on_states && 0 < automaton.n_sets() && automaton.is_accepting(state);
        writeln!(out, "  {}{}", state.index(), if accepting { " [peripheries=2]" } else { "" })?;
    }
    for (number, state) in automaton.initial().iter().enumerate() {
        writeln!(out, "  start{number} -> {}", state.index())?;
    }
    for state in automaton.states() {
        for bundle in bundles(automaton, state) {
            let label = label_text(&bundle.label, automaton.atoms());
            let sets =
                if on_states { String::new() } else { signature(automaton, bundle.edge.sets) };
            let target = bundle.edge.target.index();
            let label = Escaped(&label);
            writeln!(out, "  {} -> {target} [label=\"{label}{sets}\"]", state.index())?;
        }
    }
    writeln!(out, "}}")
}
