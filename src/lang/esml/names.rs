//! What the names of a model stand for, and what to say about names that stand
//! for nothing.
//!
//! Constants, types, values of enumerations, channels and processes share one
//! name space. A process has one of its own for its parameters and variables,
//! which hides the first. Propositions have a third one, for formulas only.

use super::super::SourceError;
use super::super::program::VariableId;
use super::super::suggest::{hint, suggestion};
use super::ast::{Direction, Name, Owner, Tree};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Truth,
    Number,
    /// A value of the enumeration of this number.
    Enumeration(usize),
}

/// A type that is no array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) sort: Sort,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Scalar {
    pub(super) const TRUTH: Self = Self { sort: Sort::Truth, low: 0, high: 1 };

    pub(super) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) element: Scalar,
    /// How many elements an array has.
    pub(super) len: Option<usize>,
}

/// A value of an enumeration.
#[derive(Debug)]
pub(super) struct Literal {
    pub(super) name: String,
    /// What it carries as a message.
    pub(super) fields: Vec<Scalar>,
}

/// A set of values with names.
#[derive(Debug)]
pub(super) struct Enumeration {
    pub(super) literals: Vec<Literal>,
}

impl Enumeration {
    /// Whether some of its values carry others.
    pub(super) fn has_fields(&self) -> bool {
        self.literals.iter().any(|literal| !literal.fields.is_empty())
    }
}

/// A channel, or an array of them.
#[derive(Debug)]
pub(super) struct Channel {
    pub(super) name: String,
    pub(super) shape: Shape,
    /// For an array, a table without a name that is never changed: looking up an
    /// index in it goes wrong where there is no such channel.
    pub(super) numbers: Option<VariableId>,
}

/// A channel as a process sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Port {
    /// Its number in [`Names::channels`].
    pub(super) channel: usize,
    /// Which element of an array of channels it is.
    pub(super) element: Option<usize>,
    /// What a process may do with a parameter; anything with a channel that is
    /// none.
    pub(super) direction: Option<Direction>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Symbol {
    Constant(Sort, i64),
    Type(Shape),
    Channel(Port),
    /// Its number in the text.
    Process(usize),
    Variable(VariableId, Shape),
}

impl Symbol {
    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Constant(Sort::Enumeration(_), _) => "a value of an enumeration",
            Self::Constant(..) => "a constant",
            Self::Type(_) => "a type",
            Self::Channel(_) => "a channel",
            Self::Process(_) => "a process",
            Self::Variable(..) => "a variable",
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

impl<T> Table<T> {
    pub(super) fn get(&self, name: &str) -> Option<&T> {
        self.by_name.get(name)
    }

    pub(super) fn insert(&mut self, name: &str, value: T) {
        if self.by_name.insert(name.to_owned(), value).is_none() {
            self.order.push(name.to_owned());
        }
    }

    /// What a name stands for, which is `T::default()` if it is new.
    pub(super) fn entry(&mut self, name: &str) -> &mut T
    where
        T: Default,
    {
        if !self.by_name.contains_key(name) {
            self.order.push(name.to_owned());
        }
        self.by_name.entry_ref(name).or_default()
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.order.iter().map(String::as_str)
    }
}

impl Table<Symbol> {
    pub(super) fn declare(&mut self, name: &Name, symbol: Symbol) -> Result<(), SourceError> {
        if let Some(other) = self.get(&name.text) {
            let message = format!("`{}` is already {}", name.text, other.what());
            return Err(SourceError::new(name.span, message));
        }
        self.insert(&name.text, symbol);
        Ok(())
    }
}

/// A process that has been activated somewhere in the main process.
#[derive(Debug)]
pub(super) struct Instance {
    /// `P`, or `P[2]` if there are several.
    pub(super) name: String,
    pub(super) location: VariableId,
    pub(super) locals: Table<Symbol>,
}

/// All names of a model.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) globals: Table<Symbol>,
    pub(super) enumerations: Vec<Enumeration>,
    pub(super) channels: Vec<Channel>,
    /// The main process first; then the others, in the order of their
    /// activations.
    pub(super) instances: Vec<Instance>,
    /// The numbers of the instances of each process.
    pub(super) activated: Table<Vec<usize>>,
    pub(super) definitions: Table<Tree>,
}

impl Names {
    /// What a name stands for, in an instance or outside of all of them.
    pub(super) fn symbol(&self, instance: Option<usize>, name: &Name) -> Option<Symbol> {
        let local = instance.and_then(|number| self.instances[number].locals.get(&name.text));
        local.or_else(|| self.globals.get(&name.text)).copied()
    }

    /// The same, or that it stands for nothing.
    pub(super) fn known(
        &self,
        instance: Option<usize>,
        name: &Name,
        what: &str,
        is_meant: impl Fn(Symbol) -> bool,
    ) -> Result<Symbol, SourceError> {
        match self.symbol(instance, name) {
            Some(symbol) if is_meant(symbol) => Ok(symbol),
            Some(other) => {
                let message = format!("`{}` is {}, not {what}", name.text, other.what());
                Err(SourceError::new(name.span, message))
            }
            None => {
                let locals = instance.map(|number| self.instances[number].locals.names());
                let meant = |known: &&str| self.globals.get(known).is_some_and(|&of| is_meant(of));
                let is_meant_here = |known: &&str| {
                    let number = instance.unwrap_or_default();
                    self.instances[number].locals.get(known).is_some_and(|&of| is_meant(of))
                };
                let locals = locals.into_iter().flatten().filter(is_meant_here);
                let known = locals.chain(self.globals.names().filter(meant));
                let hint = hint(&name.text, known);
                let message = format!("`{}` is not declared{hint}", shortened(&name.text));
                Err(SourceError::new(name.span, message))
            }
        }
    }

    /// The channel of that name.
    pub(super) fn port(&self, instance: Option<usize>, name: &Name) -> Result<Port, SourceError> {
        let is_channel = |symbol| matches!(symbol, Symbol::Channel(_));
        match self.known(instance, name, "a channel", is_channel)? {
            Symbol::Channel(port) => Ok(port),
            other => {
                let message = format!("`{}` is {}, not a channel", name.text, other.what());
                Err(SourceError::new(name.span, message))
            }
        }
    }

    /// The instance that a proposition speaks of.
    pub(super) fn owner(&self, owner: &Owner) -> Result<usize, SourceError> {
        let name = &owner.process;
        let Some(instances) = self.activated.get(&name.text) else {
            let missing = if let Some(Symbol::Process(_)) = self.globals.get(&name.text) {
                format!("process `{}` is never activated", name.text)
            } else {
                let hint = hint(&name.text, self.activated.names());
                format!("there is no process `{}`{hint}", shortened(&name.text))
            };
            return Err(SourceError::new(name.span, missing));
        };
        let message = match (owner.number, &instances[..]) {
            (None, [only]) => return Ok(*only),
            (None, several) => format!(
                "`{text}` is activated {n} times: write `{text}[0]` to `{text}[{last}]`",
                text = name.text,
                n = several.len(),
                last = several.len() - 1,
            ),
            (Some(number), all) => {
                let found = usize::try_from(number).ok().and_then(|number| all.get(number));
                if let Some(&instance) = found {
                    return Ok(instance);
                }
                let (text, last) = (&name.text, all.len() - 1);
                format!("there is no `{text}[{number}]`: the last one is `{text}[{last}]`")
            }
        };
        Err(SourceError::new(name.span, message))
    }

    /// The variable or parameter of an instance that a proposition speaks of.
    pub(super) fn member(&self, owner: &Owner, name: &Name) -> Result<Symbol, SourceError> {
        let instance = &self.instances[self.owner(owner)?];
        let is_value =
            |symbol: &Symbol| matches!(symbol, Symbol::Variable(..) | Symbol::Constant(..));
        if let Some(symbol) = instance.locals.get(&name.text).filter(|symbol| is_value(symbol)) {
            return Ok(*symbol);
        }
        let known = instance.locals.names();
        let known = known.filter(|known| instance.locals.get(known).is_some_and(is_value));
        let hint = hint(&name.text, known);
        let text = shortened(&name.text);
        let message = format!("process `{}` has no variable `{text}`{hint}", instance.name);
        Err(SourceError::new(name.span, message))
    }

    /// That a formula speaks of a proposition that is not defined.
    pub(super) fn unknown_proposition(&self, name: &Name) -> SourceError {
        let text = shortened(&name.text);
        let rest = name.text.trim_start_matches(['X', 'F', 'G']);
        let operators = &name.text[..name.text.len() - rest.len()];
        let advice = if !operators.is_empty() && self.definitions.get(rest).is_some() {
            // The thesis writes formulas like that.
            format!("; write `{operators} {rest}`")
        } else {
            hint(&name.text, self.definitions.names())
        };
        SourceError::new(name.span, format!("there is no proposition `{text}`{advice}"))
    }

    /// A value as people write it.
    pub(super) fn value_text(&self, sort: Sort, value: i64) -> String {
        match sort {
            Sort::Truth => if value == 0 { "FALSE" } else { "TRUE" }.to_owned(),
            Sort::Number => value.to_string(),
            Sort::Enumeration(number) => usize::try_from(value)
                .ok()
                .and_then(|index| self.enumerations[number].literals.get(index))
                .map_or_else(|| value.to_string(), |literal| literal.name.clone()),
        }
    }

    /// What a sort is, for messages.
    pub(super) fn sort_text(&self, sort: Sort) -> String {
        match sort {
            Sort::Truth => "a truth value".to_owned(),
            Sort::Number => "a number".to_owned(),
            Sort::Enumeration(number) => {
                let literals = &self.enumerations[number].literals;
                let names: Vec<&str> =
                    literals.iter().take(3).map(|literal| literal.name.as_str()).collect();
                let more = if 3 < literals.len() { ", …" } else { "" };
                format!("a value of {{{}{more}}}", names.join(", "))
            }
        }
    }

    /// What a type is, for messages.
    pub(super) fn scalar_text(&self, scalar: Scalar) -> String {
        match scalar.sort {
            Sort::Number => format!("{}..{}", scalar.low, scalar.high),
            Sort::Truth => "BOOLEAN".to_owned(),
            Sort::Enumeration(_) => self.sort_text(scalar.sort),
        }
    }
}

/// That there is no type of this name.
pub(super) fn unknown_type(names: &Names, name: &Name) -> SourceError {
    let is_type = |known: &&str| matches!(names.globals.get(known), Some(Symbol::Type(_)));
    let known = names.globals.names().filter(is_type).chain(["BOOLEAN"]);
    let suggestion = suggestion(&name.text, known);
    let message = format!("there is no type `{}`{suggestion}", shortened(&name.text));
    SourceError::new(name.span, message)
}

/// What is shown of a long name.
pub(super) fn shortened(name: &str) -> String {
    name.chars().take(60).collect()
}
