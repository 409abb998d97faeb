//! Text to structure.

use super::Structure;
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::suggest::misspelt;
use crate::scan::{
    self, Comment, Language, Scanner, Span, Spelt, define_tokens, escaped_character, longest,
    unescaped,
};
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

define_tokens! {
    /// The keywords and the only sign.
    enum Fixed { Atoms "atoms", Initial "initial", State "state", Arrow "->", }
}

type TokenKind = scan::Kind<Fixed>;
type Token = scan::Token<Fixed>;

struct Kripke;

impl Language for Kripke {
    type Fixed = Fixed;
    const COMMENTS: &[Comment] = &[Comment::Line("#")];
    const HAS_TEXTS: bool = true;

    fn find(&self, wanted: impl Fn(&str) -> bool) -> Option<(Fixed, usize)> {
        longest(Fixed::SPELLINGS, wanted)
    }

    fn begins_word(&self, character: char) -> bool {
        is_part(character)
    }

    fn is_in_word(&self, character: char) -> bool {
        is_part(character)
    }
}

/// A name and where it stands.
type Place<'a> = (Cow<'a, str>, Span);

struct Parser<'a> {
    text: &'a str,
    scanner: Scanner<'a, Kripke>,
    token: Token,
    structure: Structure,
    numbers: HashMap<String, usize, FxBuildHasher>,
    /// Where the edges lead: found when all states are known.
    targets: Vec<Vec<Place<'a>>>,
    initial: Vec<Place<'a>>,
}

/// Reads a structure.
pub(super) fn structure(text: &str) -> Result<Structure> {
    let mut scanner = Scanner::new(Kripke, text);
    let token = scanner.next()?;
    let mut parser = Parser {
        text,
        scanner,
        token,
        structure: Structure::default(),
        numbers: HashMap::default(),
        targets: Vec::new(),
        initial: Vec::new(),
    };
    loop {
        match parser.token.kind {
            TokenKind::Fixed(token!["atoms"]) => parser.atoms()?,
            TokenKind::Fixed(token!["initial"]) => {
                parser.advance()?;
                let states = parser.names()?;
                if states.is_empty() {
                    return Err(parser.expected("a state"));
                }
                parser.initial.extend(states);
            }
            TokenKind::Fixed(token!["state"]) => parser.state()?,
            TokenKind::End => return parser.finish(),
            _ => return Err(parser.expected("`atoms`, `initial` or `state`")),
        }
    }
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<()> {
        self.token = self.scanner.next()?;
        Ok(())
    }

    /// The name here, in quotation marks or not.
    fn name(&self) -> Option<Cow<'a, str>> {
        let Span { start, end } = self.token.span;
        match self.token.kind {
            TokenKind::Name => Some(Cow::Borrowed(&self.text[start..end])),
            TokenKind::Text => Some(unescaped(&self.text[start + 1..end - 1], escaped_character)),
            _ => None,
        }
    }

    fn expected(&self, what: &str) -> SourceError {
        let name = self.name();
        let found = match (&name, self.token.kind) {
            (Some(name), _) => format!("`{name}`"),
            (None, TokenKind::Fixed(fixed)) => format!("`{fixed}`"),
            (None, _) => "the end of the text".to_owned(),
        };
        let advice =
            name.map_or_else(String::new, |name| misspelt(&name, "", KEYWORDS.into_iter()));
        SourceError::new(self.token.span, format!("expected {what}, found {found}{advice}"))
    }

    /// All names from here up to another token.
    fn names(&mut self) -> Result<Vec<Place<'a>>> {
        let mut names = Vec::new();
        while let Some(name) = self.name() {
            names.push((name, self.token.span));
            self.advance()?;
        }
        Ok(names)
    }

    fn atoms(&mut self) -> Result<()> {
        self.advance()?;
        for (name, span) in self.names()? {
            if self.structure.atoms.find(&name).is_some() {
                return fail(span, format!("there is another atom `{name}`"));
            }
            self.structure.atoms.intern(&name);
        }
        Ok(())
    }

    fn state(&mut self) -> Result<()> {
        self.advance()?;
        let mut names = self.names()?.into_iter();
        let Some((name, span)) = names.next() else {
            return Err(self.expected("the name of a state"));
        };
        let number = self.structure.names.len();
        if self.numbers.insert(name.to_string(), number).is_some() {
            return fail(span, format!("there is another state `{name}`"));
        }
        let mut letter = Letter::new();
        for (atom, span) in names {
            let Some(atom) = self.structure.atoms.find(&atom) else {
                return fail(span, format!("there is no atom `{atom}` so far"));
            };
            letter.set(atom, true);
        }
        if self.token.kind != TokenKind::Fixed(token!["->"]) {
            return Err(self.expected("an atom or `->`"));
        }
        self.advance()?;
        let targets = self.names()?;
        self.structure.names.push(name.into_owned());
        self.structure.letters.push(letter);
        self.targets.push(targets);
        Ok(())
    }

    fn finish(mut self) -> Result<Structure> {
        if self.initial.is_empty() {
            let mut error = self.expected("`initial` and a state");
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
        let mut list = |places: Vec<Place<'_>>| -> Result<Vec<usize>> {
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
