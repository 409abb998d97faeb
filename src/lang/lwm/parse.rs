//! Tokens to syntax tree: the declarations of a model.
//!
//! The parser does not know what names mean.

pub(super) mod expression;

use super::ast::{
    Action, ActionStep, Binder, Fair, Initial, LwmModel, Name, Node, NodeKind, Process, Promise,
    Property, Proposition, Reference, Type, TypeKind, Variable,
};
use super::lex::{Fixed, Placed, Token, reserved, token, tokens};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::program::{Span, Strength};
use crate::lang::suggest::misspelt;
use crate::scan::shortened;

/// How deeply expressions may be nested, since the parser calls itself. A level
/// takes up to 3 KB of the stack.
const MAX_DEPTH: u32 = 250;

/// Reads a model.
pub(super) fn model(text: &str) -> Result<LwmModel> {
    let mut parser = Parser::new(text, 0)?;
    let mut model = LwmModel::default();
    while parser.token() != Token::End {
        parser.declaration(&mut model)?;
    }
    model.enumerations = parser.enumerations;
    Ok(model)
}

/// Reads a formula or an expression.
pub(super) fn formula(text: &str) -> Result<Node> {
    formula_from(text, 0, 0)
}

/// Reads what stands in `text` from `position` on.
fn formula_from(text: &str, position: usize, depth: u32) -> Result<Node> {
    let mut parser = Parser { depth, ..Parser::new(text, position)? };
    if parser.token() == Token::End {
        return fail(parser.span(), "the formula is empty");
    }
    let node = parser.expression()?;
    match parser.token() {
        Token::End => Ok(node),
        Token::Is(token![")"]) => Err(parser.error("this parenthesis was never opened")),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Placed>,
    position: usize,
    depth: u32,
    enumerations: Vec<Vec<Name>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, position: usize) -> Result<Self> {
        let tokens = tokens(text, position)?;
        Ok(Self { text, tokens, position: 0, depth: 0, enumerations: Vec::new() })
    }

    fn token(&self) -> Token {
        self.tokens[self.position].0
    }

    fn span(&self) -> Span {
        self.tokens[self.position].1
    }

    /// Moves on by one token; the end of the text stays where it is.
    fn advance(&mut self) -> Span {
        let span = self.span();
        self.position = (self.position + 1).min(self.tokens.len() - 1);
        span
    }

    /// From `start` to the end of what was read last.
    fn since(&self, start: usize) -> Span {
        let last = self.tokens[self.position.saturating_sub(1)].1;
        Span { start, end: last.end.max(start) }
    }

    fn is(&self, fixed: Fixed) -> bool {
        self.token() == Token::Is(fixed)
    }

    /// Moves on if `fixed` comes next.
    fn accept(&mut self, fixed: Fixed) -> bool {
        let found = self.is(fixed);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, fixed: Fixed) -> Result<Span> {
        if self.is(fixed) {
            return Ok(self.advance());
        }
        Err(self.unexpected(&format!("`{fixed}`")))
    }

    fn error(&self, message: impl Into<String>) -> SourceError {
        SourceError::new(self.span(), message)
    }

    /// The error that `what` should be here.
    fn unexpected(&self, what: &str) -> SourceError {
        let span = self.span();
        let found = match self.token() {
            Token::End => "the end".to_owned(),
            _ => format!("`{}`", shortened(&self.text[span.start..span.end])),
        };
        // The most frequent slip of all.
        let advice = if self.is(token!["="]) {
            "; comparison is `==`".to_owned()
        } else if self.is(token!["["]) && self.is_behind_temporal() {
            "; bounded operators are not supported".to_owned()
        } else {
            self.misspelt()
        };
        self.error(format!("expected {what}, found {found}{advice}"))
    }

    /// Whether the token before this one is a temporal operator.
    fn is_behind_temporal(&self) -> bool {
        let before = self.position.checked_sub(1).map(|at| &self.tokens[at].0);
        matches!(before, Some(Token::Operator(operator)) if operator.is_temporal())
    }

    /// The reserved word that may be meant by the name here, or by the one before.
    fn misspelt(&self) -> String {
        let name = |placed: Option<&Placed>| match placed {
            Some((Token::Name, span)) => &self.text[span.range()],
            _ => "",
        };
        let before = self.position.checked_sub(1).and_then(|at| self.tokens.get(at));
        let here = name(self.tokens.get(self.position));
        if here == "S" {
            return "; past operators are not supported".to_owned();
        }
        misspelt(here, name(before), reserved())
    }

    /// The same where a declaration should be.
    fn unexpected_declaration(&self, what: &str) -> SourceError {
        if self.is(token!["fair"]) {
            return self.error("how fair? write `weak fair` or `strong fair`");
        }
        self.unexpected(what)
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        match self.token() {
            Token::Name => {
                let span = self.advance();
                Ok(Name { text: self.text[span.range()].to_owned(), span })
            }
            Token::Is(_) | Token::Operator(_)
                if self.text[self.span().range()]
                    .starts_with(|c: char| c.is_ascii_alphabetic()) =>
            {
                let word = shortened(&self.text[self.span().range()]);
                let is = match &*word {
                    "X" | "F" | "G" | "U" | "R" | "V" | "W" | "M" => "an operator of formulas",
                    _ => "a reserved word",
                };
                Err(self.error(format!("expected {what}, but `{word}` is {is}")))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn declaration(&mut self, model: &mut LwmModel) -> Result<()> {
        match self.token() {
            Token::Is(token!["const"]) => {
                let constant = self.defined("the name of a constant", Self::expression)?;
                model.constants.push(constant);
            }
            Token::Is(token!["type"]) => {
                model.types.push(self.defined("the name of a type", Self::declared_domain)?);
            }
            Token::Is(token!["var"]) => model.variables.push(self.variable()?),
            Token::Is(token!["prop"]) => model.propositions.push(self.proposition()?),
            Token::Is(token!["process"]) => model.processes.push(self.process(None)?),
            Token::Is(token!["action"]) => model.actions.push(self.action(None)?),
            Token::Is(token!["ltl"]) => model.properties.push(self.property()?),
            Token::Is(token!["weak" "strong"]) => self.fair_declaration(model)?,
            _ => {
                let what = "`const`, `type`, `var`, `prop`, `process`, `action`, `ltl`, `weak` or `strong`";
                return Err(self.unexpected_declaration(what));
            }
        }
        Ok(())
    }

    /// A process or action with fairness in front, or fairness by itself.
    fn fair_declaration(&mut self, model: &mut LwmModel) -> Result<()> {
        let fair = self.fair()?;
        match self.token() {
            Token::Is(token!["process"]) => model.processes.push(self.process(Some(fair))?),
            Token::Is(token!["action"]) => model.actions.push(self.action(Some(fair))?),
            Token::Name => model.promises.push(self.promise(fair)?),
            _ => {
                let what = "`process`, `action` or the name of a process or an action";
                return Err(self.unexpected(what));
            }
        }
        Ok(())
    }

    fn fair(&mut self) -> Result<Fair> {
        let strength = if self.is(token!["weak"]) { Strength::Weak } else { Strength::Strong };
        let start = self.advance().start;
        self.expect(token!["fair"])?;
        Ok(Fair { strength, span: self.since(start) })
    }

    fn promise(&mut self, fair: Fair) -> Result<Promise> {
        let moves = self.moves()?;
        let fair = Fair { span: self.since(fair.span.start), ..fair };
        let binders = if self.accept(token!["for"]) { self.binders()? } else { Vec::new() };
        if !self.is(token![";"]) {
            let what = if binders.is_empty() { "`for` or `;`" } else { "`,` or `;`" };
            return Err(self.unexpected(what));
        }
        self.advance();
        Ok(Promise { fair, moves, binders })
    }

    /// A declaration `keyword name = …;`, from the keyword on.
    fn defined<T>(
        &mut self,
        what: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Name, T)> {
        self.advance();
        let name = self.name(what)?;
        self.expect(token!["="])?;
        let defined = read(self)?;
        self.expect(token![";"])?;
        Ok((name, defined))
    }

    /// Items with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.accept(token![","]) {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A type in the place where enumerations can be declared.
    fn declared_domain(&mut self) -> Result<Type> {
        if !self.is(token!["{"]) {
            return self.domain();
        }
        let start = self.advance().start;
        let values = self.list(|parser| parser.name("the name of a value"))?;
        self.expect(token!["}"])?;
        self.enumerations.push(values);
        let kind = TypeKind::Enumeration(self.enumerations.len() - 1);
        Ok(Type { kind, span: self.since(start) })
    }

    fn domain(&mut self) -> Result<Type> {
        let start = self.span().start;
        if self.accept(token!["bool"]) {
            return Ok(Type { kind: TypeKind::Bool, span: self.since(start) });
        }
        let low = self.arithmetic(expression::ADDITION)?;
        if let NodeKind::Reference(reference) = &low.kind
            && !self.is(token![".."])
            && reference.is_plain()
        {
            return Ok(Type { kind: TypeKind::Named(reference.name.text.clone()), span: low.span });
        }
        self.expect(token![".."])?;
        let high = self.arithmetic(expression::ADDITION)?;
        let kind = TypeKind::Range(Box::new(low), Box::new(high));
        Ok(Type { kind, span: self.since(start) })
    }

    fn binder(&mut self) -> Result<Binder> {
        let name = self.name("the name of an index")?;
        self.expect(token!["in"])?;
        Ok(Binder { name, domain: self.domain()? })
    }

    fn binders(&mut self) -> Result<Vec<Binder>> {
        self.list(Self::binder)
    }

    /// Parameters in parentheses, if there are any.
    fn parameters(&mut self) -> Result<Vec<Binder>> {
        if !self.accept(token!["("]) {
            return Ok(Vec::new());
        }
        let parameters = self.binders()?;
        self.expect(token![")"])?;
        Ok(parameters)
    }

    fn variable(&mut self) -> Result<Variable> {
        self.expect(token!["var"])?;
        let name = self.name("the name of a variable")?;
        let length = self.index()?;
        self.expect(token![":"])?;
        let domain = self.declared_domain()?;
        let initial = if self.accept(token!["="]) { self.initial()? } else { Initial::First };
        self.expect(token![";"])?;
        Ok(Variable { name, length, domain, initial })
    }

    fn initial(&mut self) -> Result<Initial> {
        let start = self.span().start;
        if self.accept(token!["any"]) {
            return Ok(Initial::Any(self.since(start)));
        }
        if !self.accept(token!["["]) {
            return Ok(Initial::Same(self.expression()?));
        }
        let first = self.expression()?;
        if self.accept(token!["for"]) {
            let binder = self.binder()?;
            self.expect(token!["]"])?;
            return Ok(Initial::For(first, binder, self.since(start)));
        }
        let mut values = vec![first];
        while self.accept(token![","]) {
            values.push(self.expression()?);
        }
        self.expect(token!["]"])?;
        Ok(Initial::List(values, self.since(start)))
    }

    fn proposition(&mut self) -> Result<Proposition> {
        self.expect(token!["prop"])?;
        let name = self.name("the name of a proposition")?;
        let parameters = self.parameters()?;
        self.expect(token!["="])?;
        let body = self.expression()?;
        self.expect(token![";"])?;
        Ok(Proposition { name, parameters, body })
    }

    fn property(&mut self) -> Result<Property> {
        let start = self.expect(token!["ltl"])?.start;
        let name = self.name("the name of a property")?;
        self.expect(token![":"])?;
        let formula = self.expression()?;
        self.expect(token![";"])?;
        Ok(Property { name, formula, span: self.since(start) })
    }

    fn process(&mut self, fair: Option<Fair>) -> Result<Process> {
        self.expect(token!["process"])?;
        let name = self.name("the name of a process")?;
        let fair = fair.map(|fair| Fair { span: self.since(fair.span.start), ..fair });
        let parameters = self.parameters()?;
        self.expect(token!["{"])?;
        let (mut variables, mut actions) = (Vec::new(), Vec::new());
        while !self.accept(token!["}"]) {
            match self.token() {
                Token::Is(token!["var"]) => variables.push(self.variable()?),
                Token::Is(token!["action"]) => actions.push(self.action(None)?),
                Token::Is(token!["weak" "strong"]) => {
                    let fair = self.fair()?;
                    actions.push(self.action(Some(fair))?);
                }
                _ => {
                    let what = "`var`, `action`, `weak`, `strong` or `}`";
                    return Err(self.unexpected_declaration(what));
                }
            }
        }
        Ok(Process { fair, name, parameters, variables, actions })
    }

    fn action(&mut self, fair: Option<Fair>) -> Result<Action> {
        let start = self.expect(token!["action"])?.start;
        let name = self.name("the name of an action")?;
        let fair = fair.map(|fair| Fair { span: self.since(fair.span.start), ..fair });
        let parameters = self.parameters()?;
        let choices = if self.accept(token!["with"]) { self.binders()? } else { Vec::new() };
        let guard = if self.accept(token!["when"]) { Some(self.expression()?) } else { None };
        let steps = if self.accept(token!["do"]) { self.list(Self::step)? } else { Vec::new() };
        if !self.is(token![";"]) {
            let what = match (steps.is_empty(), &guard) {
                (false, _) => "`,` or `;`",
                (true, Some(_)) => "an operator, `do` or `;`",
                (true, None) => "`with`, `when`, `do` or `;`",
            };
            return Err(self.unexpected(what));
        }
        self.advance();
        Ok(Action { fair, name, parameters, choices, guard, steps, span: self.since(start) })
    }

    fn step(&mut self) -> Result<ActionStep> {
        if self.accept(token!["assert"]) {
            let condition = self.expression()?;
            let text = self.text[condition.span.start..condition.span.end].to_owned();
            return Ok(ActionStep::Assert { condition, text });
        }
        let name = self.name("the name of a variable")?;
        let start = name.span.start;
        let index = self.index()?;
        let span = self.since(start);
        if self.is(token!["="]) {
            return Err(self.error("an update changes the next value: write `'` before `=`"));
        }
        self.expect(token!["'"])?;
        self.expect(token!["="])?;
        let value = self.expression()?;
        let target = Reference { name, arguments: None, member: None, index };
        Ok(ActionStep::Update { target, span, value })
    }

    /// An index in brackets, if there is one.
    fn index(&mut self) -> Result<Option<Box<Node>>> {
        if !self.accept(token!["["]) {
            return Ok(None);
        }
        let index = self.expression()?;
        self.expect(token!["]"])?;
        Ok(Some(Box::new(index)))
    }
}
