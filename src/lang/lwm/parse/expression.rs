//! Tokens to syntax tree: expressions and formulas, which have one grammar.
//!
//! The operators of formulas are those of [`crate::ltl::parse`]; an atom is whatever
//! expression stands between them. Comparisons bind more strongly than the operators of
//! formulas, also those in front: `! x == 1` is `!(x == 1)`.

use super::{MAX_DEPTH, Parser, formula_from};
use crate::lang::SourceError;
use crate::lang::lwm::ast::{Aspect, Call, Comparison, Kind, Moves, Node, Quantifier, Reference};
use crate::lang::lwm::lex::{Fixed, Token, token};
use crate::lang::program::{BinaryOperator, Span};
use crate::ltl::parse::grammar::{
    self, Behind, Binary, Dialect, Front, Operator as OfFormulas, Unary,
};
use crate::scan::{escaped_quote, unescaped};

const COMPARISON: u8 = 6;
/// The strength of `+` and `-`.
pub(super) const ADDITION: u8 = 7;
const MULTIPLICATION: u8 = 8;

/// An operator between two numbers.
#[derive(Clone, Copy)]
enum Operator {
    Compare(Comparison),
    Arithmetic(BinaryOperator),
}

impl Operator {
    fn of(token: Token) -> Option<Self> {
        let Token::Is(fixed) = token else { return None };
        Some(match fixed {
            token!["=="] => Self::Compare(Comparison::Equal),
            token!["!="] => Self::Compare(Comparison::NotEqual),
            token!["<"] => Self::Compare(Comparison::Less),
            token!["<="] => Self::Compare(Comparison::LessEqual),
            token![">"] => Self::Compare(Comparison::Greater),
            token![">="] => Self::Compare(Comparison::GreaterEqual),
            token!["+"] => Self::Arithmetic(BinaryOperator::Add),
            token!["-"] => Self::Arithmetic(BinaryOperator::Subtract),
            token!["*"] => Self::Arithmetic(BinaryOperator::Multiply),
            token!["/"] => Self::Arithmetic(BinaryOperator::Divide),
            token!["%"] => Self::Arithmetic(BinaryOperator::Remainder),
            _ => return None,
        })
    }

    fn strength(self) -> u8 {
        match self {
            Self::Compare(_) => COMPARISON,
            Self::Arithmetic(BinaryOperator::Add | BinaryOperator::Subtract) => ADDITION,
            Self::Arithmetic(_) => MULTIPLICATION,
        }
    }
}

/// Formulas whose atoms are expressions.
struct Formulas<'p, 'a> {
    parser: &'p mut Parser<'a>,
    /// Whether an operator between formulas ends what is read.
    is_operand: bool,
}

impl Dialect for Formulas<'_, '_> {
    type Operand = Node;
    type Error = SourceError;

    fn front(&mut self) -> Result<Front<Node>, SourceError> {
        if let Token::Operator(OfFormulas::Unary(operator)) = self.parser.token() {
            return Ok(Front::Unary(operator, self.parser.advance()));
        }
        self.parser.operators(COMPARISON).map(Front::Operand)
    }

    fn behind(&mut self, _operand: &mut Node) -> Result<Behind, SourceError> {
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
            Kind::Prefix(mut operators, inner) if inner.span.end == operand.span.end => {
                operators.push(operator);
                Kind::Prefix(operators, inner)
            }
            _ => Kind::Prefix(vec![operator], Box::new(operand)),
        };
        Node { kind, span, temporal }
    }

    fn binary(&mut self, operator: Binary, place: Span, left: Node, right: Node) -> Node {
        let own = OfFormulas::Binary(operator).is_temporal().then_some(place);
        let temporal = left.temporal.or(own).or(right.temporal);
        let span = Span::new(left.span.start, right.span.end);
        let kind = if operator.groups_to_the_right() {
            match right.kind {
                Kind::Right(mut operators, mut operands)
                    if operators[0].strength() == operator.strength()
                        && operands[operands.len() - 1].span.end == right.span.end =>
                {
                    operators.push_front(operator);
                    operands.push_front(left);
                    Kind::Right(operators, operands)
                }
                _ => Kind::Right([operator].into(), [left, right].into()),
            }
        } else {
            match left.kind {
                Kind::Chain(before, mut operands)
                    if before == operator && operands[0].span.start == left.span.start =>
                {
                    operands.push(right);
                    Kind::Chain(operator, operands)
                }
                _ => Kind::Chain(operator, vec![left, right]),
            }
        };
        Node { kind, span, temporal }
    }
}

impl Parser<'_> {
    /// Reads an expression or a formula.
    pub(super) fn expression(&mut self) -> Result<Node, SourceError> {
        self.formula(false)
    }

    fn formula(&mut self, is_operand: bool) -> Result<Node, SourceError> {
        self.enter()?;
        let node = grammar::parse(&mut Formulas { parser: self, is_operand })?;
        self.depth -= 1;
        Ok(node)
    }

    fn enter(&mut self) -> Result<(), SourceError> {
        self.depth += 1;
        if MAX_DEPTH < self.depth {
            return Err(self.error(format!("expressions are nested more than {MAX_DEPTH} deep")));
        }
        Ok(())
    }

    /// Reads an expression whose operators are at least this strong.
    pub(super) fn arithmetic(&mut self, strength: u8) -> Result<Node, SourceError> {
        self.enter()?;
        let node = self.operators(strength)?;
        self.depth -= 1;
        Ok(node)
    }

    fn operators(&mut self, strength: u8) -> Result<Node, SourceError> {
        let start = self.span().start;
        let mut node = self.operand()?;
        while let Some(operator) = Operator::of(self.token())
            && strength <= operator.strength()
        {
            node = self.level(start, node, operator)?;
        }
        Ok(node)
    }

    /// Reads all operators of the strength of `first` with their operands.
    fn level(&mut self, start: usize, left: Node, first: Operator) -> Result<Node, SourceError> {
        let (mut operators, mut operands) = (Vec::new(), vec![left]);
        let mut temporal = operands[0].temporal;
        while let Some(operator) = Operator::of(self.token())
            && operator.strength() == first.strength()
        {
            let place = self.advance();
            let operand = self.arithmetic(operator.strength() + 1)?;
            temporal = temporal.or(operand.temporal);
            operators.push((operator, place));
            operands.push(operand);
        }
        let span = self.since(start);
        Ok(Node { kind: combined(&operators, operands)?, span, temporal })
    }

    /// Reads an expression up to the next operator between operands.
    fn operand(&mut self) -> Result<Node, SourceError> {
        let start = self.span().start;
        let (kind, temporal) = match self.token() {
            Token::Number(number) => {
                self.advance();
                (Kind::Number(number), None)
            }
            Token::Quoted => {
                let span = self.advance();
                (Kind::Quoted(Box::new(self.quoted(span)?)), None)
            }
            Token::Operator(OfFormulas::Unary(_)) => return self.formula(true),
            Token::Name => self.reference()?,
            Token::Is(fixed) => match fixed {
                token!["true" "false"] => {
                    self.advance();
                    (Kind::Truth(fixed == token!["true"]), None)
                }
                token!["("] => return self.parenthesized(),
                token!["-"] => {
                    self.advance();
                    let operand = self.arithmetic(MULTIPLICATION + 1)?;
                    let temporal = operand.temporal;
                    (Kind::Negate(Box::new(operand)), temporal)
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

    fn parenthesized(&mut self) -> Result<Node, SourceError> {
        let opened = self.advance();
        let mut node = self.expression()?;
        if self.token() == Token::End {
            return Err(SourceError::new(opened, "this parenthesis is never closed"));
        }
        if !self.is(token![")"]) {
            return Err(self.unexpected("an operator or `)`"));
        }
        self.advance();
        node.span = self.since(opened.start);
        Ok(node)
    }

    fn conditional(&mut self) -> Result<(Kind, Option<Span>), SourceError> {
        self.expect(token!["if"])?;
        let condition = self.expression()?;
        self.expect(token!["then"])?;
        let yes = self.expression()?;
        self.expect(token!["else"])?;
        let no = self.expression()?;
        let temporal = condition.temporal.or(yes.temporal).or(no.temporal);
        Ok((Kind::If(Box::new([condition, yes, no])), temporal))
    }

    /// `forall i in 0..3: e` reaches as far as it can; `sum(i in 0..3: e)` ends
    /// with its parenthesis.
    fn quantified(&mut self, word: Fixed) -> Result<(Kind, Option<Span>), SourceError> {
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
        Ok((Kind::Quantified(quantifier, binders, Box::new(body)), temporal))
    }

    /// `taken(…)` and its like, from the word on.
    fn about(&mut self, aspect: Aspect) -> Result<Kind, SourceError> {
        self.advance();
        self.expect(token!["("])?;
        let moves = self.moves()?;
        self.expect(token![")"])?;
        Ok(Kind::Moves(aspect, moves))
    }

    /// A process, an action, or an action of a process.
    pub(super) fn moves(&mut self) -> Result<Moves, SourceError> {
        let first = self.call("a process or an action")?;
        let action = if self.accept(token!["."]) { Some(self.call("an action")?) } else { None };
        Ok(Moves { first, action })
    }

    fn call(&mut self, what: &str) -> Result<Call, SourceError> {
        let name = self.name(&format!("the name of {what}"))?;
        let start = name.span.start;
        let arguments = self.arguments()?;
        Ok(Call { name, arguments, span: self.since(start) })
    }

    /// Arguments in parentheses, if there are any.
    fn arguments(&mut self) -> Result<Option<Vec<Node>>, SourceError> {
        if !self.accept(token!["("]) {
            return Ok(None);
        }
        let mut arguments = vec![self.expression()?];
        while self.accept(token![","]) {
            arguments.push(self.expression()?);
        }
        self.expect(token![")"])?;
        Ok(Some(arguments))
    }

    fn reference(&mut self) -> Result<(Kind, Option<Span>), SourceError> {
        let name = self.name("a name")?;
        let arguments = self.arguments()?;
        let member = if self.accept(token!["."]) { Some(self.name("a variable")?) } else { None };
        let index = self.index()?;
        let mut parts = arguments.iter().flatten().chain(index.as_deref());
        let temporal = parts.find_map(|part| part.temporal);
        Ok((Kind::Reference(Reference { name, arguments, member, index }), temporal))
    }

    /// The expression inside quotation marks. Its places are those of the text
    /// around it.
    fn quoted(&self, span: Span) -> Result<Node, SourceError> {
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

/// Operands under operators of one strength.
fn combined(operators: &[(Operator, Span)], operands: Vec<Node>) -> Result<Kind, SourceError> {
    let mut operands = operands;
    match operators[0].0 {
        Operator::Arithmetic(_) => {
            let first = Box::new(operands.remove(0));
            let rest =
                operators.iter().zip(operands).filter_map(
                    |((operator, _), operand)| match operator {
                        Operator::Arithmetic(operator) => Some((*operator, operand)),
                        Operator::Compare(_) => None,
                    },
                );
            Ok(Kind::Arithmetic(first, rest.collect()))
        }
        Operator::Compare(comparison) => {
            if let Some((_, span)) = operators.get(1) {
                let message = "comparisons cannot be chained: put `&&` between them";
                return Err(SourceError::new(*span, message));
            }
            let (right, left) = (operands.pop(), operands.pop());
            let (Some(left), Some(right)) = (left, right) else {
                unreachable!("an operator stands between two operands")
            };
            Ok(Kind::Compare(comparison, Box::new(left), Box::new(right)))
        }
    }
}
