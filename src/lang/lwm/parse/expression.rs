//! Tokens to syntax tree: expressions and formulas, which have one grammar.
//!
//! The operators of formulas are those of [`crate::ltl::parse`]; an atom is whatever
//! expression stands between them. Comparisons bind more strongly than the operators of
//! formulas, also those in front: `! x == 1` is `!(x == 1)`.

use super::{MAX_DEPTH, Parser, formula_from};
use crate::lang::SourceError;
use crate::lang::cursor::{Result, fail};
use crate::lang::expression::Infix;
use crate::lang::expression::Operator::{self, Plain};
use crate::lang::lwm::ast::{Aspect, Call, Moves, Node, NodeKind, Quantifier, Reference};
use crate::lang::lwm::lex::{Fixed, Token, token};
use crate::lang::program::{BinaryOperator, Span};
use crate::ltl::parse::grammar::{
    self, Behind, Binary, Dialect, Front, Operator as OfFormulas, Unary,
};
use crate::scan::{escaped_quote, unescaped};

/// The strengths of operators between values; those of formulas are less.
pub(in crate::lang::lwm) const COMPARISON: u8 = 6;
pub(in crate::lang::lwm) const ADDITION: u8 = 7;
pub(in crate::lang::lwm) const MULTIPLICATION: u8 = 8;

/// The operators between values.
pub(in crate::lang::lwm) const INFIXES: &[Infix<Fixed>] = &[
    (token!["=="], Plain(BinaryOperator::Equal), COMPARISON),
    (token!["!="], Plain(BinaryOperator::NotEqual), COMPARISON),
    (token!["<"], Plain(BinaryOperator::Less), COMPARISON),
    (token!["<="], Plain(BinaryOperator::LessEqual), COMPARISON),
    (token![">"], Operator::Greater, COMPARISON),
    (token![">="], Operator::GreaterEqual, COMPARISON),
    (token!["+"], Plain(BinaryOperator::Add), ADDITION),
    (token!["-"], Plain(BinaryOperator::Subtract), ADDITION),
    (token!["*"], Plain(BinaryOperator::Multiply), MULTIPLICATION),
    (token!["/"], Plain(BinaryOperator::Divide), MULTIPLICATION),
    (token!["%"], Plain(BinaryOperator::Remainder), MULTIPLICATION),
];

/// Formulas whose atoms are expressions.
struct Formulas<'p, 'a> {
    parser: &'p mut Parser<'a>,
    /// Whether an operator between formulas ends what is read.
    is_operand: bool,
}

impl Dialect for Formulas<'_, '_> {
    type Operand = Node;
    type Error = SourceError;

    fn front(&mut self) -> Result<Front<Node>> {
        if let Token::Operator(OfFormulas::Unary(operator)) = self.parser.token() {
            return Ok(Front::Unary(operator, self.parser.advance()));
        }
        self.parser.operators(COMPARISON).map(Front::Operand)
    }

    fn behind(&mut self, _operand: &mut Node) -> Result<Behind> {
        Ok(match self.parser.token() {
            Token::Operator(OfFormulas::Binary(operator)) if !self.is_operand => {
                Behind::Binary(operator, self.parser.advance())
            }
            _ => Behind::End(self.parser.span()),
        })
    }

    fn unary(&mut self, operator: Unary, place: Span, operand: Node) -> Node {
        let own = OfFormulas::Unary(operator).is_temporal().then_some(place);
        let temporal = own.or(operand.temporal);
        let span = Span::new(place.start, operand.span.end);
        let kind = match operand.kind {
            // Parentheses would be part of its span.
            NodeKind::Prefix(mut operators, inner) if inner.span.end == operand.span.end => {
                operators.push(operator);
                NodeKind::Prefix(operators, inner)
            }
            _ => NodeKind::Prefix(vec![operator], Box::new(operand)),
        };
        Node { kind, span, temporal }
    }

    fn binary(&mut self, operator: Binary, place: Span, left: Node, right: Node) -> Node {
        let own = OfFormulas::Binary(operator).is_temporal().then_some(place);
        let temporal = left.temporal.or(own).or(right.temporal);
        let span = Span::new(left.span.start, right.span.end);
        let kind = if operator.groups_to_the_right() {
            match right.kind {
                NodeKind::Right(mut operators, mut operands)
                    if operators[0].strength() == operator.strength()
                        && operands[operands.len() - 1].span.end == right.span.end =>
                {
                    operators.push_front(operator);
                    operands.push_front(left);
                    NodeKind::Right(operators, operands)
                }
                _ => NodeKind::Right([operator].into(), [left, right].into()),
            }
        } else {
            match left.kind {
                NodeKind::Chain(before, mut operands)
                    if before == operator && operands[0].span.start == left.span.start =>
                {
                    operands.push(right);
                    NodeKind::Chain(operator, operands)
                }
                _ => NodeKind::Chain(operator, vec![left, right]),
            }
        };
        Node { kind, span, temporal }
    }
}

impl Parser<'_> {
    /// Reads an expression or a formula.
    pub(super) fn expression(&mut self) -> Result<Node> {
        self.formula(false)
    }

    fn formula(&mut self, is_operand: bool) -> Result<Node> {
        self.enter()?;
        let node = grammar::parse(&mut Formulas { parser: self, is_operand })?;
        self.depth -= 1;
        Ok(node)
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if MAX_DEPTH < self.depth {
            return Err(self.error(format!("expressions are nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// Reads an expression whose operators are at least this strong.
    pub(super) fn arithmetic(&mut self, strength: u8) -> Result<Node> {
        self.enter()?;
        let node = self.operators(strength)?;
        self.depth -= 1;
        Ok(node)
    }

    fn operators(&mut self, strength: u8) -> Result<Node> {
        let start = self.span().start;
        let mut node = self.operand()?;
        while let Some((_, first)) = self.infix().filter(|&(_, found)| strength <= found) {
            node = self.level(start, node, first)?;
        }
        Ok(node)
    }

    /// The operator between values that is here, and its strength.
    fn infix(&self) -> Option<(Operator, u8)> {
        let infix = INFIXES.iter().find(|&&(fixed, ..)| self.is(fixed));
        infix.map(|&(_, operator, strength)| (operator, strength))
    }

    /// Reads all operators of this strength with their operands.
    fn level(&mut self, start: usize, left: Node, strength: u8) -> Result<Node> {
        let (mut places, mut rest) = (Vec::new(), Vec::new());
        let mut temporal = left.temporal;
        while let Some((operator, _)) = self.infix().filter(|&(_, found)| found == strength) {
            places.push(self.advance());
            let operand = self.arithmetic(strength + 1)?;
            temporal = temporal.or(operand.temporal);
            rest.push((operator, operand));
        }
        if let [_, second, ..] = places[..]
            && strength == COMPARISON
        {
            return fail(second, "comparisons cannot be chained: put `&&` between them");
        }
        let kind = NodeKind::Infix(Box::new(left), rest);
        Ok(Node { kind, span: self.since(start), temporal })
    }

    /// Reads an expression up to the next operator between operands.
    fn operand(&mut self) -> Result<Node> {
        let start = self.span().start;
        let (kind, temporal) = match self.token() {
            Token::Number(number) => {
                self.advance();
                (NodeKind::Number(number), None)
            }
            Token::Quoted => {
                let span = self.advance();
                (NodeKind::Quoted(Box::new(self.quoted(span)?)), None)
            }
            Token::Operator(OfFormulas::Unary(_)) => return self.formula(true),
            Token::Name => self.reference()?,
            Token::Is(fixed) => match fixed {
                token!["true" "false"] => {
                    self.advance();
                    (NodeKind::Truth(fixed == token!["true"]), None)
                }
                token!["("] => return self.parenthesized(),
                token!["-"] => {
                    self.advance();
                    let operand = self.arithmetic(MULTIPLICATION + 1)?;
                    let temporal = operand.temporal;
                    (NodeKind::Negate(Box::new(operand)), temporal)
                }
                token!["if"] => self.conditional()?,
                token!["forall" "exists" "sum" "count"] => self.quantified(fixed)?,
                token!["taken"] => (self.about(Aspect::Taken)?, None),
                token!["enabled"] => (self.about(Aspect::Enabled)?, None),
                _ => return Err(self.unexpected("an expression")),
            },
            Token::Operator(_) | Token::End => return Err(self.unexpected("an expression")),
        };
        Ok(Node { kind, span: self.since(start), temporal })
    }

    fn parenthesized(&mut self) -> Result<Node> {
        let opened = self.advance();
        let mut node = self.expression()?;
        if self.token() == Token::End {
            return fail(opened, "this parenthesis is never closed");
        }
        if !self.is(token![")"]) {
            return Err(self.unexpected("an operator or `)`"));
        }
        self.advance();
        node.span = self.since(opened.start);
        Ok(node)
    }

    fn conditional(&mut self) -> Result<(NodeKind, Option<Span>)> {
        self.expect(token!["if"])?;
        let condition = self.expression()?;
        self.expect(token!["then"])?;
        let yes = self.expression()?;
        self.expect(token!["else"])?;
        let no = self.expression()?;
        let temporal = condition.temporal.or(yes.temporal).or(no.temporal);
        Ok((NodeKind::If(Box::new([condition, yes, no])), temporal))
    }

    /// `forall i in 0..3: e` reaches as far as it can; `sum(i in 0..3: e)` ends
    /// with its parenthesis.
    fn quantified(&mut self, word: Fixed) -> Result<(NodeKind, Option<Span>)> {
        self.advance();
        let (quantifier, has_parentheses) = match word {
            token!["forall"] => (Quantifier::Forall, false),
            token!["exists"] => (Quantifier::Exists, false),
            token!["sum"] => (Quantifier::Sum, true),
            _ => (Quantifier::Count, true),
        };
        if has_parentheses {
            self.expect(token!["("])?;
        }
        let binders = self.binders()?;
        self.expect(token![":"])?;
        let body = self.expression()?;
        if has_parentheses {
            self.expect(token![")"])?;
        }
        let temporal = body.temporal;
        Ok((NodeKind::Quantified(quantifier, binders, Box::new(body)), temporal))
    }

    /// `taken(…)` and its like, from the word on.
    fn about(&mut self, aspect: Aspect) -> Result<NodeKind> {
        self.advance();
        self.expect(token!["("])?;
        let moves = self.moves()?;
        self.expect(token![")"])?;
        Ok(NodeKind::Moves(aspect, moves))
    }

    /// A process, an action, or an action of a process.
    pub(super) fn moves(&mut self) -> Result<Moves> {
        let first = self.call("a process or an action")?;
        let action = if self.accept(token!["."]) { Some(self.call("an action")?) } else { None };
        Ok(Moves { first, action })
    }

    fn call(&mut self, what: &str) -> Result<Call> {
        let name = self.name(&format!("the name of {what}"))?;
        let start = name.span.start;
        let arguments = self.arguments()?;
        Ok(Call { name, arguments, span: self.since(start) })
    }

    /// Arguments in parentheses, if there are any.
    fn arguments(&mut self) -> Result<Option<Vec<Node>>> {
        if !self.accept(token!["("]) {
            return Ok(None);
        }
        let arguments = self.list(Self::expression)?;
        self.expect(token![")"])?;
        Ok(Some(arguments))
    }

    fn reference(&mut self) -> Result<(NodeKind, Option<Span>)> {
        let name = self.name("a name")?;
        let arguments = self.arguments()?;
        let member = if self.accept(token!["."]) { Some(self.name("a variable")?) } else { None };
        let index = self.index()?;
        let mut parts = arguments.iter().flatten().chain(index.as_deref());
        let temporal = parts.find_map(|part| part.temporal);
        Ok((NodeKind::Reference(Reference { name, arguments, member, index }), temporal))
    }

    /// The expression inside quotation marks. Its places are those of the text
    /// around it.
    fn quoted(&self, span: Span) -> Result<Node> {
        let inside = unescaped(&self.text[span.start + 1..span.end - 1], escaped_quote);
        if span.end - span.start == inside.len() + 2 {
            return formula_from(&self.text[..span.end - 1], span.start + 1, self.depth);
        }
        // Backslashes have moved the places: we can only point at all of it.
        formula_from(&inside, 0, self.depth)
            .map_err(|error| SourceError::new(span, error.message))
            .map(|node| Node { span, ..node })
    }
}
