//! Statements of processes to transitions of the program.
//!
//! Every statement that is a step first becomes a [`Half`]: what it demands and
//! what it does, apart from what a partner does. A half without a communication
//! is a transition of the program by itself; otherwise each pair of a sender
//! and a receiver of different processes is one.

use super::super::SourceError;
use super::super::program::{
    BinaryOperator, Effect, Expression, ExpressionId, Program, Span, Transition, UnaryOperator,
    VariableId,
};
use super::super::source::{Statement as SourceStatement, Step};
use super::ast::{Action, Alternative, Body, Guard, Place, Statement, Tree};
use super::communicate::Exchange;
use super::declare::Declared;
use super::flow::{Flow, entry, location};
use super::names::{Names, Shape, Sort, Symbol};
use super::value::{Scope, check_index, check_range, value_of, wrong_shape};
use crate::id::Id;
use crate::system::ProcessId;

/// How many transitions a program may have, and how many effects all of them
/// together.
const MAX_TRANSITIONS: usize = 500_000;
const MAX_EFFECTS: usize = 4_000_000;

/// How much of a statement traces show.
const MAX_ACTION: usize = 60;

/// A step of a process, apart from what its partner does.
#[derive(Debug)]
pub(super) struct Half {
    pub(super) instance: usize,
    /// The process is where the step begins.
    pub(super) is_here: ExpressionId,
    pub(super) guards: Vec<ExpressionId>,
    pub(super) effects: Vec<Effect>,
    pub(super) exchange: Option<Exchange>,
    pub(super) action: String,
    pub(super) span: Span,
}

/// Where a value goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) variable: VariableId,
    pub(super) index: Option<ExpressionId>,
}

impl Target {
    /// The effect that puts a value there.
    pub(super) fn assign(self, value: ExpressionId) -> Effect {
        match self.index {
            None => Effect::Assign(self.variable, value),
            Some(index) => Effect::AssignElement(self.variable, index, value),
        }
    }
}

/// A program in the making.
pub(super) struct Lowering<'a> {
    text: &'a str,
    /// Where the lines of the text begin.
    line_starts: Vec<usize>,
    pub(super) program: Program,
    pub(super) names: Names,
    halves: Vec<Half>,
    n_effects: usize,
}

/// Adds the transitions of all processes to a program that has their variables.
pub(super) fn lower(text: &str, declared: Declared<'_>) -> Result<(Program, Names), SourceError> {
    let Declared { program, names, bodies } = declared;
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    let line_starts = std::iter::once(0).chain(breaks).collect();
    let mut lowering =
        Lowering { text, line_starts, program, names, halves: Vec::new(), n_effects: 0 };
    for (instance, body) in bodies.iter().enumerate() {
        let flow = Flow::new(body);
        for number in 0..body.statements.len() {
            lowering.statement(instance, &bodies, &flow, number)?;
        }
    }
    let halves = std::mem::take(&mut lowering.halves);
    lowering.pair(&halves)?;
    Ok((lowering.program, lowering.names))
}

impl Lowering<'_> {
    fn statement(
        &mut self,
        instance: usize,
        bodies: &[&Body],
        flow: &Flow,
        number: usize,
    ) -> Result<(), SourceError> {
        let Statement { action, span } = &bodies[instance].statements[number];
        let (here, next) = (location(number), flow.after[number]);
        let mut half = self.half(instance, here, next, *span);
        match action {
            Action::Skip => (),
            Action::Assign(place, tree) => {
                let (target, shape) = self.target(instance, place)?;
                let value = self.value(instance, tree, shape)?;
                half.effects.push(target.assign(value));
            }
            Action::Communicate(communication) => {
                half.exchange = Some(self.exchange(instance, communication)?);
            }
            Action::Activate(name, _) if instance == 0 => {
                // The main process does nothing else, so its statements are the
                // other instances.
                let activated = number + 1;
                debug_assert!(self.names.instances[activated].name.starts_with(&name.text));
                let first = self.program.constant(entry(bodies[activated], 0));
                let location = self.names.instances[activated].location;
                half.effects.push(Effect::Assign(location, first));
            }
            Action::Activate(name, _) => {
                let message = "only the main process activates processes";
                return Err(SourceError::new(name.span, message));
            }
            Action::Select { is_repeated, alternatives } => {
                let keyword = Span { start: span.start, end: span.start + 2 };
                let mut conditions = Vec::new();
                for Alternative { guard, block } in alternatives {
                    let target = flow.entry[*block];
                    conditions.push(self.alternative(instance, (here, target), guard)?);
                }
                if *is_repeated {
                    let half = self.half(instance, here, next, keyword);
                    self.leave(half, &conditions);
                }
                return Ok(());
            }
        }
        self.halves.push(half);
        Ok(())
    }

    /// What traces show of a half: two halves are one step, so its effects are the second's.
    fn step(&mut self, half: &Half) -> Step {
        let Half { instance, action, span, .. } = half;
        let line_starts = &self.line_starts;
        let source = &mut self.program.source;
        let statement = source.statement((span.start, span.end), || SourceStatement {
            file: None,
            line: line_starts.partition_point(|&start| start <= span.start),
            text: action.clone(),
            span: *span,
            calls: Vec::new(),
        });
        let actor = source.actor(&self.names.instances[*instance].name);
        Step { actor, statement, n_effects: 0, print: None, unread: [].into() }
    }

    /// A step between two locations that does nothing else.
    fn half(&mut self, instance: usize, here: i64, next: i64, span: Span) -> Half {
        let location = self.names.instances[instance].location;
        let variable = self.program.expression(Expression::Variable(location));
        let value = self.program.constant(here);
        let is_here = self.program.binary(BinaryOperator::Equal, variable, value);
        let mut effects = Vec::new();
        if here != next {
            effects.push(Effect::Assign(location, self.program.constant(next)));
        }
        let action = self.action(span);
        Half { instance, is_here, guards: Vec::new(), effects, exchange: None, action, span }
    }

    /// A part of the text as traces show it: on one line, and not too long.
    fn action(&self, span: Span) -> String {
        let mut text = String::new();
        // A selection may be as long as the whole text.
        for word in self.text[span.start..span.end].split_whitespace() {
            if MAX_ACTION < text.len() {
                break;
            }
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(word);
        }
        match text.char_indices().nth(MAX_ACTION) {
            None => text,
            Some((end, _)) => format!("{}…", &text[..end]),
        }
    }

    /// The step that chooses an alternative. Returns its condition, or nothing
    /// if it has none.
    fn alternative(
        &mut self,
        instance: usize,
        (here, target): (i64, i64),
        guard: &Guard,
    ) -> Result<Option<ExpressionId>, SourceError> {
        let mut half = self.half(instance, here, target, guard.span);
        let mut condition = None;
        if let Some(tree) = &guard.condition {
            let scope = Scope::Instance(instance);
            let id = value_of(&mut self.program, &self.names, scope, tree, Sort::Truth)?;
            half.guards.push(id);
            condition = Some(id);
        }
        if let Some(communication) = &guard.communication {
            half.exchange = Some(self.exchange(instance, communication)?);
        }
        self.halves.push(half);
        Ok(condition)
    }

    /// The step that leaves a loop when all conditions are false. A
    /// communication without a condition may always become possible.
    fn leave(&mut self, mut half: Half, conditions: &[Option<ExpressionId>]) {
        for condition in conditions {
            let Some(condition) = *condition else { return };
            let negated = Expression::Unary(UnaryOperator::Not, condition);
            half.guards.push(self.program.expression(negated));
        }
        "leave DO".clone_into(&mut half.action);
        self.halves.push(half);
    }

    /// The value of an expression that is put into a variable of this type.
    pub(super) fn value(
        &mut self,
        instance: usize,
        tree: &Tree,
        shape: Shape,
    ) -> Result<ExpressionId, SourceError> {
        let (scope, sort) = (Scope::Instance(instance), shape.element.sort);
        let id = value_of(&mut self.program, &self.names, scope, tree, sort)?;
        check_range(&self.names, shape.element, self.program.as_constant(id), tree.span)?;
        Ok(id)
    }

    /// What a place stands for in a process.
    pub(super) fn target(
        &mut self,
        instance: usize,
        place: &Place,
    ) -> Result<(Target, Shape), SourceError> {
        let name = &place.name;
        let is_variable = |symbol| matches!(symbol, Symbol::Variable(..));
        let symbol = self.names.known(Some(instance), name, "a variable", is_variable)?;
        let index = match &place.index {
            Some(tree) => {
                let scope = Scope::Instance(instance);
                let id = value_of(&mut self.program, &self.names, scope, tree, Sort::Number)?;
                Some((id, tree.span))
            }
            None => None,
        };
        match symbol {
            Symbol::Variable(variable, shape) if shape.len.is_some() == index.is_some() => {
                if let (Some(len), Some((id, span))) = (shape.len, index) {
                    check_index(name, len, self.program.as_constant(id), span)?;
                }
                Ok((Target { variable, index: index.map(|(id, _)| id) }, shape))
            }
            _ => Err(wrong_shape(name, symbol)),
        }
    }

    /// Adds a transition of the program, unless it is never enabled.
    pub(super) fn emit(
        &mut self,
        halves: (&Half, Option<&Half>),
        guards: &[ExpressionId],
        effects: Vec<Effect>,
    ) -> Result<(), SourceError> {
        let (first, second) = halves;
        let is_false = |&guard: &ExpressionId| self.program.as_constant(guard) == Some(0);
        if guards.iter().any(is_false) {
            return Ok(());
        }
        self.n_effects += effects.len();
        let too_many = if MAX_TRANSITIONS <= self.program.transitions.len() {
            Some(("transitions", MAX_TRANSITIONS))
        } else if MAX_EFFECTS < self.n_effects {
            Some(("effects", MAX_EFFECTS))
        } else {
            None
        };
        if let Some((what, limit)) = too_many {
            let message = format!("the model has more than {limit} {what}, with this one");
            return Err(SourceError::new(first.span, message));
        }
        let action = match second {
            None => first.action.clone(),
            Some(second) => format!("{}, {}", first.action, second.action),
        };
        let steps =
            [Some(first), second].into_iter().flatten().map(|half| self.step(half)).collect();
        let is_open = |guard: &&ExpressionId| self.program.as_constant(**guard).is_none();
        let guards: Vec<ExpressionId> = guards.iter().filter(is_open).copied().collect();
        let guard = self.program.conjunction(&guards);
        self.program.transitions.push(Transition {
            process: ProcessId::new(first.instance),
            partner: second.map(|second| ProcessId::new(second.instance)),
            action,
            choices: Vec::new(),
            guard,
            effects,
            span: first.span,
            steps,
        });
        Ok(())
    }
}
