//! [`Automaton`] to text, in one canonical form.
//!
//! One line for each item of the header, state and edge; what is read back is
//! equal to what was written.

use super::{Automaton, Edge, Header, Label, Proposition, SetId, State, StateId, Value, Visits};
use crate::id::Id;
use std::fmt::{self, Display, Formatter};

impl Display for Automaton {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "HOA: {}", self.version)?;
        if let Some(name) = &self.name {
            writeln!(f, "name: {}", Quoted(name))?;
        }
        if let Some(tool) = &self.tool {
            write!(f, "tool: {}", Quoted(&tool.name))?;
            if let Some(version) = &tool.version {
                write!(f, " {}", Quoted(version))?;
            }
            writeln!(f)?;
        }
        writeln!(f, "States: {}", self.states.len())?;
        for start in &self.start {
            writeln!(f, "Start: {}", Conjunction(start))?;
        }
        write!(f, "AP: {}", self.atoms.len())?;
        for (_, name) in self.atoms.iter() {
            write!(f, " {}", Quoted(name))?;
        }
        writeln!(f)?;
        for alias in &self.aliases {
            writeln!(f, "Alias: @{} {}", alias.name, self.display_label(&alias.label))?;
        }
        if let Some(name) = &self.acceptance_name {
            writeln!(f, "acc-name: {}{}", name.name, Values(&name.values))?;
        }
        let acceptance = &self.acceptance;
        writeln!(f, "Acceptance: {} {}", acceptance.n_sets, acceptance.condition)?;
        if !self.properties.is_empty() {
            writeln!(f, "properties: {}", self.properties.join(" "))?;
        }
        for Header { name, values } in &self.headers {
            writeln!(f, "{name}:{}", Values(values))?;
        }
        writeln!(f, "--BODY--")?;
        for (id, state) in self.states.entries() {
            self.write_state(f, id, state)?;
        }
        writeln!(f, "--END--")
    }
}

impl Automaton {
    fn display_label(&self, label: &Label) -> impl Display {
        label.display(|proposition, f| match *proposition {
            Proposition::Constant(value) => f.write_str(constant(value)),
            Proposition::Atom(atom) => atom.index().fmt(f),
            Proposition::Alias(alias) => write!(f, "@{}", self.aliases[alias].name),
        })
    }

    fn write_state(&self, f: &mut Formatter<'_>, id: StateId, state: &State) -> fmt::Result {
        write!(f, "State: ")?;
        if let Some(label) = &state.label {
            write!(f, "[{}] ", self.display_label(label))?;
        }
        write!(f, "{}", id.index())?;
        if let Some(name) = &state.name {
            write!(f, " {}", Quoted(name))?;
        }
        writeln!(f, "{}", Signature(&state.sets))?;
        for Edge { label, targets, sets } in &state.edges {
            if let Some(label) = label {
                write!(f, "[{}] ", self.display_label(label))?;
            }
            writeln!(f, "{}{}", Conjunction(targets), Signature(sets))?;
        }
        Ok(())
    }
}

impl Display for Visits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (word, set, complemented) = match *self {
            Self::Constant(value) => return f.write_str(constant(value)),
            Self::Infinitely { set, complemented } => ("Inf", set, complemented),
            Self::Finitely { set, complemented } => ("Fin", set, complemented),
        };
        write!(f, "{word}({}{})", if complemented { "!" } else { "" }, set.index())
    }
}

fn constant(value: bool) -> &'static str {
    if value { "t" } else { "f" }
}

/// A text in quotation marks.
struct Quoted<'a>(&'a str);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for part in self.0.split_inclusive(['"', '\\']) {
            match part.strip_suffix(['"', '\\']) {
                Some(plain) => write!(f, "{plain}\\{}", &part[plain.len()..])?,
                None => f.write_str(part)?,
            }
        }
        f.write_str("\"")
    }
}

struct Conjunction<'a>(&'a [StateId]);

impl Display for Conjunction<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, state) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { "&" };
            write!(f, "{separator}{}", state.index())?;
        }
        Ok(())
    }
}

/// An acceptance signature with a space before it, or nothing.
struct Signature<'a>(&'a [SetId]);

impl Display for Signature<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, set) in self.0.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { " {" } else { " " }, set.index())?;
        }
        f.write_str(if self.0.is_empty() { "" } else { "}" })
    }
}

/// Each value with a space before it.
struct Values<'a>(&'a [Value]);

impl Display for Values<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|value| match value {
            Value::Boolean(value) => write!(f, " {}", constant(*value)),
            Value::Integer(number) => write!(f, " {number}"),
            Value::Text(text) => write!(f, " {}", Quoted(text)),
            Value::Identifier(name) => write!(f, " {name}"),
        })
    }
}
