//! Text to tokens.
//!
//! Comments are those of Oberon, `(* … *)`, and may be nested. Operators that
//! the thesis prints as signs of mathematics are read as such and as they are
//! typed: `→` and `->`, `≠` and `#`. Keywords and punctuation are one kind of
//! token: the parser asks for them by their usual spelling.

use super::super::SourceError;
use super::super::program::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name; its text is that of its span.
    Name,
    /// A number.
    Number(i64),
    /// A keyword or punctuation.
    Fixed(&'static str),
    /// The end of the text.
    End,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
}

pub(super) const KEYWORDS: &[&str] = &[
    "MODEL",
    "CONST",
    "TYPE",
    "VAR",
    "ARRAY",
    "OF",
    "BOOLEAN",
    "PROCESS",
    "IN",
    "OUT",
    "BEGIN",
    "END",
    "DO",
    "IF",
    "ELSE",
    "ELSIF",
    "SKIP",
    "TRUE",
    "FALSE",
    "OR",
    "DIV",
    "MOD",
    "DEFINITIONS",
    "ASSERT",
];

/// Other spellings, and the usual ones. Longer ones before their beginnings.
const PUNCTUATION: &[(&str, &str)] = &[
    ("->", "->"),
    ("→", "->"),
    ("[]", "[]"),
    ("□", "[]"),
    (":=", ":="),
    ("..", ".."),
    ("<=", "<="),
    ("≤", "<="),
    (">=", ">="),
    ("≥", ">="),
    ("<>", "#"),
    ("#", "#"),
    ("≠", "#"),
    ("&", "&"),
    ("∧", "&"),
    ("∨", "OR"),
    ("~", "~"),
    ("¬", "~"),
    ("!", "!"),
    ("?", "?"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("(", "("),
    (")", ")"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (";", ";"),
    (",", ","),
    (":", ":"),
    (".", "."),
];

/// The greatest number that may be written.
pub(super) const MAX_NUMBER: i64 = 2_147_483_647;

/// The tokens of `text`, the last of them [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, SourceError> {
    let mut lexer = Lexer { text, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blank()?;
        let token = lexer.token()?;
        tokens.push(token);
        if token.kind == Kind::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The number of bytes at the beginning of the rest that are all `wanted`.
    fn run(&self, wanted: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        rest.find(|c| !wanted(c)).unwrap_or(rest.len())
    }

    fn skip_blank(&mut self) -> Result<(), SourceError> {
        loop {
            self.at += self.run(char::is_whitespace);
            if !self.rest().starts_with("(*") {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    fn skip_comment(&mut self) -> Result<(), SourceError> {
        let span = Span { start: self.at, end: self.at + 2 };
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            if rest.starts_with("(*") {
                depth += 1;
                self.at += 2;
            } else if rest.starts_with("*)") {
                depth -= 1;
                self.at += 2;
                if depth == 0 {
                    return Ok(());
                }
            } else {
                let Some(next) = rest.chars().next() else {
                    return Err(SourceError::new(span, "this comment is never closed"));
                };
                self.at += next.len_utf8();
            }
        }
    }

    fn token(&mut self) -> Result<Token, SourceError> {
        let start = self.at;
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: Kind::End, span: Span { start, end: start } });
        };
        let kind = if first.is_ascii_digit() {
            self.number()?
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.at += self.run(|c| c.is_ascii_alphanumeric() || c == '_');
            match &self.text[start..self.at] {
                "AND" => Kind::Fixed("&"),
                "NOT" => Kind::Fixed("~"),
                word => KEYWORDS
                    .iter()
                    .find(|&&keyword| keyword == word)
                    .map_or(Kind::Name, |keyword| Kind::Fixed(keyword)),
            }
        } else if let Some((spelling, usual)) =
            PUNCTUATION.iter().find(|(spelling, _)| rest.starts_with(spelling))
        {
            self.at += spelling.len();
            Kind::Fixed(usual)
        } else {
            let span = Span { start, end: start + first.len_utf8() };
            let message = format!("unexpected character `{}`", first.escape_debug());
            return Err(SourceError::new(span, message));
        };
        Ok(Token { kind, span: Span { start, end: self.at } })
    }

    fn number(&mut self) -> Result<Kind, SourceError> {
        let start = self.at;
        self.at += self.run(|c| c.is_ascii_alphanumeric() || c == '_');
        let span = Span { start, end: self.at };
        let text = &self.text[start..self.at];
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{text}` is neither a number nor a name");
            return Err(SourceError::new(span, message));
        }
        let value = text.parse().ok().filter(|&value: &i64| value <= MAX_NUMBER);
        value.map(Kind::Number).ok_or_else(|| {
            SourceError::new(span, format!("this number is larger than {MAX_NUMBER}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_blanks() {
        let text = "DO s0 (* x (* y *) é *)≥12→ []0..1 AND";
        let kinds: Vec<Kind> = tokens(text).unwrap().iter().map(|token| token.kind).collect();
        let fixed = Kind::Fixed;
        let range = [Kind::Number(0), fixed(".."), Kind::Number(1)];
        let mut expected = vec![fixed("DO"), Kind::Name, fixed(">="), Kind::Number(12)];
        expected.extend([fixed("->"), fixed("[]")]);
        expected.extend(range);
        expected.extend([fixed("&"), Kind::End]);
        assert_eq!(kinds, expected);
    }

    #[test]
    fn what_is_no_token() {
        let check = |text: &str, start, message: &str| {
            let error = tokens(text).unwrap_err();
            assert_eq!((error.span.start, error.message.as_str()), (start, message));
        };
        check("a é", 2, "unexpected character `é`");
        check("x (* y (* *)", 2, "this comment is never closed");
        check("99999999999999999999", 0, "this number is larger than 2147483647");
        check("a 3x", 2, "`3x` is neither a number nor a name");
    }
}
