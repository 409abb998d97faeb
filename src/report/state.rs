//! Packed states by the names and values that their model gives them.
//!
//! Arrays can be long. As text, an array in full writes a row of equal
//! elements once, and of a change only the changed elements are shown.

use super::channels;
use crate::lang::execute::{Interpreter, Ran};
use crate::lang::layout::Layout;
use crate::lang::program::{ExpressionId, Program, Transition, Values, Variable, VariableId};
use crate::system::{Describe, ProcessId, Told, TransitionId};
use serde_json::{Map, Value, json};
use std::cell::OnceCell;

/// From how many equal elements on a row of them is written once.
const ROW: usize = 4;
/// How many elements, or rows of equal elements, of an array are shown.
const MAX_ELEMENTS: usize = 32;

/// Reads the packed states of a program.
#[derive(Debug)]
pub struct States<'a> {
    program: &'a Program,
    layout: Layout,
    initial: Values,
    /// Runs the statements within a step; made when it is first needed.
    interpreter: OnceCell<Interpreter<'a>>,
}

impl<'a> States<'a> {
    /// The states of `program`.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        let (layout, initial) = (Layout::new(program), Values::initial(program));
        Self { program, layout, initial, interpreter: OnceCell::new() }
    }

    fn interpreter(&self) -> &Interpreter<'a> {
        self.interpreter.get_or_init(|| Interpreter::new(self.program, &[]))
    }

    /// The statements of a step; without a state behind it, of one that goes wrong.
    #[must_use]
    pub fn statements(
        &self,
        before: &[u64],
        taken: TransitionId,
        after: Option<&[u64]>,
    ) -> Vec<Ran> {
        self.interpreter().statements(before, taken, after)
    }

    /// Whether an expression without choices is true; one that goes wrong is not.
    pub(super) fn is_true(&self, condition: ExpressionId, values: &Values) -> bool {
        self.interpreter().evaluate(condition, values).is_ok_and(|value| value != 0)
    }

    /// Whether there is a process with these values, as far as its places say.
    #[must_use]
    pub fn has_process(&self, process: ProcessId, values: &Values) -> bool {
        let mut places =
            self.program.source.places.iter().filter(|place| place.process == process).peekable();
        let has_none = places.peek().is_none();
        has_none || places.any(|place| values.value(place.counter, 0) == place.value)
    }

    /// The program whose states they are.
    #[must_use]
    pub fn program(&self) -> &'a Program {
        self.program
    }

    /// The values in a packed state.
    #[must_use]
    pub fn values(&self, state: &[u64]) -> Values {
        let mut values = self.initial.clone();
        self.layout.unpack(self.program, state, &mut values);
        values
    }

    /// The packed form of values, which must be in range.
    #[must_use]
    pub fn packed(&self, values: &Values) -> Box<[u64]> {
        let mut words = vec![0; self.layout.n_words()];
        self.layout.pack(self.program, values, &mut words);
        words.into_boxed_slice()
    }

    /// Whether a variable has the same value in all states.
    #[must_use]
    pub fn is_constant(&self, variable: VariableId) -> bool {
        self.layout.place(variable).is_none()
    }

    /// The process that takes a transition and what is done: `philosopher(2): eat`.
    #[must_use]
    pub fn mover(&self, transition: TransitionId) -> String {
        if let Some(parts) = self.program.source.together.get(&transition) {
            let (who, what): (Vec<&str>, Vec<&str>) = parts
                .iter()
                .map(|(id, action)| (&*self.program.processes[*id].name, &**action))
                .unzip();
            return format!("{}: {}", who.join(", "), what.join(", "));
        }
        let transition = &self.program.transitions[transition];
        let mut text = self.process(transition).to_owned();
        if let Some(partner) = self.partner(transition) {
            text.push_str(" and ");
            text.push_str(partner);
        }
        if !text.is_empty() && !transition.action.is_empty() {
            text.push_str(": ");
        }
        text + &transition.action
    }

    /// The name of the process that takes a transition.
    #[must_use]
    pub fn process(&self, transition: &Transition) -> &'a str {
        &self.program.processes[transition.process].name
    }

    /// The name of the process that moves with it, if there is one.
    #[must_use]
    pub fn partner(&self, transition: &Transition) -> Option<&'a str> {
        transition.partner.map(|partner| self.program.processes[partner].name.as_str())
    }

    /// Whether a variable exists with these values: those of a process do while there is
    /// the process.
    #[must_use]
    pub fn exists(&self, variable: VariableId, values: &Values) -> bool {
        let presence = self.program.source.presences.get(&variable);
        presence.is_none_or(|presence| presence.holds(values))
    }

    /// Whether runs show a variable, at times when it exists: whether the text of the
    /// model speaks of it.
    fn is_shown(&self, id: VariableId) -> bool {
        self.program.variables[id].is_shown() && !self.program.source.unshown.contains(&id)
    }

    /// Whether pages and programs get the values of a variable: those that runs show, and those of
    /// the text that change. Arrays that never change are left out.
    pub(super) fn is_on_pages(&self, id: VariableId) -> bool {
        let variable = &self.program.variables[id];
        let is_constant = self.is_constant(id);
        let is_table = is_constant && variable.len.is_some();
        variable.is_shown() && !is_table && (!is_constant || self.is_shown(id))
    }

    /// The variables of states that the text of the model does not speak of: where processes
    /// are, what is in channels.
    pub fn internal(&self) -> impl Iterator<Item = VariableId> {
        let is_internal =
            |&id: &VariableId| !self.program.variables[id].is_shown() && !self.is_constant(id);
        self.program.variables.ids().filter(is_internal)
    }

    /// A variable in full: `turn = 1`, `row = [0, 1]`.
    fn whole(&self, id: VariableId, values: &Values) -> String {
        let variable = &self.program.variables[id];
        match variable.len {
            None => entry(&variable.name, variable, values.value(id, 0)),
            Some(len) => {
                let elements: Vec<i64> = (0..len).map(|index| values.value(id, index)).collect();
                format!("{} = {}", variable.name, array(variable, &elements))
            }
        }
    }

    /// What differs between values, as in [`changes`](Describe::changes). The variables of a
    /// process that begins are shown in full, those of one that ends are not.
    #[must_use]
    pub fn changed(&self, before: &Values, after: &Values) -> Vec<String> {
        let mut entries = Vec::new();
        for (id, variable) in self.program.variables.entries() {
            if !variable.is_shown() || !self.exists(id, after) {
                continue;
            }
            if !self.exists(id, before) {
                entries.extend(self.is_shown(id).then(|| self.whole(id, after)));
                continue;
            }
            if self.is_constant(id) {
                continue;
            }
            let changed: Vec<usize> = (0..variable.n_elements())
                .filter(|&index| before.value(id, index) != after.value(id, index))
                .collect();
            for &index in changed.iter().take(MAX_ELEMENTS) {
                let name = match variable.len {
                    None => variable.name.clone(),
                    Some(_) => format!("{}[{index}]", variable.name),
                };
                entries.push(entry(&name, variable, after.value(id, index)));
            }
            if let Some(more @ 1..) = changed.len().checked_sub(MAX_ELEMENTS) {
                entries.push(format!("{more} more elements of {}", variable.name));
            }
        }
        let all = self.program.source.channels.iter();
        let changed = all.filter(|channel| {
            let is_new = !channels::exists(channel, before);
            channels::exists(channel, after)
                && (is_new || channels::differs(channel, before, after))
        });
        entries.extend(changed.map(|channel| channels::entry(channel, after)));
        entries
    }

    /// The state as a JSON object: the variables that exist and that the text of the model
    /// speaks of. Arrays that never change are left out.
    #[must_use]
    pub fn json(&self, state: &[u64]) -> Value {
        let values = self.values(state);
        let mut object = Map::new();
        for (id, variable) in self.program.variables.entries() {
            if !self.is_on_pages(id) || !self.exists(id, &values) {
                continue;
            }
            let value = |index| json_value(variable, values.value(id, index));
            let value = match variable.len {
                None => value(0),
                Some(len) => Value::Array((0..len).map(value).collect()),
            };
            object.insert(variable.name.clone(), value);
        }
        Value::Object(object)
    }

    /// The values of all elements of [`internal`](Self::internal) variables.
    #[must_use]
    pub fn internal_values(&self, state: &[u64]) -> Vec<i64> {
        let values = self.values(state);
        let of = |id: VariableId| {
            let n_elements = self.program.variables[id].n_elements();
            (0..n_elements).map(|index| values.value(id, index)).collect::<Vec<_>>()
        };
        self.internal().flat_map(of).collect()
    }
}

impl Describe for States<'_> {
    fn full(&self, state: &[u64]) -> Vec<String> {
        let values = self.values(state);
        let variables = self.program.variables.ids();
        let shown = variables.filter(|&id| self.is_shown(id) && self.exists(id, &values));
        let entries = shown.map(|id| self.whole(id, &values));
        let all = self.program.source.channels.iter();
        let existing = all.filter(|channel| channels::exists(channel, &values));
        entries.chain(existing.map(|channel| channels::entry(channel, &values))).collect()
    }

    fn changes(&self, before: &[u64], after: &[u64]) -> Vec<String> {
        self.changed(&self.values(before), &self.values(after))
    }

    fn told(&self, before: &[u64], taken: TransitionId, after: Option<&[u64]>) -> Vec<Told> {
        let ran = self.statements(before, taken, after);
        if ran.is_empty() {
            let changes = after.map(|after| self.changes(before, after)).unwrap_or_default();
            return vec![Told { mover: self.mover(taken), changes, printed: None }];
        }
        let source = &self.program().source;
        let mut now = self.values(before);
        let mut lines = Vec::new();
        let n_ran = ran.len();
        for (number, one) in ran.into_iter().enumerate() {
            let mut then = one.after;
            if let (Some(after), true) = (after, number + 1 == n_ran) {
                then = self.values(after);
            }
            let unread = one.unread.iter();
            let unread = unread.map(|name| format!("({name} is never read: no part of the state)"));
            lines.push(Told {
                mover: format!(
                    "{}: {}",
                    source.actors[one.actor], source.statements[one.statement]
                ),
                changes: self.changed(&now, &then).into_iter().chain(unread).collect(),
                printed: one.printed,
            });
            now = then;
        }
        lines
    }

    // As in `P(1) waits at 12: q?x`.
    fn waiting(&self, state: &[u64]) -> Vec<String> {
        let source = &self.program().source;
        let values = self.values(state);
        let here =
            source.places.iter().filter(|place| values.value(place.counter, 0) == place.value);
        let lines = here.map(|place| {
            let statements = place.statements.iter().map(|&id| source.statements[id].to_string());
            let verb = if place.is_end { "may stop at" } else { "waits at" };
            let statements = statements.collect::<Vec<_>>().join(" or ");
            format!("{} {verb} {statements}", source.actors[place.actor])
        });
        lines.collect()
    }

    fn may_end(&self, state: &[u64]) -> bool {
        self.interpreter().may_end(state)
    }
}

/// Truth values, names if values have names, else numbers.
fn json_value(variable: &Variable, value: i64) -> Value {
    if is_truth(variable) && (value == 0 || value == 1) {
        return json!(value != 0);
    }
    let is_named = !variable.value_names.is_empty();
    let name = variable.value_name(value);
    if is_named && name != value.to_string() { json!(name) } else { json!(value) }
}

/// Whether the values of a variable are false and true.
pub(super) fn is_truth(variable: &Variable) -> bool {
    variable.low == 0 && variable.value_names == ["false", "true"]
}

fn entry(name: &str, variable: &Variable, value: i64) -> String {
    format!("{name} = {}", variable.value_name(value))
}

/// An array in full: `[0, 1, 0 × 98]`.
fn array(variable: &Variable, elements: &[i64]) -> String {
    let mut parts = Vec::new();
    let mut shown = 0;
    for row in elements.chunk_by(|one, other| one == other) {
        let name = variable.value_name(row[0]);
        if MAX_ELEMENTS < parts.len() + if row.len() < ROW { row.len() } else { 1 } {
            break;
        }
        shown += row.len();
        if row.len() < ROW {
            parts.extend(row.iter().map(|_| name.clone()));
        } else {
            parts.push(format!("{name} × {}", row.len()));
        }
    }
    if let Some(more @ 1..) = elements.len().checked_sub(shown) {
        parts.push(format!("… {more} more"));
    }
    format!("[{}]", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::example_program::{self, packed};
    use super::*;

    #[test]
    fn a_full_state_has_every_variable() {
        let program = example_program::two_workers();
        let states = States::new(&program);
        let state = packed(&program, &[0, 1, 2, 5]);
        assert_eq!(
            states.full(&state),
            ["phase = [idle, busy]", "turn = 2", "count = 5", "table = [7 × 1000]"]
        );
    }

    #[test]
    fn of_arrays_the_changed_elements_are_shown() {
        let program = example_program::two_workers();
        let states = States::new(&program);
        let (before, after) = (packed(&program, &[0, 1, 2, 5]), packed(&program, &[0, 0, 2, 6]));
        assert_eq!(states.changes(&before, &after), ["phase[1] = idle", "count = 6"]);
        assert!(states.changes(&before, &before).is_empty());
    }

    #[test]
    fn json_has_names_numbers_and_arrays_but_no_tables() {
        let program = example_program::two_workers();
        let states = States::new(&program);
        let state = packed(&program, &[0, 1, 2, 5]);
        let expected = json!({ "phase": ["idle", "busy"], "turn": 2, "count": 5 });
        assert_eq!(states.json(&state), expected);
    }

    #[test]
    fn long_arrays_are_cut() {
        let program = example_program::two_workers();
        let table = program.variables.iter().last().unwrap();
        let numbers: Vec<i64> = (0..100).collect();
        let text = array(table, &numbers);
        assert!(text.ends_with("30, 31, … 68 more]"), "{text}");
        assert_eq!(array(table, &[1, 1, 1, 0, 0, 0, 0, 2]), "[1, 1, 1, 0 × 4, 2]");
    }
}
