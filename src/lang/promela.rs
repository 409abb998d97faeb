//! Promela, the language of Spin.
//!
//! `preprocess` and `parse` read a text, `graph` finds the control flow of every
//! process type, `names` and `lower` make a program of it for a given number of
//! processes, and this file finds out how many there are. `models/promela/README.md`
//! says what is read and where we differ from Spin.

mod asked;
mod assigned;
mod ast;
mod channel;
mod claim;
mod condition;
mod effects;
mod expression;
mod formula;
mod graph;
mod jumps;
mod lex;
mod lower;
mod names;
mod parse;
mod preprocess;
mod print;
mod priority;
mod shown;
mod statement;
mod step;
mod symbols;
#[cfg(test)]
mod tests;
mod trace;
mod turns;
mod uses;
mod value;
mod words;

use super::compile::Compiled;
use super::program::Program;
use super::source::line_of;
use super::{Definition, Include, Model, Property, SourceError};
use crate::id::IdVec;
use crate::ltl::Formula;
use crate::system::{Cursor, TransitionSystem};
use asked::Asked;
use ast::Active;
use names::{KindId, MAX_PROCESSES, Names, ProcessKind, Slots};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

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
    read_for(text, definitions, include, &Asked::default())
}

/// Reads a model about which more is asked than its text says.
fn read_for(
    text: &str,
    definitions: &[Definition],
    include: Include<'_>,
    asked: &Asked,
) -> Result<Model, SourceError> {
    let mut included = Vec::new();
    let mut remember = |name: &str| {
        let text = include(name)?;
        included.push((name.to_owned(), text.clone()));
        Ok(text)
    };
    let source = preprocess::preprocess(text, definitions, &mut remember);
    let located = |error| in_file(error, text, &included);
    let source = source.map_err(located)?;
    let mut module = parse::module(&source).map_err(located)?;
    refuse_negated_questions(&module).map_err(located)?;
    module.asked = module.asked.with(asked.clone());
    let (kinds, active) = kinds(&mut module).map_err(located)?;
    let is_labelled = kinds.iter().any(|kind| kind.graph.has_label("accept"));
    let claims = claim::claims(&mut module, is_labelled).map_err(located)?;
    let trace = trace::trace(&mut module).map_err(located)?;
    let declared = names::declare(module, source.text.clone(), kinds, &[]);
    let (_, mut names) = declared.map_err(located)?;
    let mut stated = properties(&names.module, &source).map_err(located)?;
    for claim in &claims.list {
        if stated.iter().any(|property| property.name == claim.name) {
            let message = format!("there is already a property `{}`", claim.name);
            return Err(located(SourceError::new(claim.span, message)));
        }
    }
    if is_labelled {
        stated.push(no_acceptance(&stated));
    }
    text.clone_into(&mut names.main);
    names.definitions = definitions.to_vec();
    names.included.clone_from(&included);
    names.files.clone_from(&source.files);
    names.properties = stated;
    names.claims = claims;
    names.trace = trace;
    names.active.clone_from(&active);
    let (program, names) = settled(&names, active).map_err(located)?;
    names.check_claims(&program).map_err(located)?;
    let properties = names.properties.clone();
    Ok(Model { program, properties, bindings: Box::new(names) })
}

/// Spin wants the question itself to be the other one: what is reduced depends on it.
fn refuse_negated_questions(module: &ast::Module) -> Result<(), SourceError> {
    use ast::{Expression, Question};
    for (expression, place) in &module.expressions {
        let &Expression::Unary("!", asked) = expression else { continue };
        let Expression::Channel(question, _) = module.expressions[asked].0 else { continue };
        let other = match question {
            Question::Len => continue,
            Question::Empty => Question::NotEmpty,
            Question::NotEmpty => Question::Empty,
            Question::Full => Question::NotFull,
            Question::NotFull => Question::Full,
        };
        let (question, other) = (question.word(), other.word());
        let message = format!("`{question}` cannot be negated: write `{other}` instead");
        return Err(SourceError::new(*place, message));
    }
    Ok(())
}

/// A mistake in a file that is included says so itself: it has no place in the text
/// of the model. The texts of files lie one behind the other, a line break between
/// them, in the order in which they were included.
fn in_file(error: SourceError, text: &str, included: &[(String, String)]) -> SourceError {
    let mut start = text.len() + 1;
    for (name, inside) in included {
        let offset = error.span.start.checked_sub(start).filter(|&offset| offset <= inside.len());
        if let Some(offset) = offset {
            let before = inside.get(..offset).unwrap_or("");
            let line = 1 + before.matches('\n').count();
            let column = 1 + before.chars().rev().take_while(|&c| c != '\n').count();
            let shown = inside.lines().nth(line - 1).unwrap_or("");
            let message =
                format!("{name}:{line}:{column}: {} in `{}`", error.message, shown.trim());
            return SourceError::new(super::program::Span::default(), message);
        }
        start += inside.len() + 1;
    }
    error
}

/// Prepares slots until no process is found that has none.
fn settled(from: &Names, mut slots: Slots) -> Result<(Program, Names), SourceError> {
    let mut n_rounds = 0;
    loop {
        slots.sort_unstable();
        slots.dedup();
        if let Some(&(slot, kind)) = slots.last()
            && MAX_PROCESSES <= slot
        {
            let message = format!("there are more than {MAX_PROCESSES} processes");
            return Err(SourceError::new(from.kinds[kind].process.name.place, message));
        }
        let Names { module, text, kinds, .. } = from.clone();
        let (mut program, mut names) = names::declare(module, text, kinds, &slots)?;
        from.main.clone_into(&mut names.main);
        names.definitions.clone_from(&from.definitions);
        names.included.clone_from(&from.included);
        names.files.clone_from(&from.files);
        names.properties.clone_from(&from.properties);
        names.claims.clone_from(&from.claims);
        names.trace.clone_from(&from.trace);
        names.declare_trace(&mut program);
        names.check_priorities(&names.module)?;
        names.active.clone_from(&from.active);
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

/// The same model for other slots.
fn larger(from: &Names, slots: Slots) -> Result<Model, SourceError> {
    settled(from, slots).map(|(program, names)| {
        let properties = names.properties.clone();
        Model { program, properties, bindings: Box::new(names) }
    })
}

/// Slots behind those that were missing, half as many again: who has begun many processes
/// will begin more.
fn ahead(found: &[(usize, KindId)]) -> Slots {
    let Some(&(last, _)) = found.last() else { return Vec::new() };
    let end = (last + 1 + last.div_ceil(2)).min(MAX_PROCESSES);
    let kinds: BTreeSet<KindId> = found.iter().map(|&(_, kind)| kind).collect();
    let slots = last + 1..end;
    slots.flat_map(|slot| kinds.iter().map(move |&kind| (slot, kind))).collect()
}

/// What the model says about itself.
fn properties(
    module: &ast::Module,
    source: &preprocess::Preprocessed,
) -> Result<Vec<Property>, SourceError> {
    let mut properties = Vec::new();
    // Where each name stands.
    let mut names: HashMap<String, usize> = HashMap::new();
    for ast::Property { name, tokens, place } in &module.properties {
        let formula = formula::formula(source, module, &source.tokens[tokens.0..tokens.1])?;
        let number = properties.len();
        let at = name.as_ref().map_or(*place, |name| name.place);
        let name = name.as_ref().map_or_else(|| format!("ltl_{number}"), |name| name.text.clone());
        if let Some(&before) = names.get(&name) {
            let line = line_of(&source.text, before);
            let message = format!("line {line} already states a property `{name}`");
            return Err(SourceError::new(at, message));
        }
        names.insert(name.clone(), at.start);
        properties.push(Property { name, formula, span: *place });
    }
    Ok(properties)
}

/// The property of a model with labels that begin with `accept`: nobody is at one of
/// them again and again.
fn no_acceptance(stated: &[Property]) -> Property {
    let mut name = "accept".to_owned();
    while stated.iter().any(|property| property.name == name) {
        name.push('_');
    }
    let formula = Formula::parse(&format!("F G !\"{}\"", claim::ACCEPTING));
    let formula = formula.expect("this is a formula");
    Property { name, formula, span: super::program::Span::default() }
}

/// All kinds of processes, and those that are there from the beginning.
fn kinds(module: &mut ast::Module) -> Result<(IdVec<KindId, ProcessKind>, Slots), SourceError> {
    let mut processes = module.processes.clone();
    processes.extend(module.initial.clone());
    processes.sort_by_key(|process| process.name.place.start);
    let mut kinds = IdVec::new();
    let facts = graph::Facts::new(module);
    for process in processes {
        jumps::check(module, &process)?;
        let graph = graph::graph(module, &facts, &process)?;
        kinds.push(ProcessKind { process, graph });
    }
    let mut active = Vec::new();
    for (id, kind) in kinds.entries() {
        let n_active = match kind.process.active {
            Active::None => 0,
            Active::One => 1,
            Active::Many(number) => names::number(module, number)?,
        };
        for _ in 0..n_active {
            active.push((active.len(), id));
        }
    }
    if active.is_empty() {
        let end = super::program::Span::default();
        return Err(SourceError::new(end, "no process is active, and there is no `init`"));
    }
    Ok((kinds, active))
}

/// Looks around for processes that begin in slots that are not prepared for them.
fn missing(program: &Program, names: &Names) -> Slots {
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
                Ok(None) => break,
                Err(fault) => {
                    found.extend(fault.transition.and_then(|id| names.growing.get(&id)));
                    break;
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// How often a model is made larger by exactly what was missing.
const PATIENCE: usize = 4;

/// How many states are looked at before a model is given away.
const MAX_LOOKED_AT: usize = 20_000;
