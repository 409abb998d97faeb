//! Tokens to syntax tree: expressions and formulas, which have one grammar.
//!
//! Operators are read by their strength. Comparisons bind more strongly than
//! the operators of formulas, also those in front: `! x == 1` is `!(x == 1)`.

use super::{MAX_DEPTH, Parser, formula_from};
use crate::lang::SourceError;
use crate::lang::lwm::ast::{
    Aspect, Call, Comparison, Connective, Infix, Kind, Moves, Node, Prefix, Quantifier, Reference,
};
use crate::lang::lwm::lex::Token;
use crate::lang::program::{BinaryOperator, Span};

const COMPARISON: u8 = 6;
/// The strength of `+` and `-`.
pub(super) const ADDITION: u8 = 7;
const MULTIPLICATION: u8 = 8;

/// An operator between two operands.
#[derive(Clone, Copy)]
enum Operator {
    Right(Infix),
    Chain(Connective),
    Compare(Comparison),
    Arithmetic(BinaryOperator),
}

impl Operator {
    fn of(token: &Token<'_>) -> Option<Self> {
        let Token::Is(token) = token else { return None };
        Some(match *token {
            "->" => Self::Right(Infix::Implies),
            "<->" => Self::Right(Infix::Iff),
            "U" => Self::Right(Infix::Until),
            "R" => Self::Right(Infix::Release),
            "W" => Self::Right(Infix::WeakUntil),
            "M" => Self::Right(Infix::StrongRelease),
            "||" => Self::Chain(Connective::Or),
            "xor" => Self::Chain(Connective::Xor),
            "&&" => Self::Chain(Connective::And),
            "==" => Self::Compare(Comparison::Equal),
            "!=" => Self::Compare(Comparison::NotEqual),
            "<" => Self::Compare(Comparison::Less),
            "<=" => Self::Compare(Comparison::LessEqual),
            ">" => Self::Compare(Comparison::Greater),
            ">=" => Self::Compare(Comparison::GreaterEqual),
            "+" => Self::Arithmetic(BinaryOperator::Add),
            "-" => Self::Arithmetic(BinaryOperator::Subtract),
            "*" => Self::Arithmetic(BinaryOperator::Multiply),
            "/" => Self::Arithmetic(BinaryOperator::Divide),
            "%" => Self::Arithmetic(BinaryOperator::Remainder),
            _ => return None,
        })
    }

    fn strength(self) -> u8 {
        match self {
            Self::Right(Infix::Implies | Infix::Iff) => 1,
            Self::Chain(Connective::Or) => 2,
            Self::Chain(Connective::Xor) => 3,
            Self::Chain(Connective::And) => 4,
            Self::Right(_) => 5,
            Self::Compare(_) => COMPARISON,
            Self::Arithmetic(BinaryOperator::Add | BinaryOperator::Subtract) => ADDITION,
            Self::Arithmetic(_) => MULTIPLICATION,
        }
    }

    fn is_temporal(self) -> bool {
        self.strength() == 5
    }
}

impl Parser<'_> {
    /// Reads an expression whose operators are at least this strong.
    pub(super) fn expression(&mut self, strength: u8) -> Result<Node, SourceError> {
        self.depth += 1;
        if MAX_DEPTH < self.depth {
            return Err(self.error(format!("expressions are nested more than {MAX_DEPTH} deep")));
        }
        let start = self.span().start;
        let mut node = self.operand()?;
        while let Some(operator) = Operator::of(self.token())
            && strength <= operator.strength()
        {
            node = self.operators(start, node, operator)?;
        }
        self.depth -= 1;
        Ok(node)
    }

    /// Reads all operators of the strength of `first` with their operands.
    fn operators(
        &mut self,
        start: usize,
        left: Node,
        first: Operator,
    ) -> Result<Node, SourceError> {
        let (mut operators, mut operands) = (Vec::new(), vec![left]);
        let mut temporal = operands[0].temporal;
        while let Some(operator) = Operator::of(self.token())
            && operator.strength() == first.strength()
        {
            let place = self.advance();
            if operator.is_temporal() {
                temporal = temporal.or(Some(place));
            }
            let operand = self.expression(operator.strength() + 1)?;
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
        let (kind, temporal) = match *self.token() {
            Token::Number(number) => {
                self.advance();
                (Kind::Number(number), None)
            }
            Token::Quoted(ref text) => {
                let text = text.clone();
                let span = self.advance();
                (Kind::Quoted(Box::new(self.quoted(&text, span)?)), None)
            }
            Token::Name(_) => self.reference()?,
            Token::Is(token) => match token {
                "true" | "false" => {
                    self.advance();
                    (Kind::Truth(token == "true"), None)
                }
                "(" => return self.parenthesized(),
                "!" | "X" | "F" | "G" => self.prefix()?,
                "-" => {
                    self.advance();
                    let operand = self.expression(MULTIPLICATION + 1)?;
                    let temporal = operand.temporal;
                    (Kind::Negate(Box::new(operand)), temporal)
                }
                "if" => self.conditional()?,
                "forall" | "exists" | "sum" | "count" => self.quantified(token)?,
                "taken" => (self.about(Aspect::Taken)?, None),
                "enabled" => (self.about(Aspect::Enabled)?, None),
                _ => return Err(self.unexpected("an expression")),
            },
            Token::End => return Err(self.unexpected("an expression")),
        };
        Ok(Node { kind, span: self.since(start), temporal })
    }

    fn parenthesized(&mut self) -> Result<Node, SourceError> {
        let opened = self.advance();
        let mut node = self.expression(0)?;
        if *self.token() == Token::End {
            return Err(SourceError::new(opened, "this parenthesis is never closed"));
        }
        if !self.is(")") {
            return Err(self.unexpected("an operator or `)`"));
        }
        self.advance();
        node.span = self.since(opened.start);
        Ok(node)
    }

    fn prefix(&mut self) -> Result<(Kind, Option<Span>), SourceError> {
        let (mut operators, mut temporal) = (Vec::new(), None);
        while let Token::Is(token @ ("!" | "X" | "F" | "G")) = *self.token() {
            operators.push(match token {
                "!" => Prefix::Not,
                "X" => Prefix::Next,
                "F" => Prefix::Finally,
                _ => Prefix::Globally,
            });
            let span = self.advance();
            temporal = temporal.or((token != "!").then_some(span));
        }
        let operand = self.expression(COMPARISON)?;
        let temporal = temporal.or(operand.temporal);
        Ok((Kind::Prefix(operators, Box::new(operand)), temporal))
    }

    fn conditional(&mut self) -> Result<(Kind, Option<Span>), SourceError> {
        self.expect("if")?;
        let condition = self.expression(0)?;
        self.expect("then")?;
        let yes = self.expression(0)?;
        self.expect("else")?;
        let no = self.expression(0)?;
        let temporal = condition.temporal.or(yes.temporal).or(no.temporal);
        Ok((Kind::If(Box::new([condition, yes, no])), temporal))
    }

    /// `forall i in 0..3: e` reaches as far as it can; `sum(i in 0..3: e)` ends
    /// with its parenthesis.
    fn quantified(&mut self, word: &str) -> Result<(Kind, Option<Span>), SourceError> {
        self.advance();
        let (quantifier, has_parentheses) = match word {
            "forall" => (Quantifier::Forall, false),
            "exists" => (Quantifier::Exists, false),
            "sum" => (Quantifier::Sum, true),
            _ => (Quantifier::Count, true),
        };
        if has_parentheses {
            self.expect("(")?;
        }
        let binders = self.binders()?;
        self.expect(":")?;
        let body = self.expression(0)?;
        if has_parentheses {
            self.expect(")")?;
        }
        let temporal = body.temporal;
        Ok((Kind::Quantified(quantifier, binders, Box::new(body)), temporal))
    }

    /// `taken(…)` and its like, from the word on.
    fn about(&mut self, aspect: Aspect) -> Result<Kind, SourceError> {
        self.advance();
        self.expect("(")?;
        let moves = self.moves()?;
        self.expect(")")?;
        Ok(Kind::Moves(aspect, moves))
    }

    /// A process, an action, or an action of a process.
    pub(super) fn moves(&mut self) -> Result<Moves, SourceError> {
        let first = self.call("a process or an action")?;
        let action = if self.accept(".") { Some(self.call("an action")?) } else { None };
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
        if !self.accept("(") {
            return Ok(None);
        }
        let mut arguments = vec![self.expression(0)?];
        while self.accept(",") {
            arguments.push(self.expression(0)?);
        }
        self.expect(")")?;
        Ok(Some(arguments))
    }

    fn reference(&mut self) -> Result<(Kind, Option<Span>), SourceError> {
        let name = self.name("a name")?;
        let arguments = self.arguments()?;
        let member = if self.accept(".") { Some(self.name("a variable")?) } else { None };
        let index = self.index()?;
        let mut parts = arguments.iter().flatten().chain(index.as_deref());
        let temporal = parts.find_map(|part| part.temporal);
        Ok((Kind::Reference(Reference { name, arguments, member, index }), temporal))
    }

    /// The expression inside quotation marks. Its places are those of the text
    /// around it.
    fn quoted(&self, inside: &str, span: Span) -> Result<Node, SourceError> {
        if span.end - span.start == inside.len() + 2 {
            return formula_from(&self.text[..span.end - 1], span.start + 1, self.depth);
        }
        // Backslashes have moved the places: we can only point at all of it.
        formula_from(inside, 0, self.depth)
            .map_err(|error| SourceError::new(span, error.message))
            .map(|node| Node { span, ..node })
    }
}

/// Operands under operators of one strength.
fn combined(operators: &[(Operator, Span)], operands: Vec<Node>) -> Result<Kind, SourceError> {
    let mut operands = operands;
    match operators[0].0 {
        Operator::Chain(connective) => Ok(Kind::Chain(connective, operands)),
        Operator::Right(_) => {
            let infixes = operators.iter().filter_map(|(operator, _)| match operator {
                Operator::Right(infix) => Some(*infix),
                _ => None,
            });
            Ok(Kind::Right(infixes.collect(), operands))
        }
        Operator::Arithmetic(_) => {
            let first = Box::new(operands.remove(0));
            let rest =
                operators.iter().zip(operands).filter_map(
                    |((operator, _), operand)| match operator {
                        Operator::Arithmetic(operator) => Some((*operator, operand)),
                        _ => None,
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
