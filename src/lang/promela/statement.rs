//! Tokens to statements.
//!
//! What is nested (options, blocks, loops) waits on a stack for its end.

use super::super::program::Span;
use super::super::source::Statement as Shown;
use super::ast::{Expression, ExpressionId, Name, Statement, StatementId};
use super::expression::expression;
use super::lex::TokenKind;
use super::parse::Parser;
use super::{SourceError, error};
use std::sync::Arc;

/// A statement whose end has not been read.
struct OpenStatement {
    /// The statement without what is inside of it; nothing for the body of a process.
    statement: Option<Statement>,
    labels: Vec<Name>,
    start: Span,
    /// What runs show of it, and the texts of its expressions, if it is a `for`.
    shown: Vec<Arc<Shown>>,
    parts: Vec<String>,
    /// The options, and the sequence that is being read.
    options: Vec<Vec<StatementId>>,
    sequence: Vec<StatementId>,
}

/// What a statement turns out to be.
enum Begun {
    Whole(Statement),
    /// What is inside of it follows.
    Nested(Statement),
}

impl Parser<'_> {
    /// `{ … }`
    pub(super) fn body(&mut self) -> Result<Vec<StatementId>, SourceError> {
        let start = self.peek().place;
        self.require("{")?;
        let mut open = vec![OpenStatement::new(None, Vec::new(), start)];
        loop {
            let top = open.last_mut().expect("the body is open");
            if top.is_complete() {
                let finished = open.pop().expect("there is one");
                self.finish(finished, &mut open)?;
                continue;
            }
            while self.take(";") || self.take("->") {}
            let top = open.last_mut().expect("the body is open");
            if self.ends(top)? {
                let finished = open.pop().expect("there is one");
                if finished.statement.is_none() {
                    return Ok(finished.sequence);
                }
                self.finish(finished, &mut open)?;
                continue;
            }
            self.begin(&mut open)?;
        }
    }

    /// Whether what is open ends here. Also begins the options of `if` and `do`.
    fn ends(&mut self, top: &mut OpenStatement) -> Result<bool, SourceError> {
        let (closing, has_options) = match top.statement {
            Some(Statement::If(_)) => ("fi", true),
            Some(Statement::Do(_)) => ("od", true),
            Some(Statement::Unless(..)) => return Ok(false),
            _ => ("}", false),
        };
        if has_options && self.is("::") {
            let place = self.advance().place;
            if !top.options.is_empty() && top.sequence.is_empty() {
                return error(place, "the option before this is empty");
            }
            top.end_option();
            top.options.push(Vec::new());
            return self.ends(top);
        }
        if has_options && top.options.is_empty() {
            return Err(self.expected("`::`"));
        }
        if !self.take(closing) {
            return Ok(false);
        }
        if top.sequence.is_empty() && top.statement.is_some() {
            let place = self.since(top.start);
            return error(place, "expected a statement before this ends");
        }
        top.end_option();
        Ok(true)
    }

    /// Reads a statement, or the beginning of one.
    fn begin(&mut self, open: &mut Vec<OpenStatement>) -> Result<(), SourceError> {
        let mut labels = Vec::new();
        while self.begins_label() {
            labels.push(self.name("a label")?);
            self.advance();
        }
        let (start, first) = (self.peek().place, self.at);
        // A label at the end of a block belongs to a statement that does
        // nothing.
        if !labels.is_empty()
            && matches!(self.peek().kind, TokenKind::Fixed("}" | "fi" | "od" | "::"))
        {
            let place = self.peek().place;
            let skip = self.add(Expression::Number(1), place);
            let shown = self.shown_as(first - 1, "skip");
            let statement = self.push(labels, Statement::Expression(skip), start, vec![shown]);
            return self.attach(statement, open);
        }
        match self.begun()? {
            Begun::Whole(statement) => {
                let shown = match statement {
                    Statement::Declare(_) => std::mem::take(&mut self.declared),
                    _ => vec![self.shown_since(first)],
                };
                let statement = self.push(labels, statement, start, shown);
                self.attach(statement, open)
            }
            Begun::Nested(statement) => {
                let is_for = matches!(statement, Statement::For { .. } | Statement::ForIn { .. });
                let mut new = OpenStatement::new(Some(statement), labels, start);
                if is_for {
                    new.shown = vec![self.shown_since(first)];
                    new.parts = std::mem::take(&mut self.parts);
                }
                open.push(new);
                Ok(())
            }
        }
    }

    /// Makes a statement part of what is open, and looks for `unless` and for
    /// what separates it from the next one.
    fn attach(
        &mut self,
        statement: StatementId,
        open: &mut Vec<OpenStatement>,
    ) -> Result<(), SourceError> {
        if self.is("unless") {
            let start = self.module.statements[statement].place;
            self.advance();
            let unless = Some(Statement::Unless(statement, statement));
            open.push(OpenStatement::new(unless, Vec::new(), start));
            return Ok(());
        }
        let top = open.last_mut().expect("the body is open");
        top.sequence.push(statement);
        if let Some(Statement::Unless(..)) = top.statement {
            return Ok(());
        }
        // What has statements inside ends with a bracket of its own.
        let is_nested = !self.module.statements[statement].statement.inside().is_empty();
        let is_separated =
            matches!(self.peek().kind, TokenKind::Fixed(";" | "->" | "}" | "fi" | "od" | "::"));
        // As in Spin, the end of a line separates, too.
        if !is_nested && !is_separated && !self.begins_line() {
            return Err(self.expected("an operator, `;` or `->`"));
        }
        Ok(())
    }

    fn finish(
        &mut self,
        finished: OpenStatement,
        open: &mut Vec<OpenStatement>,
    ) -> Result<(), SourceError> {
        let OpenStatement { statement, labels, start, mut shown, parts, options, sequence } =
            finished;
        let mut statement = statement.expect("the body of a process is no statement");
        match &mut statement {
            Statement::Unless(_, escape) => *escape = sequence[0],
            Statement::If(inside) => *inside = options,
            Statement::Do(inside) => {
                // A process may rest behind a loop that it has left.
                shown = vec![self.shown_as(self.at - 1, "break")];
                *inside = options;
            }
            Statement::Atomic(body)
            | Statement::Step(body)
            | Statement::Block(body)
            | Statement::For { body, .. }
            | Statement::ForIn { body, .. } => *body = sequence,
            _ => (),
        }
        self.parts = parts;
        let statement = self.push(labels, statement, start, shown);
        self.attach(statement, open)
    }

    fn begun(&mut self) -> Result<Begun, SourceError> {
        if self.begins_declaration() {
            return self.declaration().map(Statement::Declare).map(Begun::Whole);
        }
        let TokenKind::Fixed(word) = self.peek().kind else {
            return self.simple().map(Begun::Whole);
        };
        let statement = match word {
            "atomic" => Statement::Atomic(Vec::new()),
            "d_step" => Statement::Step(Vec::new()),
            "{" => Statement::Block(Vec::new()),
            "if" => Statement::If(Vec::new()),
            "do" => Statement::Do(Vec::new()),
            "for" => return self.for_loop().map(Begun::Nested),
            "c_code" => return Err(self.refuse_c()),
            _ => return self.keyword(word).map(Begun::Whole),
        };
        self.advance();
        if matches!(word, "atomic" | "d_step") {
            self.require("{")?;
        }
        Ok(Begun::Nested(statement))
    }

    /// `for (x : low .. high) {` or `for (x in array) {`
    fn for_loop(&mut self) -> Result<Statement, SourceError> {
        self.advance();
        self.require("(")?;
        self.parts.clear();
        let variable = self.part()?;
        let body = Vec::new();
        let statement = if self.take_name("in") {
            Statement::ForIn { variable, array: self.part()?, body }
        } else {
            let [low, high] = self.range()?;
            Statement::For { variable, low, high, body }
        };
        self.require(")")?;
        while self.take("->") || self.take(";") {}
        self.require("{")?;
        Ok(statement)
    }

    /// `: low .. high`
    fn range(&mut self) -> Result<[ExpressionId; 2], SourceError> {
        self.require(":")?;
        let low = self.part()?;
        self.require("..")?;
        Ok([low, self.part()?])
    }

    /// A statement that begins with a keyword.
    fn keyword(&mut self, word: &'static str) -> Result<Statement, SourceError> {
        if !STATEMENTS.contains(&word) {
            return self.simple();
        }
        self.advance();
        let parentheses = ["(", ")"];
        match word {
            "goto" => Ok(Statement::Goto(self.name("a label")?)),
            "break" => Ok(Statement::Break),
            "else" => Ok(Statement::Else),
            "assert" => expression(self).map(Statement::Assert),
            "printf" => self.enclosed(parentheses, |parser| {
                let format = parser.text_token()?;
                let more = parser.take(",").then(|| parser.list(expression)).transpose()?;
                Ok(Statement::Print { format, arguments: more.unwrap_or_default() })
            }),
            "printm" => self.enclosed(parentheses, expression).map(Statement::PrintSymbol),
            "set_priority" => self.enclosed(parentheses, |parser| {
                let process = expression(parser)?;
                parser.require(",")?;
                Ok(Statement::SetPriority(process, expression(parser)?))
            }),
            "select" => self.enclosed(parentheses, |parser| {
                parser.parts.clear();
                let variable = parser.part()?;
                let [low, high] = parser.range()?;
                Ok(Statement::Select { variable, low, high })
            }),
            _ => {
                let channels = self.list(expression)?;
                Ok(Statement::Promise { sends: word == "xs", channels })
            }
        }
    }

    /// A statement that begins with an expression.
    fn simple(&mut self) -> Result<Statement, SourceError> {
        let first = expression(self)?;
        let is_reference = matches!(self.module.expressions[first].0, Expression::Reference(_));
        let TokenKind::Fixed(word @ ("=" | "++" | "--" | "!" | "!!" | "?" | "??")) =
            self.peek().kind
        else {
            return Ok(Statement::Expression(first));
        };
        if !is_reference {
            return Ok(Statement::Expression(first));
        }
        self.advance();
        Ok(match word {
            "=" => Statement::Assign(first, expression(self)?),
            "++" | "--" => Statement::Increment(first, if word == "++" { 1 } else { -1 }),
            "!" | "!!" => {
                let arguments = self.fields()?;
                Statement::Send { channel: first, sorted: word == "!!", arguments }
            }
            _ => {
                let keeps = self.take("<");
                let arguments = if keeps { self.fields_in_angles()? } else { self.fields()? };
                Statement::Receive { channel: first, anywhere: word == "??", keeps, arguments }
            }
        })
    }
}

impl OpenStatement {
    fn new(statement: Option<Statement>, labels: Vec<Name>, start: Span) -> Self {
        let (shown, parts, options, sequence) = (vec![], vec![], vec![], vec![]);
        Self { statement, labels, start, shown, parts, options, sequence }
    }

    /// What is behind `unless` is one statement.
    fn is_complete(&self) -> bool {
        matches!(self.statement, Some(Statement::Unless(..))) && !self.sequence.is_empty()
    }

    /// The sequence so far is the last option, if there are options.
    fn end_option(&mut self) {
        if let Some(last) = self.options.last_mut() {
            *last = std::mem::take(&mut self.sequence);
        }
    }
}

/// Keywords that begin statements which are not nested.
const STATEMENTS: &[&str] =
    &["goto", "break", "else", "assert", "printf", "printm", "set_priority", "select", "xr", "xs"];
