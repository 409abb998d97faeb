//! Explicit automata as drawings in the DOT language of Graphviz.
//!
//! A state all of whose edges are in all acceptance sets has a double border;
//! if there are several sets, or if they are on edges, they are shown on the
//! edges.

use super::guard::bundles;
use super::listing::signature;
use super::nba::Nba;
use crate::drawing::{Drawing, Edge, Node, Role, Shape};
use crate::id::Id;
use crate::lwaa::names::label_text;

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
pub fn write(automaton: &Nba) -> String {
    drawing(automaton).dot()
}

/// The automaton as a graph.
#[must_use]
pub fn drawing(automaton: &Nba) -> Drawing {
    let on_states = automaton.n_sets() <= 1 && automaton.is_state_based();
    let mut drawing = Drawing::new("automaton", Shape::Circle);
    let mut starts = Vec::new();
    for number in 0..automaton.initial().len() {
        let id = format!("start{number}");
        starts.push(drawing.add(Node { id, role: Role::Nowhere, ..Node::default() }));
    }
    let mut nodes = Vec::new();
    for state in automaton.states() {
        // Without acceptance sets every state is as good as any other.
        let is_double = on_states && 0 < automaton.n_sets() && automaton.is_accepting(state);
        let id = state.index().to_string();
        nodes.push(drawing.add(Node { id, is_double, ..Node::default() }));
    }
    for (&source, state) in starts.iter().zip(automaton.initial()) {
        drawing.join(Edge { source, target: nodes[state.index()], ..Edge::default() });
    }
    for state in automaton.states() {
        for bundle in bundles(automaton, state) {
            let label = label_text(&bundle.label, automaton.atoms());
            let sets =
                if on_states { String::new() } else { signature(automaton, bundle.edge.sets) };
            let (source, target) = (nodes[state.index()], nodes[bundle.edge.target.index()]);
            let label = Some(format!("{label}{sets}"));
            drawing.join(Edge { source, target, label, ..Edge::default() });
        }
    }
    drawing
}
