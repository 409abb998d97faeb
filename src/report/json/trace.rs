//! Runs of a model in JSON: written for programs, read to be replayed.
//!
//! Schema 1. A *step* is an object:
//!
//! | field | value |
//! |---|---|
//! | `state` | an object with a field for each variable of the text of the model that exists: those of a process do while there is the process. Arrays are lists. Truth values are `true` and `false`, a value that has a name is a text, others are numbers. Arrays that never change are left out |
//! | `internal` | a list of numbers that `replay` needs and `state` does not have (Promela: where processes are, what is in channels), in an order that only the model knows; absent if there are none |
//! | `process` | the name of the process that moves in this state; `null` if the run stays here because there is no transition, or ends here |
//! | `partner` | the name of the process that moves with it; absent if there is none |
//! | `action` | what it does; `null` if `process` is |
//! | `statements` | the statements of the source text that it runs, in their order; absent if the language has none. Each is an object: `process`, who runs it, `file` if it is not the model's, `line`, `text`, `printed` if it prints, `unread` (a list of names) if it gives values to variables that are no part of states since no statement reads them, and `calls` if it comes from macros or inlines: a list of objects with `file`, `line` and `text`, the innermost use first; `line` and `text` of the statement are then those of the expansion |
//! | `channels` | what the channels hold in this state: an object with a list of messages for each, and a message is a list of values; absent if there are none |
//! | `pending` | the obligations of the formula in this state, a list of formulas |
//!
//! An infinite run is an object `lasso` with two lists of steps, `prefix` and
//! `cycle`. The cycle is never empty; it is repeated for ever. A finite run is a
//! list of steps, `trace`. Beside them, `made_for` is a list of texts, if the model was
//! made for something that its own text does not say (Promela: what is asked about it,
//! and the numbers and types of processes). Where the model goes wrong, the last step of a
//! `trace` names the process and the action that do.
//!
//! A trace file is one object: `schema`, the number 1, `model`, the name of the
//! file of the model, `definitions`, an object with the constants that were
//! overridden, what `check --json` says of the property (`property`,
//! `formula`, `verdict`, `reason`), and `lasso` or `trace`. The reader also
//! takes the output of `check --json` and of `explore --json`, and in it the
//! first `lasso` or `trace`. Fields that it does not know are not looked at.

use super::SCHEMA;
use super::located::{self, JsonError, Located, Value};
use super::stream::{Object, list, value};
use crate::id::IdVec;
use crate::lang::Definition;
use crate::lang::execute::Ran;
use crate::lang::program::{Values, Variable, VariableId};
use crate::lang::source::{Call, Statement};
use crate::report::channels;
use crate::report::state::{States, is_truth};
use crate::run::{Ending, Moment, Run};
use crate::system::TransitionId;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde_json::{Map, json};
use std::io::{Result, Write};
use std::ops::Range;

/// Adds the field `lasso` or `trace` to an object.
pub(super) fn add(object: &mut Object<'_>, run: &Run, states: &States<'_>) -> Result<()> {
    let purpose = &states.program().source.purpose;
    if !purpose.is_empty() {
        object.field("made_for", json!(purpose))?;
    }
    let steps = |out: &mut dyn Write, positions: Range<usize>| {
        let positions: Vec<usize> = positions.collect();
        list(out, &positions, |out, &position| {
            let next = run.at(position + 1).map(|next| &*next.state);
            value(out, &step(&run.moments[position], next, states))
        })
    };
    let n_moments = run.moments.len();
    let Ending::Cycle { start } = run.ending else {
        return steps(object.name("trace")?, 0..n_moments);
    };
    let mut lasso = Object::begin(object.name("lasso")?)?;
    steps(lasso.name("prefix")?, 0..start)?;
    steps(lasso.name("cycle")?, start..n_moments)?;
    lasso.end()
}

fn step(moment: &Moment, next: Option<&[u64]>, states: &States<'_>) -> serde_json::Value {
    let mut object = json!({ "state": states.json(&moment.state) });
    let internal = states.internal_values(&moment.state);
    if !internal.is_empty() {
        object["internal"] = json!(internal);
    }
    let channels = &states.program().source.channels;
    if !channels.is_empty() {
        let values = states.values(&moment.state);
        let held = channels
            .iter()
            .filter(|channel| channels::exists(channel, &values))
            .map(|channel| (channel.name.clone(), channels::messages(channel, &values)));
        object["channels"] = serde_json::Value::Object(held.collect());
    }
    let taken = moment.taken.map(|id| &states.program().transitions[id]);
    object["process"] = json!(taken.map(|transition| states.process(transition)));
    if let Some(partner) = taken.and_then(|transition| states.partner(transition)) {
        object["partner"] = json!(partner);
    }
    object["action"] = json!(taken.map(|transition| &transition.action));
    let ran = moment.taken.map(|taken| states.statements(&moment.state, taken, next));
    if let Some(ran) = ran.filter(|ran| !ran.is_empty()) {
        object["statements"] = ran.iter().map(|ran| statement(ran, states)).collect();
    }
    object["pending"] = moment.pending.iter().map(|text| &**text).collect();
    object
}

/// A statement that has run.
fn statement(ran: &Ran, states: &States<'_>) -> serde_json::Value {
    let source = &states.program().source;
    let Statement { file, line, text, calls, .. } = &source.statements[ran.statement];
    let mut object = json!({ "process": source.actors[ran.actor] });
    if let Some(file) = file {
        object["file"] = json!(file);
    }
    object["line"] = json!(line);
    object["text"] = json!(text);
    if let Some(printed) = &ran.printed {
        object["printed"] = json!(printed);
    }
    if !ran.unread.is_empty() {
        object["unread"] = json!(*ran.unread);
    }
    if !calls.is_empty() {
        let call = |Call { file, line, text }: &Call| match file {
            Some(file) => json!({ "file": file, "line": line, "text": text }),
            None => json!({ "line": line, "text": text }),
        };
        object["calls"] = calls.iter().map(call).collect();
    }
    object
}

/// A run that has been read. Whether the model has it is another question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRun {
    /// The run, of which only the names of transitions are known. Its ending is a cycle or open.
    pub run: Run,
    /// The transitions that each step may mean; none if it takes none.
    pub candidates: Vec<Vec<TransitionId>>,
    /// Where each step stands in the text.
    pub spans: Vec<Range<usize>>,
    /// The name of the property for which the run was found, where the file says so.
    pub property: Option<String>,
    /// Its formula, where the file says so.
    pub formula: Option<String>,
}

/// Why a text is no run of a model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TraceError {
    /// It is no run of any model.
    #[error(transparent)]
    Malformed(JsonError),
    /// It is one, but this step speaks of things that the model does not have.
    #[error("step {position}: {error}")]
    Foreign {
        /// The step, counted from 0.
        position: usize,
        /// What the model does not have, and where it is spoken of.
        error: JsonError,
    },
}

impl From<JsonError> for TraceError {
    fn from(error: JsonError) -> Self {
        Self::Malformed(error)
    }
}

/// Reads a trace file, or the first run in what `check --json` prints.
///
/// # Errors
///
/// If `text` is neither, or speaks of another model.
pub fn read(text: &str, states: &States<'_>) -> std::result::Result<ReadRun, TraceError> {
    let document = located::read(text)?;
    if !matches!(document.value, Value::Object(_)) {
        return Err(document.error("expected an object").into());
    }
    let schema = document.needed("schema")?;
    if schema.value != Value::Number(i64::from(SCHEMA)) {
        let message = format!("expected {SCHEMA}: this file has another schema");
        return Err(schema.error(message).into());
    }
    let Some((object, run)) = run_in(&document)? else {
        return Err(document.lacks("there is no run in this file").into());
    };
    let is_lasso = matches!(run.value, Value::Object(_));
    let (prefix, last) = if is_lasso {
        (run.needed("prefix")?.elements()?, run.needed("cycle")?)
    } else {
        (&[][..], run)
    };
    let steps = last.elements()?;
    if steps.is_empty() {
        return Err(last.error("there is no step in this list").into());
    }
    let names = ModelNames::new(states);
    let ending = if is_lasso { Ending::Cycle { start: prefix.len() } } else { Ending::Open };
    let (mut moments, mut candidates, mut spans) = (Vec::new(), Vec::new(), Vec::new());
    for (position, step) in prefix.iter().chain(steps).enumerate() {
        let state = read_state(step, position, states, &names)?;
        let taken = read_taken(step, position, &names)?;
        // What the file says is pending has not been checked.
        moments.push(Moment::new(state, taken.first().copied()));
        candidates.push(taken);
        spans.push(step.span.clone());
    }
    let text = |name| object.field(name).map_or(Ok(None), Located::text);
    let property = text("property")?.map(str::to_owned);
    let formula = text("formula")?.map(str::to_owned);
    Ok(ReadRun { run: Run { moments, ending }, candidates, spans, property, formula })
}

/// The first run of a document, and the object that it is part of.
fn run_in(document: &Located) -> std::result::Result<Option<(&Located, &Located)>, JsonError> {
    let results = document.field("results").map_or(Ok(&[][..]), Located::elements)?;
    let mut objects = std::iter::once(document).chain(results);
    Ok(objects.find_map(|object| Some((object, object.field("lasso").or(object.field("trace"))?))))
}

/// The constants that were overridden when a trace was written. Of what is no
/// trace, [`read`] says why.
#[must_use]
pub fn definitions(text: &str) -> Vec<Definition> {
    let document = located::read(text).ok();
    let fields = document.as_ref().and_then(|document| document.field("definitions"));
    let Some(Located { value: Value::Object(fields), .. }) = fields else { return Vec::new() };
    fields
        .iter()
        .filter_map(|(name, _, value)| match value.value {
            Value::Number(value) => Some(Definition { name: name.clone(), value }),
            _ => None,
        })
        .collect()
}

/// For what the model was made when a trace was written.
#[must_use]
pub fn purpose(text: &str) -> Vec<String> {
    let document = located::read(text).ok();
    let run = document.as_ref().and_then(|document| run_in(document).ok()?);
    let list = run.and_then(|(object, _)| object.field("made_for")?.elements().ok());
    let texts = list.unwrap_or_default().iter().filter_map(|one| one.text().ok().flatten());
    texts.map(str::to_owned).collect()
}

/// What a trace file says before its run: of which model it is one.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The name of the file of the model.
    pub model: &'a str,
    /// The constants that were overridden.
    pub definitions: &'a [Definition],
}

impl Origin<'_> {
    /// Adds these fields to an object.
    pub(super) fn add(&self, object: &mut Object<'_>) -> Result<()> {
        object.field("schema", SCHEMA)?;
        object.field("model", self.model)?;
        let known = self.definitions.iter();
        let constants: Map<String, serde_json::Value> =
            known.map(|known| (known.name.clone(), json!(known.value))).collect();
        object.field("definitions", constants)
    }

    /// Writes a trace file of a run that was not found for a property.
    ///
    /// # Errors
    ///
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write, run: &Run, states: &States<'_>) -> Result<()> {
        let mut object = Object::begin(out)?;
        self.add(&mut object)?;
        add(&mut object, run, states)?;
        object.end()
    }
}

/// What is called by a name: variables, and transitions by process, action and
/// partner.
struct ModelNames<'a> {
    variables: HashMap<&'a str, VariableId, FxBuildHasher>,
    transitions: HashMap<(&'a str, &'a str, Option<&'a str>), Vec<TransitionId>, FxBuildHasher>,
}

impl<'a> ModelNames<'a> {
    fn new(states: &States<'a>) -> Self {
        let program = states.program();
        let variables =
            program.variables.entries().map(|(id, variable)| (variable.name.as_str(), id));
        let mut names = Self { variables: variables.collect(), transitions: HashMap::default() };
        for (id, transition) in program.transitions.entries() {
            let partner = states.partner(transition);
            let key = (states.process(transition), transition.action.as_str(), partner);
            names.transitions.entry(key).or_default().push(id);
        }
        names
    }
}

/// The transitions that a step may mean; none if it takes none.
fn read_taken(
    step: &Located,
    position: usize,
    names: &ModelNames<'_>,
) -> std::result::Result<Vec<TransitionId>, TraceError> {
    let process = step.needed("process")?;
    let action = step.needed("action")?;
    let partner = step.field("partner").map_or(Ok(None), Located::text)?;
    match (process.text()?, action.text()?) {
        (None, None) => Ok(Vec::new()),
        (Some(name), Some(action_name)) => {
            names.transitions.get(&(name, action_name, partner)).cloned().ok_or_else(|| {
                let message = format!("the model has no transition `{action_name}` of `{name}`");
                TraceError::Foreign { position, error: action.error(message) }
            })
        }
        _ => Err(process.error("expected `process` and `action`, or neither").into()),
    }
}

fn read_state(
    step: &Located,
    position: usize,
    states: &States<'_>,
    names: &ModelNames<'_>,
) -> std::result::Result<Box<[u64]>, TraceError> {
    let foreign = |error: JsonError| TraceError::Foreign { position, error };
    let state = step.needed("state")?;
    let Value::Object(fields) = &state.value else {
        return Err(state.error("expected an object").into());
    };
    let variables = &states.program().variables;
    let mut values = Values::initial(states.program());
    let mut is_given = IdVec::filled(false, variables.len());
    for (name, span, value) in fields {
        let Some(&id) = names.variables.get(name.as_str()) else {
            let message = format!("the model has no variable `{name}`");
            return Err(foreign(JsonError::new(span.clone(), message)));
        };
        let variable = &variables[id];
        is_given[id] = true;
        let elements = match variable.len {
            None => std::slice::from_ref(value),
            Some(_) => value.elements()?,
        };
        if elements.len() != variable.n_elements() {
            let len = variable.n_elements();
            return Err(foreign(value.error(format!("`{name}` has {len} elements"))));
        }
        for (index, element) in elements.iter().enumerate() {
            let number = read_value(element, variable)?
                .filter(|&number| is_possible(states, id, &values, index, number));
            let Some(number) = number else {
                let message = format!("`{name}` cannot have this value");
                return Err(foreign(element.error(message)));
            };
            values.set(id, index, number);
        }
    }
    if let Some(list) = step.field("internal") {
        read_internal(list, states, &mut values).map_err(foreign)?;
        states.internal().for_each(|id| is_given[id] = true);
    }
    fill_absent(states, &mut values, &mut is_given);
    let is_missing = |&id: &VariableId| !is_given[id] && !states.is_constant(id);
    if let Some(id) = variables.ids().find(is_missing) {
        let name = &variables[id].name;
        let message = if variables[id].is_shown() {
            format!("`{name}` has no value")
        } else {
            "there is no field `internal`, which this model needs".to_owned()
        };
        return Err(foreign(state.lacks(message)));
    }
    Ok(states.packed(&values))
}

/// What belongs to a process that does not exist is 0.
fn fill_absent(states: &States<'_>, values: &mut Values, is_given: &mut IdVec<VariableId, bool>) {
    let variables = &states.program().variables;
    for id in variables.ids() {
        if !is_given[id] && !states.is_constant(id) && !states.exists(id, values) {
            (0..variables[id].n_elements()).for_each(|index| values.set(id, index, 0));
            is_given[id] = true;
        }
    }
}

/// Reads the values of variables that the text of the model does not speak of.
fn read_internal(
    list: &Located,
    states: &States<'_>,
    values: &mut Values,
) -> std::result::Result<(), JsonError> {
    let numbers = list.elements()?;
    let variables = &states.program().variables;
    let elements = |id: VariableId| (0..variables[id].n_elements()).map(move |index| (id, index));
    let places: Vec<(VariableId, usize)> = states.internal().flat_map(elements).collect();
    if numbers.len() != places.len() {
        let message = format!("expected {} numbers, found {}", places.len(), numbers.len());
        return Err(list.error(message));
    }
    for ((id, index), number) in places.into_iter().zip(numbers) {
        let Value::Number(value) = number.value else {
            return Err(number.error("expected a number"));
        };
        if !(variables[id].low..=variables[id].high).contains(&value) {
            return Err(number.error("this number is out of range here"));
        }
        values.set(id, index, value);
    }
    Ok(())
}

/// Whether an element can have a value. `values` still has the initial one.
fn is_possible(
    states: &States<'_>,
    id: VariableId,
    values: &Values,
    index: usize,
    number: i64,
) -> bool {
    let variable = &states.program().variables[id];
    let is_in_range = variable.low <= number && number <= variable.high;
    is_in_range && (!states.is_constant(id) || number == values.value(id, index))
}

/// The number that a value is, or is a name of; nothing if it is no such name.
fn read_value(value: &Located, variable: &Variable) -> std::result::Result<Option<i64>, JsonError> {
    match &value.value {
        Value::Number(number) => Ok(Some(*number)),
        Value::Truth(truth) if is_truth(variable) => Ok(Some(i64::from(*truth))),
        Value::Text(name) => {
            let index = variable.value_names.iter().position(|known| known == name);
            Ok(index.and_then(|index| i64::try_from(index).ok()).map(|index| variable.low + index))
        }
        _ => Err(value.error("expected a number or the name of a value")),
    }
}

#[cfg(test)]
mod tests;
