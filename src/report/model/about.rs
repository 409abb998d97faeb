//! What a result about a model is about: a kind of property, and a place in a text.

/// What a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// A formula.
    Formula,
    /// An automaton that must not accept any run.
    Claim,
    /// That nothing goes wrong.
    Errors,
    /// That nothing goes wrong, and no run ends in a deadlock.
    ErrorsAndDeadlocks,
}

/// A place in a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the file.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
