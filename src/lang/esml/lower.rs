//! Statements of processes to transitions of the program.
//!
//! Every statement that is a step first becomes a [`Half`]. How halves meet is
//! the business of `communicate`.

use super::super::cursor::{Result, fail};
use super::super::expression::{Sort, value_of};
use super::super::program::{BinaryOperator, Effect, ExpressionId, Program, Span};
use super::super::rendezvous::{self, Role, Target, add_transition, compare};
use super::super::source::{Statement as SourceStatement, Step};
use super::ast::{Action, Alternative, Body, Guard, Place, Statement, Tree};
use super::communicate::Exchange;
use super::declare::Declared;
use super::flow::{Flow, entry, location};
use super::names::{EsmlNames, EsmlSymbol, Shape};
use super::value::{EsmlScope, check_index, check_range, wrong_shape};

/// How much of a statement traces show.
const MAX_ACTION: usize = 60;

/// A step of a process, apart from what its partner does.
pub(super) type Half = rendezvous::Half<Option<Exchange>>;

/// A program in the making.
pub(super) struct Lowering<'a> {
    text: &'a str,
    /// Where the lines of the text begin.
    line_starts: Vec<usize>,
    pub(super) program: Program,
    pub(super) names: EsmlNames,
    halves: Vec<Half>,
    n_effects: usize,
}

/// Adds the transitions of all processes to a program that has their variables.
pub(super) fn lower(text: &str, declared: Declared<'_>) -> Result<(Program, EsmlNames)> {
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
    ) -> Result<()> {
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
                self.communicate(&mut half, communication)?;
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
                return fail(name.span, "only the main process activates processes");
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
        let Half { process, action, span, .. } = half;
        let line_starts = &self.line_starts;
        let source = &mut self.program.source;
        let statement = source.statement((span.start, span.end), || SourceStatement {
            file: None,
            line: line_starts.partition_point(|&start| start <= span.start),
            text: action.clone(),
            span: *span,
            calls: Vec::new(),
        });
        let actor = source.actor(&self.names.instances[*process].name);
        Step { actor, statement, n_effects: 0, print: None, unread: [].into() }
    }

    /// A step between two locations that does nothing else.
    fn half(&mut self, instance: usize, here: i64, next: i64, span: Span) -> Half {
        let location = self.names.instances[instance].location;
        let is_here = compare(&mut self.program, location, BinaryOperator::Equal, here);
        let mut effects = Vec::new();
        if here != next {
            effects.push(Effect::Assign(location, self.program.constant(next)));
        }
        let action = self.action(span);
        Half {
            process: instance,
            is_here,
            guards: Vec::new(),
            effects,
            role: Role::Alone,
            detail: None,
            action,
            span,
        }
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
    ) -> Result<Option<ExpressionId>> {
        let mut half = self.half(instance, here, target, guard.span);
        let mut condition = None;
        if let Some(tree) = &guard.condition {
            let id = self.expression(instance, tree, Sort::Truth)?;
            half.guards.push(id);
            condition = Some(id);
        }
        if let Some(communication) = &guard.communication {
            self.communicate(&mut half, communication)?;
        }
        self.halves.push(half);
        Ok(condition)
    }

    /// The step that leaves a loop when all conditions are false. A
    /// communication without a condition may always become possible.
    fn leave(&mut self, mut half: Half, conditions: &[Option<ExpressionId>]) {
        for condition in conditions {
            let Some(condition) = *condition else { return };
            half.guards.push(self.program.negation(condition));
        }
        "leave DO".clone_into(&mut half.action);
        self.halves.push(half);
    }

    /// The value of an expression, which must have this sort.
    pub(super) fn expression(
        &mut self,
        instance: usize,
        tree: &Tree,
        sort: Sort,
    ) -> Result<ExpressionId> {
        value_of(&mut self.program, &self.names, EsmlScope::Instance(instance), tree, sort)
    }

    /// The value of an expression that is put into a variable of this type.
    pub(super) fn value(
        &mut self,
        instance: usize,
        tree: &Tree,
        shape: Shape,
    ) -> Result<ExpressionId> {
        let id = self.expression(instance, tree, shape.element.sort)?;
        check_range(&self.names, shape.element, self.program.as_constant(id), tree.span)?;
        Ok(id)
    }

    /// What a place stands for in a process.
    pub(super) fn target(&mut self, instance: usize, place: &Place) -> Result<(Target, Shape)> {
        let name = &place.name;
        let symbol = self.names.known(Some(instance), name, "a variable", |symbol| {
            matches!(symbol, EsmlSymbol::Variable(..)).then_some(symbol)
        })?;
        let index = match &place.index {
            Some(tree) => Some((self.expression(instance, tree, Sort::Number)?, tree.span)),
            None => None,
        };
        match symbol {
            EsmlSymbol::Variable(variable, shape) if shape.len.is_some() == index.is_some() => {
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
        (first, second): (&Half, Option<&Half>),
        guards: &[ExpressionId],
        effects: Vec<Effect>,
    ) -> Result<()> {
        let is_false = |&guard: &ExpressionId| self.program.as_constant(guard) == Some(0);
        if guards.iter().any(is_false) {
            return Ok(());
        }
        let halves = (first, second);
        let steps =
            [Some(first), second].into_iter().flatten().map(|half| self.step(half)).collect();
        let is_open = |guard: &&ExpressionId| self.program.as_constant(**guard).is_none();
        let guards: Vec<ExpressionId> = guards.iter().filter(is_open).copied().collect();
        add_transition(&mut self.program, &mut self.n_effects, halves, &guards, effects, steps)
    }
}
