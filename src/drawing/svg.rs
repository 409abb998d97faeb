//! Graphs as pictures.
//!
//! The package `layout-rs` finds out where everything stands: ranks, crossings, curves. We draw it
//! ourselves, so that texts are escaped, arrows have one style, and nodes can have double borders.
//! This module is the only one that names the package.

use super::{Drawing, Edge, Node, Role, Shape};
use crate::printable::on_one_line;
use graph_layout::core::base::Orientation;
use graph_layout::core::color::Color;
use graph_layout::core::format::{ClipHandle, RenderBackend};
use graph_layout::core::geometry::Point;
use graph_layout::core::style::{LineStyleKind, StyleAttr};
use graph_layout::std_shapes::render::get_shape_size;
use graph_layout::std_shapes::shapes::{Arrow, Element, LineEndKind, ShapeKind};
use graph_layout::topo::layout::VisualGraph;
use std::fmt::Write;

/// The time that the layout takes grows faster than the graph, and nobody reads larger pictures.
pub const MAX_NODES: usize = 300;
/// How many edges a picture has at most.
pub const MAX_EDGES: usize = 1200;

const FONT: usize = 13;
const STYLE: &str = "text{font:13px system-ui,'Segoe UI',Roboto,sans-serif;fill:#1b1f24;text-anchor:middle;\
    paint-order:stroke;stroke:#fff;stroke-width:4px}\
    .box{fill:#fff;stroke:#0b5cad;stroke-width:1.3}.edge{stroke:#57606a;stroke-width:1.2;fill:none}\
    .head{fill:#57606a}.label{font-size:11px}\
    .marked .box{stroke:#b3261e;stroke-width:2.6}.marked .edge{stroke:#b3261e;stroke-width:2.4}\
    .marked .head{fill:#b3261e}.joint .box{fill:#57606a;stroke:none}";

/// A graph has too many nodes or edges to be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a graph of {n_nodes} nodes and {n_edges} edges is too large for a picture, which has at most \
     {MAX_NODES} and {MAX_EDGES}"
)]
pub struct TooLarge {
    /// The number of its nodes.
    pub n_nodes: usize,
    /// The number of its edges.
    pub n_edges: usize,
}

impl Drawing {
    /// The graph as a picture.
    ///
    /// # Errors
    ///
    /// If it is too large.
    pub fn svg(&self, title: &str) -> Result<String, TooLarge> {
        let (n_nodes, n_edges) = (self.nodes.len(), self.edges.len());
        if MAX_NODES < n_nodes || MAX_EDGES < n_edges {
            return Err(TooLarge { n_nodes, n_edges });
        }
        let mut graph = VisualGraph::new(self.shape.orientation());
        let nodes: Vec<_> = self
            .nodes
            .iter()
            .enumerate()
            .map(|node| graph.add_node(element(node, self.shape)))
            .collect();
        // The package would lay edges from a node to itself out as if they came from elsewhere.
        let (loops, edges): (Vec<&Edge>, Vec<&Edge>) =
            self.edges.iter().partition(|edge| edge.source == edge.target);
        for edge in edges {
            graph.add_edge(arrow(edge), nodes[edge.source], nodes[edge.target]);
        }
        let mut canvas = Canvas { places: vec![None; nodes.len()], ..Canvas::default() };
        if !nodes.is_empty() {
            graph.do_it(false, false, false, &mut canvas);
        }
        let mut n_loops = vec![0; nodes.len()];
        for edge in loops {
            canvas.draw_loop(edge, self.shape, n_loops[edge.source]);
            n_loops[edge.source] += 1;
        }
        Ok(canvas.finish(title))
    }
}

impl Shape {
    /// Boxes are wide, so their ranks are put one below the other.
    fn orientation(self) -> Orientation {
        match self {
            Self::Box => Orientation::TopToBottom,
            Self::Circle => Orientation::LeftToRight,
        }
    }
}

fn look() -> StyleAttr {
    StyleAttr::new(Color::fast("black"), 1, None, 8, FONT)
}

fn element((number, node): (usize, &Node), shape: Shape) -> Element {
    let label = node.label.as_ref().unwrap_or(&node.id);
    let lines: Vec<_> = label.split('\n').map(on_one_line).collect();
    let label = lines.join("\n");
    let orientation = shape.orientation();
    let (kind, size) = match (node.role, shape) {
        (Role::Node, Shape::Box) => {
            let kind = ShapeKind::new_box(&label);
            let size = get_shape_size(orientation, &kind, FONT, false);
            (kind, size)
        }
        (Role::Node, Shape::Circle) => {
            let kind = ShapeKind::new_circle(&label);
            let size = get_shape_size(orientation, &kind, FONT, true);
            (kind, size)
        }
        (Role::Nowhere | Role::Joint, _) => (ShapeKind::new_circle(""), Point::new(7.0, 7.0)),
    };
    let classes = [
        (node.is_marked, "marked"),
        (node.is_double, "double"),
        (node.role == Role::Joint, "joint"),
        (node.role == Role::Nowhere, "nowhere"),
    ];
    let classes = classes.iter().filter(|one| one.0).map(|one| one.1.to_owned());
    let classes: Vec<String> = classes.chain([number.to_string()]).collect();
    Element::create_with_properties(kind, look(), orientation, size, classes.join(" "))
}

fn arrow(edge: &Edge) -> Arrow {
    let end = if edge.is_open { LineEndKind::None } else { LineEndKind::Arrow };
    let label = edge.label.as_deref().map(on_one_line).unwrap_or_default();
    let class = if edge.is_marked { "marked" } else { "" };
    Arrow::with_properties(
        LineEndKind::None,
        end,
        LineStyleKind::Normal,
        &label,
        &look(),
        class,
        &None,
        &None,
    )
}

/// What has been drawn, in the order in which it has to be painted.
#[derive(Default)]
struct Canvas {
    lines: String,
    shapes: String,
    labels: String,
    width: f64,
    height: f64,
    /// How far it reaches above its origin.
    above: f64,
    /// Where nodes stand, and their sizes.
    places: Vec<Option<(Point, Point)>>,
}

impl Canvas {
    fn grow(&mut self, x: f64, y: f64) {
        (self.width, self.height) = (self.width.max(x), self.height.max(y));
    }

    /// Keeps where a node stands, whose number is the last of its classes, and returns the others.
    fn place(&mut self, classes: Option<String>, middle: Point, size: Point) -> String {
        let classes = classes.unwrap_or_default();
        let (others, number) = classes.rsplit_once(' ').unwrap_or(("", &classes));
        if let Some(place) = number.parse().ok().and_then(|at: usize| self.places.get_mut(at)) {
            *place = Some((middle, size));
            return others.to_owned();
        }
        classes
    }

    /// Draws an edge from a node to itself: on the right of boxes, which stand one below the other,
    /// and above circles. Each loop of a node goes around those before.
    fn draw_loop(&mut self, edge: &Edge, shape: Shape, n_before: usize) {
        let Some((middle, size)) = self.places[edge.source] else { return };
        #[expect(clippy::cast_precision_loss, reason = "a node has few edges")]
        let (out, wide) = (30.0 + 18.0 * n_before as f64, 9.0 + 3.0 * n_before as f64);
        let label = edge.label.as_deref().map(on_one_line).unwrap_or_default();
        let half: f64 = label.chars().map(|_| 3.8).sum();
        let (x, y) = (middle.x, middle.y);
        let (ends, controls, text) = match shape {
            Shape::Box => {
                let (border, far) = (x + size.x / 2.0, x + size.x / 2.0 + out * 1.3);
                let ends = [Point::new(border, y - wide), Point::new(border, y + wide)];
                let controls = [Point::new(far, y - 2.0 * wide), Point::new(far, y + 2.0 * wide)];
                (ends, controls, Point::new(border + out + 4.0 + half, y + 4.0))
            }
            Shape::Circle => {
                let radius = size.x.max(size.y) / 2.0;
                let (border, far) = (y - 0.93 * radius, y - radius - out * 1.3);
                let ends = [Point::new(x - wide, border), Point::new(x + wide, border)];
                let controls = [Point::new(x - 2.0 * wide, far), Point::new(x + 2.0 * wide, far)];
                (ends, controls, Point::new(x, y - radius - out - 3.0))
            }
        };
        for point in controls {
            self.grow(point.x, point.y);
        }
        self.grow(text.x + half, text.y);
        self.above = self.above.max(14.0 - text.y).max(-controls[0].y);
        let [[from, to], [one, two]] = [ends, controls];
        let class = if edge.is_marked { "marked" } else { "" };
        let head = if edge.is_open { String::new() } else { head(two, to) };
        add(
            &mut self.lines,
            format_args!(
                "<g class=\"{class}\"><path class=\"edge\" d=\"M{:.1} {:.1}C{:.1} {:.1} {:.1} \
                 {:.1} {:.1} {:.1}\"/>{head}</g>",
                from.x, from.y, one.x, one.y, two.x, two.y, to.x, to.y
            ),
        );
        if !label.is_empty() {
            let (x, y, label) = (text.x, text.y, escaped(&label));
            add(
                &mut self.labels,
                format_args!("<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{label}</text>"),
            );
        }
    }

    fn finish(self, title: &str) -> String {
        let above = self.above.max(0.0);
        let (width, height) = (self.width + 12.0, self.height + 12.0 + above);
        let title = escaped(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {:.0} {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">\n<title>{title}</title>\
             <style>{STYLE}</style>\n\
             <rect y=\"{:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#fff\"/>\n{}{}{}</svg>\n",
            -above, -above, self.lines, self.shapes, self.labels
        )
    }
}

/// A text as the content of an element.
fn escaped(text: &str) -> String {
    on_one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Adds a line of text; a string takes any.
fn add(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("a string takes any text");
}

impl RenderBackend for Canvas {
    fn draw_rect(
        &mut self,
        at: Point,
        size: Point,
        _: &StyleAttr,
        classes: Option<String>,
        _: Option<ClipHandle>,
    ) {
        let middle = Point::new(at.x + size.x / 2.0, at.y + size.y / 2.0);
        let classes = self.place(classes, middle, size);
        self.grow(at.x + size.x, at.y + size.y);
        let mut rect = |inset: f64| {
            let (x, y) = (at.x + inset, at.y + inset);
            let (wide, tall) = (size.x - 2.0 * inset, size.y - 2.0 * inset);
            add(
                &mut self.shapes,
                format_args!(
                    "<g class=\"{classes}\"><rect class=\"box\" x=\"{x:.1}\" y=\"{y:.1}\" \
                     width=\"{wide:.1}\" height=\"{tall:.1}\" rx=\"8\"/></g>"
                ),
            );
        };
        rect(0.0);
        if classes.contains("double") {
            rect(3.5);
        }
    }

    fn draw_line(&mut self, start: Point, stop: Point, _: &StyleAttr, _: Option<String>) {
        let (x1, y1, x2, y2) = (start.x, start.y, stop.x, stop.y);
        add(
            &mut self.lines,
            format_args!("<path class=\"edge\" d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\"/>"),
        );
    }

    fn draw_circle(&mut self, at: Point, size: Point, _: &StyleAttr, classes: Option<String>) {
        let classes = self.place(classes, at, size);
        let (x, y) = (at.x, at.y);
        self.grow(x + size.x / 2.0, y + size.y / 2.0);
        if classes.contains("nowhere") {
            return;
        }
        let mut circle = |inset: f64| {
            let radius = size.x.max(size.y) / 2.0 - inset;
            add(
                &mut self.shapes,
                format_args!(
                    "<g class=\"{classes}\"><circle class=\"box\" cx=\"{x:.1}\" cy=\"{y:.1}\" \
                     r=\"{radius:.1}\"/></g>"
                ),
            );
        };
        circle(0.0);
        if classes.contains("double") {
            circle(3.5);
        }
    }

    fn draw_text(&mut self, at: Point, text: &str, _: &StyleAttr) {
        let lines: Vec<&str> = text.lines().collect();
        // Half of what a line takes, about: labels of edges have no box around them.
        let half = lines.iter().map(|line| line.chars().map(|_| 3.8).sum::<f64>());
        self.grow(at.x + half.fold(0.0, f64::max), at.y);
        #[expect(clippy::cast_precision_loss, reason = "labels have few lines")]
        let top = at.y - (lines.len() as f64 - 1.0) * 8.0 + 4.5;
        for (number, line) in lines.iter().enumerate() {
            #[expect(clippy::cast_precision_loss, reason = "labels have few lines")]
            let y = top + number as f64 * 16.0;
            let (x, line) = (at.x, escaped(line));
            add(&mut self.labels, format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\">{line}</text>"));
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        (has_head_at_start, has_head_at_end): (bool, bool),
        _: &StyleAttr,
        class: Option<String>,
        text: &str,
    ) {
        let class = class.unwrap_or_default();
        let [first, second, others @ ..] = path else { return };
        let mut curve = format!("M{:.1} {:.1}", first.0.x, first.0.y);
        let mut bend = |a: Point, b: Point, c: Point| {
            write!(curve, "C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}", a.x, a.y, b.x, b.y, c.x, c.y)
                .expect("a string takes any text");
        };
        bend(first.1, second.0, second.1);
        let (mut before, mut control) = (second.1, second.0);
        for &(entry, point) in others {
            // A curve goes on in the direction in which it came.
            let on = Point::new(2.0 * before.x - control.x, 2.0 * before.y - control.y);
            bend(on, entry, point);
            (before, control) = (point, entry);
        }
        for &(one, other) in path {
            self.grow(one.x, one.y);
            self.grow(other.x, other.y);
        }
        // The layout turns edges around that go back.
        let mut heads = String::new();
        if has_head_at_end {
            heads.push_str(&head(control, before));
        }
        if has_head_at_start {
            heads.push_str(&head(first.1, first.0));
        }
        add(
            &mut self.lines,
            format_args!("<g class=\"{class}\"><path class=\"edge\" d=\"{curve}\"/>{heads}</g>"),
        );
        if text.is_empty() {
            return;
        }
        let middle = match others {
            [] => Point::new(
                (first.0.x + 3.0 * (first.1.x + second.0.x) + second.1.x) / 8.0,
                (first.0.y + 3.0 * (first.1.y + second.0.y) + second.1.y) / 8.0,
            ),
            _ => path[path.len() / 2].1,
        };
        let (x, y, text) = (middle.x, middle.y - 3.0, escaped(text));
        add(
            &mut self.labels,
            format_args!("<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"),
        );
    }

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

/// The head of an arrow that comes from a point.
fn head(from: Point, to: Point) -> String {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(0.1);
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (to.x - 8.0 * ux, to.y - 8.0 * uy);
    format!(
        "<path class=\"head\" d=\"M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        to.x,
        to.y,
        bx - 3.5 * uy,
        by + 3.5 * ux,
        bx + 3.5 * uy,
        by - 3.5 * ux
    )
}
