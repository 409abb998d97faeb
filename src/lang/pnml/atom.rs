//! The atoms of formulas about nets.
//!
//! ```text
//! atom  = "fireable" "(" names ")"  |  sum comparison sum  |  name
//! sum   = term { "+" term }
//! term  = number [ "*" count ]  |  count
//! count = name  |  "tokens" "(" names ")"
//! names = id { "," id }
//! ```
//!
//! `fireable(t, u)` says that one of these transitions can fire, `p + 2 * q <= 5` compares numbers
//! of tokens, `tokens(p, q)` is their sum, and `p` alone says that the place has a token. An id
//! that is no word of letters, digits and `_` stands in double quotes inside of the parentheses.

use crate::lang::SourceError;
use crate::lang::cursor::{Name, Result, fail};
use crate::lang::program::BinaryOperator;
use crate::scan::{Span, escaped_quote, unescaped};

const FIREABLE: &str = "fireable";
const TOKENS: &str = "tokens";

/// The greatest number in an atom.
const MOST: i64 = (1 << 32) - 1;

/// What an atom says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Atom {
    /// One of these transitions can fire.
    Fireable(Vec<Name>),
    /// The left sum and the right one compare like this.
    Compare(Sum, BinaryOperator, Sum),
    /// The place has a token.
    Marked(Name),
}

/// A number and multiples of tokens in places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) constant: i64,
    pub(super) counts: Vec<(i64, Name)>,
}

/// Reads an atom that is all of a text.
pub(super) fn parse(text: &str) -> Result<Atom> {
    let mut reader = Reader { text, at: 0 };
    let atom = reader.atom()?;
    reader.skip_blanks();
    if reader.at < text.len() {
        return Err(reader.expected("an operator or the end"));
    }
    Ok(atom)
}

/// How many bytes at the beginning of a text are an atom that is more than a word.
pub(super) fn length(text: &str) -> Option<usize> {
    let mut reader = Reader { text, at: 0 };
    match reader.atom() {
        Err(_) => None,
        // A word alone may be an operator.
        Ok(Atom::Marked(_)) => text[..reader.at].ends_with(')').then_some(reader.at),
        Ok(Atom::Fireable(_) | Atom::Compare(..)) => Some(reader.at),
    }
}

/// The text of the atom that one of these transitions can fire.
pub(super) fn fireable<'a>(names: impl Iterator<Item = &'a str>) -> String {
    call(FIREABLE, names)
}

/// The text of the number of tokens in these places.
pub(super) fn tokens<'a>(names: impl Iterator<Item = &'a str> + Clone) -> String {
    if names.clone().all(is_plain) {
        let names: Vec<&str> = names.collect();
        return names.join(" + ");
    }
    call(TOKENS, names)
}

fn call<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(quoted).collect();
    format!("{word}({})", names.join(", "))
}

/// An id as it stands in parentheses.
fn quoted(name: &str) -> String {
    if is_plain(name) {
        return name.to_owned();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Whether an id can stand in a sum as it is.
fn is_plain(name: &str) -> bool {
    let begins = |first: char| first.is_ascii_alphabetic() || first == '_';
    name.starts_with(begins) && name.chars().all(is_part) && name != TOKENS && name != FIREABLE
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn expected(&self, what: &str) -> SourceError {
        let rest = &self.text[self.at..];
        let word = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let n_bytes = word.max(rest.chars().next().map_or(0, char::len_utf8));
        let found = match &rest[..n_bytes] {
            "" => "the end".to_owned(),
            found => format!("`{found}`"),
        };
        let span = Span::new(self.at, self.at + n_bytes);
        SourceError::new(span, format!("expected {what}, found {found}"))
    }

    /// Whether a sign is next; it is then behind us.
    fn take(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..].starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    /// The word that is next; nothing if there is none.
    fn word(&mut self) -> Option<Name> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let n_bytes = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let span = Span::new(self.at, self.at + n_bytes);
        self.at = span.end;
        (0 < n_bytes).then(|| Name { text: rest[..n_bytes].to_owned(), span })
    }

    /// A word or an id in quotation marks.
    fn id(&mut self, what: &str) -> Result<Name> {
        self.skip_blanks();
        let start = self.at;
        if !self.take("\"") {
            return self.word().ok_or_else(|| self.expected(what));
        }
        let mut is_escaped = false;
        let inside = &self.text[self.at..];
        let end = inside.bytes().position(|byte| {
            let is_end = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            is_end
        });
        let Some(end) = end else {
            return fail(Span::new(start, start + 1), "this is never closed");
        };
        self.at += end + 1;
        let text = unescaped(&inside[..end], escaped_quote).into_owned();
        Ok(Name { text, span: Span::new(start, self.at) })
    }

    /// Names in parentheses, the first of which is next.
    fn names(&mut self, what: &str) -> Result<Vec<Name>> {
        let mut names = Vec::new();
        loop {
            names.push(self.id(what)?);
            if self.take(")") {
                return Ok(names);
            }
            if !self.take(",") {
                return Err(self.expected("`,` or `)`"));
            }
        }
    }

    /// Whether `word` and a parenthesis are next; they are then behind us.
    fn call(&mut self, word: &str) -> bool {
        let start = self.at;
        let is_call = self.word().is_some_and(|name| name.text == word) && self.take("(");
        self.at = if is_call { self.at } else { start };
        is_call
    }

    fn atom(&mut self) -> Result<Atom> {
        if self.call(FIREABLE) {
            return self.names("a transition").map(Atom::Fireable);
        }
        let left = self.sum()?;
        let end = self.at;
        let Some((operator, is_swapped)) = self.comparison() else {
            self.at = end;
            if let (0, Ok([(1, name)])) = (left.constant, <[_; 1]>::try_from(left.counts)) {
                return Ok(Atom::Marked(name));
            }
            self.skip_blanks();
            return Err(self.expected("a comparison"));
        };
        let right = self.sum()?;
        let (left, right) = if is_swapped { (right, left) } else { (left, right) };
        Ok(Atom::Compare(left, operator, right))
    }

    /// The comparison that is next, and whether its sides are to be exchanged.
    fn comparison(&mut self) -> Option<(BinaryOperator, bool)> {
        const SIGNS: [(&str, BinaryOperator, bool); 6] = [
            ("==", BinaryOperator::Equal, false),
            ("!=", BinaryOperator::NotEqual, false),
            ("<=", BinaryOperator::LessEqual, false),
            (">=", BinaryOperator::LessEqual, true),
            ("<", BinaryOperator::Less, false),
            (">", BinaryOperator::Less, true),
        ];
        self.skip_blanks();
        let rest = &self.text[self.at..];
        // These are connectives of formulas.
        if ["<->", "<=>", "<>"].iter().any(|connective| rest.starts_with(connective)) {
            return None;
        }
        let &(_, operator, is_swapped) = SIGNS.iter().find(|(sign, ..)| self.take(sign))?;
        Some((operator, is_swapped))
    }

    fn sum(&mut self) -> Result<Sum> {
        let mut sum = Sum::default();
        self.term(&mut sum)?;
        loop {
            let end = self.at;
            if !self.take("+") {
                self.at = end;
                return Ok(sum);
            }
            self.term(&mut sum)?;
        }
    }

    fn term(&mut self, sum: &mut Sum) -> Result<()> {
        self.skip_blanks();
        let start = self.at;
        let Some(word) = self.word() else {
            return Err(self.expected("a number or a place"));
        };
        if !word.text.starts_with(|first: char| first.is_ascii_digit()) {
            self.at = start;
            return self.count(1, sum);
        }
        let number = word.text.parse().ok().filter(|&number: &i64| number <= MOST);
        let Some(number) = number else {
            return Err(word.error(format!("is no number up to {MOST}")));
        };
        let end = self.at;
        if self.take("*") {
            return self.count(number, sum);
        }
        self.at = end;
        sum.constant = sum.constant.saturating_add(number);
        Ok(())
    }

    /// A place, or the sum of several.
    fn count(&mut self, factor: i64, sum: &mut Sum) -> Result<()> {
        let names = if self.call(TOKENS) {
            self.names("a place")?
        } else {
            vec![self.word().ok_or_else(|| self.expected("a place"))?]
        };
        sum.counts.extend(names.into_iter().map(|name| (factor, name)));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_end_where_formulas_go_on() {
        for (text, expected) in [
            ("p >= 2 & q", Some("p >= 2")),
            ("p <-> q", None),
            ("p -> q >= 2", None),
            ("2 * p + q <= 3 + r U s", Some("2 * p + q <= 3 + r")),
            ("G (p >= 1)", None),
            ("fireable(t, \"u 1\") U x", Some("fireable(t, \"u 1\")")),
            ("tokens(\"p)\\\"\", q) > 1", Some("tokens(\"p)\\\"\", q) > 1")),
            ("1 U 2", None),
            ("tokens(F) U p", Some("tokens(F)")),
            ("p >=", None),
        ] {
            assert_eq!(length(text).map(|end| &text[..end]), expected, "{text}");
        }
    }

    #[test]
    fn texts_are_read_back() {
        let names = ["p", "q.1", "a\"b\\"];
        let Ok(Atom::Fireable(read)) = parse(&fireable(names.into_iter())) else { panic!() };
        assert!(read.iter().map(|name| name.text.as_str()).eq(names));
        let text = format!("{} <= 3", tokens(names.into_iter()));
        let Ok(Atom::Compare(sum, BinaryOperator::LessEqual, _)) = parse(&text) else { panic!() };
        assert!(sum.counts.iter().map(|(_, name)| name.text.as_str()).eq(names));
    }

    #[test]
    fn what_is_no_atom() {
        for (text, start, message) in [
            ("fireable(t", 10, "expected `,` or `)`, found the end"),
            ("p + 2", 5, "expected a comparison, found the end"),
            ("p == ", 5, "expected a number or a place, found the end"),
            ("tokens(\"p) == 1", 7, "this is never closed"),
            ("99999999999 < p", 0, "`99999999999` is no number up to 4294967295"),
            ("p < 2 q", 6, "expected an operator or the end, found `q`"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (start, message), "{text}");
        }
    }
}
