//! Tokens to statements.
//!
//! What is nested (options, blocks, loops) waits on a stack for its end.

use super::super::SourceError;
use super::super::program::Span;
use super::super::source::Statement as Shown;
use super::ast::{Expression, ExpressionId, Name, Statement, StatementId};
use super::expression::expression;
use super::lex::Kind;
use super::parse::Parser;
use std::sync::Arc;

/// A statement whose end has not been read.
struct Open {
    kind: OpenKind,
    labels: Vec<Name>,
    start: Span,
    /// What runs show of it, and the texts of its expressions, if it is a `for`.
    shown: Vec<Arc<Shown>>,
    parts: Vec<String>,
    /// Finished options, and the sequence at hand.
    options: Vec<Vec<StatementId>>,
    sequence: Vec<StatementId>,
}

enum OpenKind {
    /// The body of a process.
    Body,
    Block,
    Atomic,
    Step,
    If,
    Do,
    For {
        variable: ExpressionId,
        low: ExpressionId,
        high: ExpressionId,
    },
    ForIn {
        variable: ExpressionId,
        array: ExpressionId,
    },
    /// The statement behind `unless`.
    Unless(StatementId),
}

/// What a statement turns out to be.
enum Begun {
    Whole(Statement),
    Nested(OpenKind),
}

impl Parser<'_> {
    /// `{ … }`
    pub(super) fn body(&mut self) -> Result<Vec<StatementId>, SourceError> {
        let start = self.peek().place;
        self.require("{")?;
        let mut open = vec![Open::new(OpenKind::Body, Vec::new(), start)];
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
                if matches!(finished.kind, OpenKind::Body) {
                    return Ok(finished.sequence);
                }
                self.finish(finished, &mut open)?;
                continue;
            }
            self.begin(&mut open)?;
        }
    }

    /// Whether what is open ends here. Also begins the options of `if` and `do`.
    fn ends(&mut self, top: &mut Open) -> Result<bool, SourceError> {
        let closing = match top.kind {
            OpenKind::If => "fi",
            OpenKind::Do => "od",
            OpenKind::Unless(_) => return Ok(false),
            _ => "}",
        };
        let has_options = matches!(top.kind, OpenKind::If | OpenKind::Do);
        if has_options && self.is("::") {
            let place = self.advance().place;
            if !top.options.is_empty() && top.sequence.is_empty() {
                return Err(SourceError::new(place, "the option before this is empty"));
            }
            if top.options.is_empty() {
                top.options.push(Vec::new());
            } else {
                top.next_option();
            }
            return self.ends(top);
        }
        if has_options && top.options.is_empty() {
            return Err(self.expected("`::`"));
        }
        if !self.take(closing) {
            return Ok(false);
        }
        if top.sequence.is_empty() && !matches!(top.kind, OpenKind::Body) {
            let place = self.since(top.start);
            return Err(SourceError::new(place, "expected a statement before this ends"));
        }
        Ok(true)
    }

    /// Reads a statement, or the beginning of one.
    fn begin(&mut self, open: &mut Vec<Open>) -> Result<(), SourceError> {
        let mut labels = Vec::new();
        while self.begins_label() {
            labels.push(self.name("a label")?);
            self.advance();
        }
        let (start, first) = (self.peek().place, self.at);
        // A label at the end of a block belongs to a statement that does
        // nothing.
        if !labels.is_empty() && matches!(self.peek().kind, Kind::Fixed("}" | "fi" | "od" | "::")) {
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
            Begun::Nested(kind) => {
                let mut new = Open::new(kind, labels, start);
                if let OpenKind::For { .. } | OpenKind::ForIn { .. } = new.kind {
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
    fn attach(&mut self, statement: StatementId, open: &mut Vec<Open>) -> Result<(), SourceError> {
        if self.is("unless") {
            let start = self.module.statements[statement].place;
            self.advance();
            open.push(Open::new(OpenKind::Unless(statement), Vec::new(), start));
            return Ok(());
        }
        let top = open.last_mut().expect("the body is open");
        top.sequence.push(statement);
        if matches!(top.kind, OpenKind::Unless(_)) {
            return Ok(());
        }
        let needs_separator = !matches!(
            self.module.statements[statement].statement,
            Statement::If(_)
                | Statement::Do(_)
                | Statement::Atomic(_)
                | Statement::Step(_)
                | Statement::Block(_)
                | Statement::For { .. }
                | Statement::ForIn { .. }
                | Statement::Unless(..)
        );
        let is_separated =
            matches!(self.peek().kind, Kind::Fixed(";" | "->" | "}" | "fi" | "od" | "::"));
        // As in Spin, the end of a line separates, too.
        if needs_separator && !is_separated && !self.begins_line() {
            return Err(self.expected("an operator, `;` or `->`"));
        }
        Ok(())
    }

    fn finish(&mut self, finished: Open, open: &mut Vec<Open>) -> Result<(), SourceError> {
        let Open { kind, labels, start, mut shown, parts, mut options, sequence } = finished;
        let statement = match kind {
            OpenKind::If | OpenKind::Do => {
                let last = options.len() - 1;
                options[last] = sequence;
                let is_if = matches!(kind, OpenKind::If);
                if !is_if {
                    // A process may rest behind a loop that it has left.
                    shown = vec![self.shown_as(self.at - 1, "break")];
                }
                if is_if { Statement::If(options) } else { Statement::Do(options) }
            }
            OpenKind::Atomic => Statement::Atomic(sequence),
            OpenKind::Step => Statement::Step(sequence),
            OpenKind::For { variable, low, high } => {
                Statement::For { variable, low, high, body: sequence }
            }
            OpenKind::ForIn { variable, array } => {
                Statement::ForIn { variable, array, body: sequence }
            }
            OpenKind::Unless(main) => Statement::Unless(main, sequence[0]),
            OpenKind::Block | OpenKind::Body => Statement::Block(sequence),
        };
        self.parts = parts;
        let statement = self.push(labels, statement, start, shown);
        self.attach(statement, open)
    }

    fn begun(&mut self) -> Result<Begun, SourceError> {
        let Kind::Fixed(word) = self.peek().kind else {
            if self.begins_declaration() {
                return Ok(Begun::Whole(Statement::Declare(self.declaration()?)));
            }
            return Ok(Begun::Whole(self.simple()?));
        };
        let block = match word {
            "atomic" => Some(OpenKind::Atomic),
            "d_step" => Some(OpenKind::Step),
            "{" => Some(OpenKind::Block),
            _ => None,
        };
        if let Some(kind) = block {
            if word != "{" {
                self.advance();
            }
            self.require("{")?;
            return Ok(Begun::Nested(kind));
        }
        match word {
            "if" | "do" => {
                self.advance();
                Ok(Begun::Nested(if word == "if" { OpenKind::If } else { OpenKind::Do }))
            }
            "for" => self.for_loop().map(Begun::Nested),
            "c_code" => Err(self.refuse_c()),
            _ if self.begins_declaration() => {
                Ok(Begun::Whole(Statement::Declare(self.declaration()?)))
            }
            _ => self.keyword(word).map(Begun::Whole),
        }
    }

    /// `for (x : low .. high) {` or `for (x in array) {`
    fn for_loop(&mut self) -> Result<OpenKind, SourceError> {
        self.advance();
        self.require("(")?;
        self.parts.clear();
        let variable = self.part()?;
        let kind = if self.take_name("in") {
            OpenKind::ForIn { variable, array: self.part()? }
        } else {
            self.require(":")?;
            let low = self.part()?;
            self.require("..")?;
            OpenKind::For { variable, low, high: self.part()? }
        };
        self.require(")")?;
        while self.take("->") || self.take(";") {}
        self.require("{")?;
        Ok(kind)
    }

    /// A statement that begins with a keyword.
    fn keyword(&mut self, word: &'static str) -> Result<Statement, SourceError> {
        match word {
            "goto" => {
                self.advance();
                Ok(Statement::Goto(self.name("a label")?))
            }
            "break" | "else" => {
                self.advance();
                Ok(if word == "break" { Statement::Break } else { Statement::Else })
            }
            "assert" => {
                self.advance();
                Ok(Statement::Assert(expression(self)?))
            }
            "printf" => {
                self.advance();
                self.require("(")?;
                let format = self.text_token()?;
                let mut arguments = Vec::new();
                while self.take(",") {
                    arguments.push(expression(self)?);
                }
                self.require(")")?;
                Ok(Statement::Print { format, arguments })
            }
            "printm" => {
                self.advance();
                self.require("(")?;
                let symbol = expression(self)?;
                self.require(")")?;
                Ok(Statement::PrintSymbol(symbol))
            }
            "set_priority" => {
                self.advance();
                self.require("(")?;
                let process = expression(self)?;
                self.require(",")?;
                let priority = expression(self)?;
                self.require(")")?;
                Ok(Statement::SetPriority(process, priority))
            }
            "select" => self.select(),
            "xr" | "xs" => {
                self.advance();
                let mut channels = vec![expression(self)?];
                while self.take(",") {
                    channels.push(expression(self)?);
                }
                Ok(Statement::Promise { sends: word == "xs", channels })
            }
            _ => self.simple(),
        }
    }

    /// `select (x : low .. high)`
    fn select(&mut self) -> Result<Statement, SourceError> {
        self.advance();
        self.require("(")?;
        self.parts.clear();
        let variable = self.part()?;
        self.require(":")?;
        let low = self.part()?;
        self.require("..")?;
        let high = self.part()?;
        self.require(")")?;
        Ok(Statement::Select { variable, low, high })
    }

    /// A statement that begins with an expression.
    fn simple(&mut self) -> Result<Statement, SourceError> {
        let first = expression(self)?;
        let is_reference = matches!(self.module.expressions[first].0, Expression::Reference(_));
        let Kind::Fixed(word) = self.peek().kind else {
            return Ok(Statement::Expression(first));
        };
        if !is_reference {
            return Ok(Statement::Expression(first));
        }
        match word {
            "=" => {
                self.advance();
                Ok(Statement::Assign(first, expression(self)?))
            }
            "++" | "--" => {
                self.advance();
                Ok(Statement::Increment(first, if word == "++" { 1 } else { -1 }))
            }
            "!" | "!!" => {
                self.advance();
                let arguments = self.fields()?;
                Ok(Statement::Send { channel: first, sorted: word == "!!", arguments })
            }
            "?" | "??" => {
                self.advance();
                let keeps = self.take("<");
                let arguments = if keeps { self.fields_in_angles()? } else { self.fields()? };
                Ok(Statement::Receive { channel: first, anywhere: word == "??", keeps, arguments })
            }
            _ => Ok(Statement::Expression(first)),
        }
    }
}

impl Open {
    fn new(kind: OpenKind, labels: Vec<Name>, start: Span) -> Self {
        let (shown, parts, options, sequence) = (vec![], vec![], vec![], vec![]);
        Self { kind, labels, start, shown, parts, options, sequence }
    }

    /// What is behind `unless` is one statement.
    fn is_complete(&self) -> bool {
        matches!(self.kind, OpenKind::Unless(_)) && !self.sequence.is_empty()
    }

    fn next_option(&mut self) {
        let last = self.options.len() - 1;
        self.options[last] = std::mem::take(&mut self.sequence);
        self.options.push(Vec::new());
    }
}
