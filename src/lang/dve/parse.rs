//! Tokens to a [`System`].
//!
//! The order of clauses is freer than `DiVinE`'s: the clauses of a process come
//! in any order behind its declarations, and so do `guard`, `sync` and `effect`
//! of a transition; each at most once. Nothing here is recursive.

use super::super::SourceError;
use super::super::cursor::{Cursor, Result, fail};
use super::ast::{
    Channel, Declaration, Initial, Message, Name, Place, Process, Sync, System, Transition, Tree,
    Type,
};
use super::lex::{Fixed, TokenKind, token, tokens};

/// A place in the tokens of a text, and the names of all processes of it, sorted.
type Parser<'a> = Cursor<'a, Fixed, Vec<&'a str>>;

/// What is expected where a variable should be.
const VARIABLE: &str = "the name of a variable";
const STATE: &str = "the name of a state";
const CLAUSES: &str = "`state`, `init`, `commit`, `accept`, `assert`, `trans` or `}`";

/// What has clauses, as messages call it.
const PROCESS: &str = "a process";
const TRANSITION: &str = "a transition";

/// Reads a whole text.
pub(super) fn system(text: &str) -> Result<System> {
    let tokens = tokens(text)?;
    let mut processes: Vec<&str> = tokens
        .windows(2)
        .filter(|pair| {
            pair[0].kind == TokenKind::Fixed(token!["process"]) && pair[1].kind == TokenKind::Name
        })
        .map(|pair| &text[pair[1].span.start..pair[1].span.end])
        .collect();
    processes.sort_unstable();
    Parser { text, tokens, at: 0, context: processes }.system()
}

/// Reads a text that is one expression, in a model with these processes.
pub(super) fn proposition<'a>(text: &'a str, mut processes: Vec<&'a str>) -> Result<Tree> {
    processes.sort_unstable();
    Parser { text, tokens: tokens(text)?, at: 0, context: processes }.whole(Parser::expression)
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
    fn system(mut self) -> Result<System> {
        let mut declarations = Vec::new();
        let mut channels = Vec::new();
        let mut processes = Vec::new();
        loop {
            match self.fixed() {
                Some(token!["const" "byte" "int"]) => self.declaration(&mut declarations)?,
                Some(token!["channel"]) => self.channels(&mut channels)?,
                Some(token!["process"]) => processes.push(self.process()?),
                Some(token!["system"]) => break,
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
        if self.peek().kind != TokenKind::End {
            return Err(self.expected("the end of the text"));
        }
        Ok(System { declarations, channels, processes, is_synchronous, property })
    }

    fn type_name(&mut self) -> Result<Type> {
        if self.take(token!["byte"]) {
            Ok(Type::Byte)
        } else if self.take(token!["int"]) {
            Ok(Type::Int)
        } else {
            Err(self.expected("`byte` or `int`"))
        }
    }

    fn declaration(&mut self, declarations: &mut Vec<Declaration>) -> Result<()> {
        let is_constant = self.take(token!["const"]);
        let of_type = self.type_name()?;
        let declared = self.list(|parser| {
            let name = parser.name(VARIABLE)?;
            let size = parser.index()?;
            let initial = parser.initial()?;
            Ok(Declaration { name, of_type, is_constant, size, initial })
        })?;
        declarations.extend(declared);
        self.require(token![";"], "")
    }

    fn initial(&mut self) -> Result<Initial> {
        if !self.take(token!["="]) {
            return Ok(Initial::None);
        }
        let start = self.span().start;
        if !self.take(token!["{"]) {
            return self.expression().map(Initial::Single);
        }
        let values = self.list(Self::expression)?;
        self.require(token!["}"], " or `,`")?;
        Ok(Initial::List(values, self.span_from(start)))
    }

    fn channels(&mut self, channels: &mut Vec<Channel>) -> Result<()> {
        self.advance();
        let mut fields = None;
        if self.take(token!["{"]) {
            fields = Some(self.list(Self::type_name)?);
            self.require(token!["}"], " or `,`")?;
        }
        let declared = self.list(|parser| {
            let name = parser.name("the name of a channel")?;
            let capacity = parser.index()?;
            Ok(Channel { name, fields: fields.clone(), capacity })
        })?;
        channels.extend(declared);
        self.require(token![";"], "")
    }

    fn process(&mut self) -> Result<Process> {
        self.advance();
        let name = self.name("the name of a process")?;
        self.require(token!["{"], "")?;
        let mut declarations = Vec::new();
        while let Some(token!["const" "byte" "int"]) = self.fixed() {
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

    fn clause(&mut self, clauses: &mut Clauses) -> Result<()> {
        let state = |parser: &mut Self| parser.name(STATE);
        let Some(keyword) = self.fixed() else { return Err(self.expected(CLAUSES)) };
        match keyword {
            token!["state"] => self.once(PROCESS, &mut clauses.states, |it| it.list(state))?,
            token!["init"] => self.once(PROCESS, &mut clauses.initial, state)?,
            token!["commit"] => self.once(PROCESS, &mut clauses.committed, |it| it.list(state))?,
            token!["accept"] => self.once(PROCESS, &mut clauses.accepting, Self::accepting)?,
            token!["assert"] => self.once(PROCESS, &mut clauses.assertions, Self::assertions)?,
            token!["trans"] => {
                self.once(PROCESS, &mut clauses.transitions, Self::transitions)?;
                // DiVinE wants the semicolon in its older versions only.
                self.take(token![";"]);
                return Ok(());
            }
            token!["channel"] => {
                return fail(self.span(), "channels are declared in front of the processes");
            }
            _ => return Err(self.expected(CLAUSES)),
        }
        self.require(token![";"], "")
    }

    /// A clause of which `whole` has one at most, except for its semicolon.
    fn once<T>(
        &mut self,
        whole: &str,
        clause: &mut Option<T>,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<()> {
        if clause.is_some() {
            return fail(self.span(), format!("{whole} has one clause {} only", self.found()));
        }
        self.advance();
        *clause = Some(read(self)?);
        Ok(())
    }

    fn assertions(&mut self) -> Result<Vec<(Name, Tree)>> {
        self.list(|parser| {
            let state = parser.name(STATE)?;
            parser.require(token![":"], "")?;
            Ok((state, parser.expression()?))
        })
    }

    /// The states behind `accept`. Sets and pairs of them are read over: what
    /// they accept is of no use here.
    fn accepting(&mut self) -> Result<Vec<Name>> {
        let kinds = [token!["genbuchi"], token!["muller"], token!["rabin"], token!["streett"]];
        let plain = !kinds.into_iter().any(|kind| self.take(kind));
        self.take(token!["buchi"]);
        if plain {
            return self.list(|parser| parser.name(STATE));
        }
        let mut states = Vec::new();
        self.list(|parser| {
            parser.require(token!["("], "")?;
            while !parser.take(token![")"]) {
                if !parser.take(token![","]) && !parser.take(token![";"]) {
                    states.push(parser.name(STATE)?);
                }
            }
            Ok(())
        })?;
        Ok(states)
    }

    fn transitions(&mut self) -> Result<Vec<Transition>> {
        let mut source = None;
        self.list(|parser| {
            let transition = parser.transition(source.take())?;
            source = Some(transition.source.clone());
            Ok(transition)
        })
    }

    /// `source -> target { … }`, where the source may be left out if there was
    /// one before.
    fn transition(&mut self, before: Option<Name>) -> Result<Transition> {
        let start = self.span().start;
        let source = match (self.fixed(), before) {
            (Some(token!["->"]), Some(before)) => before,
            _ => self.name(STATE)?,
        };
        if self.is(token!["=>"]) {
            return fail(self.span(), "transitions with probabilities are not supported");
        }
        self.require(token!["->"], "")?;
        let target = self.name(STATE)?;
        self.require(token!["{"], "")?;
        let (mut guards, mut sync, mut effects) = (None, None, None);
        while !self.take(token!["}"]) {
            match self.fixed() {
                Some(token!["guard"]) => {
                    self.once(TRANSITION, &mut guards, |it| it.list(Self::expression))?;
                }
                Some(token!["sync"]) => self.once(TRANSITION, &mut sync, Self::sync)?,
                Some(token!["effect"]) => {
                    self.once(TRANSITION, &mut effects, Self::effects)?;
                }
                _ => return Err(self.expected("`guard`, `sync`, `effect` or `}`")),
            }
            self.require(token![";"], "")?;
        }
        let (guards, effects) = (guards.unwrap_or_default(), effects.unwrap_or_default());
        let span = self.span_from(start);
        Ok(Transition { source, target, guards, sync, effects, span })
    }

    fn effects(&mut self) -> Result<Vec<(Place, Tree)>> {
        self.list(|parser| {
            let place = parser.designator(VARIABLE)?;
            parser.require(token!["="], "")?;
            Ok((place, parser.expression()?))
        })
    }

    fn sync(&mut self) -> Result<Sync> {
        let channel = self.name("the name of a channel")?;
        let message = if self.take(token!["!"]) {
            Message::Send(self.message(Self::expression)?)
        } else {
            self.require(token!["?"], " or `!`")?;
            Message::Receive(self.message(|parser| parser.designator(VARIABLE))?)
        };
        let span = self.span_from(channel.span.start);
        Ok(Sync { channel, message, span })
    }

    /// Nothing, one item, or several in braces.
    fn message<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        match self.fixed() {
            Some(token![";"]) => Ok(Vec::new()),
            Some(token!["{"]) => {
                self.advance();
                let items = self.list(item)?;
                self.require(token!["}"], " or `,`")?;
                Ok(items)
            }
            _ => Ok(vec![item(self)?]),
        }
    }
}
