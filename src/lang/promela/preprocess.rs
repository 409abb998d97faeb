//! Directives, macros and inlines: tokens of several texts to the tokens of a
//! model.
//!
//! Macros follow C: what a macro expands to is looked at again, but a name that
//! comes from its own expansion stays as it is. Every token knows the macros
//! that it comes from (its *origin*), so there is no recursion. An argument
//! keeps the origin that it had where it was written, which makes
//! `MAX(MAX(a, b), c)` come out right.
//!
//! An `inline` of Promela is a macro whose expansion is a block; its tokens keep
//! their places, so that a run shows the lines of its body.

use super::super::program::Span;
use super::super::suggest::suggestion;
use super::super::{Definition, Include, SourceError};
use super::error;
use super::lex::{Token, TokenKind, tokens};
use super::names::Map;
use super::words::{Call, CallId};
use crate::id::{IdVec, define_id};
use crate::work::tick;
use origin::{OriginId, Origins};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

define_id! {
    /// A macro or an inline.
    struct MacroId;
}

/// The text of a model and of what it includes, and its tokens.
#[derive(Debug, Default)]
pub(super) struct Preprocessed {
    /// All texts, one behind the other.
    pub(super) text: String,
    /// Where each included text begins, and its name.
    pub(super) files: Vec<(usize, String)>,
    /// What is left when directives and macros are gone; the last one is
    /// [`TokenKind::End`].
    pub(super) tokens: Vec<Token>,
    /// The uses of macros and inlines.
    pub(super) calls: IdVec<CallId, Call>,
    macros: Macros,
}

/// So many tokens may come out of macros: more is an expansion without end.
const MAX_TOKENS: usize = 4 << 20;

/// How deep files may include files.
const MAX_INCLUDED: usize = 64;

#[derive(Clone, Debug)]
struct Macro {
    name: String,
    /// Its parameters, if it has a list of them.
    parameters: Option<Vec<String>>,
    body: Arc<[Token]>,
    is_inline: bool,
}

/// The names that stand for something else.
#[derive(Clone, Debug, Default)]
struct Macros {
    /// Numbers that the command line defines, whatever the text says.
    fixed: Map<String, i64>,
    list: IdVec<MacroId, Macro>,
    by_name: Map<String, MacroId>,
}

/// A token, and the macros that it comes from.
type PlacedToken = (Token, OriginId);

/// Tokens that are being read, and where they come from.
struct Stream {
    tokens: Rc<[PlacedToken]>,
    at: usize,
    /// How many conditions were open when a file began; nothing for what a macro
    /// expands to.
    file: Option<usize>,
}

/// An `#if` whose `#endif` has not been read.
struct OpenCondition {
    place: Span,
    /// Whether one of its branches has been taken.
    is_taken: bool,
    has_else: bool,
}

struct Preprocessor<'a> {
    /// The texts that were read before, in which bodies of macros stand.
    known: &'a str,
    /// The texts that are read, which lie behind those.
    text: String,
    /// The texts of tokens that stand in no file.
    made: String,
    files: Vec<(usize, String)>,
    include: Include<'a>,
    /// The definitions that the texts have not mentioned yet.
    unmentioned: BTreeSet<String>,
    macros: Cow<'a, Macros>,
    origins: Origins,
    streams: Vec<Stream>,
    open: Vec<OpenCondition>,
    output: Vec<Token>,
    calls: IdVec<CallId, Call>,
    n_expanded: usize,
}

/// Reads `text` and what it includes. Definitions stand for macros without
/// parameters, whatever the text says of them.
pub(super) fn preprocess(
    text: &str,
    definitions: &[Definition],
    include: Include<'_>,
) -> Result<Preprocessed, SourceError> {
    let fixed = definitions.iter().map(|one| (one.name.clone(), one.value)).collect();
    let macros = Cow::Owned(Macros { fixed, ..Macros::default() });
    let mut preprocessor = Preprocessor::new("", text, macros, include);
    preprocessor.unmentioned = definitions.iter().map(|one| one.name.clone()).collect();
    let done = preprocessor.begin_file(0).and_then(|()| preprocessor.run());
    let done = done.and_then(|()| preprocessor.refuse_unmentioned());
    preprocessor.settle_macros();
    preprocessor.settle();
    let Preprocessor { text, files, output: tokens, calls, macros, .. } = preprocessor;
    let source = Preprocessed { text, files, tokens, calls, macros: macros.into_owned() };
    match done {
        Ok(()) => Ok(source),
        Err(error) => Err(source.located(error)),
    }
}

impl Preprocessed {
    /// The tokens of a text that stands behind all others, as formulas do: macros mean
    /// there what they mean where the model ends. What is in the body of an inline is
    /// left out: a formula has no statements.
    pub(super) fn behind(&self, text: &str) -> Result<Self, SourceError> {
        let include: Include<'_> = &mut |_| Err("a formula includes no files".to_owned());
        let macros = Cow::Borrowed(&self.macros);
        let mut preprocessor = Preprocessor::new(&self.text, text, macros, include);
        let start = self.text.len();
        let back = |span: Span| {
            let back = |offset: usize| offset.saturating_sub(start).min(text.len());
            Span { start: back(span.start), end: back(span.end) }
        };
        let done = preprocessor.begin_file(0).and_then(|()| preprocessor.run());
        done.map_err(|error| SourceError { span: back(error.span), ..error })?;
        let is_inside = |token: &Token| start <= token.place.start;
        preprocessor.output.retain(is_inside);
        preprocessor.settle();
        let Preprocessor { text: settled, files, output: mut tokens, calls, .. } = preprocessor;
        for token in &mut tokens {
            token.place = back(token.place);
        }
        Ok(Self { text: settled, files, tokens, calls, macros: Macros::default() })
    }

    /// A mistake in a file that is included says so itself: it has no place in the text
    /// of the model.
    pub(super) fn located(&self, error: SourceError) -> SourceError {
        let behind = self.files.partition_point(|&(start, _)| start <= error.span.start);
        let Some((start, name)) = behind.checked_sub(1).map(|at| &self.files[at]) else {
            return error;
        };
        let before = self.text.get(*start..error.span.start).unwrap_or("");
        let line = 1 + before.matches('\n').count();
        let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
        let shown = self.text[*start..].lines().nth(line - 1).unwrap_or("");
        let message = format!("{name}:{line}:{column}: {} in `{}`", error.message, shown.trim());
        SourceError::new(Span::default(), message)
    }
}

impl<'a> Preprocessor<'a> {
    fn new(known: &'a str, text: &str, macros: Cow<'a, Macros>, include: Include<'a>) -> Self {
        Self {
            known,
            text: text.to_owned(),
            made: String::new(),
            files: Vec::new(),
            include,
            unmentioned: BTreeSet::new(),
            macros,
            origins: Origins::new(),
            streams: Vec::new(),
            open: Vec::new(),
            output: Vec::new(),
            calls: IdVec::new(),
            n_expanded: 0,
        }
    }

    /// Reads what stands in the text from `start` on.
    fn begin_file(&mut self, start: usize) -> Result<(), SourceError> {
        let mut list = Vec::new();
        let n_known = self.known.len();
        let behind_known =
            |span: Span| Span { start: span.start + n_known, end: span.end + n_known };
        tokens(&self.text, start, &mut list)
            .map_err(|error| SourceError { span: behind_known(error.span), ..error })?;
        if !self.unmentioned.is_empty() {
            for token in &list {
                self.unmentioned.remove(&self.text[token.text.start..token.text.end]);
            }
        }
        let moved = |token: Token| {
            let (text, place) = (behind_known(token.text), behind_known(token.place));
            Token { text, place, home: place.start, ..token }
        };
        let tokens = list.into_iter().map(|token| (moved(token), Origins::empty()));
        self.streams.push(Stream { tokens: tokens.collect(), at: 0, file: Some(self.open.len()) });
        Ok(())
    }

    /// A definition of a name that no text mentions, not even in `#ifdef`, changes
    /// nothing, so it is a slip.
    fn refuse_unmentioned(&self) -> Result<(), SourceError> {
        let Some(name) = self.unmentioned.first() else { return Ok(()) };
        let mut list = Vec::new();
        tokens(&self.text, 0, &mut list)?;
        let words = list.iter().filter(|token| token.kind == TokenKind::Name);
        let known: BTreeSet<&str> = words.map(|&token| self.word(token)).collect();
        let suggestion = suggestion(name, known.into_iter());
        let message = format!("-D {name}: the model never mentions `{name}`{suggestion}");
        error(Span::default(), message)
    }

    /// The next token of the stream on top, which it leaves there.
    fn peek(&self) -> Option<PlacedToken> {
        tick();
        let stream = self.streams.last()?;
        stream.tokens.get(stream.at).copied()
    }

    fn skip(&mut self) {
        if let Some(stream) = self.streams.last_mut() {
            stream.at += 1;
        }
    }

    fn run(&mut self) -> Result<(), SourceError> {
        while let Some(stream) = self.streams.last() {
            let is_file = stream.file.is_some();
            let Some((token, origin)) = self.peek() else {
                self.streams.pop();
                continue;
            };
            self.skip();
            match token.kind {
                TokenKind::Fixed("#") if is_file && token.begins_line => self.directive(token)?,
                TokenKind::Fixed("inline") => self.define_inline(token)?,
                TokenKind::Name => self.name(token, origin)?,
                TokenKind::End => self.end_file(token)?,
                _ => self.output.push(token),
            }
        }
        Ok(())
    }

    fn end_file(&mut self, end: Token) -> Result<(), SourceError> {
        let stream = self.streams.pop();
        let n_open = stream.and_then(|stream| stream.file).unwrap_or(0);
        if let Some(open) = self.open.get(n_open) {
            return error(open.place, "this condition has no `#endif`");
        }
        if self.streams.is_empty() {
            self.output.push(end);
        }
        Ok(())
    }

    /// The rest of the line behind a token at `place`, without macros expanded.
    fn line(&mut self) -> Vec<Token> {
        let mut line = Vec::new();
        while let Some((token, _)) = self.peek() {
            if token.begins_line || token.kind == TokenKind::End {
                break;
            }
            line.push(token);
            self.skip();
        }
        line
    }

    fn directive(&mut self, hash: Token) -> Result<(), SourceError> {
        let line = self.line();
        let Some(&first) = line.first() else { return Ok(()) };
        let rest = &line[1..];
        match self.word(first) {
            "define" => self.define(first, rest),
            "undef" => {
                let name = self.defined_name(first, rest)?;
                self.macros.to_mut().by_name.remove(&name);
                Ok(())
            }
            "include" => self.include(first, rest),
            "if" => {
                let holds = self.condition(first, rest)?;
                self.begin_condition(hash, holds)
            }
            "ifdef" | "ifndef" => {
                let is_wanted = self.word(first) == "ifdef";
                let name = self.defined_name(first, rest)?;
                self.begin_condition(hash, self.is_defined(&name) == is_wanted)
            }
            // We come here only from a branch that was taken.
            "elif" | "else" => match self.open.last() {
                Some(open) if !open.has_else => self.skip_branches(),
                _ => error(first.place, "there is no `#if` before this"),
            },
            "endif" => match self.open.pop() {
                Some(_) => Ok(()),
                None => error(first.place, "there is no `#if` before this"),
            },
            "error" => {
                let end = line.last().map_or(first.place.end, |last| last.place.end);
                let place = Span { start: first.place.start, end };
                error(place, "the model refuses to be read here")
            }
            // What a preprocessor leaves behind says nothing to us.
            "pragma" | "warning" | "line" | "ident" => Ok(()),
            _ if matches!(first.kind, TokenKind::Number(_)) => Ok(()),
            word => error(first.place, format!("there is no directive `#{word}`")),
        }
    }

    fn is_defined(&self, name: &str) -> bool {
        self.macros.fixed.contains_key(name) || self.macros.by_name.contains_key(name)
    }

    fn defined_name(&self, directive: Token, rest: &[Token]) -> Result<String, SourceError> {
        match rest.first() {
            Some(&name) if matches!(name.kind, TokenKind::Name | TokenKind::Fixed(_)) => {
                Ok(self.word(name).to_owned())
            }
            _ => error(directive.place, "expected the name of a macro behind this"),
        }
    }

    fn define(&mut self, directive: Token, rest: &[Token]) -> Result<(), SourceError> {
        let name = self.defined_name(directive, rest)?;
        let mut body = &rest[1..];
        let mut parameters = None;
        if let [open, behind @ ..] = body
            && open.kind == TokenKind::Fixed("(")
            && open.is_glued
        {
            let (list, n_tokens) = self.parameters(*open, behind)?;
            parameters = Some(list);
            body = &behind[n_tokens..];
        }
        let body = body.into();
        self.add(Macro { name, parameters, body, is_inline: false });
        Ok(())
    }

    fn add(&mut self, new: Macro) {
        let macros = self.macros.to_mut();
        let name = new.name.clone();
        let id = macros.list.push(new);
        macros.by_name.insert(name, id);
    }

    /// `a, b)`, and how many tokens that is.
    fn parameters(
        &self,
        open: Token,
        tokens: &[Token],
    ) -> Result<(Vec<String>, usize), SourceError> {
        let mut list = Vec::new();
        for (number, &token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Fixed(")") => return Ok((list, number + 1)),
                TokenKind::Name => list.push(self.word(token).to_owned()),
                TokenKind::Fixed(",") => (),
                _ => return error(token.place, "expected a parameter, `,` or `)`"),
            }
        }
        error(open.place, "this list of parameters is never closed")
    }

    fn include(&mut self, directive: Token, rest: &[Token]) -> Result<(), SourceError> {
        let [file, ..] = *rest else {
            return error(directive.place, "expected the name of a file behind this");
        };
        if file.kind != TokenKind::Text {
            return error(file.place, "expected the name of a file between `\"` and `\"`");
        }
        let word = self.word(file);
        let name = word[1..word.len() - 1].to_owned();
        let depth = self.streams.iter().filter(|stream| stream.file.is_some()).count();
        if MAX_INCLUDED < depth {
            return error(file.place, "files include each other without end");
        }
        match (self.include)(&name) {
            Ok(text) => {
                self.text.push('\n');
                let start = self.text.len();
                self.files.push((start, name));
                self.text.push_str(&text);
                self.begin_file(start)
            }
            Err(reason) => error(file.place, format!("cannot read `{name}`: {reason}")),
        }
    }

    /// A name that may be a macro.
    fn name(&mut self, token: Token, origin: OriginId) -> Result<(), SourceError> {
        let word = self.word(token);
        if let Some(&value) = self.macros.fixed.get(word) {
            self.output.push(Token { kind: TokenKind::Number(value), ..token });
            return Ok(());
        }
        let Some(&id) = self.macros.by_name.get(word) else {
            self.output.push(token);
            return Ok(());
        };
        if self.origins.contains(origin, id) {
            if self.macros.list[id].is_inline {
                return error(token.place, format!("the inline `{word}` uses itself"));
            }
            self.output.push(token);
            return Ok(());
        }
        let Some(parameters) = &self.macros.list[id].parameters else {
            return self.expand(token, origin, id, &[]);
        };
        let n_parameters = parameters.len();
        self.drop_finished();
        if self.peek().is_none_or(|(next, _)| next.kind != TokenKind::Fixed("(")) {
            self.output.push(token);
            return Ok(());
        }
        let arguments = self.arguments(token)?;
        let n_arguments = arguments.len();
        let is_empty = n_parameters == 0 && n_arguments == 1 && arguments[0].is_empty();
        if n_arguments != n_parameters && !is_empty {
            let word = self.word(token);
            let message = format!("`{word}` takes {n_parameters} arguments, found {n_arguments}");
            return error(token.place, message);
        }
        self.expand(token, origin, id, &arguments)
    }

    /// Leaves expansions that have been read to their end, so that what comes
    /// behind them can be seen.
    fn drop_finished(&mut self) {
        while let Some(stream) = self.streams.last()
            && stream.file.is_none()
            && stream.tokens.len() <= stream.at
            && 1 < self.streams.len()
        {
            self.streams.pop();
        }
    }

    /// `(a, b)` behind the name of a macro.
    fn arguments(&mut self, name: Token) -> Result<Vec<Vec<PlacedToken>>, SourceError> {
        self.skip();
        let mut arguments = vec![Vec::new()];
        let mut depth = 0_usize;
        loop {
            self.drop_finished();
            let next = self.peek().filter(|(token, _)| token.kind != TokenKind::End);
            let Some((token, origin)) = next else {
                return error(name.place, "the arguments of this are never closed");
            };
            self.skip();
            match token.kind {
                TokenKind::Fixed(")") if depth == 0 => return Ok(arguments),
                TokenKind::Fixed(",") if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                TokenKind::Fixed("(" | "[" | "{") => depth += 1,
                TokenKind::Fixed(")" | "]" | "}") => depth = depth.saturating_sub(1),
                _ => (),
            }
            arguments.last_mut().expect("there is a first one").push((token, origin));
        }
    }

    /// Puts what a macro stands for before what is still to be read.
    fn expand(
        &mut self,
        name: Token,
        origin: OriginId,
        id: MacroId,
        arguments: &[Vec<PlacedToken>],
    ) -> Result<(), SourceError> {
        let origin = self.origins.with(origin, id);
        let call = self.note_call(name, id, arguments);
        let tokens = self.filled(name, (origin, call), id, arguments)?;
        self.n_expanded += tokens.len();
        if MAX_TOKENS < self.n_expanded {
            return error(name.place, "macros expand without end");
        }
        self.streams.push(Stream { tokens: tokens.into(), at: 0, file: None });
        Ok(())
    }

    /// `inline name(a, b) { … }`
    fn define_inline(&mut self, keyword: Token) -> Result<(), SourceError> {
        let mut head = Vec::new();
        while let Some((token, _)) = self.peek() {
            if matches!(token.kind, TokenKind::Fixed("{") | TokenKind::End) {
                break;
            }
            head.push(token);
            self.skip();
        }
        let [
            name @ Token { kind: TokenKind::Name, .. },
            open @ Token { kind: TokenKind::Fixed("("), .. },
            behind @ ..,
        ] = &*head
        else {
            return error(keyword.place, "expected a name and a list of parameters behind this");
        };
        let (parameters, _) = self.parameters(*open, behind)?;
        let name = self.word(*name).to_owned();
        let mut body = Vec::new();
        let mut depth = 0;
        loop {
            let next = self.peek().filter(|(token, _)| token.kind != TokenKind::End);
            let Some((token, _)) = next else {
                return error(keyword.place, "the body of this inline is never closed");
            };
            self.skip();
            // A directive inside of a body works as if it stood before.
            if token.kind == TokenKind::Fixed("#") && token.begins_line {
                self.directive(token)?;
                continue;
            }
            body.push(token);
            match token.kind {
                TokenKind::Fixed("{") => depth += 1,
                TokenKind::Fixed("}") => depth -= 1,
                _ => (),
            }
            if depth == 0 {
                break;
            }
        }
        let (parameters, body) = (Some(parameters), body.into());
        self.add(Macro { name, parameters, body, is_inline: true });
        Ok(())
    }
}

mod branch;
mod origin;
mod paste;
#[cfg(test)]
mod tests;
