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

use super::ast::{Binder, Name, Node, NodeKind, Type, TypeKind};
use super::names::{ByName, Symbol, Symbols};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::{Domain, Sort};
use crate::lang::program::{ExpressionId, Program, Span, VariableId};
use crate::lang::suggest::suggestion;
use crate::ltl::Terms;
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

    fn truth(id: ExpressionId) -> Self {
        Self::new(Sort::Truth, id)
    }

    fn number(id: ExpressionId) -> Self {
        Self::new(Sort::Number, id)
    }

    /// Whether it is, or may stand for, a value of this sort.
    fn is_of(self, sort: Sort) -> bool {
        self.sort == sort || (self.is_digit && sort == Sort::Truth)
    }
}

/// A parameter, an index or a choice.
#[derive(Clone, Debug)]
struct BoundName {
    name: String,
    sort: Sort,
    id: ExpressionId,
}

/// Evaluates expressions in one program.
#[derive(Debug)]
pub(super) struct Evaluator<'a> {
    pub(super) symbols: &'a Symbols,
    pub(super) program: &'a mut Program,
    /// The local variables of the process in which expressions stand.
    pub(super) locals: Option<&'a ByName<VariableId>>,
    scope: Vec<BoundName>,
    /// How many dead operands we are inside of.
    dead: u32,
    /// What must be a constant, if that is what we evaluate.
    constant_for: Option<&'static str>,
    depth: u32,
    n_steps: u64,
    constants: Vec<Option<(i64, Sort)>>,
    /// The definitions that are being evaluated.
    open: Vec<Symbol>,
    propositions: HashMap<(usize, Vec<i64>), ExpressionId, FxBuildHasher>,
    /// Those of the formula that is being made.
    pub(super) terms: Terms,
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
            open: Vec::new(),
            propositions: HashMap::default(),
            terms: Terms::default(),
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
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.dead += u32::from(dead);
        let result = work(self);
        self.dead -= u32::from(dead);
        result
    }

    /// Counts a step, and a level of depth until [`Evaluator::leave`].
    pub(super) fn enter(&mut self, span: Span) -> Result<()> {
        self.n_steps += 1;
        self.depth += 1;
        if MAX_STEPS < self.n_steps {
            return fail(span, format!("the model unfolds to more than {MAX_STEPS} expressions"));
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
    pub(super) fn value(&mut self, node: &Node) -> Result<Value> {
        if let Some(span) = node.temporal {
            return fail(span, "a temporal operator cannot stand inside an expression");
        }
        self.enter(node.span)?;
        let value = self.kind(node)?;
        self.leave();
        Ok(value)
    }

    fn kind(&mut self, node: &Node) -> Result<Value> {
        match &node.kind {
            NodeKind::Number(number) => {
                let value = Value::number(self.program.constant(*number));
                Ok(Value { is_digit: *number <= 1, ..value })
            }
            NodeKind::Truth(truth) => Ok(Value::truth(self.program.constant(i64::from(*truth)))),
            NodeKind::Reference(reference) => self.reference(node.span, reference),
            NodeKind::Quoted(inside) => self.value(inside),
            NodeKind::Negate(operand) => self.negate(node.span, operand),
            NodeKind::Prefix(operators, operand) => self.not(operators.len(), operand),
            NodeKind::Infix(first, rest) => match &rest[..] {
                [(operator, right)] if operator.is_comparison() => {
                    self.compare(*operator, first, right)
                }
                _ => self.arithmetic(first, rest),
            },
            NodeKind::Chain(connective, operands) => {
                self.chain(*connective, operands).map(Value::truth)
            }
            NodeKind::Right(operators, operands) => {
                self.right_chain(operators, operands).map(Value::truth)
            }
            NodeKind::If(parts) => self.conditional(parts),
            NodeKind::Quantified(quantifier, binders, body) => {
                self.quantified(*quantifier, binders, body)
            }
            NodeKind::Moves(aspect, _) => {
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
    pub(super) fn of_sort(&mut self, node: &Node, sort: Sort) -> Result<ExpressionId> {
        let value = self.value(node)?;
        self.check_sort(value, sort, node.span)?;
        Ok(value.id)
    }

    fn check_sort(&self, value: Value, sort: Sort, span: Span) -> Result<()> {
        if value.is_of(sort) {
            return Ok(());
        }
        Err(self.symbols.enumerations.mismatch(span, sort, value.sort))
    }

    pub(super) fn truth(&mut self, node: &Node) -> Result<ExpressionId> {
        self.of_sort(node, Sort::Truth)
    }

    pub(super) fn number(&mut self, node: &Node) -> Result<ExpressionId> {
        self.of_sort(node, Sort::Number)
    }

    /// Evaluates what must be a constant; messages call it `what`. Nothing if it is
    /// dead and has no value.
    fn constant<T>(
        &mut self,
        what: &'static str,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
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
    ) -> Result<Option<i64>> {
        let id = self.constant(what, |this| this.of_sort(node, sort))?;
        Ok(self.program.as_constant(id))
    }

    /// A constant of any sort. Nothing if it is dead and has no value.
    pub(super) fn constant_value(
        &mut self,
        what: &'static str,
        node: &Node,
    ) -> Result<Option<(i64, Value)>> {
        let value = self.constant(what, |this| this.value(node))?;
        Ok(self.program.as_constant(value.id).map(|constant| (constant, value)))
    }

    /// The values of a type. Those of a range may be none.
    pub(super) fn domain(&mut self, domain: &Type) -> Result<Domain> {
        self.enter(domain.span)?;
        let values = match &domain.kind {
            TypeKind::Bool => Domain::TRUTH,
            TypeKind::Enumeration(number) => self.symbols.enumerations.domain(*number),
            TypeKind::Range(low, high) => self.range(domain.span, low, high)?,
            TypeKind::Named(name) => self.named_domain(name, domain.span)?,
        };
        self.leave();
        Ok(values)
    }

    fn range(&mut self, span: Span, low: &Node, high: &Node) -> Result<Domain> {
        const WHAT: &str = "the end of a range";
        let low = self.constant_of_sort(WHAT, low, Sort::Number)?;
        let high = self.constant_of_sort(WHAT, high, Sort::Number)?;
        let (Some(low), Some(high)) = (low, high) else {
            // Dead: any range will do.
            return Ok(Domain { sort: Sort::Number, low: 0, high: 0 });
        };
        if high.checked_sub(low).is_none_or(|distance| 1 << 32 <= distance) {
            return fail(span, format!("the range {low}..{high} has more than 2^32 values"));
        }
        Ok(Domain { sort: Sort::Number, low, high })
    }

    fn named_domain(&mut self, name: &str, span: Span) -> Result<Domain> {
        match self.symbols.symbol(name) {
            Some(symbol @ Symbol::Type(number)) => {
                let domain = &self.symbols.types[number];
                self.define(symbol, name, span, |this| {
                    this.in_fresh_scope(|this| this.domain(domain))
                })
            }
            Some(symbol) => fail(span, format!("`{name}` is {}, not a type", symbol.what())),
            None => {
                let types = self
                    .symbols
                    .names()
                    .filter(|known| matches!(self.symbols.symbol(known), Some(Symbol::Type(_))));
                fail(span, format!("there is no type `{name}`{}", suggestion(name, types)))
            }
        }
    }

    /// Evaluates a definition, unless that is what is being done.
    fn define<T>(
        &mut self,
        symbol: Symbol,
        name: &str,
        span: Span,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        if self.open.contains(&symbol) {
            let what = symbol.what().trim_start_matches("a ");
            return fail(span, format!("the {what} `{name}` is defined by itself"));
        }
        self.open.push(symbol);
        let result = work(self)?;
        self.open.pop();
        Ok(result)
    }

    /// The values of a type, of which there must be one.
    pub(super) fn inhabited(&mut self, domain: &Type) -> Result<Domain> {
        let values = self.domain(domain)?;
        if values.high < values.low && !self.is_dead() {
            return fail(
                domain.span,
                format!("the range {}..{} is empty", values.low, values.high),
            );
        }
        Ok(values)
    }

    /// Gives a name to an expression until [`Evaluator::unbind`].
    pub(super) fn bind(&mut self, binder: &Binder, sort: Sort, id: ExpressionId) -> Result<()> {
        let name = &binder.name;
        self.symbols.check_fresh(name)?;
        let is_local = self.locals.is_some_and(|locals| locals.contains_key(&name.text));
        if is_local || self.is_bound(&name.text) {
            return Err(name.error("is already declared here"));
        }
        self.scope.push(BoundName { name: name.text.clone(), sort, id });
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
    fn bound(&self, n_names: usize) -> Vec<(Sort, i64)> {
        let first = self.scope.len().saturating_sub(n_names);
        let constant = |bound: &BoundName| Some((bound.sort, self.program.as_constant(bound.id)?));
        self.scope[first..].iter().filter_map(constant).collect()
    }

    /// The name of the instance whose parameters have been bound last, and their values.
    pub(super) fn instance_of(&self, name: &Name, parameters: &[Binder]) -> (String, Vec<i64>) {
        let bound = self.bound(parameters.len());
        let text = format!("{}{}", name.text, self.symbols.arguments_text(&bound));
        (text, bound.into_iter().map(|(_, value)| value).collect())
    }

    /// Visits all combinations of values of indices, the last one changing
    /// fastest. With dead operands one combination is enough.
    pub(super) fn for_each(
        &mut self,
        binders: &[Binder],
        may_be_empty: bool,
        mut visit: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<()> {
        // The present value of each index, and its last one.
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
