//! A writer that breaks long lines of prose at spaces.
//!
//! What continues a line stands below the text of its last column, as far as columns
//! can be told by gaps of two spaces: a witness of `sat` stays a table.

use lwaa::report::layout::wrapped;
use std::io::{Result, Write};

/// Breaks lines that have more characters than fit.
#[derive(Debug)]
pub(super) struct Wrapping<W> {
    out: W,
    width: usize,
    /// A line that has not ended yet.
    line: Vec<u8>,
}

impl<W: Write> Wrapping<W> {
    pub(super) fn new(out: W, width: usize) -> Self {
        Self { out, width, line: Vec::new() }
    }

    fn write_line(&mut self) -> Result<()> {
        let line = std::mem::take(&mut self.line);
        let Ok(text) = std::str::from_utf8(&line) else { return self.out.write_all(&line) };
        let end = text.trim_end_matches('\n');
        for (number, part) in wrapped(end, 0, hang(end, self.width), self.width).iter().enumerate()
        {
            if 0 < number {
                self.out.write_all(b"\n")?;
            }
            self.out.write_all(part.as_bytes())?;
        }
        self.out.write_all(&line[end.len()..])
    }
}

/// Where the text of the last column begins, if that is in the left half.
fn hang(line: &str, width: usize) -> usize {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let left = &line[..line.floor_char_boundary(width / 2)];
    let column = left.rfind("  ").map_or(0, |gap| left[..gap + 2].chars().count());
    if indent < column { column } else { (indent + 2).min(width / 2) }
}

impl<W: Write> Write for Wrapping<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.write_line()?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut out = Vec::new();
        let mut wrapping = Wrapping::new(&mut out, 20);
        wrapping.write_all(text.as_bytes()).unwrap();
        wrapping.flush().unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn lines_are_continued_below_their_last_column() {
        check("short\n\n", "short\n\n");
        check("  0  alpha, beta, gamma\n", "  0  alpha, beta,\n     gamma\n");
        check("note: one two three four\nx", "note: one two three\n  four\nx");
        check("> ", "> ");
    }

    #[test]
    fn what_has_no_space_is_not_broken() {
        check("abcdefghijklmnopqrstuvwxyz ab\n", "abcdefghijklmnopqrstuvwxyz\n  ab\n");
    }
}
