//! Text to tokens.
//!
//! Operators of formulas have many spellings, which become one here: `and`,
//! `/\` and `∧` are all the token `&&`. The lexer does not know which token may
//! follow which.

use crate::lang::SourceError;
use crate::lang::program::Span;

/// The smallest unit of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A reserved word, operator or bracket, in its first spelling.
    Is(&'static str),
    /// A name.
    Name(&'a str),
    /// A number that is not negative.
    Number(i64),
    /// What stands between quotation marks, without backslashes.
    Quoted(String),
    /// The end of the text.
    End,
}

/// A token and its place.
pub(super) type Placed<'a> = (Token<'a>, Span);

/// What is not a word, and the token that it is. A spelling comes before those
/// that begin it.
const SYMBOLS: &[(&str, &str)] = &[
    ("()", "X"),
    ("(", "("),
    (")", ")"),
    ("[]", "G"),
    ("[", "["),
    ("]", "]"),
    ("{", "{"),
    ("}", "}"),
    (",", ","),
    (";", ";"),
    (":", ":"),
    ("..", ".."),
    (".", "."),
    ("'", "'"),
    ("!=", "!="),
    ("!", "!"),
    ("~", "!"),
    ("¬", "!"),
    ("&&", "&&"),
    ("&", "&&"),
    ("/\\", "&&"),
    ("∧", "&&"),
    ("||", "||"),
    ("|", "||"),
    ("\\/", "||"),
    ("∨", "||"),
    ("^", "xor"),
    ("->", "->"),
    ("→", "->"),
    ("<->", "<->"),
    ("<=>", "<->"),
    ("↔", "<->"),
    ("<>", "F"),
    ("○", "X"),
    ("◇", "F"),
    ("□", "G"),
    ("==", "=="),
    ("=>", "->"),
    ("=", "="),
    ("<=", "<="),
    ("<", "<"),
    (">=", ">="),
    (">", ">"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("%", "%"),
];

/// Words that are no names, and the token that each of them is.
pub(super) const WORDS: &[(&str, &str)] = &[
    ("action", "action"),
    ("and", "&&"),
    ("any", "any"),
    ("assert", "assert"),
    ("bool", "bool"),
    ("const", "const"),
    ("count", "count"),
    ("do", "do"),
    ("else", "else"),
    ("enabled", "enabled"),
    ("exists", "exists"),
    ("fair", "fair"),
    ("False", "false"),
    ("false", "false"),
    ("for", "for"),
    ("forall", "forall"),
    ("if", "if"),
    ("iff", "<->"),
    ("implies", "->"),
    ("in", "in"),
    ("ltl", "ltl"),
    ("M", "M"),
    ("model", "model"),
    ("not", "!"),
    ("or", "||"),
    ("process", "process"),
    ("prop", "prop"),
    ("R", "R"),
    ("strong", "strong"),
    ("sum", "sum"),
    ("taken", "taken"),
    ("then", "then"),
    ("True", "true"),
    ("true", "true"),
    ("type", "type"),
    ("U", "U"),
    ("V", "R"),
    ("var", "var"),
    ("W", "W"),
    ("weak", "weak"),
    ("when", "when"),
    ("with", "with"),
    ("xor", "xor"),
];

/// All tokens of a text from a place on; the last one is [`Token::End`].
pub(super) fn tokens(text: &str, position: usize) -> Result<Vec<Placed<'_>>, SourceError> {
    let mut lexer = Lexer { text, position, tokens: Vec::new() };
    while lexer.step()? {}
    let end = Span { start: text.len(), end: text.len() };
    lexer.tokens.push((Token::End, end));
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    text: &'a str,
    position: usize,
    tokens: Vec<Placed<'a>>,
}

impl<'a> Lexer<'a> {
    /// Reads what comes next; false at the end of the text.
    fn step(&mut self) -> Result<bool, SourceError> {
        let rest = self.text[self.position..].trim_start();
        self.position = self.text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(false) };
        if rest.starts_with("//") {
            self.advance(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            let opened = Span { start: self.position, end: self.position + 2 };
            let Some(length) = rest.find("*/") else {
                return Err(SourceError::new(opened, "this comment is never closed"));
            };
            self.advance(length + 2);
        } else if first == '"' {
            self.quoted()?;
        } else if first.is_ascii_digit() {
            self.number(rest)?;
        } else if first.is_ascii_alphabetic() || first == '_' {
            self.word(rest);
        } else if let Some(&(spelling, symbol)) =
            SYMBOLS.iter().find(|(spelling, _)| rest.starts_with(spelling))
        {
            let span = self.advance(spelling.len());
            self.tokens.push((Token::Is(symbol), span));
        } else {
            let span = self.advance(first.len_utf8());
            let message = format!("unexpected character `{}`", first.escape_debug());
            return Err(SourceError::new(span, message));
        }
        Ok(true)
    }

    /// Moves on by `n_bytes` and says over what.
    fn advance(&mut self, n_bytes: usize) -> Span {
        let start = self.position;
        self.position += n_bytes;
        Span { start, end: self.position }
    }

    fn word(&mut self, rest: &'a str) {
        let n_bytes = rest.find(|c: char| !is_part_of_word(c)).unwrap_or(rest.len());
        let word = &rest[..n_bytes];
        if word.bytes().all(|letter| b"XFG".contains(&letter)) {
            // A chain of operators, as in `GF p`.
            for letter in word.bytes() {
                let span = self.advance(1);
                let operator = match letter {
                    b'X' => "X",
                    b'F' => "F",
                    _ => "G",
                };
                self.tokens.push((Token::Is(operator), span));
            }
            return;
        }
        let span = self.advance(n_bytes);
        let token = match WORDS.iter().find(|(reserved, _)| *reserved == word) {
            Some(&(_, token)) => Token::Is(token),
            None => Token::Name(word),
        };
        self.tokens.push((token, span));
    }

    fn number(&mut self, rest: &str) -> Result<(), SourceError> {
        let n_bytes = rest.find(|c: char| !is_part_of_word(c)).unwrap_or(rest.len());
        let digits = &rest[..n_bytes];
        let span = self.advance(n_bytes);
        if digits.bytes().any(|digit| !digit.is_ascii_digit()) {
            let message = format!("`{}` is neither a number nor a name", shortened(digits));
            return Err(SourceError::new(span, message));
        }
        let number = digits.parse().map_err(|_| {
            SourceError::new(span, "the number is too large: it does not fit into 64 bits")
        })?;
        self.tokens.push((Token::Number(number), span));
        Ok(())
    }

    fn quoted(&mut self) -> Result<(), SourceError> {
        let opened = Span { start: self.position, end: self.position + 1 };
        let mut text = String::new();
        let mut characters = self.text[opened.end..].char_indices().peekable();
        while let Some((offset, character)) = characters.next() {
            match character {
                '"' => {
                    let span = self.advance(offset + 2);
                    self.tokens.push((Token::Quoted(text), span));
                    return Ok(());
                }
                '\\' => match characters.next_if(|&(_, next)| next == '"' || next == '\\') {
                    Some((_, escaped)) => text.push(escaped),
                    None => text.push('\\'),
                },
                _ => text.push(character),
            }
        }
        Err(SourceError::new(opened, "this quotation mark is never closed"))
    }
}

fn is_part_of_word(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// `text`, cut to what fits into a message.
pub(super) fn shortened(text: &str) -> String {
    const LIMIT: usize = 40;
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
