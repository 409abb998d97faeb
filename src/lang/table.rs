//! Tables of declared names, and what to say about names that stand for nothing or for something
//! else.

use super::SourceError;
use super::cursor::{Name, Result};
use super::suggest::hint;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

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

/// What a name can stand for, with a noun for messages.
pub(super) trait Described: Copy {
    /// `a variable`, `a channel`
    fn what(self) -> &'static str;
}

impl<T: Described> Table<T> {
    /// Declares a name that must be new.
    pub(super) fn declare(&mut self, name: &Name, symbol: T) -> Result<()> {
        if let Some(other) = self.get(&name.text) {
            return Err(taken(name, other.what()));
        }
        self.insert(&name.text, symbol);
        Ok(())
    }
}

/// What a name stands for in the first of the tables that knows it, as far as `select` wants it:
/// `wanted` is the noun for that, `missing` the message if no table knows the name.
pub(super) fn known<T: Described, U>(
    tables: [Option<&Table<T>>; 2],
    name: &Name,
    wanted: &str,
    missing: impl FnOnce(&str) -> String,
    select: impl Fn(T) -> Option<U>,
) -> Result<U> {
    let tables = || tables.into_iter().flatten();
    let Some(&symbol) = tables().find_map(|table| table.get(&name.text)) else {
        let is_wanted =
            |table: &Table<T>, name: &str| table.get(name).copied().and_then(&select).is_some();
        let known =
            tables().flat_map(|table| table.names().filter(move |name| is_wanted(table, name)));
        return Err(unknown(name, missing, known));
    };
    select(symbol).ok_or_else(|| name.error(format!("is {}, not {wanted}", symbol.what())))
}

/// The error that a name is declared already, as `what`.
pub(super) fn taken(name: &Name, what: &str) -> SourceError {
    name.error(format!("is already {what}"))
}

/// The error that a name stands for nothing: `missing` gets the name in quotation marks. One of
/// the names that are known may be meant.
pub(super) fn unknown<'a>(
    name: &Name,
    missing: impl FnOnce(&str) -> String,
    known: impl Iterator<Item = &'a str>,
) -> SourceError {
    let message = missing(&format!("`{}`", shortened(&name.text)));
    SourceError::new(name.span, format!("{message}{}", hint(&name.text, known)))
}

/// What is shown of a long name.
pub(super) fn shortened(name: &str) -> String {
    name.chars().take(60).collect()
}
