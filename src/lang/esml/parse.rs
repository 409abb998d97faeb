//! Tokens to a [`EsmlModel`]: everything but expressions and statements.
//!
//! Sections and processes come in any order, as often as one likes; what is
//! used has been declared before. Nothing here is recursive.

use super::super::SourceError;
use super::super::cursor::{Cursor, Result, fail};
use super::ast::{
    Declaration, Direction, EsmlModel, Literal, Name, Parameters, Plain, Process, Tree, Type,
};
use super::lex::{Fixed, TokenKind, token, tokens};

/// A place in the tokens of a text.
pub(super) type Parser<'a> = Cursor<'a, Fixed>;

/// Reads a whole text.
pub(super) fn model(text: &str) -> Result<EsmlModel> {
    Parser { text, tokens: tokens(text)?, at: 0, context: () }.model()
}

/// Reads a text that is one expression.
pub(super) fn proposition(text: &str) -> Result<Tree> {
    Parser { text, tokens: tokens(text)?, at: 0, context: () }.whole(Parser::expression)
}

impl Parser<'_> {
    /// The number of `[2].`, if that is here; it is then behind us.
    pub(super) fn instance(&mut self) -> Option<i64> {
        match [0, 1, 2, 3].map(|distance| self.ahead(distance)) {
            [
                TokenKind::Fixed(token!["["]),
                TokenKind::Number(number),
                TokenKind::Fixed(token!["]"]),
                TokenKind::Fixed(token!["."]),
            ] => {
                self.at += 4;
                Some(number)
            }
            _ => None,
        }
    }

    /// Whether a channel and `!` or `?` stand so many tokens behind this one.
    pub(super) fn communication_follows(&self, distance: usize) -> bool {
        if self.ahead(distance) != TokenKind::Name {
            return false;
        }
        let mut distance = distance + 1;
        if self.ahead(distance) == TokenKind::Fixed(token!["["]) {
            let mut depth = 0_usize;
            loop {
                match self.ahead(distance) {
                    TokenKind::Fixed(token!["["]) => depth += 1,
                    TokenKind::Fixed(token!["]"]) => depth -= 1,
                    TokenKind::End | TokenKind::Fixed(token![";"]) => return false,
                    _ => (),
                }
                distance += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        matches!(self.ahead(distance), TokenKind::Fixed(token!["!" "?"]))
    }

    fn model(mut self) -> Result<EsmlModel> {
        self.require(token!["MODEL"], "")?;
        let name = self.name("the name of the model")?;
        self.require(token![";"], "")?;
        let mut declarations = Vec::new();
        loop {
            match self.fixed() {
                Some(token!["CONST"]) => {
                    let constants = self.defined("the name of a constant", Self::expression)?;
                    let constants = constants.into_iter();
                    declarations
                        .extend(constants.map(|(name, tree)| Declaration::Constant(name, tree)));
                }
                Some(token!["TYPE"]) => {
                    let types = self.defined("the name of a type", Self::type_)?.into_iter();
                    declarations.extend(types.map(|(name, of)| Declaration::Type(name, of)));
                }
                Some(token!["VAR"]) => {
                    let channels = self.variables("a channel")?;
                    declarations.extend(
                        channels.into_iter().map(|(names, of)| Declaration::Channels(names, of)),
                    );
                }
                Some(token!["PROCESS"]) => {
                    declarations.push(Declaration::Process(self.process()?));
                }
                Some(token!["BEGIN"]) => break,
                _ => {
                    return Err(self.expected("`CONST`, `TYPE`, `VAR`, `PROCESS` or `BEGIN`"));
                }
            }
        }
        self.advance();
        let main = self.body()?;
        self.end(&name, "the model")?;
        let definitions = self.definitions()?;
        Ok(EsmlModel { name, declarations, main, definitions })
    }

    /// `END`, and what may stand behind it.
    fn end(&mut self, opened: &Name, what: &str) -> Result<()> {
        self.require(token!["END"], "")?;
        if self.peek().kind == TokenKind::Name {
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

    /// `name = …;` as often as it comes.
    fn defined<T>(
        &mut self,
        what: &str,
        read: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<(Name, T)>> {
        self.advance();
        let mut defined = Vec::new();
        while self.peek().kind == TokenKind::Name {
            let name = self.name(what)?;
            self.require(token!["="], "")?;
            defined.push((name, read(self)?));
            self.require(token![";"], "")?;
        }
        Ok(defined)
    }

    fn variables(&mut self, what: &str) -> Result<Vec<(Vec<Name>, Type)>> {
        self.advance();
        let mut variables = Vec::new();
        let what = format!("the name of {what}");
        while self.peek().kind == TokenKind::Name {
            let names = self.list(|parser| parser.name(&what))?;
            self.require(token![":"], " or `,`")?;
            variables.push((names, self.type_()?));
            self.require(token![";"], "")?;
        }
        Ok(variables)
    }

    fn type_(&mut self) -> Result<Type> {
        let start = self.span().start;
        let mut len = None;
        if self.take(token!["ARRAY"]) {
            len = Some(self.expression()?);
            self.require(token!["OF"], "")?;
            if self.is(token!["ARRAY"]) {
                return fail(self.span(), "arrays of arrays are not supported");
            }
        }
        let element = self.plain(true)?;
        Ok(Type { len, element, span: self.span_from(start) })
    }

    /// A type that is no array. Enumerations inside of enumerations have names.
    fn plain(&mut self, may_enumerate: bool) -> Result<Plain> {
        let token = self.peek();
        match token.kind {
            TokenKind::Fixed(token!["BOOLEAN"]) => {
                self.advance();
                let text = "BOOLEAN".to_owned();
                return Ok(Plain::Named(Name { text, span: token.span }));
            }
            // A range may begin with a name too.
            TokenKind::Name if !self.range_follows() => {
                return self.name("a type").map(Plain::Named);
            }
            TokenKind::Fixed(token!["{"]) if may_enumerate => {
                self.advance();
                let literals = self.list(Self::literal)?;
                self.require(token!["}"], " or `,`")?;
                return Ok(Plain::Enumeration(literals, self.span_from(token.span.start)));
            }
            TokenKind::Name | TokenKind::Number(_) | TokenKind::Fixed(token!["-" "("]) => (),
            _ => return Err(self.expected("a type")),
        }
        let low = self.expression()?;
        self.require(token![".."], "")?;
        Ok(Plain::Range(low, self.expression()?))
    }

    /// Whether the name here is the beginning of an expression.
    fn range_follows(&self) -> bool {
        matches!(self.ahead(1), TokenKind::Fixed(token![".." "+" "-" "*" "DIV" "MOD"]))
    }

    fn literal(&mut self) -> Result<Literal> {
        let name = self.name("the name of a value")?;
        let mut fields = Vec::new();
        if self.take(token!["("]) {
            fields = self.list(|parser| parser.plain(false))?;
            self.require(token![")"], " or `,`")?;
        }
        Ok(Literal { name, fields })
    }

    fn process(&mut self) -> Result<Process> {
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
        while self.is(token!["VAR"]) {
            variables.extend(self.variables("a variable")?);
        }
        self.require(token!["BEGIN"], " or `VAR`")?;
        let body = self.body()?;
        self.end(&name, "process")?;
        Ok(Process { name, parameters, variables, body })
    }

    fn parameters(&mut self) -> Result<Parameters> {
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

    fn definitions(&mut self) -> Result<Vec<(Name, Tree)>> {
        let mut definitions = Vec::new();
        let token = self.peek();
        match token.kind {
            TokenKind::End => return Ok(definitions),
            TokenKind::Fixed(token!["DEFINITIONS"]) => self.advance(),
            TokenKind::Fixed(token!["ASSERT"]) => {
                let message = "properties in CTL are not supported: name propositions behind \
                               `DEFINITIONS`, and state the property as a formula about them";
                return Err(SourceError::new(token.span, message));
            }
            _ => return Err(self.expected("`DEFINITIONS` or the end of the text")),
        };
        while self.peek().kind != TokenKind::End {
            let name = self.name("the name of a proposition")?;
            self.require(token![":"], "")?;
            definitions.push((name, self.expression()?));
            self.take(token![";"]);
        }
        Ok(definitions)
    }
}
