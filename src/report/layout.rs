//! Text in lines that are not longer than they may be.

use std::io::{Result, Write};
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};
use unicode_width::UnicodeWidthStr;

/// Nothing is made to fit into less than this.
pub const LEAST_WIDTH: usize = 40;

/// How many columns of a terminal a text takes.
#[must_use]
pub fn columns(text: &str) -> usize {
    text.width()
}

/// A text in lines of at most `width` columns, as far as it has spaces to break it at. The first
/// line stands behind `start` columns of something else; the others begin with `indent` spaces.
///
/// ```
/// use lwaa::report::layout::wrapped;
/// assert_eq!(wrapped("G (request -> F grant)", 0, 2, 14), ["G (request ->", "  F grant)"]);
/// ```
#[must_use]
pub fn wrapped(text: &str, start: usize, indent: usize, width: usize) -> Vec<String> {
    // By far the most frequent case. A text has at least as many bytes as columns.
    if text.is_empty() || start + text.len() <= width {
        return vec![text.to_owned()];
    }
    let first_word = text.find(' ').map_or(text, |end| &text[..end]);
    if indent < start && width < start + columns(first_word) {
        let mut lines = vec![String::new()];
        lines.extend(wrapped(text, indent, indent, width));
        lines[1].insert_str(0, &" ".repeat(indent));
        return lines;
    }
    let (before, behind) = (" ".repeat(start), " ".repeat(indent));
    let options = Options::new(width)
        .initial_indent(&before)
        .subsequent_indent(&behind)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let mut lines: Vec<String> =
        textwrap::wrap(text, options).into_iter().map(std::borrow::Cow::into_owned).collect();
    if let Some(first) = lines.first_mut() {
        drop(first.drain(..start.min(first.len())));
    }
    lines
}

/// Writes cells in columns. The first `n_left` columns begin on the left, the others end on the
/// right.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write_table(out: &mut dyn Write, rows: &[Vec<String>], n_left: usize) -> Result<()> {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..n_columns).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < n_left { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_room_for_what_stands_before_them() {
        assert_eq!(wrapped("one two three", 6, 2, 13), ["one two", "  three"]);
        assert_eq!(wrapped("onetwothree four", 6, 2, 13), ["", "  onetwothree", "  four"]);
        assert_eq!(wrapped("  one two", 0, 4, 8), ["  one", "    two"]);
        assert_eq!(wrapped("", 4, 0, 2), [""]);
    }
}
