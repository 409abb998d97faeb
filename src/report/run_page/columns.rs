//! The values of a run by variable: when each of them changes, and to what.
//!
//! Of a run with many steps, most variables change seldom, so a column is a list of changes.

use crate::id::IdVec;
use crate::printable::on_one_line;
use crate::report::channels;
use crate::report::state::States;
use crate::run::Run;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::{Value, json};

/// Arrays of more elements have columns only for those that change.
const MAX_ELEMENTS: usize = 32;

/// What is shown of a variable that does not exist.
const ABSENT: &str = "—";

/// A variable, an element of an array or a channel, along a run.
#[derive(Clone, Debug, Default)]
pub(super) struct Column {
    name: String,
    /// The texts of its values, in the order in which they first come.
    texts: Vec<String>,
    by_text: HashMap<String, usize, FxBuildHasher>,
    /// Positions at which it gets another value, and the number of the value.
    changes: Vec<(usize, usize)>,
}

impl Column {
    pub(super) fn new(name: &str) -> Self {
        Self { name: on_one_line(name).into_owned(), ..Self::default() }
    }

    /// Says what the value is from `position` on.
    pub(super) fn set(&mut self, position: usize, text: &str) {
        let number = if let Some(&known) = self.by_text.get(text) {
            known
        } else {
            self.texts.push(on_one_line(text).into_owned());
            self.by_text.insert(text.to_owned(), self.texts.len() - 1);
            self.texts.len() - 1
        };
        if self.changes.last().is_none_or(|&(_, last)| last != number) {
            self.changes.push((position, number));
        }
    }

    pub(super) fn json(&self) -> Value {
        let at: Vec<usize> = self.changes.iter().map(|change| change.0).collect();
        let is: Vec<usize> = self.changes.iter().map(|change| change.1).collect();
        json!({ "name": self.name, "texts": self.texts, "at": at, "is": is })
    }
}

/// The columns of a run of a model, and what is said of those that are left out: elements of long
/// arrays that never change, unless one of `named` speaks of them.
pub(super) fn of_run(run: &Run, states: &States<'_>, named: &[&str]) -> (Vec<Column>, Vec<String>) {
    let program = states.program();
    let mut columns = Vec::new();
    let mut sources = Vec::new();
    for (id, variable) in program.variables.entries() {
        if !states.is_on_pages(id) {
            continue;
        }
        let is_long = MAX_ELEMENTS < variable.n_elements();
        for index in 0..variable.n_elements() {
            let name = match variable.len {
                None => variable.name.clone(),
                Some(_) => format!("{}[{index}]", variable.name),
            };
            columns.push(Column::new(&name));
            sources.push((id, index, is_long));
        }
    }
    let n_variables = columns.len();
    let all = &program.source.channels;
    columns.extend(all.iter().map(|channel| Column::new(&channel.name)));
    for (position, moment) in run.moments.iter().enumerate() {
        let values = states.values(&moment.state);
        for (column, &(id, index, _)) in columns.iter_mut().zip(&sources) {
            if states.exists(id, &values) {
                let variable = &program.variables[id];
                column.set(position, &variable.value_name(values.value(id, index)));
            } else {
                column.set(position, ABSENT);
            }
        }
        for (column, channel) in columns[n_variables..].iter_mut().zip(all) {
            let text = if channels::exists(channel, &values) {
                let entry = channels::entry(channel, &values);
                entry.strip_prefix(&format!("{} = ", channel.name)).unwrap_or(&entry).to_owned()
            } else {
                ABSENT.to_owned()
            };
            column.set(position, &text);
        }
    }
    let mut left_out: IdVec<_, usize> = program.variables.iter().map(|_| 0).collect();
    let mut kept = Vec::new();
    for (number, column) in columns.into_iter().enumerate() {
        match sources.get(number) {
            Some(&(id, _, true)) if column.changes.len() < 2 && !is_named(&column.name, named) => {
                left_out[id] += 1;
            }
            _ => kept.push(column),
        }
    }
    let notes = left_out.entries().filter(|(_, n_left)| 0 < **n_left).map(|(id, n_left)| {
        let variable = &program.variables[id];
        let (name, all) = (&variable.name, variable.n_elements());
        format!("{n_left} of the {all} elements of {name} never change and have no column.")
    });
    (kept, notes.collect())
}

/// Whether an atom speaks of an element: whether its name is a part of the atom.
fn is_named(element: &str, atoms: &[&str]) -> bool {
    let is_word = |one: char| one.is_alphanumeric() || "_.:)]".contains(one);
    atoms.iter().any(|atom| {
        let mut found = atom.match_indices(element);
        found.any(|(at, _)| !atom[..at].ends_with(is_word))
    })
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn atoms_name_elements() {
        assert!(is_named("a[40]", &["x == 1", "a[40] > a[1]"]));
        assert!(!is_named("a[40]", &["aa[40]", "a[4]", "P(1):a[40]"]));
    }
}
