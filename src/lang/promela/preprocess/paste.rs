//! `#` and `##` in the body of a macro: an argument as a text, and two tokens as one.
//!
//! What comes out stands in no file. Its text is kept apart, at offsets behind all
//! others, until all files are read; then it is put behind their texts.

use super::super::super::program::Span;
use super::super::lex::{Token, TokenKind, tokens};
use super::super::words::{self, Call, CallId};
use super::super::{SourceError, error};
use super::{Macro, MacroId, OriginId, PlacedToken, Preprocessor};
use std::sync::Arc;

/// Where texts begin that stand in no file, as long as files are read.
pub(super) const ELSEWHERE: usize = usize::MAX / 2;

/// What stands before a token in the body of a macro.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    /// `#`
    Quote,
    /// `##`
    Paste,
}

/// The operator with which `body` begins, if something follows it.
fn operator(body: &[Token]) -> Option<Operator> {
    let [first, _, ..] = body else { return None };
    match first.kind {
        TokenKind::Fixed("#") => Some(Operator::Quote),
        TokenKind::Fixed("##") => Some(Operator::Paste),
        _ => None,
    }
}

/// The tokens of an argument where a use of a macro puts them.
fn of_call(argument: &[PlacedToken], call: CallId, is_glued: bool) -> Vec<PlacedToken> {
    let put = |&(token, origin)| (Token { call: Some(call), is_argument: true, ..token }, origin);
    let mut list: Vec<PlacedToken> = argument.iter().map(put).collect();
    if let Some((first, _)) = list.first_mut() {
        first.is_glued = is_glued;
    }
    list
}

impl Preprocessor<'_> {
    /// The text of a token, wherever it is.
    pub(super) fn word(&self, token: Token) -> &str {
        let Span { start, end } = token.text;
        let (text, first) = match start {
            ELSEWHERE.. => (&*self.made, ELSEWHERE),
            _ if self.known.len() <= start => (&*self.text, self.known.len()),
            _ => (self.known, 0),
        };
        &text[start - first..end - first]
    }

    /// The body of a macro with arguments instead of parameters. What is new in it
    /// has the place of `name`, which is where the macro is used.
    pub(super) fn filled(
        &mut self,
        name: Token,
        (origin, call): (OriginId, CallId),
        id: MacroId,
        arguments: &[Vec<PlacedToken>],
    ) -> Result<Vec<PlacedToken>, SourceError> {
        let Macro { body, is_inline, parameters, .. } = self.macros.list[id].clone();
        let mut filled = Vec::with_capacity(body.len());
        let mut at = 0;
        // An argument without tokens has nothing to be joined with.
        let mut is_left_empty = true;
        while at < body.len() {
            let operator = match operator(&body[at..]) {
                // Without a list of parameters there is nothing to quote.
                Some(Operator::Quote) if parameters.is_none() => None,
                operator => operator.filter(|_| !is_inline),
            };
            at += usize::from(operator.is_some());
            let token = body[at];
            at += 1;
            let argument = match token.kind {
                TokenKind::Name => {
                    parameters.iter().flatten().position(|one| one == self.word(token))
                }
                _ => None,
            };
            let argument = argument.and_then(|number| arguments.get(number));
            let placed = if is_inline { token } else { Token { place: name.place, ..token } };
            let placed = Token { call: Some(call), is_argument: false, ..placed };
            let own = [(placed, origin)];
            let given: Vec<PlacedToken>;
            let meant = match argument {
                None => &own[..],
                Some(argument) => {
                    given = of_call(argument, call, token.is_glued);
                    &given
                }
            };
            match operator {
                None => filled.extend_from_slice(meant),
                Some(Operator::Paste) if is_left_empty => filled.extend_from_slice(meant),
                Some(Operator::Paste) => self.paste(&mut filled, meant)?,
                Some(Operator::Quote) if argument.is_none() => {
                    return error(token.place, "expected a parameter of the macro behind `#`");
                }
                Some(Operator::Quote) => filled.push((self.quoted(meant, placed)?, origin)),
            }
            let is_kept = operator == Some(Operator::Paste) && !is_left_empty;
            is_left_empty = meant.is_empty() && !is_kept && operator != Some(Operator::Quote);
        }
        if let Some((first, _)) = filled.first_mut() {
            first.is_glued = name.is_glued;
        }
        Ok(filled)
    }

    /// Remembers a use of a macro: where it stands, and its text.
    pub(super) fn note_call(
        &mut self,
        name: Token,
        id: MacroId,
        arguments: &[Vec<PlacedToken>],
    ) -> CallId {
        let mut text = self.word(name).to_owned();
        if self.macros.list[id].parameters.is_some() {
            text.push('(');
            for (number, argument) in arguments.iter().enumerate() {
                text.push_str(if number == 0 { "" } else { ", " });
                let tokens = argument.iter().map(|&(token, _)| (token, self.word(token)));
                words::join(tokens, &mut text, words::MAX_CALL);
            }
            text.push(')');
        }
        if words::MAX_CALL < text.len() {
            text.truncate(text.floor_char_boundary(words::MAX_CALL));
            text.push('…');
        }
        self.calls.push(Call { parent: name.call, text, home: name.home })
    }

    /// A token with a text of its own, which is expected to be one token.
    fn made(&mut self, text: &str, like: Token) -> Result<Token, SourceError> {
        let mut list = Vec::new();
        let is_read = tokens(text, 0, &mut list).is_ok();
        let (true, [only, Token { kind: TokenKind::End, .. }]) = (is_read, &*list) else {
            return error(like.place, format!("`##` makes `{text}`, which is not a single word"));
        };
        let start = ELSEWHERE + self.made.len();
        self.made.push_str(text);
        let text = Span { start, end: ELSEWHERE + self.made.len() };
        Ok(Token { kind: only.kind, text, ..like })
    }

    /// `#argument`: the words of an argument between quotation marks.
    pub(super) fn quoted(
        &mut self,
        argument: &[PlacedToken],
        like: Token,
    ) -> Result<Token, SourceError> {
        let mut text = String::from("\"");
        for (number, &(token, _)) in argument.iter().enumerate() {
            if 0 < number && !token.is_glued {
                text.push(' ');
            }
            let word = self.word(token);
            let is_text = token.kind == TokenKind::Text;
            for character in word.chars() {
                if is_text && matches!(character, '"' | '\\') {
                    text.push('\\');
                }
                text.push(character);
            }
        }
        text.push('"');
        self.made(&text, like)
    }

    /// `left ## right`: the last token of one side and the first of the other become
    /// one. Where a side is empty, the other stays as it is.
    pub(super) fn paste(
        &mut self,
        list: &mut Vec<PlacedToken>,
        right: &[PlacedToken],
    ) -> Result<(), SourceError> {
        let Some((&(first, _), rest)) = right.split_first() else { return Ok(()) };
        let Some((left, origin)) = list.pop() else {
            list.extend_from_slice(right);
            return Ok(());
        };
        let text = format!("{}{}", self.word(left), self.word(first));
        let both = self.made(&text, left)?;
        list.push((both, origin));
        list.extend_from_slice(rest);
        Ok(())
    }

    /// A token whose text stands behind those that were read, if it stood in none of them.
    fn settled(&mut self, token: Token) -> Token {
        let Span { start, end } = token.text;
        let first = self.known.len();
        if (first..ELSEWHERE).contains(&start) {
            return Token { text: Span { start: start - first, end: end - first }, ..token };
        }
        let word = self.word(token).to_owned();
        self.text.push('\n');
        let start = self.text.len();
        self.text.push_str(&word);
        Token { text: Span { start, end: self.text.len() }, ..token }
    }

    /// Gives all tokens that are left a text among those that were read.
    pub(super) fn settle(&mut self) {
        let output = std::mem::take(&mut self.output);
        self.output = output.into_iter().map(|token| self.settled(token)).collect();
    }

    /// The same for the bodies of macros, which may be used in texts that are read later.
    pub(super) fn settle_macros(&mut self) {
        if self.made.is_empty() {
            return;
        }
        for id in self.macros.list.ids() {
            let body = Arc::clone(&self.macros.list[id].body);
            let body = body.iter().map(|&token| self.settled(token)).collect();
            self.macros.to_mut().list[id].body = body;
        }
    }
}
