//! What the names of a model stand for.
//!
//! All names that are declared outside processes share one table, so a name
//! means the same wherever it stands: neither parameters nor local variables
//! may hide it. This module does not evaluate anything.

use super::ast::{Action, Binder, LwmModel, Name, Node, Proposition, Type};
use crate::id::IdVec;
use crate::lang::Definition;
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::{Enumerations, Sort};
use crate::lang::program::{Span, VariableId};
use crate::lang::suggest::suggestion;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A table by name.
pub(super) type ByName<T> = HashMap<String, T, FxBuildHasher>;

/// What a name declared outside processes stands for; numbers are positions in
/// the tables of [`Symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Constant(usize),
    Type(usize),
    /// The enumeration, and the number of the value in it.
    Value(usize, i64),
    /// Known once variables are declared.
    Variable(Option<VariableId>),
    Proposition(usize),
    Process(usize),
}

impl Symbol {
    /// What it is, for messages.
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Constant(_) => "a constant",
            Self::Type(_) => "a type",
            Self::Value(..) => "a value",
            Self::Variable(_) => "a variable",
            Self::Proposition(_) => "a proposition",
            Self::Process(_) => "a process",
        }
    }
}

/// A process or a family of them, as others see it.
#[derive(Clone, Debug)]
pub(super) struct Family {
    pub(super) name: String,
    pub(super) parameters: Vec<Binder>,
    /// The local variables of each instance.
    pub(super) instances: HashMap<Vec<i64>, ByName<VariableId>, FxBuildHasher>,
    /// The names of the local variables.
    pub(super) locals: Vec<String>,
    pub(super) actions: Vec<ActionFamily>,
}

/// An action or a family of them, as others see it.
#[derive(Clone, Debug)]
pub(super) struct ActionFamily {
    pub(super) name: String,
    pub(super) parameters: Vec<Binder>,
}

impl ActionFamily {
    fn of(actions: &[Action]) -> Vec<Self> {
        let family = |action: &Action| Self {
            name: action.name.text.clone(),
            parameters: action.parameters.clone(),
        };
        actions.iter().map(family).collect()
    }
}

/// The names of a model and what they stand for.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbols {
    names: ByName<(Symbol, Span)>,
    pub(super) constants: Vec<(Name, Node)>,
    /// What the command line says instead.
    pub(super) overrides: Vec<Option<i64>>,
    pub(super) types: Vec<Type>,
    pub(super) enumerations: Enumerations,
    pub(super) propositions: Vec<Proposition>,
    pub(super) families: Vec<Family>,
    /// The actions outside processes.
    pub(super) actions: Vec<ActionFamily>,
    pub(super) sorts: IdVec<VariableId, Sort>,
}

impl Symbols {
    /// The names that `model` declares. Takes from it what they stand for,
    /// except for what variables and processes are.
    pub(super) fn new(model: &mut LwmModel, definitions: &[Definition]) -> Result<Self> {
        let enumerations = Enumerations::new(["false", "true"]);
        let mut symbols = Self { enumerations, ..Self::default() };
        for (number, (name, _)) in model.constants.iter().enumerate() {
            symbols.declare(name, Symbol::Constant(number))?;
        }
        for (number, (name, _)) in model.types.iter().enumerate() {
            symbols.declare(name, Symbol::Type(number))?;
        }
        for (number, values) in model.enumerations.iter().enumerate() {
            for (value, name) in (0..).zip(values) {
                symbols.declare(name, Symbol::Value(number, value))?;
            }
            symbols.enumerations.add(values.iter().map(|name| name.text.clone()).collect());
        }
        for variable in &model.variables {
            symbols.declare(&variable.name, Symbol::Variable(None))?;
        }
        for (number, proposition) in model.propositions.iter().enumerate() {
            symbols.declare(&proposition.name, Symbol::Proposition(number))?;
        }
        for (number, process) in model.processes.iter().enumerate() {
            symbols.declare(&process.name, Symbol::Process(number))?;
            symbols.families.push(Family {
                name: process.name.text.clone(),
                parameters: process.parameters.clone(),
                instances: HashMap::default(),
                locals: process.variables.iter().map(|local| local.name.text.clone()).collect(),
                actions: ActionFamily::of(&process.actions),
            });
        }
        symbols.actions = ActionFamily::of(&model.actions);
        symbols.constants = std::mem::take(&mut model.constants);
        symbols.types = model.types.drain(..).map(|(_, domain)| domain).collect();
        symbols.propositions = std::mem::take(&mut model.propositions);
        symbols.overrides = vec![None; symbols.constants.len()];
        for definition in definitions {
            symbols.redefine(definition)?;
        }
        Ok(symbols)
    }

    fn declare(&mut self, name: &Name, symbol: Symbol) -> Result<()> {
        // We come along kind by kind, but the error is where the text says
        // something for the second time.
        if let Some(&(_, span)) = self.names.get(&name.text)
            && name.span.start < span.start
        {
            return fail(span, format!("`{}` is already the name of {}", name.text, symbol.what()));
        }
        self.check_fresh(name)?;
        self.names.insert(name.text.clone(), (symbol, name.span));
        Ok(())
    }

    /// The error of a name that is declared already, if it is.
    pub(super) fn check_fresh(&self, name: &Name) -> Result<()> {
        let Some((symbol, _)) = self.names.get(&name.text) else { return Ok(()) };
        Err(name.error(format!("is already the name of {}", symbol.what())))
    }

    fn redefine(&mut self, definition: &Definition) -> Result<()> {
        let name = &definition.name;
        let Some((symbol, span)) = self.names.get(name) else {
            let constants = self.constants.iter().map(|(name, _)| name.text.as_str());
            let message = format!(
                "`{name}` cannot be defined: the model has no constant of that name{}",
                suggestion(name, constants)
            );
            return Err(SourceError::new(Span::default(), message));
        };
        let Symbol::Constant(number) = *symbol else {
            return fail(*span, format!("`{name}` cannot be defined: it is {}", symbol.what()));
        };
        self.overrides[number] = Some(definition.value);
        Ok(())
    }

    /// Says which variable a name stands for.
    pub(super) fn set_variable(&mut self, name: &str, variable: VariableId, sort: Sort) {
        self.sorts.push(sort);
        if let Some((symbol, _)) = self.names.get_mut(name) {
            *symbol = Symbol::Variable(Some(variable));
        }
    }

    /// What a name stands for.
    pub(super) fn symbol(&self, name: &str) -> Option<Symbol> {
        self.names.get(name).map(|(symbol, _)| *symbol)
    }

    /// All names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.keys().map(String::as_str)
    }

    /// The text of arguments in parentheses; nothing if there are none.
    pub(super) fn arguments_text(&self, arguments: &[(Sort, i64)]) -> String {
        if arguments.is_empty() {
            return String::new();
        }
        let text = |&(sort, value): &(Sort, i64)| self.enumerations.value_text(sort, value);
        let texts: Vec<String> = arguments.iter().map(text).collect();
        format!("({})", texts.join(", "))
    }
}
