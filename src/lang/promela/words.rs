//! The text of statements as runs show it: macros are expanded, and the uses of macros
//! that a statement comes from stand beside it.
//!
//! A statement comes from a use of a macro if all its tokens do. Its line is then the
//! one where the body of the macro has it; otherwise it is the one where the statement
//! is written, even if a macro stands for a part of it.

use super::super::SourceError;
use super::super::program::Span;
use super::super::source::{Call as ShownCall, Statement as Shown};
use super::ast::ExpressionId;
use super::expression::expression;
use super::lex::{Token, TokenKind};
use super::parse::Parser;
use super::preprocess::Preprocessed;
use crate::id::define_id;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

define_id! {
    /// A use of a macro or an inline.
    pub(super) struct CallId;
}

/// A use of a macro or an inline.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// The use in whose expansion it stands.
    pub(super) parent: Option<CallId>,
    /// Its text.
    pub(super) text: String,
    /// Where its name is written.
    pub(super) home: usize,
}

/// So many bytes of the text of a call are kept.
pub(super) const MAX_CALL: usize = 60;

/// Appends the texts of tokens to a text, until it has more than `limit` bytes. Blanks
/// are where the source has some, and where two tokens would become one without.
pub(super) fn join<'a>(
    tokens: impl Iterator<Item = (Token, &'a str)>,
    text: &mut String,
    limit: usize,
) {
    let mut before: Option<Token> = None;
    for (token, word) in tokens {
        // The command line may define a name to be a number.
        let number = match token.kind {
            TokenKind::Number(value)
                if !word.starts_with(|c: char| c.is_ascii_digit() || c == '\'') =>
            {
                Some(value.to_string())
            }
            _ => None,
        };
        let word = number.as_deref().unwrap_or(word);
        if let Some(last) = before {
            let is_next = last.home + (last.text.end - last.text.start) == token.home;
            if !token.is_glued || (!is_next && would_join(text, word)) {
                text.push(' ');
            }
        }
        text.push_str(word);
        before = Some(token);
        if limit < text.len() {
            return;
        }
    }
}

/// Whether the end of a text and a word behind it could be read as one token.
fn would_join(text: &str, word: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_alone = |c: char| matches!(c, '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';');
    match (text.chars().next_back(), word.chars().next()) {
        (Some(left), Some(right)) => {
            is_word(left) == is_word(right) && !is_alone(left) && !is_alone(right)
        }
        _ => false,
    }
}

/// Where the tokens of a model come from.
pub(super) struct Origin<'a> {
    source: &'a Preprocessed,
    /// Where lines begin, computed when the first line is asked for.
    lines: OnceCell<Vec<usize>>,
}

impl<'a> Origin<'a> {
    pub(super) fn new(source: &'a Preprocessed) -> Self {
        Self { source, lines: OnceCell::new() }
    }

    /// The file, if it is not the first one, and the line of an offset.
    fn line(&self, offset: usize) -> (Option<String>, usize) {
        let lines = self.lines.get_or_init(|| {
            let breaks = self.source.text.bytes().enumerate().filter(|&(_, byte)| byte == b'\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        });
        let number = |offset: usize| lines.partition_point(|&start| start <= offset);
        let files = &self.source.files;
        let file = files.partition_point(|(start, _)| *start <= offset).checked_sub(1);
        match file.map(|at| &files[at]) {
            Some((start, name)) => (Some(name.clone()), 1 + number(offset) - number(*start)),
            None => (None, number(offset)),
        }
    }

    fn parent(&self, call: CallId) -> Option<CallId> {
        self.source.calls[call].parent
    }

    /// All uses around a token, the outermost first.
    fn path(&self, token: Token) -> Vec<CallId> {
        let mut path = Vec::new();
        let mut at = token.call;
        while let Some(call) = at {
            path.push(call);
            at = self.parent(call);
        }
        path.reverse();
        path
    }

    /// The uses that all tokens come from, the outermost first.
    fn common(&self, tokens: &[Token]) -> Vec<CallId> {
        let Some(&first) = tokens.first() else { return Vec::new() };
        let mut common = self.path(first);
        let mut before = first.call;
        for &token in tokens {
            if token.call == before || common.is_empty() {
                continue;
            }
            before = token.call;
            let path = self.path(token);
            let same = common.iter().zip(&path).take_while(|(one, other)| one == other).count();
            common.truncate(same);
        }
        common
    }

    /// Where a token is written, as the expansion of `call` has it: a macro in it counts
    /// as its name.
    fn home(&self, token: Token, call: Option<CallId>) -> usize {
        let mut home = token.home;
        let mut at = token.call;
        while at != call
            && let Some(inner) = at
        {
            home = self.source.calls[inner].home;
            at = self.parent(inner);
        }
        home
    }
}

impl Parser<'_> {
    /// What runs show of the token number `at`.
    pub(super) fn shown(&self, at: usize) -> Arc<Shown> {
        Arc::new(self.shown_tokens(at..at + 1))
    }

    /// The same with another text.
    pub(super) fn shown_as(&self, at: usize, text: &str) -> Arc<Shown> {
        Arc::new(Shown { text: text.to_owned(), ..self.shown_tokens(at..at + 1) })
    }

    /// What runs show of the tokens from number `first` on to the last one that was read.
    pub(super) fn shown_since(&self, first: usize) -> Arc<Shown> {
        Arc::new(self.shown_tokens(first..self.at))
    }

    /// What runs show of a variable that is declared: its type, and what was read from
    /// `begin` on.
    pub(super) fn shown_declaration(&self, of_type: Range<usize>, begin: usize) -> Arc<Shown> {
        let text = format!("{} {}", self.words(of_type), self.words(begin..self.at));
        Arc::new(Shown { text, ..self.shown_tokens(begin..self.at) })
    }

    /// Reads an expression of a `for` or a `select`, and keeps its text.
    pub(super) fn part(&mut self) -> Result<ExpressionId, SourceError> {
        let first = self.at;
        let part = expression(self)?;
        let text = self.words(first..self.at);
        self.parts.push(text);
        Ok(part)
    }

    fn words(&self, range: Range<usize>) -> String {
        let mut text = String::new();
        let tokens = self.tokens[range].iter().map(|&token| (token, self.word(token)));
        join(tokens, &mut text, usize::MAX);
        text
    }

    fn shown_tokens(&self, range: Range<usize>) -> Shown {
        let tokens = &self.tokens[range.clone()];
        let calls = self.origin.common(tokens);
        let inner = calls.last().copied();
        let is_own = |token: &&Token| token.call != inner || !token.is_argument;
        let first = tokens.iter().find(is_own).or(tokens.first());
        let home = first.map_or(0, |&token| self.origin.home(token, inner));
        let (file, line) = self.origin.line(home);
        let shown_calls = calls.iter().rev().map(|&id| {
            let Call { text, home, .. } = &self.origin.source.calls[id];
            let (file, line) = self.origin.line(*home);
            ShownCall { file, line, text: text.clone() }
        });
        let calls = shown_calls.collect();
        Shown { file, line, text: self.words(range), span: self.span(tokens), calls }
    }

    /// Where messages say that tokens are; empty if that is not in the first text.
    fn span(&self, tokens: &[Token]) -> Span {
        let Some(first) = tokens.first() else { return Span::default() };
        let start = first.place.start;
        let last = tokens.iter().map(|token| token.place).rfind(|place| start <= place.start);
        let end = last.map_or(first.place.end, |place| place.end).max(first.place.end);
        let files = &self.origin.source.files;
        let end_of_main = files.first().map_or(self.origin.source.text.len(), |(at, _)| *at);
        if end <= end_of_main { Span { start, end } } else { Span::default() }
    }
}
