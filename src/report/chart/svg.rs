//! A sequence chart as a picture.
//!
//! Time goes down; a box is a step of its process, numbered by the state that it leads to. The
//! picture has its own style, so it looks the same wherever it is put, and is legible in black and
//! white.

use super::{Chart, Message, Step};
use crate::printable::on_one_line;
use std::io::{Result, Write};
use unicode_width::UnicodeWidthStr;

const ROW: usize = 34;
const GUTTER: usize = 78;
const HEAD: usize = 62;
const MIN_LANE: usize = 110;
const MAX_LANE: usize = 340;
/// What a character takes, about.
const CHARACTER: usize = 7;

const STYLE: &str = "text{font:12px system-ui,'Segoe UI',Roboto,sans-serif;fill:#1b1f24}\
    .name{font-weight:600}.soft{fill:#57606a}.life{stroke:#d0d7de}.box{fill:#fff;stroke:#0b5cad;stroke-width:1.4}\
    .bad{stroke:#b3261e;stroke-width:2;stroke-dasharray:4 2}.line{stroke:#1b1f24;stroke-width:1.3;fill:none}\
    .message{stroke-dasharray:5 3}.met{fill:#fff;stroke:#1b1f24;stroke-width:1.3}.cycle{fill:#0b5cad}\
    .paper{fill:#fff}.violated{fill:#fdecea}.wrong{font-size:11px;font-weight:700;fill:#b3261e}.told{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:4px}";

/// Where everything stands.
struct Frame {
    lane: usize,
    /// What is left between the boxes of neighbours.
    gap: usize,
    n_lanes: usize,
    n_rows: usize,
}

impl Frame {
    fn of(chart: &Chart) -> Self {
        let labels = chart.steps.iter().map(|step| &step.label);
        let others = chart.steps.iter().flat_map(|step| step.others.iter().map(|other| &other.1));
        let texts = labels.chain(others).map(|text| text.width());
        let widest = texts.chain(chart.lanes.iter().map(|name| name.width())).max().unwrap_or(0);
        let lane = (widest * CHARACTER + 30).clamp(MIN_LANE, MAX_LANE);
        // Between boxes there is room for arrows, where there are any.
        let has_arrows =
            !chart.messages.is_empty() || chart.steps.iter().any(|step| step.partner.is_some());
        let gap = if has_arrows { 44 } else { 18 };
        Self { lane: lane + gap - 18, gap, n_lanes: chart.lanes.len(), n_rows: chart.steps.len() }
    }

    fn width(&self) -> usize {
        (GUTTER + self.lane * self.n_lanes + 20).max(240)
    }

    fn height(&self) -> usize {
        HEAD + ROW * self.n_rows + 30
    }

    fn x(&self, lane: usize) -> usize {
        GUTTER + self.lane * lane + self.lane / 2
    }

    fn half_box(&self) -> usize {
        (self.lane - self.gap) / 2
    }

    /// A text that fits into a number of pixels.
    fn fitted(text: &str, pixels: usize) -> String {
        let most = (pixels / CHARACTER).max(3);
        if text.width() <= most {
            return text.to_owned();
        }
        let cut: String = text.chars().take(most - 1).collect();
        cut + "…"
    }
}

/// Where a step stands.
fn y_of(step: usize) -> usize {
    HEAD + ROW * step + ROW / 2
}

/// Writes the picture.
pub(super) fn write(out: &mut dyn Write, chart: &Chart, title: &str) -> Result<()> {
    let frame = Frame::of(chart);
    let (width, height) = (frame.width(), frame.height());
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">"
    )?;
    writeln!(out, "<title>{}</title><style>{STYLE}</style>", escape(title))?;
    writeln!(out, "<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>")?;
    text(out, "name", (12, 20), "start", &Frame::fitted(title, width - 24))?;
    if let Some(state) = chart.violated {
        draw_violation(out, &frame, state)?;
    }
    for (number, name) in chart.lanes.iter().enumerate() {
        let x = frame.x(number);
        text(out, "name", (x, HEAD - 12), "middle", &Frame::fitted(name, frame.lane - 8))?;
        writeln!(out, "<path class=\"life\" d=\"M{x} {HEAD}V{}\"/>", height - 24)?;
    }
    if let Some(start) = chart.cycle {
        let (top, bottom) = (HEAD + ROW * start, HEAD + ROW * chart.steps.len());
        let tall = bottom - top;
        writeln!(out, "<rect class=\"cycle\" x=\"4\" y=\"{top}\" width=\"5\" height=\"{tall}\"/>")?;
        text(out, "soft", (12, height - 9), "start", "↻ the marked part is repeated for ever")?;
    }
    for message in &chart.messages {
        draw_message(out, &frame, chart, message)?;
    }
    for (number, step) in chart.steps.iter().enumerate() {
        draw_step(out, &frame, chart, number, step)?;
    }
    writeln!(out, "</svg>")
}

/// Marks the state in which the property is violated.
fn draw_violation(out: &mut dyn Write, frame: &Frame, state: usize) -> Result<()> {
    let (top, wide) =
        (state.checked_sub(1).map_or(HEAD - 2, |step| HEAD + ROW * step), frame.width());
    let tall = if state == 0 { 2 } else { ROW };
    writeln!(
        out,
        "<rect class=\"violated\" x=\"0\" y=\"{top}\" width=\"{wide}\" height=\"{tall}\"/>"
    )?;
    let y = if state == 0 { HEAD - 8 } else { top + 12 };
    text(out, "wrong", (12, y), "start", "✗ violated")
}

fn draw_step(
    out: &mut dyn Write,
    frame: &Frame,
    chart: &Chart,
    number: usize,
    step: &Step,
) -> Result<()> {
    let y = y_of(number);
    let closes = number + 1 == chart.steps.len() && chart.cycle.is_some();
    let state = if closes { chart.cycle.unwrap_or(0) } else { number + 1 };
    let label = if closes { format!("↺ {state}") } else { state.to_string() };
    let lower = if chart.violated == Some(number + 1) { 6 } else { 0 };
    text(out, "soft", (14, y + 4 + lower), "start", &label)?;
    let Some(lane) = step.lane else {
        return text(out, "soft", (GUTTER, y + 4), "start", "(no process can move)");
    };
    let (x, half) = (frame.x(lane), frame.half_box());
    if let Some(other) = step.partner.filter(|&other| other != lane).map(|other| frame.x(other)) {
        let room = if step.reply.is_empty() { 7 } else { half + 1 };
        let (from, to) =
            if x < other { (x + half, other - room) } else { (x - half, other + room) };
        writeln!(out, "<path class=\"line\" d=\"M{from} {y}H{to}\"/>")?;
        head(out, (from, y), (to, y))?;
        if step.reply.is_empty() {
            writeln!(out, "<circle class=\"met\" cx=\"{other}\" cy=\"{y}\" r=\"6\"/>")?;
        } else {
            draw_box(out, frame, (other, y), "box", &step.reply)?;
        }
    }
    if !step.others.is_empty() {
        let mut places: Vec<usize> = step.others.iter().map(|other| frame.x(other.0)).collect();
        places.push(x);
        places.sort_unstable();
        for (left, right) in places.iter().zip(&places[1..]) {
            let (from, to) = (left + half, right - half);
            writeln!(out, "<path class=\"line\" d=\"M{from} {y}H{to}\"/>")?;
        }
    }
    for (other, words) in &step.others {
        draw_box(out, frame, (frame.x(*other), y), "box", words)?;
    }
    let class = if step.is_wrong { "box bad" } else { "box" };
    let mark = if step.is_wrong { "✗ " } else { "" };
    draw_box(out, frame, (x, y), class, &format!("{mark}{}", step.label))
}

fn draw_box(
    out: &mut dyn Write,
    frame: &Frame,
    (x, y): (usize, usize),
    class: &str,
    words: &str,
) -> Result<()> {
    let half = frame.half_box();
    let (left, top, wide) = (x - half, y - 12, 2 * half);
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"24\" rx=\"5\">\
         <title>{}</title></rect>",
        escape(words)
    )?;
    text(out, "", (x, y + 4), "middle", &Frame::fitted(words, wide - 10))
}

fn draw_message(
    out: &mut dyn Write,
    frame: &Frame,
    chart: &Chart,
    message: &Message,
) -> Result<()> {
    let Message { sent, received, label } = message;
    let lane = |step| chart.step(step).and_then(|step| step.lane);
    let (Some(sender), Some(receiver)) = (lane(*sent), lane(*received)) else { return Ok(()) };
    // A message that is received in the next round leaves the picture below.
    let is_inside = *received < chart.steps.len();
    let half = frame.half_box();
    let (x1, x2, y1) = (frame.x(sender), frame.x(receiver), y_of(*sent));
    let y2 = if is_inside { y_of(*received) } else { HEAD + ROW * chart.steps.len() };
    let (from, to) = match sender.cmp(&receiver) {
        std::cmp::Ordering::Less => (x1 + half, x2 - half),
        std::cmp::Ordering::Greater => (x1 - half, x2 + half),
        std::cmp::Ordering::Equal => (x1 + half, x2 + half),
    };
    if sender == receiver {
        let bend = from + 24;
        writeln!(
            out,
            "<path class=\"line message\" d=\"M{from} {y1}C{bend} {y1} {bend} {y2} {to} {y2}\"/>"
        )?;
        head(out, (to + 8, y2), (to, y2))?;
    } else {
        writeln!(out, "<path class=\"line message\" d=\"M{from} {y1}L{to} {y2}\"/>")?;
        head(out, (from, y1), (to, y2))?;
    }
    let anchor = if sender <= receiver { "start" } else { "end" };
    let x = if sender <= receiver { from + 6 } else { from - 6 };
    text(out, "told", (x, y1 + 20), anchor, &Frame::fitted(label, frame.lane))
}

/// The head of an arrow between two points.
fn head(out: &mut dyn Write, from: (usize, usize), to: (usize, usize)) -> Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "coordinates are small")]
    let [x1, y1, x2, y2] = [from.0, from.1, to.0, to.1].map(|number| number as f64);
    let (dx, dy) = (x2 - x1, y2 - y1);
    let length = dx.hypot(dy).max(1.0);
    let (ux, uy) = (dx / length, dy / length);
    let (bx, by) = (x2 - 8.0 * ux, y2 - 8.0 * uy);
    writeln!(
        out,
        "<path d=\"M{x2:.1} {y2:.1}L{:.1} {:.1}L{:.1} {:.1}Z\"/>",
        bx - 4.0 * uy,
        by + 4.0 * ux,
        bx + 4.0 * uy,
        by - 4.0 * ux
    )
}

fn text(
    out: &mut dyn Write,
    class: &str,
    (x, y): (usize, usize),
    anchor: &str,
    words: &str,
) -> Result<()> {
    let words = escape(words);
    writeln!(
        out,
        "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>"
    )
}

/// A text as the content of an element.
fn escape(text: &str) -> String {
    on_one_line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
