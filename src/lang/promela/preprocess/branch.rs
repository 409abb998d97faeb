//! `#if`, `#elif` and `#else`: which branches of a text are read.

use super::super::condition;
use super::super::lex::{Token, TokenKind};
use super::super::{SourceError, error};
use super::{OpenCondition, Origins, Preprocessor, Stream};

impl Preprocessor<'_> {
    pub(super) fn condition(
        &mut self,
        directive: Token,
        rest: &[Token],
    ) -> Result<bool, SourceError> {
        let expanded = self.expanded_condition(rest)?;
        condition::evaluate(directive.place, &expanded).map(|value| value != 0)
    }

    /// The tokens of a condition with `defined` evaluated and macros expanded;
    /// names that are no macros count as zero.
    fn expanded_condition(&mut self, tokens: &[Token]) -> Result<Vec<Token>, SourceError> {
        let mut list = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            at += 1;
            if self.word(token) != "defined" {
                list.push(token);
                continue;
            }
            let is_open = tokens.get(at).is_some_and(|token| token.kind == TokenKind::Fixed("("));
            at += usize::from(is_open);
            let Some(&name) = tokens.get(at) else {
                return error(token.place, "expected the name of a macro behind this");
            };
            at += 1 + usize::from(is_open);
            let value = i64::from(self.is_defined(self.word(name)));
            list.push(Token { kind: TokenKind::Number(value), ..token });
        }
        // The ordinary machinery, with everything else set aside.
        let streams = std::mem::take(&mut self.streams);
        let output = std::mem::take(&mut self.output);
        let nowhere = Origins::empty();
        let tokens = list.into_iter().map(|token| (token, nowhere)).collect();
        self.streams.push(Stream { tokens, at: 0, file: None });
        let result = self.run();
        self.streams = streams;
        let expanded = std::mem::replace(&mut self.output, output);
        result.map(|()| expanded)
    }

    pub(super) fn begin_condition(&mut self, hash: Token, holds: bool) -> Result<(), SourceError> {
        self.open.push(OpenCondition { place: hash.place, is_taken: holds, has_else: false });
        if holds { Ok(()) } else { self.skip_branches() }
    }

    /// Skips to the next branch that is taken, or behind `#endif`.
    pub(super) fn skip_branches(&mut self) -> Result<(), SourceError> {
        let mut depth = 0;
        loop {
            let Some((token, _)) = self.peek() else { return Ok(()) };
            if token.kind == TokenKind::End {
                return Ok(()); // The end of the file says what is wrong.
            }
            self.skip();
            if !(token.begins_line && token.kind == TokenKind::Fixed("#")) {
                continue;
            }
            let line = self.line();
            let Some(&first) = line.first() else { continue };
            match self.word(first) {
                "if" | "ifdef" | "ifndef" => depth += 1,
                "endif" if depth == 0 => {
                    self.open.pop();
                    return Ok(());
                }
                "endif" => depth -= 1,
                "elif" if depth == 0 && !self.is_last_taken() => {
                    let is_true = self.condition(first, &line[1..])?;
                    if is_true {
                        self.take_branch(false);
                        return Ok(());
                    }
                }
                "else" if depth == 0 && !self.is_last_taken() => {
                    self.take_branch(true);
                    return Ok(());
                }
                _ => (),
            }
        }
    }

    fn is_last_taken(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_taken)
    }

    fn take_branch(&mut self, is_else: bool) {
        if let Some(open) = self.open.last_mut() {
            open.is_taken = true;
            open.has_else |= is_else;
        }
    }
}
