//! What leaves the program is printable: a writer that escapes everything else.
//!
//! Nothing that comes from an input reaches a terminal as a control sequence, whichever command
//! prints it. It is the same for pipes, since a pipe often ends at a terminal.

use lwaa::printable::{is_unprintable, write_escape};
use std::fmt::Write as _;
use std::io::{Result, Write};

/// What escape sequences look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `\x1b`, for people.
    Text,
    /// `\u001b`: unprintable characters stand in strings of JSON only, and mean the same there.
    Json,
}

/// Escapes what is written to it.
#[derive(Debug)]
pub(super) struct Escaping<W> {
    out: W,
    style: Style,
    /// The beginning of a character whose other bytes have not been written yet.
    begun: Vec<u8>,
}

impl<W: Write> Escaping<W> {
    pub(super) fn new(out: W, style: Style) -> Self {
        Self { out, style, begun: Vec::new() }
    }

    fn write_chunks(&mut self, bytes: &[u8]) -> Result<()> {
        for chunk in bytes.utf8_chunks() {
            let mut plain = chunk.valid();
            while let Some(at) = plain.find(is_unprintable) {
                self.out.write_all(&plain.as_bytes()[..at])?;
                let mut rest = plain[at..].chars();
                if let Some(character) = rest.next() {
                    self.out.write_all(self.style.sequence(character).as_bytes())?;
                }
                plain = rest.as_str();
            }
            self.out.write_all(plain.as_bytes())?;
            for &byte in chunk.invalid() {
                self.out.write_all(self.style.sequence(char::from(byte)).as_bytes())?;
            }
        }
        Ok(())
    }
}

impl Style {
    fn sequence(self, character: char) -> String {
        let mut text = String::new();
        // A string takes any text, so there is no error to report.
        let _ = match self {
            Self::Text => write_escape(&mut text, character),
            Self::Json => {
                let mut units = [0; 2];
                let mut units = character.encode_utf16(&mut units).iter();
                units.try_for_each(|unit| write!(text, "\\u{unit:04x}"))
            }
        };
        text
    }
}

/// How many bytes at the end of `bytes` may be the beginning of a character.
fn n_begun(bytes: &[u8]) -> usize {
    let end = &bytes[bytes.len().saturating_sub(3)..];
    let rest = end.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    match std::str::from_utf8(rest) {
        Err(error) if error.error_len().is_none() => rest.len(),
        _ => 0,
    }
}

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut joined = std::mem::take(&mut self.begun);
        let all = if joined.is_empty() {
            bytes
        } else {
            joined.extend_from_slice(bytes);
            &joined
        };
        let (whole, begun) = all.split_at(all.len() - n_begun(all));
        self.begun = begun.to_vec();
        self.write_chunks(whole)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        let begun = std::mem::take(&mut self.begun);
        self.write_chunks(&begun)?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pieces: &[&[u8]], style: Style) -> String {
        let mut out = Vec::new();
        let mut escaping = Escaping::new(&mut out, style);
        for piece in pieces {
            escaping.write_all(piece).unwrap();
        }
        escaping.flush().unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn control_characters_are_escaped_and_text_is_not() {
        let text = "é\t∧\n\x1b[31m\r\u{9b}\u{202e}".as_bytes();
        assert_eq!(written(&[text], Style::Text), "é\t∧\n\\x1b[31m\\x0d\\x9b\\u{202e}");
        assert_eq!(written(&[text], Style::Json), "é\t∧\n\\u001b[31m\\u000d\\u009b\\u202e");
        assert_eq!(written(&["\u{e0041}".as_bytes()], Style::Json), "\\udb40\\udc41");
        assert_eq!(written(&[b"a\xffb\x9b"], Style::Text), "a\\xffb\\x9b");
    }

    #[test]
    fn it_does_not_matter_where_writes_end() {
        let text = "a∧\u{202e}é\u{1f600}\u{9b}\n".as_bytes();
        let whole = written(&[text], Style::Text);
        let bytes: Vec<&[u8]> = text.chunks(1).collect();
        assert_eq!(written(&bytes, Style::Text), whole);
        let pairs: Vec<&[u8]> = text.chunks(2).collect();
        assert_eq!(written(&pairs, Style::Text), whole);
    }
}
