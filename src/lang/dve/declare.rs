//! The variables of the program: from declarations to places with ranges and
//! initial values.
//!
//! Constants that are single numbers vanish into the expressions; arrays of
//! constants become variables that no transition assigns. A buffered channel is a
//! length and an array for each field of its messages.

use super::super::Definition;
use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::declarations::{Declarations, MAX_ELEMENTS};
use super::super::program::{Process as ProgramProcess, Program, Span, Variable, VariableId};
use super::super::table::Table;
use super::ast::{Channel, Declaration, Initial, Process, System, Tree, Type};
use super::names::{Buffer, ChannelNames, DveNames, DveSymbol, ProcessNames};
use super::value::{DveScope, constant};

/// Declares everything that `system` declares. Definitions give constants other
/// values.
pub(super) fn declare(system: &System, definitions: &[Definition]) -> Result<(Program, DveNames)> {
    let declared = Declarations::new(definitions);
    let mut declaring = Declaring { declared, names: DveNames::default() };
    for declaration in &system.declarations {
        declaring.variable(None, declaration)?;
    }
    for channel in &system.channels {
        declaring.channel(channel)?;
    }
    for process in &system.processes {
        declaring.process(process)?;
    }
    declaring.declared.check_definitions()?;
    Ok((declaring.declared.program, declaring.names))
}

struct Declaring<'a> {
    declared: Declarations<'a>,
    names: DveNames,
}

impl Declaring<'_> {
    /// Adds a variable whose elements begin with `initial`.
    fn add(
        &mut self,
        name: String,
        (low, high): (i64, i64),
        len: Option<usize>,
        initial: Vec<i64>,
        span: Span,
    ) -> Result<VariableId> {
        let value_names = Vec::new();
        let variable = Variable { name, low, high, len, initial, any: false, value_names };
        self.declared.add(variable, span)
    }

    /// The number that an expression is before anything has happened.
    fn constant(&mut self, process: Option<usize>, tree: &Tree) -> Result<i64> {
        constant(&mut self.declared.program, &self.names, DveScope::Initial(process), tree)
    }

    /// The length of an array or buffer.
    fn size(&mut self, process: Option<usize>, tree: &Tree) -> Result<usize> {
        let value = self.constant(process, tree)?;
        usize::try_from(value).ok().filter(|&size| size <= MAX_ELEMENTS).ok_or_else(|| {
            let message = format!("a length is from 0 to {MAX_ELEMENTS}, and this is {value}");
            SourceError::new(tree.span, message)
        })
    }

    /// An initial value of this type.
    fn initial(&mut self, process: Option<usize>, of_type: Type, tree: &Tree) -> Result<i64> {
        let value = self.constant(process, tree)?;
        in_range(of_type, value).map_err(|message| SourceError::new(tree.span, message))
    }

    fn variable(&mut self, process: Option<usize>, declaration: &Declaration) -> Result<()> {
        let Declaration { name, of_type, is_constant, .. } = declaration;
        let prefix = process.map(|process| format!("{}.", self.names.processes[process].name));
        let full_name = format!("{}{}", prefix.unwrap_or_default(), name.text);
        let symbol = if let Some(size) = &declaration.size {
            let len = self.size(process, size)?;
            if len == 0 {
                return fail(size.span, "an array has at least one element");
            }
            let initial = self.elements(process, declaration, len)?;
            let id = self.add(full_name, of_type.range(), Some(len), initial, name.span)?;
            DveSymbol::Variable { id, is_array: true, is_constant: *is_constant }
        } else {
            let value = match &declaration.initial {
                Initial::Single(tree) => self.initial(process, *of_type, tree)?,
                Initial::None if *is_constant => {
                    return fail(name.span, format!("the constant `{}` has no value", name.text));
                }
                Initial::None => 0,
                Initial::List(_, span) => {
                    let message = format!("`{}` is not an array and has one value", name.text);
                    return Err(SourceError::new(*span, message));
                }
            };
            if *is_constant {
                DveSymbol::Constant(self.defined(&full_name, *of_type)?.unwrap_or(value))
            } else {
                let id = self.add(full_name, of_type.range(), None, vec![value], name.span)?;
                DveSymbol::Variable { id, is_array: false, is_constant: false }
            }
        };
        self.names.table(process).declare(name, symbol)
    }

    /// The initial values of an array of `len` elements.
    fn elements(
        &mut self,
        process: Option<usize>,
        declaration: &Declaration,
        len: usize,
    ) -> Result<Vec<i64>> {
        let name = &declaration.name;
        let mut elements = Vec::new();
        match &declaration.initial {
            Initial::None => (),
            Initial::Single(tree) => {
                let message = format!("`{}` is an array: its values stand in braces", name.text);
                return Err(SourceError::new(tree.span, message));
            }
            Initial::List(values, _) => {
                // As in DiVinE, values that are too many do not matter. Some
                // models of BEEM have one.
                for tree in values.iter().take(len) {
                    elements.push(self.initial(process, declaration.of_type, tree)?);
                }
            }
        }
        elements.resize(len, 0);
        Ok(elements)
    }

    /// What the definitions say about a constant.
    fn defined(&mut self, name: &str, of_type: Type) -> Result<Option<i64>> {
        let Some(value) = self.declared.defined(name) else { return Ok(None) };
        let problem = |message| {
            SourceError::new(Span::default(), format!("definition of `{name}`: {message}"))
        };
        in_range(of_type, value).map(Some).map_err(problem)
    }

    fn channel(&mut self, channel: &Channel) -> Result<()> {
        let name = &channel.name;
        let capacity = match &channel.capacity {
            Some(tree) => self.size(None, tree)?,
            None => 0,
        };
        let arity = channel.fields.as_ref().map(|fields| (fields.len(), name.span));
        let mut buffer = None;
        if capacity != 0 {
            let Some(fields) = &channel.fields else {
                let message = "a buffered channel needs the types of its values, \
                               as in `channel {byte, int} c[4]`";
                return Err(SourceError::new(name.span, message));
            };
            let full = i64::try_from(capacity).unwrap_or(i64::MAX);
            let length = format!("{}.length", name.text);
            let length = self.add(length, (0, full), None, vec![0], name.span)?;
            let mut arrays = Vec::new();
            for (number, field) in fields.iter().enumerate() {
                let label = format!("{}.value{}", name.text, number + 1);
                let label = if fields.len() == 1 { format!("{}.value", name.text) } else { label };
                let initial = vec![0; capacity];
                let range = field.range();
                arrays.push(self.add(label, range, Some(capacity), initial, name.span)?);
            }
            buffer = Some(Buffer { capacity, length, fields: arrays });
        }
        self.names.globals.declare(name, DveSymbol::Channel(self.names.channels.len()))?;
        self.names.channels.push(ChannelNames { fields: channel.fields.clone(), buffer, arity });
        Ok(())
    }

    fn process(&mut self, process: &Process) -> Result<()> {
        let name = &process.name;
        let number = self.names.processes.len();
        self.names.globals.declare(name, DveSymbol::Process(number))?;
        self.declared.program.processes.push(ProgramProcess { name: name.text.clone() });
        let last = i64::try_from(process.states.len()).unwrap_or(i64::MAX) - 1;
        let location = self.add(name.text.clone(), (0, last), None, vec![0], name.span)?;
        self.names.processes.push(ProcessNames {
            name: name.text.clone(),
            location,
            states: Table::default(),
            symbols: Table::default(),
            is_committed: vec![false; process.states.len()],
        });
        for declaration in &process.declarations {
            self.variable(Some(number), declaration)?;
        }
        let names = &mut self.names.processes[number];
        for (state, value) in process.states.iter().zip(0..) {
            names.declare_state(state, value)?;
        }
        for state in &process.accepting {
            names.state(state)?;
        }
        for state in &process.committed {
            let committed = names.state(state)?;
            for (is_committed, value) in names.is_committed.iter_mut().zip(0..) {
                *is_committed |= value == committed;
            }
        }
        let variable = &mut self.declared.program.variables[location];
        variable.initial = vec![names.state(&process.initial)?];
        variable.value_names = process.states.iter().map(|state| state.text.clone()).collect();
        Ok(())
    }
}

/// The value if the type has it, or what is wrong.
fn in_range(of_type: Type, value: i64) -> Result<i64, String> {
    let (low, high) = of_type.range();
    if low <= value && value <= high {
        return Ok(value);
    }
    Err(format!("{value} is out of range: {} holds {low} to {high}", of_type.keyword()))
}
