//! Tokens to a [`System`].
//!
//! The order of clauses is freer than `DiVinE`'s: the clauses of a process come
//! in any order behind its declarations, and so do `guard`, `sync` and `effect`
//! of a transition; each at most once. Nothing here is recursive.

use super::super::SourceError;
use super::super::cursor::Cursor;
use super::super::program::Span;
use super::ast::{
    Channel, Declaration, Initial, Message, Name, Place, Process, Sync, System, Transition, Tree,
    Type,
};
use super::expression::expression;
use super::lex::{Fixed, Kind, token, tokens};

/// A place in the tokens of a text, and the names of all processes of it, sorted: an arrow
/// behind one of them is no implication.
pub(super) type Parser<'a> = Cursor<'a, Fixed, Vec<&'a str>>;

/// Reads a whole text.
pub(super) fn system(text: &str) -> Result<System, SourceError> {
    let tokens = tokens(text)?;
    let mut processes: Vec<&str> = tokens
        .windows(2)
        .filter(|pair| pair[0].kind == Kind::Fixed(token!["process"]) && pair[1].kind == Kind::Name)
        .map(|pair| &text[pair[1].span.start..pair[1].span.end])
        .collect();
    processes.sort_unstable();
    Parser { text, tokens, at: 0, context: processes }.system()
}

/// Reads a text that is one expression, in a model with these processes.
pub(super) fn proposition<'a>(
    text: &'a str,
    mut processes: Vec<&'a str>,
) -> Result<Tree, SourceError> {
    processes.sort_unstable();
    Parser { text, tokens: tokens(text)?, at: 0, context: processes }.whole(expression)
}

/// The parts of a process that come in any order.
#[derive(Default)]
struct Clauses {
    states: Option<Vec<Name>>,
    initial: Option<Name>,
    committed: Option<Vec<Name>>,
    accepting: Option<Vec<Name>>,
    assertions: Option<Vec<(Name, Tree)>>,
    transitions: Option<Vec<Transition>>,
}

impl Parser<'_> {
    pub(super) fn is_process(&self, name: &str) -> bool {
        self.context.binary_search(&name).is_ok()
    }

    /// `item, item, …`
    fn list<T>(
        &mut self,
        item: impl FnMut(&mut Self) -> Result<T, SourceError>,
    ) -> Result<Vec<T>, SourceError> {
        self.separated(token![","], item)
    }

    fn system(mut self) -> Result<System, SourceError> {
        let mut declarations = Vec::new();
        let mut channels = Vec::new();
        let mut processes = Vec::new();
        loop {
            match self.peek().kind {
                Kind::Fixed(token!["const" "byte" "int"]) => self.declaration(&mut declarations)?,
                Kind::Fixed(token!["channel"]) => self.channels(&mut channels)?,
                Kind::Fixed(token!["process"]) => processes.push(self.process()?),
                Kind::Fixed(token!["system"]) => break,
                _ => return Err(self.expected("a declaration, `process` or `system`")),
            }
        }
        self.advance();
        let is_synchronous = if self.take(token!["sync"]) {
            true
        } else {
            self.require(token!["async"], " or `sync`")?;
            false
        };
        let property = if self.take(token!["property"]) {
            Some(self.name("the name of a process")?)
        } else {
            None
        };
        self.require(token![";"], "")?;
        if self.peek().kind != Kind::End {
            return Err(self.expected("the end of the text"));
        }
        Ok(System { declarations, channels, processes, is_synchronous, property })
    }

    fn type_name(&mut self) -> Result<Type, SourceError> {
        if self.take(token!["byte"]) {
            Ok(Type::Byte)
        } else if self.take(token!["int"]) {
            Ok(Type::Int)
        } else {
            Err(self.expected("`byte` or `int`"))
        }
    }

    /// `[n]`, if it is there.
    fn size(&mut self) -> Result<Option<Tree>, SourceError> {
        if !self.take(token!["["]) {
            return Ok(None);
        }
        let size = expression(self)?;
        self.require(token!["]"], "")?;
        Ok(Some(size))
    }

    fn declaration(&mut self, declarations: &mut Vec<Declaration>) -> Result<(), SourceError> {
        let is_constant = self.take(token!["const"]);
        let of_type = self.type_name()?;
        let declared = self.list(|parser| {
            let name = parser.name("the name of a variable")?;
            let size = parser.size()?;
            let initial = parser.initial()?;
            Ok(Declaration { name, of_type, is_constant, size, initial })
        })?;
        declarations.extend(declared);
        self.require(token![";"], "")
    }

    fn initial(&mut self) -> Result<Initial, SourceError> {
        if !self.take(token!["="]) {
            return Ok(Initial::None);
        }
        let start = self.span().start;
        if !self.take(token!["{"]) {
            return expression(self).map(Initial::Single);
        }
        let values = self.list(expression)?;
        self.require(token!["}"], " or `,`")?;
        Ok(Initial::List(values, Span { start, end: self.previous_end() }))
    }

    fn channels(&mut self, channels: &mut Vec<Channel>) -> Result<(), SourceError> {
        self.advance();
        let mut fields = None;
        if self.take(token!["{"]) {
            fields = Some(self.list(Self::type_name)?);
            self.require(token!["}"], " or `,`")?;
        }
        let declared = self.list(|parser| {
            let name = parser.name("the name of a channel")?;
            let capacity = parser.size()?;
            Ok(Channel { name, fields: fields.clone(), capacity })
        })?;
        channels.extend(declared);
        self.require(token![";"], "")
    }

    fn process(&mut self) -> Result<Process, SourceError> {
        self.advance();
        let name = self.name("the name of a process")?;
        self.require(token!["{"], "")?;
        let mut declarations = Vec::new();
        while let Kind::Fixed(token!["const" "byte" "int"]) = self.peek().kind {
            self.declaration(&mut declarations)?;
        }
        let mut clauses = Clauses::default();
        while !self.take(token!["}"]) {
            self.clause(&mut clauses)?;
        }
        let missing = |what: &str| {
            let message = format!("process `{}` has no `{what}` clause", name.text);
            SourceError::new(name.span, message)
        };
        Ok(Process {
            declarations,
            states: clauses.states.ok_or_else(|| missing("state"))?,
            initial: clauses.initial.ok_or_else(|| missing("init"))?,
            committed: clauses.committed.unwrap_or_default(),
            accepting: clauses.accepting.unwrap_or_default(),
            assertions: clauses.assertions.unwrap_or_default(),
            transitions: clauses.transitions.unwrap_or_default(),
            name,
        })
    }

    fn clause(&mut self, clauses: &mut Clauses) -> Result<(), SourceError> {
        let token = self.peek();
        let is_new = match token.kind {
            Kind::Fixed(token!["state"]) => clauses.states.is_none(),
            Kind::Fixed(token!["init"]) => clauses.initial.is_none(),
            Kind::Fixed(token!["commit"]) => clauses.committed.is_none(),
            Kind::Fixed(token!["accept"]) => clauses.accepting.is_none(),
            Kind::Fixed(token!["assert"]) => clauses.assertions.is_none(),
            Kind::Fixed(token!["trans"]) => clauses.transitions.is_none(),
            Kind::Fixed(token!["channel"]) => {
                let message = "channels are declared in front of the processes";
                return Err(SourceError::new(token.span, message));
            }
            _ => {
                return Err(
                    self.expected("`state`, `init`, `commit`, `accept`, `assert`, `trans` or `}`")
                );
            }
        };
        if !is_new {
            let message = format!("a process has one clause {} only", self.found());
            return Err(SourceError::new(token.span, message));
        }
        self.advance();
        let state = |parser: &mut Self| parser.name("the name of a state");
        match token.kind {
            Kind::Fixed(token!["state"]) => clauses.states = Some(self.list(state)?),
            Kind::Fixed(token!["init"]) => clauses.initial = Some(state(self)?),
            Kind::Fixed(token!["commit"]) => clauses.committed = Some(self.list(state)?),
            Kind::Fixed(token!["accept"]) => clauses.accepting = Some(self.accepting()?),
            Kind::Fixed(token!["assert"]) => {
                clauses.assertions = Some(self.list(|parser| {
                    let state = parser.name("the name of a state")?;
                    parser.require(token![":"], "")?;
                    Ok((state, expression(parser)?))
                })?);
            }
            _ => {
                clauses.transitions = Some(self.transitions()?);
                // DiVinE wants the semicolon in its older versions only.
                self.take(token![";"]);
                return Ok(());
            }
        }
        self.require(token![";"], "")
    }

    /// The states behind `accept`. Sets and pairs of them are read over: what
    /// they accept is of no use here.
    fn accepting(&mut self) -> Result<Vec<Name>, SourceError> {
        let kinds = [token!["genbuchi"], token!["muller"], token!["rabin"], token!["streett"]];
        let plain = !kinds.into_iter().any(|kind| self.take(kind));
        self.take(token!["buchi"]);
        if plain {
            return self.list(|parser| parser.name("the name of a state"));
        }
        let mut states = Vec::new();
        self.list(|parser| {
            parser.require(token!["("], "")?;
            while !parser.take(token![")"]) {
                if !parser.take(token![","]) && !parser.take(token![";"]) {
                    states.push(parser.name("the name of a state")?);
                }
            }
            Ok(())
        })?;
        Ok(states)
    }

    fn transitions(&mut self) -> Result<Vec<Transition>, SourceError> {
        let mut source = None;
        self.list(|parser| {
            let transition = parser.transition(source.take())?;
            source = Some(transition.source.clone());
            Ok(transition)
        })
    }

    /// `source -> target { … }`, where the source may be left out if there was
    /// one before.
    fn transition(&mut self, before: Option<Name>) -> Result<Transition, SourceError> {
        let start = self.span().start;
        let source = match (self.peek().kind, before) {
            (Kind::Fixed(token!["->"]), Some(before)) => before,
            _ => self.name("the name of a state")?,
        };
        if self.peek().kind == Kind::Fixed(token!["=>"]) {
            let message = "transitions with probabilities are not supported";
            return Err(SourceError::new(self.span(), message));
        }
        self.require(token!["->"], "")?;
        let target = self.name("the name of a state")?;
        let span = Span { start, end: target.span.end };
        let (guards, sync, effects) = (Vec::new(), None, Vec::new());
        let mut transition = Transition { source, target, guards, sync, effects, span };
        self.require(token!["{"], "")?;
        while !self.take(token!["}"]) {
            self.part(&mut transition)?;
        }
        transition.span.end = self.previous_end();
        Ok(transition)
    }

    /// `guard …;`, `sync …;` or `effect …;`
    fn part(&mut self, transition: &mut Transition) -> Result<(), SourceError> {
        let token = self.peek();
        let is_new = match token.kind {
            Kind::Fixed(token!["guard"]) => transition.guards.is_empty(),
            Kind::Fixed(token!["sync"]) => transition.sync.is_none(),
            Kind::Fixed(token!["effect"]) => transition.effects.is_empty(),
            _ => return Err(self.expected("`guard`, `sync`, `effect` or `}`")),
        };
        if !is_new {
            let message = format!("a transition has one clause {} only", self.found());
            return Err(SourceError::new(token.span, message));
        }
        self.advance();
        match token.kind {
            Kind::Fixed(token!["guard"]) => transition.guards = self.list(expression)?,
            Kind::Fixed(token!["sync"]) => transition.sync = Some(self.sync()?),
            _ => {
                transition.effects = self.list(|parser| {
                    let place = parser.place()?;
                    parser.require(token!["="], "")?;
                    Ok((place, expression(parser)?))
                })?;
            }
        }
        self.require(token![";"], "")
    }

    fn place(&mut self) -> Result<Place, SourceError> {
        let name = self.name("the name of a variable")?;
        let index = self.size()?;
        Ok(Place { name, index })
    }

    fn sync(&mut self) -> Result<Sync, SourceError> {
        let channel = self.name("the name of a channel")?;
        let message = if self.take(token!["!"]) {
            Message::Send(self.message(expression)?)
        } else {
            self.require(token!["?"], " or `!`")?;
            Message::Receive(self.message(Self::place)?)
        };
        let span = Span { start: channel.span.start, end: self.previous_end() };
        Ok(Sync { channel, message, span })
    }

    /// Nothing, one item, or several in braces.
    fn message<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, SourceError>,
    ) -> Result<Vec<T>, SourceError> {
        match self.peek().kind {
            Kind::Fixed(token![";"]) => Ok(Vec::new()),
            Kind::Fixed(token!["{"]) => {
                self.advance();
                let items = self.list(item)?;
                self.require(token!["}"], " or `,`")?;
                Ok(items)
            }
            _ => Ok(vec![item(self)?]),
        }
    }
}
