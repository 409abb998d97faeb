//! What the names of a model stand for, and what to say about names that stand
//! for nothing.
//!
//! Variables, constants, channels and processes share one name space, and the
//! states and local variables of a process another one, which hides the first.

use super::super::SourceError;
use super::super::program::{Span, VariableId};
use super::super::suggest::hint;
use super::ast::{Name, Type};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// What a name of a variable, constant, channel or process stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Constant(i64),
    Variable {
        id: VariableId,
        is_array: bool,
        is_constant: bool,
    },
    /// Its number in [`Names::channels`].
    Channel(usize),
    /// Its number in [`Names::processes`].
    Process(usize),
}

impl Symbol {
    fn what(self) -> &'static str {
        match self {
            Self::Constant(_) => "a constant",
            Self::Variable { is_array: false, .. } => "a variable",
            Self::Variable { is_array: true, .. } => "an array",
            Self::Channel(_) => "a channel",
            Self::Process(_) => "a process",
        }
    }
}

/// Names and what they stand for, in the order of their declarations.
#[derive(Debug)]
pub(super) struct Table<T> {
    by_name: HashMap<String, T, FxBuildHasher>,
    order: Vec<String>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { by_name: HashMap::default(), order: Vec::new() }
    }
}

impl<T: Copy> Table<T> {
    pub(super) fn get(&self, name: &str) -> Option<T> {
        self.by_name.get(name).copied()
    }

    fn insert(&mut self, name: &str, value: T) {
        self.by_name.insert(name.to_owned(), value);
        self.order.push(name.to_owned());
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }
}

/// A channel, after its declaration has been read.
#[derive(Debug)]
pub(super) struct ChannelNames {
    pub(super) fields: Option<Vec<Type>>,
    /// Nothing for a rendezvous.
    pub(super) buffer: Option<Buffer>,
    /// How many values a message has, and who says so, once anyone does.
    pub(super) arity: Option<(usize, Span)>,
}

/// The variables of a buffered channel.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) capacity: usize,
    pub(super) length: VariableId,
    /// One array for each field.
    pub(super) fields: Vec<VariableId>,
}

/// The names inside of a process.
#[derive(Debug)]
pub(super) struct ProcessNames {
    pub(super) name: String,
    pub(super) location: VariableId,
    pub(super) states: Table<i64>,
    pub(super) symbols: Table<Symbol>,
    /// By the numbers of states.
    pub(super) is_committed: Vec<bool>,
}

/// All names of a model.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) globals: Table<Symbol>,
    pub(super) channels: Vec<ChannelNames>,
    pub(super) processes: Vec<ProcessNames>,
    /// Whether all processes take part in every step.
    pub(super) is_synchronous: bool,
}

impl Names {
    /// Declares a name outside of all processes.
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol) -> Result<(), SourceError> {
        if let Some(other) = self.globals.get(&name.text) {
            return Err(taken(name, other.what()));
        }
        self.globals.insert(&name.text, symbol);
        Ok(())
    }

    /// Declares a variable or constant inside of the process that was declared
    /// last.
    pub(super) fn declare_local(&mut self, name: &Name, symbol: Symbol) -> Result<(), SourceError> {
        let Some(process) = self.processes.last_mut() else { return self.declare(name, symbol) };
        if let Some(other) = process.symbols.get(&name.text) {
            return Err(taken(name, other.what()));
        }
        process.symbols.insert(&name.text, symbol);
        Ok(())
    }

    /// The variable or constant of that name, in the process or outside.
    pub(super) fn value(&self, process: Option<usize>, name: &Name) -> Result<Symbol, SourceError> {
        let local = process.and_then(|process| self.processes[process].symbols.get(&name.text));
        match local.or_else(|| self.globals.get(&name.text)) {
            Some(symbol @ (Symbol::Constant(_) | Symbol::Variable { .. })) => Ok(symbol),
            Some(other) => {
                let message = format!("`{}` is {}, not a variable", name.text, other.what());
                Err(SourceError::new(name.span, message))
            }
            None => {
                let locals = process.map(|process| self.processes[process].symbols.names());
                let is_value = |known: &&str| {
                    let symbol = self.globals.get(known);
                    matches!(symbol, Some(Symbol::Constant(_) | Symbol::Variable { .. }))
                };
                let globals = self.globals.names().filter(is_value);
                let known = locals.into_iter().flatten().chain(globals);
                Err(unknown("there is no variable", name, known))
            }
        }
    }

    /// The number of the channel of that name.
    pub(super) fn channel(&self, name: &Name) -> Result<usize, SourceError> {
        match self.globals.get(&name.text) {
            Some(Symbol::Channel(number)) => Ok(number),
            Some(other) => {
                let message = format!("`{}` is {}, not a channel", name.text, other.what());
                Err(SourceError::new(name.span, message))
            }
            None => {
                let is_channel =
                    |known: &&str| matches!(self.globals.get(known), Some(Symbol::Channel(_)));
                Err(unknown("there is no channel", name, self.globals.names().filter(is_channel)))
            }
        }
    }

    /// The process of that name.
    pub(super) fn process(&self, name: &Name) -> Result<&ProcessNames, SourceError> {
        self.process_number(name).map(|number| &self.processes[number])
    }

    /// The number of the process of that name.
    pub(super) fn process_number(&self, name: &Name) -> Result<usize, SourceError> {
        if let Some(Symbol::Process(number)) = self.globals.get(&name.text) {
            return Ok(number);
        }
        let known = self.processes.iter().map(|process| process.name.as_str());
        Err(unknown("there is no process", name, known))
    }
}

impl ProcessNames {
    /// Declares a state.
    pub(super) fn declare_state(&mut self, name: &Name, value: i64) -> Result<(), SourceError> {
        if self.states.get(&name.text).is_some() {
            return Err(taken(name, "a state"));
        }
        if let Some(other) = self.symbols.get(&name.text) {
            return Err(taken(name, other.what()));
        }
        self.states.insert(&name.text, value);
        Ok(())
    }

    /// The number of the state of that name.
    pub(super) fn state(&self, name: &Name) -> Result<i64, SourceError> {
        let what = format!("process `{}` has no state", self.name);
        self.states.get(&name.text).ok_or_else(|| unknown(&what, name, self.states.names()))
    }

    /// The local variable or constant of that name.
    pub(super) fn local(&self, name: &Name) -> Result<Symbol, SourceError> {
        let what = format!("process `{}` has no variable", self.name);
        self.symbols.get(&name.text).ok_or_else(|| unknown(&what, name, self.symbols.names()))
    }
}

fn taken(name: &Name, what: &str) -> SourceError {
    SourceError::new(name.span, format!("`{}` is already {what}", name.text))
}

/// There is nothing of that name; something of a similar name may be meant.
fn unknown<'a>(missing: &str, name: &Name, known: impl Iterator<Item = &'a str>) -> SourceError {
    let hint = hint(&name.text, known);
    let text: String = name.text.chars().take(60).collect();
    SourceError::new(name.span, format!("{missing} `{text}`{hint}"))
}
