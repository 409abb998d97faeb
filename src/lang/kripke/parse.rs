//! Text to structure.

use super::Structure;
use crate::lang::SourceError;
use crate::lang::program::Span;
use crate::lang::suggest::misspelt;
use crate::word::Letter;
use crate::work::tick;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;

const KEYWORDS: [&str; 3] = ["atoms", "initial", "state"];

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Whether a name needs no quotation marks.
pub(super) fn is_word(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_part) && !KEYWORDS.contains(&name)
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind<'a> {
    Name(Cow<'a, str>),
    Keyword(&'static str),
    Arrow,
    End,
}

#[derive(Clone, Debug)]
struct Token<'a> {
    kind: Kind<'a>,
    span: Span,
}

impl Token<'_> {
    fn expected(&self, what: &str) -> SourceError {
        let found = match &self.kind {
            Kind::Name(name) => format!("`{name}`"),
            Kind::Keyword(word) => format!("`{word}`"),
            Kind::Arrow => "`->`".to_owned(),
            Kind::End => "the end of the text".to_owned(),
        };
        let advice = match &self.kind {
            Kind::Name(name) => misspelt(name, "", KEYWORDS.into_iter()),
            _ => String::new(),
        };
        SourceError::new(self.span, format!("expected {what}, found {found}{advice}"))
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn next(&mut self) -> Result<Token<'a>, SourceError> {
        let rest = loop {
            let rest = self.text[self.at..].trim_start();
            self.at = self.text.len() - rest.len();
            if !rest.starts_with('#') {
                break rest;
            }
            self.at += rest.find('\n').unwrap_or(rest.len());
        };
        let start = self.at;
        let (kind, length) = match rest.chars().next() {
            None => (Kind::End, 0),
            Some('"') => self.quoted(rest)?,
            Some(first) if is_part(first) => {
                let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
                let word = &rest[..length];
                let keyword = KEYWORDS.into_iter().find(|&keyword| keyword == word);
                (keyword.map_or(Kind::Name(Cow::Borrowed(word)), Kind::Keyword), length)
            }
            _ if rest.starts_with("->") => (Kind::Arrow, 2),
            Some(first) => {
                let span = Span { start, end: start + first.len_utf8() };
                let message = format!("unexpected character `{}`", first.escape_debug());
                return Err(SourceError::new(span, message));
            }
        };
        self.at += length;
        Ok(Token { kind, span: Span { start, end: self.at } })
    }

    /// A name in quotation marks, at the beginning of `rest`.
    fn quoted(&self, rest: &'a str) -> Result<(Kind<'a>, usize), SourceError> {
        let mut name = String::new();
        let mut escaped = false;
        for (index, c) in rest.char_indices().skip(1) {
            match c {
                '"' if !escaped => return Ok((Kind::Name(Cow::Owned(name)), index + 1)),
                '\\' if !escaped => escaped = true,
                _ => {
                    name.push(c);
                    escaped = false;
                }
            }
        }
        let span = Span { start: self.at, end: self.at + 1 };
        Err(SourceError::new(span, "this quotation mark is never closed"))
    }
}

/// A name and where it stands.
type Place<'a> = (Cow<'a, str>, Span);

struct Parser<'a> {
    lexer: Lexer<'a>,
    token: Token<'a>,
    structure: Structure,
    numbers: HashMap<String, usize, FxBuildHasher>,
    /// Where the edges lead: found when all states are known.
    targets: Vec<Vec<Place<'a>>>,
    initial: Vec<Place<'a>>,
}

/// Reads a structure.
pub(super) fn structure(text: &str) -> Result<Structure, SourceError> {
    let mut lexer = Lexer { text, at: 0 };
    let token = lexer.next()?;
    let mut parser = Parser {
        lexer,
        token,
        structure: Structure::default(),
        numbers: HashMap::default(),
        targets: Vec::new(),
        initial: Vec::new(),
    };
    loop {
        match parser.token.kind {
            Kind::Keyword("atoms") => parser.atoms()?,
            Kind::Keyword("initial") => {
                parser.advance()?;
                let states = parser.names()?;
                if states.is_empty() {
                    return Err(parser.token.expected("a state"));
                }
                parser.initial.extend(states);
            }
            Kind::Keyword(_) => parser.state()?,
            Kind::End => return parser.finish(),
            _ => return Err(parser.token.expected("`atoms`, `initial` or `state`")),
        }
    }
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<Token<'a>, SourceError> {
        Ok(std::mem::replace(&mut self.token, self.lexer.next()?))
    }

    /// The names at hand, as many as there are.
    fn names(&mut self) -> Result<Vec<Place<'a>>, SourceError> {
        let mut names = Vec::new();
        while matches!(self.token.kind, Kind::Name(_)) {
            if let Token { kind: Kind::Name(name), span } = self.advance()? {
                names.push((name, span));
            }
        }
        Ok(names)
    }

    fn atoms(&mut self) -> Result<(), SourceError> {
        self.advance()?;
        for (name, span) in self.names()? {
            if self.structure.atoms.find(&name).is_some() {
                return Err(SourceError::new(span, format!("there is another atom `{name}`")));
            }
            self.structure.atoms.intern(&name);
        }
        Ok(())
    }

    fn state(&mut self) -> Result<(), SourceError> {
        self.advance()?;
        let mut names = self.names()?.into_iter();
        let Some((name, span)) = names.next() else {
            return Err(self.token.expected("the name of a state"));
        };
        let number = self.structure.names.len();
        if self.numbers.insert(name.to_string(), number).is_some() {
            return Err(SourceError::new(span, format!("there is another state `{name}`")));
        }
        let mut letter = Letter::new();
        for (atom, span) in names {
            let Some(atom) = self.structure.atoms.find(&atom) else {
                return Err(SourceError::new(span, format!("there is no atom `{atom}` so far")));
            };
            letter.set(atom, true);
        }
        if self.token.kind != Kind::Arrow {
            return Err(self.token.expected("an atom or `->`"));
        }
        self.advance()?;
        let targets = self.names()?;
        self.structure.names.push(name.into_owned());
        self.structure.letters.push(letter);
        self.targets.push(targets);
        Ok(())
    }

    fn finish(mut self) -> Result<Structure, SourceError> {
        if self.initial.is_empty() {
            let mut error = self.token.expected("`initial` and a state");
            // A misspelt keyword behind `atoms` is one more atom.
            let atoms = self.structure.atoms.iter().map(|(_, name)| name);
            let advice = atoms.map(|name| misspelt("", name, KEYWORDS.into_iter()));
            error.message.extend(advice.filter(|advice| !advice.is_empty()).take(1));
            return Err(error);
        }
        let numbers = self.numbers;
        let find = |(name, span): Place<'_>| {
            let unknown = || {
                let advice = misspelt(&name, "", KEYWORDS.into_iter());
                SourceError::new(span, format!("there is no state `{name}`{advice}"))
            };
            numbers.get(name.as_ref()).copied().ok_or_else(unknown)
        };
        // For each state, how many lists of states had been begun when it was last named:
        // nothing has to be forgotten between a list and the next one.
        let mut named = vec![0; numbers.len()];
        let mut n_lists = 0;
        let mut list = |places: Vec<Place<'_>>| {
            n_lists += 1;
            let mut states = Vec::with_capacity(places.len());
            for place in places {
                tick();
                let state = find(place)?;
                // An edge that is named twice is one edge.
                if std::mem::replace(&mut named[state], n_lists) != n_lists {
                    states.push(state);
                }
            }
            Ok(states)
        };
        self.structure.initial = list(self.initial)?;
        for targets in self.targets {
            self.structure.successors.push(list(targets)?);
        }
        Ok(self.structure)
    }
}
