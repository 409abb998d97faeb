//! Automata as drawings in the DOT language of Graphviz.
//!
//! A location in which a run may stay for ever has a double border, an
//! until-like one a single border. An edge to several locations at once goes
//! through a joint, drawn as a point, and so does the arrow from nowhere to
//! the initial configuration. A step that asks for no location leads to `true`.

use super::edges::{TooLarge, edges};
use super::names::{LocationNames, label_text};
use super::{LocationId, Lwaa};
use crate::drawing::{Drawing, Edge, Node, Role, Shape};
use crate::id::{Id, IdVec};

/// The length in bytes at which the formulas of locations are cut off.
const NAME_LIMIT: usize = 80;

impl Lwaa {
    /// The automaton in the DOT language.
    ///
    /// # Errors
    ///
    /// If there are too many edges, as for [`Lwaa::to_hoa`].
    pub fn to_dot(&self, limit: usize) -> Result<String, TooLarge> {
        Ok(self.drawing(limit)?.dot())
    }

    /// The automaton as a graph.
    ///
    /// # Errors
    ///
    /// If there are too many edges, as for [`Lwaa::to_hoa`].
    pub fn drawing(&self, limit: usize) -> Result<Drawing, TooLarge> {
        let edges = edges(self, limit)?;
        let names = LocationNames::new(self);
        let mut drawing = Drawing::new("lwaa", Shape::Box);
        let start =
            drawing.add(Node { id: "start".to_owned(), role: Role::Nowhere, ..Node::default() });
        let mut nodes: IdVec<LocationId, usize> = IdVec::filled(0, self.n_locations());
        for (id, location) in self.locations().rev() {
            let name = names.name(id, NAME_LIMIT).unwrap_or_default();
            let (number, rank) = (id.index(), location.rank);
            nodes[id] = drawing.add(Node {
                id: number.to_string(),
                label: Some(format!("#{number} rank {rank}\n{name}")),
                is_double: !location.until,
                ..Node::default()
            });
        }
        let needs_true =
            self.initial().is_empty() || edges.iter().flatten().any(|edge| edge.targets.is_empty());
        let truth = needs_true.then(|| {
            let label = Some("true".to_owned());
            drawing.add(Node { id: "true".to_owned(), label, is_double: true, ..Node::default() })
        });
        let mut joints = Joints { drawing, nodes, truth, count: 0 };
        joints.join(start, None, self.initial());
        for (id, edges) in edges.entries().rev() {
            for edge in edges {
                let label = label_text(&edge.label, self.atoms());
                joints.join(joints.nodes[id], Some(label), &edge.targets);
            }
        }
        Ok(joints.drawing)
    }
}

/// A drawing to which edges are added.
struct Joints {
    drawing: Drawing,
    nodes: IdVec<LocationId, usize>,
    /// The node for what holds from now on.
    truth: Option<usize>,
    /// The number of joints.
    count: usize,
}

impl Joints {
    /// An edge from the node `source`, through a joint if it has several targets.
    fn join(&mut self, source: usize, label: Option<String>, targets: &[LocationId]) {
        let target = match *targets {
            [] => self.truth,
            [target] => Some(self.nodes[target]),
            _ => None,
        };
        if let Some(target) = target {
            self.drawing.join(Edge { source, target, label, ..Edge::default() });
            return;
        }
        let id = format!("joint{}", self.count);
        self.count += 1;
        let joint = self.drawing.add(Node { id, role: Role::Joint, ..Node::default() });
        let edge = Edge { source, target: joint, label, is_open: true, ..Edge::default() };
        self.drawing.join(edge);
        for &target in targets {
            let target = self.nodes[target];
            self.drawing.join(Edge { source: joint, target, ..Edge::default() });
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ltl::{Formula, nnf};
    use crate::lwaa::build::from_nnf;

    fn dot(formula: &str) -> String {
        from_nnf(nnf::from_formula(&Formula::parse(formula).unwrap())).to_dot(10_000).unwrap()
    }

    #[test]
    fn a_response_property() {
        insta::assert_snapshot!(dot("G (request -> F grant)"), @r##"
        digraph lwaa {
          rankdir=LR
          node [shape=box, style=rounded]
          start [shape=none, label=""]
          1 [label="#1 rank 2\nG (!request | F grant)", peripheries=2]
          0 [label="#0 rank 1\nF grant"]
          true [label="true", peripheries=2]
          start -> 1
          joint0 [shape=point]
          1 -> joint0 [label="true"] [arrowhead=none]
          joint0 -> 0
          joint0 -> 1
          1 -> 1 [label="!request | grant"]
          0 -> true [label="grant"]
          0 -> 0 [label="true"]
        }
        "##);
    }

    #[test]
    fn a_property_with_nested_loops() {
        insta::assert_snapshot!(dot("G X F G p"), @r##"
        digraph lwaa {
          rankdir=LR
          node [shape=box, style=rounded]
          start [shape=none, label=""]
          2 [label="#2 rank 2\nG X F G p", peripheries=2]
          1 [label="#1 rank 1\nF G p"]
          0 [label="#0 rank 0\nG p", peripheries=2]
          start -> 2
          joint0 [shape=point]
          2 -> joint0 [label="true"] [arrowhead=none]
          joint0 -> 1
          joint0 -> 2
          1 -> 0 [label="p"]
          1 -> 1 [label="true"]
          0 -> 0 [label="p"]
        }
        "##);
    }

    #[test]
    fn a_release_with_an_until_and_a_next() {
        insta::assert_snapshot!(dot("(a U b) R (c | X d)"), @r##"
        digraph lwaa {
          rankdir=LR
          node [shape=box, style=rounded]
          start [shape=none, label=""]
          2 [label="#2 rank 2\n(a U b) R (c | X d)", peripheries=2]
          1 [label="#1 rank 0\nd", peripheries=2]
          0 [label="#0 rank 1\na U b"]
          true [label="true", peripheries=2]
          start -> 2
          2 -> true [label="b & c"]
          2 -> 0 [label="a & c"]
          joint0 [shape=point]
          2 -> joint0 [label="a"] [arrowhead=none]
          joint0 -> 0
          joint0 -> 1
          2 -> 1 [label="b"]
          joint1 [shape=point]
          2 -> joint1 [label="true"] [arrowhead=none]
          joint1 -> 1
          joint1 -> 2
          2 -> 2 [label="c"]
          1 -> true [label="d"]
          0 -> true [label="b"]
          0 -> 0 [label="a"]
        }
        "##);
    }

    #[test]
    fn an_initial_conjunction_has_a_joint() {
        insta::assert_snapshot!(dot("\"say \\\"hi\\\"\" & G b"), @r##"
        digraph lwaa {
          rankdir=LR
          node [shape=box, style=rounded]
          start [shape=none, label=""]
          1 [label="#1 rank 0\nG b", peripheries=2]
          0 [label="#0 rank 0\n\"say \\\"hi\\\"\"", peripheries=2]
          true [label="true", peripheries=2]
          joint0 [shape=point]
          start -> joint0 [arrowhead=none]
          joint0 -> 0
          joint0 -> 1
          1 -> 1 [label="b"]
          0 -> true [label="\"say \\\"hi\\\"\""]
        }
        "##);
    }
}
