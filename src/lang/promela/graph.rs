//! The control flow of a process type: locations, and statements that lead from
//! one to another.
//!
//! A location is what Spin calls a state of a process, and there are exactly as
//! many of them: `goto`, `break` and the ends of `if` and `do` are passed on the
//! way and are no locations, but the beginning of a block is one, even if its first
//! statement is a loop that has a location of its own. A `goto` that begins an option
//! is a step.
//!
//! Which steps belong to one that cannot be interrupted is said by each edge.

mod dead;
mod finish;
mod live;
mod local;
mod locals;
mod loops;
mod merge;

pub(super) use local::Facts;
pub(super) use locals::{Local, Locals};

use super::super::program::Span;
use super::ast::{Labelled, Module, Name, Process, Statement, StatementId};
use super::names::Map;
use super::priority;
use super::{SourceError, error};
use crate::id::{IdVec, define_id};
use crate::work::tick;

define_id! {
    /// A place in the control flow on the way to locations.
    struct ElementId;
}

define_id! {
    /// What stands behind an `unless`.
    struct EscapeId;
}

define_id! {
    /// A location of a process type.
    pub(super) struct LocationId;
}

define_id! {
    /// A block with names of its own.
    pub(super) struct ScopeId;
}

/// What an edge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// A statement that is not nested.
    Statement(StatementId),
    /// `goto` or `break`.
    Jump,
    /// Gives a variable that is declared among statements its first value.
    Declare(usize),
    /// The process ends.
    End,
}

/// Whether others may interrupt behind a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hold {
    /// Every process may move.
    None,
    /// No other process, if this one can go on: `atomic`.
    Atomic,
    /// No other process, and this one has to go on: `d_step`.
    Step,
}

/// Which text of the model an edge runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Of what runs show of this statement, the one with this number.
    Statement(StatementId, usize),
    /// The end of the process.
    End,
}

/// A step from one location to another.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) action: Action,
    pub(super) scope: ScopeId,
    pub(super) place: Span,
    /// What runs show of it.
    pub(super) said: Said,
    /// Variables of the process that are set to zero behind it.
    pub(super) dead: Vec<usize>,
    pub(super) target: LocationId,
    pub(super) hold: Hold,
    /// The `d_step` that it is part of: of its options, the first one that can be
    /// taken is the only one.
    pub(super) step_block: Option<usize>,
    /// How many others this one yields to: 0 for what stands behind the innermost
    /// `unless`, and so on; the statement itself comes last.
    pub(super) rank: usize,
}

/// A location.
#[derive(Clone, Debug)]
pub(super) struct Location {
    pub(super) edges: Vec<Edge>,
    /// The names of labels that stand here.
    pub(super) labels: Vec<String>,
}

/// The block around each block.
pub(super) type Scopes = IdVec<ScopeId, Option<ScopeId>>;

/// The control flow of a process type.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    pub(super) locations: IdVec<LocationId, Location>,
    pub(super) start: LocationId,
    pub(super) locals: Locals,
    scopes: Scopes,
    /// Where labels are.
    pub(super) labels: Map<String, LocationId>,
}

impl Graph {
    /// Whether there is a label that begins with `prefix`.
    pub(super) fn has_label(&self, prefix: &str) -> bool {
        self.labels.keys().any(|label| label.starts_with(prefix))
    }

    /// For each location, whether it is inside of a `d_step`.
    pub(super) fn inside_steps(&self) -> IdVec<LocationId, bool> {
        let mut inside: IdVec<LocationId, bool> = self.locations.ids().map(|_| false).collect();
        for edge in self.locations.iter().flat_map(|location| &location.edges) {
            tick();
            inside[edge.target] |= edge.hold == Hold::Step;
        }
        inside
    }

    /// The variables that the text declares.
    pub(super) fn own_variables(&self) -> impl Iterator<Item = &Local> {
        self.locals.iter().filter(|local| local.declaration.name.text != priority::PRIORITY)
    }

    /// The variable that a name means in a block.
    pub(super) fn local(&self, scope: ScopeId, name: &str) -> Option<usize> {
        self.locals.find(&self.scopes, scope, name)
    }
}

#[derive(Clone, Debug)]
enum ElementKind {
    /// A step, and what follows.
    Step(Action, ElementId),
    /// One of these.
    Choice(Vec<ElementId>),
    /// Whatever is there, instead.
    Same(ElementId),
    /// `goto` or `break`: a step only if it begins an option.
    Jump(ElementId),
    /// Where the options of a choice meet.
    Join(ElementId),
    /// Where `break` leads to.
    Behind(ElementId),
    /// A `goto` whose label is looked up at the end.
    Goto(Name),
}

#[derive(Clone, Debug)]
struct Element {
    kind: ElementKind,
    context: Context,
    place: Span,
    said: Said,
    labels: Vec<String>,
    /// Whether an atomic sequence ends with it.
    is_last: bool,
}

/// What a statement is inside of.
#[derive(Clone, Copy, Debug)]
struct Context {
    scope: ScopeId,
    hold: Option<Hold>,
    step_block: Option<ElementId>,
    break_to: Option<ElementId>,
    /// What stands behind the innermost `unless`.
    escape: Option<EscapeId>,
}

/// What may interrupt a statement. Those around the same statement are a list, which the
/// statements inside share.
#[derive(Clone, Copy, Debug)]
struct Escape {
    begin: ElementId,
    outer: Option<EscapeId>,
    /// How many are around it.
    depth: usize,
}

impl Context {
    fn new(scope: ScopeId) -> Self {
        Self { scope, hold: None, step_block: None, break_to: None, escape: None }
    }

    /// Where `break` leads.
    fn break_target(&self, place: Span) -> Result<ElementId, SourceError> {
        self.break_to.ok_or_else(|| SourceError::new(place, "`break` stands in no loop"))
    }
}

/// A statement whose element is to be defined, and what follows it.
#[derive(Clone, Copy)]
struct Task {
    statement: StatementId,
    element: ElementId,
    next: ElementId,
    context: Context,
    /// Whether an atomic sequence ends with it.
    is_last: bool,
}

struct Builder<'m> {
    module: &'m mut Module,
    facts: &'m Facts,
    /// The name of the process type.
    process: String,
    elements: IdVec<ElementId, Element>,
    escapes: IdVec<EscapeId, Escape>,
    /// Where a process is that goes to an element, and whether it left what it had to itself
    /// on the way; known when all elements are.
    hunted: IdVec<ElementId, Option<(ElementId, bool)>>,
    scopes: Scopes,
    locals: Locals,
    labels: Map<String, ElementId>,
    /// What follows each `d_step`.
    behind_steps: Map<ElementId, ElementId>,
    open: Vec<Task>,
}

/// The control flow of a process. Loops that are short for others are written
/// out, which adds to `module`.
pub(super) fn graph(
    module: &mut Module,
    facts: &Facts,
    process: &Process,
) -> Result<Graph, SourceError> {
    let mut scopes = IdVec::new();
    let top = scopes.push(None);
    let mut locals = Locals::default();
    let parameters = process.parameters.iter().cloned();
    let priority = module.priorities.is_some().then(|| priority::declaration(process.name.place));
    for declaration in parameters.chain(priority) {
        locals.push(declaration, top, true);
    }
    let mut builder = Builder {
        module,
        facts,
        process: process.name.text.clone(),
        elements: IdVec::new(),
        escapes: IdVec::new(),
        hunted: IdVec::new(),
        scopes,
        locals,
        labels: Map::default(),
        behind_steps: Map::default(),
        open: Vec::new(),
    };
    let last = process.place.end.saturating_sub(1);
    let place = Span { start: last, end: process.place.end };
    let end = builder.element(
        ElementKind::Choice(Vec::new()),
        (place, Said::End),
        &Context::new(top),
        false,
    );
    builder.elements[end].kind = ElementKind::Step(Action::End, end);
    // Declarations before the first statement are no steps.
    let is_declaration = |statement: &&StatementId| {
        matches!(builder.module.statements[**statement].statement, Statement::Declare(_))
    };
    let n_early = process.body.iter().take_while(is_declaration).count();
    for &statement in &process.body[..n_early] {
        builder.declare(statement, top, true);
    }
    let body = &process.body[n_early..];
    let start = builder.sequence(body, end, &Context::new(top), false)?;
    while let Some(task) = builder.open.pop() {
        builder.define(task)?;
    }
    builder.resolve_labels()?;
    Ok(builder.finish(start))
}

impl Builder<'_> {
    fn element(
        &mut self,
        kind: ElementKind,
        (place, said): (Span, Said),
        &context: &Context,
        is_last: bool,
    ) -> ElementId {
        self.elements.push(Element { kind, context, place, said, labels: Vec::new(), is_last })
    }

    /// Adds the variables of a declaration; the numbers of those that are new.
    fn declare(&mut self, id: StatementId, scope: ScopeId, is_early: bool) -> Vec<usize> {
        let Statement::Declare(declarations) = &self.module.statements[id].statement else {
            return Vec::new();
        };
        let locals = &mut self.locals;
        declarations.iter().map(|one| locals.push(one.clone(), scope, is_early)).collect()
    }

    /// Where a sequence begins, after which `next` follows; `is_last` says whether an
    /// atomic sequence ends with it.
    fn sequence(
        &mut self,
        statements: &[StatementId],
        next: ElementId,
        context: &Context,
        is_last: bool,
    ) -> Result<ElementId, SourceError> {
        // Each element, and the statement that defines it.
        let mut heads: Vec<(ElementId, StatementId)> = Vec::new();
        for &statement in statements {
            let labelled = &self.module.statements[statement];
            let (place, labels) = (labelled.place, labelled.labels.clone());
            let source = (place, Said::Statement(statement, 0));
            match labelled.statement {
                Statement::Declare(_) => {
                    let declared = self.declare(statement, context.scope, false);
                    for (number, local) in declared.into_iter().enumerate() {
                        // What follows is known below.
                        let kind = ElementKind::Step(Action::Declare(local), next);
                        let source = (place, Said::Statement(statement, number));
                        heads.push((self.element(kind, source, context, false), statement));
                    }
                    continue;
                }
                Statement::Promise { .. } if labels.is_empty() => continue,
                // A jump with a label is a place where a process can be, if a question says so.
                Statement::Goto(_) | Statement::Break
                    if labels.iter().any(|label| self.is_place(&label.text)) =>
                {
                    let element =
                        self.element(ElementKind::Step(Action::Jump, next), source, context, false);
                    self.label(element, labels)?;
                    heads.push((element, statement));
                    heads.push((
                        self.element(ElementKind::Choice(Vec::new()), source, context, false),
                        statement,
                    ));
                    continue;
                }
                _ => (),
            }
            let is_loop = matches!(
                labelled.statement,
                Statement::For { .. } | Statement::ForIn { .. } | Statement::Select { .. }
            );
            let element = self.element(ElementKind::Choice(Vec::new()), source, context, false);
            if !is_loop {
                self.label(element, labels)?;
            }
            heads.push((element, statement));
        }
        self.link(&heads, next, context, is_last);
        Ok(heads.first().map_or(next, |&(head, _)| head))
    }

    /// Lets the elements of a sequence follow each other, and `next` the last one.
    fn link(
        &mut self,
        heads: &[(ElementId, StatementId)],
        next: ElementId,
        &context: &Context,
        is_last: bool,
    ) {
        for (index, &(element, statement)) in heads.iter().enumerate() {
            let is_last = is_last && index + 1 == heads.len();
            let next = heads.get(index + 1).map_or(next, |&(head, _)| head);
            if let ElementKind::Step(_, after) = &mut self.elements[element].kind {
                *after = next;
                self.elements[element].is_last = is_last;
            } else {
                self.open.push(Task { statement, element, next, context, is_last });
            }
        }
    }

    /// Whether a jump with this label is a place where a process can be: Spin makes it
    /// one if the label means something, or if a question says so.
    fn is_place(&self, label: &str) -> bool {
        let has_meaning = ["accept", "end", "progress"].iter().any(|word| label.starts_with(word));
        has_meaning || self.module.needs.has_label(&self.process, label)
    }

    /// Gives an element its labels.
    fn label(&mut self, element: ElementId, labels: Vec<Name>) -> Result<(), SourceError> {
        for label in labels {
            if self.labels.insert(label.text.clone(), element).is_some() {
                return error(label.place, format!("there are two labels `{}`", label.text));
            }
            self.elements[element].labels.push(label.text);
        }
        Ok(())
    }

    /// Says what an element is.
    fn define(&mut self, task: Task) -> Result<(), SourceError> {
        let Task { statement: id, element, next, context, is_last } = task;
        let labelled = &self.module.statements[id];
        let (place, labels) = (labelled.place, labelled.labels.clone());
        let source = (place, Said::Statement(id, 0));
        let kind = match labelled.statement.clone() {
            Statement::Goto(label) => ElementKind::Goto(label),
            Statement::Break => ElementKind::Jump(context.break_target(place)?),
            Statement::If(options) => {
                let options = self.without_skips(id, options);
                let join = self.element(ElementKind::Join(next), source, &context, is_last);
                ElementKind::Choice(self.options(&options, join, &context)?)
            }
            Statement::Do(options) => {
                let options = self.without_skips(id, options);
                let again = self.element(ElementKind::Join(element), source, &context, false);
                let behind = self.element(ElementKind::Behind(next), source, &context, is_last);
                let inside = Context { break_to: Some(behind), ..context };
                ElementKind::Choice(self.options(&options, again, &inside)?)
            }
            Statement::Atomic(body) => {
                let is_last = is_last || context.hold.is_none();
                let inside = Context { hold: context.hold.max(Some(Hold::Atomic)), ..context };
                ElementKind::Choice(vec![self.block(&body, next, inside, is_last)?])
            }
            Statement::Step(body) => {
                self.behind_steps.insert(element, next);
                self.elements[element].is_last = is_last;
                let (hold, step_block) = (Some(Hold::Step), Some(element));
                let inside = Context { hold, step_block, ..context };
                ElementKind::Choice(vec![self.block(&body, next, inside, true)?])
            }
            Statement::Block(body) => {
                ElementKind::Choice(vec![self.block(&body, next, context, is_last)?])
            }
            Statement::Unless(main, escape) => {
                let join = self.element(ElementKind::Join(next), source, &context, is_last);
                let labels = self.module.statements[main].labels.clone();
                let has_labels = !labels.is_empty();
                self.label(element, labels)?;
                let begin = self.unless(main, escape, join, context)?;
                // With a label it is a block.
                if has_labels { ElementKind::Choice(vec![begin]) } else { ElementKind::Same(begin) }
            }
            statement @ (Statement::For { .. }
            | Statement::ForIn { .. }
            | Statement::Select { .. }) => {
                let start = self.written_out(statement, &context, id);
                ElementKind::Same(self.short(&start, labels, next, &context, is_last)?)
            }
            Statement::Promise { .. } => ElementKind::Same(next),
            _ => ElementKind::Step(Action::Statement(id), next),
        };
        if let ElementKind::Step(..) | ElementKind::Jump(_) | ElementKind::Goto(_) = kind {
            self.elements[element].is_last = is_last;
        }
        self.elements[element].kind = kind;
        Ok(())
    }

    fn options(
        &mut self,
        options: &[Vec<StatementId>],
        next: ElementId,
        context: &Context,
    ) -> Result<Vec<ElementId>, SourceError> {
        // What stands behind `else` is considered last, wherever it is written.
        let is_else = |option: &&Vec<StatementId>| {
            let first = option.first();
            first.is_some_and(|&id| matches!(self.module.statements[id].statement, Statement::Else))
        };
        let (last, first): (Vec<_>, Vec<_>) = options.iter().partition(is_else);
        self.refuse_else_beside_messages(&last, &first)?;
        first
            .into_iter()
            .chain(last)
            .map(|option| self.sequence(option, next, context, false))
            .collect()
    }

    /// Whether a message can be sent or received is a matter of other processes as
    /// well, so `else` beside it would mean that they are not ready at this very moment.
    /// Spin refuses it, and questions about channels beside `else`, too.
    fn refuse_else_beside_messages(
        &self,
        last: &[&Vec<StatementId>],
        first: &[&Vec<StatementId>],
    ) -> Result<(), SourceError> {
        let guard = |option: &&Vec<StatementId>| {
            let &id = option.first()?;
            Some(&self.module.statements[id])
        };
        let what = |guard: &Labelled| match guard.statement {
            Statement::Send { .. } => Some("a send"),
            Statement::Receive { .. } => Some("a receive"),
            Statement::Expression(id) => self.module.question(id),
            _ => None,
        };
        if let Some(other) = last.iter().find_map(guard)
            && let Some(what) = first.iter().filter_map(guard).find_map(what)
        {
            let message = format!(
                "`else` beside {what} in the same selection: test the channel `q` with `q?[x]` or \
                 `len(q)`"
            );
            return error(other.place, message);
        }
        Ok(())
    }

    /// A block with names of its own.
    fn block(
        &mut self,
        body: &[StatementId],
        next: ElementId,
        context: Context,
        is_last: bool,
    ) -> Result<ElementId, SourceError> {
        let scope = self.scopes.push(Some(context.scope));
        self.sequence(body, next, &Context { scope, ..context }, is_last)
    }

    fn unless(
        &mut self,
        main: StatementId,
        escape: StatementId,
        next: ElementId,
        context: Context,
    ) -> Result<ElementId, SourceError> {
        let escape = match self.module.statements[escape].statement.clone() {
            Statement::Block(body) => self.block(&body, next, context, false)?,
            _ => self.sequence(&[escape], next, &context, false)?,
        };
        let outer = context.escape;
        let depth = outer.map_or(0, |outer| self.escapes[outer].depth + 1);
        let escape = Some(self.escapes.push(Escape { begin: escape, outer, depth }));
        let inside = Context { escape, ..context };
        let source = (self.module.statements[main].place, Said::Statement(main, 0));
        if let Statement::Block(body) = self.module.statements[main].statement.clone() {
            return self.block(&body, next, inside, false);
        }
        let element = self.element(ElementKind::Choice(Vec::new()), source, &inside, false);
        let (context, is_last) = (inside, false);
        self.open.push(Task { statement: main, element, next, context, is_last });
        Ok(element)
    }

    fn resolve_labels(&mut self) -> Result<(), SourceError> {
        for id in self.elements.ids() {
            if let ElementKind::Goto(label) = &self.elements[id].kind {
                let Some(&target) = self.labels.get(&label.text) else {
                    let message = format!("there is no label `{}` in this process", label.text);
                    return error(label.place, message);
                };
                let inside = self.elements[target].context.step_block;
                if inside.is_some() && inside != self.elements[id].context.step_block {
                    let message = format!(
                        "this jumps into a `d_step`, which has to be run as a whole: put the label \
                         `{}` in front of it, or use `atomic`",
                        label.text
                    );
                    return error(label.place, message);
                }
                self.elements[id].kind = ElementKind::Jump(target);
            }
        }
        Ok(())
    }
}
