//! Tokens to syntax tree: the declarations of a model.
//!
//! The parser does not know what names mean.

mod expression;

use super::ast::{
    Action, Binder, Constant, Fair, Initial, Kind, Model, Name, NamedType, Node, Process, Promise,
    Property, Proposition, Reference, Step, Type, TypeKind, Variable,
};
use super::lex::{Placed, Token, WORDS, shortened, tokens};
use crate::lang::SourceError;
use crate::lang::program::{Span, Strength};
use crate::lang::suggest::misspelt;

/// How deeply expressions may be nested, since the parser calls itself. A level
/// takes up to 3 KB of the stack.
const MAX_DEPTH: u32 = 250;

/// Reads a model.
pub(super) fn model(text: &str) -> Result<Model, SourceError> {
    let mut parser = Parser::new(text, 0)?;
    let mut model = Model::default();
    while *parser.token() != Token::End {
        parser.declaration(&mut model)?;
    }
    model.enumerations = parser.enumerations;
    Ok(model)
}

/// Reads a formula or an expression.
pub(super) fn formula(text: &str) -> Result<Node, SourceError> {
    formula_from(text, 0, 0)
}

/// Reads what stands in `text` from `position` on.
fn formula_from(text: &str, position: usize, depth: u32) -> Result<Node, SourceError> {
    let mut parser = Parser { depth, ..Parser::new(text, position)? };
    if *parser.token() == Token::End {
        return Err(SourceError::new(parser.span(), "the formula is empty"));
    }
    let node = parser.expression(0)?;
    match parser.token() {
        Token::End => Ok(node),
        Token::Is(")") => Err(parser.error("this parenthesis was never opened")),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Placed<'a>>,
    position: usize,
    depth: u32,
    enumerations: Vec<Vec<Name>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, position: usize) -> Result<Self, SourceError> {
        let tokens = tokens(text, position)?;
        Ok(Self { text, tokens, position: 0, depth: 0, enumerations: Vec::new() })
    }

    fn token(&self) -> &Token<'a> {
        &self.tokens[self.position].0
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

    fn is(&self, token: &'static str) -> bool {
        *self.token() == Token::Is(token)
    }

    /// Moves on if `token` comes next.
    fn accept(&mut self, token: &'static str) -> bool {
        let found = self.is(token);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, token: &'static str) -> Result<Span, SourceError> {
        if self.is(token) {
            return Ok(self.advance());
        }
        Err(self.unexpected(&format!("`{token}`")))
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
        let advice = if self.is("=") {
            "; comparison is `==`".to_owned()
        } else if self.is("[") && self.is_behind_temporal() {
            "; bounded operators are not supported".to_owned()
        } else {
            self.misspelt()
        };
        self.error(format!("expected {what}, found {found}{advice}"))
    }

    /// Whether the token before this one is a temporal operator.
    fn is_behind_temporal(&self) -> bool {
        let before = self.position.checked_sub(1).map(|at| &self.tokens[at].0);
        matches!(before, Some(Token::Is("X" | "F" | "G" | "U" | "R" | "W" | "M")))
    }

    /// The reserved word that may be meant by the name here, or by the one before.
    fn misspelt(&self) -> String {
        let name = |token: Option<&Placed<'a>>| match token {
            Some((Token::Name(text), _)) => *text,
            _ => "",
        };
        let before = self.position.checked_sub(1).and_then(|at| self.tokens.get(at));
        let here = name(self.tokens.get(self.position));
        if here == "S" {
            return "; past operators are not supported".to_owned();
        }
        misspelt(here, name(before), WORDS.iter().map(|(word, _)| *word))
    }

    /// The same where a declaration should be.
    fn unexpected_declaration(&self, what: &str) -> SourceError {
        if self.is("fair") {
            return self.error("how fair? write `weak fair` or `strong fair`");
        }
        self.unexpected(what)
    }

    fn name(&mut self, what: &str) -> Result<Name, SourceError> {
        match *self.token() {
            Token::Name(text) => {
                let span = self.advance();
                Ok(Name { text: text.to_owned(), span })
            }
            Token::Is(token) if token.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                let span = self.span();
                let word = shortened(&self.text[span.start..span.end]);
                let is = match &*word {
                    "X" | "F" | "G" | "U" | "R" | "V" | "W" | "M" => "an operator of formulas",
                    _ => "a reserved word",
                };
                Err(self.error(format!("expected {what}, but `{word}` is {is}")))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn declaration(&mut self, model: &mut Model) -> Result<(), SourceError> {
        match *self.token() {
            Token::Is("const") => model.constants.push(self.constant()?),
            Token::Is("type") => model.types.push(self.named_type()?),
            Token::Is("var") => model.variables.push(self.variable()?),
            Token::Is("prop") => model.propositions.push(self.proposition()?),
            Token::Is("process") => model.processes.push(self.process(None)?),
            Token::Is("action") => model.actions.push(self.action(None)?),
            Token::Is("ltl") => model.properties.push(self.property()?),
            Token::Is("weak" | "strong") => self.fair_declaration(model)?,
            _ => {
                let what = "`const`, `type`, `var`, `prop`, `process`, `action`, `ltl`, `weak` or `strong`";
                return Err(self.unexpected_declaration(what));
            }
        }
        Ok(())
    }

    /// A process or action with fairness in front, or fairness by itself.
    fn fair_declaration(&mut self, model: &mut Model) -> Result<(), SourceError> {
        let fair = self.fair()?;
        match *self.token() {
            Token::Is("process") => model.processes.push(self.process(Some(fair))?),
            Token::Is("action") => model.actions.push(self.action(Some(fair))?),
            Token::Name(_) => model.promises.push(self.promise(fair)?),
            _ => {
                let what = "`process`, `action` or the name of a process or an action";
                return Err(self.unexpected(what));
            }
        }
        Ok(())
    }

    fn fair(&mut self) -> Result<Fair, SourceError> {
        let strength = if self.is("weak") { Strength::Weak } else { Strength::Strong };
        let start = self.advance().start;
        self.expect("fair")?;
        Ok(Fair { strength, span: self.since(start) })
    }

    fn promise(&mut self, fair: Fair) -> Result<Promise, SourceError> {
        let moves = self.moves()?;
        let fair = Fair { span: self.since(fair.span.start), ..fair };
        let binders = if self.accept("for") { self.binders()? } else { Vec::new() };
        if !self.is(";") {
            let what = if binders.is_empty() { "`for` or `;`" } else { "`,` or `;`" };
            return Err(self.unexpected(what));
        }
        self.advance();
        Ok(Promise { fair, moves, binders })
    }

    fn constant(&mut self) -> Result<Constant, SourceError> {
        self.expect("const")?;
        let name = self.name("the name of a constant")?;
        self.expect("=")?;
        let value = self.expression(0)?;
        self.expect(";")?;
        Ok(Constant { name, value })
    }

    fn named_type(&mut self) -> Result<NamedType, SourceError> {
        self.expect("type")?;
        let name = self.name("the name of a type")?;
        self.expect("=")?;
        let domain = self.declared_domain()?;
        self.expect(";")?;
        Ok(NamedType { name, domain })
    }

    /// A type in the place where enumerations can be declared.
    fn declared_domain(&mut self) -> Result<Type, SourceError> {
        if !self.is("{") {
            return self.domain();
        }
        let start = self.advance().start;
        let mut values = Vec::new();
        loop {
            values.push(self.name("the name of a value")?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        self.enumerations.push(values);
        let kind = TypeKind::Enumeration(self.enumerations.len() - 1);
        Ok(Type { kind, span: self.since(start) })
    }

    fn domain(&mut self) -> Result<Type, SourceError> {
        let start = self.span().start;
        if self.accept("bool") {
            return Ok(Type { kind: TypeKind::Bool, span: self.since(start) });
        }
        let low = self.expression(expression::ADDITION)?;
        if let Kind::Reference(reference) = &low.kind
            && !self.is("..")
            && reference.is_plain()
        {
            return Ok(Type { kind: TypeKind::Named(reference.name.text.clone()), span: low.span });
        }
        self.expect("..")?;
        let high = self.expression(expression::ADDITION)?;
        let kind = TypeKind::Range(Box::new(low), Box::new(high));
        Ok(Type { kind, span: self.since(start) })
    }

    fn binder(&mut self) -> Result<Binder, SourceError> {
        let name = self.name("the name of an index")?;
        self.expect("in")?;
        Ok(Binder { name, domain: self.domain()? })
    }

    fn binders(&mut self) -> Result<Vec<Binder>, SourceError> {
        let mut binders = vec![self.binder()?];
        while self.accept(",") {
            binders.push(self.binder()?);
        }
        Ok(binders)
    }

    /// Parameters in parentheses, if there are any.
    fn parameters(&mut self) -> Result<Vec<Binder>, SourceError> {
        if !self.accept("(") {
            return Ok(Vec::new());
        }
        let parameters = self.binders()?;
        self.expect(")")?;
        Ok(parameters)
    }

    fn variable(&mut self) -> Result<Variable, SourceError> {
        self.expect("var")?;
        let name = self.name("the name of a variable")?;
        let length = if self.accept("[") {
            let length = self.expression(0)?;
            self.expect("]")?;
            Some(length)
        } else {
            None
        };
        self.expect(":")?;
        let domain = self.declared_domain()?;
        let initial = if self.accept("=") { self.initial()? } else { Initial::First };
        self.expect(";")?;
        Ok(Variable { name, length, domain, initial })
    }

    fn initial(&mut self) -> Result<Initial, SourceError> {
        let start = self.span().start;
        if self.accept("any") {
            return Ok(Initial::Any(self.since(start)));
        }
        if !self.accept("[") {
            return Ok(Initial::Same(self.expression(0)?));
        }
        let first = self.expression(0)?;
        if self.accept("for") {
            let binder = self.binder()?;
            self.expect("]")?;
            return Ok(Initial::For(first, binder, self.since(start)));
        }
        let mut values = vec![first];
        while self.accept(",") {
            values.push(self.expression(0)?);
        }
        self.expect("]")?;
        Ok(Initial::List(values, self.since(start)))
    }

    fn proposition(&mut self) -> Result<Proposition, SourceError> {
        self.expect("prop")?;
        let name = self.name("the name of a proposition")?;
        let parameters = self.parameters()?;
        self.expect("=")?;
        let body = self.expression(0)?;
        self.expect(";")?;
        Ok(Proposition { name, parameters, body })
    }

    fn property(&mut self) -> Result<Property, SourceError> {
        let start = self.expect("ltl")?.start;
        let name = self.name("the name of a property")?;
        self.expect(":")?;
        let formula = self.expression(0)?;
        self.expect(";")?;
        Ok(Property { name, formula, span: self.since(start) })
    }

    fn process(&mut self, fair: Option<Fair>) -> Result<Process, SourceError> {
        self.expect("process")?;
        let name = self.name("the name of a process")?;
        let fair = fair.map(|fair| Fair { span: self.since(fair.span.start), ..fair });
        let parameters = self.parameters()?;
        self.expect("{")?;
        let (mut variables, mut actions) = (Vec::new(), Vec::new());
        while !self.accept("}") {
            match *self.token() {
                Token::Is("var") => variables.push(self.variable()?),
                Token::Is("action") => actions.push(self.action(None)?),
                Token::Is("weak" | "strong") => {
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

    fn action(&mut self, fair: Option<Fair>) -> Result<Action, SourceError> {
        let start = self.expect("action")?.start;
        let name = self.name("the name of an action")?;
        let fair = fair.map(|fair| Fair { span: self.since(fair.span.start), ..fair });
        let parameters = self.parameters()?;
        let choices = if self.accept("with") { self.binders()? } else { Vec::new() };
        let guard = if self.accept("when") { Some(self.expression(0)?) } else { None };
        let mut steps = Vec::new();
        if self.accept("do") {
            steps.push(self.step()?);
            while self.accept(",") {
                steps.push(self.step()?);
            }
        }
        if !self.is(";") {
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

    fn step(&mut self) -> Result<Step, SourceError> {
        if self.accept("assert") {
            let condition = self.expression(0)?;
            let text = self.text[condition.span.start..condition.span.end].to_owned();
            return Ok(Step::Assert { condition, text });
        }
        let name = self.name("the name of a variable")?;
        let start = name.span.start;
        let index = self.index()?;
        let span = self.since(start);
        if self.is("=") {
            return Err(self.error("an update changes the next value: write `'` before `=`"));
        }
        self.expect("'")?;
        self.expect("=")?;
        let value = self.expression(0)?;
        let target = Reference { name, arguments: None, member: None, index };
        Ok(Step::Update { target, span, value })
    }

    /// An index in brackets, if there is one.
    fn index(&mut self) -> Result<Option<Box<Node>>, SourceError> {
        if !self.accept("[") {
            return Ok(None);
        }
        let index = self.expression(0)?;
        self.expect("]")?;
        Ok(Some(Box::new(index)))
    }
}
