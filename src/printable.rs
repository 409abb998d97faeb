//! Characters that must not reach a terminal as they are, and what is shown instead.
//!
//! Names, atoms, file names and printed text come from inputs and may contain anything: escape
//! sequences that recolour or erase what was printed before, or characters that reverse the order
//! of the text around them. They are shown as `\x1b` or `\u{202e}`, the way quoted atoms
//! of formulas are also read ([`crate::ltl::parse`]).

use std::borrow::Cow;
use std::fmt::{self, Write};

/// Whether a character is never written as it is, not even to a pipe: every control character
/// but line break and tab, and characters that are invisible or reorder the text around
/// them. Joiners (U+200C, U+200D) stay, since words of some scripts need them.
///
/// ```
/// use lwaa::printable::is_unprintable;
/// assert!(['\x1b', '\r', '\u{9b}', '\u{202e}'].into_iter().all(is_unprintable));
/// assert!(!['a', 'é', '∧', '\n', '\t'].into_iter().any(is_unprintable));
/// ```
#[must_use]
pub fn is_unprintable(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        other => other.is_control(),
    }
}

/// Writes the escape sequence of a character.
///
/// # Errors
///
/// If `out` takes no more.
pub fn write_escape(out: &mut dyn Write, character: char) -> fmt::Result {
    match u32::from(character) {
        code @ 0..=0xff => write!(out, "\\x{code:02x}"),
        code => write!(out, "\\u{{{code:x}}}"),
    }
}

/// A text with escape sequences for everything in it that is unprintable.
///
/// ```
/// use lwaa::printable::escaped;
/// assert_eq!(escaped("grant"), "grant");
/// assert_eq!(escaped("\x1b[31mgrant"), "\\x1b[31mgrant");
/// ```
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unprintable(character) {
            // A string takes any text, so there is no error to report.
            let _ = write_escape(&mut shown, character);
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The same on one line: line breaks and tabs are escaped, too.
///
/// ```
/// use lwaa::printable::on_one_line;
/// assert_eq!(on_one_line("a\nb"), "a\\x0ab");
/// ```
#[must_use]
pub fn on_one_line(text: &str) -> Cow<'_, str> {
    match escaped(text) {
        shown if !shown.contains(['\n', '\t']) => shown,
        shown => Cow::Owned(shown.replace('\n', "\\x0a").replace('\t', "\\x09")),
    }
}

/// Reads an escape sequence at the beginning of a text: the character and how many bytes its
/// sequence has.
#[must_use]
pub fn read_escape(text: &str) -> Option<(char, usize)> {
    let (digits, n_bytes) = if let Some(rest) = text.strip_prefix("\\x") {
        (rest.get(..2)?, "\\x00".len())
    } else {
        let rest = text.strip_prefix("\\u{")?;
        let end = rest.bytes().take(7).position(|byte| byte == b'}')?;
        (&rest[..end], "\\u{}".len() + end)
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_number)?;
    Some((char::from_u32(code)?, n_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_sequence_is_read_back() {
        for character in ('\0'..=char::MAX).filter(|&c| is_unprintable(c) || c < '\x20') {
            let mut text = String::new();
            write_escape(&mut text, character).unwrap();
            assert_eq!(read_escape(&text), Some((character, text.len())));
            assert!(!text.contains(is_unprintable), "{text}");
        }
    }

    #[test]
    fn other_backslashes_are_no_escape_sequences() {
        for text in
            ["", "\\", "\\x", "\\x1", "\\xg0", "\\x+1", "\\u{}", "\\u{d800}", "\\u{1234567}", "\\n"]
        {
            assert_eq!(read_escape(text), None, "{text}");
        }
    }
}
