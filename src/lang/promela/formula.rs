//! Formulas about a model: Spin's syntax, in which any expression of the language
//! is an atom.
//!
//! The grammar is that of all formulas; this module says which tokens are operators and
//! where an atom ends.

use super::super::program::Span;
use super::lex::{Token, TokenKind};
use super::operator::strength;
use super::preprocess::Preprocessed;
use super::{SourceError, error};
use crate::ltl::parse::grammar::{self, Behind, Binary, Dialect, Front, Unary};
use crate::ltl::parse::unquoted;
use crate::ltl::{Formula, TermId, Terms};
use crate::work::tick;
use std::collections::BTreeSet;

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
    /// Where the operator or operand is that was read last.
    last: Span,
    terms: Terms,
}

/// The formula that some tokens are, about processes of these types.
pub(super) fn formula(
    source: &Preprocessed,
    processes: &BTreeSet<String>,
    tokens: &[Token],
) -> Result<Formula, SourceError> {
    refuse_questions(source, tokens)?;
    let brackets = brackets(&source.text, tokens, processes);
    let (last, terms) = (Span::default(), Terms::default());
    let mut reader = Reader { text: &source.text, tokens, at: 0, brackets, last, terms };
    let root = grammar::parse(&mut reader)?;
    Ok(Formula::new(reader.terms, root))
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
        return error(token.place, format!("Spin does not read `{word}` in formulas: {instead}"));
    }
    Ok(())
}

impl Dialect for Reader<'_> {
    type Operand = TermId;
    type Error = SourceError;

    fn front(&mut self) -> Result<Front<TermId>, SourceError> {
        if self.at == self.tokens.len() {
            return Ok(Front::End(self.last));
        }
        let is_applied = self.begins_operand(self.at + 1);
        let (operator, n_tokens) = match self.word(self.at) {
            "!" => (Unary::Not, 1),
            "[" if self.is(self.at + 1, "]") => (Unary::Globally, 2),
            "<" if self.is(self.at + 1, ">") => (Unary::Finally, 2),
            "always" | "G" if is_applied => (Unary::Globally, 1),
            "eventually" | "F" if is_applied => (Unary::Finally, 1),
            "next" | "X" if is_applied => (Unary::Next, 1),
            "(" if !self.is_atom_in_parentheses() => return Ok(Front::Open(self.take(1))),
            _ => return self.atom().map(Front::Operand),
        };
        Ok(Front::Unary(operator, self.take(n_tokens)))
    }

    fn behind(&mut self, _operand: &mut TermId) -> Result<Behind, SourceError> {
        if self.at == self.tokens.len() {
            return Ok(Behind::End(self.last));
        }
        let operator = match self.word(self.at) {
            ")" => return Ok(Behind::Close(self.take(1))),
            "&&" | "/\\" => Binary::And,
            "||" | "\\/" => Binary::Or,
            "->" | "implies" => Binary::Implies,
            "<->" | "equivalent" => Binary::Iff,
            "U" | "until" | "stronguntil" => Binary::Until,
            "W" | "weakuntil" => Binary::WeakUntil,
            "V" | "R" | "release" => Binary::Release,
            other => {
                let message = format!("expected an operator, found `{other}`");
                return error(self.tokens[self.at].place, message);
            }
        };
        Ok(Behind::Binary(operator, self.take(1)))
    }

    fn unary(&mut self, operator: Unary, _span: Span, operand: TermId) -> TermId {
        self.terms.intern(operator.term(operand))
    }

    fn binary(&mut self, operator: Binary, _span: Span, left: TermId, right: TermId) -> TermId {
        self.terms.intern(operator.term(left, right))
    }
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        tick();
        self.tokens.get(at).map_or("", |token| &self.text[token.text.start..token.text.end])
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.word(at) == word
    }

    /// Moves on over tokens, and says where the first of them is.
    fn take(&mut self, n_tokens: usize) -> Span {
        self.last = self.tokens[self.at].place;
        self.at += n_tokens;
        self.last
    }

    fn atom(&mut self) -> Result<TermId, SourceError> {
        let end = self.end_of_atom();
        if end == self.at {
            let message = format!("expected an expression, found `{}`", self.word(self.at));
            return error(self.tokens[self.at].place, message);
        }
        let atom = self.joined(self.at, end);
        let n_tokens = end - self.at;
        self.take(n_tokens);
        Ok(match atom.as_str() {
            "true" | "false" => self.terms.constant(atom == "true"),
            // An atom as formulas are printed, in traces for instance.
            _ if n_tokens == 1 && atom.starts_with('"') => {
                self.terms.atom(&unquoted(&atom[1..atom.len() - 1]))
            }
            _ => self.terms.atom(&atom),
        })
    }

    fn begins_operand(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let is_temporal = (self.is(at, "[") && self.is(at + 1, "]"))
            || (self.is(at, "<") && self.is(at + 1, ">"));
        is_temporal
            || matches!(token.kind, TokenKind::Name | TokenKind::Number(_) | TokenKind::Text)
            || matches!(self.word(at), "(" | "!" | "true" | "false" | "len")
    }

    /// Whether what begins with a parenthesis is part of an expression: something
    /// follows that compares or computes.
    fn is_atom_in_parentheses(&self) -> bool {
        let Bracket { closing, is_conditional } = self.brackets[self.at];
        let behind = self.word(closing + 1);
        // `&&` and `||` are operators of formulas.
        let is_computed = strength(behind).is_some_and(|strength| strength > 2)
            && !(behind == "<" && self.is(closing + 2, ">"));
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
                if ends || (is_behind_operand && token.kind == TokenKind::Name) {
                    return at;
                }
            }
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => (),
            }
            is_behind_operand = matches!(token.kind, TokenKind::Name | TokenKind::Number(_))
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
