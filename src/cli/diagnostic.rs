//! Messages that point at a place in a text.
//!
//! Of a long line only the surroundings of the place are shown, so a message
//! is short even if the text is a single line of many megabytes.

use super::failure::{Complaint, Failure};
use super::terminal;
pub(super) use annotate_snippets::Level;
use annotate_snippets::{AnnotationKind, Renderer, Snippet};
use lwaa::printable::{escaped, is_unprintable, on_one_line};
use lwaa::report::layout::columns;
use lwaa::report::model;
use lwaa::scan::position;
use std::ops::Range;

/// How many columns of a line are shown before a place, and from it on, if there is room.
const BEFORE: usize = 50;
const BEHIND: usize = 60;
/// How many columns there are around an excerpt: the bar and two marks for what is left out.
const AROUND: usize = 5;
/// How many characters of a message are shown.
const MESSAGE: usize = 300;

/// A named text in which something is found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Document<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

/// An input error at `span` of a document.
pub(super) fn error(message: &str, document: Document<'_>, span: Range<usize>) -> Failure {
    let (line, column) = position(document.text, document.text.floor_char_boundary(span.start));
    let place = model::Place { file: document.name.to_owned(), line, column };
    let text = render(Level::ERROR, message, document, span);
    Failure::Input(Box::new(Complaint { error: message.to_owned(), place: Some(place), text }))
}

/// A message about `span` of a document, ending with a line break.
pub(super) fn render(
    level: Level<'static>,
    message: &str,
    document: Document<'_>,
    span: Range<usize>,
) -> String {
    let excerpt = Excerpt::new(document.text, span, terminal::message_width());
    // The place is part of the title, because a column within the excerpt,
    // which the renderer would show, is not one of the line.
    let (name, message) = (on_one_line(document.name), shortened(message));
    let title = format!("{name}:{}:{}: {}", excerpt.line, excerpt.column, escaped(&message));
    let snippet = Snippet::source(&excerpt.text)
        .line_start(excerpt.line)
        .annotation(AnnotationKind::Primary.span(excerpt.span.clone()));
    let groups = [level.primary_title(title).element(snippet)];
    let mut text = Renderer::plain().term_width(4 * (BEFORE + BEHIND)).render(&groups);
    text.push('\n');
    text
}

/// What is shown of a line that has a place in it.
#[derive(Debug)]
struct Excerpt {
    /// Counted from 1.
    line: usize,
    /// Counted from 1, in characters.
    column: usize,
    text: String,
    /// The place within the text.
    span: Range<usize>,
}

impl Excerpt {
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
        let left_out = |is_cut: bool| if is_cut { "…" } else { "" };
        let before =
            [left_out(shown_start != line_start), &escaped(&text[shown_start..start])].concat();
        let inside = escaped(&text[start..end]);
        let behind = [&escaped(&text[end..shown_end]), left_out(shown_end < line_end)].concat();
        let span = before.len()..before.len() + inside.len();
        Self { line, column, text: [&before, &*inside, &behind].concat(), span }
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
    fn check(all: &str, span: Range<usize>, line: usize, column: usize, text: &str, at: &str) {
        let excerpt = Excerpt::new(all, span, None);
        assert_eq!((excerpt.line, excerpt.column), (line, column));
        assert_eq!(excerpt.text, text);
        assert_eq!(&excerpt.text[excerpt.span], at);
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
        let excerpt = Excerpt::new(&text, 100..101, Some(60));
        assert!(columns(&excerpt.text) <= 60 - AROUND + 2, "{excerpt:?}");
        assert_eq!(&excerpt.text[excerpt.span], "@");
    }

    #[test]
    fn long_spans_are_cut() {
        let text = "a".repeat(1000);
        check(&text, 0..1000, 1, 1, &format!("{}…", "a".repeat(BEHIND)), &"a".repeat(BEHIND));
    }
}
