//! Automata as drawings in the DOT language of Graphviz.
//!
//! A location in which a run may stay for ever has a double border, an
//! until-like one a single border. An edge to several locations at once goes
//! through a joint, drawn as a point, and so does the arrow from nowhere to
//! the initial configuration. A step that asks for no location leads to `true`.

use super::edges::{TooLarge, edges};
use super::names::{LocationNames, label_text};
use super::{LocationId, Lwaa};
use crate::id::Id;
use std::fmt::{self, Display, Formatter, Write};

/// The length in bytes at which the formulas of locations are cut off.
const NAME_LIMIT: usize = 80;

impl Lwaa {
    /// The automaton in the DOT language.
    ///
    /// # Errors
    ///
    /// If there are too many edges, as for [`Lwaa::to_hoa`].
    pub fn to_dot(&self, limit: usize) -> Result<String, TooLarge> {
        let edges = edges(self, limit)?;
        let mut drawing =
            Drawing { names: LocationNames::new(self), out: String::new(), n_joints: 0 };
        drawing.line(format_args!("digraph lwaa {{"));
        drawing.line(format_args!("  rankdir=LR"));
        drawing.line(format_args!("  node [shape=box, style=rounded]"));
        drawing.line(format_args!("  start [shape=none, label=\"\"]"));
        for (id, location) in self.locations().rev() {
            drawing.location(id, location.rank, location.until);
        }
        let needs_true =
            self.initial().is_empty() || edges.iter().flatten().any(|edge| edge.targets.is_empty());
        if needs_true {
            drawing.line(format_args!("  true [label=\"true\", peripheries=2]"));
        }
        drawing.edge("start", "", self.initial());
        for (id, edges) in edges.entries().rev() {
            for edge in edges {
                let label = label_text(&edge.label, self.atoms());
                let label = format!(" [label=\"{}\"]", Escaped(&label));
                drawing.edge(&id.index().to_string(), &label, &edge.targets);
            }
        }
        drawing.line(format_args!("}}"));
        Ok(drawing.out)
    }
}

struct Drawing<'a> {
    names: LocationNames<'a>,
    out: String,
    n_joints: usize,
}

impl Drawing<'_> {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        writeln!(self.out, "{line}").expect("a string takes any text");
    }

    fn location(&mut self, id: LocationId, rank: u32, until: bool) {
        let name = self.names.name(id, NAME_LIMIT).unwrap_or_default();
        let (name, number) = (Escaped(&name), id.index());
        let border = if until { "" } else { ", peripheries=2" };
        self.line(format_args!("  {number} [label=\"#{number} rank {rank}\\n{name}\"{border}]"));
    }

    /// An edge from the node `source`, through a joint if it has several
    /// targets. `label` is empty or an attribute.
    fn edge(&mut self, source: &str, label: &str, targets: &[LocationId]) {
        match targets {
            [] => self.line(format_args!("  {source} -> true{label}")),
            [target] => self.line(format_args!("  {source} -> {}{label}", target.index())),
            _ => {
                let joint = self.n_joints;
                self.n_joints += 1;
                self.line(format_args!("  joint{joint} [shape=point]"));
                self.line(format_args!("  {source} -> joint{joint}{label} [arrowhead=none]"));
                for target in targets {
                    self.line(format_args!("  joint{joint} -> {}", target.index()));
                }
            }
        }
    }
}

/// A text between the quotation marks of a DOT label.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '"' | '\\' => write!(f, "\\{character}"),
            // What Graphviz sees is `\\n`, which it shows as `\n`.
            control if control.is_control() => write!(f, "\\{}", control.escape_default()),
            other => f.write_char(other),
        })
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
