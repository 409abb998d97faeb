//! Plots as SVG.
//!
//! A [`Plot`] is two axes and some series of points. Colours are classes,
//! `s0` to `s7`, so that the page around decides about light and dark; every
//! series has a shape of its own as well, so that colours are not needed to tell them apart.
//! Each point says what it is in a title, which browsers show on hovering and
//! screen readers read.

pub mod axis;
mod kinds;
mod svg;

pub use kinds::{cactus, growth, scatter};
pub use svg::marker;

use crate::report::page::Markup;
use axis::Axis;

/// How many colours and shapes there are.
pub const N_STYLES: usize = 8;

/// One plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: String,
    /// The same where its place says the rest.
    pub caption: String,
    /// Whether it has the width of the page.
    pub is_wide: bool,
    /// The same in words, for readers who do not see it.
    pub description: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// Whether there is a line where both coordinates are the same.
    pub has_diagonal: bool,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// What plots and markers look like: a style sheet.
pub const STYLE: &str = svg::STYLE;

/// How the points of a series are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Not at all.
    Nothing,
    /// By lines.
    Lines,
}

/// Points that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// Which colour and shape it has: any number.
    pub style: usize,
    /// How its points are joined.
    pub join: Join,
    /// Its points, in the order in which they are joined.
    pub points: Vec<Point>,
}

/// A point.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Where it is; nothing if it is at the border, because there is no answer.
    pub x: Option<f64>,
    /// Where it is; nothing if it is at the border, because there is no answer.
    pub y: Option<f64>,
    /// What it is.
    pub title: String,
}

impl Plot {
    /// The plot as an element that stands by itself in a page.
    #[must_use]
    pub fn to_svg(&self) -> Markup {
        svg::write(self)
    }
}
