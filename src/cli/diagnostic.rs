//! Messages that point at a place in a text.
//!
//! Of a long line only the surroundings of the place are shown, so a message
//! is short even if the text is a single line of many megabytes.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use std::io::IsTerminal;
use std::ops::Range;

/// How many characters of a line are shown before a place, and from it on.
const BEFORE: usize = 50;
const BEHIND: usize = 60;
/// How many characters of a message are shown.
const MESSAGE: usize = 300;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    Error,
    Warning,
}

/// A named text in which something is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// A message about `span` of a document, ending with a line break. Coloured if
/// standard error is a terminal.
pub(super) fn render(
    severity: Severity,
    message: &str,
    document: Document<'_>,
    span: Range<usize>,
) -> String {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let place = Place::new(document.text, span);
    // The place is part of the title, because a column within the excerpt,
    // which the renderer would show, is not one of the line.
    let title = place.title(document.name, &shortened(message));
    let snippet = Snippet::source(&place.excerpt)
        .line_start(place.line)
        .annotation(AnnotationKind::Primary.span(place.span.clone()));
    let groups = [level.primary_title(title).element(snippet)];
    let renderer =
        if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut text = renderer.term_width(4 * (BEFORE + BEHIND)).render(&groups);
    text.push('\n');
    text
}

/// A place in a text and what is shown of its line.
#[derive(Debug)]
struct Place {
    /// Counted from 1.
    line: usize,
    /// Counted from 1, in characters.
    column: usize,
    excerpt: String,
    /// The place within the excerpt.
    span: Range<usize>,
}

impl Place {
    fn new(text: &str, span: Range<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let (line, column) = position(text, start);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let line_end = line_start.max(line_end - usize::from(text[..line_end].ends_with('\r')));
        let before = nth_from_end(&text[line_start..start], BEFORE);
        let shown_start = line_start + before;
        let behind = text[start..line_end.max(start)].char_indices().nth(BEHIND);
        let shown_end = behind.map_or(line_end.max(start), |(index, _)| start + index);
        let mut excerpt = String::new();
        if shown_start != line_start {
            excerpt.push('…');
        }
        let offset = excerpt.len();
        excerpt.push_str(&text[shown_start..shown_end]);
        if shown_end < line_end {
            excerpt.push('…');
        }
        let end = text.ceil_char_boundary(span.end.clamp(start, shown_end));
        Self {
            line,
            column,
            excerpt,
            span: start - shown_start + offset..end - shown_start + offset,
        }
    }

    fn title(&self, name: &str, message: &str) -> String {
        format!("{name}:{}:{}: {message}", self.line, self.column)
    }
}

/// The line and the column, in characters, of an offset, both counted from 1.
pub(super) fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// Where the last `count` characters of `text` begin.
fn nth_from_end(text: &str, count: usize) -> usize {
    text.char_indices().rev().take(count).last().map_or(text.len(), |(index, _)| index)
}

fn shortened(message: &str) -> String {
    match message.char_indices().nth(MESSAGE) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, span: Range<usize>, line: usize, column: usize, excerpt: &str, at: &str) {
        let place = Place::new(text, span);
        assert_eq!((place.line, place.column), (line, column));
        assert_eq!(place.excerpt, excerpt);
        assert_eq!(&place.excerpt[place.span], at);
    }

    #[test]
    fn a_place_is_found_by_line_and_column() {
        check("a & b", 4..5, 1, 5, "a & b", "b");
        check("a &\n∧ b\nc", 8..9, 2, 3, "∧ b", "b");
        check("a\r\nb", 0..1, 1, 1, "a", "a");
    }

    #[test]
    fn the_end_of_a_text_is_a_place() {
        check("a &", 3..3, 1, 4, "a &", "");
        check("a &\n", 4..4, 2, 1, "", "");
        check("a\r", 2..2, 1, 3, "a\r", "");
        check("", 0..0, 1, 1, "", "");
    }

    #[test]
    fn a_span_ends_with_its_line() {
        check("a \"b\nc\"", 2..7, 1, 3, "a \"b", "\"b");
    }

    #[test]
    fn long_lines_are_cut_on_both_sides() {
        let text = format!("{}@{}", "∧".repeat(1000), "∨".repeat(1000));
        let excerpt = format!("…{}@{}…", "∧".repeat(BEFORE), "∨".repeat(BEHIND - 1));
        check(&text, 3000..3001, 1, 1001, &excerpt, "@");
    }

    #[test]
    fn long_spans_are_cut() {
        let text = "a".repeat(1000);
        check(&text, 0..1000, 1, 1, &format!("{}…", "a".repeat(BEHIND)), &"a".repeat(BEHIND));
    }
}
