//! Declarations to variables and processes of the program.
//!
//! Ranges, lengths and initial values are constants, so all of them are known
//! before the first variable is in the program.

use super::ast;
use super::evaluate::Evaluator;
use super::names::{ByName, Symbols};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::{Domain, Sort};
use crate::lang::program::{Program, Span, Variable};

/// How many elements all variables may have together, how many instances there
/// may be of processes, and how many initial states.
const MAX_ELEMENTS: usize = 1 << 20;
const MAX_INSTANCES: usize = 1 << 16;
const MAX_INITIAL_STATES: i64 = 1 << 20;

/// A variable to be put into the program, and what its values are.
type Declaration = (Variable, Sort);

/// An instance of a process, and its local variables.
struct Instance {
    family: usize,
    arguments: Vec<i64>,
    locals: Vec<Declaration>,
}

/// Puts the variables of a model into a program.
pub(super) fn variables(
    model: &ast::LwmModel,
    symbols: &mut Symbols,
    program: &mut Program,
) -> Result<()> {
    let mut limits = Limits { n_elements: 0, n_instances: 0, n_initial_states: 1 };
    let mut evaluator = Evaluator::new(symbols, program);
    for number in 0..evaluator.symbols.constants.len() {
        evaluator.check_constant_number(number)?;
    }
    for domain in &evaluator.symbols.types {
        evaluator.inhabited(domain)?;
    }
    let mut globals = Vec::new();
    for declared in &model.variables {
        globals.push(variable(&mut evaluator, declared, "", &mut limits)?);
    }
    let mut instances = Vec::new();
    for (family, process) in model.processes.iter().enumerate() {
        instances.extend(locals(&mut evaluator, family, process, &mut limits)?);
    }
    for (declared, (variable, sort)) in model.variables.iter().zip(globals) {
        let id = program.variables.push(variable);
        symbols.set_variable(&declared.name.text, id, sort);
    }
    for Instance { family, arguments, locals } in instances {
        let mut by_name = ByName::default();
        for (declared, (variable, sort)) in model.processes[family].variables.iter().zip(locals) {
            by_name.insert(declared.name.text.clone(), program.variables.push(variable));
            symbols.sorts.push(sort);
        }
        symbols.families[family].instances.insert(arguments, by_name);
    }
    Ok(())
}

/// What has been used of the limits.
struct Limits {
    n_elements: usize,
    n_instances: usize,
    n_initial_states: i64,
}

impl Limits {
    fn elements(&mut self, span: Span, n_elements: usize) -> Result<()> {
        self.n_elements = self.n_elements.saturating_add(n_elements);
        if MAX_ELEMENTS < self.n_elements {
            return fail(span, format!("the variables have more than {MAX_ELEMENTS} elements"));
        }
        Ok(())
    }

    fn any(&mut self, span: Span, domain: Domain, n_elements: usize) -> Result<()> {
        for _ in 0..n_elements {
            self.n_initial_states = self.n_initial_states.saturating_mul(domain.n_values());
            if MAX_INITIAL_STATES < self.n_initial_states {
                let message = format!("there are more than {MAX_INITIAL_STATES} initial states");
                return Err(SourceError::new(span, message));
            }
            if domain.n_values() == 1 {
                break;
            }
        }
        Ok(())
    }
}

/// The instances of a process.
fn locals(
    evaluator: &mut Evaluator<'_>,
    family: usize,
    process: &ast::Process,
    limits: &mut Limits,
) -> Result<Vec<Instance>> {
    for (number, local) in process.variables.iter().enumerate() {
        let name = &local.name;
        evaluator.symbols.check_fresh(name)?;
        let is_second =
            process.variables[..number].iter().any(|other| other.name.text == name.text);
        if is_second || process.parameters.iter().any(|other| other.name.text == name.text) {
            return Err(name.error("is already declared in this process"));
        }
    }
    let mut instances = Vec::new();
    evaluator.for_each(&process.parameters, false, |evaluator| {
        limits.n_instances += 1;
        if MAX_INSTANCES < limits.n_instances {
            let message = format!("there are more than {MAX_INSTANCES} processes");
            return Err(SourceError::new(process.name.span, message));
        }
        let (name, arguments) = evaluator.instance_of(&process.name, &process.parameters);
        let mut locals = Vec::new();
        for local in &process.variables {
            locals.push(variable(evaluator, local, &format!("{name}."), limits)?);
        }
        instances.push(Instance { family, arguments, locals });
        Ok(())
    })?;
    Ok(instances)
}

fn variable(
    evaluator: &mut Evaluator<'_>,
    declared: &ast::Variable,
    prefix: &str,
    limits: &mut Limits,
) -> Result<Declaration> {
    let domain = evaluator.inhabited(&declared.domain)?;
    let len = match &declared.length {
        None => None,
        Some(node) => Some(length(evaluator, node)?),
    };
    let n_elements = len.unwrap_or(1);
    limits.elements(declared.name.span, n_elements)?;
    let any = match declared.initial {
        ast::Initial::Any(span) => {
            limits.any(span, domain, n_elements)?;
            true
        }
        _ => false,
    };
    let initial = initial(evaluator, declared, domain, len)?;
    let value_names = evaluator.symbols.enumerations.value_names(domain.sort);
    let name = format!("{prefix}{}", declared.name.text);
    let (low, high, sort) = (domain.low, domain.high, domain.sort);
    Ok((Variable { name, low, high, len, initial, any, value_names }, sort))
}

fn length(evaluator: &mut Evaluator<'_>, node: &ast::Node) -> Result<usize> {
    let value = evaluator.constant_of_sort("the length of an array", node, Sort::Number)?;
    let length = value.and_then(|value| usize::try_from(value).ok());
    match length {
        None | Some(0) => {
            let found = value.unwrap_or_default();
            fail(node.span, format!("an array has at least one element, not {found}"))
        }
        Some(length) => Ok(length),
    }
}

/// The initial values of all elements.
fn initial(
    evaluator: &mut Evaluator<'_>,
    declared: &ast::Variable,
    domain: Domain,
    len: Option<usize>,
) -> Result<Vec<i64>> {
    let n_elements = len.unwrap_or(1);
    let (values, span) = match &declared.initial {
        ast::Initial::First | ast::Initial::Any(_) => return Ok(vec![domain.low; n_elements]),
        ast::Initial::Same(node) => {
            return Ok(vec![initial_value(evaluator, node, domain)?; n_elements]);
        }
        ast::Initial::List(nodes, span) => {
            let mut values = Vec::with_capacity(nodes.len());
            for node in nodes {
                values.push(initial_value(evaluator, node, domain)?);
            }
            (values, *span)
        }
        ast::Initial::For(node, binder, span) => {
            let mut values = Vec::new();
            evaluator.for_each(std::slice::from_ref(binder), false, |evaluator| {
                values.push(initial_value(evaluator, node, domain)?);
                Ok(())
            })?;
            (values, *span)
        }
    };
    if len.is_none() {
        return fail(span, format!("`{}` is not an array, but has a list", declared.name.text));
    }
    if values.len() != n_elements {
        let message = format!(
            "`{}` has {n_elements} elements, but the list has {}",
            declared.name.text,
            values.len()
        );
        return Err(SourceError::new(span, message));
    }
    Ok(values)
}

fn initial_value(evaluator: &mut Evaluator<'_>, node: &ast::Node, domain: Domain) -> Result<i64> {
    let value = evaluator.constant_of_sort("an initial value", node, domain.sort)?;
    let value = value.unwrap_or(domain.low);
    if !domain.contains(value) {
        let message = format!(
            "value {value} is out of range: it must be from {} to {}",
            domain.low, domain.high
        );
        return Err(SourceError::new(node.span, message));
    }
    Ok(value)
}
