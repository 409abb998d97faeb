//! Names in expressions, with their arguments and indices.

use super::{Evaluator, Value};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::Sort;
use crate::lang::lwm::ast::{Binder, Name, Node, Reference};
use crate::lang::lwm::names::Symbol;
use crate::lang::program::{Expression, Span, VariableId};
use crate::lang::suggest::suggestion;

/// An argument as it was written, and its value. Nothing if it is dead and has
/// none.
#[derive(Clone, Copy, Debug)]
pub(in crate::lang::lwm) struct Argument<'n> {
    node: &'n Node,
    value: Option<(i64, Value)>,
}

impl<'a> Evaluator<'a> {
    /// The value of a name.
    pub(in crate::lang::lwm) fn reference(
        &mut self,
        span: Span,
        reference: &Reference,
    ) -> Result<Value> {
        let name = &reference.name;
        if reference.member.is_none() {
            if let Some(bound) = self.scope.iter().rfind(|bound| bound.name == name.text) {
                let value = Value::new(bound.sort, bound.id);
                if self.constant_for.is_some() && self.program.as_constant(value.id).is_none() {
                    return Err(self.not_a_constant(name));
                }
                Self::check_plain(reference, "an index")?;
                return Ok(value);
            }
            if let Some(variable) = self.locals.and_then(|locals| locals.get(&name.text)) {
                return self.variable(span, reference, *variable);
            }
        }
        let symbol = self.symbol(name)?;
        if reference.member.is_some() && !matches!(symbol, Symbol::Process(_)) {
            return Err(name.error(format!("is {}, not a process", symbol.what())));
        }
        match symbol {
            Symbol::Variable(Some(variable)) => self.variable(span, reference, variable),
            Symbol::Constant(number) => {
                Self::check_plain(reference, "a constant")?;
                self.defined_constant(name, number)
            }
            Symbol::Value(enumeration, value) => {
                Self::check_plain(reference, "a value")?;
                let sort = Sort::Enumeration(enumeration);
                Ok(Value::new(sort, self.program.constant(value)))
            }
            Symbol::Proposition(number) => self.proposition(span, reference, number),
            Symbol::Process(number) => self.member(span, reference, number),
            Symbol::Variable(None) => Err(self.not_a_constant(name)),
            Symbol::Type(_) => Err(name.error("is a type, not a value")),
        }
    }

    /// What a name that is declared outside processes stands for.
    pub(in crate::lang::lwm) fn symbol(&self, name: &Name) -> Result<Symbol> {
        self.symbols.symbol(&name.text).ok_or_else(|| {
            let locals = self.locals.into_iter().flat_map(|locals| locals.keys());
            let bound = self.scope.iter().map(|bound| &bound.name);
            let known = self.symbols.names().chain(locals.chain(bound).map(String::as_str));
            let known = known.chain(["true", "false"]);
            name.error(format!("is not declared{}", suggestion(&name.text, known)))
        })
    }

    fn not_a_constant(&self, name: &Name) -> SourceError {
        let what = self.constant_for.unwrap_or("this");
        let message = format!("{what} must be a constant, but `{}` is not", name.text);
        SourceError::new(name.span, message)
    }

    /// Something that takes neither arguments nor an index has none.
    fn check_plain(reference: &Reference, what: &str) -> Result<()> {
        if let Some(index) = &reference.index {
            return fail(index.span, format!("`{}` is {what}, not an array", reference.name.text));
        }
        check_no_arguments(reference, what)
    }

    fn variable(
        &mut self,
        span: Span,
        reference: &Reference,
        variable: VariableId,
    ) -> Result<Value> {
        if reference.member.is_none() {
            check_no_arguments(reference, "a variable")?;
        }
        if self.constant_for.is_some() {
            return Err(self.not_a_constant(&reference.name));
        }
        let sort = self.symbols.sorts[variable];
        let place = self.place(span, variable, reference.index.as_deref())?;
        let expression = match place {
            None => Expression::Variable(variable),
            Some(index) => Expression::Element(variable, index),
        };
        Ok(Value::new(sort, self.program.expression(expression)))
    }

    /// The index of an element, or nothing for a single variable.
    pub(in crate::lang::lwm) fn place(
        &mut self,
        span: Span,
        variable: VariableId,
        index: Option<&Node>,
    ) -> Result<Option<crate::lang::program::ExpressionId>> {
        let declared = &self.program.variables[variable];
        let (len, name) = (declared.len, declared.name.clone());
        match (len, index) {
            (None, None) => Ok(None),
            (None, Some(index)) => fail(index.span, format!("`{name}` is not an array")),
            (Some(_), None) => fail(span, format!("`{name}` is an array and needs an index")),
            (Some(len), Some(index)) => {
                let id = self.number(index)?;
                if let Some(value) = self.program.as_constant(id)
                    && !usize::try_from(value).is_ok_and(|value| value < len)
                    && !self.is_dead()
                {
                    let message =
                        format!("index {value} is out of range: `{name}` has {len} elements");
                    return Err(SourceError::new(index.span, message));
                }
                Ok(Some(id))
            }
        }
    }

    /// Evaluates a constant, which may be unused.
    pub(in crate::lang::lwm) fn check_constant_number(&mut self, number: usize) -> Result<()> {
        let symbols = self.symbols;
        self.defined_constant(&symbols.constants[number].0, number).map(|_| ())
    }

    /// Evaluates a proposition, which may be unused, for the first values of its
    /// parameters.
    pub(in crate::lang::lwm) fn check_proposition_number(&mut self, number: usize) -> Result<()> {
        let symbols = self.symbols;
        let proposition = &symbols.propositions[number];
        for parameter in &proposition.parameters {
            let domain = self.inhabited(&parameter.domain)?;
            let id = self.program.constant(domain.low);
            self.bind(parameter, domain.sort, id)?;
        }
        let Name { text, span } = &proposition.name;
        let symbol = Symbol::Proposition(number);
        self.define(symbol, text, *span, |this| this.truth(&proposition.body))?;
        for _ in &proposition.parameters {
            self.unbind();
        }
        Ok(())
    }

    fn defined_constant(&mut self, name: &Name, number: usize) -> Result<Value> {
        if let Some((value, sort)) = self.constants[number] {
            return Ok(Value::new(sort, self.program.constant(value)));
        }
        let symbols = self.symbols;
        let (declared, written) = &symbols.constants[number];
        let value = self.define(Symbol::Constant(number), &name.text, name.span, |this| {
            // Constants must be right, even where they are used for nothing.
            let dead = std::mem::take(&mut this.dead);
            let value = this.in_fresh_scope(|this| this.constant_value("a constant", written))?;
            this.dead = dead;
            Ok(value)
        })?;
        let Some((constant, value)) = value else {
            return fail(written.span, "this has no value");
        };
        let known = match (symbols.overrides[number], value.sort) {
            (None, _) => constant,
            (Some(defined), Sort::Number) | (Some(defined @ (0 | 1)), Sort::Truth) => defined,
            (Some(defined), sort) => {
                let sort = symbols.enumerations.sort_text(sort);
                let message =
                    format!("`{}` cannot be defined as {defined}: it is {sort}", name.text);
                return Err(SourceError::new(declared.span, message));
            }
        };
        self.constants[number] = Some((known, value.sort));
        Ok(Value::new(value.sort, self.program.constant(known)))
    }

    fn proposition(&mut self, span: Span, reference: &Reference, number: usize) -> Result<Value> {
        if let Some(index) = &reference.index {
            let message = format!("`{}` is a proposition, not an array", reference.name.text);
            return Err(SourceError::new(index.span, message));
        }
        if self.constant_for.is_some() {
            return Err(self.not_a_constant(&reference.name));
        }
        let symbols = self.symbols;
        let proposition = &symbols.propositions[number];
        let id =
            self.with_arguments(span, reference, &proposition.parameters, |this, values| {
                let key = (number, values.iter().map(|&(_, value)| value).collect());
                if let Some(&known) = this.propositions.get(&key) {
                    return Ok(known);
                }
                let Name { text, span } = &reference.name;
                let symbol = Symbol::Proposition(number);
                let id = this.define(symbol, text, *span, |this| this.truth(&proposition.body))?;
                if !this.is_dead() {
                    this.propositions.insert(key, id);
                }
                Ok(id)
            })?;
        // A dead proposition may have arguments that are out of range.
        let id = id.unwrap_or_else(|| self.program.constant(0));
        Ok(Value::new(Sort::Truth, id))
    }

    /// A local variable of a process, seen from outside.
    fn member(&mut self, span: Span, reference: &Reference, number: usize) -> Result<Value> {
        let symbols = self.symbols;
        let family = &symbols.families[number];
        let name = &reference.name;
        let Some(member) = &reference.member else {
            return Err(name.error("is a process, not a value"));
        };
        if !family.locals.contains(&member.text) {
            let known = suggestion(&member.text, family.locals.iter().map(String::as_str));
            let message = format!("`{}` has no variable `{}`{known}", name.text, member.text);
            return Err(SourceError::new(member.span, message));
        }
        let variable = self.with_arguments(span, reference, &family.parameters, |_, values| {
            let values: Vec<i64> = values.iter().map(|&(_, value)| value).collect();
            Ok(family.instances.get(&values).and_then(|locals| locals.get(&member.text)).copied())
        })?;
        // Dead: any instance will do.
        let any = || family.instances.values().next()?.get(&member.text).copied();
        match variable.unwrap_or_else(any) {
            Some(variable) => self.variable(span, reference, variable),
            None => Err(self.not_a_constant(name)),
        }
    }

    /// Evaluates the arguments of a reference and does something in a scope
    /// where nothing but the parameters is known. Nothing if an argument is
    /// dead and has no value.
    pub(in crate::lang::lwm) fn with_arguments<T>(
        &mut self,
        span: Span,
        reference: &Reference,
        parameters: &'a [Binder],
        work: impl FnOnce(&mut Self, &[(Sort, i64)]) -> Result<T>,
    ) -> Result<Option<T>> {
        let arguments = reference.arguments.as_deref().unwrap_or_default();
        let name = &reference.name;
        let arguments = self.arguments(span, name, arguments, parameters.len())?;
        self.in_fresh_scope(|this| {
            let known = this.bind_arguments(name, parameters, &arguments)?;
            known.map(|known| work(this, &known)).transpose()
        })
    }

    /// The values of arguments, of which there must be as many as parameters.
    pub(in crate::lang::lwm) fn arguments<'n>(
        &mut self,
        span: Span,
        name: &Name,
        arguments: &'n [Node],
        n_parameters: usize,
    ) -> Result<Vec<Argument<'n>>> {
        if arguments.len() != n_parameters {
            let s = if n_parameters == 1 { "" } else { "s" };
            let (name, found) = (&name.text, arguments.len());
            return fail(span, format!("`{name}` takes {n_parameters} argument{s}, not {found}"));
        }
        let values = arguments.iter().map(|node| {
            let value = self.constant_value("an argument", node)?;
            Ok(Argument { node, value })
        });
        values.collect()
    }

    /// Does something where neither indices nor local variables are known.
    pub(in crate::lang::lwm) fn in_fresh_scope<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let scope = std::mem::take(&mut self.scope);
        let locals = self.locals.take();
        let result = work(self)?;
        (self.scope, self.locals) = (scope, locals);
        Ok(result)
    }

    /// Binds parameters to arguments, which must be in their range. Nothing if
    /// an argument is dead and has no value there.
    pub(in crate::lang::lwm) fn bind_arguments(
        &mut self,
        name: &Name,
        parameters: &[Binder],
        arguments: &[Argument<'_>],
    ) -> Result<Option<Vec<(Sort, i64)>>> {
        let mut known = Vec::with_capacity(arguments.len());
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let domain = self.inhabited(&parameter.domain)?;
            let constant = argument.value.map_or(domain.low, |(constant, _)| constant);
            let id = self.program.constant(constant);
            self.bind(parameter, domain.sort, id)?;
            let Some((constant, value)) = argument.value else { continue };
            self.check_sort(value, domain.sort, argument.node.span)?;
            if domain.contains(constant) {
                known.push((domain.sort, constant));
            } else if !self.is_dead() {
                let (low, high) = (domain.low, domain.high);
                let message = format!(
                    "argument {constant} is out of range: `{}` of `{}` is from {low} to {high}",
                    parameter.name.text, name.text
                );
                return Err(SourceError::new(argument.node.span, message));
            }
        }
        Ok((known.len() == parameters.len()).then_some(known))
    }
}

fn check_no_arguments(reference: &Reference, what: &str) -> Result<()> {
    match reference.arguments {
        None => Ok(()),
        Some(_) => Err(reference.name.error(format!("is {what} and takes no arguments"))),
    }
}
