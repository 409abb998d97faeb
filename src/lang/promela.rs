//! Promela, the language of Spin.
//!
//! `preprocess` and `parse` read a text, `frame` and `graph` find the control flow of
//! every process type, `names` and `lower` make a program of it for a given number of
//! processes, and this file finds out how many there are. `models/promela/README.md`
//! says what is read and where we differ from Spin.

mod ast;
mod bindings;
mod channel;
mod claim;
mod claim_words;
mod condition;
mod effects;
mod expression;
mod formula;
mod frame;
mod graph;
mod jumps;
mod lex;
mod lower;
mod lowering;
mod names;
mod needs;
mod operator;
mod parse;
mod preprocess;
mod presentation;
mod print;
mod priority;
mod statement;
mod step;
mod symbols;
#[cfg(test)]
mod tests;
mod trace;
mod turns;
mod uses;
mod value;
mod width;
mod words;

use super::compile::Compiled;
use super::program::{Program, Span};
use super::{Definition, Include, Model, SourceError};
use crate::system::{Cursor, StepError, TransitionSystem};
use frame::{Frame, Parsed};
use names::{KindId, MAX_PROCESSES, SlotNames, Slots};
use needs::Needs;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::sync::Arc;

/// The message about a place, as the result of whatever finds it.
fn error<T>(place: Span, message: impl Into<String>) -> Result<T, SourceError> {
    Err(SourceError::new(place, message))
}

/// Reads a model. Definitions stand for macros, and `include` knows other files.
///
/// ```
/// use lwaa::lang::promela;
///
/// let text = "byte n; active proctype P() { do :: n < 3 -> n++ :: else -> break od }
///             ltl small { [] (n <= 3) }";
/// let model = promela::read(text, &[], &mut |_| Err("no files".to_owned()))?;
/// assert_eq!(model.properties[0].formula.to_string(), "G \"n<=3\"");
/// # Ok::<(), lwaa::lang::SourceError>(())
/// ```
///
/// # Errors
///
/// If the text is no model.
pub fn read(
    text: &str,
    definitions: &[Definition],
    include: Include<'_>,
) -> Result<Model, SourceError> {
    let source = preprocess::preprocess(text, definitions, include)?;
    let parsed = Arc::new(Parsed::new(source)?);
    let needs = parsed.needs().clone();
    opened_for(&parsed, needs, Vec::new())
}

/// Makes a model that was read for what questions about it need to see, with at least
/// these slots.
fn opened_for(parsed: &Arc<Parsed>, needs: Needs, slots: Slots) -> Result<Model, SourceError> {
    let frame = Frame::new(parsed, needs).map_err(|error| parsed.source.located(error))?;
    opened(&Arc::new(frame), slots)
}

/// The same for needs for which a model was made before.
fn opened(frame: &Arc<Frame>, slots: Slots) -> Result<Model, SourceError> {
    let model = settled(frame, slots).and_then(|(program, names)| {
        names.check_claims(&program)?;
        Ok(Model { program, properties: frame.properties.clone(), bindings: Arc::new(names) })
    });
    model.map_err(|error| frame.parsed.source.located(error))
}

/// Prepares slots until every process that is found has one.
fn settled(frame: &Arc<Frame>, mut slots: Slots) -> Result<(Program, SlotNames), SourceError> {
    slots.extend(&frame.active);
    let mut n_rounds = 0;
    loop {
        slots.sort_unstable();
        slots.dedup();
        if let Some(&(slot, kind)) = slots.last()
            && MAX_PROCESSES <= slot
        {
            let message = format!("there are more than {MAX_PROCESSES} processes");
            return error(frame.kinds[kind].process.name.place, message);
        }
        let (program, names) = names::declare(frame, &slots)?;
        names.check_priorities(&names.module)?;
        let (program, names) = lower::lower(program, names)?;
        let found = missing(&program, &names);
        if found.is_empty() {
            return Ok((program, names));
        }
        slots.extend(&found);
        if PATIENCE <= n_rounds {
            slots.extend(ahead(&found));
        }
        n_rounds += 1;
    }
}

/// Slots behind those that were missing, half as many again: a model that has begun
/// many processes will begin more.
fn ahead(found: &[(usize, KindId)]) -> Slots {
    let Some(&(last, _)) = found.last() else { return Vec::new() };
    let end = (last + 1 + last.div_ceil(2)).min(MAX_PROCESSES);
    let kinds: BTreeSet<KindId> = found.iter().map(|&(_, kind)| kind).collect();
    let slots = last + 1..end;
    slots.flat_map(|slot| kinds.iter().map(move |&kind| (slot, kind))).collect()
}

/// Searches for processes that begin in slots that are not prepared for them.
fn missing(program: &Program, names: &SlotNames) -> Slots {
    let mut found = Vec::new();
    if names.growing.is_empty() {
        return found;
    }
    let mut system = Compiled::new(program, &[]);
    let n_words = system.n_words();
    let mut known: HashSet<Box<[u64]>> = HashSet::new();
    let mut open: VecDeque<Box<[u64]>> = system.initial_states().into();
    known.extend(open.iter().cloned());
    let mut target = vec![0; n_words];
    let mut n_expanded = 0;
    while n_expanded < MAX_LOOKED_AT
        && let Some(state) = open.pop_front()
    {
        n_expanded += 1;
        let mut cursor = Cursor::default();
        loop {
            match system.next(&state, &mut cursor, &mut target) {
                Ok(Some(_)) => {
                    if !known.contains(&*target) {
                        known.insert((&*target).into());
                        open.push_back((&*target).into());
                    }
                }
                Ok(None) | Err(StepError::Fault(_)) => break,
                Err(StepError::Room(room)) => {
                    found.extend(names.growing.get(&room.transition));
                    break;
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// How often a model is made larger by exactly the slots that were missing.
const PATIENCE: usize = 4;

/// How many states are searched for missing slots before a model is given to its caller.
const MAX_LOOKED_AT: usize = 20_000;
