//! Tokens to a [`Model`]: everything but expressions and statements.
//!
//! Sections and processes come in any order, as often as one likes; what is
//! used has been declared before. Nothing here is recursive.

use super::super::SourceError;
use super::super::cursor::Cursor;
use super::ast::{
    Declaration, Direction, Literal, Model, Name, Parameters, Place, Plain, Process, Tree, Type,
};
use super::expression::expression;
use super::lex::{Fixed, Kind, token, tokens};

/// A place in the tokens of a text.
pub(super) type Parser<'a> = Cursor<'a, Fixed>;

/// Reads a whole text.
pub(super) fn model(text: &str) -> Result<Model, SourceError> {
    Parser { text, tokens: tokens(text)?, at: 0, context: () }.model()
}

/// Reads a text that is one expression.
pub(super) fn proposition(text: &str) -> Result<Tree, SourceError> {
    Parser { text, tokens: tokens(text)?, at: 0, context: () }.whole(expression)
}

impl Parser<'_> {
    /// `item, item, …`
    pub(super) fn list<T>(
        &mut self,
        item: impl FnMut(&mut Self) -> Result<T, SourceError>,
    ) -> Result<Vec<T>, SourceError> {
        self.separated(token![","], item)
    }

    /// The number of `[2].`, if that is here; it is then behind us.
    pub(super) fn instance(&mut self) -> Option<i64> {
        match [0, 1, 2, 3].map(|distance| self.ahead(distance)) {
            [
                Kind::Fixed(token!["["]),
                Kind::Number(number),
                Kind::Fixed(token!["]"]),
                Kind::Fixed(token!["."]),
            ] => {
                self.at += 4;
                Some(number)
            }
            _ => None,
        }
    }

    /// Whether a channel and `!` or `?` stand so many tokens behind this one.
    pub(super) fn communication_follows(&self, distance: usize) -> bool {
        if self.ahead(distance) != Kind::Name {
            return false;
        }
        let mut distance = distance + 1;
        if self.ahead(distance) == Kind::Fixed(token!["["]) {
            let mut depth = 0_usize;
            loop {
                match self.ahead(distance) {
                    Kind::Fixed(token!["["]) => depth += 1,
                    Kind::Fixed(token!["]"]) => depth -= 1,
                    Kind::End | Kind::Fixed(token![";"]) => return false,
                    _ => (),
                }
                distance += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        matches!(self.ahead(distance), Kind::Fixed(token!["!" "?"]))
    }

    /// `x` or `x[i]`
    pub(super) fn place(&mut self, what: &str) -> Result<Place, SourceError> {
        let name = self.name(what)?;
        let mut index = None;
        if self.take(token!["["]) {
            index = Some(expression(self)?);
            self.require(token!["]"], "")?;
        }
        Ok(Place { name, index })
    }

    fn model(mut self) -> Result<Model, SourceError> {
        self.require(token!["MODEL"], "")?;
        let name = self.name("the name of the model")?;
        self.require(token![";"], "")?;
        let mut declarations = Vec::new();
        loop {
            match self.peek().kind {
                Kind::Fixed(token!["CONST"]) => self.constants(&mut declarations)?,
                Kind::Fixed(token!["TYPE"]) => self.types(&mut declarations)?,
                Kind::Fixed(token!["VAR"]) => {
                    let channels = self.variables("a channel")?;
                    declarations.extend(
                        channels.into_iter().map(|(names, of)| Declaration::Channels(names, of)),
                    );
                }
                Kind::Fixed(token!["PROCESS"]) => {
                    declarations.push(Declaration::Process(self.process()?));
                }
                Kind::Fixed(token!["BEGIN"]) => break,
                _ => {
                    return Err(self.expected("`CONST`, `TYPE`, `VAR`, `PROCESS` or `BEGIN`"));
                }
            }
        }
        self.advance();
        let main = self.body()?;
        self.end(&name, "the model")?;
        let definitions = self.definitions()?;
        Ok(Model { name, declarations, main, definitions })
    }

    /// `END`, and what may stand behind it.
    fn end(&mut self, opened: &Name, what: &str) -> Result<(), SourceError> {
        self.require(token!["END"], "")?;
        if self.peek().kind == Kind::Name {
            let name = self.name("a name")?;
            if name.text != opened.text {
                let message =
                    format!("this is the end of {what} `{}`, not of `{}`", opened.text, name.text);
                return Err(SourceError::new(name.span, message));
            }
        }
        if !self.take(token![";"]) {
            self.take(token!["."]);
        }
        Ok(())
    }

    fn constants(&mut self, declarations: &mut Vec<Declaration>) -> Result<(), SourceError> {
        self.advance();
        while self.peek().kind == Kind::Name {
            let name = self.name("the name of a constant")?;
            self.require(token!["="], "")?;
            declarations.push(Declaration::Constant(name, expression(self)?));
            self.require(token![";"], "")?;
        }
        Ok(())
    }

    fn types(&mut self, declarations: &mut Vec<Declaration>) -> Result<(), SourceError> {
        self.advance();
        while self.peek().kind == Kind::Name {
            let name = self.name("the name of a type")?;
            self.require(token!["="], "")?;
            declarations.push(Declaration::Type(name, self.type_()?));
            self.require(token![";"], "")?;
        }
        Ok(())
    }

    fn variables(&mut self, what: &str) -> Result<Vec<(Vec<Name>, Type)>, SourceError> {
        self.advance();
        let mut variables = Vec::new();
        let what = format!("the name of {what}");
        while self.peek().kind == Kind::Name {
            let names = self.list(|parser| parser.name(&what))?;
            self.require(token![":"], " or `,`")?;
            variables.push((names, self.type_()?));
            self.require(token![";"], "")?;
        }
        Ok(variables)
    }

    fn type_(&mut self) -> Result<Type, SourceError> {
        let start = self.span().start;
        let mut len = None;
        if self.take(token!["ARRAY"]) {
            len = Some(expression(self)?);
            self.require(token!["OF"], "")?;
            if self.peek().kind == Kind::Fixed(token!["ARRAY"]) {
                let message = "arrays of arrays are not supported";
                return Err(SourceError::new(self.span(), message));
            }
        }
        let element = self.plain(true)?;
        Ok(Type { len, element, span: self.span_from(start) })
    }

    /// A type that is no array. Enumerations inside of enumerations have names.
    fn plain(&mut self, may_enumerate: bool) -> Result<Plain, SourceError> {
        let token = self.peek();
        match token.kind {
            Kind::Fixed(token!["BOOLEAN"]) => {
                self.advance();
                let text = "BOOLEAN".to_owned();
                return Ok(Plain::Named(Name { text, span: token.span }));
            }
            // A range may begin with a name too.
            Kind::Name if !self.range_follows() => return self.name("a type").map(Plain::Named),
            Kind::Fixed(token!["{"]) if may_enumerate => {
                self.advance();
                let literals = self.list(Self::literal)?;
                self.require(token!["}"], " or `,`")?;
                return Ok(Plain::Enumeration(literals, self.span_from(token.span.start)));
            }
            Kind::Name | Kind::Number(_) | Kind::Fixed(token!["-" "("]) => (),
            _ => return Err(self.expected("a type")),
        }
        let low = expression(self)?;
        self.require(token![".."], "")?;
        Ok(Plain::Range(low, expression(self)?))
    }

    /// Whether the name here is the beginning of an expression.
    fn range_follows(&self) -> bool {
        matches!(self.ahead(1), Kind::Fixed(token![".." "+" "-" "*" "DIV" "MOD"]))
    }

    fn literal(&mut self) -> Result<Literal, SourceError> {
        let name = self.name("the name of a value")?;
        let mut fields = Vec::new();
        if self.take(token!["("]) {
            fields = self.list(|parser| parser.plain(false))?;
            self.require(token![")"], " or `,`")?;
        }
        Ok(Literal { name, fields })
    }

    fn process(&mut self) -> Result<Process, SourceError> {
        self.advance();
        let name = self.name("the name of a process")?;
        let mut parameters = Vec::new();
        if self.take(token!["("]) && !self.take(token![")"]) {
            parameters.push(self.parameters()?);
            while self.take(token![";"]) {
                parameters.push(self.parameters()?);
            }
            self.require(token![")"], " or `;`")?;
        }
        self.require(token![";"], "")?;
        let mut variables = Vec::new();
        while self.peek().kind == Kind::Fixed(token!["VAR"]) {
            variables.extend(self.variables("a variable")?);
        }
        self.require(token!["BEGIN"], " or `VAR`")?;
        let body = self.body()?;
        self.end(&name, "process")?;
        Ok(Process { name, parameters, variables, body })
    }

    fn parameters(&mut self) -> Result<Parameters, SourceError> {
        let direction = if self.take(token!["IN"]) {
            Direction::In
        } else if self.take(token!["OUT"]) {
            Direction::Out
        } else {
            Direction::Value
        };
        let or = if direction == Direction::Value { ", `IN` or `OUT`" } else { "" };
        let what = format!("the name of a parameter{or}");
        let names = self.list(|parser| parser.name(&what))?;
        self.require(token![":"], " or `,`")?;
        Ok(Parameters { direction, names, of_type: self.type_()? })
    }

    fn definitions(&mut self) -> Result<Vec<(Name, Tree)>, SourceError> {
        let mut definitions = Vec::new();
        let token = self.peek();
        match token.kind {
            Kind::End => return Ok(definitions),
            Kind::Fixed(token!["DEFINITIONS"]) => self.advance(),
            Kind::Fixed(token!["ASSERT"]) => {
                let message = "properties in CTL are not supported: name propositions behind \
                               `DEFINITIONS`, and state the property as a formula about them";
                return Err(SourceError::new(token.span, message));
            }
            _ => return Err(self.expected("`DEFINITIONS` or the end of the text")),
        };
        while self.peek().kind != Kind::End {
            let name = self.name("the name of a proposition")?;
            self.require(token![":"], "")?;
            definitions.push((name, expression(self)?));
            self.take(token![";"]);
        }
        Ok(definitions)
    }
}
