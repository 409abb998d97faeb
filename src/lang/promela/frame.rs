//! What of a model is the same however many processes there are.
//!
//! The text of a model is read once. Which statements are merged and which variables
//! are left out depends on what the questions about the model need to see, so the
//! control flow is found again, from what was parsed, when they need to see more.

use super::super::program::Span;
use super::super::{Property, SourceError};
use super::ast::{self, Active, Expression, Module, Process, Question};
use super::claim::{self, Claims};
use super::graph::{self, Graph};
use super::names::{self, KindId, Map, Slots};
use super::needs::Needs;
use super::preprocess::Preprocessed;
use super::trace::{self, TraceAssertion};
use super::{formula, jumps, parse, symbols, uses};
use crate::id::IdVec;
use crate::ltl::Formula;
use crate::scan::position;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What was read, before anything is known about questions.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// The texts and their macros; the tokens are gone.
    pub(super) source: Preprocessed,
    module: Module,
    /// The names of all process types.
    pub(super) processes: BTreeSet<String>,
    /// What `ltl` states.
    properties: Vec<Property>,
}

/// A kind of processes.
#[derive(Debug)]
pub(super) struct ProcessKind {
    pub(super) process: Process,
    pub(super) graph: Graph,
}

/// A model made for what questions about it need to see.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) parsed: Arc<Parsed>,
    /// With loops that are short for others written out.
    pub(super) module: Module,
    pub(super) kinds: IdVec<KindId, ProcessKind>,
    /// The processes that are there from the beginning.
    pub(super) active: Slots,
    pub(super) claims: Claims,
    pub(super) trace: Option<TraceAssertion>,
    /// What the model says about itself.
    pub(super) properties: Vec<Property>,
    pub(super) symbols: Map<String, i64>,
    /// Names to which something is assigned somewhere.
    pub(super) assigned: BTreeSet<String>,
    /// Global variables that no statement reads.
    pub(super) unread: BTreeSet<String>,
}

impl Parsed {
    /// Parses what the preprocessor has left.
    pub(super) fn new(mut source: Preprocessed) -> Result<Self, SourceError> {
        let processes = parse::processes(&source);
        let parsed = parse::module(&source, &processes).and_then(|module| {
            refuse_negated_questions(&module)?;
            let properties = properties(&module, &source, &processes)?;
            Ok((module, properties))
        });
        let (module, properties) = parsed.map_err(|error| source.located(error))?;
        source.tokens = Vec::new();
        source.calls = IdVec::new();
        Ok(Self { source, module, processes, properties })
    }

    /// What the text itself needs to see.
    pub(super) fn needs(&self) -> &Needs {
        &self.module.needs
    }
}

impl Frame {
    /// Finds the control flow of a model for these needs.
    pub(super) fn new(parsed: &Arc<Parsed>, needs: Needs) -> Result<Self, SourceError> {
        let mut module = parsed.module.clone();
        module.needs = needs;
        let (kinds, active) = kinds(&mut module)?;
        let is_labelled = kinds.iter().any(|kind| kind.graph.has_label("accept"));
        let claims = claim::claims(&mut module, is_labelled)?;
        let trace = trace::trace(&mut module)?;
        let mut properties = parsed.properties.clone();
        for claim in &claims.list {
            if properties.iter().any(|property| property.name == claim.name) {
                let message = format!("there is already a property `{}`", claim.name);
                return Err(SourceError::new(claim.span, message));
            }
        }
        if is_labelled {
            properties.push(no_acceptance(&properties));
        }
        let frame = Self::of_module(module)?;
        let parsed = Arc::clone(parsed);
        Ok(Self { parsed, kinds, active, claims, trace, properties, ..frame })
    }

    /// The names of a module, without processes.
    pub(super) fn of_module(module: Module) -> Result<Self, SourceError> {
        let symbols = symbols::symbols(&module)?;
        let (assigned, unread) = (uses::assigned(&module), uses::never_read(&module));
        Ok(Self { module, symbols, assigned, unread, ..Self::default() })
    }
}

/// Spin wants the question itself to be the other one: what is reduced depends on it.
fn refuse_negated_questions(module: &Module) -> Result<(), SourceError> {
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

/// What the model says about itself.
fn properties(
    module: &Module,
    source: &Preprocessed,
    processes: &BTreeSet<String>,
) -> Result<Vec<Property>, SourceError> {
    let mut properties = Vec::new();
    // Where each name stands.
    let mut names: HashMap<String, usize> = HashMap::new();
    for ast::Property { name, tokens, place } in &module.properties {
        let formula = formula::formula(source, processes, &source.tokens[tokens.0..tokens.1])?;
        let number = properties.len();
        let at = name.as_ref().map_or(*place, |name| name.place);
        let name = name.as_ref().map_or_else(|| format!("ltl_{number}"), |name| name.text.clone());
        if let Some(&before) = names.get(&name) {
            let (line, _) = position(&source.text, before);
            let message = format!("line {line} already states a property `{name}`");
            return Err(SourceError::new(at, message));
        }
        names.insert(name.clone(), at.start);
        properties.push(Property { name, formula, span: *place });
    }
    Ok(properties)
}

/// The property of a model with labels that begin with `accept`: no process is at one of
/// them again and again.
fn no_acceptance(stated: &[Property]) -> Property {
    let mut name = "accept".to_owned();
    while stated.iter().any(|property| property.name == name) {
        name.push('_');
    }
    let formula = Formula::parse(&format!("F G !\"{}\"", claim::ACCEPTING));
    let formula = formula.expect("this is a formula");
    Property { name, formula, span: Span::default() }
}

/// All kinds of processes, and those that are there from the beginning.
fn kinds(module: &mut Module) -> Result<(IdVec<KindId, ProcessKind>, Slots), SourceError> {
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
        return Err(SourceError::new(
            Span::default(),
            "no process is active, and there is no `init`",
        ));
    }
    Ok((kinds, active))
}
