//! Messages that point at a place in a text.
//!
//! Of a long line only the surroundings of the place are shown, so a message
//! is short even if the text is a single line of many megabytes.

use super::failure::{Complaint, Failure, Position};
use super::terminal;
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use lwaa::printable::{escaped, is_unprintable, on_one_line};
use lwaa::report::layout::columns;
use lwaa::scan::position;
use std::ops::Range;

/// How many columns of a line are shown before a place, and from it on, if there is room.
const BEFORE: usize = 50;
const BEHIND: usize = 60;
/// How many columns there are around an excerpt: the bar and two marks for what is left out.
const AROUND: usize = 5;
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

/// An input error at `span` of a document.
pub(super) fn error(message: &str, document: Document<'_>, span: Range<usize>) -> Failure {
    let (line, column) = position(document.text, document.text.floor_char_boundary(span.start));
    let place = Position { file: document.name.to_owned(), line, column };
    let text = render(Severity::Error, message, document, span);
    Failure::Input(Box::new(Complaint { error: message.to_owned(), place: Some(place), text }))
}

/// A message about `span` of a document, ending with a line break.
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
    let place = Place::new(document.text, span, terminal::message_width());
    // The place is part of the title, because a column within the excerpt,
    // which the renderer would show, is not one of the line.
    let title = place.title(&on_one_line(document.name), &escaped(&shortened(message)));
    let snippet = Snippet::source(&place.excerpt)
        .line_start(place.line)
        .annotation(AnnotationKind::Primary.span(place.span.clone()));
    let groups = [level.primary_title(title).element(snippet)];
    let mut text = Renderer::plain().term_width(4 * (BEFORE + BEHIND)).render(&groups);
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
    /// The place of a span in lines of this width, if there is one to be kept.
    fn new(text: &str, span: Range<usize>, width: Option<usize>) -> Self {
        let start = text.floor_char_boundary(span.start);
        let (line, column) = position(text, start);
        let (max_before, max_behind) = room(line, width);
        let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
        let line_end = line_start.max(line_end - usize::from(text[..line_end].ends_with('\r')));
        let line_end = line_end.max(start);
        let n_before = fitting(text[line_start..start].chars().rev(), max_before);
        let n_behind = fitting(text[start..line_end].chars(), max_behind);
        let (shown_start, shown_end) = (start - n_before, start + n_behind);
        let end = text.ceil_char_boundary(span.end.clamp(start, shown_end));
        let mut excerpt = String::new();
        if shown_start != line_start {
            excerpt.push('…');
        }
        excerpt.push_str(&escaped(&text[shown_start..start]));
        let span_start = excerpt.len();
        excerpt.push_str(&escaped(&text[start..end]));
        let span = span_start..excerpt.len();
        excerpt.push_str(&escaped(&text[end..shown_end]));
        if shown_end < line_end {
            excerpt.push('…');
        }
        Self { line, column, excerpt, span }
    }

    fn title(&self, name: &str, message: &str) -> String {
        format!("{name}:{}:{}: {message}", self.line, self.column)
    }
}

/// How many columns of a line are shown before a place, and from it on.
fn room(line: usize, width: Option<usize>) -> (usize, usize) {
    let Some(width) = width else { return (BEFORE, BEHIND) };
    let left = width.saturating_sub(line.to_string().len() + AROUND);
    let before = BEFORE.min(left / 2);
    (before, BEHIND.min(left - before))
}

/// How many bytes the characters have that fit into so many columns.
fn fitting(characters: impl Iterator<Item = char>, max_columns: usize) -> usize {
    let (mut n_bytes, mut n_columns) = (0, 0);
    for character in characters {
        let mut buffer = [0; 4];
        let text: &str = character.encode_utf8(&mut buffer);
        n_columns += match character {
            // The renderer writes four spaces.
            '\t' => 4,
            _ if is_unprintable(character) => escaped(text).len(),
            _ => columns(text),
        };
        if max_columns < n_columns {
            break;
        }
        n_bytes += character.len_utf8();
    }
    n_bytes
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
        let place = Place::new(text, span, None);
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
        check("a\r", 2..2, 1, 3, "a\\x0d", "");
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
    fn excerpts_are_printable_and_fit_the_width() {
        check("a \x1b[2J @ \u{202e}", 7..8, 1, 8, "a \\x1b[2J @ \\u{202e}", "@");
        let text = format!("{}@{}", "\x1b".repeat(100), "界".repeat(100));
        let place = Place::new(&text, 100..101, Some(60));
        assert!(columns(&place.excerpt) <= 60 - AROUND + 2, "{place:?}");
        assert_eq!(&place.excerpt[place.span], "@");
    }

    #[test]
    fn long_spans_are_cut() {
        let text = "a".repeat(1000);
        check(&text, 0..1000, 1, 1, &format!("{}…", "a".repeat(BEHIND)), &"a".repeat(BEHIND));
    }
}
