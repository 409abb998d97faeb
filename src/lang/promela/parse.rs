//! Tokens to a [`Module`].
//!
//! `;` and `->` separate statements, and what ends with a brace, `fi` or `od`
//! needs no separator behind it. Nested statements wait on a stack.

use super::super::program::Span;
use super::super::source::Statement as Shown;
use super::super::suggest::misspelt;
use super::ast::{
    Active, Declaration, Expression, ExpressionId, Expressions, Initial, Labelled, Module, Name,
    Process, Property, Statement, StatementId, Type,
};
use super::expression::expression;
use super::lex::{KEYWORDS, Token, TokenKind};
use super::needs::Needs;
use super::preprocess::Preprocessed;
use super::priority::PRIORITY;
use super::words::Origin;
use super::{SourceError, error};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A place in the tokens of a model.
pub(super) struct Parser<'a> {
    text: &'a str,
    pub(super) tokens: &'a [Token],
    pub(super) at: usize,
    pub(super) module: Module,
    /// The names of all process types: a colon behind one of them leads to one of its
    /// variables.
    processes: &'a BTreeSet<String>,
    /// Whether `>` ends an expression.
    in_angles: bool,
    /// Where texts come from: the uses of macros, and the files with their lines.
    pub(super) origin: Origin<'a>,
    /// What runs show of the variables that were declared last.
    pub(super) declared: Vec<Arc<Shown>>,
    /// The texts of the expressions of the last `for` or `select`.
    pub(super) parts: Vec<String>,
}

/// Reads an expression that is the whole text.
pub(super) fn proposition(
    source: &Preprocessed,
    processes: &BTreeSet<String>,
) -> Result<(Expressions, ExpressionId), SourceError> {
    let mut parser = Parser::new(source, Module::default(), processes);
    let id = expression(&mut parser)?;
    if parser.peek().kind != TokenKind::End {
        return Err(parser.expected("an operator or the end"));
    }
    Ok((parser.module.expressions, id))
}

/// The names of all process types.
pub(super) fn processes(source: &Preprocessed) -> BTreeSet<String> {
    let is_type = |pair: &&[Token]| {
        matches!(pair[0].kind, TokenKind::Fixed("proctype" | "D_proctype"))
            && pair[1].kind == TokenKind::Name
    };
    let types = source.tokens.windows(2).filter(is_type);
    types.map(|pair| source.text[pair[1].text.start..pair[1].text.end].to_owned()).collect()
}

/// Reads a whole model.
pub(super) fn module(
    source: &Preprocessed,
    processes: &BTreeSet<String>,
) -> Result<Module, SourceError> {
    let tokens = &*source.tokens;
    let word = |token: &Token| source.text[token.text.start..token.text.end].to_owned();
    let needs = Needs::of_model(source, processes);
    let mut of_priorities = tokens.iter().filter(|token| match token.kind {
        TokenKind::Fixed(word) => matches!(word, "priority" | "set_priority" | "get_priority"),
        TokenKind::Name => word(token) == PRIORITY,
        _ => false,
    });
    let priorities = of_priorities.next().map(|token| token.place);
    let module = Module { needs, priorities, ..Module::default() };
    Parser::new(source, module, processes).module()
}

impl<'a> Parser<'a> {
    fn new(source: &'a Preprocessed, module: Module, processes: &'a BTreeSet<String>) -> Self {
        Self {
            text: &source.text,
            tokens: &source.tokens,
            at: 0,
            module,
            processes,
            in_angles: false,
            origin: Origin::new(source),
            declared: Vec::new(),
            parts: Vec::new(),
        }
    }

    pub(super) fn peek(&self) -> Token {
        // The last token is the end, and nothing advances behind it.
        self.tokens[self.at]
    }

    fn peek_second(&self) -> Token {
        self.tokens[(self.at + 1).min(self.tokens.len() - 1)]
    }

    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::End {
            self.at += 1;
        }
        token
    }

    /// From the beginning of `start` to the end of the token before this one.
    pub(super) fn since(&self, start: Span) -> Span {
        let end = self.at.checked_sub(1).map_or(start.end, |last| self.tokens[last].place.end);
        Span { start: start.start, end: end.max(start.end) }
    }

    pub(super) fn word(&self, token: Token) -> &'a str {
        &self.text[token.text.start..token.text.end]
    }

    pub(super) fn expected(&self, what: &str) -> SourceError {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", self.word(token)),
        };
        // The most frequent slip of all.
        let is_slip = token.kind == TokenKind::Fixed("=");
        let advice = if is_slip { "; comparison is `==`".to_owned() } else { self.misspelt() };
        SourceError::new(token.place, format!("expected {what}, found {found}{advice}"))
    }

    /// The reserved word that may be meant by the name here, or by the one before.
    fn misspelt(&self) -> String {
        let name = |token: Option<&Token>| match token {
            Some(&token) if token.kind == TokenKind::Name => self.word(token),
            _ => "",
        };
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        misspelt(name(self.tokens.get(self.at)), name(before), KEYWORDS.iter().copied())
    }

    pub(super) fn refuse_c(&self) -> SourceError {
        let word = self.word(self.peek());
        let message = format!("`{word}` is C code, which only Spin can run");
        SourceError::new(self.peek().place, message)
    }

    pub(super) fn is(&self, fixed: &'static str) -> bool {
        self.peek().kind == TokenKind::Fixed(fixed)
    }

    /// Whether the token is this keyword or punctuation; it is then behind us.
    pub(super) fn take(&mut self, fixed: &'static str) -> bool {
        let found = self.is(fixed);
        self.at += usize::from(found);
        found
    }

    pub(super) fn require(&mut self, fixed: &'static str) -> Result<(), SourceError> {
        if self.take(fixed) { Ok(()) } else { Err(self.expected(&format!("`{fixed}`"))) }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name, SourceError> {
        let token = self.peek();
        if token.kind != TokenKind::Name {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(Name { text: self.word(token).to_owned(), place: token.place })
    }

    /// Whether the token is this name, which is a keyword here and nowhere else;
    /// it is then behind us.
    pub(super) fn take_name(&mut self, name: &str) -> bool {
        let found = self.peek().kind == TokenKind::Name && self.word(self.peek()) == name;
        self.at += usize::from(found);
        found
    }

    /// Whether the token is on another line than the one before.
    pub(super) fn begins_line(&self) -> bool {
        let Some(before) = self.at.checked_sub(1) else { return true };
        let (before, here) = (self.tokens[before].place.end, self.peek().place.start);
        self.text.get(before..here).is_none_or(|between| between.contains('\n'))
    }

    pub(super) fn is_process(&self, name: &str) -> bool {
        self.processes.contains(name)
    }

    /// Whether `q?[` or `q??[` goes on here, and if so, whether it is the latter.
    pub(super) fn begins_poll(&self) -> Option<bool> {
        let anywhere = match self.peek().kind {
            TokenKind::Fixed("?") => false,
            TokenKind::Fixed("??") => true,
            _ => return None,
        };
        (self.peek_second().kind == TokenKind::Fixed("[")).then_some(anywhere)
    }

    /// Whether `word` is no operator here but the end of `q?<a, b>`.
    pub(super) fn ends_before_operator(&self, word: &str, in_bracket: bool) -> bool {
        self.in_angles && word == ">" && !in_bracket
    }

    pub(super) fn add(&mut self, expression: Expression, place: Span) -> ExpressionId {
        self.module.expressions.push((expression, place))
    }

    pub(super) fn place(&self, expression: ExpressionId) -> Span {
        self.module.expressions[expression].1
    }

    /// A number, a name or an expression in parentheses.
    pub(super) fn constant(&mut self) -> Result<ExpressionId, SourceError> {
        let token = self.peek();
        match token.kind {
            TokenKind::Number(value) => {
                self.advance();
                Ok(self.add(Expression::Number(value), token.place))
            }
            _ => expression(self),
        }
    }

    /// `open item close`
    pub(super) fn enclosed<T>(
        &mut self,
        [open, close]: [&'static str; 2],
        item: impl FnOnce(&mut Self) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        self.require(open)?;
        let item = item(self)?;
        self.require(close)?;
        Ok(item)
    }

    /// `item, item, …`
    pub(super) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, SourceError>,
    ) -> Result<Vec<T>, SourceError> {
        let mut items = vec![item(self)?];
        while self.take(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn module(mut self) -> Result<Module, SourceError> {
        loop {
            while self.take(";") {}
            match self.peek().kind {
                TokenKind::End => return Ok(self.module),
                TokenKind::Fixed("active" | "proctype" | "D_proctype") => {
                    let process = self.process()?;
                    self.module.processes.push(process);
                }
                TokenKind::Fixed("init") => {
                    let init = self.unnamed_process()?;
                    if let Some(before) = self.module.initial.replace(init) {
                        return error(before.name.place, "there are two `init`");
                    }
                }
                TokenKind::Fixed("never") => {
                    let first = self.module.expressions.len();
                    let claim = self.unnamed_process()?;
                    self.module.claims.push(claim);
                    self.module.of_claims.push((first, self.module.expressions.len()));
                }
                TokenKind::Fixed("typedef") => self.type_definition()?,
                TokenKind::Fixed("mtype") if self.defines_symbols() => self.symbols()?,
                TokenKind::Fixed("ltl") => self.property()?,
                TokenKind::Fixed(word @ ("trace" | "notrace")) => {
                    let trace = self.unnamed_process()?;
                    let place = trace.name.place;
                    if self.module.trace.replace((trace, word == "notrace")).is_some() {
                        return error(place, "there are two trace assertions");
                    }
                }
                TokenKind::Fixed("c_code" | "c_decl" | "c_state" | "c_track") => {
                    return Err(self.refuse_c());
                }
                _ if self.begins_declaration() => {
                    let declared = self.declaration()?;
                    self.module.variables.extend(declared);
                }
                _ => return Err(self.expected("a declaration or a process type")),
            }
        }
    }

    fn process(&mut self) -> Result<Process, SourceError> {
        let start = self.peek().place;
        let mut active = Active::None;
        if self.take("active") {
            active = Active::One;
            if self.is("[") {
                active = Active::Many(self.enclosed(["[", "]"], expression)?);
            }
        }
        let is_deterministic = self.take("D_proctype");
        if !is_deterministic {
            self.require("proctype")?;
        }
        let name = self.name("the name of a process type")?;
        self.require("(")?;
        let parameters = self.declarations(&[";", ","], ")", "a type, `;` or `)`")?;
        let process = self.process_behind(name, start)?;
        Ok(Process { active, parameters, is_deterministic, ..process })
    }

    /// Declarations and separators up to `close`.
    fn declarations(
        &mut self,
        separators: &[&'static str],
        close: &'static str,
        what: &str,
    ) -> Result<Vec<Declaration>, SourceError> {
        let mut declared = Vec::new();
        while !self.take(close) {
            if separators.iter().any(|separator| self.take(separator)) {
                continue;
            }
            if !self.begins_declaration() {
                return Err(self.expected(what));
            }
            declared.extend(self.declaration()?);
        }
        Ok(declared)
    }

    /// What follows the name and the parameters of a process.
    fn process_behind(&mut self, name: Name, start: Span) -> Result<Process, SourceError> {
        let (priority, provided) = self.process_options()?;
        let body = self.body()?;
        let (place, end) = (self.since(start), self.shown(self.at - 1));
        let (active, parameters, is_deterministic) = (Active::One, Vec::new(), false);
        Ok(Process {
            name,
            active,
            parameters,
            priority,
            provided,
            body,
            place,
            end,
            is_deterministic,
        })
    }

    /// `priority n` and `provided (e)`
    fn process_options(
        &mut self,
    ) -> Result<(Option<ExpressionId>, Option<ExpressionId>), SourceError> {
        let (mut priority, mut provided) = (None, None);
        loop {
            if self.take("priority") {
                priority = Some(self.constant()?);
            } else if self.take("provided") {
                provided = Some(self.enclosed(["(", ")"], expression)?);
            } else {
                return Ok((priority, provided));
            }
        }
    }

    /// `init { … }` or `never name { … }`
    fn unnamed_process(&mut self) -> Result<Process, SourceError> {
        let keyword = self.advance();
        let mut name = Name { text: self.word(keyword).to_owned(), place: keyword.place };
        if self.peek().kind == TokenKind::Name {
            name = self.name("a name")?;
        }
        self.process_behind(name, keyword.place)
    }

    fn type_definition(&mut self) -> Result<(), SourceError> {
        self.advance();
        let name = self.name("the name of a type")?;
        self.require("{")?;
        let fields = self.declarations(&[";"], "}", "a field or `}`")?;
        self.module.types.push((name, fields));
        Ok(())
    }

    /// Whether `mtype` declares symbols here, not variables.
    fn defines_symbols(&self) -> bool {
        let mut at = self.at + 1;
        let is = |at: usize, fixed| {
            self.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Fixed(fixed))
        };
        if is(at, ":") {
            at += 2;
        }
        is(at, "{") || (is(at, "=") && is(at + 1, "{"))
    }

    /// The name behind `mtype:`, if there is one.
    fn symbol_set(&mut self) -> Result<Option<Name>, SourceError> {
        self.take(":").then(|| self.name("the name of a set")).transpose()
    }

    /// `mtype = { a, b }` or `mtype:name = { a, b }`
    fn symbols(&mut self) -> Result<(), SourceError> {
        self.advance();
        let set = self.symbol_set()?;
        self.take("=");
        self.require("{")?;
        let mut symbols = Vec::new();
        while !self.take("}") {
            if !self.take(",") {
                symbols.push(self.name("a symbol, `,` or `}`")?);
            }
        }
        self.module.symbols.push((set, symbols));
        Ok(())
    }

    /// `ltl name { … }`: what is inside is read later.
    fn property(&mut self) -> Result<(), SourceError> {
        let start = self.advance().place;
        let is_named = self.peek().kind == TokenKind::Name;
        let name = is_named.then(|| self.name("a name")).transpose()?;
        let closing = if self.take("$") { "$" } else { "}" };
        if closing == "}" {
            self.require("{")?;
        }
        let first = self.at;
        let mut depth = 0;
        loop {
            match self.peek().kind {
                TokenKind::Fixed(word) if word == closing && depth == 0 => break,
                TokenKind::Fixed("{") => depth += 1,
                TokenKind::Fixed("}") => depth -= 1,
                TokenKind::End => return Err(self.expected(&format!("`{closing}`"))),
                _ => (),
            }
            self.advance();
        }
        let tokens = (first, self.at);
        self.advance();
        let place = self.since(start);
        self.module.properties.push(Property { name, tokens, place });
        Ok(())
    }

    /// Whether a declaration of variables begins here.
    pub(super) fn begins_declaration(&self) -> bool {
        match self.peek().kind {
            TokenKind::Fixed(
                "bit" | "bool" | "byte" | "short" | "int" | "unsigned" | "pid" | "chan" | "mtype"
                | "hidden" | "local" | "show",
            ) => true,
            // A type with a name is followed by a name.
            TokenKind::Name => {
                let name = self.word(self.peek());
                self.peek_second().kind == TokenKind::Name
                    && self.module.types.iter().any(|(known, _)| known.text == name)
            }
            _ => false,
        }
    }

    fn type_name(&mut self) -> Result<Type, SourceError> {
        let token = self.peek();
        let simple = match token.kind {
            TokenKind::Fixed("bit") => Type::Bit,
            TokenKind::Fixed("bool") => Type::Bool,
            TokenKind::Fixed("byte") => Type::Byte,
            TokenKind::Fixed("pid") => Type::Pid,
            TokenKind::Fixed("short") => Type::Short,
            TokenKind::Fixed("int") => Type::Int,
            TokenKind::Fixed("chan") => Type::Chan,
            TokenKind::Fixed("mtype") => {
                self.advance();
                return Ok(Type::Mtype(self.symbol_set()?));
            }
            TokenKind::Name => return Ok(Type::Named(self.name("a type")?)),
            _ => return Err(self.expected("a type")),
        };
        self.advance();
        Ok(simple)
    }

    /// `hidden byte a, b[3] = 1`
    pub(super) fn declaration(&mut self) -> Result<Vec<Declaration>, SourceError> {
        let first = self.at;
        self.declared.clear();
        let (mut is_private, mut is_hidden) = (false, false);
        while let TokenKind::Fixed(word @ ("hidden" | "local" | "show")) = self.peek().kind {
            is_private |= word == "local";
            is_hidden |= word == "hidden";
            self.advance();
        }
        let unsigned = self.take("unsigned");
        let common = if unsigned { Type::Byte } else { self.type_name()? };
        let behind_type = self.at;
        self.list(|parser| {
            let begin = parser.at;
            let name = parser.name("the name of a variable")?;
            if is_private {
                parser.module.private.push(name.text.clone());
            }
            if is_hidden {
                parser.module.hidden.push(name.text.clone());
            }
            let mut of_type = common.clone();
            if unsigned {
                parser.require(":")?;
                of_type = Type::Unsigned(parser.constant()?);
            }
            let has_len = parser.is("[");
            let len = has_len.then(|| parser.enclosed(["[", "]"], expression)).transpose()?;
            let initial = parser.take("=").then(|| parser.initial()).transpose()?;
            let shown = parser.shown_declaration(first..behind_type, begin);
            parser.declared.push(shown);
            Ok(Declaration { name, of_type, len, initial })
        })
    }

    fn initial(&mut self) -> Result<Initial, SourceError> {
        if self.is("{") {
            return self.enclosed(["{", "}"], |parser| parser.list(expression)).map(Initial::List);
        }
        if !self.is("[") {
            return expression(self).map(Initial::Value);
        }
        let capacity = self.enclosed(["[", "]"], expression)?;
        self.require("of")?;
        let types = self.enclosed(["{", "}"], |parser| parser.list(Self::type_name))?;
        Ok(Initial::Channel { capacity, types })
    }

    /// Reads `a, b` or `m(a, b)`: the fields of a message.
    pub(super) fn fields(&mut self) -> Result<Vec<ExpressionId>, SourceError> {
        let mut fields = vec![expression(self)?];
        if self.is("(") {
            fields.extend(self.enclosed(["(", ")"], |parser| parser.list(expression))?);
        } else if self.take(",") {
            fields.extend(self.list(expression)?);
        }
        Ok(fields)
    }

    /// The same between `<` and `>`.
    pub(super) fn fields_in_angles(&mut self) -> Result<Vec<ExpressionId>, SourceError> {
        self.in_angles = true;
        let fields = self.fields();
        self.in_angles = false;
        self.require(">")?;
        fields
    }

    pub(super) fn text_token(&mut self) -> Result<String, SourceError> {
        let token = self.peek();
        if token.kind != TokenKind::Text {
            return Err(self.expected("a text in quotation marks"));
        }
        self.advance();
        let word = self.word(token);
        Ok(word[1..word.len() - 1].to_owned())
    }

    pub(super) fn push(
        &mut self,
        labels: Vec<Name>,
        statement: Statement,
        start: Span,
        shown: Vec<Arc<Shown>>,
    ) -> StatementId {
        let place = self.since(start);
        let parts = std::mem::take(&mut self.parts);
        self.module.statements.push(Labelled { labels, statement, place, shown, parts })
    }

    /// Whether a name with a colon begins here: a label.
    pub(super) fn begins_label(&self) -> bool {
        self.peek().kind == TokenKind::Name
            && self.peek_second().kind == TokenKind::Fixed(":")
            && !self.is_process(self.word(self.peek()))
    }
}
