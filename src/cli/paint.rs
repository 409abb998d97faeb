//! The colours of messages and results.
//!
//! They are written without colours, and are coloured by the shape of their lines when they
//! leave. So no text that comes from an input has to be kept apart from control sequences
//! of ours: what was there before is escaped.

use anstyle::{AnsiColor, Style};
use std::fmt::Write;
use std::io;
use std::ops::Range;

const GUTTER: Style = AnsiColor::Blue.on_default().bold();
const KINDS: [(&str, Style); 4] = [
    ("error:", AnsiColor::Red.on_default().bold()),
    ("internal error:", AnsiColor::Red.on_default().bold()),
    ("warning:", AnsiColor::Yellow.on_default().bold()),
    ("note:", AnsiColor::Cyan.on_default().bold()),
];

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const OPEN: Style = AnsiColor::Yellow.on_default().bold();
const TITLE: Style = Style::new().bold();
const SOFT: Style = Style::new().dimmed();

/// Verdicts, as the first lines of answers have them, alone or behind the name of a property.
const VERDICTS: [(&str, Style); 13] = [
    ("holds", GOOD),
    ("a run exists", GOOD),
    ("satisfiable", GOOD),
    ("valid", GOOD),
    ("consistent", GOOD),
    ("violated", BAD),
    ("no run exists", BAD),
    ("model error", BAD),
    ("unsatisfiable", BAD),
    ("not valid", BAD),
    ("inconsistent", BAD),
    ("unknown", OPEN),
    ("no violation found", OPEN),
];
/// How lines begin that are above the states of a run.
const TITLES: [&str; 4] = ["prefix: ", "cycle: ", "trace: ", "run for "];
/// How remarks about runs begin, behind spaces.
const REMARKS: [(&str, Style); 4] =
    [("(a deadlock: ", BAD), ("(state ", SOFT), ("(the end: ", SOFT), ("pending: ", SOFT)];

/// A writer that colours the lines of results, if there are colours.
#[derive(Debug)]
pub(super) struct Painting<W> {
    out: W,
    has_colors: bool,
    /// A line that has not ended yet.
    line: Vec<u8>,
}

impl<W: io::Write> Painting<W> {
    pub(super) fn new(out: W, has_colors: bool) -> Self {
        Self { out, has_colors, line: Vec::new() }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        match std::str::from_utf8(&line) {
            Ok(text) => self.out.write_all(result(text).as_bytes()),
            Err(_) => self.out.write_all(&line),
        }
    }
}

impl<W: io::Write> io::Write for Painting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.has_colors {
            return self.out.write(bytes);
        }
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line()?;
        self.out.flush()
    }
}

/// A line of a result with its verdict, its title or its remark coloured.
fn result(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let text = line.trim_end_matches('\n');
    let painted = verdict(text).or_else(|| title(text)).or_else(|| remark(text));
    match painted {
        Some((range, style)) => {
            out.push_str(&line[..range.start]);
            paint(&mut out, style, &line[range.clone()]);
            out.push_str(&line[range.end..]);
        }
        None => out.push_str(line),
    }
    out
}

fn verdict(text: &str) -> Option<(Range<usize>, Style)> {
    let is_begin = |at: usize| at == 0 || text[..at].ends_with(": ");
    let is_end = |at: usize| at == text.len() || text[at..].starts_with(": ");
    if text.starts_with(' ') {
        return None;
    }
    let ranges = VERDICTS.iter().flat_map(|&(word, style)| {
        text.match_indices(word).map(move |(at, _)| (at..at + word.len(), style))
    });
    let verdicts = ranges.filter(|(range, _)| is_begin(range.start) && is_end(range.end));
    // What stands behind a verdict is its reason.
    verdicts.min_by_key(|(range, _)| range.start)
}

fn title(text: &str) -> Option<(Range<usize>, Style)> {
    TITLES.iter().any(|title| text.starts_with(title)).then_some((0..text.len(), TITLE))
}

fn remark(text: &str) -> Option<(Range<usize>, Style)> {
    let start = text.len() - text.trim_start_matches(' ').len();
    let (_, style) =
        REMARKS.iter().find(|(begin, _)| 0 < start && text[start..].starts_with(begin))?;
    Some((start..text.len(), *style))
}

/// The text with the words that begin messages, the gutter of excerpts and the carets coloured.
pub(super) fn painted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut caret = KINDS[0].1;
    for line in text.split_inclusive('\n') {
        if let Some((word, style)) = KINDS.iter().find(|(word, _)| line.starts_with(word)) {
            caret = *style;
            paint(&mut out, *style, word);
            out.push_str(&line[word.len()..]);
        } else if let Some(bar) = gutter(line) {
            paint(&mut out, GUTTER, &line[..bar]);
            let marks = line[bar..].trim();
            if !marks.is_empty() && marks.bytes().all(|byte| byte == b'^') {
                let start = bar + line[bar..].find('^').unwrap_or(0);
                out.push_str(&line[bar..start]);
                paint(&mut out, caret, marks);
                out.push_str(&line[start + marks.len()..]);
            } else {
                out.push_str(&line[bar..]);
            }
        } else {
            out.push_str(line);
        }
    }
    out
}

/// Where the gutter of an excerpt ends, `12 |`, if the line has one.
fn gutter(line: &str) -> Option<usize> {
    let bar = line.find('|')?;
    let before = line[..bar].trim();
    let is_gutter = line[..bar].ends_with(' ') && before.bytes().all(|byte| byte.is_ascii_digit());
    is_gutter.then_some(bar + 1)
}

fn paint(out: &mut String, style: Style, text: &str) {
    // A string takes any text, so there is no error to report.
    let _ = write!(out, "{style}{text}{style:#}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_titles_and_remarks_are_coloured() {
        #[track_caller]
        fn check(line: &str, painted: Option<&str>) {
            let text = result(line);
            assert_eq!(anstream::adapter::strip_str(&text).to_string(), line);
            match painted {
                Some(words) => assert!(text.contains(&format!("m{words}\x1b[0m")), "{text:?}"),
                None => assert_eq!(text, line),
            }
        }
        check("holds\n", Some("holds"));
        check("mutex: violated\n", Some("violated"));
        check("unknown: time limit\n", Some("unknown"));
        check("mutex: model error: unknown", Some("model error"));
        check("invalid\n", None);
        check("cycle: 1 state, repeated for ever\n", Some("cycle: 1 state, repeated for ever"));
        check("     (state 2 again)", Some("(state 2 again)"));
        check("  0  (initial state)  x = 1\n", None);
    }

    #[test]
    fn only_sequences_are_added() {
        let text = "error: f:1:3: no\n  |\n1 | a b\n  |   ^\nnote: a | b\nplain\n";
        let painted = painted(text);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), text);
        let n_painted = painted.matches("\x1b[0m").count();
        // Two words, three gutters and the caret.
        assert_eq!(n_painted, 6, "{painted:?}");
    }
}
