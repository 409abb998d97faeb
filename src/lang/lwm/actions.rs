//! Processes and actions as formulas and promises of fairness name them, and
//! the transitions that are meant.
//!
//! A name is resolved and its arguments are evaluated first ([`Movers`]); that
//! needs the declarations only. Which transitions there are is known when the
//! model has been lowered ([`Actions`]): an action whose guard is constantly
//! false is declared, but has none.

use super::ast::{Binder, Call, Moves, Name};
use super::evaluate::{Argument, Evaluator};
use super::names::{ActionFamily, Symbol, Symbols};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::Sort;
use crate::lang::program::{ProcessId, Program, TransitionId};
use crate::lang::suggest::hint;
use std::cmp::Ordering;

/// Which instances of a family are meant.
#[derive(Clone, Debug)]
pub(super) enum Which {
    All,
    /// The one with these arguments.
    One(Vec<(Sort, i64)>),
}

impl Which {
    /// Whether arguments come before, among or behind those that are meant.
    fn order(&self, arguments: &[i64]) -> Ordering {
        match self {
            Self::All => Ordering::Equal,
            Self::One(wanted) => arguments.iter().cmp(wanted.iter().map(|(_, value)| value)),
        }
    }

    fn text(&self, symbols: &Symbols, name: &str) -> String {
        match self {
            Self::All => name.to_owned(),
            Self::One(arguments) => format!("{name}{}", symbols.arguments_text(arguments)),
        }
    }
}

/// The processes or actions that a text names.
#[derive(Clone, Debug)]
pub(super) struct Movers {
    /// The number of the family of processes; nothing for actions outside
    /// processes.
    pub(super) family: Option<usize>,
    pub(super) process: Which,
    /// The number of the action there; nothing if all actions are meant.
    pub(super) action: Option<(usize, Which)>,
}

impl Movers {
    /// The canonical form, by which formulas name it.
    pub(super) fn text(&self, symbols: &Symbols) -> String {
        let family = self.family.map(|number| &symbols.families[number]);
        let actions = family.map_or(&symbols.actions, |family| &family.actions);
        let process = family.map(|family| self.process.text(symbols, &family.name));
        let action = self.action.as_ref();
        let action = action.map(|(number, which)| which.text(symbols, &actions[*number].name));
        process.into_iter().chain(action).collect::<Vec<String>>().join(".")
    }
}

/// What a name stands for where a process or an action is named.
enum Named {
    Process(usize),
    /// An action outside processes.
    Action(usize),
}

impl Evaluator<'_> {
    /// The processes or actions that a text names. Nothing if an argument is dead and has no value.
    pub(super) fn movers(&mut self, moves: &Moves) -> Result<Option<Movers>> {
        self.enter(moves.first.span)?;
        let (first, symbols) = (&moves.first, self.symbols);
        let found = match (self.named(&first.name)?, &moves.action) {
            (Named::Process(number), None) => {
                let process = self.instance(first, &symbols.families[number].parameters)?;
                process.map(|process| Movers { family: Some(number), process, action: None })
            }
            (Named::Process(number), Some(action)) => {
                self.action_of_process(number, first, action)?
            }
            (Named::Action(number), None) => {
                let action = self.instance(first, &symbols.actions[number].parameters)?;
                let process = Which::All;
                action.map(|which| Movers { family: None, process, action: Some((number, which)) })
            }
            (Named::Action(_), Some(_)) => {
                return Err(first.name.error("is an action, not a process"));
            }
        };
        self.leave();
        Ok(found)
    }

    fn named(&self, name: &Name) -> Result<Named> {
        let text = &name.text;
        let error = |message: String| Err(SourceError::new(name.span, message));
        if self.is_bound(text) {
            return error(format!("`{text}` is an index, not a process or an action"));
        }
        let action = number(&self.symbols.actions, text);
        match (self.symbols.symbol(text), action) {
            (Some(Symbol::Process(_)), Some(_)) => {
                error(format!("`{text}` is a process and an action: rename one of them"))
            }
            (Some(Symbol::Process(number)), None) => Ok(Named::Process(number)),
            (_, Some(number)) => Ok(Named::Action(number)),
            (Some(other), None) => {
                error(format!("`{text}` is {}, not a process or an action", other.what()))
            }
            (None, None) => {
                // Perhaps an action of a process, without the process.
                let families = &self.symbols.families;
                let owner = families.iter().find(|family| number(&family.actions, text).is_some());
                let hint = if let Some(owner) = owner {
                    format!("; did you mean `{}.{text}`?", owner.name)
                } else {
                    let processes = families.iter().map(|family| &family.name);
                    let actions = self.symbols.actions.iter().map(|action| &action.name);
                    hint(text, processes.chain(actions).map(String::as_str))
                };
                error(format!("there is no process or action `{text}`{hint}"))
            }
        }
    }

    fn action_of_process(
        &mut self,
        family: usize,
        process: &Call,
        action: &Call,
    ) -> Result<Option<Movers>> {
        let symbols = self.symbols;
        let declared = &symbols.families[family];
        let Some(number) = number(&declared.actions, &action.name.text) else {
            let (process, name) = (&process.name.text, &action.name.text);
            let known = declared.actions.iter().map(|action| action.name.as_str());
            let hint = hint(name, known);
            return fail(action.name.span, format!("`{process}` has no action `{name}`{hint}"));
        };
        let parameters = &declared.actions[number].parameters;
        let process_arguments = self.call_arguments(process, &declared.parameters)?;
        let action_arguments = self.call_arguments(action, parameters)?;
        if process_arguments.is_none()
            && action_arguments.is_some()
            && !declared.parameters.is_empty()
        {
            let (process, name) = (&process.name, &action.name.text);
            let message = format!(
                "`{0}` needs arguments too, as `{name}` has them: `{0}.{name}` means all of them",
                process.text
            );
            return Err(SourceError::new(process.span, message));
        }
        // The ranges of the action may depend on the parameters of its process.
        let found = self.in_fresh_scope(|this| {
            let process = this.bind_call(process, &declared.parameters, process_arguments)?;
            let action = this.bind_call(action, parameters, action_arguments)?;
            Ok(process.zip(action))
        })?;
        Ok(found.map(|(process, which)| Movers {
            family: Some(family),
            process,
            action: Some((number, which)),
        }))
    }

    /// Which instances of a family with these parameters a call means.
    fn instance(&mut self, call: &Call, parameters: &[Binder]) -> Result<Option<Which>> {
        let arguments = self.call_arguments(call, parameters)?;
        self.in_fresh_scope(|this| this.bind_call(call, parameters, arguments))
    }

    /// The values of the arguments of a call, if it has any.
    fn call_arguments<'n>(
        &mut self,
        call: &'n Call,
        parameters: &[Binder],
    ) -> Result<Option<Vec<Argument<'n>>>> {
        let arguments = call.arguments.as_ref();
        arguments
            .map(|nodes| self.arguments(call.span, &call.name, nodes, parameters.len()))
            .transpose()
    }

    fn bind_call(
        &mut self,
        call: &Call,
        parameters: &[Binder],
        arguments: Option<Vec<Argument<'_>>>,
    ) -> Result<Option<Which>> {
        let Some(arguments) = arguments else { return Ok(Some(Which::All)) };
        Ok(self.bind_arguments(&call.name, parameters, &arguments)?.map(Which::One))
    }
}

fn number(actions: &[ActionFamily], name: &str) -> Option<usize> {
    actions.iter().position(|action| action.name == name)
}

/// The transitions of a model by processes and actions.
#[derive(Debug, Default)]
pub(super) struct Actions {
    /// By family and arguments, in increasing order.
    processes: Vec<ProcessInstance>,
}

/// An instance of a process and what it does.
#[derive(Debug)]
struct ProcessInstance {
    /// Nothing for the process of actions outside processes.
    family: Option<usize>,
    arguments: Vec<i64>,
    process: ProcessId,
    /// By number and arguments, in increasing order.
    actions: Vec<ActionInstance>,
}

#[derive(Debug)]
struct ActionInstance {
    number: usize,
    arguments: Vec<i64>,
    transition: TransitionId,
}

impl Actions {
    /// Takes in a process. They come family by family, and those of a family
    /// in the order of their arguments.
    pub(super) fn add_process(
        &mut self,
        family: Option<usize>,
        arguments: Vec<i64>,
        process: ProcessId,
    ) {
        self.processes.push(ProcessInstance { family, arguments, process, actions: Vec::new() });
    }

    /// Takes in a transition of the last process, in the order of the numbers
    /// of actions and of their arguments.
    pub(super) fn add(&mut self, number: usize, arguments: Vec<i64>, transition: TransitionId) {
        if let Some(process) = self.processes.last_mut() {
            process.actions.push(ActionInstance { number, arguments, transition });
        }
    }

    fn processes(&self, movers: &Movers) -> &[ProcessInstance] {
        among(&self.processes, |process| {
            process
                .family
                .cmp(&movers.family)
                .then_with(|| movers.process.order(&process.arguments))
        })
    }

    /// All transitions of these processes or actions, in increasing order.
    pub(super) fn all(&self, movers: &Movers) -> Vec<TransitionId> {
        let actions = self.processes(movers).iter().flat_map(|process| process.actions(movers));
        actions.map(|action| action.transition).collect()
    }

    /// The transitions of each process or action that is meant, and its name.
    pub(super) fn each(
        &self,
        program: &Program,
        movers: &Movers,
    ) -> Vec<(String, Vec<TransitionId>)> {
        let mut each = Vec::new();
        for process in self.processes(movers) {
            let name = &program.processes[process.process].name;
            let actions = process.actions(movers);
            if movers.action.is_none() {
                let all = actions.iter().map(|action| action.transition).collect();
                each.push((name.clone(), all));
                continue;
            }
            for &ActionInstance { transition, .. } in actions {
                let action = &program.transitions[transition].action;
                let text = match process.family {
                    Some(_) => format!("{name}.{action}"),
                    None => action.clone(),
                };
                each.push((text, vec![transition]));
            }
        }
        each
    }
}

impl ProcessInstance {
    fn actions(&self, movers: &Movers) -> &[ActionInstance] {
        match &movers.action {
            None => &self.actions,
            Some((number, which)) => among(&self.actions, |action| {
                action.number.cmp(number).then_with(|| which.order(&action.arguments))
            }),
        }
    }
}

/// Those of a sorted list that are neither too small nor too large.
fn among<T>(sorted: &[T], order: impl Fn(&T) -> Ordering) -> &[T] {
    let start = sorted.partition_point(|item| order(item) == Ordering::Less);
    let end = sorted.partition_point(|item| order(item) != Ordering::Greater);
    &sorted[start..end]
}
