//! What the names of a model stand for, and what to say about names that stand
//! for nothing.
//!
//! Constants, types, values of enumerations, channels and processes share one
//! name space. A process has one of its own for its parameters and variables,
//! which hides the first. Propositions have a third one, for formulas only.

use super::super::SourceError;
use super::super::cursor::{Result, fail};
use super::super::expression::{Domain, Enumerations, Sort};
use super::super::program::VariableId;
use super::super::suggest::{hint, suggestion};
use super::super::table::{Described, Table, known, shortened, unknown};
use super::ast::{Direction, Name, Owner, Tree};
use super::value::EsmlScope;

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) element: Domain,
    /// How many elements an array has.
    pub(super) len: Option<usize>,
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
    /// Its number in [`EsmlNames::channels`].
    pub(super) channel: usize,
    /// Which element of an array of channels it is.
    pub(super) element: Option<usize>,
    /// What a process may do with a parameter; anything with a channel that is
    /// none.
    pub(super) direction: Option<Direction>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum EsmlSymbol {
    Constant(Sort, i64),
    Type(Shape),
    Channel(Port),
    /// Its number in the text.
    Process(usize),
    Variable(VariableId, Shape),
}

impl EsmlSymbol {
    /// The symbol, if it is a constant or a variable.
    pub(super) fn as_value(self) -> Option<Self> {
        matches!(self, Self::Constant(..) | Self::Variable(..)).then_some(self)
    }
}

impl Described for EsmlSymbol {
    fn what(self) -> &'static str {
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

/// A process that has been activated somewhere in the main process.
#[derive(Debug)]
pub(super) struct Instance {
    /// `P`, or `P[2]` if there are several.
    pub(super) name: String,
    pub(super) location: VariableId,
    pub(super) locals: Table<EsmlSymbol>,
}

/// All names of a model.
#[derive(Debug, Default)]
pub(super) struct EsmlNames {
    pub(super) globals: Table<EsmlSymbol>,
    pub(super) enumerations: Enumerations,
    /// What the values of each enumeration carry as messages.
    pub(super) fields: Vec<Vec<Vec<Domain>>>,
    pub(super) channels: Vec<Channel>,
    /// The main process first; then the others, in the order of their
    /// activations.
    pub(super) instances: Vec<Instance>,
    /// The numbers of the instances of each process.
    pub(super) activated: Table<Vec<usize>>,
    pub(super) definitions: Table<Tree>,
}

impl EsmlNames {
    /// What a name stands for, in an instance or outside of all of them.
    pub(super) fn symbol(&self, instance: Option<usize>, name: &Name) -> Option<EsmlSymbol> {
        let local = instance.and_then(|number| self.instances[number].locals.get(&name.text));
        local.or_else(|| self.globals.get(&name.text)).copied()
    }

    /// The same, as far as `select` wants it; `wanted` is the noun for that.
    pub(super) fn known<T>(
        &self,
        instance: Option<usize>,
        name: &Name,
        wanted: &str,
        select: impl Fn(EsmlSymbol) -> Option<T>,
    ) -> Result<T> {
        let locals = instance.map(|number| &self.instances[number].locals);
        let missing = |name: &str| format!("{name} is not declared");
        known([locals, Some(&self.globals)], name, wanted, missing, select)
    }

    /// The constant or variable of that name.
    pub(super) fn value(&self, scope: EsmlScope, name: &Name) -> Result<EsmlSymbol> {
        let instance = match scope {
            EsmlScope::Instance(number) => Some(number),
            EsmlScope::Proposition if self.symbol(None, name).is_none() => {
                return Err(self.unknown_proposition(name));
            }
            EsmlScope::Constant | EsmlScope::Proposition => None,
        };
        self.known(instance, name, "a value", EsmlSymbol::as_value)
    }

    /// The channel of that name.
    pub(super) fn port(&self, instance: Option<usize>, name: &Name) -> Result<Port> {
        self.known(instance, name, "a channel", |symbol| match symbol {
            EsmlSymbol::Channel(port) => Some(port),
            _ => None,
        })
    }

    /// The instance that a proposition speaks of.
    pub(super) fn owner(&self, owner: &Owner) -> Result<usize> {
        let name = &owner.process;
        let Some(instances) = self.activated.get(&name.text) else {
            if let Some(EsmlSymbol::Process(_)) = self.globals.get(&name.text) {
                return fail(name.span, format!("process `{}` is never activated", name.text));
            }
            let missing = |name: &str| format!("there is no process {name}");
            return Err(unknown(name, missing, self.activated.names()));
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
    pub(super) fn member(&self, owner: &Owner, name: &Name) -> Result<EsmlSymbol> {
        let instance = &self.instances[self.owner(owner)?];
        if let Some(symbol) = instance.locals.get(&name.text).and_then(|of| of.as_value()) {
            return Ok(symbol);
        }
        let known = instance.locals.names();
        let known = known
            .filter(|known| instance.locals.get(known).is_some_and(|of| of.as_value().is_some()));
        let missing = |text: &str| format!("process `{}` has no variable {text}", instance.name);
        Err(unknown(name, missing, known))
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

    /// What a value of an enumeration carries as a message.
    pub(super) fn fields(&self, sort: Sort, value: i64) -> &[Domain] {
        let Sort::Enumeration(number) = sort else { return &[] };
        let fields = usize::try_from(value).ok().and_then(|at| self.fields.get(number)?.get(at));
        fields.map_or(&[], Vec::as_slice)
    }

    /// What a type is, for messages.
    pub(super) fn domain_text(&self, domain: Domain) -> String {
        match domain.sort {
            Sort::Number => format!("{}..{}", domain.low, domain.high),
            Sort::Truth => "BOOLEAN".to_owned(),
            Sort::Enumeration(_) => self.enumerations.sort_text(domain.sort),
        }
    }
}

/// That there is no type of this name.
pub(super) fn unknown_type(names: &EsmlNames, name: &Name) -> SourceError {
    let is_type = |known: &&str| matches!(names.globals.get(known), Some(EsmlSymbol::Type(_)));
    let known = names.globals.names().filter(is_type).chain(["BOOLEAN"]);
    let suggestion = suggestion(&name.text, known);
    let message = format!("there is no type `{}`{suggestion}", shortened(&name.text));
    SourceError::new(name.span, message)
}
