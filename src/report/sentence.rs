//! Sentences in which names and parts of formulas are told apart from words.
//!
//! Where a name begins and ends is marked by characters that no printable text has, so names may
//! contain whatever sets them off in print, such as backquotes.

use crate::printable::on_one_line;
use std::fmt::{self, Display, Formatter};

const BEGIN: char = '\u{2}';
const END: char = '\u{3}';
/// How many characters of a name are shown.
const MAX_NAME: usize = 200;

/// A name or a part of a formula, marked for a [`Sentence`].
#[must_use]
pub fn code(text: &str) -> String {
    format!("{BEGIN}{}{END}", cut(text))
}

/// A text on one line; the end of a very long one is left out.
#[must_use]
pub fn cut(text: &str) -> String {
    let text = on_one_line(text);
    match text.char_indices().nth(MAX_NAME) {
        None => text.into_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A sentence. As text it has names in backquotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sentence(String);

impl Sentence {
    /// This sentence and another one.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        Self(format!("{} {}", self.0, other.0))
    }

    /// Its parts, and whether each of them is a name.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, bool)> {
        let words = self.0.split(BEGIN).enumerate().flat_map(|(number, part)| {
            let (name, words) = part.split_once(END).filter(|_| 0 < number).unwrap_or(("", part));
            [(name, true), (words, false)]
        });
        words.filter(|(text, _)| !text.is_empty())
    }
}

impl From<String> for Sentence {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Sentence {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl Display for Sentence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.pieces().try_for_each(|(text, is_name)| {
            let quote = if is_name { "`" } else { "" };
            write!(f, "{quote}{text}{quote}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_have_backquotes() {
        let sentence = Sentence::from(format!("{} is {}.", code("a`b"), code("c\u{2}")));
        let pieces: Vec<_> = sentence.pieces().collect();
        let expected = [("a`b", true), (" is ", false), ("c\\x02", true), (".", false)];
        assert_eq!(pieces, expected);
        assert_eq!(sentence.to_string(), "`a`b` is `c\\x02`.");
    }

    #[test]
    fn long_names_are_cut() {
        let sentence = Sentence::from(code(&"n".repeat(10_000)));
        assert_eq!(sentence.to_string(), format!("`{}…`", "n".repeat(200)));
    }
}
