//! Small graphs to be drawn: automata and the states of models, in the DOT language of Graphviz and
//! as pictures.
//!
//! Nodes and edges are written in the order in which they are added.

#[cfg(feature = "cli")]
pub mod svg;

use std::fmt::{self, Display, Formatter, Write};

/// A graph to be drawn.
#[derive(Clone, Debug)]
pub struct Drawing {
    name: &'static str,
    shape: Shape,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    order: Vec<Item>,
}

/// How nodes are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As boxes with round corners.
    Box,
    /// As circles, whose labels are short.
    Circle,
}

/// What a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A node.
    #[default]
    Node,
    /// Where an arrow from nowhere begins.
    Nowhere,
    /// A point where an edge to several nodes divides.
    Joint,
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// What edges call it; a word.
    pub id: String,
    /// What stands in it, in lines; its `id` if there is nothing here.
    pub label: Option<String>,
    /// What it is.
    pub role: Role,
    /// Whether it has a double border.
    pub is_double: bool,
    /// Whether it stands out.
    pub is_marked: bool,
}

/// An edge between two nodes by number.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// The node where it begins.
    pub source: usize,
    /// The node where it ends.
    pub target: usize,
    /// What stands beside it.
    pub label: Option<String>,
    /// Whether it is only the first part of an arrow, and so has no head.
    pub is_open: bool,
    /// Whether it stands out.
    pub is_marked: bool,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    Node(usize),
    Edge(usize),
}

impl Drawing {
    /// A graph without nodes.
    #[must_use]
    pub fn new(name: &'static str, shape: Shape) -> Self {
        Self { name, shape, nodes: Vec::new(), edges: Vec::new(), order: Vec::new() }
    }

    /// Adds a node and says its number.
    pub fn add(&mut self, node: Node) -> usize {
        self.order.push(Item::Node(self.nodes.len()));
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    /// Adds an edge.
    pub fn join(&mut self, edge: Edge) {
        self.order.push(Item::Edge(self.edges.len()));
        self.edges.push(edge);
    }

    /// The number of nodes.
    #[must_use]
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The graph in the DOT language.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "a string takes any text")]
    pub fn dot(&self) -> String {
        let mut out = String::new();
        self.write_dot(&mut out).expect("a string takes any text");
        out
    }

    fn write_dot(&self, out: &mut String) -> fmt::Result {
        let shape = match self.shape {
            Shape::Box => "shape=box, style=rounded",
            Shape::Circle => "shape=circle",
        };
        writeln!(out, "digraph {} {{\n  rankdir=LR\n  node [{shape}]", self.name)?;
        for item in &self.order {
            match *item {
                Item::Node(number) => write_node(out, &self.nodes[number])?,
                Item::Edge(number) => self.write_edge(out, &self.edges[number])?,
            }
        }
        writeln!(out, "}}")
    }

    fn write_edge(&self, out: &mut String, edge: &Edge) -> fmt::Result {
        let [source, target] = [edge.source, edge.target].map(|number| &self.nodes[number].id);
        write!(out, "  {source} -> {target}")?;
        if let Some(label) = &edge.label {
            write!(out, " [label=\"{}\"]", Lines(label))?;
        }
        if edge.is_open {
            write!(out, " [arrowhead=none]")?;
        }
        writeln!(out, "{}", if edge.is_marked { " [color=red, penwidth=2]" } else { "" })
    }
}

fn write_node(out: &mut String, node: &Node) -> fmt::Result {
    let mut attributes = Vec::new();
    match node.role {
        Role::Node => attributes
            .extend(node.label.as_ref().map(|label| format!("label=\"{}\"", Lines(label)))),
        Role::Nowhere => attributes.push("shape=none, label=\"\"".to_owned()),
        Role::Joint => attributes.push("shape=point".to_owned()),
    }
    attributes.extend(node.is_double.then(|| "peripheries=2".to_owned()));
    attributes.extend(node.is_marked.then(|| "color=red, penwidth=2".to_owned()));
    match &*attributes {
        [] => writeln!(out, "  {}", node.id),
        all => writeln!(out, "  {} [{}]", node.id, all.join(", ")),
    }
}

/// Lines between the quotation marks of a DOT label.
struct Lines<'a>(&'a str);

impl Display for Lines<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (number, line) in self.0.split('\n').enumerate() {
            write!(f, "{}{}", if number == 0 { "" } else { "\\n" }, Escaped(line))?;
        }
        Ok(())
    }
}

/// A text between the quotation marks of a DOT label.
struct Escaped<'a>(&'a str);

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
