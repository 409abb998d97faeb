//! What the names of a model stand for, and what to say about names that stand
//! for nothing.
//!
//! Variables, constants, channels and processes share one name space, and the
//! states and local variables of a process another one, which hides the first.

use super::super::cursor::Result;
use super::super::program::{Span, VariableId};
use super::super::table::{Described, Table, known, taken, unknown};
use super::ast::{Name, Type};

/// What a name of a variable, constant, channel or process stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum DveSymbol {
    Constant(i64),
    Variable {
        id: VariableId,
        is_array: bool,
        is_constant: bool,
    },
    /// Its number in [`DveNames::channels`].
    Channel(usize),
    /// Its number in [`DveNames::processes`].
    Process(usize),
}

impl Described for DveSymbol {
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

/// A channel, after its declaration has been read.
#[derive(Debug)]
pub(super) struct ChannelNames {
    pub(super) fields: Option<Vec<Type>>,
    /// Nothing for a rendezvous.
    pub(super) buffer: Option<Buffer>,
    /// How many values a message has and where the text says so, once that is known.
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
    pub(super) symbols: Table<DveSymbol>,
    /// By the numbers of states.
    pub(super) is_committed: Vec<bool>,
}

/// All names of a model.
#[derive(Debug, Default)]
pub(super) struct DveNames {
    pub(super) globals: Table<DveSymbol>,
    pub(super) channels: Vec<ChannelNames>,
    pub(super) processes: Vec<ProcessNames>,
    /// Whether all processes take part in every step.
    pub(super) is_synchronous: bool,
}

impl DveNames {
    /// The table for names that are declared in the process that was declared last, or outside
    /// of all processes.
    pub(super) fn table(&mut self, process: Option<usize>) -> &mut Table<DveSymbol> {
        match process {
            Some(process) => &mut self.processes[process].symbols,
            None => &mut self.globals,
        }
    }

    /// The variable or constant of that name, in the process or outside.
    pub(super) fn value(&self, process: Option<usize>, name: &Name) -> Result<DveSymbol> {
        let locals = process.map(|process| &self.processes[process].symbols);
        let missing = |name: &str| format!("there is no variable {name}");
        known([locals, Some(&self.globals)], name, "a variable", missing, |symbol| match symbol {
            DveSymbol::Constant(_) | DveSymbol::Variable { .. } => Some(symbol),
            _ => None,
        })
    }

    /// The number of the channel of that name.
    pub(super) fn channel(&self, name: &Name) -> Result<usize> {
        let missing = |name: &str| format!("there is no channel {name}");
        known([None, Some(&self.globals)], name, "a channel", missing, |symbol| match symbol {
            DveSymbol::Channel(number) => Some(number),
            _ => None,
        })
    }

    /// The process of that name.
    pub(super) fn process(&self, name: &Name) -> Result<&ProcessNames> {
        self.process_number(name).map(|number| &self.processes[number])
    }

    /// The number of the process of that name.
    pub(super) fn process_number(&self, name: &Name) -> Result<usize> {
        if let Some(DveSymbol::Process(number)) = self.globals.get(&name.text) {
            return Ok(*number);
        }
        let known = self.processes.iter().map(|process| process.name.as_str());
        Err(unknown(name, |name| format!("there is no process {name}"), known))
    }
}

impl ProcessNames {
    /// Declares a state.
    pub(super) fn declare_state(&mut self, name: &Name, value: i64) -> Result<()> {
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
    pub(super) fn state(&self, name: &Name) -> Result<i64> {
        let missing = |name: &str| format!("process `{}` has no state {name}", self.name);
        let state = self.states.get(&name.text).copied();
        state.ok_or_else(|| unknown(name, missing, self.states.names()))
    }

    /// The local variable or constant of that name.
    pub(super) fn local(&self, name: &Name) -> Result<DveSymbol> {
        let missing = |name: &str| format!("process `{}` has no variable {name}", self.name);
        let symbol = self.symbols.get(&name.text).copied();
        symbol.ok_or_else(|| unknown(name, missing, self.symbols.names()))
    }
}
