//! What a program keeps of its source text, so that people can be told of runs in the
//! words of the text: statements, what they print, channels, and where processes wait.
//!
//! Executors that search look at nothing of this.

use super::program::{ExpressionId, ProcessId, Span, TransitionId, Values, VariableId};
use crate::id::{IdVec, define_id};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::sync::Arc;

define_id! {
    /// A statement of a source text.
    pub struct StatementId;
}

define_id! {
    /// What runs statements. Several actors may take turns in being the same
    /// process of the program.
    pub struct ActorId;
}

/// A statement of a source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// The file in which it stands, if it is not the one that was read first.
    pub file: Option<String>,
    /// Its line, counted from 1.
    pub line: usize,
    /// Its text, on one line.
    pub text: String,
    /// Where it stands in the text that was read first; empty if it stands elsewhere.
    pub span: Span,
    /// The uses of macros that it comes from, the innermost first. `line` and `text` are
    /// then those of the expansion.
    pub calls: Vec<Call>,
}

/// A use of a macro or an inline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The file in which it stands, if it is not the one that was read first.
    pub file: Option<String>,
    /// Its line, counted from 1.
    pub line: usize,
    /// Its text, on one line; the end of a long one is left out.
    pub text: String,
}

impl Statement {
    /// The line and the text: what the statement is called without its calls.
    #[must_use]
    pub fn title(&self) -> String {
        let file = self.file.as_ref().map_or_else(String::new, |file| format!("{file}:"));
        format!("{file}{}: {}", self.line, self.text)
    }
}

impl std::fmt::Display for Statement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.title())?;
        for (number, Call { file, line, text }) in self.calls.iter().enumerate() {
            f.write_str(if number == 0 { " (" } else { "; " })?;
            match file {
                Some(file) => write!(f, "{text}, {file}:{line}")?,
                None => write!(f, "{text}, line {line}")?,
            }
        }
        f.write_str(if self.calls.is_empty() { "" } else { ")" })
    }
}

/// A statement that a transition runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The actor that runs it.
    pub actor: ActorId,
    /// What is run.
    pub statement: StatementId,
    /// How many effects of the transition belong to earlier statements. It has those
    /// that follow, up to the next statement's.
    pub n_effects: usize,
    /// What it prints, if it does.
    pub print: Option<Arc<[Piece]>>,
    /// The variables to which it gives values that are no part of states, since no
    /// statement reads them.
    pub unread: Arc<[String]>,
}

/// A part of what a statement prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A text, as it is.
    Text(String),
    /// The value that an expression has when the statement runs.
    Value(ExpressionId, Conversion),
}

/// How a value is printed. Values are 32-bit numbers, as in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// `%d` and `%i`: with a sign.
    Signed,
    /// `%u`: without a sign.
    Unsigned,
    /// `%c`: a character.
    Character,
    /// `%x`
    Hexadecimal,
    /// `%o`
    Octal,
    /// `%e`: the name of a value, if it has one. Names are counted from 0.
    Name(Vec<String>),
}

impl Conversion {
    /// A value in this form.
    ///
    /// ```
    /// use lwaa::lang::source::Conversion;
    ///
    /// assert_eq!(Conversion::Hexadecimal.text(-1), "ffffffff");
    /// assert_eq!(Conversion::Name(vec!["0".to_owned(), "ack".to_owned()]).text(1), "ack");
    /// ```
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "values are 32-bit numbers, as in C")]
    #[allow(clippy::cast_sign_loss, reason = "values are 32-bit numbers, as in C")]
    pub fn text(&self, value: i64) -> String {
        let word = value as u32;
        match self {
            Self::Signed => word.cast_signed().to_string(),
            Self::Unsigned => word.to_string(),
            Self::Character => char::from(word as u8).to_string(),
            Self::Hexadecimal => format!("{word:x}"),
            Self::Octal => format!("{word:o}"),
            Self::Name(names) => {
                let name = usize::try_from(value).ok().and_then(|index| names.get(index));
                name.cloned().unwrap_or_else(|| word.cast_signed().to_string())
            }
        }
    }
}

/// A channel that holds messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// What it is called: `q`, `q[2]`, `P(1):q`.
    pub name: String,
    /// How many messages it holds: a variable and its element.
    pub len: (VariableId, usize),
    /// Where the fields of its messages are: those of the first message, and behind
    /// them those of the others.
    pub fields: Vec<Field>,
    /// When it exists, if not always.
    pub presence: Option<Presence>,
}

/// When something of a process exists: while the process is at one of its places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    /// Where the process is.
    pub counter: VariableId,
    /// The first of its places.
    pub first: i64,
    /// The last one.
    pub last: i64,
}

/// A field of the messages of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The array in which it is.
    pub variable: VariableId,
    /// The element that the first message has.
    pub first: usize,
    /// Names of values, from 0 on; empty if values are numbers.
    pub value_names: Vec<String>,
}

/// A place where an actor may be, and the statements that begin there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The process.
    pub process: ProcessId,
    /// The actor that it is there.
    pub actor: ActorId,
    /// It is there if this variable ...
    pub counter: VariableId,
    /// ... has this value.
    pub value: i64,
    /// Statements that begin there, in their order.
    pub statements: Vec<StatementId>,
    /// Whether it may stay there for ever.
    pub is_end: bool,
}

/// What a program keeps of its source text.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// Whether variables are set to 0 where they are not read any more.
    pub resets: bool,
    /// The transitions in which several processes move at the same time: who does what.
    pub together: HashMap<TransitionId, Vec<(ProcessId, String)>, FxBuildHasher>,
    /// The statements.
    pub statements: IdVec<StatementId, Statement>,
    /// The names of the actors.
    pub actors: IdVec<ActorId, String>,
    /// The channels, in the order in which they are shown.
    pub channels: Vec<Channel>,
    /// Variables that say no more than the names of channels do.
    pub unshown: Vec<VariableId>,
    /// When variables exist that belong to processes which come and go. At other times
    /// they are 0.
    pub presences: HashMap<VariableId, Presence, FxBuildHasher>,
    /// Where processes may be, sorted by process.
    pub places: Vec<Place>,
    /// For what the program was made, if its text does not say so, in words that
    /// [`Demand::Purpose`](crate::lang::Demand::Purpose) understands: which
    /// processes there is room for, and what is asked about them.
    pub purpose: Vec<String>,
    by_key: HashMap<(usize, usize), StatementId, FxBuildHasher>,
    by_name: HashMap<String, ActorId, FxBuildHasher>,
}

impl Source {
    /// The statement that the language knows by `key`; `make` says what it is.
    pub fn statement(
        &mut self,
        key: (usize, usize),
        make: impl FnOnce() -> Statement,
    ) -> StatementId {
        if let Some(&known) = self.by_key.get(&key) {
            return known;
        }
        let id = self.statements.push(make());
        self.by_key.insert(key, id);
        id
    }

    /// The actor of this name.
    pub fn actor(&mut self, name: &str) -> ActorId {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let id = self.actors.push(name.to_owned());
        self.by_name.insert(name.to_owned(), id);
        id
    }
}

impl Presence {
    /// Whether that is so with these values.
    #[must_use]
    pub fn holds(self, values: &Values) -> bool {
        (self.first..=self.last).contains(&values.value(self.counter, 0))
    }
}

impl Channel {
    /// Where the fields of message number `position` are.
    pub fn message(&self, position: usize) -> impl Iterator<Item = (&Field, usize)> {
        self.fields.iter().map(move |field| (field, field.first + position))
    }
}

impl Field {
    /// A value of the field as traces show it.
    #[must_use]
    pub fn value_name(&self, value: i64) -> String {
        let name = usize::try_from(value).ok().and_then(|index| self.value_names.get(index));
        name.cloned().unwrap_or_else(|| value.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Id;

    #[test]
    fn values_are_printed_as_in_c() {
        assert_eq!(Conversion::Signed.text(-1), "-1");
        assert_eq!(Conversion::Unsigned.text(-1), "4294967295");
        assert_eq!(Conversion::Hexadecimal.text(255), "ff");
        assert_eq!(Conversion::Hexadecimal.text(-2), "fffffffe");
        assert_eq!(Conversion::Octal.text(8), "10");
        assert_eq!(Conversion::Character.text(65), "A");
        assert_eq!(Conversion::Character.text(256 + 66), "B");
        let names = Conversion::Name(vec!["0".to_owned(), "ack".to_owned()]);
        assert_eq!(names.text(1), "ack");
        assert_eq!(names.text(0), "0");
        assert_eq!(names.text(2), "2");
        assert_eq!(names.text(-3), "-3");
    }

    #[test]
    fn statements_and_actors_are_known_by_key_and_name() {
        let mut source = Source::default();
        let span = Span { start: 3, end: 5 };
        let text = "x = 1".to_owned();
        let make = || Statement { file: None, line: 2, text, span, calls: Vec::new() };
        let one = source.statement((3, 5), make);
        assert_eq!(source.statement((3, 5), || unreachable!("it is known")), one);
        assert_eq!(source.statements[one].to_string(), "2: x = 1");
        let call = |file: Option<&str>, line, text: &str| Call {
            file: file.map(str::to_owned),
            line,
            text: text.to_owned(),
        };
        source.statements[one].calls = vec![call(None, 7, "set(x)"), call(Some("a.h"), 9, "all")];
        assert_eq!(source.statements[one].to_string(), "2: x = 1 (set(x), line 7; all, a.h:9)");
        assert_eq!(source.statements[one].title(), "2: x = 1");
        assert_eq!(source.actor("P"), source.actor("P"));
        assert_ne!(source.actor("P"), source.actor("Q"));
        assert_eq!(source.actors[ActorId::new(1)], "Q");
    }
}
