//! Tokens to statements.
//!
//! Semicolons separate statements; nothing between two of them is no statement.
//! The parser keeps a stack of what is open: nesting is bounded by memory alone.

use super::super::SourceError;
use super::super::program::Span;
use super::ast::{Action, Alternative, Body, Communication, Guard, Statement};
use super::expression::expression;
use super::lex::{Fixed, Kind, token};
use super::parse::Parser;

/// An `IF` or `DO` whose end has not been read.
struct Open {
    /// Its number in [`Body::statements`].
    statement: usize,
    /// The block that it is in.
    block: usize,
    keyword: Span,
}

/// A body in the making.
struct Reader {
    body: Body,
    open: Vec<Open>,
    /// The block that statements are added to.
    block: usize,
}

impl Reader {
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
    pub(super) fn body(&mut self) -> Result<Body, SourceError> {
        let body = Body { statements: Vec::new(), blocks: vec![Vec::new()] };
        let mut reader = Reader { body, open: Vec::new(), block: 0 };
        loop {
            match self.peek().kind {
                Kind::Fixed(token!["IF" "DO"]) => {
                    self.selection(&mut reader)?;
                    continue;
                }
                Kind::Name | Kind::Fixed(token!["SKIP"]) => {
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
    fn behind_statement(&mut self, reader: &mut Reader) -> Result<bool, SourceError> {
        loop {
            if self.take(token![";"]) {
                return Ok(true);
            }
            let Some(open) = reader.open.last() else {
                return match self.peek().kind {
                    Kind::Fixed(token!["END"]) => Ok(false),
                    _ => Err(self.expected("a statement, `;` or `END`")),
                };
            };
            if self.take(token!["[]"]) {
                let guard = self.guard()?;
                reader.alternative(guard);
                return Ok(true);
            }
            match self.peek().kind {
                Kind::Fixed(token!["END"]) => (),
                Kind::End => {
                    return Err(SourceError::new(open.keyword, "this has no `END`"));
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
    fn selection(&mut self, reader: &mut Reader) -> Result<(), SourceError> {
        let token = self.advance();
        let is_repeated = token.kind == Kind::Fixed(token!["DO"]);
        let action = Action::Select { is_repeated, alternatives: Vec::new() };
        let block = reader.block;
        let statement = reader.add(Statement { action, span: token.span });
        reader.open.push(Open { statement, block, keyword: token.span });
        let guard = self.guard()?;
        reader.alternative(guard);
        Ok(())
    }

    /// `condition ->`, `communication ->` or both, joined by `&`.
    fn guard(&mut self) -> Result<Guard, SourceError> {
        let start = self.span().start;
        let mut guard = Guard { condition: None, communication: None, span: self.span() };
        if self.communication_follows(0) {
            guard.communication = Some(self.communication()?);
        } else {
            guard.condition = Some(expression(self)?);
            if self.take(token!["&"]) {
                guard.communication = Some(self.communication()?);
            }
        }
        guard.span = self.span_from(start);
        self.require(token!["->"], " behind the guard")?;
        Ok(guard)
    }

    /// A statement without statements inside.
    fn simple(&mut self) -> Result<Statement, SourceError> {
        let start = self.span().start;
        let action = if self.take(token!["SKIP"]) {
            Action::Skip
        } else if self.communication_follows(0) {
            Action::Communicate(self.communication()?)
        } else {
            let place = self.place("a statement")?;
            if place.index.is_none() && self.take(token!["("]) {
                let mut arguments = Vec::new();
                if !self.take(token![")"]) {
                    arguments = self.list(expression)?;
                    self.require(token![")"], " or `,`")?;
                }
                Action::Activate(place.name, arguments)
            } else {
                if self.peek().kind == Kind::Fixed(token!["="]) {
                    let message = "assignment is `:=`; `=` compares";
                    return Err(SourceError::new(self.span(), message));
                }
                self.require(token![":="], ", `!` or `?`")?;
                Action::Assign(place, expression(self)?)
            }
        };
        Ok(Statement { action, span: self.span_from(start) })
    }

    fn communication(&mut self) -> Result<Communication, SourceError> {
        let start = self.span().start;
        let channel = self.place("the name of a channel")?;
        let is_send = self.take(token!["!"]);
        if !is_send {
            self.require(token!["?"], " or `!`")?;
        }
        let head = expression(self)?;
        let mut values = None;
        if self.take(token!["("]) {
            values = Some(self.list(expression)?);
            self.require(token![")"], " or `,`")?;
        }
        Ok(Communication { channel, is_send, head, values, span: self.span_from(start) })
    }
}
