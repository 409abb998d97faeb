//! The canonical text of an expression, by which formulas name it.
//!
//! Parameters, constants and whatever is made of them are replaced by their
//! values, quantifiers are written out, and parentheses stand only where they
//! are needed. The text reads back as the same expression.

use super::ast::{Node, NodeKind, Quantifier, Reference};
use super::evaluate::Evaluator;
use super::names::Symbol;
use super::parse::expression::{ADDITION, COMPARISON, INFIXES, MULTIPLICATION};
use crate::lang::cursor::Result;
use crate::lang::expression::Operator;
use crate::lang::program::{Expression, Span};
use crate::ltl::parse::grammar::Binary;

/// How strongly the outermost operator of a text binds.
const LOOSE: u8 = 0;
const TIGHT: u8 = MULTIPLICATION + 1;

/// A text and how strongly it binds.
type Text = (String, u8);

/// `text`, in parentheses if it binds less than `strength`.
fn fenced((text, found): Text, strength: u8) -> String {
    if found < strength { format!("({text})") } else { text }
}

impl Evaluator<'_> {
    /// The canonical text of an expression.
    pub(super) fn text(&mut self, node: &Node) -> Result<String> {
        self.bound_text(node).map(|(text, _)| text)
    }

    fn bound_text(&mut self, node: &Node) -> Result<Text> {
        let value = self.value(node)?;
        if let Some(constant) = self.program.as_constant(value.id)
            && !self.is_proposition(node)
        {
            return Ok((self.symbols.enumerations.value_text(value.sort, constant), TIGHT));
        }
        match &node.kind {
            NodeKind::Number(number) => Ok((number.to_string(), TIGHT)),
            NodeKind::Truth(truth) => Ok((truth.to_string(), TIGHT)),
            NodeKind::Reference(reference) => self.reference_text(node.span, reference),
            NodeKind::Quoted(inside) => self.bound_text(inside),
            NodeKind::Negate(operand) => Ok((format!("-{}", self.part(operand, TIGHT)?), TIGHT)),
            NodeKind::Prefix(operators, operand) => {
                let operand = self.part(operand, TIGHT)?;
                Ok((format!("{}{operand}", "!".repeat(operators.len())), COMPARISON - 1))
            }
            NodeKind::Infix(first, rest) => self.infix_text(first, rest),
            NodeKind::Chain(connective, operands) => {
                self.connectives_text(operands, std::iter::repeat(*connective))
            }
            NodeKind::Right(connectives, operands) => {
                self.connectives_text(operands, connectives.iter().copied())
            }
            NodeKind::If(parts) => {
                let [condition, yes, no] = &**parts;
                let (condition, yes) = (self.part(condition, LOOSE)?, self.part(yes, LOOSE)?);
                let no = self.part(no, LOOSE)?;
                Ok((format!("if {condition} then {yes} else {no}"), LOOSE))
            }
            NodeKind::Quantified(quantifier, binders, body) => {
                let mut parts = Vec::new();
                self.for_each(binders, true, |this| {
                    parts.push(this.bound_text(body)?);
                    Ok(())
                })?;
                Ok(written_out(*quantifier, parts))
            }
            NodeKind::Moves(..) => unreachable!("it has no value, as we have seen"),
        }
    }

    /// Whether an expression is a proposition, which formulas name even if it is constant.
    pub(super) fn is_proposition(&self, node: &Node) -> bool {
        matches!(&node.kind, NodeKind::Reference(reference)
            if matches!(self.symbol(&reference.name), Ok(Symbol::Proposition(_))))
    }

    fn part(&mut self, node: &Node, strength: u8) -> Result<String> {
        Ok(fenced(self.bound_text(node)?, strength))
    }

    fn reference_text(&mut self, span: Span, reference: &Reference) -> Result<Text> {
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

    fn infix_text(&mut self, first: &Node, rest: &[(Operator, Node)]) -> Result<Text> {
        let infix = |operator| {
            let known = INFIXES.iter().find(|(_, known, _)| *known == operator);
            let &(fixed, _, strength) = known.expect("the parser knows the operator");
            (fixed, strength)
        };
        let (_, strength) = infix(rest[0].0);
        // Operators group to the left, but comparisons do not.
        let first_strength = strength + u8::from(strength == COMPARISON);
        let mut text = self.part(first, first_strength)?;
        for &(operator, ref operand) in rest {
            let operand = self.part(operand, strength + 1)?;
            text.extend([" ", &infix(operator).0.to_string(), " ", &operand]);
        }
        Ok((text, strength))
    }

    /// Operands with connectives of one strength between them.
    fn connectives_text<'n>(
        &mut self,
        operands: impl IntoIterator<Item = &'n Node>,
        connectives: impl IntoIterator<Item = Binary>,
    ) -> Result<Text> {
        let mut connectives = connectives.into_iter().peekable();
        let strength = connectives.peek().map_or(TIGHT, |connective| connective.strength());
        let mut text = String::new();
        for operand in operands {
            let operator = connectives.next_if(|_| !text.is_empty());
            text.push_str(operator.map_or("", spelling));
            text.push_str(&self.part(operand, strength + 1)?);
        }
        Ok((text, strength))
    }
}

/// The operator with spaces.
fn spelling(connective: Binary) -> &'static str {
    match connective {
        Binary::Implies => " -> ",
        Binary::Iff => " <-> ",
        Binary::Or => " || ",
        Binary::Xor => " xor ",
        _ => " && ",
    }
}

/// The instances of a quantified expression with the operator between them.
fn written_out(quantifier: Quantifier, parts: Vec<Text>) -> Text {
    let (operator, strength) = quantifier
        .connective()
        .map_or((" + ", ADDITION), |connective| (spelling(connective), connective.strength()));
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
