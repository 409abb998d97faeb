//! A plot as an SVG element.

use super::axis::Axis;
use super::{Join, N_STYLES, Plot, Point, Series};
use crate::report::page::{Markup, PreEscaped, html};

const LEFT: f64 = 70.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
/// Part of every plot, so that one that is copied out of its page looks the same. In a page the
/// colours are those of the page.
pub(super) const STYLE: &str = include_str!("plot.css");
/// The shapes of points around the origin. Styles of the same colour have different shapes as long
/// as possible.
const SHAPES: [&str; N_STYLES] = [
    "M-3.4 0a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0 -6.8 0Z",
    "M-3.1 -3.1H3.1V3.1H-3.1Z",
    "M0 -4.2L3.9 2.9H-3.9Z",
    "M0 -4.6L4.6 0L0 4.6L-4.6 0Z",
    "M0 4.2L3.9 -2.9H-3.9Z",
    "M-1.4 -4.1H1.4V-1.4H4.1V1.4H1.4V4.1H-1.4V1.4H-4.1V-1.4H-1.4Z",
    "M-4.2 0L2.9 -3.9V3.9Z",
    "M4.2 0L-2.9 -3.9V3.9Z",
];

/// Where the axes end.
struct Frame {
    width: f64,
    height: f64,
}

impl Frame {
    fn of(plot: &Plot) -> Self {
        let (width, height) = if plot.is_wide { (900.0, 380.0) } else { (380.0, 280.0) };
        Self { width, height }
    }

    fn x(&self, position: f64) -> f64 {
        LEFT + position * (self.width - LEFT - RIGHT)
    }

    fn y(&self, position: f64) -> f64 {
        self.height - BOTTOM - position * (self.height - TOP - BOTTOM)
    }
}

pub(super) fn write(plot: &Plot) -> Markup {
    let frame = Frame::of(plot);
    html! {
        svg.plot viewBox={ "0 0 " (frame.width) " " (frame.height) } role="img"
            xmlns="http://www.w3.org/2000/svg" {
            title { (plot.title) }
            desc { (plot.description) }
            style { (PreEscaped(STYLE)) }
            (axes(&frame, plot))
            @for series in &plot.series { (line(&frame, plot, series)) }
            @for series in &plot.series { (points(&frame, plot, series)) }
        }
    }
}

fn axes(frame: &Frame, plot: &Plot) -> Markup {
    let (left, right) = (frame.x(0.0), frame.x(1.0));
    let (bottom, top) = (frame.y(0.0), frame.y(1.0));
    let vertical = |x: f64| format!("M{x:.1} {bottom:.1}V{top:.1}");
    let horizontal = |y: f64| format!("M{left:.1} {y:.1}H{right:.1}");
    html! {
        @for tick in plot.x.ticks() {
            @let x = frame.x(tick.position);
            (path("grid", &vertical(x)))
            (text("tick", (x, bottom + 16.0), "middle", &tick.label))
        }
        @for tick in plot.y.ticks() {
            @let y = frame.y(tick.position);
            (path("grid", &horizontal(y)))
            (text("tick", (left - 7.0, y + 3.5), "end", &tick.label))
        }
        @if plot.has_diagonal {
            (path("diagonal", &format!("M{left:.1} {bottom:.1}L{right:.1} {top:.1}")))
        }
        @if let Some(limit) = limit(&plot.x) { (path("limit", &vertical(frame.x(limit)))) }
        @if let Some(limit) = limit(&plot.y) {
            @let y = frame.y(limit);
            (path("limit", &horizontal(y)))
            (text("tick", (left + 5.0, y - 4.0), "start", "limit"))
        }
        (path("axis", &format!("M{left:.1} {top:.1}V{bottom:.1}H{right:.1}")))
        (text("label", (f64::midpoint(left, right), frame.height - 8.0), "middle", &plot.x.title))
        g transform=(format!("translate(14.0 {:.1}) rotate(-90)", f64::midpoint(bottom, top))) {
            (text("label", (0.0, 0.0), "middle", &plot.y.title))
        }
    }
}

fn path(class: &str, d: &str) -> Markup {
    html! { path class=(class) d=(d) {} }
}

fn text(class: &str, (x, y): (f64, f64), anchor: &str, text: &str) -> Markup {
    let [x, y] = [x, y].map(|coordinate| format!("{coordinate:.1}"));
    html! { text class=(class) x=(x) y=(y) text-anchor=(anchor) { (text) } }
}

fn limit(axis: &Axis) -> Option<f64> {
    axis.limit.filter(|limit| *limit < axis.high).map(|limit| axis.position(limit))
}

/// Where a point is, and whether it is at the border.
fn place(frame: &Frame, plot: &Plot, point: &Point) -> (f64, f64, bool) {
    let x = point.x.map_or(1.0, |x| plot.x.position(x));
    let y = point.y.map_or(1.0, |y| plot.y.position(y));
    (frame.x(x), frame.y(y), point.x.is_none() || point.y.is_none())
}

fn line(frame: &Frame, plot: &Plot, series: &Series) -> Markup {
    let places = series.points.iter().map(|point| place(frame, plot, point));
    let solid: Vec<String> = places
        .filter(|&(_, _, is_border)| !is_border)
        .map(|(x, y, _)| format!("{x:.1} {y:.1}"))
        .collect();
    let is_line = series.join == Join::Lines && 1 < solid.len();
    let class = format!("line s{}", series.style % N_STYLES);
    html! { @if is_line { (path(&class, &format!("M{}", solid.join("L")))) } }
}

fn points(frame: &Frame, plot: &Plot, series: &Series) -> Markup {
    html! {
        @for point in &series.points {
            @let (x, y, is_border) = place(frame, plot, point);
            path.point.{ "s" (series.style % N_STYLES) }.open[is_border]
                transform={ "translate(" (format!("{x:.1} {y:.1}")) ")" } d=(shape(series.style)) {
                title { (point.title) }
            }
        }
    }
}

fn shape(style: usize) -> &'static str {
    SHAPES[(style + style / N_STYLES) % N_STYLES]
}

/// The shape and colour of a style as a small picture, for legends.
#[must_use]
pub fn marker(style: usize) -> Markup {
    let color = style % N_STYLES;
    html! {
        svg.marker viewBox="0 0 26 12" aria-hidden="true" {
            (path(&format!("line s{color}"), "M0 6H26"))
            path.point.{ "s" (color) } transform="translate(13 6)" d=(shape(style)) {}
        }
    }
}
