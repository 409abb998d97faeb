//! Actions to transitions of the program.
//!
//! An action stands for one transition for each instance of its process and of
//! its parameters; its choices stay choices. Effects of the program run in
//! order, updates of the language all at once: an update that reads what an
//! earlier one writes has its value put aside first.

use super::actions::Actions;
use super::ast::{Action, ActionStep, Binder, LwmModel, Reference};
use super::evaluate::Evaluator;
use super::names::{Symbol, Symbols};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::program::{
    Asserted, BinaryOperator, Effect, Expression, ExpressionId, Process, ProcessId, Program, Span,
    Transition, VariableId,
};
use crate::work::tick;
use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

/// The process of actions outside processes.
const MODEL: &str = "model";

/// How many transitions there may be, and how many combinations of choices of
/// one of them.
const MAX_TRANSITIONS: usize = 1 << 20;
const MAX_CHOICES: i64 = 1 << 31;

/// Puts the processes and transitions of a model into a program that has its
/// variables, and says which transitions belong to which action.
pub(super) fn actions(
    model: &LwmModel,
    symbols: &Symbols,
    program: &mut Program,
) -> Result<Actions> {
    let mut evaluator = Evaluator::new(symbols, program);
    let mut actions = Actions::default();
    check_distinct(&model.actions)?;
    if !model.actions.is_empty() {
        let process = evaluator.program.processes.push(Process { name: MODEL.to_owned() });
        actions.add_process(None, Vec::new(), process);
        for (number, action) in model.actions.iter().enumerate() {
            instances(&mut evaluator, process, number, action, &mut actions)?;
        }
    }
    for (family, declared) in model.processes.iter().enumerate() {
        check_distinct(&declared.actions)?;
        evaluator.for_each(&declared.parameters, false, |evaluator| {
            let (name, values) = evaluator.instance_of(&declared.name, &declared.parameters);
            let process = evaluator.program.processes.push(Process { name });
            evaluator.locals = evaluator.symbols.families[family].instances.get(&values);
            actions.add_process(Some(family), values, process);
            for (number, action) in declared.actions.iter().enumerate() {
                instances(evaluator, process, number, action, &mut actions)?;
            }
            evaluator.locals = None;
            Ok(())
        })?;
    }
    Ok(actions)
}

/// No two actions of one process have the same name.
fn check_distinct(actions: &[Action]) -> Result<()> {
    let mut names: HashSet<&str, FxBuildHasher> = HashSet::default();
    match actions.iter().find(|action| !names.insert(&action.name.text)) {
        None => Ok(()),
        Some(action) => {
            fail(action.name.span, format!("there is another action `{}`", action.name.text))
        }
    }
}

/// The transitions of an action in one process, whose number is said.
fn instances(
    evaluator: &mut Evaluator<'_>,
    process: ProcessId,
    number: usize,
    action: &Action,
    actions: &mut Actions,
) -> Result<()> {
    evaluator.for_each(&action.parameters, false, |evaluator| {
        let (name, arguments) = evaluator.instance_of(&action.name, &action.parameters);
        let choices = choices(evaluator, &action.choices)?;
        let guard = match &action.guard {
            Some(guard) => evaluator.truth(guard)?,
            None => evaluator.program.constant(1),
        };
        let is_dead = evaluator.program.as_constant(guard) == Some(0);
        let effects = evaluator.perhaps_dead(is_dead, |evaluator| effects(evaluator, action))?;
        for _ in &action.choices {
            evaluator.unbind();
        }
        if is_dead {
            return Ok(());
        }
        if MAX_TRANSITIONS <= evaluator.program.transitions.len() {
            let message = format!("there are more than {MAX_TRANSITIONS} transitions");
            return Err(SourceError::new(action.name.span, message));
        }
        let (action, span, partner, steps) = (name, action.span, None, Vec::new());
        let transition =
            Transition { process, partner, action, choices, guard, effects, span, steps };
        let id = evaluator.program.transitions.push(transition);
        actions.add(number, arguments, id);
        Ok(())
    })
}

/// The ranges of choices, whose names are bound.
fn choices(evaluator: &mut Evaluator<'_>, binders: &[Binder]) -> Result<Vec<(i64, i64)>> {
    let mut ranges = Vec::with_capacity(binders.len());
    let mut n_combinations: i64 = 1;
    for (number, binder) in (0..).zip(binders) {
        let domain = evaluator.inhabited(&binder.domain)?;
        n_combinations = n_combinations.saturating_mul(domain.n_values());
        if MAX_CHOICES < n_combinations {
            let message = format!("an action has at most {MAX_CHOICES} combinations of choices");
            return Err(SourceError::new(binder.domain.span, message));
        }
        let id = evaluator.program.expression(Expression::Choice(number));
        evaluator.bind(binder, domain.sort, id)?;
        ranges.push((domain.low, domain.high));
    }
    Ok(ranges)
}

/// An update whose parts are evaluated.
struct Write {
    variable: VariableId,
    index: Option<ExpressionId>,
    value: ExpressionId,
    span: Span,
}

fn effects(evaluator: &mut Evaluator<'_>, action: &Action) -> Result<Vec<Effect>> {
    let mut effects = Vec::new();
    let mut writes = Vec::new();
    for step in &action.steps {
        match step {
            ActionStep::Assert { condition, text } => {
                let id = evaluator.truth(condition)?;
                if evaluator.program.as_constant(id) != Some(1) {
                    effects.push(Effect::Assert(id, Asserted::Stated(text.clone())));
                }
            }
            ActionStep::Update { target, span, value } => {
                let variable = target_variable(evaluator, target)?;
                let index = evaluator.place(*span, variable, target.index.as_deref())?;
                let id = evaluator.of_sort(value, evaluator.symbols.sorts[variable])?;
                let declared = &evaluator.program.variables[variable];
                if let Some(constant) = evaluator.program.as_constant(id)
                    && (constant < declared.low || declared.high < constant)
                    && !evaluator.is_dead()
                {
                    let message = format!(
                        "value {constant} is out of range: `{}` holds {} to {}",
                        declared.name, declared.low, declared.high
                    );
                    return Err(SourceError::new(value.span, message));
                }
                writes.push(Write { variable, index, value: id, span: *span });
            }
        }
    }
    check_disjoint(evaluator, &writes, &mut effects)?;
    put_aside(evaluator.program, &mut writes, &mut effects);
    let assign = |write: &Write| Effect::assign(write.variable, write.index, write.value);
    effects.extend(writes.iter().map(assign));
    Ok(effects)
}

fn target_variable(evaluator: &Evaluator<'_>, target: &Reference) -> Result<VariableId> {
    let name = &target.name;
    if let Some(&variable) = evaluator.locals.and_then(|locals| locals.get(&name.text)) {
        return Ok(variable);
    }
    if evaluator.is_bound(&name.text) {
        return Err(name.error("is an index, not a variable"));
    }
    match evaluator.symbol(name)? {
        Symbol::Variable(Some(variable)) => Ok(variable),
        other => Err(name.error(format!("is {}, not a variable", other.what()))),
    }
}

/// No two updates write to the same place. Where that depends on the state, the
/// transition asserts it.
fn check_disjoint(
    evaluator: &mut Evaluator<'_>,
    writes: &[Write],
    effects: &mut Vec<Effect>,
) -> Result<()> {
    let mut places: HashSet<(VariableId, Option<ExpressionId>), FxBuildHasher> = HashSet::default();
    // Earlier updates of each variable, and those of them whose index is no constant.
    let mut earlier: HashMap<VariableId, [Vec<ExpressionId>; 2], FxBuildHasher> =
        HashMap::default();
    for write in writes {
        if !places.insert((write.variable, write.index)) && !evaluator.is_dead() {
            let name = &evaluator.program.variables[write.variable].name;
            let element = if write.index.is_some() { "the same element of " } else { "" };
            return fail(write.span, format!("this action assigns {element}`{name}` twice"));
        }
        let Some(index) = write.index else { continue };
        let is_constant = evaluator.program.as_constant(index).is_some();
        let [all, open] = earlier.entry(write.variable).or_default();
        // Two constants have been compared as places.
        for &other in if is_constant { &*open } else { &*all } {
            tick();
            let condition = evaluator.program.binary(BinaryOperator::NotEqual, other, index);
            let name = &evaluator.program.variables[write.variable].name;
            let text = format!("two updates of `{name}` have different indices");
            effects.push(Effect::Assert(condition, Asserted::Rule(text)));
        }
        all.push(index);
        if !is_constant {
            open.push(index);
        }
    }
    Ok(())
}

/// Names the values of updates that read what an earlier update writes.
fn put_aside(program: &mut Program, writes: &mut [Write], effects: &mut Vec<Effect>) {
    let mut n_temporaries = 0;
    let mut earlier = Written::default();
    for write in writes {
        let mut put = |program: &mut Program, id: &mut ExpressionId| {
            if reads(program, *id).any(|read| earlier.contains(read)) {
                effects.push(Effect::Let(n_temporaries, *id));
                *id = program.expression(Expression::Temporary(n_temporaries));
                n_temporaries += 1;
            }
        };
        // The place as it is written, before its index is put aside.
        let element = write.index.map_or(Some(0), |index| program.as_constant(index));
        put(program, &mut write.value);
        if let Some(index) = &mut write.index {
            put(program, index);
        }
        earlier.add((write.variable, element));
    }
}

/// A variable, and which element of it; nothing if that depends on the state.
type Place = (VariableId, Option<i64>);

/// Places that earlier updates write.
#[derive(Default)]
struct Written {
    places: HashSet<Place, FxBuildHasher>,
    variables: HashSet<VariableId, FxBuildHasher>,
}

impl Written {
    fn add(&mut self, place: Place) {
        self.places.insert(place);
        self.variables.insert(place.0);
    }

    /// Whether one of them may be this place.
    fn contains(&self, (variable, element): Place) -> bool {
        tick();
        match element {
            None => self.variables.contains(&variable),
            Some(_) => {
                self.places.contains(&(variable, element))
                    || self.places.contains(&(variable, None))
            }
        }
    }
}

/// What an expression reads.
fn reads(program: &Program, id: ExpressionId) -> impl Iterator<Item = Place> {
    program.parts_of([id]).filter_map(|(_, part)| match part {
        Expression::Variable(variable) => Some((variable, Some(0))),
        Expression::Element(variable, index) => Some((variable, program.as_constant(index))),
        _ => None,
    })
}
