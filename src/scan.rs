//! Text to tokens: places in a text, and one scanner for all languages that we read.
//!
//! A language is a table (`Language`): which comments it has, what its words, numbers and
//! quoted texts look like, and how its keywords and signs are spelt. What is special in a
//! language, such as lines for a preprocessor, is the business of its own lexer, which asks the
//! scanner for one token at a time.
//!
//! The scanner works on bytes, since some formats are not always UTF-8, takes linear time and
//! allocates nothing.

use std::borrow::Cow;

/// A part of a text, as byte offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Where it begins.
    pub start: usize,
    /// Where it ends: the offset behind its last byte.
    pub end: usize,
}

impl Span {
    /// The bytes from `start` up to, but not including, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The same as a range, for slicing the text.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start..self.end
    }
}

/// The line and the column of an offset, both counted from 1. Columns count characters, and
/// bytes where the text is not UTF-8.
///
/// ```
/// assert_eq!(lwaa::scan::position("a ∧\n∧ b", 10), (2, 3));
/// ```
#[must_use]
pub fn position(text: impl AsRef<[u8]>, offset: usize) -> (usize, usize) {
    let text = text.as_ref();
    let before = &text[..offset.min(text.len())];
    let lines = before.split(|&byte| byte == b'\n');
    let (n_lines, last) = lines.fold((0, &[][..]), |(n_lines, _), line| (n_lines + 1, line));
    (n_lines, String::from_utf8_lossy(last).chars().count() + 1)
}

/// `text`, cut to what fits into a message.
#[must_use]
pub fn shortened(text: &str) -> Cow<'_, str> {
    const LIMIT: usize = 40;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// What is inside of quotation marks, where `escape` says which character the beginning of a
/// text stands for and how many bytes that takes; a backslash that it does not know stands for
/// itself.
pub(crate) fn unescaped(
    inside: &str,
    escape: impl Fn(&str) -> Option<(char, usize)>,
) -> Cow<'_, str> {
    let mut text = Cow::Borrowed("");
    // Up to here the text has been copied.
    let mut copied = 0;
    let mut at = 0;
    while let Some(offset) = inside[at..].find('\\') {
        let backslash = at + offset;
        at = backslash + 1;
        if let Some((character, n_bytes)) = escape(&inside[backslash..]) {
            text += &inside[copied..backslash];
            text.to_mut().push(character);
            at = backslash + n_bytes;
            copied = at;
        }
    }
    text += &inside[copied..];
    text
}

/// The escape sequences `\"` and `\\`.
pub(crate) fn escaped_quote(text: &str) -> Option<(char, usize)> {
    escaped_character(text).filter(|(character, _)| matches!(character, '"' | '\\'))
}

/// A backslash and any character: the character itself.
pub(crate) fn escaped_character(text: &str) -> Option<(char, usize)> {
    let character = text[1..].chars().next()?;
    Some((character, 1 + character.len_utf8()))
}

/// The value of decimal digits, nothing if it is too large, or why they are no number.
pub(crate) fn decimal(text: &str) -> Result<Option<i64>, String> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(text.parse().ok());
    }
    Err(format!("`{}` is neither a number nor a name", shortened(text)))
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind<F> {
    /// A word that is no keyword; its text is that of its span.
    Name,
    Number(i64),
    /// What stands in quotation marks; its span is with them.
    Text,
    /// A keyword or sign.
    Fixed(F),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<F> {
    pub(crate) kind: Kind<F>,
    pub(crate) span: Span,
}

/// Keywords and signs, each of which is written as its usual spelling.
pub(crate) trait Spelt: Copy + PartialEq + std::fmt::Display + 'static {
    /// All spellings.
    const SPELLINGS: &[(&str, Self)];
}

/// Defines the keywords and signs of a language, each with its spellings, the usual one first,
/// and a macro by which parsers name them, as in `token!["->"]` or, in a pattern, one of
/// several as in `token!["->" "=>"]`. A misspelt one does not compile.
macro_rules! define_tokens {
    (
        $(#[$meta:meta])*
        $visibility:vis enum $Fixed:ident { $($name:ident $usual:tt $(| $other:tt)*,)* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $Fixed { $($name,)* }

        impl $crate::scan::Spelt for $Fixed {
            const SPELLINGS: &[(&str, Self)] =
                &[$(($usual, Self::$name), $(($other, Self::$name),)*)*];
        }

        impl std::fmt::Display for $Fixed {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$name => $usual,)* })
            }
        }

        $crate::scan::define_tokens! { macro ($) $visibility $Fixed $($name $usual)* }
    };
    (macro ($dollar:tt) $visibility:vis $Fixed:ident $($name:ident $usual:tt)*) => {
        macro_rules! token {
            $(($usual) => { $Fixed::$name };)*
            ($dollar($dollar spelling:tt)+) => { $dollar(token!($dollar spelling))|+ };
        }
        #[allow(unused_imports, reason = "some languages have their parser in the same module")]
        $visibility use token;
    };
}
pub(crate) use define_tokens;

/// The longest spelling of a table that is `wanted`: its meaning and length.
pub(crate) fn longest<F: Copy>(
    table: &[(&str, F)],
    wanted: impl Fn(&str) -> bool,
) -> Option<(F, usize)> {
    let found = table.iter().filter(|(spelling, _)| wanted(spelling));
    found.map(|&(spelling, fixed)| (fixed, spelling.len())).max_by_key(|&(_, n_bytes)| n_bytes)
}

/// How a comment is written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Comment {
    /// From here to the end of the line.
    Line(&'static str),
    /// From the first to the second.
    Block(&'static str, &'static str),
    /// The same; there may be others inside.
    Nested(&'static str, &'static str),
}

impl Comment {
    /// The comments of C++.
    pub(crate) const C: &[Self] = &[Self::Line("//"), Self::Block("/*", "*/")];
}

/// The table of a language.
pub(crate) trait Language {
    /// The keywords and signs.
    type Fixed: Copy + 'static;

    /// The longest of them with a spelling that is `wanted`, and the length of that.
    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Self::Fixed, usize)>;

    const COMMENTS: &[Comment] = Comment::C;

    /// Whether a backslash at the end of a line is white space.
    const JOINS_LINES: bool = false;

    /// Whether texts in quotation marks are tokens.
    const HAS_TEXTS: bool = false;

    /// Whether such a text ends in the line in which it begins.
    const TEXTS_END_IN_LINE: bool = false;

    fn is_blank(&self, character: char) -> bool {
        character.is_whitespace()
    }

    fn begins_word(&self, character: char) -> bool {
        character.is_ascii_alphabetic() || character == '_'
    }

    fn is_in_word(&self, character: char) -> bool {
        character.is_ascii_alphanumeric() || character == '_'
    }

    /// Whether a character goes on with a number; the first one is a digit.
    fn is_in_number(&self, character: char) -> bool {
        character.is_ascii_alphanumeric() || character == '_'
    }

    /// The value of a number, or what is wrong with it.
    fn number(&self, _text: &str) -> Result<i64, String> {
        Ok(0)
    }
}

/// Why there is no token.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Problem {
    #[error("this comment is never closed")]
    Comment,
    #[error("this quotation mark is never closed")]
    Text,
    #[error("unexpected character `{}`", .0.escape_debug())]
    Unknown(char),
    #[error("{0}")]
    Number(String),
}

/// Why there is no token, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ScanError {
    pub(crate) span: Span,
    pub(crate) problem: Problem,
}

/// Cuts a text into tokens.
#[derive(Clone, Debug)]
pub(crate) struct Scanner<'a, L> {
    pub(crate) language: L,
    bytes: &'a [u8],
    /// Where the next token is looked for.
    pub(crate) at: usize,
    /// Whether a line ends between the token that was read last and the one before.
    pub(crate) begins_line: bool,
}

/// All tokens of a text, the last of them [`Kind::End`].
pub(crate) fn tokens<L: Language>(
    language: L,
    text: &str,
) -> Result<Vec<Token<L::Fixed>>, ScanError> {
    let mut scanner = Scanner::new(language, text);
    let mut tokens = Vec::new();
    loop {
        let token = scanner.next()?;
        tokens.push(token);
        if let Kind::End = token.kind {
            return Ok(tokens);
        }
    }
}

impl<'a, L: Language> Scanner<'a, L> {
    pub(crate) fn new(language: L, text: &'a (impl AsRef<[u8]> + ?Sized)) -> Self {
        Self { language, bytes: text.as_ref(), at: 0, begins_line: false }
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The character here and its length in bytes; a replacement if it is not UTF-8.
    #[inline]
    pub(crate) fn character(&self) -> Option<(char, usize)> {
        let byte = *self.bytes.get(self.at)?;
        if byte.is_ascii() {
            return Some((char::from(byte), 1));
        }
        let end = self.bytes.len().min(self.at + 4);
        let valid = self.bytes[self.at..end].utf8_chunks().next()?.valid();
        let character = valid.chars().next();
        Some(character.map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8())))
    }

    /// Moves on by `n_bytes` and says over what.
    pub(crate) fn advance(&mut self, n_bytes: usize) -> Span {
        let start = self.at;
        self.at += n_bytes;
        Span::new(start, self.at)
    }

    /// Moves on over all characters that are `wanted`.
    #[inline]
    fn skip_while(&mut self, wanted: impl Fn(&L, char) -> bool) {
        while let Some((character, n_bytes)) = self.character()
            && wanted(&self.language, character)
        {
            self.at += n_bytes;
        }
    }

    /// The text from `start` on, of which every character has been looked at.
    fn text_since(&self, start: usize) -> &'a str {
        std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default()
    }

    /// Moves on over a word or the rest of one.
    pub(crate) fn word(&mut self) -> &'a str {
        let start = self.at;
        self.skip_while(L::is_in_word);
        self.text_since(start)
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Result<Token<L::Fixed>, ScanError> {
        self.begins_line = false;
        while self.skip_blank()? {}
        let start = self.at;
        let Some((first, n_bytes)) = self.character() else {
            return Ok(Token { kind: Kind::End, span: Span::new(start, start) });
        };
        let rest = self.rest();
        let kind = if self.language.begins_word(first) {
            let word = self.word();
            let keyword = self.fixed(start, |spelling| spelling == word.as_bytes());
            keyword.map_or(Kind::Name, |(fixed, _)| Kind::Fixed(fixed))
        } else if first.is_ascii_digit() {
            self.skip_while(L::is_in_number);
            let value = self.language.number(self.text_since(start));
            let span = Span::new(start, self.at);
            Kind::Number(value.map_err(|text| ScanError { span, problem: Problem::Number(text) })?)
        } else if L::HAS_TEXTS && first == '"' {
            self.text()?;
            Kind::Text
        } else if let Some((fixed, n_bytes)) = self.fixed(start, |sign| rest.starts_with(sign)) {
            self.at += n_bytes;
            Kind::Fixed(fixed)
        } else {
            let span = Span::new(start, start + n_bytes);
            return Err(ScanError { span, problem: Problem::Unknown(first) });
        };
        Ok(Token { kind, span: Span::new(start, self.at) })
    }

    /// The longest keyword or sign at `start` that is `wanted`. Most spellings are told apart by
    /// their first byte.
    fn fixed(&self, start: usize, wanted: impl Fn(&[u8]) -> bool) -> Option<(L::Fixed, usize)> {
        let first = self.bytes[start];
        self.language.find(|spelling| {
            let spelling = spelling.as_bytes();
            spelling[0] == first && wanted(spelling)
        })
    }

    /// Skips white space or a comment; whether there was any.
    fn skip_blank(&mut self) -> Result<bool, ScanError> {
        let start = self.at;
        while let Some((character, n_bytes)) = self.character()
            && self.language.is_blank(character)
        {
            self.begins_line |= character == '\n';
            self.at += n_bytes;
        }
        let rest = self.rest();
        for &comment in L::COMMENTS {
            match comment {
                Comment::Line(open) if rest.starts_with(open.as_bytes()) => {
                    self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                }
                Comment::Block(open, close) | Comment::Nested(open, close)
                    if rest.starts_with(open.as_bytes()) =>
                {
                    self.skip_comment(open, close, matches!(comment, Comment::Nested(..)))?;
                }
                _ => (),
            }
        }
        if L::JOINS_LINES
            && let [b'\\', behind @ ..] = rest
        {
            let blank = behind.iter().take_while(|byte| b" \t\r".contains(byte)).count();
            if behind.get(blank) == Some(&b'\n') {
                self.at += 1 + blank + 1;
            }
        }
        Ok(start < self.at)
    }

    fn skip_comment(&mut self, open: &str, close: &str, nests: bool) -> Result<(), ScanError> {
        let span = self.advance(open.len());
        let mut depth = 1_usize;
        while 0 < depth {
            let rest = self.rest();
            self.at += if rest.starts_with(close.as_bytes()) {
                depth -= 1;
                close.len()
            } else if nests && rest.starts_with(open.as_bytes()) {
                depth += 1;
                open.len()
            } else if rest.is_empty() {
                return Err(ScanError { span, problem: Problem::Comment });
            } else {
                1
            };
        }
        Ok(())
    }

    /// Skips what is in quotation marks. The character behind a backslash does not end it.
    fn text(&mut self) -> Result<(), ScanError> {
        let opened = self.advance(1);
        loop {
            self.at += match self.rest() {
                [b'"', ..] => break,
                [b'\\', _, ..] => 2,
                [other, ..] if *other != b'\\' && !(*other == b'\n' && L::TEXTS_END_IN_LINE) => 1,
                _ => return Err(ScanError { span: opened, problem: Problem::Text }),
            };
        }
        self.at += 1;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_tokens! {
        /// Tokens of a language for tests.
        enum Fixed { If "if" | "when", Less "<", LessEqual "<=" | "≤", Box "<=>", }
    }

    struct Sample;

    impl Language for Sample {
        type Fixed = Fixed;
        const COMMENTS: &[Comment] =
            &[Comment::Line("//"), Comment::Block("/*", "*/"), Comment::Nested("(*", "*)")];
        const JOINS_LINES: bool = true;
        const HAS_TEXTS: bool = true;

        fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Fixed, usize)> {
            longest(Fixed::SPELLINGS, wanted)
        }

        fn number(&self, text: &str) -> Result<i64, String> {
            decimal(text)?.ok_or_else(|| "too large".to_owned())
        }
    }

    #[track_caller]
    fn check(text: &str, expected: &[(Kind<Fixed>, &str)]) {
        let tokens = tokens(Sample, text).unwrap();
        let found: Vec<_> =
            tokens.iter().map(|token| (token.kind, &text[token.span.range()])).collect();
        assert_eq!(found, [expected, &[(Kind::End, "")]].concat());
    }

    #[test]
    fn the_longest_sign_and_whole_words_count() {
        let (less, box_) = (Kind::Fixed(token!["<="]), Kind::Fixed(token!["<=>"]));
        check("<=>≤<", &[(box_, "<=>"), (less, "≤"), (Kind::Fixed(token!["<"]), "<")]);
        check("iff when", &[(Kind::Name, "iff"), (Kind::Fixed(token!["if"]), "when")]);
        assert!(matches!(Fixed::LessEqual, token!["if" "<="]));
        assert!(!matches!(Fixed::Less, token!["if" "<="]));
        assert_eq!(token!["<="].to_string(), "<=");
    }

    #[test]
    fn comments_and_joined_lines_are_blank() {
        check(
            "a/*/ * /*/b // c\n(* (* *) é *) \\ \r\nd",
            &[(Kind::Name, "a"), (Kind::Name, "b"), (Kind::Name, "d")],
        );
        let mut scanner = Scanner::new(Sample, "a /* \n */ \\\n b\nc");
        let begins = [(); 3].map(|()| {
            scanner.next().unwrap();
            scanner.begins_line
        });
        assert_eq!(begins, [false, false, true]);
    }

    #[test]
    fn texts_and_numbers() {
        check(r#""a\"\\" 12"#, &[(Kind::Text, r#""a\"\\""#), (Kind::Number(12), "12")]);
        assert_eq!(unescaped(r#"a\"b\\c\d"#, escaped_quote), r#"a"b\c\d"#);
        assert_eq!(unescaped(r"\a\\é\", escaped_character), r"a\é\");
    }

    #[test]
    fn what_is_no_token() {
        let check = |text: &str, start, end, message: &str| {
            let error = tokens(Sample, text).unwrap_err();
            assert_eq!(
                (error.span, error.problem.to_string().as_str()),
                (Span::new(start, end), message,)
            );
        };
        check("a é", 2, 4, "unexpected character `é`");
        check("a /*/", 2, 4, "this comment is never closed");
        check("(* (* *)", 0, 2, "this comment is never closed");
        check("a \"b\\\"", 2, 3, "this quotation mark is never closed");
        check("99999999999999999999", 0, 20, "too large");
        check("3x", 0, 2, "`3x` is neither a number nor a name");
        let not_unicode = [b'a', 0xff];
        let mut scanner = Scanner::new(Sample, &not_unicode);
        assert!(scanner.next().is_ok());
        assert_eq!(scanner.next().unwrap_err().span, Span::new(1, 2));
    }

    #[test]
    fn places_are_lines_and_columns() {
        assert_eq!(position("", 0), (1, 1));
        assert_eq!(position("a\n", 2), (2, 1));
        assert_eq!(position([b'\n', 0xff, b'a'], 2), (2, 2));
    }
}
