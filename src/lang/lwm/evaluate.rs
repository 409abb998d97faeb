//! Syntax trees to expressions of the program, checking names and types on the
//! way.
//!
//! An expression is evaluated once for every instance of what it stands in:
//! parameters and indices are constants then, and what is made of constants is
//! folded at once. So mistakes in constants are found before anything runs.
//! An operand that a constant has decided against (the right side of
//! `false && …`) is *dead*: its types are checked, its values are not.
//!
//! Evaluation calls itself, never deeper than [`MAX_DEPTH`], and gives up after
//! [`MAX_STEPS`], so a small text cannot unfold to something enormous.

mod operators;
mod reference;

pub(super) use reference::Argument;

use super::ast::{Binder, Kind, Node, Type, TypeKind};
use super::names::{ByName, Sort, Symbol, Symbols};
use crate::lang::SourceError;
use crate::lang::program::{ExpressionId, Program, Span, VariableId};
use crate::lang::suggest::suggestion;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// How deeply evaluation may call itself. A level takes up to 2 KB of the stack.
const MAX_DEPTH: u32 = 500;

/// How many nodes may be evaluated.
const MAX_STEPS: u64 = 1 << 23;

/// An expression and what its values are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) id: ExpressionId,
    pub(super) sort: Sort,
    /// Whether it is `0` or `1` as written, which may stand for a truth value.
    is_digit: bool,
}

impl Value {
    fn new(sort: Sort, id: ExpressionId) -> Self {
        Self { id, sort, is_digit: false }
    }
}

/// The values from `low` to `high`. There are none if `high` is less.
#[derive(Clone, Copy, Debug)]
pub(super) struct Domain {
    pub(super) sort: Sort,
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Domain {
    pub(super) fn contains(self, value: i64) -> bool {
        self.low <= value && value <= self.high
    }

    /// The number of values.
    pub(super) fn n_values(self) -> i64 {
        self.high - self.low + 1
    }
}

/// A parameter, an index or a choice.
#[derive(Clone, Debug)]
struct Bound {
    name: String,
    sort: Sort,
    id: ExpressionId,
}

/// Evaluates expressions in one program.
#[derive(Debug)]
pub(super) struct Evaluator<'a> {
    pub(super) symbols: &'a Symbols,
    pub(super) program: &'a mut Program,
    /// The local variables of the process at hand.
    pub(super) locals: Option<&'a ByName<VariableId>>,
    scope: Vec<Bound>,
    /// How many dead operands we are inside of.
    dead: u32,
    /// What must be a constant, if that is what we evaluate.
    constant_for: Option<&'static str>,
    depth: u32,
    n_steps: u64,
    constants: Vec<Option<(i64, Sort)>>,
    open_constants: Vec<usize>,
    open_types: Vec<usize>,
    propositions: HashMap<(usize, Vec<i64>), ExpressionId, FxBuildHasher>,
    open_propositions: Vec<usize>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(symbols: &'a Symbols, program: &'a mut Program) -> Self {
        Self {
            symbols,
            program,
            locals: None,
            scope: Vec::new(),
            dead: 0,
            constant_for: None,
            depth: 0,
            n_steps: 0,
            constants: vec![None; symbols.constants.len()],
            open_constants: Vec::new(),
            open_types: Vec::new(),
            propositions: HashMap::default(),
            open_propositions: Vec::new(),
        }
    }

    /// Whether what is evaluated will never be needed.
    pub(super) fn is_dead(&self) -> bool {
        0 < self.dead
    }

    /// Does something whose values do not matter if `dead`.
    pub(super) fn perhaps_dead<T>(
        &mut self,
        dead: bool,
        work: impl FnOnce(&mut Self) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        self.begin_dead(dead);
        let result = work(self);
        self.end_dead(dead);
        result
    }

    /// What follows is dead if `dead`.
    pub(super) fn begin_dead(&mut self, dead: bool) {
        self.dead += u32::from(dead);
    }

    /// Ends what [`Evaluator::begin_dead`] began.
    pub(super) fn end_dead(&mut self, dead: bool) {
        self.dead -= u32::from(dead);
    }

    /// Counts a step, and a level of depth until [`Evaluator::leave`].
    pub(super) fn enter(&mut self, span: Span) -> Result<(), SourceError> {
        self.n_steps += 1;
        self.depth += 1;
        if MAX_STEPS < self.n_steps {
            let message = format!("the model unfolds to more than {MAX_STEPS} expressions");
            return Err(SourceError::new(span, message));
        }
        if MAX_DEPTH < self.depth {
            let message = format!("expressions depend on each other more than {MAX_DEPTH} deep");
            return Err(SourceError::new(span, message));
        }
        Ok(())
    }

    /// Ends a level of depth.
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// An expression of any sort.
    pub(super) fn value(&mut self, node: &Node) -> Result<Value, SourceError> {
        if let Some(span) = node.temporal {
            let message = "a temporal operator cannot stand inside an expression";
            return Err(SourceError::new(span, message));
        }
        self.enter(node.span)?;
        let value = self.kind(node)?;
        self.leave();
        Ok(value)
    }

    fn kind(&mut self, node: &Node) -> Result<Value, SourceError> {
        match &node.kind {
            Kind::Number(number) => {
                let is_digit = *number <= 1;
                Ok(Value { is_digit, ..Value::new(Sort::Number, self.program.constant(*number)) })
            }
            Kind::Truth(truth) => {
                Ok(Value::new(Sort::Truth, self.program.constant(i64::from(*truth))))
            }
            Kind::Reference(reference) => self.reference(node.span, reference),
            Kind::Quoted(inside) => self.value(inside),
            Kind::Negate(operand) => self.negate(node.span, operand),
            Kind::Prefix(operators, operand) => self.not(operators.len(), operand),
            Kind::Arithmetic(first, rest) => self.arithmetic(first, rest),
            Kind::Compare(comparison, left, right) => self.compare(*comparison, left, right),
            Kind::Chain(connective, operands) => self.chain(*connective, operands),
            Kind::Right(operators, operands) => self.implications(operators, operands),
            Kind::If(parts) => self.conditional(parts),
            Kind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body)
            }
            Kind::Moves(aspect, _) => {
                let message = format!(
                    "`{}` is an atom by itself: it stands in formulas, outside of expressions, \
                     definitions and quotation marks",
                    aspect.word()
                );
                Err(SourceError::new(node.span, message))
            }
        }
    }

    /// An expression of this sort.
    pub(super) fn of_sort(&mut self, node: &Node, sort: Sort) -> Result<ExpressionId, SourceError> {
        let value = self.value(node)?;
        if value.sort == sort || (value.is_digit && sort == Sort::Truth) {
            return Ok(value.id);
        }
        let (expected, found) = (self.symbols.sort_text(sort), self.symbols.sort_text(value.sort));
        Err(SourceError::new(node.span, format!("expected {expected}, but this is {found}")))
    }

    pub(super) fn truth(&mut self, node: &Node) -> Result<ExpressionId, SourceError> {
        self.of_sort(node, Sort::Truth)
    }

    pub(super) fn number(&mut self, node: &Node) -> Result<ExpressionId, SourceError> {
        self.of_sort(node, Sort::Number)
    }

    /// Evaluates what must be a constant; `what` says of whom. Nothing if it is
    /// dead and has no value.
    fn constant<T>(
        &mut self,
        what: &'static str,
        work: impl FnOnce(&mut Self) -> Result<T, SourceError>,
    ) -> Result<T, SourceError> {
        let outer = self.constant_for.replace(what);
        let result = work(self);
        self.constant_for = outer;
        result
    }

    /// A constant of this sort. Nothing if it is dead and has no value.
    pub(super) fn constant_of_sort(
        &mut self,
        what: &'static str,
        node: &Node,
        sort: Sort,
    ) -> Result<Option<i64>, SourceError> {
        let id = self.constant(what, |this| this.of_sort(node, sort))?;
        Ok(self.program.as_constant(id))
    }

    /// A constant of any sort. Nothing if it is dead and has no value.
    pub(super) fn constant_value(
        &mut self,
        what: &'static str,
        node: &Node,
    ) -> Result<Option<(i64, Value)>, SourceError> {
        let value = self.constant(what, |this| this.value(node))?;
        Ok(self.program.as_constant(value.id).map(|constant| (constant, value)))
    }

    /// The values of a type. Those of a range may be none.
    pub(super) fn domain(&mut self, domain: &Type) -> Result<Domain, SourceError> {
        self.enter(domain.span)?;
        let values = match &domain.kind {
            TypeKind::Bool => Domain { sort: Sort::Truth, low: 0, high: 1 },
            TypeKind::Enumeration(number) => self.enumeration(*number),
            TypeKind::Range(low, high) => self.range(domain.span, low, high)?,
            TypeKind::Named(name) => self.named_domain(name, domain.span)?,
        };
        self.leave();
        Ok(values)
    }

    fn enumeration(&self, number: usize) -> Domain {
        let n_values = self.symbols.enumerations[number].len();
        let high = i64::try_from(n_values).expect("names fit into memory") - 1;
        Domain { sort: Sort::Enumeration(number), low: 0, high }
    }

    fn range(&mut self, span: Span, low: &Node, high: &Node) -> Result<Domain, SourceError> {
        const WHAT: &str = "the end of a range";
        let low = self.constant_of_sort(WHAT, low, Sort::Number)?;
        let high = self.constant_of_sort(WHAT, high, Sort::Number)?;
        let (Some(low), Some(high)) = (low, high) else {
            // Dead: any range will do.
            return Ok(Domain { sort: Sort::Number, low: 0, high: 0 });
        };
        if high.checked_sub(low).is_none_or(|distance| 1 << 32 <= distance) {
            let message = format!("the range {low}..{high} has more than 2^32 values");
            return Err(SourceError::new(span, message));
        }
        Ok(Domain { sort: Sort::Number, low, high })
    }

    fn named_domain(&mut self, name: &str, span: Span) -> Result<Domain, SourceError> {
        match self.symbols.symbol(name) {
            Some(Symbol::Type(number)) if self.open_types.contains(&number) => {
                let message = format!("the type `{name}` is defined by itself");
                Err(SourceError::new(span, message))
            }
            Some(Symbol::Type(number)) => {
                self.open_types.push(number);
                let scope = std::mem::take(&mut self.scope);
                let locals = self.locals.take();
                let domain = self.domain(&self.symbols.types[number])?;
                (self.scope, self.locals) = (scope, locals);
                self.open_types.pop();
                Ok(domain)
            }
            Some(symbol) => {
                let message = format!("`{name}` is {}, not a type", symbol.what());
                Err(SourceError::new(span, message))
            }
            None => {
                let types = self
                    .symbols
                    .names()
                    .filter(|known| matches!(self.symbols.symbol(known), Some(Symbol::Type(_))));
                let message = format!("there is no type `{name}`{}", suggestion(name, types));
                Err(SourceError::new(span, message))
            }
        }
    }

    /// The values of a type, of which there must be one.
    pub(super) fn inhabited(&mut self, domain: &Type) -> Result<Domain, SourceError> {
        let values = self.domain(domain)?;
        if values.high < values.low && !self.is_dead() {
            let message = format!("the range {}..{} is empty", values.low, values.high);
            return Err(SourceError::new(domain.span, message));
        }
        Ok(values)
    }

    /// Gives a name to an expression until [`Evaluator::unbind`].
    pub(super) fn bind(
        &mut self,
        binder: &Binder,
        sort: Sort,
        id: ExpressionId,
    ) -> Result<(), SourceError> {
        let name = &binder.name;
        self.symbols.check_fresh(name)?;
        let is_local = self.locals.is_some_and(|locals| locals.contains_key(&name.text));
        if is_local || self.is_bound(&name.text) {
            let message = format!("`{}` is already declared here", name.text);
            return Err(SourceError::new(name.span, message));
        }
        self.scope.push(Bound { name: name.text.clone(), sort, id });
        Ok(())
    }

    /// Whether a parameter, index or choice has this name.
    pub(super) fn is_bound(&self, name: &str) -> bool {
        self.scope.iter().any(|bound| bound.name == name)
    }

    /// Forgets the name bound last.
    pub(super) fn unbind(&mut self) {
        self.scope.pop();
    }

    /// The values bound last, if they are constants.
    pub(super) fn bound(&self, n_names: usize) -> Vec<(Sort, i64)> {
        let first = self.scope.len().saturating_sub(n_names);
        let constant = |bound: &Bound| Some((bound.sort, self.program.as_constant(bound.id)?));
        self.scope[first..].iter().filter_map(constant).collect()
    }

    /// Visits all combinations of values of indices, the last one changing
    /// fastest. With dead operands one combination is enough.
    pub(super) fn for_each(
        &mut self,
        binders: &[Binder],
        may_be_empty: bool,
        mut visit: impl FnMut(&mut Self) -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        // The value at hand of each index, and its last one.
        let mut open: Vec<(i64, i64)> = Vec::new();
        loop {
            let is_complete = open.len() == binders.len();
            if is_complete {
                visit(self)?;
            } else {
                let binder = &binders[open.len()];
                let domain = if may_be_empty {
                    self.domain(&binder.domain)?
                } else {
                    self.inhabited(&binder.domain)?
                };
                let id = self.program.constant(domain.low);
                self.bind(binder, domain.sort, id)?;
                open.push((domain.low, domain.high));
                if domain.low <= domain.high {
                    continue;
                }
            }
            // The next combination.
            loop {
                let Some((value, high)) = open.last_mut() else { return Ok(()) };
                if *value < *high && !(is_complete && 0 < self.dead) {
                    *value += 1;
                    let id = self.program.constant(*value);
                    if let Some(bound) = self.scope.last_mut() {
                        bound.id = id;
                    }
                    break;
                }
                open.pop();
                self.scope.pop();
            }
        }
    }
}
