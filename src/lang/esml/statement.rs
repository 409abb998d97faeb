//! Tokens to statements.
//!
//! Semicolons separate statements; nothing between two of them is no statement.
//! The parser keeps a stack of what is open: nesting is bounded by memory alone.

use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::program::Span;
use super::ast::{Action, Alternative, Body, Communication, Guard, Statement};
use super::lex::{Fixed, TokenKind, token};
use super::parse::Parser;

/// An `IF` or `DO` whose end has not been read.
struct OpenSelection {
    /// Its number in [`Body::statements`].
    statement: usize,
    /// The block that it is in.
    block: usize,
    keyword: Span,
}

/// A body in the making.
struct BodyReader {
    body: Body,
    open: Vec<OpenSelection>,
    /// The block that statements are added to.
    block: usize,
}

impl BodyReader {
    fn add(&mut self, statement: Statement) -> usize {
        let number = self.body.statements.len();
        self.body.statements.push(statement);
        self.body.blocks[self.block].push(number);
        number
    }

    /// Begins an alternative of the selection that was opened last.
    fn alternative(&mut self, guard: Guard) {
        let block = self.body.blocks.len();
        self.body.blocks.push(Vec::new());
        let Some(open) = self.open.last() else { return };
        let statement = &mut self.body.statements[open.statement];
        if let Action::Select { alternatives, .. } = &mut statement.action {
            alternatives.push(Alternative { guard, block });
        }
        self.block = block;
    }
}

impl Parser<'_> {
    /// The statements up to the `END` that belongs to none of them.
    pub(super) fn body(&mut self) -> Result<Body> {
        let body = Body { statements: Vec::new(), blocks: vec![Vec::new()] };
        let mut reader = BodyReader { body, open: Vec::new(), block: 0 };
        loop {
            match self.peek().kind {
                TokenKind::Fixed(token!["IF" "DO"]) => {
                    self.selection(&mut reader)?;
                    continue;
                }
                TokenKind::Name | TokenKind::Fixed(token!["SKIP"]) => {
                    let statement = self.simple()?;
                    reader.add(statement);
                }
                _ => (),
            }
            if !self.behind_statement(&mut reader)? {
                return Ok(reader.body);
            }
        }
    }

    /// Goes on to where a statement may begin. Nothing if the body ends here.
    fn behind_statement(&mut self, reader: &mut BodyReader) -> Result<bool> {
        loop {
            if self.take(token![";"]) {
                return Ok(true);
            }
            let Some(open) = reader.open.last() else {
                let is_end = self.is(token!["END"]);
                return is_end
                    .then_some(false)
                    .ok_or_else(|| self.expected("a statement, `;` or `END`"));
            };
            if self.take(token!["[]"]) {
                let guard = self.guard()?;
                reader.alternative(guard);
                return Ok(true);
            }
            match self.peek().kind {
                TokenKind::Fixed(token!["END"]) => (),
                TokenKind::End => {
                    return fail(open.keyword, "this has no `END`");
                }
                _ => return Err(self.expected("a statement, `;`, `[]` or `END`")),
            }
            self.advance();
            let start = open.keyword.start;
            reader.body.statements[open.statement].span = self.span_from(start);
            reader.block = open.block;
            reader.open.pop();
        }
    }

    /// `IF guard ->` or `DO guard ->`
    fn selection(&mut self, reader: &mut BodyReader) -> Result<()> {
        let token = self.advance();
        let is_repeated = token.kind == TokenKind::Fixed(token!["DO"]);
        let action = Action::Select { is_repeated, alternatives: Vec::new() };
        let block = reader.block;
        let statement = reader.add(Statement { action, span: token.span });
        reader.open.push(OpenSelection { statement, block, keyword: token.span });
        let guard = self.guard()?;
        reader.alternative(guard);
        Ok(())
    }

    /// `condition ->`, `communication ->` or both, joined by `&`.
    fn guard(&mut self) -> Result<Guard> {
        let start = self.span().start;
        let mut guard = Guard { condition: None, communication: None, span: self.span() };
        if self.communication_follows(0) {
            guard.communication = Some(self.communication()?);
        } else {
            guard.condition = Some(self.expression()?);
            if self.take(token!["&"]) {
                guard.communication = Some(self.communication()?);
            }
        }
        guard.span = self.span_from(start);
        self.require(token!["->"], " behind the guard")?;
        Ok(guard)
    }

    /// A statement without statements inside.
    fn simple(&mut self) -> Result<Statement> {
        let start = self.span().start;
        let action = if self.take(token!["SKIP"]) {
            Action::Skip
        } else if self.communication_follows(0) {
            Action::Communicate(self.communication()?)
        } else {
            let place = self.designator("a statement")?;
            if place.index.is_none() && self.take(token!["("]) {
                let mut arguments = Vec::new();
                if !self.take(token![")"]) {
                    arguments = self.list(Self::expression)?;
                    self.require(token![")"], " or `,`")?;
                }
                Action::Activate(place.name, arguments)
            } else {
                if self.is(token!["="]) {
                    let message = "assignment is `:=`; `=` compares";
                    return Err(SourceError::new(self.span(), message));
                }
                self.require(token![":="], ", `!` or `?`")?;
                Action::Assign(place, self.expression()?)
            }
        };
        Ok(Statement { action, span: self.span_from(start) })
    }

    fn communication(&mut self) -> Result<Communication> {
        let start = self.span().start;
        let channel = self.designator("the name of a channel")?;
        let is_send = self.take(token!["!"]);
        if !is_send {
            self.require(token!["?"], " or `!`")?;
        }
        let head = self.expression()?;
        let mut values = None;
        if self.take(token!["("]) {
            values = Some(self.list(Self::expression)?);
            self.require(token![")"], " or `,`")?;
        }
        Ok(Communication { channel, is_send, head, values, span: self.span_from(start) })
    }
}
