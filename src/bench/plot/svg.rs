//! A plot as an SVG element.

use super::axis::Axis;
use super::{Join, N_STYLES, Plot, Point, Series};
use crate::bench::html::escaped;
use std::fmt::Write as _;

const LEFT: f64 = 70.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 46.0;
/// Part of every plot, so that one that is copied out of its page looks the same. In a page the
/// colours are those of the page.
pub(super) const STYLE: &str = include_str!("plot.css");
/// Half the size of a point.
const RADIUS: f64 = 3.4;

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

/// Nothing that is written into a string can fail.
macro_rules! put {
    ($out:expr, $($argument:tt)*) => {
        $out.write_fmt(format_args!($($argument)*)).unwrap_or_default()
    };
}

pub(super) fn write(plot: &Plot) -> String {
    let mut out = String::new();
    let frame = Frame::of(plot);
    let (width, height) = (frame.width, frame.height);
    put!(
        out,
        "<svg class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         xmlns=\"http://www.w3.org/2000/svg\"><title>{}</title><desc>{}</desc><style>{STYLE}</style>",
        escaped(&plot.title),
        escaped(&plot.description)
    );
    axes(&mut out, &frame, plot);
    for series in &plot.series {
        lines(&mut out, &frame, plot, series);
    }
    for series in &plot.series {
        points(&mut out, &frame, plot, series);
    }
    out.push_str("</svg>");
    out
}

fn axes(out: &mut String, frame: &Frame, plot: &Plot) {
    let (left, right) = (frame.x(0.0), frame.x(1.0));
    let (bottom, top) = (frame.y(0.0), frame.y(1.0));
    for tick in plot.x.ticks() {
        let x = frame.x(tick.position);
        put!(out, "<path class=\"grid\" d=\"M{x:.1} {bottom:.1}V{top:.1}\"/>");
        let y = bottom + 16.0;
        let label = escaped(&tick.label);
        put!(
            out,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>"
        );
    }
    for tick in plot.y.ticks() {
        let y = frame.y(tick.position);
        put!(out, "<path class=\"grid\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>");
        let (x, y) = (left - 7.0, y + 3.5);
        let label = escaped(&tick.label);
        put!(
            out,
            "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>"
        );
    }
    if plot.has_diagonal {
        put!(out, "<path class=\"diagonal\" d=\"M{left:.1} {bottom:.1}L{right:.1} {top:.1}\"/>");
    }
    if let Some(limit) = limit(&plot.x) {
        let x = frame.x(limit);
        put!(out, "<path class=\"limit\" d=\"M{x:.1} {bottom:.1}V{top:.1}\"/>");
    }
    if let Some(limit) = limit(&plot.y) {
        let y = frame.y(limit);
        put!(out, "<path class=\"limit\" d=\"M{left:.1} {y:.1}H{right:.1}\"/>");
        let (x, y) = (left + 5.0, y - 4.0);
        put!(out, "<text class=\"tick\" x=\"{x:.1}\" y=\"{y:.1}\">limit</text>");
    }
    put!(out, "<path class=\"axis\" d=\"M{left:.1} {top:.1}V{bottom:.1}H{right:.1}\"/>");
    let (x, y) = (f64::midpoint(left, right), frame.height - 8.0);
    let title = escaped(&plot.x.title);
    put!(
        out,
        "<text class=\"label\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{title}</text>"
    );
    let (x, y) = (14.0, f64::midpoint(bottom, top));
    let title = escaped(&plot.y.title);
    put!(
        out,
        "<text class=\"label\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" \
         text-anchor=\"middle\">{title}</text>"
    );
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

fn lines(out: &mut String, frame: &Frame, plot: &Plot, series: &Series) {
    let solid: Vec<(f64, f64)> = series
        .points
        .iter()
        .map(|point| place(frame, plot, point))
        .filter(|&(_, _, is_border)| !is_border)
        .map(|(x, y, _)| (x, y))
        .collect();
    if series.join == Join::Nothing || solid.len() < 2 {
        return;
    }
    let style = series.style % N_STYLES;
    put!(out, "<path class=\"line s{style}\" d=\"");
    for (i, (x, y)) in solid.iter().enumerate() {
        put!(out, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
    }
    out.push_str("\"/>");
}

fn points(out: &mut String, frame: &Frame, plot: &Plot, series: &Series) {
    for point in &series.points {
        let (x, y, is_border) = place(frame, plot, point);
        let class = if is_border { " open" } else { "" };
        let style = series.style % N_STYLES;
        put!(
            out,
            "<path class=\"point s{style}{class}\" d=\"{}\"><title>{}</title></path>",
            shape(series.style, x, y, RADIUS),
            escaped(&point.title)
        );
    }
}

/// The shape of a style around a point. Styles of the same colour have
/// different shapes as long as possible.
fn shape(style: usize, x: f64, y: f64, r: f64) -> String {
    let kind = (style + style / N_STYLES) % N_STYLES;
    let polygon = |corners: &[(f64, f64)]| {
        let mut path = String::new();
        for (i, (dx, dy)) in corners.iter().enumerate() {
            let letter = if i == 0 { 'M' } else { 'L' };
            put!(path, "{letter}{:.1} {:.1}", x + dx * r, y + dy * r);
        }
        path.push('Z');
        path
    };
    match kind {
        0 => format!(
            "M{:.1} {y:.1}a{r:.1} {r:.1} 0 1 0 {d:.1} 0a{r:.1} {r:.1} 0 1 0 -{d:.1} 0Z",
            x - r,
            d = 2.0 * r
        ),
        1 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        2 => polygon(&[(0.0, -1.25), (1.15, 0.85), (-1.15, 0.85)]),
        3 => polygon(&[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)]),
        4 => polygon(&[(0.0, 1.25), (1.15, -0.85), (-1.15, -0.85)]),
        5 => polygon(&[
            (-0.4, -1.2),
            (0.4, -1.2),
            (0.4, -0.4),
            (1.2, -0.4),
            (1.2, 0.4),
            (0.4, 0.4),
            (0.4, 1.2),
            (-0.4, 1.2),
            (-0.4, 0.4),
            (-1.2, 0.4),
            (-1.2, -0.4),
            (-0.4, -0.4),
        ]),
        6 => polygon(&[(-1.25, 0.0), (0.85, -1.15), (0.85, 1.15)]),
        _ => polygon(&[(1.25, 0.0), (-0.85, -1.15), (-0.85, 1.15)]),
    }
}

/// The shape and colour of a style as a small picture, for legends.
#[must_use]
pub fn marker(style: usize) -> String {
    format!(
        "<svg class=\"marker\" viewBox=\"0 0 26 12\" aria-hidden=\"true\"><path class=\"line s{0}\" \
         d=\"M0 6H26\"/><path class=\"point s{0}\" d=\"{1}\"/></svg>",
        style % N_STYLES,
        shape(style, 13.0, 6.0, RADIUS)
    )
}
