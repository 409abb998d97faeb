//! From declarations to the variables of the program: constants, types and
//! channels first, then an instance for each activation in the main process.
//!
//! Channels store nothing, so they are no part of a state. Variables begin with
//! the least value of their type, processes as inactive.

use super::super::Definition;
use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::declarations::{Declarations, MAX_ELEMENTS};
use super::super::expression::{Domain, Enumerations, Sort};
use super::super::program::{Process as ProgramProcess, Program, Span, Variable, VariableId};
use super::super::table::{Described, Table, known};
use super::ast::{
    Action, Body, Declaration, Direction, EsmlModel, Literal, Name, Parameters, Plain, Process,
    Reference, Tree, Type,
};
use super::flow::{self, Counter};
use super::names::{Channel, EsmlNames, EsmlSymbol, Instance, Port, Shape, unknown_type};
use super::value::{EsmlScope, check_index, check_range, constant};

/// How many statements all activated processes may have together.
const MAX_STATEMENTS: usize = 500_000;

/// Where all runs begin: the main process is at its first statement, no other process is active.
pub(super) struct Declared<'a> {
    pub(super) program: Program,
    pub(super) names: EsmlNames,
    /// The bodies of the instances in [`EsmlNames::instances`].
    pub(super) bodies: Vec<&'a Body>,
}

/// Declares everything that `model` declares. Definitions give constants other
/// values.
pub(super) fn declare<'a>(
    text: &str,
    model: &'a EsmlModel,
    definitions: &[Definition],
) -> Result<Declared<'a>> {
    let enumerations = Enumerations::new(["FALSE", "TRUE"]);
    let names = EsmlNames { enumerations, ..EsmlNames::default() };
    let mut declaring = Declaring {
        declared: Declarations::new(definitions),
        names,
        processes: Vec::new(),
        bodies: Vec::new(),
        n_statements: 0,
    };
    let mut counter = Counter::new(text);
    for declaration in &model.declarations {
        declaring.declaration(declaration, &mut counter)?;
    }
    declaring.declared.check_definitions()?;
    declaring.main(model, counter.location_names(&model.main))?;
    let Declaring { declared, mut names, bodies, .. } = declaring;
    for (name, tree) in &model.definitions {
        if names.definitions.get(&name.text).is_some() {
            return fail(name.span, format!("there is another proposition `{}`", name.text));
        }
        names.definitions.insert(&name.text, tree.clone());
    }
    Ok(Declared { program: declared.program, names, bodies })
}

struct Declaring<'t, 'a> {
    declared: Declarations<'t>,
    names: EsmlNames,
    /// The processes of the text, and the names of their locations.
    processes: Vec<(&'a Process, Vec<String>)>,
    bodies: Vec<&'a Body>,
    n_statements: usize,
}

impl<'a> Declaring<'_, 'a> {
    fn declaration(
        &mut self,
        declaration: &'a Declaration,
        counter: &mut Counter<'_>,
    ) -> Result<()> {
        match declaration {
            Declaration::Constant(name, tree) => {
                let (sort, value) = self.constant(tree)?;
                let value = self.defined(name, sort)?.unwrap_or(value);
                self.names.globals.declare(name, EsmlSymbol::Constant(sort, value))
            }
            Declaration::Type(name, of_type) => {
                let shape = self.shape(of_type)?;
                self.names.globals.declare(name, EsmlSymbol::Type(shape))
            }
            Declaration::Channels(names, of_type) => {
                let shape = self.shape(of_type)?;
                names.iter().try_for_each(|name| self.channel(name, shape))
            }
            Declaration::Process(process) => {
                let symbol = EsmlSymbol::Process(self.processes.len());
                self.processes.push((process, counter.location_names(&process.body)));
                self.names.globals.declare(&process.name, symbol)
            }
        }
    }

    fn constant(&mut self, tree: &Tree) -> Result<(Sort, i64)> {
        constant(&mut self.declared.program, &self.names, EsmlScope::Constant, tree)
    }

    fn number(&mut self, tree: &Tree) -> Result<i64> {
        match self.constant(tree)? {
            (Sort::Number, value) => Ok(value),
            (other, _) => Err(self.names.enumerations.mismatch(tree.span, Sort::Number, other)),
        }
    }

    /// What the definitions say about a constant.
    fn defined(&mut self, name: &Name, sort: Sort) -> Result<Option<i64>> {
        let defined = self.declared.defined(&name.text);
        if defined.is_some() && sort != Sort::Number {
            let message = format!("definition of `{}`: it is not a number", name.text);
            return Err(SourceError::new(Span::default(), message));
        }
        Ok(defined)
    }

    fn shape(&mut self, of_type: &Type) -> Result<Shape> {
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
            return fail(of_type.span, "arrays of arrays are not supported");
        }
        Ok(Shape { len: len.or(shape.len), ..shape })
    }

    fn named(&self, name: &Name) -> Result<Shape> {
        match self.names.globals.get(&name.text) {
            _ if name.text == "BOOLEAN" => Ok(Shape { element: Domain::TRUTH, len: None }),
            Some(EsmlSymbol::Type(shape)) => Ok(*shape),
            Some(other) => Err(name.error(format!("is {}, not a type", other.what()))),
            None => Err(unknown_type(&self.names, name)),
        }
    }

    fn range(&mut self, low: &Tree, high: &Tree) -> Result<Domain> {
        let span = Span { start: low.span.start, end: high.span.end };
        let (low, high) = (self.number(low)?, self.number(high)?);
        if high < low {
            return fail(span, format!("the range {low}..{high} is empty"));
        }
        // Both are wide enough for every difference.
        if 1 << 32 <= i128::from(high) - i128::from(low) {
            return fail(span, "a range has at most 2^32 values");
        }
        Ok(Domain { sort: Sort::Number, low, high })
    }

    fn enumeration(&mut self, literals: &[Literal]) -> Result<Domain> {
        let names = literals.iter().map(|literal| literal.name.text.clone()).collect();
        let domain = self.names.enumerations.add(names);
        let mut fields = Vec::with_capacity(literals.len());
        for (value, literal) in (0..).zip(literals) {
            let carried = literal.fields.iter().map(|field| self.field(field));
            fields.push(carried.collect::<Result<_, _>>()?);
            self.names.globals.declare(&literal.name, EsmlSymbol::Constant(domain.sort, value))?;
        }
        self.names.fields.push(fields);
        Ok(domain)
    }

    /// The type of a value that a message carries.
    fn field(&mut self, field: &Plain) -> Result<Domain> {
        match field {
            Plain::Range(low, high) => self.range(low, high),
            Plain::Named(name) => {
                let shape = self.named(name)?;
                self.check_variable(shape, name.span)?;
                if shape.len.is_some() {
                    return fail(name.span, "messages carry no arrays");
                }
                Ok(shape.element)
            }
            Plain::Enumeration(_, span) => {
                fail(*span, "an enumeration inside of another needs a name")
            }
        }
    }

    /// That a type is not for messages only.
    fn check_variable(&self, shape: Shape, span: Span) -> Result<()> {
        let Domain { sort, low, high } = shape.element;
        let is_enumeration = !matches!(sort, Sort::Number | Sort::Truth);
        if !is_enumeration || (low..=high).all(|value| self.names.fields(sort, value).is_empty()) {
            return Ok(());
        }
        let message = "messages that carry values go through channels only: a variable cannot have \
                       this type";
        Err(SourceError::new(span, message))
    }

    fn channel(&mut self, name: &Name, shape: Shape) -> Result<()> {
        let channel = self.names.channels.len();
        let port = Port { channel, element: None, direction: None };
        self.names.globals.declare(name, EsmlSymbol::Channel(port))?;
        let mut numbers = None;
        if let Some(len) = shape.len {
            let high = i64::try_from(len).unwrap_or(i64::MAX) - 1;
            let table =
                Shape { element: Domain { sort: Sort::Number, low: 0, high }, len: shape.len };
            let id = self.variable(String::new(), table, name.span)?;
            self.declared.program.variables[id].initial = (0..=high).collect();
            numbers = Some(id);
        }
        self.names.channels.push(Channel { name: name.text.clone(), shape, numbers });
        Ok(())
    }

    /// Adds a variable that begins with its least value.
    fn variable(&mut self, name: String, shape: Shape, span: Span) -> Result<VariableId> {
        let Shape { element: Domain { sort, low, high }, len } = shape;
        let value_names = self.names.enumerations.value_names(sort);
        let initial = vec![low; len.unwrap_or(1)];
        let variable = Variable { name, low, high, len, initial, any: false, value_names };
        self.declared.add(variable, span)
    }

    /// The main process and those that it activates.
    fn main(&mut self, model: &'a EsmlModel, locations: Vec<String>) -> Result<()> {
        if let Some(other) = self.names.globals.get(&model.name.text) {
            return Err(model.name.error(format!("is already the name of {}", other.what())));
        }
        let main =
            self.instance(model.name.text.clone(), &model.main, locations, model.name.span)?;
        self.names.activated.insert(&model.name.text, vec![main]);
        let location = self.names.instances[main].location;
        self.declared.program.variables[location].initial = vec![flow::entry(&model.main, 0)];
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

    fn process(&self, name: &Name) -> Result<usize> {
        let missing = |name: &str| format!("there is no process {name}");
        known(
            [None, Some(&self.names.globals)],
            name,
            "a process",
            missing,
            |symbol| match symbol {
                EsmlSymbol::Process(number) => Some(number),
                _ => None,
            },
        )
    }

    /// A process of the program, with the places of its statements as names of
    /// locations.
    fn instance(
        &mut self,
        name: String,
        body: &'a Body,
        locations: Vec<String>,
        span: Span,
    ) -> Result<usize> {
        self.n_statements += body.statements.len();
        if MAX_STATEMENTS < self.n_statements {
            let message =
                format!("the processes have more than {MAX_STATEMENTS} statements, with this one");
            return Err(SourceError::new(span, message));
        }
        let high = flow::end(body);
        let shape = Shape { element: Domain { sort: Sort::Number, low: 0, high }, len: None };
        let location = self.variable(name.clone(), shape, span)?;
        self.declared.program.variables[location].value_names = locations;
        self.declared.program.processes.push(ProgramProcess { name: name.clone() });
        self.bodies.push(body);
        self.names.instances.push(Instance { name, location, locals: Table::default() });
        Ok(self.names.instances.len() - 1)
    }

    fn locals(&mut self, instance: usize, process: &Process) -> Result<()> {
        for (names, of_type) in &process.variables {
            let shape = self.shape(of_type)?;
            self.check_variable(shape, of_type.span)?;
            for name in names {
                let full_name = format!("{}.{}", self.names.instances[instance].name, name.text);
                let id = self.variable(full_name, shape, name.span)?;
                let locals = &mut self.names.instances[instance].locals;
                locals.declare(name, EsmlSymbol::Variable(id, shape))?;
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
    ) -> Result<()> {
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
    ) -> Result<EsmlSymbol> {
        if shape.len.is_some() {
            return fail(group.of_type.span, "a parameter that is not a channel is a single value");
        }
        self.check_variable(shape, group.of_type.span)?;
        let (sort, value) = self.constant(argument)?;
        if sort != shape.element.sort {
            let enumerations = &self.names.enumerations;
            return Err(enumerations.mismatch(argument.span, shape.element.sort, sort));
        }
        check_range(&self.names, shape.element, Some(value), argument.span)?;
        Ok(EsmlSymbol::Constant(sort, value))
    }

    fn argument_channel(
        &mut self,
        direction: Direction,
        parameter: &Name,
        shape: Shape,
        argument: &Tree,
    ) -> Result<EsmlSymbol> {
        let Some((Reference::Name(name), index)) = argument.as_reference() else {
            let message = format!("`{}` is a channel, so this must be one", parameter.text);
            return Err(SourceError::new(argument.span, message));
        };
        let port = self.names.port(None, name)?;
        let mut given = self.names.channels[port.channel].shape;
        let mut element = None;
        if index.is_some() {
            let Some(len) = given.len.take() else {
                return Err(name.error("is not an array of channels"));
            };
            let value = self.number(&argument.index_tree(argument.span))?;
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
        Ok(EsmlSymbol::Channel(Port { channel: port.channel, element, direction: Some(direction) }))
    }
}
