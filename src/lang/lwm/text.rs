//! The canonical text of an expression, by which formulas name it.
//!
//! Parameters, constants and whatever is made of them are replaced by their
//! values, quantifiers are written out, and parentheses stand only where they
//! are needed. The text reads back as the same expression.

use super::ast::{Comparison, Kind, Node, Quantifier, Reference};
use super::evaluate::Evaluator;
use super::names::Symbol;
use crate::lang::SourceError;
use crate::lang::program::{BinaryOperator, Expression, Span};
use crate::ltl::parse::grammar::Binary;
use std::collections::VecDeque;

/// How strongly the outermost operator of a text binds.
const LOOSE: u8 = 0;
const COMPARISON: u8 = 6;
const ADDITION: u8 = 7;
const MULTIPLICATION: u8 = 8;
const TIGHT: u8 = 9;

/// A text and how strongly it binds.
type Text = (String, u8);

/// `text`, in parentheses if it binds less than `strength`.
fn fenced((text, found): Text, strength: u8) -> String {
    if found < strength { format!("({text})") } else { text }
}

impl Evaluator<'_> {
    /// The canonical text of an expression.
    pub(super) fn text(&mut self, node: &Node) -> Result<String, SourceError> {
        self.bound_text(node).map(|(text, _)| text)
    }

    fn bound_text(&mut self, node: &Node) -> Result<Text, SourceError> {
        let value = self.value(node)?;
        let is_proposition = matches!(&node.kind, Kind::Reference(reference)
            if matches!(self.symbol(&reference.name), Ok(Symbol::Proposition(_))));
        if let Some(constant) = self.program.as_constant(value.id)
            && !is_proposition
        {
            return Ok((self.symbols.value_text(value.sort, constant), TIGHT));
        }
        match &node.kind {
            Kind::Number(number) => Ok((number.to_string(), TIGHT)),
            Kind::Truth(truth) => Ok((truth.to_string(), TIGHT)),
            Kind::Reference(reference) => self.reference_text(node.span, reference),
            Kind::Quoted(inside) => self.bound_text(inside),
            Kind::Negate(operand) => Ok((format!("-{}", self.part(operand, TIGHT)?), TIGHT)),
            Kind::Prefix(operators, operand) => {
                let operand = self.part(operand, TIGHT)?;
                Ok((format!("{}{operand}", "!".repeat(operators.len())), COMPARISON - 1))
            }
            Kind::Arithmetic(first, rest) => self.arithmetic_text(first, rest),
            Kind::Compare(comparison, left, right) => {
                let (left, right) = (self.part(left, ADDITION)?, self.part(right, ADDITION)?);
                Ok((format!("{left} {} {right}", spelling(*comparison)), COMPARISON))
            }
            Kind::Chain(connective, operands) => {
                let (operator, strength) = connective_text(*connective);
                let mut parts = Vec::with_capacity(operands.len());
                for operand in operands {
                    parts.push(self.part(operand, strength + 1)?);
                }
                Ok((parts.join(operator), strength))
            }
            Kind::Right(operators, operands) => self.implications_text(operators, operands),
            Kind::If(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, yes) = (self.part(condition, LOOSE)?, self.part(yes, LOOSE)?);
                let no = self.part(no, LOOSE)?;
                Ok((format!("if {condition} then {yes} else {no}"), LOOSE))
            }
            Kind::Quantified(quantifier, binders, body) => {
                let mut parts = Vec::new();
                self.for_each(binders, true, |this| {
                    parts.push(this.bound_text(body)?);
                    Ok(())
                })?;
                Ok(written_out(*quantifier, parts))
            }
            Kind::Moves(..) => unreachable!("it has no value, as we have seen"),
        }
    }

    fn part(&mut self, node: &Node, strength: u8) -> Result<String, SourceError> {
        Ok(fenced(self.bound_text(node)?, strength))
    }

    fn reference_text(&mut self, span: Span, reference: &Reference) -> Result<Text, SourceError> {
        if let Ok(Symbol::Proposition(number)) = self.symbol(&reference.name) {
            let symbols = self.symbols;
            let parameters = &symbols.propositions[number].parameters;
            let arguments = self.with_arguments(span, reference, parameters, |_, values| {
                Ok(symbols.arguments_text(values))
            })?;
            let name = &reference.name.text;
            return Ok((format!("{name}{}", arguments.unwrap_or_default()), TIGHT));
        }
        let index = match &reference.index {
            Some(index) => format!("[{}]", self.part(index, LOOSE)?),
            None => String::new(),
        };
        let id = self.reference(span, reference)?.id;
        let name = match self.program.view(id) {
            Expression::Variable(variable) | Expression::Element(variable, _) => {
                self.program.variables[variable].name.clone()
            }
            _ => reference.name.text.clone(),
        };
        Ok((format!("{name}{index}"), TIGHT))
    }

    fn arithmetic_text(
        &mut self,
        first: &Node,
        rest: &[(BinaryOperator, Node)],
    ) -> Result<Text, SourceError> {
        let is_sum = rest.iter().any(|(operator, _)| {
            matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract)
        });
        let strength = if is_sum { ADDITION } else { MULTIPLICATION };
        let mut text = self.part(first, strength)?;
        for (operator, operand) in rest {
            text.push_str(match operator {
                BinaryOperator::Add => " + ",
                BinaryOperator::Subtract => " - ",
                BinaryOperator::Multiply => " * ",
                BinaryOperator::Divide => " / ",
                _ => " % ",
            });
            text.push_str(&self.part(operand, strength + 1)?);
        }
        Ok((text, strength))
    }

    fn implications_text(
        &mut self,
        operators: &VecDeque<Binary>,
        operands: &VecDeque<Node>,
    ) -> Result<Text, SourceError> {
        let mut text = String::new();
        for (number, operand) in operands.iter().enumerate() {
            text.push_str(&self.part(operand, 2)?);
            match operators.get(number) {
                Some(Binary::Implies) => text.push_str(" -> "),
                Some(_) => text.push_str(" <-> "),
                None => (),
            }
        }
        Ok((text, 1))
    }
}

fn spelling(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

/// The operator with spaces, and its strength.
fn connective_text(connective: Binary) -> (&'static str, u8) {
    match connective {
        Binary::Or => (" || ", 2),
        Binary::Xor => (" xor ", 3),
        _ => (" && ", 4),
    }
}

/// The instances of a quantified expression with the operator between them.
fn written_out(quantifier: Quantifier, parts: Vec<Text>) -> Text {
    let (operator, strength) = match quantifier {
        Quantifier::Forall => connective_text(Binary::And),
        Quantifier::Exists => connective_text(Binary::Or),
        Quantifier::Sum | Quantifier::Count => (" + ", ADDITION),
    };
    let n_parts = parts.len();
    let mut parts = parts.into_iter().map(|part| match quantifier {
        Quantifier::Count => (format!("if {} then 1 else 0", part.0), LOOSE),
        _ => part,
    });
    match (n_parts, parts.next()) {
        (1, Some(only)) => only,
        (_, first) => {
            // Sums group to the left, so their first term needs no parentheses.
            let first_strength = strength + u8::from(strength != ADDITION);
            let first = first.map(|part| fenced(part, first_strength));
            let rest = parts.map(|part| fenced(part, strength + 1));
            let texts: Vec<String> = first.into_iter().chain(rest).collect();
            (texts.join(operator), strength)
        }
    }
}
