//! From declarations to the variables of the program: constants, types and
//! channels first, then an instance for each activation in the main process.
//!
//! Channels store nothing, so they are no part of a state. Variables begin with
//! the least value of their type, processes as inactive.

use super::super::program::{Process as ProgramProcess, Program, Span, Variable, VariableId};
use super::super::suggest::hint;
use super::super::{Definition, SourceError};
use super::ast::{
    Action, Body, Declaration, Direction, Kind, Model, Name, Parameters, Plain, Process, Tree, Type,
};
use super::flow::{self, Counter};
use super::names::{
    Channel, Enumeration, Instance, Literal, Names, Port, Scalar, Shape, Sort, Symbol, Table,
    unknown_type,
};
use super::value::{Scope, check_index, check_range, constant};

/// How many values a state may have: elements of arrays, and single variables.
const MAX_ELEMENTS: usize = 4_000_000;

/// How many statements all activated processes may have together.
const MAX_STATEMENTS: usize = 500_000;

/// Where all runs begin: the main process is at its first statement, nobody
/// else is active.
pub(super) struct Declared<'a> {
    pub(super) program: Program,
    pub(super) names: Names,
    /// The bodies of the instances in [`Names::instances`].
    pub(super) bodies: Vec<&'a Body>,
}

/// Declares everything that `model` declares. Definitions give constants other
/// values.
pub(super) fn declare<'a>(
    text: &str,
    model: &'a Model,
    definitions: &[Definition],
) -> Result<Declared<'a>, SourceError> {
    let mut declaring = Declaring {
        program: Program::default(),
        names: Names::default(),
        definitions: definitions.iter().map(|definition| (definition, false)).collect(),
        processes: Vec::new(),
        bodies: Vec::new(),
        n_elements: 0,
        n_statements: 0,
    };
    let mut counter = Counter::new(text);
    for declaration in &model.declarations {
        declaring.declaration(declaration, &mut counter)?;
    }
    if let Some((unused, _)) = declaring.definitions.iter().find(|&&(_, is_used)| !is_used) {
        let message = format!("the model has no constant `{}` to define", unused.name);
        return Err(SourceError::new(Span::default(), message));
    }
    declaring.main(model, counter.location_names(&model.main))?;
    let Declaring { program, mut names, bodies, .. } = declaring;
    for (name, tree) in &model.definitions {
        if names.definitions.get(&name.text).is_some() {
            let message = format!("there is another proposition `{}`", name.text);
            return Err(SourceError::new(name.span, message));
        }
        names.definitions.insert(&name.text, tree.clone());
    }
    Ok(Declared { program, names, bodies })
}

struct Declaring<'t, 'a> {
    program: Program,
    names: Names,
    /// And whether each has been used.
    definitions: Vec<(&'t Definition, bool)>,
    /// And the names of their locations.
    processes: Vec<(&'a Process, Vec<String>)>,
    bodies: Vec<&'a Body>,
    n_elements: usize,
    n_statements: usize,
}

impl<'a> Declaring<'_, 'a> {
    fn declaration(
        &mut self,
        declaration: &'a Declaration,
        counter: &mut Counter<'_>,
    ) -> Result<(), SourceError> {
        match declaration {
            Declaration::Constant(name, tree) => {
                let (sort, value) = self.constant(tree)?;
                let value = self.defined(name, sort)?.unwrap_or(value);
                self.names.globals.declare(name, Symbol::Constant(sort, value))
            }
            Declaration::Type(name, of_type) => {
                let shape = self.shape(of_type)?;
                self.names.globals.declare(name, Symbol::Type(shape))
            }
            Declaration::Channels(names, of_type) => {
                let shape = self.shape(of_type)?;
                names.iter().try_for_each(|name| self.channel(name, shape))
            }
            Declaration::Process(process) => {
                let symbol = Symbol::Process(self.processes.len());
                self.processes.push((process, counter.location_names(&process.body)));
                self.names.globals.declare(&process.name, symbol)
            }
        }
    }

    fn constant(&mut self, tree: &Tree) -> Result<(Sort, i64), SourceError> {
        constant(&mut self.program, &self.names, Scope::Constant, tree)
    }

    fn number(&mut self, tree: &Tree) -> Result<i64, SourceError> {
        match self.constant(tree)? {
            (Sort::Number, value) => Ok(value),
            (other, _) => {
                let found = self.names.sort_text(other);
                let message = format!("expected a number, but this is {found}");
                Err(SourceError::new(tree.span, message))
            }
        }
    }

    /// What the definitions say about a constant.
    fn defined(&mut self, name: &Name, sort: Sort) -> Result<Option<i64>, SourceError> {
        let found = self.definitions.iter_mut().find(|(known, _)| known.name == name.text);
        let Some((definition, is_used)) = found else { return Ok(None) };
        *is_used = true;
        if sort != Sort::Number {
            let message = format!("definition of `{}`: it is not a number", name.text);
            return Err(SourceError::new(Span::default(), message));
        }
        Ok(Some(definition.value))
    }

    fn shape(&mut self, of_type: &Type) -> Result<Shape, SourceError> {
        let mut len = None;
        if let Some(tree) = &of_type.len {
            let value = self.number(tree)?;
            let wanted = usize::try_from(value).ok();
            len = wanted.filter(|len| (1..=MAX_ELEMENTS).contains(len));
            if len.is_none() {
                let message =
                    format!("an array has from 1 to {MAX_ELEMENTS} elements, and not {value}");
                return Err(SourceError::new(tree.span, message));
            }
        }
        let shape = match &of_type.element {
            Plain::Named(name) => self.named(name)?,
            Plain::Range(low, high) => Shape { element: self.range(low, high)?, len: None },
            Plain::Enumeration(literals, _) => {
                Shape { element: self.enumeration(literals)?, len: None }
            }
        };
        if shape.len.is_some() && len.is_some() {
            return Err(SourceError::new(of_type.span, "arrays of arrays are not supported"));
        }
        Ok(Shape { len: len.or(shape.len), ..shape })
    }

    fn named(&self, name: &Name) -> Result<Shape, SourceError> {
        match self.names.globals.get(&name.text) {
            _ if name.text == "BOOLEAN" => Ok(Shape { element: Scalar::TRUTH, len: None }),
            Some(Symbol::Type(shape)) => Ok(*shape),
            Some(other) => {
                let message = format!("`{}` is {}, not a type", name.text, other.what());
                Err(SourceError::new(name.span, message))
            }
            None => Err(unknown_type(&self.names, name)),
        }
    }

    fn range(&mut self, low: &Tree, high: &Tree) -> Result<Scalar, SourceError> {
        let span = Span { start: low.span.start, end: high.span.end };
        let (low, high) = (self.number(low)?, self.number(high)?);
        if high < low {
            return Err(SourceError::new(span, format!("the range {low}..{high} is empty")));
        }
        // Both are wide enough for every difference.
        if 1 << 32 <= i128::from(high) - i128::from(low) {
            return Err(SourceError::new(span, "a range has at most 2^32 values"));
        }
        Ok(Scalar { sort: Sort::Number, low, high })
    }

    fn enumeration(&mut self, literals: &[super::ast::Literal]) -> Result<Scalar, SourceError> {
        let number = self.names.enumerations.len();
        let sort = Sort::Enumeration(number);
        let mut known = Vec::with_capacity(literals.len());
        for (value, literal) in (0..).zip(literals) {
            let mut fields = Vec::with_capacity(literal.fields.len());
            for field in &literal.fields {
                fields.push(self.field(field)?);
            }
            known.push(Literal { name: literal.name.text.clone(), fields });
            self.names.globals.declare(&literal.name, Symbol::Constant(sort, value))?;
        }
        self.names.enumerations.push(Enumeration { literals: known });
        let high = i64::try_from(literals.len()).unwrap_or(i64::MAX) - 1;
        Ok(Scalar { sort, low: 0, high })
    }

    /// The type of a value that a message carries.
    fn field(&mut self, field: &Plain) -> Result<Scalar, SourceError> {
        match field {
            Plain::Range(low, high) => self.range(low, high),
            Plain::Named(name) => {
                let shape = self.named(name)?;
                self.check_variable(shape, name.span)?;
                if shape.len.is_some() {
                    return Err(SourceError::new(name.span, "messages carry no arrays"));
                }
                Ok(shape.element)
            }
            Plain::Enumeration(_, span) => {
                Err(SourceError::new(*span, "an enumeration inside of another needs a name"))
            }
        }
    }

    /// That a type is not for messages only.
    fn check_variable(&self, shape: Shape, span: Span) -> Result<(), SourceError> {
        let Sort::Enumeration(number) = shape.element.sort else { return Ok(()) };
        // The enumeration that is being declared is not there yet.
        let has_fields = |enumeration: &Enumeration| enumeration.has_fields();
        if !self.names.enumerations.get(number).is_some_and(has_fields) {
            return Ok(());
        }
        let message = "messages that carry values go through channels only: a variable cannot have \
                       this type";
        Err(SourceError::new(span, message))
    }

    fn channel(&mut self, name: &Name, shape: Shape) -> Result<(), SourceError> {
        let channel = self.names.channels.len();
        let port = Port { channel, element: None, direction: None };
        self.names.globals.declare(name, Symbol::Channel(port))?;
        let mut numbers = None;
        if let Some(len) = shape.len {
            let high = i64::try_from(len).unwrap_or(i64::MAX) - 1;
            let element = Scalar { sort: Sort::Number, low: 0, high };
            let table = Shape { element, len: shape.len };
            let id = self.variable(String::new(), table, name.span)?;
            self.program.variables[id].initial = (0..=high).collect();
            numbers = Some(id);
        }
        self.names.channels.push(Channel { name: name.text.clone(), shape, numbers });
        Ok(())
    }

    /// Adds a variable that begins with its least value.
    fn variable(
        &mut self,
        name: String,
        shape: Shape,
        span: Span,
    ) -> Result<VariableId, SourceError> {
        let Shape { element: Scalar { sort, low, high }, len } = shape;
        let n_elements = len.unwrap_or(1);
        let value_names: Vec<String> = match sort {
            Sort::Number => Vec::new(),
            _ => (low..=high).map(|value| self.names.value_text(sort, value)).collect(),
        };
        // Names of values take room too, though not in a state.
        self.n_elements += n_elements + value_names.len();
        if MAX_ELEMENTS < self.n_elements {
            let message = format!("the model has more than {MAX_ELEMENTS} values in a state");
            return Err(SourceError::new(span, message));
        }
        let initial = vec![low; n_elements];
        let variable = Variable { name, low, high, len, initial, any: false, value_names };
        Ok(self.program.variables.push(variable))
    }

    /// The main process and those that it activates.
    fn main(&mut self, model: &'a Model, locations: Vec<String>) -> Result<(), SourceError> {
        if let Some(other) = self.names.globals.get(&model.name.text) {
            let message = format!("`{}` is already the name of {}", model.name.text, other.what());
            return Err(SourceError::new(model.name.span, message));
        }
        let main =
            self.instance(model.name.text.clone(), &model.main, locations, model.name.span)?;
        self.names.activated.insert(&model.name.text, vec![main]);
        let location = self.names.instances[main].location;
        self.program.variables[location].initial = vec![flow::entry(&model.main, 0)];
        let mut activations = Vec::new();
        let mut n_of_process = vec![0_usize; self.processes.len()];
        for statement in &model.main.statements {
            let Action::Activate(name, arguments) = &statement.action else {
                let message = "the main process activates processes and does nothing else";
                return Err(SourceError::new(statement.span, message));
            };
            let number = self.process(name)?;
            n_of_process[number] += 1;
            activations.push((number, arguments, statement.span));
        }
        let n_all = n_of_process.clone();
        let mut n_seen = vec![0; n_all.len()];
        for (number, arguments, span) in activations {
            let (process, locations) = &self.processes[number];
            let (process, locations) = (*process, locations.clone());
            let text = &process.name.text;
            let name = match n_all[number] {
                1 => text.clone(),
                _ => format!("{text}[{}]", n_seen[number]),
            };
            n_seen[number] += 1;
            let instance = self.instance(name, &process.body, locations, span)?;
            self.names.activated.entry(text).push(instance);
            self.parameters(instance, process, arguments, span)?;
            self.locals(instance, process)?;
        }
        Ok(())
    }

    fn process(&self, name: &Name) -> Result<usize, SourceError> {
        match self.names.globals.get(&name.text) {
            Some(Symbol::Process(number)) => Ok(*number),
            Some(other) => {
                let message = format!("`{}` is {}, not a process", name.text, other.what());
                Err(SourceError::new(name.span, message))
            }
            None => {
                let known = self.processes.iter().map(|(process, _)| process.name.text.as_str());
                let hint = hint(&name.text, known);
                let message = format!("there is no process `{}`{hint}", name.text);
                Err(SourceError::new(name.span, message))
            }
        }
    }

    /// A process of the program, with the places of its statements as names of
    /// locations.
    fn instance(
        &mut self,
        name: String,
        body: &'a Body,
        locations: Vec<String>,
        span: Span,
    ) -> Result<usize, SourceError> {
        self.n_statements += body.statements.len();
        if MAX_STATEMENTS < self.n_statements {
            let message =
                format!("the processes have more than {MAX_STATEMENTS} statements, with this one");
            return Err(SourceError::new(span, message));
        }
        let high = flow::end(body);
        let shape = Shape { element: Scalar { sort: Sort::Number, low: 0, high }, len: None };
        let location = self.variable(name.clone(), shape, span)?;
        self.program.variables[location].value_names = locations;
        self.program.processes.push(ProgramProcess { name: name.clone() });
        self.bodies.push(body);
        self.names.instances.push(Instance { name, location, locals: Table::default() });
        Ok(self.names.instances.len() - 1)
    }

    fn locals(&mut self, instance: usize, process: &Process) -> Result<(), SourceError> {
        for (names, of_type) in &process.variables {
            let shape = self.shape(of_type)?;
            self.check_variable(shape, of_type.span)?;
            for name in names {
                let full_name = format!("{}.{}", self.names.instances[instance].name, name.text);
                let id = self.variable(full_name, shape, name.span)?;
                let locals = &mut self.names.instances[instance].locals;
                locals.declare(name, Symbol::Variable(id, shape))?;
            }
        }
        Ok(())
    }

    /// Gives the parameters of an instance what the activation says.
    fn parameters(
        &mut self,
        instance: usize,
        process: &Process,
        arguments: &[Tree],
        span: Span,
    ) -> Result<(), SourceError> {
        let parameters = process
            .parameters
            .iter()
            .flat_map(|group| group.names.iter().map(move |name| (group, name)));
        let n_parameters = parameters.clone().count();
        if n_parameters != arguments.len() {
            let (name, n_given) = (&process.name.text, arguments.len());
            let message = format!("process `{name}` has {n_parameters} parameters, not {n_given}");
            return Err(SourceError::new(span, message));
        }
        for ((group, name), argument) in parameters.zip(arguments) {
            let shape = self.shape(&group.of_type)?;
            let symbol = match group.direction {
                Direction::Value => self.argument(group, shape, argument)?,
                direction => self.argument_channel(direction, name, shape, argument)?,
            };
            self.names.instances[instance].locals.declare(name, symbol)?;
        }
        Ok(())
    }

    fn argument(
        &mut self,
        group: &Parameters,
        shape: Shape,
        argument: &Tree,
    ) -> Result<Symbol, SourceError> {
        if shape.len.is_some() {
            let message = "a parameter that is not a channel is a single value";
            return Err(SourceError::new(group.of_type.span, message));
        }
        self.check_variable(shape, group.of_type.span)?;
        let (sort, value) = self.constant(argument)?;
        if sort != shape.element.sort {
            let [expected, found] =
                [shape.element.sort, sort].map(|sort| self.names.sort_text(sort));
            let message = format!("expected {expected}, but this is {found}");
            return Err(SourceError::new(argument.span, message));
        }
        check_range(&self.names, shape.element, Some(value), argument.span)?;
        Ok(Symbol::Constant(sort, value))
    }

    fn argument_channel(
        &mut self,
        direction: Direction,
        parameter: &Name,
        shape: Shape,
        argument: &Tree,
    ) -> Result<Symbol, SourceError> {
        let (name, index) = match argument.nodes.last().map(|node| &node.kind) {
            Some(Kind::Name(name)) => (name, None),
            Some(Kind::Element(name, _)) => {
                let index = Tree {
                    nodes: argument.nodes[..argument.nodes.len() - 1].to_vec(),
                    span: argument.span,
                };
                (name, Some(index))
            }
            _ => {
                let message = format!("`{}` is a channel, so this must be one", parameter.text);
                return Err(SourceError::new(argument.span, message));
            }
        };
        let port = self.names.port(None, name)?;
        let mut given = self.names.channels[port.channel].shape;
        let mut element = None;
        if let Some(index) = index {
            let Some(len) = given.len.take() else {
                let message = format!("`{}` is not an array of channels", name.text);
                return Err(SourceError::new(name.span, message));
            };
            let value = self.number(&index)?;
            check_index(name, len, Some(value), argument.span)?;
            element = usize::try_from(value).ok();
        }
        if given != shape {
            let message = format!(
                "the type of this channel is not that of the parameter `{}`",
                parameter.text
            );
            return Err(SourceError::new(argument.span, message));
        }
        Ok(Symbol::Channel(Port { channel: port.channel, element, direction: Some(direction) }))
    }
}
