//! The colours of messages.
//!
//! Messages are written without colours, and are coloured by the shape of their lines when they
//! leave. So no text that comes from an input has to be kept apart from control sequences
//! of ours: what was there before is escaped.

use anstyle::{AnsiColor, Style};
use std::fmt::Write;

const GUTTER: Style = AnsiColor::Blue.on_default().bold();
const KINDS: [(&str, Style); 4] = [
    ("error:", AnsiColor::Red.on_default().bold()),
    ("internal error:", AnsiColor::Red.on_default().bold()),
    ("warning:", AnsiColor::Yellow.on_default().bold()),
    ("note:", AnsiColor::Cyan.on_default().bold()),
];

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
    fn only_sequences_are_added() {
        let text = "error: f:1:3: no\n  |\n1 | a b\n  |   ^\nnote: a | b\nplain\n";
        let painted = painted(text);
        assert_eq!(anstream::adapter::strip_str(&painted).to_string(), text);
        let n_painted = painted.matches("\x1b[0m").count();
        // Two words, three gutters and the caret.
        assert_eq!(n_painted, 6, "{painted:?}");
    }
}
