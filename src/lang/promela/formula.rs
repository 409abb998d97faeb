//! Formulas about a model: Spin's syntax, in which any expression of the language
//! is an atom.
//!
//! The tokens of a formula become a text in which atoms are in quotation marks, and
//! the reader of formulas does the rest.

use super::super::SourceError;
use super::super::program::Span;
use super::lex::{Kind, Token};
use super::preprocess::Preprocessed;
use crate::ltl::Formula;
use crate::ltl::parse::ParseErrorKind;
use crate::work::tick;
use std::collections::BTreeSet;

/// A formula with its atoms in quotation marks, and where its parts come from.
#[derive(Default)]
struct Quoted {
    text: String,
    /// Offsets in the text and the places of the tokens from there on.
    places: Vec<(usize, Span)>,
}

impl Quoted {
    fn push(&mut self, text: &str, place: Span) {
        self.places.push((self.text.len(), place));
        self.text.push_str(text);
        self.text.push(' ');
    }

    fn place(&self, offset: usize) -> Span {
        let at = self.places.partition_point(|&(start, _)| start <= offset);
        self.places.get(at.saturating_sub(1)).map_or(Span::default(), |&(_, place)| place)
    }
}

/// What is known of a bracket before what is inside has been read.
#[derive(Clone, Copy)]
struct Bracket {
    /// The number of the token that closes it.
    closing: usize,
    /// Whether it is that of `(a -> b : c)`.
    is_conditional: bool,
}

/// The brackets among some tokens, by their numbers, found in one pass: to look for the
/// end of each by itself would take quadratic time where they are nested.
fn brackets(text: &str, tokens: &[Token], processes: &BTreeSet<String>) -> Vec<Bracket> {
    let word = |at: usize| &text[tokens[at].text.start..tokens[at].text.end];
    let outside = Bracket { closing: tokens.len(), is_conditional: false };
    let mut brackets = vec![outside; tokens.len()];
    // What is open, and whether it has had an arrow.
    let mut open: Vec<(usize, bool)> = Vec::new();
    for at in 0..tokens.len() {
        match word(at) {
            "(" | "[" => open.push((at, false)),
            ")" | "]" => {
                if let Some((opening, _)) = open.pop() {
                    brackets[opening].closing = at;
                }
            }
            "->" => {
                if let Some((_, has_arrow)) = open.last_mut() {
                    *has_arrow = true;
                }
            }
            // A colon behind the name of a process leads to one of its variables.
            ":" => {
                if let Some(&(opening, true)) = open.last()
                    && word(at - 1) != "]"
                    && !processes.contains(word(at - 1))
                {
                    brackets[opening].is_conditional = true;
                }
            }
            _ => (),
        }
    }
    brackets
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// By the numbers of tokens; only those of opening brackets mean something.
    brackets: Vec<Bracket>,
    quoted: Quoted,
}

/// The formula that some tokens are, about processes of these types.
pub(super) fn formula(
    source: &Preprocessed,
    processes: &BTreeSet<String>,
    tokens: &[Token],
) -> Result<Formula, SourceError> {
    refuse_questions(source, tokens)?;
    let quoted = Quoted::default();
    let brackets = brackets(&source.text, tokens, processes);
    let mut reader = Reader { text: &source.text, tokens, at: 0, brackets, quoted };
    reader.run()?;
    let Reader { quoted, .. } = reader;
    Formula::parse(&quoted.text).map_err(|error| {
        let span = match error.kind {
            ParseErrorKind::Unclosed { opened } => opened,
            _ => error.span,
        };
        SourceError::new(quoted.place(span.start), error.to_string())
    })
}

/// Refuses `empty(q)` and its like, as Spin does in every formula.
fn refuse_questions(source: &Preprocessed, tokens: &[Token]) -> Result<(), SourceError> {
    for token in tokens {
        let word = &source.text[token.text.start..token.text.end];
        let instead = match word {
            "empty" => "write `len(q) == 0`",
            "nempty" => "write `len(q) > 0`",
            "full" | "nfull" => "compare `len(q)` with the capacity of the channel",
            _ => continue,
        };
        let message = format!("Spin does not read `{word}` in formulas: {instead}");
        return Err(SourceError::new(token.place, message));
    }
    Ok(())
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        tick();
        self.tokens.get(at).map_or("", |token| &self.text[token.text.start..token.text.end])
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at) == word
    }

    fn place(&self) -> Span {
        let last = self.tokens.last().map_or(Span::default(), |token| token.place);
        let behind = Span { start: last.end, end: last.end };
        self.tokens.get(self.at).map_or(behind, |token| token.place)
    }

    fn push(&mut self, text: &str, n_tokens: usize) {
        let place = self.place();
        self.quoted.push(text, place);
        self.at += n_tokens;
    }

    fn run(&mut self) -> Result<(), SourceError> {
        let mut needs_operand = true;
        while self.at < self.tokens.len() {
            if needs_operand {
                needs_operand = self.operand()?;
                continue;
            }
            let operator = match self.word(self.at) {
                ")" => {
                    self.push(")", 1);
                    continue;
                }
                "&&" | "/\\" => "&&",
                "||" | "\\/" => "||",
                "->" | "implies" => "->",
                "<->" | "equivalent" => "<->",
                "U" | "until" | "stronguntil" => "U",
                "W" | "weakuntil" => "W",
                "V" | "R" | "release" => "R",
                other => {
                    let message = format!("expected an operator, found `{other}`");
                    return Err(SourceError::new(self.place(), message));
                }
            };
            self.push(operator, 1);
            needs_operand = true;
        }
        Ok(())
    }

    /// Reads an operand or an operator in front of one; whether an operand is still
    /// to come.
    fn operand(&mut self) -> Result<bool, SourceError> {
        let is_applied = self.begins_operand(self.at + 1);
        let prefix = match self.word(self.at) {
            "!" => Some(("!", 1)),
            "[" if self.is(self.at + 1, "]") => Some(("G", 2)),
            "<" if self.is(self.at + 1, ">") => Some(("F", 2)),
            "always" | "G" if is_applied => Some(("G", 1)),
            "eventually" | "F" if is_applied => Some(("F", 1)),
            "next" | "X" if is_applied => Some(("X", 1)),
            "(" if !self.is_atom_in_parentheses() => Some(("(", 1)),
            _ => None,
        };
        if let Some((operator, n_tokens)) = prefix {
            self.push(operator, n_tokens);
            return Ok(true);
        }
        let end = self.end_of_atom();
        if end == self.at {
            let message = format!("expected an expression, found `{}`", self.word(self.at));
            return Err(SourceError::new(self.place(), message));
        }
        let atom = self.joined(self.at, end);
        let n_tokens = end - self.at;
        match atom.as_str() {
            "true" | "false" => self.push(&atom, n_tokens),
            // An atom as formulas are printed, in traces for instance.
            _ if n_tokens == 1 && atom.starts_with('"') => self.push(&atom, 1),
            _ => self.push(&format!("\"{}\"", atom.replace('"', "\\\"")), n_tokens.max(1)),
        }
        Ok(false)
    }

    fn begins_operand(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let is_temporal = (self.is(at, "[") && self.is(at + 1, "]"))
            || (self.is(at, "<") && self.is(at + 1, ">"));
        is_temporal
            || matches!(token.kind, Kind::Name | Kind::Number(_) | Kind::Text)
            || matches!(self.word(at), "(" | "!" | "true" | "false" | "len")
    }

    /// Whether what begins with a parenthesis is part of an expression: something
    /// follows that compares or computes.
    fn is_atom_in_parentheses(&self) -> bool {
        let Bracket { closing, is_conditional } = self.brackets[self.at];
        let behind = self.word(closing + 1);
        let is_computed = matches!(
            behind,
            "+" | "-"
                | "*"
                | "/"
                | "%"
                | "=="
                | "!="
                | "<"
                | ">"
                | "<="
                | ">="
                | "&"
                | "|"
                | "^"
                | "<<"
                | ">>"
        ) && !(behind == "<" && self.is(closing + 2, ">"));
        is_computed || is_conditional
    }

    fn end_of_atom(&self) -> usize {
        let mut depth = 0_usize;
        let mut is_behind_operand = false;
        for at in self.at..self.tokens.len() {
            let token = self.tokens[at];
            let word = self.word(at);
            if depth == 0 {
                let ends = matches!(word, ")" | "&&" | "||" | "->" | "<->" | "/\\" | "\\/");
                if ends || (is_behind_operand && token.kind == Kind::Name) {
                    return at;
                }
            }
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => (),
            }
            is_behind_operand = matches!(token.kind, Kind::Name | Kind::Number(_))
                || matches!(word, ")" | "]" | "true" | "false");
        }
        self.tokens.len()
    }

    /// Tokens as a text without superfluous blanks.
    fn joined(&self, start: usize, end: usize) -> String {
        let is_word = |word: &str| word.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut text = String::new();
        for at in start..end {
            let word = self.word(at);
            if is_word(&text) && word.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
                text.push(' ');
            }
            text.push_str(word);
        }
        text
    }
}
